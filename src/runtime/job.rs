//! What a script run takes and gives: the script, the job, the outcome, its errors, and the port to the host.

use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A script's text with the key under which workers keep it compiled.
///
/// Made once for each revision of a program; cloning is a pointer copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    pub(super) source: Arc<str>,
    pub(super) file_name: Arc<str>,
    pub(super) function: Arc<str>,
    pub(super) key: Key,
}

/// The content hash of a script: 128 bits of BLAKE3 over file name, function and source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct Key(u64, u64);

impl Script {
    /// Takes the source, the file name that tracebacks show, and the function that is called with the arguments.
    #[must_use]
    pub fn new(source: &str, file_name: &str, function: &str) -> Self {
        let mut hasher = blake3::Hasher::new();
        for part in [file_name, function, source] {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        let mut words = [0_u64; 2];
        for (word, bytes) in words.iter_mut().zip(hasher.finalize().as_bytes().chunks_exact(8)) {
            *word = bytes.iter().fold(0, |sum, byte| sum << 8 | u64::from(*byte));
        }
        Self {
            source: source.into(),
            file_name: file_name.into(),
            function: function.into(),
            key: Key(words[0], words[1]),
        }
    }

    /// Returns the source as it was given.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the name that tracebacks show.
    #[must_use]
    pub fn file_name(&self) -> &str {
        &self.file_name
    }
}

/// One run of a script.
#[derive(Clone, Debug)]
pub struct Job {
    /// The script.
    pub script: Script,
    /// The arguments of its function, in order: task, memory, parameters.
    pub args: Vec<Value>,
    /// Names of the tools that the script may call; the host decides on each call.
    pub tools: Vec<String>,
    /// Those of `tools` that the worker may run by itself without asking. They are reported with the outcome.
    pub local: Vec<String>,
    /// How long the script itself may run. Time that the host spends on an answer does not count.
    pub deadline: Duration,
    /// How many bytes the script may allocate; capped by [`MEMORY_CEILING`].
    pub memory: u64,
    /// Whether a script that is running waits for it. Such a job never waits for a place in the pool, which its own ancestor may
    /// hold.
    pub nested: bool,
}

/// The default of [`Job::memory`]: 64 MiB.
pub const MEMORY: u64 = 64 << 20;

/// The most that any job may allocate: 512 MiB. The process limits of a worker are set by it once, at its start.
pub const MEMORY_CEILING: u64 = 512 << 20;

/// The default of [`Job::deadline`]: two seconds.
pub const DEADLINE: Duration = Duration::from_secs(2);

/// The longest deadline that a job may have: ten minutes. Longer ones are cut to it.
pub const DEADLINE_CEILING: Duration = Duration::from_secs(600);

impl Job {
    /// Makes a job without tools and with the default limits.
    #[must_use]
    pub fn new(script: Script, args: Vec<Value>) -> Self {
        Self { script, args, tools: Vec::new(), local: Vec::new(), deadline: DEADLINE, memory: MEMORY, nested: false }
    }

    /// Grants tools that the worker may run by itself.
    #[must_use]
    pub fn with_local_tools(mut self, names: &[&str]) -> Self {
        self.tools.extend(names.iter().map(|name| (*name).to_owned()));
        self.local.extend(names.iter().map(|name| (*name).to_owned()));
        self
    }

    /// Grants tools on whose calls the host decides.
    #[must_use]
    pub fn with_tools(mut self, names: &[&str]) -> Self {
        self.tools.extend(names.iter().map(|name| (*name).to_owned()));
        self
    }

    /// Sets the deadline.
    #[must_use]
    pub fn with_deadline(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }
}

/// A script that came to its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Done {
    /// What the function returned.
    pub value: Value,
    /// The tool calls in the order in which they were made.
    pub calls: Vec<Call>,
    /// What the script printed, cut at 64 KiB.
    pub printed: String,
    /// Time the script itself took, in microseconds, without the host's answers.
    pub micros: u64,
}

