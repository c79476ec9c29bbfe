//! Small things that every pane draws with.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::scene::Scene;
use super::text;
use super::theme::Role;

/// Writes a line of clean spans into one row of an area; what does not fit is cut.
pub(super) fn line<'a>(buf: &mut Buffer, area: Rect, row: u16, line: impl Into<Line<'a>>) {
    if row < area.height && area.width > 0 {
        buf.set_line(area.x, area.y + row, &line.into(), area.width);
    }
}

/// Writes clean text into one row of an area, cut with `…`.
pub(super) fn text(buf: &mut Buffer, area: Rect, row: u16, words: &str, style: Style) {
    if row < area.height && area.width > 0 {
        let words = text::fit(words, usize::from(area.width));
        buf.set_string(area.x, area.y + row, words, style);
    }
}

/// Gives a whole row of an area a style, under what is written there.
pub(super) fn band(buf: &mut Buffer, area: Rect, row: u16, style: Style) {
    if row < area.height {
        buf.set_style(Rect { y: area.y + row, height: 1, ..area }, style);
    }
}

/// Which rows of a list of `len` are shown in `height` rows so that the selected one is among them. The first row shown moves
/// only as far as it must from `top`.
pub(super) fn window(len: usize, selected: usize, top: usize, height: u16) -> Range<usize> {
    let height = usize::from(height);
    if height == 0 || len == 0 {
        return 0..0;
    }
    let selected = selected.min(len - 1);
    let top = top.min(selected).max((selected + 1).saturating_sub(height)).min(len.saturating_sub(height));
    top..len.min(top + height)
}

/// Draws a scroll mark in the right column of an area where not everything is shown.
pub(super) fn scroll_mark(scene: &Scene<'_>, buf: &mut Buffer, area: Rect, shown: &Range<usize>, len: usize) {
    let rows = usize::from(area.height);
    if len <= shown.len() || rows < 2 || area.width < 4 {
        return;
    }
    let size = (rows * shown.len() / len).clamp(1, rows);
    let at = (rows - size) * shown.start / len.saturating_sub(shown.len()).max(1);
    let sign = if scene.glyphs.ascii { "|" } else { "▐" };
    for row in at..(at + size).min(rows) {
        let y = area.y + u16::try_from(row).unwrap_or(u16::MAX);
        buf.set_string(area.right() - 1, y, sign, scene.style(Role::Border));
    }
}

/// A share of one as text of four columns: `.72`, `1.0`.
pub(super) fn share(value: f64) -> String {
    if value >= 0.995 { "1.0".to_owned() } else { format!("{value:.2}").trim_start_matches('0').to_owned() }
}

/// A signed change as text: `+.50`, `-.10`, ` .00`.
pub(super) fn signed(value: f64) -> String {
    let digits = format!("{:.2}", value.abs());
    let digits = digits.strip_prefix('0').unwrap_or(&digits).to_owned();
    if value.abs() < 0.005 {
        format!(" {digits}")
    } else if value > 0.0 {
        format!("+{digits}")
    } else {
        format!("-{digits}")
    }
}

/// A count in few digits: `940`, `14.1k`, `2.0M`.
pub(super) fn short(count: u64) -> String {
    // Rounded to a tenth on purpose.
    #[expect(clippy::cast_precision_loss, reason = "shown to one tenth of a thousand")]
    let count_f = count as f64;
    match count {
        0..1_000 => count.to_string(),
        1_000..1_000_000 => format!("{:.1}k", count_f / 1e3),
        _ => format!("{:.1}M", count_f / 1e6),
    }
}

/// US dollars; small sums with more digits.
pub(super) fn dollars(sum: f64) -> String {
    if sum == 0.0 {
        "$0".to_owned()
    } else if sum < 0.1 {
        format!("${sum:.4}")
    } else {
        format!("${sum:.2}")
    }
}

/// The role in which a change is shown.
pub(super) fn tone(value: f64) -> Role {
    if value >= 0.005 {
        Role::Good
    } else if value <= -0.005 {
        Role::Bad
    } else {
        Role::Quiet
    }
}

/// One line of at most so many columns.
pub(super) fn cut(spans: Vec<Span<'static>>, columns: usize) -> Line<'static> {
    let mut left = columns;
    let mut kept = Vec::new();
    for span in spans {
        let fitted = text::fit(&span.content, left).into_owned();
        left = left.saturating_sub(text::width(&fitted));
        kept.push(Span::styled(fitted, span.style));
        if left == 0 {
            break;
        }
    }
    Line::from(kept)
}

/// A thin titled line across an area: `── title ───────`.
pub(super) fn rule(scene: &Scene<'_>, buf: &mut Buffer, area: Rect, row: u16, title: &str) {
    let bar = scene.glyphs.lines[0];
    let wide = usize::from(area.width);
    let title = text::fit(title, wide.saturating_sub(6));
    let rest = wide.saturating_sub(text::width(&title) + 4);
    let spans = vec![
        Span::styled(bar.repeat(2), scene.style(Role::Border)),
        Span::styled(format!(" {title} "), scene.style(Role::Accent)),
        Span::styled(bar.repeat(rest), scene.style(Role::Border)),
    ];
    line(buf, area, row, Line::from(spans));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_selected_row_is_always_shown() {
        for len in 0..12 {
            for selected in 0..14 {
                for top in 0..14 {
                    for height in 0..8u16 {
                        let shown = window(len, selected, top, height);
                        assert!(shown.end <= len && shown.len() <= usize::from(height));
                        if len > 0 && height > 0 {
                            assert!(shown.contains(&selected.min(len - 1)), "{len} {selected} {top} {height}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!([share(0.72), share(1.0), share(0.0)], [".72", "1.0", ".00"]);
        assert_eq!([signed(0.5), signed(-0.1), signed(0.0), signed(1.2)], ["+.50", "-.10", " .00", "+1.20"]);
    }
}
