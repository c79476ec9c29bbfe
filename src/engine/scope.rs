//! What expressions see: names over the state, as rules, `accepts`, breakpoints and watches use them.
//!
//! | name | what |
//! |---|---|
//! | `query` | `text`, `length`, `parts` (each `id text class unclear cautions`) |
//! | `task` | `id text parts`, and of its focus (the first part that is not done): `part class unclear cautions state` |
//! | `wm.SECTION` | what stands in a section, newest first: `id text author part cycle about data` |
//! | `draft` | the value that stands for the focus: as above, with `verified` and `state` |
//! | `issue` | the open counterexample or failing verdict on the focus: `kind author text` |
//! | `gap` | the newest gap that stands |
//! | `last` | who ran last: `program contract group`, and `wrote`, the sections it wrote |
//! | `seen`, `groups` | programs that have run on this task, and the groups they are of |
//! | `j delta cycle budget credit` | score, its last change, cycle, `budget.cycles` left, credit by program |

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use minijinja::Value;
use minijinja::value::{Enumerator, Object, Serde};
use serde_json::json;

use crate::model::{
    Author, Contribution, Network, Part, PartBoard, PartId, PartState, ProgramName, Section, State, Strand, Task,
    TaskId,
};

/// The part of a task that work is about now: the first that has not reached its cap, else the last.
#[must_use]
pub(super) fn focus(state: &State, task: &Task) -> Option<PartId> {
    let scored = state.scores.last().map(|point| &point.score.parts);
    let open = |id: &&PartId| {
        scored
            .and_then(|parts| parts.iter().find(|part| part.part == **id))
            .is_none_or(|part| part.value < part.cap - 1e-9)
    };
    task.parts.iter().find(open).or(task.parts.last()).copied()
}

/// The value that stands for a part: the one that its score is about.
#[must_use]
pub(super) fn standing(state: &State, part: PartId) -> Option<&Arc<Contribution>> {
    let board = state.memory.board(part)?;
    let scored = state.scores.last().and_then(|point| point.score.parts.iter().find(|score| score.part == part));
    let chosen = scored.and_then(|score| score.of).and_then(|of| board.values.iter().find(|value| value.id == of));
    chosen.or_else(|| board.current())
}

/// An objection that its author has not answered.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Issue {
    /// `counterexample` or `verdict`.
    pub kind: &'static str,
    /// Who wrote the value.
    pub author: Author,
    /// The objection.
    pub objection: Arc<Contribution>,
}

/// The open objection to what stands, or stood, for a part.
#[must_use]
pub(super) fn issue(board: &PartBoard) -> Option<Issue> {
    let counterexample =
        |value: &Contribution| board.counterexamples.iter().rev().find(|entry| entry.about == Some(value.id));
    if let Some(value) = board.current() {
        let failing = board.verdict_on(value.id).filter(|verdict| !passes(verdict));
        return counterexample(value)
            .map(|found| ("counterexample", found))
            .or(failing.map(|found| ("verdict", found)))
            .map(|(kind, objection)| Issue { kind, author: value.author.clone(), objection: objection.clone() });
    }
    let value = board.withdrawn.last()?;
    counterexample(value).map(|objection| Issue {
        kind: "counterexample",
        author: value.author.clone(),
        objection: objection.clone(),
    })
}

/// Whether a verdict passes its value.
#[must_use]
pub(super) fn passes(verdict: &Contribution) -> bool {
    verdict.data.get("pass").and_then(serde_json::Value::as_bool).unwrap_or(false)
}

/// Builds the scope for one strand. Names are worked out when an expression asks for them: most never do.
#[must_use]
pub fn scope(state: &State, network: &Arc<Network>, strand: &Strand) -> Value {
    Value::from_object(Scope {
        state: state.clone(),
        network: network.clone(),
        strand: strand.clone(),
        known: Mutex::default(),
    })
}

/// The names of the scope, each worked out once.
#[derive(Debug)]
struct Scope {
    state: State,
    network: Arc<Network>,
    strand: Strand,
    known: Mutex<BTreeMap<String, Value>>,
}

impl Object for Scope {
    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        let name = key.as_str()?;
        if let Some(known) = self.known.lock().ok()?.get(name) {
            return Some(known.clone());
        }
        let value = self.work_out(name)?;
        self.known.lock().ok()?.insert(name.to_owned(), value.clone());
        Some(value)
    }
}

