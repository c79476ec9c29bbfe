//! What there is to place: programs and groups with their ranks, and the transitions between them.
//!
//! The order of the items never depends on what was taken away: programs of the network as the session found it come first,
//! then those that revisions brought, in the order in which they came, removed ones included. So a placement that goes by
//! that order gives every item the cell that it always had.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{Contract, Network, Program, ProgramName, Revision, parse_program};
use crate::tui::text;

/// Programs from which on everything that has a contract in common is collapsed.
const MANY: usize = 200;

/// What an item stands for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    /// One program.
    Program(ProgramName),
    /// Programs of one contract that belong together.
    Group(Contract, String),
}

/// One thing to place.
#[derive(Clone, Debug)]
pub(super) struct Item {
    /// What it stands for.
    pub(super) key: Key,
    /// Its name, clean.
    pub(super) label: String,
    /// What is expected of it.
    pub(super) contract: Contract,
    /// Where it belongs from top to bottom.
    pub(super) rank: usize,
    /// Whether it acts beside the routed sequence, and so stands at the side.
    pub(super) aside: bool,
    /// The open group whose member it is.
    pub(super) under: Option<usize>,
    /// Whether it came since the session began.
    pub(super) late: bool,
    /// The programs that it stands for.
    pub(super) members: Vec<ProgramName>,
    /// Whether it is a group that is open.
    pub(super) open: bool,
}

impl Item {
    /// Columns of its name, with the number of members of a group.
    pub(super) fn width(&self) -> usize {
        let count = if self.is_group() { 4 } else { 0 };
        text::width(&self.label) + count
    }

    /// Whether it stands for a group.
    pub(super) fn is_group(&self) -> bool {
        matches!(self.key, Key::Group(..))
    }

    /// The program, where it stands for one.
    pub(super) fn program(&self) -> Option<&ProgramName> {
        match &self.key {
            Key::Program(name) => Some(name),
            Key::Group(..) => None,
        }
    }
}

/// A transition between two items.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Link {
    /// From which.
    pub(super) from: usize,
    /// To which.
    pub(super) to: usize,
    /// Whether the engine makes it, and no declaration.
    pub(super) engine: bool,
}

/// Everything to place.
#[derive(Clone, Debug, Default)]
pub(super) struct Sketch {
    /// Items, in an order that lasts.
    pub(super) items: Vec<Item>,
    /// Transitions, each once, none from an item to itself.
    pub(super) links: Vec<Link>,
    /// Transitions as the session found them, with those of members at their groups, and how many: what the order goes by.
    pub(super) settled: BTreeMap<(usize, usize), i64>,
    of: BTreeMap<ProgramName, usize>,
}

struct Known {
    name: ProgramName,
    contract: Contract,
    group: Option<String>,
    late: bool,
}

impl Sketch {
    /// The network as it is now, seen from the one that the session began with; groups in `open` show their members.
    pub(super) fn new<'a>(
        first: &Network,
        now: &Network,
        revisions: impl Iterator<Item = &'a Revision>,
        open: &BTreeSet<Key>,
    ) -> Self {
        let known = known(first, now, revisions);
        let collapsing = collapsing(&known);
        let mut sketch = Self::default();
        let mut groups: BTreeMap<Key, usize> = BTreeMap::new();
        for known in &known {
            let key = group_of(known, known_many(&collapsing)).filter(|key| collapsing.contains_key(key));
            let under = key.map(|key| {
                let place = *groups.entry(key.clone()).or_insert_with(|| sketch.add_group(&key, known, open));
                if let Some(group) = sketch.items.get_mut(place) {
                    group.members.push(known.name.clone());
                }
                place
            });
            let shown = under.filter(|place| !sketch.items.get(*place).is_some_and(|group| group.open));
            let place = shown.unwrap_or_else(|| sketch.add(known, under));
            sketch.of.insert(known.name.clone(), place);
        }
        sketch.link(now);
        sketch.settle(if first.programs.is_empty() { now } else { first });
        sketch
    }

    /// The same without groups, in the order of ranks.
    pub(super) fn flat<'a>(first: &Network, now: &Network, revisions: impl Iterator<Item = &'a Revision>) -> Self {
        let mut sketch = Self::default();
        let mut known = known(first, now, revisions);
        known.sort_by_key(|known| (rank(known.contract), known.late));
        for known in &known {
            let place = sketch.add(known, None);
            sketch.of.insert(known.name.clone(), place);
        }
        sketch
    }

    /// The item that shows a program.
    pub(super) fn of(&self, program: &ProgramName) -> Option<usize> {
        self.of.get(program).copied()
    }

    /// The item of a key.
    pub(super) fn find(&self, key: &Key) -> Option<usize> {
        self.items.iter().position(|item| item.key == *key)
    }

    /// The group that a program belongs to, where its members are not shown.
    pub(super) fn group_of(&self, program: &ProgramName) -> Option<&Key> {
        self.of(program).and_then(|place| self.items.get(place)).filter(|item| item.is_group()).map(|item| &item.key)
    }

    fn add(&mut self, known: &Known, under: Option<usize>) -> usize {
        self.items.push(Item {
            key: Key::Program(known.name.clone()),
            label: name(known.name.as_str()),
            contract: known.contract,
            rank: rank(known.contract),
            aside: is_aside(known.contract),
            under,
            late: known.late,
            members: vec![known.name.clone()],
            open: false,
        });
        self.items.len() - 1
    }

    fn add_group(&mut self, key: &Key, known: &Known, open: &BTreeSet<Key>) -> usize {
        let label = match key {
            Key::Program(program) => name(program.as_str()),
            Key::Group(_, group) => name(group),
        };
        self.items.push(Item {
            key: key.clone(),
            label,
            contract: known.contract,
            rank: rank(known.contract),
            aside: is_aside(known.contract),
            under: None,
            late: false,
            members: Vec::new(),
            open: open.contains(key),
        });
        self.items.len() - 1
    }

    fn settle(&mut self, first: &Network) {
        let place = |name| {
            let place = self.of(name)?;
            Some(self.items.get(place).and_then(|item| item.under).unwrap_or(place))
        };
        let both = first.edges.iter().filter_map(|edge| Some((place(&edge.from)?, place(&edge.to)?)));
        let mut settled: BTreeMap<(usize, usize), i64> = BTreeMap::new();
        let made = handed_over(first).into_iter().filter_map(|(from, to)| Some((place(from)?, place(to)?)));
        both.chain(made).filter(|(from, to)| from != to).for_each(|link| *settled.entry(link).or_default() += 1);
        self.settled = settled;
    }

    fn link(&mut self, now: &Network) {
        let mut links: BTreeSet<(usize, usize)> = BTreeSet::new();
        for edge in &now.edges {
            if let (Some(from), Some(to)) = (self.of(&edge.from), self.of(&edge.to))
                && from != to
            {
                links.insert((from, to));
            }
        }
        let mut all: Vec<Link> = links.iter().map(|(from, to)| Link { from: *from, to: *to, engine: false }).collect();
        for (from, to) in handed_over(now) {
            if let (Some(from), Some(to)) = (self.of(from), self.of(to))
                && from != to
                && links.insert((from, to))
            {
                all.push(Link { from, to, engine: true });
            }
        }
        self.links = all;
    }
}

