//! Follows a session to its end and prints as it goes: the part that `run`, `resume` and `fork --run` share.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::engine::{CHANNEL, SessionError};
use crate::model::{
    Command, Envelope, Event, FORMAT, HaltReason, Hash, Outcome, Permission, ProposalId, Query, SessionId, State,
};

use super::failure::Failure;
use super::models::Calls;
use super::signals::Signals;
use super::trace::{Trace, closing};
use super::typing::Typing;
use super::{exit, leave, out};

/// How a run is shown.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct Show {
    /// Print every event as one line of JSON on standard output, and the outcome as the last line
    #[arg(long)]
    pub(super) json: bool,
    /// Say on standard error who could have run in each cycle, and why the run stopped
    #[arg(long)]
    pub(super) explain: bool,
    /// Print what models write as they write it: on standard error, with --json among the events
    #[arg(long)]
    pub(super) stream: bool,
}

type Channels =
    (mpsc::Sender<Command>, mpsc::Receiver<Arc<Envelope>>, mpsc::Receiver<Command>, mpsc::Sender<Arc<Envelope>>);

/// The two ends of a client, then the two ends of its session.
pub(super) fn channels() -> Channels {
    let (commands, receiver) = mpsc::channel(CHANNEL);
    let (sender, events) = mpsc::channel(CHANNEL);
    (commands, events, receiver, sender)
}

/// A client without a human: it watches, answers what must be answered, and lets go when the last question is done.
pub(super) struct Client {
    id: SessionId,
    show: Show,
    trace: Trace,
    typing: Typing,
    /// Dropped when nothing more is to be asked, which closes the session.
    commands: Option<mpsc::Sender<Command>>,
    /// Queries of further epochs.
    again: Vec<Query>,
    epoch: usize,
    outcome: Option<Arc<Outcome>>,
    calls: Calls,
    raised: Vec<ProposalId>,
    /// The exit code of what stopped the run from outside.
    stopped: Option<u8>,
}

impl Client {
    /// A client of a session; `again` holds the queries of further epochs.
    pub(super) fn new(id: &SessionId, show: Show, commands: mpsc::Sender<Command>, again: Vec<Query>) -> Self {
        Self {
            id: id.clone(),
            show,
            trace: Trace::new(show.explain),
            typing: Typing::new(show.stream),
            commands: Some(commands),
            again,
            epoch: 1,
            outcome: None,
            calls: Calls::default(),
            raised: Vec::new(),
            stopped: None,
        }
    }

    /// A client of a session whose last question is answered already: it only waits until the session has closed.
    pub(super) fn after(mut self, outcome: Arc<Outcome>) -> Self {
        self.commands = None;
        self.outcome = Some(outcome);
        self
    }

    /// Follows the session to its end and gives the exit code.
    pub(super) async fn follow(
        mut self,
        session: impl Future<Output = Result<State, SessionError>>,
        mut events: mpsc::Receiver<Arc<Envelope>>,
    ) -> Result<u8, Failure> {
        let mut signals = Signals::new()?;
        let watching = async {
            loop {
                tokio::select! {
                    biased;
                    code = signals.next() => self.stop(code).await,
                    envelope = events.recv() => match envelope {
                        Some(envelope) => self.see(&envelope).await,
                        None => return,
                    },
                }
            }
        };
        let (ended, ()) = tokio::join!(session, watching);
        if let Err(error) = ended {
            let failure = Failure::from(error);
            if self.show.json {
                self.last_line(failure.code, Some(&failure.message));
            }
            return Err(failure);
        }
        Ok(self.close())
    }

    /// Stops the run at a whole step, once; a second wish ends the process.
    async fn stop(&mut self, code: u8) {
        let Some(commands) = self.commands.take().filter(|_| self.stopped.is_none()) else { leave(code) };
        let _ = commands.send(Command::Interrupt).await;
        let _ = commands.send(Command::Shutdown).await;
        self.stopped = Some(code);
    }

    async fn see(&mut self, envelope: &Envelope) {
        self.calls.see(envelope);
        if let Event::Delta { .. } = &envelope.event {
            // A record of standard output is that of the session, unless more is asked for.
            if self.show.json && self.show.stream {
                out::line(serde_json::to_string(envelope).unwrap_or_default());
            } else if !self.show.json {
                self.typing.see(envelope);
            }
            return;
        }
        if self.show.json {
            out::line(line(envelope));
        } else {
            self.typing.see(envelope);
            self.trace.see(envelope).iter().for_each(out::say);
        }
        if let Event::ProposalRaised { proposal } = &envelope.event {
            self.raised.push(proposal.id.clone());
        } else if let Event::ProposalDecided { id, .. } = &envelope.event {
            self.raised.retain(|waiting| waiting != id);
        } else if let Event::EpisodeEnded { outcome } = &envelope.event {
            self.ended(outcome).await;
        } else if let Event::Permission { permission } = &envelope.event {
            self.asked(permission).await;
        } else if let (Event::Paused { .. }, None, Some(commands)) = (&envelope.event, self.stopped, &self.commands) {
            // A breakpoint that was set elsewhere: nobody is here to look.
            let _ = commands.send(Command::Breakpoints(Vec::new())).await;
            let _ = commands.send(Command::Run).await;
        }
    }

