//! `mop programs`: the program library of a network.

mod check;
mod decide;
mod graph;
mod history;
mod lint;
mod list;
mod outside;
mod review;
mod show;
mod test;

use std::path::PathBuf;

use clap::Subcommand;

use crate::setup::{App, Works};
use crate::store::Key;

use super::failure::Failure;
use super::run;

/// Look at a network's programs, test them, and decide what was proposed about them
#[derive(Debug, clap::Args)]
pub(super) struct Programs {
    #[command(subcommand)]
    command: Command,
    /// Network: a name, or the path of a folder with a network.toml
    #[arg(long, global = true, value_name = "NAME|PATH")]
    network: Option<String>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// All programs of the network
    List {
        /// As one JSON array
        #[arg(long)]
        json: bool,
    },
    /// One program: what it promises, who leads to it, its source
    Show {
        /// The program
        name: String,
        /// As one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Mistakes in the network's files, as file:line:column
    Check {
        /// A network's folder, or one of its files; the network in use where none is given
        path: Option<PathBuf>,
    },
    /// Run the programs' own tests
    Test {
        /// The programs; all where none is given
        names: Vec<String>,
        /// Where replies to prompts come from: `record:FILE` asks the configured servers and keeps what they say; without it, those
        /// that the network brings in its `replies.jsonl`
        #[arg(long, value_name = "SOURCE")]
        provider: Option<String>,
    },
    /// Draw the network
    Graph(graph::Graph),
    /// What was proposed, and decisions on it
    Review(review::Review),
    /// The revisions of the network, newest first
    Log,
    /// What changed between two revisions
    Diff {
        /// A revision: its number, `base`, `head`, or the beginning of its id
        a: String,
        /// The other one
        #[arg(default_value = "head")]
        b: String,
    },
    /// Bring an earlier revision back, by one more revision
    Revert {
        /// A revision: its number, `base`, or the beginning of its id
        revision: String,
    },
    /// Write the network with all accepted changes into a new folder
    Export {
        /// The folder
        dir: PathBuf,
    },
    /// Accept a network that came with a project
    Trust {
        /// Its folder, or its name in ./.mop/networks
        path: PathBuf,
    },
}

impl Programs {
    /// Flags that override settings.
    pub(super) fn flags(&self) -> Vec<(Key, String)> {
        let network = self.network.iter().map(|network| (Key::Network, network.clone()));
        let provider = match &self.command {
            Command::Test { provider, .. } => provider.as_ref(),
            _ => None,
        };
        network.chain(provider.map(|provider| (Key::Provider, provider.clone()))).collect()
    }
}

/// Does what was asked.
pub(super) fn run(app: &App, args: &Programs) -> Result<u8, Failure> {
    let works = || -> Result<Works, Failure> {
        let works = run::works(app, app.config.network())?;
        run::warn(&works)?;
        Ok(works)
    };
    match &args.command {
        Command::List { json } => list::run(&works()?, *json),
        Command::Show { name, json } => show::run(&works()?, name, *json),
        Command::Check { path } => check::run(app, path.as_deref()),
        Command::Test { names, .. } => {
            let works = works()?;
            app.rehearse(&works)?;
            test::run(&works, names)
        }
        Command::Graph(graph) => graph::run(&works()?, graph),
        Command::Review(review) => review::run(&works()?, review),
        Command::Log => history::log(&works()?),
        Command::Diff { a, b } => history::diff(&works()?, a, b),
        Command::Revert { revision } => history::revert(&works()?, revision),
        Command::Export { dir } => outside::export(&works()?, dir),
        Command::Trust { path } => outside::trust(app, path),
    }
}
