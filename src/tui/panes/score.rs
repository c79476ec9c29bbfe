//! Placeholder of the pane.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::tui::action::Action;
use crate::tui::pane::{Effect, Heading, Pane};
use crate::tui::scene::Scene;

/// The pane.
#[derive(Clone, Debug, Default)]
pub(in crate::tui) struct Score {}

impl Score {
    /// J in short.
    pub(in crate::tui) fn strip(_scene: &Scene<'_>, _area: Rect, _buf: &mut Buffer) {}
}

impl Pane for Score {
    fn heading(&self, _scene: &Scene<'_>) -> Heading {
        Heading::default()
    }

    fn draw(&self, _scene: &Scene<'_>, _area: Rect, _buf: &mut Buffer) {}

    fn act(&mut self, _action: Action, _scene: &Scene<'_>, _area: Rect) -> Vec<Effect> {
        Vec::new()
    }
}
