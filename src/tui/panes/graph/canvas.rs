//! Draws a placement: lines first, then items, as far as they are in view.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::chips::Chip;
use super::marks::{Mark, Marks, Past, Sign};
use super::place::{Layered, Placed, Size, Spot};
use super::sketch::{Key, Sketch};
use super::wires::{Ink, Wires};
use crate::model::{Phase, ProgramName};
use crate::tui::paint;
use crate::tui::scene::Scene;
use crate::tui::text;
use crate::tui::theme::Role;

/// Most transitions of one program that are drawn over the others.
const DRAWN: usize = 64;

/// A placement with its lines, which lasts until the network or the room for it changes.
#[derive(Debug, Default)]
pub(super) struct Laid {
    /// What is placed.
    pub(super) sketch: Sketch,
    /// Where.
    pub(super) placed: Placed,
    /// Declared transitions.
    pub(super) wires: Wires,
}

/// Everything that a drawing is made of.
pub(super) struct Canvas<'a> {
    /// The placement.
    pub(super) laid: &'a Laid,
    /// How it was made.
    pub(super) frame: Layered,
    /// What is known about programs.
    pub(super) marks: &'a Marks,
    /// What happened last.
    pub(super) past: &'a Past,
    /// The selected item.
    pub(super) selected: Option<usize>,
    /// The program whose transitions or sections are shown.
    pub(super) subject: Option<&'a ProgramName>,
    /// Whether sections are shown instead of transitions.
    pub(super) sections: bool,
    /// The column in the middle of the view, and its top line.
    pub(super) pan: (i32, i32),
}

