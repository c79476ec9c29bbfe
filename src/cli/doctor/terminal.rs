//! What the terminal can show, and where copied text goes.

use std::io::{IsTerminal, stdout};

use super::{Check, Env};

const AREA: &str = "terminal";

pub(super) fn checks(env: Env<'_>) -> Vec<Check> {
    let mut all = Vec::new();
    let term = env("TERM").unwrap_or_default();
    match (stdout().is_terminal(), term.as_str()) {
        (false, _) => {
            all.push(Check::ok(AREA, "standard output is no terminal: `mop run` works, the interface does not"))
        }
        (true, "" | "dumb") => {
            let next = "set TERM to what your terminal is, such as xterm-256color";
            all.push(Check::warning(AREA, "TERM says that nothing can be drawn", next));
        }
        (true, _) => {
            let size = size().map_or("size unknown".to_owned(), |(columns, rows)| format!("{columns}×{rows}"));
            all.push(Check::ok(AREA, format!("{term}, {size}, {}", colours(env, &term))));
            if size_is_small() {
                all.push(Check::warning(
                    AREA,
                    "it is smaller than 80×24",
                    "enlarge it: panes give way in a smaller one",
                ));
            }
        }
    }
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(|name| env(name)).unwrap_or_default().to_lowercase();
    if !locale.contains("utf-8") && !locale.contains("utf8") && cfg!(target_os = "linux") {
        let next = "set LANG to a locale with UTF-8, such as C.UTF-8, or draw with --ascii";
        all.push(Check::warning(AREA, "the locale does not say UTF-8", next));
    }
    let multiplexer = [("TMUX", "tmux"), ("ZELLIJ", "zellij"), ("STY", "screen")];
    if let Some((_, name)) = multiplexer.iter().find(|(variable, _)| env(variable).is_some()) {
        all.push(Check::ok(AREA, format!("inside {name}")));
    }
    all.push(Check::ok(AREA, format!("copied text goes to {}", clipboard(env))));
    all
}

fn colours(env: Env<'_>, term: &str) -> &'static str {
    let true_colour = env("COLORTERM").is_some_and(|value| value.contains("truecolor") || value.contains("24bit"));
    match () {
        () if env("NO_COLOR").is_some() => "no colours (NO_COLOR)",
        () if true_colour => "true colour",
        () if term.contains("256") => "256 colours",
        () => "16 colours",
    }
}

/// The way that the interface takes, as far as it can be known without taking it.
fn clipboard(env: Env<'_>) -> &'static str {
    let local = env("SSH_CONNECTION").is_none();
    let has = |program: &str| {
        env("PATH").is_some_and(|path| std::env::split_paths(&path).any(|folder| folder.join(program).is_file()))
    };
    match () {
        () if env("TMUX").is_some() && has("tmux") => "the tmux buffer, and on to the terminal where tmux allows it",
        () if local && env("WAYLAND_DISPLAY").is_some() && has("wl-copy") => "the clipboard, by wl-copy",
        () if local && env("DISPLAY").is_some() && has("xclip") => "the clipboard, by xclip",
        () if local && cfg!(target_os = "macos") => "the clipboard, by pbcopy",
        () => "the terminal (OSC 52), which does not say whether it takes it",
    }
}

fn size_is_small() -> bool {
    size().is_some_and(|(columns, rows)| columns < 80 || rows < 24)
}

#[cfg(all(unix, feature = "tui"))]
fn size() -> Option<(u16, u16)> {
    let size = rustix::termios::tcgetwinsize(rustix::stdio::stdout()).ok()?;
    Some((size.ws_col, size.ws_row)).filter(|(columns, rows)| *columns > 0 && *rows > 0)
}

#[cfg(not(all(unix, feature = "tui")))]
fn size() -> Option<(u16, u16)> {
    None
}
