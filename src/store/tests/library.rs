use std::fs;
use std::path::Path;
use std::sync::Arc;

use super::samples::*;
use crate::engine::ports::{Library, PortError};
use crate::model::*;
use crate::store::lock::Lock;
use crate::store::{FileLibrary, StoreError};

const EDITED: &str = "+++\nrole = \"Solves\"\ncontract = \"solver\"\n+++\nONE\ntwo\nthree\nfour\nFIVE\n";
const NEW: &str = "+++\nrole = \"Checks\"\ncontract = \"critic\"\n+++\nCheck it.\n";

fn edit(id: &str) -> Proposal {
    proposal(id, vec![change("s.md", Some(SOLVER), Some(EDITED))])
}

fn text(library: &FileLibrary, path: &str) -> Option<String> {
    library.file(path).unwrap().map(|text| text.to_string())
}

fn accept(library: &FileLibrary, proposal: &Proposal) -> Result<(ProposalStatus, Option<Revision>), PortError> {
    assert!(library.raise(proposal).unwrap());
    library.decide(&proposal.id, &taking(&[1]), whole(proposal))
}

#[test]
fn nothing_is_made_before_there_is_something_to_keep() {
    let root = tempfile::tempdir().unwrap();
    let library = library(&root.path().join("library"), plain());
    let network = library.network().unwrap();
    assert_eq!(network.programs.len(), 2);
    assert_eq!(text(&library, "s.md").as_deref(), Some(SOLVER));
    assert_eq!(text(&library, "none.md"), None);
    assert_eq!((library.proposals().unwrap(), library.log().unwrap()), (vec![], vec![]));
    assert_eq!(library.since(&network.revision).unwrap(), []);
    assert!(!root.path().join("library").exists());
}

#[test]
fn a_decision_by_hunks_becomes_a_revision() {
    let root = tempfile::tempdir().unwrap();
    let library = library(root.path(), plain());
    let base = library.network().unwrap();
    let proposal = edit("p1");
    assert_eq!(proposal.hunk_count(), 2);
    assert!(library.raise(&proposal).unwrap());
    let (status, revision) = library.decide(&proposal.id, &taking(&[2]), taken(&proposal.changes[0], &[2])).unwrap();
    let revision = revision.unwrap();
    assert_eq!(status, ProposalStatus::Accepted(revision.id.clone()));
    assert_eq!((revision.number, revision.at, &revision.author), (1, 42, &Author::Human));
    assert_eq!((&revision.parent, &revision.proposal), (&base.revision, &Some("p1".into())));
    let expected = SOLVER.replace("five", "FIVE");
    assert_eq!(text(&library, "s.md").as_deref(), Some(&*expected));
    let network = library.network().unwrap();
    assert_eq!(network.revision, revision.id);
    assert_eq!(&*network.program(&"s".into()).unwrap().source, expected);
    assert!(Arc::ptr_eq(&network, &library.network().unwrap()));
    assert_eq!(library.since(&base.revision).unwrap(), std::slice::from_ref(&revision));
    assert_eq!(library.since(&revision.id).unwrap(), []);
    assert!(library.since(&"unknown".into()).is_err());

    let again = library.decide(&proposal.id, &taking(&[1]), taken(&proposal.changes[0], &[1])).unwrap_err();
    assert!(again.message.contains("decided before: accepted"), "{again}");
    let rest = proposal_of(&expected, "p2");
    let (_, second) = accept(&library, &rest).unwrap();
    assert_eq!(second.unwrap().number, 2);
    assert_eq!(text(&library, "s.md").as_deref(), Some(EDITED));
    assert_eq!(library.since(&base.revision).unwrap().len(), 2);
    assert_eq!(library.log().unwrap().iter().map(|one| one.number).collect::<Vec<_>>(), [2, 1]);
}

fn proposal_of(before: &str, id: &str) -> Proposal {
    proposal(id, vec![change("s.md", Some(before), Some(EDITED))])
}

