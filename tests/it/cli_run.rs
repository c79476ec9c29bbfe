//! `mop run`: answers, exit codes, what goes to which stream.

use std::io::Read;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::cli::User;

#[test]
fn the_answer_alone_is_on_standard_output() {
    let user = User::new();
    let small = user.small_network("small");
    let done = user.expect(0, &["run", "--network", &small, "hello world"]);
    assert_eq!(done.out, "hello world!\n");
    assert!(done.err.contains("session ") && done.err.contains("accepted, not proved"), "{}", done.err);
    let explained = user.expect(0, &["run", "--network", &small, "--explain", "hello"]);
    assert!(explained.err.contains("next: echo 1.00 — somebody must speak"), "{}", explained.err);
    assert!(explained.err.contains("why: goal-check passed"), "{}", explained.err);
}

#[test]
fn json_begins_with_the_session_and_ends_with_the_outcome() {
    let user = User::new();
    let small = user.small_network("small");
    let lines = user.expect(0, &["run", "--json", "--network", &small, "--seed", "7", "hello"]).json();
    let id = lines[0]["data"]["pins"]["session"].as_str().unwrap();
    assert_eq!(user.sessions(), [id]);
    assert_eq!(lines[0]["data"]["pins"]["seed"], 7);
    let last = lines.last().unwrap();
    assert_eq!((&last["session"], &last["answer"], &last["exit"]), (&id.into(), &"hello!".into(), &0.into()));
    assert_eq!((&last["halted"], &last["cycles"], &last["verified"]), (&"satisfied".into(), &3.into(), &true.into()));
    assert!(last["j"].as_f64().unwrap() > 0.5 && last["usage"]["activations"] == 4, "{last}");
    assert!(lines.iter().all(|line| line["v"] == 1));
}

#[test]
fn a_question_comes_from_standard_input_only_with_a_hyphen() {
    let user = User::new();
    let small = user.small_network("small");
    let done = user.fed(&["run", "--network", &small, "-"], "  grüße\n".as_bytes());
    assert_eq!((done.code, done.out.as_str()), (0, "grüße!\n"), "{}", done.err);
    let done = user.fed(&["run", "--network", &small, "mine"], b"not mine");
    assert_eq!(done.out, "mine!\n");
}

#[test]
fn questions_that_cannot_be_asked_end_with_2_and_say_why() {
    let user = User::new();
    let check = |input: &[u8], expected: &str| {
        let done = user.fed(&["run", "-"], input);
        assert_eq!((done.code, done.out.as_str()), (2, ""), "{}", done.err);
        assert!(done.err.contains(expected), "{}", done.err);
    };
    check(b"", "the question is empty");
    check(b" \n\t ", "the question is empty");
    check(b"abc\xff", "standard input is not UTF-8 text, from byte 3 on");
    check(&vec![b'x'; 10 << 20], "longer than 1 MiB");
    assert!(user.expect(2, &["run", ""]).err.contains("the question is empty"));
    assert!(user.sessions().is_empty(), "nothing was started");
}

#[cfg(unix)]
#[test]
fn an_argument_that_is_not_utf8_is_turned_down() {
    use std::os::unix::ffi::OsStrExt;
    let user = User::new();
    let output = user.command(&["run"]).arg(std::ffi::OsStr::from_bytes(b"a\xffb")).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("UTF-8"));
}

#[test]
fn flags_that_cannot_be_used_end_with_2() {
    let user = User::new();
    let small = user.small_network("small");
    let check = |args: &[&str], expected: &str| {
        let all: Vec<&str> = ["run", "--network", &small].iter().chain(args).copied().collect();
        let done = user.expect(2, &all);
        assert!(done.out.is_empty() && done.err.contains(expected), "{args:?}: {}", done.err);
    };
    check(&["--tests", "t.jsonl", "hello"], "cannot score tests");
    check(&["--max-cost=-1", "hello"], "`max-cost` is no amount of money");
    check(&["--max-cycles", "0", "hello"], "`max-cycles` is not such a number");
    check(&["--epochs", "0", "hello"], "0 is not in 1..=100");
    check(&["--aprove", "accept", "hello"], "--approve");
    check(&["--approve", "acept", "hello"], "accept");
    check(&["--attach", "nowhere.txt", "hello"], "nowhere.txt cannot be read");
    check(&["--attach", ".", "hello"], "cannot be read");
    check(&["hello", "world"], "unexpected argument");
    assert!(user.expect(2, &["rum", "hello"]).err.contains("`run`"));
    assert!(user.expect(2, &[]).err.contains("mop run"));
    assert!(user.sessions().is_empty());
}

#[test]
fn help_is_no_error() {
    let user = User::new();
    let done = user.expect(0, &["run", "-h"]);
    assert!(done.out.contains("Examples:") && done.out.contains("Exit codes:"), "{}", done.out);
    assert!(user.expect(0, &["--version"]).out.starts_with("mop "));
}

#[test]
fn an_unknown_network_names_those_that_there_are() {
    let user = User::new();
    user.small_network("home/config/networks/mine");
    let done = user.expect(2, &["run", "--network", "symbolik", "hello"]);
    assert!(done.err.contains("did you mean `symbolic`?") && done.err.contains("mine"), "{}", done.err);
    let done = user.expect(2, &["run", "--network", "zzz", "hello"]);
    assert!(done.err.contains("networks: mine, ") && done.err.contains("symbolic"), "{}", done.err);
    let done = user.expect(2, &["run", "--network", "./zzz", "hello"]);
    assert!(done.err.contains("zzz"), "{}", done.err);
}

