//! Copies text: into the multiplexer, by the display's own tool, or by asking the terminal. The message says which, and claims
//! no more than is known.

use std::io::{self, Write, stdout};
use std::process::{Command, Stdio};

use crossterm::clipboard::CopyToClipboard;
use crossterm::execute;

/// Most bytes that a terminal is asked to take; many ignore more.
const TERMINAL: usize = 74_000;

/// Copies a text and says how.
pub(super) fn copy(text: &str, env: &dyn Fn(&str) -> Option<String>) -> Result<String, String> {
    let has = |name: &str| env(name).is_some_and(|value| !value.is_empty());
    let size = format!("{} characters", text.chars().count());
    if has("TMUX") && feed("tmux", &["load-buffer", "-w", "-"], text).is_ok() {
        return Ok(format!("{size} are in the tmux buffer"));
    }
    let local = !has("SSH_CONNECTION");
    if local && has("WAYLAND_DISPLAY") && feed("wl-copy", &[], text).is_ok() {
        return Ok(format!("{size} are in the clipboard (wl-copy)"));
    }
    if local && has("DISPLAY") && feed("xclip", &["-selection", "clipboard"], text).is_ok() {
        return Ok(format!("{size} are in the clipboard (xclip)"));
    }
    if local && cfg!(target_os = "macos") && feed("pbcopy", &[], text).is_ok() {
        return Ok(format!("{size} are in the clipboard (pbcopy)"));
    }
    if text.len() > TERMINAL {
        return Err(format!("{size} are too many for the terminal to take, and no clipboard tool was found"));
    }
    execute!(stdout(), CopyToClipboard::to_clipboard_from(text)).map_err(|error| error.to_string())?;
    Ok(format!("{size} were sent to the terminal, which does not say whether it took them"))
}

/// Gives a text to a program that copies it; does not wait for programs that stay.
fn feed(program: &str, arguments: &[&str], text: &str) -> io::Result<()> {
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    match child.stdin.take() {
        Some(mut pipe) => pipe.write_all(text.as_bytes()),
        None => Ok(()),
    }
}
