//! Self-modification as a transaction: a base revision and a diff, gates, a decision, a revision.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Author, Cycle, Hash, Hunk, ProgramName, ProgramTest, ProposalId, RevisionId, SessionId, hunks};

/// A change of one file of a network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// Path in the network's folder.
    pub path: String,
    /// The text it was made from; none for a new file.
    pub before: Option<Arc<str>>,
    /// The text it proposes; none to remove the file.
    pub after: Option<Arc<str>>,
}

impl Change {
    /// Its hunks, in order. A new or removed file is one hunk.
    #[must_use]
    pub fn hunks(&self) -> Vec<Hunk> {
        match (&self.before, &self.after) {
            (Some(before), Some(after)) => hunks(before, after, 1),
            (before, after) => {
                let lines = |text: &Option<Arc<str>>| text.as_deref().map_or(0, |text| text.lines().count());
                vec![Hunk { old: 0..lines(before), new: 0..lines(after) }]
            }
        }
    }

    /// Hash of the text it was made from.
    #[must_use]
    pub fn base(&self) -> Option<Hash> {
        self.before.as_deref().map(Hash::of)
    }
}

/// One test that a proposal answers or was tried on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// The test.
    pub test: ProgramTest,
    /// Whether the old program passes it.
    pub before: bool,
    /// Whether the proposed one does.
    pub after: bool,
    /// What came out, in one clause.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// Why a proposal was made.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// The critique it answers: the textual gradient.
    pub critique: String,
    /// The change of J that the fault cost.
    #[serde(default)]
    pub cost: f64,
    /// Session in which it was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    /// Cycle in which it was found.
    #[serde(default)]
    pub cycle: Cycle,
    /// Tests with results on both sides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trials: Vec<Trial>,
    /// Anything else the proposer measured (candidates tried, time).
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub measured: Value,
}

/// Which gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Gate {
    /// G0: parses, keeps its contract, asks for no new permission, copies nothing it must not.
    Static,
    /// Frozen tier, rate limits, the integrity program.
    Guard,
    /// Its own tests, in the sandbox.
    Tests,
    /// G1: a small batch, parent run fresh.
    Screen,
    /// G2: anytime-valid paired test.
    Evidence,
    /// G3: what was solid stays solid.
    NoRegression,
}

impl Gate {
    /// Its name for people.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Static => "static",
            Self::Guard => "guard",
            Self::Tests => "tests",
            Self::Screen => "screen",
            Self::Evidence => "evidence",
            Self::NoRegression => "no-regression",
        }
    }
}

/// What a gate said.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GateResult {
    /// It holds.
    Passed(String),
    /// It does not.
    Failed(String),
    /// Too little data to say; never a pass.
    Indecisive(String),
}

impl GateResult {
    /// The reason.
    #[must_use]
    pub fn why(&self) -> &str {
        match self {
            Self::Passed(why) | Self::Failed(why) | Self::Indecisive(why) => why,
        }
    }
}

/// A proposed self-modification.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Proposal {
    /// Its id.
    pub id: ProposalId,
    /// The network it changes.
    pub network: String,
    /// The revision it was made from.
    pub base: RevisionId,
    /// Who made it.
    pub author: Author,
    /// The program it changes, where it is one.
    pub program: Option<ProgramName>,
    /// One sentence: what it does.
    pub title: String,
    /// The diff.
    pub changes: Vec<Change>,
    /// Why.
    pub evidence: Evidence,
    /// What the gates said, in order.
    #[serde(default)]
    pub gates: Vec<(Gate, GateResult)>,
}

impl Proposal {
    /// Number of hunks over all of its changes, in the order in which they are numbered from 1.
    #[must_use]
    pub fn hunk_count(&self) -> usize {
        self.changes.iter().map(|change| change.hunks().len()).sum()
    }

    /// Whether a gate failed.
    #[must_use]
    pub fn failed(&self) -> bool {
        self.gates.iter().any(|(_, result)| matches!(result, GateResult::Failed(_)))
    }

    /// Hash of what it proposes; a rejected one is not raised again.
    #[must_use]
    pub fn content(&self) -> Hash {
        let text: String = self
            .changes
            .iter()
            .map(|change| format!("{}\n{}\n", change.path, change.after.as_deref().unwrap_or_default()))
            .collect();
        Hash::of(text)
    }
}

/// A decision on a proposal, by hunk.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    /// Hunks taken, numbered from 1 over all changes.
    pub accept: Vec<usize>,
    /// Why, in the user's words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// Text that replaces a change's `after` (edited before accept), by path.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edited: Vec<(String, Arc<str>)>,
    /// Who decided.
    pub by: Author,
}

impl Decision {
    /// Whether it takes nothing of the proposal, neither as it stands nor edited.
    #[must_use]
    pub fn takes_nothing(&self) -> bool {
        self.accept.is_empty() && self.edited.is_empty()
    }
}

/// Where a proposal stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProposalStatus {
    /// It waits for a decision.
    Open,
    /// It was taken, in whole or in part.
    Accepted(RevisionId),
    /// It was turned down.
    Rejected(String),
}

/// One step in the history of a network. Append-only; undo is one more revision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Revision {
    /// Hash of the effective files.
    pub id: RevisionId,
    /// Position in the history, from 1.
    pub number: u32,
    /// The one before.
    pub parent: RevisionId,
    /// Who decided it.
    pub author: Author,
    /// One sentence.
    pub title: String,
    /// The proposal behind it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposal: Option<ProposalId>,
    /// The change against the parent.
    pub changes: Vec<Change>,
    /// Milliseconds since 1970.
    pub at: u64,
}
