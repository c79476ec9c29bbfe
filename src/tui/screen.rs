//! What is on the terminal, and the fewest bytes that make it what it should be.
//!
//! A frame is drawn into memory, compared with the last one, and only the cells that differ are written, in one piece,
//! between the marks of a synchronised update. The screen is never erased after the first frame: a resize writes every cell
//! anew over what was there. Where nothing differs, nothing is written.

use std::io::{self, Write};

use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::queue;
use crossterm::terminal::{BeginSynchronizedUpdate, EndSynchronizedUpdate};
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Position, Rect, Size};
use ratatui::style::{Modifier, Style};

use super::sgr;

/// The screen of a terminal.
pub(super) struct Screen<W: Write> {
    out: W,
    shown: Buffer,
    next: Buffer,
    cursor: Option<Position>,
    bytes: Vec<u8>,
}

impl<W: Write> Screen<W> {
    /// A screen of which nothing is known, so that the first frame writes every cell.
    pub(super) fn new(out: W) -> Self {
        let none = Buffer::empty(Rect::ZERO);
        Self { out, shown: none.clone(), next: none, cursor: None, bytes: Vec::new() }
    }

    /// Forgets what is on the terminal; the next frame writes every cell.
    pub(super) fn forget(&mut self) {
        self.shown = unknown(self.shown.area);
        self.cursor = None;
    }

    /// Draws one frame. `draw` fills the buffer and says where the caret is, if it is to be seen.
    ///
    /// # Errors
    /// When the terminal cannot be written to.
    pub(super) fn draw(&mut self, size: Size, draw: impl FnOnce(&mut Buffer) -> Option<Position>) -> io::Result<()> {
        let area = Rect::new(0, 0, size.width, size.height);
        if self.shown.area != area {
            self.shown = unknown(area);
            self.next = Buffer::empty(area);
            self.cursor = None;
        }
        self.next.reset();
        let cursor = draw(&mut self.next).filter(|at| area.contains(*at));
        self.bytes.clear();
        let updates: Vec<(u16, u16, &Cell)> = self.shown.diff(&self.next);
        if updates.is_empty() && cursor == self.cursor {
            return Ok(());
        }
        queue!(self.bytes, BeginSynchronizedUpdate)?;
        if self.cursor.is_some() && (cursor.is_none() || !updates.is_empty()) {
            queue!(self.bytes, Hide)?;
        }
        sgr::cells(&mut self.bytes, updates.into_iter())?;
        if let Some(at) = cursor {
            queue!(self.bytes, MoveTo(at.x, at.y), Show)?;
        }
        queue!(self.bytes, EndSynchronizedUpdate)?;
        self.out.write_all(&self.bytes)?;
        self.out.flush()?;
        self.cursor = cursor;
        std::mem::swap(&mut self.shown, &mut self.next);
        Ok(())
    }
}

#[cfg(test)]
impl Screen<Vec<u8>> {
    /// What was written since the last time.
    pub(super) fn take_written(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.out)
    }
}

/// Cells that are like no cell that is ever drawn.
fn unknown(area: Rect) -> Buffer {
    let mut cell = Cell::new("?");
    cell.set_style(Style::new().add_modifier(Modifier::all()));
    Buffer::filled(area, cell)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(buf: &mut Buffer, y: u16, text: &str) {
        buf.set_string(0, y, text, Style::new());
    }

    #[test]
    fn a_frame_like_the_last_writes_nothing() {
        let mut screen = Screen::new(Vec::new());
        let size = Size::new(20, 3);
        let frame = |buf: &mut Buffer| {
            write(buf, 1, "hello");
            Some(Position::new(5, 1))
        };
        screen.draw(size, frame).unwrap();
        let first = screen.out.len();
        screen.draw(size, frame).unwrap();
        assert_eq!(screen.out.len(), first);
        screen.forget();
        screen.draw(size, frame).unwrap();
        assert!(screen.out.len() > first);
    }

    #[test]
    fn what_a_terminal_shows_is_what_was_drawn_and_nothing_is_erased() {
        let texts = ["漢字 and words", "plain", "👨👩 e\u{301}x", "", "ab漢c", "a漢bc"];
        let mut screen = Screen::new(Vec::new());
        let mut terminal = vt100::Parser::new(4.try_into().unwrap(), 24.try_into().unwrap(), 0);
        for (step, sizes) in [(24u16, 4u16), (24, 4), (17, 3), (30, 6), (24, 4), (24, 4)].into_iter().enumerate() {
            let size = Size::new(sizes.0, sizes.1);
            let (rows, columns) = (size.height.try_into().unwrap(), size.width.try_into().unwrap());
            terminal.screen_mut().set_size(rows, columns);
            let mut drawn = String::new();
            screen
                .draw(size, |buf| {
                    for y in 0..size.height {
                        write(buf, y, texts[(step + usize::from(y)) % texts.len()]);
                    }
                    drawn = super::super::testing::text_of(buf);
                    None
                })
                .unwrap();
            terminal.process(&screen.out);
            let bytes = screen.take_written();
            for erased in ["\x1b[2J", "\x1b[3J", "\x1b[J", "\x1b[0J"] {
                assert!(!String::from_utf8_lossy(&bytes).contains(erased), "{erased:?}");
            }
            let shown: Vec<String> =
                terminal.screen().rows(0, size.width).map(|row| row.trim_end().to_owned()).collect();
            let drawn: Vec<&str> = drawn.lines().collect();
            assert_eq!(shown, drawn, "step {step}");
        }
    }
}
