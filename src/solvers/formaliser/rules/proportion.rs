//! "If 3 pens cost $4.20, what do 7 pens cost?": three amounts, two of one kind, and what goes with the third.

use std::collections::BTreeSet;

use super::super::lex::{Kind, Token, words_from};
use super::super::units::quantity_at;
use super::super::words::{Sense, WORDS};
use super::{Read, money};
use crate::solvers::goal::{Form, Goal};
use crate::solvers::quantity::units::Dimension;

const SENSES: &[Sense] = &[
    Sense::Ask,
    Sense::Filler,
    Sense::HowMany,
    Sense::HowMuch,
    Sense::HowLong,
    Sense::HowFast,
    Sense::If,
    Sense::Is,
    Sense::For,
    Sense::In,
    Sense::Of,
    Sense::Cost,
    Sense::Work,
    Sense::By,
    Sense::Elapse,
];

#[derive(Clone, Debug)]
struct Amount {
    at: usize,
    used: usize,
    number: String,
    /// Unit text or noun; empty where the text leaves it out.
    thing: String,
    dimension: Option<Dimension>,
}

impl Amount {
    fn is(&self, base: &str) -> bool {
        self.dimension.as_ref().is_some_and(|d| d.base() == Some(base))
    }

    fn speed(&self) -> bool {
        crate::solvers::quantity::parse_unit("m/s").is_ok_and(|u| self.dimension.as_ref() == Some(&u.dimension))
    }

    fn agent(&self) -> bool {
        self.dimension.is_none() && WORDS.lists("agents", &self.thing)
    }

    fn matches(&self, other: &Self) -> bool {
        match (&self.dimension, &other.dimension) {
            (Some(a), Some(b)) => a == b,
            (None, None) => self.thing.is_empty() || other.thing.is_empty() || stem(&self.thing) == stem(&other.thing),
            (Some(_), None) | (None, Some(_)) => false,
        }
    }

    fn text(&self, noun: &str) -> String {
        let thing = if self.thing.is_empty() { noun } else { &self.thing };
        format!("{} {thing}", self.number).trim().to_owned()
    }
}

fn stem(word: &str) -> String {
    match word {
        "men" => "man".into(),
        "women" => "woman".into(),
        "people" | "persons" => "person".into(),
        w if w.ends_with("ies") => format!("{}y", w.trim_end_matches("ies")),
        w if w.ends_with("sses")
            || w.ends_with("xes")
            || w.ends_with("ches")
            || w.ends_with("shes")
            || w.ends_with("oes") =>
        {
            w.trim_end_matches("es").into()
        }
        w if w.ends_with('s') && !w.ends_with("ss") => w.trim_end_matches('s').into(),
        w => w.into(),
    }
}

pub(super) fn read(tokens: &[Token], form: &Form) -> Option<Vec<Read>> {
    let amounts = amounts(tokens)?;
    let [a, b, c] = amounts.as_slice() else {
        return None;
    };
    let wh = tokens.iter().enumerate().position(|(i, _)| {
        senses(tokens, i)
            .0
            .iter()
            .any(|s| matches!(s, Sense::HowMany | Sense::HowMuch | Sense::HowLong | Sense::HowFast | Sense::Ask))
    })?;
    let condition = tokens.iter().position(|t| {
        matches!(t.word(), Some("if" | "when" | "given" | "suppose" | "assuming" | "where" | "provided"))
    });
    let question_first = condition.is_some_and(|k| k > a.at) || (wh < a.at && condition.is_none_or(|k| k > wh));
    // The question is what stands before the condition, or after the two known amounts.
    let (known, ask, cut) =
        if question_first { ([b, c], a, condition?) } else { ([a, b], c, question_start(tokens, b)?) };
    let [first, second] = known;
    let (from, to) = match (ask.matches(first), ask.matches(second)) {
        (true, false) => (first, second),
        (false, true) => (second, first),
        // A bare number goes with things, not with measures.
        (true, true) if first.dimension.is_none() && second.dimension.is_none() => return None,
        (true, true) | (false, false) => return None,
    };
    let question = if question_first { 0..cut } else { cut..tokens.len() };
    if !asks_for(tokens, question.clone(), to) {
        return None;
    }
    let inverse = direction(tokens, from, to, ask, &question)?;
    if !explained(tokens, &amounts, &question, inverse) {
        return None;
    }
    let noun = if from.thing.is_empty() { &ask.thing } else { &from.thing };
    let mut read =
        Read::new(Goal::Proportion { from: from.text(noun), to: to.text(""), ask: ask.text(noun), inverse }, form);
    if to.dimension.is_some() {
        read.form = money(read.form, &to.thing);
    }
    Some(vec![read])
}

