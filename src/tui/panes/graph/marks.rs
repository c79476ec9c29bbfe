//! What is known about each program at the moment shown: the signs of its chip.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::model::{Breakpoint, Contribution, Event, Network, PartBoard, Phase, Program, ProgramName, State, Tally};
use crate::tui::scene::{Glyphs, Scene};
use crate::tui::theme::Role;

/// Most events that are looked through for what happened last.
pub(super) const REACH: usize = 20_000;
/// Most entries of a part that are looked through for an objection.
const ENTRIES: usize = 64;

/// What a program does or did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sign {
    /// It has not run.
    #[default]
    Idle,
    /// It ran.
    Ran,
    /// It objected, and the objection stands.
    Objects,
    /// It failed when it last ran.
    Failed,
    /// It runs next, if nobody decides otherwise.
    Next,
    /// It runs.
    Runs,
}

impl Sign {
    /// Its sign.
    pub(super) fn glyph(self, glyphs: &Glyphs) -> &'static str {
        match self {
            Self::Idle => " ",
            Self::Ran => glyphs.done,
            Self::Objects => glyphs.objection,
            Self::Failed => glyphs.failed,
            Self::Next | Self::Runs => glyphs.runs,
        }
    }

    /// It in a word or two.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Idle => "not yet",
            Self::Ran => "ran",
            Self::Objects => "objected",
            Self::Failed => "failed",
            Self::Next => "runs next",
            Self::Runs => "runs",
        }
    }

    /// The role of its sign.
    pub(super) fn role(self) -> Role {
        match self {
            Self::Idle => Role::Quiet,
            Self::Ran => Role::Good,
            Self::Objects => Role::Unsure,
            Self::Failed => Role::Bad,
            Self::Next | Self::Runs => Role::Running,
        }
    }
}

/// How a program differs from the one that the session found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Since {
    /// It does not.
    #[default]
    Same,
    /// It takes no part, and did not at the beginning.
    Off,
    /// Its text changed.
    Changed,
    /// It was deactivated.
    Deactivated,
    /// It is new.
    New,
    /// It was removed.
    Gone,
}

impl Since {
    /// How one program stands to what the session found.
    pub(super) fn of(first: &Network, now: &Network, name: &ProgramName) -> Self {
        match (first.program(name), now.program(name)) {
            (Some(before), Some(after)) => match (before.manifest.active, after.manifest.active) {
                (true, false) => Self::Deactivated,
                (false, false) => Self::Off,
                (_, true) if before.hash != after.hash => Self::Changed,
                (_, true) => Self::Same,
            },
            (None, Some(_)) => Self::New,
            (_, None) => Self::Gone,
        }
    }

    /// The mark of its chip.
    pub(super) fn mark(self) -> &'static str {
        match self {
            Self::Same => "",
            Self::Off | Self::Deactivated => "off",
            Self::Changed => "~",
            Self::New => "+",
            Self::Gone => "gone",
        }
    }

    /// It in words; none where there is nothing to say.
    pub(super) fn words(self) -> Option<&'static str> {
        match self {
            Self::Same => None,
            Self::Off => Some("deactivated: it takes no part"),
            Self::Changed => Some("revised since the session began"),
            Self::Deactivated => Some("deactivated since the session began"),
            Self::New => Some("new since the session began"),
            Self::Gone => Some("removed since the session began"),
        }
    }
}

/// Everything about one chip.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Mark {
    /// What it does or did.
    pub(super) sign: Sign,
    /// Whether a breakpoint stands before it.
    pub(super) stop: bool,
    /// Open proposals about it.
    pub(super) open: usize,
    /// How it differs from what the session found.
    pub(super) since: Since,
    /// How likely it runs next, where it may.
    pub(super) next: Option<f64>,
    /// What it has done.
    pub(super) tally: Tally,
    /// What it last wrote.
    pub(super) words: Option<Arc<Contribution>>,
}

/// What the last events say; found by walking back.
#[derive(Clone, Debug, Default)]
pub(super) struct Past {
    failed: BTreeSet<ProgramName>,
    words: BTreeMap<ProgramName, Arc<Contribution>>,
    /// The transitions that were made last: from whom, to whom.
    pub(super) last: Vec<(ProgramName, ProgramName)>,
}

impl Past {
    /// Walks back from the moment shown until everything is found.
    pub(super) fn of(scene: &Scene<'_>) -> Self {
        let mut past = Self::default();
        let mut met: BTreeSet<&ProgramName> = BTreeSet::new();
        let events = scene.timeline.events();
        let upto = events.partition_point(|envelope| envelope.seq <= scene.state.seq);
        let gate = scene.state.route.as_ref().filter(|_| scene.state.phase == Phase::Gate);
        let mut routed = scene.state.episode.is_none();
        for envelope in events.get(..upto).unwrap_or_default().iter().rev().take(REACH) {
            match &envelope.event {
                Event::Failed { program, .. } if !met.contains(program) => {
                    met.insert(program);
                    past.failed.insert(program.clone());
                }
                Event::Activated { program, .. } => {
                    met.insert(program);
                }
                Event::Contributed { contribution } => {
                    if let Some(program) = contribution.author.program()
                        && !past.words.contains_key(program)
                    {
                        past.words.insert(program.clone(), contribution.clone());
                    }
                }
                Event::Routed { cycle, choices, .. } if !routed && gate.is_none_or(|gate| *cycle < gate.cycle) => {
                    routed = true;
                    past.last = choices
                        .iter()
                        .filter_map(|choice| choice.last.clone().map(|last| (last, choice)))
                        .flat_map(|(last, choice)| choice.chosen.iter().map(move |to| (last.clone(), to.clone())))
                        .collect();
                }
                Event::EpisodeStarted { .. } => routed = true,
                _ => {}
            }
            if routed && met.len() >= scene.state.tallies.len() {
                break;
            }
        }
        past
    }
}

