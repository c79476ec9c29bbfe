//! `mop bench`: networks side by side on suites of questions.

mod merge;
mod progress;
mod table;

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::bench::{
    self, Arm, ArmPlan, Caps, Ended, Folder, Orders, Pick, Plan, Question, Report, Shard, Suite, SuitePlan,
};
use crate::engine::ports::{Library, Provider};
use crate::model::{Budget, Kind};
use crate::setup::App;
use crate::store::{Key, Sessions};

use super::failure::Failure;
use super::signals::Signals;
use super::{block_on, exit, out, run};

use progress::Progress;

/// Measure networks side by side on suites of questions
///
/// Every arm answers every question, in a session of its own: nothing is learned on the way, no program is changed, and no arm sees
/// a known answer. The table goes to standard output; answers, report.json and report.html go to a folder.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER, args_conflicts_with_subcommands = true)]
pub(super) struct Bench {
    #[command(subcommand)]
    command: Option<Sub>,
    /// Files of questions: mop's own lines of JSON, or GSM8K, SVAMP, HumanEval, MATH, MMLU, StrategyQA as published
    #[arg(value_name = "SUITE", required = true)]
    suites: Vec<PathBuf>,
    /// Networks to compare, by name or path
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    arm: Vec<String>,
    /// Take the first N questions of each file
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    /// Take the N questions by lot instead; the same seed takes the same ones
    #[arg(long, value_name = "SEED", requires = "limit")]
    sample: Option<u64>,
    /// Ask everything once with each of these seeds
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "1")]
    seeds: Vec<u64>,
    /// Folder of the results; a fresh one with the sessions where none is named
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on with the bench in the folder; nothing is asked twice
    #[arg(long, requires = "out")]
    resume: bool,
    /// Ask part i of n only; `mop bench merge` joins the parts
    #[arg(long, value_name = "i/n")]
    shard: Option<Shard>,
    /// Questions at once
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    jobs: u32,
    /// Cycles that a question may take
    #[arg(long, value_name = "N")]
    max_cycles: Option<u32>,
    /// Tokens that the whole bench may use
    #[arg(long, value_name = "N")]
    max_tokens: Option<u64>,
    /// Dollars that the whole bench may cost
    #[arg(long, value_name = "DOLLARS")]
    max_cost: Option<f64>,
    /// Milliseconds that a question may take; then the best answer so far counts
    #[arg(long, value_name = "MS")]
    timeout: Option<u64>,
    /// Where replies of models come from: record:FILE, replay:FILE, scripted:FILE or manual:FOLDER instead of the servers
    #[arg(long, value_name = "KIND:PATH")]
    provider: Option<String>,
    /// Leave lines out that are no questions, instead of asking nothing
    #[arg(long)]
    skip_bad: bool,
    /// Keep no journals of the sessions
    #[arg(long)]
    no_journals: bool,
    /// Print the report as JSON instead of the table
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Subcommand)]
enum Sub {
    /// Join the shards of one bench
    Merge(merge::Merge),
}

const AFTER: &str = "\
Examples:
  mop bench questions.jsonl
  mop bench gsm8k.jsonl svamp.jsonl --arm single,pipeline --limit 50 --sample 1 --out first
  mop bench gsm8k.jsonl --arm single --out first --resume       after Ctrl-C, a crash, or kill -9
  mop bench gsm8k.jsonl --provider record:replies.jsonl         and later replay:replies.jsonl, without a server
  mop bench gsm8k.jsonl --shard 1/4 --out part1                 on four machines, then:
  mop bench merge part1 part2 part3 part4 --out whole

