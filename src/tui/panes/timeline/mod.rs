//! The timeline: when it happened. Looking at any moment is free and changes nothing.

mod strip;

use std::collections::BTreeSet;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use self::strip::{role, sign, strip};
use crate::model::{Event, Seq};
use crate::tui::action::Action;
use crate::tui::index::Sort;
use crate::tui::live::Stop;
use crate::tui::pane::{Effect, Heading, Pane};
use crate::tui::scene::Scene;
use crate::tui::theme::Role;
use crate::tui::{paint, text, words};

/// Columns before the first mark and after the last.
const ENDS: (u16, u16) = (2, 9);
/// Most events that are looked at to say what happened in one step.
const EVENTS: usize = 2_000;

/// The pane.
#[derive(Clone, Debug, Default)]
pub(in crate::tui) struct TimelinePane {}

impl Pane for TimelinePane {
    fn heading(&self, scene: &Scene<'_>) -> Heading {
        let stops = scene.live.stops();
        let left = match stops.len() {
            0 => String::new(),
            1 => "1 moment".to_owned(),
            many => format!("{many} moments"),
        };
        let right = match shown(scene).filter(|_| scene.looking).and_then(|at| stops.get(at)) {
            Some(stop) => format!("looking at cycle {}, L is the present", stop.cycle),
            None => "the present".to_owned(),
        };
        Heading { left, right }
    }

    fn draw(&self, scene: &Scene<'_>, area: Rect, buf: &mut Buffer) {
        let Some(at) = shown(scene) else {
            let says =
                "Each cycle becomes a mark here. Going back to one is free: it shows what was, and runs nothing.";
            for (row, line) in text::wrap(says, usize::from(area.width)).iter().enumerate() {
                paint::text(buf, area, u16::try_from(row).unwrap_or(u16::MAX), line, scene.style(Role::Quiet));
            }
            return;
        };
        draw_marks(scene, area, buf, at);
        let stops = scene.live.stops();
        let Some(stop) = stops.get(at) else { return };
        let since = at.checked_sub(1).and_then(|before| stops.get(before)).map_or(Seq(0), |before| before.seq);
        let mut rows = vec![happened(scene, stop, since)];
        rows.extend(notes(scene));
        rows.push(legend(scene));
        for (row, line) in rows.into_iter().enumerate() {
            paint::line(buf, area, u16::try_from(row + 1).unwrap_or(u16::MAX), line);
        }
    }

    fn act(&mut self, action: Action, _scene: &Scene<'_>, _area: Rect) -> Vec<Effect> {
        match action {
            Action::Left | Action::Up | Action::PageUp => vec![Effect::Do(Action::ScrubBack)],
            Action::Right | Action::Down | Action::PageDown => vec![Effect::Do(Action::ScrubOn)],
            Action::Top => vec![Effect::Do(Action::CycleStart)],
            Action::Bottom | Action::Open => vec![Effect::Live],
            _ => Vec::new(),
        }
    }

    fn click(&mut self, at: Position, scene: &Scene<'_>, area: Rect) -> Vec<Effect> {
        let Some(now) = shown(scene).filter(|_| at.y == area.y) else { return Vec::new() };
        let column = usize::from(at.x.saturating_sub(area.x + ENDS.0));
        let marks = strip(scene, now, columns(area)).marks;
        let hit = marks.iter().rev().find(|mark| mark.at <= column).or(marks.first());
        match hit.and_then(|mark| scene.live.stops().get(mark.stop)) {
            Some(stop) => vec![Effect::Look(stop.seq)],
            None => Vec::new(),
        }
    }

    fn hints(&self, _scene: &Scene<'_>) -> Vec<Action> {
        vec![Action::ScrubBack, Action::ScrubOn, Action::Live, Action::CycleStart, Action::Note, Action::ForkHere]
    }

    fn copied(&self, scene: &Scene<'_>) -> Option<String> {
        let stop = scene.live.stops().get(shown(scene)?)?;
        let id = scene.now.pins.as_ref().map(|pins| pins.session.to_string()).unwrap_or_default();
        Some(format!("{id} episode {} cycle {}", stop.episode, stop.cycle))
    }
}

/// The stop that is shown: the last that is not after the state.
fn shown(scene: &Scene<'_>) -> Option<usize> {
    let stops = scene.live.stops();
    scene.live.stop_at(scene.state.seq).or(if stops.is_empty() { None } else { Some(0) })
}

fn columns(area: Rect) -> usize {
    usize::from(area.width.saturating_sub(ENDS.0 + ENDS.1))
}

fn draw_marks(scene: &Scene<'_>, area: Rect, buf: &mut Buffer, at: usize) {
    let found = strip(scene, at, columns(area));
    let (older, newer) = if scene.glyphs.ascii { ("<", ">") } else { ("◂", "▸") };
    let mut spans = vec![scene.span(Role::Quiet, if found.before { older } else { " " }), Span::raw(" ")];
    for mark in found.marks {
        let here = mark.stop == at;
        spans.push(scene.span(Role::Border, mark.lead));
        let tone = role(&mark.signs, scene);
        spans.push(scene.span(tone, mark.signs));
        let look = match (here, scene.looking) {
            (true, true) => Role::Unsure,
            (true, false) => Role::Accent,
            (false, _) => Role::Text,
        };
        spans.push(scene.span(look, mark.label));
    }
    spans.push(Span::raw(" "));
    let end = if found.after { format!("{newer} more") } else { format!("{newer} now") };
    spans.push(scene.span(if scene.looking { Role::Quiet } else { Role::Accent }, end));
    paint::line(buf, area, 0, Line::from(spans));
}

