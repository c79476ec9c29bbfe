//! The arguments.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};

use crate::store::Key;

/// Solve problems with a Mixture of Programs: see, stop, rewind and correct what your agents do.
#[derive(Debug, Parser)]
#[command(name = "mop", version, about, disable_help_subcommand = true)]
pub(super) struct Args {
    #[command(subcommand)]
    pub(super) command: Option<Command>,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Solve one question and print the answer
    Run(Run),
}

/// Solve one question and print the answer.
#[derive(Debug, clap::Args)]
pub(super) struct Run {
    /// The question, or `-` to read it from standard input
    pub(super) query: String,
    /// Network: a name, or the path of a folder with a network.toml
    #[arg(long, value_name = "NAME|PATH")]
    pub(super) network: Option<String>,
    /// Seed of every random choice
    #[arg(long)]
    pub(super) seed: Option<u64>,
    /// Cycles that the run may take
    #[arg(long, value_name = "N")]
    pub(super) max_cycles: Option<u32>,
    /// Tokens that the run may use
    #[arg(long, value_name = "N")]
    pub(super) max_tokens: Option<u64>,
    /// Dollars that the run may cost
    #[arg(long, value_name = "DOLLARS")]
    pub(super) max_cost: Option<f64>,
    /// Milliseconds that the run may take
    #[arg(long, value_name = "MS")]
    pub(super) timeout: Option<u64>,
    /// Run, look for what can be mended, and run again, this many times in all
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(super) epochs: u32,
    /// What happens to proposed edits of programs: turned down, left in the queue, or accepted after all gates
    #[arg(long, value_enum)]
    pub(super) approve: Option<Approve>,
    /// A known right answer to score by
    #[arg(long, value_name = "TEXT")]
    pub(super) reference: Option<String>,
    /// A file of tests to score by
    #[arg(long, value_name = "FILE")]
    pub(super) tests: Option<PathBuf>,
    /// A file that goes with the question; may be given several times
    #[arg(long, value_name = "FILE")]
    pub(super) attach: Vec<PathBuf>,
    /// Print every event as one line of JSON on standard output
    #[arg(long)]
    pub(super) json: bool,
    /// Say on standard error who could have run in each cycle, and why the run stopped
    #[arg(long)]
    pub(super) explain: bool,
}

/// What happens to proposed edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Approve {
    /// Turned down
    Reject,
    /// Left in the queue, unless a rule covers them
    Rules,
    /// Accepted after all gates
    Accept,
}

impl Args {
    /// Flags that override settings.
    pub(super) fn flags(&self) -> Vec<(Key, String)> {
        let Some(Command::Run(run)) = &self.command else { return Vec::new() };
        let approve = run.approve.map(|approve| match approve {
            Approve::Reject => "reject".to_owned(),
            Approve::Rules => "rules".to_owned(),
            Approve::Accept => "accept".to_owned(),
        });
        [
            (Key::Network, run.network.clone()),
            (Key::Seed, run.seed.map(|value| value.to_string())),
            (Key::MaxCycles, run.max_cycles.map(|value| value.to_string())),
            (Key::MaxTokens, run.max_tokens.map(|value| value.to_string())),
            (Key::MaxCost, run.max_cost.map(|value| value.to_string())),
            (Key::TimeoutMs, run.timeout.map(|value| value.to_string())),
            (Key::Approval, approve),
        ]
        .into_iter()
        .filter_map(|(key, value)| Some((key, value?)))
        .collect()
    }
}
