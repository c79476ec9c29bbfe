//! The protocol: commands go in, events come out, and nothing else does.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    ActivationId, Approval, Author, Breakpoint, Budget, CallRecord, Choice, Contract, Contribution, ContributionId,
    Credit, Cycle, Decision, Gate, GateResult, HaltReason, Hash, Incumbent, LogEntry, Mode, Outcome, Permission, Pins,
    ProgramName, Proposal, ProposalId, ProposalStatus, Query, Revision, RevisionId, Score, Seq, Streamed, Task, Usage,
    Watch,
};

/// Version of the event format, in every envelope.
pub const FORMAT: u16 = 1;

/// An event with its place in the session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Envelope {
    /// Format version.
    pub v: u16,
    /// Position in the session, from 1.
    pub seq: Seq,
    /// Milliseconds since 1970.
    pub at: u64,
    /// The event that caused it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Seq>,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
}

/// Everything that can happen in a session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", content = "data")]
pub enum Event {
    /// A session began; names what the run depends on, and the question it was opened with.
    SessionStarted {
        /// What the run depends on.
        pins: Arc<Pins>,
        /// The question it was opened with.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        query: Option<Arc<Query>>,
    },
    /// A query is being worked on; its parts are derived.
    EpisodeStarted {
        /// From 1.
        number: u32,
        /// The query with its parts.
        query: Arc<Query>,
    },
    /// A cycle of Algorithm 1 began.
    CycleBegan {
        /// Which.
        cycle: Cycle,
    },
    /// It was decided who runs in a cycle.
    Routed {
        /// The cycle it is for.
        cycle: Cycle,
        /// How it was decided.
        mode: Mode,
        /// One choice a strand.
        choices: Vec<Choice>,
    },
    /// A program began to run.
    Activated {
        /// This run's id.
        activation: ActivationId,
        /// The program.
        program: ProgramName,
        /// Hash of its file.
        hash: Hash,
        /// Its contract.
        contract: Contract,
        /// What it is asked to do.
        task: Task,
        /// Hash of the view it got.
        view: Hash,
        /// Whether it runs beside the routed sequence (integrity, presenter, manager).
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        aside: bool,
    },
    /// A streamed piece of what a running program does. Shown, never journalled, no part of the state: it has the number of
    /// the event that it follows.
    Delta {
        /// Whose.
        activation: ActivationId,
        /// The piece.
        #[serde(default)]
        text: String,
        /// What it is.
        #[serde(default, skip_serializing_if = "Streamed::is_text")]
        what: Streamed,
    },
    /// A contribution was committed to working memory.
    Contributed {
        /// The contribution, stamped.
        contribution: Arc<Contribution>,
    },
    /// A program reasoned aloud.
    Monologue {
        /// The log entry.
        entry: Arc<LogEntry>,
    },
    /// A program called a tool.
    ToolCalled {
        /// Whose call.
        activation: ActivationId,
        /// The tool.
        tool: String,
        /// Arguments.
        args: Value,
    },
    /// A tool answered.
    ToolReturned {
        /// Whose call.
        activation: ActivationId,
        /// The call with its result.
        call: Arc<CallRecord>,
    },
    /// Working memory was scored.
    Scored {
        /// After which cycle; 0 is before the first.
        cycle: Cycle,
        /// The score.
        score: Arc<Score>,
        /// Change since the last.
        delta: f64,
        /// Values withdrawn because the scorer confirmed a counterexample, with the counterexample.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        withdrawn: Vec<(ContributionId, ContributionId)>,
        /// The incumbent, where this score changed it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        incumbent: Option<Incumbent>,
    },
    /// The change of J was credited.
    Credited {
        /// For which cycle.
        cycle: Cycle,
        /// The split.
        credit: Arc<Credit>,
    },
    /// A program asks the user.
    Asked {
        /// Number of the question in the session.
        id: u64,
        /// Who asks.
        program: ProgramName,
        /// What.
        text: String,
    },
    /// The user answered a question.
    Answered {
        /// Number of the question.
        id: u64,
        /// The answer.
        text: String,
    },
    /// A permission was asked for or decided.
    Permission {
        /// The permission.
        permission: Permission,
    },
    /// The user said something to the running session.
    Said {
        /// What.
        text: String,
    },
    /// A proposal entered the queue.
    ProposalRaised {
        /// The proposal.
        proposal: Arc<Proposal>,
    },
    /// A gate spoke about a proposal.
    GateProgress {
        /// Which proposal.
        id: ProposalId,
        /// Which gate.
        gate: Gate,
        /// What it said.
        result: GateResult,
    },
    /// A proposal was decided.
    ProposalDecided {
        /// Which.
        id: ProposalId,
        /// The decision.
        decision: Decision,
        /// Where it stands now.
        status: ProposalStatus,
    },
    /// A decision was taken back: the proposal waits again. What it had changed goes with the revision that follows.
    ProposalReopened {
        /// Which.
        id: ProposalId,
        /// Who took it back.
        by: Author,
    },
    /// The network changed; the change acts from the next cycle.
    Revised {
        /// The revision.
        revision: Arc<Revision>,
    },
    /// The router's parameters changed.
    PolicyUpdated {
        /// New version.
        version: u64,
        /// Why.
        why: String,
    },
    /// The user edited working memory.
    MemoryEdited {
        /// The entry, author human.
        contribution: Arc<Contribution>,
        /// The query, where the edit changed its reading and so its parts.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        query: Option<Arc<Query>>,
    },
    /// Files of a work phase's overlay changed.
    WorkspaceChanged {
        /// Hash of the workspace.
        hash: Hash,
        /// Changed paths.
        paths: Vec<String>,
    },
    /// The supervisor acted.
    SupervisorActed {
        /// What it did.
        action: String,
        /// Why.
        why: String,
    },
    /// The user left a note at a cycle.
    Noted {
        /// The cycle.
        cycle: Cycle,
        /// The note.
        text: String,
    },
    /// The user rated the answer.
    Rated {
        /// −1 to 1.
        rating: f64,
    },
    /// Breakpoints were replaced.
    BreakpointsSet {
        /// All of them.
        breakpoints: Arc<Vec<Breakpoint>>,
    },
    /// Watches were replaced.
    WatchesSet {
        /// All of them.
        watches: Arc<Vec<Watch>>,
    },
    /// The approval mode was set.
    ApprovalSet {
        /// The mode.
        approval: Approval,
    },
    /// Caps were set.
    BudgetSet {
        /// All of them.
        budget: Arc<Budget>,
    },
    /// Something was used.
    BudgetUsed {
        /// What was added.
        usage: Usage,
    },
    /// The run stands at a gate.
    Paused {
        /// Why, in plain words.
        why: String,
    },
    /// The run goes on, or a session was taken up again.
    Resumed {
        /// Where the last whole step ended, when a step was cut off and is done again.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rewound_to: Option<Seq>,
    },
    /// Something is odd, and the run goes on.
    Warned {
        /// What.
        text: String,
    },
    /// An activation failed; the run goes on.
    Failed {
        /// Which.
        activation: ActivationId,
        /// The program.
        program: ProgramName,
        /// Readable reason (a traceback, for a script).
        error: String,
    },
    /// The loop is over; the presenter follows.
    Halted {
        /// Why.
        reason: HaltReason,
        /// In plain words, with numbers.
        why: String,
    },
    /// The episode came out so.
    EpisodeEnded {
        /// The outcome.
        outcome: Arc<Outcome>,
    },
    /// The session was closed.
    SessionEnded {},
    /// An event of another version, kept as it was written.
    Foreign {
        /// Its fields.
        fields: BTreeMap<String, Value>,
    },
}

