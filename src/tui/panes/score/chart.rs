//! J over the cycles of an episode, as a picture.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::plot::{Plot, Span};
use super::series::{Series, bucket, slot};
use crate::model::{Cycle, Seq};
use crate::tui::index::{Point, Sort};
use crate::tui::page::fitted;
use crate::tui::paint::{self, share, signed, tone};
use crate::tui::scene::Scene;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::words;

/// Columns of the names at the left.
const NAMES: u16 = 6;
/// Parts that get a line of their own.
const PARTS: usize = 8;
/// How lines of parts look, in turn; each is named by its number, too.
const LOOKS: [Role; 4] = [Role::Accent, Role::Unsure, Role::Text, Role::Quiet];

/// What the picture is of.
pub(super) struct Chart<'a> {
    /// The episode.
    pub(super) episode: u32,
    /// J after each of its cycles, those after the moment shown too.
    pub(super) points: &'a [Point],
    /// The run before, and what it is called.
    pub(super) before: Option<(Series<'a>, String)>,
    /// Whether each part is a line of its own.
    pub(super) parts: bool,
}

/// The rows of the picture.
struct Rows {
    plot: u16,
    deltas: bool,
    legend: bool,
    halting: bool,
}

impl Rows {
    fn of(height: u16, said: bool) -> Self {
        let (deltas, legend, halting) = (height >= 9, height >= 10 && said, height >= 7);
        let others = 2 + u16::from(deltas) + u16::from(legend) + u16::from(halting);
        Self { plot: height.saturating_sub(others), deltas, legend, halting }
    }
}

