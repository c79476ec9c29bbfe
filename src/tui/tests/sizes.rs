//! Every size, every pane, every overlay.

use ratatui::layout::Size;

use super::super::action::Room;
use super::super::overlay::Overlay;
use super::super::pane::Purpose;
use super::super::screen::Screen;
use super::super::testing::{IMPROVED, PARTS, text_of};
use super::Somebody;

fn overlays() -> Vec<Overlay> {
    vec![
        Overlay::help(),
        Overlay::palette(),
        Overlay::breaks(),
        Overlay::ask(Purpose::Break, "stop when", "漢字 \x1b[2J"),
        Overlay::edit(Purpose::Program("x".into()), "a program", "def main():\n    return '👨‍👩‍👧'\n"),
        Overlay::settings(),
        Overlay::sessions(Vec::new()),
        Overlay::confirm_quit(),
    ]
}

#[test]
fn no_size_breaks_any_pane_or_overlay() {
    let mut stages = [
        Somebody::new(),
        Somebody::in_session(IMPROVED, 62),
        Somebody::in_session(IMPROVED, u64::MAX),
        Somebody::in_session(PARTS, u64::MAX),
    ];
    for (index, somebody) in stages.iter_mut().enumerate() {
        for width in 1..=60u16 {
            for height in 1..=30u16 {
                // Each combination of size and pane comes up in one of the stages, and all of them over the sizes.
                let turn = usize::from(width) + usize::from(height) * 7 + index;
                somebody.interface.focus_on(Room::ALL[turn % 6]);
                somebody.interface.zoomed = turn % 5 == 0;
                somebody.interface.overlays = overlays().into_iter().skip(turn % 17).take(1).collect();
                somebody.buffer(width, height);
            }
        }
        for (width, height) in [(80, 24), (100, 16), (120, 40), (160, 30), (200, 60), (300, 20)] {
            for room in Room::ALL {
                for zoomed in [false, true] {
                    somebody.interface.focus_on(room);
                    somebody.interface.zoomed = zoomed;
                    somebody.interface.overlays.clear();
                    somebody.buffer(width, height);
                }
            }
        }
    }
}

#[test]
fn an_incremental_screen_is_the_same_as_a_full_one() {
    let mut somebody = Somebody::in_session(IMPROVED, u64::MAX);
    let mut screen = Screen::new(Vec::new());
    let mut terminal = vt100::Parser::new(40.try_into().unwrap(), 120.try_into().unwrap(), 0);
    let keys: [&[&str]; 12] = [
        &["1"],
        &["S"],
        &[","],
        &["2", "Down"],
        &["?"],
        &["Esc", "3"],
        &["z"],
        &["z", "4"],
        &[":"],
        &["fork", "Esc"],
        &["L", "5"],
        &["i", "漢字 and 👨‍👩‍👧"],
    ];
    for (step, pressed) in keys.into_iter().enumerate() {
        somebody.keys(pressed);
        let (width, height) = [(120u16, 40u16), (80, 24), (37, 13)][step / 4 % 3];
        terminal.screen_mut().set_size(height.try_into().unwrap(), width.try_into().unwrap());
        somebody.interface.resize(Size::new(width, height));
        let interface = &somebody.interface;
        let mut full = String::new();
        screen
            .draw(Size::new(width, height), |buf| {
                let caret = interface.draw(buf);
                full = text_of(buf);
                caret
            })
            .unwrap();
        terminal.process(&screen.take_written());
        let shown: Vec<String> = terminal.screen().rows(0, width).map(|row| row.trim_end().to_owned()).collect();
        let full: Vec<&str> = full.lines().collect();
        assert_eq!(shown, full, "after {pressed:?}");
    }
}

#[test]
fn each_size_says_how_the_run_stands() {
    let mut somebody = Somebody::in_session(IMPROVED, 62);
    for (width, height) in [(30, 5), (45, 14), (80, 24), (120, 40), (200, 60)] {
        let screen = somebody.screen(width, height);
        assert!(screen.contains("RUNNING"), "{width}×{height}\n{screen}");
    }
}

#[test]
fn ascii_is_ascii() {
    let mut somebody = Somebody::in_session(IMPROVED, u64::MAX);
    somebody.keys(&["Ctrl+t", "Down", "Down", "Down", "Down", "Space", "Esc"]);
    for room in Room::ALL {
        for size in [(80, 24), (120, 40), (200, 60)] {
            somebody.interface.focus_on(room);
            let screen = somebody.screen(size.0, size.1);
            let odd: String = screen.chars().filter(|c| !c.is_ascii()).collect();
            assert!(odd.is_empty(), "{room:?} {size:?}: {odd}\n{screen}");
        }
    }
}
