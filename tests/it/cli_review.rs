//! `mop programs review`, `log`, `diff`, `revert`: proposals that somebody else put into the queue.

use std::path::Path;
use std::sync::Arc;

use mop::engine::ports::Library;
use mop::model::{
    Author, Change, Cycle, Evidence, Gate, GateResult, ProgramName, ProgramTest, Proposal, ProposalId, SessionId, Trial,
};
use mop::store::{FileLibrary, Networks, Paths, SystemClock};

use crate::cli::User;

const NETWORK: &str = "./small";

fn library(user: &User) -> FileLibrary {
    let paths = Paths::find(Some(user.home())).unwrap();
    let networks = Networks::new(&paths, &user.project());
    let sourced = networks.find(user.project().join("small").to_str().unwrap()).unwrap();
    FileLibrary::open(&paths.library(), sourced, Arc::new(SystemClock)).unwrap()
}

/// A proposal for `echo.py`: its replacements, each a hunk.
fn raise(user: &User, id: &str, replacements: &[(&str, &str)]) {
    let library = library(user);
    let before = library.file("echo.py").unwrap().unwrap();
    let after = replacements.iter().fold(before.to_string(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    });
    let test = ProgramTest {
        query: "hello".into(),
        memory: Vec::new(),
        expect: [("draft".to_owned(), "hello!".into())].into(),
    };
    let proposal = Proposal {
        id: ProposalId::new(id),
        network: "small".into(),
        base: library.network().unwrap().revision.clone(),
        author: Author::Program(ProgramName::new("mender")),
        program: Some(ProgramName::new("echo")),
        title: "speaks \u{1b}[31mlouder".into(),
        changes: vec![Change { path: "echo.py".into(), before: Some(before), after: Some(after.into()) }],
        evidence: Evidence {
            critique: "it is too quiet\nin the second line \u{202e}".into(),
            cost: 0.5,
            session: Some(SessionId::new("s-1")),
            cycle: Cycle(3),
            trials: vec![Trial { test, before: false, after: true, note: "it wrote draft".into() }],
            measured: serde_json::json!({ "tried": 12 }),
        },
        gates: vec![
            (Gate::Static, GateResult::Passed("it parses".into())),
            (Gate::Evidence, GateResult::Indecisive("no statistical evidence: 1 item".into())),
        ],
    };
    assert!(library.raise(&proposal).unwrap());
}

fn programs(user: &User, code: i32, args: &[&str]) -> crate::cli::Done {
    let all: Vec<&str> = ["programs", "--network", NETWORK].iter().chain(args).copied().collect();
    user.expect(code, &all)
}

fn ready() -> User {
    let user = User::new();
    user.small_network("small");
    user
}

#[test]
fn the_queue_is_a_table_and_a_proposal_a_story() {
    let user = ready();
    assert!(programs(&user, 0, &["review"]).err.contains("no proposal waits"));
    raise(&user, "p-one", &[("# one", "# eins"), ("# three", "# drei")]);
    let queue = programs(&user, 0, &["review"]).out;
    let row = queue.lines().nth(1).unwrap();
    for expected in ["p-one", "open", "echo", "mender", " 2 ", "1 of 2 passed", "speaks"] {
        assert!(row.contains(expected), "{expected}: {queue}");
    }
    let shown = programs(&user, 0, &["review", "p-o"]).out;
    for expected in [
        "proposal p-one, open",
        "it is too quiet\n  in the second line <U+202E>",
        "the fault cost 0.50 of J",
        "cycle 3 of session s-1",
        "FAILED → ok  hello",
        "tried 12",
        "static         passed      it parses",
        "evidence       indecisive  no statistical",
        "change, 2 hunks",
        "hunk 1, from line",
        "- \u{20}   # one",
        "+     # eins",
        "hunk 2, from line",
        "+     # drei",
    ] {
        assert!(shown.contains(expected), "{expected}: {shown}");
    }
    assert!(!shown.contains('\u{1b}') && !shown.contains('\u{202e}'), "{shown}");
    let json = programs(&user, 0, &["review", "p-one", "--json"]).json().remove(0);
    assert_eq!((&json["hunks"][1]["number"], &json["status"]), (&2.into(), &"open".into()));
    assert_eq!(json["hunks"][1]["lines"], serde_json::json!(["-    # three", "+    # drei"]));
    assert!(programs(&user, 2, &["review", "p-two"]).err.contains("no proposal `p-two`"));
    assert!(programs(&user, 2, &["review", "--accept", "all"]).err.contains("<ID>"));
    assert!(programs(&user, 2, &["review", "p-one", "--reason", "x"]).err.contains("decides nothing"));
}

#[test]
fn hunks_that_are_named_are_taken_and_act_from_the_next_run() {
    let user = ready();
    raise(&user, "p-one", &[("# one", "# eins"), ("# three", "# drei")]);
    for (flags, expected) in [
        (&["--accept", "3"][..], "no hunk `3`"),
        (&["--accept", "1", "--reject", "all"], "both accepted and rejected"),
        (&["--reject", "2"], "nothing is said about hunk 1"),
    ] {
        let args: Vec<&str> = ["review", "p-one"].iter().chain(flags).copied().collect();
        let done = programs(&user, 2, &args);
        assert!(done.err.contains(expected), "{}", done.err);
    }
    let done = programs(&user, 0, &["review", "p-one", "--accept", "2", "--reject", "1", "--reason", "German"]);
    assert!(done.out.starts_with("revision 1 ") && done.err.contains("took 1 of 2 hunks"), "{} {}", done.out, done.err);
    let source = programs(&user, 0, &["show", "echo"]).out;
    assert!(source.contains("# one") && source.contains("# drei") && source.contains("state     changed"), "{source}");
    let again = programs(&user, 2, &["review", "p-one", "--accept", "1"]);
    assert!(again.err.contains("was decided before"), "{}", again.err);
    assert!(programs(&user, 2, &["review", "p-one", "--reject", "all"]).err.contains("was decided before"));
    let queue = programs(&user, 0, &["review"]);
    assert!(queue.out.is_empty() && queue.err.contains("1 proposal decided before"), "{queue:?}");
    assert!(programs(&user, 0, &["review", "--all"]).out.contains("accepted"));
    assert!(user.project().join("small/echo.py").exists());
    let base = std::fs::read_to_string(user.project().join("small/echo.py")).unwrap();
    assert!(base.contains("# three"), "the user's own file is never rewritten");
}

