//! What is written to the terminal: no more than has to be, and nothing that it cannot show.

use std::time::Duration;

use super::session::ask_step_by_step;
use super::*;
use crate::cli::User;

/// All numbers that set a style, in the order in which they came.
fn styles(bytes: &[u8]) -> Vec<Vec<u16>> {
    let text = String::from_utf8_lossy(bytes);
    let mut found = Vec::new();
    for part in text.split("\x1b[").skip(1) {
        let end = part.find(|c: char| !c.is_ascii_digit() && c != ';' && c != ':').unwrap_or(part.len());
        if part[end..].starts_with('m') {
            found.push(part[..end].split([';', ':']).map(|number| number.parse().unwrap_or(0)).collect());
        }
    }
    found
}

fn is_colour(number: u16) -> bool {
    (30..=49).contains(&number) || (90..=107).contains(&number)
}

/// Opens what there is to see, and gives all that was written.
fn tour(setup: &Setup<'_>) -> Vec<u8> {
    let user = User::new();
    let mut terminal = Terminal::mop(&user, setup);
    ask_step_by_step(&mut terminal);
    terminal.keys(" ");
    terminal.wait_for("cycle 1", |seen| seen.top().contains("PAUSED  cycle 1/"));
    terminal.keys("?");
    terminal.see("type to search");
    terminal.keys(ESC);
    terminal.wait_for("no help", |seen| !seen.has("type to search"));
    terminal.keys("q");
    assert_eq!(terminal.end(), 0);
    terminal.bytes_since(0)
}

#[test]
fn a_screen_is_never_erased_and_each_frame_is_one_piece() {
    let bytes = tour(&Setup::default());
    let text = String::from_utf8_lossy(&bytes);
    for erased in ["\x1b[2J", "\x1b[3J", "\x1b[J", "\x1b[0J", "\x1b[1J", "\x1bc"] {
        assert!(!text.contains(erased), "{erased:?}");
    }
    let frames: Vec<&str> = text.split("\x1b[?2026h").skip(1).collect();
    assert!(frames.len() > 5, "{}", frames.len());
    for frame in &frames {
        assert!(frame.contains("\x1b[?2026l"), "a frame has no end: {frame:?}");
        let drawn = frame.split("\x1b[?2026l").next().unwrap();
        assert!(drawn.matches("\x1b[?25h").count() <= 1, "the cursor is shown twice: {drawn:?}");
        let (shown, moved) = (drawn.rfind("\x1b[?25h"), drawn.rfind('m'));
        assert!(shown.is_none() || moved < shown, "something is drawn while the cursor is seen: {drawn:?}");
    }
    // Outside of frames there are only the modes that are set at the beginning and at the end, and the last words.
    let begins = text.split("\x1b[?2026h").next().unwrap();
    assert_eq!(begins, "\x1b[?1049h\x1b[?25l\x1b[?2004h\x1b[?1004h");
    for frame in &frames[..frames.len() - 1] {
        assert_eq!(frame.split("\x1b[?2026l").nth(1), Some(""), "bytes between frames");
    }
    // Nothing is asked of the terminal, so that nothing waits for an answer.
    for question in ["\x1b[c", "\x1b[>c", "\x1b[6n", "\x1b]11;?", "\x1b[?u", "\x1bP+q"] {
        assert!(!text.contains(question), "{question:?}");
    }
}

#[test]
fn what_stands_still_writes_nothing() {
    let user = User::new();
    let mut terminal = Terminal::mop(&user, &Setup::default());
    terminal.see("READY");
    terminal.silent_for(WINDOW);
    ask_step_by_step(&mut terminal);
    let paused = terminal.silent_for(WINDOW);
    assert!(paused.top().contains("PAUSED"), "{paused:?}");
    terminal.keys("c");
    terminal.see("ENDED: converged");
    terminal.see("proposed edit waits");
    let ended = terminal.silent_for(WINDOW);
    assert!(ended.message().contains("x = 6   verified"), "{ended:?}");
    // A key that changes nothing writes nothing either: the next bytes are those of the key after it.
    let mark = terminal.mark();
    terminal.keys("L");
    terminal.keys(CTRL_L);
    terminal.frame_since(mark);
    let frames = String::from_utf8(terminal.bytes_since(mark)).unwrap();
    assert_eq!(frames.matches("\x1b[?2026h").count(), 1, "{frames:?}");
}

const WINDOW: Duration = Duration::from_millis(1500);

#[test]
fn colours_are_those_that_the_terminal_has() {
    let none = styles(&tour(&Setup { env: &[("NO_COLOR", "1")], ..Setup::default() }));
    let coloured: Vec<&Vec<u16>> = none.iter().filter(|style| style.iter().any(|one| is_colour(*one))).collect();
    assert!(coloured.is_empty(), "{coloured:?}");
    assert!(none.iter().any(|style| style.contains(&1)), "without colour, bold must carry what matters");

    let sixteen = styles(&tour(&Setup { env: &[("TERM", "xterm")], args: &["--theme", "dusk"], ..Setup::default() }));
    assert!(sixteen.iter().any(|style| style.iter().any(|one| is_colour(*one))));
    let more: Vec<&Vec<u16>> = sixteen.iter().filter(|style| style.contains(&38) || style.contains(&48)).collect();
    assert!(more.is_empty(), "{more:?}");

    let has = |all: &[Vec<u16>], pair: [u16; 2]| all.iter().any(|style| style.windows(2).any(|two| two == pair));
    let many = styles(&tour(&Setup { args: &["--theme", "dusk"], ..Setup::default() }));
    assert!(has(&many, [38, 5]) && !has(&many, [38, 2]));
    let env = &[("COLORTERM", "truecolor")];
    let all = styles(&tour(&Setup { env, args: &["--theme", "dusk"], ..Setup::default() }));
    assert!(has(&all, [38, 2]) && !has(&all, [38, 5]));
}

#[test]
fn ascii_is_ascii() {
    let bytes = tour(&Setup { args: &["--ascii"], ..Setup::default() });
    let text = String::from_utf8(bytes).unwrap();
    let frames: String =
        text.split("\x1b[?2026h").skip(1).filter_map(|frame| frame.split("\x1b[?2026l").next()).collect();
    let drawing: Vec<char> = frames.chars().filter(|c| ('\u{2500}'..='\u{25ff}').contains(c)).collect();
    assert!(drawing.is_empty(), "{drawing:?}");
}
