use std::sync::Arc;

use super::*;
use crate::model::{ActivationId, CallRecord, ContributionId, Envelope};
use crate::tui::scene::Glyphs;
use crate::tui::testing::{IMPROVED, PARTS, Stage};

fn push(stage: &mut Stage, event: Event) {
    let seq = stage.live.timeline().events().last().map_or(1, |last| last.seq.0 + 1);
    stage.live.push(Arc::new(Envelope { v: 1, seq: Seq(seq), at: 0, cause: None, event }));
}

fn say(stage: &mut Stage, text: &str) {
    push(stage, Event::Said { text: text.to_owned() });
}

fn rows(text: &str) -> Vec<&str> {
    text.lines().collect()
}

#[test]
fn a_cycle_reads_as_a_story() {
    let stage = Stage::of(PARTS, 111);
    let pane = Stream { show: Show { calls: Calls::Hidden, thoughts: false }, ..Stream::default() };
    let drawn = stage.draw(&pane, 78, 22);
    insta::assert_snapshot!(drawn, @r#"
      + draft #4 by algebra  x = 3
      + draft #5 by calculator  75438/15625 km ≈ 4.82803 km
      + draft #6 by calculator  12
      J .54  ▲ +.44  part 1 answered, not verified: it satisfies the equation
        exactly, and no other real number does; part 2 answered, not verified:
        recomputed exactly
      credit  algebra +.17 · calculator +.11 · calculator +.17
      → verifier .89 of 3: the draft is not verified
      → verifier .96 of 3: the draft is not verified
      → verifier .96 of 3: the draft is not verified
    ── cycle 4 · verifier ×3 ─────────────────────────────────────────────────────
      ▸ verifier · Solve 3x+5=14, find x
      ▸ verifier · convert 3 miles to km
      ▸ verifier · what is 15% of 80?
      + verdict #7 about #4 by verifier  pass: substitution and a count of
          the roots
      + verdict #8 about #5 by verifier  pass: the independent calculator
      + verdict #9 about #6 by verifier  pass: the independent calculator
      J .90  ▲ +.36  part 2 proved: recomputed exactly
      credit  verifier +.13 · verifier +.09 · verifier +.13
      → optimizer .96 of 3: the value is right and not in its simplest form
    ── cycle 5 · optimizer ───────────────────────────────────────────────────────
    "#);
    let drawn = stage.draw(&pane, 38, 8);
    insta::assert_snapshot!(drawn, @r#"
          calculator
      J .90  ▲ +.36  part 2 proved:
        recomputed exactly
      credit  verifier +.13 · verifier
        +.09 · verifier +.13
      → optimizer .96 of 3: the value is
        right and not in its simplest form
    ── cycle 5 · optimizer ───────────────
    "#);
    let mut stage = Stage::of(PARTS, u64::MAX);
    stage.glyphs = Glyphs::ASCII;
    let drawn = stage.draw(&Stream::default(), 118, 60).replace('≈', "=").replace('…', "~");
    assert!(drawn.is_ascii(), "{drawn}");
}

#[test]
fn calls_of_one_tool_in_a_row_are_one_line_until_asked() {
    let stage = Stage::of(IMPROVED, 62);
    let mut pane = Stream::default();
    let calls = |pane: &Stream| {
        stage.draw(pane, 78, 60).lines().filter(|line| line.trim_start().starts_with("has_radical")).count()
    };
    assert!(stage.draw(&pane, 78, 60).contains("has_radical(sqrt(x + 3) = x - 3) ×2 → true"));
    assert_eq!(calls(&pane), 3);
    stage.act(&mut pane, Action::StreamTools);
    assert_eq!(calls(&pane), 5);
    assert_eq!(pane.heading(&stage.scene()).left, "algebra · every call");
    stage.act(&mut pane, Action::StreamTools);
    assert_eq!(calls(&pane), 0);
}

#[test]
fn monologue_is_there_when_asked_for() {
    let stage = Stage::of(IMPROVED, 225);
    let mut pane = Stream::default();
    assert!(!stage.draw(&pane, 78, 20).contains("found among 8 edits"));
    stage.act(&mut pane, Action::StreamThoughts);
    assert!(stage.draw(&pane, 78, 20).contains("program-manager thinks: found among 8 edits"));
}

#[test]
fn who_is_scrolled_up_stays_there_while_more_comes() {
    let mut stage = Stage::of(IMPROVED, 197);
    let mut pane = Stream::default();
    let area = Rect::new(0, 0, 58, 12);
    assert_eq!(pane.heading(&stage.scene()).right, "");
    let bottom = stage.draw(&pane, 58, 12);
    pane.act(Action::Up, &stage.scene(), area);
    let up = stage.draw(&pane, 58, 12);
    assert_eq!(rows(&up)[1..], rows(&bottom)[..11]);
    for n in 0..1000 {
        say(&mut stage, &format!("more {n}"));
        if n % 100 == 0 {
            assert_eq!(stage.draw(&pane, 58, 12), up, "{n}");
        }
        if n == 11 {
            assert_eq!(pane.heading(&stage.scene()).right, "▼ 12 new · End");
        }
    }
    assert_eq!(pane.heading(&stage.scene()).right, "▼ 999+ new · End");
    pane.act(Action::StreamEnd, &stage.scene(), area);
    assert_eq!(rows(&stage.draw(&pane, 58, 12))[11], "you  more 999");
    say(&mut stage, "the last");
    assert_eq!(rows(&stage.draw(&pane, 58, 12))[11], "you  the last", "at the bottom it follows");
}

#[test]
fn scrolling_passes_every_line_once_in_both_directions() {
    let stage = Stage::of(PARTS, u64::MAX);
    let mut pane = Stream::default();
    let whole = stage.draw(&pane, 58, 400);
    let whole: Vec<&str> = whole.lines().take_while(|line| !line.is_empty()).collect();
    let area = Rect::new(0, 0, 58, 10);
    pane.act(Action::Top, &stage.scene(), area);
    for top in 0..=whole.len() - 10 {
        let drawn = stage.draw(&pane, 58, 10);
        assert_eq!(rows(&drawn), whole[top..top + 10], "down to {top}");
        pane.act(Action::Down, &stage.scene(), area);
    }
    for top in (0..whole.len() - 10).rev() {
        pane.act(Action::Up, &stage.scene(), area);
        assert_eq!(rows(&stage.draw(&pane, 58, 10)), whole[top..top + 10], "up to {top}");
    }
    pane.act(Action::PageDown, &stage.scene(), area);
    assert_eq!(rows(&stage.draw(&pane, 58, 10)), whole[9..19]);
}

#[test]
fn words_are_found_round_the_end() {
    let stage = Stage::of(PARTS, u64::MAX);
    let mut pane = Stream::default();
    stage.draw(&pane, 78, 10);
    let find = Purpose::Find(Room::Stream);
    assert_eq!(pane.told(&find, "PASS: the independent", &stage.scene()), []);
    assert_eq!(pane.found, Some(Seq(107)));
    assert!(stage.draw(&pane, 78, 10).contains("verdict #9"));
    stage.act(&mut pane, Action::FindBack);
    assert_eq!(pane.found, Some(Seq(100)));
    stage.act(&mut pane, Action::FindBack);
    assert_eq!(pane.found, Some(Seq(107)), "round the end");
    stage.act(&mut pane, Action::FindNext);
    assert_eq!(pane.found, Some(Seq(100)));
    let said = pane.told(&find, "no such words", &stage.scene());
    assert!(matches!(&said[..], [Effect::Say(Tone::Plain, words)] if words.contains("no such words")));
}

#[test]
fn a_failure_keeps_the_end_of_its_traceback() {
    let mut stage = Stage::of(IMPROVED, 20);
    let error = (0..40).map(|n| format!("  line {n}\n")).collect::<String>() + "ValueError: no root";
    push(&mut stage, Event::Failed { activation: ActivationId(2), program: "algebra".into(), error });
    let drawn = stage.draw(&Stream::default(), 58, 12);
    assert!(drawn.contains("✗ algebra failed") && drawn.contains("ValueError: no root"), "{drawn}");
    assert!(drawn.contains("line 39") && !drawn.contains("line 12"), "{drawn}");
}

#[test]
fn the_text_of_a_running_program_is_shown_as_it_comes() {
    let mut stage = Stage::of(IMPROVED, 62);
    let text = "so x is\nprobably 6".to_owned();
    push(&mut stage, Event::Delta { activation: ActivationId(2), text });
    let drawn = stage.draw(&Stream::default(), 58, 8);
    assert_eq!(rows(&drawn)[5..], ["▸ algebra says", "so x is", "probably 6"]);
    stage.look(Seq(62));
    assert!(!stage.draw(&Stream::default(), 58, 8).contains("probably"), "the past has not said it");
}

#[test]
fn the_past_ends_where_it_is_looked_at() {
    let mut stage = Stage::of(IMPROVED, u64::MAX);
    stage.look(Seq(65));
    let drawn = stage.draw(&Stream::default(), 78, 20);
    assert!(drawn.contains("draft #1") && !drawn.contains("counterexample"), "{drawn}");
}

#[test]
fn a_click_selects_what_was_written_and_who_wrote_it() {
    let stage = Stage::of(IMPROVED, 64);
    let mut pane = Stream::default();
    let area = Rect::new(0, 0, 78, 6);
    let drawn = stage.draw(&pane, 78, 6);
    let row = drawn.lines().position(|line| line.contains("draft #1")).unwrap();
    let effects = pane.click(Position::new(3, u16::try_from(row).unwrap()), &stage.scene(), area);
    assert_eq!(effects, [Effect::Select("algebra".into()), Effect::Entry(ContributionId(1))]);
}

#[test]
fn a_hundred_thousand_calls_cost_what_is_visible() {
    let mut stage = Stage::of(IMPROVED, 61);
    let call = Arc::new(CallRecord {
        tool: "step".to_owned(),
        args: serde_json::json!(["x".repeat(100)]),
        result: Ok(serde_json::json!(1)),
        micros: 1,
    });
    for _ in 0..50_000 {
        push(&mut stage, Event::ToolReturned { activation: ActivationId(2), call: call.clone() });
    }
    for calls in [Calls::Folded, Calls::Each, Calls::Hidden] {
        let pane = Stream { show: Show { calls, thoughts: false }, ..Stream::default() };
        let start = std::time::Instant::now();
        stage.draw(&pane, 118, 36);
        assert!(start.elapsed().as_millis() < 200, "{calls:?}: {:?}", start.elapsed());
    }
}

#[test]
fn nothing_yet_is_said() {
    assert!(Stage::empty().draw(&Stream::default(), 58, 8).starts_with("Nothing has happened yet."));
}

#[test]
fn any_size_is_drawn() {
    let mut stage = Stage::of(IMPROVED, u64::MAX);
    stage.hostile(ContributionId(3));
    let text = "\x1b[2J👨‍👩‍👧 漢字 \u{202e}".repeat(9_000);
    push(&mut stage, Event::Delta { activation: ActivationId(99), text });
    stage.every_size(&Stream::default());
    for calls in [Calls::Folded, Calls::Each, Calls::Hidden] {
        let pane = Stream { show: Show { calls, thoughts: true }, ..Stream::default() };
        stage.some_sizes(&pane);
        pane.top.set(Some(Place { seq: Seq(368), line: 2 }));
        stage.some_sizes(&pane);
    }
}
