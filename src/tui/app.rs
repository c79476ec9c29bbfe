//! The interface as a machine: keys and events go in, requests come out, and it can be drawn at any time. It does no IO, so
//! that tests drive it as a user does.

use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::{Position, Rect, Size};

use super::action::{Action, Room};
use super::code::Code;
use super::field::Field;
use super::keys::{self, Keymap};
use super::layout::Layout;
use super::live::{Live, Queue};
use super::overlay::Overlay;
use super::pane::{Effect, Pane, Tone};
use super::panes::{Edits, Graph, Memory, Score, Stream, TimelinePane};
use super::play::Play;
use super::request::Request;
use super::scene::{Chosen, Glyphs, Scene};
use super::servers::Servers;
use super::theme::Theme;
use crate::model::{
    Attachment, Breakpoint, Command, Envelope, Event, Image, Network, Phase, Proposal, ProposalId, ProposalStatus,
    SessionId, State,
};

/// Milliseconds that a message stays.
const MESSAGE: u64 = 6_000;
/// Milliseconds within which a second Ctrl+C leaves.
const TWICE: u64 = 2_000;

/// What the user likes; kept in the configuration, changed in the settings.
#[derive(Clone, Debug)]
pub(super) struct Likes {
    /// All themes, the first of which is the terminal's own colours.
    pub(super) themes: Vec<Theme>,
    /// Which of them.
    pub(super) theme: usize,
    /// Only ASCII.
    pub(super) ascii: bool,
    /// Whether the mouse is taken from the terminal.
    pub(super) mouse: bool,
    /// Whether a new question stands still before its first program.
    pub(super) step: bool,
    /// Whether elapsed time is shown as it passes.
    pub(super) motion: bool,
}

/// The panes, each with its own view state.
#[derive(Default)]
pub(super) struct Panes {
    pub(super) graph: Graph,
    pub(super) memory: Memory,
    pub(super) score: Score,
    pub(super) edits: Edits,
    pub(super) stream: Stream,
    pub(super) timeline: TimelinePane,
}

impl Panes {
    pub(super) fn get(&self, room: Room) -> &dyn Pane {
        match room {
            Room::Graph => &self.graph,
            Room::Memory => &self.memory,
            Room::Score => &self.score,
            Room::Edits => &self.edits,
            Room::Stream => &self.stream,
            Room::Timeline => &self.timeline,
        }
    }

    pub(super) fn get_mut(&mut self, room: Room) -> &mut dyn Pane {
        match room {
            Room::Graph => &mut self.graph,
            Room::Memory => &mut self.memory,
            Room::Score => &mut self.score,
            Room::Edits => &mut self.edits,
            Room::Stream => &mut self.stream,
            Room::Timeline => &mut self.timeline,
        }
    }
}

/// A short message with its end.
#[derive(Clone, Debug)]
pub(super) struct Message {
    pub(super) tone: Tone,
    pub(super) text: String,
    pub(super) until: u64,
}

/// The past that is looked at.
#[derive(Clone, Debug)]
pub(super) struct Look {
    /// Which stop.
    pub(super) stop: usize,
    /// The state then.
    pub(super) state: State,
}

/// The interface.
pub(super) struct Interface {
    pub(super) live: Live,
    pub(super) queue: Queue,
    pub(super) session: Option<SessionId>,
    pub(super) rival: Option<State>,
    pub(super) look: Option<Look>,
    pub(super) focus: Room,
    pub(super) zoomed: bool,
    pub(super) panes: Panes,
    pub(super) chosen: Chosen,
    pub(super) prompt: Field,
    pub(super) writing: bool,
    pub(super) asked: Vec<String>,
    /// Files that go with the next question.
    pub(super) attached: Vec<Attachment>,
    pub(super) recalled: Option<usize>,
    pub(super) overlays: Vec<Overlay>,
    pub(super) servers: Servers,
    pub(super) play: Play,
    pub(super) message: Option<Message>,
    pub(super) breaks: Vec<Breakpoint>,
    pub(super) keymap: Keymap,
    pub(super) likes: Likes,
    pub(super) glyphs: Glyphs,
    pub(super) code: Code,
    pub(super) size: Size,
    pub(super) clock: u64,
    pub(super) interrupted: Option<u64>,
    pub(super) decided: Vec<ProposalId>,
    pub(super) again: bool,
    /// When the last permission was asked for.
    pub(super) permission_since: u64,
    /// Whether a program asked while a line was being written.
    pub(super) unasked: bool,
    /// Whether another process works on the session.
    pub(super) elsewhere: bool,
    /// Whether the record of the session is still being read.
    pub(super) loading: bool,
    /// What is said when it has been.
    pub(super) loaded_message: Option<String>,
    pub(super) requests: Vec<Request>,
}

