//! `mop programs review`: the queue of proposals, and one proposal with everything that is known about it.

use serde_json::{Value, json};

use crate::engine::ports::Library;
use crate::model::{
    Change, GateResult, Hunk, Proposal, ProposalId, ProposalStatus, RevisionId, did_you_mean, hunk_lines,
};
use crate::setup::Works;

use super::super::failure::Failure;
use super::super::out::{Tone, paint};
use super::super::text::{brief, count, plain, table};
use super::super::trace::gate_name;
use super::super::{exit, out};
use super::decide;

/// Lines around a hunk.
const CONTEXT: usize = 2;

/// What was proposed, and decisions on it
///
/// Without an id: the proposals that wait. With one: why it was made, the evidence, what the gates said, and the change in
/// numbered hunks. The hunks named with --accept are taken, and the rest is rejected; what is taken goes through the gates again.
#[derive(Debug, clap::Args)]
pub(super) struct Review {
    /// The proposal: its id, or the beginning of it
    id: Option<String>,
    /// Hunks to take: numbers, or `all`
    #[arg(long, value_name = "N,…|all", requires = "id")]
    pub(super) accept: Option<String>,
    /// Hunks to turn down: numbers, or `all`
    #[arg(long, value_name = "N,…|all", requires = "id")]
    pub(super) reject: Option<String>,
    /// Why, in your words
    #[arg(long, value_name = "TEXT", requires = "id")]
    pub(super) reason: Option<String>,
    /// Also proposals that were decided
    #[arg(long)]
    all: bool,
    /// As JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// Shows the queue or a proposal, or decides.
pub(super) fn run(works: &Works, args: &Review) -> Result<u8, Failure> {
    let Some(name) = &args.id else { return queue(works, args.all, args.json) };
    let (proposal, status) = find(works, name)?;
    if args.accept.is_some() || args.reject.is_some() {
        return decide::run(works, args, &proposal);
    }
    if args.reason.is_some() {
        return Err(Failure::usage("a reason alone decides nothing", "add --accept or --reject"));
    }
    if args.json {
        out::line(whole(&proposal, &status));
    } else {
        out::write(&shown(&proposal, &status));
    }
    Ok(exit::DONE)
}

fn queue(works: &Works, all: bool, json: bool) -> Result<u8, Failure> {
    for problem in works.library.damaged_proposals()? {
        out::say(&problem);
    }
    let known = works.library.proposals()?;
    let decided = known.iter().filter(|(_, status)| *status != ProposalStatus::Open).count();
    let listed: Vec<_> = known.iter().filter(|(_, status)| all || *status == ProposalStatus::Open).collect();
    if json {
        out::line(Value::Array(listed.iter().map(|(proposal, status)| whole(proposal, status)).collect()));
        return Ok(exit::DONE);
    }
    if listed.is_empty() {
        out::say("no proposal waits");
    } else {
        let rows: Vec<Vec<String>> = listed
            .iter()
            .map(|(proposal, status)| {
                let program = proposal.program.as_ref().map_or_else(|| "-".to_owned(), |name| plain(name.as_str()));
                let state = match status {
                    ProposalStatus::Open => "open",
                    ProposalStatus::Accepted(_) => "accepted",
                    ProposalStatus::Rejected(_) => "rejected",
                };
                vec![
                    proposal.id.to_string(),
                    state.to_owned(),
                    program,
                    plain(&proposal.author.to_string()),
                    proposal.hunk_count().to_string(),
                    gates_in_short(proposal),
                    brief(&proposal.title, 90),
                ]
            })
            .collect();
        out::write(&table(&["ID", "STATE", "PROGRAM", "BY", "HUNKS", "GATES", "WHAT"], &rows));
    }
    if decided > 0 && !all {
        out::say(format!("{} decided before; --all shows them too", count(decided, "proposal")));
    }
    Ok(exit::DONE)
}

fn gates_in_short(proposal: &Proposal) -> String {
    let failed = proposal.gates.iter().find(|(_, result)| matches!(result, GateResult::Failed(_)));
    let passed = proposal.gates.iter().filter(|(_, result)| matches!(result, GateResult::Passed(_))).count();
    match failed {
        Some((gate, _)) => format!("{} failed", gate_name(*gate)),
        None if proposal.gates.is_empty() => "-".to_owned(),
        None => format!("{passed} of {} passed", proposal.gates.len()),
    }
}

fn find(works: &Works, name: &str) -> Result<(Proposal, ProposalStatus), Failure> {
    if let Some(found) = works.library.proposal(&ProposalId::new(name))? {
        return Ok(found);
    }
    let all = works.library.proposals()?;
    let mut meant: Vec<_> = all.iter().filter(|(proposal, _)| proposal.id.as_str().starts_with(name)).collect();
    match (meant.pop(), meant.as_slice()) {
        (Some(one), []) => Ok(one.clone()),
        (Some(last), others) => {
            let ids = others.iter().chain([&last]).map(|(proposal, _)| proposal.id.to_string());
            let hint = format!("give more of one of {}", ids.collect::<Vec<_>>().join(", "));
            Err(Failure::usage(format!("`{name}` may mean several proposals"), hint))
        }
        (None, _) => {
            let near = did_you_mean(name, all.iter().map(|(proposal, _)| proposal.id.as_str()));
            let hint = near.unwrap_or_else(|| "`mop programs review --all` lists them".to_owned());
            Err(Failure::usage(format!("network `{}` has no proposal `{name}`", works.name), hint))
        }
    }
}

fn shown(proposal: &Proposal, status: &ProposalStatus) -> String {
    let mut text = format!("proposal {}, {}\n{}\n", proposal.id, standing(status), plain(&proposal.title));
    text += &format!(
        "by {} · network {} · made from revision {}\n",
        plain(&proposal.author.to_string()),
        plain(&proposal.network),
        proposal.base.short()
    );
    let evidence = &proposal.evidence;
    text += &format!("\nwhy\n{}\n", lines(&evidence.critique));
    if evidence.cost != 0.0 {
        text += &format!("  the fault cost {:.2} of J\n", evidence.cost);
    }
    if let Some(session) = &evidence.session {
        text += &format!("  found in cycle {} of session {session}\n", evidence.cycle);
    }
    text += "\nevidence\n";
    for trial in &evidence.trials {
        let word = |passed: bool| if passed { "ok" } else { "FAILED" };
        let (before, after) = (word(trial.before), word(trial.after));
        text += &format!("  {before} → {after}  {} — {}\n", brief(&trial.test.query, 60), plain(&trial.note));
    }
    if evidence.trials.is_empty() {
        text += "  no test was run on both sides\n";
    }
    if let Value::Object(fields) = &evidence.measured {
        let fields: Vec<String> = fields.iter().map(|(name, value)| format!("{name} {value}")).collect();
        text += &format!("  measured: {}\n", plain(&fields.join(", ")));
    }
    text += "\ngates\n";
    for (gate, result) in &proposal.gates {
        let (tone, word) = match result {
            GateResult::Passed(_) => (Tone::Good, "passed    "),
            GateResult::Failed(_) => (Tone::Bad, "failed    "),
            GateResult::Indecisive(_) => (Tone::Unsure, "indecisive"),
        };
        text += &format!("  {:<13}  {}  {}\n", gate_name(*gate), paint(tone, word), plain(result.why()));
    }
    if proposal.gates.is_empty() {
        text += "  not asked yet; they are when you decide\n";
    }
    text += &format!("\nchange, {}\n", count(proposal.hunk_count(), "hunk"));
    let mut number = 0;
    for change in &proposal.changes {
        text += &format!("  {}\n", file(change));
        for hunk in change.hunks() {
            number += 1;
            text += &of_hunk(change, &hunk, number);
        }
    }
    text
}

fn standing(status: &ProposalStatus) -> String {
    match status {
        ProposalStatus::Open => "open".to_owned(),
        ProposalStatus::Accepted(revision) => format!("accepted as {}", RevisionId::short(revision)),
        ProposalStatus::Rejected(why) if why.is_empty() => "rejected".to_owned(),
        ProposalStatus::Rejected(why) => format!("rejected: {}", plain(why)),
    }
}

fn file(change: &Change) -> String {
    let what = match (&change.before, &change.after) {
        (None, _) => " (new file)",
        (_, None) => " (removed)",
        (Some(_), Some(_)) => "",
    };
    format!("{}{what}", plain(&change.path))
}

fn of_hunk(change: &Change, hunk: &Hunk, number: usize) -> String {
    let (before, after) = (change.before.as_deref().unwrap_or_default(), change.after.as_deref().unwrap_or_default());
    let mut text = format!("  hunk {number}, from line {}\n", hunk.old.start + 1);
    let around = |from: usize, to: usize| -> String {
        let old = before.lines().skip(from).take(to.saturating_sub(from));
        old.map(|line| format!("      {}\n", super::super::text::block(line))).collect()
    };
    text += &around(hunk.old.start.saturating_sub(CONTEXT), hunk.old.start);
    for (tag, line) in hunk_lines(before, after, hunk) {
        let line = format!("{tag} {}", super::super::text::block(&line));
        let tone = if line.starts_with('+') { Tone::Good } else { Tone::Bad };
        text += &format!("    {}\n", paint(tone, &line));
    }
    text + &around(hunk.old.end, hunk.old.end + CONTEXT)
}

/// Foreign text, two columns in.
fn lines(text: &str) -> String {
    super::super::text::block(text.trim_end()).lines().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
}

fn whole(proposal: &Proposal, status: &ProposalStatus) -> Value {
    let mut hunks = Vec::new();
    for change in &proposal.changes {
        let (before, after) =
            (change.before.as_deref().unwrap_or_default(), change.after.as_deref().unwrap_or_default());
        for hunk in change.hunks() {
            let lines = hunk_lines(before, after, &hunk);
            let lines: Vec<String> = lines.iter().map(|(tag, line)| format!("{tag}{line}")).collect();
            hunks.push(
                json!({ "number": hunks.len() + 1, "path": change.path, "line": hunk.old.start + 1, "lines": lines }),
            );
        }
    }
    let mut all = json!(proposal);
    all["status"] = json!(status);
    all["hunks"] = Value::Array(hunks);
    all
}
