//! Trials: a program run on one of its tests, away from any session.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};

use crate::model::{
    ActivationId, Author, Contribution, ContributionId, Cycle, PartId, Program, ProgramTest, Query, Section,
};

use super::ports::{Activation, Offer, Output, Runner, Scorer};
use super::view::{View, seen};

/// What sort of result a trial had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// Everything expected came out.
    Met,
    /// A value that the scorer refutes came out, or something else than was expected.
    Wrong,
    /// No value came out, where one was expected.
    Silent,
    /// A value came out that the scorer can neither prove nor refute.
    Open,
    /// The program failed.
    Failed,
}

impl Sort {
    /// Its name for programs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Met => "met",
            Self::Wrong => "wrong",
            Self::Silent => "silent",
            Self::Open => "open",
            Self::Failed => "failed",
        }
    }
}

/// How a trial came out.
#[derive(Clone, Debug, PartialEq)]
pub struct Result {
    /// Whether everything expected came out.
    pub passed: bool,
    /// What sort of result it was.
    pub sort: Sort,
    /// What came out instead, in one clause; what came out, where it passed.
    pub note: String,
}

/// Runs a program on a test and compares.
pub async fn run(
    runner: &dyn Runner,
    scorer: &dyn Scorer,
    program: &Arc<Program>,
    test: &ProgramTest,
    deadline: Duration,
    depth: u8,
) -> Result {
    let activation = activation(scorer, program, test, deadline, depth);
    let query = activation.query.clone();
    match runner.run(activation).await {
        Err(error) => {
            let note = format!("it failed: {}", last_line(&error.message));
            Result { passed: false, sort: Sort::Failed, note }
        }
        Ok(output) => compare(scorer, &query, test, &output),
    }
}

fn last_line(text: &str) -> &str {
    text.trim_end().lines().last().unwrap_or_default()
}

/// Runs a program on the situation of a test and gives its monologue; nothing where it fails.
pub async fn monologue(
    runner: &dyn Runner,
    scorer: &dyn Scorer,
    program: &Arc<Program>,
    test: &ProgramTest,
    deadline: Duration,
    depth: u8,
) -> Option<String> {
    let activation = activation(scorer, program, test, deadline, depth);
    runner.run(activation).await.ok().map(|output| output.monologue)
}

fn activation(
    scorer: &dyn Scorer,
    program: &Arc<Program>,
    test: &ProgramTest,
    deadline: Duration,
    depth: u8,
) -> Activation {
    let mut query = Query::new(test.query.clone());
    query.parts = scorer.parts(&query);
    let mut sections: Map<String, Value> = Map::new();
    for (number, (section, value)) in test.memory.iter().flatten().enumerate() {
        let entry = seen(&remembered(number, section, value, &query));
        match sections.entry(section.to_string()).or_insert_with(|| Value::Array(Vec::new())) {
            Value::Array(entries) => entries.insert(0, entry),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => {}
        }
    }
    let focus = query.parts.first().map(|part| part.id);
    Activation {
        id: ActivationId(0),
        program: program.clone(),
        task: query.whole(),
        query: Arc::new(query),
        focus,
        view: View::Given(Arc::new(Value::Object(sections))),
        depth,
        seed: 0,
        deadline,
        recorded: None,
        outlet: None,
    }
}

/// A test's memory entry: its text, or a table with `text`, `data`, `part` and `about`.
fn remembered(number: usize, section: &Section, value: &Value, query: &Query) -> Contribution {
    let field = |name: &str| value.get(name);
    let id = |name: &str| field(name).and_then(Value::as_u64);
    let text = value.as_str().or_else(|| field("text").and_then(Value::as_str)).unwrap_or_default();
    let part = id("part").and_then(|part| u16::try_from(part).ok()).map(PartId);
    Contribution {
        id: ContributionId(u32::try_from(number).unwrap_or(u32::MAX)),
        section: section.clone(),
        part: part.or_else(|| query.parts.first().map(|part| part.id)),
        text: text.to_owned(),
        data: field("data").cloned().unwrap_or(Value::Null),
        author: Author::Human,
        cycle: Cycle(0),
        activation: None,
        about: id("about").and_then(|about| u32::try_from(about).ok()).map(ContributionId),
        supersedes: Vec::new(),
        informed: false,
    }
}

fn compare(scorer: &dyn Scorer, query: &Query, test: &ProgramTest, output: &Output) -> Result {
    let mut notes = Vec::new();
    for (what, expected) in &test.expect {
        let yes = expected.as_bool().unwrap_or(true);
        let judge = |met: bool| if met { Sort::Met } else { Sort::Wrong };
        let (sort, note) = match what.as_str() {
            "satisfies" => satisfies(scorer, query, output, yes),
            // A program that cannot tell says so: no value is better than a wrong one.
            "sound" => match satisfies(scorer, query, output, true) {
                (Sort::Wrong, note) => (judge(!yes), note),
                (Sort::Met | Sort::Silent | Sort::Open | Sort::Failed, note) => (judge(yes), note),
            },
            "none" => {
                let silent = output.offers.is_empty();
                let note = if silent { "it wrote nothing".to_owned() } else { wrote(output) };
                (judge(silent == yes), note)
            }
            "next" => (judge(output.next.as_deref() == expected.as_str()), format!("next is {:?}", output.next)),
            section => {
                let met = output.offers.iter().any(|offer| offer.section.as_str() == section && shows(offer, expected));
                (judge(met), wrote(output))
            }
        };
        if sort != Sort::Met {
            return Result { passed: false, sort, note: format!("{what} should be {expected}; {note}") };
        }
        notes.push(note);
    }
    notes.dedup();
    Result { passed: true, sort: Sort::Met, note: notes.join("; ") }
}

fn satisfies(scorer: &dyn Scorer, query: &Query, output: &Output, wanted: bool) -> (Sort, String) {
    let value =
        output.offers.iter().rev().find(|offer| matches!(offer.section.as_str(), Section::DRAFT | Section::ANSWER));
    let Some(value) = value else { return (Sort::Silent, format!("no value was written; {}", wrote(output))) };
    let part = value.part.or_else(|| query.parts.first().map(|part| part.id));
    let Some(part) = part.and_then(|part| query.part(part)) else {
        return (Sort::Wrong, "the value answers no part of the question".to_owned());
    };
    let (proved, why) = scorer.proves(part, &value.data);
    let sort = match proved {
        Some(proved) if proved == wanted => Sort::Met,
        Some(_) => Sort::Wrong,
        None => Sort::Open,
    };
    (sort, format!("{}: {why}", value.text))
}

fn wrote(output: &Output) -> String {
    let list: Vec<String> =
        output.offers.iter().map(|offer| format!("{} \u{201c}{}\u{201d}", offer.section, offer.text)).collect();
    if list.is_empty() { "it wrote nothing".to_owned() } else { format!("it wrote {}", list.join(", ")) }
}

/// Whether an offer shows what is expected: its text, `pass` or `fail`, or fields of its data.
fn shows(offer: &Offer, expected: &Value) -> bool {
    match expected {
        Value::String(text) => {
            let verdict =
                offer.data.get("pass").and_then(Value::as_bool).map(|pass| if pass { "pass" } else { "fail" });
            offer.text == *text || verdict == Some(text)
        }
        Value::Object(fields) => fields.iter().all(|(name, value)| offer.data.get(name) == Some(value)),
        Value::Bool(there) => *there,
        other => offer.data == *other,
    }
}
