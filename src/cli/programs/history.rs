//! `mop programs log`, `diff` and `revert`: the history of a network.

use std::io::{IsTerminal, stdout};

use crate::engine::ports::Library;
use crate::model::{Author, Change, Revision, RevisionId, unified};
use crate::setup::Works;

use super::super::failure::Failure;
use super::super::out::{Tone, paint};
use super::super::text::{block, plain, table, when};
use super::super::{exit, out};

/// Lines around a change that a diff shows.
const CONTEXT: usize = 3;

/// Prints all revisions, newest first; the base is number 0.
pub(super) fn log(works: &Works) -> Result<u8, Failure> {
    let revisions = works.library.log()?;
    let base = match revisions.last() {
        Some(first) => first.parent.clone(),
        None => works.library.network()?.revision.clone(),
    };
    let mut rows: Vec<Vec<String>> = revisions.iter().map(row).collect();
    let title = format!("the files of {} ({})", plain(&works.name), works.source);
    rows.push(vec!["0".into(), base.short().to_owned(), "-".into(), "-".into(), title]);
    out::write(&table(&["NR", "ID", "WHEN (UTC)", "WHO", "TITLE"], &rows));
    Ok(exit::DONE)
}

fn row(revision: &Revision) -> Vec<String> {
    let proposal = revision.proposal.as_ref().map(|id| format!(" ({id})")).unwrap_or_default();
    vec![
        revision.number.to_string(),
        revision.id.short().to_owned(),
        when(revision.at),
        plain(&revision.author.to_string()),
        format!("{}{proposal}", plain(&revision.title)),
    ]
}

/// Prints what leads from one revision to another.
pub(super) fn diff(works: &Works, a: &str, b: &str) -> Result<u8, Failure> {
    let (from, to) = (works.library.resolve_revision(a)?, works.library.resolve_revision(b)?);
    let changes = works.library.diff(from, to)?;
    if changes.is_empty() {
        out::say(format!("revisions {from} and {to} are the same"));
    }
    out::write(&changes.iter().map(shown).collect::<String>());
    Ok(exit::DONE)
}

fn shown(change: &Change) -> String {
    let text = unified(&change.path, change.before.as_deref(), change.after.as_deref(), CONTEXT);
    if !stdout().is_terminal() {
        return text;
    }
    let colour = |line: &str| match line.as_bytes().first() {
        Some(b'+') => paint(Tone::Good, line),
        Some(b'-') => paint(Tone::Bad, line),
        _ => line.to_owned(),
    };
    block(&text).lines().map(|line| colour(line) + "\n").collect()
}

/// Brings an earlier revision back.
pub(super) fn revert(works: &Works, name: &str) -> Result<u8, Failure> {
    let number = works.library.resolve_revision(name)?;
    let revision = works.library.revert(&RevisionId::new(number.to_string()), Author::Human)?;
    out::line(format!("revision {} {}: {}", revision.number, revision.id.short(), plain(&revision.title)));
    for change in &revision.changes {
        let what = match (&change.before, &change.after) {
            (None, _) => "back",
            (_, None) => "gone",
            (Some(_), Some(_)) => "changed",
        };
        out::say(format!("  {} {what}", plain(&change.path)));
    }
    Ok(exit::DONE)
}
