//! Asking, answering, stopping, leaving.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::super::request::Request;
use super::super::testing::IMPROVED;
use super::Somebody;
use crate::model::{Attachment, Breakpoint, Command, Query, Step};

#[test]
fn a_question_is_asked_with_enter_and_stepped_with_f10() {
    for (key, step) in [("Enter", false), ("F10", true)] {
        let mut somebody = Somebody::new();
        somebody.keys(&["Solve 3x = 6", key]);
        let begin = Request::Begin { query: Query::new("Solve 3x = 6"), first: Vec::new(), step };
        assert_eq!(somebody.asked_for, [begin]);
        assert!(!somebody.interface.writing);
    }
}

#[test]
fn breakpoints_that_were_set_before_go_with_the_question() {
    let mut somebody = Somebody::new();
    somebody.keys(&["Esc", "B", "a", "j > 0.5", "Enter", "d", "Esc", "i", "1+1", "Enter"]);
    let set = vec![Breakpoint::Above(0.5), Breakpoint::DeltaBelow(0.0)];
    let first = vec![Command::Breakpoints(set)];
    assert_eq!(somebody.asked_for, [Request::Begin { query: Query::new("1+1"), first, step: false }]);
}

#[test]
fn a_file_goes_with_the_next_question_alone() {
    let mut somebody = Somebody::new();
    somebody.keys(&["/attach notes/a b.txt", "Enter"]);
    assert_eq!(somebody.asked_for, [Request::Attach("notes/a b.txt".into())]);
    assert!(somebody.interface.writing, "the question is still to come");
    let file = Attachment { name: "a b.txt".into(), text: "x".into(), image: None };
    somebody.interface.attach(file.clone());
    somebody.keys(&["What is in it?", "Enter"]);
    let query = Query { attachments: vec![file], ..Query::new("What is in it?") };
    assert_eq!(somebody.asked_for.last(), Some(&Request::Begin { query, first: Vec::new(), step: false }));
    assert!(somebody.interface.attached.is_empty());
}

#[test]
fn nothing_is_asked_with_an_empty_line() {
    let mut somebody = Somebody::new();
    somebody.keys(&["Enter", "i", "   ", "Enter", "Space", "c", "s"]);
    // The blanks were typed into the line, and so were the keys that came after them.
    assert_eq!(somebody.asked_for, []);
}

#[test]
fn pasted_lines_are_one_text_and_are_not_sent() {
    let mut somebody = Somebody::new();
    somebody.interface.paste("Solve\n3x = 6\n", 2_000_000);
    assert_eq!(somebody.interface.prompt.text(), "Solve\n3x = 6");
    assert_eq!(somebody.asked_for, []);
    somebody.keys(&["Enter"]);
    assert!(matches!(&somebody.asked_for[..], [Request::Begin { query, .. }] if query.text == "Solve\n3x = 6"));
}

#[test]
fn escape_stops_and_neither_leaves_nor_decides() {
    let mut running = Somebody::in_session(IMPROVED, 17);
    running.keys(&["Esc"]);
    assert_eq!(running.commands(), [Command::Interrupt]);
    let mut ended = Somebody::in_session(IMPROVED, u64::MAX);
    ended.keys(&["4", "Esc", "Esc", "Esc", "Esc"]);
    assert_eq!(ended.asked_for, []);
}

#[test]
fn leaving_takes_two_interrupts_or_one_wish() {
    let mut somebody = Somebody::in_session(IMPROVED, u64::MAX);
    somebody.keys(&["Ctrl+c"]);
    assert_eq!(somebody.asked_for, []);
    somebody.clock += 5_000;
    somebody.keys(&["Ctrl+c"]);
    assert_eq!(somebody.asked_for, [], "the first is long ago");
    somebody.keys(&["Ctrl+c"]);
    assert_eq!(somebody.asked_for, [Request::Quit]);
    let mut running = Somebody::in_session(IMPROVED, 17);
    running.keys(&["q", "n", "q", "Esc", "q"]);
    assert_eq!(running.asked_for, []);
    running.keys(&["y"]);
    assert_eq!(running.asked_for, [Request::Quit]);
}

#[test]
fn stepping_asks_for_steps() {
    let mut somebody = Somebody::in_session(IMPROVED, 15);
    somebody.keys(&["Space", "s", "c"]);
    let steps = [Command::Step { step: Step::Cycle }, Command::Step { step: Step::Program }, Command::Run];
    assert_eq!(somebody.commands(), steps);
}

#[test]
fn escape_and_a_key_at_once_are_both() {
    let mut somebody = Somebody::in_session(IMPROVED, 15);
    somebody.keys(&["B"]);
    somebody.press(KeyEvent::new(KeyCode::Char(' '), KeyModifiers::ALT));
    assert!(somebody.interface.overlays.is_empty());
    assert_eq!(somebody.commands(), [Command::Step { step: Step::Cycle }]);
}

#[test]
fn what_is_said_while_it_runs_is_a_message() {
    let mut somebody = Somebody::in_session(IMPROVED, 15);
    somebody.keys(&["i", "prefer closed forms", "Enter"]);
    assert_eq!(somebody.commands(), [Command::Say { text: "prefer closed forms".into() }]);
}

#[test]
fn any_action_can_be_found_by_its_words() {
    let mut somebody = Somebody::in_session(IMPROVED, 15);
    somebody.keys(&[":", "take one cycle", "Enter"]);
    assert_eq!(somebody.commands(), [Command::Step { step: Step::Cycle }]);
    assert!(somebody.interface.overlays.is_empty());
}

#[test]
fn a_mistyped_breakpoint_stays_to_be_mended() {
    let mut somebody = Somebody::in_session(IMPROVED, 15);
    somebody.keys(&["B", "a", "contract critik", "Enter"]);
    assert!(somebody.screen(120, 40).contains("contract critik"));
    assert!(somebody.interface.message.as_ref().unwrap().text.contains("critic"));
    assert_eq!(somebody.commands(), []);
}
