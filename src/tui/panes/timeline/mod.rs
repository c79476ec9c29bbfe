//! When it happened: every cycle as a mark, and what happened at the one shown.

mod marks;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use self::marks::{Track, here, track};
use crate::model::{Event, Phase, Seq};
use crate::tui::action::Action;
use crate::tui::brief;
use crate::tui::code::CodeLine;
use crate::tui::index::{Mark, Sort};
use crate::tui::live::Stop;
use crate::tui::page::{fitted, sentences};
use crate::tui::paint::{self, share, signed, tone};
use crate::tui::pane::{Effect, Heading, Pane};
use crate::tui::scene::Scene;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::words;

/// Events of one cycle that are looked at.
const EVENTS: usize = 4_000;
/// Stops that a page goes.
const PAGE: usize = 10;

/// The pane.
#[derive(Clone, Debug, Default)]
pub(in crate::tui) struct TimelinePane {}

impl Pane for TimelinePane {
    fn heading(&self, scene: &Scene<'_>) -> Heading {
        let stops = scene.live.stops();
        let dot = words::dot(scene);
        let Some(episode) = scene.state.episode.as_ref() else { return Heading::default() };
        let several = stops.last().is_some_and(|stop| stop.episode > 1);
        let left = if several { format!("episode {}", episode.number) } else { String::new() };
        let last = stops.partition_point(|stop| stop.episode <= episode.number).checked_sub(1);
        let last = last.and_then(|at| stops.get(at)).filter(|stop| stop.episode == episode.number);
        let right = match here(scene).and_then(|at| stops.get(at)) {
            Some(stop) => {
                let of = last.map_or(stop.cycle, |last| last.cycle);
                format!("looking at cycle {} of {of}{dot}L back to live", stop.cycle)
            }
            None => "live".to_owned(),
        };
        Heading { left, right }
    }

    fn draw(&self, scene: &Scene<'_>, area: Rect, buf: &mut Buffer) {
        let area = area.intersection(buf.area);
        if area.is_empty() {
            return;
        }
        if scene.live.stops().is_empty() {
            let words = "Nothing has happened yet.\nEvery cycle becomes a mark here; Left and Right look at any of them, which \
                changes nothing.";
            sentences(scene, area, buf, words);
            return;
        }
        let columns = usize::from(area.width);
        let track = track(scene, columns);
        let mut lines = vec![line(scene, &track)];
        if area.height > 1 {
            lines.push(happened(scene));
        }
        if area.height > 2 {
            lines.extend(noted(scene, &track, usize::from(area.height) - 2));
        }
        for (row, line) in (0..area.height).zip(lines) {
            paint::line(buf, area, row, fitted(line, columns, |role| scene.style(role)));
        }
    }

    fn act(&mut self, action: Action, scene: &Scene<'_>, _area: Rect) -> Vec<Effect> {
        let stops = scene.live.stops();
        let Some(last) = stops.len().checked_sub(1) else { return Vec::new() };
        // While nothing runs, the present is the last stop.
        let rests = scene.now.phase != Phase::Running;
        let now = here(scene).unwrap_or(if rests { last } else { last + 1 });
        let episode = |at: usize| stops.get(at.min(last)).map_or(0, |stop| stop.episode);
        let start = |at: usize| stops.partition_point(|stop| stop.episode < episode(at));
        let to = match action {
            Action::Left => now.saturating_sub(1),
            Action::Right => now + 1,
            Action::PageUp => now.saturating_sub(PAGE),
            Action::PageDown => now + PAGE,
            Action::Top => 0,
            Action::Bottom => usize::MAX,
            Action::Up if start(now) < now => start(now),
            Action::Up => start(now.saturating_sub(1)),
            Action::Down => stops.partition_point(|stop| stop.episode <= episode(now)),
            _ => return Vec::new(),
        };
        if to == now && here(scene).is_some() {
            return Vec::new();
        }
        match stops.get(to) {
            Some(stop) if to < last || !rests => vec![Effect::Look(stop.seq)],
            Some(_) | None if scene.looking => vec![Effect::Live],
            Some(_) | None => Vec::new(),
        }
    }

