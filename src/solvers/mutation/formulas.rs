//! Signs and digits inside text that a script builds: `"(-" + b + " + sqrt(" + d + "))/2"` is a formula too.

use std::ops::Range;

use ruff_python_ast::{Expr, InterpolatedStringElement, StringFlags};

use super::candidate::{Family, Pool};
use super::operators::shorten;
use super::sites::{Role, Sites, bytes};

/// Longest piece of text that counts as a formula, in bytes.
const LONGEST: usize = 80;

/// Proposes another sign, operator or digit in each piece of formula text.
pub(super) fn propose(sites: &Sites<'_>, pool: &mut Pool<'_, '_>) {
    for site in &sites.exprs {
        match site.expr {
            Expr::StringLiteral(text) if site.role != Role::Discarded => {
                for part in &text.value {
                    let whole = bytes(part);
                    let opener = part.flags.opener_len().to_usize();
                    let closer = part.flags.closer_len().to_usize();
                    let end = whole.end.saturating_sub(closer);
                    piece(sites, (whole.start + opener).min(end)..end, pool);
                }
            }
            Expr::FString(text) => {
                for element in text.value.elements() {
                    if let InterpolatedStringElement::Literal(literal) = element {
                        piece(sites, bytes(literal), pool);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Proposes changes within one piece.
fn piece(sites: &Sites<'_>, range: Range<usize>, pool: &mut Pool<'_, '_>) {
    let text = sites.text(&range);
    if !is_formula(text) {
        return;
    }
    for (offset, c) in text.char_indices() {
        let at = range.start + offset;
        let options: &[(&str, u32)] = match c {
            '+' => &[("-", 0)],
            '-' if is_prefix(text, offset) => &[("", 0), ("+", 3)],
            '-' => &[("+", 0)],
            '*' => &[("/", 2)],
            '/' => &[("*", 2)],
            '<' => &[(">", 1)],
            '>' => &[("<", 1)],
            '(' => &[("(-", 4)],
            _ => &[],
        };
        for (option, tier) in options {
            let what = format!("write `{option}` for `{c}` in the text `{}`", shorten(text));
            pool.one(Family::Formula, *tier, at..at + 1, *option, what);
        }
        if let Some(digit) = lone_digit(text, offset, c) {
            for (other, tier) in [(digit.wrapping_sub(1), 1), (digit + 1, 1)] {
                if other <= 9 {
                    let what = format!("write {other} for {digit} in the text `{}`", shorten(text));
                    pool.one(Family::Formula, tier, at..at + 1, other.to_string(), what);
                }
            }
        }
    }
}

/// Says whether text is a piece of a formula and not prose: an operator or digit, and never two words in a row.
fn is_formula(text: &str) -> bool {
    if text.len() > LONGEST || text.contains(['\\', '\n', '{', '}']) {
        return false;
    }
    let telling = text.contains(['+', '*', '/', '^', '(', '=', '<', '>'])
        || text.contains(|c: char| c.is_ascii_digit())
        || text.trim_matches(' ') == "-"
        || text.starts_with('-')
        || text.ends_with('-')
        || text.contains(" - ");
    let mut words = 0;
    for token in text.split(' ') {
        let word = token.len() > 1 && token.chars().all(|c| c.is_alphabetic() || c == ',');
        words = if word { words + 1 } else { 0 };
        if words > 1 {
            return false;
        }
    }
    telling
}

/// Says whether a minus stands before a term rather than between two.
fn is_prefix(text: &str, offset: usize) -> bool {
    let before = text.get(..offset).unwrap_or("").trim_end();
    before.is_empty() || before.ends_with(['(', '=', '*', '/', ','])
}

/// Returns a digit that stands alone: not part of a longer number or a name.
fn lone_digit(text: &str, offset: usize, c: char) -> Option<u8> {
    let digit = u8::try_from(c.to_digit(10)?).ok()?;
    let joined = |c: char| c.is_alphanumeric() || c == '.' || c == '_';
    let before = text.get(..offset)?.chars().next_back();
    let after = text.get(offset + 1..)?.chars().next();
    (!before.is_some_and(joined) && !after.is_some_and(joined)).then_some(digit)
}
