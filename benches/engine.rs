//! What the engine itself costs: a cycle at three sizes of memory, in memory and journalled; a script cycle; the fold; a seek.
//!
//! Native programs do nothing, so what is measured is routing, views, scoring, credit, the fold and the journal.

#![expect(clippy::unwrap_used, reason = "a benchmark stops at the first surprise")]

#[path = "../tests/support/native.rs"]
#[expect(dead_code, reason = "the tests use more of it")]
mod native;

use std::hint::black_box;
use std::sync::Arc;

use divan::{Bencher, counter::ItemsCount};
use mop::engine::ports::Journal;
use mop::engine::{CHANNEL, Ports, Session, Settings};
use mop::model::{
    Author, Contribution, ContributionId, Cycle, Envelope, Event, FORMAT, Network, Query, Seq, State, Timeline,
};
use mop::store::Sessions;
use native::{ByData, Fixed, List, Natives, Still, network, pins, program};
use serde_json::json;

fn main() {
    divan::main();
}

/// Two programs that hand over to each other and write nothing.
fn idle() -> Arc<Network> {
    let limits = "entry = \"a\"\n[limits]\nmax-cycles = 1000000\n[halting]\nk = 1000000\n";
    let a = program("contract = \"router\"\nreads = [\"fact\"]\nnext = { b = 0.5 }");
    let b = program("contract = \"worker\"\nreads = [\"fact\"]\nwrites = [\"fact\"]\nnext = { c = 0.5 }");
    let c = program("contract = \"worker\"\nreads = [\"fact\"]\nwrites = [\"fact\"]\nnext = { b = 0.5 }");
    network(&[("network.toml", limits), ("a.md", &a), ("b.md", &b), ("c.md", &c)])
}

fn envelope(seq: u64, event: Event) -> Envelope {
    Envelope { v: FORMAT, seq: Seq(seq), at: 0, cause: None, event }
}

fn fact(number: u32) -> Event {
    Event::Contributed {
        contribution: Arc::new(Contribution {
            id: ContributionId(number),
            section: "fact".into(),
            part: None,
            text: format!("fact number {number}"),
            data: json!({ "n": number }),
            author: Author::Human,
            cycle: Cycle(0),
            activation: None,
            about: None,
            supersedes: Vec::new(),
            informed: false,
        }),
    }
}

/// The state of a session that holds so many contributions, at the start of an episode.
fn filled(network: &Network, contributions: u32) -> State {
    let mut state = State::default();
    let mut query = Query::new("one");
    query.parts = mop::engine::ports::Scorer::parts(&ByData, &query);
    let started = Event::SessionStarted { pins: Arc::new(pins(network)), query: None };
    state.apply(&envelope(1, started));
    for number in 0..contributions {
        state.apply(&envelope(u64::from(number) + 2, fact(number)));
    }
    let seq = u64::from(contributions) + 2;
    state.apply(&envelope(seq, Event::EpisodeStarted { number: 1, query: Arc::new(query) }));
    state
}

const CYCLES: u32 = 200;

/// Runs `CYCLES` cycles of the idle network and stops by the cap.
fn cycles(bencher: Bencher<'_, '_>, contributions: u32, journal: impl Fn(u64) -> Box<dyn Journal> + Sync) {
    let network = idle();
    let state = {
        let mut state = filled(&network, contributions);
        let budget = mop::model::Budget { cycles: Some(CYCLES), ..Default::default() };
        state.apply(&envelope(state.seq.0 + 1, Event::BudgetSet { budget: Arc::new(budget) }));
        state
    };
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    bencher
        .counter(ItemsCount::new(CYCLES))
        .with_inputs(|| {
            let natives = Natives::default()
                .with("b", |run| native::gives(vec![native::offer("fact", &run.id.to_string(), json!(null), None)]))
                .with("c", |run| native::gives(vec![native::offer("fact", &run.id.to_string(), json!(null), None)]));
            let (commands, receiver) = tokio::sync::mpsc::channel(1);
            let (sender, events) = tokio::sync::mpsc::channel(CHANNEL);
            drop((commands, events));
            let ports = Ports {
                runner: Arc::new(natives),
                scorer: Arc::new(ByData),
                library: Arc::new(Fixed(network.clone())),
                clock: Arc::new(Still::default()),
                journal: journal(state.seq.0),
                recall: Arc::new(mop::engine::ports::NoRecall),
            };
            let settings = Settings { backward: false, ..Settings::default() };
            let resumed = Session::resume(ports, settings, state.clone(), receiver, sender);
            runtime.block_on(resumed).unwrap()
        })
        .bench_local_values(|session| runtime.block_on(session.run()).unwrap());
}

#[divan::bench(args = [100, 10_000, 100_000], sample_count = 20)]
fn cycle_in_memory(bencher: Bencher<'_, '_>, contributions: u32) {
    cycles(bencher, contributions, |_| Box::new(List::default()));
}

#[divan::bench(args = [100, 10_000, 100_000], sample_count = 20)]
fn cycle_journalled(bencher: Bencher<'_, '_>, contributions: u32) {
    let folder = tempfile::tempdir().unwrap();
    let sessions = Sessions::new(folder.path());
    let count = std::sync::atomic::AtomicU64::new(0);
    cycles(bencher, contributions, |_| {
        let number = count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Box::new(sessions.create(&sessions.new_id(number)).unwrap())
    });
}

/// A session of 100 000 events: facts with a cycle mark in between.
fn long() -> Vec<Arc<Envelope>> {
    let network = idle();
    let mut events = vec![Arc::new(envelope(1, Event::SessionStarted { pins: Arc::new(pins(&network)), query: None }))];
    for number in 0..99_999_u32 {
        events.push(Arc::new(envelope(u64::from(number) + 2, fact(number))));
    }
    events
}

#[divan::bench(sample_count = 10)]
fn fold_100_000_events(bencher: Bencher<'_, '_>) {
    let events = long();
    bencher.counter(ItemsCount::new(events.len())).bench_local(|| {
        let mut state = State::default();
        for envelope in &events {
            state.apply(envelope);
        }
        black_box(state.memory.len())
    });
}

#[divan::bench(sample_count = 50)]
fn seek_in_100_000_events(bencher: Bencher<'_, '_>) {
    let mut timeline = Timeline::default();
    for envelope in long() {
        timeline.push(envelope);
    }
    let mut at = 17_u64;
    bencher.bench_local(|| {
        at = (at * 48_271) % 99_991;
        black_box(timeline.at(Seq(at)).memory.len())
    });
}
