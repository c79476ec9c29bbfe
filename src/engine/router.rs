//! Routing: the legal set, the distribution over it, and the choice (section 4.3; Algorithms 3 and 4 are rules in files).

use std::sync::Arc;

use minijinja::Value;

use crate::model::{Candidate, Choice, Contract, Mode, Network, Program, ProgramName, Section, State, Strand, Target};

use super::scope::{issue, scope};

/// Factor of a candidate that the first matching rule names.
const RULE: f64 = 8.0;
/// Factor of a candidate that the last program's `next` names.
const NEXT: f64 = 4.0;
/// Prior of an edge that a program made up (mode `agent`).
const UNDECLARED: f64 = 0.05;

/// How often a program may fail in an episode before it is left out.
const PATIENCE: usize = 2;

/// What the last program on a strand asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wish {
    /// A program, `@contract` or `USER`.
    pub next: Option<String>,
    /// Why.
    pub why: String,
}

/// A routing decision with what went wrong on the way.
#[derive(Clone, Debug, PartialEq)]
pub struct Decided {
    /// The decision.
    pub choice: Choice,
    /// Warnings for the user.
    pub warnings: Vec<String>,
}

/// Decides who runs next on a strand.
///
/// In mode `rules` a candidate weighs prior × 8 if the first matching rule names it × 4 if `next` names it; the first
/// matching rule is the first whose condition holds and whose target is in the legal set. In mode `agent` the program's
/// `next` decides, an undeclared one included. The learned modes start from the rules until they have learned.
#[must_use]
pub fn route(state: &State, network: &Arc<Network>, strand: &Strand, wish: &Wish, mode: Mode) -> Decided {
    let Some(last) = &strand.last else { return Decided { choice: entry(network, strand), warnings: Vec::new() } };
    let scope = scope(state, network, strand);
    let mut warnings = Vec::new();
    let author = strand
        .task
        .parts
        .iter()
        .filter_map(|part| state.memory.board(*part).and_then(issue))
        .find_map(|issue| issue.author.program().cloned());
    let mut legal: Vec<(Arc<Program>, f64, bool)> = Vec::new();
    let mut barred = Vec::new();
    for edge in network.edges_from(last) {
        let Some(program) = network.program(&edge.to) else { continue };
        match bar(state, program, &scope) {
            None => legal.push((program.clone(), edge.prior, true)),
            Some(why) => barred.push((program.name.clone(), why)),
        }
    }
    let asked = wish.next.as_deref().filter(|next| *next != "USER").map(Target::parse);
    let asked = match asked {
        Some(Ok(target)) => Some(target),
        Some(Err(error)) => {
            warnings.push(format!("{last} asked for a next program that cannot be: {error}"));
            None
        }
        None => None,
    };
    if let Some(Target::Name(name)) = &asked
        && !legal.iter().any(|(program, ..)| program.name == *name)
    {
        match (mode, network.program(name)) {
            (Mode::Agent, Some(program)) if program.contract().is_routed() => {
                legal.push((program.clone(), UNDECLARED, false));
            }
            (Mode::Agent, _) => warnings.push(format!("{last} asked for `{name}`, which is not in the network")),
            (Mode::Rules | Mode::Bandit | Mode::Reinforce, _) if !barred.iter().any(|(other, _)| other == name) => {
                warnings.push(format!("{last} asked for `{name}`, but no edge leads there"));
            }
            (Mode::Rules | Mode::Bandit | Mode::Reinforce, _) => {}
        }
    }
    let rule = network.rules.iter().find(|rule| {
        let named = legal.iter().any(|(program, ..)| rule.go.matches(program, author.as_ref()));
        named
            && rule.when.holds(&scope).unwrap_or_else(|error| {
                warnings.push(format!("a rule could not be evaluated: {error}"));
                false
            })
    });
    let wished = |program: &Program| asked.as_ref().is_some_and(|target| target.matches(program, author.as_ref()));
    let weigh = |program: &Program, prior: f64| {
        let rule = rule.is_some_and(|rule| rule.go.matches(program, author.as_ref()));
        let (rule, next) = match mode {
            Mode::Agent => (1.0, if wished(program) { 1e3 } else { 1.0 }),
            Mode::Rules | Mode::Bandit | Mode::Reinforce => {
                (if rule { RULE } else { 1.0 }, if wished(program) { NEXT } else { 1.0 })
            }
        };
        prior * rule * next
    };
    let mut candidates: Vec<Candidate> = legal
        .iter()
        .map(|(program, prior, declared)| Candidate {
            program: program.name.clone(),
            prior: *prior,
            weight: weigh(program, *prior),
            probability: 0.0,
            declared: *declared,
        })
        .collect();
    normalise(network, &mut candidates);
    let chosen: Vec<ProgramName> =
        candidates.iter().take(network.limits.top_k.max(1)).map(|candidate| candidate.program.clone()).collect();
    let followed = chosen.first().and_then(|name| network.program(name));
    let why = match (followed, rule) {
        (None, _) => "nobody may run next".to_owned(),
        (Some(program), Some(rule)) if mode != Mode::Agent && rule.go.matches(program, author.as_ref()) => {
            rule.why.clone()
        }
        (Some(program), _) if wished(program) && !wish.why.is_empty() => wish.why.clone(),
        (Some(program), _) if wished(program) => format!("{last} asked for it"),
        (Some(_), _) => "it has the highest prior".to_owned(),
    };
    let rule = rule.map(|rule| rule.go.clone());
    let choice = Choice {
        task: strand.task.clone(),
        last: strand.last.clone(),
        candidates,
        barred,
        chosen,
        why,
        rule,
        overridden: false,
    };
    Decided { choice, warnings }
}

