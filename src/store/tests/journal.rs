use std::fs;
use std::sync::Arc;

use serde_json::json;

use super::samples::*;
use crate::engine::ports::Journal;
use crate::model::*;
use crate::store::journal::FileJournal;
use crate::store::line::LARGE;
use crate::store::{Events, StoreError};

fn written(events: &[Envelope]) -> (tempfile::TempDir, Vec<u8>) {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = FileJournal::open(folder.path(), "s").unwrap();
    for event in events {
        journal.append(event).unwrap();
    }
    drop(journal);
    let bytes = fs::read(folder.path().join("journal.jsonl")).unwrap();
    (folder, bytes)
}

#[test]
fn what_was_written_is_read() {
    let events = session("s", episode(1, "2x = 6", 2, true));
    let (folder, bytes) = written(&events);
    assert_eq!(read(folder.path()), events);
    assert_eq!(bytes.iter().filter(|byte| **byte == b'\n').count(), events.len());
}

#[test]
fn flushed_events_are_in_the_file_before_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = FileJournal::open(folder.path(), "s").unwrap();
    journal.append(&said(1, "a")).unwrap();
    assert_eq!(read(folder.path()), []);
    journal.flush().unwrap();
    assert_eq!(read(folder.path()), [said(1, "a")]);
}

#[test]
fn deltas_are_never_written() {
    let delta = envelope(2, Event::Delta { activation: ActivationId(0), text: "x".into(), what: Streamed::Text });
    let (folder, _) = written(&[said(1, "a"), delta, said(3, "b")]);
    assert_eq!(read(folder.path()), [said(1, "a"), said(3, "b")]);
}

#[test]
fn numbers_must_rise() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = FileJournal::open(folder.path(), "s").unwrap();
    journal.append(&said(2, "a")).unwrap();
    assert!(journal.append(&said(2, "b")).unwrap_err().message.contains("event 2"));
    drop(journal);
    let mut journal = FileJournal::open(folder.path(), "s").unwrap();
    assert_eq!(journal.last(), Seq(2));
    assert!(journal.append(&said(1, "b")).is_err());
    journal.append(&said(3, "c")).unwrap();
    drop(journal);
    assert_eq!(read(folder.path()), [said(2, "a"), said(3, "c")]);
}

#[test]
fn a_last_line_torn_at_any_byte_costs_that_line_only() {
    let mut events = session("s", episode(1, "2x = 6", 1, true));
    events.push(said(events.len() as u64 + 1, "ünïcödé \u{1F600} \"quoted\""));
    let (_, bytes) = written(&events);
    let start = bytes[..bytes.len() - 1].iter().rposition(|byte| *byte == b'\n').unwrap() + 1;
    for cut in start..=bytes.len() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("journal.jsonl"), &bytes[..cut]).unwrap();
        // Without its line break alone, the last line is whole.
        let kept = if cut >= bytes.len() - 1 { events.len() } else { events.len() - 1 };
        let mut stream = Events::open(folder.path()).unwrap();
        assert_eq!(stream.by_ref().map(Result::unwrap).collect::<Vec<_>>(), events[..kept], "cut at {cut}");
        assert_eq!(stream.torn(), cut > start && cut < bytes.len() - 1, "cut at {cut}");
        let mut journal = FileJournal::open(folder.path(), "s").unwrap();
        assert_eq!(journal.last(), events[kept - 1].seq);
        let next = said(1_000, "next");
        journal.append(&next).unwrap();
        drop(journal);
        let mut expected = events[..kept].to_vec();
        expected.push(next);
        assert_eq!(read(folder.path()), expected, "cut at {cut}");
    }
}

#[test]
fn a_file_cut_after_any_line_is_a_shorter_session() {
    let events = session("s", episode(1, "2x = 6", 3, true));
    let (_, bytes) = written(&events);
    let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
    for (count, end) in std::iter::once(0).chain(ends).enumerate() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("journal.jsonl"), &bytes[..end]).unwrap();
        assert_eq!(read(folder.path()), events[..count]);
        let journal = FileJournal::open(folder.path(), "s").unwrap();
        assert_eq!(journal.last().0, count as u64);
    }
}

#[test]
fn garbage_is_an_error_but_at_the_end() {
    let (folder, bytes) = written(&[said(1, "a"), said(2, "b")]);
    let path = folder.path().join("journal.jsonl");
    for garbage in ["{\"v\":1,\n", "\0\0\0\0\n", "42\n", "\n", "[]\n", "\u{fffd}\n"] {
        fs::write(&path, [&bytes[..], garbage.as_bytes()].concat()).unwrap();
        assert_eq!(read(folder.path()).len(), 2, "{garbage:?}");
        assert_eq!(FileJournal::open(folder.path(), "s").unwrap().last(), Seq(2), "{garbage:?}");
        assert_eq!(fs::read(&path).unwrap(), bytes, "{garbage:?}");

        fs::write(&path, [garbage.as_bytes(), &bytes[..]].concat()).unwrap();
        let error = Events::open(folder.path()).unwrap().next().unwrap().unwrap_err();
        assert!(matches!(&error, StoreError::Damaged { line: 1, .. }), "{garbage:?}: {error}");
        assert!(error.hint().is_some());

        fs::write(&path, [&bytes[..], garbage.as_bytes(), garbage.as_bytes()].concat()).unwrap();
        let error = FileJournal::open(folder.path(), "s").unwrap_err();
        assert!(matches!(&error, StoreError::Damaged { line: 3, .. }), "{garbage:?}: {error}");
    }
}

