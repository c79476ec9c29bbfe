//! A clause as a row of items: numbers, quantities, units, dates and the senses of the other words.

use super::lex::{Kind, Token, words_from};
use super::units::{QuantityWord, UnitWord, quantity_at, unit_at};
use super::words::{Sense, WORDS};

/// One item of a clause.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Item {
    Number(String),
    Percent(String),
    Ordinal(u32),
    Quantity(QuantityWord),
    Unit(UnitWord),
    Date(String),
    /// A phrase with all the senses it may have.
    Phrase(Vec<Sense>, String),
    Sym(char),
    /// A word outside the vocabulary.
    Other(String),
}

impl Item {
    pub(super) fn has(&self, sense: Sense) -> bool {
        match self {
            Self::Phrase(senses, _) => senses.contains(&sense),
            Self::Number(_)
            | Self::Percent(_)
            | Self::Ordinal(_)
            | Self::Quantity(_)
            | Self::Unit(_)
            | Self::Date(_)
            | Self::Sym(_)
            | Self::Other(_) => false,
        }
    }
}

/// Which readings of a class the row is made for: phrases outside `senses` are not seen as phrases of it.
pub(super) struct Lexicon {
    pub(super) senses: &'static [Sense],
    /// Whether numbers may carry units.
    pub(super) units: bool,
}

/// Reads the row of items. A phrase is taken at its longest form among the senses of the lexicon; words that only
/// other classes know become `Other`, so that the class refuses them.
pub(super) fn items(tokens: &[Token], lexicon: &Lexicon) -> Vec<Item> {
    let mut out = Vec::new();
    let mut i = 0;
    while let Some(token) = tokens.get(i) {
        let (item, used) = one(tokens, i, token, lexicon, &out);
        out.extend(item);
        i += used;
    }
    out
}

fn one(tokens: &[Token], i: usize, token: &Token, lexicon: &Lexicon, before: &[Item]) -> (Option<Item>, usize) {
    let sym = |k: usize, c: char| tokens.get(k).is_some_and(|t| t.is(c));
    if lexicon.units {
        if let Some(q) = quantity_at(tokens, i) {
            let used = q.used;
            return (Some(Item::Quantity(q)), used);
        }
        let certain = before.last().is_some_and(|p| {
            p.has(Sense::HowMany)
                || p.has(Sense::HowMuch)
                || p.has(Sense::In)
                || p.has(Sense::Convert)
                || p.has(Sense::From)
        }) || after_to(tokens, i);
        let phrase = longest(tokens, i, lexicon).map_or(0, |(_, n)| n);
        if let Some(unit) = unit_at(tokens, i, certain).filter(|u| u.used >= phrase || certain)
            && token.word() != Some("in")
        {
            let used = unit.used;
            return (Some(Item::Unit(unit)), used);
        }
    }
    match &token.kind {
        Kind::Number(n) => {
            let percent_word = tokens
                .get(i + 1)
                .is_some_and(|_| WORDS.maths(&words_from(tokens, i + 1)).first().is_some_and(|(s, _)| *s == "%"));
            if sym(i + 1, '%') {
                return (Some(Item::Percent(n.clone())), 2);
            }
            if percent_word {
                let used = WORDS.maths(&words_from(tokens, i + 1)).first().map_or(1, |(_, n)| *n);
                return (Some(Item::Percent(n.clone())), 1 + used);
            }
            // `1/2` written without spaces is one number.
            let fraction = sym(i + 1, '/')
                && tokens.get(i + 1).is_some_and(|t| !t.spaced)
                && tokens.get(i + 2).is_some_and(|t| !t.spaced);
            if let Some(bottom) = tokens.get(i + 2).and_then(Token::number).filter(|_| fraction && !sym(i + 3, '/')) {
                return (Some(Item::Number(format!("{n}/{bottom}"))), 3);
            }
            (Some(Item::Number(n.clone())), 1)
        }
        Kind::Ordinal(n) => (Some(Item::Ordinal(*n)), 1),
        Kind::Date(d) => (Some(Item::Date(d.clone())), 1),
        Kind::Sym('-') => {
            let free = !matches!(before.last(), Some(Item::Number(_) | Item::Percent(_)));
            match tokens.get(i + 1) {
                Some(next) if free && !next.spaced => match next.number() {
                    Some(n) if lexicon.units => {
                        if let Some(mut q) = quantity_at(tokens, i + 1) {
                            q.text = format!("-{}", q.text);
                            q.number = format!("-{n}");
                            let used = q.used + 1;
                            return (Some(Item::Quantity(q)), used);
                        }
                        (Some(Item::Number(format!("-{n}"))), 2)
                    }
                    Some(n) => (Some(Item::Number(format!("-{n}"))), 2),
                    None => (Some(Item::Sym('-')), 1),
                },
                Some(_) | None => (Some(Item::Sym('-')), 1),
            }
        }
        Kind::Sym('?' | '.' | '!' | ':' | '"' | '\'' | ';') => (None, 1),
        Kind::Sym(c) => (Some(Item::Sym(*c)), 1),
        Kind::Word(w) => match longest(tokens, i, lexicon) {
            Some((senses, used)) => {
                let text = words_from(tokens, i).get(..used).unwrap_or_default().join(" ");
                (Some(Item::Phrase(senses, text)), used)
            }
            None => (Some(Item::Other(w.clone())), 1),
        },
    }
}

/// "to cm", "to the metre", "into feet": a place where only a unit can stand.
fn after_to(tokens: &[Token], i: usize) -> bool {
    i > 0
        && tokens
            .get(i - 1)
            .is_some_and(|t| matches!(t.word(), Some("to" | "into" | "in" | "as")) || t.is('=') || t.is('?'))
}

fn longest(tokens: &[Token], i: usize, lexicon: &Lexicon) -> Option<(Vec<Sense>, usize)> {
    let found: Vec<(Sense, usize)> =
        WORDS.senses(&words_from(tokens, i)).into_iter().filter(|(s, _)| lexicon.senses.contains(s)).collect();
    let length = found.iter().map(|(_, n)| *n).max()?;
    Some((found.into_iter().filter(|(_, n)| *n == length).map(|(s, _)| s).collect(), length))
}

/// The numbers of the row, in order.
pub(super) fn numbers(items: &[Item]) -> Vec<String> {
    items
        .iter()
        .filter_map(|i| match i {
            Item::Number(n) => Some(n.clone()),
            Item::Percent(_)
            | Item::Ordinal(_)
            | Item::Quantity(_)
            | Item::Unit(_)
            | Item::Date(_)
            | Item::Phrase(..)
            | Item::Sym(_)
            | Item::Other(_) => None,
        })
        .collect()
}

/// Whether some phrase of the row has the sense.
pub(super) fn has(items: &[Item], sense: Sense) -> bool {
    items.iter().any(|i| i.has(sense))
}

/// Whether the row holds words outside the lexicon, or symbols other than commas.
pub(super) fn unexplained(items: &[Item]) -> bool {
    items.iter().any(|i| match i {
        Item::Other(_) => true,
        Item::Sym(c) => *c != ',',
        Item::Number(_)
        | Item::Percent(_)
        | Item::Ordinal(_)
        | Item::Quantity(_)
        | Item::Unit(_)
        | Item::Date(_)
        | Item::Phrase(..) => false,
    })
}
