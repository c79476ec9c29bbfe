//! The session as it comes in: its events, the moments at which one may stand still, and the queue of proposals.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::index::Index;
use super::streaming::Streaming;
use crate::model::{
    ActivationId, Cycle, Envelope, Event, Network, ProgramName, Proposal, ProposalId, ProposalStatus, RevisionId, Seq,
    State, Timeline, Usage,
};

/// A moment at which the state is whole: a gate, or the end of an episode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stop {
    /// The event after which it is.
    pub(super) seq: Seq,
    /// The event at which the episode began.
    pub(super) since: Seq,
    /// The episode.
    pub(super) episode: u32,
    /// The last cycle that is done.
    pub(super) cycle: Cycle,
    /// Whether the episode is over.
    pub(super) end: bool,
}

/// A session as a client sees it.
#[derive(Clone, Debug)]
pub(super) struct Live {
    timeline: Timeline,
    index: Index,
    stops: Vec<Stop>,
    networks: BTreeMap<RevisionId, Arc<Network>>,
    first: Arc<Network>,
    since: Seq,
    /// The programs that run, in the order in which they began.
    running: BTreeMap<ActivationId, Streaming>,
    /// What a program used that has given its results, until that is counted for good.
    owed: Usage,
    active: Option<(ProgramName, u64)>,
}

impl Live {
    /// A session of which nothing is known yet but the network that it begins with.
    pub(super) fn new(network: Arc<Network>) -> Self {
        Self {
            timeline: Timeline::default(),
            index: Index::default(),
            stops: Vec::new(),
            networks: BTreeMap::from([(network.revision.clone(), network.clone())]),
            first: network,
            since: Seq(0),
            running: BTreeMap::new(),
            owed: Usage::default(),
            active: None,
        }
    }

    /// Takes in the next event.
    pub(super) fn push(&mut self, envelope: Arc<Envelope>) {
        if let Event::Delta { activation, text, what } = &envelope.event {
            if let Some(streaming) = self.running.get_mut(activation) {
                streaming.push(what, text, envelope.at);
            }
            return;
        }
        self.give_way(&envelope.event);
        self.timeline.push(envelope.clone());
        self.index.push(&envelope, self.timeline.head());
        let state = self.timeline.head();
        let episode = state.episode.as_ref().map_or(0, |episode| episode.number);
        let stop = |end| Stop { seq: envelope.seq, since: self.since, episode, cycle: state.cycle(), end };
        match &envelope.event {
            Event::Activated { program, .. } => self.active = Some((program.clone(), envelope.at)),
            // Whatever else happens, it happens after what ran has given its results.
            _ => self.active = None,
        }
        match &envelope.event {
            Event::EpisodeStarted { .. } => self.since = envelope.seq,
            Event::Revised { revision } => {
                let before = self.networks.get(&revision.parent).unwrap_or(&self.first);
                let after = Arc::new(before.revised(revision));
                self.networks.insert(revision.id.clone(), after);
            }
            // An override decides the same gate once more.
            Event::Routed { .. } => {
                let stop = stop(false);
                match self.stops.last_mut() {
                    Some(last) if (last.episode, last.cycle, last.end) == (episode, stop.cycle, false) => *last = stop,
                    Some(_) | None => self.stops.push(stop),
                }
            }
            Event::EpisodeEnded { .. } => self.stops.push(stop(true)),
            // A step that was cut off is taken back, and so are the stops that it made.
            Event::Resumed { rewound_to: Some(to) } => self.stops.retain(|stop| stop.seq <= *to),
            _ => {}
        }
    }

    /// All events, and the states in between.
    pub(super) fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    /// Where things are in it.
    pub(super) fn index(&self) -> &Index {
        &self.index
    }

    /// The present.
    pub(super) fn now(&self) -> &State {
        self.timeline.head()
    }

    /// The moments at which one may stand still, oldest first.
    pub(super) fn stops(&self) -> &[Stop] {
        &self.stops
    }

    /// The last stop at or before an event.
    pub(super) fn stop_at(&self, seq: Seq) -> Option<usize> {
        self.stops.partition_point(|stop| stop.seq <= seq).checked_sub(1)
    }

    /// The program that runs, and since when in milliseconds since 1970.
    pub(super) fn active(&self) -> Option<(&ProgramName, u64)> {
        self.active.as_ref().map(|(program, since)| (program, *since))
    }

    /// What the running programs have streamed so far, those that stream.
    pub(super) fn streamed(&self) -> impl Iterator<Item = &Streaming> {
        let streams = |one: &&Streaming| !one.blocks.is_empty() || one.call.is_some() || one.waiting.is_some();
        self.running.values().filter(streams)
    }

