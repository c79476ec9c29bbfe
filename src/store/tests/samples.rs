//! Events, networks and proposals that the tests share.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use serde_json::Value;

use crate::engine::ports::Clock;
use crate::model::*;
use crate::store::folder::Files;
use crate::store::{Events, FileLibrary, Source, SourcedNetwork};

pub(super) fn envelope(seq: u64, event: Event) -> Envelope {
    Envelope { v: FORMAT, seq: Seq(seq), at: 1_000 + seq, cause: None, event }
}

pub(super) fn said(seq: u64, text: &str) -> Envelope {
    envelope(seq, Event::Said { text: text.into() })
}

pub(super) fn pins(session: &str) -> Arc<Pins> {
    Arc::new(Pins {
        session: session.into(),
        network: "plain".into(),
        revision: "r".into(),
        policy: 0,
        scorer: Hash::of("scorer"),
        recall: String::new(),
        config: BTreeMap::new(),
        seed: 7,
        budget: Budget::default(),
        approval: Approval::default(),
        parent: None,
        mop: "0".into(),
    })
}

pub(super) fn contribution(id: u32, text: &str, data: Value) -> Arc<Contribution> {
    Arc::new(Contribution {
        id: ContributionId(id),
        section: Section::DRAFT.into(),
        part: Some(PartId(1)),
        text: text.into(),
        data,
        author: Author::Program("a".into()),
        cycle: Cycle(1),
        activation: None,
        about: None,
        supersedes: Vec::new(),
        informed: false,
    })
}

pub(super) fn score(mean: f64) -> Arc<Score> {
    Arc::new(Score { mean, n: 1, se: 0.0, parts: Vec::new(), scorer: Hash::of("scorer") })
}

fn routed(cycle: u32) -> Event {
    Event::Routed { cycle: Cycle(cycle), mode: Mode::Rules, choices: Vec::new() }
}

/// Events of an episode with so many whole cycles; where it ends, the last of them is followed by its outcome.
pub(super) fn episode(number: u32, question: &str, cycles: u32, ends: bool) -> Vec<Event> {
    let mut events = vec![Event::EpisodeStarted { number, query: Arc::new(Query::new(question)) }, routed(1)];
    for cycle in 1..=cycles {
        events.push(Event::CycleBegan { cycle: Cycle(cycle) });
        events.push(Event::Contributed { contribution: contribution(cycle, "x = 3", Value::Null) });
        let (j, delta) = (f64::from(cycle) / 8.0, 0.125);
        events.push(Event::Scored { cycle: Cycle(cycle), score: score(j), delta, withdrawn: vec![], incumbent: None });
        if cycle < cycles || !ends {
            events.push(routed(cycle + 1));
        }
    }
    if ends {
        events.push(Event::Halted { reason: HaltReason::Converged, why: "done".into() });
        events.push(Event::EpisodeEnded {
            outcome: Arc::new(Outcome {
                halted: HaltReason::Converged,
                answer: Some("3".into()),
                message: None,
                verified: true,
                j: f64::from(cycles) / 8.0,
                cycles,
                usage: Usage::default(),
            }),
        });
    }
    events
}

pub(super) fn session(id: &str, events: Vec<Event>) -> Vec<Envelope> {
    let first = Event::SessionStarted { pins: pins(id), query: None };
    std::iter::once(first).chain(events).zip(1..).map(|(event, seq)| envelope(seq, event)).collect()
}

pub(super) fn read(folder: &Path) -> Vec<Envelope> {
    Events::open(folder).unwrap().map(Result::unwrap).collect()
}

pub(super) fn files(all: &[(&str, &str)]) -> Files {
    all.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
}

pub(super) fn write_files(folder: &Path, all: &[(&str, &str)]) {
    for (path, text) in all {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}

pub(super) const ROUTER: &str = "+++\nrole = \"Routes\"\ncontract = \"router\"\n+++\nRead it.\n";
pub(super) const SOLVER: &str = "+++\nrole = \"Solves\"\ncontract = \"solver\"\n+++\none\ntwo\nthree\nfour\nfive\n";
pub(super) const RULES: &str = "about = \"t\"\n[[rules]]\nwhen = \"true\"\ngo = \"@solver\"\nwhy = \"base\"\n";

pub(super) fn plain() -> Vec<Files> {
    vec![files(&[("network.toml", RULES), ("r.md", ROUTER), ("s.md", SOLVER)])]
}

/// A clock that stands.
#[derive(Debug)]
pub(super) struct Still;

impl Clock for Still {
    fn now(&self) -> u64 {
        42
    }
}

pub(super) fn library(root: &Path, layers: Vec<Files>) -> FileLibrary {
    let network = SourcedNetwork { name: "plain".into(), source: Source::Bundled, layers, warnings: Vec::new() };
    FileLibrary::open(root, network, Arc::new(Still)).unwrap()
}

pub(super) fn change(path: &str, before: Option<&str>, after: Option<&str>) -> Change {
    Change { path: path.into(), before: before.map(Arc::from), after: after.map(Arc::from) }
}

pub(super) fn proposal(id: &str, changes: Vec<Change>) -> Proposal {
    Proposal {
        id: id.into(),
        network: "plain".into(),
        base: "r".into(),
        author: Author::Engine,
        program: None,
        title: format!("proposal {id}"),
        changes,
        evidence: Evidence::default(),
        gates: Vec::new(),
    }
}

pub(super) fn taking(accept: &[usize]) -> Decision {
    Decision { accept: accept.to_vec(), reason: "because".into(), edited: Vec::new(), by: Author::Human }
}

/// Files that come out when these hunks of a proposal of one change are taken.
pub(super) fn taken(change: &Change, accept: &[usize]) -> Vec<(String, Option<Arc<str>>)> {
    let (before, after) = (change.before.as_deref().unwrap_or_default(), change.after.as_deref().unwrap_or_default());
    let chosen: Vec<Hunk> =
        change.hunks().into_iter().zip(1..).filter(|(_, at)| accept.contains(at)).map(|(hunk, _)| hunk).collect();
    vec![(change.path.clone(), Some(Arc::from(apply_hunks(before, after, &chosen))))]
}

/// All of a proposal's files as it proposes them.
pub(super) fn whole(proposal: &Proposal) -> Vec<(String, Option<Arc<str>>)> {
    proposal.changes.iter().map(|change| (change.path.clone(), change.after.clone())).collect()
}
