//! Servers that are found, models that are chosen, keys that are typed, and the user as the model.

use super::*;
use crate::llm::{Card, EndpointSettings, Format, Found, Silent};
use crate::model::Hash;
use crate::tui::overlay::Overlay;

fn found(name: &str, named: bool, models: Result<&[&str], &str>) -> Found {
    Found {
        endpoint: EndpointSettings::new(name, Format::OpenAi, &format!("http://{name}/v1")),
        named,
        models: models
            .map(|models| models.iter().map(|model| (*model).to_owned()).collect())
            .map_err(|why| Silent { why: why.to_owned(), hint: String::new() }),
    }
}

fn f(n: u8) -> KeyEvent {
    KeyEvent::new(KeyCode::F(n), KeyModifiers::NONE)
}

fn card(id: u64, text: &str) -> Card {
    Card { id, program: Hash::of("nobody's"), text: text.to_owned() }
}

#[test]
fn what_answered_is_offered_in_one_line_and_taken_by_one_key() {
    let mut somebody = Somebody::new();
    let silent = found("named", true, Err("no answer within 1500 ms"));
    somebody.interface.servers.took(Ok(vec![silent, found("here", false, Ok(&["qwen", "other"]))]));
    let screen = somebody.screen(80, 24);
    assert!(screen.contains("found here with qwen: press F3 to use it, F2 to choose"), "{screen}");
    // The line is still being written, and goes on being so.
    somebody.keys(&["Solve"]).press(f(3));
    let all = Request::UseModel { server: 1, model: "qwen".to_owned(), tiers: vec!["fast", "standard", "strong"] };
    assert_eq!(somebody.asked_for, [all]);
    assert_eq!(somebody.interface.prompt.text(), "Solve");
    somebody.interface.servers.configured = true;
    assert!(!somebody.screen(80, 24).contains("found here"), "nothing is offered to who has a model");
}

#[test]
fn a_server_that_did_not_answer_is_shown_with_its_reason_and_cannot_be_chosen() {
    let mut somebody = Somebody::new();
    somebody.interface.servers.took(Ok(vec![found("named", true, Err("it answered 401")), found("b", true, Ok(&[]))]));
    somebody.press(f(2));
    let screen = somebody.screen(80, 24);
    assert!(screen.contains("it answered 401") && screen.contains("OPENAI_API_KEY is not set"), "{screen}");
    assert!(!screen.contains("found"), "{screen}");
    somebody.keys(&["Enter"]).press(f(3));
    assert!(somebody.asked_for.is_empty(), "{:?}", somebody.asked_for);
}

#[test]
fn a_model_is_chosen_for_one_tier_or_for_all() {
    let mut somebody = Somebody::new();
    somebody.interface.servers.took(Ok(vec![found("a", true, Ok(&["small", "large"]))]));
    somebody.press(f(2));
    somebody.keys(&["1", "Down", "3", "Enter"]);
    let chosen: Vec<(String, usize)> = somebody
        .asked_for
        .iter()
        .filter_map(|request| match request {
            Request::UseModel { model, tiers, .. } => Some((format!("{model} {}", tiers[0]), tiers.len())),
            _ => None,
        })
        .collect();
    assert_eq!(chosen, [("small fast".into(), 1), ("large strong".into(), 1), ("large fast".into(), 3)]);
}

#[test]
fn a_key_that_is_typed_is_neither_drawn_nor_printed() {
    let mut somebody = Somebody::new();
    somebody.press(f(2));
    assert_eq!(somebody.asked_for, [Request::LookForModels], "the first time it is looked for servers");
    somebody.interface.servers.took(Ok(Vec::new()));
    somebody.keys(&["a", "sk-canary"]);
    somebody.interface.paste("-0123", somebody.clock);
    let screen = somebody.screen(80, 24);
    assert!(screen.contains("**************") && !screen.contains("canary"), "{screen}");
    let printed = format!("{:?}", somebody.interface.overlays);
    assert!(matches!(somebody.interface.overlays.last(), Some(Overlay::Secret { .. })) && !printed.contains("canary"));
    somebody.keys(&["Enter"]);
    let Some(Request::KeepKey { name, key, .. }) = somebody.asked_for.last() else { panic!("it is kept") };
    assert_eq!((*name, key.0.as_str()), ("OPENAI_API_KEY", "sk-canary-0123"));
    assert!(!format!("{:?}", somebody.asked_for).contains("canary"));
    assert!(!somebody.screen(120, 40).contains("canary"));
}

