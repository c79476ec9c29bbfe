//! The lines between items, as cells of a grid.
//!
//! Lines run in the gaps between rows and in columns that no item takes. Cells join the directions of everything that passes
//! through them, so that a corner becomes a branch where lines meet.

use std::collections::{BTreeMap, BTreeSet};

use super::place::{Placed, Spot, number};
use super::sketch::Sketch;
use crate::tui::scene::Glyphs;

const UP: u8 = 1;
const DOWN: u8 = 2;
const LEFT: u8 = 4;
const RIGHT: u8 = 8;
/// Items above which declared transitions are not drawn: so many lines say nothing, and those of one program still do.
const CROWD: usize = 100;
/// Cells that a grid may have.
const CELLS: i32 = 1 << 20;

/// What a line means; of two in one cell the later shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Ink {
    /// A declared transition.
    #[default]
    Declared,
    /// A transition of the selected program.
    Chosen,
    /// A transition that could be made next.
    Possible,
    /// The transition that was made last.
    Last,
    /// The transition that is made next.
    Next,
}

/// One cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cell {
    sides: u8,
    dashed: bool,
    /// What it means.
    pub(super) ink: Ink,
}

/// Lines on the ground of a placement.
#[derive(Clone, Debug, Default)]
pub(super) struct Wires {
    left: i32,
    width: i32,
    height: i32,
    cells: Vec<Cell>,
    /// By row, the columns that items take.
    taken: Vec<Vec<(i32, i32)>>,
}

impl Wires {
    /// The declared transitions that lead on. What a chain of others says already is left out.
    pub(super) fn declared(sketch: &Sketch, placed: &Placed) -> Self {
        let mut wires = Self::empty(placed);
        if sketch.items.len() > CROWD {
            return wires;
        }
        let reduced = reduced(sketch, placed);
        for ((from, to), track) in tracks(&reduced, placed) {
            let engine = sketch.links.iter().any(|link| (link.from, link.to, link.engine) == (from, to, true));
            wires.draw(placed, from, to, track, Ink::Declared, engine);
        }
        for link in &sketch.links {
            if neighbours(placed, link.from, link.to) {
                wires.draw(placed, link.from, link.to, 0, Ink::Declared, link.engine);
            }
        }
        wires
    }

    fn empty(placed: &Placed) -> Self {
        let (left, width) = (placed.left - 3, placed.right - placed.left + 6);
        let height = placed.height;
        let count = if width.saturating_mul(height) > CELLS { 0 } else { width * height };
        let mut taken = vec![Vec::new(); placed.rows];
        for spot in placed.spots.iter().filter(|spot| spot.width > 0) {
            if let Some(row) = taken.get_mut(spot.row) {
                row.push((spot.x - 1, spot.x + spot.width));
            }
        }
        let cells = vec![Cell::default(); usize::try_from(count).unwrap_or(0)];
        Self { left, width, height, cells, taken }
    }

    /// Draws one transition.
    pub(super) fn draw(&mut self, placed: &Placed, from: usize, to: usize, track: i32, ink: Ink, dashed: bool) {
        let (Some(a), Some(b)) = (placed.spots.get(from), placed.spots.get(to)) else { return };
        if a.width == 0 || b.width == 0 {
            return;
        }
        let path = self.path(placed, a, b, track);
        for pair in path.windows(2) {
            if let [start, end] = pair {
                self.stroke(*start, *end, ink, dashed);
            }
        }
    }

    /// The corners of a line.
    fn path(&self, placed: &Placed, a: &Spot, b: &Spot, track: i32) -> Vec<(i32, i32)> {
        let (a_end, b_end) = (a.y + a.height - 1, b.y + b.height - 1);
        if a.row == b.row {
            if is_next_to(placed, a, b) {
                let y = a.y + a.height / 2;
                return vec![(a.anchor, y), (b.anchor, y)];
            }
            let y = if a.row + 1 < placed.rows { a_end + 1 } else { a.y - 1 };
            let edge = if y < a.y { a.y } else { a_end };
            return vec![(a.anchor, edge), (a.anchor, y), (b.anchor, y), (b.anchor, edge)];
        }
        if a.row < b.row {
            let start = (a_end + 1 + track).min(b.y - 1);
            if a.row + 1 == b.row {
                return vec![(a.anchor, a_end), (a.anchor, start), (b.anchor, start), (b.anchor, b.y)];
            }
            let lane = self.lane(a.row + 1..b.row, a.anchor, b.anchor);
            let turn = b.y - 1;
            return vec![
                (a.anchor, a_end),
                (a.anchor, start),
                (lane, start),
                (lane, turn),
                (b.anchor, turn),
                (b.anchor, b.y),
            ];
        }
        let (start, turn) = (a.y - 1, b_end + 1);
        let lane = self.lane(b.row + 1..a.row, a.anchor, b.anchor);
        vec![(a.anchor, a.y), (a.anchor, start), (lane, start), (lane, turn), (b.anchor, turn), (b.anchor, b_end)]
    }

