//! Where the user reads a prompt and writes the model's reply.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::super::app::Interface;
use super::super::pane::Tone;
use super::super::request::Request;
use super::super::scene::Scene;
use super::super::theme::Role;
use super::super::{frame, paint, text};
use super::Overlay;
use super::draw::{below, boxed};

/// Rows that a page key moves the prompt.
const PAGE: isize = 8;

impl Interface {
    /// Opens it; where nothing waits, that is said.
    pub(in crate::tui) fn open_play(&mut self) {
        if self.play.waiting() == 0 {
            let text = "no prompt waits for you; with provider = \"manual\" you play the model";
            self.say(Tone::Plain, text);
        } else if !self.overlays.iter().any(|overlay| matches!(overlay, Overlay::Play)) {
            self.overlays.push(Overlay::Play);
        }
    }

    /// A key while it is open; false closes it.
    pub(super) fn play_key(&mut self, key: KeyEvent, name: &str) -> bool {
        match name {
            "Esc" => {
                if self.play.waiting() > 0 {
                    let again = self.keymap.key(super::super::action::Action::Play).to_owned();
                    self.say(Tone::Plain, format!("the prompt waits; {again} is back at it"));
                }
                return false;
            }
            "Ctrl+s" => match self.play.take() {
                Some((id, text)) => {
                    self.requests.push(Request::Reply { id, text });
                    return self.play.waiting() > 0;
                }
                None => self.say(Tone::Plain, "nothing is written yet"),
            },
            "Ctrl+y" => {
                if let Some((card, _)) = self.play.card() {
                    self.requests.push(Request::Copy(card.text.clone()));
                }
            }
            "Ctrl+n" => self.play.turn(1),
            "Ctrl+b" => self.play.turn(-1),
            "PageUp" => self.play.top = self.play.top.saturating_add_signed(-PAGE),
            "PageDown" => self.play.top = self.play.top.saturating_add_signed(PAGE),
            _ => {
                if let Some(draft) = self.play.draft_mut() {
                    draft.key(key);
                }
            }
        }
        true
    }
}

/// Draws it, and gives the place of the caret.
pub(super) fn draw(interface: &Interface, scene: &Scene<'_>, area: Rect, buf: &mut Buffer) -> Option<Position> {
    let play = &interface.play;
    let Some((card, at)) = play.card() else {
        let inside = boxed(scene, buf, frame::middle(area, 60, 3), "Play the model", "Esc closes");
        paint::text(buf, inside, 0, "no prompt waits any more", scene.style(Role::Quiet));
        return None;
    };
    let program = scene.network.programs.values().find(|program| program.hash == card.program);
    let name = program.map_or("a program", |program| program.name.as_str());
    let queue = if play.waiting() > 1 { format!(" · {at} of {}", play.waiting()) } else { String::new() };
    let title = format!("Play the model: {}{queue}", text::clean(name));
    let place = frame::middle(area, area.width.saturating_sub(2).min(130), area.height.saturating_sub(2));
    let inside = boxed(scene, buf, place, &title, "Ctrl+S sends · Esc leaves it waiting");
    let editor = (inside.height / 3).clamp(3.min(inside.height), 14);
    let prompt = Rect { height: inside.height.saturating_sub(editor + 2), ..inside };
    draw_prompt(scene, prompt, buf, &card.text, play.top);
    let keys = match play.waiting() {
        1 => "your reply · PgUp PgDn scroll the prompt · Ctrl+Y copies it",
        _ => "your reply · PgUp PgDn scroll · Ctrl+Y copies · Ctrl+N Ctrl+B others",
    };
    let lower = below(inside, prompt.height);
    paint::rule(scene, buf, Rect { height: lower.height.min(1), ..lower }, 0, keys);
    let field = below(lower, 1);
    match play.draft() {
        Some(draft) => draft.draw(field, buf, scene.style(Role::Text)),
        None => (!field.is_empty()).then(|| Position::new(field.x, field.y)),
    }
}

fn draw_prompt(scene: &Scene<'_>, area: Rect, buf: &mut Buffer, prompt: &str, top: usize) {
    let columns = usize::from(area.width.saturating_sub(1));
    let mut rows: Vec<(Role, String)> = Vec::new();
    for line in prompt.lines() {
        let role = if line.starts_with("# ") { Role::Accent } else { Role::Text };
        rows.extend(text::wrap(&text::clean(line), columns).into_iter().map(|row| (role, row)));
    }
    let height = usize::from(area.height);
    let top = top.min(rows.len().saturating_sub(height));
    let shown = top..(top + height).min(rows.len());
    for (at, (role, words)) in rows.get(shown.clone()).unwrap_or_default().iter().enumerate() {
        paint::text(buf, area, u16::try_from(at).unwrap_or(u16::MAX), words, scene.style(*role));
    }
    paint::scroll_mark(scene, buf, area, &shown, rows.len());
}
