//! The view of an activation: the sections of working memory that its program reads, bounded in size.

use std::fmt::Write as _;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::model::{Author, Contract, Contribution, Hash, Network, PartState, Program, Section, State, Task};

use super::scope::{concerns, focus};

/// A section that no program writes: the values of the incumbent, one a part.
const INCUMBENT: &str = "incumbent";

/// What an activation sees. Kept as it is in memory, and written out only for a program that reads JSON.
#[derive(Clone, Debug)]
pub enum View {
    /// Entries of working memory by section, newest first.
    Memory(Vec<(Section, Vec<Arc<Contribution>>)>),
    /// Given from outside: the tests of a program, the flaws of a script.
    Given(Arc<Value>),
}

impl View {
    /// Sections as a program gets them: name to list of entries, newest first.
    #[must_use]
    pub fn json(&self) -> Value {
        match self {
            Self::Given(value) => (**value).clone(),
            Self::Memory(sections) => {
                let entries = |list: &Vec<Arc<Contribution>>| list.iter().map(|entry| seen(entry)).collect();
                let fields: Map<String, Value> =
                    sections.iter().map(|(section, list)| (section.to_string(), Value::Array(entries(list)))).collect();
                Value::Object(fields)
            }
        }
    }
}

impl View {
    /// Whether it shows nothing at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Given(value) => value.as_object().is_none_or(Map::is_empty),
            Self::Memory(sections) => sections.iter().all(|(_, list)| list.is_empty()),
        }
    }

    /// Whether anything that one of these authors wrote can be read in it.
    pub(super) fn shows_any_of(&self, authors: &[&Author]) -> bool {
        match self {
            Self::Given(_) => !authors.is_empty(),
            Self::Memory(sections) => sections
                .iter()
                .flat_map(|(_, list)| list)
                .any(|entry| authors.contains(&&entry.author) && !is_veiled(entry)),
        }
    }
}

/// A value of which only the method may be seen: whoever is asked for a second opinion must come to it without the first.
fn veiled(entry: &Contribution) -> Contribution {
    let method = entry.data.get("method").and_then(Value::as_str).unwrap_or_default();
    // Digits have no place in the name of a method, but would have in a message.
    let method: String = method.chars().filter(|c| !c.is_numeric()).collect();
    Contribution { text: String::new(), data: json!({ VEILED: true, "method": method }), ..entry.clone() }
}

/// Marks a veiled value.
const VEILED: &str = "veiled";

fn is_veiled(entry: &Contribution) -> bool {
    entry.data.get(VEILED).is_some()
}

/// A contribution as programs see it.
#[must_use]
pub(super) fn seen(entry: &Contribution) -> Value {
    json!({
        "id": entry.id, "section": entry.section, "text": entry.text, "data": entry.data,
        "author": entry.author.to_string(), "part": entry.part, "cycle": entry.cycle, "about": entry.about,
    })
}

/// The view of one program on a task, and its hash together with the task.
///
/// An alternative is asked for a second opinion where no check can prove the first; it sees how that was reached and not what
/// it is.
///
/// The cost of a view does not grow with the session: at most `limits.view-entries` of what stands in each section. A
/// contribution never changes, so the hash is over the ids of those that are seen.
#[must_use]
pub(super) fn view(state: &State, network: &Network, program: &Program, task: &Task) -> (View, Hash) {
    let unprovable = |entry: &Contribution| {
        let score = state.scores.last().map(|point| &point.score);
        let part = score.and_then(|score| score.parts.iter().find(|part| Some(part.part) == entry.part));
        part.is_some_and(|part| part.cap < 1.0 && matches!(part.state, PartState::Answered | PartState::Corroborated))
    };
    let own = |entry: &Contribution| entry.author.program() == Some(&program.name);
    let blind = |entry: Arc<Contribution>| {
        let veil =
            program.contract() == Contract::Alternative && entry.is_value() && !own(&entry) && unprovable(&entry);
        if veil { Arc::new(veiled(&entry)) } else { entry }
    };
    let mut key = format!("{}\n{}\n{:?}", task.id, task.text, focus(state, task));
    let mut sections = Vec::new();
    for section in &program.manifest.reads {
        let entries: Vec<Arc<Contribution>> = if section.as_str() == INCUMBENT {
            let values = state.incumbent.as_ref().map(|incumbent| incumbent.values.as_slice()).unwrap_or_default();
            values.iter().filter_map(|(_, id)| state.memory.get(*id)).cloned().collect()
        } else {
            let standing = state.memory.current(section.as_str()).filter(|entry| concerns(entry, task));
            standing.take(network.limits.view_entries).cloned().map(blind).collect()
        };
        if !entries.is_empty() {
            let _ = write!(key, "\n{section}");
            for entry in &entries {
                let _ = write!(key, " {}", entry.id);
            }
            sections.push((section.clone(), entries));
        }
    }
    (View::Memory(sections), Hash::of(key))
}