#[test]
fn a_decision_is_taken_back_where_nothing_builds_on_it() {
    let root = tempfile::tempdir().unwrap();
    let library = library(root.path(), plain());
    let base = library.network().unwrap();
    let (first, id) = (edit("p1"), ProposalId::from("p1"));
    let open = |library: &FileLibrary| library.proposal(&id).unwrap().unwrap().1 == ProposalStatus::Open;
    library.raise(&first).unwrap();
    let error = library.reopen(&id, Author::Human).unwrap_err();
    assert_eq!(error.message, "proposal p1 waits for its decision already");
    assert!(library.reopen(&"none".into(), Author::Human).is_err());

    // A rejected one waits again, and nothing is revised.
    library.decide(&id, &taking(&[]), Vec::new()).unwrap();
    assert_eq!((library.reopen(&id, Author::Human).unwrap(), open(&library)), (None, true));

    // An accepted one is undone by a revision; what is accepted then is what counts, for a new reader too.
    library.decide(&id, &taking(&[1]), taken(&first.changes[0], &[1])).unwrap();
    let back = library.reopen(&id, Author::Human).unwrap().unwrap();
    assert_eq!((back.number, &back.id, &back.proposal), (2, &base.revision, &None));
    assert_eq!((text(&library, "s.md").as_deref(), open(&library)), (Some(SOLVER), true));
    assert!(open(&super::samples::library(root.path(), plain())));
    let (status, revision) = library.decide(&id, &taking(&[2]), taken(&first.changes[0], &[2])).unwrap();
    assert_eq!(status, ProposalStatus::Accepted(revision.unwrap().id));
    assert_eq!(super::samples::library(root.path(), plain()).proposal(&id).unwrap().unwrap().1, status);

    // What builds on it stands in the way.
    let now = text(&library, "s.md").unwrap();
    let (_, third) = accept(&library, &proposal("p2", vec![change("s.md", Some(&now), Some(EDITED))])).unwrap();
    let error = library.reopen(&id, Author::Human).unwrap_err();
    assert_eq!(error.message, "s.md has changed again since proposal p1 was accepted");
    assert!(error.hint.unwrap().contains("`mop programs revert 2`"));
    library.reopen(&"p2".into(), Author::Human).unwrap();
    assert_eq!(third.unwrap().number, 4);

    // Where the text is as before already, the decision alone is taken back.
    library.revert(&base.revision, Author::Human).unwrap();
    let last = library.reopen(&id, Author::Human).unwrap().unwrap();
    assert_eq!((last.number, last.changes.len(), open(&library)), (7, 0, true));
    assert_eq!(text(&library, "s.md").as_deref(), Some(SOLVER));
}

#[test]
fn text_that_was_edited_is_taken_though_no_hunk_is() {
    let root = tempfile::tempdir().unwrap();
    let library = library(root.path(), plain());
    let first = edit("p1");
    library.raise(&first).unwrap();
    let mine: Arc<str> = SOLVER.replace("three", "mine").into();
    let decision = Decision { edited: vec![("s.md".into(), mine.clone())], ..taking(&[]) };
    let (status, revision) =
        library.decide(&"p1".into(), &decision, vec![("s.md".into(), Some(mine.clone()))]).unwrap();
    assert_eq!(status, ProposalStatus::Accepted(revision.unwrap().id));
    assert_eq!(text(&library, "s.md").as_deref(), Some(&*mine));
}

#[test]
fn a_moved_base_refuses_a_proposal() {
    let root = tempfile::tempdir().unwrap();
    let library = library(root.path(), plain());
    let (first, second) = (edit("p1"), proposal("p2", vec![change("s.md", Some(SOLVER), Some(ROUTER))]));
    assert!(library.raise(&second).unwrap());
    accept(&library, &first).unwrap();
    let error = library.decide(&second.id, &taking(&[1]), whole(&second)).unwrap_err();
    assert!(error.message.contains("s.md has changed since proposal p2"), "{error}");
    assert!(error.hint.unwrap().contains("anew"));
    // It can still be turned down.
    let (status, revision) = library.decide(&second.id, &taking(&[]), Vec::new()).unwrap();
    assert_eq!((status, revision), (ProposalStatus::Rejected("because".into()), None));
}

#[test]
fn a_decision_must_fit_its_proposal() {
    let root = tempfile::tempdir().unwrap();
    let library = library(root.path(), plain());
    let proposal = edit("p");
    library.raise(&proposal).unwrap();
    let check = |files: Vec<(String, Option<Arc<str>>)>, expected: &str| {
        let error = library.decide(&proposal.id, &taking(&[1]), files).unwrap_err();
        assert!(error.message.contains(expected), "{error}");
    };
    check(vec![], "changes nothing");
    check(vec![("s.md".into(), Some(SOLVER.into()))], "changes nothing");
    check(vec![("r.md".into(), Some(EDITED.into()))], "does not change r.md");
    check(vec![("../s.md".into(), Some(EDITED.into()))], "cannot be the name");
    check([whole(&proposal), whole(&proposal)].concat(), "named twice");
    assert!(library.decide(&"q".into(), &taking(&[1]), vec![]).unwrap_err().message.contains("no proposal `q`"));
    assert_eq!(library.proposal(&"p".into()).unwrap().unwrap().1, ProposalStatus::Open);
    let broken =
        crate::store::tests::samples::proposal("b", vec![change("network.toml", Some(RULES), Some("entry = 3\n"))]);
    let error = accept(&library, &broken).unwrap_err();
    assert!(error.message.contains("cannot be used"), "{error}");
    assert_eq!(library.log().unwrap(), []);
}

