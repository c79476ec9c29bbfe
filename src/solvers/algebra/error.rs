//! What can go wrong in algebra.

use thiserror::Error;

/// An error of the algebra floor; one clause, lower case, no full stop.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AlgebraError {
    /// The text is no expression; `at` counts characters from 1.
    #[error("{message} at character {at}")]
    Parse {
        /// Position, counted in characters from 1.
        at: usize,
        /// What is wrong there.
        message: String,
    },
    /// The expression has no real value there.
    #[error("undefined: {0}")]
    Undefined(String),
    /// A bound on work or size was reached.
    #[error("too large: {0}")]
    TooLarge(String),
    /// The operation does not apply to this input.
    #[error("{0}")]
    Unsupported(String),
}

impl AlgebraError {
    /// Makes an `Undefined`.
    pub(crate) fn undefined(why: impl Into<String>) -> Self {
        Self::Undefined(why.into())
    }

    /// Makes a `TooLarge`.
    pub(crate) fn too_large(why: impl Into<String>) -> Self {
        Self::TooLarge(why.into())
    }

    /// Makes an `Unsupported`.
    pub(crate) fn unsupported(why: impl Into<String>) -> Self {
        Self::Unsupported(why.into())
    }
}

/// Result of an algebra function.
pub(crate) type Outcome<T> = Result<T, AlgebraError>;
