//! How a program changed since the session began.

use std::cell::RefCell;

use ratatui::text::Line;
use similar::ChangeTag;

use super::wrapped;
use crate::model::{Author, ProgramName, hunk_lines, hunks};
use crate::tui::panes::graph::memo::Memo;
use crate::tui::panes::graph::words::{excerpt, one_line};
use crate::tui::scene::Scene;
use crate::tui::text;
use crate::tui::theme::Role;

/// Most lines of a diff.
const LINES: usize = 2_000;
/// Most revisions that are listed.
const REVISIONS: usize = 8;

/// A line of a diff, clean.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::tui::panes::graph) enum Changed {
    /// Where a change is.
    At(usize),
    /// A line that was there.
    Removed(String),
    /// A line that is there now.
    Added(String),
}

/// The changes from one text to another.
pub(in crate::tui::panes::graph) fn changed(before: &str, after: &str) -> Vec<Changed> {
    let mut lines = Vec::new();
    for hunk in hunks(before, after, 1) {
        lines.push(Changed::At(hunk.new.start + 1));
        for (tag, line) in hunk_lines(before, after, &hunk) {
            let line = one_line(&line);
            match tag {
                ChangeTag::Delete => lines.push(Changed::Removed(line)),
                ChangeTag::Insert => lines.push(Changed::Added(line)),
                ChangeTag::Equal => {}
            }
            if lines.len() >= LINES {
                return lines;
            }
        }
    }
    lines
}

/// The page.
pub(super) fn lines(scene: &Scene<'_>, name: &ProgramName, memo: &RefCell<Memo>, width: usize) -> Vec<Line<'static>> {
    let mut lines = revisions(scene, name, width);
    let note = |words: &str| wrapped(scene, Role::Quiet, words, width);
    match (scene.first_network.program(name), scene.network.program(name)) {
        (Some(before), Some(after)) if before.hash == after.hash => {
            lines.extend(note("its text is as it was when the session began"));
        }
        (Some(before), Some(after)) => {
            let diff = memo.borrow_mut().diff((&before.hash, &before.source), (&after.hash, &after.source));
            lines.extend(diff.iter().map(|line| shown(scene, line, width)));
        }
        (None, Some(_)) => lines.extend(note("it is new: all of its text was added")),
        (_, None) => lines.extend(note("it was removed since the session began")),
    }
    lines
}

/// What brought the changes, newest first.
fn revisions(scene: &Scene<'_>, name: &ProgramName, width: usize) -> Vec<Line<'static>> {
    let touches = |path: &str| path.rsplit_once('.').map_or(path, |(stem, _)| stem) == name.as_str();
    let all = scene.state.revisions.iter().rev();
    let found = all.filter(|revision| revision.changes.iter().any(|change| touches(&change.path)));
    let mut lines: Vec<Line<'static>> = Vec::new();
    for revision in found.take(REVISIONS) {
        let by = match &revision.author {
            Author::Human => "you".to_owned(),
            Author::Engine => "the engine".to_owned(),
            Author::Program(name) => text::clean(name.as_str()).into_owned(),
        };
        let words = format!("{} {} (decided by {by})", scene.glyphs.revision, excerpt(&revision.title));
        lines.extend(wrapped(scene, Role::Unsure, &words, width));
    }
    if !lines.is_empty() {
        lines.push(Line::default());
    }
    lines
}

fn shown(scene: &Scene<'_>, line: &Changed, width: usize) -> Line<'static> {
    let (role, words) = match line {
        Changed::At(line) => (Role::Quiet, format!("line {line}")),
        Changed::Removed(words) => (Role::Removed, format!("- {words}")),
        Changed::Added(words) => (Role::Added, format!("+ {words}")),
    };
    Line::from(scene.span(role, text::fit(&words, width).into_owned()))
}