A question is a line {\"id\", \"suite\", \"question\", \"answer\", \"check\": exact | numeric | verifier}.
Without --arm: the network of the settings and, where there is a model, single, pipeline and mop as far as they exist.

Exit codes:
  0 everything is asked · 2 usage, or a bad line · 3 a cap was reached
  5 the provider failed · 130, 143 stopped; with --resume the bench goes on";

/// Networks that are compared where nobody names any and there is a model.
const USUAL: [&str; 3] = ["single", "pipeline", "mop"];

impl Bench {
    /// Flags that override settings.
    pub(super) fn flags(&self) -> Vec<(Key, String)> {
        [
            (Key::MaxCycles, self.max_cycles.map(|value| value.to_string())),
            (Key::MaxTokens, self.max_tokens.map(|value| value.to_string())),
            (Key::MaxCost, self.max_cost.map(|value| value.to_string())),
            (Key::TimeoutMs, self.timeout.map(|value| value.to_string())),
            (Key::Provider, self.provider.clone()),
        ]
        .into_iter()
        .filter_map(|(key, value)| Some((key, value?)))
        .collect()
    }
}

/// Runs a bench, or joins shards.
pub(super) fn run(app: &App, args: &Bench) -> Result<u8, Failure> {
    if let Some(Sub::Merge(merge)) = &args.command {
        return merge::run(merge);
    }
    let suites = suites(args)?;
    let pick = Pick { limit: args.limit.map(|limit| limit as usize), sample: args.sample };
    let picked: Vec<Vec<Question>> = suites.iter().map(|suite| pick.of(suite)).collect();
    let files = suites.iter().zip(&picked).map(|(suite, questions)| SuitePlan {
        file: suite.file.clone(),
        hash: suite.hash.clone(),
        questions: questions.len(),
    });
    let files = files.collect();
    let questions: Vec<Question> = picked.into_iter().flatten().collect();
    let provider = app.provider()?;
    let arms = arms(app, args, provider.as_ref())?;
    let arm = |arm: &Arm| {
        let (name, revision) = (arm.name.clone(), arm.network.revision.clone());
        ArmPlan { name, revision, scorer: arm.scorer.hash() }
    };
    let plan = Plan {
        v: 1,
        mop: env!("CARGO_PKG_VERSION").to_owned(),
        arms: arms.iter().map(arm).collect(),
        seeds: seeds(args)?,
        suites: files,
        pick,
        questions: questions.len(),
        ids: Plan::hash(&questions),
        timeout: app.config.timeout_ms(),
        cycles: app.config.max_cycles(),
        provider: app.config.provider().map(str::to_owned),
        shard: args.shard,
    };
    let questions = match args.shard {
        Some(shard) => shard.of(questions),
        None => questions,
    };
    let root =
        args.out.clone().unwrap_or_else(|| app.paths.benches().join(app.sessions.new_id(app.clock.now()).as_str()));
    let (folder, done) = Folder::open(&root, &plan, args.resume)?;
    let orders = Orders {
        at_once: args.jobs as usize,
        timeout: plan.timeout.map(Duration::from_millis),
        sessions: (!args.no_journals).then(|| Sessions::new(root.join("sessions"))),
        caps: Caps { tokens: app.config.max_tokens(), dollars: app.config.max_cost() },
        clock: app.clock.clone(),
    };
    ask(args, &plan, &root, (&arms, &questions), &orders, (folder, done))
}

fn ask(
    args: &Bench,
    plan: &Plan,
    root: &Path,
    (arms, questions): (&[Arm], &[Question]),
    orders: &Orders,
    (mut folder, mut done): (Folder, Vec<bench::Item>),
) -> Result<u8, Failure> {
    let jobs = bench::jobs(arms, questions, &plan.seeds, &done);
    let total = questions.len() * arms.len() * plan.seeds.len();
    if !done.is_empty() {
        out::say(format!("{} of {total} are finished already", total - jobs.len()));
    }
    let mut progress = Progress::new(total - jobs.len(), total);
    let ended = block_on(async {
        let mut signals = Signals::new()?;
        let mut show = |items: &[bench::Item]| progress.show(items);
        tokio::select! {
            biased;
            code = signals.next() => Ok(Err(code)),
            ended = bench::run(&jobs, orders, &mut folder, &mut done, &mut show) => ended.map(Ok).map_err(Failure::from),
        }
    })?;
    progress.end();
    drop(folder);
    let report = Report::of(plan, &done);
    publish(root, &report, args.json)?;
    let left = total.saturating_sub(done.len());
    let (code, why) = match ended? {
        Ok(Ended::Whole) => return Ok(exit::DONE),
        Ok(Ended::Capped(why)) => (exit::LIMIT, format!("a cap was reached: {why}")),
        Ok(Ended::Failed(why)) => (exit::PROVIDER, why),
        Err(code) => (code, "stopped".to_owned()),
    };
    out::say(format!("mop: {why}; {left} of {total} are left"));
    out::say(format!("     the same command with `--resume --out {}` goes on", root.display()));
    Ok(code)
}

/// Writes the report into the folder and prints it.
fn publish(root: &Path, report: &Report, json: bool) -> Result<(), Failure> {
    let mut text = serde_json::to_string_pretty(report).map_err(|error| Failure::internal(error.to_string()))?;
    text.push('\n');
    Folder::write(root, "report.json", &text)?;
    Folder::write(root, "report.html", &bench::page(report))?;
    match json {
        true => out::write(&text),
        false => out::write(&table::of(report)),
    }
    out::say(format!("answers and report: {}", root.display()));
    Ok(())
}

fn suites(args: &Bench) -> Result<Vec<Suite>, Failure> {
    let mut suites = Vec::new();
    let (mut bad, mut known) = (0, HashSet::new());
    for path in &args.suites {
        let name = path.display().to_string();
        let text = fs::read_to_string(path)
            .map_err(|error| Failure::usage(format!("{name}: cannot be read: {error}"), "name a file of questions"))?;
        let suite = Suite::read(&name, &text);
        for line in &suite.bad {
            out::say(line);
        }
        bad += suite.bad.len();
        if let Some(twice) = suite.questions.iter().find(|question| !known.insert(question.id.clone())) {
            let hint = "name each file once, and give questions ids of their own";
            return Err(Failure::usage(format!("{name}: the id `{}` is taken by a file before", twice.id), hint));
        }
        suites.push(suite);
    }
    if bad > 0 && !args.skip_bad {
        let lines = super::text::count(bad, "line");
        return Err(Failure::usage(format!("{lines} cannot be asked"), "mend them, or leave them out with --skip-bad"));
    }
    if known.is_empty() {
        return Err(Failure::usage(
            "there is no question to ask",
            "`mop bench --help` shows what a question looks like",
        ));
    }
    Ok(suites)
}

fn seeds(args: &Bench) -> Result<Vec<u64>, Failure> {
    let mut known = HashSet::new();
    match args.seeds.iter().find(|seed| !known.insert(**seed)) {
        Some(seed) => Err(Failure::usage(format!("seed {seed} is given twice"), "give each seed once")),
        None => Ok(args.seeds.clone()),
    }
}

fn arms(app: &App, args: &Bench, provider: Option<&Arc<dyn Provider>>) -> Result<Vec<Arm>, Failure> {
    let mut names = args.arm.clone();
    if names.is_empty() {
        let there: Vec<String> = app.networks.list().into_iter().map(|(name, _)| name).collect();
        names.push(app.config.network().to_owned());
        let usual = USUAL.iter().filter(|name| provider.is_some() && there.iter().any(|one| one == *name));
        names.extend(usual.filter(|name| **name != app.config.network()).map(|name| (*name).to_owned()));
    }
    let mut arms: Vec<Arm> = Vec::new();
    for name in &names {
        let works = run::found(app, app.works_sharing(name, provider), name)?;
        run::warn(&works)?;
        let network = works.library.network()?;
        let prompts = network.programs.values().any(|program| program.manifest.active && program.kind == Kind::Prompt);
        if prompts && provider.is_none() {
            let hint = "add a server under [[endpoints]] in config.toml, or give --provider replay:FILE";
            return Err(Failure::usage(format!("`{name}` has prompts, and no model is configured"), hint));
        }
        if arms.iter().any(|arm| arm.name == works.name) {
            let hint = "give the folder of one of them another name";
            return Err(Failure::usage(format!("two arms are called `{}`", works.name), hint));
        }
        let mut pins = app.pins(crate::model::SessionId::new("bench"), &network, &works);
        pins.config.insert("backward".to_owned(), false.into());
        // Caps on tokens and money are the whole bench's, and kept there.
        pins.budget = Budget { cycles: pins.budget.cycles, millis: pins.budget.millis, ..Budget::default() };
        let (name, runner, scorer) = (works.name.clone(), works.runner.clone(), works.scorer.clone());
        arms.push(Arm { name, network, runner, scorer, library: works.library.clone(), pins });
    }
    Ok(arms)
}
