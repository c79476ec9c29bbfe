//! Merges the tokens of a date, in every common spelling, into one.
//!
//! A date without a year takes the year of another date in the text. `8/9/2023` is left alone where day and month
//! could be exchanged: a guess would be wrong half of the time.

use super::lex::{Kind, Token, words_from};
use super::words::WORDS;

struct Found {
    day: u32,
    month: u8,
    year: Option<u32>,
    used: usize,
}

/// Replaces dates.
pub(super) fn merge(tokens: Vec<Token>) -> Vec<Token> {
    let mut found: Vec<(usize, Found)> = Vec::new();
    let mut i = 0;
    while i < tokens.len() {
        match at(&tokens, i) {
            Some(f) => {
                let used = f.used;
                found.push((i, f));
                i += used;
            }
            None => i += 1,
        }
    }
    let known: Vec<u32> = found.iter().filter_map(|(_, f)| f.year).collect();
    let shared = known.first().copied().filter(|y| known.iter().all(|k| k == y));
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len());
    let (mut i, mut next) = (0, found.into_iter().peekable());
    while let Some(token) = tokens.get(i) {
        let Some((_, f)) = next.next_if(|(at, _)| *at == i) else {
            out.push(token.clone());
            i += 1;
            continue;
        };
        let end = tokens.get(i + f.used - 1).map_or(token.end, |t| t.end);
        let iso = f.year.or(shared).map(|y| format!("{y:04}-{:02}-{:02}", f.month, f.day));
        match iso.filter(|d| crate::solvers::dates::parse_iso(d).is_ok()) {
            Some(iso) => {
                out.push(Token {
                    kind: Kind::Date(iso),
                    raw: token.raw.clone(),
                    start: token.start,
                    end,
                    spaced: token.spaced,
                });
                i += f.used;
            }
            None => {
                out.push(token.clone());
                i += 1;
            }
        }
    }
    out
}

/// Whether the text holds `8/9/2023`, which names two dates.
pub(super) fn ambiguous(tokens: &[Token]) -> Option<String> {
    (0..tokens.len()).find_map(|i| {
        let (a, b, year, _) = numeric(tokens, i, '/')?;
        (a <= 12 && b <= 12 && a != b).then(|| format!("{a}/{b}/{year} may name two dates; write the month as a word"))
    })
}

fn at(tokens: &[Token], i: usize) -> Option<Found> {
    iso(tokens, i)
        .or_else(|| slashed(tokens, i))
        .or_else(|| day_first(tokens, i))
        .or_else(|| month_first(tokens, i))
        .or_else(|| feast(tokens, i))
}

fn number(tokens: &[Token], i: usize) -> Option<u32> {
    let token = tokens.get(i)?;
    // `2,024` and words such as "nineteen" are no years or days of the month in digits.
    token.number().filter(|n| n.len() <= 4).and_then(|n| n.parse().ok())
}

fn year(tokens: &[Token], i: usize) -> Option<u32> {
    let token = tokens.get(i)?;
    let digits = token.raw.len() == 4 && token.raw.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| number(tokens, i)).flatten().filter(|y| (1..=9999).contains(y))
}

fn sym(tokens: &[Token], i: usize, c: char) -> usize {
    usize::from(tokens.get(i).is_some_and(|t| t.is(c)))
}

fn word(tokens: &[Token], i: usize) -> &str {
    tokens.get(i).and_then(Token::word).unwrap_or("")
}

/// `2023-09-08`, `2023/09/08`.
fn iso(tokens: &[Token], i: usize) -> Option<Found> {
    let y = year(tokens, i)?;
    let separator = ['-', '/', '.'].into_iter().find(|c| tokens.get(i + 1).is_some_and(|t| t.is(*c) && !t.spaced))?;
    let (m, d) = (tokens.get(i + 2)?, tokens.get(i + 4)?);
    let tight = !m.spaced && !d.spaced && tokens.get(i + 3)?.is(separator) && m.raw.len() == 2 && d.raw.len() == 2;
    let month = number(tokens, i + 2).filter(|m| (1..=12).contains(m))?;
    tight.then(|| {
        Some(Found { day: number(tokens, i + 4)?, month: u8::try_from(month).ok()?, year: Some(y), used: 5 })
    })?
}

fn numeric(tokens: &[Token], i: usize, separator: char) -> Option<(u32, u32, u32, usize)> {
    let (a, b, y) = (number(tokens, i)?, number(tokens, i + 2)?, year(tokens, i + 4)?);
    let tight = sym(tokens, i + 1, separator) + sym(tokens, i + 3, separator) == 2;
    let glued = (i + 1..i + 5).all(|k| tokens.get(k).is_some_and(|t| !t.spaced));
    (tight && glued && a > 0 && b > 0).then_some((a, b, y, 5))
}

