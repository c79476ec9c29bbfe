//! The state of a session: the fold of its events, and nothing else.

use std::sync::Arc;

use imbl::{OrdMap, Vector};

use super::{
    ActivationId, Approval, Breakpoint, Budget, Contract, Cycle, Event, HaltReason, Hash, Incumbent, LogEntry, Mode,
    Outcome, Permission, Pins, ProgramName, Proposal, ProposalId, ProposalStatus, Query, Revision, Score, Seq, Strand,
    TaskId, Usage, Watch, WorkingMemory,
};
use super::{Choice, Credit};

/// Where the engine stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// No episode is under way.
    #[default]
    Idle,
    /// An episode began and nobody was chosen yet.
    Starting,
    /// It is decided who runs next; nothing runs.
    Gate,
    /// A cycle is under way.
    Running,
}

/// Whether the run goes on by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pace {
    /// It goes on.
    #[default]
    Running,
    /// It waits at a gate.
    Paused,
}

/// J after one cycle, with its change and credit.
#[derive(Clone, Debug, PartialEq)]
pub struct ScorePoint {
    /// Episode, from 1.
    pub episode: u32,
    /// Cycle; 0 is before the first.
    pub cycle: Cycle,
    /// The score.
    pub score: Arc<Score>,
    /// Change since the last.
    pub delta: f64,
    /// Who got it.
    pub credit: Option<Arc<Credit>>,
    /// Whether a solver, alternative or optimizer committed a value in this cycle.
    pub drafted: bool,
}

/// What one program has done in a session.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// Times it ran.
    pub activations: u32,
    /// Times it failed.
    pub failures: u32,
    /// Sum of its credit.
    pub credit: f64,
}

/// The query being worked on.
#[derive(Clone, Debug, PartialEq)]
pub struct Episode {
    /// From 1.
    pub number: u32,
    /// The query with its parts.
    pub query: Arc<Query>,
    /// Cycles begun.
    pub cycle: Cycle,
    /// When it began, milliseconds since 1970.
    pub since: u64,
    /// What the session had used before it.
    pub used_before: Usage,
    /// Failures of programs in the session before it.
    pub failures_before: usize,
    /// First contribution that belongs to it.
    pub first: super::ContributionId,
    /// Whether a solver, alternative or optimizer committed a value in this cycle.
    pub drafted: bool,
    /// Programs that have run, with the task.
    pub seen: Vector<(TaskId, ProgramName, Contract)>,
    /// View and output of each program's last run.
    pub last_runs: OrdMap<ProgramName, (Hash, Hash)>,
    /// Runs that repeated the program's last run, in a row.
    pub repeats: u32,
    /// Why the loop is over.
    pub halted: Option<(HaltReason, Arc<str>)>,
    /// How it came out.
    pub outcome: Option<Arc<Outcome>>,
}

/// A run of a program that has not been committed yet, or was in this cycle.
#[derive(Clone, Debug, PartialEq)]
pub struct Running {
    /// Its id.
    pub activation: ActivationId,
    /// The program.
    pub program: ProgramName,
    /// Its contract.
    pub contract: Contract,
    /// Hash of its view.
    pub view: Hash,
    /// Running hash of its output.
    pub output: Hash,
}

/// What was decided about who runs next.
#[derive(Clone, Debug, PartialEq)]
pub struct Route {
    /// The cycle it is for.
    pub cycle: Cycle,
    /// How it was decided.
    pub mode: Mode,
    /// One choice a strand.
    pub choices: Vec<Choice>,
}