    /// The column nearest to both ends that no item of these rows takes.
    fn lane(&self, rows: std::ops::Range<usize>, from: i32, to: i32) -> i32 {
        if rows.is_empty() {
            return to;
        }
        let free = |x: &i32| {
            rows.clone()
                .filter_map(|row| self.taken.get(row))
                .all(|row| !row.iter().any(|(start, end)| (*start..=*end).contains(x)))
        };
        let far = |x: i32| (x - from).abs() + (x - to).abs();
        let columns = self.left..self.left + self.width;
        columns.filter(free).min_by_key(|x| (far(*x), (x - to).abs(), *x)).unwrap_or(to)
    }

    fn stroke(&mut self, start: (i32, i32), end: (i32, i32), ink: Ink, dashed: bool) {
        let (dx, dy) = ((end.0 - start.0).signum(), (end.1 - start.1).signum());
        let (out, back) = match (dx, dy) {
            (1, _) => (RIGHT, LEFT),
            (-1, _) => (LEFT, RIGHT),
            (_, 1) => (DOWN, UP),
            (_, -1) => (UP, DOWN),
            _ => return,
        };
        let mut at = start;
        while at != end {
            self.add(at, out, ink, dashed);
            at = (at.0 + dx, at.1 + dy);
            self.add(at, back, ink, dashed);
        }
    }

    fn add(&mut self, at: (i32, i32), side: u8, ink: Ink, dashed: bool) {
        let Some(cell) = self.place(at.0, at.1).and_then(|place| self.cells.get_mut(place)) else { return };
        cell.dashed = if cell.sides == 0 || ink > cell.ink { dashed } else { cell.dashed && dashed };
        cell.sides |= side;
        cell.ink = cell.ink.max(ink);
    }

    fn place(&self, x: i32, y: i32) -> Option<usize> {
        let x = x - self.left;
        let inside = (0..self.width).contains(&x) && (0..self.height).contains(&y);
        inside.then(|| usize::try_from(y * self.width + x).ok()).flatten()
    }

    /// What leaves a cell upwards, downwards, to the left and to the right.
    pub(super) fn sides(&self, x: i32, y: i32) -> [bool; 4] {
        let sides = self.place(x, y).and_then(|place| self.cells.get(place)).map_or(0, |cell| cell.sides);
        [UP, DOWN, LEFT, RIGHT].map(|side| sides & side != 0)
    }

    /// The sign of a cell, with what it means; none where no line passes.
    pub(super) fn sign(&self, x: i32, y: i32, glyphs: &Glyphs) -> Option<(&'static str, Ink)> {
        let cell = self.place(x, y).and_then(|place| self.cells.get(place)).filter(|cell| cell.sides != 0)?;
        let [across, down, down_right, down_left, up_right, up_left, tee_down, tee_up, tee_right, tee_left, cross] =
            glyphs.lines;
        let sign = match cell.sides {
            sides if sides & (LEFT | RIGHT) == 0 => match (cell.dashed, glyphs.ascii) {
                (true, false) => "╎",
                (true, true) => ":",
                (false, _) => down,
            },
            sides if sides & (UP | DOWN) == 0 => match (cell.dashed, glyphs.ascii) {
                (true, false) => "╌",
                (true, true) => ".",
                (false, _) => across,
            },
            sides => match (sides & UP != 0, sides & DOWN != 0, sides & LEFT != 0, sides & RIGHT != 0) {
                (true, true, true, true) => cross,
                (true, true, true, false) => tee_left,
                (true, true, false, _) => tee_right,
                (true, false, true, true) => tee_up,
                (false, true, true, true) => tee_down,
                (true, false, true, false) => up_left,
                (true, false, false, _) => up_right,
                (false, true, true, false) => down_left,
                (false, _, _, _) => down_right,
            },
        };
        Some((sign, cell.ink))
    }
}

