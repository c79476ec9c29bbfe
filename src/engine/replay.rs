//! Replay from the record: the engine runs again with every answer taken from the journal, and differences are reported.
//!
//! Scripts run again; calls of tools and models are answered from the record; the clock is the record's; `at` and
//! durations do not count. Free and deterministic.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::model::{ActivationId, CallRecord, Envelope, Event, Seq};

/// The answers that a record holds.
#[derive(Clone, Debug, Default)]
pub struct Record {
    calls: BTreeMap<ActivationId, Arc<Vec<CallRecord>>>,
}

impl Record {
    /// Gathers the answers of a journal.
    #[must_use]
    pub fn of(events: &[Arc<Envelope>]) -> Self {
        let mut calls: BTreeMap<ActivationId, Vec<CallRecord>> = BTreeMap::new();
        for envelope in whole_steps(events) {
            if let Event::ToolReturned { activation, call } = &envelope.event {
                calls.entry(*activation).or_default().push((**call).clone());
            }
        }
        Self { calls: calls.into_iter().map(|(id, calls)| (id, Arc::new(calls))).collect() }
    }

    /// The answers to one activation's calls, in order.
    #[must_use]
    pub fn calls_of(&self, activation: ActivationId) -> Arc<Vec<CallRecord>> {
        self.calls.get(&activation).cloned().unwrap_or_default()
    }
}

/// The events without steps that a crash cut off, and without the marks of pausing and taking up again.
#[must_use]
pub fn whole_steps(events: &[Arc<Envelope>]) -> Vec<Arc<Envelope>> {
    let mut kept: Vec<Arc<Envelope>> = Vec::with_capacity(events.len());
    for envelope in events {
        match &envelope.event {
            Event::Resumed { rewound_to: Some(to) } => kept.retain(|earlier| earlier.seq <= *to),
            Event::Resumed { rewound_to: None } | Event::Paused { .. } | Event::SessionEnded {} => {}
            _ => kept.push(envelope.clone()),
        }
    }
    kept
}

/// Where two runs part.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Sequence number in the record.
    pub seq: Seq,
    /// What the record holds.
    pub recorded: String,
    /// What the replay gave.
    pub replayed: String,
}

/// The first difference between a record and its replay; times, durations and sequence numbers do not count.
#[must_use]
pub fn first_difference(recorded: &[Arc<Envelope>], replayed: &[Arc<Envelope>]) -> Option<Difference> {
    let (recorded, replayed) = (whole_steps(recorded), whole_steps(replayed));
    let nothing = || "nothing".to_owned();
    for index in 0..recorded.len().max(replayed.len()) {
        let (a, b) = (recorded.get(index), replayed.get(index));
        let (left, right) =
            (a.map(|envelope| comparable(&envelope.event)), b.map(|envelope| comparable(&envelope.event)));
        if left != right {
            return Some(Difference {
                seq: a.or(recorded.last()).map(|envelope| envelope.seq).unwrap_or_default(),
                recorded: left.unwrap_or_else(nothing),
                replayed: right.unwrap_or_else(nothing),
            });
        }
    }
    None
}

fn comparable(event: &Event) -> String {
    let mut event = event.clone();
    if let Event::ToolReturned { call, .. } = &mut event {
        Arc::make_mut(call).micros = 0;
    }
    serde_json::to_string(&event).unwrap_or_default()
}
