//! What decides: applying, rejecting, editing first.

use super::{Edits, moved, open};
use crate::model::{Author, Decision, Proposal, ProposalId, ProposalStatus};
use crate::tui::action::Action;
use crate::tui::pane::{Effect, Purpose, Tone};
use crate::tui::scene::Scene;
use crate::tui::text::clean;

/// The key of an action, for sentences.
pub(super) fn key(action: Action) -> &'static str {
    action.entry().keys.first().copied().unwrap_or("?")
}

fn no(words: impl Into<String>) -> Effect {
    Effect::Say(Tone::Bad, words.into())
}

pub(super) fn decided_before() -> Effect {
    no(format!("it was decided before; {} takes your last decision back", key(Action::EditUndo)))
}

impl Edits {
    /// Why the proposal that is looked at cannot be decided now.
    fn hindered(&self, scene: &Scene<'_>) -> Result<ProposalId, Vec<Effect>> {
        let Some((proposal, status)) = self.selected(scene) else { return Err(vec![no("no proposal waits")]) };
        if *status != ProposalStatus::Open {
            return Err(vec![decided_before()]);
        }
        if self.arming.borrow().sleeps(scene.clock) {
            let words = "not yet: keys that decide wake up 0.3 s after the pane is opened or shows something else";
            return Err(vec![Effect::Say(Tone::Plain, words.to_owned())]);
        }
        Ok(proposal.id.clone())
    }

    /// Takes the chosen hunks.
    pub(super) fn apply(&self, scene: &Scene<'_>) -> Vec<Effect> {
        let id = match self.hindered(scene) {
            Ok(id) => id,
            Err(why) => return why,
        };
        let decision = self.with(scene, |review, _| match moved(scene, &review.proposal) {
            Some(path) => Err(vec![stale(path)]),
            None => review.decision().ok_or_else(|| {
                let (one, all) = (key(Action::HunkToggle), key(Action::HunkAll));
                vec![no(format!("no hunk is chosen: {one} chooses the one at the cursor, {all} chooses all"))]
            }),
        });
        match decision {
            Some(Ok(decision)) => vec![Effect::Proposal(id.clone()), Effect::Decide(id, decision)],
            Some(Err(why)) => why,
            None => Vec::new(),
        }
    }

    /// Asks why it is turned down.
    pub(super) fn reject(&self, scene: &Scene<'_>) -> Vec<Effect> {
        match self.hindered(scene) {
            Ok(id) => {
                let title = "Why do you turn it down? It is fed back; an empty line will do".to_owned();
                let ask = Effect::Ask { purpose: Purpose::Reject(id.clone()), title, text: String::new() };
                vec![Effect::Proposal(id), ask]
            }
            Err(why) => why,
        }
    }

    /// Turns it down.
    pub(super) fn rejected(&self, id: &ProposalId, why: &str, scene: &Scene<'_>) -> Vec<Effect> {
        match scene.queue.get(id) {
            Some((_, ProposalStatus::Open)) => {
                let reason = why.trim().to_owned();
                let decision = Decision { accept: Vec::new(), reason, edited: Vec::new(), by: Author::Human };
                vec![Effect::Decide(id.clone(), decision)]
            }
            Some((_, ProposalStatus::Accepted(_) | ProposalStatus::Rejected(_))) => vec![decided_before()],
            None => vec![no(format!("there is no proposal {} any more", clean(id.as_str())))],
        }
    }

    /// Opens the proposed text in an editor.
    pub(super) fn edit(&self, scene: &Scene<'_>) -> Vec<Effect> {
        let Some((proposal, status)) = self.selected(scene) else { return vec![no("no proposal waits")] };
        if *status != ProposalStatus::Open {
            return vec![decided_before()];
        }
        if let Some(path) = moved(scene, proposal) {
            return vec![stale(path)];
        }
        let id = proposal.id.clone();
        let found =
            self.with(scene, |review, _| review.text().map(|(file, text)| (file.path.clone(), text.to_string())));
        match found.flatten() {
            Some((path, text)) => {
                let title = format!("{} as it should become; you choose and apply afterwards", clean(&path));
                vec![Effect::Proposal(id.clone()), Effect::Edit { purpose: Purpose::Proposed(id, path), title, text }]
            }
            None => vec![no("this file would be removed; there is no text to edit")],
        }
    }

    /// Takes an edited text in.
    pub(super) fn edited(&self, id: &ProposalId, path: &str, text: &str, scene: &Scene<'_>) -> Vec<Effect> {
        let Some((proposal, ProposalStatus::Open)) = scene.queue.get(id) else { return vec![decided_before()] };
        let mut reviews = self.reviews.borrow_mut();
        let Some(review) = open(&mut reviews, proposal) else { return Vec::new() };
        let before = review.text_of(path);
        if before.as_deref() == Some(text) {
            return vec![Effect::Say(Tone::Plain, "the text is as it was".to_owned())];
        }
        review.edit(path, text);
        let words = match (edits_nothing(proposal, path, text), review.pieces.is_empty()) {
            (true, _) => "the text is again as it was proposed".to_owned(),
            (false, true) => "edited: now nothing would change".to_owned(),
            (false, false) => {
                format!("edited: choose what you want of it, then {} applies it", key(Action::HunkApply))
            }
        };
        vec![Effect::Say(Tone::Good, words)]
    }
}

fn edits_nothing(proposal: &Proposal, path: &str, text: &str) -> bool {
    proposal.changes.iter().any(|change| change.path == path && change.after.as_deref() == Some(text))
}

fn stale(path: &str) -> Effect {
    no(format!(
        "{} has changed since this was made; {} rejects it, and what still shows is proposed anew",
        clean(path),
        key(Action::EditReject)
    ))
}
