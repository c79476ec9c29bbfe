use std::fs;
use std::path::Path;
use std::sync::Arc;

use rusqlite::Connection;
use tempfile::TempDir;

use crate::engine::ports::{Recall, Solved};
use crate::model::{ProgramName, SessionId};
use crate::store::{FileRecall, RecallMode};

fn recall(folder: &TempDir, mode: RecallMode) -> FileRecall {
    FileRecall::new(folder.path().join("data/recall.db"), mode, Arc::new(|text| text.replace("sk-secret", "[key]")))
}

fn solved(question: &str, j: f64) -> Solved {
    Solved {
        question: question.to_owned(),
        class: "sequence".to_owned(),
        answer: "32".to_owned(),
        programs: vec![ProgramName::new("one"), ProgramName::new("two")],
        methods: vec!["constant ratio".to_owned()],
        j,
        session: SessionId::new("20260101-000000-aaaaa"),
        at: 1_769_874_300_007,
    }
}

/// A file that something was kept in.
fn filled(folder: &TempDir) -> FileRecall {
    let recall = recall(folder, RecallMode::On);
    for question in ["next number in 2, 4, 8, 16", "convert 3 miles to km", "Solve 3x + 5 = 14"] {
        recall.keep(&solved(question, 0.8));
    }
    assert_eq!(recall.problem(), None);
    recall
}

#[test]
fn the_likest_comes_first_and_is_whole() {
    let folder = TempDir::new().unwrap();
    let recall = filled(&folder);
    let near = recall.nearest("Next number in 3, 9, 27?", 2);
    assert_eq!(near[0].solved, solved("next number in 2, 4, 8, 16", 0.8));
    assert!(near[0].likeness > 0.8 && near.len() <= 2, "{near:?}");
    let by_word = recall.nearest("how far are 7 miles", 1);
    assert_eq!(by_word[0].solved.question, "convert 3 miles to km");
    for odd in ["", "\" OR *", "NEAR(", "'; DROP TABLE solved; --", "\0"] {
        recall.nearest(odd, 3);
        assert_eq!(recall.problem(), None, "{odd:?}");
    }
    assert_eq!(recall.list().unwrap().len(), 3);
}

#[test]
fn the_same_question_is_kept_once_with_its_best_answer() {
    let folder = TempDir::new().unwrap();
    let recall = recall(&folder, RecallMode::On);
    for j in [0.5, 0.9, 0.7] {
        recall.keep(&solved("What  is 2 + 2", j));
        recall.keep(&solved("what is 2 + 2", j));
    }
    let all = recall.list().unwrap();
    assert_eq!(all.len(), 1);
    assert!((all[0].solved.j - 0.9).abs() < 1e-9, "{all:?}");
}

#[test]
fn nothing_is_made_before_something_is_kept() {
    let folder = TempDir::new().unwrap();
    let on = recall(&folder, RecallMode::On);
    assert_eq!((on.nearest("x", 3), on.snapshot().as_str(), on.list().unwrap()), (Vec::new(), "on empty", Vec::new()));
    assert_eq!((on.clear().unwrap(), on.forget(1).unwrap()), (0, false));
    for mode in [RecallMode::Off, RecallMode::Frozen] {
        recall(&folder, mode).keep(&solved("x", 1.0));
    }
    assert_eq!((on.problem(), fs::read_dir(folder.path()).unwrap().count()), (None, 0));
}

#[test]
fn frozen_reads_and_off_does_not() {
    let folder = TempDir::new().unwrap();
    let on = filled(&folder);
    let frozen = recall(&folder, RecallMode::Frozen);
    frozen.keep(&solved("something new", 1.0));
    assert_eq!((frozen.nearest("solve 3x + 5 = 14", 5).is_empty(), on.list().unwrap().len()), (false, 3));
    assert_eq!(frozen.snapshot().replace("frozen ", "on "), on.snapshot());
    let off = recall(&folder, RecallMode::Off);
    assert_eq!((off.nearest("solve 3x + 5 = 14", 5), off.snapshot()), (Vec::new(), String::new()));
}

#[test]
fn what_is_kept_or_forgotten_changes_the_snapshot() {
    let folder = TempDir::new().unwrap();
    let recall = filled(&folder);
    let first = recall.snapshot();
    assert_eq!(first, recall.snapshot());
    recall.keep(&solved("new", 0.3));
    let second = recall.snapshot();
    recall.forget(4).unwrap();
    let third = recall.snapshot();
    assert!(first != second && second != third && third != first);
}

