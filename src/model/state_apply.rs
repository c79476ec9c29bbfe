//! The fold: how each event changes the state. Pure; never fails on what a journal holds.

use std::sync::Arc;

use super::Contract;
use super::state::{Route, Running};
use super::{
    CallRecord, Contribution, Cycle, Envelope, Episode, Event, Hash, Pace, Phase, ProposalStatus, Query, ScorePoint,
    Section, State, Strand,
};

impl State {
    /// Applies one event. O(event): nothing here looks at the whole session.
    pub fn apply(&mut self, envelope: &Envelope) {
        self.seq = envelope.seq;
        if let Event::Resumed { rewound_to: Some(to) } = &envelope.event {
            self.rewind(*to);
            self.change(&envelope.event, envelope.at);
            self.seq = envelope.seq;
            self.mark_boundary();
            return;
        }
        self.change(&envelope.event, envelope.at);
        if is_boundary(&envelope.event) {
            self.mark_boundary();
        } else if is_the_users(&envelope.event) {
            if self.phase == Phase::Running {
                self.since_boundary.push_back(Arc::new(envelope.event.clone()));
            } else {
                self.mark_boundary();
            }
        }
    }

    fn mark_boundary(&mut self) {
        self.boundary = None;
        self.since_boundary = imbl::Vector::new();
        self.boundary = Some(Arc::new(self.clone()));
    }

    fn rewind(&mut self, to: super::Seq) {
        let Some(boundary) = self.boundary.clone().filter(|state| state.seq == to) else { return };
        let kept = std::mem::take(&mut self.since_boundary);
        *self = (*boundary).clone();
        for event in kept {
            self.change(&event, 0);
        }
    }

