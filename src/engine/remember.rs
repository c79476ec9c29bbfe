//! What stays of an episode beyond its session: the question, its verified answer, and how it was come by.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::model::{ContributionId, Outcome, PartId, ProgramName};

use super::ports::Solved;
use super::session::{Session, SessionError};

/// What a warning about recall begins with; a replay knows it by that.
pub(super) const WITHOUT: &str = "nothing is recalled: ";

/// The longest question and the longest answer that are kept, in bytes.
const LONGEST: usize = 8 << 10;

/// The longest name of a method, in bytes.
const METHOD: usize = 200;

impl Session {
    /// The episode as it is worth remembering; none where its answer is not verified.
    pub(super) fn solved(&self, outcome: &Outcome) -> Option<Solved> {
        let answer = outcome.answer.as_ref().filter(|_| outcome.verified)?;
        let query = self.query();
        if query.text.len() > LONGEST || answer.len() > LONGEST {
            return None;
        }
        // A question about a file is another question where the file is another.
        let files: Vec<&str> = query.attachments.iter().map(|file| file.name.as_str()).collect();
        let with = if files.is_empty() { String::new() } else { format!(" [with {}]", files.join(", ")) };
        let mut classes: Vec<&str> = Vec::new();
        for part in &query.parts {
            if !classes.contains(&part.class.as_str()) {
                classes.push(&part.class);
            }
        }
        let (programs, methods) = self.ways();
        Some(Solved {
            question: format!("{}{with}", query.text),
            class: classes.join(", "),
            answer: answer.clone(),
            programs,
            methods,
            j: outcome.j,
            session: self.state.pins.as_ref()?.session.clone(),
            at: self.ports.clock.now(),
        })
    }

    /// Who came to the incumbent's values, and by what methods; values that they replaced count too.
    fn ways(&self) -> (Vec<ProgramName>, Vec<String>) {
        let (mut programs, mut methods): (Vec<ProgramName>, Vec<String>) = (Vec::new(), Vec::new());
        let mut known: BTreeSet<ContributionId> = BTreeSet::new();
        let values = self.state.incumbent.iter().flat_map(|incumbent| &incumbent.values);
        let mut waiting: Vec<ContributionId> = values.flat_map(|(part, id)| self.same_as(*part, *id)).collect();
        waiting.reverse();
        while let Some(id) = waiting.pop() {
            let Some(value) = self.state.memory.get(id).filter(|_| known.insert(id)) else { continue };
            if let Some(name) = value.author.program().filter(|name| !programs.contains(name)) {
                programs.push(name.clone());
            }
            let method = value.data.get("method").and_then(Value::as_str).unwrap_or_default().trim();
            // The name of a method holds no value: digits have no place in it, but would have in an answer.
            let named = !method.is_empty() && method.len() <= METHOD && !method.contains(char::is_numeric);
            if named && !methods.iter().any(|known| known == method) {
                methods.push(method.to_owned());
            }
            waiting.extend(&value.supersedes);
        }
        (programs, methods)
    }

    /// A value of a part with the equal ones of other authors, oldest first.
    fn same_as(&self, part: PartId, id: ContributionId) -> Vec<ContributionId> {
        let canonical = |data: &Value| self.ports.scorer.canonical(data);
        let (Some(board), Some(value)) = (self.state.memory.board(part), self.state.memory.get(id)) else {
            return vec![id];
        };
        let form = canonical(&value.data);
        let equal = board.values.iter().filter(|other| other.id == id || canonical(&other.data) == form);
        equal.map(|other| other.id).collect()
    }

    /// Keeps a solved episode, and tells what went wrong with recall since the last.
    pub(super) async fn remember(&mut self, solved: Option<Solved>) -> Result<(), SessionError> {
        if let Some(solved) = solved {
            self.ports.recall.keep(&solved);
        }
        match self.ports.recall.problem() {
            Some(why) => self.warn(format!("{WITHOUT}{why}")).await,
            None => Ok(()),
        }
    }
}
