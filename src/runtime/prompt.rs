//! Runs programs of kind `prompt`: a language model gets the program's text, its task and its view, may call tools, and gives
//! contributions.
//!
//! Every call of a model goes into the record like the call of a tool, so that a session is replayed without any server.

mod calls;
mod loose;
mod messages;
mod output;
mod plain;
mod shown;

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::engine::ports::{
    Activation, Ask, Fault, Finish, Message, Offers, Output, Piece, Provider, ProviderError, Reply, RunError, Tokens,
    Toolbox, Wanted,
};
use crate::model::{CallRecord, ModelChoice, Usage};

use super::pool::Pool;

use calls::Desk;

/// Rounds of tool calls before an answer must come.
const ROUNDS: usize = 6;

/// The longest monologue that is kept.
const MONOLOGUE: usize = 16 << 10;

/// What a prompt runs with.
pub(super) struct Means<'a> {
    pub(super) provider: Option<&'a dyn Provider>,
    pub(super) toolbox: &'a dyn Toolbox,
    pub(super) pool: &'a Pool,
}

/// Runs one prompt.
///
/// # Errors
/// When there is no model, it fails, or it gives something else than it must twice.
pub(super) async fn run(means: &Means<'_>, activation: &Activation) -> Result<Output, RunError> {
    let mut talk = Talk::new(means, activation);
    let result = match activation.program.manifest.deadline_ms {
        // Unlike a script, a prompt has no limit on its whole time unless it says so: what counts is that something comes.
        None => talk.run().await,
        Some(millis) => match tokio::time::timeout(Duration::from_millis(millis), talk.run()).await {
            Ok(result) => result,
            Err(_) => Err(late(millis)),
        },
    };
    let Talk { record, usage, .. } = talk;
    match result {
        Ok(output) => Ok(Output { calls: record, usage, ..output }),
        Err(message) => {
            let message = format!("{}: {message}", activation.program.path);
            Err(RunError { message, calls: record, usage })
        }
    }
}

/// One conversation.
struct Talk<'a> {
    means: &'a Means<'a>,
    activation: &'a Activation,
    record: Vec<CallRecord>,
    /// How many calls of the record that is replayed are used up.
    replayed: usize,
    usage: Usage,
    unpriced: bool,
}

impl<'a> Talk<'a> {
    fn new(means: &'a Means<'a>, activation: &'a Activation) -> Self {
        let usage = Usage::default();
        Self { means, activation, record: Vec::new(), replayed: 0, usage, unpriced: false }
    }

    async fn run(&mut self) -> Result<Output, String> {
        let (means, activation) = (self.means, self.activation);
        let choice = activation.program.manifest.model.clone().unwrap_or_default();
        let wanted = Wanted::Tier(choice.tier);
        let offers = means.provider.map_or(Offers::default(), |provider| provider.offers(&wanted));
        let desk = Desk { toolbox: means.toolbox, pool: means.pool, activation };
        let tools = calls::specs(&activation.program.manifest.tools);
        let (system, first) = messages::written(activation, &tools, offers.tools)?;
        let mut ask = begun(activation, &choice, wanted, system, first);
        // Servers that hold replies to a schema do not let a model call tools under it.
        if tools.is_empty() && offers.schema {
            ask.schema = output::schema(activation);
        }
        if offers.tools {
            ask.tools.clone_from(&tools);
        }
        let (mut rounds, mut corrected, mut thoughts) = (0, false, String::new());
        loop {
            let reply = self.ask(&ask).await?;
            let (text, thought) = output::without_thoughts(&reply.text);
            add(&mut thoughts, &reply.reasoning);
            add(&mut thoughts, &thought);
            let native = !reply.calls.is_empty();
            let wants = if native { reply.calls.clone() } else { calls::in_text(&text, &tools) };
            if !wants.is_empty() {
                rounds += 1;
                if rounds > ROUNDS + 1 {
                    return Err(format!("it called tools in more than {ROUNDS} rounds and gave no answer"));
                }
                let last = rounds > ROUNDS;
                let answers = if last { calls::none_left(&wants) } else { self.calls(&desk, &wants).await? };
                calls::told(&mut ask.messages, &text, &wants, &answers, native);
                continue;
            }
            let why = match output::read(&text, activation) {
                Ok(output) => {
                    add(&mut thoughts, &output.monologue);
                    return Ok(Output { monologue: thoughts, ..output });
                }
                Err(why) if reply.finish == Finish::Length => format!("{why}; it was cut off at its longest"),
                Err(why) => why,
            };
            if corrected {
                return Err(format!("the model gave something else than it must, twice: {why}"));
            }
            corrected = true;
            ask.messages.push(Message::Model { text: some(&text), calls: Vec::new() });
            ask.messages.push(Message::User(messages::correction(&why, &activation.program.manifest.reply)));
        }
    }

    /// Asks the model, or takes its reply from the record.
    async fn ask(&mut self, ask: &Ask) -> Result<Reply, String> {
        let call = match self.activation.recorded.clone() {
            // How an ask is written depends on what the server could do, which nobody knows any more: the record's counts.
            Some(recorded) => self.next(&recorded, CallRecord::MODEL)?.clone(),
            None => match self.means.provider {
                Some(provider) => self.live(provider, ask).await,
                None => return Err("it is a prompt, and no model is configured".to_owned()),
            },
        };
        let result = call.result.clone();
        let read = |value: Value| serde_json::from_value::<Reply>(value).map_err(|error| error.to_string());
        let took = call.args.get(2).cloned().unwrap_or_default();
        self.record.push(call);
        let result = result.and_then(read);
        match &result {
            Ok(reply) => self.bill(1, reply.tokens, reply.dollars),
            Err(_) => {
                let count = |name: &str| took[name].as_u64().unwrap_or_default();
                let output = count("written");
                let tokens = Tokens { input: count("tokens").saturating_sub(output), output, ..Tokens::default() };
                self.bill(count("calls"), tokens, took["dollars"].as_f64());
            }
        }
        result
    }

