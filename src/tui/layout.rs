//! Where everything goes, for any size of the terminal.

use ratatui::layout::Rect;

use super::action::Room;

/// How much room there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Breadth {
    /// Below 40×10: one line says how the run stands; the engine goes on.
    Line,
    /// Below 60 columns or 16 rows: one pane.
    Small,
    /// Below 100 columns: one pane, with J beneath.
    Single,
    /// Below 160 columns: two columns.
    Double,
    /// Three columns.
    Triple,
}

/// The places of one frame.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Layout {
    /// How much room there is.
    pub(super) breadth: Breadth,
    /// What runs, and how far it is.
    pub(super) top: Rect,
    /// Names of the panes, where only one is shown.
    pub(super) tabs: Rect,
    /// The panes shown, borders included.
    pub(super) panes: Vec<(Room, Rect)>,
    /// J in short, where its pane is not shown; with a border.
    pub(super) strip: Rect,
    /// One line that says what just happened, or what is to be done.
    pub(super) message: Rect,
    /// What is being written.
    pub(super) prompt: Rect,
    /// The keys that matter now.
    pub(super) hints: Rect,
}

/// Rows of the prompt at most.
const PROMPT: u16 = 6;

impl Layout {
    /// Lays out a screen. `prompt` is how many rows the text that is being written would like.
    pub(super) fn of(area: Rect, focus: Room, zoomed: bool, prompt: usize) -> Self {
        let none = Rect { width: 0, height: 0, ..area };
        let mut layout = Self {
            breadth: breadth(area),
            top: none,
            tabs: none,
            panes: Vec::new(),
            strip: none,
            message: none,
            prompt: none,
            hints: none,
        };
        let mut rest = area;
        layout.top = upper(&mut rest, 1);
        if layout.breadth == Breadth::Line {
            return layout;
        }
        layout.hints = lower(&mut rest, 1);
        let written = u16::try_from(prompt).unwrap_or(u16::MAX).clamp(1, PROMPT.min(rest.height / 3).max(1));
        layout.prompt = lower(&mut rest, written);
        layout.message = lower(&mut rest, 1);
        match layout.breadth {
            Breadth::Line => {}
            _ if zoomed => layout.panes.push((focus, rest)),
            Breadth::Small => layout.panes.push((focus, rest)),
            Breadth::Single => {
                layout.tabs = upper(&mut rest, 1);
                if rest.height >= 16 && focus != Room::Score {
                    layout.strip = lower(&mut rest, 5);
                }
                layout.panes.push((focus, rest));
            }
            Breadth::Double => layout.double(rest, focus),
            Breadth::Triple => layout.triple(rest, focus),
        }
        layout
    }

    fn double(&mut self, mut rest: Rect, focus: Room) {
        let rows = if rest.height >= 30 { 4 } else { 3 };
        self.panes.push((Room::Timeline, lower(&mut rest, rows)));
        let low = rest.height < 26;
        let rows = if low { 0 } else { (rest.height / 5).clamp(5, 9) };
        let stream = lower(&mut rest, rows);
        let rows = rest.height * 2 / 5;
        let second = lower(&mut rest, rows);
        let (graph, memory) = halves(rest, 51);
        let (score, edits) = halves(second, 44);
        self.panes.push((Room::Graph, graph));
        self.panes.push((Room::Memory, memory));
        match (low, focus) {
            (true, Room::Stream) => self.panes.push((Room::Stream, second)),
            _ => {
                self.panes.push((Room::Score, score));
                self.panes.push((Room::Edits, edits));
            }
        }
        if !low {
            self.panes.push((Room::Stream, stream));
        }
        self.sort();
    }

    fn triple(&mut self, mut rest: Rect, focus: Room) {
        let rows = if rest.height >= 30 { 5 } else { 3 };
        self.panes.push((Room::Timeline, lower(&mut rest, rows)));
        let low = rest.height < 30;
        let rows = if low { 0 } else { rest.height * 2 / 5 };
        let edits = lower(&mut rest, rows);
        let (graph, others) = halves(rest, 43);
        let (memory, third) = halves(others, 50);
        let mut third = third;
        let rows = (third.height * 11 / 20).max(6);
        let score = upper(&mut third, rows);
        self.panes.push((Room::Graph, graph));
        self.panes.push((Room::Memory, memory));
        match (low, focus) {
            (true, Room::Edits) => self.panes.push((Room::Edits, third)),
            _ => self.panes.push((Room::Stream, third)),
        }
        self.panes.push((Room::Score, score));
        if !low {
            self.panes.push((Room::Edits, edits));
        }
        self.sort();
    }

    fn sort(&mut self) {
        self.panes.sort_by_key(|(room, _)| *room);
    }

    /// Where a pane is, borders included; empty where it is not shown.
    pub(super) fn pane(&self, room: Room) -> Rect {
        self.panes.iter().find(|(shown, _)| *shown == room).map_or(Rect::ZERO, |(_, area)| *area)
    }

    /// Where a pane draws, inside its border.
    pub(super) fn inside(&self, room: Room) -> Rect {
        inside(self.pane(room))
    }
}

/// What a border of one leaves.
pub(super) fn inside(area: Rect) -> Rect {
    Rect {
        x: area.x.saturating_add(1).min(area.right()),
        y: area.y.saturating_add(1).min(area.bottom()),
        width: area.width.saturating_sub(2),
        height: area.height.saturating_sub(2),
    }
}

fn breadth(area: Rect) -> Breadth {
    match (area.width, area.height) {
        (..40, _) | (_, ..10) => Breadth::Line,
        (..60, _) | (_, ..16) => Breadth::Small,
        (..100, _) => Breadth::Single,
        (..160, _) => Breadth::Double,
        _ => Breadth::Triple,
    }
}

fn upper(rest: &mut Rect, rows: u16) -> Rect {
    let rows = rows.min(rest.height);
    let cut = Rect { height: rows, ..*rest };
    rest.y += rows;
    rest.height -= rows;
    cut
}

fn lower(rest: &mut Rect, rows: u16) -> Rect {
    let rows = rows.min(rest.height);
    rest.height -= rows;
    Rect { y: rest.y + rest.height, height: rows, ..*rest }
}

/// Two columns; the first has so many hundredths.
fn halves(area: Rect, hundredths: u16) -> (Rect, Rect) {
    let left = u16::try_from(u32::from(area.width) * u32::from(hundredths) / 100).unwrap_or(area.width);
    (Rect { width: left, ..area }, Rect { x: area.x + left, width: area.width - left, ..area })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_overlaps_at_any_size() {
        for width in (0..220).step_by(3) {
            for height in 0..70 {
                for focus in Room::ALL {
                    for zoomed in [false, true] {
                        let area = Rect::new(0, 0, width, height);
                        let layout = Layout::of(area, focus, zoomed, 2);
                        let mut places: Vec<Rect> = layout.panes.iter().map(|(_, place)| *place).collect();
                        places.extend([
                            layout.top,
                            layout.tabs,
                            layout.strip,
                            layout.message,
                            layout.prompt,
                            layout.hints,
                        ]);
                        places.retain(|place| !place.is_empty());
                        for (index, place) in places.iter().enumerate() {
                            assert_eq!(place.intersection(area), *place, "{width}×{height} {focus:?}");
                            for other in &places[index + 1..] {
                                assert!(place.intersection(*other).is_empty(), "{width}×{height} {focus:?} {places:?}");
                            }
                        }
                        let shown = !layout.pane(focus).is_empty();
                        assert!(shown || layout.breadth == Breadth::Line, "{width}×{height} {focus:?}");
                    }
                }
            }
        }
    }
}
