//! Any size, changed at any time: what is shown is what a fresh frame of that size would be.

use std::time::Duration;

use super::*;
use crate::cli::User;

/// Sizes without a pattern, the same at each run of the test.
fn sizes(count: usize) -> impl Iterator<Item = (u16, u16)> {
    let mut at = 0x2545_f491_u32;
    let mut next = move |below: u32| {
        at ^= at << 13;
        at ^= at >> 17;
        at ^= at << 5;
        u16::try_from(at % below + 1).unwrap()
    };
    (0..count).map(move |step| if step % 5 == 0 { (next(12), next(5)) } else { (next(210), next(60)) })
}

/// What is shown is what is shown after everything was drawn anew.
fn is_fresh(terminal: &mut Terminal) -> Seen {
    let before = terminal.silent_for(Duration::from_millis(150));
    let mark = terminal.mark();
    terminal.keys(CTRL_L);
    terminal.frame_since(mark);
    let after = terminal.silent_for(Duration::from_millis(150));
    assert_eq!(before.styled, after.styled, "shown:\n{before:?}\nfresh:\n{after:?}");
    assert_eq!(before, after);
    after
}

#[test]
fn any_number_of_resizes_leaves_the_screen_of_the_last_size() {
    let user = User::new();
    let mut terminal = Terminal::mop(&user, &Setup { args: &[QUESTION], ..Setup::default() });
    terminal.wait_for("a run", |seen| seen.top().contains("cycle"));
    for (columns, rows) in sizes(50) {
        terminal.resize(columns, rows);
    }
    terminal.resize(120, 40);
    terminal.see("ENDED: converged");
    terminal.see("proposed edit waits");
    is_fresh(&mut terminal);
    // Now one after the other, each of which is waited for.
    for (columns, rows) in sizes(25) {
        let mark = terminal.mark();
        terminal.resize(columns, rows);
        terminal.frame_since(mark);
        is_fresh(&mut terminal);
    }
    // There and back within one frame: what the small terminal lost comes again.
    for (columns, rows) in [(90, 25), (5, 2), (90, 25), (89, 24), (90, 25)] {
        terminal.resize(columns, rows);
    }
    terminal.wait_for("the size", |seen| seen.low(0).contains("quit") || seen.low(0).contains("help"));
    let seen = is_fresh(&mut terminal);
    assert!(seen.top().contains("ENDED: converged") && seen.width == 90, "{seen:?}");

    terminal.keys("q");
    assert_eq!(terminal.end(), 0);
    let mut again = Terminal::mop(&user, &Setup { args: &["--open", "last"], size: (90, 25), ..Setup::default() });
    again.see("proposed edit waits");
    assert_eq!(is_fresh(&mut again), seen);
}

#[test]
fn a_tiny_terminal_says_how_the_run_stands() {
    let user = User::new();
    let mut terminal = Terminal::mop(&user, &Setup { args: &[QUESTION], size: (30, 3), ..Setup::default() });
    let end = terminal.wait_for("the end", |seen| seen.top().contains("ENDED: converged cycle 7"));
    assert_eq!(end.cursor, None);
    terminal.resize(1, 1);
    // A word that is cut says so.
    terminal.wait_for("one cell", |seen| seen.rows == ["…"]);
    terminal.keys("q");
    assert_eq!(terminal.end(), 0);
}
