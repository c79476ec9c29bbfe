//! The *checks* scorer, the default without a model: J from what compiled checks can prove about each part.
//!
//! | a part's value | score |
//! |---|---|
//! | none | 0.1 |
//! | refuted by the scorer's own check | 0 |
//! | refuted, and withdrawn by a counterexample that the scorer confirms | 0.1 |
//! | not refuted | 0.6 |
//! | no own check, and another program reached the same value by another method without seeing it | 0.8 (its cap) |
//! | proved sound and complete, and a critic's verdict stands on that value | 1 |
//!
//! Two values that differ and both stand halve a part, unless the value cannot be proved and several programs reached the one,
//! each by itself, and fewer the other: then the part stands on what more of them reached. A form that was asked for and is missing takes 0.7 of it.

use std::collections::HashMap;
use std::sync::Mutex;

use futures::future::BoxFuture;
use serde_json::{Value, json};

use crate::engine::ports::{PortError, Scorer, Scoring};
use crate::model::{
    Author, Contribution, ContributionId, Hash, Part, PartBoard, PartId, PartScore, PartState, Query, Score,
    WorkingMemory,
};
use crate::solvers::answer::{Answer, Judgement};
use crate::solvers::goal::{Goal, PartReading, Reading};
use crate::solvers::{cautions, checks, formaliser};

const UNANSWERED: f64 = 0.1;
const ANSWERED: f64 = 0.6;
const CORROBORATED: f64 = 0.8;
const FORM: f64 = 0.7;

/// Version of the rules above; part of the scorer's hash.
const VERSION: &str = "checks 3";

/// Answers that are remembered before the memo is emptied.
const REMEMBERED: usize = 4096;

/// The scorer.
#[derive(Debug, Default)]
pub struct Checks {
    memo: Mutex<HashMap<(Hash, Hash), Judgement>>,
    /// Whether no value is proved or refuted.
    silent: bool,
}

impl Checks {
    /// A scorer that proves and refutes nothing: for a network whose channel `checks` weighs 0, so that what it answers is
    /// presented as it is. A baseline must not be helped by the checks of others.
    #[must_use]
    pub fn silent() -> Self {
        Self { memo: Mutex::default(), silent: true }
    }

    fn judge(&self, part: &Part, data: &Value, reference: Option<&str>) -> Judgement {
        if self.silent {
            return Judgement::Unproved("this network is not checked".into());
        }
        let key = (Hash::of(format!("{}{reference:?}", part.reading)), Hash::of(data.to_string()));
        if let Some(known) = self.memo.lock().ok().and_then(|memo| memo.get(&key).cloned()) {
            return known;
        }
        let judgement = judge(part, data, reference);
        if let Ok(mut memo) = self.memo.lock() {
            if memo.len() >= REMEMBERED {
                memo.clear();
            }
            memo.insert(key, judgement.clone());
        }
        judgement
    }

    fn part(&self, query: &Query, part: &Part, board: Option<&PartBoard>) -> (PartScore, Option<Withdrawal>) {
        let provable = provable(part);
        let score = |state: PartState, value: f64, cap: f64, why: String| PartScore {
            part: part.id,
            state,
            value,
            none: false,
            of: None,
            cap,
            why,
        };
        let cap = if provable { 1.0 } else { CORROBORATED };
        let Some((board, value)) = board.and_then(|board| Some((board, board.current()?))) else {
            let withdrawn = board.is_some_and(|board| !board.withdrawn.is_empty());
            let state = if withdrawn { PartState::Withdrawn } else { PartState::Unanswered };
            return (score(state, UNANSWERED, cap, String::new()), None);
        };
        let reference = query.given.reference.as_deref().filter(|_| query.parts.len() == 1);
        match self.judge(part, &value.data, reference) {
            Judgement::Refuted(why) => {
                let found = board.counterexamples.iter().rev().find(|entry| entry.about == Some(value.id));
                match found {
                    Some(by) => (
                        score(PartState::Withdrawn, UNANSWERED, cap, why),
                        Some(Withdrawal { value: value.id, by: by.id }),
                    ),
                    None => (score(PartState::Refuted, 0.0, cap, why), None),
                }
            }
            Judgement::Unproved(why) => {
                let cap = CORROBORATED;
                if let Some((chosen, count)) = self.majority(part, board, reference) {
                    let of = (chosen.id != value.id).then_some(chosen.id);
                    let whole = CORROBORATED * form(part, &chosen.data);
                    let why = format!("{count} programs reached it, each by itself");
                    return (PartScore { of, ..score(PartState::Corroborated, whole, cap, why) }, None);
                }
                let shared = self.is_reached_otherwise(board, value);
                let (state, base) =
                    if shared { (PartState::Corroborated, CORROBORATED) } else { (PartState::Answered, ANSWERED) };
                let value = base * self.standing(board, value) * form(part, &value.data);
                (score(state, value, cap, why), None)
            }
            Judgement::Proved(why) => {
                let passed = self.is_passed(board, value);
                let (state, base) = if passed { (PartState::Proved, 1.0) } else { (PartState::Answered, ANSWERED) };
                let whole = base * self.standing(board, value) * form(part, &value.data);
                (PartScore { none: says_none(&value.data), ..score(state, whole, 1.0, why) }, None)
            }
        }
    }

