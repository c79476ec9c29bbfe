//! Plain English to exact goals.
//!
//! Text becomes tokens, tokens become clauses, and one rule a class of question reads a clause: it must account for
//! every word, or the clause stays unread. Where several questions are asked, the split with the fewest unread words
//! and then the fewest parts wins. A wrong reading is worse than none, so nothing is guessed.

mod dates;
mod form;
mod items;
mod lex;
mod maths;
mod numbers;
mod rules;
mod split;
#[cfg(test)]
mod tests;
mod traps;
mod units;
mod words;

pub use dates::parse_date;
pub use numbers::words_to_number;

use crate::solvers::goal::{Form, Goal, PartReading, Reading};
use lex::{Kind, Token};

/// Longest question that is read, in bytes.
const MAX_TEXT: usize = 8_000;

/// Reads a question.
///
/// Every part of the result is either a goal that accounts for all words of its text or `Unread`; never empty.
#[must_use]
pub fn read(text: &str) -> Reading {
    let whole = text.trim();
    if whole.is_empty() {
        return unread(text, "nothing is asked");
    }
    if whole.len() > MAX_TEXT {
        return unread(whole.get(..0).unwrap_or(""), "the question is longer than 8000 characters");
    }
    if let Some(why) = traps::trap(whole) {
        return unread(whole, &why);
    }
    let raw = lex::lex(whole);
    if let Some(why) = dates::ambiguous(&raw) {
        return unread(whole, &why);
    }
    let tokens = dates::merge(raw);
    let parts = split::parts(whole, &tokens);
    if parts.iter().any(|part| matches!(part.goal, Goal::Integer { .. }) && traps::mixes(&part.text)) {
        return unread(whole, "it asks for a divisor and a multiple at once");
    }
    if parts.is_empty() { unread(whole, "nothing is asked") } else { Reading { parts } }
}

fn unread(text: &str, understood: &str) -> Reading {
    Reading { parts: vec![unread_part(text, understood.to_owned())] }
}

fn unread_part(text: &str, understood: String) -> PartReading {
    PartReading { text: text.to_owned(), goal: Goal::Unread { understood }, form: Form::default(), unclear: Vec::new() }
}

/// Reads one clause: the form words are taken out first, unless the clause is only readable with them.
fn clause(tokens: &[Token]) -> Option<Vec<rules::Read>> {
    let (form, rest) = form::strip(tokens);
    rules::read(&rest, &form)
        .or_else(|| if rest.len() == tokens.len() { None } else { rules::read(tokens, &Form::default()) })
}

/// In one clause, what of the words could be made out.
fn understood(tokens: &[Token]) -> String {
    let today = tokens.iter().any(|t| matches!(t.word(), Some("today" | "tomorrow" | "yesterday")));
    let inequality = tokens.iter().any(|t| matches!(t.kind, Kind::Sym('<' | '>' | '≤' | '≥')));
    let numbers = tokens.iter().filter(|t| matches!(t.kind, Kind::Number(_))).count();
    let dates = tokens.iter().filter(|t| matches!(t.kind, Kind::Date(_))).count();
    let lookup =
        (0..tokens.len()).find_map(|i| words::WORDS.unclear(&lex::words_from(tokens, i)).map(|(w, _)| w.to_owned()));
    let mut found = Vec::new();
    if numbers > 0 {
        found.push(if numbers == 1 { "a number".to_owned() } else { format!("{numbers} numbers") });
    }
    if dates > 0 {
        found.push(if dates == 1 { "a date".to_owned() } else { format!("{dates} dates") });
    }
    if let Some(word) = lookup {
        found.push(format!("the word \"{word}\""));
    }
    let seen = if found.is_empty() {
        "no numbers, dates or equations were found".to_owned()
    } else {
        format!("it holds {}, but some of its words have no reading", found.join(", "))
    };
    if today {
        "the answer depends on the date of today, which is not given".into()
    } else if inequality {
        "it holds an inequality, and only equations are read".into()
    } else {
        seen
    }
}
