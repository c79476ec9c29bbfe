//! Number words: "twenty-one", "two hundred and five", "three quarters", "two and a half"; ordinals; `3 1/2`.

use super::lex::{Kind, Token};
use super::words::WORDS;
use crate::solvers::quantity::rational;

/// Replaces runs of number words and mixed fractions by one number each.
pub(super) fn merge(tokens: Vec<Token>) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut i = 0;
    while let Some(token) = tokens.get(i) {
        let found = mixed(&tokens, i)
            .or_else(|| digits_and_scale(&tokens, i))
            .or_else(|| spelled(&tokens, i))
            .or_else(|| part(&tokens, i))
            .or_else(|| ordinal(&tokens, i));
        match found {
            Some((kind, used)) => {
                let end = tokens.get(i + used - 1).map_or(token.end, |t| t.end);
                out.push(Token { kind, raw: token.raw.clone(), start: token.start, end, spaced: token.spaced });
                i += used;
            }
            None => {
                out.push(token.clone());
                i += 1;
            }
        }
    }
    halves(out)
}

fn number_at(tokens: &[Token], i: usize) -> Option<&str> {
    tokens.get(i).and_then(Token::number)
}

fn word_at(tokens: &[Token], i: usize) -> &str {
    tokens.get(i).and_then(Token::word).unwrap_or("")
}

/// `3 1/2`, `3½`.
fn mixed(tokens: &[Token], i: usize) -> Option<(Kind, usize)> {
    let whole: u64 = number_at(tokens, i)?.parse().ok()?;
    if let Some(part) = number_at(tokens, i + 1).filter(|p| p.contains('/')) {
        let part = rational::parse(part).ok()?;
        let value = part + rational::Rational::from_integer(whole.into());
        return Some((Kind::Number(rational::exact(&value)), 2));
    }
    let top: u64 = number_at(tokens, i + 1)?.parse().ok()?;
    let bottom: u64 = number_at(tokens, i + 3)?.parse().ok()?;
    let slash = tokens.get(i + 2)?;
    let tight = slash.is('/') && !slash.spaced && !tokens.get(i + 3)?.spaced && tokens.get(i + 1)?.spaced;
    // After a power or product sign the whole number belongs to that, so nothing is merged.
    let free = i == 0 || !matches!(tokens.get(i - 1).map(|t| &t.kind), Some(Kind::Sym('/' | '^')));
    (tight && free && top < bottom && whole > 0).then(|| {
        let value = rational::Rational::new(top.into(), bottom.into()) + rational::Rational::from_integer(whole.into());
        (Kind::Number(rational::exact(&value)), 4)
    })
}

/// `2.5 million`.
fn digits_and_scale(tokens: &[Token], i: usize) -> Option<(Kind, usize)> {
    let value = rational::parse(number_at(tokens, i)?).ok()?;
    let scale = WORDS.scales.get(word_at(tokens, i + 1))?;
    let value = value * rational::Rational::from_integer((*scale).into());
    Some((Kind::Number(rational::natural(&value)), 2))
}

/// Cardinals of any length below 10^18.
fn spelled(tokens: &[Token], start: usize) -> Option<(Kind, usize)> {
    let (mut total, mut group, mut i) = (0u64, 0u64, start);
    let mut used = 0;
    let article = matches!(word_at(tokens, i), "a") && WORDS.scales.contains_key(word_at(tokens, i + 1));
    if article {
        group = 1;
        i += 1;
    }
    let mut last = if article { 100 } else { 0 };
    loop {
        let word = word_at(tokens, i);
        if let Some(n) = WORDS.numbers.get(word) {
            // "twenty one" continues, "two three" and "one twenty" do not.
            let continues = used == 0 || (last >= 100) || ((20..100).contains(&last) && *n < 10 && *n > 0);
            if !continues {
                break;
            }
            group += n;
            last = *n;
        } else if let Some(scale) = WORDS.scales.get(word).filter(|_| group > 0) {
            if *scale == 100 {
                group = group.checked_mul(100)?;
            } else {
                total = total.checked_add(group.checked_mul(*scale)?)?;
                group = 0;
            }
            last = *scale;
        } else if word == "and"
            && used > 0
            && last >= 100
            && WORDS.numbers.contains_key(word_at(tokens, i + 1))
            && used_scale(last)
        {
            i += 1;
            continue;
        } else {
            break;
        }
        i += 1;
        used = i - start;
    }
    (used > 0).then(|| total.checked_add(group)).flatten().and_then(|n| {
        let ordinal =
            WORDS.ordinals.get(word_at(tokens, start + used)).filter(|o| **o < 10 && (20..100).contains(&last));
        match ordinal {
            Some(o) => Some((Kind::Ordinal(u32::try_from(n).ok()?.checked_add(*o)?), used + 1)),
            None => match WORDS.parts.get(word_at(tokens, start + used)) {
                // "two thirds", but not "one second" or "the first third".
                Some(d) if used == 1 => Some((Kind::Number(format!("{n}/{d}")), used + 1)),
                Some(_) | None => Some((Kind::Number(n.to_string()), used)),
            },
        }
    })
}