#[test]
fn what_is_rejected_changes_nothing_and_is_not_raised_again() {
    let user = ready();
    raise(&user, "p-one", &[("# one", "# eins")]);
    let done = programs(&user, 0, &["review", "p-one", "--reject", "all", "--reason", "no German"]);
    assert!(done.out.starts_with("rejected p-one"), "{}", done.out);
    assert!(programs(&user, 0, &["show", "echo"]).out.contains("# one"));
    assert!(programs(&user, 0, &["review", "p-one"]).out.contains("rejected: no German"));
    assert_eq!(programs(&user, 0, &["log"]).out.lines().count(), 2);
}

#[test]
fn what_fails_its_gates_or_whose_base_moved_is_not_taken() {
    let user = ready();
    raise(&user, "p-bad", &[("mark = \"!\"", "mark = \"?\"")]);
    let done = programs(&user, 2, &["review", "p-bad", "--accept", "all"]);
    assert!(done.err.contains("did not pass the") && done.err.contains("hello"), "{}", done.err);
    raise(&user, "p-one", &[("# one", "# eins")]);
    raise(&user, "p-two", &[("# two", "# zwei")]);
    let json = programs(&user, 0, &["review", "p-one", "--accept", "all", "--json"]).json().remove(0);
    assert_eq!((&json["revision"]["number"], &json["accepted"]), (&1.into(), &serde_json::json!([1])));
    let done = programs(&user, 2, &["review", "p-two", "--accept", "all"]);
    assert!(done.err.contains("echo.py has changed since proposal p-two was made"), "{}", done.err);
    programs(&user, 0, &["review", "p-two", "--reject", "all"]);
}

#[test]
fn history_is_told_compared_and_turned_back() {
    let user = ready();
    let log = programs(&user, 0, &["log"]).out;
    assert!(log.lines().nth(1).unwrap().starts_with("0 ") && log.contains("the files of small"), "{log}");
    raise(&user, "p-one", &[("# one", "# eins")]);
    programs(&user, 0, &["review", "p-one", "--accept", "all"]);
    raise(&user, "p-two", &[("# two", "# zwei")]);
    programs(&user, 0, &["review", "p-two", "--accept", "1"]);
    let diff = programs(&user, 0, &["diff", "0", "2"]).out;
    assert!(diff.starts_with("--- a/echo.py\n+++ b/echo.py\n"), "{diff}");
    assert!(diff.contains("-    # one") && diff.contains("+    # zwei"), "{diff}");
    let diff = programs(&user, 0, &["diff", "1"]).out;
    assert!(!diff.contains("-    # one") && diff.contains("+    # zwei"), "{diff}");
    assert!(programs(&user, 0, &["diff", "2", "head"]).err.contains("are the same"));
    assert!(programs(&user, 2, &["diff", "7"]).err.contains("there is no revision `7`"));
    let done = programs(&user, 0, &["revert", "1"]);
    assert!(done.out.starts_with("revision 3 ") && done.out.contains("go back to revision 1"), "{}", done.out);
    let source = programs(&user, 0, &["show", "echo"]).out;
    assert!(source.contains("# eins") && source.contains("# two"), "{source}");
    assert!(programs(&user, 2, &["revert", "1"]).err.contains("changes nothing"));
    programs(&user, 0, &["revert", "base"]);
    let log = programs(&user, 0, &["log"]).out;
    let numbers: Vec<&str> = log.lines().skip(1).filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(numbers, ["4", "3", "2", "1", "0"], "{log}");
    assert!(log.contains("(p-two)") && log.contains("human") && !log.contains('\u{1b}'), "{log}");
    let ids: Vec<&str> = log.lines().skip(1).filter_map(|line| line.split_whitespace().nth(1)).collect();
    assert_eq!((ids[0], ids[1]), (ids[4], ids[3]), "going back gives the same content: {log}");
    let exported = user.project().join("out");
    programs(&user, 0, &["export", exported.to_str().unwrap()]);
    let same = |path: &Path| std::fs::read_to_string(path.join("echo.py")).unwrap();
    assert_eq!(same(&exported), same(&user.project().join("small")));
}

#[test]
fn a_damaged_proposal_does_not_hide_the_rest() {
    let user = User::new();
    user.small_network("small");
    raise(&user, "p-one", &[("hello", "hallo")]);
    raise(&user, "p-two", &[("hello", "salut")]);
    let folder = user.home().join("data/library/small/proposals");
    std::fs::write(folder.join("p-one.json"), "{ \"number\": ").unwrap();
    let done = user.expect(0, &["programs", "review", "--network", NETWORK]);
    assert!(done.out.contains("p-two") && !done.out.contains("p-one"), "{}", done.out);
    assert!(done.err.contains("p-one.json") && done.err.contains("move the file away"), "{}", done.err);
}