impl Chart<'_> {
    /// Cycles from the left end to the right.
    fn len(&self) -> usize {
        let before = self.before.as_ref().map_or(0, |(series, _)| series.len());
        self.points.len().max(before).max(1)
    }

    /// The place of the moment shown.
    fn here(&self, scene: &Scene<'_>) -> usize {
        self.points.partition_point(|point| point.seq <= scene.state.seq).saturating_sub(1)
    }

    /// Draws it.
    pub(super) fn draw(&self, scene: &Scene<'_>, area: Rect, buf: &mut Buffer) {
        let legend = self.legend(scene, usize::from(area.width));
        let rows = Rows::of(area.height, !legend.is_empty());
        let names = if area.width >= 24 { NAMES } else { 0 };
        let inside = Rect { x: area.x + names, width: area.width - names, height: rows.plot, ..area };
        if inside.is_empty() {
            return;
        }
        let here = self.here(scene);
        self.axes(scene, area, inside, buf, here);
        self.lines(scene, inside, buf, here);
        let mut row = rows.plot + 2;
        if rows.deltas {
            self.deltas(scene, Rect { y: area.y + row, height: 1, ..area }, names, buf);
            row += 1;
        }
        if rows.legend {
            let line = fitted(legend, usize::from(area.width), |role| scene.style(role));
            paint::line(buf, area, row, line);
            row += 1;
        }
        if rows.halting {
            let words = halting(scene, usize::from(area.width));
            paint::text(buf, area, row, &words, scene.style(Role::Quiet));
        }
    }

    /// The cycle that a column of the area stands for.
    pub(super) fn cycle_at(&self, area: Rect, x: u16) -> Option<&Point> {
        let names = if area.width >= 24 { NAMES } else { 0 };
        let column = usize::from(x.checked_sub(area.x + names)?);
        let (from, _) = bucket(column, usize::from(area.width.checked_sub(names)?), self.len());
        self.points.get(from.min(self.points.len().saturating_sub(1)))
    }

    fn axes(&self, scene: &Scene<'_>, area: Rect, inside: Rect, buf: &mut Buffer, here: usize) {
        let lines = &scene.glyphs.lines;
        let (border, quiet) = (scene.style(Role::Border), scene.style(Role::Quiet));
        let left = area.x;
        if inside.x > left {
            let plot = Plot::new(inside.width, inside.height);
            let wanted: &[f64] = match inside.height {
                0..3 => &[],
                3..5 => &[1.0, 0.0],
                5..9 => &[1.0, 0.5, 0.0],
                _ => &[1.0, 0.75, 0.5, 0.25, 0.0],
            };
            for row in 0..inside.height {
                buf.set_string(inside.x - 1, inside.y + row, lines[1], border);
            }
            for value in wanted {
                let Some(row) = plot.cell_row(*value) else { continue };
                let name = if *value == 0.0 { "0" } else { &share(*value) };
                let name = if *value == 1.0 { format!("J {name}") } else { name.to_owned() };
                buf.set_string(left, inside.y + row, format!("{name:>5}"), quiet);
                buf.set_string(inside.x - 1, inside.y + row, lines[9], border);
            }
            buf.set_string(inside.x - 1, inside.bottom(), lines[4], border);
            paint::text(buf, Rect { x: left, y: inside.bottom() + 1, width: 6, height: 1 }, 0, "cycle", quiet);
        }
        for x in 0..inside.width {
            buf.set_string(inside.x + x, inside.bottom(), lines[0], border);
        }
        let columns = usize::from(inside.width);
        for place in self.revised(scene) {
            let x = middle(place, columns, self.len());
            buf.set_string(inside.x + x, inside.bottom(), scene.glyphs.revision, scene.style(Role::Accent));
        }
        self.numbers(scene, inside, buf, here);
    }

    /// Numbers of cycles under the axis, as many as fit; the one shown is in brackets.
    fn numbers(&self, scene: &Scene<'_>, inside: Rect, buf: &mut Buffer, here: usize) {
        let (columns, len) = (usize::from(inside.width), self.len());
        let digits = (len - 1).to_string().len();
        let every = ((digits + 3) * len).div_ceil(columns.max(1)).max(1);
        let every = round(every);
        let y = inside.bottom() + 1;
        let mut write = |place: usize, name: &str, role: Role| {
            let wide = u16::try_from(name.len()).unwrap_or(0);
            let x = middle(place, columns, len).saturating_sub(wide / 2).min(inside.width.saturating_sub(wide));
            if wide <= inside.width {
                buf.set_string(inside.x + x, y, name, scene.style(role));
            }
        };
        for place in (0..len).step_by(every) {
            write(place, &place.to_string(), Role::Quiet);
        }
        if scene.looking {
            write(here, &format!(" [{here}] "), Role::Strong);
        }
    }

    fn lines(&self, scene: &Scene<'_>, inside: Rect, buf: &mut Buffer, here: usize) {
        let mut plot = Plot::new(inside.width, inside.height);
        let (columns, len) = (plot.columns(), self.len());
        let (_, shown) = slot(here, columns, len);
        if scene.looking {
            let x = inside.x + middle(here, usize::from(inside.width), len);
            for row in 0..inside.height {
                buf.set_string(x, inside.y + row, scene.glyphs.lines[1], scene.style(Role::Focus));
            }
        }
        let at = |series: Series<'_>, x: usize| {
            let (from, to) = bucket(x, columns, len);
            series.span(from, to)
        };
        if let Some((series, _)) = &self.before {
            plot.steps(|x| at(*series, x), |_| Role::Quiet);
        }
        if self.parts {
            for (part, look) in (0..self.count_parts(scene)).zip(LOOKS.iter().cycle()) {
                plot.steps(|x| self.part(scene, part, bucket(x, columns, len)), |_| *look);
            }
        } else {
            let series = Series::Points(self.points);
            plot.steps(|x| at(series, x), |x| if scene.looking && x >= shown { Role::Quiet } else { Role::Accent });
            if let Some(best) = scene.state.incumbent.as_ref().filter(|_| !self.points.is_empty()) {
                let from = slot(best.cycle.0 as usize, columns, len).0;
                plot.dotted(best.j, from, Role::Good);
            }
        }
        plot.draw(scene, inside, buf);
        if self.parts {
            self.name_parts(scene, &plot, inside, buf);
        }
    }

    /// The number of each part at the right end of its line.
    fn name_parts(&self, scene: &Scene<'_>, plot: &Plot, inside: Rect, buf: &mut Buffer) {
        let Some(last) = self.points.len().checked_sub(1) else { return };
        let mut names: Vec<(u16, String)> = Vec::new();
        for part in 0..self.count_parts(scene) {
            let value = self.part(scene, part, (last, last + 1)).map(|span| span.last);
            let Some(row) = value.and_then(|value| plot.cell_row(value)) else { continue };
            match names.iter_mut().find(|(other, _)| *other == row) {
                Some((_, name)) => name.push_str(&format!(",{}", part + 1)),
                None => names.push((row, format!(" part {}", part + 1))),
            }
        }
        let end = slot(last, usize::from(inside.width), self.len()).1;
        for (row, name) in names {
            let wide = u16::try_from(name.len()).unwrap_or(0);
            let x = u16::try_from(end).unwrap_or(0).min(inside.width.saturating_sub(wide));
            let place = Rect { x: inside.x + x, width: inside.width - x, ..inside };
            paint::text(buf, place, row, &name, scene.style(Role::Strong));
        }
    }

    fn count_parts(&self, scene: &Scene<'_>) -> usize {
        scene.state.scores.last().map_or(0, |point| point.score.parts.len().min(PARTS))
    }

    /// The value of a part after the last of some cycles.
    fn part(&self, scene: &Scene<'_>, part: usize, (from, to): (usize, usize)) -> Option<Span> {
        let at = to.min(self.points.len()).checked_sub(1).filter(|at| *at >= from)?;
        let score = scene.now.scores.get(scene.live.index().place(self.episode) + at)?;
        let value = score.score.parts.get(part)?.value;
        Some(Span { first: value, last: value, low: value, high: value })
    }

    /// Changes of J: as numbers where there is room, else as bars.
    fn deltas(&self, scene: &Scene<'_>, row: Rect, names: u16, buf: &mut Buffer) {
        if names > 0 {
            buf.set_string(row.x, row.y, format!("{:>5}", words::delta(scene)), scene.style(Role::Quiet));
        }
        let inside = Rect { x: row.x + names, width: row.width - names, ..row };
        let (columns, len) = (usize::from(inside.width), self.len());
        if columns >= len * 5 {
            for (place, point) in self.points.iter().enumerate().filter(|(_, point)| point.delta.abs() >= 0.005) {
                let name = signed(point.delta);
                let wide = u16::try_from(name.len()).unwrap_or(0);
                let x = middle(place, columns, len).saturating_sub(wide / 2).min(inside.width.saturating_sub(wide));
                buf.set_string(inside.x + x, inside.y, &name, scene.style(tone(point.delta)));
            }
            return;
        }
        for x in 0..columns {
            let (from, to) = bucket(x, columns, len);
            let points = self.points.get(from..to.min(self.points.len())).unwrap_or_default();
            let most = points.iter().map(|point| point.delta).max_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap_or(0.0);
            if most.abs() < 0.005 {
                continue;
            }
            let sign = if most > 0.0 {
                words::sparkline(&[most], 0.0, 1.0, scene.glyphs.ascii)
            } else {
                scene.glyphs.down.to_owned()
            };
            let x = inside.x + u16::try_from(x).unwrap_or(0);
            buf.set_string(x, inside.y, sign, scene.style(tone(most)));
        }
    }

    /// What the lines and signs mean, as far as there is room, what is needed most first.
    fn legend(&self, scene: &Scene<'_>, columns: usize) -> Vec<(Role, String)> {
        let line = scene.glyphs.lines[0].repeat(2);
        let mut groups = Vec::new();
        if let (Some((_, name)), false) = (&self.before, self.parts) {
            groups.push(vec![(Role::Accent, line.clone()), (Role::Text, " this run".to_owned())]);
            groups.push(vec![(Role::Quiet, format!("{line} {name}"))]);
        }
        if self.parts {
            groups.push(vec![(Role::Text, "each part on its own".to_owned())]);
        }
        if !self.revised(scene).is_empty() {
            let sign = scene.glyphs.revision;
            groups.push(vec![(Role::Accent, sign.to_owned()), (Role::Text, " network revised".to_owned())]);
        }
        if let (Some(best), false) = (&scene.state.incumbent, self.parts) {
            let dots = if scene.glyphs.ascii { "''" } else { "⠁⠁" };
            let words = format!(" best {}, cycle {}", share(best.j), best.cycle);
            groups.push(vec![(Role::Good, dots.to_owned()), (Role::Text, words)]);
        }
        let mut pieces: Vec<(Role, String)> = Vec::new();
        let mut used = 0;
        for group in groups {
            let wide: usize = group.iter().map(|(_, words)| text::width(words)).sum();
            let space = if pieces.is_empty() { 0 } else { 3 };
            if used + space + wide > columns {
                break;
            }
            used += space + wide;
            pieces.push((Role::Text, " ".repeat(space)));
            pieces.extend(group);
        }
        pieces
    }

    /// The places at which revisions entered.
    fn revised(&self, scene: &Scene<'_>) -> Vec<usize> {
        let index = scene.live.index();
        let earlier = self.episode.checked_sub(1).map(|before| index.points(before, Seq(u64::MAX)));
        let since = earlier.and_then(|points| points.last()).map_or(Seq(0), |point| point.seq);
        let upto = self.points.last().map_or(scene.now.seq, |point| point.seq);
        // Behind the last cycle only while no other episode has taken it up.
        let open = scene.now.episode.as_ref().is_some_and(|now| now.number == self.episode);
        let upto = if open { scene.now.seq } else { upto };
        let revised = index.marks(since..upto).iter().filter(|mark| mark.sort == Sort::Revision);
        let place = |seq: Seq| self.points.partition_point(|point| point.seq <= seq).min(self.len() - 1);
        let mut places: Vec<usize> = revised.take(512).map(|mark| place(mark.seq)).collect();
        places.dedup();
        places
    }
}