impl Scope {
    fn work_out(&self, name: &str) -> Option<Value> {
        let (state, network, task) = (&self.state, &self.network, &self.strand.task);
        let episode = state.episode.as_deref();
        let focus = || focus(state, task);
        let board = || focus().and_then(|id| state.memory.board(id));
        let fields = match name {
            "wm" => {
                let memory = Memory { memory: state.memory.clone(), task: task.clone(), cache: Mutex::default() };
                return Some(Value::from_object(memory));
            }
            "query" => json!({
                "text": episode.map(|episode| &episode.query.text),
                "length": episode.map_or(0, |episode| episode.query.text.chars().count()),
                "parts": episode.map(|episode| episode.query.parts.iter().map(describe).collect::<Vec<_>>()),
            }),
            "task" => {
                let focus = focus();
                let part = focus.and_then(|id| episode.and_then(|episode| episode.query.part(id)));
                json!({
                    "id": task.id, "text": task.text, "parts": task.parts,
                    "part": focus, "class": part.map(|part| &part.class),
                    "state": focus.and_then(|id| part_state(state, id)),
                    "unclear": part.map(|part| &part.unclear), "cautions": part.map(|part| &part.cautions),
                })
            }
            "draft" => {
                let of_focus = focus().and_then(|id| part_state(state, id));
                let value = focus().and_then(|id| standing(state, id));
                json!(value.map(|value| draft(value, board(), of_focus)))
            }
            "issue" => json!(board().and_then(issue).map(|issue| json!({
                "kind": issue.kind, "author": issue.author.to_string(), "text": issue.objection.text,
            }))),
            "gap" => {
                json!(state.memory.current(Section::GAP).find(|gap| concerns(gap, task)).map(|gap| entry(gap)))
            }
            "last" => {
                let last = self.strand.last.as_ref().and_then(|name| network.program(name));
                json!(last.map(|program| json!({
                    "program": program.name, "contract": program.contract(), "group": program.manifest.group,
                    "wrote": wrote(state, &program.name),
                })))
            }
            "seen" => json!(self.seen()),
            "groups" => {
                let group = |name: &ProgramName| network.program(name)?.manifest.group.clone();
                json!(self.seen().iter().filter_map(group).collect::<Vec<_>>())
            }
            "credit" => {
                let credit: BTreeMap<&str, f64> =
                    state.tallies.iter().map(|(name, tally)| (name.as_str(), tally.credit)).collect();
                json!(credit)
            }
            "j" => json!(state.j()),
            "delta" => json!(state.scores.last().map(|point| point.delta)),
            "cycle" => json!(state.cycle()),
            "budget" => {
                let cap = state.budget.cycles.unwrap_or(network.limits.max_cycles);
                json!({ "cycles": cap.saturating_sub(state.cycle().0) })
            }
            _ => return None,
        };
        Some(Value::from(Serde(&fields)))
    }

    /// Programs that have run on this task.
    fn seen(&self) -> Vec<ProgramName> {
        let on_task = |task: TaskId| task == self.strand.task.id || task == TaskId(0);
        let episode = self.state.episode.as_deref();
        let all = episode.into_iter().flat_map(|episode| &episode.seen);
        all.filter(|(task, ..)| on_task(*task)).map(|(_, name, _)| name.clone()).collect()
    }
}

fn describe(part: &Part) -> serde_json::Value {
    json!({ "id": part.id, "text": part.text, "class": part.class, "unclear": part.unclear, "cautions": part.cautions })
}

fn part_state(state: &State, id: PartId) -> Option<PartState> {
    let score = &state.scores.last()?.score;
    score.parts.iter().find(|part| part.part == id).map(|part| part.state)
}

fn draft(value: &Contribution, board: Option<&PartBoard>, state: Option<PartState>) -> serde_json::Value {
    let passed = board.and_then(|board| board.verdict_on(value.id)).is_some_and(|verdict| passes(verdict));
    let verified = passed || matches!(state, Some(PartState::Proved | PartState::Corroborated));
    let mut fields = entry(value);
    if let Some(fields) = fields.as_object_mut() {
        fields.insert("verified".into(), verified.into());
        fields.insert("state".into(), json!(state));
    }
    fields
}

fn entry(contribution: &Contribution) -> serde_json::Value {
    json!({
        "id": contribution.id, "text": contribution.text, "author": contribution.author.to_string(),
        "part": contribution.part, "cycle": contribution.cycle, "about": contribution.about,
        "data": contribution.data,
    })
}

/// Whether a contribution belongs to a task: it names one of its parts, or none.
#[must_use]
pub(super) fn concerns(contribution: &Contribution, task: &Task) -> bool {
    contribution.part.is_none_or(|part| task.parts.contains(&part))
}

fn wrote(state: &State, program: &ProgramName) -> Vec<Section> {
    let cycle = state.cycle();
    state
        .memory
        .iter()
        .rev()
        .take_while(|entry| entry.cycle == cycle)
        .filter(|entry| entry.author.program() == Some(program))
        .map(|entry| entry.section.clone())
        .collect()
}

/// Working memory, section by section, read when asked for.
#[derive(Debug)]
struct Memory {
    memory: crate::model::WorkingMemory,
    task: Task,
    cache: Mutex<BTreeMap<String, Value>>,
}

/// Entries of a section that an expression can see, newest first.
const SEEN: usize = 16;

impl Object for Memory {
    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        let name = key.as_str()?;
        if let Some(found) = self.cache.lock().ok()?.get(name) {
            return Some(found.clone());
        }
        let entries: Vec<serde_json::Value> = self
            .memory
            .current(name)
            .filter(|found| concerns(found, &self.task))
            .take(SEEN)
            .map(|c| entry(c))
            .collect();
        let value = Value::from(Serde(&entries));
        self.cache.lock().ok()?.insert(name.to_owned(), value.clone());
        Some(value)
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::NonEnumerable
    }
}
