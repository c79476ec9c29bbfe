//! `mop resume` and `mop fork`: a session goes on from wherever its journal ends.

use std::fs;

use crate::cli::{User, copy};

#[test]
fn a_session_that_stops_anywhere_gives_the_same_answer() {
    let user = User::new();
    let small = user.small_network("small");
    user.expect(0, &["run", "--network", &small, "hello"]);
    let id = user.sessions().pop().unwrap();
    let whole = fs::read_to_string(user.journal(&id)).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    assert!(lines.len() > 12, "{whole}");
    for kept in 1..=lines.len() {
        // Once cut between lines, and once in the middle of the next.
        for torn in ["", "{\"v\":1,\"seq\":"] {
            let text: String = lines[..kept].iter().map(|line| format!("{line}\n")).collect();
            fs::write(user.journal(&id), text + torn).unwrap();
            let done = user.mop(&["resume", &id]);
            assert_eq!((done.code, done.out.as_str()), (0, "hello!\n"), "{kept} lines {torn:?}: {}", done.err);
            let now = fs::read_to_string(user.journal(&id)).unwrap();
            let ended = |line: &str| line.contains("\"event\":\"SessionEnded\"");
            assert!(now.lines().any(ended), "{kept} lines: {now}");
        }
    }
    fs::write(user.journal(&id), "").unwrap();
    assert!(user.expect(2, &["resume"]).err.contains("before its beginning was written"));
}

#[test]
fn a_finished_session_prints_its_outcome_again() {
    let user = User::new();
    let small = user.small_network("small");
    let first = user.expect(0, &["run", "--json", "--network", &small, "hello"]);
    let before = fs::read(user.journal(&user.sessions()[0])).unwrap();
    let again = user.expect(0, &["resume"]);
    assert_eq!(again.out, "hello!\n");
    assert!(again.err.contains("is finished"), "{}", again.err);
    assert_eq!(user.expect(0, &["resume", "--json", "last"]).json(), first.json());
    assert_eq!(fs::read(user.journal(&user.sessions()[0])).unwrap(), before, "nothing was written");
    assert!(user.expect(0, &["resume", "--explain"]).err.contains("why: goal-check passed"));
}

#[test]
fn json_of_a_resumed_session_is_the_whole_session() {
    let user = User::new();
    let small = user.small_network("small");
    user.expect(3, &["run", "--network", &small, "--max-cycles", "2", "hello"]);
    let id = user.sessions().pop().unwrap();
    let whole = fs::read_to_string(user.journal(&id)).unwrap();
    let cut: String = whole.lines().take(8).map(|line| format!("{line}\n")).collect();
    fs::write(user.journal(&id), cut).unwrap();
    let lines = user.expect(3, &["resume", "--json"]).json();
    assert_eq!(lines[0]["data"]["pins"]["session"], id.as_str());
    let seqs: Vec<u64> = lines[..lines.len() - 1].iter().map(|line| line["seq"].as_u64().unwrap()).collect();
    assert_eq!(seqs, (1..=seqs.len() as u64).collect::<Vec<_>>());
    assert_eq!(lines.last().unwrap()["halted"], "budget");
}

#[test]
fn sessions_that_cannot_be_resumed_say_why() {
    let user = User::new();
    assert!(user.expect(2, &["resume"]).err.contains("there are no sessions yet"));
    let small = user.small_network("small");
    user.expect(0, &["run", "--network", &small, "hello"]);
    assert!(user.expect(2, &["resume", "nonsense"]).err.contains("there is no session `nonsense`"));
    let id = user.sessions().pop().unwrap();
    let whole = fs::read_to_string(user.journal(&id)).unwrap();
    let cut: String = whole.lines().take(6).map(|line| format!("{line}\n")).collect();
    fs::write(user.journal(&id), &cut).unwrap();
    fs::rename(user.project().join("small"), user.project().join("moved")).unwrap();
    let done = user.expect(2, &["resume"]);
    assert!(done.err.contains("was started with the network in") && done.err.contains("small"), "{}", done.err);
    fs::write(user.journal(&id), cut.replacen("{\"v\":1,\"seq\":3", "{\"v\":1,\"seq\";3", 1)).unwrap();
    assert!(user.expect(2, &["resume"]).err.contains("journal.jsonl:"));
}

