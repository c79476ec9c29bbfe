//! What a command could not do: one clause, and what to do next.

use crate::engine::SessionError;
use crate::engine::ports::PortError;
use crate::store::StoreError;

use super::exit;

/// A failure of a command.
#[derive(Debug)]
pub(super) struct Failure {
    /// Exit code.
    pub(super) code: u8,
    /// One clause.
    pub(super) message: String,
    /// What to do next.
    pub(super) hint: Option<String>,
}

impl Failure {
    /// The user asked for something that cannot be.
    pub(super) fn usage(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { code: exit::USAGE, message: message.into(), hint: Some(hint.into()) }
    }

    /// Something broke.
    pub(super) fn internal(message: impl Into<String>) -> Self {
        Self { code: exit::INTERNAL, message: message.into(), hint: None }
    }

    /// Tells the user.
    pub(super) fn print(&self) {
        eprintln!("mop: {}", self.message);
        if let Some(hint) = &self.hint {
            eprintln!("     {hint}");
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self { code: exit::USAGE, message: error.to_string(), hint: error.hint() }
    }
}

impl From<PortError> for Failure {
    fn from(error: PortError) -> Self {
        Self { code: exit::USAGE, message: error.message, hint: error.hint }
    }
}

impl From<SessionError> for Failure {
    fn from(error: SessionError) -> Self {
        match error {
            SessionError::Port(error) => Self { code: exit::INTERNAL, message: error.message, hint: error.hint },
        }
    }
}
