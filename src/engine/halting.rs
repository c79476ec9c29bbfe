//! When to stop (section 5.3, Algorithm 5): each rule with a reason of its own.

use crate::model::{Contract, Contribution, HaltReason, Network, Section, State, StopPolicy};

/// What the halting rules say after a cycle.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Go on.
    GoOn,
    /// Let an alternative try once before giving up.
    TryAlternative,
    /// Stop.
    Halt(HaltReason, String),
}

/// What goal-check said in the present cycle.
#[derive(Clone, Debug, PartialEq)]
pub enum GoalCheck {
    /// It did not run.
    Silent,
    /// Everything that was asked is there.
    Complete,
    /// Something is missing, of this sort.
    Missing(String),
}

/// Reads goal-check's word of this cycle from memory: an `assessment` with `complete`, or a `gap` with its `sort`.
#[must_use]
pub(super) fn goal_check(state: &State, network: &Network) -> GoalCheck {
    let cycle = state.cycle();
    let ran = state.running.iter().any(|run| run.contract == Contract::GoalCheck);
    if !ran {
        return GoalCheck::Silent;
    }
    let mut said = GoalCheck::Missing(String::new());
    for entry in state.memory.iter().rev().take_while(|entry| entry.cycle == cycle) {
        if !by_goal_check(entry, network) {
            continue;
        }
        if is_complete(entry, network) {
            return GoalCheck::Complete;
        }
        if entry.is(Section::GAP) {
            let sort = entry.data.get("sort").and_then(serde_json::Value::as_str).unwrap_or_default();
            said = GoalCheck::Missing(sort.to_owned());
        }
    }
    said
}

fn by_goal_check(entry: &Contribution, network: &Network) -> bool {
    let author = entry.author.program().and_then(|name| network.program(name));
    author.is_some_and(|program| program.contract() == Contract::GoalCheck)
}

/// Whether an entry is goal-check's word that nothing is missing.
pub(super) fn is_complete(entry: &Contribution, network: &Network) -> bool {
    entry.data.get("complete").and_then(serde_json::Value::as_bool) == Some(true) && by_goal_check(entry, network)
}

/// Applies the rules after a cycle; `passed` says whether goal-check has passed what is the incumbent now, and `now` is
/// milliseconds since 1970.
#[must_use]
pub fn check(state: &State, network: &Network, goal_check: &GoalCheck, passed: bool, now: u64) -> Verdict {
    let Some(episode) = state.episode.as_deref() else { return Verdict::GoOn };
    let halting = &network.halting;
    let cycle = state.cycle();
    let score = state.scores.last().map(|point| point.score.clone());
    match goal_check {
        GoalCheck::Complete => {
            if score.as_ref().is_some_and(|score| score.at_cap()) {
                let none = score.is_some_and(|score| score.parts.iter().all(|part| part.none));
                return if none {
                    Verdict::Halt(HaltReason::Impossible, "goal-check passed on a proof that there is no answer".into())
                } else {
                    Verdict::Halt(HaltReason::Converged, "goal-check passed and every part is at its cap".into())
                };
            }
            if halting.policy == StopPolicy::GoalCheckAlone {
                return Verdict::Halt(
                    HaltReason::Satisfied,
                    "goal-check passed, and this network asks for no more".into(),
                );
            }
        }
        GoalCheck::Missing(sort)
            if sort == "capability" && state.incumbent.is_some() && episode.query.parts.len() > 1 =>
        {
            return Verdict::Halt(
                HaltReason::Failed,
                "a part of the question needs a capability that is missing".into(),
            );
        }
        GoalCheck::Missing(sort) if sort == "capability" => {
            return Verdict::Halt(HaltReason::Unanswerable, "goal-check found that a capability is missing".into());
        }
        GoalCheck::Missing(_) | GoalCheck::Silent => {}
    }
    if let Some(over) = over_budget(state, network, episode.since, now) {
        return Verdict::Halt(HaltReason::Budget, over);
    }
    if episode.repeats > 0 {
        let who = state.running.last().map_or_else(String::new, |run| run.program.to_string());
        let why = format!("{who} saw the same and wrote the same again in cycle {cycle}");
        return Verdict::Halt(HaltReason::Repeating, why);
    }
    let idle = state.idle(halting.epsilon);
    if idle >= halting.k {
        if passed {
            let why = format!("goal-check passed, and {idle} drafting cycles brought no gain of {}", halting.epsilon);
            return Verdict::Halt(HaltReason::Converged, why);
        }
        let tried = episode.seen.iter().any(|(_, _, contract)| *contract == Contract::Alternative);
        let could = network.of_contract(Contract::Alternative).next().is_some();
        if could && !tried {
            return Verdict::TryAlternative;
        }
        let why = format!("{idle} drafting cycles brought no gain of {} or more", halting.epsilon);
        return Verdict::Halt(HaltReason::Stalled, why);
    }
    Verdict::GoOn
}

/// Which cap is reached, in words; none when the run may go on.
fn over_budget(state: &State, network: &Network, since: u64, now: u64) -> Option<String> {
    let budget = &state.budget;
    let cycles = budget.cycles.unwrap_or(network.limits.max_cycles);
    if state.cycle().0 >= cycles {
        return Some(format!("the cap of {cycles} cycles is reached"));
    }
    if let Some(cap) = budget.tokens.filter(|cap| state.usage.tokens >= *cap) {
        return Some(format!("the cap of {cap} tokens is reached"));
    }
    if let Some(cap) = budget.calls.filter(|cap| state.usage.calls >= *cap) {
        return Some(format!("the cap of {cap} model calls is reached"));
    }
    if let Some(cap) = budget.dollars.filter(|cap| state.usage.dollars.is_some_and(|used| used >= *cap)) {
        return Some(format!("the cap of ${cap} is reached"));
    }
    let spent = now.saturating_sub(since);
    budget.millis.filter(|cap| spent >= *cap).map(|cap| format!("the cap of {cap} ms is reached"))
}