/// What happened in the step that led to the moment shown.
fn happened(scene: &Scene<'_>, stop: &Stop, since: Seq) -> Line<'static> {
    let events = scene.timeline.events();
    let upto = events.partition_point(|envelope| envelope.seq <= stop.seq);
    let from = events.partition_point(|envelope| envelope.seq <= since).max(upto.saturating_sub(EVENTS));
    let mut ran = Vec::new();
    let mut seen = BTreeSet::new();
    let mut scored = None;
    let mut entries = 0_usize;
    for envelope in events.get(from..upto).unwrap_or_default() {
        match &envelope.event {
            Event::Activated { program, .. } if seen.insert(program.clone()) => {
                ran.push(text::clean(program.as_str()).into_owned());
            }
            Event::Contributed { .. } => entries += 1,
            Event::Scored { score, delta, .. } => scored = Some((score.mean, *delta)),
            _ => {}
        }
    }
    let began = events.first().map_or(0, |envelope| envelope.at);
    let at = events.get(upto.saturating_sub(1)).map_or(began, |envelope| envelope.at);
    let what = match (stop.end, stop.cycle.0) {
        (true, _) => "the end".to_owned(),
        (false, 0) => "the beginning".to_owned(),
        (false, cycle) => format!("cycle {cycle}"),
    };
    let mut spans = vec![Span::raw("  "), scene.span(Role::Strong, what)];
    if !ran.is_empty() {
        spans.push(scene.span(Role::Text, format!(": {} ran", ran.join(", "))));
    }
    if entries > 0 {
        let words = if entries == 1 { "1 entry written".to_owned() } else { format!("{entries} entries written") };
        spans.push(scene.span(Role::Quiet, format!(" · {words}")));
    }
    if let Some((mean, delta)) = scored {
        spans.push(scene.span(Role::Text, format!(" · J {}", paint::share(mean))));
        if delta.abs() >= 0.005 {
            spans.push(scene.span(paint::tone(delta), format!(" {}", paint::signed(delta))));
        }
    }
    spans.push(scene.span(Role::Quiet, format!(" · {} after the start", words::span(at.saturating_sub(began)))));
    Line::from(spans)
}

/// The last notes, newest first.
fn notes(scene: &Scene<'_>) -> Option<Line<'static>> {
    if scene.state.notes.is_empty() {
        return None;
    }
    let mut spans = vec![Span::raw("  "), scene.span(Role::Unsure, "notes  ")];
    for (cycle, note) in scene.state.notes.iter().rev().take(4) {
        spans.push(scene.span(Role::Quiet, format!("{cycle} ")));
        spans.push(scene.span(Role::Text, format!("{}   ", text::fit(&text::clean(note), 60))));
    }
    Some(Line::from(spans))
}

fn legend(scene: &Scene<'_>) -> Line<'static> {
    let all = [
        (Sort::Revision, "a program changed"),
        (Sort::Break, "a breakpoint was hit"),
        (Sort::Note, "a note"),
        (Sort::Edit, "you edited memory"),
        (Sort::Fork, "forked here"),
    ];
    let mut spans = vec![Span::raw("  ")];
    for (sort, says) in all {
        spans.push(scene.span(role(sign(scene, sort), scene), sign(scene, sort)));
        spans.push(scene.span(Role::Quiet, format!(" {says}   ")));
    }
    Line::from(spans)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::testing::{IMPROVED, Stage};

    #[test]
    fn the_moments_of_two_questions() {
        let mut stage = Stage::of(IMPROVED, u64::MAX);
        let drawn = stage.draw(&TimelinePane::default(), 118, 3);
        let first = drawn.lines().next().unwrap();
        assert_eq!(first, "  0──1──2──3──4──5──6──end │ question 2 ◆0──1──2──3──4──5──[end] ▸ now");
        let third = stage.live.stops()[3].seq;
        stage.look(third);
        let drawn = stage.draw(&TimelinePane::default(), 118, 3);
        assert!(drawn.contains("2──[3]──4"), "{drawn}");
        assert!(drawn.contains("cycle 3: algebra ran · 1 entry written · J .00 -.10"), "{drawn}");
    }

    #[test]
    fn a_narrow_line_keeps_the_moment_shown() {
        let stage = Stage::of(IMPROVED, u64::MAX);
        for width in 0..=60 {
            for height in 0..=5 {
                let drawn = stage.draw(&TimelinePane::default(), width, height);
                if width >= 20 && height > 0 {
                    assert!(drawn.contains("[end]"), "{width}\n{drawn}");
                }
            }
        }
    }

    #[test]
    fn a_click_looks_at_the_mark_under_it() {
        let stage = Stage::of(IMPROVED, u64::MAX);
        let area = Rect::new(0, 0, 118, 3);
        let effects = TimelinePane::default().click(Position::new(11, 0), &stage.scene(), area);
        assert_eq!(effects, [Effect::Look(stage.live.stops()[3].seq)]);
    }
}
