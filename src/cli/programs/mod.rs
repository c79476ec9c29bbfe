//! `mop programs`: the program library of a network.

use clap::Subcommand;

use crate::setup::App;
use crate::store::Key;

use super::failure::Failure;

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
    List,
}

impl Programs {
    /// Flags that override settings.
    pub(super) fn flags(&self) -> Vec<(Key, String)> {
        self.network.iter().map(|network| (Key::Network, network.clone())).collect()
    }
}

/// Does what was asked.
pub(super) fn run(_app: &App, args: &Programs) -> Result<u8, Failure> {
    match &args.command {
        Command::List => Ok(0),
    }
}