    /// A program asks for leave and nobody is here to give it: the run stops, and can be taken up by somebody who is.
    async fn asked(&mut self, permission: &Permission) {
        if permission.granted.is_none() && self.stopped.is_none() && self.commands.is_some() {
            out::say(format!("{} asks for leave: {}", permission.program, permission.what));
            self.stop(exit::APPROVAL).await;
        }
    }

    async fn ended(&mut self, outcome: &Arc<Outcome>) {
        self.outcome = Some(outcome.clone());
        let next = self.again.pop().zip(self.commands.clone());
        if !self.show.json {
            match &next {
                None => present(outcome),
                Some(_) => {
                    let answer = outcome.answer.as_deref().or(outcome.message.as_deref()).unwrap_or("no answer");
                    out::say(format!("epoch {}: {answer}\n{}", self.epoch, closing(outcome)));
                }
            }
        }
        self.epoch += 1;
        match next {
            Some((query, commands)) => {
                let _ = commands.send(Command::Start { query }).await;
            }
            None => self.commands = None,
        }
    }

    fn close(&self) -> u8 {
        let code = match (self.stopped, &self.outcome) {
            (Some(code), _) => code,
            (None, Some(outcome)) => self::code(outcome, &self.calls),
            (None, None) => exit::INTERNAL,
        };
        let failed = self.calls.failed().filter(|_| code == exit::PROVIDER);
        if let Some(why) = failed {
            say_failed(why);
        }
        if self.show.json {
            self.last_line(code, failed);
        } else if !self.raised.is_empty() {
            let list: Vec<&str> = self.raised.iter().map(ProposalId::as_str).collect();
            out::say(format!("waiting for your decision: {} — see `mop programs review`", list.join(", ")));
        }
        if self.stopped.is_some() {
            out::say(format!("stopped; `mop resume {}` goes on from here", self.id));
        }
        code
    }

    /// The outcome as one object of JSON; its fields are null where there is none.
    fn last_line(&self, code: u8, error: Option<&str>) {
        out::line(last_line(&self.id, self.outcome.as_deref(), &self.raised, code, error));
    }
}

/// An event as one line of JSON. The bytes of an image are in the session; here their hash stands for them.
fn line(envelope: &Envelope) -> String {
    let query = match &envelope.event {
        Event::SessionStarted { query: Some(query), .. } | Event::EpisodeStarted { query, .. } => query,
        _ => return serde_json::to_string(envelope).unwrap_or_default(),
    };
    let mut line = json!(envelope);
    for (at, file) in query.attachments.iter().enumerate() {
        let place = line.pointer_mut(&format!("/data/query/attachments/{at}/image"));
        if let (Some(image), Some(place)) = (&file.image, place) {
            *place = json!({ "media": image.media, "hash": Hash::of(&*image.base64) });
        }
    }
    line.to_string()
}

/// The last line of `--json`.
pub(super) fn last_line(
    id: &SessionId,
    outcome: Option<&Outcome>,
    waiting: &[ProposalId],
    code: u8,
    error: Option<&str>,
) -> Value {
    let mut line = json!({ "v": FORMAT, "session": id, "exit": code });
    for field in ["halted", "answer", "message", "verified", "j", "cycles", "usage"] {
        line[field] = Value::Null;
    }
    if let (Some(Value::Object(fields)), Value::Object(line)) = (outcome.map(|outcome| json!(outcome)), &mut line) {
        line.extend(fields);
    }
    line["proposals"] = json!(waiting);
    if let Some(error) = error {
        line["error"] = error.into();
    }
    line
}

/// Says that models failed, and what to do.
pub(super) fn say_failed(why: &str) {
    out::say(format!("mop: the run failed because a model did: {why}"));
    out::say("     `mop doctor` asks every server; --model takes another, and then the question can be asked again");
}

/// The exit code of an outcome.
pub(super) fn code(outcome: &Outcome, calls: &Calls) -> u8 {
    match outcome.halted {
        _ if outcome.verified => exit::DONE,
        HaltReason::Budget => exit::LIMIT,
        _ if calls.failed().is_some() => exit::PROVIDER,
        HaltReason::Converged
        | HaltReason::Stalled
        | HaltReason::Satisfied
        | HaltReason::Impossible
        | HaltReason::Unanswerable
        | HaltReason::Repeating
        | HaltReason::Uneconomic
        | HaltReason::Vetoed
        | HaltReason::Stopped
        | HaltReason::Failed => exit::UNVERIFIED,
    }
}

/// The answer alone on standard output; everything else on standard error.
pub(super) fn present(outcome: &Outcome) {
    if let Some(answer) = &outcome.answer {
        out::foreign(answer);
    }
    if let Some(message) = &outcome.message {
        out::say(message);
    }
    out::say(closing(outcome));
}
