//! What a running program lets be seen before it is done.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::CallRecord;

/// What a streamed piece is. Its text, where it has one, stands beside it in the event.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Streamed {
    /// More of the answer: the text.
    #[default]
    Text,
    /// More of the reasoning that comes apart from the answer: the text.
    Reasoning,
    /// A server took a call of the model that the text names.
    Sent {
        /// The server.
        endpoint: String,
        /// Tokens that it is given to read, estimated from lengths.
        #[serde(default)]
        input: u64,
        /// Tokens that the model's context holds, where that is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        context: Option<u64>,
    },
    /// The model begins to call the tool that the text names.
    Call,
    /// A tool that the model called answered.
    Returned {
        /// The call with its result.
        call: Arc<CallRecord>,
    },
    /// Nothing is sent before some time has passed, for the reason that the text gives.
    Waiting {
        /// Milliseconds that are left; none where nobody knows.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        left: Option<u64>,
    },
    /// What this call streamed so far counts for nothing: it is made again, for the reason that the text gives.
    Again,
    /// A call of a model is done. What it took is counted for good when its activation ends.
    Took {
        /// Tokens that the model read.
        input: u64,
        /// Tokens that it wrote.
        output: u64,
        /// Whether the server did not say and these are estimates.
        #[serde(default)]
        estimated: bool,
        /// US dollars; none where a price is unknown.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        dollars: Option<f64>,
    },
    /// So many bytes are left out here: they came faster than they could be shown.
    Skipped {
        /// Bytes of text.
        bytes: u64,
    },
}

impl Streamed {
    /// Whether it is more of the answer.
    #[must_use]
    pub fn is_text(&self) -> bool {
        *self == Self::Text
    }
}
