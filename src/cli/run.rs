//! `mop run`: one question, headless.

use std::path::PathBuf;

use clap::ValueEnum;

use crate::engine::Session;
use crate::engine::ports::Library;
use crate::model::{Kind, Network, Severity};
use crate::setup::{App, Works};
use crate::store::{Key, StoreError};

use super::failure::Failure;
use super::follow::{Client, Show, channels};
use super::{block_on, out, question};

/// Solve one question and print the answer
///
/// The answer alone goes to standard output; who ran, what it wrote and how the score J moved go to standard error.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(super) struct Run {
    /// The question, or `-` to read it from standard input
    pub(super) query: String,
    /// Network: a name, or the path of a folder with a network.toml
    #[arg(long, value_name = "NAME|PATH")]
    network: Option<String>,
    /// Model of all tiers: a name that a configured server has, or ENDPOINT/MODEL
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    /// Where replies of models come from: live, manual:FOLDER, record:FILE, replay:FILE or scripted:FILE
    #[arg(long, value_name = "SOURCE")]
    provider: Option<String>,
    /// Seed of every random choice
    #[arg(long)]
    seed: Option<u64>,
    /// Cycles that the run may take
    #[arg(long, value_name = "N")]
    max_cycles: Option<u32>,
    /// Tokens that the run may use
    #[arg(long, value_name = "N")]
    max_tokens: Option<u64>,
    /// Dollars that the run may cost
    #[arg(long, value_name = "DOLLARS")]
    max_cost: Option<f64>,
    /// Milliseconds that the run may take
    #[arg(long, value_name = "MS")]
    timeout: Option<u64>,
    /// Run, look for what can be mended, and run again, this many times in all
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    epochs: u32,
    /// What happens to proposed edits of programs
    #[arg(long, value_enum)]
    approve: Option<Approve>,
    /// Solved questions of earlier sessions
    #[arg(long, value_enum)]
    recall: Option<Recalled>,
    /// A known right answer to score by
    #[arg(long, value_name = "TEXT")]
    pub(super) reference: Option<String>,
    /// A file of tests to score by
    #[arg(long, value_name = "FILE")]
    tests: Option<PathBuf>,
    /// A file that goes with the question, text or an image (PNG, JPEG, GIF, WebP); may be given several times
    #[arg(long, value_name = "FILE")]
    pub(super) attach: Vec<PathBuf>,
    #[command(flatten)]
    show: Show,
}

const AFTER: &str = "\
Examples:
  mop run \"Solve 3x + 5 = 14\"
  echo \"What is 17*23?\" | mop run -
  mop run --json \"Convert 3 miles to km\" | tail -n 1
  mop run --epochs 2 --approve accept \"Solve sqrt(x+3) = x - 3\"
  mop run -- \"-3 + 5\"              a question that starts with a hyphen

Exit codes:
  0 verified answer · 2 usage · 3 a limit was reached · 4 approval needed
  5 models failed after retries · 6 no verified answer
  130, 143 stopped; `mop resume` goes on";

/// What happens to proposed edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Approve {
    /// Turned down
    Reject,
    /// Left in the queue, unless a rule covers them
    Rules,
    /// Accepted after all gates
    Accept,
}

/// What happens with solved questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Recalled {
    /// Programs may look at them, and this one is kept if it is solved
    On,
    /// Nobody looks, nothing is kept
    Off,
    /// Programs may look, nothing is kept
    Frozen,
}