/// The state. Cloning shares structure, so a checkpoint costs a pointer copy per field.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// What the run depends on.
    pub pins: Option<Arc<Pins>>,
    /// The question that the session was opened with.
    pub opening: Option<Arc<Query>>,
    /// The present or last episode.
    pub episode: Option<Arc<Episode>>,
    /// Outcomes of finished episodes.
    pub outcomes: Vector<Arc<Outcome>>,
    /// Where the engine stands.
    pub phase: Phase,
    /// Whether it goes on by itself.
    pub pace: Pace,
    /// Why it waits.
    pub paused_for: Option<Arc<str>>,
    /// Working memory.
    pub memory: WorkingMemory,
    /// Lines of work.
    pub strands: Vector<Strand>,
    /// Who runs next.
    pub route: Option<Arc<Route>>,
    /// Programs that run in this cycle.
    pub running: Vector<Running>,
    /// J over cycles.
    pub scores: Vector<ScorePoint>,
    /// The best confirmed state of this episode.
    pub incumbent: Option<Arc<Incumbent>>,
    /// Per program.
    pub tallies: OrdMap<ProgramName, Tally>,
    /// Monologue.
    pub log: Vector<Arc<LogEntry>>,
    /// Proposals that this session raised or decided.
    pub proposals: OrdMap<ProposalId, (Arc<Proposal>, ProposalStatus)>,
    /// Revisions that entered this session.
    pub revisions: Vector<Arc<Revision>>,
    /// Questions to the user without an answer.
    pub questions: OrdMap<u64, (ProgramName, Arc<str>)>,
    /// Questions asked so far.
    pub asked: u64,
    /// Permissions asked for.
    pub permissions: OrdMap<u64, Permission>,
    /// What the user said that no episode has taken up.
    pub said: Vector<Arc<str>>,
    /// Caps.
    pub budget: Arc<Budget>,
    /// Used so far.
    pub usage: Usage,
    /// Who decides proposals.
    pub approval: Approval,
    /// Breakpoints.
    pub breakpoints: Arc<Vec<Breakpoint>>,
    /// Watches.
    pub watches: Arc<Vec<Watch>>,
    /// Notes by cycle.
    pub notes: Vector<(Cycle, Arc<str>)>,
    /// Ratings of answers.
    pub ratings: Vector<f64>,
    /// Oddities.
    pub warnings: Vector<Arc<str>>,
    /// Failures of programs, with readable reasons.
    pub failures: Vector<(Cycle, ProgramName, Arc<str>)>,
    /// Hash of a work phase's overlay.
    pub workspace: Option<Hash>,
    /// Version of the router's parameters.
    pub policy: u64,
    /// Id that the next activation gets.
    pub next_activation: ActivationId,
    /// Sequence number of the last event.
    pub seq: Seq,
    /// Whether the session was closed.
    pub ended: bool,
    /// The state at the last boundary: what remains when a crash cuts a step off.
    pub(super) boundary: Option<Arc<State>>,
    /// What the user did since that boundary, which no crash may undo.
    pub(super) since_boundary: Vector<Arc<Event>>,
}

impl State {
    /// J now; none before the first scoring.
    #[must_use]
    pub fn j(&self) -> Option<f64> {
        self.scores.last().map(|point| point.score.mean)
    }

    /// The cycle under way, or last begun.
    #[must_use]
    pub fn cycle(&self) -> Cycle {
        self.episode.as_ref().map_or(Cycle(0), |episode| episode.cycle)
    }

    /// Scores of the present episode, cycle 0 first.
    pub fn episode_scores(&self) -> impl Iterator<Item = &ScorePoint> {
        let number = self.episode.as_ref().map_or(0, |episode| episode.number);
        let start = self.scores.iter().rev().take_while(|point| point.episode == number).count();
        self.scores.iter().skip(self.scores.len() - start)
    }

    /// Sequence number of the last boundary: where a step that was cut off is done again from.
    #[must_use]
    pub fn last_boundary(&self) -> Option<Seq> {
        self.boundary.as_ref().map(|state| state.seq)
    }

    /// Drafting cycles of the present episode since J last rose by `epsilon` or more.
    #[must_use]
    pub fn idle(&self, epsilon: f64) -> u32 {
        let number = self.episode.as_ref().map_or(0, |episode| episode.number);
        let recent = self.scores.iter().rev().take_while(|point| point.episode == number && point.cycle > Cycle(0));
        let idle = recent.take_while(|point| point.delta < epsilon).filter(|point| point.drafted).count();
        u32::try_from(idle).unwrap_or(u32::MAX)
    }

    /// Whether a step is cut off here, so that taking the session up again must rewind.
    #[must_use]
    pub fn is_mid_step(&self) -> bool {
        self.phase == Phase::Running || self.boundary.as_ref().is_some_and(|state| state.phase != self.phase)
    }
}