/// When the run would stop, in as many words as fit.
pub(super) fn halting(scene: &Scene<'_>, width: usize) -> String {
    let halting = &scene.network.halting;
    let (dot, epsilon) = (words::dot(scene), words::epsilon(scene));
    let least = words::number(halting.epsilon);
    let short = format!(
        "{epsilon} {least}{dot}k {}{dot}idle {} of {}",
        halting.k,
        scene.state.idle(halting.epsilon),
        halting.k
    );
    let long = format!("{short} (drafting cycles that gain less than {epsilon})");
    if text::width(&long) <= width { long } else { short }
}

/// The middle of a place, in columns.
fn middle(place: usize, columns: usize, len: usize) -> u16 {
    let (from, to) = slot(place, columns, len);
    u16::try_from((from + (to - from).saturating_sub(1) / 2).min(columns.saturating_sub(1))).unwrap_or(0)
}

/// A step that people count in: 1, 2, 5, 10, …
fn round(least: usize) -> usize {
    let mut power = 1usize;
    loop {
        for step in [1, 2, 5] {
            if power.saturating_mul(step) >= least {
                return power.saturating_mul(step);
            }
        }
        power = power.saturating_mul(10);
    }
}

/// J as one line of bars with its value, and what is known about it in the rows below.
pub(super) fn strip(scene: &Scene<'_>, points: &[Point], area: Rect, buf: &mut Buffer) {
    let shown = &points[..points.partition_point(|point| point.seq <= scene.state.seq)];
    let width = usize::from(area.width);
    let Some(last) = shown.last() else {
        paint::text(buf, area, 0, "J  nothing is scored yet", scene.style(Role::Quiet));
        return;
    };
    let mut line = vec![
        (Role::Quiet, "J ".to_owned()),
        (Role::Strong, share(last.j)),
        (tone(last.delta), format!(" {} {}", words::way(scene, last.delta), signed(last.delta).trim())),
    ];
    let best = scene.state.incumbent.as_ref();
    let best = best.map_or(String::new(), |best| format!("  best {} at cycle {}", share(best.j), best.cycle));
    let used: usize = line.iter().map(|(_, words)| text::width(words)).sum::<usize>() + 2;
    let best = if width > used + best.len() + 6 { best } else { String::new() };
    let bars = width.saturating_sub(used + best.len()).min(shown.len());
    let series = Series::Points(shown);
    let values: Vec<f64> = (0..bars)
        .map(|x| {
            let (from, to) = bucket(x, bars, shown.len());
            series.span(from, to).map_or(f64::NAN, |span| span.last)
        })
        .collect();
    line.push((Role::Accent, format!("  {}", words::sparkline(&values, 0.0, 1.0, scene.glyphs.ascii))));
    line.push((Role::Quiet, best));
    paint::line(buf, area, 0, fitted(line, width, |role| scene.style(role)));
    if area.height > 1 {
        paint::text(buf, area, 1, &halting(scene, width), scene.style(Role::Quiet));
    }
    let score = scene.state.scores.last().map(|point| point.score.clone());
    let parts = score.iter().flat_map(|score| &score.parts);
    for (row, part) in (2..area.height).zip(parts) {
        let why = text::clean(crate::tui::brief::head(&part.why, 400)).into_owned();
        let words = format!("part {}  {}  {}  {why}", part.part, share(part.value), words::part_state(part.state));
        paint::text(buf, area, row, &words, scene.style(Role::Text));
    }
}

/// What a cycle is called where it is looked at.
pub(super) fn at(cycle: Cycle) -> String {
    if cycle.0 == 0 { "before cycle 1".to_owned() } else { format!("after cycle {cycle}") }
}
