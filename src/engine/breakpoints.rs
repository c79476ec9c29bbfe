//! Where a run stops by itself: breakpoints, evaluated at each gate over what happened since the last.

use std::sync::Arc;

use crate::model::{Breakpoint, Envelope, Event, Network, Pace, State, Strand};

use super::scope::scope;
use super::session::Session;

impl Session {
    /// The first breakpoint that is hit here, in words.
    pub(super) fn hit_breakpoint(&self) -> Option<String> {
        if self.state.pace == Pace::Paused {
            return None;
        }
        let hits = |breakpoint| hits(breakpoint, &self.state, &self.network, &self.since_gate);
        self.state.breakpoints.iter().find_map(hits)
    }
}

/// Whether a breakpoint is hit at a gate, and how, in words. `since` holds the events since the gate before. A client that
/// looks at the past asks the same of a record.
#[must_use]
pub fn hits(breakpoint: &Breakpoint, state: &State, network: &Arc<Network>, since: &[Arc<Envelope>]) -> Option<String> {
    let happened = |test: &dyn Fn(&Event) -> bool| since.iter().any(|envelope| test(&envelope.event));
    let next = |test: &dyn Fn(&crate::model::Program) -> bool| {
        state
            .route
            .iter()
            .flat_map(|route| &route.choices)
            .flat_map(|choice| &choice.chosen)
            .find(|name| network.program(name).is_some_and(|program| test(program)))
    };
    match breakpoint {
        Breakpoint::Program(name) => {
            next(&|program| program.name == *name).map(|name| format!("breakpoint: {name} is next"))
        }
        Breakpoint::Contract(contract) => next(&|program| program.contract() == *contract)
            .map(|name| format!("breakpoint: {name} ({contract}) is next")),
        Breakpoint::Cycle(cycle) => state
            .route
            .as_ref()
            .filter(|route| route.cycle == *cycle)
            .map(|_| format!("breakpoint: cycle {cycle} is next")),
        Breakpoint::Proposal => happened(&|event| matches!(event, Event::ProposalRaised { .. }))
            .then(|| "breakpoint: a proposal was raised".to_owned()),
        Breakpoint::Tool(tool) => {
            happened(&|event| matches!(event, Event::ToolCalled { tool: called, .. } if called == tool))
                .then(|| format!("breakpoint: {tool} was called"))
        }
        Breakpoint::Wrote(section) => {
            happened(&|event| matches!(event, Event::Contributed { contribution } if contribution.section == *section))
                .then(|| format!("breakpoint: a {section} was written"))
        }
        Breakpoint::DeltaBelow(limit) => scored(since, |delta, _| delta < *limit)
            .map(|(delta, _)| format!("breakpoint: J changed by {delta:+.3}, below {limit}")),
        Breakpoint::Above(limit) => scored(since, |delta, j| j > *limit && j - delta <= *limit)
            .map(|(_, j)| format!("breakpoint: J rose to {j:.3}, above {limit}")),
        Breakpoint::Entropy(limit) => state
            .route
            .iter()
            .flat_map(|route| &route.choices)
            .map(entropy)
            .find(|entropy| entropy > limit)
            .map(|entropy| format!("breakpoint: the choice has an entropy of {entropy:.2} nats")),
        Breakpoint::Failure => {
            happened(&|event| matches!(event, Event::Failed { .. })).then(|| "breakpoint: a program failed".to_owned())
        }
        Breakpoint::Spent(limit) => {
            state.usage.dollars.filter(|spent| spent > limit).map(|spent| format!("breakpoint: ${spent:.2} is spent"))
        }
        Breakpoint::Question => {
            happened(&|event| matches!(event, Event::Asked { .. })).then(|| "breakpoint: a program asks you".to_owned())
        }
        Breakpoint::When(expression) => {
            let strand = state.strands.front().cloned().unwrap_or_else(|| whole(state));
            let holds = expression.holds(&scope(state, network, &strand)).unwrap_or(false);
            holds.then(|| format!("breakpoint: {} holds", expression.source()))
        }
    }
}

/// The last score since the gate, where it meets a condition on its change and value.
fn scored(since: &[Arc<Envelope>], test: impl Fn(f64, f64) -> bool) -> Option<(f64, f64)> {
    since.iter().rev().find_map(|envelope| match &envelope.event {
        Event::Scored { score, delta, .. } => test(*delta, score.mean).then_some((*delta, score.mean)),
        _ => None,
    })
}

fn whole(state: &State) -> Strand {
    let query = state.episode.as_ref().map(|episode| episode.query.clone()).unwrap_or_default();
    Strand { task: query.whole(), last: None, parked: false }
}

/// Entropy of a choice in nats.
fn entropy(choice: &crate::model::Choice) -> f64 {
    choice.candidates.iter().map(|candidate| candidate.probability).filter(|p| *p > 0.0).map(|p| -p * p.ln()).sum()
}
