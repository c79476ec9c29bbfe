//! The queue as a short list: which proposals there are, and which of them is looked at.

use std::collections::HashMap;
use std::sync::Arc;

use super::story::{Spans, counted, gates};
use crate::model::{Proposal, ProposalId, ProposalStatus};
use crate::tui::live::Queue;
use crate::tui::paint::window;
use crate::tui::scene::Scene;
use crate::tui::text::{clean, fit, pad};
use crate::tui::theme::Role;

/// Most proposals whose hunks are remembered.
const MOST: usize = 256;
/// Narrower than this, only the titles are listed.
const WIDE: usize = 60;

/// A proposal with where it stands.
pub(super) type Entry = (Arc<Proposal>, ProposalStatus);

/// How many hunks the listed proposals have.
#[derive(Default)]
pub(super) struct Counts(HashMap<ProposalId, (Arc<Proposal>, usize)>);

impl Counts {
    /// How many proposals were counted.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    fn of(&mut self, proposal: &Arc<Proposal>) -> usize {
        match self.0.get(&proposal.id) {
            Some((known, count)) if Arc::ptr_eq(known, proposal) => *count,
            Some(_) | None => {
                if self.0.len() >= MOST {
                    self.0.clear();
                }
                let count = proposal.hunk_count();
                self.0.insert(proposal.id.clone(), (proposal.clone(), count));
                count
            }
        }
    }
}

/// The proposals that are listed: those that wait, the one looked at, and the decided ones where they are asked for.
pub(super) fn listed<'q>(
    queue: &'q Queue,
    selected: Option<&'q ProposalId>,
    history: bool,
) -> impl DoubleEndedIterator<Item = &'q Entry> {
    let shown = move |entry: &&Entry| {
        history || entry.1 == ProposalStatus::Open || selected.is_some_and(|selected| entry.0.id == *selected)
    };
    queue.all().iter().filter(shown)
}

/// The rows of the list that are shown, each with its proposal.
pub(super) fn rows(
    scene: &Scene<'_>,
    counts: &mut Counts,
    selected: &ProposalId,
    history: bool,
    width: usize,
    height: u16,
) -> Vec<(Spans, Option<ProposalId>)> {
    let entries: Vec<&Entry> = listed(scene.queue, Some(selected), history).collect();
    if entries.len() < 2 || height < 12 {
        return Vec::new();
    }
    let at = entries.iter().position(|entry| entry.0.id == *selected).unwrap_or(0);
    let most = (height / 4).clamp(2, 8);
    let top = at.saturating_sub(usize::from(most) / 2);
    let shown = window(entries.len(), at, top, most);
    let mut rows: Vec<(Spans, Option<ProposalId>)> = entries
        .get(shown.clone())
        .unwrap_or_default()
        .iter()
        .map(|entry| (row(scene, counts, entry, entry.0.id == *selected, width), Some(entry.0.id.clone())))
        .collect();
    let bar = scene.glyphs.lines[0];
    let place = format!(" {} of {} ", at + 1, entries.len());
    let rest = width.saturating_sub(place.len() + 2);
    rows.push((
        vec![
            scene.span(Role::Border, bar.repeat(2)),
            scene.span(Role::Quiet, place),
            scene.span(Role::Border, bar.repeat(rest)),
        ],
        None,
    ));
    rows
}

fn row(scene: &Scene<'_>, counts: &mut Counts, entry: &Entry, here: bool, width: usize) -> Spans {
    let (proposal, status) = entry;
    let glyphs = scene.glyphs;
    let (role, sign, word) = match status {
        ProposalStatus::Open => (Role::Unsure, glyphs.waits, gates(proposal)),
        ProposalStatus::Accepted(_) => (Role::Good, glyphs.done, "accepted".to_owned()),
        ProposalStatus::Rejected(_) => (Role::Bad, glyphs.failed, "rejected".to_owned()),
    };
    let text = if here { Role::Strong } else { Role::Text };
    let title = clean(proposal.title.lines().next().unwrap_or_default());
    let mut spans = vec![
        scene.span(Role::Focus, if here { format!("{} ", glyphs.runs) } else { "  ".to_owned() }),
        scene.span(role, format!("{sign} ")),
    ];
    if width < WIDE {
        spans.push(scene.span(text, fit(&title, width.saturating_sub(4)).into_owned()));
        return spans;
    }
    let program = proposal.program.as_ref().map_or("network", |name| name.as_str());
    let rest = width.saturating_sub(4 + 14 + 17 + 11 + 17);
    spans.push(scene.span(text, format!("{}  ", pad(&clean(proposal.id.as_str()), 12))));
    spans.push(scene.span(text, format!("{}  ", pad(&clean(program), 15))));
    spans.push(scene.span(Role::Quiet, format!("{}  ", pad(&counted(counts.of(proposal), "hunk"), 9))));
    spans.push(scene.span(role, format!("{}  ", pad(&word, 15))));
    spans.push(scene.span(text, fit(&title, rest).into_owned()));
    spans
}