    fn change(&mut self, event: &Event, at: u64) {
        match event {
            Event::SessionStarted { pins, query } => {
                self.policy = pins.policy;
                self.budget = Arc::new(pins.budget.clone());
                self.approval = pins.approval;
                self.pins = Some(pins.clone());
                self.opening.clone_from(query);
            }
            Event::EpisodeStarted { number, query } => self.start_episode(*number, query, at),
            Event::CycleBegan { cycle } => self.begin_cycle(*cycle),
            Event::Routed { cycle, mode, choices } => {
                self.strands = choices
                    .iter()
                    .map(|choice| Strand {
                        task: choice.task.clone(),
                        last: choice.last.clone(),
                        parked: choice.chosen.is_empty(),
                    })
                    .collect();
                self.route = Some(Arc::new(Route { cycle: *cycle, mode: *mode, choices: choices.clone() }));
                self.phase = Phase::Gate;
            }
            Event::Activated { activation, program, contract, task, view, aside, .. } => {
                self.next_activation = activation.next();
                self.usage.activations += 1;
                self.tallies.entry(program.clone()).or_default().activations += 1;
                self.running.push_back(Running {
                    activation: *activation,
                    program: program.clone(),
                    contract: *contract,
                    view: view.clone(),
                    output: Hash::new(""),
                });
                let strand = self.strands.iter_mut().find(|strand| strand.task.id == task.id);
                if let Some(strand) = strand.filter(|_| !aside) {
                    strand.last = Some(program.clone());
                }
                if let Some(episode) = self.episode_mut() {
                    episode.seen.push_back((task.id, program.clone(), *contract));
                }
            }
            Event::Contributed { contribution } => self.contribute(contribution),
            Event::MemoryEdited { contribution, query } => {
                self.memory.push(contribution.clone());
                // What is scored next is the user's doing, not that of the programs that ran last.
                self.running.clear();
                if let Some(episode) = self.episode_mut() {
                    episode.drafted = false;
                    if let Some(query) = query {
                        episode.query = query.clone();
                    }
                }
                if self.phase == Phase::Gate {
                    self.phase = Phase::Starting;
                }
            }
            Event::Monologue { entry } => self.log.push_back(entry.clone()),
            Event::ToolReturned { call, .. } => {
                // Calls of models are counted with what they used.
                self.usage.tool_calls += u64::from(call.tool != CallRecord::MODEL);
            }
            Event::Scored { cycle, score, delta, withdrawn, incumbent } => {
                for (value, by) in withdrawn {
                    self.memory.withdraw(*value, *by);
                }
                if let Some(incumbent) = incumbent {
                    self.incumbent = Some(Arc::new(incumbent.clone()));
                }
                let (episode, drafted) =
                    self.episode.as_ref().map_or((0, false), |episode| (episode.number, episode.drafted));
                self.scores.push_back(ScorePoint {
                    episode,
                    cycle: *cycle,
                    score: score.clone(),
                    delta: *delta,
                    credit: None,
                    drafted,
                });
                self.finish_runs();
            }
            Event::Credited { credit, .. } => {
                for share in &credit.shares {
                    self.tallies.entry(share.program.clone()).or_default().credit += share.phi;
                }
                if let Some(last) = self.scores.back_mut() {
                    last.credit = Some(credit.clone());
                }
            }
            Event::Asked { id, program, text } => {
                self.asked = self.asked.max(*id);
                self.questions.insert(*id, (program.clone(), Arc::from(text.as_str())));
            }
            Event::Answered { id, .. } => {
                self.questions.remove(id);
            }
            Event::Permission { permission } => {
                self.permissions.insert(permission.id, permission.clone());
            }
            Event::Said { text } => self.said.push_back(Arc::from(text.as_str())),
            Event::ProposalRaised { proposal } => {
                self.proposals.insert(proposal.id.clone(), (proposal.clone(), ProposalStatus::Open));
            }
            Event::GateProgress { id, gate, result } => {
                if let Some((proposal, _)) = self.proposals.get_mut(id) {
                    Arc::make_mut(proposal).gates.push((*gate, result.clone()));
                }
            }
            Event::ProposalDecided { id, status, .. } => {
                if let Some(entry) = self.proposals.get_mut(id) {
                    entry.1 = status.clone();
                }
            }
            Event::ProposalReopened { id, .. } => {
                if let Some(entry) = self.proposals.get_mut(id) {
                    entry.1 = ProposalStatus::Open;
                }
            }
            Event::Revised { revision } => self.revisions.push_back(revision.clone()),
            Event::PolicyUpdated { version, .. } => self.policy = *version,
            Event::WorkspaceChanged { hash, .. } => self.workspace = Some(hash.clone()),
            Event::Noted { cycle, text } => self.notes.push_back((*cycle, Arc::from(text.as_str()))),
            Event::Rated { rating } => self.ratings.push_back(*rating),
            Event::BreakpointsSet { breakpoints } => self.breakpoints = breakpoints.clone(),
            Event::WatchesSet { watches } => self.watches = watches.clone(),
            Event::ApprovalSet { approval } => self.approval = *approval,
            Event::BudgetSet { budget } => self.budget = budget.clone(),
            Event::BudgetUsed { usage } => self.usage.add(usage),
            Event::Paused { why } => {
                self.pace = Pace::Paused;
                self.paused_for = Some(Arc::from(why.as_str()));
            }
            Event::Resumed { .. } => {
                self.pace = Pace::Running;
                self.paused_for = None;
                self.ended = false;
            }
            Event::Warned { text } => self.warnings.push_back(Arc::from(text.as_str())),
            Event::Failed { program, error, .. } => {
                let cycle = self.cycle();
                self.tallies.entry(program.clone()).or_default().failures += 1;
                self.failures.push_back((cycle, program.clone(), Arc::from(error.as_str())));
            }
            Event::Halted { reason, why } => {
                let why: Arc<str> = Arc::from(why.as_str());
                if let Some(episode) = self.episode_mut() {
                    episode.halted = Some((*reason, why));
                }
            }
            Event::EpisodeEnded { outcome } => {
                self.outcomes.push_back(outcome.clone());
                if let Some(episode) = self.episode_mut() {
                    episode.outcome = Some(outcome.clone());
                }
                self.phase = Phase::Idle;
                self.route = None;
                self.running.clear();
                self.strands.clear();
            }
            Event::SessionEnded {} => self.ended = true,
            Event::Delta { .. } | Event::ToolCalled { .. } | Event::SupervisorActed { .. } | Event::Foreign { .. } => {}
        }
    }

