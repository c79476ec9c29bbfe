//! A stage for tests of views: real sessions, recorded (their longest calls of tools left out), and what a pane draws of them.

pub(super) mod svg;

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr;

use super::action::Action;
use super::code::Code;
use super::live::{Live, Queue};
use super::pane::{Effect, Pane};
use super::scene::{Chosen, Glyphs, Scene};
use super::theme::{Depth, Theme};
use crate::engine::ports::Library;
use crate::model::{Network, Seq, State};
use crate::setup::App;

/// Solves an equation, mends itself, and solves it again in a second episode.
pub(super) const IMPROVED: &str = include_str!("improved.jsonl");
/// Three parts, solved side by side.
pub(super) const PARTS: &str = include_str!("parts.jsonl");

/// What a scene is made of.
pub(super) struct Stage {
    pub(super) live: Live,
    pub(super) queue: Queue,
    pub(super) chosen: Chosen,
    pub(super) code: Code,
    pub(super) theme: Theme,
    pub(super) glyphs: Glyphs,
    look: Option<State>,
}

/// The bundled symbolic network.
pub(super) fn network() -> Arc<Network> {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().to_string_lossy().into_owned();
    let app = App::new(&|name| (name == "MOP_HOME").then(|| path.clone()), home.path(), &[]).unwrap();
    app.works("symbolic").unwrap().library.network().unwrap()
}

impl Stage {
    /// Before any session.
    pub(super) fn empty() -> Self {
        Self {
            live: Live::new(network()),
            queue: Queue::default(),
            chosen: Chosen::default(),
            code: Code::default(),
            theme: Theme::palette(Depth::Palette),
            glyphs: Glyphs::FULL,
            look: None,
        }
    }

    /// A recorded session up to an event; `u64::MAX` is all of it.
    pub(super) fn of(record: &str, upto: u64) -> Self {
        let mut stage = Self::empty();
        for line in record.lines() {
            let envelope: crate::model::Envelope = serde_json::from_str(line).unwrap();
            if envelope.seq <= Seq(upto) {
                stage.live.push(Arc::new(envelope));
            }
        }
        stage.queue.refresh(stage.live.now());
        stage
    }

    /// Looks at the past.
    pub(super) fn look(&mut self, seq: Seq) {
        self.look = Some(self.live.timeline().at(seq));
    }

    /// What views see.
    pub(super) fn scene(&self) -> Scene<'_> {
        let state = self.look.as_ref().unwrap_or(self.live.now());
        Scene {
            state,
            now: self.live.now(),
            timeline: self.live.timeline(),
            live: &self.live,
            network: self.live.network(state),
            first_network: self.live.first_network(),
            queue: &self.queue,
            rival: None,
            chosen: &self.chosen,
            looking: self.look.is_some(),
            focused: true,
            clock: state_clock(&self.live),
            code: &self.code,
            theme: &self.theme,
            glyphs: &self.glyphs,
        }
    }

    /// What a pane draws, as lines of text without trailing spaces.
    pub(super) fn draw(&self, pane: &dyn Pane, width: u16, height: u16) -> String {
        let area = Rect::new(0, 0, width, height);
        let mut buf = Buffer::empty(area);
        pane.draw(&self.scene(), area, &mut buf);
        text_of(&buf)
    }

    /// What a pane does for a key, drawn at 120×40.
    pub(super) fn act(&self, pane: &mut dyn Pane, action: Action) -> Vec<Effect> {
        pane.act(action, &self.scene(), Rect::new(0, 0, 120, 40))
    }
}

fn state_clock(live: &Live) -> u64 {
    live.timeline().events().last().map_or(0, |envelope| envelope.at)
}

/// The text of a buffer, a line a row.
pub(super) fn text_of(buf: &Buffer) -> String {
    let mut text = String::new();
    for y in buf.area.top()..buf.area.bottom() {
        let mut line = String::new();
        let mut x = buf.area.left();
        while x < buf.area.right() {
            let symbol = buf[(x, y)].symbol();
            line.push_str(symbol);
            x += u16::try_from(symbol.width().max(1)).unwrap_or(1);
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
