//! mop

pub mod engine;
pub mod model;
pub mod store;
