//! Floor 0: plain data and pure functions. No IO, no clock, no randomness, no async.
//!
//! A session is a list of [`Event`]s in [`Envelope`]s, and [`State`] is their fold. Everything else here is what events
//! talk about: the [`Query`], [`Program`]s in a [`Network`], [`WorkingMemory`], [`Score`]s, credit and [`Proposal`]s.

mod breakpoint;
mod diagnostic;
mod event;
mod expr;
mod hunk;
mod ids;
mod memory;
mod network;
mod network_file;
mod policy;
mod program;
mod program_file;
mod proposal;
mod query;
mod routing;
mod score;
mod session;
mod state;
mod state_apply;
mod streamed;
mod timeline;

pub use breakpoint::{BREAKPOINT_FORMS, Breakpoint};
pub use diagnostic::{Diagnostic, Severity, did_you_mean};
pub use event::{Command, Envelope, Event, FORMAT, Step};
pub use expr::{Expr, ExprError};
pub use hunk::{Hunk, apply_hunks, hunk_lines, hunks, unified};
pub use ids::{
    ActivationId, ContributionId, Cycle, Hash, PartId, ProgramName, ProposalId, RevisionId, Section, Seq, SessionId,
    TaskId,
};
pub use memory::{Author, Contribution, PartBoard, WorkingMemory};
pub use network::{Edge, Limits, Network, Rule, Target};
pub use network_file::{Halting, NetworkFile, StopPolicy, assemble, is_program};
pub use policy::{FEATURES, Policy};
pub use program::{Contract, Kind, Manifest, ModelChoice, Program, ProgramTest, ReplyForm, Tier};
pub use program_file::{parse_program, with_test};
pub use proposal::{Change, Decision, Evidence, Gate, GateResult, Proposal, ProposalStatus, Revision, Trial};
pub use query::{Attachment, Given, Image, Part, Query, Task};
pub use routing::{Candidate, Choice, Mode, Strand};
pub use score::{Credit, CreditMethod, PartScore, PartState, Score, Share};
pub use session::{
    Approval, Budget, CallRecord, HaltReason, Incumbent, LogEntry, Outcome, Permission, Pins, Usage, Watch,
};
pub use state::{Episode, Pace, Phase, ScorePoint, State, Tally};
pub use streamed::Streamed;
pub use timeline::Timeline;