    fn episode_mut(&mut self) -> Option<&mut Episode> {
        self.episode.as_mut().map(Arc::make_mut)
    }

    fn start_episode(&mut self, number: u32, query: &Arc<Query>, at: u64) {
        let first = self.memory.next_id();
        self.memory.close_parts();
        for section in OF_ONE_EPISODE {
            self.memory.retire(section, first);
        }
        self.incumbent = None;
        self.said.clear();
        self.strands = imbl::vector![Strand { task: query.whole(), last: None, parked: false }];
        self.episode = Some(Arc::new(Episode {
            number,
            query: query.clone(),
            cycle: Cycle(0),
            since: at,
            used_before: self.usage.clone(),
            failures_before: self.failures.len(),
            first,
            drafted: false,
            seen: imbl::Vector::new(),
            last_runs: imbl::OrdMap::new(),
            repeats: 0,
            halted: None,
            outcome: None,
        }));
        self.phase = Phase::Starting;
    }

    fn begin_cycle(&mut self, cycle: Cycle) {
        self.phase = Phase::Running;
        self.running.clear();
        if let Some(episode) = self.episode_mut() {
            episode.cycle = cycle;
            episode.drafted = false;
        }
    }

    fn contribute(&mut self, contribution: &Arc<Contribution>) {
        self.memory.push(contribution.clone());
        let mut drafted = false;
        if let Some(run) = self.running.iter_mut().find(|run| Some(run.activation) == contribution.activation) {
            run.output = Hash::of(format!("{}{}\n{}", run.output, contribution.section, contribution.text));
            drafted = contribution.is_value()
                && matches!(run.contract, Contract::Solver | Contract::Alternative | Contract::Optimizer);
        }
        if let (true, Some(episode)) = (drafted, self.episode_mut()) {
            episode.drafted = true;
        }
    }

    /// Closes the books of a cycle: which runs repeated themselves.
    fn finish_runs(&mut self) {
        let runs = self.running.clone();
        let Some(episode) = self.episode_mut() else { return };
        for run in runs {
            let now = (run.view, run.output);
            let same = episode.last_runs.get(&run.program) == Some(&now);
            episode.repeats = if same { episode.repeats + 1 } else { 0 };
            episode.last_runs.insert(run.program, now);
        }
    }
}

/// Where a step is whole: a crash after it loses nothing.
fn is_boundary(event: &Event) -> bool {
    matches!(
        event,
        Event::SessionStarted { .. }
            | Event::EpisodeStarted { .. }
            | Event::Routed { .. }
            | Event::EpisodeEnded { .. }
            | Event::SessionEnded {}
    )
}

/// What a person did or decided; it outlives a step that is cut off.
fn is_the_users(event: &Event) -> bool {
    matches!(
        event,
        Event::Said { .. }
            | Event::Answered { .. }
            | Event::MemoryEdited { .. }
            | Event::Permission { .. }
            | Event::ProposalRaised { .. }
            | Event::GateProgress { .. }
            | Event::ProposalDecided { .. }
            | Event::ProposalReopened { .. }
            | Event::Revised { .. }
            | Event::PolicyUpdated { .. }
            | Event::Noted { .. }
            | Event::Rated { .. }
            | Event::BreakpointsSet { .. }
            | Event::WatchesSet { .. }
            | Event::ApprovalSet { .. }
            | Event::BudgetSet { .. }
    )
}

/// Sections that speak about one question only, and do not carry over to the next.
const OF_ONE_EPISODE: [&str; 7] = [
    Section::DRAFT,
    Section::ANSWER,
    Section::VERDICT,
    Section::COUNTEREXAMPLE,
    Section::GAP,
    Section::PLAN,
    Section::READING,
];
