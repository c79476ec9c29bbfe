//! What a session depends on, how it may stop, and what the user has set.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{ContributionId, Cycle, Expr, Hash, PartId, ProgramName, RevisionId, SessionId};

/// What a run depends on; named once at its start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pins {
    /// The session.
    pub session: SessionId,
    /// The network's name.
    pub network: String,
    /// The network's revision.
    pub revision: RevisionId,
    /// Version of the router's parameters.
    pub policy: u64,
    /// Hash of the scorer.
    pub scorer: Hash,
    /// Snapshot of recall; empty where nothing is recalled.
    #[serde(default)]
    pub recall: String,
    /// Settings that change what a run does.
    pub config: BTreeMap<String, Value>,
    /// Seed of every random choice.
    pub seed: u64,
    /// Caps at the start.
    #[serde(default)]
    pub budget: Budget,
    /// Who decides proposals at the start.
    #[serde(default)]
    pub approval: Approval,
    /// Session and cycle that this one was forked from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<(SessionId, Cycle)>,
    /// Version of mop.
    pub mop: String,
}

/// Caps of a run; none means no cap.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Budget {
    /// Tokens, in and out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// Money, in US dollars.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dollars: Option<f64>,
    /// Calls of models.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls: Option<u64>,
    /// Cycles of an episode.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cycles: Option<u32>,
    /// Wall clock of an episode, milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub millis: Option<u64>,
}

/// What a run has used.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens, in and out.
    pub tokens: u64,
    /// Of those, written by models.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub written: u64,
    /// Money, in US dollars; none when a price is unknown.
    pub dollars: Option<f64>,
    /// Calls of models.
    pub calls: u64,
    /// Activations of programs.
    pub activations: u64,
    /// Calls of tools.
    pub tool_calls: u64,
}

impl Usage {
    /// What was used since an earlier reading of the same counters.
    #[must_use]
    pub fn since(&self, before: &Self) -> Self {
        Self {
            tokens: self.tokens.saturating_sub(before.tokens),
            written: self.written.saturating_sub(before.written),
            dollars: self.dollars.map(|now| now - before.dollars.unwrap_or_default()),
            calls: self.calls.saturating_sub(before.calls),
            activations: self.activations.saturating_sub(before.activations),
            tool_calls: self.tool_calls.saturating_sub(before.tool_calls),
        }
    }

    /// The tokens, money and calls of this that another account lacks; none where it lacks nothing.
    #[must_use]
    pub fn beyond(&self, told: &Self) -> Option<Self> {
        let dollars = self.dollars.map(|took| took - told.dollars.unwrap_or_default()).filter(|more| *more > 1e-12);
        let tokens = self.tokens.saturating_sub(told.tokens);
        let calls = self.calls.saturating_sub(told.calls);
        (tokens > 0 || calls > 0 || dollars.is_some()).then(|| Self { tokens, dollars, calls, ..Self::default() })
    }

    /// Adds another.
    pub fn add(&mut self, other: &Self) {
        // One unknown price makes the whole unknown; where no token was used, nothing is unknown.
        let unknown = |one: &Self| one.dollars.is_none() && one.tokens > 0;
        self.dollars = match (self.dollars, other.dollars) {
            _ if unknown(self) || unknown(other) => None,
            (Some(a), Some(b)) => Some(a + b),
            (a, b) => a.or(b),
        };
        self.tokens += other.tokens;
        self.written += other.written;
        self.calls += other.calls;
        self.activations += other.activations;
        self.tool_calls += other.tool_calls;
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Why a run stopped (section 5.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HaltReason {
    /// Goal-check passed and nothing is left to gain.
    Converged,
    /// No gain for k drafting cycles, goal-check not passed.
    Stalled,
    /// Goal-check passed, and the network asks for no more.
    Satisfied,
    /// Proved to have no solution.
    Impossible,
    /// The network lacks the capability.
    Unanswerable,
    /// The same program wrote the same thing about the same view.
    Repeating,
    /// The next gain is expected to cost more than it is worth.
    Uneconomic,
    /// A cap was reached.
    Budget,
    /// Integrity forbade the answer.
    Vetoed,
    /// A human, or a program that handed back to the user, stopped it.
    Stopped,
    /// Nothing could go on.
    Failed,
}

impl HaltReason {
    /// The reason in plain words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Converged => "converged: the goal check passed and nothing is left to gain",
            Self::Stalled => "stalled: no progress, and the goal check did not pass",
            Self::Satisfied => "satisfied: the goal check passed",
            Self::Impossible => "impossible: proved to have no solution",
            Self::Unanswerable => "unanswerable: no program here can do this",
            Self::Repeating => "repeating: the same program wrote the same again",
            Self::Uneconomic => "uneconomic: another cycle would cost more than it can gain",
            Self::Budget => "budget: a limit was reached",
            Self::Vetoed => "vetoed: the integrity program forbade the answer",
            Self::Stopped => "stopped by you",
            Self::Failed => "failed: no program could go on",
        }
    }
}

/// The best confirmed state so far; End-Loop presents it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Incumbent {
    /// Its cycle.
    pub cycle: Cycle,
    /// Its J.
    pub j: f64,
    /// The value of each answered part.
    pub values: Vec<(PartId, ContributionId)>,
}

/// How an episode came out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// Why it stopped.
    pub halted: HaltReason,
    /// What the presenter wrote; none when there is nothing to present.
    pub answer: Option<String>,
    /// Why there is none, or what is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Whether goal-check passed.
    pub verified: bool,
    /// J of what is presented.
    pub j: f64,
    /// Cycles taken.
    pub cycles: u32,
    /// What it used.
    pub usage: Usage,
}

impl Outcome {
    /// How far the answer may be relied on, in words: `verified` is only what a check proved. Where goal-check passed a value
    /// that nothing can prove, which several programs agreed on at best, it says just that.
    #[must_use]
    pub fn reliance(&self) -> &'static str {
        match (self.verified, self.j >= PROVED) {
            (true, true) => "verified",
            (true, false) => "accepted, not proved",
            (false, _) => "not verified",
        }
    }
}

/// J from which on every part of an answer is proved.
const PROVED: f64 = 0.999;

/// A line of the log: reasoning of a program, kept from other programs and from the answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LogEntry {
    /// Who.
    pub program: ProgramName,
    /// When.
    pub cycle: Cycle,
    /// What.
    pub text: String,
}

/// One call of a tool with its result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CallRecord {
    /// The tool.
    pub tool: String,
    /// Arguments.
    pub args: Value,
    /// Result, or the error text.
    pub result: Result<Value, String>,
    /// Microseconds it took; no part of a replay.
    #[serde(default)]
    pub micros: u64,
}

impl CallRecord {
    /// The name under which calls of language models are recorded; no tool may have it.
    pub const MODEL: &'static str = "model";
}

/// A value that the user watches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Watch {
    /// The expression.
    pub expression: Expr,
}

/// Who decides proposals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Approval {
    /// Every proposal is turned down.
    Reject,
    /// Visible rules decide what they cover; the rest waits for a human.
    #[default]
    Rules,
    /// A human accepted in advance whatever passes all gates.
    Accept,
}

/// What a program asks leave for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Permission {
    /// Its number in the session.
    pub id: u64,
    /// Who asks.
    pub program: ProgramName,
    /// What exactly it would allow.
    pub what: String,
    /// Decided or not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub granted: Option<bool>,
}
