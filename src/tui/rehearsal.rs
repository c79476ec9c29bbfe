//! The interface without a terminal: events and keys in, frames out. For tests and benchmarks of other crates and of this one.

use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};

use super::app::{Interface, Likes};
use super::code::Code;
use super::keys::Keymap;
use super::theme::{Depth, Theme};
use crate::model::{Envelope, Network};

/// An interface that draws into memory.
pub struct Rehearsal {
    interface: Interface,
    shown: Buffer,
    next: Buffer,
    clock: u64,
}

impl Rehearsal {
    /// An interface over a network, before any session, at a size in columns and rows.
    #[must_use]
    pub fn new(network: Arc<Network>, width: u16, height: u16) -> Self {
        let likes = Likes {
            themes: vec![Theme::palette(Depth::Palette)],
            theme: 0,
            ascii: false,
            mouse: false,
            step: false,
            motion: true,
        };
        let mut interface = Interface::new(network, likes, Keymap::default(), Code::default());
        interface.resize(Size::new(width, height));
        let buffer = Buffer::empty(Rect::new(0, 0, width, height));
        Self { interface, shown: buffer.clone(), next: buffer, clock: 0 }
    }

    /// Takes in an event.
    pub fn event(&mut self, envelope: Arc<Envelope>) {
        self.clock = self.clock.max(envelope.at);
        self.interface.event(envelope);
    }

    /// Presses a key by its name (`Esc`, `Enter`, `Down`, or one character), half a second after the last; what it asks of the
    /// session is dropped.
    pub fn key(&mut self, name: &str) {
        let code = match name {
            "Esc" => KeyCode::Esc,
            "Enter" => KeyCode::Enter,
            "Down" => KeyCode::Down,
            "Up" => KeyCode::Up,
            "PageDown" => KeyCode::PageDown,
            "Space" => KeyCode::Char(' '),
            other => other.chars().next().map_or(KeyCode::Null, KeyCode::Char),
        };
        self.clock += 500;
        self.interface.key(KeyEvent::new(code, KeyModifiers::NONE), self.clock);
        self.interface.requests.clear();
    }

    /// Draws a frame, compares it with the last as a terminal's would be, and gives the number of cells that differ.
    pub fn frame(&mut self) -> usize {
        self.next.reset();
        self.interface.draw(&mut self.next);
        let changed = self.shown.diff(&self.next).len();
        std::mem::swap(&mut self.shown, &mut self.next);
        changed
    }

    /// The last frame as text, a line a row.
    #[must_use]
    pub fn text(&self) -> String {
        let area = self.shown.area;
        let row = |y: u16| (0..area.width).map(|x| self.shown[(x, y)].symbol()).collect::<String>();
        (0..area.height).map(row).collect::<Vec<_>>().join("\n")
    }
}
