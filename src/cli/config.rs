//! `mop config`: settings and where each comes from.

use clap::Subcommand;

use crate::model::Severity;
use crate::setup::App;

use super::failure::Failure;
use super::text::{block, count, plain, table};
use super::{exit, out};

/// Show settings and where each comes from
#[derive(Debug, clap::Args)]
pub(super) struct Config {
    #[command(subcommand)]
    command: Command,
}

#[derive(Clone, Copy, Debug, Subcommand)]
enum Command {
    /// Where the configuration file is, whether it exists or not
    Path,
    /// Every setting with its value and origin
    Show,
    /// Mistakes in the configuration file and in MOP_ variables
    Check,
}

/// Does what was asked.
pub(super) fn run(app: &App, args: &Config) -> Result<u8, Failure> {
    match args.command {
        Command::Path => {
            out::line(app.paths.config_file().display());
            Ok(exit::DONE)
        }
        Command::Show => {
            app.problems.iter().for_each(out::say);
            let rows = app.config.show();
            let rows: Vec<Vec<String>> = rows
                .into_iter()
                .map(|(key, value, origin)| vec![key.to_owned(), plain(&value), plain(&origin)])
                .collect();
            out::write(&table(&["KEY", "VALUE", "ORIGIN"], &rows));
            Ok(exit::DONE)
        }
        Command::Check => Ok(check(app)),
    }
}

fn check(app: &App) -> u8 {
    for problem in &app.problems {
        out::line(block(&problem.to_string()));
    }
    let errors = app.problems.iter().filter(|problem| problem.severity == Severity::Error).count();
    let file = app.paths.config_file();
    let there = if file.is_file() { file.display().to_string() } else { format!("{} (no such file)", file.display()) };
    let warnings = app.problems.len() - errors;
    out::line(format!("{there}: {}, {}", count(errors, "error"), count(warnings, "warning")));
    if errors == 0 { exit::DONE } else { exit::USAGE }
}