    /// The record of a call: which model and input, and, where it failed, what it took all the same.
    async fn live(&self, provider: &dyn Provider, ask: &Ask) -> CallRecord {
        let began = Instant::now();
        let see = |piece: Piece<'_>| shown::piece(self.activation, piece);
        let result = provider.ask(ask, &see).await;
        shown::took(self.activation, &result);
        let micros = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
        let (model, input) = (ask.model.to_string(), ask.input());
        let (args, result) = match result {
            Ok(reply) => {
                (json!([model, input.short()]), serde_json::to_value(reply).map_err(|error| error.to_string()))
            }
            Err(error) => {
                // What a cap forbade, or what nobody serves, was never sent.
                let sent = !matches!(error.fault, Fault::OverBudget | Fault::Missing) || error.tokens.total() > 0;
                let (tokens, written) = (error.tokens.total(), error.tokens.output);
                let took = json!({
                    "calls": u64::from(sent), "tokens": tokens, "written": written, "dollars": error.dollars,
                    "fault": error.fault.name(),
                });
                (json!([model, input.short(), took]), Err(words(&error)))
            }
        };
        CallRecord { tool: CallRecord::MODEL.to_owned(), args, result, micros }
    }

    /// One unknown price makes the whole unknown.
    fn bill(&mut self, calls: u64, tokens: Tokens, dollars: Option<f64>) {
        self.usage.calls += calls;
        self.usage.tokens = self.usage.tokens.saturating_add(tokens.total());
        self.usage.written = self.usage.written.saturating_add(tokens.output);
        self.unpriced |= dollars.is_none() && tokens.total() > 0;
        let sum = self.usage.dollars.unwrap_or_default() + dollars.unwrap_or_default();
        self.usage.dollars = (!self.unpriced && (dollars.is_some() || self.usage.dollars.is_some())).then_some(sum);
    }

    /// Runs tools at once, or takes their answers from the record, in the order of the calls.
    async fn calls(
        &mut self,
        desk: &Desk<'_>,
        wants: &[crate::engine::ports::ToolCall],
    ) -> Result<Vec<String>, String> {
        let records = match self.activation.recorded.clone() {
            Some(recorded) => {
                let mut records = Vec::new();
                for want in wants.iter().take(calls::AT_ONCE) {
                    records.push(self.next(&recorded, &want.name)?.clone());
                }
                records
            }
            None => {
                let records = desk.run(wants).await;
                records.iter().for_each(|record| shown::returned(self.activation, record));
                records
            }
        };
        let answers = calls::answers(wants, &records);
        self.record.extend(records.iter().map(calls::kept));
        Ok(answers)
    }

    fn next<'r>(&mut self, recorded: &'r [CallRecord], tool: &str) -> Result<&'r CallRecord, String> {
        let found = recorded.get(self.replayed);
        self.replayed += 1;
        match (found, self.activation.program.manifest.deadline_ms) {
            (Some(call), _) if call.tool == tool => Ok(call),
            // Where a record ends early, the time was up.
            (None, Some(millis)) => Err(late(millis)),
            (Some(_) | None, _) => Err(format!("the record holds no such call of {tool}")),
        }
    }
}

fn begun(activation: &Activation, choice: &ModelChoice, wanted: Wanted, system: String, first: String) -> Ask {
    let params = &activation.program.manifest.params;
    let whole = |name: &str| params.get(name).and_then(Value::as_u64).and_then(|number| u32::try_from(number).ok());
    Ask {
        program: activation.program.hash.clone(),
        // Where nothing is said, the same question is to have the same answer.
        temperature: Some(choice.temperature.unwrap_or(0.0)),
        max_tokens: whole("max_tokens"),
        seed: Some(activation.seed),
        sample: whole("sample").unwrap_or_default(),
        images: activation.query.attachments.iter().filter_map(|file| file.image.clone()).collect(),
        ..Ask::new(wanted, system, first)
    }
}

fn late(millis: u64) -> String {
    format!("it was not done after {millis} ms")
}

/// A message must not be empty.
fn some(text: &str) -> String {
    if text.trim().is_empty() { "(nothing)".to_owned() } else { text.to_owned() }
}

fn add(thoughts: &mut String, more: &str) {
    let more = more.trim();
    if more.is_empty() || thoughts.len() >= MONOLOGUE {
        return;
    }
    if !thoughts.is_empty() {
        thoughts.push('\n');
    }
    thoughts.push_str(&super::record::clip_to(more.to_owned(), MONOLOGUE - thoughts.len().min(MONOLOGUE)));
}

fn words(error: &ProviderError) -> String {
    let partial = error.partial.as_ref().map(|reply| reply.text.trim()).filter(|text| !text.is_empty());
    let partial = partial
        .map(|text| format!("\nwhat came before (not whole): {}", super::record::clip_to(text.to_owned(), 2_000)));
    let kind = match error.fault {
        Fault::RateLimited { .. } => "the model is rate-limited",
        Fault::OverBudget => "the budget does not allow the call",
        Fault::Missing => "there is no such model",
        Fault::Overloaded
        | Fault::Refused
        | Fault::TooLong
        | Fault::Auth
        | Fault::Unreachable
        | Fault::Malformed
        | Fault::Rejected
        | Fault::Stalled
        | Fault::CutOff
        | Fault::Repeating
        | Fault::TooLarge
        | Fault::Cancelled => "the model gave no answer",
    };
    format!("{kind}: {}{}", error.told(), partial.unwrap_or_default())
}

#[cfg(test)]
mod tests;
