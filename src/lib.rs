//! mop
pub mod solvers;
pub mod tools;