/// `17/11/2023`, `11/17/2023`, `8.9.2023` (day first), `8.11.` inside one number is not a date.
fn slashed(tokens: &[Token], i: usize) -> Option<Found> {
    if let Some((a, b, y, used)) = numeric(tokens, i, '/').or_else(|| numeric(tokens, i, '-')) {
        let (day, month) = match (a > 12, b > 12) {
            (true, false) => (a, b),
            (false, true) => (b, a),
            (false, false) if a == b => (a, b),
            (false, false) | (true, true) => return None,
        };
        return Some(Found { day, month: u8::try_from(month).ok()?, year: Some(y), used });
    }
    // `8.9.2023` is lexed as the number 8.9, a stop and a number.
    let (day, month) = tokens.get(i)?.raw.split_once('.')?;
    let (stop, last) = (tokens.get(i + 1)?, tokens.get(i + 2)?);
    let month: u8 = month.parse().ok().filter(|m| (1..=12).contains(m))?;
    let tight = stop.is('.') && !stop.spaced && !last.spaced;
    tight.then(|| Some(Found { day: day.parse().ok()?, month, year: Some(year(tokens, i + 2)?), used: 3 }))?
}

fn day(tokens: &[Token], i: usize) -> Option<u32> {
    let n = match &tokens.get(i)?.kind {
        Kind::Ordinal(n) => *n,
        Kind::Number(n) => n.parse().ok()?,
        Kind::Word(_) | Kind::Sym(_) | Kind::Date(_) => return None,
    };
    (1..=31).contains(&n).then_some(n)
}

/// The year after a date: ", 2023", "in 2023", "of the year 2023", "-2023".
fn year_after(tokens: &[Token], start: usize) -> (Option<u32>, usize) {
    let mut i = start + sym(tokens, start, '.');
    i += sym(tokens, i, ',') + sym(tokens, i, '-');
    while matches!(word(tokens, i), "in" | "of" | "the" | "year") {
        i += 1;
    }
    match year(tokens, i) {
        Some(y) => (Some(y), i + 1),
        None => (None, start),
    }
}

/// `8 September 2023`, `the 8th of Sept., 2023`, `8-Sep-2023`.
fn day_first(tokens: &[Token], i: usize) -> Option<Found> {
    let day = day(tokens, i)?;
    let mut k = i + 1;
    k += sym(tokens, k, '-');
    k += usize::from(word(tokens, k) == "of");
    k += usize::from(word(tokens, k) == "the");
    let month = *WORDS.months.get(word(tokens, k))?;
    let (year, end) = year_after(tokens, k + 1);
    Some(Found { day, month, year, used: end - i })
}

/// `September 8, 2023`, `Sept. the 8th 2023`.
fn month_first(tokens: &[Token], i: usize) -> Option<Found> {
    let month = *WORDS.months.get(word(tokens, i))?;
    let mut k = i + 1;
    k += sym(tokens, k, '.');
    k += usize::from(word(tokens, k) == "the");
    let d = day(tokens, k)?;
    let (year, end) = year_after(tokens, k + 1);
    // "May 5" alone could be the verb; a capital tells the month.
    let capital = tokens.get(i)?.raw.chars().next().is_some_and(char::is_uppercase) || year.is_some();
    capital.then_some(Found { day: d, month, year, used: end - i })
}

fn feast(tokens: &[Token], i: usize) -> Option<Found> {
    let (text, length) = WORDS.feast(&words_from(tokens, i))?;
    let (month, day) = text.split_once('-')?;
    let (year, end) = year_after(tokens, i + length);
    Some(Found { day: day.parse().ok()?, month: month.parse().ok()?, year, used: end - i })
}

/// The single date that the text is, as `YYYY-MM-DD`.
///
/// # Errors
/// The text is not one date, or one that may name two days.
pub fn parse_date(text: &str) -> Result<String, String> {
    let tokens = super::lex::lex(text);
    if let Some(why) = ambiguous(&tokens) {
        return Err(why);
    }
    let tokens: Vec<Token> =
        merge(tokens).into_iter().filter(|t| !matches!(t.word(), Some("the" | "on")) && !t.is('.')).collect();
    match tokens.as_slice() {
        [Token { kind: Kind::Date(d), .. }] => Ok(d.clone()),
        _ => Err(format!("\"{}\" is not one date", text.chars().take(40).collect::<String>())),
    }
}
