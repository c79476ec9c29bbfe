//! Lines drawn with the dots of Braille cells, two wide and four high each.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::tui::scene::Scene;
use crate::tui::theme::Role;

/// The bit of each dot, by row and column.
const BITS: [[u8; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];

/// What a line does between two columns of dots.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Span {
    /// Its first value.
    pub(super) first: f64,
    /// Its last value.
    pub(super) last: f64,
    /// Its lowest value.
    pub(super) low: f64,
    /// Its highest value.
    pub(super) high: f64,
}

/// A field of dots.
pub(super) struct Plot {
    width: usize,
    height: usize,
    cells: Vec<Option<(u8, Role)>>,
}

impl Plot {
    /// An empty field of so many cells.
    pub(super) fn new(width: u16, height: u16) -> Self {
        let (width, height) = (usize::from(width), usize::from(height));
        Self { width, height, cells: vec![None; width * height] }
    }

    /// Columns of dots.
    pub(super) fn columns(&self) -> usize {
        self.width * 2
    }

    /// Draws a line of steps over everything so far; values are 0 at the bottom and 1 at the top. `at` says what the line does
    /// in a column of dots: nothing where there is no value. `role` says how a column looks.
    pub(super) fn steps(&mut self, at: impl Fn(usize) -> Option<Span>, role: impl Fn(usize) -> Role) {
        let mut before: Option<f64> = None;
        for x in 0..self.columns() {
            let Some(span) = at(x).filter(|span| span.first.is_finite() && span.last.is_finite()) else {
                before = None;
                continue;
            };
            let joined = before.unwrap_or(span.first);
            let (low, high) = (span.low.min(joined), span.high.max(joined));
            let (Some(top), Some(bottom)) = (self.row(high), self.row(low)) else {
                before = None;
                continue;
            };
            for y in top..=bottom {
                self.dot(x, y, role(x));
            }
            before = Some(span.last);
        }
    }

    /// Draws a level line of single dots from a column on, where nothing is drawn yet.
    pub(super) fn dotted(&mut self, value: f64, from: usize, role: Role) {
        let Some(y) = self.row(value) else { return };
        for x in (from..self.columns()).filter(|x| x % 4 == 0) {
            let cell = (y / 4) * self.width + x / 2;
            if self.cells.get(cell).is_some_and(Option::is_none) {
                self.dot(x, y, role);
            }
        }
    }

    /// The row of cells that a value is in.
    pub(super) fn cell_row(&self, value: f64) -> Option<u16> {
        self.row(value).and_then(|row| u16::try_from(row / 4).ok())
    }

    /// Draws the field.
    pub(super) fn draw(&self, scene: &Scene<'_>, area: Rect, buf: &mut Buffer) {
        for (index, cell) in self.cells.iter().enumerate() {
            let Some((bits, role)) = cell else { continue };
            let (x, y) = (index % self.width, index / self.width);
            let (Ok(x), Ok(y)) = (u16::try_from(x), u16::try_from(y)) else { continue };
            if x < area.width && y < area.height {
                let sign = if scene.glyphs.ascii { ascii(*bits) } else { braille(*bits) };
                let mut place = [0; 4];
                buf.set_string(area.x + x, area.y + y, sign.encode_utf8(&mut place), scene.style(*role));
            }
        }
    }

    /// The row of dots of a value; none where it is no number.
    fn row(&self, value: f64) -> Option<usize> {
        let last = (self.height * 4).checked_sub(1)?;
        value.is_finite().then(|| ((1.0 - value.clamp(0.0, 1.0)) * last as f64).round() as usize)
    }

    fn dot(&mut self, x: usize, y: usize, role: Role) {
        let bit = BITS[y % 4][x % 2];
        if let Some(cell) = self.cells.get_mut((y / 4) * self.width + x / 2) {
            let bits = cell.map_or(0, |(bits, _)| bits);
            *cell = Some((bits | bit, role));
        }
    }
}

fn braille(bits: u8) -> char {
    char::from_u32(0x2800 + u32::from(bits)).unwrap_or(' ')
}

/// The sign that looks most like some dots.
fn ascii(bits: u8) -> char {
    let row = |row: usize| bits & (BITS[row][0] | BITS[row][1]) != 0;
    match (row(0), row(1) || row(2), row(3)) {
        (true, true, true) | (true, false, true) => '|',
        (true, _, false) => '\'',
        (false, true, false) => '-',
        (false, true, true) => '.',
        (false, false, _) => '_',
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::testing::{Stage, text_of};

    fn drawn(values: &[Option<f64>], ascii: bool) -> String {
        let mut stage = Stage::empty();
        if ascii {
            stage.glyphs = crate::tui::scene::Glyphs::ASCII;
        }
        let mut plot = Plot::new(4, 2);
        let at = |x: usize| values.get(x).copied().flatten();
        plot.steps(|x| at(x).map(|v| Span { first: v, last: v, low: v, high: v }), |_| Role::Text);
        let area = Rect::new(0, 0, 4, 2);
        let mut buf = Buffer::empty(area);
        plot.draw(&stage.scene(), area, &mut buf);
        text_of(&buf)
    }

    #[test]
    fn a_line_of_steps_is_joined_and_has_gaps_where_there_is_nothing() {
        let up = [0.0, 0.0, 0.0, 1.0, 1.0, 1.0].map(Some);
        assert_eq!(drawn(&up, false), " ⢸⠉\n⣀⣸\n");
        assert_eq!(drawn(&up, true), " |'\n_|\n");
        let gap = [Some(1.0), Some(1.0), None, None, Some(0.0), Some(f64::NAN)];
        assert_eq!(drawn(&gap, false), "⠉\n  ⡀\n");
    }
}
