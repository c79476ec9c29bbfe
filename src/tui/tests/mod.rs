//! The interface as a whole, driven by keys and recorded sessions, without a terminal.

mod deciding;
mod hostile;
mod models;
mod pictures;
mod sizes;
mod travel;
mod typing;

use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};

use super::app::{Interface, Likes};
use super::code::Code;
use super::keys::Keymap;
use super::request::Request;
use super::testing::{network, text_of};
use super::theme::{Depth, Theme};
use crate::model::{Command, Envelope, Seq};

/// Somebody at the keyboard.
pub(super) struct Somebody {
    pub(super) interface: Interface,
    pub(super) clock: u64,
    pub(super) asked_for: Vec<Request>,
}

impl Somebody {
    /// Before any session.
    pub(super) fn new() -> Self {
        let likes = Likes {
            themes: vec![
                Theme::palette(Depth::Palette),
                Theme::read(include_str!("../../../themes/dusk.toml"), Depth::True).unwrap(),
                Theme::read(include_str!("../../../themes/paper.toml"), Depth::True).unwrap(),
            ],
            theme: 0,
            ascii: false,
            mouse: false,
            step: false,
            motion: true,
        };
        let mut interface = Interface::new(network(), likes, Keymap::default(), Code::immediate());
        interface.resize(Size::new(120, 40));
        Self { interface, clock: 1_000_000, asked_for: Vec::new() }
    }

    /// In a recorded session, after its events up to one.
    pub(super) fn in_session(record: &str, upto: u64) -> Self {
        let mut somebody = Self::new();
        for envelope in events(record).into_iter().filter(|envelope| envelope.seq <= Seq(upto)) {
            somebody.clock = somebody.clock.max(envelope.at);
            somebody.interface.event(envelope);
        }
        somebody.interface.writing = false;
        somebody.interface.message = None;
        somebody.clock += 10_000;
        somebody.interface.tick(somebody.clock);
        somebody
    }

    /// Presses keys: `"c"`, `"Space"`, `"F10"`, or any other text a character a key.
    pub(super) fn keys(&mut self, names: &[&str]) -> &mut Self {
        for name in names {
            let code = match *name {
                "Enter" => KeyCode::Enter,
                "Esc" => KeyCode::Esc,
                "Space" => KeyCode::Char(' '),
                "Tab" => KeyCode::Tab,
                "Up" => KeyCode::Up,
                "Down" => KeyCode::Down,
                "End" => KeyCode::End,
                "F10" => KeyCode::F(10),
                "Ctrl+c" | "Ctrl+p" | "Ctrl+s" | "Ctrl+n" | "Ctrl+t" => {
                    let letter = name.chars().last().unwrap();
                    self.press(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL));
                    continue;
                }
                text => {
                    for c in text.chars() {
                        self.press(KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE));
                    }
                    continue;
                }
            };
            self.press(KeyEvent::new(code, KeyModifiers::NONE));
        }
        self
    }

    /// Presses one key, half a second after the last.
    pub(super) fn press(&mut self, key: KeyEvent) {
        self.clock += 500;
        self.interface.key(key, self.clock);
        self.asked_for.extend(self.interface.take_requests());
    }

    /// Commands that the session would have got.
    pub(super) fn commands(&self) -> Vec<Command> {
        let command = |request: &Request| match request {
            Request::Send(command) => Some(command.clone()),
            Request::Begin { .. }
            | Request::Open(_)
            | Request::TakeUp
            | Request::Fork { .. }
            | Request::Leave
            | Request::List
            | Request::LookForModels
            | Request::UseModel { .. }
            | Request::KeepKey { .. }
            | Request::Reply { .. }
            | Request::Copy(_)
            | Request::Mouse(_)
            | Request::Suspend
            | Request::Redraw
            | Request::Quit
            | Request::Attach(_) => None,
        };
        self.asked_for.iter().filter_map(command).collect()
    }

    /// The screen at a size.
    pub(super) fn buffer(&mut self, width: u16, height: u16) -> Buffer {
        self.interface.resize(Size::new(width, height));
        let mut buf = Buffer::empty(Rect::new(0, 0, width, height));
        self.interface.draw(&mut buf);
        buf
    }

    /// The screen at a size, as text.
    pub(super) fn screen(&mut self, width: u16, height: u16) -> String {
        text_of(&self.buffer(width, height))
    }
}

/// The events of a record.
pub(super) fn events(record: &str) -> Vec<Arc<Envelope>> {
    record.lines().map(|line| Arc::new(serde_json::from_str(line).unwrap())).collect()
}