#[test]
fn an_address_is_asked_until_it_is_one() {
    let mut somebody = Somebody::new();
    somebody.interface.servers.took(Ok(vec![found("a", true, Ok(&["m"]))]));
    somebody.press(f(2));
    somebody.keys(&["u", "Enter"]);
    assert!(somebody.screen(80, 24).contains("starts with http:// or https://"));
    somebody.keys(&["127.0.0.1:8081/v1/", "Enter"]);
    assert_eq!(somebody.asked_for, [Request::LookForModels]);
    assert_eq!(somebody.interface.servers.given, ["http://127.0.0.1:8081/v1"]);
}

#[test]
fn the_user_plays_the_model_and_nothing_that_was_typed_is_lost() {
    let mut somebody = Somebody::in_session(crate::tui::testing::PARTS, 40);
    somebody.press(f(4));
    assert!(somebody.screen(80, 24).contains("no prompt waits for you"));
    somebody.clock += 10_000;
    somebody.interface.tick(somebody.clock);
    let long: String = (1..=60).map(|line| format!("line {line}\n")).collect();
    somebody.interface.play.set(vec![card(7, &format!("# System\n\n{long}")), card(8, "# User\n\nsecond?")]);
    let screen = somebody.screen(80, 24);
    assert!(screen.contains("WAITING FOR YOU") && screen.contains("2 prompts wait for your reply   F4"), "{screen}");
    somebody.press(f(4));
    assert!(somebody.screen(80, 24).contains("# System") && somebody.screen(80, 24).contains("1 of 2"));
    somebody.keys(&["{\"a\":", "Enter", "1}"]);
    somebody.press(KeyEvent::new(KeyCode::PageDown, KeyModifiers::NONE));
    let screen = somebody.screen(120, 40);
    assert!(!screen.contains("# System") && screen.contains("line 9"), "{screen}");
    // Away and back, and to the other and back.
    somebody.keys(&["Esc"]);
    assert!(somebody.commands().is_empty(), "leaving it does not stop the run");
    somebody.press(f(4));
    somebody.keys(&["Ctrl+n", "other"]);
    somebody.press(KeyEvent::new(KeyCode::Char('b'), KeyModifiers::CONTROL));
    somebody.keys(&["Ctrl+s"]);
    assert_eq!(somebody.asked_for.last(), Some(&Request::Reply { id: 7, text: "{\"a\":\n1}".to_owned() }));
    assert!(somebody.screen(80, 24).contains("second?"), "the next one is there at once");
    // It is taken away, and asked again under another number.
    somebody.interface.play.set(Vec::new());
    assert!(somebody.screen(80, 24).contains("no prompt waits any more"));
    somebody.interface.play.set(vec![card(9, "# User\n\nsecond?")]);
    somebody.keys(&["Ctrl+s"]);
    assert_eq!(somebody.asked_for.last(), Some(&Request::Reply { id: 9, text: "other".to_owned() }));
    assert!(somebody.interface.overlays.is_empty());
}

#[test]
fn lists_and_prompts_are_drawn_at_every_size_and_foreign_text_steers_nothing() {
    let hostile = "\x1b[2J\u{202e}漢字 👩‍👩‍👧 e\u{301} ";
    let mut somebody = Somebody::in_session(crate::tui::testing::PARTS, 40);
    somebody
        .interface
        .servers
        .took(Ok(vec![found(hostile, true, Ok(&[hostile, "m"])), found("b", true, Err(hostile))]));
    somebody.interface.play.set(vec![card(1, &hostile.repeat(40))]);
    for key in [2, 4] {
        somebody.press(f(key));
        for (width, height) in (0..50).flat_map(|width| (0..20).map(move |height| (width * 3, height * 2))) {
            let screen = somebody.screen(width, height);
            assert!(!screen.contains(['\x1b', '\u{202e}']), "{width}×{height}");
        }
    }
}
