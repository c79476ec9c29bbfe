//! What one cycle, or several, changed.

use crate::model::{Choice, Contribution, Event, PartScore, Seq, State};
use crate::tui::brief;
use crate::tui::page::Page;
use crate::tui::paint::{share, signed, tone};
use crate::tui::scene::Scene;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::words;

use super::detail::author;

/// Most events that are looked at.
const EVENTS: usize = 4_000;
/// Most rows of changes.
const ROWS: usize = 500;
/// Candidates of a choice that are named.
const NAMED: usize = 3;

/// From which event to which a difference goes, and in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Between {
    /// After this event …
    pub(super) from: Seq,
    /// … up to this one.
    pub(super) to: Seq,
    /// What lies between.
    pub(super) words: String,
}

/// The last so many cycles of what is shown.
pub(super) fn between(scene: &Scene<'_>, span: usize) -> Option<Between> {
    let stops = scene.live.stops();
    let state = scene.state;
    let last = scene.live.stop_at(state.seq);
    let at_stop = last.is_some_and(|at| {
        stops.get(at).is_some_and(|stop| stop.seq == state.seq) || state.phase != crate::model::Phase::Running
    });
    // A cycle that is under way counts from the stop before it.
    let before = match (last, at_stop) {
        (Some(at), true) => at.checked_sub(span),
        (Some(at), false) => (at + 1).checked_sub(span),
        (None, _) => None,
    };
    let from = before.and_then(|at| stops.get(at));
    if state.memory.is_empty() && state.scores.is_empty() {
        return None;
    }
    let cycle = state.cycle();
    let episode = state.episode.as_ref().map_or(0, |episode| episode.number);
    let under_way = if at_stop { "" } else { ", under way" };
    let words = match from {
        Some(stop) if stop.episode == episode => format!("cycle {} to cycle {cycle}{under_way}", stop.cycle),
        Some(stop) => {
            format!("episode {} cycle {} to episode {episode} cycle {cycle}{under_way}", stop.episode, stop.cycle)
        }
        None => format!("the beginning to cycle {cycle}{under_way}"),
    };
    Some(Between { from: from.map_or(Seq(0), |stop| stop.seq), to: state.seq, words })
}

/// The changes, laid out for a width.
pub(super) fn page(scene: &Scene<'_>, between: &Between, width: usize) -> Page {
    let before = scene.timeline.at(between.from);
    let events = scene.timeline.events();
    let start = events.partition_point(|envelope| envelope.seq <= between.from);
    let end = events.partition_point(|envelope| envelope.seq <= between.to);
    let mut page = Page::default();
    headline(scene, &before, &mut page);
    let mut changes = Page::default();
    let mut ran: Vec<String> = Vec::new();
    let mut routes: Vec<String> = Vec::new();
    if let Some(route) = before.route.as_ref().filter(|_| between.from > Seq(0)) {
        routes.extend(route.choices.iter().filter_map(|choice| routed(scene, choice)));
    }
    for envelope in events.get(start..end.min(start + EVENTS)).unwrap_or_default() {
        match &envelope.event {
            Event::Activated { program, contract, aside, .. } if ran.len() < 64 => {
                let beside = if *aside { ", beside the cycle" } else { "" };
                ran.push(format!("{} ({contract}{beside})", text::clean(program.as_str())));
            }
            Event::Routed { choices, .. } if envelope.seq < between.to && routes.len() < 16 => {
                routes.extend(choices.iter().filter_map(|choice| routed(scene, choice)));
            }
            Event::Contributed { contribution } | Event::MemoryEdited { contribution, .. } if changes.len() < ROWS => {
                added(contribution, width, &mut changes);
            }
            Event::Scored { withdrawn, .. } => {
                for (value, by) in withdrawn.iter().take(ROWS) {
                    let words = format!("- #{value} withdrawn: #{by} shows that it is wrong");
                    changes.say(Role::Removed, &words, width, 2);
                }
            }
            _ => {}
        }
    }
    label(&mut page, "ran", &ran.join(words::dot(scene)), width);
    for route in &routes {
        label(&mut page, "route", route, width);
    }
    page.blank();
    if changes.len() == 0 {
        page.row(vec![(Role::Quiet, "nothing was written".to_owned())]);
    }
    page.append(changes);
    if end - start > EVENTS {
        page.row(vec![(Role::Quiet, format!("{} only the first {EVENTS} events were looked at", scene.glyphs.more))]);
    }
    page.blank();
    parts(scene, &before, width, &mut page);
    page
}

