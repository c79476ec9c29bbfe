//! Gives every item a place, without drawing anything.
//!
//! Columns count from the middle of the drawing, so that a wider drawing moves nothing.

use std::collections::BTreeMap;

use super::sketch::Sketch;

/// Columns between two chips of a row.
const GAP: i32 = 3;
/// Most columns between two chips of a row.
const WIDEST_GAP: i32 = 16;
/// Columns kept after a chip for what changes: runs and credit, or badges alone. The first that fits is taken.
const RESERVES: [i32; 4] = [11, 8, 4, 1];
/// Columns of a box beside its name: border, state and space.
const BORDER: i32 = 6;
/// Fewest columns of a box.
const BOX: i32 = 14;

/// How much of each item is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Size {
    /// One line.
    Chip,
    /// A box with so many lines inside.
    Box(u16),
}

impl Size {
    /// Lines that an item takes.
    pub(super) fn height(self) -> i32 {
        match self {
            Self::Chip => 1,
            Self::Box(lines) => i32::from(lines) + 2,
        }
    }
}

/// Where an item stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Spot {
    /// Leftmost column, from the middle of the drawing.
    pub(super) x: i32,
    /// Top line.
    pub(super) y: i32,
    /// Columns that are its own.
    pub(super) width: i32,
    /// Lines that are its own.
    pub(super) height: i32,
    /// Column at which lines begin and end.
    pub(super) anchor: i32,
    /// Row, from the top.
    pub(super) row: usize,
}

/// A whole placement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Placed {
    /// One spot an item.
    pub(super) spots: Vec<Spot>,
    /// Leftmost column.
    pub(super) left: i32,
    /// One past the rightmost column.
    pub(super) right: i32,
    /// Lines.
    pub(super) height: i32,
    /// Number of rows.
    pub(super) rows: usize,
}

/// A way to give items places.
pub(super) trait Placement {
    /// Places everything. An item that was placed keeps its spot when others come or go.
    fn place(&self, sketch: &Sketch) -> Placed;
}

/// One item a line, as a list shows them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column;

impl Placement for Column {
    fn place(&self, sketch: &Sketch) -> Placed {
        let spots: Vec<Spot> = (0..sketch.items.len())
            .map(|row| Spot { y: number(row), width: 1, height: 1, row, ..Spot::default() })
            .collect();
        Placed { left: 0, right: 1, height: number(spots.len()), rows: spots.len(), spots }
    }
}

/// Ranks one below the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layered {
    /// Columns that there are.
    pub(super) width: i32,
    /// Lines between rows.
    pub(super) gap: i32,
    /// How much of each item is shown.
    pub(super) size: Size,
}

impl Placement for Layered {
    fn place(&self, sketch: &Sketch) -> Placed {
        let ranks = ordered(sketch);
        let reserve = self.reserve(sketch, &ranks);
        let mut placed = Placed { spots: vec![Spot::default(); sketch.items.len()], ..Placed::default() };
        // Rank to its last row, and rows with what stands in them.
        let mut last_row: BTreeMap<usize, usize> = BTreeMap::new();
        let mut rows: Vec<Vec<usize>> = Vec::new();
        for (rank, members) in &ranks {
            let all: Vec<usize> = members.inner.iter().chain(&members.side).copied().collect();
            if self.fits(sketch, &all, reserve) {
                self.lay_row(sketch, &members.inner, &members.side, reserve, rows.len(), &mut placed);
                rows.push(all.clone());
            } else {
                self.lay_rows(sketch, &all, reserve, &mut rows, &mut placed);
            }
            last_row.insert(*rank, rows.len().saturating_sub(1));
            for group in all.iter().filter(|item| sketch.items.get(**item).is_some_and(|item| item.open)) {
                let band = band(sketch, *group);
                self.lay_rows(sketch, &band, reserve, &mut rows, &mut placed);
            }
        }
        let mut done = vec![false; sketch.items.len()];
        rows.iter().flatten().for_each(|item| mark(&mut done, *item));
        for item in (0..sketch.items.len()).filter(|item| !done.get(*item).copied().unwrap_or(true)) {
            self.lay_late(sketch, item, reserve, &last_row, &mut rows, &mut placed);
        }
        placed.rows = rows.len();
        placed.left = placed.spots.iter().map(|spot| spot.x).min().unwrap_or(0);
        placed.right = placed.spots.iter().map(|spot| spot.x + spot.width).max().unwrap_or(0);
        placed.height = placed.spots.iter().map(|spot| spot.y + spot.height).max().unwrap_or(0);
        placed
    }
}

/// A rank from left to right, and what stands at its side.
#[derive(Clone, Debug, Default)]
struct Rank {
    inner: Vec<usize>,
    side: Vec<usize>,
}

