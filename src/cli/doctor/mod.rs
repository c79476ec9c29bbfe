//! `mop doctor`: whether everything that mop needs is there, and what to do where it is not.

mod folders;
mod models;
mod sandbox;
mod terminal;

use std::time::Duration;

use serde_json::json;

use crate::model::{FORMAT, Severity};
use crate::setup::App;

use super::failure::Failure;
use super::out::Tone;
use super::text::block;
use super::{block_on, exit, out};

/// How long anything that is asked has to answer; all are asked at once.
const PATIENCE: Duration = Duration::from_millis(2_500);

/// Check terminal, settings, folders, sandbox and servers of models, and say what to do
///
/// Every server of the settings and of the usual ports is asked for its list of models, which costs nothing. Keys are never
/// shown. Exit code 0 means that mop can work, 1 that something is wrong.
#[derive(Debug, clap::Args)]
pub(super) struct Doctor {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// How it stands with something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Ok,
    Warning,
    Wrong,
}

impl State {
    fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warning => "warning",
            Self::Wrong => "wrong",
        }
    }
}

/// One thing that was looked at.
#[derive(Clone, Debug)]
struct Check {
    area: &'static str,
    state: State,
    what: String,
    /// What to do next.
    next: Option<String>,
}

impl Check {
    fn ok(area: &'static str, what: impl Into<String>) -> Self {
        Self { area, state: State::Ok, what: what.into(), next: None }
    }

    fn warning(area: &'static str, what: impl Into<String>, next: impl Into<String>) -> Self {
        Self { area, state: State::Warning, what: what.into(), next: Some(next.into()) }
    }

    fn wrong(area: &'static str, what: impl Into<String>, next: impl Into<String>) -> Self {
        Self { area, state: State::Wrong, what: what.into(), next: Some(next.into()) }
    }
}

type Env<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Looks at everything.
pub(super) fn run(app: &App, args: &Doctor) -> Result<u8, Failure> {
    let env: Env<'_> = &|name| std::env::var(name).ok().filter(|value| !value.is_empty());
    let mut all = terminal::checks(env);
    all.extend(config(app));
    let (sandbox, servers, folders) = block_on(async {
        let folders = tokio::task::spawn_blocking({
            let paths = app.paths.clone();
            move || folders::checks(&paths)
        });
        let folders = tokio::time::timeout(PATIENCE, folders);
        tokio::join!(sandbox::checks(), models::checks(app, env), folders)
    })?;
    match folders {
        Ok(Ok(folders)) => all.extend(folders),
        Ok(Err(_)) | Err(_) => {
            let next = "see that the disk of your home folder answers, or set MOP_HOME to a folder on another";
            all.push(Check::wrong("folders", "the folders did not answer in time", next));
        }
    }
    all.extend(sandbox);
    all.extend(servers);
    let wrong = all.iter().any(|check| check.state == State::Wrong);
    if args.json {
        let checks: Vec<_> = all
            .iter()
            .map(|it| json!({ "area": it.area, "state": it.state.name(), "what": it.what, "next": it.next }))
            .collect();
        out::line(json!({ "v": FORMAT, "ok": !wrong, "checks": checks }));
    } else {
        all.iter().for_each(print);
        out::line(if wrong { "something is wrong: see above" } else { "mop can work" });
    }
    Ok(if wrong { exit::INTERNAL } else { exit::DONE })
}

fn print(check: &Check) {
    let tone = match check.state {
        State::Ok => Tone::Good,
        State::Warning => Tone::Unsure,
        State::Wrong => Tone::Bad,
    };
    let state = out::paint(tone, &format!("{:<8}", check.state.name()));
    out::line(format!("{state} {:<9} {}", check.area, one_line(&check.what)));
    if let Some(next) = &check.next {
        out::line(format!("{:18} → {}", "", one_line(next)));
    }
}

/// Safe for a terminal, whole, and in one line.
fn one_line(text: &str) -> String {
    block(&text.replace(['\n', '\r', '\t'], " "))
}

fn config(app: &App) -> Vec<Check> {
    let file = app.paths.config_file();
    let there = if file.is_file() { "" } else { " (no such file: defaults hold)" };
    let mut all = vec![Check::ok("config", format!("{}{there}", file.display()))];
    for problem in &app.problems {
        let place = if problem.line > 0 { format!("{}:{}", problem.path, problem.line) } else { problem.path.clone() };
        let what = format!("{place}: {}", problem.message);
        let next = problem.hint.clone().unwrap_or_else(|| "`mop config check` shows the line".to_owned());
        all.push(match problem.severity {
            Severity::Error => Check::wrong("config", what, next),
            Severity::Warning => Check::warning("config", what, next),
        });
    }
    all
}
