//! Cells as bytes: where they go, how they look, what they say.
//!
//! The sixteen colours of a terminal's own palette are written by their own numbers, which every terminal knows; the numbers
//! of 256 and of 16 million colours are written only where a theme names such a colour. Where no colour is asked for, no
//! number of a colour is written at all.

use std::io::{self, Write};

use crossterm::cursor::MoveTo;
use crossterm::queue;
use ratatui::buffer::Cell;
use ratatui::layout::Position;
use ratatui::style::{Color, Modifier};

/// How a cell looks.
type Look = (Color, Color, Modifier);

const PLAIN: Look = (Color::Reset, Color::Reset, Modifier::empty());

/// Writes cells, and leaves the terminal's style plain, as it must be before.
///
/// # Errors
/// When they cannot be written.
pub(super) fn cells<'a>(out: &mut impl Write, cells: impl Iterator<Item = (u16, u16, &'a Cell)>) -> io::Result<()> {
    let mut shown = PLAIN;
    let mut last: Option<Position> = None;
    for (x, y, cell) in cells {
        // What follows a cell directly needs no move; after a wide one there is a gap, so that it always has one.
        if !last.is_some_and(|last| last.x.checked_add(1) == Some(x) && last.y == y) {
            queue!(out, MoveTo(x, y))?;
        }
        last = Some(Position::new(x, y));
        let look = (cell.fg, cell.bg, cell.modifier);
        if look != shown {
            set(out, look)?;
            shown = look;
        }
        out.write_all(cell.symbol().as_bytes())?;
    }
    if shown == PLAIN { Ok(()) } else { set(out, PLAIN) }
}

/// Sets a style, whatever was set before.
fn set(out: &mut impl Write, (fg, bg, modifier): Look) -> io::Result<()> {
    out.write_all(b"\x1b[0")?;
    // The marks of a cell are in the order of their numbers: bold is 1, and crossed out is 9.
    for (bit, mark) in (1..=9).zip(Modifier::all().iter()) {
        if modifier.contains(mark) {
            write!(out, ";{bit}")?;
        }
    }
    colour(out, fg, 30)?;
    colour(out, bg, 40)?;
    out.write_all(b"m")
}

/// The numbers of a colour; `base` is 30 for what is written and 40 for what is behind it.
fn colour(out: &mut impl Write, colour: Color, base: u16) -> io::Result<()> {
    let bright = base + 60;
    let number = match colour {
        Color::Reset => return Ok(()),
        Color::Indexed(index) => return write!(out, ";{};5;{index}", base + 8),
        Color::Rgb(r, g, b) => return write!(out, ";{};2;{r};{g};{b}", base + 8),
        Color::Black => base,
        Color::Red => base + 1,
        Color::Green => base + 2,
        Color::Yellow => base + 3,
        Color::Blue => base + 4,
        Color::Magenta => base + 5,
        Color::Cyan => base + 6,
        Color::Gray => base + 7,
        Color::DarkGray => bright,
        Color::LightRed => bright + 1,
        Color::LightGreen => bright + 2,
        Color::LightYellow => bright + 3,
        Color::LightBlue => bright + 4,
        Color::LightMagenta => bright + 5,
        Color::LightCyan => bright + 6,
        Color::White => bright + 7,
    };
    write!(out, ";{number}")
}

#[cfg(test)]
mod tests {
    use ratatui::style::Style;

    use super::*;

    fn written(places: &[(u16, u16, &str, Style)]) -> String {
        let all: Vec<(u16, u16, Cell)> = places
            .iter()
            .map(|(x, y, text, style)| {
                let mut cell = Cell::default();
                cell.set_symbol(text).set_style(*style);
                (*x, *y, cell)
            })
            .collect();
        let mut out = Vec::new();
        cells(&mut out, all.iter().map(|(x, y, cell)| (*x, *y, cell))).unwrap();
        String::from_utf8(out).unwrap().replace('\x1b', "^")
    }

    #[test]
    fn cells_in_a_row_share_a_move_and_a_style() {
        let bold = Style::new().bold();
        assert_eq!(written(&[(3, 1, "a", bold), (4, 1, "b", bold), (5, 1, "c", Style::new())]), "^[2;4H^[0;1mab^[0mc");
        assert_eq!(written(&[(0, 0, "漢", Style::new()), (2, 0, "x", Style::new())]), "^[1;1H漢^[1;3Hx");
        assert_eq!(written(&[(u16::MAX - 1, 0, "a", Style::new()), (0, 1, "b", bold)]), "^[1;65535Ha^[2;1H^[0;1mb^[0m");
    }

    #[test]
    fn each_mark_and_colour_has_its_number() {
        let marks = [
            (Modifier::BOLD, 1),
            (Modifier::DIM, 2),
            (Modifier::ITALIC, 3),
            (Modifier::UNDERLINED, 4),
            (Modifier::REVERSED, 7),
            (Modifier::CROSSED_OUT, 9),
        ];
        for (mark, number) in marks {
            let style = Style::new().add_modifier(mark);
            assert_eq!(written(&[(0, 0, "a", style)]), format!("^[1;1H^[0;{number}ma^[0m"));
        }
        let style = Style::new().fg(Color::LightCyan).bg(Color::Red);
        assert_eq!(written(&[(0, 0, "a", style)]), "^[1;1H^[0;96;41ma^[0m");
        let style = Style::new().fg(Color::Indexed(208)).bg(Color::Rgb(1, 2, 3));
        assert_eq!(written(&[(0, 0, "a", style)]), "^[1;1H^[0;38;5;208;48;2;1;2;3ma^[0m");
    }
}
