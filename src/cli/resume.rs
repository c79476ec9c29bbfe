//! `mop resume`: a session goes on where it stopped.

use std::sync::Arc;

use serde_json::Value;

use crate::engine::Session;
use crate::engine::ports::Library;
use crate::model::{Envelope, Outcome, Phase, Pins, ProposalId, ProposalStatus, SessionId, State};
use crate::setup::{App, Works};

use super::failure::Failure;
use super::follow::{Client, Show, channels, code, last_line, present, say_failed};
use super::models::Calls;
use super::run::{answerable, warn};
use super::{block_on, exit, out};

/// Go on with a session that was stopped, or print the outcome of a finished one again
#[derive(Debug, clap::Args)]
pub(super) struct Resume {
    /// The session: an id, the beginning of one, or `last`
    #[arg(default_value = "last")]
    id: String,
    #[command(flatten)]
    show: Show,
}

/// Goes on with a session.
pub(super) fn run(app: &App, args: &Resume) -> Result<u8, Failure> {
    let id = app.sessions.resolve(&args.id)?;
    go_on(app, &id, args.show)
}

/// Goes on with a session; with `--json`, what happened before is printed first, so that the output is the whole session.
pub(super) fn go_on(app: &App, id: &SessionId, show: Show) -> Result<u8, Failure> {
    let (state, past) = fold(app, id)?;
    if let Some(outcome) = state.outcomes.last().filter(|_| state.ended) {
        return Ok(print_again(id, &state, &past, outcome, show));
    }
    let journal = app.sessions.open(id)?;
    let (state, past) = fold(app, id)?;
    let Some(pins) = state.pins.clone() else {
        return Err(Failure::usage(
            format!("session {id} stopped before its beginning was written"),
            format!("`mop sessions rm {id}` removes it"),
        ));
    };
    if state.episode.is_none() && state.opening.is_none() {
        return Err(Failure::usage(format!("nothing was asked in session {id}"), "ask with `mop run \"…\"`"));
    }
    let works = works(app, &pins)?;
    warn(&works)?;
    answerable(app, &works, &*works.library.network()?)?;
    let mut settings = app.settings();
    settings.backward = pins.config.get("backward").and_then(Value::as_bool).unwrap_or(settings.backward);
    let ports = works.ports(Box::new(journal), app.clock.clone());
    let done = state.outcomes.last().filter(|_| state.phase == Phase::Idle).cloned();
    if show.json {
        print_past(&past);
    } else {
        out::say(format!("session {id} · network {} · after cycle {}", pins.network, state.cycle()));
        if let Some(outcome) = &done {
            present(outcome);
        }
    }
    drop(past);
    block_on(async {
        let (commands, events, receiver, sender) = channels();
        let session = Session::resume(ports, settings, state, receiver, sender);
        let client = Client::new(id, show, commands, Vec::new());
        let client = match done {
            Some(outcome) => client.after(outcome),
            None => client,
        };
        client.follow(async { session.await?.run().await }, events).await
    })?
}

/// Folds the journal of a session.
fn fold(app: &App, id: &SessionId) -> Result<(State, Vec<Arc<Envelope>>), Failure> {
    let (mut state, mut past) = (State::default(), Vec::new());
    for envelope in app.sessions.read(id)? {
        let envelope = Arc::new(envelope?);
        state.apply(&envelope);
        past.push(envelope);
    }
    Ok((state, past))
}

/// Finds the network of a session again.
pub(super) fn works(app: &App, pins: &Pins) -> Result<Works, Failure> {
    app.works_of(pins).map_err(|error| {
        let mut failure = Failure::from(error);
        let place = pins.config.get("folder").or(pins.config.get("project")).and_then(Value::as_str);
        if let Some(place) = place {
            failure.hint = Some(match failure.hint.take() {
                Some(hint) => format!("the session was started with the network in {place}; {hint}"),
                None => format!("the session was started with the network in {place}: put it back there"),
            });
        }
        failure
    })
}

fn print_past(past: &[Arc<Envelope>]) {
    for envelope in past {
        out::line(serde_json::to_string(&**envelope).unwrap_or_default());
    }
}

fn print_again(id: &SessionId, state: &State, past: &[Arc<Envelope>], outcome: &Outcome, show: Show) -> u8 {
    let mut calls = Calls::default();
    past.iter().for_each(|envelope| calls.see(envelope));
    let code = code(outcome, &calls);
    let failed = calls.failed().filter(|_| code == exit::PROVIDER);
    let open = state.proposals.iter().filter(|(_, (_, status))| *status == ProposalStatus::Open);
    let waiting: Vec<ProposalId> = open.map(|(id, _)| id.clone()).collect();
    if show.json {
        print_past(past);
        out::line(last_line(id, Some(outcome), &waiting, code, failed));
        return code;
    }
    out::say(format!("session {id} is finished; its outcome was:"));
    let halted = state.episode.as_ref().and_then(|episode| episode.halted.clone()).filter(|_| show.explain);
    if let Some((reason, why)) = halted {
        out::say(format!("{}\nwhy: {why}", reason.words()));
    }
    present(outcome);
    if let Some(why) = failed {
        say_failed(why);
    }
    code
}
