//! One spelling for equal answers, so that two programs that agree are seen to agree.

use crate::solvers::algebra;
use crate::solvers::answer::Answer;
use crate::solvers::quantity::{calculate, parse_unit, rational};

/// Rewrites an answer so that equal answers become the same text: numbers as reduced fractions, units as symbols.
#[must_use]
pub fn canonical(answer: &Answer) -> Answer {
    match answer {
        Answer::Number { value, unit, approximate } => Answer::Number {
            value: number(value),
            unit: unit.as_ref().map(|u| parse_unit(u).map_or_else(|_| u.trim().to_lowercase(), |u| u.text)),
            approximate: *approximate,
        },
        Answer::Solutions { .. } | Answer::Expression { .. } => algebra::canonical(answer),
        Answer::Date { value } => Answer::Date {
            value: crate::solvers::formaliser::parse_date(value).unwrap_or_else(|_| value.trim().to_owned()),
        },
        Answer::List { values } => Answer::List { values: values.iter().map(|v| number(v)).collect() },
        Answer::Truth { value } => Answer::Truth { value: *value },
        Answer::Text { value } => Answer::Text { value: value.trim().to_lowercase() },
    }
}

fn number(text: &str) -> String {
    match calculate(text) {
        Ok(q) if q.unit.dimension.is_none() => rational::exact(&q.base()),
        Ok(_) | Err(_) => match algebra::parse(text).and_then(|value| algebra::expand(&value)) {
            Ok(value) => value.to_string(),
            Err(_) => text.split_whitespace().collect::<Vec<_>>().join(" "),
        },
    }
}