/// Where the question begins, after the second known amount.
fn question_start(tokens: &[Token], second: &Amount) -> Option<usize> {
    let from = second.at + second.used;
    let mark = (from..tokens.len())
        .find(|i| tokens.get(*i).is_some_and(|t| matches!(t.kind, Kind::Sym(',' | '.' | ';' | '?' | ':'))));
    let wh = (from..tokens.len()).find(|i| {
        senses(tokens, *i)
            .0
            .iter()
            .any(|s| matches!(s, Sense::HowMany | Sense::HowMuch | Sense::HowLong | Sense::HowFast | Sense::Ask))
    });
    match (mark, wh) {
        (Some(m), Some(w)) => Some(m.min(w)),
        (m, w) => m.or(w),
    }
}

fn senses(tokens: &[Token], i: usize) -> (Vec<Sense>, usize) {
    let found: Vec<(Sense, usize)> =
        WORDS.senses(&words_from(tokens, i)).into_iter().filter(|(s, _)| SENSES.contains(s)).collect();
    let length = found.iter().map(|(_, n)| *n).max().unwrap_or(0);
    (found.into_iter().filter(|(_, n)| *n == length).map(|(s, _)| s).collect(), length)
}

/// The numbers of the clause with their things; `None` for a percentage, a date or a looked-up word.
fn amounts(tokens: &[Token]) -> Option<Vec<Amount>> {
    let mut out: Vec<Amount> = Vec::new();
    let mut i = 0;
    while let Some(token) = tokens.get(i) {
        match quantity_at(tokens, i) {
            Some(q) if q.unclear.is_empty() && q.text == format!("{} {}", q.number, q.unit) => {
                out.push(Amount { at: i, used: q.used, number: q.number, thing: q.unit, dimension: q.dimension });
                i += q.used;
                continue;
            }
            Some(_) => return None,
            None => {}
        }
        match &token.kind {
            Kind::Number(n) => {
                let mut k = i + 1;
                while matches!(
                    tokens.get(k).and_then(Token::word),
                    Some("such" | "identical" | "similar" | "of" | "more" | "the" | "same" | "these" | "those")
                ) {
                    if matches!(tokens.get(k).and_then(Token::word), Some("more")) {
                        return None;
                    }
                    k += 1;
                }
                let noun = tokens.get(k).and_then(Token::word).filter(|w| noun(w));
                out.push(Amount {
                    at: i,
                    used: k + usize::from(noun.is_some()) - i,
                    number: n.clone(),
                    thing: noun.unwrap_or("").to_owned(),
                    dimension: None,
                });
                i = k + usize::from(noun.is_some());
            }
            Kind::Ordinal(_) | Kind::Date(_) | Kind::Sym('%' | '=' | '+' | '*' | '/' | '^' | '<' | '>') => return None,
            Kind::Word(_) | Kind::Sym(_) => i += 1,
        }
    }
    Some(out)
}

/// Whether a word after a number can be the thing counted: no word of the lexicon, unless it is an agent.
fn noun(word: &str) -> bool {
    let known = WORDS.senses(&[word]).iter().any(|(s, _)| SENSES.contains(s) || matches!(s, Sense::And));
    word.chars().count() > 2 && (!known || WORDS.lists("agents", word))
}

/// Whether the question asks for the kind of `to`.
fn asks_for(tokens: &[Token], question: std::ops::Range<usize>, to: &Amount) -> bool {
    let mut asked = false;
    for i in question {
        let (found, n) = senses(tokens, i);
        for sense in found {
            match sense {
                Sense::HowMany => {
                    let noun = tokens.get(i + n).and_then(Token::word).unwrap_or("");
                    let fits = match &to.dimension {
                        None => to.thing.is_empty() || stem(noun) == stem(&to.thing),
                        Some(d) => crate::solvers::quantity::parse_unit(noun).is_ok_and(|u| {
                            u.dimension == *d
                                && u == crate::solvers::quantity::parse_unit(&to.thing).unwrap_or(u.clone())
                        }),
                    };
                    if !fits {
                        return false;
                    }
                    asked = true;
                }
                Sense::HowLong if !to.is("time") => return false,
                Sense::HowFast if !to.is("length") => return false,
                Sense::HowMuch | Sense::HowLong | Sense::HowFast | Sense::Ask => asked = true,
                Sense::Filler
                | Sense::If
                | Sense::Is
                | Sense::For
                | Sense::In
                | Sense::Of
                | Sense::Cost
                | Sense::Work
                | Sense::By
                | Sense::Elapse => {}
                _ => return false,
            }
        }
    }
    asked
}

