//! Typing and pasting: nothing is lost, and nothing is sent that was not meant to be.

use super::session::ask_step_by_step;
use super::*;
use crate::cli::User;

#[test]
fn a_paste_is_one_piece_and_never_sends() {
    let user = User::new();
    let mut terminal = Terminal::mop(&user, &Setup::default());
    terminal.see("READY");
    terminal.paste("first line\nsecond line\n");
    let seen =
        terminal.wait_for("both lines", |seen| seen.low(2) == " > first line" && seen.low(1) == "   second line");
    assert!(seen.top().contains("READY"), "{seen:?}");
    assert_eq!(seen.cursor, Some((14, 28)));
    // Terminals take the mark of the end out of what is pasted. One that does not types the rest, and that is all.
    terminal.keys(CTRL_C);
    terminal.see("the line is cleared");
    terminal.paste("one\x1b[201~two\x1b[31mred");
    let seen = terminal.wait_for("the text", |seen| seen.prompt() == " > onetwored");
    assert!(seen.top().contains("READY"), "{seen:?}");
    assert_eq!(user.sessions(), [""; 0]);
}

#[test]
fn a_paste_with_control_characters_is_plain_text() {
    let user = User::new();
    let mut terminal = Terminal::mop(&user, &Setup::default());
    terminal.see("READY");
    let mark = terminal.mark();
    terminal.paste("a\x1b[31mb\x07c\rd\x1b]52;c;x\x1b\\e\u{202e}f");
    let seen = terminal.see(" > a[31mbc");
    assert!(seen.top().contains("READY"), "{seen:?}");
    let bytes = String::from_utf8(terminal.bytes_since(mark)).unwrap();
    for hostile in ["\x1b[31m", "\x07", "\x1b]52", "\u{202e}"] {
        assert!(!bytes.contains(hostile), "{hostile:?}: {bytes:?}");
    }
    assert_eq!(user.sessions(), [""; 0]);
}

#[test]
fn two_hundred_keys_while_a_run_goes_on_are_all_there() {
    let user = User::new();
    let mut terminal = Terminal::mop(&user, &Setup { size: (230, 40), ..Setup::default() });
    ask_step_by_step(&mut terminal);
    terminal.keys("i");
    terminal.wait_for("the caret", |seen| seen.cursor.is_some());
    let words: String = ('a'..='z').cycle().take(200).collect();
    let (first, rest) = words.split_at(3);
    terminal.keys(first);
    terminal.keys(ESC);
    terminal.wait_for("no caret", |seen| seen.cursor.is_none() && seen.prompt() == " > abc");
    // The run goes on, and the keys come faster than it.
    terminal.keys("ci");
    for key in rest.chars() {
        terminal.keys(key.encode_utf8(&mut [0; 4]));
    }
    let seen = terminal.wait_for("the text", |seen| seen.prompt() == format!(" > {words}"));
    assert_eq!(seen.cursor, Some((203, 38)));
    let end = terminal.see("ENDED: converged");
    assert_eq!(end.prompt(), format!(" > {words}"));
}

#[test]
fn a_key_that_comes_together_with_a_resize_is_not_kept_back() {
    let user = User::new();
    let mut terminal = Terminal::mop(&user, &Setup { size: (100, 20), ..Setup::default() });
    terminal.see("READY");
    for typed in 1..=20 {
        terminal.resize(100 + typed % 3, 20 + typed % 2);
        terminal.keys("k");
        let text = format!(" > {}", "k".repeat(usize::from(typed)));
        terminal.wait_for(&text, |seen| seen.prompt() == text);
    }
}

#[test]
fn a_message_to_a_run_is_kept() {
    let user = User::new();
    let mut terminal = Terminal::mop(&user, &Setup::default());
    ask_step_by_step(&mut terminal);
    terminal.keys("i");
    terminal.see("say something to the run");
    terminal.keys("mind the sign");
    terminal.see("mind the sign");
    terminal.keys(ENTER);
    terminal.see("kept; the programs see it");
    terminal.keys(F5);
    terminal.wait_for("the answer", |seen| seen.message().contains("x = 6   verified"));
    terminal.keys("q");
    assert_eq!(terminal.end(), 0);
    let journal = std::fs::read_to_string(user.journal(&user.sessions()[0])).unwrap();
    assert!(journal.contains("mind the sign"));
}
