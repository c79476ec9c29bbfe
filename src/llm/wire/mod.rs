//! The four formats that servers of models speak: how an ask is written, and how a piece of a stream is read.
//!
//! Each format is two functions without any IO. The streams are read here and not by a crate, because both the framing and the
//! body of an error must be bounded, and because a stream that ends in the middle must be told from one that is over.

mod anthropic;
mod fault;
mod frames;
mod gemini;
mod ollama;
mod openai;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::engine::ports::{Ask, Fault, Finish, Offers, ProviderError, Reply, Tokens, ToolCall};

pub(super) use fault::{classify, said};
pub(super) use frames::Frames;

/// How a server wants to be spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Chat completions, as OpenAI and most others serve them.
    #[serde(rename = "openai")]
    OpenAi,
    /// Messages of Anthropic.
    Anthropic,
    /// Gemini of Google.
    Gemini,
    /// Ollama's own chat.
    Ollama,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 4] = [Self::OpenAi, Self::Anthropic, Self::Gemini, Self::Ollama];

    /// Its name in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
            Self::Ollama => "ollama",
        }
    }

    /// What servers of this format can do, where nobody says otherwise.
    #[must_use]
    pub fn offers(self) -> Offers {
        match self {
            // Only newer models take a schema, and none that leaves a field open.
            Self::Anthropic => Offers { schema: false, tools: true },
            Self::OpenAi | Self::Gemini | Self::Ollama => Offers { schema: true, tools: true },
        }
    }

    /// The header that carries the key, and what stands before it.
    pub(super) fn auth(self) -> (&'static str, &'static str) {
        match self {
            Self::OpenAi | Self::Ollama => ("authorization", "Bearer "),
            Self::Anthropic => ("x-api-key", ""),
            Self::Gemini => ("x-goog-api-key", ""),
        }
    }

    /// Path, below the server's address, of the list of its models.
    pub(super) fn models(self) -> &'static str {
        match self {
            Self::OpenAi | Self::Anthropic | Self::Gemini => "/models",
            Self::Ollama => "/api/tags",
        }
    }

    /// Names of the models in such a list; none where it is something else.
    pub(super) fn listed(self, body: &Value) -> Option<Vec<String>> {
        let (list, name) = match self {
            Self::OpenAi | Self::Anthropic => ("data", "id"),
            Self::Gemini | Self::Ollama => ("models", "name"),
        };
        let entries = body.get(list)?.as_array()?;
        let names = entries.iter().filter_map(|entry| entry.get(name).and_then(Value::as_str));
        Some(names.map(|name| name.strip_prefix("models/").unwrap_or(name).to_owned()).collect())
    }

    /// An ask as it is sent to a server.
    pub(super) fn outgoing(self, ask: &Ask, to: &To<'_>) -> Outgoing {
        match self {
            Self::OpenAi => openai::outgoing(ask, to),
            Self::Anthropic => anthropic::outgoing(ask, to),
            Self::Gemini => gemini::outgoing(ask, to),
            Self::Ollama => ollama::outgoing(ask, to),
        }
    }

    /// Reads one frame of a stream into the draft of a reply.
    pub(super) fn read(self, draft: &mut Draft, frame: &str) -> Result<(), ProviderError> {
        if matches!(self, Self::OpenAi) && frame.trim() == "[DONE]" {
            draft.over = true;
            return Ok(());
        }
        let value: Value = serde_json::from_str(frame).map_err(|error| malformed(frame, &error.to_string()))?;
        if let Some(error) = value.get("error").filter(|error| !error.is_null()) {
            return Err(classify(None, &said(error)));
        }
        match self {
            Self::OpenAi => openai::read(draft, &value),
            Self::Anthropic => anthropic::read(draft, &value),
            Self::Gemini => gemini::read(draft, &value),
            Self::Ollama => ollama::read(draft, &value),
        }
    }

    /// How its streams are cut into frames.
    pub(super) fn frames(self) -> Frames {
        match self {
            Self::OpenAi | Self::Anthropic | Self::Gemini => Frames::events(),
            Self::Ollama => Frames::lines(),
        }
    }
}

/// Where an ask goes.
pub(super) struct To<'a> {
    /// The model as the server names it.
    pub(super) model: &'a str,
    /// Cap on the tokens of the reply.
    pub(super) max_tokens: u32,
    /// Whether the server wants OpenAI's newer name for that cap.
    pub(super) newest: bool,
}

