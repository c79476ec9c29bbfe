use std::time::Instant;

use serde_json::json;

use super::samples::*;
use crate::engine::ports::{Journal, Library};
use crate::model::*;
use crate::store::journal::FileJournal;

/// Prints what the floor costs; generous bounds keep it from failing on a busy machine.
#[test]
#[ignore = "measures; run it alone, with --release for the numbers that count"]
fn speed() {
    let folder = tempfile::tempdir().unwrap();
    let mut events = Vec::new();
    for (seq, index) in (1..=100_000).zip(0_u32..) {
        events.push(match seq % 3 {
            0 => envelope(
                seq,
                Event::Scored {
                    cycle: Cycle(index),
                    score: score(0.5),
                    delta: 0.25,
                    withdrawn: Vec::new(),
                    incumbent: None,
                },
            ),
            1 => envelope(
                seq,
                Event::Contributed {
                    contribution: contribution(index, "x = 3, because 2x = 6", json!({"x": "3", "steps": [1, 2, 3]})),
                },
            ),
            _ => said(seq, "go on"),
        });
    }
    let mut journal = FileJournal::open(folder.path(), "s").unwrap();
    let start = Instant::now();
    for event in &events {
        journal.append(event).unwrap();
    }
    let append = start.elapsed();
    drop(journal);
    let start = Instant::now();
    let count = read(folder.path()).len();
    let reading = start.elapsed();
    assert_eq!(count, events.len());

    let root = tempfile::tempdir().unwrap();
    let library = library(root.path(), plain());
    library.raise(&proposal("p", vec![change("s.md", Some(SOLVER), Some(ROUTER))])).unwrap();
    let start = Instant::now();
    for _ in 0..10_000 {
        library.network().unwrap();
    }
    let network = start.elapsed() / 10_000;
    println!("append {:?} an event, read {reading:?} for {count}, network {network:?}", append / 100_000);
    assert!(append.as_secs() < 5 && reading.as_secs() < 5 && network.as_micros() < 100);
}
