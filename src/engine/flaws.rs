//! What an episode shows to be wrong with scripts, each fault with a test that shows it again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::{Value, json};

use crate::model::{
    Contract, Contribution, ContributionId, Cycle, Episode, Kind, Network, PartId, PartScore, PartState, Program,
    ProgramName, ProgramTest, Section, State, TaskId,
};

/// A fault of a script, with the test that shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Flaw {
    /// The script.
    pub program: ProgramName,
    /// A test that it fails.
    pub test: ProgramTest,
    /// What went wrong: the textual gradient.
    pub critique: String,
    /// What it cost, in units of J.
    pub cost: f64,
    /// When.
    pub cycle: Cycle,
    /// Whether it is a fault for certain. A script that gave up or failed may just have met its limits.
    pub sure: bool,
    /// Whether somebody else has answered the question. Then it may well have been theirs to answer.
    pub answered: bool,
}

/// The faults that an episode showed: values that the scorer refuted, alone or on a counterexample; questions with an own
/// check on which a solver gave up or failed; verdicts that contradict that check.
#[must_use]
pub fn flaws(state: &State, network: &Network) -> Vec<Flaw> {
    let Some(episode) = state.episode.as_deref() else { return Vec::new() };
    let look = Look { state, network, episode };
    let mut found = look.refuted_values();
    found.extend(look.failures());
    found.extend(look.given_up());
    found.extend(look.wrong_verdicts());
    let mut seen: Vec<(ProgramName, ProgramTest)> = Vec::new();
    found.retain(|flaw| {
        let key = (flaw.program.clone(), flaw.test.clone());
        let known = network.program(&flaw.program).is_none_or(|program| program.manifest.tests.contains(&flaw.test));
        let new = !known && !seen.contains(&key);
        seen.push(key);
        new
    });
    found
}

/// What is looked at.
struct Look<'a> {
    state: &'a State,
    network: &'a Network,
    episode: &'a Episode,
}

