//! mop

pub mod engine;
pub mod model;
pub mod runtime;
pub mod solvers;
pub mod tools;