/// A request without its key.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Outgoing {
    /// Path below the server's address.
    pub(super) path: String,
    /// Headers of the format.
    pub(super) headers: Vec<(&'static str, &'static str)>,
    /// Body.
    pub(super) body: Value,
}

impl Outgoing {
    /// Leaves out the first parameter that a server says it does not take; false where there is none.
    pub(super) fn without_what_is_refused(&mut self, said: &str) -> bool {
        const OPTIONAL: [&str; 7] =
            ["stream_options", "temperature", "seed", "logprobs", "response_format", "output_config", "think"];
        let Some(fields) = self.body.as_object_mut() else { return false };
        let refused = OPTIONAL.iter().find(|name| said.contains(**name) && fields.contains_key(**name));
        if let Some(name) = refused {
            return fields.remove(*name).is_some();
        }
        // One server's name for the cap is another's mistake.
        let (old, new) = ("max_tokens", "max_completion_tokens");
        let (from, to) = if said.contains(new) { (old, new) } else { (new, old) };
        match (said.contains(old) || said.contains(new), fields.remove(from)) {
            (true, Some(cap)) => fields.insert(to.to_owned(), cap).is_none(),
            (false, Some(cap)) => {
                fields.insert(from.to_owned(), cap);
                false
            }
            (true | false, None) => false,
        }
    }
}

/// A reply in the making.
#[derive(Debug, Default)]
pub(super) struct Draft {
    /// What has come.
    pub(super) reply: Reply,
    /// Why it ends, once the server said so.
    pub(super) finish: Option<Finish>,
    /// Whether the stream said that it is over.
    pub(super) over: bool,
    /// The server's own number of each call, in the order of `reply.calls`.
    pub(super) numbers: Vec<u64>,
    /// What the server says it took.
    pub(super) tokens: Option<Tokens>,
    /// Words of a refusal.
    pub(super) refusal: Option<String>,
}

impl Draft {
    /// The call with the server's own number, begun where there was none.
    pub(super) fn call(&mut self, number: u64) -> &mut ToolCall {
        let at = match self.numbers.iter().position(|known| *known == number) {
            Some(at) => at,
            None => {
                self.numbers.push(number);
                let id = format!("call_{number}");
                self.reply.calls.push(ToolCall { id, name: String::new(), args: String::new(), mark: None });
                self.reply.calls.len() - 1
            }
        };
        &mut self.reply.calls[at]
    }

    /// Begins a call that comes in one piece.
    pub(super) fn whole_call(&mut self, id: Option<&str>, name: &str, args: &Value) -> &mut ToolCall {
        let number = self.numbers.len() as u64;
        let call = self.call(number);
        if let Some(id) = id {
            id.clone_into(&mut call.id);
        }
        name.clone_into(&mut call.name);
        call.args = args.to_string();
        call
    }

    /// What the server says it took so far.
    pub(super) fn took(&mut self) -> &mut Tokens {
        self.tokens.get_or_insert_default()
    }

    /// The model refused.
    pub(super) fn refused(&mut self, why: &str) -> ProviderError {
        let words = self.refusal.take().unwrap_or_default();
        let words = if words.is_empty() { String::new() } else { format!(": {}", clip(&words)) };
        ProviderError::new(Fault::Refused, format!("the model refused ({why}){words}"))
            .hint("say it in other words, or give the program another model")
    }
}

fn malformed(frame: &str, why: &str) -> ProviderError {
    ProviderError::new(Fault::Malformed, format!("the server sent something unreadable ({why}): {}", clip(frame)))
        .hint("see that the address and the format of the endpoint are right")
}

/// The beginning of a text from outside, on one line.
pub(super) fn clip(text: &str) -> String {
    let mut short: String =
        text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(200).collect::<String>().trim().to_owned();
    if text.chars().count() > 200 {
        short.push('…');
    }
    short
}

/// A number at a path of fields; 0 where there is none.
pub(super) fn count(value: &Value, path: &str) -> u64 {
    value.pointer(path).and_then(Value::as_u64).unwrap_or_default()
}

/// A text in a field.
pub(super) fn text<'a>(value: &'a Value, path: &str) -> Option<&'a str> {
    value.pointer(path).and_then(Value::as_str).filter(|text| !text.is_empty())
}

/// Arguments of a call as JSON for a server that wants an object; an empty one where the model wrote something else.
pub(super) fn object(args: &str) -> Value {
    match serde_json::from_str(args) {
        Ok(Value::Object(fields)) => Value::Object(fields),
        Ok(_) | Err(_) => Value::Object(serde_json::Map::new()),
    }
}

#[cfg(test)]
mod tests;
