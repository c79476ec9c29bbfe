//! Tests that need the binary, or the engine as a whole.

#[cfg(test)]
#[path = "../support/native.rs"]
mod native;

#[cfg(test)]
mod engine;
#[cfg(test)]
mod fold;
#[cfg(test)]
mod questions;
#[cfg(test)]
mod worker;
