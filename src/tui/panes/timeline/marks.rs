//! The line of marks: which stops are on it and where, round the moment shown.

use std::ops::Range;

use crate::model::Seq;
use crate::tui::index::{Mark, Sort};
use crate::tui::live::Stop;
use crate::tui::scene::Scene;
use crate::tui::text;
use crate::tui::words;

/// Columns kept for the right end of the line.
const END: usize = 11;
/// Columns kept for the left end of the line.
const BEGIN: usize = 3;
/// Marks of one stop that are looked at.
const OF_ONE: usize = 64;

/// One stop on the line.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cell {
    /// Its place among the stops.
    pub(super) stop: usize,
    /// Signs and name.
    pub(super) signs: String,
    /// Its name.
    pub(super) name: String,
    /// Columns that it takes, its neighbours' lines or brackets included.
    pub(super) columns: Range<usize>,
    /// Whether an episode begins with it.
    pub(super) begins: bool,
}

/// The line.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Track {
    /// The stops on it, oldest first.
    pub(super) cells: Vec<Cell>,
    /// Whether there are earlier ones.
    pub(super) earlier: bool,
    /// Whether there are later ones.
    pub(super) later: bool,
}

/// The stop that is looked at; none while the present is.
pub(super) fn here(scene: &Scene<'_>) -> Option<usize> {
    if scene.looking { scene.live.stop_at(scene.state.seq) } else { None }
}

/// Lays the line out for so many columns. It costs what fits on it.
pub(super) fn track(scene: &Scene<'_>, columns: usize) -> Track {
    let stops = scene.live.stops();
    let middle = here(scene).unwrap_or(usize::MAX).min(stops.len().saturating_sub(1));
    let room = columns.saturating_sub(BEGIN + END);
    let several = stops.last().is_some_and(|stop| stop.episode > 1);
    let made = |at: usize| stops.get(at).map(|stop| cell(scene, at, stop, several));
    let mut cells: Vec<Cell> = made(middle).into_iter().collect();
    let mut used: usize = cells.iter().map(|cell| cell.columns.len()).sum();
    let (mut first, mut next) = (middle, middle + 1);
    let (mut left, mut right) = (true, true);
    while left || right {
        if left {
            left = match first.checked_sub(1).and_then(made).filter(|cell| used + cell.columns.len() <= room) {
                None => false,
                Some(cell) => {
                    used += cell.columns.len();
                    cells.insert(0, cell);
                    first -= 1;
                    true
                }
            };
        }
        if right {
            right = match made(next).filter(|cell| used + cell.columns.len() <= room) {
                None => false,
                Some(cell) => {
                    used += cell.columns.len();
                    cells.push(cell);
                    next += 1;
                    true
                }
            };
        }
    }
    let mut at = BEGIN;
    for cell in &mut cells {
        let wide = cell.columns.len();
        cell.columns = at..at + wide;
        at += wide;
    }
    Track { cells, earlier: first > 0, later: next < stops.len() }
}

fn cell(scene: &Scene<'_>, at: usize, stop: &Stop, several: bool) -> Cell {
    let before = at.checked_sub(1).and_then(|before| scene.live.stops().get(before));
    let begins = before.is_none_or(|before| before.episode != stop.episode);
    let again = before.is_some_and(|before| (before.episode, before.cycle) == (stop.episode, stop.cycle));
    let name = match (begins, several) {
        (true, false) if stop.cycle.0 == 0 => "start".to_owned(),
        (true, true) if stop.cycle.0 == 0 => format!("ep {}", stop.episode),
        (_, _) if again => "end".to_owned(),
        (_, _) => stop.cycle.to_string(),
    };
    let mut signs = String::new();
    for sort in [Sort::Revision, Sort::Break, Sort::Note, Sort::Edit, Sort::Fork] {
        if of(scene, at).any(|mark| mark.sort == sort) {
            signs.push_str(sign(scene, sort));
        }
    }
    let wide = text::width(&name) + text::width(&signs) + 2;
    Cell { stop: at, signs, name, columns: 0..wide, begins }
}

/// What happened at a stop: revisions act from the first stop after them, everything else belongs to the stop before it.
pub(super) fn of<'a>(scene: &Scene<'a>, at: usize) -> impl Iterator<Item = &'a Mark> {
    let stops = scene.live.stops();
    let index = scene.live.index();
    let seq = |at: usize| stops.get(at).map(|stop| stop.seq);
    let this = seq(at).unwrap_or_default();
    let before = at.checked_sub(1).and_then(seq).unwrap_or_default();
    let next = seq(at + 1);
    let until = next.map_or(Seq(u64::MAX), |next| Seq(next.0.saturating_sub(1)));
    let revised = index.marks(before..this).iter().take(OF_ONE).filter(|mark| mark.sort == Sort::Revision);
    let later = index.marks(this..until).iter().take(OF_ONE);
    let later = later.filter(move |mark| mark.sort != Sort::Revision || next.is_none());
    // What comes before the first stop has no stop before it.
    let early = index.marks(Seq(0)..if at == 0 { this } else { Seq(0) }).iter().take(OF_ONE);
    revised.chain(later).chain(early.filter(|mark| mark.sort != Sort::Revision))
}

/// The sign of a mark.
pub(super) fn sign(scene: &Scene<'_>, sort: Sort) -> &'static str {
    match sort {
        Sort::Revision => scene.glyphs.revision,
        Sort::Break => scene.glyphs.stop,
        Sort::Note => "\"",
        Sort::Edit => "~",
        Sort::Fork => "<",
    }
}

/// What a mark is called.
pub(super) fn name(sort: Sort) -> &'static str {
    match sort {
        Sort::Revision => "network revised",
        Sort::Break => "breakpoint hit",
        Sort::Note => "note",
        Sort::Edit => "memory edited",
        Sort::Fork => "forked here",
    }
}

/// A stop in words.
pub(super) fn called(scene: &Scene<'_>, stop: &Stop) -> String {
    let several = scene.live.stops().last().is_some_and(|last| last.episode > 1);
    let episode = if several { format!("episode {}{}", stop.episode, words::dot(scene)) } else { String::new() };
    match stop.cycle.0 {
        0 => format!("{episode}before cycle 1"),
        cycle => format!("{episode}cycle {cycle}"),
    }
}
