//! The port to recall: questions that were solved before, in whatever session.

use serde::{Deserialize, Serialize};

use crate::model::{ProgramName, SessionId};

/// A question that was solved: goal-check passed its answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Solved {
    /// The question as it was asked.
    pub question: String,
    /// Classes of its parts, each once, with commas between them.
    pub class: String,
    /// What was presented.
    pub answer: String,
    /// Programs whose values the answer is made of, those that were refined included.
    pub programs: Vec<ProgramName>,
    /// What these programs called their methods.
    pub methods: Vec<String>,
    /// J of the answer, 0 to 1.
    pub j: f64,
    /// The session.
    pub session: SessionId,
    /// When it was solved, milliseconds since 1970.
    pub at: u64,
}

/// A solved question that is like another.
#[derive(Clone, Debug, PartialEq)]
pub struct Near {
    /// The solved one.
    pub solved: Solved,
    /// How like the two are, 0 to 1: the cosine of their vectors. 1 is the same question, but for its spelling.
    pub likeness: f64,
}

/// Remembers across sessions. It never stops a run: what goes wrong is told once, and means that nothing is recalled.
pub trait Recall: Send + Sync {
    /// The solved questions that are most like this one, the likest first; `most` of them at most.
    fn nearest(&self, question: &str, most: usize) -> Vec<Near>;
    /// Keeps a solved question. Of the same question, the answer with the higher J is kept.
    fn keep(&self, solved: &Solved);
    /// What went wrong since this was last asked, in one sentence with what to do next.
    fn problem(&self) -> Option<String>;
}

/// Remembers nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoRecall;

impl Recall for NoRecall {
    fn nearest(&self, _: &str, _: usize) -> Vec<Near> {
        Vec::new()
    }
    fn keep(&self, _: &Solved) {}
    fn problem(&self) -> Option<String> {
        None
    }
}