impl Interface {
    /// An interface over a network, before any session.
    #[must_use]
    pub(super) fn new(network: Arc<Network>, likes: Likes, keymap: Keymap, code: Code) -> Self {
        let glyphs = if likes.ascii { Glyphs::ASCII } else { Glyphs::FULL };
        Self {
            live: Live::new(network),
            queue: Queue::default(),
            session: None,
            rival: None,
            look: None,
            focus: Room::Graph,
            zoomed: false,
            panes: Panes::default(),
            chosen: Chosen::default(),
            prompt: Field::line(""),
            writing: true,
            asked: Vec::new(),
            attached: Vec::new(),
            recalled: None,
            overlays: Vec::new(),
            servers: Servers::default(),
            play: Play::default(),
            message: None,
            breaks: Vec::new(),
            keymap,
            likes,
            glyphs,
            code,
            size: Size::new(80, 24),
            clock: 0,
            interrupted: None,
            decided: Vec::new(),
            again: false,
            permission_since: 0,
            unasked: false,
            elsewhere: false,
            loading: false,
            loaded_message: None,
            requests: Vec::new(),
        }
    }

    /// The requests that came up since the last time.
    pub(super) fn take_requests(&mut self) -> Vec<Request> {
        std::mem::take(&mut self.requests)
    }

    /// The terminal has this size now.
    pub(super) fn resize(&mut self, size: Size) {
        self.size = size;
    }

    /// It is this late, in milliseconds since 1970.
    pub(super) fn tick(&mut self, clock: u64) {
        self.clock = self.clock.max(clock);
        if self.message.as_ref().is_some_and(|message| message.until <= self.clock) {
            self.message = None;
        }
    }

    /// When something changes by itself: a message ends, or the second of a running program is over.
    pub(super) fn next_tick(&self) -> Option<u64> {
        let message = self.message.as_ref().map(|message| message.until);
        let runs = self.live.now().phase == Phase::Running && self.likes.motion && self.look.is_none();
        let second = self.live.active().filter(|_| runs).map(|(_, since)| {
            let past = self.clock.saturating_sub(since);
            since + (past / 1000 + 1) * 1000
        });
        let wait = self.live.next_second(self.clock).filter(|_| self.look.is_none());
        message.into_iter().chain(second).chain(wait).min()
    }

    /// An event came in.
    pub(super) fn event(&mut self, envelope: Arc<Envelope>) {
        self.live.push(envelope.clone());
        match &envelope.event {
            Event::Warned { text } => self.say(Tone::Bad, text.clone()),
            Event::ProposalRaised { .. } | Event::GateProgress { .. } => self.queue.refresh(self.live.now()),
            Event::ProposalReopened { id, .. } => {
                self.queue.stands(id, &ProposalStatus::Open);
                self.queue.refresh(self.live.now());
                self.say(Tone::Good, format!("your decision is taken back: {id} waits again"));
            }
            Event::ProposalDecided { id, decision, status } => {
                self.queue.stands(id, status);
                self.queue.refresh(self.live.now());
                if decision.by == crate::model::Author::Human {
                    self.decided_by_human(id, status);
                }
            }
            Event::Permission { permission } if permission.granted.is_none() => self.permission_since = self.clock,
            // A line that was being written was not written for this question.
            Event::Asked { .. } => self.unasked = !self.prompt.is_blank(),
            Event::SessionStarted { pins, .. } => self.session = Some(pins.session.clone()),
            Event::EpisodeStarted { .. } => {
                self.look = None;
                self.message = None;
            }
            _ => {}
        }
    }