#[test]
fn the_same_content_is_raised_once() {
    let root = tempfile::tempdir().unwrap();
    let library = library(root.path(), plain());
    assert!(library.raise(&edit("p1")).unwrap());
    assert!(!library.raise(&edit("p2")).unwrap());
    library.decide(&"p1".into(), &taking(&[]), Vec::new()).unwrap();
    assert!(!library.raise(&edit("p3")).unwrap());
    let other = proposal("p1", vec![change("n.md", None, Some(NEW))]);
    assert!(library.raise(&other).unwrap_err().message.contains("p1.json is there already"));
    assert!(library.raise(&proposal("../p", vec![])).is_err());
    assert!(library.raise(&proposal("p4", vec![change("/etc/x", None, Some(NEW))])).is_err());
    let other = proposal("p4", other.changes);
    accept(&library, &other).unwrap();
    library.revert(&"base".into(), Author::Human).unwrap();
    // What was accepted once may be proposed again.
    assert!(library.raise(&proposal("p5", other.changes)).unwrap());
    let ids: Vec<String> = library.proposals().unwrap().iter().map(|(one, _)| one.id.to_string()).collect();
    assert_eq!(ids, ["p1", "p4", "p5"]);
}

#[test]
fn the_base_comes_back_and_so_does_what_was_accepted() {
    let root = tempfile::tempdir().unwrap();
    let library = library(root.path(), plain());
    let base = library.network().unwrap();
    let changes = vec![
        change("s.md", Some(SOLVER), Some(EDITED)),
        change("n.md", None, Some(NEW)),
        change("r.md", Some(ROUTER), None),
    ];
    let with_entry = format!("entry = \"s\"\n{RULES}");
    let changes = [changes, vec![change("network.toml", Some(RULES), Some(&with_entry))]].concat();
    let (_, first) = accept(&library, &proposal("p", changes)).unwrap();
    let first = first.unwrap();
    assert_eq!(library.network().unwrap().programs.keys().map(|name| name.as_str()).collect::<Vec<_>>(), ["n", "s"]);
    assert_eq!(library.network().unwrap().rules.len(), 1);

    let back = library.revert(&base.revision, Author::Engine).unwrap();
    assert_eq!((back.number, &back.id, &back.parent), (2, &base.revision, &first.id));
    assert_eq!(*library.network().unwrap(), *base);
    assert_eq!(text(&library, "n.md"), None);
    assert!(library.revert(&"0".into(), Author::Human).unwrap_err().message.contains("changes nothing"));

    let forward = library.revert(&first.id, Author::Human).unwrap();
    assert_eq!((forward.number, &forward.id), (3, &first.id));
    assert_eq!(text(&library, "n.md").as_deref(), Some(NEW));
    assert_eq!(text(&library, "r.md"), None);
    assert_eq!(library.diff(1, 3).unwrap(), []);
    assert_eq!(library.diff(0, 1).unwrap().len(), 4);
    assert_eq!(library.diff(1, 2).unwrap(), back.changes);
    assert!(library.diff(0, 4).is_err());

    let check = |text: &str, expected: u32| assert_eq!(library.resolve_revision(text).unwrap(), expected, "{text}");
    check("base", 0);
    check("head", 3);
    check("2", 2);
    check(first.id.as_str(), 3);
    check(base.revision.short(), 2);
    for nothing in ["", "4", "zzzz", "../.."] {
        assert!(library.resolve_revision(nothing).unwrap_err().to_string().contains("no revision"), "{nothing}");
    }
    let reopened = super::samples::library(root.path(), plain());
    assert_eq!(*reopened.network().unwrap(), *library.network().unwrap());
}

#[test]
fn a_base_that_moved_under_an_accepted_change_is_reported() {
    let root = tempfile::tempdir().unwrap();
    accept(&library(root.path(), plain()), &edit("p")).unwrap();
    let mut moved = plain();
    moved[0].insert("s.md".into(), SOLVER.replace("three", "3"));
    let opened = library(root.path(), moved.clone());
    assert_eq!(text(&opened, "s.md").as_deref(), Some(EDITED));
    let warnings = opened.warnings().unwrap();
    assert_eq!(warnings.len(), 1);
    assert!(
        warnings[0].to_string().contains("plain/s.md:1:1: warning: the base of this file changed"),
        "{}",
        warnings[0]
    );
    let before = opened.network().unwrap();
    opened.revert(&"base".into(), Author::Human).unwrap();
    assert_eq!(text(&opened, "s.md"), moved[0].get("s.md").cloned());
    assert_eq!(opened.warnings().unwrap(), []);
    assert_eq!(opened.since(&before.revision).unwrap().len(), 1);
    // From then on the file follows its base again.
    let opened = library(root.path(), plain());
    assert_eq!(text(&opened, "s.md").as_deref(), Some(SOLVER));
    assert_eq!(opened.warnings().unwrap(), []);
}

