//! What the pane says where nothing waits: what will stand here, and what can be done.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::deciding::key;
use crate::model::ProposalStatus;
use crate::tui::action::Action;
use crate::tui::paint;
use crate::tui::scene::Scene;
use crate::tui::text::wrap;
use crate::tui::theme::Role;

/// Draws it.
pub(super) fn draw(scene: &Scene<'_>, area: Rect, buf: &mut Buffer) {
    let decided = scene.queue.all().iter().filter(|(_, status)| *status != ProposalStatus::Open).count();
    let mut parts = vec![
        (Role::Strong, "No edit waits for you.".to_owned()),
        (
            Role::Text,
            "When a run is over, faults that were proved become failing tests, and a program looks for an edit that \
             passes them. What it finds waits here, and so do your own edits of programs."
                .to_owned(),
        ),
        (
            Role::Text,
            "For each you will see why it was proposed, what the tests say before and after, what the gates say, and \
             the change itself. You choose the hunks that you want; nothing is applied without you."
                .to_owned(),
        ),
        (Role::Quiet, format!("{} in pane 1 edits the selected program.", key(Action::GraphEdit))),
    ];
    if decided > 0 {
        let were = if decided == 1 { "the one proposal that was" } else { "the proposals that were" };
        let (history, undo) = (key(Action::EditHistory), key(Action::EditUndo));
        let count = if decided == 1 { String::new() } else { format!(" ({decided})") };
        let words = format!("{history} shows {were} decided{count}. {undo} takes your last decision back.");
        parts.push((Role::Quiet, words));
    }
    let columns = usize::from(area.width.saturating_sub(2)).min(76);
    let gap = area.height >= 14;
    let mut row = u16::from(gap);
    for (role, words) in parts {
        for line in wrap(&words, columns) {
            let inner = Rect { x: area.x + area.width.min(1), width: area.width.saturating_sub(1), ..area };
            paint::text(buf, inner, row, &line, scene.style(role));
            row = row.saturating_add(1);
        }
        row = row.saturating_add(u16::from(gap));
    }
}
