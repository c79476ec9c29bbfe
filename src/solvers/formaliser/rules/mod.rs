//! One rule a class of question. A rule either accounts for every word of the clause or declines.

mod algebra;
mod convert;
mod dates;
mod integer;
mod percent;
mod proportion;
mod sequence;

use super::lex::Token;
use crate::solvers::goal::{Form, Goal};

/// What a rule made of a clause.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Read {
    pub(super) goal: Goal,
    pub(super) form: Form,
    pub(super) unclear: Vec<String>,
}

impl Read {
    fn new(goal: Goal, form: &Form) -> Self {
        Self { goal, form: form.clone(), unclear: Vec::new() }
    }
}

type Rule = fn(&[Token], &Form) -> Option<Vec<Read>>;

/// In order: the first that accounts for the clause decides. Classes with words of their own come first.
const RULES: &[Rule] =
    &[dates::read, sequence::read, integer::read, convert::read, percent::read, algebra::read, proportion::read];

/// Reads one clause.
pub(super) fn read(tokens: &[Token], form: &Form) -> Option<Vec<Read>> {
    RULES.iter().find_map(|rule| rule(tokens, form))
}

/// A form whose unit is a currency gets two decimals.
fn money(mut form: Form, unit: &str) -> Form {
    form.unit = Some(unit.to_owned());
    form.decimal = true;
    if form.decimals.is_none()
        && crate::solvers::quantity::parse_unit(unit).is_ok_and(|u| u.dimension.is_money())
        && unit != "JPY"
    {
        form.decimals = Some(2);
    }
    form
}
