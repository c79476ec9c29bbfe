//! "What comes next: 2, 4, 8, 16": the next terms of a sequence.

use super::super::items::{Item, Lexicon, has, items, unexplained};
use super::super::lex::Token;
use super::super::words::Sense;
use super::Read;
use crate::solvers::goal::{Form, Goal};

const LEXICON: Lexicon = Lexicon {
    senses: &[
        Sense::Ask,
        Sense::Filler,
        Sense::And,
        Sense::If,
        Sense::Is,
        Sense::Of,
        Sense::In,
        Sense::Next,
        Sense::Sequence,
        Sense::After,
        Sense::By,
        Sense::For,
        Sense::Date,
    ],
    units: false,
};

/// Most terms that are asked for at once.
const MOST_ASKED: usize = 20;

pub(super) fn read(tokens: &[Token], form: &Form) -> Option<Vec<Read>> {
    let all = items(tokens, &LEXICON);
    // "What comes after 1, 3, 6": three numbers in a row after these words can only be a sequence.
    if !has(&all, Sense::Next) && !has(&all, Sense::After) {
        return None;
    }
    let items: Vec<Item> = all.into_iter().filter(|i| !matches!(i, Item::Sym('_' | '…'))).collect();
    if unexplained(&items) {
        return None;
    }
    // The terms are the longest row of numbers separated by commas or "and"; one number more says how many are asked.
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut open = false;
    for item in &items {
        match item {
            Item::Number(n) => {
                match rows.last_mut() {
                    Some(row) if open => row.push(n.clone()),
                    Some(_) | None => rows.push(vec![n.clone()]),
                }
                open = true;
            }
            Item::Sym(',') => {}
            Item::Phrase(senses, _) if senses.contains(&Sense::And) => {}
            Item::Phrase(..) => open = false,
            Item::Percent(_)
            | Item::Ordinal(_)
            | Item::Quantity(_)
            | Item::Unit(_)
            | Item::Date(_)
            | Item::Sym(_)
            | Item::Other(_) => return None,
        }
    }
    let mut terms = rows.iter().max_by_key(|r| r.len())?.clone();
    // `100,200,300` looks like one grouped number.
    if terms.len() == 1 {
        let raw = tokens.iter().find(|t| t.number().is_some() && t.raw.contains(','))?;
        terms = raw.raw.split(',').map(|t| t.trim().to_owned()).collect();
    }
    let counts: Vec<&Vec<String>> = rows.iter().filter(|r| r.len() == 1 && terms.len() > 1).collect();
    let ask = match counts.as_slice() {
        [] => 1,
        [one] => one.first()?.parse().ok().filter(|n| (1..=MOST_ASKED).contains(n))?,
        _ => return None,
    };
    (terms.len() >= 3 && rows.len() <= 2).then(|| vec![Read::new(Goal::Sequence { terms, ask }, form)])
}
