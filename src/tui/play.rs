//! The user plays the model: prompts that wait, and replies that are being written.

use std::collections::BTreeMap;

use super::field::Field;
use crate::llm::Card;
use crate::model::Hash;

/// Replies that were begun and not sent are kept up to this many.
const DRAFTS: usize = 64;

/// The prompts that wait, and what was written so far for each.
#[derive(Debug, Default)]
pub(super) struct Play {
    cards: Vec<Card>,
    selected: u64,
    /// By the prompt, so that one that is asked again finds what was written for it.
    drafts: BTreeMap<Hash, Field>,
    /// First row of the prompt that is shown.
    pub(super) top: usize,
}

impl Play {
    /// These prompts wait now.
    pub(super) fn set(&mut self, cards: Vec<Card>) {
        self.cards = cards;
        self.select();
    }

    /// How many wait.
    pub(super) fn waiting(&self) -> usize {
        self.cards.len()
    }

    /// The prompt that is selected, and which of how many it is, from 1.
    pub(super) fn card(&self) -> Option<(&Card, usize)> {
        let at = self.cards.iter().position(|card| card.id == self.selected)?;
        self.cards.get(at).map(|card| (card, at + 1))
    }

    /// Another prompt.
    pub(super) fn turn(&mut self, by: isize) {
        let Some((_, at)) = self.card() else { return };
        let next = (at - 1).saturating_add_signed(by).min(self.cards.len() - 1);
        self.selected = self.cards[next].id;
        self.top = 0;
    }

    /// What was written for the selected prompt.
    pub(super) fn draft(&self) -> Option<&Field> {
        let (card, _) = self.card()?;
        self.drafts.get(&Hash::of(&card.text))
    }

    /// The same, to be written on.
    pub(super) fn draft_mut(&mut self) -> Option<&mut Field> {
        let (card, _) = self.card()?;
        let key = Hash::of(&card.text);
        if self.drafts.len() >= DRAFTS && !self.drafts.contains_key(&key) {
            let waits = |kept: &Hash| self.cards.iter().any(|card| Hash::of(&card.text) == *kept);
            let old = self.drafts.keys().find(|kept| !waits(kept)).cloned();
            old.and_then(|old| self.drafts.remove(&old));
        }
        Some(self.drafts.entry(key).or_insert_with(|| Field::lines("")))
    }

    /// Takes the reply to the selected prompt away, with its number; nothing where none was written.
    pub(super) fn take(&mut self) -> Option<(u64, String)> {
        let text = self.draft().filter(|draft| !draft.is_blank())?.text();
        let (id, key) = self.card().map(|(card, _)| (card.id, Hash::of(&card.text)))?;
        self.drafts.remove(&key);
        self.cards.retain(|card| card.id != id);
        self.select();
        Some((id, text))
    }

    /// The oldest is selected where the one that was is gone.
    fn select(&mut self) {
        if !self.cards.iter().any(|card| card.id == self.selected) {
            self.selected = self.cards.first().map_or(0, |card| card.id);
            self.top = 0;
        }
    }
}
