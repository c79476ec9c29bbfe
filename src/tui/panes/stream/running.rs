//! What running programs stream, as lines of a given width.

use ratatui::text::Line;

use super::lines::{Shown, Tools, called};
use crate::tui::scene::Scene;
use crate::tui::streaming::{Block, Streaming};
use crate::tui::theme::Role;
use crate::tui::{brief, paint, text, words};

/// A line of text is wrapped in pieces of so many bytes, so that its end can be shown without going through all of it.
const PIECE: usize = 4 << 10;
/// Rows of reasoning that are shown where it is left out otherwise.
const GLIMPSE: usize = 1;
/// What stands before whatever a program streams.
const INDENT: &str = "  ";

/// The lines of all programs that stream, oldest first, where at most so many rows are to be seen: each program gets its share,
/// and of that the newest.
pub(super) fn newest(scene: &Scene<'_>, shown: Shown, columns: usize, rows: usize) -> Vec<Line<'static>> {
    let all: Vec<&Streaming> = scene.live.streamed().collect();
    let share = rows / all.len().max(1);
    let mut left = rows;
    let mut found = Vec::new();
    for (index, one) in all.iter().enumerate() {
        // The last gets what the others leave.
        let most = if index + 1 == all.len() { left } else { share };
        let lines = tail(scene, one, shown, columns, most);
        left = left.saturating_sub(lines.len());
        found.extend(lines);
    }
    found
}

/// The lines of all programs that stream, oldest first, as far as they are kept.
pub(super) fn all(scene: &Scene<'_>, shown: Shown, columns: usize) -> Vec<Line<'static>> {
    scene.live.streamed().flat_map(|one| tail(scene, one, shown, columns, usize::MAX)).collect()
}

/// A program's head line, which is always there, and the newest of what it streams.
fn tail(scene: &Scene<'_>, one: &Streaming, shown: Shown, columns: usize, most: usize) -> Vec<Line<'static>> {
    if most == 0 {
        return Vec::new();
    }
    let mut reversed = Vec::new();
    if let Some(words) = words::waits(one, scene.clock) {
        let line = vec![scene.span(Role::Unsure, format!("{INDENT}{} {words}", scene.glyphs.waits))];
        reversed.push(paint::cut(line, columns));
    }
    for (index, block) in one.blocks.iter().enumerate().rev() {
        if reversed.len() + 1 >= most {
            break;
        }
        let left = most - 1 - reversed.len();
        let last = index + 1 == one.blocks.len();
        reversed.extend(lines(scene, block, shown, columns, left, last).into_iter().rev());
    }
    reversed.push(head(scene, one, columns));
    reversed.reverse();
    reversed
}

fn head(scene: &Scene<'_>, one: &Streaming, columns: usize) -> Line<'static> {
    let mut spans =
        vec![scene.span(Role::Running, format!("{} {}", scene.glyphs.runs, text::clean(one.program.as_str())))];
    if let Some(call) = &one.call {
        spans.push(scene.span(Role::Quiet, format!("  {}", words::meter(call))));
    }
    paint::cut(spans, columns)
}

/// The newest lines of a block, oldest first.
fn lines(
    scene: &Scene<'_>,
    block: &Block,
    shown: Shown,
    columns: usize,
    most: usize,
    last: bool,
) -> Vec<Line<'static>> {
    let wide = columns.saturating_sub(INDENT.len()).max(8);
    let painted = |role: Role, lines: Vec<String>| {
        lines.into_iter().map(|line| Line::from(scene.span(role, format!("{INDENT}{line}")))).collect()
    };
    match block {
        Block::Text(said) => painted(Role::Text, wrapped(said, wide, most)),
        Block::Reasoning(said) if shown.thoughts => painted(Role::Quiet, wrapped(said, wide, most)),
        // What is left out leaves a trace, and while it comes, its newest line.
        Block::Reasoning(said) => {
            let tokens = paint::short((said.len() as u64).div_ceil(3));
            let mut found = vec![format!("thinks, ~{tokens} tokens")];
            if last {
                found.extend(wrapped(said, wide, GLIMPSE));
            }
            painted(Role::Quiet, found.split_off(found.len().saturating_sub(most)))
        }
        Block::Call(_) | Block::Returned(_) if shown.tools == Tools::None => Vec::new(),
        Block::Call(name) => vec![paint::cut(
            vec![scene.span(Role::Quiet, format!("    calls {}{}", text::clean(name), scene.glyphs.more))],
            columns,
        )],
        Block::Returned(call) => vec![called(scene, call, 1, columns)],
        Block::Note(words) => {
            let words = text::clean(brief::head(words, 400)).into_owned();
            vec![paint::cut(vec![scene.span(Role::Unsure, format!("{INDENT}{} {words}", scene.glyphs.back))], columns)]
        }
    }
}

/// The last lines of foreign text, oldest first. Where its lines break does not depend on how much of it is shown.
fn wrapped(words: &str, columns: usize, most: usize) -> Vec<String> {
    let mut reversed: Vec<String> = Vec::new();
    for line in words.lines().rev() {
        let mut pieces = Vec::new();
        let mut rest = line;
        loop {
            let (piece, after) = rest.split_at(rest.floor_char_boundary(PIECE));
            pieces.push(piece);
            rest = after;
            if rest.is_empty() {
                break;
            }
        }
        for piece in pieces.into_iter().rev() {
            reversed.extend(text::wrap(&text::clean(piece), columns).into_iter().rev());
            if reversed.len() >= most {
                reversed.truncate(most);
                reversed.reverse();
                return reversed;
            }
        }
    }
    reversed.reverse();
    reversed
}