#[test]
fn what_is_forgotten_is_gone_from_the_disk() {
    let folder = TempDir::new().unwrap();
    let recall = recall(&folder, RecallMode::On);
    recall.keep(&solved("a canary in a mine", 0.8));
    recall.keep(&solved("another bird", 0.8));
    assert!(recall.forget(1).unwrap() && !recall.forget(1).unwrap());
    assert!(recall.nearest("a canary in a mine", 5).iter().all(|near| near.solved.question == "another bird"));
    assert_eq!(recall.clear().unwrap(), 1);
    drop(recall);
    for entry in fs::read_dir(folder.path().join("data")).unwrap() {
        let bytes = fs::read(entry.unwrap().path()).unwrap();
        let holds = |word: &[u8]| bytes.windows(word.len()).any(|window| window == word);
        assert!(!holds(b"canary") && !holds(b"another bird"));
    }
}

#[test]
fn secrets_are_not_kept() {
    let folder = TempDir::new().unwrap();
    let recall = recall(&folder, RecallMode::On);
    let answer = "it is sk-secret".to_owned();
    recall.keep(&Solved { answer, methods: vec!["sk-secret".into()], ..solved("what does sk-secret open", 0.8) });
    let kept = recall.list().unwrap().remove(0).solved;
    assert_eq!((kept.question.as_str(), kept.answer.as_str()), ("what does [key] open", "it is [key]"));
    assert_eq!(kept.methods, ["[key]"]);
}

/// Spoils the file, and looks for what is said about it, once; the run goes on with nothing recalled.
fn check_spoilt(spoil: impl FnOnce(&Path), expected: &str) {
    let folder = TempDir::new().unwrap();
    drop(filled(&folder));
    let path = folder.path().join("data/recall.db");
    spoil(&path);
    let recall = recall(&folder, RecallMode::On);
    assert_eq!((recall.nearest("solve 3x + 5 = 14", 3), recall.snapshot()), (Vec::new(), String::new()), "{expected}");
    recall.keep(&solved("new", 0.5));
    let problem = recall.problem().unwrap_or_default();
    assert!(problem.contains(expected) && problem.contains("recall.db"), "{expected}: {problem}");
    assert_eq!(recall.problem(), None, "it is told once");
    assert!(recall.list().is_err());
}

#[test]
fn a_file_that_cannot_be_used_is_told_once_and_left_alone() {
    let run =
        |sql: &'static str| move |path: &Path| Connection::open(path).and_then(|file| file.execute_batch(sql)).unwrap();
    check_spoilt(
        |path| fs::write(path, "this is no database at all, ".repeat(40)).unwrap(),
        "is damaged; move it away",
    );
    check_spoilt(run("PRAGMA user_version = 7"), "has version 7, and this mop knows version 1");
    check_spoilt(run("PRAGMA application_id = 3"), "is no file of solved questions");
    check_spoilt(run("UPDATE about SET value = '64' WHERE name = 'dimensions'"), "vectors of another kind");
    check_spoilt(run("DROP TABLE solved"), "cannot be used");
}

#[test]
fn a_locked_file_is_tried_again() {
    let folder = TempDir::new().unwrap();
    let recall = filled(&folder);
    let other = Connection::open(recall.path()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    recall.keep(&solved("new", 0.5));
    assert!(recall.problem().unwrap_or_default().contains("locked by another process"));
    assert!(!recall.nearest("solve 3x + 5 = 14", 3).is_empty(), "a writer does not keep readers out");
    other.execute_batch("COMMIT").unwrap();
    recall.keep(&solved("new", 0.5));
    assert_eq!((recall.problem(), recall.list().unwrap().len()), (None, 4));
}

#[test]
fn several_begin_and_fill_one_file_at_once() {
    let folder = TempDir::new().unwrap();
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let recall = recall(&folder, RecallMode::On);
            scope.spawn(move || {
                for number in 0..10 {
                    recall.keep(&solved(&format!("question {number} of {writer}"), 0.5));
                }
                assert_eq!(recall.problem(), None);
            });
        }
    });
    assert_eq!(recall(&folder, RecallMode::On).list().unwrap().len(), 40);
}

#[cfg(unix)]
#[test]
fn only_its_owner_can_read_it() {
    use std::os::unix::fs::PermissionsExt;
    let folder = TempDir::new().unwrap();
    let mode = fs::metadata(filled(&folder).path()).unwrap().permissions().mode();
    assert_eq!(mode & 0o077, 0);
}
