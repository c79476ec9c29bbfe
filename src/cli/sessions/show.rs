//! `mop sessions show`: one session as a story.

use std::sync::Arc;

use serde_json::json;

use crate::engine::whole_steps;
use crate::model::{Envelope, Event, Image, Outcome, ProposalStatus, Query, State};
use crate::setup::App;
use crate::store::Summary;

use super::super::failure::Failure;
use super::super::text::{block, plain, when};
use super::super::trace::{Trace, closing};
use super::super::{exit, out};
use super::list;

/// Prints one session.
pub(super) fn run(app: &App, name: &str, explain: bool, json: bool) -> Result<u8, Failure> {
    let id = app.sessions.resolve(name)?;
    let summary = app.sessions.show(&id)?;
    let (mut state, mut events, mut damage) = (State::default(), Vec::new(), None);
    for envelope in app.sessions.read(&id)? {
        match envelope {
            Ok(envelope) => {
                state.apply(&envelope);
                events.push(Arc::new(envelope));
            }
            Err(error) => damage = Some(Failure::from(error)),
        }
    }
    if json {
        out::line(as_json(&summary, &state));
    } else {
        out::write(&story(&summary, &state, &events, explain));
    }
    match damage {
        Some(failure) => Err(failure),
        None => Ok(exit::DONE),
    }
}

fn story(summary: &Summary, state: &State, events: &[Arc<Envelope>], explain: bool) -> String {
    let mut text = format!("session  {}  {}\n", summary.id, list::state(summary));
    if let Some(pins) = &state.pins {
        text += &format!("network  {} {} · seed {}\n", plain(&pins.network), pins.revision.short(), pins.seed);
        if let Some((parent, cycle)) = &pins.parent {
            text += &format!("forked   from {parent} after cycle {cycle}\n");
        }
    }
    text += &format!("when     {} to {} UTC\n", when(summary.began), when(summary.touched));
    let mut trace = Trace::new(explain);
    for envelope in whole_steps(events) {
        if let Event::EpisodeStarted { number, query } = &envelope.event {
            text += &question(*number, query);
        } else if let Event::EpisodeEnded { outcome } = &envelope.event {
            text += &ending(outcome);
        } else if !matches!(envelope.event, Event::SessionStarted { .. }) {
            trace.see(&envelope).iter().for_each(|line| text += &format!("{line}\n"));
        }
    }
    text + &proposals(state)
}

fn question(number: u32, query: &Query) -> String {
    let mut text = format!("\nquestion {number}\n{}\n", indented(&query.text));
    for attachment in &query.attachments {
        let size = attachment.image.as_ref().map_or(attachment.text.len(), Image::size);
        text += &format!("  with {} ({} bytes)\n", plain(&attachment.name), size);
    }
    text + "\n"
}

fn ending(outcome: &Outcome) -> String {
    let mut text = String::new();
    match &outcome.answer {
        Some(answer) => text += &format!("\nanswer\n{}\n", indented(answer)),
        None => text += "\nno answer\n",
    }
    if let Some(message) = &outcome.message {
        text += &format!("{}\n", indented(message));
    }
    format!("{text}  {}\n  {}\n", outcome.halted.words(), closing(outcome))
}

fn proposals(state: &State) -> String {
    if state.proposals.is_empty() {
        return String::new();
    }
    let mut text = "\nproposals\n".to_owned();
    for (id, (proposal, status)) in &state.proposals {
        let status = match status {
            ProposalStatus::Open => "open when the session ended".to_owned(),
            ProposalStatus::Accepted(revision) => format!("accepted as {}", revision.short()),
            ProposalStatus::Rejected(why) if why.is_empty() => "rejected".to_owned(),
            ProposalStatus::Rejected(why) => format!("rejected: {}", plain(why)),
        };
        text += &format!("  {id}  {}  ({status})\n", plain(&proposal.title));
    }
    text
}

/// Foreign text, two columns in.
fn indented(text: &str) -> String {
    block(text.trim_end()).lines().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
}

fn as_json(summary: &Summary, state: &State) -> serde_json::Value {
    let mut whole = list::as_json(summary);
    let cycles = state.scores.iter().map(|point| {
        let credit: Vec<_> = point.credit.iter().flat_map(|credit| &credit.shares).collect();
        json!({
            "episode": point.episode, "cycle": point.cycle, "j": point.score.mean, "delta": point.delta, "credit": credit,
        })
    });
    whole["trace"] = cycles.collect();
    whole["outcomes"] = state.outcomes.iter().map(|outcome| json!(outcome)).collect();
    whole["proposals"] = state
        .proposals
        .iter()
        .map(|(id, (proposal, status))| json!({ "id": id, "title": proposal.title, "status": status }))
        .collect();
    whole["pins"] = json!(state.pins);
    whole
}
