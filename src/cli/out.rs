//! Standard output and error: nothing here panics when a reader went away.

use std::fmt::Display;
use std::io::{self, ErrorKind, IsTerminal, Write};

use super::{exit, leave, text};

/// Prints a line on standard output; a reader that went away ends the process quietly.
pub(super) fn line(text: impl Display) {
    write(&format!("{text}\n"));
}

/// Prints text as it is on standard output.
pub(super) fn write(text: &str) {
    let mut out = io::stdout().lock();
    if let Err(error) = out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        if error.kind() == ErrorKind::BrokenPipe {
            leave(exit::BROKEN_PIPE);
        }
        say(format!("mop: standard output cannot be written: {error}"));
        leave(exit::INTERNAL);
    }
}

/// Prints foreign text on standard output: as it is where that is a file or a pipe, made safe where it is a terminal.
pub(super) fn foreign(text: &str) {
    let end = if text.ends_with('\n') || text.is_empty() { "" } else { "\n" };
    if io::stdout().is_terminal() {
        write(&format!("{}{end}", text::block(text)));
    } else {
        write(&format!("{text}{end}"));
    }
}

/// Prints a line for people on standard error. Where nobody reads it, nothing is lost.
pub(super) fn say(text: impl Display) {
    let _ = writeln!(io::stderr().lock(), "{}", text::block(&text.to_string()));
}

/// Shows a line on standard error that the next one replaces; false where that is no terminal, and nothing is shown.
pub(super) fn replace(text: &str) -> bool {
    let mut err = io::stderr().lock();
    if !err.is_terminal() {
        return false;
    }
    let _ = write!(err, "\r\u{1b}[K{}", text::plain(text)).and_then(|()| err.flush());
    true
}

/// Whether people see standard error as it is written, in a terminal that can take a line back.
pub(super) fn is_watched() -> bool {
    io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|value| value != "dumb")
}

/// Puts a clean line in the place of the last one on standard error, where the next line takes its place; nothing takes it
/// away.
pub(super) fn passing(line: &str) {
    let mut err = io::stderr().lock();
    let _ = write!(err, "\r\u{1b}[K{line}").and_then(|()| err.flush());
}

/// A colour, by what it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tone {
    /// Added, passed.
    Good,
    /// Removed, failed.
    Bad,
    /// Undecided.
    Unsure,
}

/// Paints a text where standard output is a terminal that shows colours and the user did not ask for none.
pub(super) fn paint(tone: Tone, text: &str) -> String {
    if !colours() {
        return text.to_owned();
    }
    let code = match tone {
        Tone::Good => 32,
        Tone::Bad => 31,
        Tone::Unsure => 33,
    };
    format!("\u{1b}[{code}m{text}\u{1b}[0m")
}

fn colours() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
    io::stdout().is_terminal() && !set("NO_COLOR") && !dumb
}
