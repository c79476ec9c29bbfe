//! The port to language models: what is asked, what comes back, and every way in which it may not.

use std::fmt;
use std::time::Duration;

use futures::future::BoxFuture;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::model::{Budget, Hash, Image, Tier, Usage};

/// Answers asks by means of language models.
pub trait Provider: Send + Sync {
    /// Asks once and gives the whole reply; pieces of it go to `seen` as they come. Dropping the future stops the call and
    /// closes its connection.
    fn ask<'a>(&'a self, ask: &'a Ask, seen: &'a Seen<'a>) -> BoxFuture<'a, Result<Reply, ProviderError>>;

    /// What the servers of a model can do by themselves, so that a prompt is written for it.
    fn offers(&self, model: &Wanted) -> Offers;

    /// Tokens, money and calls since this provider is there, of asks that were dropped in the middle too. Nothing where it does
    /// not count.
    fn used(&self) -> Usage {
        Usage::default()
    }

    /// Sets the caps of a session. `used` is what counts against them already, where a session begins.
    fn budget(&self, _caps: &Budget, _used: Option<&Usage>) {}
}

/// Gets the pieces of a reply as they come. It must return at once: the stream waits for it.
pub type Seen<'a> = dyn Fn(Piece<'_>) + Send + Sync + 'a;

/// Something that happens while a reply is being made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Piece<'a> {
    /// A server took the call.
    Sent {
        /// The server.
        endpoint: &'a str,
        /// The model as that server names it.
        model: &'a str,
        /// Tokens that it is given to read, estimated from lengths.
        input: u64,
        /// Tokens that the model's context holds, where that is known.
        context: Option<u64>,
    },
    /// More of the answer.
    Text(&'a str),
    /// More of the reasoning that comes apart from the answer.
    Reasoning(&'a str),
    /// The model begins to call a tool of this name.
    Call(&'a str),
    /// Nothing is sent before this time has passed.
    Waiting {
        /// What is left of the wait.
        left: Duration,
        /// Why, in plain words.
        why: &'a str,
    },
    /// What came so far counts for nothing: the call is made again, for this reason.
    Again(&'a str),
}

/// The model that is wanted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wanted {
    /// Whatever the configuration has for a tier.
    Tier(Tier),
    /// This one: `model`, or `endpoint/model`.
    Named(String),
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tier(Tier::Fast) => f.pad("fast"),
            Self::Tier(Tier::Standard) => f.pad("standard"),
            Self::Tier(Tier::Strong) => f.pad("strong"),
            Self::Named(name) => f.pad(name),
        }
    }
}

/// What a server can do by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Offers {
    /// It holds replies to a JSON schema.
    pub schema: bool,
    /// It knows calls of tools.
    pub tools: bool,
}

/// One question to a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ask {
    /// Who asks: the hash of the program, a part of the key under which the reply is recorded.
    pub program: Hash,
    /// The model.
    pub model: Wanted,
    /// What the model is told before everything else.
    pub system: String,
    /// The conversation; the last message is the user's or a tool's.
    pub messages: Vec<Message>,
    /// Images that go with the first message of the user.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<Image>,
    /// Sampling temperature, 0 to 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// Cap on the tokens of the reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u32>,
    /// The JSON schema that the reply must fit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<Value>,
    /// Tools that the model may call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<ToolSpec>,
    /// Seed of the sampling, where the server takes one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Which of several samples of the same ask this is, from 0.
    #[serde(default)]
    pub sample: u32,
    /// Whether probabilities of tokens are wanted.
    #[serde(default)]
    pub logprobs: bool,
}

impl Ask {
    /// A question in one message, with everything else left to the server.
    pub fn new(model: Wanted, system: impl Into<String>, user: impl Into<String>) -> Self {
        Self {
            program: Hash::of(""),
            model,
            system: system.into(),
            messages: vec![Message::User(user.into())],
            images: Vec::new(),
            temperature: None,
            max_tokens: None,
            schema: None,
            tools: Vec::new(),
            seed: None,
            sample: 0,
            logprobs: false,
        }
    }

    /// Hash of everything that the model reads.
    #[must_use]
    pub fn input(&self) -> Hash {
        let input = (&self.system, &self.messages, &self.schema, &self.tools);
        let input = Hash::of(serde_json::to_vec(&input).unwrap_or_default());
        // What was recorded before there were images keeps its key.
        self.images
            .iter()
            .fold(input, |input, image| Hash::of(format!("{} {}", input.as_str(), Hash::of(&*image.base64).as_str())))
    }
}

/// One message of a conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Message {
    /// From the user.
    User(String),
    /// From the model.
    Model {
        /// What it said.
        text: String,
        /// The tools that it called.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        calls: Vec<ToolCall>,
    },
    /// The answer to a call.
    Tool {
        /// Id of the call.
        id: String,
        /// The tool.
        name: String,
        /// What it gave.
        text: String,
    },
}

