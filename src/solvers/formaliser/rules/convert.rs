//! "Convert 5 ft 7 in to cm", "how many minutes are there in a fortnight": one quantity and one unit.

use super::super::items::{Item, Lexicon, has, items, unexplained};
use super::super::lex::Token;
use super::super::words::Sense;
use super::{Read, money};
use crate::solvers::goal::{Form, Goal};

const LEXICON: Lexicon = Lexicon {
    senses: &[
        Sense::Ask,
        Sense::HowMany,
        Sense::HowMuch,
        Sense::HowLong,
        Sense::HowFast,
        Sense::Filler,
        Sense::If,
        Sense::Is,
        Sense::Of,
        Sense::In,
        Sense::From,
        Sense::Elapse,
        Sense::Convert,
    ],
    units: true,
};

pub(super) fn read(tokens: &[Token], form: &Form) -> Option<Vec<Read>> {
    // `10 kg = ? lb`
    let items: Vec<Item> = items(tokens, &LEXICON)
        .into_iter()
        .map(|i| if i == Item::Sym('=') { Item::Phrase(vec![Sense::Is, Sense::In], "=".into()) } else { i })
        .collect();
    if unexplained(&items) {
        return None;
    }
    let mut quantities = Vec::new();
    let mut units = Vec::new();
    let mut bare = Vec::new();
    for item in &items {
        match item {
            Item::Quantity(q) => quantities.push(q),
            Item::Unit(u) => units.push(u),
            Item::Number(n) => bare.push(n),
            Item::Phrase(..) | Item::Sym(_) => {}
            Item::Percent(_) | Item::Ordinal(_) | Item::Date(_) | Item::Other(_) => return None,
        }
    }
    let asked =
        [Sense::HowMany, Sense::HowMuch, Sense::Convert, Sense::In, Sense::HowLong].iter().any(|s| has(&items, *s))
            || tokens.iter().any(|t| t.word() == Some("to"));
    if !asked {
        return None;
    }
    let (text, from, unclear_from, to) = match (quantities.as_slice(), units.as_slice(), bare.as_slice()) {
        ([q], [u], []) => (q.text.clone(), q.dimension.clone(), q.unclear.clone(), *u),
        // "How many cm is 6 from feet": the number stands apart from its unit, which comes first.
        ([], [u, v], [n]) => (format!("{n} {}", u.text), u.dimension.clone(), u.unclear.iter().cloned().collect(), *v),
        // "Convert a dozen to pints" with both quantities counted by an article is not a conversion.
        _ => return None,
    };
    if let (Some(a), Some(b)) = (&from, &to.dimension)
        && a != b
        && !(calendar(a) && calendar(b))
    {
        return None;
    }
    let mut read = Read::new(Goal::Convert { quantity: text, to: to.text.clone() }, form);
    read.form = money(read.form, &to.text);
    read.unclear = unclear_from.into_iter().chain(to.unclear.clone()).collect();
    Some(vec![read])
}

fn calendar(d: &crate::solvers::quantity::Dimension) -> bool {
    d.is_calendar() || d.base() == Some("time")
}
