//! Trains the small models: softmax regression over the features of [`buckets`], the same for the same examples and seed.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::model::buckets;

/// Weights are kept as whole numbers of this fraction.
const SCALE: f64 = 16.0;
/// Step of the first epoch; the n-th takes `RATE / (1 + FADE * n)`.
const RATE: f64 = 1.0;
const FADE: f64 = 0.2;
/// The bias learns more slowly than the weights, so that words decide and not how many examples a class has.
const BIAS: f64 = 0.1;
/// Errors below this move nothing.
const SMALL: f64 = 1e-3;

/// Trains on `(text, class)` and gives the `[model]` part of a small model's file.
///
/// Plain stochastic gradient descent without momentum or penalty: the examples are few, and a class that needs more is
/// helped by more examples.
#[must_use]
pub fn train(examples: &[(String, String)], count: usize, epochs: usize, seed: u64) -> String {
    let classes: Vec<&str> =
        examples.iter().map(|(_, class)| class.as_str()).collect::<BTreeSet<_>>().into_iter().collect();
    let rows: Vec<(Vec<usize>, &str)> =
        examples.iter().map(|(text, class)| (buckets(text, count), class.as_str())).collect();
    let mut weights = vec![vec![0.0; count]; classes.len()];
    let mut bias = vec![0.0; classes.len()];
    let mut order: Vec<usize> = (0..rows.len()).collect();
    let mut dice = seed | 1;
    for epoch in 0..epochs {
        shuffle(&mut order, &mut dice);
        let rate = RATE / (1.0 + FADE * epoch as f64);
        for (found, class) in order.iter().filter_map(|at| rows.get(*at)) {
            let norm = 1.0 / (found.len().max(1) as f64).sqrt();
            let scores: Vec<f64> = weights
                .iter()
                .zip(&bias)
                .map(|(row, bias)| bias + norm * found.iter().filter_map(|bucket| row.get(*bucket)).sum::<f64>())
                .collect();
            let top = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let total: f64 = scores.iter().map(|score| (score - top).exp()).sum();
            for (((row, bias), score), name) in weights.iter_mut().zip(&mut bias).zip(&scores).zip(&classes) {
                let error = (score - top).exp() / total - if name == class { 1.0 } else { 0.0 };
                if error.abs() < SMALL {
                    continue;
                }
                *bias -= rate * BIAS * error;
                for bucket in found {
                    if let Some(weight) = row.get_mut(*bucket) {
                        *weight -= rate * norm * error;
                    }
                }
            }
        }
    }
    written(&classes, &weights, &bias, count)
}

/// Puts a row in an order that depends on the dice alone (xorshift).
fn shuffle(order: &mut [usize], dice: &mut u64) {
    for last in (1..order.len()).rev() {
        *dice ^= *dice << 13;
        *dice ^= *dice >> 7;
        *dice ^= *dice << 17;
        let other = usize::try_from(*dice % (last as u64 + 1)).unwrap_or(0);
        order.swap(last, other);
    }
}

fn written(classes: &[&str], weights: &[Vec<f64>], bias: &[f64], count: usize) -> String {
    let mut text = format!("[model]\nbuckets = {count}\nscale = {SCALE:.1}\n\n[model.bias]\n");
    for (class, bias) in classes.iter().zip(bias) {
        let _ = writeln!(text, "{class} = {}", whole(*bias));
    }
    text.push_str("\n[model.classes]\n");
    for (class, row) in classes.iter().zip(weights) {
        let row: Vec<String> = row.iter().map(|weight| whole(*weight).to_string()).collect();
        let _ = writeln!(text, "{class} = [{}]", row.join(","));
    }
    text
}

#[expect(clippy::cast_possible_truncation, reason = "weights are small, and the model's file holds 16 bits")]
fn whole(weight: f64) -> i16 {
    (weight * SCALE).round() as i16
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::model::{classify, fnv};
    use super::*;
    use crate::model::parse_program;

    const QUESTIONS: &str = include_str!("../../assets/questions.tsv");
    const COMMITTED: &str = include_str!("../../programs/symbolic/query-class.toml");

    type Examples = Vec<(String, String)>;

    /// `(text, class)` of those that are learned, and of the tenth that is held out, chosen by hash.
    fn examples() -> (Examples, Examples) {
        QUESTIONS
            .lines()
            .filter(|line| !line.starts_with('#'))
            .filter_map(|line| line.split_once('\t'))
            .map(|(class, text)| (text.to_owned(), class.to_owned()))
            .partition(|(text, _)| !fnv(&format!("held {text}")).is_multiple_of(10))
    }

    fn retrained() -> String {
        train(&examples().0, 900, 12, 7)
    }

    #[test]
    fn the_committed_weights_are_those_that_training_gives() {
        let (_, weights) = COMMITTED.split_once("[model]\n").unwrap();
        let trained = retrained();
        assert!(trained == format!("[model]\n{weights}"), "run the ignored test that writes them");
        assert!(COMMITTED.len() <= 60 << 10, "{} bytes", COMMITTED.len());
    }

    #[test]
    fn questions_that_were_held_out_are_told_apart() {
        let (learned, held) = examples();
        assert!(learned.len() + held.len() >= 400 && held.len() >= 40, "{} and {}", learned.len(), held.len());
        let program = parse_program("query-class.toml", COMMITTED).unwrap();
        let right = |text: &str| classify("query-class.toml", &Arc::clone(&program.body), text).unwrap().remove(0).0;
        let wrong: Vec<String> = held
            .iter()
            .map(|(text, class)| (text, class, right(text)))
            .filter(|(_, class, said)| *class != said)
            .map(|(text, class, said)| format!("{text}: {class}, not {said}"))
            .collect();
        let share = 1.0 - wrong.len() as f64 / held.len() as f64;
        assert!(share >= 0.85, "{share:.3} of {}:\n{}", held.len(), wrong.join("\n"));
    }

    #[test]
    #[ignore = "writes the weights into the tree"]
    fn write_the_weights() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/programs/symbolic/query-class.toml");
        let (head, _) = COMMITTED.split_once("[model]\n").unwrap();
        std::fs::write(path, format!("{head}{}", retrained())).unwrap();
    }
}