#[test]
fn a_change_lands_in_the_network_and_not_in_the_one_it_extends() {
    let root = tempfile::tempdir().unwrap();
    let own = RULES.replace("\"base\"", "\"own\"") + "[halting]\nk = 9\n";
    let layers = || [plain(), vec![files(&[("network.toml", &own), ("n.md", NEW)])]].concat();
    let opened = library(root.path(), layers());
    let reasons = |library: &FileLibrary| -> Vec<String> {
        library.network().unwrap().rules.iter().map(|rule| rule.why.clone()).collect()
    };
    assert_eq!(reasons(&opened), ["own", "base"]);
    let changed = own.replace("own", "changed");
    let changes = vec![change("network.toml", Some(&own), Some(&changed)), change("s.md", Some(SOLVER), Some(EDITED))];
    accept(&opened, &proposal("p", changes)).unwrap();
    assert_eq!(reasons(&opened), ["changed", "base"]);
    accept(&opened, &proposal("q", vec![change("s.md", Some(EDITED), None)])).unwrap();
    assert!(opened.network().unwrap().program(&"s".into()).is_none());
    let network = opened.network().unwrap();

    let out = root.path().join("out");
    opened.export(&out).unwrap();
    assert!(matches!(opened.export(&out), Err(StoreError::Exists { .. })));
    let (alone, problems) = assemble("plain", &[read_folder(&out)]).unwrap();
    assert!(problems.is_empty(), "{problems:?}");
    assert_eq!(
        (alone.rules, alone.programs, alone.halting),
        (network.rules.clone(), network.programs.clone(), network.halting.clone())
    );
    assert_eq!((alone.entry, alone.edges), (network.entry.clone(), network.edges.clone()));
}

fn read_folder(folder: &Path) -> std::collections::BTreeMap<String, String> {
    crate::store::folder::read(folder).unwrap().0
}

#[test]
fn an_exported_network_keeps_its_own_words() {
    let root = tempfile::tempdir().unwrap();
    let commented = format!("# why\n{RULES}");
    let layers = vec![files(&[("network.toml", &commented), ("r.md", ROUTER), ("data/x.txt", "x")])];
    library(root.path(), layers.clone()).export(&root.path().join("out")).unwrap();
    assert_eq!(read_folder(&root.path().join("out")), layers[0]);
}

#[test]
fn another_process_sees_a_decision_and_cannot_decide_at_the_same_time() {
    let root = tempfile::tempdir().unwrap();
    let (one, other) = (library(root.path(), plain()), library(root.path(), plain()));
    let proposal = edit("p");
    one.raise(&proposal).unwrap();
    assert_eq!(other.proposals().unwrap(), [(proposal.clone(), ProposalStatus::Open)]);
    let lock = Lock::take(&root.path().join("plain/lock"), "x", std::time::Duration::ZERO).unwrap();
    let error = one.decide(&proposal.id, &taking(&[1]), whole(&proposal)).unwrap_err();
    let expected = format!("the library of plain is open in another mop, pid {}", std::process::id());
    assert_eq!(error.message, expected);
    assert_eq!(other.network().unwrap().revision, one.network().unwrap().revision);
    drop(lock);
    let base = other.network().unwrap();
    let revision = one.decide(&proposal.id, &taking(&[1]), whole(&proposal)).unwrap().1.unwrap();
    assert_eq!(other.network().unwrap().revision, revision.id);
    assert_eq!(other.since(&base.revision).unwrap(), [revision]);
    let error = other.decide(&proposal.id, &taking(&[1]), whole(&proposal)).unwrap_err();
    assert!(error.message.contains("decided before"), "{error}");
}

#[test]
fn of_many_who_decide_at_once_one_wins() {
    let root = tempfile::tempdir().unwrap();
    let proposal = edit("p");
    library(root.path(), plain()).raise(&proposal).unwrap();
    let outcomes: Vec<Result<_, PortError>> = std::thread::scope(|scope| {
        let decide = || library(root.path(), plain()).decide(&proposal.id, &taking(&[1]), whole(&proposal));
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(decide)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let (won, lost): (Vec<_>, Vec<_>) = outcomes.into_iter().partition(Result::is_ok);
    assert_eq!((won.len(), lost.len()), (1, 3));
    for error in lost {
        assert!(error.unwrap_err().message.contains("decided before"));
    }
    assert_eq!(fs::read_to_string(root.path().join("plain/revisions.jsonl")).unwrap().lines().count(), 1);
}
