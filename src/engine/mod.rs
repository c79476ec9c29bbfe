//! Floor 1: the algorithms. Given the state, they produce the next events; they act only through [`ports`].

pub mod ports;
