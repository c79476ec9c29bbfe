//! A group: its members.

use ratatui::text::{Line, Span};

use crate::model::ProgramName;
use crate::tui::paint;
use crate::tui::panes::graph::list;
use crate::tui::panes::graph::marks::Marks;
use crate::tui::scene::Scene;
use crate::tui::text;
use crate::tui::theme::Role;

/// A member a line: sign, name, runs, credit, and how likely it runs next.
pub(super) fn lines(scene: &Scene<'_>, members: &[ProgramName], marks: &Marks, width: usize) -> Vec<Line<'static>> {
    let head = format!("{} programs of one kind; Enter opens and closes them in the graph", members.len());
    let mut lines = super::wrapped(scene, Role::Quiet, &head, width);
    lines.push(Line::default());
    let name = width.saturating_sub(2 + 5 + 7 + 6).clamp(4, 30);
    for member in members {
        let Some(mark) = marks.get(member) else { continue };
        let (runs, credit) = list::numbers(mark);
        let next = mark.next.map(paint::share).unwrap_or_default();
        lines.push(Line::from(vec![
            Span::styled(mark.sign.glyph(scene.glyphs), scene.style(mark.sign.role())),
            scene.span(Role::Text, format!(" {}", text::pad(&text::clean(member.as_str()), name))),
            scene.span(Role::Quiet, format!("{runs:>5}")),
            scene.span(paint::tone(mark.tally.credit), format!("{credit:>7}")),
            scene.span(Role::Accent, format!("{next:>6}")),
        ]));
    }
    lines
}
