//! Gates of a proposal, from static to statistical. They can fail a proposal; only a human accepts it.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use similar::{ChangeTag, TextDiff};

use crate::model::{
    ActivationId, Change, Contract, Gate, GateResult, Kind, Network, Program, ProgramName, ProgramTest, Proposal,
    Query, Section, Trial, parse_program,
};
use crate::solvers::mutation;

use super::guard::{Frozen, tier};
use super::ports::{Activation, Runner, Scorer};
use super::trial;
use super::view::View;

/// Lines that a machine's edit of one file may touch.
const MOST_LINES: usize = 60;
/// Words that an edit may not bring in: an edit that talks about its judge is after the judge, not the problem.
const FORBIDDEN: [&str; 4] = ["scorer", "judge", "journal", "approval"];

/// What gates act through.
#[derive(Clone, Copy)]
pub struct Gates<'a> {
    /// Runs programs.
    pub runner: &'a dyn Runner,
    /// Scores memory.
    pub scorer: &'a dyn Scorer,
    /// The network as it is.
    pub network: &'a Network,
}

impl Gates<'_> {
    /// Takes a proposal through its gates in order; the first that fails is the last that is asked.
    ///
    /// Returns what each said, and the results of the changed programs' tests on both sides.
    pub async fn inspect(&self, proposal: &Proposal) -> (Vec<(Gate, GateResult)>, Vec<Trial>) {
        let mut said = vec![(Gate::Static, result(self.check_static(proposal)))];
        if failed(&said) {
            return (said, Vec::new());
        }
        said.push((Gate::Guard, self.guard(proposal).await));
        if failed(&said) {
            return (said, Vec::new());
        }
        let (tests, trials) = self.tests(proposal).await;
        said.push((Gate::Tests, tests));
        if !failed(&said) {
            let why = "no statistical evidence: 1 item; the tests are all there is to go by";
            said.push((Gate::Evidence, GateResult::Indecisive(why.to_owned())));
        }
        (said, trials)
    }

    /// G0: everything that can be seen without running anything.
    fn check_static(&self, proposal: &Proposal) -> Result<String, String> {
        if proposal.changes.is_empty() || proposal.changes.iter().all(|change| change.before == change.after) {
            return Err("it changes nothing".to_owned());
        }
        if tier(proposal) == Frozen::Nobody {
            return Err("it changes what no proposal may change".to_owned());
        }
        let mut network = self.network.clone();
        for change in &proposal.changes {
            let by_machine = proposal.author.program().is_some();
            match &change.after {
                Some(after) if change.path != "network.toml" => {
                    let program = parse_program(&change.path, after)
                        .map_err(|errors| errors.first().map_or_else(String::new, ToString::to_string))?;
                    self.check_program(change, &program, by_machine)?;
                    network = network.with_program(program);
                }
                Some(_) => {}
                None => network = network.without_path(&change.path),
            }
        }
        if network.programs.len() > network.limits.max_programs {
            return Err(format!("the network would hold more than {} programs", network.limits.max_programs));
        }
        reaches_the_end(&network)?;
        Ok("it parses, keeps its contract and asks for nothing new".to_owned())
    }

    fn check_program(&self, change: &Change, program: &Program, by_machine: bool) -> Result<(), String> {
        let old = self.network.program(&program.name);
        if let Some(other) = old.filter(|old| old.path != change.path) {
            return Err(format!("a program called {} exists already, in {}", program.name, other.path));
        }
        if program.kind == Kind::Script {
            mutation::parses(&program.body).map_err(|error| error.to_string())?;
        }
        let Some(old) = old.filter(|_| by_machine) else { return Ok(()) };
        let (was, is) = (&old.manifest, &program.manifest);
        if was.contract != is.contract || old.kind != program.kind {
            return Err(format!("it turns a {} into something else", was.contract));
        }
        let more = |was: &[String], is: &[String]| is.iter().find(|name| !was.contains(name)).cloned();
        if let Some(tool) = more(&was.tools, &is.tools) {
            return Err(format!("it asks for the tool {tool}, which it did not have"));
        }
        if let Some(section) = is.writes.iter().find(|section| !was.writes.contains(section)) {
            return Err(format!("it asks to write a {section}, which it did not"));
        }
        if was.tests.iter().any(|test| !is.tests.contains(test)) {
            return Err("it drops or changes a test".to_owned());
        }
        let added = added_lines(&old.source, &program.source);
        if added.len() > MOST_LINES {
            return Err(format!("it touches {} lines; at most {MOST_LINES} may change at once", added.len()));
        }
        let code: Vec<&String> = added.iter().filter(|line| !line.starts_with('#')).collect();
        if let Some(word) = FORBIDDEN.iter().find(|word| code.iter().any(|line| line.contains(*word))) {
            return Err(format!("it mentions the {word}"));
        }
        let questions: Vec<String> = is.tests.iter().flat_map(|test| literals(&test.query)).collect();
        let copied = mutation::check_literals(&old.body, &program.body, &questions);
        if let Some(literal) = copied.first().filter(|_| program.kind == Kind::Script) {
            return Err(format!("it copies {literal} from a question into the code"));
        }
        Ok(())
    }

    /// The frozen tier was checked; here the integrity program has its word. It can veto, never approve.
    async fn guard(&self, proposal: &Proposal) -> GateResult {
        let mut integrity = self.network.of_contract(Contract::Integrity);
        let Some(program) = integrity.find(|program| reads(program, Section::PROPOSAL)).cloned() else {
            return GateResult::Passed("a human decides".to_owned());
        };
        let query = Query::new(proposal.title.clone());
        let changes: Vec<serde_json::Value> = proposal
            .changes
            .iter()
            .map(|change| {
                let added = added_lines(
                    change.before.as_deref().unwrap_or_default(),
                    change.after.as_deref().unwrap_or_default(),
                );
                serde_json::json!({ "path": change.path, "added": added })
            })
            .collect();
        let data = serde_json::json!({ "changes": changes, "title": proposal.title });
        let activation = Activation {
            id: ActivationId(0),
            task: query.whole(),
            query: Arc::new(query),
            focus: None,
            view: View::Given(Arc::new(
                serde_json::json!({ Section::PROPOSAL: [{ "text": proposal.title, "data": data }] }),
            )),
            depth: 1,
            seed: 0,
            deadline: Duration::from_millis(self.network.limits.deadline_ms),
            recorded: None,
            outlet: None,
            program,
        };
        match self.runner.run(activation).await {
            Err(error) => GateResult::Failed(format!("the integrity program failed: {error}")),
            Ok(output) => match output.offers.iter().find(|offer| offer.section.as_str() == Section::VETO) {
                Some(veto) => GateResult::Failed(veto.text.clone()),
                None => GateResult::Passed("the integrity program has no objection; a human decides".to_owned()),
            },
        }
    }

    /// The tests of every changed program, in the sandbox, before and after.
    async fn tests(&self, proposal: &Proposal) -> (GateResult, Vec<Trial>) {
        let mut trials = Vec::new();
        for change in &proposal.changes {
            let Some(program) = change.after.as_deref().and_then(|text| parse_program(&change.path, text).ok()) else {
                continue;
            };
            let new = Arc::new(program);
            let old = self.network.program(&new.name).cloned();
            for test in new.manifest.tests.clone() {
                let after = self.trial(&new, &test).await;
                let before = match &old {
                    Some(old) => self.trial(old, &test).await.passed,
                    None => false,
                };
                trials.push(Trial { test, before, after: after.passed, note: after.note });
            }
        }
        let lost: Vec<&Trial> = trials.iter().filter(|trial| !trial.after).collect();
        let gained = trials.iter().filter(|trial| trial.after && !trial.before).count();
        let result = match lost.first() {
            Some(trial) => GateResult::Failed(format!("{}: {}", trial.test.query, trial.note)),
            None if trials.is_empty() => GateResult::Indecisive("there is no test".to_owned()),
            None => {
                GateResult::Passed(format!("{} of {} tests pass, {gained} of them new", trials.len(), trials.len()))
            }
        };
        (result, trials)
    }

    /// Runs one program on one test.
    pub async fn trial(&self, program: &Arc<Program>, test: &ProgramTest) -> trial::Result {
        let limit = program.manifest.deadline_ms.unwrap_or(self.network.limits.deadline_ms);
        trial::run(self.runner, self.scorer, program, test, Duration::from_millis(limit), 1).await
    }
}