    fn click(&mut self, at: Position, scene: &Scene<'_>, area: Rect) -> Vec<Effect> {
        if !area.contains(at) || at.y != area.y {
            return Vec::new();
        }
        let column = usize::from(at.x - area.x);
        let track = track(scene, usize::from(area.width));
        let stops = scene.live.stops();
        let rests = scene.now.phase != Phase::Running;
        if let Some(cell) = track.cells.iter().find(|cell| cell.columns.contains(&column)) {
            return match stops.get(cell.stop) {
                Some(stop) if cell.stop + 1 < stops.len() || !rests => vec![Effect::Look(stop.seq)],
                Some(_) | None => vec![Effect::Live],
            };
        }
        let beyond = |cell: Option<usize>| cell.and_then(|at| stops.get(at)).map(|stop| Effect::Look(stop.seq));
        match (track.cells.first(), track.cells.last()) {
            (Some(first), _) if column < first.columns.start => beyond(first.stop.checked_sub(1)).into_iter().collect(),
            (_, Some(end)) if track.later && column < end.columns.end + 3 => {
                beyond(Some(end.stop + 1)).into_iter().collect()
            }
            (_, Some(_)) => vec![Effect::Live],
            (_, None) => Vec::new(),
        }
    }

    fn hints(&self, scene: &Scene<'_>) -> Vec<Action> {
        if scene.live.stops().is_empty() {
            return Vec::new();
        }
        let mut hints = vec![Action::ScrubBack, Action::Note, Action::ForkHere];
        if scene.looking {
            hints.splice(1..1, [Action::ScrubOn, Action::Live]);
        }
        hints
    }

    fn copied(&self, scene: &Scene<'_>) -> Option<String> {
        let plain = |line: CodeLine| line.into_iter().map(|(_, words)| words).collect::<String>();
        (!scene.live.stops().is_empty()).then(|| plain(happened(scene)))
    }
}

/// The line of marks.
fn line(scene: &Scene<'_>, track: &Track) -> CodeLine {
    let bar = scene.glyphs.lines[0];
    let here = here(scene);
    let mut pieces: CodeLine = Vec::new();
    let begin = match (track.earlier, scene.glyphs.ascii) {
        (true, false) => format!("◂{}", bar.repeat(2)),
        (true, true) => format!("<{}", bar.repeat(2)),
        (false, _) => "   ".to_owned(),
    };
    pieces.push((Role::Border, begin));
    for (index, cell) in track.cells.iter().enumerate() {
        let (shown, later) = (here == Some(cell.stop), here.is_some_and(|here| cell.stop > here));
        let opens = index == 0 && !track.earlier || cell.begins;
        let edge = if shown {
            "["
        } else if opens {
            " "
        } else {
            bar
        };
        let strong = if shown { Role::Strong } else { Role::Border };
        pieces.push((strong, edge.to_owned()));
        pieces.push((Role::Accent, cell.signs.clone()));
        let look = match (shown, later, cell.begins) {
            (true, _, _) => Role::Strong,
            (false, true, _) => Role::Quiet,
            (false, false, true) => Role::Accent,
            (false, false, false) => Role::Text,
        };
        pieces.push((look, cell.name.clone()));
        let ends = track.cells.get(index + 1).is_some_and(|next| next.begins);
        pieces.push((
            strong,
            if shown {
                "]"
            } else if ends {
                " "
            } else {
                bar
            }
            .to_owned(),
        ));
    }
    let more = if track.later { scene.glyphs.more } else { bar };
    pieces.push((Role::Border, format!("{bar}{more}{} ", scene.glyphs.runs)));
    let (look, live) = if here.is_none() { (Role::Strong, "[live]") } else { (Role::Quiet, " live") };
    pieces.push((look, live.to_owned()));
    pieces
}

/// What happened in the cycle shown.
fn happened(scene: &Scene<'_>) -> CodeLine {
    let stops = scene.live.stops();
    let (dot, to) = (words::dot(scene), scene.glyphs.to);
    let Some(at) = scene.live.stop_at(scene.state.seq) else { return Vec::new() };
    let Some(stop) = stops.get(at) else { return Vec::new() };
    let running = here(scene).is_none() && scene.state.phase == Phase::Running;
    if running {
        let names: Vec<_> = scene.state.running.iter().take(6).map(|run| text::clean(run.program.as_str())).collect();
        let words = format!("cycle {}{dot}", scene.state.cycle());
        let runs = format!("{} {}", scene.glyphs.runs, names.join(", "));
        return vec![(Role::Text, words), (Role::Running, runs)];
    }
    let since = at.checked_sub(1).and_then(|at| stops.get(at)).map_or(Seq(0), |stop| stop.seq);
    let mut pieces = vec![(Role::Text, marks::called(scene, stop))];
    let ran = ran(scene, since, stop);
    if !ran.is_empty() {
        pieces.push((Role::Text, format!("{dot}{ran}")));
    }
    if let Some(point) = scene.live.index().point(stop.episode, stop.cycle) {
        let (before, change) = (share(point.j - point.delta), signed(point.delta));
        if stop.cycle.0 == 0 {
            pieces.push((Role::Text, format!("{dot}J {}", share(point.j))));
        } else {
            pieces.push((Role::Text, format!("{dot}J {before} {to} {} ", share(point.j))));
            pieces.push((tone(point.delta), format!("{} {}", words::way(scene, point.delta), change.trim())));
        }
    }
    if stop.end {
        pieces.push((Role::Accent, format!("{dot}the episode ended")));
    }
    if let Some(after) = after(scene, stop.seq) {
        pieces.push((Role::Quiet, format!("{dot}{} after the start", words::span(after))));
    }
    pieces
}

