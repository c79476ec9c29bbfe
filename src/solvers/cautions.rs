//! Features of a goal that call for care: where methods that are right in general go wrong.

use super::goal::Goal;

/// `radical`, `absolute`, `logarithm`, `denominator`: those that occur with an unknown in them.
#[must_use]
pub fn cautions(goal: &Goal) -> Vec<String> {
    let texts: Vec<&str> = match goal {
        Goal::Solve { equations, .. } => equations.iter().map(String::as_str).collect(),
        Goal::Simplify { expression } => vec![expression],
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
    type Test = fn(&str) -> bool;
    let tests: [(&str, Test); 4] = [
        ("radical", |text| functions(text, &["sqrt", "cbrt", "√"]) || text.contains("^(1/") || text.contains("^0.")),
        ("absolute", |text| text.contains("abs(") || text.contains('|')),
        ("logarithm", |text| functions(text, &["log", "ln"])),
        ("denominator", divides_by_unknown),
    ];
    tests.iter().filter(|(_, test)| texts.iter().any(|text| test(text))).map(|(name, _)| (*name).to_owned()).collect()
}

/// Whether one of these functions is applied to something with an unknown in it.
fn functions(text: &str, names: &[&str]) -> bool {
    names.iter().any(|name| text.match_indices(name).any(|(at, _)| has_unknown(operand(&text[at + name.len()..]))))
}

fn divides_by_unknown(text: &str) -> bool {
    text.match_indices(['/', '÷']).any(|(at, sign)| has_unknown(operand(&text[at + sign.len()..])))
}

/// What an operator at the start of `rest` applies to: a bracket, or everything up to the next operator.
fn operand(rest: &str) -> &str {
    let rest = rest.trim_start();
    if !rest.starts_with('(') {
        let end = rest.find(|c: char| "+-*/=) −·".contains(c)).unwrap_or(rest.len());
        return &rest[..end];
    }
    let mut depth = 0_usize;
    for (at, c) in rest.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return &rest[..at];
        }
    }
    rest
}

/// Whether a lone letter stands in it: an unknown, not the name of a function or a unit.
fn has_unknown(text: &str) -> bool {
    text.split(|c: char| !c.is_alphabetic()).any(|word| word.chars().count() == 1)
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