fn reads(program: &Program, section: &str) -> bool {
    program.manifest.reads.iter().any(|read| read.as_str() == section)
}

fn failed(said: &[(Gate, GateResult)]) -> bool {
    matches!(said.last(), Some((_, GateResult::Failed(_))))
}

fn result(checked: Result<String, String>) -> GateResult {
    match checked {
        Ok(why) => GateResult::Passed(why),
        Err(why) => GateResult::Failed(why),
    }
}

/// Lines that are in the new text and not in the old.
fn added_lines(before: &str, after: &str) -> Vec<String> {
    TextDiff::from_lines(before, after)
        .iter_all_changes()
        .filter(|change| change.tag() == ChangeTag::Insert)
        .map(|change| change.to_string().trim_end().to_owned())
        .collect()
}

/// Numbers of a question that are long enough to be recognised in code.
fn literals(query: &str) -> Vec<String> {
    query
        .split(|c: char| !c.is_ascii_digit() && c != '.')
        .map(|number| number.trim_matches('.'))
        .filter(|number| number.len() > 1)
        .map(str::to_owned)
        .collect()
}

/// Whether goal-check can still be reached from the entry.
fn reaches_the_end(network: &Network) -> Result<(), String> {
    let mut reached: BTreeSet<&ProgramName> = BTreeSet::new();
    let mut open = vec![&network.entry];
    while let Some(name) = open.pop() {
        if !reached.insert(name) {
            continue;
        }
        if network.program(name).is_some_and(|program| program.contract() == Contract::GoalCheck) {
            return Ok(());
        }
        open.extend(network.edges.iter().filter(|edge| edge.from == *name).map(|edge| &edge.to));
    }
    Err("no path would lead from the entry to goal-check".to_owned())
}