    /// Whether a verdict that passes stands on this value, in whatever form it was when the verdict was given.
    fn is_passed(&self, board: &PartBoard, value: &Contribution) -> bool {
        let canonical = self.canonical(&value.data);
        board.verdicts.iter().any(|verdict| {
            let passes = verdict.data.get("pass").and_then(Value::as_bool) == Some(true);
            let on = verdict.data.get("value").map(|value| self.canonical(value));
            passes && verdict.author != value.author && on.as_ref() == Some(&canonical)
        })
    }

    /// Whether another program's standing value is the same by another method, and neither could be copied from the other.
    fn is_reached_otherwise(&self, board: &PartBoard, value: &Contribution) -> bool {
        let canonical = self.canonical(&value.data);
        let method = |value: &Contribution| value.data.get("method").and_then(Value::as_str).map(str::to_owned);
        board.values.iter().any(|other| {
            other.author != value.author
                && !other.informed
                && !value.informed
                && method(other).is_some()
                && method(other) != method(value)
                && self.canonical(&other.data) == canonical
        })
    }

    /// Of several values that differ, the one that more programs reached than any other, each by a method of its own and without
    /// seeing another's, and how many; nothing where all agree, or no two do.
    fn majority<'b>(
        &self,
        part: &Part,
        board: &'b PartBoard,
        reference: Option<&str>,
    ) -> Option<(&'b Contribution, usize)> {
        let mut camps: Vec<(Value, Vec<&Contribution>)> = Vec::new();
        for value in &board.values {
            let canonical = self.canonical(&value.data);
            match camps.iter_mut().find(|(known, _)| *known == canonical) {
                Some((_, camp)) => camp.push(value),
                None => camps.push((canonical, vec![value])),
            }
        }
        if camps.len() < 2 {
            return None;
        }
        let count = |camp: &[&Contribution]| {
            let method = |value: &Contribution| value.data.get("method").and_then(Value::as_str).map(str::to_owned);
            let mut known: Vec<(&Author, String)> = Vec::new();
            for value in camp.iter().filter(|value| !value.informed) {
                let Some(method) = method(value) else { continue };
                if known.iter().all(|(author, other)| **author != value.author && *other != method) {
                    known.push((&value.author, method));
                }
            }
            known.len()
        };
        let counts: Vec<usize> = camps.iter().map(|(_, camp)| count(camp)).collect();
        let most = counts.iter().copied().max().filter(|most| *most >= 2)?;
        let mut with_most = camps.iter().zip(&counts).filter(|(_, count)| **count == most);
        let ((_, camp), _) = with_most.next()?;
        let alone = with_most.next().is_none();
        let chosen = camp.last().copied().filter(|_| alone)?;
        let refuted = matches!(self.judge(part, &chosen.data, reference), Judgement::Refuted(_));
        (!refuted).then_some((chosen, most))
    }

    /// Half where two values that differ both stand.
    fn standing(&self, board: &PartBoard, value: &Contribution) -> f64 {
        if board.values.len() < 2 {
            return 1.0;
        }
        let canonical = self.canonical(&value.data);
        if board.values.iter().all(|other| self.canonical(&other.data) == canonical) { 1.0 } else { 0.5 }
    }
}

struct Withdrawal {
    value: ContributionId,
    by: ContributionId,
}

impl Scorer for Checks {
    fn hash(&self) -> Hash {
        if self.silent { Hash::of(format!("{VERSION}, silent")) } else { Hash::of(VERSION) }
    }

    fn parts(&self, query: &Query) -> Vec<Part> {
        parts_of(&formaliser::read(&query.text))
    }

