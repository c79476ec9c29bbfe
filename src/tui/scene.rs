//! What views look at. It is put together anew for each frame, from the events alone and from what the user has chosen.

use std::sync::Arc;

use super::code::Code;
use super::live::{Live, Queue};
use super::theme::{Role, Theme};
use crate::model::{ContributionId, Network, ProgramName, ProposalId, State, Timeline};
use ratatui::style::Style;
use ratatui::text::Span;

/// Signs that carry meaning, in the box-drawing set or in ASCII.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Glyphs {
    /// A program that runs, or runs next.
    pub(super) runs: &'static str,
    /// It did what it should.
    pub(super) done: &'static str,
    /// It failed.
    pub(super) failed: &'static str,
    /// Something about it waits for the user.
    pub(super) waits: &'static str,
    /// A breakpoint.
    pub(super) stop: &'static str,
    /// A critic objected.
    pub(super) objection: &'static str,
    /// Up, and a gain.
    pub(super) up: &'static str,
    /// Down, and a loss.
    pub(super) down: &'static str,
    /// An edge that leads back.
    pub(super) back: &'static str,
    /// Left out.
    pub(super) more: &'static str,
    /// From one to the next.
    pub(super) to: &'static str,
    /// A revision.
    pub(super) revision: &'static str,
    /// A mark on a line.
    pub(super) dot: &'static str,
    /// Lines: horizontal, vertical, corners (down-right, down-left, up-right, up-left), tees (down, up, right, left), cross.
    pub(super) lines: [&'static str; 11],
    /// Whether only ASCII may be drawn.
    pub(super) ascii: bool,
}

impl Glyphs {
    /// Box drawing.
    pub(super) const FULL: Self = Self {
        runs: "▸",
        done: "✓",
        failed: "✗",
        waits: "?",
        stop: "●",
        objection: "!",
        up: "▲",
        down: "▼",
        back: "⟲",
        more: "…",
        to: "→",
        revision: "◆",
        dot: "•",
        lines: ["─", "│", "┌", "┐", "└", "┘", "┬", "┴", "├", "┤", "┼"],
        ascii: false,
    };
    /// ASCII.
    pub(super) const ASCII: Self = Self {
        runs: ">",
        done: "v",
        failed: "x",
        waits: "?",
        stop: "*",
        objection: "!",
        up: "^",
        down: "v",
        back: "@",
        more: "~",
        to: "->",
        revision: "#",
        dot: "o",
        lines: ["-", "|", "+", "+", "+", "+", "+", "+", "+", "+", "+"],
        ascii: true,
    };
}

/// What the user has chosen that more than one pane follows.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Chosen {
    /// A program.
    pub(super) program: Option<ProgramName>,
    /// An entry of memory.
    pub(super) entry: Option<ContributionId>,
    /// A proposal.
    pub(super) proposal: Option<ProposalId>,
}

/// Everything that a view may look at.
pub(super) struct Scene<'a> {
    /// The state shown: the present, or the past that is looked at.
    pub(super) state: &'a State,
    /// The present.
    pub(super) now: &'a State,
    /// All events of the session, and the states in between.
    pub(super) timeline: &'a Timeline,
    /// The session as it comes in: stops, streams.
    pub(super) live: &'a Live,
    /// The network as it was in the state shown.
    pub(super) network: &'a Arc<Network>,
    /// The network as it was when the session began.
    pub(super) first_network: &'a Arc<Network>,
    /// Proposals, those of other sessions too.
    pub(super) queue: &'a Queue,
    /// The session that this one was forked from, as far as it had come; its J is laid under this one's.
    pub(super) rival: Option<&'a State>,
    /// What the user has chosen.
    pub(super) chosen: &'a Chosen,
    /// Whether the past is looked at.
    pub(super) looking: bool,
    /// Whether another process works on the session, so that it is only looked at here.
    pub(super) elsewhere: bool,
    /// Whether the pane that is drawn has the focus.
    pub(super) focused: bool,
    /// Milliseconds since 1970.
    pub(super) clock: u64,
    /// Colours of code.
    pub(super) code: &'a Code,
    /// Colours.
    pub(super) theme: &'a Theme,
    /// Signs.
    pub(super) glyphs: &'a Glyphs,
}

impl Scene<'_> {
    /// The style of a role.
    pub(super) fn style(&self, role: Role) -> Style {
        self.theme.style(role)
    }

    /// Text in the style of a role. The text must be clean.
    pub(super) fn span<'t>(&self, role: Role, text: impl Into<std::borrow::Cow<'t, str>>) -> Span<'t> {
        Span::styled(text, self.style(role))
    }
}
