//! Floor 2: scorers. Compiled, named by hash in every score, out of programs' reach.

mod checks;

pub use checks::Checks;
