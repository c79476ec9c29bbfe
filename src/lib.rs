//! mop

pub mod model;
