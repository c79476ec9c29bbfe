//! `mop fork`: a new session from the beginning of another.

use crate::model::Cycle;
use crate::setup::App;

use super::failure::Failure;
use super::follow::Show;
use super::{exit, out, resume};

/// Copy the beginning of a session into a new one
///
/// Prints the id of the new session. The old one stays as it is.
#[derive(Debug, clap::Args)]
pub(super) struct Fork {
    /// The session: an id, the beginning of one, or `last`
    id: String,
    /// The last cycle that is copied; 0 copies the question alone
    #[arg(long, value_name = "CYCLE")]
    at: u32,
    /// The episode that the cycle is in, from 1; the last where none is given
    #[arg(long, value_name = "N")]
    episode: Option<u32>,
    /// Go on with the copy at once
    #[arg(long)]
    run: bool,
    #[command(flatten)]
    show: Show,
}

/// Copies a session up to a cycle.
pub(super) fn run(app: &App, args: &Fork) -> Result<u8, Failure> {
    let id = app.sessions.resolve(&args.id)?;
    let new = app.sessions.new_id(app.clock.now());
    let point = app.sessions.fork(&id, args.episode, Cycle(args.at), &new)?;
    if point.cycle != Cycle(args.at) {
        out::say(format!("the copy ends after cycle {}, the nearest before {}", point.cycle, args.at));
    }
    if !(args.run && args.show.json) {
        out::line(&new);
    }
    if args.run {
        return resume::go_on(app, &new, args.show);
    }
    out::say(format!("copied {} events of {id}; `mop resume {new}` goes on", point.seq));
    Ok(exit::DONE)
}
