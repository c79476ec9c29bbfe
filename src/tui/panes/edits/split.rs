//! Hunks made finer, and which old line stands against which new one.

use crate::model::Hunk;
use crate::tui::lines::Lines;

/// Most pairs of lines that are compared to find out which belong together.
const MOST_PAIRS: usize = 2500;
/// Lines are compared by this many bytes.
const COMPARED: usize = 400;
/// Share of a line that must be equal for two lines to belong together.
const ALIKE: f64 = 0.4;

/// Takes a hunk apart: first into changes of lines that belong together, then into single lines. One piece where it cannot
/// be taken apart. All pieces together are the hunk.
pub(super) fn split(before: &Lines, after: &Lines, hunk: &Hunk) -> Vec<Hunk> {
    let groups = groups(before, after, hunk);
    if groups.len() > 1 {
        return groups;
    }
    let new = hunk.new.start;
    let gone = hunk.old.clone().map(|line| Hunk { old: line..line + 1, new: new..new });
    let come = hunk.new.clone().map(|line| Hunk { old: hunk.old.end..hunk.old.end, new: line..line + 1 });
    gone.chain(come).collect()
}

/// The old line against which each line of a hunk stands, in order; lines that stand against none come alone.
pub(super) fn pairs(before: &Lines, after: &Lines, hunk: &Hunk) -> Vec<(Option<usize>, Option<usize>)> {
    let mut pairs = Vec::with_capacity(hunk.old.len().max(hunk.new.len()));
    for group in groups(before, after, hunk) {
        for index in 0..group.old.len().max(group.new.len()) {
            pairs.push((group.old.clone().nth(index), group.new.clone().nth(index)));
        }
    }
    pairs
}

/// Runs of lines that belong together: single lines that are alike, and what lies between them.
fn groups(before: &Lines, after: &Lines, hunk: &Hunk) -> Vec<Hunk> {
    let (old, new) = (hunk.old.len(), hunk.new.len());
    if old == 0 || new == 0 || (old == 1 && new == 1) {
        return vec![hunk.clone()];
    }
    if old.saturating_mul(new) > MOST_PAIRS {
        return between(hunk.clone());
    }
    let mut groups = Vec::new();
    let mut at = (hunk.old.start, hunk.new.start);
    for (a, b) in alike(before, after, hunk) {
        groups.extend(between(Hunk { old: at.0..a, new: at.1..b }));
        groups.push(Hunk { old: a..a + 1, new: b..b + 1 });
        at = (a + 1, b + 1);
    }
    groups.extend(between(Hunk { old: at.0..hunk.old.end, new: at.1..hunk.new.end }));
    groups
}

/// Lines of which nothing is known: as many against as many, line by line; else all of them together.
fn between(hunk: Hunk) -> Vec<Hunk> {
    if hunk.old.is_empty() && hunk.new.is_empty() {
        return Vec::new();
    }
    if hunk.old.len() != hunk.new.len() {
        return vec![hunk];
    }
    hunk.old.zip(hunk.new).map(|(a, b)| Hunk { old: a..a + 1, new: b..b + 1 }).collect()
}

