//! Floor 0: pure problem solving. No IO, no clock, no randomness, no async.
//!
//! Programs hold the *method*: which primitive to try, in what order, with which parameters. This floor holds the
//! primitives. It knows nothing about programs, working memory or scores: text and exact values in, exact values out.

pub mod algebra;
pub mod answer;
pub mod cautions;
pub mod checks;
pub mod dates;
pub mod display;
pub mod formaliser;
pub mod goal;
pub mod integers;
pub mod mutation;
pub mod quantity;
pub mod sequence;
pub mod variation;
