//! What running programs stream, as the pane shows it.

use std::sync::Arc;

use serde_json::json;

use super::super::*;
use crate::model::{ActivationId, CallRecord, Contribution, Envelope, Event, Streamed};
use crate::tui::testing::{IMPROVED, Stage};

/// A session in the middle of a step in which these programs run.
fn running(programs: &[&str]) -> Stage {
    let mut stage = Stage::of(IMPROVED, 40);
    let (task, contract) = stage
        .live
        .timeline()
        .events()
        .iter()
        .find_map(|envelope| match &envelope.event {
            Event::Activated { task, contract, .. } => Some((task.clone(), *contract)),
            _ => None,
        })
        .unwrap();
    for (id, program) in (100..).zip(programs) {
        let activated = Event::Activated {
            activation: ActivationId(id),
            program: (*program).into(),
            hash: crate::model::Hash::of("h"),
            contract,
            task: task.clone(),
            view: crate::model::Hash::of("v"),
            aside: false,
        };
        push(&mut stage, activated);
    }
    stage
}

fn push(stage: &mut Stage, event: Event) {
    let last = stage.live.timeline().events().last().unwrap();
    let delta = matches!(event, Event::Delta { .. });
    let seq = Seq(last.seq.0 + u64::from(!delta));
    let envelope = Envelope { v: 1, seq, at: last.at, cause: None, event };
    stage.live.push(Arc::new(envelope));
}

fn stream(stage: &mut Stage, id: u32, what: Streamed, text: &str) {
    push(stage, Event::Delta { activation: ActivationId(id), text: text.to_owned(), what });
}

fn sent() -> Streamed {
    Streamed::Sent { endpoint: "local".into(), input: 1200, context: Some(16_384) }
}

fn call(tool: &str) -> Arc<CallRecord> {
    Arc::new(CallRecord { tool: tool.into(), args: json!(["17*23"]), result: Ok(json!("391")), micros: 1 })
}

#[test]
fn programs_that_stream_at_once_are_told_apart_and_each_has_its_share() {
    let mut stage = running(&["one", "two", "three", "four"]);
    for id in 100..104 {
        stream(&mut stage, id, sent(), "qwen");
        for n in 0..50 {
            stream(&mut stage, id, Streamed::Text, &format!("line {n} of {id}\n"));
        }
    }
    let drawn = stage.draw(&Stream::default(), 80, 16);
    let lines: Vec<&str> = drawn.lines().collect();
    for (at, name) in ["one", "two", "three", "four"].iter().enumerate() {
        let head = lines[at * 4];
        assert!(head.starts_with(&format!("▸ {name}  qwen at local  ~")), "{drawn}");
        assert!(head.contains("of 16.4k tokens (8%)"), "{head}");
        assert_eq!(lines[at * 4 + 3], format!("  line 49 of {}", 100 + at), "the newest at its end");
    }
}

#[test]
fn reasoning_is_a_glimpse_until_it_is_wanted() {
    let mut stage = running(&["one"]);
    stream(&mut stage, 100, sent(), "qwen");
    stream(&mut stage, 100, Streamed::Reasoning, "first thought\nsecond thought");
    let mut pane = Stream::default();
    let drawn = stage.draw(&pane, 80, 4);
    assert!(drawn.contains("thinks, ~10 tokens\n  second thought") && !drawn.contains("first thought"), "{drawn}");
    stream(&mut stage, 100, Streamed::Text, "the answer");
    let drawn = stage.draw(&pane, 80, 4);
    assert!(drawn.ends_with("  thinks, ~10 tokens\n  the answer\n"), "{drawn}");
    pane.act(Action::StreamThoughts, &stage.scene(), Rect::new(0, 0, 80, 4));
    let drawn = stage.draw(&pane, 80, 4);
    assert!(drawn.ends_with("  first thought\n  second thought\n  the answer\n"), "{drawn}");
}

