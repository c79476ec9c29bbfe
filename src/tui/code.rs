//! Code and prompts in colours by role.

use std::ops::Range;
use std::sync::Arc;

use super::theme::Role;

/// One line as pieces of clean text with their roles.
pub(super) type CodeLine = Vec<(Role, String)>;

/// Highlights what is looked at, and remembers it.
#[derive(Default)]
pub(super) struct Code {}

impl Code {
    /// Calls `wake` when more of what was asked for is ready.
    pub(super) fn new(_wake: Box<dyn Fn() + Send + Sync>) -> Self {
        Self {}
    }

    /// The given rows of a text, coloured as its path says (`.py`, `.md`, `.toml`). What is not ready yet comes plain.
    pub(super) fn lines(&self, path: &str, text: &Arc<str>, rows: Range<usize>) -> Vec<CodeLine> {
        let _ = path;
        let lines = text.lines().skip(rows.start).take(rows.len());
        lines.map(|line| vec![(Role::Text, super::text::clean(line).into_owned())]).collect()
    }
}
