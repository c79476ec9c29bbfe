//! Ways out: from everywhere, and the terminal is as it was.

use std::time::Duration;

use rustix::process::Signal;

use super::session::ask_step_by_step;
use super::*;
use crate::cli::{SMALL, User};

/// What must be said to a terminal that is given back.
const GIVEN_BACK: [&str; 9] = ["?2026l", "?1049l", "?2004l", "?1004l", "?1000l", "?1002l", "?1003l", "?1006l", "?25h"];

/// The terminal is as before: every mode, the line discipline, and the normal screen.
pub(super) fn is_given_back(terminal: &Terminal) {
    let written = terminal.written();
    let last = written.rfind("\x1b[?2026h").unwrap_or(0);
    for mode in GIVEN_BACK {
        assert!(written[last..].contains(&format!("\x1b[{mode}")), "{mode} is missing: {:?}", &written[last..]);
    }
    let (before, now) = terminal.modes();
    assert_eq!(before, now);
    let seen = terminal.screen();
    assert!(!seen.alternate && seen.cursor.is_some(), "{seen:?}");
}

#[test]
fn ctrl_c_twice_leaves_from_everywhere() {
    // What opens it, and what is seen then.
    let places = [
        ("", "type a question"),
        ("half a question", "half a question"),
        ("\x1b?", "type to search"),
        ("\x1b:", "Commands"),
        ("\x1bB", "Where a run stops"),
        ("\x1bw", "watch an expression"),
        ("\x1bm", "note at this cycle"),
        ("\x0f", "there is no session yet"),
        ("\x14", "Settings"),
    ];
    let user = User::new();
    for (keys, words) in places {
        let mut terminal = Terminal::mop(&user, &Setup::default());
        terminal.see("READY");
        if let Some(rest) = keys.strip_prefix(ESC) {
            terminal.keys(ESC);
            // Without the prompt there is no caret.
            terminal.wait_for("no caret", |seen| seen.cursor.is_none());
            terminal.keys(rest);
        } else {
            terminal.keys(keys);
        }
        terminal.see(words);
        terminal.keys(CTRL_C);
        if !keys.is_empty() {
            terminal.wait_for("what is open is closed", |seen| {
                !seen.has(words) || seen.message().contains("Ctrl+C again leaves")
            });
        }
        terminal.keys(CTRL_C);
        assert_eq!(terminal.end(), 0, "{words}");
        is_given_back(&terminal);
    }
}

#[test]
fn q_leaves_and_asks_first_while_something_runs() {
    let user = User::new();
    let mut terminal = Terminal::mop(&user, &Setup::default());
    ask_step_by_step(&mut terminal);
    // What stands still is left without a question.
    terminal.keys("q");
    assert_eq!(terminal.end(), 0);
    assert!(terminal.screen().has(&format!("stopped after cycle 0: {QUESTION}")), "{:?}", terminal.screen());

    let slow = slow_network(&user);
    let mut terminal = Terminal::mop(&user, &Setup { args: &["hello", "--network", &slow], ..Setup::default() });
    terminal.wait_for("a run", |seen| seen.top().contains("RUNNING"));
    terminal.keys("q");
    terminal.see("Leave while a question is being worked on?");
    terminal.keys("n");
    terminal.wait_for("no question", |seen| !seen.has("Leave while"));
    terminal.keys("q");
    terminal.see("Leave while a question is being worked on?");
    terminal.keys("y");
    assert_eq!(terminal.end(), 0);
    is_given_back(&terminal);
}

/// A network whose solver takes its time, so that a run is under way for a while.
fn slow_network(user: &User) -> String {
    let name = user.small_network("slow");
    let (path, text) = SMALL[2];
    let waits = "    for turn in range(20000000):\n        pass\n    # one\n";
    user.write(&format!("slow/{path}"), &text.replace("    # one\n", waits));
    name
}

#[test]
fn signals_leave_with_their_code_and_lose_nothing() {
    for (signal, code) in [(Signal::TERM, 143), (Signal::HUP, 129)] {
        let user = User::new();
        let mut terminal = Terminal::mop(&user, &Setup::default());
        ask_step_by_step(&mut terminal);
        terminal.keys(" ");
        terminal.wait_for("cycle 1", |seen| seen.top().contains("PAUSED  cycle 1/"));
        terminal.signal(signal);
        assert_eq!(terminal.end(), code);
        is_given_back(&terminal);
        goes_on(&user, 1);
    }
}

#[test]
fn a_lost_terminal_ends_it_and_loses_nothing() {
    let user = User::new();
    // There is nothing left to write to, and still it must not stay for ever.
    let code = terminal::lost(&user, &[QUESTION], "RUNNING");
    assert_eq!(code, Some(129));
    assert_eq!(user.expect(0, &["resume"]).out, "x = 6\n");
}

/// The one session on disk is whole, was left at this cycle, and comes to its answer.
pub(super) fn goes_on(user: &User, cycle: u64) {
    let listed = user.expect(0, &["sessions", "list", "--json"]).json();
    let session = &listed[0][0];
    assert_eq!((&session["state"], &session["cycles"]), (&"unfinished".into(), &cycle.into()), "{session}");
    assert_eq!(user.expect(0, &["resume"]).out, "x = 6\n");
}

#[test]
fn what_is_killed_in_the_middle_of_a_run_goes_on() {
    let user = User::new();
    let mut terminal = Terminal::mop(&user, &Setup { args: &[QUESTION], ..Setup::default() });
    terminal.wait_for("a run", |seen| seen.top().contains("RUNNING  cycle"));
    terminal.signal(Signal::KILL);
    terminal.end();

    let mut terminal = Terminal::mop(&user, &Setup { args: &["--open", "last"], ..Setup::default() });
    let found = terminal.wait_for("the session", |seen| seen.top().contains("cycle "));
    assert!(!found.top().contains("ENDED"), "it was killed too late: {found:?}");
    // Nothing goes on by itself.
    let still = terminal.silent_for(Duration::from_millis(300));
    assert_eq!(still.top(), found.top());
    terminal.keys(" ");
    terminal.wait_for("a step", |seen| seen.top() != found.top() && seen.top().contains("PAUSED"));
    terminal.keys("c");
    terminal.wait_for("the answer", |seen| seen.message().contains("x = 6   verified"));
}
