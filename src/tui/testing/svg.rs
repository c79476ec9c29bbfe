//! A screen as a picture: what the README shows is what a test drew.

use std::fmt::Write;

use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier};
use unicode_width::UnicodeWidthStr;

/// Width and height of a cell, in pixels.
const CELL: (f64, f64) = (8.4, 18.0);
const MARGIN: f64 = 14.0;

/// Draws a buffer as SVG, on the ground and with the colours that the buffer has; cells without a colour get these.
pub(in crate::tui) fn svg(buf: &Buffer, ground: &str, ink: &str) -> String {
    let area = buf.area;
    let (wide, high) = (f64::from(area.width) * CELL.0 + 2.0 * MARGIN, f64::from(area.height) * CELL.1 + 2.0 * MARGIN);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide:.0}\" height=\"{high:.0}\" viewBox=\"0 0 {wide:.0} {high:.0}\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"{ground}\"/>\n\
         <g font-family=\"DejaVu Sans Mono, Menlo, Consolas, Liberation Mono, monospace\" font-size=\"14\" xml:space=\"preserve\">\n"
    );
    for y in 0..area.height {
        let mut x = 0;
        while x < area.width {
            let cell = &buf[(x, y)];
            let reversed = cell.modifier.contains(Modifier::REVERSED);
            let (fg, bg) = (hex(cell.fg, ink), hex(cell.bg, ground));
            let (fg, bg) = if reversed { (bg, fg) } else { (fg, bg) };
            // Cells of one look are one piece; a wide character is a piece of its own, so that it stays in its columns.
            let mut text = String::new();
            let mut end = x;
            while end < area.width {
                let next = &buf[(end, y)];
                let wide = next.symbol().width() > 1;
                if (next.fg, next.bg, next.modifier) != (cell.fg, cell.bg, cell.modifier) || (wide && end > x) {
                    break;
                }
                text.push_str(next.symbol());
                end += u16::try_from(next.symbol().width().max(1)).unwrap();
                if wide {
                    break;
                }
            }
            let (left, top) = (MARGIN + f64::from(x) * CELL.0, MARGIN + f64::from(y) * CELL.1);
            let columns = f64::from(end - x) * CELL.0;
            if bg != ground {
                writeln!(
                    out,
                    "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{columns:.1}\" height=\"{}\" fill=\"{bg}\"/>",
                    CELL.1
                )
                .unwrap();
            }
            let kept = text.trim_end();
            let indent = kept.len() - kept.trim_start().len();
            let kept = kept.trim_start();
            if !kept.is_empty() {
                #[expect(clippy::cast_precision_loss, reason = "columns of a screen")]
                let left = left + indent as f64 * CELL.0;
                #[expect(clippy::cast_precision_loss, reason = "columns of a screen")]
                let length = kept.width() as f64 * CELL.0;
                let bold = if cell.modifier.contains(Modifier::BOLD) { " font-weight=\"bold\"" } else { "" };
                let dim = if cell.modifier.contains(Modifier::DIM) { " opacity=\"0.6\"" } else { "" };
                let escaped = kept.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
                writeln!(
                    out,
                    "<text x=\"{left:.1}\" y=\"{:.1}\" textLength=\"{length:.1}\" fill=\"{fg}\"{bold}{dim}>{escaped}</text>",
                    top + CELL.1 * 0.75
                )
                .unwrap();
            }
            x = end.max(x + 1);
        }
    }
    out.push_str("</g>\n</svg>\n");
    out
}

fn hex(colour: Color, otherwise: &str) -> String {
    match colour {
        Color::Rgb(r, g, b) => format!("#{r:02x}{g:02x}{b:02x}"),
        _ => otherwise.to_owned(),
    }
}
