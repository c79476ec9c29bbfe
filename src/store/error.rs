//! What can go wrong on this floor, each with what to do next.

use std::io;
use std::path::{Path, PathBuf};

use crate::engine::ports::PortError;
use crate::model::Diagnostic;

/// Why something could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The operating system refused.
    #[error("could not {action} {}: {source}", path.display())]
    Io {
        /// What was tried: `read`, `write`, …
        action: &'static str,
        /// On which file or folder.
        path: PathBuf,
        /// Its words.
        source: io::Error,
    },
    /// Another process, or another handle of this one, writes there.
    #[error("{what} is open in another mop{}", pid.map(|pid| format!(", pid {pid}")).unwrap_or_default())]
    Locked {
        /// What is open: `session …`, `the library of …`.
        what: String,
        /// By whom, where it could be read.
        pid: Option<u32>,
    },
    /// A file does not hold what it should.
    #[error("{}:{line}: {why}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: u64,
        /// What is wrong.
        why: String,
    },
    /// A name that cannot be a file name on every platform.
    #[error("`{name}` cannot be the name of a {what}")]
    BadName {
        /// What it should name.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// An event that the journal cannot take.
    #[error("event {seq} cannot be written: {why}")]
    BadEvent {
        /// Its sequence number.
        seq: u64,
        /// Why.
        why: String,
    },
    /// Nothing is called so.
    #[error("there is no {what} `{name}`")]
    Unknown {
        /// What was looked for: `session`, `network`, `revision`, `proposal`.
        what: &'static str,
        /// What it was called.
        name: String,
        /// What there is instead, or how to find out.
        hint: String,
    },
    /// Several things are called so.
    #[error("`{name}` may mean several {what}: {}", candidates.join(", "))]
    Ambiguous {
        /// What was looked for, in the plural.
        what: &'static str,
        /// What it was called.
        name: String,
        /// Some of those it may mean.
        candidates: Vec<String>,
    },
    /// Something of that name is there already.
    #[error("{} is there already", path.display())]
    Exists {
        /// What stands in the way.
        path: PathBuf,
        /// What to do next.
        hint: &'static str,
    },
    /// A network that came with a project, and that nobody has accepted.
    #[error("the network in {} came with this project and was not accepted yet", path.display())]
    Untrusted {
        /// Its folder.
        path: PathBuf,
    },
    /// A chain of `extends` that leads nowhere.
    #[error("network `{name}`: {why}")]
    Extends {
        /// The network that was asked for.
        name: String,
        /// What is wrong with the chain.
        why: String,
    },
    /// The files make no usable network.
    #[error("network `{name}` cannot be used: {}", problems.first().map_or("no reason known", |first| &first.message))]
    Network {
        /// Its name.
        name: String,
        /// Everything that is wrong.
        problems: Vec<Diagnostic>,
    },
    /// A proposal that has its decision already.
    #[error("proposal {id} was decided before: {status}")]
    Decided {
        /// The proposal.
        id: String,
        /// How.
        status: String,
    },
    /// A proposal whose decision cannot be taken back, as it has none.
    #[error("proposal {id} waits for its decision already")]
    Undecided {
        /// The proposal.
        id: String,
    },
    /// A decision that cannot be taken back, as later revisions build on it.
    #[error("{path} has changed again since proposal {id} was accepted")]
    BuiltOn {
        /// The proposal.
        id: String,
        /// The file.
        path: String,
        /// The revision before it was accepted.
        before: u32,
    },
    /// The text that a proposal was made from is no longer the present one.
    #[error("{path} has changed since proposal {id} was made")]
    Moved {
        /// The proposal.
        id: String,
        /// The file.
        path: String,
    },
    /// A decision or a return that would leave everything as it is.
    #[error("{what} changes nothing")]
    NoChange {
        /// What was asked.
        what: String,
    },
    /// A decision that does not fit its proposal.
    #[error("the decision on proposal {id} does not fit it: {why}")]
    BadDecision {
        /// The proposal.
        id: String,
        /// What does not fit.
        why: String,
    },
}

impl StoreError {
    /// Turns an error of the operating system into one that says what was tried.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { action, path, source }
    }

    /// A line that cannot be read.
    pub(crate) fn damaged(path: &Path, line: u64, why: impl Into<String>) -> Self {
        Self::Damaged { path: path.to_owned(), line, why: why.into() }
    }

    /// What to do next.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Io { source, .. } => io_hint(source.kind()).map(str::to_owned),
            Self::Locked { .. } => Some("close it there, or wait until it is done, and try again".into()),
            Self::Damaged { .. } => {
                Some("everything before that line is sound; move the file away, or cut it off there".into())
            }
            Self::BadName { .. } => {
                Some("use letters, digits, `-`, `_` and `.`, at most 100 of them, not starting with `.`".into())
            }
            Self::BadEvent { .. } | Self::BadDecision { .. } => None,
            Self::Unknown { hint, .. } => Some(hint.clone()),
            Self::Ambiguous { .. } => Some("give more of it".into()),
            Self::Exists { hint, .. } => Some((*hint).to_owned()),
            Self::Untrusted { .. } => {
                Some("look at its files, then accept it once; it asks again when they change".into())
            }
            Self::Extends { .. } => Some("correct `extends` in its network.toml".into()),
            Self::Network { problems, .. } => problems.iter().find_map(|problem| problem.hint.clone()),
            Self::Decided { .. } => Some("to undo an accepted one, revert its revision".into()),
            Self::Moved { .. } => Some("reject it, and propose the change anew on the present text".into()),
            Self::NoChange { .. } | Self::Undecided { .. } => None,
            Self::BuiltOn { before, .. } => {
                Some(format!("`mop programs revert {before}` takes it back with everything that came after it"))
            }
        }
    }
}

fn io_hint(kind: io::ErrorKind) -> Option<&'static str> {
    match kind {
        io::ErrorKind::PermissionDenied => Some("check who owns it, or set MOP_HOME to a folder that you may write"),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Some("free some space on that disk"),
        io::ErrorKind::ReadOnlyFilesystem => Some("set MOP_HOME to a folder that can be written"),
        _ => None,
    }
}

impl From<StoreError> for PortError {
    fn from(error: StoreError) -> Self {
        let made = Self::new(error.to_string());
        match error.hint() {
            Some(hint) => made.hint(hint),
            None => made,
        }
    }
}

/// Checks that a name can be a file's on every platform and leads nowhere else.
pub(crate) fn plain_name<'a>(what: &'static str, name: &'a str) -> Result<&'a str, StoreError> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if name.is_empty() || name.len() > 100 || name.starts_with('.') || name.ends_with('.') || !name.chars().all(plain) {
        return Err(StoreError::BadName { what, name: name.chars().take(100).collect() });
    }
    Ok(name)
}
