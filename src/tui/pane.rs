//! What a pane is: a view of the [`Scene`] with a little state of its own (what is selected, how far it is scrolled), which
//! turns actions into effects. A pane never changes the session; it asks for that.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::action::{Action, Room};
use super::scene::Scene;
use crate::model::{Change, Command, ContributionId, Cycle, Decision, ProgramName, ProposalId, Seq};

/// What stands in the upper border of a pane.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Heading {
    /// Beside the title.
    pub(super) left: String,
    /// At the right end.
    pub(super) right: String,
}

/// How a short message to the user sounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tone {
    /// It is so.
    Plain,
    /// It went well.
    Good,
    /// It cannot be done, and why.
    Bad,
}

/// Why a text is asked for; it comes back with the answer.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Purpose {
    /// Words to filter or find by in a pane.
    Find(Room),
    /// Why a proposal is turned down.
    Reject(ProposalId),
    /// A note at the present cycle.
    Note,
    /// An expression to watch.
    Watch,
    /// A breakpoint, in words.
    Break,
    /// The address of a server of models.
    Server,
    /// An entry of memory as it should be; none for a new one.
    Entry(Option<ContributionId>),
    /// The text of a file as a proposal should make it.
    Proposed(ProposalId, String),
    /// The text of a program's file as the user would have it.
    Program(String),
}

/// What a pane asks for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Effect {
    /// Something of the session.
    Send(Command),
    /// Another action, as if its key were pressed.
    Do(Action),
    /// A short message.
    Say(Tone, String),
    /// The moment after this event is looked at.
    Look(Seq),
    /// Back to the present.
    Live,
    /// A program is selected, everywhere.
    Select(ProgramName),
    /// An entry of memory is selected, everywhere.
    Entry(ContributionId),
    /// A proposal is selected, everywhere.
    Proposal(ProposalId),
    /// One line of text is wanted; the answer comes back through [`Pane::told`] or goes to the session.
    Ask {
        /// Why.
        purpose: Purpose,
        /// What is asked, in a few words.
        title: String,
        /// What stands there at first.
        text: String,
    },
    /// Many lines of text are to be edited.
    Edit {
        /// Why.
        purpose: Purpose,
        /// What is edited, in a few words.
        title: String,
        /// What stands there at first.
        text: String,
    },
    /// A proposal is decided; with a session through it, without one directly.
    Decide(ProposalId, Decision),
    /// The last decision is taken back.
    Undo,
    /// An edit of the user's own becomes a proposal.
    Propose(String, Vec<Change>),
    /// A new session from the moment shown.
    Fork {
        /// The episode.
        episode: u32,
        /// The last cycle that is kept.
        cycle: Cycle,
        /// What is done there first.
        then: Option<Command>,
    },
}

/// A pane.
pub(super) trait Pane {
    /// What its border says.
    fn heading(&self, scene: &Scene<'_>) -> Heading;

    /// Draws it into an area of any size, 0×0 included.
    fn draw(&self, scene: &Scene<'_>, area: Rect, buf: &mut Buffer);

    /// Does what a key asks. `area` is where it was last drawn.
    fn act(&mut self, action: Action, scene: &Scene<'_>, area: Rect) -> Vec<Effect>;

    /// Takes a text in that it asked for.
    fn told(&mut self, _purpose: &Purpose, _text: &str, _scene: &Scene<'_>) -> Vec<Effect> {
        Vec::new()
    }

    /// Where a click landed inside `area`.
    fn click(&mut self, _at: Position, _scene: &Scene<'_>, _area: Rect) -> Vec<Effect> {
        Vec::new()
    }

    /// The actions that the hint bar names while the pane has the focus, most wanted first.
    fn hints(&self, _scene: &Scene<'_>) -> Vec<Action> {
        Vec::new()
    }

    /// What `y` copies.
    fn copied(&self, _scene: &Scene<'_>) -> Option<String> {
        None
    }
}
