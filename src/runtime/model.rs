//! Runs programs of kind `model`: a linear classifier over hashed character and word n-grams, its weights in the file.

use serde::Deserialize;
use serde_json::json;

use crate::engine::ports::{Activation, Offer, Output, RunError};
use crate::model::Section;

/// Characters of a text that are looked at.
const LONGEST: usize = 2_000;

/// `[model]` of a small model's file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Weights {
    /// Number of hash buckets.
    buckets: usize,
    /// Divides the integer weights.
    scale: f64,
    /// One row of `buckets` integer weights a class, in order of name.
    classes: std::collections::BTreeMap<String, Vec<i16>>,
    /// One integer weight a class.
    bias: std::collections::BTreeMap<String, i16>,
}

#[derive(Debug, Deserialize)]
struct File {
    model: Weights,
}

/// Features of a text: the hash buckets of its words and of the letter trigrams in them, of its signs of mathematics, and
/// of its shape (first word, length, how many numbers, a lone letter). All numbers are one number, so that no particular
/// one is learned.
#[must_use]
pub fn buckets(text: &str, count: usize) -> Vec<usize> {
    let plain: String = text
        .chars()
        .take(LONGEST)
        .flat_map(char::to_lowercase)
        .map(|c| if c.is_ascii_digit() { '0' } else { c })
        .collect();
    let number = |word: &str| word.chars().all(|c| c == '0');
    let words: Vec<&str> = plain
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(|word| if number(word) { "0" } else { word })
        .collect();
    let mut grams: Vec<String> = words.iter().map(|word| format!("w {word}")).collect();
    for word in words.iter().filter(|word| **word != "0") {
        let letters: Vec<char> = format!("^{word}$").chars().collect();
        grams.extend(letters.windows(3).map(|three| format!("c {}", three.iter().collect::<String>())));
    }
    grams.extend("=^+*/$%:()|,".chars().filter(|sign| plain.contains(*sign)).map(|sign| format!("y {sign}")));
    grams.push(format!("n {}", words.iter().filter(|word| **word == "0").count().min(5)));
    let lone = |word: &&&str| word.chars().count() == 1 && !matches!(**word, "0" | "a" | "i");
    grams.extend(words.iter().find(lone).map(|_| "letter".to_owned()));
    let length = [4, 7, 11, 16].iter().filter(|most| words.len() > **most).count();
    grams.push(format!("l {length}"));
    grams.extend(words.first().map(|word| format!("f {word}")));
    let mut found: Vec<usize> = grams.iter().map(|gram| fnv(gram) % count.max(1)).collect();
    found.sort_unstable();
    found.dedup();
    found
}

pub(super) fn fnv(text: &str) -> usize {
    let hash = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    usize::try_from(hash >> 20).unwrap_or(0)
}

/// The classes of a text with their probabilities, likeliest first; at least one.
///
/// # Errors
/// When the weights do not fit their own description.
pub(super) fn classify(path: &str, body: &str, text: &str) -> Result<Vec<(String, f64)>, RunError> {
    let file: File = toml::from_str(body)
        .map_err(|error| RunError::new(format!("{path}: the weights cannot be read: {}", error.message())))?;
    let weights = file.model;
    if weights.classes.is_empty() || weights.scale <= 0.0 {
        return Err(RunError::new(format!("{path}: there are no weights")));
    }
    if let Some((class, row)) = weights.classes.iter().find(|(_, row)| row.len() != weights.buckets) {
        let (is, want) = (row.len(), weights.buckets);
        return Err(RunError::new(format!("{path}: class {class} has {is} weights, not {want}")));
    }
    let found = buckets(text, weights.buckets);
    let norm = 1.0 / (found.len().max(1) as f64).sqrt();
    let mut scores: Vec<(String, f64)> = weights
        .classes
        .iter()
        .map(|(class, row)| {
            let bias = f64::from(weights.bias.get(class).copied().unwrap_or_default());
            let sum: f64 = found.iter().filter_map(|bucket| row.get(*bucket)).map(|weight| f64::from(*weight)).sum();
            (class.clone(), (bias + sum * norm) / weights.scale)
        })
        .collect();
    let top = scores.iter().map(|(_, score)| *score).fold(f64::NEG_INFINITY, f64::max);
    let total: f64 = scores.iter().map(|(_, score)| (score - top).exp()).sum();
    for (_, score) in &mut scores {
        *score = (*score - top).exp() / total;
    }
    scores.sort_by(|a, b| b.1.total_cmp(&a.1));
    Ok(scores)
}

/// Classifies the task's text; contributes the likeliest class, and the next two beside it.
///
/// # Errors
/// As [`classify`].
pub(super) fn run(activation: &Activation) -> Result<Output, RunError> {
    let program = &activation.program;
    let scores = classify(&program.path, &program.body, &activation.task.text)?;
    let (class, probability) = scores.first().cloned().unwrap_or_default();
    let data = json!({
        "class": class, "probability": (probability * 1e3).round() / 1e3,
        "all": scores.iter().take(3).map(|(class, p)| json!([class, (p * 1e3).round() / 1e3])).collect::<Vec<_>>(),
    });
    let text = format!("{class} ({:.0} %)", probability * 100.0);
    let offer = Offer { section: Section::new("pattern"), part: None, text, data, about: None };
    Ok(Output { offers: vec![offer], ..Output::default() })
}