#[test]
fn calls_stand_with_their_results_and_what_was_streamed_gives_way_to_what_counts() {
    let mut stage = running(&["one", "two"]);
    for id in [100, 101] {
        stream(&mut stage, id, sent(), "qwen");
        stream(&mut stage, id, Streamed::Text, &format!("streamed by {id}"));
        stream(&mut stage, id, Streamed::Call, "calculate");
    }
    assert!(stage.draw(&Stream::default(), 80, 12).contains("    calls calculate…"));
    stream(&mut stage, 100, Streamed::Returned { call: call("calculate") }, "");
    let took = Streamed::Took { input: 1000, output: 20, estimated: false, dollars: Some(0.25) };
    stream(&mut stage, 100, took, "");
    let drawn = stage.draw(&Stream::default(), 80, 12);
    assert!(drawn.contains("    calculate(17*23) → 391") && drawn.contains("calls calculate…"), "{drawn}");
    assert_eq!((stage.live.usage().tokens, stage.live.usage().written), (1020, 20));
    let before = stage.live.now().memory.iter().next_back().cloned().unwrap();
    let id = stage.live.now().memory.next_id();
    let contribution =
        Contribution { id, activation: Some(ActivationId(100)), text: "what counts".into(), ..(*before).clone() };
    push(&mut stage, Event::Contributed { contribution: Arc::new(contribution) });
    let drawn = stage.draw(&Stream::default(), 80, 12);
    assert!(drawn.contains("what counts") && !drawn.contains("streamed by 100"), "{drawn}");
    assert!(drawn.contains("streamed by 101"), "the other one is not done: {drawn}");
    assert_eq!(stage.live.usage().tokens, 1020, "no figure falls in between");
    let usage = crate::model::Usage { tokens: 1020, written: 20, calls: 1, ..Default::default() };
    push(&mut stage, Event::BudgetUsed { usage });
    assert_eq!(stage.live.usage().tokens, 1020);
    push(&mut stage, Event::Resumed { rewound_to: None });
    assert!(!stage.draw(&Stream::default(), 80, 12).contains("streamed by"));
}

#[test]
fn scrolled_up_into_a_stream_it_stays_there_and_the_way_down_leads_to_its_end() {
    let mut stage = running(&["one"]);
    let area = Rect::new(0, 0, 60, 8);
    for n in 0..40 {
        stream(&mut stage, 100, Streamed::Text, &format!("line {n}\n"));
    }
    let mut pane = Stream::default();
    for _ in 0..10 {
        pane.act(Action::Up, &stage.scene(), area);
    }
    let before = stage.draw(&pane, 60, 8);
    assert!(before.ends_with("  line 29\n"), "{before}");
    for n in 40..80 {
        stream(&mut stage, 100, Streamed::Text, &format!("line {n}\n"));
    }
    assert_eq!(stage.draw(&pane, 60, 8), before, "more of it moves nothing");
    assert!(pane.heading(&stage.scene()).right.contains("more comes"));
    for _ in 0..200 {
        pane.act(Action::Up, &stage.scene(), area);
    }
    assert!(stage.draw(&pane, 60, 8).starts_with("question 1"));
    for _ in 0..500 {
        pane.act(Action::Down, &stage.scene(), area);
    }
    assert_eq!(pane.anchor, None);
    assert!(stage.draw(&pane, 60, 8).ends_with("  line 79\n"));
}

#[test]
fn a_wait_is_counted_down_a_second_at_a_time() {
    let mut stage = running(&["one"]);
    let at = stage.live.timeline().events().last().unwrap().at;
    stream(&mut stage, 100, Streamed::Waiting { left: Some(11_500) }, "rate-limited by local");
    assert!(stage.draw(&Stream::default(), 80, 12).contains("? waits 12 s: rate-limited by local"));
    assert_eq!(stage.live.next_second(at), Some(at + 500));
    assert_eq!(stage.live.next_second(at + 500), Some(at + 1_500));
    assert_eq!(stage.live.next_second(at + 10_600), Some(at + 11_500));
    assert_eq!(stage.live.next_second(at + 11_500), None, "nothing ticks when nothing waits");
    stream(&mut stage, 100, Streamed::Text, "x");
    assert_eq!(stage.live.next_second(at), None);
}

#[test]
fn hostile_streams_are_safe_at_any_size() {
    let evil = "\x1b[2J\u{202e}漢字👨‍👩‍👧 \x07".repeat(1000);
    let mut stage = running(&["\x1b[31mred\u{202e}", "two"]);
    for id in [100, 101] {
        let sent = Streamed::Sent { endpoint: evil.clone(), input: u64::MAX, context: Some(1) };
        stream(&mut stage, id, sent, &evil);
        for what in [Streamed::Reasoning, Streamed::Again, Streamed::Text, Streamed::Call] {
            stream(&mut stage, id, what, &evil);
        }
        stream(&mut stage, id, Streamed::Returned { call: call(&evil) }, "");
        stream(&mut stage, id, Streamed::Skipped { bytes: u64::MAX }, "");
    }
    stream(&mut stage, 101, Streamed::Waiting { left: Some(u64::MAX) }, &evil);
    let mut pane = Stream::default();
    pane.shown.thoughts = true;
    stage.every_size(&pane);
}
