//! What is wrong is said before the terminal is taken, or in it where it does not matter so much.

use std::fs;

use super::*;
use crate::cli::User;

#[test]
fn without_a_terminal_there_is_advice() {
    let user = User::new();
    let done = user.expect(2, &[]);
    assert!(done.err.contains("needs a terminal") && done.err.contains("mop run -"), "{}", done.err);
    assert_eq!(done.out, "");
}

/// The binary in a terminal, which refuses to begin: what it says, and nothing was done to the terminal.
fn refused(user: &User, args: &[&str]) -> String {
    let mut terminal = Terminal::mop(user, &Setup { args, ..Setup::default() });
    assert_eq!(terminal.end(), 2, "{:?}", terminal.screen());
    let written = terminal.written();
    assert!(!written.contains("\x1b[?1049h"), "{written:?}");
    assert_eq!(terminal.modes().0, terminal.modes().1);
    written
}

#[test]
fn mistakes_in_arguments_are_named_before_anything_is_drawn() {
    let user = User::new();
    let text = refused(&user, &["resumee"]);
    assert!(text.contains("no subcommand is called `resumee`") && text.contains("did you mean `resume`"), "{text}");
    let text = refused(&user, &["--theme", "nope"]);
    assert!(text.contains("no theme is called `nope`"), "{text}");
    for theme in ["terminal", "dusk", "paper"] {
        assert!(text.contains(theme), "{text}");
    }
    let text = refused(&user, &["--open", "nothing"]);
    assert!(text.contains("nothing"), "{text}");
    assert_eq!(user.sessions(), [""; 0]);
}

#[test]
fn broken_keys_are_reported_and_the_usual_ones_work() {
    let user = User::new();
    let keys = user.write("home/config/keys.toml", "step = [\n");
    let mut terminal = Terminal::mop(&user, &Setup { size: (160, 40), ..Setup::default() });
    let seen = terminal.wait_for("the report", |seen| seen.message().contains("keys.toml"));
    assert!(seen.top().contains("READY"), "{seen:?}");
    terminal.keys(ESC);
    terminal.wait_for("no caret", |seen| seen.cursor.is_none());
    terminal.keys("?");
    terminal.see("type to search");
    terminal.keys(ESC);
    terminal.wait_for("no help", |seen| !seen.has("type to search"));
    terminal.keys("q");
    assert_eq!(terminal.end(), 0);

    fs::write(keys, "help = [\"H\"]\nquitt = [\"x\"]\n").unwrap();
    let mut terminal = Terminal::mop(&user, &Setup { size: (160, 40), ..Setup::default() });
    terminal.wait_for("the report", |seen| seen.message().contains("no action is called `quitt`"));
    terminal.keys(ESC);
    terminal.wait_for("no caret", |seen| seen.cursor.is_none());
    terminal.keys("H");
    terminal.see("type to search");
}
