//! Floor 4: the command line, a client of the engine like any other. One file a subcommand.

mod args;
mod bench;
mod config;
mod doctor;
mod failure;
mod follow;
mod fork;
mod models;
mod out;
mod programs;
mod question;
mod recall;
mod replay;
mod resume;
mod run;
mod sessions;
mod signals;
mod text;
mod trace;
mod tui;
mod typing;

use std::process;

use clap::Parser;

use crate::model::Severity;
use crate::setup::App;
use crate::store::Key;

use self::args::{Args, Command};
use self::failure::Failure;

/// Exit codes.
mod exit {
    pub(super) const DONE: u8 = 0;
    pub(super) const INTERNAL: u8 = 1;
    pub(super) const USAGE: u8 = 2;
    pub(super) const LIMIT: u8 = 3;
    pub(super) const APPROVAL: u8 = 4;
    pub(super) const PROVIDER: u8 = 5;
    pub(super) const UNVERIFIED: u8 = 6;
    pub(super) const INTERRUPTED: u8 = 130;
    pub(super) const BROKEN_PIPE: u8 = 141;
    pub(super) const TERMINATED: u8 = 143;
}

/// Reads the arguments, does what they ask, and returns the exit code.
#[must_use]
pub fn main() -> u8 {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            let _ = error.print();
            return if error.use_stderr() { exit::USAGE } else { exit::DONE };
        }
    };
    match dispatch(args) {
        Ok(code) => code,
        Err(failure) => {
            failure.print();
            failure.code
        }
    }
}

fn dispatch(args: Args) -> Result<u8, Failure> {
    let flags = args.flags();
    match args.command {
        Some(Command::Run(run)) => run::run(&models(open(&flags)?)?, &run),
        Some(Command::Resume(resume)) => resume::run(&models(open(&flags)?)?, &resume),
        Some(Command::Fork(fork)) => fork::run(&open(&flags)?, &fork),
        Some(Command::Replay(replay)) => replay::run(&open(&flags)?, &replay),
        Some(Command::Sessions(sessions)) => sessions::run(&open(&flags)?, &sessions),
        Some(Command::Recall(recall)) => recall::run(&open(&flags)?, &recall),
        Some(Command::Programs(programs)) => programs::run(&open(&flags)?, &programs),
        Some(Command::Bench(bench)) => bench::run(&guarded(open(&flags)?)?, &bench),
        Some(Command::Config(command)) => config::run(&find(&flags)?, &command),
        Some(Command::Doctor(doctor)) => doctor::run(&find(&flags)?, &doctor),
        None => tui::run(&args.tui, &flags),
    }
}

/// Opens the user's folders and settings and reports what is wrong with the settings. A wrong flag ends the command.
fn open(flags: &[(Key, String)]) -> Result<App, Failure> {
    let app = find(flags)?;
    for problem in &app.problems {
        out::say(problem);
    }
    let wrong =
        app.problems.iter().find(|problem| problem.severity == Severity::Error && problem.path.starts_with("--"));
    match wrong {
        Some(problem) => Err(Failure::usage(format!("{} cannot be used", problem.path), "`-h` lists the flags")),
        None => Ok(app),
    }
}

/// Settings without which a run could spend more, or ask somebody else, than the user said.
const GUARDS: [Key; 3] = [Key::MaxTokens, Key::MaxCost, Key::Provider];

/// Refuses to run where such a setting cannot be read: for everything else its default will do.
fn guarded(app: App) -> Result<App, Failure> {
    let errors = || app.problems.iter().filter(|problem| problem.severity == Severity::Error);
    let lost = GUARDS.iter().find(|key| errors().any(|problem| problem.message.contains(&format!("`{}`", key.name()))));
    match lost {
        Some(key) => {
            let name = key.name();
            Err(Failure::usage(
                format!("nothing runs while `{name}` cannot be used"),
                "mend the setting, or take it out",
            ))
        }
        None => Ok(app),
    }
}

/// Finds the model that was named for all tiers.
fn models(app: App) -> Result<App, Failure> {
    let mut app = guarded(app)?;
    if app.config.model().is_some() {
        block_on(app.settle_model())??;
    }
    Ok(app)
}

/// Opens the user's folders and settings and says nothing.
fn find(flags: &[(Key, String)]) -> Result<App, Failure> {
    let project = std::env::current_dir().map_err(|error| {
        Failure::usage(format!("the present folder cannot be read: {error}"), "change to a folder that exists")
    })?;
    Ok(App::new(&|name| std::env::var(name).ok(), &project, flags)?)
}

/// Runs async work on this thread.
fn block_on<T>(work: impl Future<Output = T>) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::internal(format!("the runtime did not start: {error}")))?;
    Ok(runtime.block_on(work))
}

/// Ends the process at once, as a signal would.
fn leave(code: u8) -> ! {
    process::exit(i32::from(code))
}
