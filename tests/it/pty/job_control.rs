//! Ctrl+Z and `fg`, in a shell with job control.

use portable_pty::CommandBuilder;

use super::session::ask_step_by_step;
use super::*;
use crate::cli::User;

#[test]
fn ctrl_z_gives_the_terminal_to_the_shell_and_fg_takes_it_back() {
    let user = User::new();
    let mut bash = CommandBuilder::new("bash");
    bash.args(["--norc", "--noprofile", "-i"]);
    let mop = env!("CARGO_BIN_EXE_mop");
    let env = &[("PS1", "shell> "), ("MOP", mop), ("HISTFILE", "")];
    let mut terminal = Terminal::start(&user, &Setup { env, ..Setup::default() }, bash);
    terminal.see("shell>");
    let (_, usual) = terminal.modes();
    terminal.keys("\"$MOP\"\r");
    ask_step_by_step(&mut terminal);
    let before = terminal.screen();

    for _ in 0..2 {
        let mark = terminal.mark();
        terminal.keys(CTRL_Z);
        terminal.wait_for("the shell", |seen| !seen.alternate && seen.has("Stopped"));
        let bytes = String::from_utf8_lossy(&terminal.bytes_since(mark)).into_owned();
        for mode in ["?1049l", "?2004l", "?1004l", "?1000l", "?1003l", "?25h"] {
            assert!(bytes.contains(mode), "{mode}: {bytes:?}");
        }
        // The shell is one to work in.
        terminal.keys("echo $((40+2)) and on\r");
        let seen = terminal.see("42 and on");
        assert!(seen.cursor.is_some(), "{seen:?}");
        assert!(!terminal.screen().alternate);
        terminal.keys("clear\r");
        terminal.wait_for("a clear screen", |seen| !seen.has("42 and on"));

        terminal.keys("fg\r");
        let after = terminal.wait_for("the interface", |seen| seen.alternate && seen.top().contains("PAUSED"));
        assert_eq!(after.styled, before.styled, "{after:?}\nbefore:\n{before:?}");
    }
    terminal.keys(" ");
    terminal.wait_for("cycle 1", |seen| seen.top().contains("PAUSED  cycle 1/"));
    terminal.keys("q");
    terminal.see("go on    mop --open");
    terminal.keys("echo code $?\r");
    terminal.see("code 0");
    // The shell takes its own modes a moment after its prompt.
    terminal.wait_for_modes(&usual);
    terminal.keys("exit\r");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn a_stop_from_outside_is_survived() {
    use rustix::process::Signal;
    let user = User::new();
    let mut terminal = Terminal::mop(&user, &Setup::default());
    ask_step_by_step(&mut terminal);
    let before = terminal.screen();
    terminal.signal(Signal::STOP);
    // What a shell writes meanwhile is not known to the program.
    let mark = terminal.mark();
    terminal.signal(Signal::CONT);
    terminal.frame_since(mark);
    terminal.keys("?");
    terminal.see("type to search");
    terminal.keys(ESC);
    let after = terminal.wait_for("no help", |seen| !seen.has("type to search"));
    assert_eq!(after.rows, before.rows);
}
