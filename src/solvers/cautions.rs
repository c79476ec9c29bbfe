//! Features of a goal that call for care: where methods that are right in general go wrong.

use super::algebra::{ConditionKind, Expr, Func, conditions, parse, parse_equation};
use super::goal::Goal;

/// `radical`, `absolute`, `logarithm`, `denominator`: those that occur with an unknown in them.
#[must_use]
pub fn cautions(goal: &Goal) -> Vec<String> {
    let read: Vec<Expr> = match goal {
        Goal::Solve { equations, .. } => {
            equations.iter().filter_map(|text| parse_equation(text).ok()).map(|eq| eq.difference()).collect()
        }
        Goal::Simplify { expression } => parse(expression).into_iter().collect(),
        Goal::Evaluate { .. }
        | Goal::Expand { .. }
        | Goal::Factor { .. }
        | Goal::Convert { .. }
        | Goal::DateSpan { .. }
        | Goal::DateShift { .. }
        | Goal::Weekday { .. }
        | Goal::Integer { .. }
        | Goal::Proportion { .. }
        | Goal::Sequence { .. }
        | Goal::Unread { .. } => Vec::new(),
    };
    type Test = fn(&Expr) -> bool;
    let tests: [(&str, Test); 4] = [
        ("radical", |e| e.any(&|e| e.as_root().is_some_and(|(inside, ..)| has_unknown(inside)))),
        ("absolute", |e| e.any(&|e| matches!(e, Expr::Call(Func::Abs, inside) if has_unknown(inside)))),
        ("logarithm", |e| e.any(&|e| matches!(e, Expr::Call(Func::Ln, inside) if has_unknown(inside)))),
        ("denominator", |e| conditions(e).iter().any(|condition| condition.kind == ConditionKind::Nonzero)),
    ];
    tests.iter().filter(|(_, test)| read.iter().any(test)).map(|(name, _)| (*name).to_owned()).collect()
}

fn has_unknown(e: &Expr) -> bool {
    !e.variables().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_unknowns_call_for_care() {
        let check = |equation: &str, expected: &[&str]| {
            let goal = Goal::Solve { equations: vec![equation.to_owned()], unknowns: vec!["x".to_owned()] };
            assert_eq!(cautions(&goal), expected, "{equation}");
        };
        check("3*x + 5 = 14", &[]);
        check("x/2 = 3", &[]);
        check("sqrt(2)*x = 4", &[]);
        check("sqrt(x + 3) = x - 3", &["radical"]);
        check("x/(x - 1) = 1/(x - 1)", &["denominator"]);
        check("2/x = 4", &["denominator"]);
        check("abs(2*x - 1) = 5", &["absolute"]);
        check("ln(x) = 1/x", &["logarithm", "denominator"]);
    }
}
