//! The guard: what no program may change, and what never happens without a human.

use crate::model::{Approval, Author, Change, Proposal, State};

/// Who may accept a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Frozen {
    /// L2: a human, or automatic after all gates if the user chose it.
    Reversible,
    /// L1: a human, always (also in advance, by `--approve accept`).
    Human,
    /// L0: nobody; the user edits configuration files.
    Nobody,
}

/// Self-modifications in a row in one run after which the next is held.
const CHAIN: usize = 2;

/// The tier of a proposal: the strictest of its changes.
#[must_use]
pub fn tier(proposal: &Proposal) -> Frozen {
    proposal.changes.iter().map(|change| of_change(change, &proposal.author)).max().unwrap_or(Frozen::Human)
}

fn of_change(change: &Change, author: &Author) -> Frozen {
    if change.path.contains("..") || change.path.starts_with('/') || change.path.contains('/') {
        return Frozen::Nobody;
    }
    if change.path == "network.toml" {
        return if *author == Author::Human { Frozen::Human } else { Frozen::Nobody };
    }
    let whole_file = change.before.is_none() || change.after.is_none();
    if whole_file || !change.path.ends_with(".md") { Frozen::Human } else { Frozen::Reversible }
}

/// Whether a proposal may be accepted without asking now, and if not, why.
///
/// # Errors
/// The reason why a human must look at it.
pub(super) fn may_accept_unasked(proposal: &Proposal, state: &State) -> Result<(), String> {
    match state.approval {
        Approval::Accept => {}
        Approval::Rules => return Err("no approval rule covers it".to_owned()),
        Approval::Reject => return Err("proposals are turned down in this session".to_owned()),
    }
    if tier(proposal) == Frozen::Nobody {
        return Err("nobody may change this by a proposal".to_owned());
    }
    if proposal.gates.is_empty() || proposal.failed() {
        return Err("it has not passed its gates".to_owned());
    }
    let chain = state.revisions.len();
    if chain >= CHAIN {
        return Err(format!("{chain} self-modifications in this run already: the next is held for review"));
    }
    Ok(())
}
