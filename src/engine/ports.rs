//! The ports: everything the engine may ask of the world. Adapters live on floor 2; `setup` alone joins the two.

mod outlet;
mod provider;
mod recall;

pub use outlet::Outlet;
pub use provider::{
    Ask, Fault, Finish, Logprob, Message, Offers, Piece, Provider, ProviderError, Reply, Seen, Tokens, ToolCall,
    ToolSpec, Wanted,
};
pub use recall::{Near, NoRecall, Recall, Solved};

use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use serde_json::Value;

use super::view::View;
use crate::model::{
    ActivationId, Author, Budget, CallRecord, ContributionId, Decision, Envelope, Hash, Network, Part, PartId, Program,
    Proposal, ProposalId, ProposalStatus, Query, Revision, RevisionId, Score, Section, Task, Usage, WorkingMemory,
};

/// Why a port could not do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct PortError {
    /// One clause, lower case.
    pub message: String,
    /// What to do next.
    pub hint: Option<String>,
}

impl PortError {
    /// An error without a hint.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None }
    }

    /// Adds what to do next.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

/// One run of one program, as the engine orders it.
#[derive(Clone, Debug)]
pub struct Activation {
    /// Its id.
    pub id: ActivationId,
    /// The program.
    pub program: Arc<Program>,
    /// The query.
    pub query: Arc<Query>,
    /// What it is asked to do.
    pub task: Task,
    /// The part that work is about now.
    pub focus: Option<PartId>,
    /// The sections of working memory it sees.
    pub view: View,
    /// How deep it is nested in composites, rooms and edits of editors.
    pub depth: u8,
    /// Seed of its random choices.
    pub seed: u64,
    /// Wall clock it may take.
    pub deadline: Duration,
    /// Answers to its tool calls from a record, in order, where a run is replayed.
    pub recorded: Option<Arc<Vec<CallRecord>>>,
    /// Where it puts what may be seen before it is done; none where nobody watches.
    pub outlet: Option<Outlet>,
}

/// A contribution as a program offers it, before the engine stamps it.
#[derive(Clone, Debug, PartialEq)]
pub struct Offer {
    /// Its type.
    pub section: Section,
    /// The part it speaks to.
    pub part: Option<PartId>,
    /// What people read.
    pub text: String,
    /// What programs and scorers read.
    pub data: Value,
    /// The contribution it speaks about.
    pub about: Option<ContributionId>,
}

/// What an activation gave.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Output {
    /// Contributions, in order.
    pub offers: Vec<Offer>,
    /// Reasoning, for the log only.
    pub monologue: String,
    /// Whom it would have run next: a program, `@contract` or `USER`.
    pub next: Option<String>,
    /// Why.
    pub why: String,
    /// Its calls of tools, in order.
    pub calls: Vec<CallRecord>,
    /// What it used.
    pub usage: Usage,
}

/// Why an activation failed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct RunError {
    /// Readable reason; for a script, the traceback.
    pub message: String,
    /// Calls of tools made before it failed.
    pub calls: Vec<CallRecord>,
    /// What it used all the same.
    pub usage: Usage,
}

impl RunError {
    /// A failure with a reason.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), calls: Vec::new(), usage: Usage::default() }
    }
}

/// Runs programs, each in the way of its kind.
pub trait Runner: Send + Sync {
    /// Runs one activation. Dropping the future stops it.
    fn run(&self, activation: Activation) -> BoxFuture<'_, Result<Output, RunError>>;

    /// What models took since this runner is there, in runs that were stopped too.
    fn used(&self) -> Usage {
        Usage::default()
    }

    /// What calls may take from here on. `used` is what the session has used before, where one begins or is taken up again; none
    /// where the caps of the present one change. A runner that pays for nothing has no use for it.
    fn budget(&self, _caps: &Budget, _used: Option<&Usage>) {}
}

/// How a call of a tool is to be answered.
#[derive(Clone, Debug, PartialEq)]
pub enum ToolAnswer {
    /// The worker computes it itself, inside its limits.
    Compute,
    /// This is the result.
    Value(Value),
    /// It is not done, for this reason.
    Refuse(String),
}

