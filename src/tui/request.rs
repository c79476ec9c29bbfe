//! What the interface asks of the world around it.

use std::path::PathBuf;

use super::servers::Typed;
use crate::model::{Command, Cycle, Query, SessionId};

/// One request.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Request {
    /// A new session with its first question; commands go to it before its first program runs.
    Begin {
        /// The question.
        query: Query,
        /// What is sent first.
        first: Vec<Command>,
        /// Whether it stands still before its first program.
        step: bool,
    },
    /// A file is to go with the next question.
    Attach(PathBuf),
    /// A command for the session; where there is none, one without a question is begun.
    Send(Command),
    /// The session that is looked at is taken up: it stands still until it is told to go on.
    TakeUp,
    /// Another session is looked at.
    Open(SessionId),
    /// A copy of the present session up to a cycle, in which it goes on.
    Fork {
        /// The episode.
        episode: u32,
        /// The last cycle that is kept.
        cycle: Cycle,
        /// What is done there first.
        then: Option<Command>,
    },
    /// The present session is left, and nothing is shown.
    Leave,
    /// The list of all sessions is wanted.
    List,
    /// Servers of models are looked for.
    LookForModels,
    /// A model of a server that was found serves these tiers from now on.
    UseModel {
        /// The server, by its place among those found.
        server: usize,
        /// The model.
        model: String,
        /// The tiers.
        tiers: Vec<&'static str>,
    },
    /// A key is kept for good.
    KeepKey {
        /// Whose it is.
        vendor: String,
        /// Its name.
        name: &'static str,
        /// The key.
        key: Typed,
    },
    /// The reply of the user, who plays the model.
    Reply {
        /// The prompt.
        id: u64,
        /// What they wrote.
        text: String,
    },
    /// A text goes to the clipboard.
    Copy(String),
    /// The mouse is taken from the terminal, or given back.
    Mouse(bool),
    /// Back to the shell until it says to go on.
    Suspend,
    /// The whole screen is drawn anew.
    Redraw,
    /// The interface is left.
    Quit,
}
