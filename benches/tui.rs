//! What a frame costs, for a small and for a large session; scrubbing; a diff of 50 000 lines; programs that stream.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark prints, and stops at the first surprise")]

#[path = "../tests/support/native.rs"]
#[expect(dead_code, reason = "the tests use more of it")]
mod native;
#[path = "support/streaming.rs"]
mod streaming;

use std::hint::black_box;
use std::sync::Arc;

use divan::Bencher;
use mop::model::{
    ActivationId, Author, Candidate, Change, Choice, Contract, Contribution, ContributionId, Credit, CreditMethod,
    Cycle, Envelope, Event, Evidence, FORMAT, Hash, Mode, Network, PartId, PartScore, PartState, Proposal, ProposalId,
    Query, Score, Seq, Share,
};
use mop::tui::Rehearsal;
use native::{network, pins, program};
use serde_json::json;

fn main() {
    divan::main();
    // As a test, that this was built is enough; and whoever asks for another benchmark gets that one.
    let mut args = std::env::args().skip(1).peekable();
    if args.peek().is_some() && args.all(|arg| arg == "--bench" || arg.contains("stream")) {
        let network = large();
        streaming::report(streaming::Stage::new(&network, session(&network, 10_000), SIZE));
    }
}

/// Columns and rows of the frames.
const SIZE: (u16, u16) = (200, 60);
/// Programs of the large network.
const PROGRAMS: usize = 200;
/// Cycles of the large session: points of J.
const CYCLES: u32 = 10_000;

fn name(index: usize) -> String {
    format!("program-{index:03}")
}

