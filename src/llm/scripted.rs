//! Replies from a file that somebody wrote, for tests and demonstrations.

use std::fs;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use futures::future::BoxFuture;
use serde::Deserialize;
use serde_json::Value;

use crate::engine::ports::{
    Ask, Fault, Finish, Message, Offers, PortError, Provider, ProviderError, Reply, Seen, Tokens, ToolCall, Wanted,
};

use super::count::roughly;
use super::record::tell;

/// One line of the file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Line {
    /// Texts that must all stand in what the model reads.
    #[serde(default)]
    when: Texts,
    /// What it says; an object or a list is said as JSON.
    #[serde(default)]
    say: Value,
    /// Reasoning beside it.
    #[serde(default)]
    reasoning: String,
    /// Tools that it calls: names and arguments.
    #[serde(default)]
    calls: Vec<(String, Value)>,
    /// It fails in this way instead.
    #[serde(default)]
    fail: Option<Fault>,
    /// How often it says so; without end where that is not said.
    #[serde(default)]
    times: Option<u32>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(untagged)]
enum Texts {
    #[default]
    None,
    One(String),
    All(Vec<String>),
}

impl Texts {
    fn in_text(&self, text: &str) -> bool {
        match self {
            Self::None => true,
            Self::One(one) => text.contains(one),
            Self::All(all) => all.iter().all(|one| text.contains(one)),
        }
    }
}

/// A provider that plays a part.
pub struct Scripted {
    lines: Mutex<Vec<Line>>,
    offers: Offers,
}

impl Scripted {
    /// Reads a part from a file: one JSON object a line, `{"when": "…", "say": "…"}`; of those that fit, the first one counts
    /// that is not used up. Lines that start with `#` are for people.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read(path: &Path) -> Result<Self, PortError> {
        let text = fs::read_to_string(path)
            .map_err(|error| PortError::new(format!("{}: cannot be read: {error}", path.display())))?;
        Self::new(&text).map_err(|error| PortError::new(format!("{}: {error}", path.display())))
    }

    /// The same from its text.
    ///
    /// # Errors
    /// When a line is something else.
    pub fn new(text: &str) -> Result<Self, PortError> {
        let lines = text.lines().enumerate().filter(|(_, line)| {
            let line = line.trim();
            !line.is_empty() && !line.starts_with('#')
        });
        let read = |(at, line): (usize, &str)| {
            serde_json::from_str::<Line>(line).map_err(|error| PortError::new(format!("line {}: {error}", at + 1)))
        };
        let lines = lines.map(read).collect::<Result<_, _>>()?;
        Ok(Self { lines: Mutex::new(lines), offers: Offers::default() })
    }

    /// Makes it say that it can do something by itself.
    #[must_use]
    pub fn offering(mut self, offers: Offers) -> Self {
        self.offers = offers;
        self
    }

    fn line(&self, read: &str) -> Option<Line> {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let found = lines.iter_mut().find(|line| line.times != Some(0) && line.when.in_text(read))?;
        found.times = found.times.map(|left| left.saturating_sub(1));
        Some(found.clone())
    }
}

impl Provider for Scripted {
    fn ask<'a>(&'a self, ask: &'a Ask, seen: &'a Seen<'a>) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        let mut read = ask.system.clone();
        for message in &ask.messages {
            read.push('\n');
            read.push_str(match message {
                Message::User(text) | Message::Model { text, .. } | Message::Tool { text, .. } => text,
            });
        }
        let reply = self.line(&read).ok_or_else(|| {
            let start: String = read.chars().take(80).collect();
            ProviderError::new(Fault::Missing, format!("no line of the script fits: {start}…"))
                .hint("add one whose `when` stands in the prompt")
        });
        let reply = reply.and_then(|line| match line.fail {
            Some(fault) => Err(ProviderError::new(fault, format!("the script says: {}", fault.name()))),
            None => Ok(said(line, &read)),
        });
        if let Ok(reply) = &reply {
            tell(reply, seen);
        }
        Box::pin(std::future::ready(reply))
    }

    fn offers(&self, _: &Wanted) -> Offers {
        self.offers
    }
}

fn said(line: Line, read: &str) -> Reply {
    let text = match line.say {
        Value::Null => String::new(),
        Value::String(text) => text,
        other => other.to_string(),
    };
    let call = |(at, (name, args)): (usize, (String, Value))| {
        let args = match args {
            Value::String(raw) => raw,
            other => other.to_string(),
        };
        ToolCall { id: format!("call_{at}"), name, args, mark: None }
    };
    let calls: Vec<ToolCall> = line.calls.into_iter().enumerate().map(call).collect();
    let finish = if calls.is_empty() { Finish::Stop } else { Finish::Tools };
    let tokens =
        Tokens { input: roughly(read.len()), output: roughly(text.len()), estimated: true, ..Tokens::default() };
    let (model, endpoint) = ("scripted".to_owned(), "script".to_owned());
    let dollars = Some(0.0);
    Reply { text, reasoning: line.reasoning, calls, tokens, dollars, finish, model, endpoint, ..Reply::default() }
}
