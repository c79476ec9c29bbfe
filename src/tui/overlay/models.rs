//! Which model serves which tier: what was found, what is missing and why.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::super::action::Action;
use super::super::app::Interface;
use super::super::field::Field;
use super::super::pane::{Purpose, Tone};
use super::super::request::Request;
use super::super::scene::Scene;
use super::super::servers::{Row, TIERS, Typed};
use super::super::theme::Role;
use super::super::{frame, paint, text};
use super::draw::{below, boxed};
use super::{Overlay, move_to};

/// A key that is being typed: never drawn, never printed.
pub(in crate::tui) struct Hidden(pub(super) Field);

impl std::fmt::Debug for Hidden {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("[key]")
    }
}

impl Interface {
    /// Opens the list; the first time it is looked for servers.
    pub(in crate::tui) fn open_models(&mut self) {
        if self.servers.is_unknown() {
            self.look_for_models();
        }
        self.overlays.push(Overlay::Models { selected: 0 });
    }

    fn look_for_models(&mut self) {
        self.servers.looking = true;
        self.requests.push(Request::LookForModels);
    }

    /// Takes the server that was offered for all tiers.
    pub(in crate::tui) fn use_found(&mut self) {
        match self.servers.offer() {
            Some((server, model)) => {
                self.requests.push(Request::UseModel { server, model, tiers: TIERS.to_vec() });
            }
            None => self.act(Action::Models),
        }
    }

    pub(super) fn models_key(&mut self, selected: &mut usize, name: &str) -> bool {
        let rows = self.servers.rows();
        *selected = (*selected).min(rows.len().saturating_sub(1));
        let row = rows.get(*selected);
        match name {
            "Esc" | "q" | "F2" => return false,
            "Down" | "j" => return move_to(selected, 1, rows.len()),
            "Up" | "k" => return move_to(selected, -1, rows.len()),
            "PageDown" => return move_to(selected, 8, rows.len()),
            "PageUp" => return move_to(selected, -8, rows.len()),
            "Enter" | "1" | "2" | "3" => {
                let tiers = match name {
                    "1" => vec![TIERS[0]],
                    "2" => vec![TIERS[1]],
                    "3" => vec![TIERS[2]],
                    _ => TIERS.to_vec(),
                };
                match row {
                    Some(Row::Model { server, model }) => {
                        let (server, model) = (*server, model.clone());
                        self.requests.push(Request::UseModel { server, model, tiers });
                    }
                    Some(Row::Keyless { .. }) => self.ask_key(row),
                    Some(Row::Silent { .. }) => {
                        self.say(Tone::Plain, "it did not answer, so no model of it can be chosen")
                    }
                    None => {}
                }
            }
            "a" => self.ask_key(row),
            "u" => {
                self.overlays.push(Overlay::ask(Purpose::Server, "address of an OpenAI-compatible server", "http://"))
            }
            "r" => self.look_for_models(),
            _ => {}
        }
        true
    }

    fn ask_key(&mut self, row: Option<&Row>) {
        match row.and_then(|row| self.servers.key_of(row)) {
            Some((vendor, key)) => {
                self.overlays.push(Overlay::Secret { vendor, key, field: Hidden(Field::line("")) });
            }
            None => self.say(Tone::Plain, "this server has no usual key; give it one by `key` in config.toml"),
        }
    }

    /// A key was typed to its end.
    pub(super) fn keep_key(&mut self, vendor: &str, key: &'static str, typed: String) {
        if typed.trim().is_empty() {
            self.say(Tone::Plain, "no key was typed; nothing changed");
            return;
        }
        self.requests.push(Request::KeepKey { vendor: vendor.to_owned(), name: key, key: Typed(typed) });
    }

    /// An address was given.
    pub(in crate::tui) fn server_given(&mut self, typed: &str) {
        let url = typed.trim().trim_end_matches('/');
        let rest = url.strip_prefix("http://").or_else(|| url.strip_prefix("https://"));
        if rest.is_none_or(|rest| rest.is_empty() || rest.contains(char::is_whitespace)) {
            self.say(Tone::Bad, "an address starts with http:// or https://, such as http://127.0.0.1:8081/v1");
            self.overlays.push(Overlay::ask(Purpose::Server, "address of an OpenAI-compatible server", typed));
            return;
        }
        if !self.servers.given.iter().any(|given| given == url) {
            self.servers.given.push(url.to_owned());
        }
        self.look_for_models();
    }
}

