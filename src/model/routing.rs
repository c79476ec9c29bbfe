//! A routing decision with its whole distribution.

use serde::{Deserialize, Serialize};

use super::{ProgramName, Target, Task};

/// How the next program is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// The program's own `next`, as in Algorithm 1.
    Agent,
    /// Priors, weighted by rules and `next`.
    #[default]
    Rules,
    /// Learned values with optimism.
    Bandit,
    /// Learned softmax policy (Algorithm 6).
    Reinforce,
}

/// A line of work: the task, and who worked on it last.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Strand {
    /// The task.
    pub task: Task,
    /// Who ran last on it; none before the first.
    pub last: Option<ProgramName>,
    /// Whether it waits for the others to rejoin.
    #[serde(default)]
    pub parked: bool,
}

/// One program that could be chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// The program.
    pub program: ProgramName,
    /// Prior of its edge.
    pub prior: f64,
    /// Prior × what rules and `next` make of it.
    pub weight: f64,
    /// Weight over the sum of weights.
    pub probability: f64,
    /// Whether its edge is declared.
    #[serde(default = "declared", skip_serializing_if = "Clone::clone")]
    pub declared: bool,
}

fn declared() -> bool {
    true
}

/// What was decided for one strand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Choice {
    /// The strand's task.
    pub task: Task,
    /// Who ran last on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<ProgramName>,
    /// The whole distribution over the legal set, likeliest first.
    pub candidates: Vec<Candidate>,
    /// Programs that have an edge and are not legal now, each with the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub barred: Vec<(ProgramName, String)>,
    /// Who runs; empty when the strand waits for others.
    pub chosen: Vec<ProgramName>,
    /// Why, in one clause.
    pub why: String,
    /// The target of the rule that matched first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<Target>,
    /// Whether a human chose.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub overridden: bool,
}