impl Canvas<'_> {
    /// Draws it.
    pub(super) fn draw(&self, scene: &Scene<'_>, buf: &mut Buffer, area: Rect) {
        if area.is_empty() {
            return;
        }
        let wires = self.wires(scene);
        if let Some(wires) = &wires {
            self.draw_wires(scene, buf, area, wires);
        }
        let seen = self.pan.1..self.pan.1 + i32::from(area.height);
        for (index, spot) in self.laid.placed.spots.iter().enumerate() {
            if spot.y + spot.height > seen.start && spot.y < seen.end {
                self.draw_item(scene, buf, area, index, spot, wires.as_ref());
            }
        }
    }

    /// Which item is at a cell of the area.
    pub(super) fn item_at(&self, area: Rect, x: u16, y: u16) -> Option<usize> {
        let at = (i32::from(x) - self.left(area), i32::from(y) - i32::from(area.y) + self.pan.1);
        let on = |spot: &Spot| {
            (spot.y..spot.y + spot.height).contains(&at.1) && (spot.x..spot.x + spot.width).contains(&at.0)
        };
        self.laid.placed.spots.iter().position(on)
    }

    /// Where column 0 of the drawing is on the screen.
    fn left(&self, area: Rect) -> i32 {
        i32::from(area.x) + i32::from(area.width) / 2 - self.pan.0
    }

    /// Declared transitions, and over them what matters now; none where sections are shown.
    fn wires(&self, scene: &Scene<'_>) -> Option<Wires> {
        if self.sections {
            return None;
        }
        let (sketch, placed) = (&self.laid.sketch, &self.laid.placed);
        let mut wires = self.laid.wires.clone();
        let of = |from: &ProgramName, to: &ProgramName| Some((sketch.of(from)?, sketch.of(to)?));
        let mut over: Vec<(usize, usize, Ink, bool)> = Vec::new();
        if let Some(subject) = self.subject.and_then(|name| sketch.of(name)).filter(|_| self.selected.is_some()) {
            let links = sketch.links.iter().filter(|link| link.from == subject);
            over.extend(links.map(|link| (link.from, link.to, Ink::Chosen, link.engine)));
        }
        let route = scene.state.route.as_ref().filter(|_| scene.state.phase == Phase::Gate);
        for choice in route.iter().flat_map(|route| &route.choices) {
            let Some(last) = &choice.last else { continue };
            for candidate in &choice.candidates {
                let chosen = choice.chosen.contains(&candidate.program);
                let ink = if chosen { Ink::Next } else { Ink::Possible };
                over.extend(of(last, &candidate.program).map(|(from, to)| (from, to, ink, !candidate.declared)));
            }
        }
        for (from, to) in &self.past.last {
            let declared = scene.network.edges_from(from).any(|edge| edge.to == *to);
            over.extend(of(from, to).map(|(from, to)| (from, to, Ink::Last, !declared)));
        }
        over.sort_by_key(|(from, to, ink, _)| (*ink, *from, *to));
        for (from, to, ink, dashed) in over.into_iter().filter(|(from, to, ..)| from != to).rev().take(DRAWN) {
            wires.draw(placed, from, to, 0, ink, dashed);
        }
        Some(wires)
    }

    fn draw_wires(&self, scene: &Scene<'_>, buf: &mut Buffer, area: Rect, wires: &Wires) {
        let left = self.left(area);
        for y in area.top()..area.bottom() {
            for x in area.left()..area.right() {
                let at = (i32::from(x) - left, i32::from(y) - i32::from(area.y) + self.pan.1);
                if let Some((sign, ink)) = wires.sign(at.0, at.1, scene.glyphs) {
                    buf[(x, y)].set_symbol(sign).set_style(scene.style(role(ink)));
                }
            }
        }
    }

    fn draw_item(
        &self,
        scene: &Scene<'_>,
        buf: &mut Buffer,
        area: Rect,
        index: usize,
        spot: &Spot,
        wires: Option<&Wires>,
    ) {
        let Some(chip) = self.chip(scene, index) else { return };
        let (x, y) = (self.left(area) + spot.x, i32::from(area.y) + spot.y - self.pan.1);
        match self.frame.size {
            Size::Chip => {
                let room = self.room(index, spot);
                let (lead, line) = (chip.lead(), chip.line(scene, usize::try_from(room).unwrap_or(0)));
                let wide = i32::try_from(line.width()).unwrap_or(i32::MAX);
                // What begins left of the area is drawn aside and cut.
                put(buf, area, (x + 2 - lead, y), (wide, 1), |buf, at| paint::line(buf, at, 0, line));
                // Sections stand in the gap below, where no lines are drawn while they are shown.
                let style = scene.style(Role::Accent);
                let flow = chip.flow.unwrap_or_default();
                let rows = if self.frame.gap > 1 { flow } else { vec![flow.join(", ")] };
                for (row, words) in (1..).zip(rows).filter(|(_, words)| !words.is_empty()) {
                    let size = (room + 1, 1);
                    put(buf, area, (x + 2, y + row), size, |buf, at| paint::text(buf, at, 0, &words, style));
                }
            }
            Size::Box(_) => put(buf, area, (x, y), (spot.width, spot.height), |buf, at| {
                let own = Rect { width: u16::try_from(spot.width).unwrap_or(0).min(at.width), ..at };
                self.draw_border(scene, buf, own, spot, wires, &chip);
                chip.draw_box(scene, buf, own);
            }),
        }
    }

    /// Columns from an item to the next of its row.
    fn room(&self, index: usize, spot: &Spot) -> i32 {
        let others = self.laid.placed.spots.iter().enumerate();
        let next = others.filter(|(other, at)| *other != index && at.row == spot.row && at.x > spot.x && at.width > 0);
        let free = next.map(|(_, at)| at.x - spot.x - 2).min();
        free.unwrap_or_else(|| (self.frame.width - self.frame.width / 2 - spot.x + self.pan.0 - 1).max(spot.width))
    }

    fn draw_border(
        &self,
        scene: &Scene<'_>,
        buf: &mut Buffer,
        area: Rect,
        spot: &Spot,
        wires: Option<&Wires>,
        chip: &Chip<'_>,
    ) {
        if area.width < 2 || area.height < 2 {
            return;
        }
        let [across, down, down_right, down_left, up_right, up_left, tee_down, tee_up, tee_right, tee_left, _] =
            scene.glyphs.lines;
        let role = match chip.mark.sign {
            _ if chip.selected => Role::Focus,
            Sign::Runs | Sign::Next => Role::Running,
            Sign::Idle | Sign::Ran | Sign::Objects | Sign::Failed => Role::Border,
        };
        let style = scene.style(role);
        let (last_column, last_row) = (area.width - 1, area.height - 1);
        for dy in 0..area.height {
            for dx in 0..area.width {
                let side = |sides: fn([bool; 4]) -> bool| {
                    let at = (spot.x + i32::from(dx), spot.y + i32::from(dy));
                    wires.is_some_and(|wires| sides(wires.sides(at.0, at.1)))
                };
                let sign = match (dx, dy) {
                    (0, 0) => down_right,
                    (0, dy) if dy == last_row => up_right,
                    (dx, 0) if dx == last_column => down_left,
                    (dx, dy) if dx == last_column && dy == last_row => up_left,
                    (0, _) if side(|[_, _, left, _]| left) => tee_left,
                    (dx, _) if dx == last_column && side(|[_, _, _, right]| right) => tee_right,
                    (_, 0) if side(|[up, ..]| up) => tee_up,
                    (_, dy) if dy == last_row && side(|[_, down, ..]| down) => tee_down,
                    (_, 0) => across,
                    (_, dy) if dy == last_row => across,
                    (0, _) => down,
                    (dx, _) if dx == last_column => down,
                    (_, _) => " ",
                };
                buf[(area.x + dx, area.y + dy)].set_symbol(sign).set_style(style);
            }
        }
    }

    fn chip(&self, scene: &Scene<'_>, index: usize) -> Option<Chip<'_>> {
        let item = self.laid.sketch.items.get(index)?;
        let mark = if item.open { Mark::default() } else { self.marks.joined(&item.members) };
        let flow = self.sections.then(|| self.flow(scene, index)).flatten();
        let own = self.subject.is_some_and(|subject| self.laid.sketch.of(subject) == Some(index));
        let faded = flow.as_ref().is_some_and(Vec::is_empty) && !own;
        Some(Chip {
            mark,
            selected: self.selected == Some(index),
            member: self.member(index),
            back: if item.open { Vec::new() } else { self.back(index) },
            flow,
            faded,
            item,
        })
    }

    /// The member of a closed group that matters now: selected, running, next, or in the last transition.
    fn member(&self, index: usize) -> Option<String> {
        let item = self.laid.sketch.items.get(index).filter(|item| item.is_group())?;
        let busy = |name: &&ProgramName| {
            self.marks.get(name).is_some_and(|mark| matches!(mark.sign, Sign::Runs | Sign::Next | Sign::Failed))
        };
        let subject = self.subject.filter(|name| self.selected == Some(index) && item.members.contains(name));
        let moved = |name: &&ProgramName| self.past.last.iter().any(|(from, to)| from == *name || to == *name);
        let last = || item.members.iter().find(moved);
        let name = subject.or_else(|| item.members.iter().find(busy)).or_else(last)?;
        Some(text::clean(name.as_str()).into_owned())
    }

    /// Names of items higher up to which a transition leads.
    fn back(&self, index: usize) -> Vec<String> {
        let row = |item: usize| self.laid.placed.spots.get(item).map_or(0, |spot| spot.row);
        let mut to: Vec<usize> = self
            .laid
            .sketch
            .links
            .iter()
            .filter(|link| link.from == index && row(link.to) < row(index))
            .map(|link| link.to)
            .collect();
        to.sort_by_key(|item| (row(*item), *item));
        to.iter().filter_map(|item| self.laid.sketch.items.get(*item)).map(|item| item.label.clone()).collect()
    }

    /// Which sections an item gives to the subject, and which it takes from it, in words.
    fn flow(&self, scene: &Scene<'_>, index: usize) -> Option<Vec<String>> {
        let subject = self.subject.and_then(|name| scene.network.program(name))?;
        let item = self.laid.sketch.items.get(index)?;
        let (mut gives, mut takes) = (Vec::new(), Vec::new());
        let others = item.members.iter().filter(|name| **name != subject.name);
        for other in others.filter_map(|name| scene.network.program(name)) {
            let note = |found: &mut Vec<String>, section: &crate::model::Section| {
                let words = text::clean(section.as_str()).into_owned();
                if !found.contains(&words) {
                    found.push(words);
                }
            };
            let written = other.manifest.writes.iter().filter(|section| subject.manifest.reads.contains(section));
            written.for_each(|section| note(&mut gives, section));
            let read = other.manifest.reads.iter().filter(|section| subject.manifest.writes.contains(section));
            read.for_each(|section| note(&mut takes, section));
        }
        let part = |word: &str, found: &[String]| (!found.is_empty()).then(|| format!("{word} {}", found.join(" ")));
        Some([part("gives", &gives), part("takes", &takes)].into_iter().flatten().collect())
    }
}

