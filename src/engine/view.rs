//! The view of an activation: the sections of working memory that its program reads, bounded in size.

use std::fmt::Write as _;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::model::{Contribution, Hash, Network, Program, Section, State, Task};

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
/// The cost of a view does not grow with the session: at most `limits.view-entries` of what stands in each section. A
/// contribution never changes, so the hash is over the ids of those that are seen.
#[must_use]
pub(super) fn view(state: &State, network: &Network, program: &Program, task: &Task) -> (View, Hash) {
    let mut key = format!("{}\n{}\n{:?}", task.id, task.text, focus(state, task));
    let mut sections = Vec::new();
    for section in &program.manifest.reads {
        let entries: Vec<Arc<Contribution>> = if section.as_str() == INCUMBENT {
            let values = state.incumbent.as_ref().map(|incumbent| incumbent.values.as_slice()).unwrap_or_default();
            values.iter().filter_map(|(_, id)| state.memory.get(*id)).cloned().collect()
        } else {
            let standing = state.memory.current(section.as_str()).filter(|entry| concerns(entry, task));
            standing.take(network.limits.view_entries).cloned().collect()
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
