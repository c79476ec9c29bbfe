//! What a bench found, computed from its items alone.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::folder::FORMAT;
use super::item::Item;
use super::plan::Plan;
use super::stats::{Interval, mcnemar, mean_of_pairs, median, wilson};

/// How the numbers were reached, for people.
const METHOD: &str = "accuracy: mean over questions of the mean over seeds, with Wilson's 95 % interval for the number of \
    questions; no answer counts as wrong. Pairs: questions that both arms have finished; differences of means with the \
    percentile 95 % interval of a bootstrap over questions (10000 resamples, seed 1), p by McNemar's exact test.";
/// Seed of every bootstrap.
const SEED: u64 = 1;

/// A report: `report.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Version of this file.
    pub v: u32,
    /// What was asked.
    pub plan: Plan,
    /// How the numbers were reached.
    pub method: String,
    /// Whether everything is asked that the plan, or its shard, holds.
    pub whole: bool,
    /// Each arm over all suites.
    pub arms: Vec<ArmReport>,
    /// Each pair of arms over all suites.
    pub pairs: Vec<PairReport>,
    /// Arms and pairs by suite, where there are several.
    pub suites: BTreeMap<String, (Vec<ArmReport>, Vec<PairReport>)>,
}

/// Sum and middle of a number over the items of an arm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// Over all items.
    pub sum: f64,
    /// Of the items.
    pub median: f64,
}

/// What one arm did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ArmReport {
    /// The arm.
    pub arm: String,
    /// Finished items: questions times seeds.
    pub items: usize,
    /// Questions with at least one finished item.
    pub questions: usize,
    /// Part of the questions that it answered right, 0 to 1.
    pub accuracy: Interval,
    /// Items answered right.
    pub right: usize,
    /// Items answered wrong.
    pub wrong: usize,
    /// Items without an answer.
    pub unanswered: usize,
    /// Items that its own goal check passed, and of those the right ones.
    pub verified: (usize, usize),
    /// Tokens, in and out.
    pub tokens: Spread,
    /// Calls of models.
    pub calls: Spread,
    /// US dollars; none where a price is unknown.
    pub dollars: Option<Spread>,
    /// Cycles.
    pub cycles: Spread,
    /// Seconds from question to answer.
    pub seconds: Spread,
    /// Mean J after each cycle; an item that stopped earlier counts with its last J.
    pub j: Vec<f64>,
}

/// What one arm did beside another, on the questions that both have finished.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairReport {
    /// One arm.
    pub a: String,
    /// The other.
    pub b: String,
    /// Questions compared.
    pub questions: usize,
    /// Accuracy of the one less that of the other, −1 to 1.
    pub accuracy: Interval,
    /// Tokens a question of the one less those of the other.
    pub tokens: Interval,
    /// Calls a question of the one less those of the other.
    pub calls: Interval,
    /// Questions on which the one did better.
    pub wins: usize,
    /// Questions on which the other did better.
    pub losses: usize,
    /// Questions on which both did the same.
    pub ties: usize,
    /// McNemar's exact test of wins against losses.
    pub p: f64,
}

impl Report {
    /// Computes a report.
    #[must_use]
    pub fn of(plan: &Plan, items: &[Item]) -> Self {
        // Sums of fractions depend on their order, and items come in the order in which they were finished.
        let mut items: Vec<&Item> = items.iter().collect();
        items.sort_by_key(|item| item.key());
        let names: BTreeSet<&str> = items.iter().map(|item| item.suite.as_str()).collect();
        let of_suite = |name: &str| items.iter().filter(|item| item.suite == name).copied().collect::<Vec<_>>();
        let suites = names.iter().filter(|_| names.len() > 1);
        let suites = suites.map(|name| ((*name).to_owned(), both(plan, &of_suite(name)))).collect();
        let (arms, pairs) = both(plan, &items);
        let questions = plan.shard.map_or(plan.questions, |shard| shard.share(plan.questions));
        let whole = items.len() >= questions * plan.arms.len() * plan.seeds.len();
        Self { v: FORMAT, plan: plan.clone(), method: METHOD.to_owned(), whole, arms, pairs, suites }
    }
}

