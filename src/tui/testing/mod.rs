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
use crate::model::{Contribution, ContributionId, Envelope, Event, Network, Seq, State};
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
            elsewhere: false,
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

    /// Lets the next entry say what no terminal should obey, about an earlier one, and lets a program fail with it.
    pub(super) fn hostile(&mut self, about: ContributionId) {
        let mut text =
            "\x1b[2J\x1b]0;gone\x07 a\u{202e}b 👨‍👩‍👧 👍🏽 漢字かな e\u{301}\u{301}\u{301}\n| 漢 | b |\n|-|-|\n| 1 | 👩 |\n"
                .to_owned();
        text.push_str(&"long ".repeat(20_000));
        let (seq, at) = self.live.timeline().events().last().map_or((0, 0), |last| (last.seq.0, last.at));
        let old = self.live.now().memory.iter().next_back().cloned();
        let program = crate::model::ProgramName::new("\x1b[31mred\u{202e}");
        let entry = old.map(|old| Contribution {
            id: self.live.now().memory.next_id(),
            author: crate::model::Author::Program(program.clone()),
            section: crate::model::Section::new("漢\x1b字"),
            data: serde_json::json!({ "text": text, "more": vec![text.clone(); 3] }),
            text: text.clone(),
            about: Some(about),
            ..(*old).clone()
        });
        let contributed = entry.map(|entry| Event::Contributed { contribution: Arc::new(entry) });
        let activation = self.live.now().next_activation;
        let call = crate::model::CallRecord {
            tool: text.clone(),
            args: serde_json::json!([text, { "a": text }]),
            result: Err(text.clone()),
            micros: 0,
        };
        let others = [
            Event::ToolReturned { activation, call: Arc::new(call) },
            Event::Failed { activation, program: program.clone(), error: text.clone() },
            Event::Said { text: text.clone() },
            Event::Noted { cycle: self.live.now().cycle(), text: text.clone() },
            Event::Asked { id: 1, program, text },
        ];
        for (event, seq) in contributed.into_iter().chain(others).zip(seq + 1..) {
            self.live.push(Arc::new(Envelope { v: 1, seq: crate::model::Seq(seq), at, cause: None, event }));
        }
    }

    /// Draws a pane inside a border at every size, and looks whether the border is whole and nothing foreign got through.
    pub(super) fn every_size(&self, pane: &dyn Pane) {
        self.sizes(pane, |_, _| true);
    }

    /// The same at every small size and some of the others, for one more variation of a pane.
    pub(super) fn some_sizes(&self, pane: &dyn Pane) {
        self.sizes(pane, |width, height| width < 6 || height < 4 || (width + 7 * height) % 13 == 0);
    }

    fn sizes(&self, pane: &dyn Pane, wanted: impl Fn(u16, u16) -> bool) {
        let scene = self.scene();
        for width in 0..=60u16 {
            for height in (0..=30u16).filter(|height| wanted(width, *height)) {
                let whole = Rect::new(0, 0, width + 2, height + 2);
                let mut buf = Buffer::empty(whole);
                for y in 0..whole.height {
                    buf[(0, y)].set_symbol("|");
                    buf[(width + 1, y)].set_symbol("|");
                }
                pane.draw(&scene, Rect::new(1, 1, width, height), &mut buf);
                pane.heading(&scene);
                for y in 0..whole.height {
                    let ends = (buf[(0, y)].symbol(), buf[(width + 1, y)].symbol());
                    assert_eq!(ends, ("|", "|"), "row {y} of {width}×{height}\n{}", text_of(&buf));
                    for x in 1..=width {
                        let symbol = buf[(x, y)].symbol();
                        let bad = |c: char| c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c);
                        assert!(!symbol.chars().any(bad), "{symbol:?} in {width}×{height}");
                        let outside = y == 0 || y == height + 1;
                        assert!(!outside || symbol == " ", "row {y} of {width}×{height} is another's");
                    }
                    // A wide sign in the last column would cover the border.
                    assert!(width == 0 || buf[(width, y)].symbol().width() < 2, "row {y} of {width}×{height}");
                }
            }
        }
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