impl Layered {
    /// Columns that items may take; lines that go round need the rest.
    fn usable(&self) -> i32 {
        match self.width {
            64.. => self.width - 4,
            40.. => self.width - 2,
            _ => self.width,
        }
    }

    /// The most that can be kept after each chip.
    fn reserve(&self, sketch: &Sketch, ranks: &BTreeMap<usize, Rank>) -> i32 {
        let fits = |reserve: &i32| {
            let mut all = ranks.values().map(|rank| [rank.inner.as_slice(), rank.side.as_slice()].concat());
            all.all(|members| self.fits(sketch, &members, *reserve))
        };
        match self.size {
            Size::Chip => RESERVES.into_iter().find(fits).unwrap_or(1),
            Size::Box(_) => 0,
        }
    }

    /// Fewest columns between two items.
    fn least(&self, reserve: i32) -> i32 {
        match self.size {
            Size::Chip => (reserve + 2).max(GAP),
            Size::Box(_) => GAP - 1,
        }
    }

    /// Whether items fit into one row.
    fn fits(&self, sketch: &Sketch, members: &[usize], reserve: i32) -> bool {
        let names: i32 = members.iter().map(|item| self.own(sketch, *item)).sum();
        let gaps = (number(members.len()) - 1) * self.least(reserve);
        names + gaps + 2 * self.trailing(reserve) <= self.usable()
    }

    /// Columns that are taken right of the last chip of a row.
    fn trailing(&self, reserve: i32) -> i32 {
        match self.size {
            Size::Chip => reserve,
            Size::Box(_) => 0,
        }
    }

    /// Columns of an item without what is kept after it.
    fn own(&self, sketch: &Sketch, item: usize) -> i32 {
        let width = sketch.items.get(item).map_or(0, |item| number(item.width()));
        match self.size {
            Size::Chip => width + 2,
            Size::Box(_) => (width + BORDER).max(BOX),
        }
    }

    /// Places items in as many rows as they need.
    fn lay_rows(
        &self,
        sketch: &Sketch,
        members: &[usize],
        reserve: i32,
        rows: &mut Vec<Vec<usize>>,
        placed: &mut Placed,
    ) {
        let mut row: Vec<usize> = Vec::new();
        for item in members {
            row.push(*item);
            if row.len() > 1 && !self.fits(sketch, &row, reserve) {
                row.pop();
                self.lay_row(sketch, &row, &[], reserve, rows.len(), placed);
                rows.push(std::mem::replace(&mut row, vec![*item]));
            }
        }
        if !row.is_empty() {
            self.lay_row(sketch, &row, &[], reserve, rows.len(), placed);
            rows.push(row);
        }
    }

    /// Places a row around the middle, and what stands at its side to the right of that.
    fn lay_row(
        &self,
        sketch: &Sketch,
        inner: &[usize],
        side: &[usize],
        reserve: i32,
        number_of_row: usize,
        placed: &mut Placed,
    ) {
        let least = self.least(reserve);
        let own = |items: &[usize]| items.iter().map(|item| self.own(sketch, *item)).sum::<i32>();
        let many = number(inner.len());
        let beside = own(side) + number(side.len()) * GAP + self.trailing(reserve).min(GAP);
        if !side.is_empty() && (many == 0 || (own(inner) + (many - 1) * least) / 2 + beside > self.width / 2) {
            // There is no room for a side of its own.
            let all: Vec<usize> = inner.iter().chain(side).copied().collect();
            return self.lay_row(sketch, &all, &[], reserve, number_of_row, placed);
        }
        let edge = if side.is_empty() { self.trailing(reserve) } else { beside };
        let spare = (self.usable() - own(inner) - 2 * edge) / (many + 1);
        let gap = spare.min(WIDEST_GAP).max(least);
        let mut x = match (inner, self.size) {
            // A single one stands with its name in the very middle, so that lines down the middle are straight.
            ([only], Size::Chip) => -2 - (self.own(sketch, *only) - 2) / 2,
            ([only], Size::Box(_)) => -self.own(sketch, *only) / 2,
            ([..], _) => -(own(inner) + gap * (many - 1)) / 2,
        };
        // What stands at the side keeps the distance that there is room for.
        let room = self.width / 2 - (x + own(inner) + gap * (many - 1)) - own(side) - self.trailing(reserve).min(GAP);
        let aside = (room / number(side.len().max(1))).clamp(GAP, gap.max(GAP));
        let last = inner.len().saturating_sub(1);
        let inner = inner.iter().enumerate().map(|(at, item)| (item, if at == last { aside } else { gap }));
        for (item, gap) in inner.chain(side.iter().map(|item| (item, aside))) {
            let own = self.own(sketch, *item);
            if let Some(spot) = placed.spots.get_mut(*item) {
                *spot = self.spot(x, own, reserve, number_of_row);
            }
            x += own + gap;
        }
    }