/// Who ran between two stops.
fn ran(scene: &Scene<'_>, since: Seq, stop: &Stop) -> String {
    let events = scene.timeline.events();
    let start = events.partition_point(|envelope| envelope.seq <= since);
    let end = events.partition_point(|envelope| envelope.seq <= stop.seq);
    let mut names = BTreeSet::new();
    let mut ran = Vec::new();
    for envelope in events.get(start..end.min(start + EVENTS)).unwrap_or_default() {
        if let Event::Activated { program, aside, .. } = &envelope.event
            && (!aside || stop.end)
            && ran.len() < 8
            && names.insert(program)
        {
            ran.push(text::clean(program.as_str()).into_owned());
        }
    }
    ran.join(", ")
}

/// Milliseconds from the beginning of the session to an event.
fn after(scene: &Scene<'_>, seq: Seq) -> Option<u64> {
    let events = scene.timeline.events();
    let at = events.partition_point(|envelope| envelope.seq <= seq).checked_sub(1)?;
    Some(events.get(at)?.at.saturating_sub(events.first()?.at))
}

/// Notes, revisions and the like on the part of the line that is in view, then what the signs mean, then where the run stops by
/// itself.
fn noted(scene: &Scene<'_>, track: &Track, rows: usize) -> Vec<CodeLine> {
    let mut all: Vec<(usize, &Mark)> = Vec::new();
    for cell in &track.cells {
        all.extend(marks::of(scene, cell.stop).map(|mark| (cell.stop, mark)).take(rows));
    }
    let stops = scene.state.breakpoints.iter().take(8).map(words::breakpoint).collect::<Vec<_>>();
    let kept = rows.saturating_sub(usize::from(!stops.is_empty()));
    // Those nearest to the moment shown, in the order of time.
    let middle = here(scene).unwrap_or(usize::MAX);
    all.sort_by_key(|(stop, _)| stop.abs_diff(middle));
    all.truncate(kept);
    all.sort_by_key(|(_, mark)| mark.seq);
    let mut lines: Vec<CodeLine> = Vec::new();
    for (stop, mark) in all {
        let name = scene.live.stops().get(stop).map_or(String::new(), |stop| marks::called(scene, stop));
        lines.push(vec![
            (Role::Accent, format!("{} ", marks::sign(scene, mark.sort))),
            (Role::Quiet, format!("{name}  ")),
            (Role::Text, says(scene, mark)),
        ]);
    }
    if !stops.is_empty() && rows > 0 {
        lines.push(vec![
            (Role::Quiet, format!("{} stops ", scene.glyphs.stop)),
            (Role::Text, stops.join(words::dot(scene))),
        ]);
    }
    lines
}

/// What a mark says.
fn says(scene: &Scene<'_>, mark: &Mark) -> String {
    let events = scene.timeline.events();
    let at = events.partition_point(|envelope| envelope.seq < mark.seq);
    let clean = |words: &str| text::clean(brief::head(words, 400)).into_owned();
    let name = marks::name(mark.sort);
    match (mark.sort, events.get(at).map(|envelope| &envelope.event)) {
        (Sort::Revision, Some(Event::Revised { revision })) => format!("{name}: {}", clean(&revision.title)),
        (Sort::Break, Some(Event::Paused { why })) => clean(why),
        (Sort::Note, Some(Event::Noted { text, .. })) => clean(text),
        (Sort::Edit, Some(Event::MemoryEdited { contribution, .. })) => {
            let line = clean(brief::first_line(&contribution.text, 200).0);
            format!("{name}: {} #{} {line}", clean(contribution.section.as_str()), contribution.id)
        }
        (Sort::Fork, _) => {
            let parent = scene.state.pins.as_ref().and_then(|pins| pins.parent.clone());
            parent.map_or_else(|| name.to_owned(), |(id, cycle)| format!("{name} from {id}, after cycle {cycle}"))
        }
        (_, _) => name.to_owned(),
    }
}
