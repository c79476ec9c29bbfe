//! Tells right answers from wrong ones. Pure: an answer, and what is known of it.

mod number;
mod same;
mod tex;
mod twenty_four;

use serde_json::Value;

use super::suite::{Check, Question};

/// How far two numbers that count as the same may be apart, as a part of the known one.
const TOLERANCE: f64 = 1e-6;

/// Why the answers to a question cannot be checked: one clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused(pub String);

/// Whether answers to a question can be checked at all.
///
/// # Errors
/// Where it has no known answer, or its check is not there.
pub fn can_check(question: &Question) -> Result<(), Refused> {
    let refuse = |why: &str| Err(Refused(why.to_owned()));
    let known = !question.answer.trim().is_empty();
    match question.check {
        Check::Exact | Check::Numeric if !known => refuse("it has no `answer` to compare with"),
        Check::Numeric if number::value(&question.answer).is_none() => {
            refuse("its `answer` has no number, and its check is numeric")
        }
        Check::Exact | Check::Numeric => Ok(()),
        Check::Tests => refuse("its check has to run code that an arm wrote, which this version does not do"),
        Check::Verifier => match kind(question) {
            Some("game24") => Ok(()),
            Some(other) => Err(Refused(format!("there is no verifier `{other}`"))),
            None if known => Ok(()),
            None => refuse("it has neither a verifier's `tests` nor an `answer`"),
        },
    }
}

/// Whether an answer is right.
///
/// A verifier that is not named compares with the known answer, so it never calls a wrong answer right, but may miss a right
/// one that is written another way.
#[must_use]
pub fn is_right(question: &Question, answer: &str) -> bool {
    let known = &question.answer;
    match question.check {
        Check::Numeric => {
            let tolerance = question.tests.get("rel_tol").and_then(Value::as_f64).unwrap_or(TOLERANCE);
            number::value(answer).zip(number::value(known)).is_some_and(|(a, b)| number::close(a, b, tolerance))
        }
        Check::Exact => same::same(answer, known, &question.text),
        Check::Tests => false,
        Check::Verifier => match kind(question) {
            Some(_) => twenty_four::makes_it(answer, &question.tests["numbers"]),
            None => same::same(answer, known, &question.text),
        },
    }
}

fn kind(question: &Question) -> Option<&str> {
    question.tests.get("kind").and_then(Value::as_str)
}

/// What follows the words that announce an answer, to the end of that line; none where nothing announces one.
fn announced(text: &str) -> Option<&str> {
    const WORDS: [&str; 5] = ["####", "answer is:", "answer is", "answer:", "answer ="];
    let lower = text.to_ascii_lowercase();
    let after = WORDS.iter().filter_map(|word| lower.rfind(word).map(|at| at + word.len())).max()?;
    let rest = text[after..].trim_start_matches([' ', '*', '\t']);
    let rest = if rest.trim_start().is_empty() { return None } else { rest.trim_start() };
    rest.lines().next()
}

#[cfg(test)]
mod tests;