    fn spot(&self, x: i32, own: i32, reserve: i32, row: usize) -> Spot {
        let height = self.size.height();
        let anchor = match self.size {
            Size::Chip => x + 2 + (own - 2) / 2,
            Size::Box(_) => x + own / 2,
        };
        let width = own + self.trailing(reserve);
        Spot { x, y: number(row) * (height + self.gap), width, height, anchor, row }
    }

    /// Places what came late beside the row of its rank, so that nothing else moves.
    fn lay_late(
        &self,
        sketch: &Sketch,
        item: usize,
        reserve: i32,
        last_row: &BTreeMap<usize, usize>,
        rows: &mut Vec<Vec<usize>>,
        placed: &mut Placed,
    ) {
        let Some(late) = sketch.items.get(item) else { return };
        let band = late.under.and_then(|group| {
            rows.iter().rposition(|row| row.iter().any(|other| under(sketch, *other) == Some(group)))
        });
        let below = || last_row.range(..=late.rank).next_back().or_else(|| last_row.iter().next());
        let row = band.or_else(|| below().map(|(_, row)| *row)).unwrap_or(0);
        if rows.is_empty() {
            rows.push(Vec::new());
        }
        let own = self.own(sketch, item);
        let there = rows.get(row).into_iter().flatten().filter_map(|item| placed.spots.get(*item));
        let (left, right) =
            there.fold((0, 0), |(left, right), spot| (left.min(spot.x), right.max(spot.x + spot.width)));
        let at_right = right + GAP;
        let at_left = left - GAP - own - self.trailing(reserve);
        let fits_right = at_right + own + self.trailing(reserve) <= self.usable() / 2;
        let x = if fits_right || at_left < -self.width / 2 { at_right } else { at_left };
        if let Some(spot) = placed.spots.get_mut(item) {
            *spot = self.spot(x, own, reserve, row);
        }
        if let Some(row) = rows.get_mut(row) {
            row.push(item);
        }
    }
}

/// What was there from the start, by rank: each near those that lead to it; at the side what acts aside or stands alone.
fn ordered(sketch: &Sketch) -> BTreeMap<usize, Rank> {
    const SPAN: i64 = 1 << 20;
    let mut linked = vec![false; sketch.items.len()];
    let mut into: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    // Within a rank, those that lead to others stand before those.
    let mut leads: BTreeMap<usize, i64> = BTreeMap::new();
    let rank_of = |item: usize| sketch.items.get(item).map(|item| item.rank);
    for ((from, to), count) in &sketch.settled {
        mark(&mut linked, *from);
        mark(&mut linked, *to);
        into.entry(*to).or_default().push(*from);
        if rank_of(*from) == rank_of(*to) {
            *leads.entry(*from).or_default() -= count;
            *leads.entry(*to).or_default() += count;
        }
    }
    let mut ranks: BTreeMap<usize, Rank> = BTreeMap::new();
    let alone = sketch.settled.is_empty();
    for (index, item) in sketch.items.iter().enumerate().filter(|(_, item)| !item.late && item.under.is_none()) {
        let rank = ranks.entry(item.rank).or_default();
        let side = item.aside || !(alone || linked.get(index).copied().unwrap_or(false));
        if side { rank.side.push(index) } else { rank.inner.push(index) }
    }
    let mut places: BTreeMap<usize, i64> = BTreeMap::new();
    for rank in ranks.values_mut() {
        let mean = |item: &usize| {
            let above: Vec<i64> =
                into.get(item).into_iter().flatten().filter_map(|from| places.get(from).copied()).collect();
            above.iter().sum::<i64>() / i64::try_from(above.len().max(1)).unwrap_or(i64::MAX)
        };
        rank.inner.sort_by_cached_key(|item| {
            let contract = sketch.items.get(*item).map(|item| item.contract);
            (mean(item), leads.get(item).copied().unwrap_or(0), contract, *item)
        });
        let many = i64::try_from(rank.inner.len().max(1)).unwrap_or(i64::MAX);
        places.extend(rank.inner.iter().zip(0_i64..).map(|(item, at)| (*item, (2 * at + 1) * SPAN / many - SPAN)));
    }
    ranks
}

/// The members of an open group that were there from the start; at least one, so that the group has a row.
fn band(sketch: &Sketch, group: usize) -> Vec<usize> {
    let members = || sketch.items.iter().enumerate().filter(|(_, item)| item.under == Some(group));
    let first: Vec<usize> = members().filter(|(_, item)| !item.late).map(|(index, _)| index).collect();
    if first.is_empty() { members().take(1).map(|(index, _)| index).collect() } else { first }
}

fn under(sketch: &Sketch, item: usize) -> Option<usize> {
    sketch.items.get(item).and_then(|item| item.under)
}

fn mark(done: &mut [bool], item: usize) {
    if let Some(done) = done.get_mut(item) {
        *done = true;
    }
}

/// A count as a place.
pub(super) fn number(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX / 4)
}
