//! Proportions by cross-multiplication.

use super::numbers::{compare, given};
use super::refuted;
use crate::solvers::answer::{Answer, Judgement};
use crate::solvers::goal::Form;
use crate::solvers::quantity::rational::{self, Rational};
use crate::solvers::quantity::{Quantity, parse, parse_unit};

/// The size of an amount: in base units where it has a unit, else the number in front of the noun.
fn size(text: &str) -> Option<Rational> {
    if let Ok(q) = parse(text) {
        return Some(q.base());
    }
    rational::parse(text.split_whitespace().next()?).ok()
}

/// Judges `Goal::Proportion`.
pub(super) fn judge(from: &str, to: &str, ask: &str, inverse: bool, form: &Form, answer: &Answer) -> Judgement {
    let given = match given(answer) {
        Ok(given) => given,
        Err(judgement) => return judgement,
    };
    let (Some(f), Some(t), Some(a)) = (size(from), size(to), size(ask)) else {
        return Judgement::Unproved("an amount has no number".into());
    };
    let to_unit = parse(to).ok().map(|q| q.unit).filter(|u| !u.dimension.is_none());
    // The answer in base units of `to`, so that both sides of the cross product are of one kind.
    let unit = match (given.unit, &to_unit) {
        (Some(text), Some(expected)) => match parse_unit(text) {
            Ok(unit) if unit.dimension == expected.dimension => Some(unit),
            Ok(unit) => {
                return refuted(format!("{} where {} is asked for", unit.text, expected.text));
            }
            Err(why) => return Judgement::Unproved(why),
        },
        (None, Some(expected)) => Some(expected.clone()),
        (_, None) => None,
    };
    let value = match &unit {
        Some(unit) => Quantity { value: given.value.clone(), unit: unit.clone() }.base(),
        None => given.value.clone(),
    };
    let (left, right) = if inverse { (&f * &t, &value * &a) } else { (&f * &value, &t * &a) };
    if left == right && !given.approximate {
        return Judgement::Proved(format!("cross products agree: {}", rational::natural(&left)));
    }
    let zero = Rational::from_integer(0.into());
    let divisor = if inverse { &a } else { &f };
    if *divisor == zero {
        return Judgement::Unproved("an amount is zero".into());
    }
    let exact = if inverse { &f * &t / &a } else { &t * &a / &f };
    let (exact, shown) = match unit {
        Some(unit) => ((exact - &unit.zero) / &unit.size, unit.text),
        None => (exact, String::new()),
    };
    compare(&exact, &shown, form, &given, &format!("{ask} go with"))
}