/// Tools that need more than computing: running programs, files, people.
pub trait Toolbox: Send + Sync {
    /// Answers a call that an activation made.
    fn call<'a>(&'a self, by: &'a Activation, tool: &'a str, args: &'a [Value]) -> BoxFuture<'a, ToolAnswer>;
    /// Names of tools that only compute.
    fn computing(&self) -> &[&'static str];
}

/// A score with what it changes in memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Scoring {
    /// The score.
    pub score: Score,
    /// Values to withdraw, each with the counterexample that the scorer confirmed.
    pub withdrawn: Vec<(ContributionId, ContributionId)>,
}

/// Scores working memory. Compiled, named by hash in every score, out of programs' reach.
pub trait Scorer: Send + Sync {
    /// Its hash.
    fn hash(&self) -> Hash;
    /// The parts that an answer to the query must cover.
    fn parts(&self, query: &Query) -> Vec<Part>;
    /// The parts that follow from a reading corrected by a human.
    fn parts_of_reading(&self, query: &Query, reading: &Value) -> Result<Vec<Part>, PortError>;
    /// J(WM, Q). Looks only at what stands about each part, so its cost does not grow with the session.
    fn score<'a>(&'a self, query: &'a Query, memory: &'a WorkingMemory) -> BoxFuture<'a, Scoring>;
    /// Whether its own check proves (`Some(true)`) or refutes (`Some(false)`) a value of a part, and why.
    fn proves(&self, part: &Part, value: &Value) -> (Option<bool>, String);
    /// The canonical form of a value: equal values have equal forms.
    fn canonical(&self, value: &Value) -> Value;
}

/// Keeps the events of one session.
pub trait Journal: Send + Sync {
    /// Writes one event. It is on its way to the disk when this returns.
    ///
    /// # Errors
    /// When it cannot be written.
    fn append(&mut self, envelope: &Envelope) -> Result<(), PortError>;
    /// Hands everything written to the operating system, so that a killed process loses none of it.
    ///
    /// # Errors
    /// When it cannot be written.
    fn flush(&mut self) -> Result<(), PortError>;
}

/// Keeps the network's history and the queue of proposals.
pub trait Library: Send + Sync {
    /// The effective network: the base files with the accepted revisions on top. Cheap where nothing changed.
    ///
    /// # Errors
    /// When there is no usable network.
    fn network(&self) -> Result<Arc<Network>, PortError>;
    /// Revisions since the one named, oldest first.
    ///
    /// # Errors
    /// When the history cannot be read.
    fn since(&self, revision: &RevisionId) -> Result<Vec<Revision>, PortError>;
    /// Effective text of a file of the network, none where there is no such file.
    ///
    /// # Errors
    /// When it cannot be read.
    fn file(&self, path: &str) -> Result<Option<Arc<str>>, PortError>;
    /// Puts a proposal into the queue. False where the same content was rejected, or already waits.
    ///
    /// # Errors
    /// When it cannot be written.
    fn raise(&self, proposal: &Proposal) -> Result<bool, PortError>;
    /// A proposal with its status.
    ///
    /// # Errors
    /// When it cannot be read.
    fn proposal(&self, id: &ProposalId) -> Result<Option<(Proposal, ProposalStatus)>, PortError>;
    /// All proposals, oldest first.
    ///
    /// # Errors
    /// When the queue cannot be read.
    fn proposals(&self) -> Result<Vec<(Proposal, ProposalStatus)>, PortError>;
    /// Records a decision. Where hunks are taken, `files` is the result for each changed path and becomes a revision.
    ///
    /// # Errors
    /// When the base moved under the proposal, it was decided before, or it cannot be written.
    fn decide(
        &self,
        id: &ProposalId,
        decision: &Decision,
        files: Vec<(String, Option<Arc<str>>)>,
    ) -> Result<(ProposalStatus, Option<Revision>), PortError>;
    /// Takes the decision on a proposal back, so that it waits again. What an accepted one changed is undone by one more
    /// revision; none where it was rejected.
    ///
    /// # Errors
    /// When it waits already, later revisions build on what it changed, or it cannot be written.
    fn reopen(&self, id: &ProposalId, by: Author) -> Result<Option<Revision>, PortError>;
    /// Brings the content of an earlier revision back, as one more revision.
    ///
    /// # Errors
    /// When there is no such revision, or it cannot be written.
    fn revert(&self, to: &RevisionId, by: Author) -> Result<Revision, PortError>;
}

/// Tells the time.
pub trait Clock: Send + Sync {
    /// Milliseconds since 1970.
    fn now(&self) -> u64;
}