/// The programs of a contract that accept the whole task as it is now, in file order. Of a routed contract there is always one,
/// if only one has what it requires: the loop must not lack its goal-check.
#[must_use]
pub(super) fn fitting(state: &State, network: &Arc<Network>, contract: Contract) -> Vec<Arc<Program>> {
    let episode = state.episode.as_ref();
    let task = episode.map_or_else(|| crate::model::Query::default().whole(), |episode| episode.query.whole());
    let last = state.strands.front().and_then(|strand| strand.last.clone());
    let scope = scope(state, network, &Strand { task, last, parked: false });
    let has =
        |program: &&Arc<Program>| program.manifest.requires.iter().all(|section| state.memory.has(section.as_str()));
    let accepts = |program: &&Arc<Program>| {
        let accepts = program.manifest.accepts.as_ref();
        accepts.is_none_or(|accepts| accepts.holds(&scope).unwrap_or(false))
    };
    let able: Vec<&Arc<Program>> = network.of_contract(contract).filter(has).collect();
    let willing: Vec<Arc<Program>> = able.iter().filter(|program| accepts(program)).copied().cloned().collect();
    if willing.is_empty() && contract.is_routed() {
        able.first().copied().cloned().into_iter().collect()
    } else {
        willing
    }
}

/// Before anyone ran: the entry runs.
fn entry(network: &Network, strand: &Strand) -> Choice {
    let candidate =
        Candidate { program: network.entry.clone(), prior: 1.0, weight: 1.0, probability: 1.0, declared: true };
    Choice {
        task: strand.task.clone(),
        last: None,
        candidates: vec![candidate],
        barred: Vec::new(),
        chosen: vec![network.entry.clone()],
        why: "it is the entry of the network".to_owned(),
        rule: None,
        overridden: false,
    }
}

/// Why a program may not run now; none when it may.
fn bar(state: &State, program: &Program, scope: &Value) -> Option<String> {
    if !program.manifest.active {
        return Some("it is deactivated".to_owned());
    }
    if !program.contract().is_routed() {
        return Some(format!("a {} acts only where the engine calls for it", program.contract()));
    }
    let before = state.episode.as_ref().map_or(0, |episode| episode.failures_before);
    let failed = state.failures.iter().skip(before).filter(|(_, name, _)| *name == program.name).count();
    if failed >= PATIENCE {
        return Some(format!("it failed {failed} times in this episode"));
    }
    if let Some(section) = program.manifest.requires.iter().find(|section| !state.memory.has(section.as_str())) {
        return Some(format!("it needs a {section}"));
    }
    let accepts = program.manifest.accepts.as_ref()?;
    match accepts.holds(scope) {
        Ok(true) => None,
        Ok(false) => Some(format!("it does not accept this: {}", accepts.source())),
        Err(error) => Some(error.to_string()),
    }
}

