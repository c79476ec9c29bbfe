//! What came of one question, asked by one arm with one seed.

use serde::{Deserialize, Serialize};

use crate::model::SessionId;

/// One finished question: a line of `answers.jsonl`. Ids of questions are the suites', so other graders can read it too.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Item {
    /// The question.
    pub id: String,
    /// What was answered; none where the arm gave no answer.
    pub answer: Option<String>,
    /// Whether that is right; an answer that was not given is not.
    pub right: bool,
    /// The arm.
    pub arm: String,
    /// The seed.
    pub seed: u64,
    /// The suite of the question.
    pub suite: String,
    /// Why the run stopped.
    pub halted: String,
    /// Whether the arm's own goal check passed.
    pub verified: bool,
    /// J of what was answered, 0 to 1.
    pub j: f64,
    /// J after each cycle, from cycle 0.
    pub js: Vec<f64>,
    /// Cycles taken.
    pub cycles: u32,
    /// Tokens, in and out.
    pub tokens: u64,
    /// Calls of models.
    pub calls: u64,
    /// US dollars; none where a price is unknown.
    pub dollars: Option<f64>,
    /// Milliseconds from question to answer.
    pub millis: u64,
    /// Its session, below `sessions/` where journals are kept.
    pub session: SessionId,
}

impl Item {
    /// What may come once in a bench.
    #[must_use]
    pub fn key(&self) -> (&str, &str, u64) {
        (&self.arm, &self.id, self.seed)
    }

    /// Whether there is an answer.
    #[must_use]
    pub fn answered(&self) -> bool {
        self.answer.as_deref().is_some_and(|answer| !answer.trim().is_empty())
    }
}
