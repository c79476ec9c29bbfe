//! The parent side of one worker process.

use std::collections::HashSet;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use serde::Serialize;
use tokio::io::{AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use super::job::{Key, ScriptError};
use super::sandbox::Report;
use super::wire::{self, FromWorker};
use super::worker;

/// A worker process. Dropping it kills it.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    #[cfg(unix)]
    errors: std::os::unix::net::UnixStream,
    /// Scripts that this worker has compiled.
    pub(super) known: HashSet<Key>,
    /// Jobs that it has had.
    pub(super) jobs: u32,
    /// Time that its scripts have taken.
    pub(super) busy: Duration,
    /// Bytes that it held after its last job.
    pub(super) held: u64,
    /// What holds it in; known after its first message.
    pub(super) report: Option<Report>,
}

/// Why a message could not be sent or received.
#[derive(Debug)]
pub(super) enum Broken {
    /// The process is gone or talks nonsense.
    Gone(String),
    /// The message is longer than a frame may be, in bytes.
    TooLong(usize),
}

impl Process {
    /// Starts a worker: no environment, the root as its folder, a process group of its own.
    pub(super) fn spawn(program: &Path) -> Result<Self, ScriptError> {
        let fail = |error: std::io::Error| ScriptError::Spawn(error.to_string());
        let mut command = std::process::Command::new(program);
        command.arg(worker::WORD).env_clear().stdin(Stdio::piped()).stdout(Stdio::piped());
        #[cfg(unix)]
        let errors = {
            use std::os::fd::OwnedFd;
            use std::os::unix::process::CommandExt;
            let (ours, theirs) = std::os::unix::net::UnixStream::pair().map_err(fail)?;
            ours.set_nonblocking(true).map_err(fail)?;
            command.current_dir("/").process_group(0).stderr(Stdio::from(OwnedFd::from(theirs)));
            ours
        };
        #[cfg(not(unix))]
        command.stderr(Stdio::null());
        let mut command = Command::from(command);
        let mut child = command.kill_on_drop(true).spawn().map_err(fail)?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(ScriptError::Spawn("the process has no pipes".to_owned()));
        };
        Ok(Self {
            child,
            input,
            output: BufReader::with_capacity(64 << 10, output),
            #[cfg(unix)]
            errors,
            known: HashSet::new(),
            jobs: 0,
            busy: Duration::ZERO,
            held: 0,
            report: None,
        })
    }

    /// Whether the process has not ended by itself.
    pub(super) fn alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// The process id, for tests and for people.
    pub(super) fn id(&self) -> Option<u32> {
        self.child.id()
    }

    pub(super) async fn send<T: Serialize>(&mut self, message: &T) -> Result<(), Broken> {
        let frame = wire::frame(message).map_err(Broken::TooLong)?;
        // A worker reads whenever it is its turn; one that does not is stuck.
        match tokio::time::timeout(PATIENCE, self.input.write_all(&frame)).await {
            Ok(sent) => sent.map_err(|error| Broken::Gone(error.to_string())),
            Err(_) => Err(Broken::Gone("it does not read".to_owned())),
        }
    }

    /// Waits for the next message. Not safe to cancel and call again: whoever cancels drops the process.
    pub(super) async fn receive(&mut self) -> Result<FromWorker, Broken> {
        let gone = |error: std::io::Error| Broken::Gone(error.to_string());
        let mut head = [0; 4];
        self.output.read_exact(&mut head).await.map_err(gone)?;
        let mut body = vec![0; wire::length(head).map_err(gone)?];
        self.output.read_exact(&mut body).await.map_err(gone)?;
        serde_json::from_slice(&body).map_err(|error| Broken::Gone(format!("it sent no message: {error}")))
    }

    /// Ends the process if it has not ended, and tells what became of it. `memory` is the limit of its last job.
    pub(super) async fn autopsy(mut self, why: &str, memory: u64) -> ScriptError {
        // Its pipe closes an instant before it can be waited for; a worker that lives on is killed.
        let ended = tokio::time::timeout(Duration::from_millis(100), self.child.wait()).await;
        let (how, killed) = match ended {
            Ok(Ok(status)) => (describe(status), was_killed(status)),
            Ok(Err(error)) => (error.to_string(), false),
            Err(_) => {
                let _ = self.child.kill().await;
                (why.to_owned(), false)
            }
        };
        let stderr = self.said();
        if stderr.contains(OUT_OF_MEMORY) {
            return ScriptError::Memory { bytes: memory };
        }
        if stderr.contains(OUT_OF_STACK) {
            return ScriptError::Recursion { traceback: stderr };
        }
        ScriptError::Crashed { how, killed, stderr }
    }

    /// Kills the process and waits until it is gone.
    pub(super) async fn kill(mut self) {
        let _ = self.child.kill().await;
    }

    /// The beginning of what the process wrote to its standard error, at most 8 KiB.
    #[cfg(unix)]
    fn said(&mut self) -> String {
        use std::io::Read;
        let mut text = Vec::new();
        let mut part = [0; 1024];
        while text.len() < 8 << 10 {
            match self.errors.read(&mut part) {
                Ok(0) | Err(_) => break,
                Ok(size) => text.extend_from_slice(&part[..size]),
            }
        }
        String::from_utf8_lossy(&text).trim().to_owned()
    }

    #[cfg(not(unix))]
    fn said(&mut self) -> String {
        String::new()
    }
}

/// How long a worker may take to read a message.
const PATIENCE: Duration = Duration::from_secs(5);

/// What the allocator of a worker writes before it ends the process.
const OUT_OF_MEMORY: &str = "monty worker: allocation of";

/// What the standard library writes when a thread's stack has ended.
const OUT_OF_STACK: &str = "has overflowed its stack";

#[cfg(unix)]
fn was_killed(status: ExitStatus) -> bool {
    std::os::unix::process::ExitStatusExt::signal(&status) == Some(9)
}

#[cfg(not(unix))]
fn was_killed(_: ExitStatus) -> bool {
    false
}

fn describe(status: ExitStatus) -> String {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;
        if let Some(signal) = status.signal() {
            let name = match signal {
                4 => " (illegal instruction)",
                6 => " (abort)",
                9 => " (killed)",
                11 => " (segmentation fault)",
                24 => " (processor time)",
                _ => "",
            };
            return format!("signal {signal}{name}");
        }
    }
    match status.code() {
        Some(code) => format!("exit code {code}"),
        None => status.to_string(),
    }
}