    fn decided_by_human(&mut self, id: &ProposalId, status: &ProposalStatus) {
        let key = self.keymap.key(Action::EditUndo).to_owned();
        match status {
            ProposalStatus::Accepted(revision) => {
                let text = format!("{id} is accepted as revision {}; {key} in pane 4 takes it back", revision.short());
                self.say(Tone::Good, text);
            }
            ProposalStatus::Rejected(_) => {
                self.say(Tone::Plain, format!("{id} is turned down; {key} in pane 4 takes that back"));
            }
            ProposalStatus::Open => return,
        }
        self.decided.push(id.clone());
    }

    /// What the library holds, of this and of other sessions.
    pub(super) fn load_queue(&mut self, kept: Vec<(Proposal, ProposalStatus)>) {
        self.queue.load(kept, self.live.now());
    }

    /// Another session is shown from here on; its events follow.
    pub(super) fn show_session(&mut self, network: Arc<Network>, rival: Option<State>) {
        self.live = Live::new(network);
        self.queue.refresh(self.live.now());
        (self.session, self.rival, self.look) = (None, rival, None);
        (self.chosen, self.panes) = (Chosen::default(), Panes::default());
        (self.decided, self.again, self.message) = (Vec::new(), false, None);
        (self.elsewhere, self.loading, self.loaded_message) = (false, false, None);
        self.writing = false;
    }

    /// The record of the session has been read.
    pub(super) fn loaded(&mut self) {
        self.loading = false;
        // What is not over is taken up at once, standing still, so that every key does what it says.
        if self.is_under_way() {
            self.requests.push(Request::TakeUp);
        }
        if let Some(text) = self.loaded_message.take() {
            self.say(Tone::Good, text);
        }
    }

    /// Shows a short message; what a record says happened long ago.
    pub(super) fn say(&mut self, tone: Tone, text: impl Into<String>) {
        if self.loading {
            return;
        }
        self.message = Some(Message { tone, text: text.into(), until: self.clock + MESSAGE });
    }

    /// A question could not be asked: it stands in the line again.
    pub(super) fn keep_question(&mut self, text: &str) {
        self.prompt = Field::line(text);
        self.writing = true;
    }

    /// A file was read that goes with the next question.
    pub(super) fn attach(&mut self, file: Attachment) {
        let size = file.image.as_ref().map_or(file.text.len(), Image::size);
        self.say(Tone::Good, format!("{} ({size} bytes) goes with the next question", file.name));
        self.attached.push(file);
    }

    /// A key was pressed.
    pub(super) fn key(&mut self, key: KeyEvent, clock: u64) {
        self.tick(clock);
        // Escape and a key right after it look like Alt to a terminal. Only text fields have a use for Alt.
        if key.modifiers.contains(KeyModifiers::ALT) && !self.is_writing() {
            self.key(KeyEvent::from(KeyCode::Esc), clock);
            let modifiers = key.modifiers - KeyModifiers::ALT;
            self.key(KeyEvent { modifiers, ..key }, clock);
            return;
        }
        let Some(name) = keys::name(key) else { return };
        if name == "Ctrl+c" {
            self.interrupt();
            return;
        }
        self.interrupted = None;
        // The screen that shows everything is too small to show an overlay, and what cannot be seen must not be obeyed.
        if !self.overlays.is_empty() {
            self.overlay_key(key, &name);
        } else if self.writing {
            self.prompt_key(key, &name);
        } else if let Some(action) = self.keymap.action(&name, self.focus) {
            self.act(action);
        }
    }

    /// Whether a text field has the keys.
    fn is_writing(&self) -> bool {
        self.overlays.last().map_or(self.writing, Overlay::has_field)
    }

    /// Text was pasted, as one piece.
    pub(super) fn paste(&mut self, text: &str, clock: u64) {
        self.tick(clock);
        match self.overlays.last_mut() {
            Some(Overlay::Play) => {
                if let Some(draft) = self.play.draft_mut() {
                    draft.paste(text);
                }
            }
            Some(overlay) => overlay.paste(text),
            None => {
                if self.writing {
                    self.prompt.paste(text);
                } else {
                    self.say(Tone::Plain, "press i to write, then paste");
                }
            }
        }
    }

