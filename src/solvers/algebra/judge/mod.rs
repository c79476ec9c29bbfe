//! Proofs about answers.
//!
//! The judge works backwards from the answer and by means that a solving script does not use: every real solution is
//! among the roots of an eliminating polynomial, Sturm's theorem isolates those roots, and the exact sign of the original
//! equation at each root, whatever its form, tells the true from the false. What that cannot decide stays unproved.

mod canonical;
mod claim;
mod complete;
mod evaluate;
mod parametric;
mod shape;
mod solve;
mod transcendental;

use super::super::answer::{Answer, Judgement};
use super::super::goal::{Form, Goal};

pub use canonical::canonical;

/// Judges an answer to a goal of algebra; `None` for other goals, and for values with units.
pub fn judge(goal: &Goal, form: &Form, answer: &Answer) -> Option<Judgement> {
    match goal {
        Goal::Solve { equations, unknowns } => Some(solve::judge_solve(equations, unknowns, form, answer)),
        Goal::Evaluate { expression } => evaluate::judge_value(expression, form, answer),
        Goal::Simplify { expression } => Some(shape::judge_simplify(expression, answer)),
        Goal::Expand { expression } => Some(shape::judge_expand(expression, answer)),
        Goal::Factor { expression } => Some(shape::judge_factor(expression, answer)),
        Goal::Convert { .. }
        | Goal::DateSpan { .. }
        | Goal::DateShift { .. }
        | Goal::Weekday { .. }
        | Goal::Integer { .. }
        | Goal::Proportion { .. }
        | Goal::Sequence { .. }
        | Goal::Unread { .. } => None,
    }
}
