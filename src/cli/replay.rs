//! `mop replay`: a session runs again from its record.

use std::sync::Arc;

use serde_json::json;
use tokio::sync::mpsc;

use crate::engine::{CHANNEL, Playback, Session, first_difference};
use crate::model::{Envelope, Event};
use crate::setup::App;

use super::failure::Failure;
use super::resume::works;
use super::text::brief;
use super::{block_on, exit, out};

/// Run a session again from its record, and report the first difference
///
/// Every answer of a tool that reaches outside, every decision and the clock are the record's; scripts run anew. Nothing is
/// written and nothing is asked.
#[derive(Debug, clap::Args)]
pub(super) struct Replay {
    /// The session: an id, the beginning of one, or `last`
    #[arg(default_value = "last")]
    id: String,
    /// Print the result as one line of JSON on standard output
    #[arg(long)]
    json: bool,
}

/// Replays a session.
pub(super) fn run(app: &App, args: &Replay) -> Result<u8, Failure> {
    let id = app.sessions.resolve(&args.id)?;
    let events: Vec<Arc<Envelope>> =
        app.sessions.read(&id)?.map(|event| event.map(Arc::new)).collect::<Result<_, _>>()?;
    let pins = events.iter().find_map(|envelope| match &envelope.event {
        Event::SessionStarted { pins, .. } => Some(pins.clone()),
        _ => None,
    });
    let Some(pins) = pins else {
        let hint = format!("`mop sessions rm {id}` removes it");
        return Err(Failure::usage(format!("session {id} stopped before its beginning was written"), hint));
    };
    let works = works(app, &pins)?;
    if pins.scorer != works.scorer.hash() {
        let message = format!("session {id} was scored by another version of the scorer");
        return Err(Failure::usage(message, "its scores cannot be compared; look at it with `mop sessions show`"));
    }
    let network = works.library.network_at(&pins.revision)?;
    let playback = Playback::new(&events, network);
    let mut settings = app.settings();
    settings.backward = pins.config.get("backward").and_then(serde_json::Value::as_bool).unwrap_or(settings.backward);
    block_on(async {
        let (sender, mut receiver) = mpsc::channel(CHANNEL);
        let (runner, scorer) = (works.runner.clone(), works.scorer.clone());
        let running = async {
            let session = Session::replay(runner, scorer, settings, playback.clone(), sender).await?;
            session.run().await
        };
        let drain = async { while receiver.recv().await.is_some() {} };
        tokio::join!(running, drain).0
    })??;
    let count = playback.recorded().len();
    let difference = first_difference(playback.recorded(), &playback.replayed());
    if args.json {
        let difference = difference
            .as_ref()
            .map(|found| json!({ "seq": found.seq, "recorded": found.recorded, "replayed": found.replayed }));
        out::line(json!({ "session": id, "events": count, "difference": difference }));
    } else {
        match &difference {
            None => out::line(format!("session {id}: {count} events, no difference")),
            Some(found) => {
                out::line(format!("session {id}: the replay differs at event {}", found.seq));
                out::line(format!("  recorded {}", brief(&found.recorded, 300)));
                out::line(format!("  replayed {}", brief(&found.replayed, 300)));
            }
        }
    }
    Ok(if difference.is_some() { exit::INTERNAL } else { exit::DONE })
}
