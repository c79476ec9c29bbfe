//! The arguments.

use clap::{Parser, Subcommand};

use crate::store::Key;

use super::{bench, config, doctor, fork, programs, recall, replay, resume, run, sessions, tui};

/// Solve problems with a Mixture of Programs: see, stop, rewind and correct what your agents do.
#[derive(Debug, Parser)]
#[command(
    name = "mop",
    version,
    about,
    disable_help_subcommand = true,
    after_help = AFTER,
    args_conflicts_with_subcommands = true
)]
pub(super) struct Args {
    #[command(subcommand)]
    pub(super) command: Option<Command>,
    #[command(flatten)]
    pub(super) tui: tui::Tui,
}

const AFTER: &str = "\
Examples:
  mop                            the terminal interface: ask, watch, step, look back
  mop \"Solve 3x + 5 = 14\"       the same, with the question asked at once
  mop run \"Solve 3x + 5 = 14\"    the answer alone on standard output
  mop resume                     go on with the last session
  mop bench questions.jsonl      measure networks side by side
  mop programs review            decide what was proposed about the programs

Exit codes:
  0 done · 1 internal error, or a test failed · 2 usage or configuration
  3 limit reached, session saved · 4 approval needed · 5 provider failed
  6 no verified answer · 130, 143 stopped by a signal";

/// What to do.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Solve one question and print the answer
    Run(run::Run),
    /// Go on with a session that was stopped, or print the outcome of a finished one again
    Resume(resume::Resume),
    /// Copy the beginning of a session into a new one
    Fork(fork::Fork),
    /// Run a session again from its record, and report the first difference
    Replay(replay::Replay),
    /// List, show or remove sessions
    Sessions(sessions::Sessions),
    /// Look at a network's programs, test them, and decide what was proposed about them
    Programs(programs::Programs),
    /// List, search or forget questions that were solved before
    Recall(recall::Recall),
    /// Measure networks side by side on suites of questions
    Bench(bench::Bench),
    /// Show settings and where each comes from
    Config(config::Config),
    /// Check terminal, settings, folders, sandbox and servers of models, and say what to do
    Doctor(doctor::Doctor),
}

impl Args {
    /// Flags that override settings.
    pub(super) fn flags(&self) -> Vec<(Key, String)> {
        match &self.command {
            Some(Command::Run(run)) => run.flags(),
            Some(Command::Programs(programs)) => programs.flags(),
            Some(Command::Bench(bench)) => bench.flags(),
            Some(
                Command::Resume(_)
                | Command::Fork(_)
                | Command::Replay(_)
                | Command::Sessions(_)
                | Command::Recall(_)
                | Command::Config(_)
                | Command::Doctor(_),
            ) => Vec::new(),
            None => self.tui.flags(),
        }
    }
}
