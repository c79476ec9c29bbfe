//! What goes where in the pane, and how much of each item is shown.

use ratatui::layout::Rect;

use super::inspector::Page;
use super::place::{Layered, Size, number};

/// Columns from which on the inspector stands at the right.
const WIDE: u16 = 100;
/// Fewest columns and lines in which a graph says more than a list.
const SMALLEST: (u16, u16) = (44, 9);
/// Lines of the inspector that boxes and spacing must leave.
const KEPT: u16 = 9;

/// The parts of the pane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Parts {
    /// Where the graph or the list is.
    pub(super) graph: Rect,
    /// One line about who runs next.
    pub(super) status: Rect,
    /// Where the inspector is; empty where there is no room.
    pub(super) inspector: Rect,
    /// Whether the inspector is at the right, beyond a line.
    pub(super) side: bool,
}

/// Whether a list is shown where the user has not said.
pub(super) fn is_small(area: Rect) -> bool {
    area.width < SMALLEST.0 || area.height < SMALLEST.1
}

/// Whether the inspector stands at the right.
fn is_wide(area: Rect) -> bool {
    area.width >= WIDE && area.height >= 14
}

/// Columns of the graph.
fn graph_width(area: Rect) -> u16 {
    if is_wide(area) { area.width - inspector_width(area) - 1 } else { area.width }
}

fn inspector_width(area: Rect) -> u16 {
    (area.width * 3 / 8).clamp(38, 72)
}

/// How items are placed: as much of them as there is room for, or what the user asked for. Depends on the room and on the
/// network as it began alone, so that nothing that happens later moves anything. `height` gives the lines of a placement.
pub(super) fn layered(area: Rect, boxes: Option<bool>, height: impl Fn(Layered) -> i32) -> Layered {
    let width = i32::from(graph_width(area));
    let room = area.height.saturating_sub(1);
    let budget = i32::from(if is_wide(area) { room } else { room.saturating_sub(KEPT) });
    let frame = |gap: i32, size: Size| Layered { width, gap, size };
    let spacious = [frame(2, Size::Box(2)), frame(1, Size::Box(2)), frame(1, Size::Box(1))];
    let chips = [frame(2, Size::Chip), frame(1, Size::Chip)];
    let fits = |frame: &&Layered| height(**frame) <= budget;
    let best = |frames: &[Layered]| frames.iter().find(fits).copied();
    match boxes {
        Some(true) => best(&spacious).unwrap_or(frame(1, Size::Box(1))),
        Some(false) => best(&chips).unwrap_or(frame(1, Size::Chip)),
        None => best(&spacious).or_else(|| best(&chips)).unwrap_or(frame(1, Size::Chip)),
    }
}

/// Divides the pane. `lines` is the height of what is placed; pages that need room get it from the graph, which pans.
pub(super) fn parts(area: Rect, lines: i32, page: Page) -> Parts {
    let room = area.height.saturating_sub(1);
    let status = Rect { y: area.y + room, height: area.height.min(1), ..area };
    if is_wide(area) {
        let graph = Rect { width: graph_width(area), height: room, ..area };
        let inspector = Rect { x: graph.right() + 1, width: inspector_width(area), ..graph };
        return Parts { graph, status, inspector, side: true };
    }
    let wanted = u16::try_from(lines.clamp(0, i32::from(room))).unwrap_or(room);
    let kept = match page {
        Page::Program => 0,
        Page::Why | Page::Text | Page::LastRun | Page::Changes => (room * 3 / 5).min(14),
    };
    let high = wanted.min(room.saturating_sub(kept));
    let rest = room - high;
    let (high, rest) = if rest < 2 { (room, 0) } else { (high, rest) };
    let graph = Rect { height: high, ..area };
    let status = Rect { y: graph.bottom(), ..status };
    let inspector = Rect { y: status.bottom(), height: rest, ..area };
    Parts { graph, status, inspector, side: false }
}

/// The height of a list: all of it, or what leaves the inspector a part.
pub(super) fn list_lines(area: Rect, programs: usize) -> i32 {
    let room = area.height.saturating_sub(1);
    let most = if room >= 14 { room * 3 / 5 } else { room };
    number(programs + 1).min(i32::from(most))
}
