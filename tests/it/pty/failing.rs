//! Faults of ours: a panic leaves a terminal that can be used and a session that goes on. Only a debug build has
//! the keys for it.

use super::leaving::{goes_on, is_given_back};
use super::session::ask_step_by_step;
use super::*;
use crate::cli::User;

/// Keys with which a debug build fails.
const F12: &str = "\x1b[24~";
const SHIFT_F12: &str = "\x1b[24;2~";

#[test]
fn a_panic_is_read_on_the_normal_screen_and_the_session_goes_on() {
    let user = User::new();
    let mut terminal = Terminal::mop(&user, &Setup::default());
    ask_step_by_step(&mut terminal);
    terminal.keys(F12);
    assert_eq!(terminal.end(), 101);
    is_given_back(&terminal);
    let seen = terminal.screen();
    assert!(seen.has("F12 was pressed in a debug build"), "{seen:?}");
    assert!(seen.rows.iter().any(|row| row.starts_with("thread 'main'")), "{seen:?}");
    goes_on(&user, 0);
}

#[test]
fn a_panic_elsewhere_spares_the_screen_and_is_reported_at_the_end() {
    let user = User::new();
    let mut terminal = Terminal::mop(&user, &Setup::default());
    ask_step_by_step(&mut terminal);
    terminal.keys(SHIFT_F12);
    terminal.keys(" ");
    let seen = terminal.wait_for("cycle 1", |seen| seen.top().contains("PAUSED  cycle 1/"));
    assert!(seen.alternate && !terminal.written().contains("F12 with Shift"), "{seen:?}");
    terminal.keys("q");
    assert_eq!(terminal.end(), 0);
    is_given_back(&terminal);
    assert!(terminal.screen().has("F12 with Shift was pressed"), "{:?}", terminal.screen());
}
