//! Records: replies are kept in a file, and come from it again without any server.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use futures::future::BoxFuture;
use serde::{Deserialize, Serialize};

use crate::engine::ports::{Ask, Fault, Offers, Piece, PortError, Provider, ProviderError, Reply, Seen, Wanted};
use crate::model::{Budget, Hash, Usage};

/// Version of the records; a record of another version answers nothing.
const FORMAT: u32 = 1;

/// One line of a record.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Line {
    v: u32,
    key: Hash,
    /// For people; nothing reads it.
    program: Hash,
    model: Wanted,
    sample: u32,
    /// What the server could do, so that a replayed ask is written the same way.
    offers: (bool, bool),
    #[serde(flatten)]
    outcome: Outcome,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Outcome {
    Reply(Reply),
    Error { fault: Fault, message: String, hint: Option<String> },
}

/// The key of an ask: program, input, model, parameters, seed and sample.
fn key(ask: &Ask) -> Hash {
    let parameters = (ask.temperature, ask.max_tokens, ask.logprobs, ask.seed, ask.sample);
    let all = (FORMAT, &ask.program, ask.input(), &ask.model, parameters);
    Hash::of(serde_json::to_vec(&all).unwrap_or_default())
}

/// Asks another provider, and keeps what it gives.
pub struct Recorder {
    inner: Arc<dyn Provider>,
    path: PathBuf,
    file: Mutex<File>,
}

impl Recorder {
    /// Adds to a file, which is made where there is none.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn new(inner: Arc<dyn Provider>, path: &Path) -> Result<Self, PortError> {
        let cannot = |error| PortError::new(format!("{}: cannot be written: {error}", path.display()));
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(cannot)?;
        }
        let mut file = OpenOptions::new().create(true).append(true).open(path).map_err(cannot)?;
        // A line that a crash cut off must not swallow the next one.
        if fs::read(path).is_ok_and(|bytes| bytes.last().is_some_and(|last| *last != b'\n')) {
            file.write_all(b"\n").map_err(cannot)?;
        }
        Ok(Self { inner, path: path.to_owned(), file: Mutex::new(file) })
    }

    fn keep(&self, ask: &Ask, outcome: Outcome) -> Result<(), ProviderError> {
        let offers = self.inner.offers(&ask.model);
        let line = Line {
            v: FORMAT,
            key: key(ask),
            program: ask.program.clone(),
            model: ask.model.clone(),
            sample: ask.sample,
            offers: (offers.schema, offers.tools),
            outcome,
        };
        let cannot = |why: String| {
            let told = format!("the reply cannot be recorded in {}: {why}", self.path.display());
            ProviderError::new(Fault::Rejected, told).hint("see that the disk is not full, or go on without a record")
        };
        let mut text = serde_json::to_string(&line).map_err(|error| cannot(error.to_string()))?;
        text.push('\n');
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(text.as_bytes()).map_err(|error| cannot(error.to_string()))
    }
}

impl Provider for Recorder {
    fn ask<'a>(&'a self, ask: &'a Ask, seen: &'a Seen<'a>) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        Box::pin(async move {
            let result = self.inner.ask(ask, seen).await;
            match &result {
                Ok(reply) => self.keep(ask, Outcome::Reply(reply.clone()))?,
                // What comes from caps and from people is no word of a model.
                Err(error) if matches!(error.fault, Fault::OverBudget | Fault::Cancelled) => {}
                Err(ProviderError { fault, message, hint, .. }) => {
                    let (fault, message, hint) = (*fault, message.clone(), hint.clone());
                    self.keep(ask, Outcome::Error { fault, message, hint })?;
                }
            }
            result
        })
    }

    fn offers(&self, model: &Wanted) -> Offers {
        self.inner.offers(model)
    }

    fn used(&self) -> Usage {
        self.inner.used()
    }

    fn budget(&self, caps: &Budget, used: Option<&Usage>) {
        self.inner.budget(caps, used);
    }
}

/// Answers from a record, and asks nobody.
pub struct Replayer {
    path: PathBuf,
    replies: HashMap<Hash, Outcome>,
    offers: HashMap<String, Offers>,
}

impl Replayer {
    /// Reads a record. Of several replies to one ask the last counts.
    ///
    /// # Errors
    /// When it cannot be read. A last line that was cut off is no error.
    pub fn new(path: &Path) -> Result<Self, PortError> {
        let text = fs::read_to_string(path).map_err(|error| {
            let hint = match error.kind() {
                ErrorKind::NotFound => "record a run first",
                _ => "see that the file is a record",
            };
            PortError::new(format!("{}: cannot be read: {error}", path.display())).hint(hint)
        })?;
        Self::of(path, &text)
    }

    /// Reads the text of a record; `path` is what errors call it.
    ///
    /// # Errors
    /// When it is none. A last line that was cut off is no error.
    pub fn of(path: &Path, text: &str) -> Result<Self, PortError> {
        let (mut replies, mut offers) = (HashMap::new(), HashMap::new());
        let count = text.lines().count();
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            match serde_json::from_str::<Line>(line) {
                Ok(line) if line.v == FORMAT => {
                    let (schema, tools) = line.offers;
                    offers.insert(line.model.to_string(), Offers { schema, tools });
                    replies.insert(line.key, line.outcome);
                }
                Ok(_) => {}
                Err(_) if at + 1 == count && !text.ends_with('\n') => {}
                Err(error) => {
                    return Err(PortError::new(format!("{}:{}: no record: {error}", path.display(), at + 1)));
                }
            }
        }
        Ok(Self { path: path.to_owned(), replies, offers })
    }
}

impl Provider for Replayer {
    fn ask<'a>(&'a self, ask: &'a Ask, seen: &'a Seen<'a>) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        let found = match self.replies.get(&key(ask)) {
            Some(Outcome::Reply(reply)) => {
                tell(reply, seen);
                Ok(reply.clone())
            }
            Some(Outcome::Error { fault, message, hint }) => {
                Err(ProviderError { hint: hint.clone(), ..ProviderError::new(*fault, message.clone()) })
            }
            None => {
                let told = format!("{} holds no reply to this", self.path.display());
                Err(ProviderError::new(Fault::Missing, told)
                    .hint("the program, what it read, or a parameter is not what it was when this was recorded"))
            }
        };
        Box::pin(std::future::ready(found))
    }

    fn offers(&self, model: &Wanted) -> Offers {
        self.offers.get(&model.to_string()).copied().unwrap_or_default()
    }
}

/// Shows a reply that is there as a whole.
pub(super) fn tell(reply: &Reply, seen: &Seen<'_>) {
    if !reply.reasoning.is_empty() {
        seen(Piece::Reasoning(&reply.reasoning));
    }
    if !reply.text.is_empty() {
        seen(Piece::Text(&reply.text));
    }
    for call in &reply.calls {
        seen(Piece::Call(&call.name));
    }
}