/// Whether more of one means less of the other; `None` where the text does not tell.
fn direction(
    tokens: &[Token],
    from: &Amount,
    to: &Amount,
    ask: &Amount,
    question: &std::ops::Range<usize>,
) -> Option<bool> {
    let team = |x: &Amount, y: &Amount| x.agent() && y.is("time");
    if team(from, to) || team(to, from) || ask.agent() && to.is("time") {
        return Some(true);
    }
    if (from.speed() && to.is("time")) || (to.speed() && from.is("time")) {
        return Some(true);
    }
    let money = |x: &Amount| x.dimension.as_ref().is_some_and(Dimension::is_money);
    let thing = |x: &Amount| x.dimension.is_none();
    if money(from) || money(to) || !(from.is("time") || to.is("time")) {
        return Some(false);
    }
    // Time and things: "6 cats eat the bag in 10 days" differs from "it takes 3 hours to paint 2 rooms". Things that
    // stand first do something and are not what is done.
    let counted = if thing(from) { from } else { to };
    if !thing(counted) {
        return Some(false);
    }
    let premise_start = if question.start == 0 { question.end } else { 0 };
    let leading = tokens
        .get(premise_start..counted.at)?
        .iter()
        .all(|t| matches!(t.word(), Some("if" | "when" | "given" | "that" | "suppose" | "the" | "assuming")));
    (!leading).then_some(false)
}

/// Whether every word is an amount, a phrase of the lexicon, said in premise and question alike, or introduced by an
/// article as what does or undergoes the work.
fn explained(tokens: &[Token], amounts: &[Amount], question: &std::ops::Range<usize>, inverse: bool) -> bool {
    let mut unknown: [BTreeSet<String>; 2] = [BTreeSet::new(), BTreeSet::new()];
    let mut introduced: BTreeSet<String> = BTreeSet::new();
    let mut stuff_named: BTreeSet<String> = BTreeSet::new();
    let mut i = 0;
    let mut previous: Vec<Sense> = Vec::new();
    let mut start = true;
    while let Some(token) = tokens.get(i) {
        if let Some(a) = amounts.iter().find(|a| a.at == i) {
            i += a.used;
            start = false;
            previous.clear();
            continue;
        }
        let side = usize::from(question.contains(&i));
        let (found, n) = senses(tokens, i);
        if n > 0 {
            let filler = found.iter().all(|s| *s == Sense::Filler);
            start = start && (filler || found.contains(&Sense::If));
            if !filler {
                previous = found;
            }
            i += n;
            continue;
        }
        match &token.kind {
            Kind::Word(w) => {
                let thing = amounts.iter().any(|a| !a.thing.is_empty() && stem(&a.thing) == stem(w));
                let article = i > 0
                    && matches!(tokens.get(i - 1).and_then(Token::word), Some("a" | "an" | "the" | "same" | "one"));
                let role = start || previous.contains(&Sense::Work) || previous.contains(&Sense::Cost);
                // "15 litres of petrol": the stuff need not be named again.
                let stuff = side == 0
                    && tokens.get(i.saturating_sub(1)).and_then(Token::word) == Some("of")
                    && amounts.iter().any(|a| a.dimension.is_some() && a.at + a.used + 1 == i);
                if stuff {
                    stuff_named.insert(stem(w));
                    start = false;
                    i += 1;
                    continue;
                }
                if article && start && side == 0 {
                    stuff_named.insert(stem(w));
                } else if article && role && side == 0 {
                    introduced.insert(stem(w));
                } else if !thing && let Some(set) = unknown.get_mut(side) {
                    set.insert(stem(w));
                }
                start = false;
            }
            Kind::Sym(',' | '.' | '?' | ';' | ':' | '!') => start = true,
            Kind::Sym(_) | Kind::Number(_) | Kind::Ordinal(_) | Kind::Date(_) => return false,
        }
        i += 1;
    }
    let [premise, asked] = unknown;
    let pronoun = tokens
        .get(question.clone())
        .is_some_and(|q| q.iter().any(|t| matches!(t.word(), Some("it" | "they" | "them" | "same" | "this" | "that"))));
    let again = |w: &String| {
        asked.contains(w)
            || tokens.get(question.clone()).is_some_and(|q| q.iter().any(|t| t.word().is_some_and(|x| stem(x) == *w)))
    };
    premise.iter().all(|w| asked.contains(w))
        && asked.iter().all(|w| premise.contains(w) || introduced.contains(w) || stuff_named.contains(w))
        && introduced.iter().all(|w| inverse || pronoun || again(w))
}
