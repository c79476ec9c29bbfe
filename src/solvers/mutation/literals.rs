//! Literals of a script: what a repair may not bring in.

use std::collections::BTreeSet;

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, InterpolatedStringElement, Number};

use super::facts;

/// Lists the literals that `after` has and `before` has not, and that equal or contain a forbidden value.
///
/// Forbidden values are those of the failing query and its answer: a repair that copies them in has learned nothing.
/// Comparison ignores case and white space; numbers match as whole numbers only (`1` is not in `10`), and a forbidden
/// value of white space alone matches nothing. When `after` does not parse, its whole text counts as one literal.
/// The answer is sorted.
#[must_use]
pub fn check_literals(before: &str, after: &str, forbidden: &[String]) -> Vec<String> {
    let old = literals(before);
    literals(after)
        .into_iter()
        .filter(|literal| !old.contains(literal))
        .filter(|literal| forbidden.iter().any(|value| holds(literal, value)))
        .collect()
}

/// Says whether a literal equals or contains a value.
fn holds(literal: &str, value: &str) -> bool {
    let squeeze =
        |text: &str| -> String { text.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect() };
    let (literal, value) = (squeeze(literal), squeeze(value));
    if value.is_empty() {
        return false;
    }
    let edge = |inside: Option<char>, outside: Option<char>| match (inside, outside) {
        (Some(inside), Some(outside)) => !(inside.is_ascii_digit() && (outside.is_ascii_digit() || outside == '.')),
        _ => true,
    };
    literal.match_indices(&value).any(|(at, _)| {
        let before = literal.get(..at).and_then(|text| text.chars().next_back());
        let after = literal.get(at + value.len()..).and_then(|text| text.chars().next());
        edge(value.chars().next(), before) && edge(value.chars().next_back(), after)
    })
}

/// Gathers the literals of a script as text.
fn literals(source: &str) -> BTreeSet<String> {
    let Ok(suite) = facts::read(source) else {
        return BTreeSet::from([source.to_owned()]);
    };
    let mut found = Literals { source, found: BTreeSet::new() };
    found.visit_body(&suite);
    found.found
}

struct Literals<'s> {
    source: &'s str,
    found: BTreeSet<String>,
}

impl<'a> Visitor<'a> for Literals<'_> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::StringLiteral(text) => {
                self.found.insert(text.value.to_str().to_owned());
            }
            Expr::BytesLiteral(text) => {
                let bytes: Vec<u8> = text.value.bytes().collect();
                self.found.insert(String::from_utf8_lossy(&bytes).into_owned());
            }
            Expr::NumberLiteral(number) => {
                let range = super::sites::bytes(expr);
                let text = match &number.value {
                    Number::Int(int) => int.to_string(),
                    Number::Float(_) | Number::Complex { .. } => self.source.get(range).unwrap_or("").replace('_', ""),
                };
                self.found.insert(text);
            }
            Expr::UnaryOp(unary) => {
                // A negative value is written as two nodes.
                if let Expr::NumberLiteral(_) = unary.operand.as_ref() {
                    let text = self.source.get(super::sites::bytes(expr)).unwrap_or("");
                    self.found.insert(text.chars().filter(|c| !c.is_whitespace()).collect());
                }
            }
            _ => {}
        }
        visitor::walk_expr(self, expr);
    }

    fn visit_interpolated_string_element(&mut self, element: &'a InterpolatedStringElement) {
        if let InterpolatedStringElement::Literal(text) = element {
            self.found.insert(text.value.to_string());
        }
        visitor::walk_interpolated_string_element(self, element);
    }
}