/// A network of 200 programs and about 500 transitions.
fn large() -> Arc<Network> {
    let contracts = ["definer", "planner", "solver", "critic", "alternative", "optimizer", "judge", "worker"];
    let mut files = vec![("network.toml".to_owned(), format!("entry = \"{}\"\n", name(0)))];
    for index in 0..PROGRAMS {
        let contract = if index == 0 { "router" } else { contracts[index % contracts.len()] };
        let next: Vec<String> = [1, 7, 31]
            .iter()
            .map(|by| (index + by) % PROGRAMS)
            .filter(|to| *to != 0)
            .map(|to| format!("{} = 0.3", name(to)))
            .collect();
        let text = format!(
            "contract = \"{contract}\"\nreads = [\"fact\"]\nwrites = [\"fact\"]\nnext = {{ {} }}",
            next.join(", ")
        );
        files.push((format!("{}.md", name(index)), program(&text)));
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    network(&files)
}

struct Writer {
    events: Vec<Arc<Envelope>>,
}

impl Writer {
    fn put(&mut self, event: Event) {
        let seq = Seq(self.events.len() as u64 + 1);
        self.events.push(Arc::new(Envelope { v: FORMAT, seq, at: seq.0, cause: None, event }));
    }
}

/// A session of so many contributions over 10 000 cycles.
fn session(network: &Arc<Network>, contributions: u32) -> Vec<Arc<Envelope>> {
    let mut out = Writer { events: Vec::new() };
    out.put(Event::SessionStarted { pins: Arc::new(pins(network)), query: None });
    let mut query = Query::new("one");
    query.parts = mop::engine::ports::Scorer::parts(&native::ByData, &query);
    let task = query.whole();
    out.put(Event::EpisodeStarted { number: 1, query: Arc::new(query) });
    let score = |j: f64| {
        let part = PartScore {
            part: PartId(1),
            state: PartState::Answered,
            value: j,
            none: false,
            of: None,
            cap: 1.0,
            why: String::new(),
        };
        Arc::new(Score { mean: j, n: 1, se: 0.0, parts: vec![part], scorer: Hash::of("s") })
    };
    let each = contributions / CYCLES;
    let mut id = 0;
    for cycle in 1..=CYCLES {
        let who = mop::model::ProgramName::new(name(cycle as usize % PROGRAMS));
        let candidate = Candidate { program: who.clone(), prior: 0.5, weight: 0.5, probability: 1.0, declared: true };
        let choice = Choice {
            task: task.clone(),
            last: None,
            candidates: vec![candidate],
            barred: Vec::new(),
            chosen: vec![who.clone()],
            why: "it is its turn".into(),
            rule: None,
            overridden: false,
        };
        out.put(Event::Routed { cycle: Cycle(cycle), mode: Mode::Rules, choices: vec![choice] });
        out.put(Event::CycleBegan { cycle: Cycle(cycle) });
        let activation = ActivationId(cycle - 1);
        out.put(Event::Activated {
            activation,
            program: who.clone(),
            hash: Hash::of("h"),
            contract: Contract::Worker,
            task: task.clone(),
            view: Hash::of(cycle.to_string()),
            aside: false,
        });
        for _ in 0..each {
            out.put(Event::Contributed {
                contribution: Arc::new(Contribution {
                    id: ContributionId(id),
                    section: "fact".into(),
                    part: None,
                    text: format!("fact number {id}: something was found out and is written down here"),
                    data: json!({ "n": id }),
                    author: Author::Program(who.clone()),
                    cycle: Cycle(cycle),
                    activation: Some(activation),
                    about: None,
                    supersedes: Vec::new(),
                    informed: false,
                }),
            });
            id += 1;
        }
        let j = (f64::from(cycle) / f64::from(CYCLES)).min(1.0);
        out.put(Event::Scored {
            cycle: Cycle(cycle),
            score: score(j),
            delta: 0.0001,
            withdrawn: Vec::new(),
            incumbent: None,
        });
        let share = Share { activation, program: who, phi: 0.0001 };
        out.put(Event::Credited {
            cycle: Cycle(cycle),
            credit: Arc::new(Credit {
                delta: 0.0001,
                shares: vec![share],
                synergy: 0.0,
                method: CreditMethod::Raw,
                scorings: 0,
            }),
        });
    }
    out.events
}

fn opened(contributions: u32) -> Rehearsal {
    let network = large();
    let mut rehearsal = Rehearsal::new(network.clone(), SIZE.0, SIZE.1);
    for envelope in session(&network, contributions) {
        rehearsal.event(envelope);
    }
    rehearsal.key("Esc");
    rehearsal.frame();
    rehearsal
}

/// One frame of 200×60 over 200 programs and 10 000 points of J.
#[divan::bench(args = [10_000, 100_000], sample_count = 200)]
fn frame(bencher: Bencher<'_, '_>, contributions: u32) {
    let mut rehearsal = opened(contributions);
    bencher.bench_local(|| black_box(rehearsal.frame()));
}

/// A key that moves the selection, and the frame after it.
#[divan::bench(args = [10_000, 100_000], sample_count = 200)]
fn key_and_frame(bencher: Bencher<'_, '_>, contributions: u32) {
    let mut rehearsal = opened(contributions);
    rehearsal.key("2");
    let mut down = true;
    bencher.bench_local(|| {
        rehearsal.key(if down { "Down" } else { "Up" });
        down = !down;
        black_box(rehearsal.frame())
    });
}

/// One step back in the record, and the frame after it.
#[divan::bench(args = [10_000, 100_000], sample_count = 100)]
fn scrub_and_frame(bencher: Bencher<'_, '_>, contributions: u32) {
    let mut rehearsal = opened(contributions);
    bencher.bench_local(|| {
        rehearsal.key(",");
        black_box(rehearsal.frame())
    });
}

/// The first frame over a network of 200 programs: its layout.
#[divan::bench(sample_count = 20)]
fn first_frame_of_200_programs(bencher: Bencher<'_, '_>) {
    let network = large();
    bencher
        .with_inputs(|| Rehearsal::new(network.clone(), SIZE.0, SIZE.1))
        .bench_local_values(|mut rehearsal| black_box(rehearsal.frame()));
}

/// A batch of what four programs stream, a key, and the frame after it.
#[divan::bench(sample_count = 200)]
fn key_and_frame_while_four_programs_stream(bencher: Bencher<'_, '_>) {
    let network = large();
    let mut stage = streaming::Stage::new(&network, session(&network, 10_000), SIZE);
    bencher.bench_local(|| black_box(stage.key_and_frame()));
}

fn diff() -> Event {
    let line = |n: usize, changed: bool| format!("line {n} of a long file{}\n", if changed { ", changed" } else { "" });
    let before: String = (0..50_000).map(|n| line(n, false)).collect();
    let after: String = (0..50_000).map(|n| line(n, n % 100 == 50)).collect();
    Event::ProposalRaised {
        proposal: Arc::new(Proposal {
            id: ProposalId::new("p-1"),
            network: "n".into(),
            base: mop::model::RevisionId::new("r"),
            author: Author::Human,
            program: None,
            title: "a change of 500 lines in 50 000".into(),
            changes: vec![Change { path: "a.md".into(), before: Some(before.into()), after: Some(after.into()) }],
            evidence: Evidence::default(),
            gates: Vec::new(),
        }),
    }
}

fn with_diff() -> Rehearsal {
    let network = large();
    let mut rehearsal = Rehearsal::new(network.clone(), SIZE.0, SIZE.1);
    let mut out = Writer { events: Vec::new() };
    out.put(Event::SessionStarted { pins: Arc::new(pins(&network)), query: None });
    out.put(diff());
    for envelope in out.events {
        rehearsal.event(envelope);
    }
    rehearsal.key("Esc");
    rehearsal
}

/// Opens a diff of 50 000 lines with 500 hunks.
#[divan::bench(sample_count = 10)]
fn open_diff_of_50_000_lines(bencher: Bencher<'_, '_>) {
    bencher.with_inputs(with_diff).bench_local_values(|mut rehearsal| {
        rehearsal.key("4");
        rehearsal.frame()
    });
}

/// Goes to the next hunk of it.
#[divan::bench(sample_count = 100)]
fn next_hunk_of_500(bencher: Bencher<'_, '_>) {
    let mut rehearsal = with_diff();
    rehearsal.key("4");
    rehearsal.frame();
    bencher.bench_local(|| {
        rehearsal.key("]");
        black_box(rehearsal.frame())
    });
}
