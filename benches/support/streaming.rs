//! Four programs stream at once: how long a key takes to the screen, and how much memory it takes to stream on and on.
//!
//! What is streamed goes the whole way, but for the channel: from the outlet into events, and from these into frames.

use std::sync::Arc;
use std::time::{Duration, Instant};

use mop::engine::ports::Outlet;
use mop::model::{ActivationId, Contract, Envelope, Event, FORMAT, Hash, Network, Query, Seq, Streamed};
use mop::tui::Rehearsal;

/// Programs that stream at once.
const PROGRAMS: u32 = 4;
/// Tokens of each between two frames: a thousand a second, and a frame each 33 ms.
const TOKENS: u32 = 33;
/// Keys that are pressed.
const KEYS: usize = 2000;
/// Tokens that are streamed in all while memory is watched.
const MANY: u32 = 1_000_000;

/// An interface in which four programs stream.
pub(super) struct Stage {
    rehearsal: Rehearsal,
    outlet: Outlet,
    count: u32,
    at: u64,
    /// The event that the streamed pieces follow.
    seq: Seq,
}

impl Stage {
    pub(super) fn new(network: &Arc<Network>, session: Vec<Arc<Envelope>>, size: (u16, u16)) -> Self {
        let mut rehearsal = Rehearsal::new(network.clone(), size.0, size.1);
        let mut seq = Seq(session.len() as u64);
        let at = session.last().map_or(0, |envelope| envelope.at);
        session.into_iter().for_each(|envelope| rehearsal.event(envelope));
        for id in 0..PROGRAMS {
            seq = Seq(seq.0 + 1);
            let event = Event::Activated {
                activation: ActivationId(1_000_000 + id),
                program: mop::model::ProgramName::new(super::name(id as usize + 1)),
                hash: Hash::of("h"),
                contract: Contract::Worker,
                task: Query::new("one").whole(),
                view: Hash::of("v"),
                aside: false,
            };
            rehearsal.event(Arc::new(Envelope { v: FORMAT, seq, at, cause: None, event }));
        }
        rehearsal.key("Esc");
        rehearsal.key("5");
        rehearsal.frame();
        Self { rehearsal, outlet: Outlet::default(), count: 0, at, seq }
    }

    /// Takes in what the programs stream between two frames.
    fn stream(&mut self) {
        for _ in 0..TOKENS {
            for id in 0..PROGRAMS {
                self.count += 1;
                let token =
                    if self.count.is_multiple_of(40) { "end.\n".to_owned() } else { format!("t{} ", self.count) };
                self.outlet.put(ActivationId(1_000_000 + id), Streamed::Text, &token);
            }
        }
        while let Some((activation, (what, text))) = self.outlet.take() {
            let event = Event::Delta { activation, text, what };
            self.rehearsal.event(Arc::new(Envelope { v: FORMAT, seq: self.seq, at: self.at, cause: None, event }));
        }
    }

    /// A key that finds a batch of pieces before it, and the frame after it.
    pub(super) fn key_and_frame(&mut self) -> usize {
        self.stream();
        self.rehearsal.key(if self.count.is_multiple_of(8) { "v" } else { "x" });
        self.rehearsal.frame()
    }
}

/// Measures both, and prints them.
pub(super) fn report(mut stage: Stage) {
    let before = resident();
    let mut times: Vec<Duration> = (0..KEYS)
        .map(|_| {
            let began = Instant::now();
            std::hint::black_box(stage.key_and_frame());
            began.elapsed()
        })
        .collect();
    times.sort_unstable();
    let at = |share: usize| times[(KEYS * share / 100).min(KEYS - 1)].as_secs_f64() * 1e3;
    println!(
        "key to screen while 4 programs stream 1000 tokens/s each: p50 {:.2} ms, p99 {:.2} ms of {KEYS} keys (target: p99 33 ms)",
        at(50),
        at(99)
    );
    while stage.count < MANY {
        stage.stream();
        stage.rehearsal.frame();
    }
    let growth = resident().zip(before).map(|(after, before)| after.saturating_sub(before));
    match growth {
        Some(bytes) => println!(
            "growth of resident memory over 1 000 000 streamed tokens: {:.2} MB (target: 10 MB)",
            bytes as f64 / 1e6
        ),
        None => println!("resident memory can be read on Linux alone"),
    }
}

/// Bytes of memory that are in use, where the system shows them.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}