impl Look<'_> {
    fn script(&self, name: &ProgramName) -> Option<&Arc<Program>> {
        self.network.program(name).filter(|program| program.kind == Kind::Script)
    }

    fn entries(&self) -> impl DoubleEndedIterator<Item = &Arc<Contribution>> {
        self.state.memory.iter().filter(|entry| entry.id >= self.episode.first)
    }

    /// The score of a part after a cycle.
    fn score(&self, part: PartId, cycle: Cycle) -> Option<&PartScore> {
        let point = self.state.episode_scores().find(|point| point.cycle == cycle)?;
        point.score.parts.iter().find(|score| score.part == part)
    }

    /// Whether the class of a part has an own check.
    fn provable(&self, part: PartId) -> bool {
        self.score(part, Cycle(0)).is_some_and(|score| score.cap >= 1.0)
    }

    /// Whether an answer to a part stands that is proved.
    fn is_proved(&self, part: PartId) -> bool {
        let last = self.state.scores.last().and_then(|point| point.score.parts.iter().find(|score| score.part == part));
        last.is_some_and(|score| score.state == PartState::Proved)
    }

    fn refuted_values(&self) -> Vec<Flaw> {
        let mut found = Vec::new();
        for point in self.state.episode_scores() {
            for part in point.score.parts.iter().filter(|part| part.state == PartState::Refuted) {
                let of_cycle = |entry: &&&Arc<Contribution>| {
                    entry.cycle == point.cycle && entry.is_value() && entry.part == Some(part.part)
                };
                let value = self.entries().collect::<Vec<_>>();
                let Some(value) = value.iter().rev().find(of_cycle) else { continue };
                let Some(program) = value.author.program().and_then(|name| self.script(name)) else { continue };
                let counterexample = self
                    .entries()
                    .find(|entry| entry.is(Section::COUNTEREXAMPLE) && entry.about == Some(value.id))
                    .map_or_else(|| part.why.clone(), |entry| entry.text.clone());
                found.push(Flaw {
                    test: self.test(program, Situation::before(value, part.part), ("satisfies", true.into())),
                    critique: format!("{} wrote \u{201c}{}\u{201d}: {counterexample}", program.name, value.text),
                    cost: -point.delta,
                    cycle: point.cycle,
                    program: program.name.clone(),
                    sure: true,
                    answered: false,
                });
            }
        }
        found
    }

    fn failures(&self) -> Vec<Flaw> {
        let mut found = Vec::new();
        for (cycle, name, error) in &self.state.failures {
            let Some(program) = self.script(name) else { continue };
            let solves = matches!(program.contract(), Contract::Solver | Contract::Alternative);
            let last = error.trim_end().lines().last().unwrap_or_default();
            for part in self.parts_of(name).into_iter().filter(|part| solves && self.provable(*part)) {
                let situation = Situation { before: self.state.memory.next_id(), cycle: *cycle, part, value: None };
                found.push(Flaw {
                    test: self.test(program, situation, ("satisfies", true.into())),
                    critique: format!("{} failed: {last}", program.name),
                    cost: 0.0,
                    cycle: *cycle,
                    program: program.name.clone(),
                    sure: false,
                    answered: self.is_proved(part),
                });
            }
        }
        found
    }

    /// The parts that a program has worked on.
    fn parts_of(&self, name: &ProgramName) -> BTreeSet<PartId> {
        let tasks = self.episode.seen.iter().filter(|(_, seen, _)| seen == name).map(|(task, ..)| *task);
        let plan = self.entries().rev().find(|entry| entry.is(Section::PLAN));
        let planned = |task: TaskId| -> Option<Vec<PartId>> {
            let tasks = plan?.data.get("tasks")?.as_array()?;
            let index = usize::from(task.0.checked_sub(1)?);
            serde_json::from_value(tasks.get(index)?.get("parts")?.clone()).ok()
        };
        let all = || self.episode.query.parts.iter().map(|part| part.id).collect();
        tasks.flat_map(|task| planned(task).unwrap_or_else(all)).collect()
    }

    /// Solvers that said that their methods do not reach, on questions that have an own check.
    fn given_up(&self) -> Vec<Flaw> {
        let mut found = Vec::new();
        for gap in self.entries().filter(|entry| entry.is(Section::GAP)) {
            let of_method = gap.data.get("sort").and_then(Value::as_str) == Some("method");
            let Some(program) = gap.author.program().and_then(|name| self.script(name)) else { continue };
            let Some(part) = gap.part.filter(|part| of_method && self.provable(*part)) else { continue };
            let own =
                |entry: &&Arc<Contribution>| entry.author == gap.author && entry.is_value() && entry.part == Some(part);
            if program.contract() != Contract::Solver || self.entries().any(|entry| own(&entry)) {
                continue;
            }
            found.push(Flaw {
                test: self.test(program, Situation::before(gap, part), ("satisfies", true.into())),
                critique: format!("{} gave up: {}", program.name, gap.text),
                cost: 0.0,
                cycle: gap.cycle,
                program: program.name.clone(),
                sure: false,
                answered: self.is_proved(part),
            });
        }
        found
    }

    /// Verdicts against what the scorer's own check has proved of the same value.
    fn wrong_verdicts(&self) -> Vec<Flaw> {
        let mut found = Vec::new();
        for verdict in self.entries().filter(|entry| entry.is(Section::VERDICT)) {
            let Some(program) = verdict.author.program().and_then(|name| self.script(name)) else { continue };
            let passed = verdict.data.get("pass").and_then(Value::as_bool).unwrap_or_default();
            let Some(value) = verdict.about.and_then(|about| self.state.memory.get(about)) else { continue };
            let Some(score) = value.part.and_then(|part| self.score(part, verdict.cycle)) else { continue };
            let right = match score.state {
                PartState::Refuted | PartState::Withdrawn => false,
                // A value that can still reach 1 is one that the check has proved.
                PartState::Answered | PartState::Proved if score.cap >= 1.0 => true,
                PartState::Answered | PartState::Proved | PartState::Corroborated | PartState::Unanswered => continue,
            };
            if right == passed {
                continue;
            }
            let expected = if right { "pass" } else { "fail" };
            let situation = Situation { value: Some(value.id), ..Situation::before(verdict, score.part) };
            found.push(Flaw {
                test: self.test(program, situation, (Section::VERDICT, expected.into())),
                critique: format!(
                    "{} said \u{201c}{}\u{201d} of {}: {}",
                    program.name, verdict.text, value.text, score.why
                ),
                cost: 0.0,
                cycle: verdict.cycle,
                program: program.name.clone(),
                sure: true,
                answered: false,
            });
        }
        found
    }

    /// The situation in which a script went wrong, as a test: what it had read by then, without anyone's objections.
    fn test(&self, program: &Program, at: Situation, expected: (&str, Value)) -> ProgramTest {
        let text = self.episode.query.part(at.part).map(|part| part.text.clone()).unwrap_or_default();
        let hidden = [Section::VERDICT, Section::COUNTEREXAMPLE, Section::GAP];
        let memory = self
            .entries()
            .filter(|entry| entry.id < at.before && entry.cycle < at.cycle)
            .filter(|entry| entry.part.is_none_or(|of| of == at.part))
            .filter(|entry| {
                program.manifest.reads.contains(&entry.section) && !hidden.contains(&entry.section.as_str())
            })
            .filter(|entry| !entry.is_value() || at.value == Some(entry.id))
            .map(|entry| BTreeMap::from([(entry.section.clone(), remember(entry))]))
            .collect();
        ProgramTest { query: text, memory, expect: BTreeMap::from([(expected.0.to_owned(), expected.1)]) }
    }
}

/// Where in an episode a script went wrong.
#[derive(Clone, Copy)]
struct Situation {
    before: ContributionId,
    cycle: Cycle,
    part: PartId,
    /// The value that it was to look at; a solver starts afresh.
    value: Option<ContributionId>,
}

impl Situation {
    fn before(entry: &Contribution, part: PartId) -> Self {
        Self { before: entry.id, cycle: entry.cycle, part, value: None }
    }
}

fn remember(entry: &Contribution) -> Value {
    let mut fields = json!({ "text": entry.text });
    if let (Some(fields), false) = (fields.as_object_mut(), entry.data.is_null()) {
        fields.insert("data".into(), without_nulls(&entry.data));
    }
    fields
}

/// TOML has no null.
fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            fields.iter().filter(|(_, value)| !value.is_null()).map(|(k, v)| (k.clone(), without_nulls(v))).collect()
        }
        Value::Array(items) => items.iter().filter(|item| !item.is_null()).map(without_nulls).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
    }
}