    /// The mouse was clicked.
    pub(super) fn click(&mut self, at: Position, clock: u64) {
        self.tick(clock);
        if !self.overlays.is_empty() {
            return;
        }
        let layout = self.layout();
        if layout.prompt.contains(at) {
            self.writing = true;
            return;
        }
        if let Some(room) = layout.panes.iter().find(|(_, area)| area.contains(at)).map(|(room, _)| *room) {
            self.writing = false;
            self.focus_on(room);
            let inside = layout.inside(room);
            if inside.contains(at) {
                let effects = self.with_pane(room, |pane, scene| pane.click(at, scene, inside));
                self.apply(effects);
            }
        }
    }

    /// The wheel was turned over a place.
    pub(super) fn wheel(&mut self, at: Position, up: bool, clock: u64) {
        self.tick(clock);
        if !self.overlays.is_empty() {
            let code = if up { KeyCode::Up } else { KeyCode::Down };
            self.key(KeyEvent::from(code), clock);
            return;
        }
        let layout = self.layout();
        if let Some(room) = layout.panes.iter().find(|(_, area)| area.contains(at)).map(|(room, _)| *room) {
            let action = if up { Action::Up } else { Action::Down };
            let inside = layout.inside(room);
            for _ in 0..3 {
                let effects = self.with_pane(room, |pane, scene| pane.act(action, scene, inside));
                self.apply(effects);
            }
        }
    }

    /// Ctrl+C: as Esc; twice within two seconds leaves.
    fn interrupt(&mut self) {
        if self.interrupted.is_some_and(|at| self.clock.saturating_sub(at) <= TWICE) {
            self.requests.push(Request::Quit);
            return;
        }
        self.interrupted = Some(self.clock);
        if self.overlays.is_empty() && self.writing && !self.prompt.is_blank() {
            self.prompt.clear();
            self.say(Tone::Plain, "the line is cleared; Ctrl+C again leaves");
            return;
        }
        self.act(Action::Stop);
        if self.message.is_none() {
            self.say(Tone::Plain, "Ctrl+C again leaves; the session is kept");
        }
    }

    /// The network shown has the focus on a pane from here on.
    pub(super) fn focus_on(&mut self, room: Room) {
        if self.focus != room && room == Room::Edits {
            self.panes.edits.focused(self.clock);
        }
        self.focus = room;
    }

    /// Where everything is.
    pub(super) fn layout(&self) -> Layout {
        let area = Rect::new(0, 0, self.size.width, self.size.height);
        Layout::of(area, self.focus, self.zoomed, self.prompt.rows())
    }

    /// What views look at.
    pub(super) fn scene(&self, focused: bool) -> Scene<'_> {
        let now = self.live.now();
        let state = self.look.as_ref().map_or(now, |look| &look.state);
        Scene {
            state,
            now,
            timeline: self.live.timeline(),
            live: &self.live,
            network: self.live.network(state),
            first_network: self.live.first_network(),
            queue: &self.queue,
            rival: self.rival.as_ref(),
            chosen: &self.chosen,
            looking: self.look.is_some(),
            elsewhere: self.elsewhere,
            focused,
            clock: self.clock,
            code: &self.code,
            theme: self.theme(),
            glyphs: &self.glyphs,
        }
    }

    /// The theme in use.
    pub(super) fn theme(&self) -> &Theme {
        &self.likes.themes[self.likes.theme.min(self.likes.themes.len() - 1)]
    }

    /// Lets a pane do something, with the scene beside it.
    pub(super) fn with_pane(
        &mut self,
        room: Room,
        what: impl FnOnce(&mut dyn Pane, &Scene<'_>) -> Vec<Effect>,
    ) -> Vec<Effect> {
        // The panes are taken out while the scene borrows the rest.
        let mut panes = std::mem::take(&mut self.panes);
        let effects = what(panes.get_mut(room), &self.scene(true));
        self.panes = panes;
        effects
    }

    /// Asks the session for something; before there is one, what can wait for it waits.
    pub(super) fn send(&mut self, command: Command) {
        self.requests.push(Request::Send(command));
    }

    /// Whether an episode is under way.
    pub(super) fn is_under_way(&self) -> bool {
        self.live.now().phase != Phase::Idle
    }
}
