//! The visible rows of a diff: gutter with the choice, numbers, signs, and lines in colours.

use std::ops::Range;
use std::rc::Rc;
use std::time::Instant;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use super::layout::{Kind, NONE, Row, broken, shown};
use super::review::{File, Review};
use super::words::{Changed, changed};
use crate::tui::lines::Lines;
use crate::tui::paint;
use crate::tui::scene::Scene;
use crate::tui::text::{clean, fit, split_at, width};
use crate::tui::theme::Role;

/// Most pairs of lines whose changed words are remembered.
const MOST_WORDS: usize = 4096;

/// How a width is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Geometry {
    /// Columns of cursor and choice.
    pub(super) gutter: usize,
    /// Columns of one line number with the space after it; none where there is no room.
    number: usize,
    /// Whether old and new have a number each, in one column of text.
    both: bool,
    /// Whether old and new stand beside each other.
    pub(super) sides: bool,
    /// Columns of text, on either side.
    pub(super) columns: usize,
}

impl Geometry {
    /// Divides a width; `lines` is the length of the longest file.
    pub(super) fn new(width: usize, lines: usize, sides: bool) -> Self {
        let gutter = if width >= 24 { 5 } else { 2 };
        let number = if width >= 30 { lines.max(1).ilog10() as usize + 2 } else { 0 };
        let both = !sides && width >= 60;
        let columns = if sides {
            (width.saturating_sub(gutter + 3) / 2).saturating_sub(number + 2)
        } else {
            width.saturating_sub(gutter + number * if both { 2 } else { 1 } + 2)
        };
        Self { gutter, number, both, sides, columns: columns.max(2) }
    }
}

/// Draws the rows of a review from a line on into an area.
pub(super) struct Drawing<'a> {
    pub(super) scene: &'a Scene<'a>,
    pub(super) geometry: Geometry,
    pub(super) wrap: bool,
    pub(super) review: &'a mut Review,
    /// Until when changed words are looked for; what is left is found in the next frame.
    pub(super) deadline: Instant,
    /// Whether none was looked for yet.
    pub(super) fresh: bool,
    /// Which lines of a row are visible; the others are empty.
    pub(super) visible: Range<usize>,
}

/// One side of a row, ready to be broken.
struct Side {
    number: String,
    sign: &'static str,
    style: Style,
    spans: Vec<(Style, String)>,
}

