//! Equations to solve, expressions to simplify, expand, factor or evaluate.

use super::super::lex::{Kind, Token, words_from};
use super::super::maths::{Span, span};
use super::super::units::unit_at;
use super::super::words::{Sense, WORDS};
use super::{Read, money};
use crate::solvers::goal::{Form, Goal};

/// A clause as spans of mathematics and phrases.
struct Row {
    spans: Vec<Span>,
    phrases: Vec<(Vec<Sense>, String)>,
    /// Whether the clause ends in a bare `=`.
    open: bool,
}

const SENSES: &[Sense] = &[
    Sense::Ask,
    Sense::Filler,
    Sense::And,
    Sense::If,
    Sense::Is,
    Sense::For,
    Sense::Of,
    Sense::In,
    Sense::HowMuch,
    Sense::Solve,
    Sense::Roots,
    Sense::Simplify,
    Sense::Expand,
    Sense::Factor,
    Sense::Expression,
    Sense::Convert,
    Sense::Date,
];

pub(super) fn read(tokens: &[Token], form: &Form) -> Option<Vec<Read>> {
    let goal = |g: Goal| Some(vec![Read::new(g, form)]);
    // A name that "for" introduces could be a unit symbol, so the plain reading is tried before the one with units.
    let row = row(tokens, false);
    if let Some(row) = &row {
        let seen = |s: Sense| row.phrases.iter().any(|(senses, _)| senses.contains(&s));
        let only = |allowed: &[Sense]| row.phrases.iter().all(|(senses, _)| senses.iter().any(|s| allowed.contains(s)));
        let (equations, expressions): (Vec<&Span>, Vec<&Span>) = row.spans.iter().partition(|s| s.equation);
        let base = [Sense::Ask, Sense::Filler, Sense::Of, Sense::In, Sense::Expression, Sense::Convert];
        let with = |more: &[Sense]| [base.as_slice(), more].concat();
        let lone = |s: &Span| s.variables.len() == 1 && s.variables.first() == Some(&s.text);
        if let ([], [one], false) = (equations.as_slice(), expressions.as_slice(), row.open) {
            let expression = one.text.clone();
            let verb = |s: Sense| row.phrases.iter().any(|(senses, _)| senses.contains(&s));
            if verb(Sense::Simplify) && only(&with(&[Sense::Simplify])) {
                return goal(Goal::Simplify { expression });
            }
            if verb(Sense::Expand)
                && verb(Sense::Simplify)
                && only(&with(&[Sense::Expand, Sense::Simplify, Sense::And]))
                && !one.literal
            {
                return goal(Goal::Expand { expression });
            }
            if verb(Sense::Expand) && only(&with(&[Sense::Expand])) && !one.literal {
                return goal(Goal::Expand { expression });
            }
            if verb(Sense::Factor) && only(&with(&[Sense::Factor])) && !one.variables.is_empty() {
                return goal(Goal::Factor { expression });
            }
            if seen(Sense::Roots)
                && !one.variables.is_empty()
                && !lone(one)
                && only(&with(&[Sense::Roots, Sense::Solve]))
            {
                return goal(Goal::Solve {
                    equations: vec![format!("{expression} = 0")],
                    unknowns: one.variables.clone(),
                });
            }
        }
        if !equations.is_empty()
            && !row.open
            && expressions.iter().all(|s| lone(s))
            && only(&with(&[Sense::Solve, Sense::Roots, Sense::If, Sense::And, Sense::For, Sense::Is, Sense::Date]))
        {
            return solve(&equations, &expressions).and_then(goal);
        }
    }
    [row, self::row(tokens, true)]
        .into_iter()
        .flatten()
        .find_map(|row| evaluate(&row, form))
        .or_else(|| in_unit(tokens, form))
        .map(|r| vec![r])
}

/// "What is 1 mile + 1 km in metres?": a sum of quantities, and the unit of the result.
fn in_unit(tokens: &[Token], form: &Form) -> Option<Read> {
    let at = tokens.iter().rposition(|t| matches!(t.word(), Some("in" | "to" | "into")))?;
    let unit = unit_at(tokens, at + 1, true)?;
    let rest = tokens.get(at + 1 + unit.used..)?;
    if !rest.iter().all(|t| matches!(t.kind, Kind::Sym('?' | '.' | '!'))) {
        return None;
    }
    let mut read = evaluate(&row(tokens.get(..at)?, true)?, form)?;
    let Goal::Evaluate { expression } = &read.goal else {
        return None;
    };
    let value = crate::solvers::quantity::calculate(expression).ok()?;
    if Some(value.unit.dimension) != unit.dimension {
        return None;
    }
    read.form = money(read.form, &unit.text);
    Some(read)
}

