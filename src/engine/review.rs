//! Decisions on proposals, by hunk: the chosen subset goes through the gates again before it is applied.

use std::sync::Arc;

use crate::model::{
    Author, Change, Decision, Event, GateResult, Proposal, ProposalId, ProposalStatus, Revision, apply_hunks,
};

use super::gate::Gates;
use super::guard::may_accept_unasked;
use super::ports::{Library, PortError};
use super::session::{Session, SessionError};

/// How often the same edit may be accepted and reverted before it is let be.
const MOST_TIMES: u32 = 100;

/// Decides a proposal that waits in the library.
///
/// # Errors
/// When there is no such proposal, it was decided before, the base moved, a hunk number is unknown, or the chosen subset
/// does not pass the gates; nothing is changed then.
pub async fn decide(
    gates: &Gates<'_>,
    library: &dyn Library,
    id: &ProposalId,
    decision: &Decision,
) -> Result<(ProposalStatus, Option<Revision>), PortError> {
    let found = library.proposal(id)?;
    let Some((proposal, status)) = found else {
        return Err(PortError::new(format!("there is no proposal {id}")).hint("`mop programs review` lists them"));
    };
    if status != ProposalStatus::Open {
        return Err(PortError::new(format!("proposal {id} was decided before")).hint("`mop programs log` shows how"));
    }
    if decision.takes_nothing() {
        return library.decide(id, decision, Vec::new());
    }
    for change in &proposal.changes {
        if library.file(&change.path)? != change.before {
            let moved = format!("{} has changed since proposal {id} was made", change.path);
            return Err(PortError::new(moved).hint("reject it; the fault is proposed anew where it still shows"));
        }
    }
    let chosen = chosen(&proposal, decision)?;
    let whole = chosen.changes == proposal.changes;
    let (said, _) = gates.inspect(&chosen).await;
    if let Some((gate, result)) = said.iter().find(|(_, result)| matches!(result, GateResult::Failed(_))) {
        let part = if whole { "the proposal" } else { "the chosen hunks" };
        return Err(PortError::new(format!("{part} did not pass the {} gate: {}", gate.words(), result.why()))
            .hint("nothing was changed; choose other hunks, or reject it"));
    }
    let files = chosen.changes.iter().map(|change| (change.path.clone(), change.after.clone())).collect();
    library.decide(id, decision, files)
}

/// The proposal that only the chosen hunks make.
///
/// # Errors
/// When a hunk number does not exist.
pub fn chosen(proposal: &Proposal, decision: &Decision) -> Result<Proposal, PortError> {
    let count = proposal.hunk_count();
    if let Some(unknown) = decision.accept.iter().find(|number| **number == 0 || **number > count) {
        return Err(PortError::new(format!("there is no hunk {unknown}; the proposal has {count}")));
    }
    let mut number = 0;
    let mut changes = Vec::new();
    for change in &proposal.changes {
        let hunks = change.hunks();
        let taken: Vec<_> = hunks
            .iter()
            .filter(|_| {
                number += 1;
                decision.accept.contains(&number)
            })
            .cloned()
            .collect();
        let edited = decision.edited.iter().find(|(path, _)| *path == change.path).map(|(_, text)| text.clone());
        let after = match (edited, &change.before, &change.after) {
            (Some(text), ..) => Some(text),
            (None, Some(before), Some(after)) => Some(Arc::from(apply_hunks(before, after, &taken))),
            (None, before, after) => {
                if taken.is_empty() {
                    before.clone()
                } else {
                    after.clone()
                }
            }
        };
        if after != change.before {
            changes.push(Change { after, ..change.clone() });
        }
    }
    Ok(Proposal { changes, ..proposal.clone() })
}

