//! Borders, and clearing the ground under what lies on top.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use super::action::Room;
use super::pane::Heading;
use super::scene::Scene;
use super::text;
use super::theme::Role;

const HEAVY: [&str; 6] = ["━", "┃", "┏", "┓", "┗", "┛"];
const THIN: [&str; 6] = ["─", "│", "┌", "┐", "└", "┘"];
const ASCII: [&str; 6] = ["-", "|", "+", "+", "+", "+"];
const ASCII_HEAVY: [&str; 6] = ["=", "|", "#", "#", "#", "#"];

/// Draws the border of a pane: heavy where it has the focus.
pub(super) fn pane(scene: &Scene<'_>, buf: &mut Buffer, area: Rect, room: Room, heading: &Heading) {
    let title = format!("{} {}", room.number(), room.title());
    border(scene, buf, area, scene.focused, &title, heading);
}

/// Draws a border with a title.
pub(super) fn border(scene: &Scene<'_>, buf: &mut Buffer, area: Rect, heavy: bool, title: &str, heading: &Heading) {
    if area.width < 2 || area.height < 2 {
        return;
    }
    let [flat, upright, top_left, top_right, low_left, low_right] = match (scene.glyphs.ascii, heavy) {
        (true, true) => ASCII_HEAVY,
        (true, false) => ASCII,
        (false, true) => HEAVY,
        (false, false) => THIN,
    };
    let style = scene.style(if heavy { Role::Focus } else { Role::Border });
    let wide = usize::from(area.width);
    let flats = flat.repeat(wide - 2);
    buf.set_string(area.x, area.y, format!("{top_left}{flats}{top_right}"), style);
    buf.set_string(area.x, area.bottom() - 1, format!("{low_left}{flats}{low_right}"), style);
    for y in area.y + 1..area.bottom() - 1 {
        buf.set_string(area.x, y, upright, style);
        buf.set_string(area.right() - 1, y, upright, style);
    }
    // ┏━ 1 Graph  24 programs ━━━━━━━ next verifier ━┓
    let room = wide.saturating_sub(6);
    let title = text::fit(title, room);
    let mut left =
        vec![Span::raw(" "), Span::styled(title.clone(), scene.style(if heavy { Role::Accent } else { Role::Text }))];
    let mut used = text::width(&title) + 2;
    if !heading.left.is_empty() && used + 3 < room {
        let more = text::fit(&heading.left, room - used - 2).into_owned();
        used += text::width(&more) + 2;
        left.extend([Span::raw("  "), Span::styled(more, scene.style(Role::Quiet))]);
    }
    left.push(Span::raw(" "));
    let at = area.x + 2;
    buf.set_line(at, area.y, &Line::from(left), area.width.saturating_sub(4));
    let space = wide.saturating_sub(used + 8);
    if !heading.right.is_empty() && space >= 4 {
        let right = format!(" {} ", text::fit(&heading.right, space - 2));
        let from = area.right() - 2 - u16::try_from(text::width(&right)).unwrap_or(0);
        buf.set_string(from, area.y, right, scene.style(Role::Quiet));
    }
}

/// Empties an area under something that lies on top. A wide character that straddles the edge goes as a whole.
pub(super) fn clear(scene: &Scene<'_>, buf: &mut Buffer, area: Rect) {
    let area = area.intersection(buf.area);
    for y in area.top()..area.bottom() {
        if area.x > buf.area.x && !area.is_empty() {
            let before = &mut buf[(area.x - 1, y)];
            if before.symbol().width() > 1 {
                before.set_symbol(" ");
            }
        }
        for x in area.left()..area.right() {
            buf[(x, y)].reset();
            buf[(x, y)].set_style(scene.theme.ground());
        }
    }
}

/// An area of at most this size in the middle of another.
pub(super) fn middle(area: Rect, width: u16, height: u16) -> Rect {
    let (width, height) = (width.min(area.width), height.min(area.height));
    Rect { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width, height }
}