fn headline(scene: &Scene<'_>, before: &State, page: &mut Page) {
    let (old, new) = (before.j(), scene.state.j());
    let shown = |j: Option<f64>| j.map_or_else(|| words::dash(scene).to_owned(), |j| share(j).trim().to_owned());
    let mut line = vec![(Role::Text, format!("J {} {} {}", shown(old), scene.glyphs.to, shown(new)))];
    if let (Some(old), Some(new)) = (old, new) {
        let change = new - old;
        line.push((tone(change), format!("  {} {}", words::way(scene, change), signed(change).trim())));
    }
    page.row(line);
}

fn routed(scene: &Scene<'_>, choice: &Choice) -> Option<String> {
    let chosen = choice.chosen.first()?;
    let likely = choice.candidates.iter().take(NAMED);
    let likely: Vec<String> = likely
        .map(|candidate| format!("{} {}", text::clean(candidate.program.as_str()), share(candidate.probability)))
        .collect();
    let by = if choice.overridden { ", chosen by you" } else { "" };
    let why = text::clean(brief::head(&choice.why, 300)).into_owned();
    let why = if why.is_empty() { why } else { format!(": {why}") };
    let chosen = text::clean(chosen.as_str());
    Some(format!("{chosen}{by} (of {}){why}", likely.join(words::dot(scene))))
}

fn added(entry: &Contribution, width: usize, page: &mut Page) {
    let (line, more) = brief::first_line(&entry.text, 600);
    let line = text::clean(line).into_owned();
    let more = if more { " …" } else { "" };
    let about = entry.about.map_or(String::new(), |about| format!(" about #{about}"));
    let head = format!("+ {} #{}{about} by {}: ", text::clean(entry.section.as_str()), entry.id, author(entry));
    page.say(Role::Added, &format!("{head}{line}{more}"), width, 2);
    for old in entry.supersedes.iter().take(16) {
        page.say(Role::Unsure, &format!("~ #{old} replaced by #{}", entry.id), width, 2);
    }
}

/// What became of each part.
fn parts(scene: &Scene<'_>, before: &State, width: usize, page: &mut Page) {
    let now = scene.state.scores.last().map(|point| point.score.parts.as_slice()).unwrap_or_default();
    let same_episode = before.episode.as_ref().map(|episode| episode.number)
        == scene.state.episode.as_ref().map(|episode| episode.number);
    let old = before.scores.last().filter(|_| same_episode).map(|point| point.score.clone());
    let mut unchanged = 0;
    for part in now.iter().take(ROWS) {
        let was = old.as_ref().and_then(|score| score.parts.iter().find(|old| old.part == part.part));
        if was.is_some_and(|was| was.state == part.state && (was.value - part.value).abs() < 1e-9) {
            unchanged += 1;
            continue;
        }
        let state = |part: &PartScore| format!("{} {}", words::part_state(part.state), share(part.value));
        let from = was.map_or(String::new(), |was| format!("{} {} ", state(was), scene.glyphs.to));
        let why = text::clean(brief::head(&part.why, 300)).into_owned();
        let why = if why.is_empty() { why } else { format!(": {why}") };
        let role = was.map_or(Role::Text, |was| tone(part.value - was.value));
        page.say(role, &format!("part {}  {from}{}{why}", part.part, state(part)), width, 8);
    }
    if unchanged > 0 {
        let words = words::count(unchanged, "part stands as before", "parts stand as before");
        page.row(vec![(Role::Quiet, words)]);
    }
}

/// A fact under its name, wrapped.
fn label(page: &mut Page, name: &str, words: &str, width: usize) {
    const NAME: usize = 7;
    if words.is_empty() {
        return;
    }
    let lines = text::wrap(words, width.saturating_sub(NAME));
    for (index, line) in lines.into_iter().enumerate() {
        let name = if index == 0 { name } else { "" };
        page.row(vec![(Role::Quiet, text::pad(name, NAME)), (Role::Text, line)]);
    }
}