/// How a run went, with what is known of it even when it failed.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The returned value or the error.
    pub result: Result<Value, ScriptError>,
    /// The tool calls in order. Of a worker that had to be killed, only those that the host answered.
    pub calls: Vec<Call>,
    /// What the script printed, cut at 64 KiB; empty if the worker had to be killed.
    pub printed: String,
    /// Time the script itself took, in microseconds.
    pub micros: u64,
}

/// One call of a tool, for the record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Call {
    /// The tool.
    pub name: String,
    /// Its arguments; above 64 KiB of JSON replaced by the beginning of their text.
    pub args: Vec<Value>,
    /// Its result or error; cut in the same way.
    pub result: Result<Value, String>,
    /// How long it took, in microseconds.
    pub micros: u64,
}

/// What the host says to a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Decision {
    /// The worker runs the pure tool itself, within its limits.
    Local,
    /// The host has run the tool, or answers from a record.
    Value(Value),
    /// The tool ran and failed; the script sees a `ValueError`.
    Error(String),
    /// The tool may not run; the script sees a `PermissionError`.
    Refuse(String),
}

/// Who decides on the calls of a script that are not in [`Job::local`].
pub trait Host: Send {
    /// Decides on one call. Dropping the run drops this future.
    fn call<'a>(&'a mut self, name: &'a str, args: &'a [Value]) -> BoxFuture<'a, Decision>;
}

/// A host that lets the worker run every pure tool.
#[derive(Clone, Copy, Debug, Default)]
pub struct Trusting;

impl Host for Trusting {
    fn call<'a>(&'a mut self, _: &'a str, _: &'a [Value]) -> BoxFuture<'a, Decision> {
        Box::pin(std::future::ready(Decision::Local))
    }
}

/// Why a script gave no value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub enum ScriptError {
    /// The source cannot be compiled.
    #[error("the script cannot be read: {message}")]
    Syntax {
        /// The interpreter's one line, with the line number.
        message: String,
        /// File, line, source line and message.
        traceback: String,
    },
    /// The script lacks the function that should be called.
    #[error("the script has no function `{function}`")]
    NoFunction {
        /// Its name.
        function: String,
    },
    /// The script raised an exception that it did not catch.
    #[error("the script raised {message}")]
    Raised {
        /// Class, message and line.
        message: String,
        /// File, lines, source lines and message.
        traceback: String,
    },
    /// The script called a tool that it may not call, and did not catch the error.
    #[error("the script may not call `{tool}`: {reason}")]
    Denied {
        /// The tool.
        tool: String,
        /// Why not.
        reason: String,
        /// Where it was called.
        traceback: String,
    },
    /// The script ran for too long.
    #[error("the script ran longer than its {millis} ms")]
    Deadline {
        /// The limit.
        millis: u64,
    },
    /// The script wanted too much memory.
    #[error("the script wanted more memory than its {} MiB", bytes >> 20)]
    Memory {
        /// The limit.
        bytes: u64,
    },
    /// The script's calls nested too deeply.
    #[error("the script's calls nest too deeply")]
    Recursion {
        /// Where.
        traceback: String,
    },
    /// The result or an argument is no JSON value of allowed size and depth.
    #[error("{0}")]
    BadValue(String),
    /// The worker process ended in the middle of the job.
    #[error("the script's worker ended: {how}")]
    Crashed {
        /// Signal, exit code or what it said wrongly.
        how: String,
        /// Whether somebody else killed it.
        killed: bool,
        /// The end of what it wrote to its standard error.
        stderr: String,
    },
    /// No worker process could be started.
    #[error("no worker could be started: {0}")]
    Spawn(String),
}

impl ScriptError {
    /// Returns the traceback where there is one, else the error's one clause.
    #[must_use]
    pub fn details(&self) -> String {
        match self {
            Self::Syntax { traceback, .. }
            | Self::Raised { traceback, .. }
            | Self::Denied { traceback, .. }
            | Self::Recursion { traceback } => traceback.clone(),
            Self::NoFunction { .. }
            | Self::Deadline { .. }
            | Self::Memory { .. }
            | Self::BadValue(_)
            | Self::Crashed { .. }
            | Self::Spawn(_) => self.to_string(),
        }
    }
}
