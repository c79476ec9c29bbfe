//! Questions about whole numbers: common divisors and multiples, primes, factors, remainders.

use super::super::items::{Item, Lexicon, has, items, numbers, unexplained};
use super::super::lex::Token;
use super::super::words::Sense;
use super::Read;
use crate::solvers::goal::{Form, Goal, IntegerOp};

macro_rules! lexicon {
    ($($sense:ident),*) => {
        Lexicon { senses: &[Sense::Ask, Sense::Filler, Sense::And, Sense::Is, Sense::Of, Sense::For, Sense::In, Sense::Whole, Sense::If, $(Sense::$sense),*], units: false }
    };
}

const GCD: Lexicon = lexicon!(Gcd, Between, Common);
const LCM: Lexicon = lexicon!(Lcm, Between, Common);
const BOTH: Lexicon = lexicon!(Gcd, Lcm, Between, Common);
const FACTORIZE: Lexicon = lexicon!(PrimeFactors, Decompose, List, Count);
const FACTOR_VERB: Lexicon = lexicon!(Factor, Decompose);
const DIVISORS: Lexicon = lexicon!(Divisors, List);
const NEXT: Lexicon = lexicon!(NextPrime, Above);
const RANGE: Lexicon = lexicon!(Prime, Between, From, Until, List, Below);
const PRIME: Lexicon = lexicon!(Prime, Check);
const NTH: Lexicon = lexicon!(Prime);
const REMAINDER: Lexicon = lexicon!(Remainder, Divided, By, From);

pub(super) fn read(tokens: &[Token], form: &Form) -> Option<Vec<Read>> {
    let one = |op, args| Some(vec![Read::new(Goal::Integer { op, args }, form)]);
    if let Some(args) = row(tokens, &GCD, &[Sense::Gcd], 2) {
        return one(IntegerOp::Gcd, args);
    }
    if let Some(args) = row(tokens, &LCM, &[Sense::Lcm], 2) {
        return one(IntegerOp::Lcm, args);
    }
    if let Some(args) = row(tokens, &BOTH, &[Sense::Gcd, Sense::Lcm], 2) {
        let first = items(tokens, &BOTH).iter().find_map(|i| {
            if i.has(Sense::Gcd) { Some(IntegerOp::Gcd) } else { i.has(Sense::Lcm).then_some(IntegerOp::Lcm) }
        })?;
        let second = if first == IntegerOp::Gcd { IntegerOp::Lcm } else { IntegerOp::Gcd };
        return Some(
            [first, second].into_iter().map(|op| Read::new(Goal::Integer { op, args: args.clone() }, form)).collect(),
        );
    }
    if let Some(args) = row(tokens, &FACTORIZE, &[Sense::PrimeFactors], 1)
        .or_else(|| row(tokens, &FACTOR_VERB, &[Sense::Factor], 1))
        .filter(|a| a.len() == 1)
    {
        // "3 prime factors of 360" would name two numbers, so one number is the whole question.
        return one(IntegerOp::Factorize, args);
    }
    if let Some(args) = row(tokens, &DIVISORS, &[Sense::Divisors], 1).filter(|a| a.len() == 1) {
        return one(IntegerOp::Divisors, args);
    }
    if let Some(args) = row(tokens, &NEXT, &[Sense::NextPrime], 1).filter(|a| a.len() == 1) {
        return has(&items(tokens, &NEXT), Sense::Above).then(|| one(IntegerOp::NextPrime, args))?;
    }
    if let Some(read) = range(tokens, form) {
        return Some(vec![read]);
    }
    if let Some(n) = nth(tokens) {
        return one(IntegerOp::NthPrime, vec![n]);
    }
    if let Some(args) = row(tokens, &PRIME, &[Sense::Prime], 1).filter(|a| a.len() == 1) {
        let asked =
            tokens.iter().any(|t| matches!(t.word(), Some("is" | "whether" | "if" | "check" | "test" | "prime")));
        let plain = !tokens.iter().any(|t| t.word() == Some("primes"));
        return (asked && plain).then(|| one(IntegerOp::IsPrime, args))?;
    }
    remainder(tokens, form)
}

