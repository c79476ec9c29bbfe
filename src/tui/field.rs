//! A text field: one line or many. Editing is the crate's; what is shown is ours, so that widths are the same everywhere.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui_textarea::{CursorMove, TextArea};

use super::text;

/// Most bytes that are pasted at once.
const PASTE: usize = 1 << 20;

/// A text that is being written.
pub(super) struct Field {
    area: TextArea<'static>,
    many: bool,
}

impl Field {
    /// A field of one line.
    pub(super) fn line(text: &str) -> Self {
        let mut field = Self { area: TextArea::new(vec![text.replace(['\n', '\r'], " ")]), many: false };
        field.area.move_cursor(CursorMove::End);
        field
    }

    /// A field of many lines.
    pub(super) fn lines(text: &str) -> Self {
        let mut lines: Vec<String> = text.split('\n').map(|line| line.trim_end_matches('\r').to_owned()).collect();
        if lines.is_empty() {
            lines.push(String::new());
        }
        Self { area: TextArea::new(lines), many: true }
    }

    /// What was written.
    pub(super) fn text(&self) -> String {
        self.area.lines().join("\n")
    }

    /// Whether nothing but blanks was written.
    pub(super) fn is_blank(&self) -> bool {
        self.area.lines().iter().all(|line| line.trim().is_empty())
    }

    /// Rows that it would like to have.
    pub(super) fn rows(&self) -> usize {
        self.area.lines().len()
    }

    /// Takes a key. Enter in a field of one line, and what the field has no use for, is not taken.
    pub(super) fn key(&mut self, key: KeyEvent) -> bool {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Enter if !self.many => false,
            KeyCode::Char('m' | 'j') if control && !self.many => false,
            KeyCode::Tab if self.many => {
                self.area.insert_str("    ");
                true
            }
            KeyCode::Tab | KeyCode::BackTab | KeyCode::Esc | KeyCode::F(_) => false,
            KeyCode::Up | KeyCode::Down if !self.many && self.area.lines().len() == 1 => false,
            KeyCode::Char(c) if c.is_control() => false,
            _ => {
                self.area.input(key);
                true
            }
        }
    }

    /// Takes pasted text as one piece; it never counts as Enter. Control characters are left out.
    pub(super) fn paste(&mut self, pasted: &str) {
        let mut kept: String = pasted.chars().filter(|c| *c == '\n' || *c == '\t' || !c.is_control()).collect();
        if kept.len() > PASTE {
            let cut = (0..=PASTE).rev().find(|at| kept.is_char_boundary(*at)).unwrap_or(0);
            kept.truncate(cut);
        }
        let kept = kept.replace('\t', "    ");
        self.area.insert_str(if self.many { kept } else { kept.trim_end_matches('\n').to_owned() });
    }

    /// Empties it.
    pub(super) fn clear(&mut self) {
        *self = if self.many { Self::lines("") } else { Self::line("") };
    }

    /// Draws it so that the caret is seen, and gives the place of the caret.
    pub(super) fn draw(&self, area: Rect, buf: &mut Buffer, style: Style) -> Option<Position> {
        if area.is_empty() {
            return None;
        }
        let (row, column) = {
            let at = self.area.cursor();
            (at.0, at.1)
        };
        let lines = self.area.lines();
        let rows = usize::from(area.height);
        let first = row.saturating_sub(rows.saturating_sub(1));
        let before: String = lines.get(row).map(|line| line.chars().take(column).collect()).unwrap_or_default();
        let caret = text::width(&text::clean(&before));
        let wide = usize::from(area.width);
        // One column stays free for the caret at the end of a line.
        let skip = (caret + 1).saturating_sub(wide);
        for (y, line) in lines.iter().skip(first).take(rows).enumerate() {
            let clean = text::clean(line);
            let (left_out, rest) = text::split_at(&clean, skip);
            // A wide character at the edge is left out as a whole, which leaves a gap of one column.
            let (rest, gap) = match skip - text::width(left_out) {
                0 => (rest, 0),
                _ => (rest.char_indices().nth(1).map_or("", |(at, _)| &rest[at..]), 1),
            };
            let (kept, _) = text::split_at(rest, wide.saturating_sub(gap));
            let x = area.x + u16::try_from(gap).unwrap_or(0);
            buf.set_string(x, area.y + u16::try_from(y).unwrap_or(0), kept, style);
        }
        let x = area.x + u16::try_from(caret - skip).unwrap_or(u16::MAX).min(area.width - 1);
        let y = area.y + u16::try_from(row - first).unwrap_or(u16::MAX).min(area.height - 1);
        Some(Position::new(x, y))
    }
}

impl std::fmt::Debug for Field {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Field").field("text", &self.text()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caret_is_always_inside() {
        for text in ["", "Solve 3x + 5 = 14", "漢字かな交じり文", "👨👩👧 and e\u{301}", "\x1b[2J"] {
            for width in 0..12u16 {
                let mut field = Field::line(text);
                for _ in 0..20 {
                    let area = Rect::new(1, 1, width, 1);
                    let mut buf = Buffer::empty(Rect::new(0, 0, width + 2, 3));
                    if let Some(at) = field.draw(area, &mut buf, Style::new()) {
                        assert!(area.contains(at), "{text} {width}");
                    }
                    for y in 0..3 {
                        assert_eq!(buf[(width + 1, y)].symbol(), " ", "{text} {width}");
                    }
                    field.key(KeyEvent::new(KeyCode::Left, KeyModifiers::NONE));
                }
            }
        }
    }

    #[test]
    fn pasted_text_is_text() {
        let mut field = Field::line("");
        field.paste("one\ntwo\x1b[31m\r\n");
        assert_eq!(field.text(), "one\ntwo[31m");
        assert!(!field.key(KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE)));
    }
}
