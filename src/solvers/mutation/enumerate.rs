//! The lazy part: from candidates to texts that parse, each once, singles before pairs.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use ruff_python_parser::parse_module;

use super::candidate::Candidate;
use super::sites::{Sites, bytes};
use super::{Edit, Mutant};

/// How many candidates, from the likeliest, are combined in pairs.
const PAIRED: usize = 600;

/// Added to the cost of two edits in different functions: one mistake is rarely in two places.
const APART: u32 = 60;

/// Texts that may be tried and dropped for each one that may be yielded.
const PATIENCE: usize = 4;

/// The mutants of one script, in order; see [`super::mutants`].
#[derive(Debug)]
pub struct Mutants {
    source: String,
    /// Ranges of the statements at the top, so that only the edited one is parsed again.
    parts: Vec<Range<usize>>,
    /// Candidates by cost; those that proved invalid are emptied.
    candidates: Vec<Candidate>,
    next: usize,
    /// Pairs by summed cost; the last flag says that the surcharge of [`APART`] is already in.
    pairs: BinaryHeap<Reverse<(u32, usize, usize, bool)>>,
    seen: HashSet<u64>,
    left: usize,
    tries: usize,
}

impl Mutants {
    /// Makes the iterator of sorted candidates.
    pub(super) fn new(source: &str, sites: &Sites<'_>, candidates: Vec<Candidate>, bound: usize) -> Self {
        Self {
            source: source.to_owned(),
            parts: sites.body.iter().map(bytes).collect(),
            candidates,
            next: 0,
            pairs: BinaryHeap::new(),
            seen: HashSet::from([fingerprint(source)]),
            left: bound,
            tries: bound.saturating_mul(PATIENCE),
        }
    }

    /// Tries the next single edit; `None` when there is no more.
    fn single(&mut self) -> Option<Option<Mutant>> {
        let index = self.next;
        let candidate = self.candidates.get(index)?;
        self.next += 1;
        let mut edits = candidate.edits.clone();
        edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
        let (what, cost) = (candidate.what.clone(), candidate.cost);
        match self.make(&edits, true) {
            Made::Text(text) => Some(Some(Mutant { text, edits, what, cost })),
            // Neither is worth combining with others.
            Made::Again | Made::Broken => {
                if let Some(candidate) = self.candidates.get_mut(index) {
                    candidate.edits.clear();
                }
                Some(None)
            }
        }
    }

    /// Makes pairs of the valid candidates possible, once all singles were tried.
    fn begin_pairs(&mut self) {
        self.candidates.retain(|candidate| !candidate.edits.is_empty());
        self.candidates.truncate(PAIRED);
        self.next = usize::MAX;
        for index in 1..self.candidates.len() {
            self.push(index - 1, index);
        }
    }

    fn push(&mut self, one: usize, two: usize) {
        if let (Some(first), Some(second)) = (self.candidates.get(one), self.candidates.get(two)) {
            let cost = first.cost.saturating_add(second.cost);
            self.pairs.push(Reverse((cost, one, two, false)));
        }
    }

    /// Tries the next pair; `None` when there is no more.
    fn pair(&mut self) -> Option<Option<Mutant>> {
        let Reverse((cost, one, two, charged)) = self.pairs.pop()?;
        if !charged {
            self.push(one, two + 1);
        }
        let first = self.candidates.get(one)?;
        let second = self.candidates.get(two)?;
        let together = match (first.edits.first(), second.edits.first()) {
            (Some(a), Some(b)) => self.part(&a.range) == self.part(&b.range),
            _ => false,
        };
        if !together && !charged {
            self.pairs.push(Reverse((cost.saturating_add(APART), one, two, true)));
            return Some(None);
        }
        let mut edits: Vec<Edit> = first.edits.iter().chain(&second.edits).cloned().collect();
        edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
        let overlap = edits.windows(2).any(|pair| match pair {
            [a, b] => a.range.end > b.range.start || a.range.start == b.range.start,
            _ => false,
        });
        if overlap {
            return Some(None);
        }
        let what = format!("{}, and {}", first.what, second.what);
        match self.make(&edits, together) {
            Made::Text(text) => Some(Some(Mutant { text, edits, what, cost })),
            Made::Again | Made::Broken => Some(None),
        }
    }

    /// Applies sorted edits; `check` says whether the result must be parsed.
    fn make(&mut self, edits: &[Edit], check: bool) -> Made {
        let Some(text) = apply(&self.source, 0..self.source.len(), edits) else {
            return Made::Broken;
        };
        if !self.seen.insert(fingerprint(&text)) {
            return Made::Again;
        }
        if check && !self.still_parses(&text, edits) {
            return Made::Broken;
        }
        Made::Text(text)
    }

    /// Parses the statement at the top that holds all edits, or everything when none does.
    fn still_parses(&self, text: &str, edits: &[Edit]) -> bool {
        let (Some(first), Some(last)) = (edits.first(), edits.last()) else {
            return false;
        };
        let whole = self.part(&first.range).filter(|part| *part == self.part(&last.range).unwrap_or(usize::MAX));
        match whole.and_then(|part| self.parts.get(part)) {
            Some(part) => {
                apply(&self.source, part.clone(), edits).is_some_and(|fragment| parse_module(&fragment).is_ok())
            }
            None => parse_module(text).is_ok(),
        }
    }

    /// Returns the statement at the top that holds a range.
    fn part(&self, range: &Range<usize>) -> Option<usize> {
        let index = self.parts.partition_point(|part| part.start <= range.start).checked_sub(1)?;
        let part = self.parts.get(index)?;
        (range.start >= part.start && range.end <= part.end).then_some(index)
    }
}

impl Iterator for Mutants {
    type Item = Mutant;

    fn next(&mut self) -> Option<Mutant> {
        while self.left > 0 && self.tries > 0 {
            self.tries -= 1;
            let tried = if self.next == usize::MAX {
                self.pair()?
            } else if let Some(tried) = self.single() {
                tried
            } else {
                self.begin_pairs();
                continue;
            };
            if let Some(mutant) = tried {
                self.left -= 1;
                return Some(mutant);
            }
        }
        None
    }
}

/// What became of an attempt.
enum Made {
    /// A new text that parses.
    Text(String),
    /// A text that was there before.
    Again,
    /// No text, or one that does not parse.
    Broken,
}

/// Applies edits to a script, in whatever order they come; `None` if they overlap or leave it.
#[must_use]
pub fn apply_edits(source: &str, edits: &[(Range<usize>, String)]) -> Option<String> {
    let mut edits: Vec<Edit> = edits
        .iter()
        .map(|(range, replacement)| Edit {
            range: range.clone(),
            replacement: replacement.clone(),
            what: String::new(),
        })
        .collect();
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
    apply(source, 0..source.len(), &edits)
}

/// Applies sorted edits to a range of the source; `None` if they overlap or leave it.
fn apply(source: &str, within: Range<usize>, edits: &[Edit]) -> Option<String> {
    let added: usize = edits.iter().map(|edit| edit.replacement.len()).sum();
    let mut text = String::with_capacity(within.len() + added);
    let mut from = within.start;
    for edit in edits {
        text.push_str(source.get(from..edit.range.start)?);
        text.push_str(&edit.replacement);
        from = edit.range.end;
    }
    text.push_str(source.get(from..within.end)?);
    Some(text)
}

fn fingerprint(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