fn used_scale(last: u64) -> bool {
    last >= 100
}

/// "a third of", "a quarter", "three-quarters" (the last is handled with the cardinals).
fn part(tokens: &[Token], i: usize) -> Option<(Kind, usize)> {
    let bottom = WORDS.parts.get(word_at(tokens, i + 1)).filter(|_| matches!(word_at(tokens, i), "a" | "one"))?;
    let of = matches!(word_at(tokens, i + 2), "of" | "a" | "an");
    of.then(|| (Kind::Number(format!("1/{bottom}")), 2))
}

fn ordinal(tokens: &[Token], i: usize) -> Option<(Kind, usize)> {
    let word = word_at(tokens, i);
    // "second" is far more often the unit, and "first" may begin "first prime above", so both need a month.
    let month = WORDS.months.contains_key(word_at(tokens, i + 1));
    let of_month = word_at(tokens, i + 1) == "of" && WORDS.months.contains_key(word_at(tokens, i + 2));
    if matches!(word, "first" | "second") && !month && !of_month {
        return None;
    }
    WORDS.ordinals.get(word).map(|n| (Kind::Ordinal(*n), 1))
}

/// "two and a half", "3 and a quarter"; "half a mile", "half an hour".
fn halves(tokens: Vec<Token>) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut i = 0;
    while let Some(token) = tokens.get(i) {
        let whole = token.number().and_then(|n| n.parse::<u64>().ok());
        let tail = (word_at(&tokens, i + 1), word_at(&tokens, i + 2), WORDS.parts.get(word_at(&tokens, i + 3)));
        match (whole, tail) {
            (Some(n), ("and", "a" | "one", Some(d))) => {
                let end = tokens.get(i + 3).map_or(token.end, |t| t.end);
                let value = rational::Rational::new(1.into(), (*d).into()) + rational::Rational::from_integer(n.into());
                out.push(Token { kind: Kind::Number(rational::exact(&value)), end, ..token.clone() });
                i += 4;
            }
            _ if token.word() == Some("half") && matches!(word_at(&tokens, i + 1), "a" | "an") => {
                let end = tokens.get(i + 1).map_or(token.end, |t| t.end);
                out.push(Token { kind: Kind::Number("1/2".into()), end, ..token.clone() });
                i += 2;
            }
            _ => {
                out.push(token.clone());
                i += 1;
            }
        }
    }
    out
}

/// The number that the words name, alone.
///
/// # Errors
/// The text is not one number.
pub fn words_to_number(text: &str) -> Result<String, String> {
    let tokens = super::lex::lex(text);
    let negative = tokens.first().is_some_and(|t| t.is('-') || matches!(t.word(), Some("minus" | "negative")));
    let rest = tokens.get(usize::from(negative)..).unwrap_or_default();
    match rest {
        [only] => match &only.kind {
            Kind::Number(n) => Ok(if negative { format!("-{n}") } else { n.clone() }),
            Kind::Ordinal(n) if !negative => Ok(n.to_string()),
            Kind::Ordinal(_) | Kind::Word(_) | Kind::Sym(_) | Kind::Date(_) => Err(not_number(text)),
        },
        _ => Err(not_number(text)),
    }
}

fn not_number(text: &str) -> String {
    format!("\"{}\" does not name one number", text.chars().take(40).collect::<String>())
}
