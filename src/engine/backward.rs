//! The backward pass (sections 3.3 and 5): from what went wrong in a run to proposals that mend it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use crate::model::{
    Author, Change, Contract, Contribution, Evidence, Kind, Network, PartState, Program, ProgramName, ProgramTest,
    Proposal, ProposalId, Section, State, with_test,
};

use super::session::{Flow, Session, SessionError};

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
    pub cycle: crate::model::Cycle,
}

/// The faults that an episode showed: values that the scorer refuted, alone or on a counterexample, and scripts that failed.
#[must_use]
pub fn flaws(state: &State, network: &Network) -> Vec<Flaw> {
    let Some(episode) = state.episode.as_deref() else { return Vec::new() };
    let mut found: Vec<Flaw> = Vec::new();
    let script = |name: &ProgramName| network.program(name).filter(|program| program.kind == Kind::Script).cloned();
    for point in state.episode_scores() {
        let refuted = point.score.parts.iter().filter(|part| part.state == PartState::Refuted);
        for part in refuted {
            let value = state.memory.iter().rev().find(|entry| {
                entry.cycle == point.cycle && entry.id >= episode.first && entry.is_value() && entry.part == Some(part.part)
            });
            let Some((value, program)) = value.and_then(|value| Some((value, script(value.author.program()?)?))) else {
                continue;
            };
            let counterexample = state
                .memory
                .iter()
                .find(|entry| entry.is(Section::COUNTEREXAMPLE) && entry.about == Some(value.id))
                .map_or_else(|| part.why.clone(), |entry| entry.text.clone());
            found.push(Flaw {
                test: test_of(state, &program, value.id, part.part, value.cycle, ("satisfies", true.into())),
                critique: format!("{} wrote \u{201c}{}\u{201d}: {counterexample}", program.name, value.text),
                cost: -point.delta,
                cycle: point.cycle,
                program: program.name.clone(),
            });
        }
    }
    for (cycle, name, error) in &state.failures {
        let part = episode.query.parts.first().map(|part| part.id);
        let (Some(program), Some(part)) = (script(name), part) else { continue };
        let expected = match program.contract() {
            Contract::Solver | Contract::Alternative => ("satisfies", Value::Bool(true)),
            _ => continue,
        };
        let last = error.trim_end().lines().last().unwrap_or_default().to_owned();
        found.push(Flaw {
            test: test_of(state, &program, state.memory.next_id(), part, *cycle, expected),
            critique: format!("{} failed: {last}", program.name),
            cost: 0.0,
            cycle: *cycle,
            program: program.name.clone(),
        });
    }
    let mut seen: Vec<(ProgramName, ProgramTest)> = Vec::new();
    found.retain(|flaw| {
        let key = (flaw.program.clone(), flaw.test.clone());
        let new = !seen.contains(&key) && network.program(&flaw.program).is_some_and(|program| {
            !program.manifest.tests.contains(&flaw.test)
        });
        seen.push(key);
        new
    });
    found
}

