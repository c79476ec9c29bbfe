//! What a crash leaves behind at each point of a decision, made by putting files of before and after together.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::samples::*;
use crate::engine::ports::Library;
use crate::model::*;

const FILES: [&str; 3] = ["revisions.jsonl", "head", "proposals/q.json"];

/// Content of each file, none where it is not there.
type Snapshot = BTreeMap<&'static str, Option<Vec<u8>>>;

fn snapshot(folder: &Path) -> Snapshot {
    FILES.iter().map(|name| (*name, fs::read(folder.join(name)).ok())).collect()
}

fn restore(folder: &Path, name: &str, content: Option<&[u8]>) {
    match content {
        Some(content) => fs::write(folder.join(name), content).unwrap(),
        None => drop(fs::remove_file(folder.join(name))),
    }
}

/// A library with a decided proposal before, so that the one at stake is not the first. `earlier` says whether it is there.
fn decided(root: &Path, earlier: bool) -> (Proposal, [Snapshot; 2]) {
    let library = library(root, plain());
    if earlier {
        let first = proposal("p", vec![change("r.md", Some(ROUTER), Some(&ROUTER.replace("Read", "See")))]);
        library.raise(&first).unwrap();
        library.decide(&first.id, &taking(&[1]), whole(&first)).unwrap();
    }
    let second = proposal("q", vec![change("s.md", Some(SOLVER), Some(&SOLVER.replace("two", "2")))]);
    library.raise(&second).unwrap();
    let before = snapshot(&root.join("plain"));
    library.decide(&second.id, &taking(&[1]), whole(&second)).unwrap();
    (second, [before, snapshot(&root.join("plain"))])
}

fn status_on_disk(root: &Path, id: &ProposalId) -> String {
    let text = fs::read_to_string(root.join(format!("plain/proposals/{id}.json"))).unwrap();
    serde_json::from_str::<serde_json::Value>(&text).unwrap()["status"].to_string()
}

fn check(root: &Path, proposal: &Proposal, earlier: bool, counts: bool) {
    for _ in 0..2 {
        let library = library(root, plain());
        let log = library.log().unwrap();
        assert_eq!(log.len(), usize::from(earlier) + usize::from(counts));
        let (_, status) = library.proposal(&proposal.id).unwrap().unwrap();
        let text = library.file("s.md").unwrap().unwrap();
        assert_eq!(text.contains("2"), counts);
        assert_eq!(status_on_disk(root, &proposal.id).contains("accepted"), counts);
        match counts {
            true => assert_eq!(status, ProposalStatus::Accepted(log[0].id.clone())),
            false => assert_eq!(status, ProposalStatus::Open),
        }
        assert_eq!(library.network().unwrap().revision, library.id_of(&library.fresh().unwrap().history.present()));
    }
    let library = library(root, plain());
    let again = library.decide(&proposal.id, &taking(&[1]), whole(proposal));
    assert_eq!(again.is_ok(), !counts, "{again:?}");
    assert_eq!(library.log().unwrap().len(), usize::from(earlier) + 1);
    let head = fs::read_to_string(root.join("plain/head")).unwrap();
    assert_eq!(head, format!("{} {}\n", usize::from(earlier) + 1, library.network().unwrap().revision));
}

#[test]
fn a_revision_that_was_written_counts_and_none_is_made_twice() {
    for earlier in [false, true] {
        for done in 0..=3 {
            let root = tempfile::tempdir().unwrap();
            let (proposal, [before, _]) = decided(root.path(), earlier);
            for name in &FILES[done..] {
                restore(&root.path().join("plain"), name, before[name].as_deref());
            }
            check(root.path(), &proposal, earlier, done > 0);
        }
    }
}

