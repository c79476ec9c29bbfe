//! A session from the first frame to the last words.

use super::*;
use crate::cli::User;

/// Types a question and lets it stand still before its first program.
pub(super) fn ask_step_by_step(terminal: &mut Terminal) {
    terminal.see("READY");
    terminal.keys(QUESTION);
    terminal.see(&format!(" > {QUESTION}"));
    terminal.keys(F10);
    terminal.wait_for("the first program", |seen| seen.top().contains("PAUSED") && seen.message().contains("next: "));
}

#[test]
fn a_question_is_stepped_looked_back_at_and_answered() {
    let user = User::new();
    let mut terminal = Terminal::mop(&user, &Setup { size: (120, 40), ..Setup::default() });
    let first = terminal.see("READY");
    assert!(first.alternate && first.cursor == Some((3, 38)), "{first:?}");
    assert!(first.top().starts_with(" symbolic  READY") && first.top().contains("no model"), "{first:?}");
    ask_step_by_step(&mut terminal);
    let paused = terminal.see("cycle 0/");
    assert!(paused.message().contains("router"), "{paused:?}");
    assert_eq!(paused.cursor, None);

    terminal.keys("B");
    terminal.see("no stop is set");
    terminal.keys("d");
    terminal.wait_for("the breakpoint", |seen| seen.has("dJ < 0"));
    terminal.keys(ESC);
    terminal.wait_for("no overlay", |seen| !seen.has("Where a run stops"));

    // Each step says who is next.
    terminal.keys(" ");
    let one = terminal.wait_for("cycle 1", |seen| seen.top().contains("PAUSED  cycle 1/"));
    assert!(one.message().contains("next: synthesizer"), "{one:?}");
    terminal.keys(" ");
    let two = terminal.wait_for("cycle 2", |seen| seen.top().contains("PAUSED  cycle 2/"));
    assert!(two.message().contains("next: algebra"), "{two:?}");

    terminal.keys("c");
    let stop = terminal.wait_for("the stop", |seen| seen.top().contains("PAUSED  cycle 3/"));
    assert!(stop.top().contains("J 0.00 -.10") || stop.top().contains("J 0.00 -0.10"), "{stop:?}");
    terminal.see("breakpoint");

    terminal.keys("S");
    terminal.wait_for("the past", |seen| {
        seen.top().contains("LOOKING AT CYCLE 2") && seen.message().contains("looking at the past")
    });
    terminal.keys(",");
    terminal.wait_for("further back", |seen| seen.top().contains("LOOKING AT CYCLE 1"));
    terminal.keys(".");
    terminal.wait_for("on again", |seen| seen.top().contains("LOOKING AT CYCLE 2"));
    terminal.keys("L");
    terminal.wait_for("the present", |seen| seen.top().contains("PAUSED  cycle 3/"));

    terminal.keys("c");
    let end = terminal.see("ENDED: converged");
    assert!(end.top().contains("cycle 7/") && end.top().contains("J 1.00"), "{end:?}");
    terminal.wait_for("the answer", |seen| seen.message().contains("x = 6   verified, J 1.00, 7 cycles"));
    // The edit that a program proposes afterwards is a word in the message line, and takes nothing over.
    let waits = terminal.see("1 proposed edit waits");
    assert!(waits.top().contains("ENDED"), "{waits:?}");

    terminal.keys("q");
    assert_eq!(terminal.end(), 0);
    let left = terminal.screen();
    assert!(!left.alternate && left.cursor.is_some(), "{left:?}");
    let id = user.sessions().pop().unwrap();
    let words: Vec<&str> = left.rows.iter().map(String::as_str).filter(|row| !row.is_empty()).collect();
    assert_eq!(words.len(), 5, "{left:?}");
    assert_eq!(words[0], "answer   x = 6");
    assert_eq!(words[1], "J        1.00, verified");
    assert!(words[2].starts_with("cost     nothing, 0 tokens, "), "{left:?}");
    assert_eq!(words[3], format!("session  {id}"));
    assert_eq!(words[4], format!("go on    mop --open {id}"));
    super::leaving::is_given_back(&terminal);
}
