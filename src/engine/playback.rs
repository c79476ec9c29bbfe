//! The world as a record holds it: journal, clock and library of a replay, and the commands that the user gave.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::model::{
    Author, CallRecord, Command, Decision, Envelope, Event, Network, Pins, Proposal, ProposalId, ProposalStatus, Query,
    Revision, RevisionId, State, Usage,
};

use super::ports::{Clock, Journal, Library, Near, PortError, Recall, Solved};
use super::remember::WITHOUT;
use super::replay::{Record, whole_steps};
use super::review::{known_before, not_kept};

/// A record that is played back.
#[derive(Debug)]
pub struct Playback {
    events: Vec<Arc<Envelope>>,
    record: Record,
    at: AtomicUsize,
    network: Mutex<Arc<Network>>,
    replayed: Mutex<Vec<Arc<Envelope>>>,
}

impl Playback {
    /// Prepares the record of a session; `network` is the network as it was at the session's start. A step that was cut off
    /// at the end is no part of it.
    #[must_use]
    pub fn new(events: &[Arc<Envelope>], network: Arc<Network>) -> Arc<Self> {
        let mut state = State::default();
        for envelope in events {
            state.apply(envelope);
        }
        let end = state.last_boundary().filter(|_| state.is_mid_step()).unwrap_or(state.seq);
        let upto = events.partition_point(|envelope| envelope.seq <= end);
        Arc::new(Self {
            events: whole_steps(&events[..upto]),
            record: Record::of(events),
            at: AtomicUsize::new(0),
            network: Mutex::new(network),
            replayed: Mutex::default(),
        })
    }

    /// What the session depended on and was opened with; none where the record is empty.
    #[must_use]
    pub fn opening(&self) -> Option<(Pins, Option<Query>)> {
        match &self.events.first()?.event {
            Event::SessionStarted { pins, query } => Some(((**pins).clone(), query.as_deref().cloned())),
            _ => None,
        }
    }

    /// The events of the record that a replay must give again.
    #[must_use]
    pub fn recorded(&self) -> &[Arc<Envelope>] {
        &self.events
    }

    /// The events that the replay gave.
    #[must_use]
    pub fn replayed(&self) -> Vec<Arc<Envelope>> {
        self.replayed.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The recorded answers to one activation's calls.
    pub(super) fn calls_of(&self, activation: crate::model::ActivationId) -> Arc<Vec<CallRecord>> {
        self.record.calls_of(activation)
    }

    fn next(&self) -> Option<&Event> {
        self.events.get(self.at.load(Ordering::Acquire)).map(|envelope| &envelope.event)
    }

    /// Whether the record holds a backward pass here.
    pub(super) fn goes_backward(&self) -> bool {
        matches!(self.next(), Some(Event::Activated { .. } | Event::Warned { .. }))
    }

    /// What the user did here, as a command; `Shutdown` at the end of the record.
    pub(super) fn command(&self) -> Option<Command> {
        let Some(next) = self.next() else { return Some(Command::Shutdown) };
        match next {
            Event::EpisodeStarted { query, number } if *number > 1 => {
                Some(Command::Start { query: Query { parts: Vec::new(), ..(**query).clone() } })
            }
            Event::Said { text } => Some(Command::Say { text: text.clone() }),
            Event::Routed { choices, .. } => {
                let choice = choices.iter().find(|choice| choice.overridden)?;
                let program = choice.chosen.first()?.clone();
                Some(Command::Route { task: choice.task.id, program })
            }
            Event::MemoryEdited { contribution, .. } => Some(Command::EditMemory {
                supersedes: contribution.supersedes.first().copied(),
                section: contribution.section.clone(),
                part: contribution.part,
                text: contribution.text.clone(),
                data: contribution.data.clone(),
            }),
            Event::BreakpointsSet { breakpoints } => Some(Command::Breakpoints((**breakpoints).clone())),
            Event::WatchesSet { watches } => Some(Command::Watches((**watches).clone())),
            Event::ApprovalSet { approval } => Some(Command::SetApproval(*approval)),
            Event::BudgetSet { budget } => Some(Command::SetBudget((**budget).clone())),
            Event::Noted { text, .. } => Some(Command::Note(text.clone())),
            Event::Rated { rating } => Some(Command::Rate(*rating)),
            Event::Answered { id, text } => Some(Command::Answer { id: *id, text: text.clone() }),
            Event::Permission { permission } => {
                permission.granted.map(|granted| Command::Permit { id: permission.id, granted })
            }
            Event::ProposalDecided { id, decision, .. } if decision.by == Author::Human => {
                Some(Command::Decide { id: id.clone(), decision: decision.clone() })
            }
            Event::ProposalReopened { id, .. } => Some(Command::Reopen { id: id.clone() }),
            Event::ProposalRaised { proposal } if proposal.author == Author::Human => {
                Some(Command::Propose { title: proposal.title.clone(), changes: proposal.changes.clone() })
            }
            _ => None,
        }
    }

    /// What the record says of a command that was refused here. The command itself left no trace.
    pub(super) fn refused(&self) -> Option<String> {
        match self.next() {
            Some(Event::Warned { text }) => Some(text.clone()),
            _ => None,
        }
    }

    /// What the record says here of calls that were stopped or taken back.
    pub(super) fn lost(&self) -> Option<Usage> {
        match self.next() {
            Some(Event::BudgetUsed { usage }) => Some(usage.clone()),
            _ => None,
        }
    }

    /// The id of the proposal that the record raises next.
    pub(super) fn raised_next(&self) -> Option<ProposalId> {
        match self.next() {
            Some(Event::ProposalRaised { proposal }) => Some(proposal.id.clone()),
            _ => None,
        }
    }

    fn find(&self, id: &ProposalId) -> Option<Proposal> {
        self.events.iter().find_map(|envelope| match &envelope.event {
            Event::ProposalRaised { proposal } if proposal.id == *id => Some((**proposal).clone()),
            _ => None,
        })
    }
}

/// The journal of a replay: it keeps the events and moves the record on.
#[derive(Debug)]
pub(super) struct PlaybackJournal(pub(super) Arc<Playback>);

impl Journal for PlaybackJournal {
    fn append(&mut self, envelope: &Envelope) -> Result<(), PortError> {
        if !matches!(envelope.event, Event::Paused { .. } | Event::Resumed { .. } | Event::SessionEnded {}) {
            self.0.at.fetch_add(1, Ordering::AcqRel);
        }
        self.0.replayed.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::new(envelope.clone()));
        Ok(())
    }

