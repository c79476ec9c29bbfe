//! Puts looked-up meanings into a quantity: `3 fortnights` with fortnight = `14 days` is `42 days`.

use std::collections::BTreeMap;

use super::rational;
use super::{Rational, calculate};

/// Replaces defined words, together with the number before them, by their meaning.
///
/// A word alone (a target unit) becomes its meaning unchanged. Plurals in `s`/`es` of a defined word count as the word.
///
/// # Errors
/// A meaning that is not a quantity.
pub fn with_definitions(text: &str, definitions: &BTreeMap<String, String>) -> Result<String, String> {
    let mut out = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for (word, meaning) in definitions {
        for name in forms(word) {
            out = replaced(&out, &name, meaning)?;
        }
    }
    Ok(out)
}

fn forms(word: &str) -> Vec<String> {
    let word = word.trim().to_lowercase();
    let plural = match word.as_str() {
        w if w.ends_with('y') => format!("{}ies", w.trim_end_matches('y')),
        w if w.ends_with(['s', 'x', 'z']) || w.ends_with("ch") => format!("{w}es"),
        w => format!("{w}s"),
    };
    vec![plural, word]
}

fn replaced(text: &str, name: &str, meaning: &str) -> Result<String, String> {
    let words: Vec<&str> = text.split(' ').collect();
    let wanted: Vec<&str> = name.split(' ').collect();
    if wanted.iter().all(|w| w.is_empty()) {
        return Ok(text.to_owned());
    }
    let mut out: Vec<String> = Vec::new();
    let mut i = 0;
    while let Some(word) = words.get(i) {
        let here =
            words.get(i..i + wanted.len()).is_some_and(|w| w.iter().zip(&wanted).all(|(a, b)| a.to_lowercase() == *b));
        if !here {
            out.push((*word).to_owned());
            i += 1;
            continue;
        }
        i += wanted.len();
        let count = out.last().and_then(|n| rational::parse(n).ok());
        match count {
            None => out.push(meaning.to_owned()),
            Some(mut count) => {
                out.pop();
                // `3 1/2 fortnights`: the whole part stands one word earlier.
                if let Some(whole) = out.last().and_then(|n| rational::parse(n).ok()).filter(|_| !count.is_integer()) {
                    count += whole;
                    out.pop();
                }
                out.push(multiple(&count, meaning)?);
            }
        }
    }
    Ok(out.join(" "))
}

fn multiple(count: &Rational, meaning: &str) -> Result<String, String> {
    let one = calculate(meaning).map_err(|e| format!("the meaning \"{meaning}\" is not a quantity: {e}"))?;
    let value = rational::natural(&(one.value * count));
    Ok(if one.unit.text.is_empty() { value } else { format!("{value} {}", one.unit.text) })
}