/// Whether two items stand side by side in one row, with nothing between.
pub(super) fn neighbours(placed: &Placed, a: usize, b: usize) -> bool {
    match (placed.spots.get(a), placed.spots.get(b)) {
        (Some(a), Some(b)) => a.row == b.row && is_next_to(placed, a, b),
        _ => false,
    }
}

fn is_next_to(placed: &Placed, a: &Spot, b: &Spot) -> bool {
    let (left, right) = if a.x < b.x { (a, b) } else { (b, a) };
    !placed.spots.iter().any(|spot| spot.row == a.row && spot.width > 0 && left.x < spot.x && spot.x < right.x)
}

/// Transitions from an upper to a lower row, without those that a chain of others implies.
fn reduced(sketch: &Sketch, placed: &Placed) -> BTreeSet<(usize, usize)> {
    let row = |item: usize| placed.spots.get(item).map_or(0, |spot| spot.row);
    let down: Vec<(usize, usize)> =
        sketch.links.iter().map(|link| (link.from, link.to)).filter(|(from, to)| row(*from) < row(*to)).collect();
    let count = sketch.items.len();
    let words = count.div_ceil(64);
    let mut below = vec![vec![0_u64; words]; count];
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (from, to) in &down {
        if let Some(next) = next.get_mut(*from) {
            next.push(*to);
        }
    }
    let mut by_row: Vec<usize> = (0..count).collect();
    by_row.sort_by_key(|item| std::cmp::Reverse(row(*item)));
    let mut kept = BTreeSet::new();
    for from in by_row {
        let mut targets = next.get(from).cloned().unwrap_or_default();
        targets.sort_by_key(|to| row(*to));
        let mut reached = vec![0_u64; words];
        for to in targets {
            let known = reached.get(to / 64).is_some_and(|word| word & (1 << (to % 64)) != 0);
            if !known {
                kept.insert((from, to));
                if let Some(word) = reached.get_mut(to / 64) {
                    *word |= 1 << (to % 64);
                }
                if let Some(more) = below.get(to) {
                    reached.iter_mut().zip(more).for_each(|(word, more)| *word |= more);
                }
            }
        }
        if let Some(place) = below.get_mut(from) {
            *place = reached;
        }
    }
    kept
}

/// Which line of the gap below its source each transition turns in. Those with the same targets share one; where there is
/// room, others that would touch get the next.
fn tracks(links: &BTreeSet<(usize, usize)>, placed: &Placed) -> Vec<((usize, usize), i32)> {
    let spot = |item: usize| placed.spots.get(item).copied().unwrap_or_default();
    let mut targets: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (from, to) in links {
        targets.entry(*from).or_default().push(*to);
    }
    let mut bundles: BTreeMap<(usize, Vec<usize>), Vec<usize>> = BTreeMap::new();
    for (from, to) in targets {
        bundles.entry((spot(from).row, to)).or_default().push(from);
    }
    let mut used: BTreeMap<(usize, i32), Vec<(i32, i32)>> = BTreeMap::new();
    let mut found = Vec::new();
    for ((row, to), from) in bundles {
        let ends = || from.iter().chain(&to).map(|item| spot(*item).anchor);
        let extent = (ends().min().unwrap_or(0), ends().max().unwrap_or(0));
        let bottom = from.iter().map(|item| spot(*item)).map(|spot| spot.y + spot.height).max().unwrap_or(0);
        let below = to.iter().map(|item| spot(*item)).filter(|spot| spot.row == row + 1).map(|spot| spot.y).min();
        let room = below.map_or(1, |below| (below - bottom).max(1));
        let free = |track: &i32| {
            used.get(&(row, *track)).is_none_or(|used| !used.iter().any(|(a, b)| *a <= extent.1 && extent.0 <= *b))
        };
        let track = (0..room).find(free).unwrap_or(room - 1);
        used.entry((row, track)).or_default().push(extent);
        for source in &from {
            found.extend(to.iter().map(|target| ((*source, *target), track)));
        }
    }
    found.sort_by_key(|(link, _)| (number(link.0), number(link.1)));
    found
}