#[test]
fn objects_of_unknown_shape_are_kept() {
    let (folder, bytes) = written(&[said(1, "a")]);
    let strange = [
        json!({"v": 9, "seq": 2, "at": 5, "event": "Dreamt", "data": {"of": ["sheep"]}}),
        json!({"v": 1, "seq": 3, "at": 5, "event": "Said", "data": {"words": 3}}),
        json!({"hello": {"$blob": 5}}),
    ];
    let lines: String = strange.iter().map(|value| format!("{value}\n")).collect();
    fs::write(folder.path().join("journal.jsonl"), [&bytes[..], lines.as_bytes()].concat()).unwrap();
    let events = read(folder.path());
    assert_eq!(events.iter().map(|event| event.seq.0).collect::<Vec<_>>(), [1, 2, 3, 4]);
    for (envelope, value) in events[1..].iter().zip(&strange) {
        let Event::Foreign { fields } = &envelope.event else { panic!("{envelope:?}") };
        assert_eq!(serde_json::to_value(fields).unwrap(), *value);
    }
    let mut state = State::default();
    events.iter().for_each(|event| state.apply(event));
    assert_eq!(state.said.len(), 1);
}

#[test]
fn large_texts_are_stored_once() {
    let large = "é\n".repeat(LARGE);
    let event = |seq, id| {
        envelope(seq, Event::Contributed { contribution: contribution(id, &large, json!({"deep": [large.clone()]})) })
    };
    let just_not = "x".repeat(LARGE);
    let events = [event(1, 0), event(2, 1), said(3, &just_not)];
    let (folder, bytes) = written(&events);
    assert!(bytes.len() < 2 * LARGE, "{}", bytes.len());
    assert_eq!(read(folder.path()), events);
    let blobs: Vec<_> = fs::read_dir(folder.path().join("blobs")).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(blobs.len(), 1);
    assert_eq!(fs::read_to_string(&blobs[0]).unwrap(), large);

    fs::write(&blobs[0], "changed").unwrap();
    let error = Events::open(folder.path()).unwrap().next().unwrap().unwrap_err();
    assert!(error.to_string().contains("was changed"), "{error}");
    fs::remove_file(&blobs[0]).unwrap();
    assert!(Events::open(folder.path()).unwrap().next().unwrap().is_err());

    // A text that was half written, or lost, is written again.
    fs::write(&blobs[0], "half").unwrap();
    let mut journal = FileJournal::open(folder.path(), "s").unwrap();
    journal.append(&event(4, 2)).unwrap();
    drop(journal);
    assert_eq!(read(folder.path()).len(), 4);
}

#[test]
fn deep_values_are_read_again() {
    for (depth, fits) in
        [(1, true), (63, true), (64, true), (65, true), (127, true), (128, true), (250, true), (2_000, false)]
    {
        let mut data = json!("core");
        for level in 0..depth {
            data = if level % 3 == 0 { json!({"$blob": data}) } else { json!([data, "\\\""]) };
        }
        let event = envelope(1, Event::Contributed { contribution: contribution(0, "t", data) });
        let folder = tempfile::tempdir().unwrap();
        let mut journal = FileJournal::open(folder.path(), "s").unwrap();
        assert_eq!(journal.append(&event).is_ok(), fits, "{depth}");
        journal.append(&said(2, "after")).unwrap();
        drop(journal);
        let expected = if fits { vec![event, said(2, "after")] } else { vec![said(2, "after")] };
        assert_eq!(read(folder.path()), expected, "{depth}");
    }
}

#[test]
fn one_writer_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let journal = FileJournal::open(folder.path(), "s").unwrap();
    let error = FileJournal::open(folder.path(), "s").unwrap_err();
    assert_eq!(error.to_string(), format!("session s is open in another mop, pid {}", std::process::id()));
    drop(journal);
    FileJournal::open(folder.path(), "s").unwrap();
}

#[test]
fn numbers_are_read_exactly() {
    let numbers: Vec<f64> = (1..100).map(|part| f64::from(part) / 109.0 - 0.125).collect();
    let (folder, _) = written(&[
        said(1, "a"),
        envelope(
            2,
            Event::Scored {
                cycle: Cycle(1),
                score: score(0.9073038322028689),
                delta: -0.013888888888888895,
                withdrawn: Vec::new(),
                incumbent: None,
            },
        ),
        envelope(3, Event::Contributed { contribution: contribution(0, "t", json!(numbers)) }),
    ]);
    let events = read(folder.path());
    let Event::Scored { score, delta, .. } = &events[1].event else { panic!() };
    assert_eq!((score.mean, *delta), (0.9073038322028689, -0.013888888888888895));
    let Event::Contributed { contribution } = &events[2].event else { panic!() };
    assert_eq!(contribution.data, json!(numbers));
}

#[test]
fn the_bytes_of_an_image_are_kept_apart_however_few() {
    let image = Image { media: "image/gif".into(), base64: "R0lGODlh".into() };
    let file = Attachment { name: "dot.gif".into(), text: String::new(), image: Some(image) };
    let query = Query { attachments: vec![file], ..Query::new("what is it?") };
    let events = [envelope(1, Event::EpisodeStarted { number: 1, query: Arc::new(query) })];
    let (folder, bytes) = written(&events);
    assert!(!String::from_utf8(bytes).unwrap().contains("R0lG"));
    assert_eq!(read(folder.path()), events);
}
