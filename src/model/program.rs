//! Programs: immutable, content-addressed data. What they are called means nothing to the engine; what they promise does.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Expr, Hash, ProgramName, Section, Target};

/// How a program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A language model follows its text.
    Prompt,
    /// A sandboxed Python function.
    Script,
    /// A small trainable model: weights over hashed n-grams.
    Model,
    /// Two personas and tools.
    Room,
}

/// What the engine may expect of a program, and what it may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Contract {
    /// Entry: reads the query, may set the plan.
    Router,
    /// Clears up terms.
    Definer,
    /// Splits into sub-tasks.
    Planner,
    /// Hands over or solves.
    Solver,
    /// Writes verdicts and counterexamples on drafts.
    Critic,
    /// Tries another method.
    Alternative,
    /// Refines a draft; given a program, proposes an edit.
    Optimizer,
    /// Watches for contradictions and harm; may mark, hold or veto.
    Integrity,
    /// Assesses; writes textual gradients.
    Judge,
    /// Says whether the query is fully answered, and what is missing.
    GoalCheck,
    /// Writes the final answer for the user.
    Presenter,
    /// Changes the structure of the network.
    Manager,
    /// Oversees a run from outside.
    Supervisor,
    /// A voice in a room.
    Persona,
    /// Anything else.
    Worker,
}

impl Contract {
    /// All contracts, in the order of the design.
    pub const ALL: [Self; 15] = [
        Self::Router,
        Self::Definer,
        Self::Planner,
        Self::Solver,
        Self::Critic,
        Self::Alternative,
        Self::Optimizer,
        Self::Integrity,
        Self::Judge,
        Self::GoalCheck,
        Self::Presenter,
        Self::Manager,
        Self::Supervisor,
        Self::Persona,
        Self::Worker,
    ];

    /// Its name in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Router => "router",
            Self::Definer => "definer",
            Self::Planner => "planner",
            Self::Solver => "solver",
            Self::Critic => "critic",
            Self::Alternative => "alternative",
            Self::Optimizer => "optimizer",
            Self::Integrity => "integrity",
            Self::Judge => "judge",
            Self::GoalCheck => "goal-check",
            Self::Presenter => "presenter",
            Self::Manager => "manager",
            Self::Supervisor => "supervisor",
            Self::Persona => "persona",
            Self::Worker => "worker",
        }
    }

    /// The contract of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|contract| contract.name() == name)
    }

    /// Whether a program of this contract is chosen by routing, or acts only where the engine calls for it.
    #[must_use]
    pub fn is_routed(self) -> bool {
        match self {
            Self::Router
            | Self::Definer
            | Self::Planner
            | Self::Solver
            | Self::Critic
            | Self::Alternative
            | Self::Optimizer
            | Self::Judge
            | Self::GoalCheck
            | Self::Worker => true,
            Self::Integrity | Self::Presenter | Self::Manager | Self::Supervisor | Self::Persona => false,
        }
    }
}

impl fmt::Display for Contract {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Which class of language model a prompt asks for; configuration says what that is today.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tier {
    /// Cheapest.
    Fast,
    /// Default.
    #[default]
    Standard,
    /// Most able.
    Strong,
}

/// The model a prompt asks for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ModelChoice {
    /// Class of model.
    #[serde(default)]
    pub tier: Tier,
    /// Sampling temperature, 0 to 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
}

/// How a model is to reply to a prompt.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "ReplyText", into = "ReplyText")]
pub enum ReplyForm {
    /// A list of contributions, each of a section (`reply = "contributions"`, or nothing said).
    #[default]
    Contributions,
    /// Free text; it is one contribution of the first section that the program writes, and a last line `Answer: …` gives its
    /// value (`reply = "text"`).
    Text,
    /// These fields and no others, in this order; together they are one contribution of the first section that the program
    /// writes (`reply = ["working", "answer"]`). `pass` and `complete` are truths, everything else is text.
    Fields(Vec<String>),
}

