//! mop
#![warn(missing_docs)]
pub mod solvers;
pub mod tools;
