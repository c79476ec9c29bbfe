//! The vocabulary: phrases and their senses, read once from `assets/words.toml`.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::LazyLock;

use serde::Deserialize;

/// What a phrase contributes to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Sense {
    Ask,
    HowMany,
    HowMuch,
    HowLong,
    HowFast,
    Filler,
    And,
    If,
    Is,
    Of,
    For,
    In,
    By,
    On,
    From,
    Until,
    Between,
    Elapse,
    After,
    Before,
    Add,
    Subtract,
    Count,
    Inclusive,
    Date,
    Today,
    Weekday,
    WhatDay,
    Convert,
    Solve,
    Roots,
    Simplify,
    Expand,
    Factor,
    Expression,
    PercentOf,
    Increase,
    Decrease,
    What,
    Item,
    Gcd,
    Lcm,
    Prime,
    PrimeFactors,
    Decompose,
    Divisors,
    NextPrime,
    Above,
    Below,
    Remainder,
    Divided,
    Whole,
    Common,
    List,
    Check,
    Next,
    Sequence,
    Cost,
    Work,
}

#[derive(Deserialize)]
struct File {
    numbers: HashMap<String, u64>,
    scales: HashMap<String, u64>,
    ordinals: HashMap<String, u32>,
    parts: HashMap<String, u32>,
    months: HashMap<String, u8>,
    feasts: HashMap<String, String>,
    senses: BTreeMap<Sense, Vec<String>>,
    maths: HashMap<String, Vec<String>>,
    lists: HashMap<String, Vec<String>>,
}

/// Phrases by their first word, each with what it stands for.
type Phrases<T> = HashMap<String, Vec<(Vec<String>, T)>>;

/// The vocabulary, indexed.
#[derive(Default)]
pub(super) struct Words {
    pub(super) numbers: HashMap<String, u64>,
    pub(super) scales: HashMap<String, u64>,
    pub(super) ordinals: HashMap<String, u32>,
    pub(super) parts: HashMap<String, u32>,
    pub(super) months: HashMap<String, u8>,
    pub(super) feasts: Phrases<String>,
    senses: Phrases<Sense>,
    maths: Phrases<String>,
    unclear: Phrases<String>,
    lists: HashMap<String, HashSet<String>>,
}

/// The vocabulary. An unreadable file leaves it empty; a test keeps that from happening.
pub(super) static WORDS: LazyLock<Words> =
    LazyLock::new(|| toml::from_str(include_str!("../../../assets/words.toml")).map(index).unwrap_or_default());

fn phrases<T>(entries: impl Iterator<Item = (String, T)>) -> Phrases<T> {
    let mut out: Phrases<T> = HashMap::new();
    for (phrase, value) in entries {
        let words: Vec<String> = phrase.split_whitespace().map(str::to_owned).collect();
        if let Some(first) = words.first().cloned() {
            out.entry(first).or_default().push((words, value));
        }
    }
    for list in out.values_mut() {
        list.sort_by_key(|(words, _)| std::cmp::Reverse(words.len()));
    }
    out
}

fn index(file: File) -> Words {
    let unclear = file.lists.get("unclear").cloned().unwrap_or_default();
    let with_plurals = unclear.iter().flat_map(|w| {
        let plural = match w.as_str() {
            "century" => "centuries".to_owned(),
            "millennium" => "millennia".to_owned(),
            w if w.ends_with(['s', 'x', 'h']) => format!("{w}es"),
            w => format!("{w}s"),
        };
        [(w.clone(), w.clone()), (plural, w.clone())]
    });
    Words {
        unclear: phrases(with_plurals),
        feasts: phrases(file.feasts.into_iter()),
        senses: phrases(file.senses.iter().flat_map(|(sense, list)| list.iter().map(|p| (p.clone(), *sense)))),
        maths: phrases(file.maths.iter().flat_map(|(sense, list)| list.iter().map(|p| (p.clone(), sense.clone())))),
        lists: file.lists.into_iter().map(|(k, v)| (k, v.into_iter().collect())).collect(),
        numbers: file.numbers,
        scales: file.scales,
        ordinals: file.ordinals,
        parts: file.parts,
        months: file.months,
    }
}

fn matches<'a, T>(phrases: &'a Phrases<T>, words: &[&str]) -> impl Iterator<Item = (&'a T, usize)> {
    let list = words.first().and_then(|w| phrases.get(*w));
    let here: Vec<(&'a T, usize)> = list
        .into_iter()
        .flatten()
        .filter(|(p, _)| words.len() >= p.len() && p.iter().zip(words).all(|(a, b)| a == b))
        .map(|(p, v)| (v, p.len()))
        .collect();
    here.into_iter()
}

impl Words {
    /// All senses of the phrases that start here, longest first, with their lengths.
    pub(super) fn senses(&self, words: &[&str]) -> Vec<(Sense, usize)> {
        matches(&self.senses, words).map(|(s, n)| (*s, n)).collect()
    }

    /// The mathematical phrases that start here, longest first.
    pub(super) fn maths(&self, words: &[&str]) -> Vec<(&str, usize)> {
        matches(&self.maths, words).map(|(s, n)| (s.as_str(), n)).collect()
    }

    /// The looked-up unit word that starts here: its singular and its length.
    pub(super) fn unclear(&self, words: &[&str]) -> Option<(&str, usize)> {
        matches(&self.unclear, words).map(|(s, n)| (s.as_str(), n)).next()
    }

    /// The feast that starts here: `MM-DD` and length.
    pub(super) fn feast(&self, words: &[&str]) -> Option<(&str, usize)> {
        matches(&self.feasts, words).map(|(s, n)| (s.as_str(), n)).next()
    }

    /// Whether a list of the vocabulary holds the word.
    pub(super) fn lists(&self, list: &str, word: &str) -> bool {
        self.lists.get(list).is_some_and(|l| l.contains(word))
    }
}