impl Run {
    /// Flags that override settings.
    pub(super) fn flags(&self) -> Vec<(Key, String)> {
        let approve = self.approve.map(|approve| match approve {
            Approve::Reject => "reject".to_owned(),
            Approve::Rules => "rules".to_owned(),
            Approve::Accept => "accept".to_owned(),
        });
        let recall = self.recall.map(|recall| match recall {
            Recalled::On => "on".to_owned(),
            Recalled::Off => "off".to_owned(),
            Recalled::Frozen => "frozen".to_owned(),
        });
        [
            (Key::Network, self.network.clone()),
            (Key::Model, self.model.clone()),
            (Key::Provider, self.provider.clone()),
            (Key::Seed, self.seed.map(|value| value.to_string())),
            (Key::MaxCycles, self.max_cycles.map(|value| value.to_string())),
            (Key::MaxTokens, self.max_tokens.map(|value| value.to_string())),
            (Key::MaxCost, self.max_cost.map(|value| value.to_string())),
            (Key::TimeoutMs, self.timeout.map(|value| value.to_string())),
            (Key::Approval, approve),
            (Key::Recall, recall),
        ]
        .into_iter()
        .filter_map(|(key, value)| Some((key, value?)))
        .collect()
    }
}

/// Solves one question.
pub(super) fn run(app: &App, args: &Run) -> Result<u8, Failure> {
    let query = question::query(args)?;
    let works = works(app, app.config.network())?;
    if args.tests.is_some() {
        return Err(Failure::usage(
            format!("network `{}` cannot score tests", works.name),
            "leave --tests out, or give a known answer with --reference",
        ));
    }
    warn(&works)?;
    let network = works.library.network()?;
    answerable(app, &works, &network)?;
    let id = app.sessions.new_id(app.clock.now());
    let pins = app.pins(id.clone(), &network, &works);
    let journal = app.sessions.create(&id)?;
    let ports = works.ports(Box::new(journal), app.clock.clone());
    let settings = app.settings();
    block_on(async {
        let (commands, events, receiver, sender) = channels();
        let again = vec![query.clone(); args.epochs.saturating_sub(1) as usize];
        let session = Session::open(ports, settings, pins, Some(query), receiver, sender);
        Client::new(&id, args.show, commands, again).follow(async { session.await?.run().await }, events).await
    })?
}

/// Ends what could not begin: prompts that nobody would answer.
pub(super) fn answerable(app: &App, works: &Works, network: &Network) -> Result<(), Failure> {
    if let Some(why) = works.lacks_models(network) {
        let hint = "`mop doctor` says which servers there are; set one under [[endpoints]] in config.toml, or a key";
        return Err(Failure::usage(why, hint));
    }
    let manual = app.config.provider().is_some_and(|said| said == "manual" || said.starts_with("manual,"));
    if manual && network.programs.values().any(|program| program.kind == Kind::Prompt) {
        let hint = "give manual:FOLDER to answer through files, or open the terminal interface with `mop`";
        return Err(Failure::usage("nobody is here to play the model", hint));
    }
    Ok(())
}

/// Opens a network; where there is none of the name, the error lists those that there are.
pub(super) fn works(app: &App, name: &str) -> Result<Works, Failure> {
    found(app, app.works(name), name)
}

/// The network that was looked for by a name, or the error with a list of those that there are.
pub(super) fn found(app: &App, works: Result<Works, StoreError>, name: &str) -> Result<Works, Failure> {
    works.map_err(|error| {
        let unknown = matches!(&error, StoreError::Unknown { what: "network", .. });
        let mut failure = Failure::from(error);
        if unknown {
            let mut known: Vec<String> = app.networks.list().into_iter().map(|(name, _)| name).collect();
            known.dedup();
            let list = format!("networks: {}; or the path of a folder, such as ./{name}", known.join(", "));
            let hint = failure.hint.take().filter(|hint| hint.starts_with("did you mean"));
            failure.hint = Some(hint.map_or(list.clone(), |hint| format!("{hint} {list}")));
        }
        failure
    })
}

/// Says what is wrong with a network: mistakes always, oddities only in files that are the user's own.
pub(super) fn warn(works: &Works) -> Result<(), Failure> {
    for problem in works.diagnostics()? {
        match problem.severity {
            Severity::Error => out::say(&problem),
            Severity::Warning if works.owns(&problem) => out::say(&problem),
            Severity::Warning => {}
        }
    }
    Ok(())
}
