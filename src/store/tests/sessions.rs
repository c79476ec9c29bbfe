use std::fs;

use super::samples::*;
use crate::engine::ports::Journal;
use crate::model::*;
use crate::store::{ForkPoint, Sessions, Standing, StoreError};

fn sessions(all: &[(&str, Vec<Event>)]) -> (tempfile::TempDir, Sessions) {
    let root = tempfile::tempdir().unwrap();
    let sessions = Sessions::new(root.path().join("sessions"));
    for (id, events) in all {
        let mut journal = sessions.create(&(*id).into()).unwrap();
        for event in session(id, events.clone()) {
            journal.append(&event).unwrap();
        }
    }
    (root, sessions)
}

fn all(sessions: &Sessions, id: &str) -> Vec<Envelope> {
    sessions.read(&id.into()).unwrap().map(Result::unwrap).collect()
}

#[test]
fn a_list_says_how_each_session_stands() {
    let long = "why ".repeat(2_000);
    let mut rated = episode(1, &long, 3, true);
    rated.extend([Event::Rated { rating: 1.0 }, Event::SessionEnded {}]);
    let mut talked = episode(1, "a", 2, false);
    talked.extend((0..3_000).map(|_| Event::Said { text: "more and more words".repeat(4) }));
    let (root, sessions) =
        sessions(&[("a", rated), ("b", episode(1, "q", 2, false)), ("c", vec![]), ("d", talked), ("e", vec![])]);
    fs::write(root.path().join("sessions/e/journal.jsonl"), "no\nevents\n").unwrap();
    let open = sessions.open(&"c".into()).unwrap();
    let list = sessions.list().unwrap();
    let ids: Vec<&str> = list.iter().map(|summary| summary.id.as_str()).collect();
    assert_eq!(ids, ["e", "d", "c", "b", "a"]);
    let check = |at: usize, query: Option<&str>, j: Option<f64>, cycles: u32, halted, standing: Standing| {
        let found = &list[at];
        assert_eq!(found.query.as_deref(), query);
        assert_eq!((found.j, found.cycles, found.halted), (j, cycles, halted), "{found:?}");
        assert_eq!(found.standing, standing);
    };
    assert!(matches!(list[0].standing, Standing::Damaged { .. }), "{:?}", list[0]);
    check(1, Some("a"), Some(0.25), 2, None, Standing::Unfinished);
    check(2, None, None, 0, None, Standing::Open { pid: Some(std::process::id()) });
    check(3, Some("q"), Some(0.25), 2, None, Standing::Unfinished);
    check(4, Some(&long), Some(0.375), 3, Some(HaltReason::Converged), Standing::Finished);
    assert_eq!((list[4].network.as_str(), list[4].began), ("plain", 1_001));
    assert!(list[4].touched > list[4].began);
    drop(open);
    assert_eq!(sessions.show(&"c".into()).unwrap().standing, Standing::Empty);
}

#[test]
fn ids_are_found_by_their_beginning() {
    let (_root, sessions) = sessions(&[("20260101-a", vec![]), ("20260101-ab", vec![]), ("20260202-c", vec![])]);
    let check = |text: &str, expected: &str| assert_eq!(sessions.resolve(text).unwrap().as_str(), expected);
    check("last", "20260202-c");
    check("202602", "20260202-c");
    check("20260101-a", "20260101-a");
    check("20260101-ab", "20260101-ab");
    let error = sessions.resolve("2026010").unwrap_err();
    assert!(error.to_string().contains("20260101-ab, 20260101-a"), "{error}");
    for nothing in ["", "x", "../20260101-a", "20260101-abc"] {
        let error = sessions.resolve(nothing).unwrap_err();
        assert!(error.hint().unwrap().contains("the newest of 3 is 20260202-c"), "{error}");
    }
    assert!(matches!(sessions.read(&"../x".into()), Err(StoreError::BadName { .. })));
    assert!(matches!(sessions.read(&"2026".into()), Err(StoreError::Unknown { .. })));
    let none = Sessions::new("/nonexistent/folder");
    assert_eq!(none.list().unwrap(), []);
    assert!(none.resolve("last").unwrap_err().hint().unwrap().contains("no sessions yet"));
}

#[test]
fn a_session_is_removed_unless_it_is_open() {
    let (_root, sessions) = sessions(&[("a", vec![])]);
    let open = sessions.open(&"a".into()).unwrap();
    assert!(matches!(sessions.remove(&"a".into()), Err(StoreError::Locked { .. })));
    assert!(matches!(sessions.create(&"a".into()), Err(StoreError::Exists { .. })));
    drop(open);
    sessions.remove(&"a".into()).unwrap();
    assert_eq!(sessions.list().unwrap(), []);
}

#[test]
fn a_fork_ends_at_the_end_of_its_cycle() {
    let large = "large ".repeat(2_000);
    let mut events = episode(1, &large, 3, true);
    events.push(Event::Rated { rating: 1.0 });
    let second = events.len() as u64 + 2;
    events.extend(episode(2, "second", 2, false));
    events.push(Event::CycleBegan { cycle: Cycle(3) });
    let (_root, sessions) = sessions(&[("a", events)]);
    let original = all(&sessions, "a");
    // Each cycle is four events, after the session's start, the episode's start and the first choice.
    let check = |episode: Option<u32>, cycle: u32, in_episode: u32, whole: u32, seq: u64| {
        let new = SessionId::new(format!("fork-{}-{cycle}", episode.unwrap_or(0)));
        let point = sessions.fork(&"a".into(), episode, Cycle(cycle), &new).unwrap();
        assert_eq!(point, ForkPoint { episode: in_episode, cycle: Cycle(whole), seq: Seq(seq) });
        let copy = all(&sessions, new.as_str());
        assert_eq!(copy[1..], original[1..copy.len()]);
        assert_eq!(copy.last().unwrap().seq, Seq(seq));
        let Event::SessionStarted { pins, .. } = &copy[0].event else { panic!() };
        assert_eq!(pins.session, new);
        assert_eq!(pins.parent, Some(("a".into(), Cycle(whole))));
        let mut journal = sessions.open(&new).unwrap();
        journal.append(&said(seq + 1, "and on")).unwrap();
    };
    check(Some(1), 0, 1, 0, 3);
    check(Some(1), 1, 1, 1, 7);
    check(Some(1), 2, 1, 2, 11);
    check(Some(1), 3, 1, 3, 16);
    check(Some(1), 9, 1, 3, 16);
    check(None, 0, 2, 0, second + 1);
    check(None, 1, 2, 1, second + 5);
    check(None, 2, 2, 2, second + 9);
    check(None, 7, 2, 2, second + 9);
    assert_eq!(all(&sessions, "a"), original);
    let fail = |episode, new: &str| sessions.fork(&"a".into(), episode, Cycle(1), &new.into()).unwrap_err();
    assert!(fail(Some(3), "x").to_string().contains("no episode `3`"));
    assert!(matches!(fail(None, "fork-0-1"), StoreError::Exists { .. }));
    assert!(!sessions.list().unwrap().iter().any(|summary| summary.id.as_str() == "x"));
}

#[test]
fn a_fork_takes_the_first_choice_after_a_cycle() {
    let mut events = episode(1, "q", 1, false);
    let choice = events.last().unwrap().clone();
    events.extend([Event::Noted { cycle: Cycle(1), text: "hm".into() }, choice]);
    let (_root, sessions) = sessions(&[("a", events)]);
    let point = sessions.fork(&"a".into(), None, Cycle(1), &"b".into()).unwrap();
    assert_eq!(point.seq, Seq(7));
}
