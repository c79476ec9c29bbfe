mod running;

use super::lines::said;
use super::*;
use crate::tui::testing::{IMPROVED, PARTS, Stage, text_of};

#[test]
fn a_cycle_reads_as_it_happened() {
    let mut stage = Stage::of(IMPROVED, u64::MAX);
    let stop = stage.live.stops()[3].seq;
    stage.look(stop);
    let drawn = stage.draw(&Stream::default(), 100, 20);
    let tail: Vec<&str> = drawn.lines().rev().take(3).collect();
    assert_eq!(tail[2], "  draft #1  x = 1 or x = 6");
    assert_eq!(tail[1], "  J .00 -.10  x = 1: left side 2, right side -2");
    assert_eq!(tail[0], "  next edge-case .84  the question has points where a draft can go wrong");
    assert!(drawn.contains("isolate_radical(sqrt(x + 3) = x - 3) → sqrt(x + 3) = x - 3"), "{drawn}");
}

#[test]
fn scrolled_up_it_stays_where_it_is() {
    let whole = Stage::of(IMPROVED, u64::MAX);
    let half = Stage::of(IMPROVED, 120);
    let mut pane = Stream::default();
    let area = Rect::new(0, 0, 80, 10);
    pane.act(Action::PageUp, &half.scene(), area);
    pane.act(Action::Up, &half.scene(), area);
    let before = half.draw(&pane, 80, 10);
    assert_eq!(whole.draw(&pane, 80, 10), before, "more events move nothing");
    assert!(pane.heading(&whole.scene()).right.contains("newer"));
    pane.act(Action::Bottom, &whole.scene(), area);
    assert_eq!(whole.draw(&pane, 80, 10), whole.draw(&Stream::default(), 80, 10));
}

#[test]
fn up_and_down_again_is_the_same_place_and_the_top_is_reached() {
    let stage = Stage::of(PARTS, u64::MAX);
    let area = Rect::new(0, 0, 60, 8);
    let mut pane = Stream::default();
    let newest = stage.draw(&pane, 60, 8);
    for _ in 0..30 {
        pane.act(Action::Up, &stage.scene(), area);
    }
    for _ in 0..30 {
        pane.act(Action::Down, &stage.scene(), area);
    }
    assert_eq!(pane.anchor, None);
    assert_eq!(stage.draw(&pane, 60, 8), newest);
    for _ in 0..1000 {
        pane.act(Action::Up, &stage.scene(), area);
    }
    let by_steps = stage.draw(&pane, 60, 8);
    pane.act(Action::Top, &stage.scene(), area);
    assert_eq!(stage.draw(&pane, 60, 8), by_steps);
    assert!(by_steps.starts_with("question 1"), "{by_steps}");
}

#[test]
fn words_are_found() {
    let stage = Stage::of(IMPROVED, u64::MAX);
    let mut pane = Stream::default();
    assert!(pane.told(&Purpose::Find(Room::Stream), "counterexample", &stage.scene()).is_empty());
    let drawn = stage.draw(&pane, 100, 6);
    assert!(drawn.lines().last().unwrap().contains("counterexample #2"), "{drawn}");
    assert_eq!(pane.told(&Purpose::Find(Room::Stream), "zebra", &stage.scene()).len(), 1);
}

#[test]
fn any_size_and_hostile_text_are_safe() {
    let stage = Stage::of(IMPROVED, u64::MAX);
    let mut pane = Stream::default();
    pane.shown.thoughts = true;
    for width in 0..=60u16 {
        for height in (0..=30u16).step_by(3) {
            let mut buf = Buffer::empty(Rect::new(0, 0, width + 2, height + 2));
            pane.draw(&stage.scene(), Rect::new(1, 1, width, height), &mut buf);
            let edge = (0..height + 2).all(|y| buf[(width + 1, y)].symbol() == " ");
            assert!(edge, "{width}×{height}\n{}", text_of(&buf));
        }
    }
    let evil = "\x1b[2J\u{202e}漢字👨‍👩‍👧".repeat(10_000);
    for columns in [0, 1, 7, 80] {
        let found =
            said(&stage.scene(), &evil.chars().take(40).collect::<String>(), Role::Text, &evil, Role::Text, columns);
        assert!(found.len() <= 12, "{columns}");
    }
}

#[test]
fn calls_are_folded_told_one_by_one_or_left_out() {
    let mut stage = Stage::of(IMPROVED, u64::MAX);
    let stop = stage.live.stops()[3].seq;
    stage.look(stop);
    let mut pane = Stream::default();
    let count = |pane: &Stream, words: &str| stage.draw(pane, 100, 40).matches(words).count();
    assert_eq!((count(&pane, "simplify ×2"), count(&pane, "simplify(")), (1, 0));
    pane.act(Action::StreamTools, &stage.scene(), Rect::new(0, 0, 100, 40));
    assert_eq!((count(&pane, "simplify ×2"), count(&pane, "simplify(")), (0, 2));
    pane.act(Action::StreamTools, &stage.scene(), Rect::new(0, 0, 100, 40));
    assert_eq!((count(&pane, "simplify"), count(&pane, "draft #1")), (0, 1));
}
