//! The value of an answer without its form.

use super::super::super::answer::{Answer, Assignment};
use super::super::decimal::{scaled_text, terminating};
use super::super::parse::parse;
use super::super::simplify::expand;
use super::claim;

/// Returns an answer such that two answers have the same value if, and as far as algebra here can tell only if, the
/// results are equal: solutions in order without repeats, fractions in lowest terms, surds reduced, products multiplied
/// out, decimals without trailing zeros. What cannot be read stays as it is.
pub fn canonical(answer: &Answer) -> Answer {
    match answer {
        Answer::Number { value, unit, approximate } => Answer::Number {
            value: number(value, *approximate),
            unit: unit.as_ref().map(|u| u.trim().to_owned()),
            approximate: *approximate,
        },
        Answer::Solutions { values, all, approximate } => {
            let one = |a: &Assignment| a.iter().map(|(n, v)| (n.trim().to_owned(), number(v, *approximate))).collect();
            let mut values: Vec<Assignment> = values.iter().map(one).collect();
            values.sort();
            values.dedup();
            Answer::Solutions { values, all: *all, approximate: *approximate }
        }
        Answer::Expression { value, conditions } => {
            let mut conditions: Vec<String> = conditions.iter().map(|c| condition(c)).collect();
            conditions.sort();
            conditions.dedup();
            Answer::Expression { value: number(value, false), conditions }
        }
        Answer::List { values } => Answer::List { values: values.iter().map(|v| number(v, false)).collect() },
        Answer::Date { value } => Answer::Date { value: value.trim().to_owned() },
        Answer::Truth { value } => Answer::Truth { value: *value },
        Answer::Text { value } => Answer::Text { value: value.trim().to_owned() },
    }
}

fn number(text: &str, approximate: bool) -> String {
    if approximate
        && let Some((q, _)) = claim::decimal(text)
        && let Some(places) = terminating(&q)
    {
        return scaled_text(&super::super::decimal::round(&q, places), places);
    }
    match parse(text).and_then(|e| expand(&e)) {
        Ok(e) => e.to_string(),
        Err(_) => text.trim().to_owned(),
    }
}

fn condition(text: &str) -> String {
    for mark in ["!=", "≠", "<>", ">=", "≥", "<=", "≤", ">", "<"] {
        if let Some((a, b)) = text.split_once(mark) {
            let mark = match mark {
                "≠" | "<>" => "!=",
                "≥" => ">=",
                "≤" => "<=",
                other => other,
            };
            return format!("{} {mark} {}", number(a, false), number(b, false));
        }
    }
    text.trim().to_owned()
}