    fn parts_of_reading(&self, query: &Query, reading: &Value) -> Result<Vec<Part>, PortError> {
        let wrong = |error: serde_json::Error| {
            PortError::new(format!("it is not a reading: {error}")).hint("keep the fields of the reading it replaces")
        };
        if reading.get("parts").is_some() {
            let reading: Reading = serde_json::from_value(reading.clone()).map_err(wrong)?;
            return Ok(parts_of(&reading));
        }
        let part: PartReading = serde_json::from_value(reading.clone()).map_err(wrong)?;
        let mut parts = query.parts.clone();
        let id = reading.get("part").and_then(Value::as_u64).and_then(|id| u16::try_from(id).ok()).unwrap_or(1);
        match parts.iter_mut().find(|old| old.id == PartId(id)) {
            Some(old) => *old = describe(PartId(id), &part),
            None => return Err(PortError::new(format!("there is no part {id}"))),
        }
        Ok(parts)
    }

    fn score<'a>(&'a self, query: &'a Query, memory: &'a WorkingMemory) -> BoxFuture<'a, Scoring> {
        let scored: Vec<(PartScore, Option<Withdrawal>)> =
            query.parts.iter().map(|part| self.part(query, part, memory.board(part.id))).collect();
        let withdrawn = scored.iter().filter_map(|(_, found)| found.as_ref().map(|w| (w.value, w.by))).collect();
        let parts: Vec<PartScore> = scored.into_iter().map(|(score, _)| score).collect();
        let count = parts.len().max(1) as f64;
        let mean = parts.iter().map(|part| part.value).sum::<f64>() / count;
        // Sums of tenths carry binary dust; a score is exact to nine places.
        let mean = (mean * 1e9).round() / 1e9;
        let score = Score { mean, n: 1, se: 0.0, parts, scorer: self.hash() };
        Box::pin(std::future::ready(Scoring { score, withdrawn }))
    }

    fn proves(&self, part: &Part, value: &Value) -> (Option<bool>, String) {
        match self.judge(part, value, None) {
            Judgement::Proved(why) => (Some(true), why),
            Judgement::Refuted(why) => (Some(false), why),
            Judgement::Unproved(why) => (None, why),
        }
    }

    fn canonical(&self, value: &Value) -> Value {
        match answer(value) {
            Some(answer) => serde_json::to_value(checks::canonical(&answer)).unwrap_or_default(),
            None => json!(value.as_str().map(str::trim)),
        }
    }
}

/// A contribution's data holds the answer itself, or under `answer`.
fn answer(data: &Value) -> Option<Answer> {
    let inner = data.get("answer").unwrap_or(data);
    serde_json::from_value(inner.clone()).ok()
}

fn judge(part: &Part, data: &Value, reference: Option<&str>) -> Judgement {
    let Some(answer) = answer(data) else {
        return Judgement::Unproved("its value is not in exact terms".into());
    };
    let Ok(reading) = serde_json::from_value::<PartReading>(part.reading.clone()) else {
        return Judgement::Unproved("the question was not read".into());
    };
    if let Some(reference) = reference {
        let given = crate::solvers::display::display(&answer, &reading.form);
        let same = |text: &str| text.to_lowercase().split_whitespace().collect::<String>();
        return if same(&given) == same(reference) {
            Judgement::Proved("it is the reference".into())
        } else {
            Judgement::Refuted(format!("the reference is {reference}"))
        };
    }
    checks::judge(&reading.goal, &reading.form, &answer)
}

fn form(part: &Part, data: &Value) -> f64 {
    let reading = serde_json::from_value::<PartReading>(part.reading.clone()).ok();
    let met =
        answer(data).zip(reading).is_none_or(|(answer, reading)| checks::form_met(&reading.form, &answer).is_ok());
    if met { 1.0 } else { FORM }
}

fn says_none(data: &Value) -> bool {
    matches!(answer(data), Some(Answer::Solutions { values, all: false, .. }) if values.is_empty())
}

/// Whether the class of a part has an own check at all.
fn provable(part: &Part) -> bool {
    serde_json::from_value::<PartReading>(part.reading.clone())
        .is_ok_and(|reading| !matches!(reading.goal, Goal::Sequence { .. } | Goal::Unread { .. }))
}

fn parts_of(reading: &Reading) -> Vec<Part> {
    reading.parts.iter().zip(1..).map(|(part, id)| describe(PartId(id), part)).collect()
}

fn describe(id: PartId, part: &PartReading) -> Part {
    let reading = serde_json::to_value(part).unwrap_or_default();
    let class = reading["goal"]["class"].as_str().unwrap_or("unread").to_owned();
    Part {
        id,
        text: part.text.clone(),
        class,
        unclear: part.unclear.clone(),
        cautions: cautions::cautions(&part.goal),
        reading,
    }
}