#[test]
fn the_network_of_a_project_is_found_again_from_elsewhere() {
    let user = User::new();
    user.small_network(".mop/networks/ours");
    assert!(user.expect(2, &["run", "--network", "ours", "hello"]).err.contains("mop programs trust"));
    user.expect(0, &["programs", "trust", "ours"]);
    user.expect(0, &["run", "--network", "ours", "hello"]);
    let id = user.sessions().pop().unwrap();
    let whole = fs::read_to_string(user.journal(&id)).unwrap();
    fs::write(user.journal(&id), whole.lines().take(5).map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    let elsewhere = user.home().join("elsewhere");
    fs::create_dir_all(&elsewhere).unwrap();
    let output = user.command(&["resume"]).current_dir(&elsewhere).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "hello!\n", "{}", String::from_utf8_lossy(&output.stderr));
    user.write(".mop/networks/ours/echo.py", "# changed\n");
    fs::write(user.journal(&id), whole.lines().take(5).map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    let done = user.expect(2, &["resume"]);
    assert!(done.err.contains("was not accepted yet"), "a changed network asks anew: {}", done.err);
}

#[test]
fn a_fork_goes_on_from_its_cycle_and_leaves_its_parent_alone() {
    let user = User::new();
    let small = user.small_network("small");
    user.expect(0, &["run", "--network", &small, "hello"]);
    let id = user.sessions().pop().unwrap();
    let before = fs::read(user.journal(&id)).unwrap();
    // The network has changed since: a fork after cycle 1 speaks anew, one after cycle 2 does not.
    let echo = fs::read_to_string(user.project().join("small/echo.py")).unwrap();
    user.write("small/echo.py", &echo.replace("mark = \"!\"", "mark = \"?\""));
    for (at, expected) in [("0", "hello?"), ("1", "hello?"), ("2", "hello!"), ("3", "hello!")] {
        let forked = user.expect(0, &["fork", &id, "--at", at]);
        let new = forked.out.trim();
        assert!(user.sessions().contains(&new.to_owned()) && new != id, "{}", forked.out);
        let resumed = user.expect(0, &["resume", new]);
        assert_eq!(resumed.out.trim(), expected, "after cycle {at}: {}", resumed.err);
    }
    let done = user.expect(0, &["fork", "last", "--at", "1", "--run"]);
    assert_eq!(done.out.lines().nth(1), Some("hello?"), "{}", done.out);
    let lines = user.expect(0, &["fork", &id, "--at", "1", "--run", "--json"]).json();
    assert_eq!(lines[0]["data"]["pins"]["parent"], serde_json::json!([id, 1]));
    assert_eq!(fs::read(user.journal(&id)).unwrap(), before);
    assert!(user.expect(0, &["fork", &id, "--at", "99"]).err.contains("ends after cycle 3"));
    assert!(user.expect(2, &["fork", &id, "--at", "1", "--episode", "5"]).err.contains("no episode `5`"));
    assert!(user.expect(2, &["fork", &id]).err.contains("--at"));
}

#[test]
fn a_copied_home_goes_on_as_well() {
    let (user, other) = (User::new(), User::new());
    let small = user.small_network("small");
    user.expect(3, &["run", "--network", &small, "--max-cycles", "1", "hello"]);
    copy(&user.home(), &other.home());
    assert_eq!(other.expect(3, &["resume"]).out, "");
}

#[test]
fn a_session_that_waits_at_a_breakpoint_goes_on_where_nobody_steps() {
    let user = User::new();
    let small = user.small_network("small");
    user.expect(0, &["run", "--network", &small, "hello"]);
    let id = user.sessions().pop().unwrap();
    let whole = fs::read_to_string(user.journal(&id)).unwrap();
    let routed = whole.lines().position(|line| line.contains("\"event\":\"Routed\"")).unwrap() + 1;
    let mut text: String = whole.lines().take(routed).map(|line| format!("{line}\n")).collect();
    let events = [
        r#""event":"BreakpointsSet","data":{"breakpoints":[{"program":"router"},{"program":"echo"}]}"#,
        r#""event":"Paused","data":{"why":"breakpoint: router is next"}"#,
    ];
    for (number, event) in events.iter().enumerate() {
        text += &format!("{{\"v\":1,\"seq\":{},\"at\":1,{event}}}\n", routed + number + 1);
    }
    fs::write(user.journal(&id), text).unwrap();
    assert_eq!(user.expect(0, &["resume"]).out, "hello!\n");
}
