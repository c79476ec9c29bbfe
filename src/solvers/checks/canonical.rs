//! One spelling for equal answers, so that two programs that agree are seen to agree.

use crate::solvers::answer::{Answer, Assignment};
use crate::solvers::quantity::{calculate, parse_unit, rational};

/// Rewrites an answer so that equal answers become the same text: numbers as reduced fractions, units as symbols.
#[must_use]
pub fn canonical(answer: &Answer) -> Answer {
    match answer {
        Answer::Number {
            value,
            unit,
            approximate,
        } => Answer::Number {
            value: number(value),
            unit: unit
                .as_ref()
                .map(|u| parse_unit(u).map_or_else(|_| u.trim().to_lowercase(), |u| u.text)),
            approximate: *approximate,
        },
        // DISPATCH TO ALGEBRA: solutions and expressions with roots or unknowns belong to `crate::solvers::algebra::canonical`.
        Answer::Solutions {
            values,
            all,
            approximate,
        } => {
            let mut values: Vec<Assignment> = values
                .iter()
                .map(|v| v.iter().map(|(k, v)| (k.clone(), number(v))).collect())
                .collect();
            values.sort();
            values.dedup();
            Answer::Solutions {
                values,
                all: *all,
                approximate: *approximate,
            }
        }
        Answer::Expression { value, conditions } => {
            let mut conditions: Vec<String> = conditions
                .iter()
                .map(|c| c.split_whitespace().collect::<Vec<_>>().join(" "))
                .collect();
            conditions.sort();
            conditions.dedup();
            Answer::Expression {
                value: number(value),
                conditions,
            }
        }
        Answer::Date { value } => Answer::Date {
            value: crate::solvers::formaliser::parse_date(value)
                .unwrap_or_else(|_| value.trim().to_owned()),
        },
        Answer::List { values } => Answer::List {
            values: values.iter().map(|v| number(v)).collect(),
        },
        Answer::Truth { value } => Answer::Truth { value: *value },
        Answer::Text { value } => Answer::Text {
            value: value.trim().to_lowercase(),
        },
    }
}

fn number(text: &str) -> String {
    match calculate(text) {
        Ok(q) if q.unit.dimension.is_none() => rational::exact(&q.base()),
        Ok(_) | Err(_) => text.split_whitespace().collect::<Vec<_>>().join(" "),
    }
}
