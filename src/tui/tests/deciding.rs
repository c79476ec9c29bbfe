//! Decisions on proposals: never by accident, by hunk, and they can be taken back.

use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::super::action::Room;
use super::super::request::Request;
use super::super::testing::IMPROVED;
use super::{Somebody, events};
use crate::model::{Command, Envelope, Event, ProposalId, Seq};

/// The proposal of the recorded session, as one more of its kind.
fn proposal(number: u64) -> Event {
    let found = events(IMPROVED).into_iter().find_map(|envelope| match &envelope.event {
        Event::ProposalRaised { proposal } => Some(proposal.clone()),
        _ => None,
    });
    let mut proposal = (*found.unwrap()).clone();
    proposal.id = ProposalId::new(format!("p-{number:04}"));
    Event::ProposalRaised { proposal: Arc::new(proposal) }
}

fn raise(somebody: &mut Somebody, number: u64) {
    let last = somebody.interface.live.now().seq;
    let envelope = Envelope { v: 1, seq: Seq(last.0 + 1), at: somebody.clock, cause: None, event: proposal(number) };
    somebody.interface.event(Arc::new(envelope));
}

fn decides(request: &Request) -> bool {
    matches!(request, Request::Send(Command::Decide { .. }))
}

/// A session in which one proposal waits: that of the record, before it was accepted.
pub(super) fn waiting() -> Somebody {
    let decided = events(IMPROVED).into_iter().find_map(|envelope| match &envelope.event {
        Event::ProposalDecided { .. } => Some(envelope.seq.0),
        _ => None,
    });
    Somebody::in_session(IMPROVED, decided.unwrap() - 1)
}

#[test]
fn a_thousand_proposals_that_arrive_while_somebody_types_decide_nothing() {
    let mut somebody = Somebody::in_session(IMPROVED, 17);
    let typed = "yes please apply a w all of it w\tX a A w\u{1b}iw4aw";
    let mut seed = 7_u64;
    for (number, c) in typed.chars().cycle().take(1000).enumerate() {
        raise(&mut somebody, number as u64);
        // Typed fast: a key each 1 to 60 milliseconds, in any pane, often in the line.
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        somebody.clock += 1 + (seed >> 33) % 60;
        let code = match c {
            '\t' => KeyCode::Tab,
            '\u{1b}' => KeyCode::Esc,
            c => KeyCode::Char(c),
        };
        if seed.is_multiple_of(11) {
            somebody.interface.key(KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE), somebody.clock);
        }
        somebody.interface.key(KeyEvent::new(code, KeyModifiers::NONE), somebody.clock);
        let made = somebody.interface.take_requests();
        let on_purpose = somebody.interface.focus == Room::Edits && !somebody.interface.writing;
        assert!(on_purpose || !made.iter().any(decides), "{c:?} after {number} proposals: {made:?}");
        // Whoever has the pane open and chosen hunks may apply them; nobody here has had the time to.
        assert!(!made.iter().any(decides), "{c:?} after {number} proposals: {made:?}");
    }
    assert_eq!(somebody.interface.queue.waiting(), 1000);
}

#[test]
fn enter_never_approves() {
    let mut somebody = waiting();
    somebody.keys(&["4", "Enter", "a", "Enter", "A", "Enter", "Enter", "Esc", "Enter"]);
    assert!(!somebody.asked_for.iter().any(decides), "{:?}", somebody.asked_for);
}

#[test]
fn a_badge_comes_and_the_focus_stays() {
    let mut somebody = waiting();
    somebody.interface.focus_on(Room::Memory);
    let before = somebody.interface.queue.waiting();
    raise(&mut somebody, 1);
    assert_eq!(somebody.interface.focus, Room::Memory);
    assert_eq!(somebody.interface.queue.waiting(), before + 1);
    assert!(somebody.screen(80, 24).contains("Edits"), "the tab carries the badge");
    assert!(somebody.screen(120, 40).contains("2 proposed edits wait"));
}

#[test]
fn the_chosen_hunk_is_what_is_sent() {
    let mut somebody = waiting();
    somebody.keys(&["4", "]", "w"]);
    assert!(!somebody.asked_for.iter().any(decides), "nothing was chosen");
    let count = somebody.interface.queue.open().next().unwrap().hunk_count();
    assert!(count >= 2, "the recorded proposal has two hunks");
    somebody.keys(&["a", "w"]);
    let sent: Vec<Vec<usize>> = somebody
        .commands()
        .into_iter()
        .filter_map(|command| match command {
            Command::Decide { decision, .. } => Some(decision.accept),
            _ => None,
        })
        .collect();
    assert_eq!(sent.len(), 1);
    assert_eq!(sent[0].len(), 1);
}

#[test]
fn a_decision_is_taken_back_with_one_key() {
    let mut somebody = Somebody::in_session(IMPROVED, u64::MAX);
    let id = somebody.interface.queue.all().iter().map(|(proposal, _)| proposal.id.clone()).next().unwrap();
    somebody.keys(&["4", "u"]);
    assert_eq!(somebody.commands(), [Command::Reopen { id }]);
    somebody.keys(&["u"]);
    assert_eq!(somebody.commands().len(), 1, "there was one decision");
}

#[test]
fn an_edit_that_changes_nothing_proposes_nothing_and_one_that_does_is_proposed_as_it_is() {
    let mut somebody = Somebody::in_session(IMPROVED, 15);
    somebody.keys(&["1", "e", "Ctrl+s"]);
    assert_eq!(somebody.commands(), []);
    somebody.keys(&["e", "# mine ", "Ctrl+s"]);
    let commands = somebody.commands();
    let [Command::Propose { changes, .. }] = &commands[..] else { panic!("{commands:?}") };
    let before = changes[0].before.as_deref().unwrap();
    assert_eq!(changes[0].after.as_deref().unwrap(), format!("# mine {before}"));
}