/// Turns weights into probabilities, likeliest first; ties stand in file order.
fn normalise(network: &Network, candidates: &mut [Candidate]) {
    let total: f64 = candidates.iter().map(|candidate| candidate.weight).sum();
    for candidate in candidates.iter_mut() {
        candidate.probability = if total > 0.0 { candidate.weight / total } else { 1.0 / candidates_len(network) };
    }
    let place = |name: &ProgramName| network.order.iter().position(|other| other == name);
    candidates.sort_by(|a, b| {
        b.probability.total_cmp(&a.probability).then_with(|| place(&a.program).cmp(&place(&b.program)))
    });
}

fn candidates_len(network: &Network) -> f64 {
    f64::from(u32::try_from(network.order.len().max(1)).unwrap_or(u32::MAX))
}

/// Lines of work after a cycle: a plan that was just written splits the whole into its sub-tasks.
#[must_use]
pub(super) fn strands(state: &State, network: &Network) -> Vec<Strand> {
    let now: Vec<Strand> = state.strands.iter().cloned().collect();
    let [whole] = now.as_slice() else { return now };
    let planned = whole
        .last
        .as_ref()
        .and_then(|name| network.program(name))
        .is_some_and(|program| program.contract() == Contract::Planner);
    let plan = state.memory.current(Section::PLAN).next().filter(|plan| planned && plan.cycle == state.cycle());
    let Some(plan) = plan else { return now };
    let tasks: Vec<Strand> = plan
        .data
        .get("tasks")
        .and_then(serde_json::Value::as_array)
        .into_iter()
        .flatten()
        .zip(1..)
        .filter_map(|(task, number)| {
            let parts: Vec<crate::model::PartId> = serde_json::from_value(task.get("parts")?.clone()).ok()?;
            let known = parts.iter().all(|part| whole.task.parts.contains(part));
            let text = task.get("text")?.as_str()?.to_owned();
            let task = crate::model::Task { id: crate::model::TaskId(number), text, parts };
            (known && !task.parts.is_empty()).then(|| Strand { task, last: whole.last.clone(), parked: false })
        })
        .collect();
    if tasks.len() > 1 { tasks } else { now }
}

/// Decides for all strands. A strand whose next is goal-check waits until all are there; then the whole rejoins.
#[must_use]
pub(super) fn route_all(
    state: &State,
    network: &Arc<Network>,
    wish: impl Fn(&Strand) -> Wish,
    mode: Mode,
) -> (Vec<Choice>, Vec<String>) {
    let strands = strands(state, network);
    let many = strands.len() > 1;
    let (mut choices, mut warnings, mut working) = (Vec::new(), Vec::new(), 0);
    for strand in &strands {
        let decided = route(state, network, strand, &wish(strand), mode);
        warnings.extend(decided.warnings);
        let mut choice = decided.choice;
        if many {
            let done = choice
                .chosen
                .first()
                .and_then(|name| network.program(name))
                .is_none_or(|program| program.contract() == Contract::GoalCheck);
            if done || working >= network.limits.max_parallel {
                choice.chosen.clear();
                choice.why = "waits for the other sub-tasks".to_owned();
            } else {
                working += 1;
            }
        }
        choices.push(choice);
    }
    if many && working == 0 {
        choices = vec![rejoin(state, network, &choices)];
    }
    (choices, warnings)
}

/// The whole task again, at goal-check.
fn rejoin(state: &State, network: &Arc<Network>, parts: &[Choice]) -> Choice {
    let task = state.episode.as_ref().map(|episode| episode.query.whole());
    let goal_check = fitting(state, network, Contract::GoalCheck).first().map(|program| program.name.clone());
    let first = parts.first().cloned();
    let candidates: Vec<Candidate> = goal_check
        .iter()
        .map(|program| Candidate {
            program: program.clone(),
            prior: 1.0,
            weight: 1.0,
            probability: 1.0,
            declared: true,
        })
        .collect();
    Choice {
        task: task.unwrap_or_else(|| crate::model::Query::default().whole()),
        last: first.and_then(|choice| choice.last),
        candidates,
        barred: Vec::new(),
        chosen: goal_check.into_iter().collect(),
        why: "all sub-tasks are done".to_owned(),
        rule: None,
        overridden: false,
    }
}
