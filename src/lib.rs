//! mop
pub mod runtime;
pub mod solvers;
pub mod tools;
