//! `mop run`: one question, headless.

use std::io::{Read, Write, stdout};
use std::sync::Arc;

use serde_json::json;
use tokio::sync::mpsc;

use crate::engine::ports::{Library, PortError};
use crate::engine::{CHANNEL, Session};
use crate::model::{
    Attachment, Command, Envelope, Event, Given, HaltReason, Outcome, Query, SessionId, State, FORMAT,
};
use crate::setup::App;

use super::args::Run;
use super::failure::Failure;
use super::trace::{Trace, closing};
use super::{block_on, exit, leave};

/// Most bytes of a question on standard input.
const LONGEST: u64 = 4 << 20;

/// Solves one question.
pub(super) fn run(app: &App, args: &Run) -> Result<u8, Failure> {
    let query = query(args)?;
    let works = app.works(app.config.network())?;
    for warning in works.library.warnings()? {
        eprintln!("{warning}");
    }
    let network = works.library.network()?;
    let id = app.sessions.new_id(app.clock.now());
    let pins = app.pins(id.clone(), &network, &*works.scorer);
    let journal = app.sessions.create(&id)?;
    let ports = works.ports(Box::new(journal), app.clock.clone());
    let settings = app.settings();
    block_on(async {
        let (commands, events, receiver, sender) = channels();
        let session = Session::open(ports, settings, pins, Some(query.clone()), receiver, sender);
        let again = vec![query; args.epochs.saturating_sub(1) as usize];
        follow(async { session.await?.run().await }, commands, events, &id, again, Show { json: args.json, explain: args.explain }).await
    })?
}

/// How a run is shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Show {
    /// One JSON line an event on standard output.
    pub(super) json: bool,
    /// Distributions and reasons on standard error.
    pub(super) explain: bool,
}

type Channels =
    (mpsc::Sender<Command>, mpsc::Receiver<Arc<Envelope>>, mpsc::Receiver<Command>, mpsc::Sender<Arc<Envelope>>);

/// The two ends of a client, then the two ends of its session.
pub(super) fn channels() -> Channels {
    let (commands, receiver) = mpsc::channel(CHANNEL);
    let (sender, events) = mpsc::channel(CHANNEL);
    (commands, events, receiver, sender)
}

/// Follows a session to its end, printing as it goes; `again` holds the queries of further epochs.
pub(super) async fn follow(
    session: impl Future<Output = Result<State, crate::engine::SessionError>>,
    commands: mpsc::Sender<Command>,
    mut events: mpsc::Receiver<Arc<Envelope>>,
    id: &SessionId,
    mut again: Vec<Query>,
    show: Show,
) -> Result<u8, Failure> {
    let mut commands = Some(commands);
    let mut trace = Trace::new(show.explain);
    let mut outcome: Option<Arc<Outcome>> = None;
    let mut raised = Vec::new();
    let watching = async {
        let mut interrupted = false;
        loop {
            let envelope = tokio::select! {
                envelope = events.recv() => match envelope {
                    Some(envelope) => envelope,
                    None => return interrupted,
                },
                _ = tokio::signal::ctrl_c() => {
                    match commands.take() {
                        Some(sender) if !interrupted => {
                            let _ = sender.send(Command::Interrupt).await;
                            let _ = sender.send(Command::Shutdown).await;
                            interrupted = true;
                            continue;
                        }
                        Some(_) | None => leave(exit::INTERRUPTED),
                    }
                }
            };
            if show.json {
                print_line(&serde_json::to_string(&*envelope).unwrap_or_default());
            } else {
                trace.see(&envelope);
            }
            match &envelope.event {
                Event::ProposalRaised { proposal } => raised.push(proposal.id.clone()),
                Event::ProposalDecided { id, .. } => raised.retain(|waiting| waiting != id),
                Event::EpisodeEnded { outcome: ended } => {
                    outcome = Some(ended.clone());
                    if !show.json {
                        present(ended);
                    }
                    match (again.pop(), &commands) {
                        (Some(query), Some(sender)) => {
                            let _ = sender.send(Command::Start { query }).await;
                        }
                        (None, _) | (_, None) => commands = None,
                    }
                }
                _ => {}
            }
        }
    };
    let (ended, interrupted) = tokio::join!(session, watching);
    ended?;
    if show.json {
        let line = json!({ "v": FORMAT, "session": id, "outcome": outcome.as_deref(), "proposals": raised });
        print_line(&line.to_string());
    } else if !raised.is_empty() {
        let list: Vec<&str> = raised.iter().map(crate::model::ProposalId::as_str).collect();
        eprintln!("waiting for your decision: {} — see `mop programs review`", list.join(", "));
    }
    if interrupted {
        eprintln!("stopped; `mop resume {id}` goes on from here");
        return Ok(exit::INTERRUPTED);
    }
    Ok(outcome.map_or(exit::INTERNAL, |outcome| code(&outcome)))
}

/// The exit code of an outcome.
pub(super) fn code(outcome: &Outcome) -> u8 {
    match outcome.halted {
        _ if outcome.verified => exit::DONE,
        HaltReason::Budget => exit::LIMIT,
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
        print_line(answer);
    }
    if let Some(message) = &outcome.message {
        eprintln!("{message}");
    }
    eprintln!("{}", closing(outcome));
}

/// Prints a line; a reader that went away ends the process quietly.
pub(super) fn print_line(text: &str) {
    let mut out = stdout().lock();
    if writeln!(out, "{text}").and_then(|()| out.flush()).is_err() {
        leave(exit::INTERNAL);
    }
}

fn query(args: &Run) -> Result<Query, Failure> {
    let text = if args.query == "-" {
        let mut text = String::new();
        std::io::stdin().take(LONGEST).read_to_string(&mut text).map_err(|error| {
            Failure::usage(format!("standard input cannot be read: {error}"), "give the question as UTF-8 text")
        })?;
        text
    } else {
        args.query.clone()
    };
    let text = text.trim().to_owned();
    if text.is_empty() {
        return Err(Failure::usage("the question is empty", "for example: mop run \"Solve 3x + 5 = 14\""));
    }
    let read = |path: &std::path::PathBuf| {
        std::fs::read_to_string(path).map_err(|error| {
            Failure::from(PortError::new(format!("{} cannot be read: {error}", path.display())).hint("give a text file"))
        })
    };
    let attachments = args
        .attach
        .iter()
        .map(|path| {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            Ok(Attachment { name, text: read(path)? })
        })
        .collect::<Result<_, Failure>>()?;
    let tests = args.tests.as_ref().map(read).transpose()?;
    let given = Given { reference: args.reference.clone(), tests, rubric: None };
    Ok(Query { text, attachments, given, parts: Vec::new() })
}
