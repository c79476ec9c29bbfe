//! The scorer's own judgement of an answer, by other methods than the primitives that programs solve with.
//!
//! `Proved` means that the answer was recomputed or certified here; `Refuted` names what speaks against it;
//! `Unproved` is the honest rest.

mod canonical;
mod dates;
pub mod fend;
mod form;
mod integers;
mod numbers;
mod proportion;
#[cfg(test)]
mod tests;

pub use canonical::canonical;
pub use dates::days_by_counting;
pub use form::form_met;

use crate::solvers::answer::{Answer, Judgement};
use crate::solvers::goal::{Form, Goal};

/// Judges an answer to a goal.
///
/// The form decides how rounded values count: an approximation is proved only if it rounds correctly at its printed
/// digits and either was asked for or no short exact form exists.
#[must_use]
pub fn judge(goal: &Goal, form: &Form, answer: &Answer) -> Judgement {
    match goal {
        Goal::Evaluate { expression } => {
            numbers::evaluate(expression, form, answer).unwrap_or_else(|| algebra(goal, form, answer))
        }
        Goal::Solve { .. } | Goal::Simplify { .. } | Goal::Expand { .. } | Goal::Factor { .. } => {
            algebra(goal, form, answer)
        }
        Goal::Convert { quantity, to } => numbers::convert(quantity, to, form, answer),
        Goal::DateSpan { from, to, unit, inclusive } => dates::span(from, to, unit, *inclusive, answer),
        Goal::DateShift { date, by, unit } => dates::shift(date, *by, unit, answer),
        Goal::Weekday { date } => dates::weekday(date, answer),
        Goal::Integer { op, args } => integers::judge(*op, args, answer),
        Goal::Proportion { from, to, ask, inverse } => proportion::judge(from, to, ask, *inverse, form, answer),
        Goal::Sequence { .. } => Judgement::Unproved("many rules fit the same terms".into()),
        Goal::Unread { .. } => Judgement::Unproved("the question was not read".into()),
    }
}

fn algebra(goal: &Goal, form: &Form, answer: &Answer) -> Judgement {
    super::algebra::judge(goal, form, answer).unwrap_or_else(|| Judgement::Unproved("no check covers this".into()))
}

fn refuted(why: impl Into<String>) -> Judgement {
    Judgement::Refuted(why.into())
}
