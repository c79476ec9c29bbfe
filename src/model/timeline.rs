//! Looking at the past: the fold of any prefix, from checkpoints (free, exact, changes nothing).

use std::sync::Arc;

use super::{Envelope, Seq, State};

/// A session's events with checkpoints of their fold.
#[derive(Clone, Debug)]
pub struct Timeline {
    events: Vec<Arc<Envelope>>,
    checkpoints: Vec<State>,
    every: usize,
    head: State,
}

impl Default for Timeline {
    fn default() -> Self {
        Self::new(256)
    }
}

impl Timeline {
    /// An empty timeline with a checkpoint every so many events.
    #[must_use]
    pub fn new(every: usize) -> Self {
        Self { events: Vec::new(), checkpoints: Vec::new(), every: every.max(1), head: State::default() }
    }

    /// Takes in the next event.
    pub fn push(&mut self, envelope: Arc<Envelope>) {
        if self.events.len().is_multiple_of(self.every) {
            self.checkpoints.push(self.head.clone());
        }
        self.head.apply(&envelope);
        self.events.push(envelope);
    }

    /// The state after all events.
    #[must_use]
    pub fn head(&self) -> &State {
        &self.head
    }

    /// The events.
    #[must_use]
    pub fn events(&self) -> &[Arc<Envelope>] {
        &self.events
    }

    /// The state after the event with this sequence number (before the first: the empty state). Folds at most one
    /// checkpoint interval of events.
    #[must_use]
    pub fn at(&self, seq: Seq) -> State {
        let upto = self.events.partition_point(|envelope| envelope.seq <= seq);
        if upto == self.events.len() {
            return self.head.clone();
        }
        let checkpoint = upto / self.every;
        let mut state = self.checkpoints.get(checkpoint).cloned().unwrap_or_default();
        for envelope in &self.events[checkpoint * self.every..upto] {
            state.apply(envelope);
        }
        state
    }
}