    fn flush(&mut self) -> Result<(), PortError> {
        Ok(())
    }
}

impl Clock for Playback {
    fn now(&self) -> u64 {
        let at = self.at.load(Ordering::Acquire);
        self.events.get(at).or(self.events.last()).map_or(0, |envelope| envelope.at)
    }
}

/// A replay neither reads nor changes what is remembered: what programs recalled is in the record like every call of a tool.
impl Recall for Playback {
    fn nearest(&self, _: &str, _: usize) -> Vec<Near> {
        Vec::new()
    }

    fn keep(&self, _: &Solved) {}

    fn problem(&self) -> Option<String> {
        match self.next() {
            Some(Event::Warned { text }) => text.strip_prefix(WITHOUT).map(ToOwned::to_owned),
            _ => None,
        }
    }
}

impl Library for Playback {
    fn network(&self) -> Result<Arc<Network>, PortError> {
        let mut network = self.network.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(Event::Revised { revision }) = self.next()
            && network.revision != revision.id
        {
            *network = Arc::new(network.revised(revision));
        }
        Ok(network.clone())
    }

    fn since(&self, _: &RevisionId) -> Result<Vec<Revision>, PortError> {
        Ok(match self.next() {
            Some(Event::Revised { revision }) => vec![(**revision).clone()],
            _ => Vec::new(),
        })
    }

    fn file(&self, path: &str) -> Result<Option<Arc<str>>, PortError> {
        let network = self.network.lock().unwrap_or_else(PoisonError::into_inner);
        let found = network.programs.values().find(|program| program.path == path);
        Ok(found.map(|program| program.source.clone()))
    }

    fn raise(&self, proposal: &Proposal) -> Result<bool, PortError> {
        let Some(Event::Warned { text }) = self.next() else { return Ok(true) };
        match text.strip_prefix(&not_kept(&proposal.id)) {
            Some(why) => Err(PortError::new(why)),
            None => Ok(*text != known_before(&proposal.id)),
        }
    }

    fn proposal(&self, id: &ProposalId) -> Result<Option<(Proposal, ProposalStatus)>, PortError> {
        Ok(self.find(id).map(|proposal| (proposal, ProposalStatus::Open)))
    }

    fn proposals(&self) -> Result<Vec<(Proposal, ProposalStatus)>, PortError> {
        Ok(Vec::new())
    }

    fn decide(
        &self,
        id: &ProposalId,
        _: &Decision,
        _: Vec<(String, Option<Arc<str>>)>,
    ) -> Result<(ProposalStatus, Option<Revision>), PortError> {
        match self.next() {
            Some(Event::ProposalDecided { id: recorded, status, .. }) if recorded == id => Ok((status.clone(), None)),
            _ => Err(PortError::new(format!("the record holds no decision on {id} here"))),
        }
    }

    fn reopen(&self, id: &ProposalId, _: Author) -> Result<Option<Revision>, PortError> {
        match self.next() {
            Some(Event::ProposalReopened { id: recorded, .. }) if recorded == id => Ok(None),
            _ => Err(PortError::new(format!("the record does not take the decision on {id} back here"))),
        }
    }

    fn revert(&self, to: &RevisionId, _: Author) -> Result<Revision, PortError> {
        match self.next() {
            Some(Event::Revised { revision }) => Ok((**revision).clone()),
            _ => Err(PortError::new(format!("the record holds no return to {to} here"))),
        }
    }
}
