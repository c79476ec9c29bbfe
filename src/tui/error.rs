//! Why the interface could not start or go on.

use crate::engine::ports::PortError;
use crate::store::StoreError;

/// Why the interface could not start or go on.
#[derive(Debug, thiserror::Error)]
pub enum TuiError {
    /// Something kept on disk.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The network.
    #[error(transparent)]
    Port(#[from] PortError),
    /// The terminal, or the system.
    #[error("the terminal cannot be used: {0}")]
    Io(#[from] std::io::Error),
    /// A theme or a setting.
    #[error("{message}")]
    Likes {
        /// What is wrong, in one clause.
        message: String,
        /// What to do next.
        hint: String,
    },
}