impl ReplyForm {
    /// Whether nothing special is said.
    #[must_use]
    pub fn is_usual(&self) -> bool {
        *self == Self::Contributions
    }
}

/// The form of a reply as files say it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged, expecting = "`reply` is \"contributions\", \"text\" or a list of fields")]
enum ReplyText {
    Named(NamedReply),
    Fields(Vec<String>),
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum NamedReply {
    Contributions,
    Text,
}

impl From<ReplyText> for ReplyForm {
    fn from(text: ReplyText) -> Self {
        match text {
            ReplyText::Named(NamedReply::Contributions) => Self::Contributions,
            ReplyText::Named(NamedReply::Text) => Self::Text,
            ReplyText::Fields(fields) => Self::Fields(fields),
        }
    }
}

impl From<ReplyForm> for ReplyText {
    fn from(form: ReplyForm) -> Self {
        match form {
            ReplyForm::Contributions => Self::Named(NamedReply::Contributions),
            ReplyForm::Text => Self::Named(NamedReply::Text),
            ReplyForm::Fields(fields) => Self::Fields(fields),
        }
    }
}

/// Front matter of a program file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Manifest {
    /// One sentence: what it does.
    pub role: String,
    /// How it runs; from the file type where omitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// What may be expected of it.
    pub contract: Contract,
    /// Its view: the sections of working memory it sees.
    #[serde(default)]
    pub reads: Vec<Section>,
    /// Sections that must exist for it to be legal.
    #[serde(default)]
    pub requires: Vec<Section>,
    /// Sections it may write.
    #[serde(default)]
    pub writes: Vec<Section>,
    /// When it may be chosen at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepts: Option<Expr>,
    /// Gets an edge from each of these.
    #[serde(default)]
    pub after: Vec<Target>,
    /// Prior of the edges of `after`, 0 to 1.
    #[serde(default = "default_prior")]
    pub prior: f64,
    /// A name within its contract that rules may target; collapses in the graph.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Declared edges with priors.
    #[serde(default)]
    pub next: BTreeMap<Target, f64>,
    /// Tools it may call.
    #[serde(default)]
    pub tools: Vec<String>,
    /// The model a prompt asks for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelChoice>,
    /// How the model is to reply to a prompt.
    #[serde(default, skip_serializing_if = "ReplyForm::is_usual")]
    pub reply: ReplyForm,
    /// Numbers and words that tune it; learnable.
    #[serde(default)]
    pub params: Map<String, Value>,
    /// Whether it takes part; a deactivated program keeps its file.
    #[serde(default = "yes", skip_serializing_if = "Clone::clone")]
    pub active: bool,
    /// Wall-clock limit of one activation, milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline_ms: Option<u64>,
    /// Its tests.
    #[serde(default)]
    pub tests: Vec<ProgramTest>,
}

fn default_prior() -> f64 {
    0.2
}
fn yes() -> bool {
    true
}

/// One test of a program: a task, a memory, and what must come out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ProgramTest {
    /// The question.
    pub query: String,
    /// Contributions that stand in memory: one table of section to text or value each.
    #[serde(default)]
    pub memory: Vec<BTreeMap<Section, Value>>,
    /// Section to expected value. `satisfies = true` asks that the draft be proved by the scorer's own check; `sound = true`
    /// that it not be refuted, if there is one; `none = true` that nothing be written.
    #[serde(default)]
    pub expect: BTreeMap<String, Value>,
}

/// One program.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// Its name.
    pub name: ProgramName,
    /// How it runs.
    pub kind: Kind,
    /// Its front matter.
    pub manifest: Manifest,
    /// What follows (or, in a script, surrounds) the front matter: prompt, code or weights.
    pub body: Arc<str>,
    /// The whole file.
    pub source: Arc<str>,
    /// Path of the file in its network's folder.
    pub path: String,
    /// Hash of the whole file.
    pub hash: Hash,
}

impl Program {
    /// What may be expected of it.
    #[must_use]
    pub fn contract(&self) -> Contract {
        self.manifest.contract
    }
}
