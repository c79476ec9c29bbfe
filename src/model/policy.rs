//! Parameters of the learned router and the names of what it looks at (section 4.3).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::ProgramName;

/// Names of the router's features of (Q, WM, run), at most 24.
pub const FEATURES: [&str; 24] = [
    "length bucket",
    "has code",
    "has math",
    "has table",
    "has list",
    "has examples",
    "ambiguity",
    "parts asked",
    "open sub-goals",
    "has plan",
    "has draft",
    "has verified draft",
    "has open critique",
    "has counterexample",
    "J",
    "mean delta J",
    "cycles since gain",
    "budget left",
    "last contract",
    "times used",
    "own credit",
    "cost",
    "failure rate",
    "age",
];

/// One version of the router's parameters.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Policy {
    /// 0 before anything was learned.
    pub version: u64,
    /// Weights over [`FEATURES`], per program.
    pub weights: BTreeMap<ProgramName, Vec<f64>>,
}
