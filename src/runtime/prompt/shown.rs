//! What is seen of a conversation while it goes on.

use std::sync::Arc;
use std::time::Duration;

use crate::engine::ports::{Activation, Piece, ProviderError, Reply};
use crate::model::{CallRecord, Streamed};

use super::calls;

/// Shows what comes from a provider.
pub(super) fn piece(activation: &Activation, piece: Piece<'_>) {
    match piece {
        Piece::Sent { endpoint, model, input, context } => {
            put(activation, Streamed::Sent { endpoint: endpoint.to_owned(), input, context }, model);
        }
        Piece::Text(text) => put(activation, Streamed::Text, text),
        Piece::Reasoning(text) => put(activation, Streamed::Reasoning, text),
        Piece::Call(name) => put(activation, Streamed::Call, name),
        Piece::Waiting { left, why } => {
            let left = (left < Duration::MAX).then(|| u64::try_from(left.as_millis()).unwrap_or(u64::MAX));
            put(activation, Streamed::Waiting { left }, why);
        }
        Piece::Again(why) => put(activation, Streamed::Again, why),
    }
}

/// Shows what a call of a model took, where it took anything.
pub(super) fn took(activation: &Activation, result: &Result<Reply, ProviderError>) {
    let (tokens, dollars) = match result {
        Ok(reply) => (reply.tokens, reply.dollars),
        Err(error) => (error.tokens, error.dollars),
    };
    if result.is_ok() || tokens.total() > 0 {
        let (input, output, estimated) = (tokens.input, tokens.output, tokens.estimated);
        put(activation, Streamed::Took { input, output, estimated, dollars }, "");
    }
}

/// Shows what a tool answered.
pub(super) fn returned(activation: &Activation, record: &CallRecord) {
    if activation.outlet.is_some() {
        put(activation, Streamed::Returned { call: Arc::new(calls::kept(record)) }, "");
    }
}

fn put(activation: &Activation, what: Streamed, text: &str) {
    if let Some(outlet) = &activation.outlet {
        outlet.put(activation.id, what, text);
    }
}