/// The whole numbers of a clause that the lexicon explains, if all of `needed` occur.
fn row(tokens: &[Token], lexicon: &Lexicon, needed: &[Sense], least: usize) -> Option<Vec<String>> {
    // `gcd(84, 126)`, `{84, 126}`
    let items: Vec<Item> = items(tokens, lexicon)
        .into_iter()
        .filter(|i| !matches!(i, Item::Sym('(' | ')' | '{' | '}' | '[' | ']')))
        .collect();
    if unexplained(&items) || !needed.iter().all(|s| has(&items, *s)) {
        return None;
    }
    let mut plain = true;
    for item in &items {
        plain &= match item {
            Item::Number(_) | Item::Phrase(..) | Item::Sym(_) => true,
            Item::Percent(_)
            | Item::Ordinal(_)
            | Item::Quantity(_)
            | Item::Unit(_)
            | Item::Date(_)
            | Item::Other(_) => false,
        };
    }
    let mut args = numbers(&items);
    // "the gcd of the two numbers 84 and 126": a count that agrees with the rest is not an argument.
    let count = args.first().and_then(|n| n.parse::<usize>().ok());
    let counted = tokens
        .iter()
        .position(|t| t.number().is_some())
        .is_some_and(|i| tokens.get(i + 1).is_some_and(|t| matches!(t.word(), Some("numbers" | "integers"))));
    if counted && count == Some(args.len().saturating_sub(1)) {
        args.remove(0);
    }
    // `84,126` looks like one grouped number.
    if args.len() < least && args.len() == 1 {
        let raw = tokens.iter().find(|t| t.number().is_some())?;
        args = raw.raw.split(',').map(str::to_owned).collect();
    }
    let whole = args.iter().all(|a| crate::solvers::integers::parse(a).is_ok());
    (plain && whole && args.len() >= least).then_some(args)
}

/// "primes between 10 and 50", "primes up to 30", "primes below 30".
fn range(tokens: &[Token], form: &Form) -> Option<Read> {
    let args = row(tokens, &RANGE, &[Sense::Prime], 1)?;
    let items = items(tokens, &RANGE);
    let plural = tokens.iter().any(|t| matches!(t.word(), Some("primes" | "numbers")));
    let args = match (args.as_slice(), has(&items, Sense::Below)) {
        _ if !plural => return None,
        ([low, high], false)
            if has(&items, Sense::Between)
                || has(&items, Sense::From)
                || tokens.iter().any(|t| t.word() == Some("to")) =>
        {
            vec![low.clone(), high.clone()]
        }
        ([high], true) => {
            let including = tokens.iter().any(|t| matches!(t.word(), Some("up" | "exceeding" | "most")));
            let high = crate::solvers::integers::parse(high).ok()?;
            vec!["2".into(), (if including { high } else { high - 1 }).to_string()]
        }
        _ => return None,
    };
    Some(Read::new(Goal::Integer { op: IntegerOp::PrimesBetween, args }, form))
}

/// "the 10th prime".
fn nth(tokens: &[Token]) -> Option<String> {
    let items = items(tokens, &NTH);
    let ordinals: Vec<u32> =
        items.iter().filter_map(|i| if let Item::Ordinal(n) = i { Some(*n) } else { None }).collect();
    let plain = !unexplained(&items) && numbers(&items).is_empty() && has(&items, Sense::Prime);
    match ordinals.as_slice() {
        [n] if plain => Some(n.to_string()),
        _ => None,
    }
}

/// "remainder when 17 is divided by 5", "17 mod 5", "what is left over when you divide 17 by 5".
fn remainder(tokens: &[Token], form: &Form) -> Option<Vec<Read>> {
    let mut spelled = tokens.to_vec();
    // `17 % 5` with the sign between two numbers is the remainder.
    if let Some(i) = tokens.iter().position(|t| t.is('%')) {
        let number = |k: usize| tokens.get(k).is_some_and(|t| t.number().is_some());
        if i > 0
            && number(i - 1)
            && number(i + 1)
            && let Some(t) = spelled.get_mut(i)
        {
            t.kind = super::super::lex::Kind::Word("mod".into());
        }
    }
    let mut args = row(&spelled, &REMAINDER, &[Sense::Remainder], 2).filter(|a| a.len() == 2)?;
    let items = items(&spelled, &REMAINDER);
    let first = items.iter().position(|i| matches!(i, Item::Number(_)))?;
    let dividing = first
        .checked_sub(1)
        .and_then(|k| items.get(k))
        .is_some_and(|i| matches!(i, Item::Phrase(_, w) if w == "by" || w.ends_with("divided by")));
    let into =
        spelled.windows(2).any(|w| matches!(w, [a, b] if a.word() == Some("divided") && b.word() == Some("into")));
    let divided =
        has(&items, Sense::Divided) || spelled.iter().any(|t| matches!(t.word(), Some("mod" | "modulo" | "by")));
    if !divided {
        return None;
    }
    if dividing != into {
        args.reverse();
    }
    Some(vec![Read::new(Goal::Integer { op: IntegerOp::Remainder, args }, form)])
}