impl Drawing<'_> {
    /// Draws from line `from` of the diff at row `row` of the area to the end of either.
    pub(super) fn draw(&mut self, buf: &mut Buffer, area: Rect, row: u16, from: usize) {
        let layout = self.review.layout(self.geometry.sides, self.geometry.columns, self.wrap);
        let upto = from + usize::from(area.height.saturating_sub(row));
        for (top, line) in layout.rows_from(from).take_while(|(top, _)| *top < upto) {
            let begins = layout.begins_piece(line, top);
            self.visible = from.saturating_sub(top)..upto - top;
            let rows = self.row(line, begins);
            for (at, spans) in rows.into_iter().enumerate() {
                let at = top + at;
                if at >= from && at < upto {
                    let y = row + u16::try_from(at - from).unwrap_or(u16::MAX);
                    paint::line(buf, area, y, spans);
                }
            }
        }
    }

    /// A row as lines of the screen.
    fn row(&mut self, row: &Row, begins: bool) -> Vec<Vec<Span<'static>>> {
        let Some(file) = self.review.files.get(row.file as usize) else { return vec![Vec::new()] };
        match row.kind {
            Kind::File => vec![self.file(file)],
            Kind::Gap => {
                let words = format!("{} {} equal lines", self.scene.glyphs.more, row.old);
                let space = " ".repeat(self.geometry.gutter);
                vec![vec![Span::raw(space), self.scene.span(Role::Quiet, words)]]
            }
            Kind::Same if self.geometry.sides => {
                let (left, right) = (self.same(file, row, row.old, ""), self.same(file, row, row.new, ""));
                self.beside(row, begins, Some(left), Some(right))
            }
            Kind::Same => {
                let number = if self.geometry.both { self.numbered(row.old) } else { String::new() };
                let side = self.same(file, row, row.new, &number);
                self.lines(row, begins, side)
            }
            Kind::Old => {
                let words = self.words(row);
                let side = self.side(row, Role::Removed, &words.0);
                self.lines(row, begins, side)
            }
            Kind::New => {
                let words = self.words(row);
                let side = self.side(row, Role::Added, &words.1);
                self.lines(row, begins, side)
            }
            Kind::Both => {
                let words = self.words(row);
                let left = (row.old != NONE).then(|| self.side(row, Role::Removed, &words.0));
                let right = (row.new != NONE).then(|| self.side(row, Role::Added, &words.1));
                self.beside(row, begins, left, right)
            }
        }
    }

    fn file(&self, file: &File) -> Vec<Span<'static>> {
        let state = match (file.is_new, file.is_gone, file.edited) {
            (_, _, true) => "  edited by you",
            (true, _, false) => "  new file",
            (_, true, false) => "  the file is removed",
            (false, false, false) => "",
        };
        let bar = self.scene.glyphs.lines[0];
        vec![
            self.scene.span(Role::Border, bar.repeat(2)),
            self.scene.span(Role::Accent, format!(" {}", clean(&file.path))),
            self.scene.span(if file.edited { Role::Unsure } else { Role::Quiet }, state),
        ]
    }

    fn numbered(&self, line: u32) -> String {
        let columns = self.geometry.number.saturating_sub(1);
        match (self.geometry.number, line) {
            (0, _) => String::new(),
            (_, NONE) => " ".repeat(columns + 1),
            (_, line) => format!("{:>columns$} ", line + 1),
        }
    }

    /// An equal line; its colours are those of the new text, or of the old one beside it.
    fn same(&self, file: &File, row: &Row, line: u32, before: &str) -> Side {
        let new = line == row.new;
        let lines = if new { &file.after } else { &file.before };
        let style = self.scene.style(Role::Text);
        let spans = self.coloured(file, lines, line, style, false);
        Side { number: format!("{before}{}", self.numbered(line)), sign: "  ", style, spans }
    }

    /// A line that comes or goes.
    fn side(&self, row: &Row, role: Role, words: &[Range<usize>]) -> Side {
        let style = self.scene.style(role);
        let Some(file) = self.review.files.get(row.file as usize) else {
            return Side { number: String::new(), sign: "", style, spans: Vec::new() };
        };
        let added = role == Role::Added;
        let (lines, line) = if added { (&file.after, row.new) } else { (&file.before, row.old) };
        let spans = self.coloured(file, lines, line, style, true);
        let word = self.scene.style(if added { Role::AddedWord } else { Role::RemovedWord });
        let number = match (self.geometry.both, added) {
            (true, true) => format!("{}{}", self.numbered(NONE), self.numbered(line)),
            (true, false) => format!("{}{}", self.numbered(line), self.numbered(NONE)),
            (false, _) => self.numbered(line),
        };
        Side { number, sign: if added { "+ " } else { "- " }, style, spans: marked(spans, words, word) }
    }

    /// A line in the colours of its language. Where a changed line is told by the colour of its text alone, it keeps that.
    fn coloured(&self, file: &File, lines: &Lines, line: u32, base: Style, is_changed: bool) -> Vec<(Style, String)> {
        let row = line as usize;
        let (part, note) = shown(lines, row, is_changed);
        let plain = is_changed && base.bg.is_none();
        let mut spans = if plain || part.len() < lines.get(row).len() {
            vec![(base, clean(part).into_owned())]
        } else {
            let found = self.scene.code.lines(&file.path, lines.text(), row..row + 1).pop().unwrap_or_default();
            let style = |role| if role == Role::Text { base } else { Style { bg: base.bg, ..self.scene.style(role) } };
            found.into_iter().map(|(role, text)| (style(role), text)).collect()
        };
        if !note.is_empty() {
            spans.push((base.patch(self.scene.style(Role::Quiet)), clean(&note).into_owned()));
        }
        spans
    }

    /// The words of a row that changed, in bytes of the clean lines.
    fn words(&mut self, row: &Row) -> Rc<Changed> {
        if row.old == NONE || row.new == NONE {
            return Rc::default();
        }
        let key = (row.file, row.old, row.new);
        if let Some(known) = self.review.words.get(&key) {
            return known.clone();
        }
        let Some(file) = self.review.files.get(row.file as usize) else { return Rc::default() };
        if Instant::now() >= self.deadline {
            return Rc::default();
        }
        let (old, _) = shown(&file.before, row.old as usize, false);
        let (new, _) = shown(&file.after, row.new as usize, false);
        let found = Rc::new(changed(&clean(old), &clean(new), self.deadline));
        let fresh = std::mem::replace(&mut self.fresh, false);
        // What came out coarse for want of time is looked for again, unless it had all the time there is.
        if !fresh && Instant::now() >= self.deadline {
            return found;
        }
        if self.review.words.len() >= MOST_WORDS {
            self.review.words.clear();
        }
        self.review.words.insert(key, found.clone());
        found
    }

    /// What stands left of a row: the cursor, and whether its piece is chosen.
    fn gutter(&self, row: &Row, begins: bool) -> Vec<Span<'static>> {
        let piece = self.review.pieces.get(row.piece as usize);
        let here = piece.is_some() && row.piece as usize == self.review.at;
        let glyphs = self.scene.glyphs;
        let wide = self.geometry.gutter >= 5;
        let chosen = piece.is_some_and(|piece| piece.chosen);
        let cursor = match (here, begins) {
            (true, true) if wide => glyphs.runs,
            (true, _) if wide => glyphs.lines[1],
            (true | false, _) => " ",
        };
        let choice = match (begins, wide) {
            (true, true) => {
                if chosen {
                    "[x] "
                } else {
                    "[ ] "
                }
            }
            (true, false) => match (chosen, here) {
                (true, _) => "x ",
                (false, true) => glyphs.runs,
                (false, false) => "- ",
            },
            (false, true) => "    ",
            (false, false) => "  ",
        };
        let role = if chosen {
            Role::Good
        } else if here {
            Role::Strong
        } else {
            Role::Quiet
        };
        let mut spans = Vec::new();
        if wide {
            spans.push(self.scene.span(Role::Focus, cursor));
        }
        spans.push(self.scene.span(role, format!("{choice:<0$}", self.geometry.gutter - usize::from(wide))));
        spans
    }

    fn lines(&self, row: &Row, begins: bool, side: Side) -> Vec<Vec<Span<'static>>> {
        let mut lines = Vec::new();
        for (index, part) in self.broken(&side.spans).into_iter().enumerate() {
            if !self.visible.contains(&index) {
                lines.push(Vec::new());
                continue;
            }
            let mut spans = self.gutter(row, begins && index == 0);
            spans.extend(self.margin(&side, index));
            spans.extend(part);
            spans.extend(self.filled(&side, &spans, self.geometry.gutter));
            lines.push(spans);
        }
        lines
    }

    /// Number and sign of a line; only its first part has them.
    fn margin(&self, side: &Side, index: usize) -> [Span<'static>; 2] {
        let quiet = self.scene.style(Role::Quiet);
        let quiet = Style { bg: side.style.bg, ..quiet };
        let (number, sign) = match index {
            0 => (side.number.clone(), side.sign.to_owned()),
            _ => (" ".repeat(width(&side.number)), " ".repeat(side.sign.len())),
        };
        [Span::styled(number, quiet), Span::styled(sign, side.style)]
    }

    /// Fills a line to the end of its side, where its ground has a colour.
    fn filled(&self, side: &Side, spans: &[Span<'static>], before: usize) -> Option<Span<'static>> {
        let used: usize = spans.iter().map(|span| width(&span.content)).sum();
        let all = before + width(&side.number) + 2 + self.geometry.columns;
        side.style.bg.map(|_| Span::styled(" ".repeat(all.saturating_sub(used)), side.style))
    }

    fn beside(&self, row: &Row, begins: bool, left: Option<Side>, right: Option<Side>) -> Vec<Vec<Span<'static>>> {
        let parts = |side: &Option<Side>| side.as_ref().map_or_else(Vec::new, |side| self.broken(&side.spans));
        let (mut old, mut new) = (parts(&left).into_iter(), parts(&right).into_iter());
        let each = self.geometry.number + 2 + self.geometry.columns;
        let half = |index: usize, side: &Option<Side>, part: Option<Vec<Span<'static>>>| -> Vec<Span<'static>> {
            let mut spans = Vec::new();
            if let (Some(side), Some(part)) = (side, part) {
                spans.extend(self.margin(side, index));
                spans.extend(part);
                spans.extend(self.filled(side, &spans, 0));
            }
            let used: usize = spans.iter().map(|span| width(&span.content)).sum();
            spans.push(Span::raw(" ".repeat(each.saturating_sub(used))));
            spans
        };
        let mut lines = Vec::new();
        loop {
            let (a, b) = (old.next(), new.next());
            if a.is_none() && b.is_none() && !lines.is_empty() {
                return lines;
            }
            let index = lines.len();
            let mut spans = self.gutter(row, begins && index == 0);
            spans.extend(half(index, &left, a));
            spans.push(self.scene.span(Role::Border, format!(" {} ", self.scene.glyphs.lines[1])));
            spans.extend(half(index, &right, b));
            lines.push(spans);
        }
    }

    /// Pieces of text broken into lines, or cut where long lines are not wrapped.
    fn broken(&self, pieces: &[(Style, String)]) -> Vec<Vec<Span<'static>>> {
        let columns = self.geometry.columns;
        let whole: String = pieces.iter().map(|(_, text)| text.as_str()).collect();
        if !self.wrap {
            let kept = fit(&whole, columns);
            let cut = kept.len() < whole.len() || width(&kept) < width(&whole);
            let room = if cut { columns.saturating_sub(1) } else { columns };
            let mut line = part(pieces, 0, split_at(&whole, room).0.len());
            if cut {
                line.push(self.scene.span(Role::Quiet, self.scene.glyphs.more));
            }
            return vec![line];
        }
        let mut at = 0;
        let lines = broken(&whole, columns).enumerate().map(|(index, line)| {
            let from = at;
            at += line.len();
            if self.visible.contains(&index) { part(pieces, from, at) } else { Vec::new() }
        });
        lines.take(self.visible.end).collect()
    }
}

