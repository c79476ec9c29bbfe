//! `mop sessions`: list, show, rm.

use std::fs;

use crate::cli::User;

#[test]
fn sessions_are_listed_newest_first() {
    let user = User::new();
    assert!(user.expect(0, &["sessions", "list"]).err.contains("no sessions yet"));
    assert_eq!(user.expect(0, &["sessions", "list", "--json"]).out, "[]\n");
    let small = user.small_network("small");
    user.expect(0, &["run", "--network", &small, "first"]);
    user.expect(3, &["run", "--network", &small, "--max-cycles", "1", "second\nline \u{1b}[31m"]);
    let ids = user.sessions();
    let listed = user.expect(0, &["sessions", "list"]).out;
    let rows: Vec<&str> = listed.lines().collect();
    assert_eq!(rows.len(), 3, "{listed}");
    assert!(rows[0].starts_with("ID ") && rows[0].contains("STATE"), "{listed}");
    assert!(rows[1].starts_with(&ids[1]) && rows[1].contains("budget") && rows[1].ends_with("second…"), "{listed}");
    assert!(rows[2].starts_with(&ids[0]) && rows[2].contains("satisfied") && rows[2].contains("0.60"), "{listed}");
    assert_eq!(rows[0].find("STATE"), rows[1].find("budget"), "{listed}");
    assert!(!listed.contains('\u{1b}'));
    let json = user.expect(0, &["sessions", "list", "--json"]).json();
    assert_eq!((&json[0][1]["query"], &json[0][1]["state"]), (&"first".into(), &"finished".into()));
    fs::write(user.journal(&ids[0]), "nonsense\nnonsense\n").unwrap();
    assert!(user.expect(0, &["sessions", "list"]).out.contains("damaged"));
}

#[test]
fn a_session_is_shown_as_a_story() {
    let user = User::new();
    let small = user.small_network("small");
    user.write("note.txt", "a note");
    user.expect(0, &["run", "--network", &small, "--attach", "note.txt", "hello \u{1b}]0;x\u{7}\u{202e}"]);
    let shown = user.expect(0, &["sessions", "show"]).out;
    for expected in [
        "question 1",
        "hello <U+001B>]0;x",
        "with note.txt (6 bytes)",
        "   2  echo",
        "+0.50",
        "answer",
        "satisfied: the goal check",
        "3 cycles",
    ] {
        assert!(shown.contains(expected), "{expected}: {shown}");
    }
    assert!(!shown.contains('\u{1b}') && !shown.contains('\u{202e}'), "{shown}");
    let json = user.expect(0, &["sessions", "show", "--json"]).json().remove(0);
    assert_eq!(json["trace"].as_array().unwrap().len(), 4);
    assert_eq!(json["outcomes"][0]["halted"], "satisfied");
    assert!(user.expect(0, &["sessions", "show", "--explain"]).out.contains("next: echo 1.00"));
    assert!(user.expect(2, &["sessions", "show", "zzz"]).err.contains("there is no session `zzz`"));
}

#[test]
fn sessions_are_removed_by_name_and_nothing_else() {
    let user = User::new();
    let small = user.small_network("small");
    for query in ["one", "two", "three"] {
        user.expect(0, &["run", "--network", &small, query]);
    }
    let ids = user.sessions();
    assert!(user.expect(2, &["sessions", "rm"]).err.contains("<ID>"));
    user.expect(2, &["sessions", "rm", &ids[0], "zzzzzzzz"]);
    assert_eq!(user.sessions().len(), 3, "a mistyped name removes nothing");
    assert!(user.expect(2, &["sessions", "rm", "2"]).err.contains("too short"));
    assert!(user.expect(2, &["sessions", "rm", &ids[0][..8]]).err.contains("may mean several"));
    let done = user.expect(0, &["sessions", "rm", &ids[0], &ids[2], &ids[0]]);
    assert_eq!(done.out, format!("removed {}  one\nremoved {}  three\n", ids[0], ids[2]));
    assert_eq!(user.sessions(), [ids[1].as_str()]);
}

#[test]
fn a_session_that_is_open_elsewhere_is_left_alone() {
    let user = User::new();
    let small = user.small_network("small");
    user.expect(3, &["run", "--network", &small, "--max-cycles", "1", "hello"]);
    let id = user.sessions().pop().unwrap();
    let whole = fs::read_to_string(user.journal(&id)).unwrap();
    let cut: String = whole.lines().take(4).map(|line| format!("{line}\n")).collect();
    fs::write(user.journal(&id), cut).unwrap();
    let sessions = mop::store::Sessions::new(user.home().join("state/sessions"));
    let held = sessions.open(&mop::model::SessionId::new(&id)).unwrap();
    for args in [&["sessions", "rm", &id][..], &["resume", &id]] {
        let done = user.expect(2, args);
        assert!(done.err.contains(&format!("session {id} is open in another mop")), "{}", done.err);
    }
    assert!(user.expect(0, &["sessions", "list"]).out.contains("open in "));
    drop(held);
    user.expect(0, &["sessions", "rm", &id]);
}
