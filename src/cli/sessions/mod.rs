//! `mop sessions`: what was asked before.

mod list;
mod remove;
mod show;

use clap::Subcommand;

use crate::setup::App;

use super::failure::Failure;

/// List, show or remove sessions
#[derive(Debug, clap::Args)]
pub(super) struct Sessions {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// All sessions, newest first
    List {
        /// As one JSON array
        #[arg(long)]
        json: bool,
    },
    /// One session: its questions, what happened in each cycle, proposals, answers
    Show {
        /// The session: an id, the beginning of one, or `last`
        #[arg(default_value = "last")]
        id: String,
        /// Also who could have run in each cycle, and why
        #[arg(long)]
        explain: bool,
        /// As one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Remove sessions with everything that belongs to them
    Rm {
        /// The sessions: ids, or beginnings of ids
        #[arg(required = true, value_name = "ID")]
        ids: Vec<String>,
    },
}

/// Does what was asked.
pub(super) fn run(app: &App, args: &Sessions) -> Result<u8, Failure> {
    match &args.command {
        Command::List { json } => list::run(app, *json),
        Command::Show { id, explain, json } => show::run(app, id, *explain, *json),
        Command::Rm { ids } => remove::run(app, ids),
    }
}
