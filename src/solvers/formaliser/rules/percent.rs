//! Percentages: shares, changes, and the two inverse questions. The goal is a plain product.

use super::super::items::{Item, Lexicon, has, items, unexplained};
use super::super::lex::Token;
use super::super::words::Sense;
use super::{Read, money};
use crate::solvers::goal::{Form, Goal};

const LEXICON: Lexicon = Lexicon {
    senses: &[
        Sense::Ask,
        Sense::Filler,
        Sense::If,
        Sense::Is,
        Sense::Of,
        Sense::In,
        Sense::By,
        Sense::From,
        Sense::On,
        Sense::HowMuch,
        Sense::PercentOf,
        Sense::Increase,
        Sense::Decrease,
        Sense::What,
        Sense::Item,
        Sense::Add,
        Sense::Subtract,
        Sense::Convert,
        Sense::After,
        Sense::For,
    ],
    units: true,
};

struct Amount {
    at: usize,
    text: String,
    unit: Option<String>,
}

pub(super) fn read(tokens: &[Token], form: &Form) -> Option<Vec<Read>> {
    let items = without_wares(items(tokens, &LEXICON));
    if unexplained(&items) {
        return None;
    }
    let mut shares = Vec::new();
    let mut amounts: Vec<Amount> = Vec::new();
    for (at, item) in items.iter().enumerate() {
        match item {
            Item::Percent(p) => shares.push((at, p.clone())),
            Item::Number(n) => amounts.push(Amount {
                at,
                text: if n.contains('/') { format!("({n})") } else { n.clone() },
                unit: None,
            }),
            Item::Quantity(q) if q.unclear.is_empty() => {
                let text = if q.text.split(' ').count() > 2 { format!("({})", q.text) } else { q.text.clone() };
                amounts.push(Amount { at, text, unit: Some(q.unit.clone()) });
            }
            Item::Phrase(..) | Item::Sym(',') => {}
            Item::Quantity(_) | Item::Ordinal(_) | Item::Unit(_) | Item::Date(_) | Item::Sym(_) | Item::Other(_) => {
                return None;
            }
        }
    }
    let (expression, unit) = match (shares.as_slice(), amounts.as_slice()) {
        ([(at, p)], [a]) if !has(&items, Sense::PercentOf) => (one_share(&items, *at, p, a)?, a.unit.clone()),
        ([], [a, b]) => (ratio(&items, a, b)?, Some("%".to_owned())),
        _ => return None,
    };
    let mut read = Read::new(Goal::Evaluate { expression }, form);
    read.form.decimal = true;
    if let Some(unit) = unit {
        read.form = money(read.form, &unit);
    }
    Some(vec![read])
}

/// "a $19.99 shirt": what the money buys does not matter to the percentage.
fn without_wares(items: Vec<Item>) -> Vec<Item> {
    let money = |i: &Item| matches!(i, Item::Quantity(q) if q.dimension.as_ref().is_some_and(crate::solvers::quantity::Dimension::is_money));
    let mut out: Vec<Item> = Vec::new();
    for item in items {
        let ware = matches!(item, Item::Other(_)) && out.last().is_some_and(money);
        if !ware {
            out.push(item);
        }
    }
    out
}

fn before(items: &[Item], at: usize, sense: Sense) -> bool {
    at > 0 && items.get(at - 1).is_some_and(|i| i.has(sense))
}

fn after(items: &[Item], at: usize, sense: Sense) -> bool {
    items.get(at + 1).is_some_and(|i| i.has(sense))
}

/// One percentage and one amount.
fn one_share(items: &[Item], at: usize, p: &str, a: &Amount) -> Option<String> {
    let up = has(items, Sense::Increase) || has(items, Sense::Add);
    let down = has(items, Sense::Decrease) || has(items, Sense::Subtract);
    let (what, number) = (&a.text, p);
    match (up, down) {
        (true, true) => None,
        // "Increased by 15 % it is 92" asks backwards; only the forward question is read here.
        (true, false) | (false, true) if has(items, Sense::If) && has(items, Sense::Is) => None,
        (true, false) if whole_unknown(items, at, a) => None,
        // "Decrease 15 % by 200" changes a percentage; what that would mean is not for a guess.
        (true, false) | (false, true) if a.at > at && before(items, a.at, Sense::By) => None,
        (true, false) => Some(format!("{what}*(1 + {number}/100)")),
        (false, true) => {
            // "What is the discount of 20 % on 45" asks for the discount itself, not for what is left.
            let share_itself = items
                .iter()
                .any(|i| matches!(i, Item::Phrase(_, w) if w == "discount" || w == "reduction" || w == "markup"))
                && !has(items, Sense::HowMuch);
            (!share_itself).then(|| format!("{what}*(1 - {number}/100)"))
        }
        (false, false) => {
            if !after(items, at, Sense::Of) {
                return None;
            }
            if a.at == at + 2
                || items.get(at + 2..a.at).is_some_and(|between| between.iter().all(|i| i.has(Sense::Filler)))
            {
                return Some(format!("{number}/100*{what}"));
            }
            whole_unknown(items, at, a).then(|| format!("{what}/({number}/100)"))
        }
    }
}

/// "12 is 15 % of what (number)", "15 % of what is 12": the amount does not follow "of".
fn whole_unknown(items: &[Item], at: usize, a: &Amount) -> bool {
    let unknown = |i: &Item| {
        i.has(Sense::What)
            || i.has(Sense::Item)
            || matches!(i, Item::Phrase(_, w) if w == "what" || w == "which" || w == "what is" || w == "which is")
    };
    let rest = items.get(at + 2..).unwrap_or_default();
    let named = rest.iter().find(|i| !i.has(Sense::Filler)).is_some_and(unknown);
    let joined = has(items, Sense::Is)
        || items.iter().any(|i| matches!(i, Item::Phrase(_, w) if w == "what is" || w == "which is"));
    after(items, at, Sense::Of) && named && joined && (a.at < at || a.at > at + 2)
}

/// "What percent of 80 is 12", "12 as a percentage of 80", "percentage increase from 80 to 92".
fn ratio(items: &[Item], a: &Amount, b: &Amount) -> Option<String> {
    let same = a.unit == b.unit;
    let change = |up: bool| {
        if up {
            format!("({} - {})/{}*100", b.text, a.text, a.text)
        } else {
            format!("({} - {})/{}*100", a.text, b.text, a.text)
        }
    };
    let percent =
        has(items, Sense::PercentOf) || items.iter().any(|i| matches!(i, Item::Phrase(_, w) if w.contains("percent")));
    if !percent || !same && (a.unit.is_none() || b.unit.is_none()) {
        return None;
    }
    let (up, down) = (has(items, Sense::Increase), has(items, Sense::Decrease));
    if up != down {
        return before(items, a.at, Sense::From).then(|| change(up));
    }
    if up || has(items, Sense::Add) || has(items, Sense::Subtract) {
        return None;
    }
    let whole = |x: &Amount| {
        before(items, x.at, Sense::Of)
            || items
                .get(..x.at)
                .and_then(<[Item]>::last)
                .is_some_and(|i| matches!(i, Item::Phrase(_, w) if w.ends_with(" of")))
    };
    match (whole(a), whole(b)) {
        (true, false) => Some(format!("{}/{}*100", b.text, a.text)),
        (false, true) => Some(format!("{}/{}*100", a.text, b.text)),
        (true, true) | (false, false) => None,
    }
}
