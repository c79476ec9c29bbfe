//! How the pane is drawn.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::watch::Watches;
use super::{Memory, View, detail, list};
use crate::model::ContributionId;
use crate::tui::page::sentences;
use crate::tui::paint;
use crate::tui::scene::Scene;
use crate::tui::theme::Role;
use crate::tui::words;

/// Columns from which the entry stands beside the list.
const WIDE: u16 = 110;

/// The places of the parts of the pane.
pub(super) struct Places {
    pub(super) list: Rect,
    detail: Option<Rect>,
    watch: Option<Rect>,
}

impl Memory {
    pub(super) fn draw_list(&self, scene: &Scene<'_>, area: Rect, buf: &mut Buffer) {
        let places = places(scene, area);
        let none = self.with_rows(scene, |rows| rows.len() == 0);
        if none {
            self.empty(scene, places.list, buf);
        } else {
            self.with_rows(scene, |rows| {
                let shown = self.shown(scene, rows, list::body(places.list).height);
                list::draw(scene, places.list, buf, rows, &shown, self.selected(scene));
            });
        }
        if let (Some(detail), Some(id), false) = (places.detail, self.selected(scene), none) {
            self.draw_beside(scene, detail, places.list, buf, id);
        }
        if let Some(watch) = places.watch {
            self.watches.draw(scene, watch, buf);
        }
    }

    /// The selected entry under the list or at its right.
    fn draw_beside(&self, scene: &Scene<'_>, area: Rect, list: Rect, buf: &mut Buffer, id: ContributionId) {
        let Some(entry) = scene.state.memory.get(id) else { return };
        if area.y == list.y {
            let bar = scene.glyphs.lines[1];
            for row in 0..area.height {
                paint::text(buf, area, row, bar, scene.style(Role::Border));
            }
            let inner = Rect { x: area.x + 2, width: area.width.saturating_sub(2), ..area };
            paint::text(buf, inner, 0, &detail::title(entry), scene.style(Role::Accent));
            self.draw_entry(scene, below(inner), buf, id, 0);
        } else {
            paint::rule(scene, buf, area, 0, &detail::title(entry));
            self.draw_entry(scene, below(area), buf, id, 0);
        }
    }

    pub(super) fn draw_entry(&self, scene: &Scene<'_>, area: Rect, buf: &mut Buffer, id: ContributionId, top: usize) {
        let Some(page) = self.entry_page(scene, id, area.width) else { return };
        let (open, cut) = (matches!(self.view, View::Open(_)), page.len() > usize::from(area.height));
        page.draw(scene, area, buf, top);
        if cut && !open && area.height > 1 {
            let left = page.len() + 1 - usize::from(area.height);
            let more = format!("{} {} more, Enter opens", scene.glyphs.more, words::count(left, "line", "lines"));
            let blank = " ".repeat(usize::from(area.width));
            paint::text(buf, area, area.height - 1, &blank, scene.style(Role::Text));
            paint::text(buf, area, area.height - 1, &more, scene.style(Role::Quiet));
        }
    }

    pub(super) fn draw_diff(&self, scene: &Scene<'_>, area: Rect, buf: &mut Buffer, span: usize, top: usize) {
        match self.diff_page(scene, span, area.width) {
            Some(page) => page.draw(scene, area, buf, top),
            None => self.empty(scene, area, buf),
        }
    }

    /// Why nothing is shown.
    pub(super) fn empty(&self, scene: &Scene<'_>, area: Rect, buf: &mut Buffer) {
        let words = match &*self.filter.borrow() {
            Some(filter) => {
                let said = words::quoted(filter.said(), 40);
                format!("No entry holds {said}.\nPress / and Enter on an empty line to see all of them again.")
            }
            None if scene.state.episode.is_none() => {
                "Nothing is known yet.\nWhat programs find out while they work on \
                a question is listed here, newest first: readings, drafts, verdicts, counterexamples. Press i to ask."
                    .to_owned()
            }
            None => {
                "Nothing has been written yet.\nPrograms write here as they run; press Space for one cycle, or c to \
                run on."
                    .to_owned()
            }
        };
        sentences(scene, area, buf, &words);
    }
}

fn below(area: Rect) -> Rect {
    Rect { y: area.y + 1.min(area.height), height: area.height.saturating_sub(1), ..area }
}

pub(super) fn places(scene: &Scene<'_>, area: Rect) -> Places {
    let watching = Watches::rows(scene);
    let watching = if area.height >= watching + 8 { watching } else { 0 };
    let main = Rect { height: area.height - watching, ..area };
    let watch = Rect { y: main.bottom(), height: watching, ..area };
    let (list, detail) = if main.width >= WIDE {
        let left = main.width * 3 / 5;
        let right = Rect { x: main.x + left, width: main.width - left, ..main };
        (Rect { width: left, ..main }, Some(right))
    } else if main.height >= 12 {
        let under = (main.height * 2 / 5).max(5);
        // A short list leaves its room to the entry.
        let rows = scene.state.memory.len() + scene.live.index().episodes(scene.state.seq).len() + 2;
        let over = (main.height - under).min(u16::try_from(rows).unwrap_or(u16::MAX).max(5));
        let under = main.height - over;
        (Rect { height: over, ..main }, Some(Rect { y: main.y + over, height: under, ..main }))
    } else {
        (main, None)
    };
    Places { list, detail, watch: (watching > 0).then_some(watch) }
}
