//! Whether two texts give the same answer.

use super::super::formats::boxed;
use super::{TOLERANCE, announced, number, tex};

/// Whether an answer says what is known: as text, as a choice, as a truth, as a number or as a formula. `question` holds the
/// choices where there are any.
pub(super) fn same(answer: &str, known: &str, question: &str) -> bool {
    let answer = boxed(answer).unwrap_or_else(|| answer.to_owned());
    let wanted = normal(known);
    let said = announced(&answer);
    if normal(&answer) == wanted || said.is_some_and(|said| normal(said) == wanted) {
        return true;
    }
    let choices = choices(question);
    if let Some(letter) = letter(known).filter(|letter| choices.is_empty() || choices.iter().any(|(c, _)| c == letter))
    {
        return chosen(&answer, &choices) == Some(letter);
    }
    if let Some(truth) = truth(&wanted) {
        return asserted(said.unwrap_or(&answer)) == Some(truth);
    }
    let texts = [Some(answer.as_str()), said];
    let number = |known| {
        texts.into_iter().flatten().filter_map(number::alone).any(|found| number::close(found, known, TOLERANCE))
    };
    if number::alone(known).is_some_and(number) {
        return true;
    }
    known.contains(['\\', '^', '{', '$'])
        && texts.into_iter().flatten().any(|text| tex::normal(text) == tex::normal(known))
}

/// A text without case, quotes, emphasis, a full stop at its end, and more than one space at a time.
fn normal(text: &str) -> String {
    let bare = text.trim().trim_matches(['"', '\'', '“', '”', '`', '*', '$']).trim_end_matches('.').trim();
    let bare = bare.trim_matches(['"', '\'', '“', '”', '`', '*']);
    bare.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The letter of a choice: `B`, `(B)`, `b)`.
fn letter(text: &str) -> Option<char> {
    let bare = text.trim().trim_start_matches('(').trim_end_matches(['.', ')', ':']);
    let mut chars = bare.chars();
    match (chars.next(), chars.next()) {
        (Some(c), None) if c.is_ascii_alphabetic() => Some(c.to_ascii_uppercase()),
        _ => None,
    }
}

/// Choices as they stand in a question, one a line: `A) text` or `(A) text`.
fn choices(question: &str) -> Vec<(char, String)> {
    let read = |line: &str| {
        let bare = line.trim().trim_start_matches('(');
        let mut chars = bare.chars();
        let letter = chars.next().filter(char::is_ascii_uppercase)?;
        let rest = chars.as_str().strip_prefix(')').or_else(|| chars.as_str().strip_prefix(". "))?;
        Some((letter, normal(rest)))
    };
    let found: Vec<(char, String)> = question.lines().filter_map(read).collect();
    let counts = found.iter().zip('A'..='Z').all(|((letter, _), expected)| *letter == expected);
    if counts && found.len() > 1 { found } else { Vec::new() }
}

/// The letter that an answer chooses; none where it chooses none, or more than one.
fn chosen(answer: &str, choices: &[(char, String)]) -> Option<char> {
    let leading = |text: &str| {
        let bare = text.trim().trim_start_matches(['(', '*', '"', '`', '[']);
        let mut chars = bare.chars();
        let first = chars.next().filter(char::is_ascii_alphabetic)?;
        match chars.next() {
            None | Some(')' | '.' | ':' | ',' | '*' | '\n' | '"' | '`' | ']') => Some(first.to_ascii_uppercase()),
            // `A dog` begins with no choice, and neither does `i am`.
            Some(c) if c.is_whitespace() && first.is_ascii_uppercase() && !matches!(first, 'A' | 'I') => Some(first),
            Some(_) => None,
        }
    };
    let whole = |text: &str| {
        let said = normal(text);
        let mut of_text = choices.iter().filter(|(_, choice)| *choice == said);
        match (of_text.next(), of_text.next()) {
            (Some((letter, _)), None) => Some(*letter),
            _ => None,
        }
    };
    let texts = [announced(answer), Some(answer)];
    if let Some(found) = texts.into_iter().flatten().find_map(|text| whole(text).or_else(|| leading(text))) {
        return Some(found);
    }
    // `It must be (C), since …`
    let mut marked: Vec<char> = answer
        .match_indices('(')
        .filter_map(|(at, _)| {
            let mut chars = answer[at + 1..].chars();
            chars.next().filter(char::is_ascii_uppercase).filter(|_| chars.next() == Some(')'))
        })
        .collect();
    marked.dedup();
    match marked.as_slice() {
        [one] => Some(*one),
        _ => None,
    }
}

/// The truth that one word says.
fn truth(word: &str) -> Option<bool> {
    match word {
        "yes" | "true" | "valid" => Some(true),
        "no" | "false" | "invalid" => Some(false),
        _ => None,
    }
}

/// The truth that an answer asserts: its first word, else the only one that it has.
fn asserted(answer: &str) -> Option<bool> {
    let lower = answer.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    if let Some(first) = words.first().and_then(|word| truth(word)) {
        return Some(first);
    }
    let mut said: Vec<bool> = words.iter().filter_map(|word| truth(word)).collect();
    said.dedup();
    match said.as_slice() {
        [one] => Some(*one),
        _ => None,
    }
}
