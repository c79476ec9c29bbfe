//! Asks everything that is left, several questions at once, and keeps each as it is finished.

use std::cell::Cell;
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use futures::stream::{self, StreamExt};

use crate::engine::ports::{Clock, Journal};
use crate::store::Sessions;

use super::ask::{Arm, Asked, Nowhere, ask};
use super::folder::{BenchError, Folder};
use super::item::Item;
use super::suite::Question;

/// One question for one arm.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// The arm.
    pub arm: &'a Arm,
    /// The question.
    pub question: &'a Question,
    /// The seed.
    pub seed: u64,
}

/// How a bench is run.
pub struct Orders {
    /// Questions at once, at least 1.
    pub at_once: usize,
    /// Cap on the wall clock of a question.
    pub timeout: Option<Duration>,
    /// Where journals are kept; none keeps none.
    pub sessions: Option<Sessions>,
    /// Caps on the whole.
    pub caps: Caps,
    /// The time.
    pub clock: Arc<dyn Clock>,
}

/// Caps on a whole bench, what was finished before included; none means no cap.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Caps {
    /// Tokens, in and out.
    pub tokens: Option<u64>,
    /// US dollars.
    pub dollars: Option<f64>,
}

/// How a bench ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Everything is asked.
    Whole,
    /// A cap was reached: one clause.
    Capped(String),
    /// The provider failed: one clause.
    Failed(String),
}

/// What is left to ask, arm by arm for each question, so that whatever drifts meanwhile hits all arms alike. Which arm is
/// first changes from question to question.
#[must_use]
pub fn jobs<'a>(arms: &'a [Arm], questions: &'a [Question], seeds: &[u64], done: &[Item]) -> Vec<Job<'a>> {
    let known: HashSet<(&str, &str, u64)> = done.iter().map(Item::key).collect();
    let mut jobs = Vec::new();
    for (at, question) in questions.iter().enumerate() {
        for seed in seeds {
            for turn in 0..arms.len() {
                let arm = &arms[(at + turn) % arms.len()];
                if !known.contains(&(arm.name.as_str(), question.id.as_str(), *seed)) {
                    jobs.push(Job { arm, question, seed: *seed });
                }
            }
        }
    }
    jobs
}

/// Asks all jobs; finished ones are added to the folder, then to `done`, then shown. Dropping this loses only what is in
/// flight.
///
/// # Errors
/// When a file cannot be written, or a session cannot go on at all.
pub async fn run(
    jobs: &[Job<'_>],
    orders: &Orders,
    folder: &mut Folder,
    done: &mut Vec<Item>,
    shown: &mut dyn FnMut(&[Item]),
) -> Result<Ended, BenchError> {
    let mut spent = Spent::of(done);
    let stop = Cell::new(None);
    if let Some(why) = spent.over(&orders.caps).filter(|_| !jobs.is_empty()) {
        return Ok(Ended::Capped(why));
    }
    let stopped = || {
        let ended: Option<Ended> = stop.take();
        stop.set(ended.clone());
        ended
    };
    let mut results = stream::iter(jobs)
        .take_while(|_| std::future::ready(stopped().is_none()))
        .map(|job| one(*job, orders))
        .buffer_unordered(orders.at_once.max(1));
    while let Some(asked) = results.next().await {
        match asked? {
            Asked::Done(item) => {
                folder.add(&item)?;
                spent.add(item.tokens, item.dollars);
                done.push(*item);
                shown(done);
            }
            Asked::Unmeasured { fault, why, tokens, dollars } => {
                spent.add(tokens, dollars);
                let ended = if fault == "over-budget" { Ended::Capped(why) } else { Ended::Failed(why) };
                stop.set(stopped().or(Some(ended)));
            }
        }
        if let Some(why) = spent.over(&orders.caps) {
            stop.set(stopped().or(Some(Ended::Capped(why))));
        }
    }
    drop(results);
    // A cap that the last question reached keeps nothing from being asked.
    let known: HashSet<(&str, &str, u64)> = done.iter().map(Item::key).collect();
    let left = jobs.iter().any(|job| !known.contains(&(job.arm.name.as_str(), job.question.id.as_str(), job.seed)));
    Ok(stop.take().filter(|_| left).unwrap_or(Ended::Whole))
}

async fn one(job: Job<'_>, orders: &Orders) -> Result<Asked, BenchError> {
    let clock = orders.clock.clone();
    let now = clock.now();
    let (id, journal): (_, Box<dyn Journal>) = match &orders.sessions {
        Some(sessions) => {
            let id = sessions.new_id(now);
            let journal = sessions.create(&id).map_err(|error| {
                let error: crate::engine::ports::PortError = error.into();
                crate::engine::SessionError::from(error)
            })?;
            (id, Box::new(journal))
        }
        None => (crate::model::SessionId::new("none"), Box::new(Nowhere)),
    };
    ask(job.arm, job.question, job.seed, journal, id, clock, orders.timeout).await
}

/// What was spent so far.
#[derive(Clone, Copy, Debug, Default)]
struct Spent {
    tokens: u64,
    dollars: f64,
}

impl Spent {
    fn of(items: &[Item]) -> Self {
        let mut spent = Self::default();
        for item in items {
            spent.add(item.tokens, item.dollars);
        }
        spent
    }

    fn add(&mut self, tokens: u64, dollars: Option<f64>) {
        self.tokens = self.tokens.saturating_add(tokens);
        self.dollars += dollars.unwrap_or_default();
    }

    fn over(&self, caps: &Caps) -> Option<String> {
        if let Some(cap) = caps.tokens.filter(|cap| self.tokens >= *cap) {
            return Some(format!("{} of at most {cap} tokens are used", self.tokens));
        }
        let cap = caps.dollars.filter(|cap| self.dollars >= *cap)?;
        Some(format!("${:.4} of at most ${cap} are spent", self.dollars))
    }
}