/// The lines that are most alike, in order: the pairs of greatest likeness together.
fn alike(before: &Lines, after: &Lines, hunk: &Hunk) -> Vec<(usize, usize)> {
    let (rows, columns) = (hunk.old.len(), hunk.new.len());
    let width = columns + 1;
    let likeness: Vec<f64> = hunk
        .old
        .clone()
        .flat_map(|a| hunk.new.clone().map(move |b| (a, b)))
        .map(|(a, b)| share(before.get(a), after.get(b)))
        .map(|share| if share >= ALIKE { share } else { 0.0 })
        .collect();
    let like = |a: usize, b: usize| likeness.get(a * columns + b).copied().unwrap_or(0.0);
    // The best that lines from here to the end can do.
    let mut best = vec![0.0f64; (rows + 1) * width];
    let of = |best: &[f64], a: usize, b: usize| best.get(a * width + b).copied().unwrap_or(0.0);
    for a in (0..rows).rev() {
        for b in (0..columns).rev() {
            let here = like(a, b);
            let both = if here > 0.0 { here + of(&best, a + 1, b + 1) } else { 0.0 };
            let value = both.max(of(&best, a + 1, b)).max(of(&best, a, b + 1));
            if let Some(place) = best.get_mut(a * width + b) {
                *place = value;
            }
        }
    }
    let (mut a, mut b, mut found) = (0, 0, Vec::new());
    while a < rows && b < columns {
        let value = of(&best, a, b);
        if value <= 0.0 {
            break;
        }
        let here = like(a, b);
        if here > 0.0 && here + of(&best, a + 1, b + 1) >= value {
            found.push((hunk.old.start + a, hunk.new.start + b));
            (a, b) = (a + 1, b + 1);
        } else if of(&best, a + 1, b) >= value {
            a += 1;
        } else {
            b += 1;
        }
    }
    found
}

/// Which share of two lines is the same at their beginnings and ends, without the space around them.
fn share(one: &str, other: &str) -> f64 {
    let bytes = |line: &'_ str| -> Vec<u8> { line.trim().bytes().take(COMPARED).collect() };
    let (one, other) = (bytes(one), bytes(other));
    let longest = one.len().max(other.len());
    if longest == 0 {
        return 1.0;
    }
    let first = one.iter().zip(&other).take_while(|(a, b)| a == b).count();
    let rest = one.len().min(other.len()) - first;
    let last = one.iter().rev().zip(other.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    (first + last) as f64 / longest as f64
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::model::{apply_hunks, hunks};

    fn lines(text: &str) -> Lines {
        Lines::new(&Arc::from(text))
    }

    #[test]
    fn a_hunk_comes_apart_into_what_belongs_together_and_then_into_lines() {
        let check = |before: &str, after: &str, first: &[&str], then: usize| {
            let (old, new) = (lines(before), lines(after));
            let whole = hunks(before, after, 1);
            assert_eq!(whole.len(), 1, "{before:?} {after:?}");
            let pieces = split(&old, &new, &whole[0]);
            let shown: Vec<String> = pieces.iter().map(|one| format!("{:?}>{:?}", one.old, one.new)).collect();
            assert_eq!(shown, first, "{before:?} {after:?}");
            assert_eq!(apply_hunks(before, after, &pieces), after);
            let single: Vec<Hunk> = pieces.iter().flat_map(|piece| split(&old, &new, piece)).collect();
            assert_eq!(single.len(), then);
            assert_eq!(apply_hunks(before, after, &single), after);
            assert_eq!(apply_hunks(before, after, &[]), before);
        };
        check("let one = 1\nlet two = 2\n", "let one = 10\nlet two = 20\n", &["0..1>0..1", "1..2>1..2"], 4);
        check("a = f(x)\n", "a = f(x, y)\nreturn a\nelse\n", &["0..1>0..1", "1..1>1..3"], 4);
        check("a\nb\n", "", &["0..1>0..0", "1..2>0..0"], 2);
        check("q\n", "z\n", &["0..1>0..0", "1..1>0..1"], 2);
        check("same start one\nxx\n", "yy\nzz\nsame start 1\nww\n", &["0..0>0..2", "0..1>2..3", "1..2>3..4"], 6);
    }

    #[test]
    fn a_single_line_stays_one() {
        let (old, new) = (lines("a\n"), lines("a\nb\n"));
        assert_eq!(split(&old, &new, &Hunk { old: 1..1, new: 1..2 }), [Hunk { old: 1..1, new: 1..2 }]);
    }

    #[test]
    fn old_and_new_lines_stand_against_each_other() {
        let (before, after) = ("a = f(x)\nb\nc\n", "a = f(y)\nq\n");
        let pairs = pairs(&lines(before), &lines(after), &Hunk { old: 0..3, new: 0..2 });
        assert_eq!(pairs, [(Some(0), Some(0)), (Some(1), Some(1)), (Some(2), None)]);
    }
}