fn both(plan: &Plan, items: &[&Item]) -> (Vec<ArmReport>, Vec<PairReport>) {
    let names: Vec<&str> = plan.arms.iter().map(|arm| arm.name.as_str()).collect();
    let of_arm = |name: &str| items.iter().filter(|item| item.arm == name).copied().collect::<Vec<_>>();
    let arms = names.iter().map(|name| arm(name, &of_arm(name))).collect();
    let mut pairs = Vec::new();
    for (at, a) in names.iter().enumerate() {
        for b in &names[at + 1..] {
            pairs.push(pair((a, &of_arm(a)), (b, &of_arm(b))));
        }
    }
    (arms, pairs)
}

/// Means over the seeds of one question: right, tokens, calls.
type Means = [f64; 3];

fn by_question<'a>(items: &[&'a Item]) -> BTreeMap<&'a str, Means> {
    let mut sums: BTreeMap<&str, (Means, f64)> = BTreeMap::new();
    for item in items {
        let (sum, count) = sums.entry(item.id.as_str()).or_default();
        let values = [f64::from(u8::from(item.right)), item.tokens as f64, item.calls as f64];
        sum.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
        *count += 1.0;
    }
    sums.into_iter().map(|(id, (sum, count))| (id, sum.map(|sum| sum / count))).collect()
}

fn arm(name: &str, items: &[&Item]) -> ArmReport {
    let questions = by_question(items);
    let n = questions.len();
    let mean = questions.values().map(|means| means[0]).sum::<f64>() / n.max(1) as f64;
    let spread = |number: &dyn Fn(&Item) -> f64| {
        let numbers: Vec<f64> = items.iter().map(|item| number(item)).collect();
        Spread { sum: numbers.iter().sum(), median: median(numbers) }
    };
    let count = |which: &dyn Fn(&Item) -> bool| items.iter().filter(|item| which(item)).count();
    let known = items.iter().all(|item| item.dollars.is_some());
    ArmReport {
        arm: name.to_owned(),
        items: items.len(),
        questions: n,
        accuracy: wilson(mean, n),
        right: count(&|item| item.right),
        wrong: count(&|item| item.answered() && !item.right),
        unanswered: count(&|item| !item.answered()),
        verified: (count(&|item| item.verified), count(&|item| item.verified && item.right)),
        tokens: spread(&|item| item.tokens as f64),
        calls: spread(&|item| item.calls as f64),
        dollars: known.then(|| spread(&|item| item.dollars.unwrap_or_default())),
        cycles: spread(&|item| f64::from(item.cycles)),
        seconds: spread(&|item| item.millis as f64 / 1000.0),
        j: by_cycle(items),
    }
}

fn by_cycle(items: &[&Item]) -> Vec<f64> {
    let longest = items.iter().map(|item| item.js.len()).max().unwrap_or_default();
    let at = |cycle: usize| {
        let values = items.iter().filter_map(|item| item.js.get(cycle).or(item.js.last()));
        let (sum, count) = values.fold((0.0, 0.0), |(sum, count), j| (sum + j, count + 1.0));
        if count > 0.0 { sum / count } else { 0.0 }
    };
    (0..longest).map(at).collect()
}

fn pair((a, of_a): (&str, &[&Item]), (b, of_b): (&str, &[&Item])) -> PairReport {
    let (left, right) = (by_question(of_a), by_question(of_b));
    let both: Vec<Means> = left
        .iter()
        .filter_map(|(id, one)| right.get(id).map(|other| [0, 1, 2].map(|at| one[at] - other[at])))
        .collect();
    let interval = |at: usize| mean_of_pairs(&both.iter().map(|means| means[at]).collect::<Vec<_>>(), SEED);
    let wins = both.iter().filter(|means| means[0] > 0.0).count();
    let losses = both.iter().filter(|means| means[0] < 0.0).count();
    PairReport {
        a: a.to_owned(),
        b: b.to_owned(),
        questions: both.len(),
        accuracy: interval(0),
        tokens: interval(1),
        calls: interval(2),
        wins,
        losses,
        ties: both.len() - wins - losses,
        p: mcnemar(wins, losses),
    }
}
