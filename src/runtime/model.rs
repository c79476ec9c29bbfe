//! Runs programs of kind `model`: a linear classifier over hashed character and word n-grams, its weights in the file.

use serde::Deserialize;
use serde_json::json;

use crate::engine::ports::{Activation, Offer, Output, RunError};
use crate::model::Section;

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

/// Features of a text: which hash buckets its lower-cased words, word pairs and character trigrams fall into. Digits are
/// all one digit, so that no particular number is learned.
#[must_use]
pub fn buckets(text: &str, count: usize) -> Vec<usize> {
    let plain: String =
        text.to_lowercase().chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    let words: Vec<&str> = plain.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let mut grams: Vec<String> = words.iter().map(|word| format!("w {word}")).collect();
    grams.extend(words.windows(2).map(|pair| format!("p {} {}", pair[0], pair[1])));
    let letters: Vec<char> = plain.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(400).collect();
    grams.extend(letters.windows(3).map(|three| format!("c {}", three.iter().collect::<String>())));
    let mut found: Vec<usize> = grams.iter().map(|gram| fnv(gram) % count.max(1)).collect();
    found.sort_unstable();
    found.dedup();
    found
}

fn fnv(text: &str) -> usize {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    usize::try_from(hash >> 20).unwrap_or(0)
}

/// Classifies the task's text; contributes the classes with their probabilities, likeliest first.
///
/// # Errors
/// When the weights do not fit their own description.
pub(super) fn run(activation: &Activation) -> Result<Output, RunError> {
    let path = &activation.program.path;
    let file: File = toml::from_str(&activation.program.body)
        .map_err(|error| RunError::new(format!("{path}: the weights cannot be read: {}", error.message())))?;
    let weights = file.model;
    if weights.classes.is_empty() || weights.scale <= 0.0 {
        return Err(RunError::new(format!("{path}: there are no weights")));
    }
    if let Some((class, row)) = weights.classes.iter().find(|(_, row)| row.len() != weights.buckets) {
        let (is, want) = (row.len(), weights.buckets);
        return Err(RunError::new(format!("{path}: class {class} has {is} weights, not {want}")));
    }
    let found = buckets(&activation.task.text, weights.buckets);
    let norm = 1.0 / (found.len().max(1) as f64).sqrt();
    let mut scores: Vec<(String, f64)> = weights
        .classes
        .iter()
        .map(|(class, row)| {
            let bias = f64::from(weights.bias.get(class).copied().unwrap_or_default());
            let sum: f64 = found.iter().map(|bucket| f64::from(row[*bucket])).sum();
            (class.clone(), (bias + sum * norm) / weights.scale)
        })
        .collect();
    let top = scores.iter().map(|(_, score)| *score).fold(f64::NEG_INFINITY, f64::max);
    let total: f64 = scores.iter().map(|(_, score)| (score - top).exp()).sum();
    for (_, score) in &mut scores {
        *score = (*score - top).exp() / total;
    }
    scores.sort_by(|a, b| b.1.total_cmp(&a.1));
    let (class, probability) = scores.first().cloned().unwrap_or_default();
    let data = json!({
        "class": class, "probability": (probability * 1e3).round() / 1e3,
        "all": scores.iter().take(3).map(|(class, p)| json!([class, (p * 1e3).round() / 1e3])).collect::<Vec<_>>(),
    });
    let text = format!("{class} ({:.0} %)", probability * 100.0);
    let offer = Offer { section: Section::new("pattern"), part: None, text, data, about: None };
    Ok(Output { offers: vec![offer], ..Output::default() })
}
