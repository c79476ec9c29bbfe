//! Whether an answer has the form that was asked for.

use crate::solvers::answer::Answer;
use crate::solvers::goal::Form;
use crate::solvers::quantity::{calculate, parse_unit, rational};

/// Checks the form of an answer: unit, decimals, exactness.
///
/// # Errors
/// One clause that says what is missing.
pub fn form_met(form: &Form, answer: &Answer) -> Result<(), String> {
    match answer {
        Answer::Number { value, unit, approximate } => {
            unit_met(form, unit.as_deref())?;
            exactness_met(form, *approximate)?;
            decimals_met(form, value)
        }
        Answer::Solutions { approximate, values, .. } => {
            exactness_met(form, *approximate)?;
            match form.decimals {
                Some(_) => values.iter().flat_map(|v| v.values()).try_for_each(|v| decimals_met(form, v)),
                None => Ok(()),
            }
        }
        Answer::Expression { .. }
        | Answer::Date { .. }
        | Answer::List { .. }
        | Answer::Truth { .. }
        | Answer::Text { .. } => Ok(()),
    }
}

fn unit_met(form: &Form, unit: Option<&str>) -> Result<(), String> {
    let Some(asked) = form.unit.as_deref() else {
        return Ok(());
    };
    let Some(unit) = unit else {
        return Err(format!("the unit {asked} is missing"));
    };
    let singular = |t: &str| t.trim_end_matches('s').to_lowercase();
    let same = singular(asked) == singular(unit)
        || match (parse_unit(asked), parse_unit(unit)) {
            (Ok(a), Ok(b)) => a.dimension == b.dimension && a.size == b.size && a.zero == b.zero,
            (Ok(_) | Err(_), Ok(_) | Err(_)) => false,
        };
    if same { Ok(()) } else { Err(format!("{asked} is asked for, not {unit}")) }
}

fn exactness_met(form: &Form, approximate: bool) -> Result<(), String> {
    if form.exact && approximate { Err("an exact value is asked for".into()) } else { Ok(()) }
}

fn decimals_met(form: &Form, value: &str) -> Result<(), String> {
    let printed = value.split_once('.').map_or(0, |(_, d)| d.len());
    let decimal = !value.is_empty() && value.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | '-'));
    if let Some(asked) = form.decimals {
        return if decimal && printed == asked as usize {
            Ok(())
        } else {
            Err(format!("{asked} decimals are asked for"))
        };
    }
    if form.approximate && !decimal {
        return Err("a decimal approximation is asked for".into());
    }
    if form.decimal && !decimal {
        let terminating = calculate(value).ok().and_then(|q| rational::decimal(&q.base()));
        return match terminating {
            Some(text) => Err(format!("{text} is the natural form of {value}")),
            None => Ok(()),
        };
    }
    Ok(())
}