#[test]
fn a_decision_that_was_taken_back_stays_so_wherever_a_crash_falls() {
    for done in 0..=FILES.len() {
        let root = tempfile::tempdir().unwrap();
        let (proposal, [_, accepted]) = decided(root.path(), true);
        library(root.path(), plain()).reopen(&proposal.id, Author::Human).unwrap();
        for name in &FILES[done..] {
            restore(&root.path().join("plain"), name, accepted[name].as_deref());
        }
        let library = library(root.path(), plain());
        let (_, status) = library.proposal(&proposal.id).unwrap().unwrap();
        let taken_back = done > 0;
        assert_eq!(status == ProposalStatus::Open, taken_back, "after {done} files");
        assert_eq!(library.file("s.md").unwrap().unwrap().contains('2'), !taken_back, "after {done} files");
        assert_eq!(status_on_disk(root.path(), &proposal.id).contains("open"), taken_back, "after {done} files");
    }
}

#[test]
fn a_revision_torn_at_any_byte_never_was() {
    for earlier in [false, true] {
        let root = tempfile::tempdir().unwrap();
        let (proposal, [before, after]) = decided(root.path(), earlier);
        let whole = after[FILES[0]].clone().unwrap();
        let start = before[FILES[0]].as_ref().map_or(0, Vec::len);
        for cut in (start..whole.len()).step_by(23).chain([whole.len() - 1]) {
            let folder = root.path().join("plain");
            for name in FILES {
                restore(&folder, name, before[name].as_deref());
            }
            restore(&folder, FILES[0], Some(&whole[..cut]));
            check(root.path(), &proposal, earlier, false);
        }
    }
}

#[test]
fn a_reader_beside_a_writer_sees_the_old_state_until_the_pointer_moves() {
    let root = tempfile::tempdir().unwrap();
    let (proposal, [before, after]) = decided(root.path(), true);
    let folder = root.path().join("plain");
    restore(&folder, "head", before["head"].as_deref());
    restore(&folder, FILES[2], before[FILES[2]].as_deref());
    // While somebody holds the lock, nothing is completed.
    let lock = crate::store::lock::Lock::take(&folder.join("lock"), "x", std::time::Duration::ZERO).unwrap();
    let library = library(root.path(), plain());
    assert_eq!(library.log().unwrap().len(), 1);
    assert_eq!(library.proposal(&proposal.id).unwrap().unwrap().1, ProposalStatus::Open);
    fs::write(folder.join("new"), after["head"].as_ref().unwrap()).unwrap();
    fs::rename(folder.join("new"), folder.join("head")).unwrap();
    assert_eq!(library.log().unwrap().len(), 2);
    assert!(matches!(library.proposal(&proposal.id).unwrap().unwrap().1, ProposalStatus::Accepted(_)));
    drop(lock);
}

#[test]
fn damage_in_the_middle_of_the_history_is_an_error_with_its_line() {
    let root = tempfile::tempdir().unwrap();
    decided(root.path(), true);
    let path = root.path().join("plain/revisions.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    for (content, line) in [(["oops\n", lines[1]], 1), ([lines[1], lines[0]], 1), ([lines[0], "{}\n"], 2)] {
        fs::write(&path, [content.concat(), lines[1].to_owned()].concat()).unwrap();
        let network = crate::store::SourcedNetwork {
            name: "plain".into(),
            source: crate::store::Source::Bundled,
            layers: plain(),
            warnings: vec![],
        };
        let opened = crate::store::FileLibrary::open(root.path(), network, std::sync::Arc::new(Still));
        let error = opened.err().unwrap();
        assert!(matches!(error, crate::store::StoreError::Damaged { line: found, .. } if found == line), "{error}");
    }
}

#[test]
fn a_pointer_that_says_nothing_is_set_right() {
    for garbage in ["", "garbage", "999 x\n", "0 x\n"] {
        let root = tempfile::tempdir().unwrap();
        let (proposal, _) = decided(root.path(), true);
        fs::write(root.path().join("plain/head"), garbage).unwrap();
        check(root.path(), &proposal, true, true);
    }
}