/// The situation in which a script went wrong, as a test: what it had read by then, without anyone's objections.
fn test_of(
    state: &State,
    program: &Program,
    before: crate::model::ContributionId,
    part: crate::model::PartId,
    cycle: crate::model::Cycle,
    expected: (&str, Value),
) -> ProgramTest {
    let episode = state.episode.as_deref();
    let text = episode.and_then(|episode| episode.query.part(part)).map(|part| part.text.clone()).unwrap_or_default();
    let hidden = [Section::DRAFT, Section::ANSWER, Section::VERDICT, Section::COUNTEREXAMPLE, Section::GAP];
    let first = episode.map_or(before, |episode| episode.first);
    let memory = state
        .memory
        .iter()
        .filter(|entry| entry.id >= first && entry.id < before && entry.cycle < cycle)
        .filter(|entry| entry.part.is_none_or(|of| of == part))
        .filter(|entry| program.manifest.reads.contains(&entry.section) && !hidden.contains(&entry.section.as_str()))
        .map(|entry| BTreeMap::from([(entry.section.clone(), remember(entry))]))
        .collect();
    ProgramTest { query: text, memory, expect: BTreeMap::from([(expected.0.to_owned(), expected.1)]) }
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

impl Session {
    /// Looks a finished episode through and raises what it can mend. Never blocks the next query for long: each repair is
    /// bounded by `limits.repair-ms`.
    pub(super) async fn backward_pass(&mut self) -> Result<Flow, SessionError> {
        let halted = self.state.episode.as_ref().and_then(|episode| episode.halted.clone());
        if halted.is_some_and(|(reason, _)| reason == crate::model::HaltReason::Unanswerable) {
            return Ok(Flow::On);
        }
        let mut by_program: BTreeMap<ProgramName, Vec<Flaw>> = BTreeMap::new();
        for flaw in flaws(&self.state, &self.network) {
            by_program.entry(flaw.program.clone()).or_default().push(flaw);
        }
        for (name, flaws) in by_program {
            let Some(program) = self.network.program(&name).cloned() else { continue };
            match self.mend(&program, &flaws).await? {
                Ok(()) => {}
                Err(Flow::Close) => return self.close().await,
                Err(Flow::On | Flow::Interrupt) => {
                    self.warn("the backward pass was stopped by you".to_owned()).await?;
                    return Ok(Flow::On);
                }
            }
        }
        Ok(Flow::On)
    }

    /// Asks the manager for an edit of one script that passes its failing tests, and raises it.
    async fn mend(&mut self, program: &Arc<Program>, flaws: &[Flaw]) -> Result<Result<(), Flow>, SessionError> {
        let manager = self.network.of_contract(Contract::Manager).find(|manager| {
            manager.manifest.writes.iter().any(|section| section.as_str() == Section::PROPOSAL)
        });
        let Some(manager) = manager.cloned() else { return Ok(Ok(())) };
        let mut ordered = self.order(manager.clone(), self.query().whole());
        let tests: Vec<&ProgramTest> = flaws.iter().map(|flaw| &flaw.test).collect();
        let limit = self.network.limits.repair_ms;
        ordered.activation.view = Arc::new(json!({ "flaw": [{
            "data": {
                "program": program.name, "path": program.path, "source": &*program.source,
                "tools": program.manifest.tools, "failing": tests, "passing": program.manifest.tests,
                "limit_ms": limit,
            },
            "text": flaws.first().map(|flaw| flaw.critique.clone()),
        }] }));
        ordered.activation.deadline = Duration::from_millis(limit + limit / 4);
        let first = self.state.memory.next_id();
        if let Err(flow) = self.run_together(vec![ordered], true).await? {
            return Ok(Err(flow));
        }
        let found = self.state.memory.current(Section::PROPOSAL).find(|entry| entry.id >= first).cloned();
        let after = found.as_ref().and_then(|found| found.data.get("after")).and_then(Value::as_str);
        let (Some(found), Some(after)) = (found.as_ref(), after) else {
            self.warn(format!("no repair of {} was found within {limit} ms", program.name)).await?;
            return Ok(Ok(()));
        };
        let mut text = after.to_owned();
        for test in &tests {
            match with_test(&program.path, &text, test) {
                Ok(with) => text = with,
                Err(error) => self.warn(format!("the failing test could not be kept: {}", error.message)).await?,
            }
        }
        let proposal = Proposal {
            id: ProposalId::new(""),
            network: self.network.name.clone(),
            base: self.network.revision.clone(),
            author: Author::Program(manager.name.clone()),
            program: Some(program.name.clone()),
            title: found.text.clone(),
            changes: vec![Change {
                path: program.path.clone(),
                before: Some(program.source.clone()),
                after: Some(Arc::from(text)),
            }],
            evidence: Evidence {
                critique: flaws.iter().map(|flaw| flaw.critique.as_str()).collect::<Vec<_>>().join("; "),
                cost: flaws.iter().map(|flaw| flaw.cost).sum(),
                session: self.state.pins.as_ref().map(|pins| pins.session.clone()),
                cycle: flaws.first().map(|flaw| flaw.cycle).unwrap_or_default(),
                trials: Vec::new(),
                measured: found.data.get("measured").cloned().unwrap_or(Value::Null),
            },
            gates: Vec::new(),
        };
        self.raise(proposal).await?;
        Ok(Ok(()))
    }
}
