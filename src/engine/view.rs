//! The view of an activation: the sections of working memory that its program reads, bounded in size.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::model::{Contribution, Hash, Network, Program, State, Task};

use super::scope::{concerns, focus};

/// A section that no program writes: the values of the incumbent, one a part.
const INCUMBENT: &str = "incumbent";

/// A contribution as programs see it.
#[must_use]
pub(super) fn seen(entry: &Contribution) -> Value {
    json!({
        "id": entry.id, "section": entry.section, "text": entry.text, "data": entry.data,
        "author": entry.author.to_string(), "part": entry.part, "cycle": entry.cycle, "about": entry.about,
    })
}

/// Sections of memory for one program and task, newest first, and the hash of it together with the task.
///
/// The cost of a view does not grow with the session: at most `limits.view-entries` of what stands in each section.
#[must_use]
pub(super) fn view(state: &State, network: &Network, program: &Program, task: &Task) -> (Arc<Value>, Hash) {
    let mut sections = Map::new();
    for section in &program.manifest.reads {
        let entries: Vec<Value> = if section.as_str() == INCUMBENT {
            let values = state.incumbent.as_ref().map(|incumbent| incumbent.values.as_slice()).unwrap_or_default();
            values.iter().filter_map(|(_, id)| state.memory.get(*id)).map(|value| seen(value)).collect()
        } else {
            let standing = state.memory.current(section.as_str()).filter(|entry| concerns(entry, task));
            standing.take(network.limits.view_entries).map(|entry| seen(entry)).collect()
        };
        if !entries.is_empty() {
            sections.insert(section.to_string(), Value::Array(entries));
        }
    }
    let sections = Value::Object(sections);
    let key = format!("{}\n{}\n{:?}\n{sections}", task.id, task.text, focus(state, task));
    (Arc::new(sections), Hash::of(key))
}
