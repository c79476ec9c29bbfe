//! mop

pub mod engine;
pub mod model;
pub mod solvers;
pub mod tools;