/// Transitions that the engine makes and nobody declares: the presenter follows when the loop is over.
fn handed_over(network: &Network) -> Vec<(&ProgramName, &ProgramName)> {
    let presenters = || network.of_contract(Contract::Presenter).map(|program| &program.name);
    let checks = network.of_contract(Contract::GoalCheck).map(|program| &program.name);
    checks.flat_map(|check| presenters().map(move |presenter| (check, presenter))).collect()
}

/// A name that fits a chip, clean.
fn name(text: &str) -> String {
    const LONGEST: usize = 28;
    text::fit(&text::clean(text), LONGEST).into_owned()
}

/// Every program that the session knows of, in an order to which later ones are only appended.
fn known<'a>(first: &Network, now: &Network, revisions: impl Iterator<Item = &'a Revision>) -> Vec<Known> {
    let entry = |program: &Program, late: bool| Known {
        name: program.name.clone(),
        contract: program.contract(),
        group: program.manifest.group.clone(),
        late,
    };
    let mut seen: BTreeSet<ProgramName> = BTreeSet::new();
    let mut all = Vec::new();
    let fresh = first.programs.is_empty();
    for program in first.order.iter().filter_map(|name| first.program(name)) {
        if seen.insert(program.name.clone()) {
            all.push(entry(program, false));
        }
    }
    for change in revisions.flat_map(|revision| &revision.changes) {
        let stem = change.path.rsplit_once('.').map_or(change.path.as_str(), |(stem, _)| stem);
        if let Some(after) = change.after.as_deref().filter(|_| !seen.contains(stem))
            && let Ok(program) = parse_program(&change.path, after)
        {
            seen.insert(program.name.clone());
            all.push(entry(&program, !fresh));
        }
    }
    for program in now.order.iter().filter_map(|name| now.program(name)) {
        if seen.insert(program.name.clone()) {
            all.push(entry(program, !fresh));
        }
    }
    all
}

/// Groups that had more than one member from the start, with whether contracts count as groups too.
fn collapsing(known: &[Known]) -> BTreeMap<Key, bool> {
    let many = known.iter().filter(|known| !known.late).count() > MANY;
    let mut counts: BTreeMap<Key, usize> = BTreeMap::new();
    for known in known.iter().filter(|known| !known.late) {
        if let Some(key) = group_of(known, many) {
            *counts.entry(key).or_default() += 1;
        }
    }
    counts.into_iter().filter(|(_, count)| *count > 1).map(|(key, _)| (key, many)).collect()
}

fn known_many(collapsing: &BTreeMap<Key, bool>) -> bool {
    collapsing.values().next().copied().unwrap_or(false)
}

fn group_of(known: &Known, many: bool) -> Option<Key> {
    let own = known.group.clone();
    let group = if many { Some(own.unwrap_or_else(|| known.contract.name().to_owned())) } else { own };
    group.map(|group| Key::Group(known.contract, group))
}

/// Where a contract belongs from top to bottom.
fn rank(contract: Contract) -> usize {
    match contract {
        Contract::Router => 0,
        Contract::Definer | Contract::Planner => 1,
        Contract::Solver | Contract::Worker => 2,
        Contract::Critic | Contract::Alternative | Contract::Integrity => 3,
        Contract::Optimizer | Contract::Judge => 4,
        Contract::GoalCheck => 5,
        Contract::Presenter | Contract::Manager | Contract::Supervisor | Contract::Persona => 6,
    }
}

/// Whether a contract acts beside the routed sequence.
fn is_aside(contract: Contract) -> bool {
    match contract {
        Contract::Integrity | Contract::Manager | Contract::Supervisor | Contract::Persona => true,
        Contract::Router
        | Contract::Definer
        | Contract::Planner
        | Contract::Solver
        | Contract::Critic
        | Contract::Alternative
        | Contract::Optimizer
        | Contract::Judge
        | Contract::GoalCheck
        | Contract::Presenter
        | Contract::Worker => false,
    }
}