/// The marks of all programs.
#[derive(Clone, Debug, Default)]
pub(super) struct Marks {
    by: BTreeMap<ProgramName, Mark>,
}

impl Marks {
    /// Gathers them for the programs named.
    pub(super) fn of<'a>(scene: &Scene<'_>, past: &Past, names: impl Iterator<Item = &'a ProgramName>) -> Self {
        let objecting = objecting(scene.state);
        let next = next(scene.state);
        let mut open: BTreeMap<&str, usize> = BTreeMap::new();
        for proposal in scene.queue.open() {
            let changed = proposal.changes.first().map(|change| stem(&change.path));
            if let Some(name) = proposal.program.as_ref().map(ProgramName::as_str).or(changed) {
                *open.entry(name).or_default() += 1;
            }
        }
        let runs = |name: &ProgramName| {
            scene.state.phase == Phase::Running && scene.state.running.iter().any(|run| run.program == *name)
        };
        let by = names.map(|name| {
            let tally = scene.state.tallies.get(name).copied().unwrap_or_default();
            let chance = next.get(name).copied();
            let sign = match chance {
                _ if runs(name) => Sign::Runs,
                Some((_, true)) => Sign::Next,
                _ if past.failed.contains(name) => Sign::Failed,
                _ if objecting.contains(name) => Sign::Objects,
                _ if tally.activations > 0 => Sign::Ran,
                _ => Sign::Idle,
            };
            let program = scene.network.program(name);
            let mark = Mark {
                sign,
                stop: program.is_some_and(|program| stops(scene.state, program)),
                open: open.get(name.as_str()).copied().unwrap_or(0),
                since: Since::of(scene.first_network, scene.network, name),
                next: chance.map(|(probability, _)| probability),
                tally,
                words: past.words.get(name).cloned(),
            };
            (name.clone(), mark)
        });
        Self { by: by.collect() }
    }

    /// What is known about one.
    pub(super) fn get(&self, name: &ProgramName) -> Option<&Mark> {
        self.by.get(name)
    }

    /// What is known about several, as one.
    pub(super) fn joined(&self, names: &[ProgramName]) -> Mark {
        let mut joined = Mark::default();
        for mark in names.iter().filter_map(|name| self.get(name)) {
            joined.sign = joined.sign.max(mark.sign);
            joined.stop |= mark.stop;
            joined.open += mark.open;
            joined.since = joined.since.max(mark.since);
            joined.next = match (joined.next, mark.next) {
                (Some(a), Some(b)) => Some(a.max(b)),
                (a, b) => a.or(b),
            };
            joined.tally.activations += mark.tally.activations;
            joined.tally.failures += mark.tally.failures;
            joined.tally.credit += mark.tally.credit;
            joined.words = joined.words.or_else(|| mark.words.clone());
        }
        joined
    }
}

/// A file's name without its ending.
fn stem(path: &str) -> &str {
    path.rsplit_once('.').map_or(path, |(stem, _)| stem)
}

/// Whether a breakpoint stands before a program.
pub(super) fn stops(state: &State, program: &Program) -> bool {
    state.breakpoints.iter().any(|breakpoint| match breakpoint {
        Breakpoint::Program(name) => *name == program.name,
        Breakpoint::Contract(contract) => *contract == program.contract(),
        Breakpoint::Cycle(_)
        | Breakpoint::Proposal
        | Breakpoint::Tool(_)
        | Breakpoint::Wrote(_)
        | Breakpoint::DeltaBelow(_)
        | Breakpoint::Above(_)
        | Breakpoint::Entropy(_)
        | Breakpoint::Failure
        | Breakpoint::Spent(_)
        | Breakpoint::Question
        | Breakpoint::When(_) => false,
    })
}

/// Who may run next: how likely, and whether it was chosen.
fn next(state: &State) -> BTreeMap<&ProgramName, (f64, bool)> {
    let mut found: BTreeMap<&ProgramName, (f64, bool)> = BTreeMap::new();
    let route = state.route.as_ref().filter(|_| state.phase == Phase::Gate);
    for choice in route.iter().flat_map(|route| &route.choices) {
        for candidate in &choice.candidates {
            let entry = found.entry(&candidate.program).or_default();
            *entry = (entry.0.max(candidate.probability), entry.1 || choice.chosen.contains(&candidate.program));
        }
        for chosen in &choice.chosen {
            found.entry(chosen).or_default().1 = true;
        }
    }
    found
}

/// Programs whose objection to a value stands.
fn objecting(state: &State) -> BTreeSet<&ProgramName> {
    let parts = state.episode.iter().flat_map(|episode| &episode.query.parts);
    let boards = parts.filter_map(|part| state.memory.board(part.id));
    boards.filter_map(objection).filter_map(|entry| entry.author.program()).collect()
}

/// What stands against the value of a part, or against the one that was withdrawn last.
fn objection(board: &PartBoard) -> Option<&Arc<Contribution>> {
    let about = |value: &Contribution| {
        board.counterexamples.iter().rev().take(ENTRIES).find(|entry| entry.about == Some(value.id))
    };
    let Some(value) = board.current() else { return board.withdrawn.last().and_then(|value| about(value)) };
    let failing = board
        .verdict_on(value.id)
        .filter(|verdict| !verdict.data.get("pass").and_then(serde_json::Value::as_bool).unwrap_or(false));
    about(value).or(failing)
}
