//! mop

pub mod cli;
pub mod engine;
pub mod model;
pub mod runtime;
pub mod scoring;
pub mod setup;
pub mod solvers;
pub mod store;
pub mod tools;
