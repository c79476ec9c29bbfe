//! The score J of working memory, and who gets the credit for its change.

use serde::{Deserialize, Serialize};

use super::{ActivationId, ContributionId, Hash, PartId, ProgramName};

/// Where a part of the query stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PartState {
    /// No value stands.
    Unanswered,
    /// The scorer's own check refutes the value.
    Refuted,
    /// A refuted value was withdrawn by a counterexample that the scorer confirms.
    Withdrawn,
    /// There is a value, not refuted.
    Answered,
    /// No own check for this class, and an independent program reached the same value by another method.
    Corroborated,
    /// Own check proves it sound and complete, and a critic's verdict stands on it.
    Proved,
}

/// J of one part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PartScore {
    /// Which part.
    pub part: PartId,
    /// Where it stands.
    pub state: PartState,
    /// 0 to 1, form included.
    pub value: f64,
    /// Whether the value says that there is no answer (no solution).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub none: bool,
    /// The value that it is about, where that is not simply the newest one: several stand, and more programs reached this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<ContributionId>,
    /// The most it can reach: 1 where an own check can prove it, else 0.8.
    pub cap: f64,
    /// The scorer's reason in one clause.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
}

/// J(WM, Q) (section 4.1).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// Mean over parts, 0 to 1.
    pub mean: f64,
    /// Number of scorings behind it; 1 for an exact scorer.
    pub n: u32,
    /// Standard error; 0 for an exact scorer.
    pub se: f64,
    /// Each part.
    pub parts: Vec<PartScore>,
    /// Hash of the scorer; scores of different hashes are never compared.
    pub scorer: Hash,
}

impl Score {
    /// Whether every part is at its cap.
    #[must_use]
    pub fn at_cap(&self) -> bool {
        !self.parts.is_empty() && self.parts.iter().all(|part| part.value >= part.cap - 1e-9)
    }
}

/// How credit was split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CreditMethod {
    /// One activation: the whole change is its own.
    Raw,
    /// Exact Shapley value over coalitions of outputs.
    Shapley,
    /// Mean of first-in and last-in; the residual is synergy.
    PairwiseClosedForm,
    /// Change without it, where there was no budget for more.
    LeaveOneOut,
}

/// One player's part of a step's credit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Share {
    /// The activation.
    pub activation: ActivationId,
    /// Its program.
    pub program: ProgramName,
    /// φ, in units of J; may be negative.
    pub phi: f64,
}

/// Credit for one cycle (section 4.2): shares and synergy sum to the change of J.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Credit {
    /// J_t − J_{t−1}.
    pub delta: f64,
    /// Shares, in the order of choice.
    pub shares: Vec<Share>,
    /// What no player explains alone.
    pub synergy: f64,
    /// How it was split.
    pub method: CreditMethod,
    /// Extra scorings that the split took.
    pub scorings: u32,
}
