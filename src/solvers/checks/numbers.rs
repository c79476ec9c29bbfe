//! Values with and without units: recomputed by `fend` and by exact rationals, which must agree.

use super::{fend, refuted};
use crate::solvers::answer::{Answer, Judgement};
use crate::solvers::goal::Form;
use crate::solvers::quantity::rational::{self, Rational};
use crate::solvers::quantity::{self, Quantity, parse_unit};

/// A fraction with more digits than this has no short exact form.
const SHORT: usize = 12;

/// The number that an answer gives: value, unit, whether it is rounded.
pub(super) struct Given<'a> {
    pub(super) value: Rational,
    pub(super) text: &'a str,
    pub(super) unit: Option<&'a str>,
    pub(super) approximate: bool,
}

/// Reads the number of an answer.
pub(super) fn given(answer: &Answer) -> Result<Given<'_>, Judgement> {
    match answer {
        Answer::Number { value, unit, approximate } => {
            let read = quantity::calculate(value).ok().filter(|q| q.unit.dimension.is_none());
            let read = read.ok_or_else(|| {
                Judgement::Unproved(format!("{} is not a plain number", value.chars().take(40).collect::<String>()))
            })?;
            Ok(Given { value: read.base(), text: value, unit: unit.as_deref(), approximate: *approximate })
        }
        Answer::Solutions { .. }
        | Answer::Expression { .. }
        | Answer::Date { .. }
        | Answer::List { .. }
        | Answer::Truth { .. }
        | Answer::Text { .. } => Err(refuted("a number is asked for")),
    }
}

/// Judges a number against the exact value `expected`, which `what` words ("5 ft 7 in is").
pub(super) fn compare(expected: &Rational, unit: &str, form: &Form, given: &Given<'_>, what: &str) -> Judgement {
    let shown = format!("{} {unit}", rational::natural(expected));
    let wrong = || refuted(format!("{what} {}, not {}", shown.trim(), given.text));
    if !given.approximate && given.value == *expected {
        return Judgement::Proved("recomputed exactly".into());
    }
    let printed = u32::try_from(given.text.split_once('.').map_or(0, |(_, d)| d.len())).unwrap_or(0);
    let plain = given.text.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | '-'));
    let rounds = plain && given.value == rational::round_to(expected, printed);
    if !rounds {
        return wrong();
    }
    let asked = form.decimals.is_some_and(|d| d <= printed);
    if asked {
        return Judgement::Proved(format!("{} rounds to {} at {printed} decimals", shown.trim(), given.text));
    }
    if !given.approximate {
        return wrong();
    }
    if form.exact {
        return refuted(format!("an exact value was asked for: {}", shown.trim()));
    }
    let long = rational::decimals_needed(expected)
        .map_or(form.decimal || rational::exact(expected).len() > SHORT, |d| d as usize > SHORT);
    if form.approximate || long {
        Judgement::Proved(format!("{} rounds to {} at {printed} decimals", shown.trim(), given.text))
    } else {
        Judgement::Unproved(format!("rounded, though {} is exact and short", shown.trim()))
    }
}

/// The answer's value expressed in `unit`, or why it cannot be.
fn in_unit<'a>(mut given: Given<'a>, unit: &str) -> Result<Given<'a>, Judgement> {
    let Some(own) = given.unit.filter(|u| *u != unit && !unit.is_empty()) else {
        return Ok(given);
    };
    match (parse_unit(own), parse_unit(unit)) {
        (Ok(a), Ok(b)) if a == b || (a.size == b.size && a.zero == b.zero && a.dimension == b.dimension) => Ok(given),
        (Ok(a), Ok(b)) => match (Quantity { value: given.value.clone(), unit: a }).to(&b) {
            Ok(q) if !given.approximate => {
                given.value = q.value;
                Ok(given)
            }
            Ok(_) => Err(Judgement::Unproved(format!("a rounded value in {own} where {unit} is asked for"))),
            Err(why) => Err(refuted(why)),
        },
        _ => Err(Judgement::Unproved(format!("{own} is compared with {unit}"))),
    }
}

/// Judges `Goal::Convert`.
pub(super) fn convert(text: &str, to: &str, form: &Form, answer: &Answer) -> Judgement {
    let given = match given(answer).and_then(|g| in_unit(g, to)) {
        Ok(given) => given,
        Err(judgement) => return judgement,
    };
    let own = quantity::convert(text, to).map(|q| q.value);
    if own.as_ref().is_err_and(|why| why.contains("no fixed length") || why.contains("exchange rate"))
        || calendar_word(text, to)
    {
        return Judgement::Unproved(own.err().unwrap_or_else(|| "months and years have no fixed length".into()));
    }
    let other = fend::convert(text, to).and_then(|n| rational::parse(&n));
    match (own, other) {
        (Ok(a), Ok(b)) if a != b => Judgement::Unproved(format!(
            "two ways of computing disagree: {} and {}",
            rational::natural(&a),
            rational::natural(&b)
        )),
        (Ok(expected), _) | (Err(_), Ok(expected)) => compare(&expected, to, form, &given, &format!("{text} is")),
        (Err(why), Err(_)) => Judgement::Unproved(why),
    }
}

/// Whether a looked-up word ("decade") is a whole number of years that is asked for in days or less.
fn calendar_word(text: &str, to: &str) -> bool {
    let fixed = parse_unit(to).is_ok_and(|u| u.dimension.base() == Some("time"));
    let years = |q: &str| {
        fend::convert(q, "years")
            .and_then(|n| rational::parse(&n))
            .is_ok_and(|n| rational::decimals_needed(&n).is_some_and(|d| d <= 4))
    };
    fixed && quantity::parse(text).is_err() && years(text)
}

/// Judges `Goal::Evaluate`; `None` when the expression is not of numbers, units and `+ - * / ^ ( )` alone.
pub(super) fn evaluate(expression: &str, form: &Form, answer: &Answer) -> Option<Judgement> {
    let own = quantity::calculate(expression);
    let unit = match (&form.unit, &own) {
        (Some(unit), _) => unit.clone(),
        (None, Ok(q)) => q.unit.text.clone(),
        (None, Err(_)) => String::new(),
    };
    let plain = unit.is_empty() || unit == "%";
    let own = own.and_then(|q| if plain { Ok(q.value) } else { q.to(&parse_unit(&unit)?).map(|q| q.value) });
    let other = if plain {
        fend::evaluate(expression).and_then(|t| fend::number_of(&t))
    } else {
        fend::convert(expression, &unit)
    };
    let other = other.and_then(|n| rational::parse(&n));
    let expected = match (own, other) {
        (Ok(a), Ok(b)) if a != b => {
            return Some(Judgement::Unproved(format!(
                "two ways of computing disagree: {} and {}",
                rational::natural(&a),
                rational::natural(&b)
            )));
        }
        (Ok(a), _) => a,
        // What only the other calculator evaluates holds looked-up words or functions; functions are algebra's.
        (Err(_), Ok(b)) if !expression.contains("sqrt") && !expression.contains("abs") => b,
        (Err(_), Ok(_) | Err(_)) => return None,
    };
    let given = match given(answer).and_then(|g| in_unit(g, if unit == "%" { "" } else { &unit })) {
        Ok(given) => given,
        Err(judgement) => return Some(judgement),
    };
    Some(compare(&expected, &unit, form, &given, &format!("{expression} is")))
}
