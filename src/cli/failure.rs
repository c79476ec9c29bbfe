//! What a command could not do: one clause, and what to do next.

use std::io::ErrorKind;

use crate::bench::BenchError;
use crate::engine::SessionError;
use crate::engine::ports::PortError;
use crate::store::StoreError;

use super::{exit, out};

/// A failure of a command.
#[derive(Debug)]
pub(super) struct Failure {
    /// Exit code.
    pub(super) code: u8,
    /// One clause.
    pub(super) message: String,
    /// What to do next.
    pub(super) hint: Option<String>,
    /// What is printed before, such as mistakes in files.
    pub(super) details: Vec<String>,
}

impl Failure {
    /// The user asked for something that cannot be.
    pub(super) fn usage(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::new(exit::USAGE, message.into(), Some(hint.into()))
    }

    /// Something broke.
    pub(super) fn internal(message: impl Into<String>) -> Self {
        Self::new(exit::INTERNAL, message.into(), None)
    }

    fn new(code: u8, message: String, hint: Option<String>) -> Self {
        Self { code, message, hint, details: Vec::new() }
    }

    /// Tells the user.
    pub(super) fn print(&self) {
        for detail in &self.details {
            out::say(detail);
        }
        out::say(format!("mop: {}", self.message));
        if let Some(hint) = self.hint.as_deref().filter(|hint| !hint.is_empty()) {
            out::say(format!("     {hint}"));
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let mut failure = Self::new(exit::USAGE, error.to_string(), error.hint());
        if let StoreError::Untrusted { path } = &error {
            failure.hint =
                Some(format!("look at its files, then accept it with `mop programs trust {}`", path.display()));
        } else if let StoreError::Network { problems, .. } = &error {
            failure.details = problems.iter().map(ToString::to_string).collect();
        } else if let StoreError::Io { source, .. } = &error
            && source.kind() != ErrorKind::NotFound
        {
            failure.code = exit::INTERNAL;
        }
        failure
    }
}

impl From<PortError> for Failure {
    fn from(error: PortError) -> Self {
        Self::new(exit::USAGE, error.message, error.hint)
    }
}

impl From<BenchError> for Failure {
    fn from(error: BenchError) -> Self {
        match error {
            BenchError::Folder { .. } => Self::new(exit::USAGE, error.to_string(), error.hint().map(str::to_owned)),
            BenchError::Io { .. } => Self::new(exit::INTERNAL, error.to_string(), None),
            BenchError::Session(error) => error.into(),
        }
    }
}

impl From<SessionError> for Failure {
    fn from(error: SessionError) -> Self {
        match error {
            SessionError::Port(error) => Self::new(exit::INTERNAL, error.message, error.hint),
        }
    }
}

#[cfg(feature = "tui")]
impl From<crate::tui::TuiError> for Failure {
    fn from(error: crate::tui::TuiError) -> Self {
        use crate::tui::TuiError;
        match error {
            TuiError::Store(error) => error.into(),
            TuiError::Port(error) => error.into(),
            TuiError::Io(_) => Self::internal(error.to_string()),
            TuiError::Likes { message, hint } => Self::usage(message, hint),
        }
    }
}