/// Brings an item into view with as little movement as there must be.
pub(super) fn pan_to(pan: (i32, i32), placed: &Placed, spot: Option<&Spot>, area: Rect) -> (i32, i32) {
    let (wide, high) = (i32::from(area.width), i32::from(area.height));
    let half = wide / 2;
    let lowest = (placed.height - high).max(0);
    let fits = placed.left >= -half && placed.right <= wide - half;
    let range = ((placed.left + half).min(0), (placed.right - (wide - half)).max(0));
    let mut pan = (if fits { 0 } else { pan.0.clamp(range.0, range.1.max(range.0)) }, pan.1.clamp(0, lowest));
    if let Some(spot) = spot {
        if !fits {
            // The left end wins where an item is wider than the view.
            pan.0 = pan.0.max(spot.x + spot.width + 1 - (wide - half)).min(spot.x - 1 + half);
        }
        pan.1 = pan.1.max(spot.y + spot.height - high).min(spot.y).clamp(0, lowest);
    }
    pan
}

/// The key of the item at an index.
pub(super) fn key(laid: &Laid, index: usize) -> Option<&Key> {
    laid.sketch.items.get(index).map(|item| &item.key)
}

/// Draws something that may begin outside the area: aside first, then what is inside is copied.
fn put(buf: &mut Buffer, area: Rect, at: (i32, i32), size: (i32, i32), draw: impl FnOnce(&mut Buffer, Rect)) {
    let (Ok(wide), Ok(high)) = (u16::try_from(size.0), u16::try_from(size.1)) else { return };
    let own = Rect::new(0, 0, wide.min(512), high);
    let mut aside = Buffer::empty(own);
    draw(&mut aside, own);
    for y in 0..own.height {
        for x in 0..own.width {
            let to = (at.0 + i32::from(x), at.1 + i32::from(y));
            let (Ok(to_x), Ok(to_y)) = (u16::try_from(to.0), u16::try_from(to.1)) else { continue };
            if area.contains((to_x, to_y).into())
                && let Some(mut cell) = aside.cell((x, y)).cloned()
                && let Some(place) = buf.cell_mut((to_x, to_y))
            {
                // Half of a wide character would reach over the edge.
                if text::width(cell.symbol()) > 1 && to_x + 1 >= area.right() {
                    cell.set_symbol(" ");
                }
                *place = cell;
            }
        }
    }
}

fn role(ink: Ink) -> Role {
    match ink {
        Ink::Declared => Role::Border,
        Ink::Chosen => Role::Text,
        Ink::Possible | Ink::Last => Role::Accent,
        Ink::Next => Role::Running,
    }
}
