//! Keys that decide sleep for a moment whenever what they would decide has just come up, so that nothing is decided by a key
//! that was meant for something else.

use super::list::Entry;
use super::moved;
use crate::model::ProposalId;
use crate::tui::scene::Scene;

/// How long they sleep, milliseconds.
const SLEEP: u64 = 300;

/// Whether keys that decide are awake.
#[derive(Debug, Default)]
pub(super) struct Arming {
    /// What was looked at last: the proposal, its content, whether it waits, and whether its base has moved.
    seen: Option<Option<(ProposalId, usize, bool, bool)>>,
    awake: u64,
}

impl Arming {
    /// What the keys would decide has changed.
    pub(super) fn disturbed(&mut self, now: u64) {
        self.awake = now.saturating_add(SLEEP);
    }

    /// Notices when something else came under the cursor.
    pub(super) fn look(&mut self, scene: &Scene<'_>, entry: Option<&Entry>) {
        let seen = entry.map(|(proposal, status)| {
            let open = *status == crate::model::ProposalStatus::Open;
            let content = proposal.changes.iter().map(|change| change.after.as_ref().map_or(0, |text| text.len()));
            (proposal.id.clone(), content.sum(), open, moved(scene, proposal).is_some())
        });
        if self.seen.as_ref() != Some(&seen) {
            self.seen = Some(seen);
            self.disturbed(scene.clock);
        }
    }

    /// Whether they sleep. A clock that was set back does not hold them for longer.
    pub(super) fn sleeps(&self, now: u64) -> bool {
        now < self.awake && self.awake - now <= SLEEP
    }
}
