//! Whether a run came to nothing because models failed: what exit code 5 means.

use crate::model::{CallRecord, Envelope, Event};

/// What became of the calls of models in the present question.
#[derive(Debug, Default)]
pub(super) struct Calls {
    /// Why the last call failed, where it did.
    last: Option<String>,
}

impl Calls {
    /// Takes an event in.
    pub(super) fn see(&mut self, envelope: &Envelope) {
        match &envelope.event {
            Event::EpisodeStarted { .. } => self.last = None,
            Event::ToolReturned { call, .. } if call.tool == CallRecord::MODEL => {
                // What a cap forbade is no failure of a server.
                let capped = call.args.get(2).is_some_and(|took| took["fault"] == "over-budget");
                self.last = call.result.as_ref().err().filter(|_| !capped).cloned();
            }
            _ => {}
        }
    }

    /// Why the last call of a model failed after all its tries; none where it gave something.
    pub(super) fn failed(&self) -> Option<&str> {
        self.last.as_deref()
    }
}