    /// What was used, with what the running programs have used so far.
    pub(super) fn usage(&self) -> Usage {
        let mut usage = self.now().usage.clone();
        usage.add(&self.owed);
        self.running.values().for_each(|one| usage.add(&one.took));
        usage
    }

    /// The calls of models that go on: how many, the tokens that they read and those that they wrote so far, estimated.
    pub(super) fn under_way(&self) -> (u64, u64, u64) {
        let calls = self.running.values().filter_map(|one| one.call.as_ref()).filter(|call| !call.over);
        calls.fold((0, 0, 0), |(count, read, wrote), call| {
            (count + 1, read.saturating_add(call.input), wrote.saturating_add(call.output))
        })
    }

    /// When a countdown of a wait shows its next second, in milliseconds since 1970.
    pub(super) fn next_second(&self, now: u64) -> Option<u64> {
        let ends = self.running.values().filter_map(|one| one.waiting.as_ref()?.until).filter(|until| *until > now);
        ends.map(|until| until - ((until - now).div_ceil(1000) - 1) * 1000).min()
    }

    /// What is streamed gives way to what counts, each program's to its own.
    fn give_way(&mut self, event: &Event) {
        match event {
            Event::Activated { activation, program, .. } => {
                self.running.insert(*activation, Streaming::new(program.clone()));
            }
            Event::ToolCalled { activation, .. }
            | Event::ToolReturned { activation, .. }
            | Event::Failed { activation, .. } => self.done(*activation),
            Event::Contributed { contribution } => contribution.activation.into_iter().for_each(|it| self.done(it)),
            Event::BudgetUsed { .. } => self.owed = Usage::default(),
            Event::Monologue { .. } | Event::Warned { .. } => {}
            // Whatever else happens, it happens after all that ran have given their results.
            _ => {
                self.running.clear();
                self.owed = Usage::default();
            }
        }
    }

    fn done(&mut self, activation: ActivationId) {
        if let Some(streaming) = self.running.remove(&activation) {
            self.owed.add(&streaming.took);
        }
    }

    /// The network as it was in a state.
    pub(super) fn network(&self, state: &State) -> &Arc<Network> {
        let pinned = state.pins.as_ref().map(|pins| &pins.revision);
        let known = state.revisions.last().map(|revision| &revision.id).or(pinned);
        known.and_then(|revision| self.networks.get(revision)).unwrap_or(&self.first)
    }

    /// The network as it was when the session began.
    pub(super) fn first_network(&self) -> &Arc<Network> {
        &self.first
    }
}

/// The proposals of a network: those that this session raised, and those that wait from others.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    kept: Vec<(Arc<Proposal>, ProposalStatus)>,
    all: Vec<(Arc<Proposal>, ProposalStatus)>,
}

impl Queue {
    /// Takes in what the library holds.
    pub(super) fn load(&mut self, kept: Vec<(Proposal, ProposalStatus)>, now: &State) {
        self.kept = kept.into_iter().map(|(proposal, status)| (Arc::new(proposal), status)).collect();
        self.refresh(now);
    }

    /// Takes in how a proposal stands, where it is one of another session.
    pub(super) fn stands(&mut self, id: &ProposalId, status: &ProposalStatus) {
        for (proposal, known) in &mut self.kept {
            if proposal.id == *id {
                known.clone_from(status);
            }
        }
    }

    /// Joins it with what the session knows, which is newer.
    pub(super) fn refresh(&mut self, now: &State) {
        let here = &now.proposals;
        let others = self.kept.iter().filter(|(proposal, _)| !here.contains_key(&proposal.id)).cloned();
        self.all = others.chain(here.values().cloned()).collect();
    }

    /// All, oldest first, this session's last.
    pub(super) fn all(&self) -> &[(Arc<Proposal>, ProposalStatus)] {
        &self.all
    }

    /// Those that wait for a decision.
    pub(super) fn open(&self) -> impl Iterator<Item = &Arc<Proposal>> {
        self.all.iter().filter(|(_, status)| *status == ProposalStatus::Open).map(|(proposal, _)| proposal)
    }

    /// How many wait for a decision.
    pub(super) fn waiting(&self) -> usize {
        self.open().count()
    }

    /// One of them.
    pub(super) fn get(&self, id: &ProposalId) -> Option<&(Arc<Proposal>, ProposalStatus)> {
        self.all.iter().find(|(proposal, _)| proposal.id == *id)
    }
}