/// How far a step goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// One program.
    Program,
    /// One cycle.
    Cycle,
}

/// Everything that a client may ask of a session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "command", content = "data")]
pub enum Command {
    /// Work on a query.
    Start {
        /// The query.
        query: Query,
    },
    /// Say something to the session.
    Say {
        /// What.
        text: String,
    },
    /// Take one step and stand at the next gate.
    Step {
        /// How far.
        step: Step,
    },
    /// Run until something stops it.
    Run,
    /// Stand at the next gate.
    Pause,
    /// Stop what is in flight within 250 ms and stand at the gate before it.
    Interrupt,
    /// Override who runs next on a task.
    Route {
        /// The strand's task, 0 for the whole.
        task: super::TaskId,
        /// Who runs.
        program: ProgramName,
    },
    /// Decide a proposal.
    Decide {
        /// Which.
        id: ProposalId,
        /// How.
        decision: Decision,
    },
    /// Take the decision on a proposal back: a rejected one waits again, and so does an accepted one, whose change is undone
    /// by one more revision where nothing later builds on it.
    Reopen {
        /// Which.
        id: ProposalId,
    },
    /// Decide a permission.
    Permit {
        /// Which.
        id: u64,
        /// Granted or not.
        granted: bool,
    },
    /// Answer a question.
    Answer {
        /// Which.
        id: u64,
        /// The answer.
        text: String,
    },
    /// Replace the breakpoints.
    Breakpoints(Vec<Breakpoint>),
    /// Replace the watches.
    Watches(Vec<Watch>),
    /// Edit or add an entry of working memory, while paused.
    EditMemory {
        /// The entry it replaces.
        supersedes: Option<ContributionId>,
        /// Section.
        section: super::Section,
        /// Part it speaks to.
        part: Option<super::PartId>,
        /// Text.
        text: String,
        /// Data.
        data: Value,
    },
    /// Propose an edit of the network.
    Propose {
        /// One sentence.
        title: String,
        /// The diff.
        changes: Vec<super::Change>,
    },
    /// Go back to an earlier revision, by one more revision.
    Revert {
        /// Which revision's content comes back.
        revision: RevisionId,
    },
    /// Run the backward pass over the finished episode.
    Backward,
    /// Rate the answer, −1 to 1.
    Rate(f64),
    /// Leave a note at the present cycle.
    Note(String),
    /// Set the approval mode.
    SetApproval(Approval),
    /// Set caps.
    SetBudget(Budget),
    /// Close the session.
    Shutdown,
}
