//! Text laid out in rows for a width.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::code::CodeLine;
use super::paint;
use super::scene::Scene;
use super::text;
use super::theme::Role;

/// One row.
#[derive(Clone, Debug, PartialEq)]
enum Row {
    /// Clean pieces.
    Text(CodeLine),
    /// A line of code, coloured when it is drawn.
    Code { path: Arc<str>, text: Arc<str>, row: usize },
}

/// Rows of text, laid out for a width.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Page {
    rows: Vec<Row>,
}

impl Page {
    /// Number of rows.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Adds an empty row.
    pub(super) fn blank(&mut self) {
        self.rows.push(Row::Text(Vec::new()));
    }

    /// Adds clean text, wrapped; lines after the first begin `hang` columns further in.
    pub(super) fn say(&mut self, role: Role, words: &str, width: usize, hang: usize) {
        let hang = hang.min(width / 2);
        let first = text::wrap(words, width);
        let Some(line) = first.first() else { return };
        self.rows.push(Row::Text(vec![(role, line.clone())]));
        if first.len() > 1 {
            let rest = words.get(line.len()..).unwrap_or_default().trim_start();
            for line in text::wrap(rest, width.saturating_sub(hang)) {
                self.rows.push(Row::Text(vec![(role, format!("{}{line}", " ".repeat(hang)))]));
            }
        }
    }

    /// Adds one row of clean pieces; it is cut where it is drawn.
    pub(super) fn row(&mut self, pieces: CodeLine) {
        self.rows.push(Row::Text(pieces));
    }

    /// Adds the rows of another.
    pub(super) fn append(&mut self, mut other: Self) {
        self.rows.append(&mut other.rows);
    }

    /// Adds code, coloured as the path says.
    pub(super) fn code(&mut self, path: &str, code: &str) {
        let (path, code): (Arc<str>, Arc<str>) = (Arc::from(path), Arc::from(code));
        let lines = code.lines().count();
        self.rows.extend((0..lines).map(|row| Row::Code { path: path.clone(), text: code.clone(), row }));
    }

    /// Whether the last row is empty, or there is none.
    pub(super) fn is_apart(&self) -> bool {
        match self.rows.last() {
            None => true,
            Some(Row::Text(pieces)) => pieces.is_empty(),
            Some(Row::Code { .. }) => false,
        }
    }

    /// One row as it is drawn in so many columns.
    pub(super) fn line(&self, at: usize, scene: &Scene<'_>, columns: usize) -> Line<'static> {
        let pieces = match self.rows.get(at) {
            None => Vec::new(),
            Some(Row::Text(pieces)) => pieces.clone(),
            Some(Row::Code { path, text, row }) => {
                scene.code.lines(path, text, *row..row + 1).into_iter().next().unwrap_or_default()
            }
        };
        fitted(pieces, columns, |role| scene.style(role))
    }

    /// Draws the rows from one on, or from so far up that the area is filled.
    pub(super) fn draw(&self, scene: &Scene<'_>, area: Rect, buf: &mut Buffer, top: usize) {
        let rows = usize::from(area.height);
        let top = top.min(self.len().saturating_sub(rows));
        for (row, at) in (0..area.height).zip(top..self.len()) {
            paint::line(buf, area, row, self.line(at, scene, usize::from(area.width)));
        }
        if self.len() > rows && top > 0 {
            paint::scroll_mark(scene, buf, area, &(top..(top + rows).min(self.len())), self.len());
        }
    }

    /// All rows as plain text, for the clipboard.
    pub(super) fn plain(&self, scene: &Scene<'_>) -> String {
        let lines = (0..self.len()).map(|at| self.line(at, scene, usize::MAX).to_string());
        lines.map(|line| format!("{}\n", line.trim_end())).collect()
    }

    /// The rows as plain text.
    #[cfg(test)]
    pub(super) fn text(&self) -> Vec<String> {
        let line = |row: &Row| match row {
            Row::Text(pieces) => pieces.iter().map(|(_, text)| text.as_str()).collect::<String>(),
            Row::Code { text, row, .. } => text::clean(text.lines().nth(*row).unwrap_or_default()).into_owned(),
        };
        self.rows.iter().map(|row| line(row).trim_end().to_owned()).collect()
    }
}

/// Sentences of the interface itself, where there is nothing else to show: the first says what is so, the others what can be
/// done.
pub(super) fn sentences(scene: &Scene<'_>, area: Rect, buf: &mut Buffer, words: &str) {
    let mut page = Page::default();
    for (index, line) in words.lines().enumerate() {
        let role = if index == 0 { Role::Text } else { Role::Quiet };
        page.say(role, line, usize::from(area.width.saturating_sub(1)).max(2), 0);
    }
    page.draw(scene, area, buf, 0);
}

/// Clean pieces in at most so many columns, with `…` where something is left out.
pub(super) fn fitted(pieces: CodeLine, columns: usize, style: impl Fn(Role) -> Style) -> Line<'static> {
    let mut spans = Vec::new();
    let mut left = columns;
    for (role, words) in pieces {
        let kept = text::fit(&words, left).into_owned();
        let whole = kept.len() == words.len();
        left = left.saturating_sub(text::width(&kept));
        spans.push(Span::styled(kept, style(role)));
        if !whole {
            break;
        }
    }
    Line::from(spans)
}

/// Clean pieces broken into lines as their text alone would be.
pub(super) fn wrapped(pieces: &[(Role, String)], columns: usize) -> Vec<CodeLine> {
    let all: String = pieces.iter().map(|(_, words)| words.as_str()).collect();
    let mut ends = Vec::with_capacity(pieces.len());
    let mut end = 0;
    for (role, words) in pieces {
        end += words.len();
        ends.push((*role, end));
    }
    let (mut at, mut piece) = (0, 0);
    let mut lines = Vec::new();
    for line in text::wrap(&all, columns) {
        let rest = all.get(at..).unwrap_or_default();
        if !rest.starts_with(&line) {
            at += rest.len() - rest.trim_start().len();
        }
        let stop = (at + line.len()).min(all.len());
        let mut row = Vec::new();
        while at < stop {
            let Some((role, end)) = ends.get(piece) else { break };
            let upto = stop.min(*end);
            if upto > at {
                row.push((*role, all.get(at..upto).unwrap_or_default().to_owned()));
                at = upto;
            }
            if at >= *end {
                piece += 1;
            }
        }
        at = stop;
        lines.push(row);
    }
    lines
}
