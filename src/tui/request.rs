//! What the interface asks of the world around it.

use std::path::PathBuf;

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