#[test]
fn a_limit_ends_with_3_and_no_verified_answer_with_6() {
    let user = User::new();
    let small = user.small_network("small");
    let done = user.expect(3, &["run", "--network", &small, "--max-cycles", "1", "hello"]);
    assert!(done.out.is_empty() && done.err.contains("a limit was reached"), "{}", done.err);
    user.write("deaf/network.toml", "extends = \"small\"\n");
    user.small_network("home/config/networks/small");
    let deaf = "# /// program\n# role = \"Cannot\"\n# contract = \"goal-check\"\n# writes = [\"gap\"]\n# ///\ndef run(task, memory, params):\n    return {\"contributions\": [{\"section\": \"gap\", \"text\": \"I cannot\", \"data\": {\"sort\": \"capability\"}}]}\n";
    user.write("deaf/goal-check.py", deaf);
    let done = user.expect(6, &["run", "--network", "./deaf", "hello"]);
    assert!(done.out.is_empty() && done.err.contains("I cannot"), "{}", done.err);
    let last = user.expect(6, &["run", "--json", "--network", "./deaf", "hello"]).json().pop().unwrap();
    assert_eq!((&last["answer"], &last["exit"], &last["halted"]), (&().into(), &6.into(), &"unanswerable".into()));
}

#[test]
fn several_epochs_print_the_last_answer_alone() {
    let user = User::new();
    let small = user.small_network("small");
    let done = user.expect(0, &["run", "--epochs", "3", "--network", &small, "hello"]);
    assert_eq!(done.out, "hello!\n");
    assert!(done.err.contains("epoch 1: hello!") && done.err.contains("epoch 2: hello!"), "{}", done.err);
}

#[test]
fn warnings_are_about_ones_own_files_alone() {
    let user = User::new();
    user.write("more/network.toml", "extends = \"symbolic\"\n");
    user.write(
        "more/odd.py",
        "# /// program\n# role = \"Odd\"\n# contract = \"worker\"\n# next = { nobdy = 0.5 }\n# ///\n",
    );
    let done = user.mop(&["run", "--network", "./more", "Who wrote Hamlet?"]);
    assert_eq!(done.err.matches(": warning: ").count(), 1, "{}", done.err);
    assert!(done.err.contains("no program is called `nobdy`"), "{}", done.err);
    user.write("more/broken.py", "# /// program\n# rolle = \"Odd\"\n# ///\n");
    let done = user.mop(&["run", "--network", "./more", "Who wrote Hamlet?"]);
    assert!(done.err.contains("broken.py:2:3: error") && done.err.contains("did you mean `role`?"), "{}", done.err);
}

#[cfg(unix)]
#[test]
fn a_signal_stops_at_a_whole_step_and_the_session_goes_on_later() {
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let user = User::new();
        let small = user.small_network("slow");
        user.write("slow/echo.py", SLOW);
        let mut child = user
            .command(&["run", "--json", "--network", &small, "hello"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut out = child.stdout.take().unwrap();
        let (mut seen, mut buffer) = (String::new(), [0_u8; 4096]);
        while !seen.contains("\"cycle\":2,\"mode\"") || !seen.contains("\"program\":\"echo\",\"hash\"") {
            let read = out.read(&mut buffer).unwrap();
            assert!(read > 0, "{seen}");
            seen.push_str(&String::from_utf8_lossy(&buffer[..read]));
        }
        let began = Instant::now();
        let status = std::process::Command::new("kill").args(["-s", signal, &child.id().to_string()]).status().unwrap();
        assert!(status.success());
        out.read_to_string(&mut seen).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(code), "{seen}");
        assert!(began.elapsed() < Duration::from_millis(1500), "{:?}", began.elapsed());
        let last: serde_json::Value = serde_json::from_str(seen.lines().last().unwrap()).unwrap();
        assert_eq!((&last["exit"], &last["answer"]), (&code.into(), &().into()));
        user.small_network("slow");
        assert_eq!(user.expect(0, &["resume"]).out, "hello!\n");
    }
}

/// Takes all the time that it gets.
const SLOW: &str = "# /// program\n# role = \"Dawdles\"\n# contract = \"solver\"\n# writes = [\"draft\"]\n# next = { goal-check = 1.0 }\n# deadline-ms = 10000\n# ///\n\n\ndef run(task, memory, params):\n    while True:\n        pass\n";

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_is_no_panic() {
    let user = User::new();
    let small = user.small_network("small");
    for args in
        [&["run", "--json", "--network", &small, "hello"][..], &["programs", "show", "echo", "--network", &small]]
    {
        // The reading end is gone before the first byte is written.
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut child = user.command(args).stdout(writer).stderr(Stdio::piped()).spawn().unwrap();
        let mut err = String::new();
        child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(141), "{err}");
        assert!(!err.contains("panicked"), "{err}");
    }
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut child =
        user.command(&["run", "--network", &small, "hi"]).stdout(Stdio::piped()).stderr(writer).spawn().unwrap();
    let mut out = String::new();
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    assert_eq!((child.wait().unwrap().code(), out.as_str()), (Some(0), "hi!\n"));
}