/// A tool as a model is told of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolSpec {
    /// Its name.
    pub name: String,
    /// One sentence.
    pub doc: String,
    /// JSON schema of an object with its arguments.
    pub takes: Value,
}

/// A call that a model makes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// Its id in the conversation.
    pub id: String,
    /// The tool.
    pub name: String,
    /// Its arguments as the model wrote them, which may be no JSON at all.
    pub args: String,
    /// What the server wants to get back with the call, unread.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<String>,
}

/// Tokens that a call took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tokens {
    /// Read by the model, cached ones included.
    pub input: u64,
    /// Of those, read from a cache.
    #[serde(default)]
    pub cached: u64,
    /// Written by the model, its reasoning included.
    pub output: u64,
    /// Whether the server did not say and these are estimates from lengths.
    #[serde(default)]
    pub estimated: bool,
}

impl Tokens {
    /// In and out.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.input.saturating_add(self.output)
    }
}

/// Why a reply ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Finish {
    /// The model came to its end.
    #[default]
    Stop,
    /// The cap on tokens was reached.
    Length,
    /// The model waits for tools.
    Tools,
}

/// A token with the logarithm of its probability.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Logprob {
    /// Its text.
    pub token: String,
    /// Natural logarithm of its probability.
    pub logprob: f64,
}

/// What a model gave.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    /// The answer.
    pub text: String,
    /// Reasoning that the server keeps apart from the answer.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reasoning: String,
    /// Tools that the model calls.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<ToolCall>,
    /// Tokens that the call took, retries included.
    pub tokens: Tokens,
    /// What it cost in US dollars; none when a price is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dollars: Option<f64>,
    /// Why it ends.
    #[serde(default)]
    pub finish: Finish,
    /// Probabilities of its tokens; empty where they were not wanted or are not offered.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub logprobs: Vec<Logprob>,
    /// The model as the server names it.
    #[serde(default)]
    pub model: String,
    /// The server.
    #[serde(default)]
    pub endpoint: String,
}

/// In what way there is no reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// The server lets nobody in for this long.
    RateLimited {
        /// From now on.
        wait: Duration,
    },
    /// The server has too much to do, or failed.
    Overloaded,
    /// The model, or a filter before it, refused. It is not asked again.
    Refused,
    /// The conversation does not fit into the model's context.
    TooLong,
    /// The key is missing, wrong, or not allowed to do this.
    Auth,
    /// No connection.
    Unreachable,
    /// The server answered something else than it must.
    Malformed,
    /// The server took the request and rejected it.
    Rejected,
    /// Nothing came for too long.
    Stalled,
    /// The connection ended in the middle of the reply.
    CutOff,
    /// The model repeats itself without end.
    Repeating,
    /// The reply is larger than any may be.
    TooLarge,
    /// It was called off.
    Cancelled,
    /// It could have gone over a cap.
    OverBudget,
    /// There is no such model, or no record of this ask.
    Missing,
}

impl Fault {
    /// Its name for people and for fields.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::RateLimited { .. } => "rate-limited",
            Self::Overloaded => "overloaded",
            Self::Refused => "refused",
            Self::TooLong => "too-long",
            Self::Auth => "auth",
            Self::Unreachable => "unreachable",
            Self::Malformed => "malformed",
            Self::Rejected => "rejected",
            Self::Stalled => "stalled",
            Self::CutOff => "cut-off",
            Self::Repeating => "repeating",
            Self::TooLarge => "too-large",
            Self::Cancelled => "cancelled",
            Self::OverBudget => "over-budget",
            Self::Missing => "missing",
        }
    }
}

/// Why there is no reply.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct ProviderError {
    /// What kind of fault it is.
    pub fault: Fault,
    /// One clause, lower case.
    pub message: String,
    /// What to do next.
    pub hint: Option<String>,
    /// What came before it went wrong; not whole, and no answer.
    pub partial: Option<Box<Reply>>,
    /// What all tries took.
    pub tokens: Tokens,
    /// What they cost in US dollars; none when a price is unknown.
    pub dollars: Option<f64>,
}

impl ProviderError {
    /// An error without a hint.
    pub fn new(fault: Fault, message: impl Into<String>) -> Self {
        Self { fault, message: message.into(), hint: None, partial: None, tokens: Tokens::default(), dollars: None }
    }

    /// Adds what to do next.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Message and hint in one line.
    #[must_use]
    pub fn told(&self) -> String {
        match &self.hint {
            Some(hint) => format!("{}; {hint}", self.message),
            None => self.message.clone(),
        }
    }
}