/// Draws the list.
pub(super) fn draw(interface: &Interface, scene: &Scene<'_>, area: Rect, buf: &mut Buffer, selected: usize) {
    let servers = &interface.servers;
    let rows = servers.rows();
    let height = area.height.saturating_sub(2).min(30);
    let hint = if servers.looking { "looking for servers…" } else { "Esc closes" };
    let inside = boxed(scene, buf, frame::middle(area, 100, height), "Models", hint);
    for (at, tier) in TIERS.iter().enumerate() {
        let set = servers.tiers.iter().find(|(name, _)| name == tier);
        let (role, model) = set.map_or((Role::Quiet, "–"), |(_, model)| (Role::Strong, model.as_str()));
        let spans =
            vec![scene.span(Role::Text, text::pad(tier, 10)), scene.span(role, text::clean(model).into_owned())];
        paint::line(buf, inside, u16::try_from(at).unwrap_or(u16::MAX), Line::from(spans));
    }
    if let Some(over) = &servers.over {
        paint::text(buf, inside, 3, &text::clean(over), scene.style(Role::Unsure));
    }
    let list = below(inside, 5);
    let list = Rect { height: list.height.saturating_sub(3), ..list };
    if rows.is_empty() {
        let words = servers.failed.as_deref().unwrap_or("nothing was found yet");
        paint::text(buf, list, 0, &text::clean(words), scene.style(Role::Quiet));
    }
    let selected = selected.min(rows.len().saturating_sub(1));
    let shown = paint::window(rows.len(), selected, 0, list.height);
    for (at, index) in shown.clone().enumerate() {
        let Some(row) = rows.get(index) else { continue };
        let at = u16::try_from(at).unwrap_or(u16::MAX);
        paint::line(buf, list, at, Line::from(row_spans(interface, scene, row)));
        if index == selected {
            paint::band(buf, list, at, scene.style(Role::Selected));
        }
    }
    paint::scroll_mark(scene, buf, list, &shown, rows.len());
    // What became of the last key would be hidden behind the list.
    if let Some(message) = &interface.message {
        let role = if message.tone == Tone::Bad { Role::Bad } else { Role::Accent };
        paint::text(buf, inside, inside.height.saturating_sub(2), &text::clean(&message.text), scene.style(role));
    }
    let keys = [
        ("Enter", "all tiers"),
        ("1", "fast"),
        ("2", "standard"),
        ("3", "strong"),
        ("a", "key"),
        ("u", "address"),
        ("r", "again"),
    ];
    let mut spans: Vec<Span<'static>> = Vec::new();
    for (key, says) in keys {
        spans.extend([scene.span(Role::Key, key), scene.span(Role::Quiet, format!(" {says}  "))]);
    }
    paint::line(buf, inside, inside.height.saturating_sub(1), paint::cut(spans, usize::from(inside.width)));
}

fn row_spans(interface: &Interface, scene: &Scene<'_>, row: &Row) -> Vec<Span<'static>> {
    let server = |at: usize| interface.servers.get(at);
    match row {
        Row::Model { server: at, model } => {
            let name = server(*at).map_or("", |it| it.endpoint.name.as_str());
            let url = server(*at).map_or("", |it| it.endpoint.url.as_str());
            vec![
                scene.span(Role::Good, scene.glyphs.done),
                scene.span(Role::Text, format!(" {}", text::pad(&text::clean(name), 18))),
                scene.span(Role::Strong, text::pad(&text::clean(model), 34)),
                scene.span(Role::Quiet, format!(" {}", text::clean(url))),
            ]
        }
        Row::Silent { server: at } => {
            let Some(it) = server(*at) else { return Vec::new() };
            let why = match &it.models {
                Ok(_) => "answers and has no model".to_owned(),
                Err(silent) => silent.why.clone(),
            };
            let role = if it.named { Role::Bad } else { Role::Quiet };
            vec![
                scene.span(role, if it.named { scene.glyphs.objection } else { scene.glyphs.dot }),
                scene.span(Role::Quiet, format!(" {}", text::pad(&text::clean(&it.endpoint.name), 18))),
                scene.span(Role::Quiet, text::clean(&why).into_owned()),
            ]
        }
        Row::Keyless { vendor, key } => vec![
            scene.span(Role::Quiet, scene.glyphs.dot),
            scene.span(Role::Quiet, format!(" {}", text::pad(vendor, 18))),
            scene.span(Role::Quiet, format!("{key} is not set: Enter types one")),
        ],
    }
}

/// Draws the field of a key: how long it is, and nothing of it.
pub(super) fn draw_secret(
    scene: &Scene<'_>,
    area: Rect,
    buf: &mut Buffer,
    (vendor, key, field): (&str, &str, &Hidden),
) -> Option<Position> {
    let title = format!("{key} of {vendor}");
    let inside = boxed(scene, buf, frame::middle(area, 76, 5), &title, "Enter keeps it · Esc drops it");
    let count = field.0.text().chars().count();
    let stars = "*".repeat(count.min(usize::from(inside.width.saturating_sub(1))));
    paint::text(buf, inside, 0, &stars, scene.style(Role::Text));
    let says = "type or paste it: it goes to secrets.toml, which only you can read";
    paint::text(buf, inside, 2, says, scene.style(Role::Quiet));
    let at = u16::try_from(stars.len()).unwrap_or(u16::MAX).min(inside.width.saturating_sub(1));
    (!inside.is_empty()).then(|| Position::new(inside.x + at, inside.y))
}
