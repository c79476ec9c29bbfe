//! The text of a program's file.

use std::ops::Range;

use ratatui::text::{Line, Span};

use crate::model::Program;
use crate::tui::scene::Scene;
use crate::tui::text;
use crate::tui::theme::Role;

/// The rows asked for, with their numbers.
pub(super) fn lines(scene: &Scene<'_>, program: &Program, rows: Range<usize>, width: usize) -> Vec<Line<'static>> {
    let digits = rows.end.max(1).to_string().len();
    let room = width.saturating_sub(digits + 1);
    let coloured = scene.code.lines(&program.path, &program.source, rows.clone());
    rows.zip(coloured)
        .map(|(row, pieces)| {
            let mut spans = vec![scene.span(Role::Quiet, format!("{:>digits$} ", row + 1))];
            let mut left = room;
            for (role, piece) in pieces {
                let kept = text::fit(&piece, left).into_owned();
                left = left.saturating_sub(text::width(&kept));
                spans.push(Span::styled(kept, scene.style(role)));
                if left == 0 {
                    break;
                }
            }
            Line::from(spans)
        })
        .collect()
}
