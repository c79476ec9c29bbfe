//! Takes the words that ask for a form of the answer ("to 2 decimal places", "exactly") out of the question.

use super::lex::{Kind, Token};
use crate::solvers::goal::Form;

/// The form asked for, and the tokens without the words that asked for it.
pub(super) fn strip(tokens: &[Token]) -> (Form, Vec<Token>) {
    let mut form = Form::default();
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut i = 0;
    while let Some(token) = tokens.get(i) {
        match phrase(tokens, i, &mut form) {
            Some(used) => {
                i += used;
                // ", to 2 decimal places" leaves no comma behind.
                if out.last().is_some_and(|t| t.is(',')) {
                    out.pop();
                }
            }
            None => {
                out.push(token.clone());
                i += 1;
            }
        }
    }
    (form, out)
}

fn word(tokens: &[Token], i: usize) -> &str {
    tokens.get(i).and_then(Token::word).unwrap_or("")
}

/// Length of the run of words from `i` that are all in `allowed`.
fn run(tokens: &[Token], i: usize, allowed: &[&str]) -> usize {
    (i..tokens.len()).take_while(|k| allowed.contains(&word(tokens, *k))).count()
}

const LEAD: &[&str] = &[
    "give", "leave", "write", "express", "state", "round", "rounded", "rounding", "your", "the", "answer", "result",
    "it", "correct", "accurate", "to", "in", "as", "with", "and", "at", "off", "down", "up",
];

fn phrase(tokens: &[Token], i: usize, form: &mut Form) -> Option<usize> {
    match word(tokens, i) {
        "exactly" => {
            form.exact = true;
            return Some(1);
        }
        "approximately" | "roughly" | "approx" => {
            form.approximate = true;
            return Some(1 + usize::from(tokens.get(i + 1).is_some_and(|t| t.is('.'))));
        }
        _ => {}
    }
    let lead = run(tokens, i, LEAD);
    // Any shorter lead may be the right one ("convert … to cm to 2 decimal places" starts at the second "to").
    (lead > 0).then(|| ending(tokens, i + lead, form).map(|n| lead + n)).flatten()
}

fn ending(tokens: &[Token], i: usize, form: &mut Form) -> Option<usize> {
    let at = |k: usize| word(tokens, i + k);
    let before = word(tokens, i.wrapping_sub(1));
    if before == "the" || before == "nearest" || at(0) == "nearest" {
        let k = usize::from(at(0) == "nearest");
        let decimals = match at(k) {
            "whole" if at(k + 1) == "number" => Some((0, 2)),
            "integer" | "unit" | "dollar" | "euro" | "pound" => Some((0, 1)),
            "cent" | "penny" | "hundredth" => Some((2, 1)),
            "tenth" => Some((1, 1)),
            "thousandth" => Some((3, 1)),
            _ => match tokens.get(i + k).map(|t| &t.kind) {
                Some(Kind::Ordinal(10)) => Some((1, 1)),
                Some(Kind::Ordinal(100)) => Some((2, 1)),
                Some(Kind::Ordinal(1000)) => Some((3, 1)),
                Some(Kind::Ordinal(_) | Kind::Number(_) | Kind::Word(_) | Kind::Sym(_) | Kind::Date(_)) | None => None,
            },
        };
        if let Some((decimals, used)) = decimals.filter(|_| k == 1) {
            form.decimals = Some(decimals);
            form.approximate = true;
            return Some(k + used);
        }
    }
    if let Some(n) = tokens.get(i).and_then(Token::number).and_then(|n| n.parse::<u32>().ok()).filter(|n| *n <= 100) {
        let used = match (at(1), at(2)) {
            ("decimal" | "decimals", "place" | "places" | "digits" | "points" | "figures") => 3,
            ("decimals" | "dp" | "decimal", _) => 2,
            ("d", _) if tokens.get(i + 2).is_some_and(|t| t.is('.')) && at(3) == "p" => {
                4 + usize::from(tokens.get(i + 4).is_some_and(|t| t.is('.')))
            }
            ("digits" | "places" | "figures", "after") if matches!(at(3), "the" | "decimal") => {
                3 + run(tokens, i + 3, &["the", "decimal", "point"])
            }
            _ => return None,
        };
        form.decimals = Some(n);
        form.approximate = true;
        return Some(used);
    }
    let article = usize::from(matches!(at(0), "a" | "an"));
    let used = article
        + match (at(article), at(article + 1)) {
            ("decimal", "form" | "number" | "fraction" | "notation") => 2,
            ("decimal" | "decimals", _) => 1,
            ("exact", "form" | "value" | "answer") | ("surd" | "radical", "form") => {
                form.exact = true;
                return Some(article + 2);
            }
            ("approximate", "form" | "value") => {
                form.approximate = true;
                return Some(article + 2);
            }
            _ => return None,
        };
    form.decimal = true;
    Some(used)
}