/// The bytes of some pieces from one place to another.
fn part(pieces: &[(Style, String)], from: usize, upto: usize) -> Vec<Span<'static>> {
    let (mut at, mut spans) = (0, Vec::new());
    for (style, text) in pieces {
        let end = at + text.len();
        if end > from && at < upto {
            let inner = text.get(from.saturating_sub(at)..(upto - at).min(text.len())).unwrap_or_default();
            spans.push(Span::styled(inner.to_owned(), *style));
        }
        at = end;
    }
    spans
}

/// Pieces with some ranges of them in another style.
fn marked(pieces: Vec<(Style, String)>, ranges: &[Range<usize>], style: Style) -> Vec<(Style, String)> {
    if ranges.is_empty() {
        return pieces;
    }
    let mut marked = Vec::new();
    let mut at = 0;
    for (base, text) in pieces {
        let end = at + text.len();
        let mut from = at;
        for range in ranges.iter().filter(|range| range.end > at && range.start < end) {
            let (start, stop) = (range.start.max(from), range.end.min(end));
            for (style, range) in [(base, from..start), (base.patch(style), start..stop)] {
                if let Some(inner) = text.get(range.start - at..range.end - at).filter(|inner| !inner.is_empty()) {
                    marked.push((style, inner.to_owned()));
                }
            }
            from = stop;
        }
        if let Some(inner) = text.get(from - at..).filter(|inner| !inner.is_empty()) {
            marked.push((base, inner.to_owned()));
        }
        at = end;
    }
    marked
}