impl Session {
    /// Takes a proposal through the gates and into the queue.
    pub(super) async fn raise(&mut self, mut proposal: Proposal) -> Result<(), SessionError> {
        let Some(id) = self.new_id(&proposal)? else { return Ok(()) };
        proposal.id = id.clone();
        let gates = Gates {
            runner: &*self.ports.runner.clone(),
            scorer: &*self.ports.scorer.clone(),
            network: &self.network.clone(),
        };
        let (said, trials) = gates.inspect(&proposal).await;
        proposal.evidence.trials = trials;
        self.emit(Event::ProposalRaised { proposal: Arc::new(proposal.clone()) }).await?;
        for (gate, result) in &said {
            self.emit(Event::GateProgress { id: id.clone(), gate: *gate, result: result.clone() }).await?;
        }
        proposal.gates = said;
        if proposal.failed() {
            let reason = proposal.gates.last().map(|(_, result)| result.why().to_owned()).unwrap_or_default();
            let decision =
                Decision { accept: Vec::new(), reason: reason.clone(), edited: Vec::new(), by: Author::Engine };
            let status = ProposalStatus::Rejected(reason);
            self.emit(Event::ProposalDecided { id, decision, status }).await?;
            return Ok(());
        }
        match self.ports.library.raise(&proposal) {
            Ok(true) => {}
            Ok(false) => return self.warn(known_before(&id)).await,
            Err(error) => return self.warn(format!("{}{error}", not_kept(&id))).await,
        }
        self.ports.journal.flush()?;
        if may_accept_unasked(&proposal, &self.state).is_ok() {
            let all = (1..=proposal.hunk_count()).collect();
            let reason = "accepted in advance by the approval setting".to_owned();
            self.decide(&id, Decision { accept: all, reason, edited: Vec::new(), by: Author::Human }).await?;
        }
        Ok(())
    }

    /// An id for a proposal, from what it proposes; none where the same waits for a decision or was turned down. One that was
    /// accepted and then reverted may come again.
    fn new_id(&self, proposal: &Proposal) -> Result<Option<ProposalId>, SessionError> {
        if let Some(playback) = &self.playback {
            return Ok(playback.raised_next());
        }
        let content = proposal.content();
        let short = content.as_str().get(..8).unwrap_or_default();
        let name = |n: u32| if n == 1 { format!("p-{short}") } else { format!("p-{short}-{n}") };
        for n in 1..=MOST_TIMES {
            let id = ProposalId::new(name(n));
            match self.ports.library.proposal(&id) {
                Ok(None) => return Ok(Some(id)),
                Ok(Some((_, ProposalStatus::Open | ProposalStatus::Rejected(_)))) => return Ok(None),
                // The id is taken: by one that was accepted, or by a file that cannot be read.
                Ok(Some((_, ProposalStatus::Accepted(_)))) | Err(_) => {}
            }
        }
        Ok(None)
    }

    /// Decides a proposal and lets the change act from the next cycle.
    pub(super) async fn decide(&mut self, id: &ProposalId, decision: Decision) -> Result<(), SessionError> {
        let gates = Gates {
            runner: &*self.ports.runner.clone(),
            scorer: &*self.ports.scorer.clone(),
            network: &self.network.clone(),
        };
        match decide(&gates, &*self.ports.library.clone(), id, &decision).await {
            Ok((status, _)) => {
                self.emit(Event::ProposalDecided { id: id.clone(), decision, status }).await?;
                self.pick_up_revisions().await
            }
            Err(error) => self.warn(in_full(error)).await,
        }
    }
    /// Takes the decision on a proposal back; what that undoes acts from the next cycle.
    pub(super) async fn reopen(&mut self, id: &ProposalId) -> Result<(), SessionError> {
        // What a gate turned down never came into the queue.
        if self.state.proposals.get(id).is_some_and(|(proposal, _)| proposal.failed()) {
            return self.warn(format!("a gate turned {id} down; that is no decision to take back")).await;
        }
        match self.ports.library.reopen(id, Author::Human) {
            Ok(_) => {
                self.emit(Event::ProposalReopened { id: id.clone(), by: Author::Human }).await?;
                self.pick_up_revisions().await
            }
            Err(error) => self.warn(in_full(error)).await,
        }
    }
}

/// What is said of a proposal that the library does not take.
pub(super) fn known_before(id: &ProposalId) -> String {
    format!("proposal {id} waits already, or was rejected before")
}

/// What stands before the reason why a proposal was not kept.
pub(super) fn not_kept(id: &ProposalId) -> String {
    format!("proposal {id} could not be kept: ")
}

/// A refusal with what to do next.
fn in_full(error: PortError) -> String {
    match error.hint {
        Some(hint) => format!("{}; {hint}", error.message),
        None => error.message,
    }
}