fn solve(equations: &[&Span], asked: &[&Span]) -> Option<Goal> {
    let mut unknowns: Vec<String> = Vec::new();
    let mut known: Vec<String> = Vec::new();
    for v in equations.iter().flat_map(|e| &e.variables) {
        if !known.contains(v) {
            known.push(v.clone());
        }
    }
    for v in asked.iter().flat_map(|s| &s.variables) {
        if !known.contains(v) {
            return None;
        }
        if !unknowns.contains(v) {
            unknowns.push(v.clone());
        }
    }
    if unknowns.is_empty() {
        unknowns = known;
    }
    (!unknowns.is_empty())
        .then(|| Goal::Solve { equations: equations.iter().map(|e| e.text.clone()).collect(), unknowns })
}

fn evaluate(row: &Row, form: &Form) -> Option<Read> {
    let [one] = row.spans.as_slice() else {
        return None;
    };
    let allowed = [
        Sense::Ask,
        Sense::Filler,
        Sense::If,
        Sense::Is,
        Sense::HowMuch,
        Sense::Of,
        Sense::Expression,
        Sense::In,
        Sense::Convert,
    ];
    let fits = row.phrases.iter().all(|(senses, _)| senses.iter().any(|s| allowed.contains(s)));
    let rounding = form.decimals.is_some() || form.decimal;
    if !fits || one.equation || !one.variables.is_empty() || (one.literal && !rounding) {
        return None;
    }
    // A quantity alone ("a mile") asks nothing.
    if one.units && !one.text.contains(['+', '*', '/', '^']) && !one.text.contains(" - ") {
        return None;
    }
    // "in" and "convert" ask for a unit that this rule has no room for.
    if row.phrases.iter().any(|(s, _)| {
        (s.contains(&Sense::In) || s.contains(&Sense::Convert))
            && !s.contains(&Sense::Ask)
            && !s.contains(&Sense::Filler)
    }) && !rounding
    {
        return None;
    }
    let mut read = Read::new(Goal::Evaluate { expression: one.text.clone() }, form);
    read.unclear.clone_from(&one.unclear);
    read.form.decimal |= one.percent;
    if let Some(unit) = one.unit.as_deref().filter(|_| sums(&one.text)) {
        read.form = money(read.form, unit);
    }
    Some(read)
}

/// Whether the value keeps the unit of the first quantity: no quantity is divided by or multiplied with another.
fn sums(text: &str) -> bool {
    crate::solvers::quantity::calculate(text).is_ok_and(|q| {
        let first: String = text.chars().skip_while(|c| !c.is_alphabetic()).collect();
        !q.unit.text.is_empty()
            && crate::solvers::quantity::calculate(&format!("1 {}", q.unit.text)).is_ok()
            && !first.is_empty()
            && !q.unit.text.contains(['*', '/', '^'])
    })
}

/// Covers the clause by spans and phrases; `None` when a word is left over.
fn row(tokens: &[Token], units: bool) -> Option<Row> {
    let mut row = Row { spans: Vec::new(), phrases: Vec::new(), open: false };
    let mut i = 0;
    while let Some(token) = tokens.get(i) {
        let phrase = longest(tokens, i);
        // A phrase of two words or more is never mathematics, unless mathematics knows it ("the square root of").
        let spoken = WORDS.maths(&words_from(tokens, i)).first().map_or(0, |(_, n)| *n);
        if let Some((senses, n)) = phrase.clone().filter(|(_, n)| *n > 1 && *n > spoken) {
            let text = words_from(tokens, i).get(..n).unwrap_or_default().join(" ");
            row.phrases.push((senses, text));
            i += n;
            continue;
        }
        if let Some(found) = span(tokens, i, units) {
            i += found.used;
            row.spans.push(found);
            continue;
        }
        match (&token.kind, phrase) {
            (Kind::Sym(',' | '?' | '.' | ':' | ';' | '!' | '"' | '{' | '}'), _) => i += 1,
            (Kind::Sym('='), _) => {
                // `12*7 =`, `2 + 2 = ?`
                let ends = tokens.get(i + 1).is_none_or(|t| t.is('?') || t.is('_'));
                if !ends || row.spans.len() != 1 {
                    return None;
                }
                row.open = true;
                i += 1;
            }
            (Kind::Sym('_'), _) if row.open => i += 1,
            (Kind::Word(w), Some((senses, n))) => {
                row.phrases.push((senses, w.clone()));
                i += n;
            }
            (Kind::Word(_) | Kind::Sym(_) | Kind::Number(_) | Kind::Ordinal(_) | Kind::Date(_), _) => return None,
        }
    }
    Some(row)
}

fn longest(tokens: &[Token], i: usize) -> Option<(Vec<Sense>, usize)> {
    let found: Vec<(Sense, usize)> =
        WORDS.senses(&words_from(tokens, i)).into_iter().filter(|(s, _)| SENSES.contains(s)).collect();
    let length = found.iter().map(|(_, n)| *n).max()?;
    Some((found.into_iter().filter(|(_, n)| *n == length).map(|(s, _)| s).collect(), length))
}
