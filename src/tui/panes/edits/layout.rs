//! Which rows a diff has, and how high each of them is. Made once for a width; drawing looks only at what is visible.

use std::ops::Range;

use super::review::{File, Piece};
use super::split::pairs;
use crate::tui::lines::Lines;
use crate::tui::text::{clean, split_at, width};

/// Equal lines shown around a change.
const CONTEXT: usize = 3;
/// Bytes of a line that are shown.
const LONGEST: usize = 2000;
/// Stands for no line, and for no piece.
pub(super) const NONE: u32 = u32::MAX;

/// What a row shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The name of a file.
    File,
    /// So many equal lines (`old`) that are left out.
    Gap,
    /// An equal line.
    Same,
    /// A line that goes; `new` is what stands against it.
    Old,
    /// A line that comes; `old` is what it stands against.
    New,
    /// An old and a new line beside each other; either may be missing.
    Both,
}

/// One row of a diff, before it is wrapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Row {
    /// What it shows.
    pub(super) kind: Kind,
    /// Index of the file.
    pub(super) file: u32,
    /// Index of the piece that it belongs to.
    pub(super) piece: u32,
    /// Old line, from 0.
    pub(super) old: u32,
    /// New line, from 0.
    pub(super) new: u32,
}

/// The rows of a diff at one width.
pub(super) struct Layout {
    sides: bool,
    columns: usize,
    wrap: bool,
    rows: Vec<Row>,
    /// Where each row begins, in lines of the screen, and where the last one ends.
    tops: Vec<u32>,
    /// First row of each piece, and the one after its last.
    places: Vec<(u32, u32)>,
}

impl Layout {
    /// Lays the pieces out; `columns` are those of the text on either side.
    pub(super) fn new(files: &[File], pieces: &[Piece], sides: bool, columns: usize, wrap: bool) -> Self {
        let (mut rows, mut places) = (Vec::new(), Vec::with_capacity(pieces.len()));
        let mut from = 0;
        for (index, file) in files.iter().enumerate() {
            let upto = pieces.partition_point(|piece| piece.file <= index);
            let mut maker = Maker { file: number(index), sides, rows: &mut rows, places: &mut places };
            maker.file(file, pieces.get(from..upto).unwrap_or_default(), from);
            from = upto;
        }
        let mut tops = Vec::with_capacity(rows.len() + 1);
        let mut top = 0u32;
        for row in &rows {
            tops.push(top);
            top = top.saturating_add(if wrap { high(files, row, columns) } else { 1 });
        }
        tops.push(top);
        Self { sides, columns, wrap, rows, tops, places }
    }

    pub(super) fn is_for(&self, sides: bool, columns: usize, wrap: bool) -> bool {
        (self.sides, self.columns, self.wrap) == (sides, columns, wrap)
    }

    /// Lines of the screen that it takes.
    pub(super) fn height(&self) -> usize {
        self.tops.last().map_or(0, |end| *end as usize)
    }

    /// The rows from a line of the screen on, each with the line at which it begins.
    pub(super) fn rows_from(&self, line: usize) -> impl Iterator<Item = (usize, &Row)> {
        let first = self.tops.partition_point(|top| *top as usize <= line).saturating_sub(1);
        let tops = self.tops.iter().skip(first).map(|top| *top as usize);
        tops.zip(self.rows.iter().skip(first))
    }

    /// All rows, each with the line at which it begins.
    pub(super) fn rows(&self) -> impl DoubleEndedIterator<Item = (usize, &Row)> + ExactSizeIterator {
        self.tops.iter().map(|top| *top as usize).take(self.rows.len()).zip(&self.rows)
    }

    /// The lines of the screen that a piece takes.
    pub(super) fn piece(&self, piece: usize) -> Range<usize> {
        let Some((first, end)) = self.places.get(piece) else { return 0..0 };
        self.top(*first)..self.top(*end)
    }

    /// The piece at a line of the screen, or else the first one after it.
    pub(super) fn piece_at(&self, line: usize) -> usize {
        let row = self.tops.partition_point(|top| *top as usize <= line).saturating_sub(1);
        match self.rows.get(row) {
            Some(row) if row.piece != NONE => row.piece as usize,
            Some(_) | None => self.places.partition_point(|(first, _)| (*first as usize) < row),
        }
    }

    /// Whether a row is the first of its piece; `line` is where it begins.
    pub(super) fn begins_piece(&self, row: &Row, line: usize) -> bool {
        self.places.get(row.piece as usize).is_some_and(|(first, _)| self.top(*first) == line)
    }

    fn top(&self, row: u32) -> usize {
        self.tops.get(row as usize).map_or(0, |top| *top as usize)
    }
}

struct Maker<'a> {
    file: u32,
    sides: bool,
    rows: &'a mut Vec<Row>,
    places: &'a mut Vec<(u32, u32)>,
}

