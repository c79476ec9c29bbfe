//! Spans between dates, dates so many days away, days of the week.

use super::super::items::{Item, Lexicon, has, items, unexplained};
use super::super::lex::Token;
use super::super::words::Sense;
use super::Read;
use crate::solvers::goal::{Form, Goal};

const LEXICON: Lexicon = Lexicon {
    senses: &[
        Sense::Ask,
        Sense::HowMany,
        Sense::HowLong,
        Sense::Filler,
        Sense::And,
        Sense::If,
        Sense::Is,
        Sense::Of,
        Sense::For,
        Sense::In,
        Sense::By,
        Sense::On,
        Sense::From,
        Sense::Until,
        Sense::Between,
        Sense::Elapse,
        Sense::After,
        Sense::Before,
        Sense::Add,
        Sense::Subtract,
        Sense::Count,
        Sense::Inclusive,
        Sense::Date,
        Sense::Today,
        Sense::Weekday,
        Sense::WhatDay,
    ],
    units: true,
};

pub(super) fn read(tokens: &[Token], form: &Form) -> Option<Vec<Read>> {
    let items: Vec<Item> = items(tokens, &LEXICON)
        .into_iter()
        .map(|i| match i {
            Item::Sym('+') => Item::Phrase(vec![Sense::Add], "+".into()),
            Item::Sym('-') => Item::Phrase(vec![Sense::Subtract, Sense::Until], "-".into()),
            other => other,
        })
        .collect();
    if unexplained(&items) {
        return None;
    }
    let mut dates = Vec::new();
    let mut quantities = Vec::new();
    let mut units = Vec::new();
    for (at, item) in items.iter().enumerate() {
        match item {
            Item::Date(d) => dates.push((at, d)),
            Item::Quantity(q) => quantities.push((at, q)),
            Item::Unit(u) => units.push(step(&u.text)?),
            Item::Phrase(..) | Item::Sym(_) => {}
            Item::Number(_) | Item::Percent(_) | Item::Ordinal(_) | Item::Other(_) => return None,
        }
    }
    let goal = match (dates.as_slice(), quantities.as_slice(), units.as_slice()) {
        ([(_, date)], [], []) if has(&items, Sense::Weekday) || has(&items, Sense::WhatDay) => {
            let stray = [
                Sense::After,
                Sense::Before,
                Sense::Add,
                Sense::Subtract,
                Sense::Until,
                Sense::Between,
                Sense::HowMany,
                Sense::HowLong,
            ]
            .iter()
            .any(|s| content(&items, *s));
            (!stray).then(|| Goal::Weekday { date: (*date).clone() })?
        }
        ([(at, date)], [(q_at, q)], []) => {
            // "What day of the week is 90 days after …" asks for two steps at once; no class of its own.
            if has(&items, Sense::Weekday) {
                return None;
            }
            let by: i64 = q.number.parse().ok()?;
            if q.text != format!("{} {}", q.number, q.unit) {
                return None;
            }
            let sign = shift_sign(&items, *at, *q_at)?;
            Goal::DateShift { date: (*date).clone(), by: by * sign, unit: step(&q.unit)? }
        }
        ([first, second], [], units @ ([] | [_])) => {
            let asked = !units.is_empty() || has(&items, Sense::HowLong) || has(&items, Sense::Between);
            if !asked || has(&items, Sense::Weekday) {
                return None;
            }
            let unit = units.first().cloned().unwrap_or_else(|| "days".into());
            let (from, to) = ordered(&items, *first, *second);
            Goal::DateSpan { from, to, unit, inclusive: has(&items, Sense::Inclusive) }
        }
        _ => return None,
    };
    let mut read = Read::new(goal, form);
    if let Goal::DateSpan { unit, .. } = &read.goal {
        read.form.unit = Some(unit.clone());
    }
    Some(vec![read])
}

/// Whether a phrase can only have this sense among those that matter.
fn content(items: &[Item], sense: Sense) -> bool {
    items.iter().any(|i| match i {
        Item::Phrase(senses, _) => {
            senses.contains(&sense) && !senses.contains(&Sense::Filler) && !senses.contains(&Sense::Ask)
        }
        Item::Number(_)
        | Item::Percent(_)
        | Item::Ordinal(_)
        | Item::Quantity(_)
        | Item::Unit(_)
        | Item::Date(_)
        | Item::Sym(_)
        | Item::Other(_) => false,
    })
}

fn step(unit: &str) -> Option<String> {
    Some(match unit {
        "day" | "days" => "days".into(),
        "week" | "weeks" | "wk" | "wks" => "weeks".into(),
        "month" | "months" => "months".into(),
        "year" | "years" | "yr" | "yrs" => "years".into(),
        _ => return None,
    })
}

/// Forward or back, from the words beside the amount.
fn shift_sign(items: &[Item], date_at: usize, amount_at: usize) -> Option<i64> {
    let back = content(items, Sense::Before) || content(items, Sense::Subtract);
    let forth = content(items, Sense::After) || content(items, Sense::Add);
    match (back, forth) {
        (true, false) => Some(-1),
        (false, true) => Some(1),
        // "90 days from 3 March", "in 90 days, if today is 3 March".
        (false, false) => {
            let before = |at: usize, s: Sense| at > 0 && items.get(at - 1).is_some_and(|i| i.has(s));
            let from = amount_at < date_at && before(date_at, Sense::From);
            let within = before(amount_at, Sense::In);
            (from || within).then_some(1)
        }
        (true, true) => None,
    }
}

/// The two dates in the direction asked: "from A to B" as written, "since B until A" by the words, else ascending.
fn ordered(items: &[Item], first: (usize, &String), second: (usize, &String)) -> (String, String) {
    let word_before = |at: usize, s: Sense| {
        items.get(..at).is_some_and(|b| b.iter().rev().take_while(|i| !matches!(i, Item::Date(_))).any(|i| i.has(s)))
    };
    let ahead = |at: usize| word_before(at, Sense::From) || word_before(at, Sense::After);
    let written = || (first.1.clone(), second.1.clone());
    let swapped = || (second.1.clone(), first.1.clone());
    if ahead(second.0) && !ahead(first.0) {
        return swapped();
    }
    if word_before(first.0, Sense::From) || word_before(second.0, Sense::Until) {
        return written();
    }
    // "between", "before": the number of days is meant, whichever comes first.
    if first.1 <= second.1 { written() } else { swapped() }
}
