use std::sync::Arc;

use super::*;
use crate::model::{ContributionId, Cycle, Envelope};
use crate::tui::scene::Glyphs;
use crate::tui::testing::{IMPROVED, PARTS, Stage};

fn push(stage: &mut Stage, event: Event) {
    let seq = stage.live.timeline().events().last().map_or(1, |last| last.seq.0 + 1);
    stage.live.push(Arc::new(Envelope { v: 1, seq: Seq(seq), at: 0, cause: None, event }));
}

fn first(stage: &Stage, width: u16) -> String {
    stage.draw(&TimelinePane::default(), width, 1).trim_end().to_owned()
}

#[test]
fn cycles_episodes_and_revisions_are_marks_and_the_moment_is_in_brackets() {
    let mut stage = Stage::of(IMPROVED, u64::MAX);
    assert_eq!(first(&stage, 78), "    ep 1──1──2──3──4──5──6──7  ◆ep 2──1──2──3──4──5──6───▸ [live]");
    stage.look(stage.live.stops()[3].seq);
    assert_eq!(first(&stage, 78), "    ep 1──1──2─[3]─4──5──6──7  ◆ep 2──1──2──3──4──5──6───▸  live");
    let heading = TimelinePane::default().heading(&stage.scene());
    assert_eq!(
        (heading.left.as_str(), heading.right.as_str()),
        ("episode 1", "looking at cycle 3 of 7 · L back to live")
    );
    stage.glyphs = Glyphs::ASCII;
    assert!(first(&stage, 40).is_ascii());
    let stage = Stage::of(PARTS, u64::MAX);
    assert_eq!(first(&stage, 60), "    start──1──2──3──4──5──6───▸ [live]");
    assert_eq!(TimelinePane::default().heading(&stage.scene()).right, "live");
}

#[test]
fn what_does_not_fit_is_cut_on_both_sides_of_the_moment() {
    let mut stage = Stage::of(IMPROVED, u64::MAX);
    stage.look(stage.live.stops()[4].seq);
    assert_eq!(first(&stage, 30), "◂───2──3─[4]─5──6──…▸  live");
    stage.look(stage.live.stops()[0].seq);
    assert_eq!(first(&stage, 30), "   [ep 1]─1──2──3──…▸  live");
}

#[test]
fn notes_breakpoints_and_edits_have_their_signs() {
    let mut stage = Stage::of(PARTS, 70);
    push(&mut stage, Event::Paused { why: "breakpoint: verifier is next".to_owned() });
    push(&mut stage, Event::Noted { cycle: Cycle(3), text: "starts to work".to_owned() });
    push(&mut stage, Event::BreakpointsSet { breakpoints: Arc::new(vec![crate::model::Breakpoint::Above(0.9)]) });
    let drawn = stage.draw(&TimelinePane::default(), 78, 6);
    insta::assert_snapshot!(drawn, @r#"
        start──1──2──●"3───▸ [live]
    cycle 3 · algebra, calculator · J .10 → .54 ▲ +.44 · 59 ms after the start
    ● cycle 3  breakpoint: verifier is next
    " cycle 3  starts to work
    ● stops after J rose above 0.9
    "#);
}

#[test]
fn left_and_right_go_through_all_stops_and_back_to_the_present() {
    let mut stage = Stage::of(IMPROVED, u64::MAX);
    let mut pane = TimelinePane::default();
    let stops: Vec<Seq> = stage.live.stops().iter().map(|stop| stop.seq).collect();
    assert_eq!(stage.act(&mut pane, Action::Right), []);
    for seq in stops.iter().rev().skip(1) {
        assert_eq!(stage.act(&mut pane, Action::Left), [Effect::Look(*seq)]);
        stage.look(*seq);
    }
    assert_eq!(stage.act(&mut pane, Action::Left), []);
    for seq in stops.iter().skip(1).take(stops.len() - 2) {
        assert_eq!(stage.act(&mut pane, Action::Right), [Effect::Look(*seq)]);
        stage.look(*seq);
    }
    assert_eq!(stage.act(&mut pane, Action::Right), [Effect::Live]);
    // Up and down go to the beginnings of episodes.
    assert_eq!(stage.act(&mut pane, Action::Up), [Effect::Look(stops[8])]);
    stage.look(stops[8]);
    assert_eq!(stage.act(&mut pane, Action::Up), [Effect::Look(stops[0])]);
    stage.look(stops[0]);
    assert_eq!(stage.act(&mut pane, Action::Down), [Effect::Look(stops[8])]);
    // While a cycle runs, the last stop is the past.
    let stage = Stage::of(IMPROVED, 80);
    let last = stage.live.stops().last().unwrap().seq;
    assert_eq!(stage.act(&mut pane, Action::Left), [Effect::Look(last)]);
}

#[test]
fn a_click_goes_to_the_mark_under_it() {
    let stage = Stage::of(IMPROVED, u64::MAX);
    let mut pane = TimelinePane::default();
    let area = Rect::new(2, 5, 78, 3);
    let line = first(&stage, 78);
    let mut click =
        |column: usize| pane.click(Position::new(u16::try_from(column + 2).unwrap(), 5), &stage.scene(), area);
    let column = |sign: char| line.chars().position(|c| c == sign).unwrap();
    assert_eq!(click(column('3')), [Effect::Look(stage.live.stops()[3].seq)]);
    assert_eq!(click(column('◆')), [Effect::Look(stage.live.stops()[8].seq)]);
    assert_eq!(click(column('v')), [Effect::Live]);
}

#[test]
fn what_happened_at_the_moment_is_said() {
    let mut stage = Stage::of(IMPROVED, u64::MAX);
    stage.look(stage.live.stops()[3].seq);
    let drawn = stage.draw(&TimelinePane::default(), 100, 4);
    let rows: Vec<&str> = drawn.lines().collect();
    assert!(rows[1].starts_with("episode 1 · cycle 3 · algebra · J .10 → .00 ▼ -.10 · "), "{drawn}");
    assert!(rows[1].ends_with("after the start"), "{drawn}");
    assert!(rows[2].starts_with("◆ episode 2 · before cycle 1  network revised: algebra: pass candidates"), "{drawn}");
}

#[test]
fn ten_thousand_cycles_cost_what_fits() {
    let mut stage = Stage::of(IMPROVED, 64);
    let routed =
        stage.live.timeline().events().iter().rev().find(|envelope| matches!(envelope.event, Event::Routed { .. }));
    let routed = routed.unwrap().event.clone();
    for cycle in 4..10_000 {
        push(&mut stage, Event::CycleBegan { cycle: Cycle(cycle) });
        push(&mut stage, routed.clone());
    }
    stage.look(stage.live.stops()[5_000].seq);
    let start = std::time::Instant::now();
    let line = first(&stage, 60);
    assert!(line.starts_with("◂──") && line.contains("[5001]") && line.ends_with("▸  live"), "{line}");
    assert!(start.elapsed().as_millis() < 100, "{:?}", start.elapsed());
}

#[test]
fn any_size_is_drawn() {
    let mut stage = Stage::of(IMPROVED, u64::MAX);
    stage.hostile(ContributionId(3));
    stage.every_size(&TimelinePane::default());
    stage.look(stage.live.stops()[3].seq);
    stage.every_size(&TimelinePane::default());
    Stage::empty().every_size(&TimelinePane::default());
}