impl Maker<'_> {
    fn push(&mut self, kind: Kind, piece: u32, old: u32, new: u32) {
        self.rows.push(Row { kind, file: self.file, piece, old, new });
    }

    fn file(&mut self, file: &File, pieces: &[Piece], first: usize) {
        self.push(Kind::File, NONE, NONE, NONE);
        // Where the last piece ended, in the old and in the new text.
        let (mut old, mut new) = (0, 0);
        for (index, piece) in pieces.iter().enumerate() {
            let start = piece.hunk.old.start;
            let after = if index == 0 { old } else { (old + CONTEXT).min(start) };
            let before = start.saturating_sub(CONTEXT).max(after);
            self.same(old..after, new);
            self.gap(after..before, new + (after - old));
            self.same(before..start, new + (before - old));
            self.piece(file, piece, number(first + index));
            (old, new) = (piece.hunk.old.end, piece.hunk.new.end);
        }
        let end = if pieces.is_empty() { old } else { (old + CONTEXT).min(file.before.len()) };
        self.same(old..end, new);
        self.gap(end..file.before.len(), new + (end - old));
    }

    fn same(&mut self, lines: Range<usize>, new: usize) {
        for (old, new) in lines.zip(new..) {
            self.push(Kind::Same, NONE, number(old), number(new));
        }
    }

    /// Equal lines that are left out. A single one takes no more room than the note that says so.
    fn gap(&mut self, lines: Range<usize>, new: usize) {
        if lines.len() > 1 {
            self.push(Kind::Gap, NONE, number(lines.len()), NONE);
        } else {
            self.same(lines, new);
        }
    }

    fn piece(&mut self, file: &File, piece: &Piece, index: u32) {
        let start = number(self.rows.len());
        let pairs = pairs(&file.before, &file.after, &piece.hunk);
        let line = |line: Option<usize>| line.map_or(NONE, number);
        if self.sides {
            for (old, new) in pairs {
                self.push(Kind::Both, index, line(old), line(new));
            }
            self.places.push((start, number(self.rows.len())));
            return;
        }
        for (old, new) in pairs.iter().filter(|(old, _)| old.is_some()) {
            self.push(Kind::Old, index, line(*old), line(*new));
        }
        for (old, new) in pairs.iter().filter(|(_, new)| new.is_some()) {
            self.push(Kind::New, index, line(*old), line(*new));
        }
        self.places.push((start, number(self.rows.len())));
    }
}

fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(NONE - 1)
}

/// The part of a line that is shown, and what is said about the rest.
pub(super) fn shown(lines: &Lines, row: usize, changed: bool) -> (&str, String) {
    let line = lines.get(row);
    let mut note = if changed { lines.odd_end(row).unwrap_or_default().to_owned() } else { String::new() };
    if line.len() <= LONGEST {
        return (line, note);
    }
    let end = (0..=LONGEST).rev().find(|at| line.is_char_boundary(*at)).unwrap_or(0);
    let rest = line.len() - end;
    note = if rest < 1000 { format!(" … +{rest} B") } else { format!(" … +{} kB", rest.div_ceil(1000)) };
    (line.get(..end).unwrap_or_default(), note)
}

/// Lines of the screen that a row takes where long lines are wrapped.
fn high(files: &[File], row: &Row, columns: usize) -> u32 {
    let Some(file) = files.get(row.file as usize) else { return 1 };
    let of = |lines: &Lines, line: u32, changed: bool| {
        if line == NONE { 1 } else { lines_of(lines, line as usize, changed, columns) }
    };
    match row.kind {
        Kind::File | Kind::Gap => 1,
        Kind::Same => of(&file.before, row.old, false),
        Kind::Old => of(&file.before, row.old, true),
        Kind::New => of(&file.after, row.new, true),
        Kind::Both => of(&file.before, row.old, true).max(of(&file.after, row.new, true)),
    }
}

fn lines_of(lines: &Lines, row: usize, changed: bool, columns: usize) -> u32 {
    let (line, note) = shown(lines, row, changed);
    let ordinary = line.bytes().all(|byte| (0x20..0x7f).contains(&byte));
    if ordinary {
        // The note, too, has characters of one column only.
        return number((line.len() + width(&note)).div_ceil(columns.max(2)).max(1));
    }
    number(broken(&format!("{}{}", clean(line), clean(&note)), columns).count())
}

/// Clean text broken into lines of so many columns, at least one of them. At a width of two columns everything fits.
pub(super) fn broken(text: &str, columns: usize) -> impl Iterator<Item = &str> {
    let columns = columns.max(2);
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let (line, after) = split_at(text, columns);
        rest = (!after.is_empty() && width(line) > 0).then_some(after);
        Some(line)
    })
}
