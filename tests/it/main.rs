//! Tests that need the binary.

#[cfg(test)]
mod worker;
