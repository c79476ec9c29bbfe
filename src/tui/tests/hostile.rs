//! A hostile session: every text tries to break out.

use std::sync::Arc;

use super::super::action::Room;
use super::super::testing::IMPROVED;
use super::{Somebody, events};
use crate::model::{Envelope, Event, LogEntry};

const TEXTS: [&str; 6] = [
    "\x1b[2J\x1b[31mred\x07",
    "\u{202e}drawkcab\u{202c}",
    "👨‍👩‍👧‍👦 ❤\u{fe0f} 🇫🇷 👍🏽",
    "漢字かな交じり文漢字かな交じり文",
    "e\u{301}\u{301}\u{301}\u{301}\u{301}",
    "\u{9b}31m\u{9d}0;title\u{9c}",
];

/// The same session with each text made hostile.
fn poisoned(index: usize, envelope: &Envelope) -> Envelope {
    let evil = |text: &str| format!("{}{text}{}", TEXTS[index % 6], TEXTS[(index + 3) % 6]);
    let mut envelope = envelope.clone();
    match &mut envelope.event {
        Event::Contributed { contribution } => {
            let contribution = Arc::make_mut(contribution);
            contribution.text =
                if index.is_multiple_of(7) { evil("x").repeat(20_000) } else { evil(&contribution.text) };
        }
        Event::ToolCalled { tool, .. } => *tool = evil(tool),
        Event::ProposalRaised { proposal } => {
            let proposal = Arc::make_mut(proposal);
            proposal.title = evil(&proposal.title);
            proposal.evidence.critique = evil(&proposal.evidence.critique);
            for change in &mut proposal.changes {
                change.after = change.after.as_ref().map(|text| Arc::from(text.replace("def ", &evil("def "))));
            }
        }
        Event::Halted { why, .. } => *why = evil(why),
        Event::Paused { why } => *why = evil(why),
        Event::EpisodeEnded { outcome } => {
            let outcome = Arc::make_mut(outcome);
            outcome.answer = outcome.answer.as_ref().map(|answer| evil(answer));
        }
        Event::Monologue { entry } => {
            *entry = Arc::new(LogEntry { text: evil(&entry.text), ..(**entry).clone() });
        }
        _ => {}
    }
    envelope
}

#[test]
fn nothing_foreign_reaches_the_terminal_and_no_border_breaks() {
    let mut somebody = Somebody::new();
    for (index, envelope) in events(IMPROVED).iter().enumerate() {
        somebody.interface.event(Arc::new(poisoned(index, envelope)));
    }
    somebody.interface.writing = false;
    for (width, height) in [(45, 14), (80, 24), (120, 40), (200, 60)] {
        for room in Room::ALL {
            for zoomed in [false, true] {
                somebody.interface.focus_on(room);
                somebody.interface.zoomed = zoomed;
                let buf = somebody.buffer(width, height);
                let text = super::super::testing::text_of(&buf);
                let bad = |c: char| {
                    (c.is_control() && c != '\n') || matches!(c, '\u{200d}' | '\u{202a}'..='\u{202e}' | '\u{fe0f}')
                };
                assert!(!text.contains(bad), "{room:?} at {width}×{height}: {:?}", text.chars().find(|c| bad(*c)));
                for (room, place) in somebody.interface.layout().panes {
                    let sides: Vec<&str> =
                        (place.top() + 1..place.bottom() - 1).map(|y| buf[(place.right() - 1, y)].symbol()).collect();
                    let whole = sides.iter().all(|side| *side == "│" || *side == "┃");
                    assert!(whole, "{room:?} at {width}×{height}: {sides:?}\n{text}");
                }
            }
        }
    }
}
