//! A proposed repair in pane 4: half of it, nothing of it, all of it; and the run after it.

use std::time::Duration;

use super::*;
use crate::cli::User;

/// The deciding keys sleep after the pane was opened; a user reads in that time.
const READING: Duration = Duration::from_millis(400);

fn diff(user: &User) -> String {
    user.expect(0, &["programs", "diff", "0", "head"]).out
}

fn added(diff: &str) -> Vec<&str> {
    diff.lines().filter(|line| line.starts_with('+') && !line.starts_with("+++")).collect()
}

#[test]
fn half_a_repair_is_taken_taken_back_and_then_the_whole_is_used() {
    let user = User::new();
    let mut terminal = Terminal::mop(&user, &Setup { args: &[QUESTION], size: (120, 40), ..Setup::default() });
    terminal.see("1 proposed edit waits");
    // Enter approves nothing, and a key that comes at once decides nothing.
    terminal.keys("4Aw");
    terminal.see("not yet");
    terminal.keys("A\r\r");
    terminal.silent_for(READING);
    assert!(diff(&user).is_empty());

    // The second hunk mends the script; the first keeps the question as its test.
    terminal.keys("]a");
    terminal.see("hunk 2/2 · 1 chosen");
    terminal.silent_for(READING);
    terminal.keys("w");
    terminal.see("is accepted as revision");
    let half = diff(&user);
    assert_eq!(added(&half).len(), 1, "{half}");
    assert!(added(&half)[0].contains("satisfying(equations"), "{half}");

    terminal.keys("u");
    terminal.see("waits again");
    assert!(diff(&user).is_empty(), "what was taken is taken back: {}", diff(&user));

    terminal.silent_for(READING);
    terminal.keys("A");
    terminal.see("2 chosen");
    terminal.silent_for(READING);
    terminal.keys("w");
    terminal.see("is accepted as revision");
    assert!(added(&diff(&user)).len() > 3, "{}", diff(&user));

    terminal.keys("R");
    let end = terminal.wait_for("the second run", |seen| {
        seen.top().contains("ENDED: converged") && seen.top().contains("of question 2")
    });
    assert!(end.top().contains("cycle 6/"), "the mended script needs a cycle less: {end:?}");
    terminal.keys("3z");
    terminal.see("the run before");
    terminal.keys("q");
    assert_eq!(terminal.end(), 0);
}
