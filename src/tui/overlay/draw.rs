//! Draws what lies on top.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::super::action::{Entry, Place};
use super::super::app::Interface;
use super::super::pane::{Heading, Purpose};
use super::super::scene::Scene;
use super::super::theme::Role;
use super::super::{frame, layout, paint, text};
use super::{Overlay, SETTINGS, found, help_entries, models, palette, play};
use crate::model::BREAKPOINT_FORMS;

/// Draws an overlay over the whole screen, and gives the place of the caret where it has one.
pub(in crate::tui) fn draw(
    interface: &Interface,
    overlay: &Overlay,
    scene: &Scene<'_>,
    area: Rect,
    buf: &mut Buffer,
) -> Option<Position> {
    match overlay {
        Overlay::Help { search, top } => {
            let entries = help_entries(interface.focus, &search.text());
            let title = format!("Help · {}", interface.focus.title());
            let inside = boxed(
                scene,
                buf,
                frame::middle(area, 92, area.height.saturating_sub(2)),
                &title,
                "type to search · Esc closes",
            );
            let caret = searched(scene, buf, inside, search, "search ");
            let rest = below(inside, 2);
            let lines = help_lines(interface, &entries);
            let shown =
                paint::window(lines.len(), *top + usize::from(rest.height).saturating_sub(1), *top, rest.height);
            for (row, line) in lines.get(shown.clone()).unwrap_or_default().iter().enumerate() {
                paint::line(buf, rest, u16::try_from(row).unwrap_or(u16::MAX), line.clone());
            }
            paint::scroll_mark(scene, buf, rest, &shown, lines.len());
            caret
        }
        Overlay::Palette { search, selected } => {
            let entries = palette::matches(&search.text());
            let height = area.height.saturating_sub(4).min(22);
            let inside = boxed(scene, buf, frame::middle(area, 84, height), "Commands", "Enter does it · Esc closes");
            let caret = searched(scene, buf, inside, search, "> ");
            let rest = below(inside, 2);
            if entries.is_empty() {
                paint::text(buf, rest, 0, "no action is called so", scene.style(Role::Quiet));
            }
            let selected = (*selected).min(entries.len().saturating_sub(1));
            let shown = paint::window(entries.len(), selected, 0, rest.height);
            for (row, index) in shown.clone().enumerate() {
                let Some(entry) = entries.get(index) else { continue };
                let row = u16::try_from(row).unwrap_or(u16::MAX);
                paint::line(buf, rest, row, entry_line(interface, scene, entry));
                if index == selected {
                    paint::band(buf, rest, row, scene.style(Role::Selected));
                }
            }
            paint::scroll_mark(scene, buf, rest, &shown, entries.len());
            caret
        }
        Overlay::Breaks { selected } => {
            breaks(interface, scene, area, buf, *selected);
            None
        }
        Overlay::Ask { purpose, title, field } => {
            let forms = if *purpose == Purpose::Break { BREAKPOINT_FORMS.len() + 1 } else { 0 };
            let height = u16::try_from(forms).unwrap_or(0) + 4;
            let inside = boxed(
                scene,
                buf,
                frame::middle(area, 76, height),
                &text::clean(title),
                "Enter takes it · Esc drops it",
            );
            let caret = field.draw(Rect { height: inside.height.min(1), ..inside }, buf, scene.style(Role::Text));
            if *purpose == Purpose::Break {
                let rest = below(inside, 2);
                for (row, (form, says)) in BREAKPOINT_FORMS.iter().enumerate() {
                    let spans = vec![scene.span(Role::Key, text::pad(form, 18)), scene.span(Role::Quiet, *says)];
                    paint::line(buf, rest, u16::try_from(row).unwrap_or(u16::MAX), Line::from(spans));
                }
            }
            caret
        }
        Overlay::Edit { title, field, leaving, .. } => {
            let place = frame::middle(
                area,
                area.width.saturating_sub(4).min(130),
                u16::try_from(field.rows()).unwrap_or(u16::MAX).saturating_add(6).min(area.height.saturating_sub(2)),
            );
            let hint = if *leaving { "Esc again drops your changes" } else { "Ctrl+S takes it · Esc leaves" };
            let inside = boxed(scene, buf, place, &text::clean(title), hint);
            field.draw(inside, buf, scene.style(Role::Text))
        }
        Overlay::Settings { selected } => {
            settings(interface, scene, area, buf, *selected);
            None
        }
        Overlay::Models { selected } => {
            models::draw(interface, scene, area, buf, *selected);
            None
        }
        Overlay::Secret { vendor, key, field } => models::draw_secret(scene, area, buf, (vendor, key, field)),
        Overlay::Play => play::draw(interface, scene, area, buf),
        Overlay::Sessions { list, search, selected } => {
            let rows = found(list, search);
            let height = area.height.saturating_sub(4).min(24);
            let inside = boxed(scene, buf, frame::middle(area, 100, height), "Sessions", "Enter opens · Esc closes");
            let caret = searched(scene, buf, inside, search, "search ");
            let rest = below(inside, 2);
            if rows.is_empty() {
                let words = if list.is_empty() { "there is no session yet" } else { "no session holds these words" };
                paint::text(buf, rest, 0, words, scene.style(Role::Quiet));
            }
            let selected = (*selected).min(rows.len().saturating_sub(1));
            let shown = paint::window(rows.len(), selected, 0, rest.height);
            for (row, index) in shown.clone().enumerate() {
                let Some(session) = rows.get(index) else { continue };
                let row = u16::try_from(row).unwrap_or(u16::MAX);
                let j = session.j.map_or("     ".to_owned(), |j| format!("J {j:.2}"));
                let spans = vec![
                    scene.span(Role::Quiet, text::pad(session.id.as_str(), 23)),
                    scene.span(Role::Strong, text::pad(&j, 8)),
                    scene.span(Role::Quiet, text::pad(&text::clean(&session.standing), 22)),
                    scene.span(Role::Text, text::clean(&session.query).into_owned()),
                ];
                paint::line(buf, rest, row, Line::from(spans));
                if index == selected {
                    paint::band(buf, rest, row, scene.style(Role::Selected));
                }
            }
            paint::scroll_mark(scene, buf, rest, &shown, rows.len());
            caret
        }
        Overlay::Quit => {
            let inside =
                boxed(scene, buf, frame::middle(area, 62, 5), "Leave while a question is being worked on?", "");
            paint::text(
                buf,
                inside,
                0,
                "The run stops at the last whole step; mop resume goes on.",
                scene.style(Role::Text),
            );
            let keys = vec![
                scene.span(Role::Key, "y"),
                scene.span(Role::Text, " leave   "),
                scene.span(Role::Key, "n"),
                scene.span(Role::Text, " stay"),
            ];
            paint::line(buf, inside, 2, Line::from(keys));
            None
        }
    }
}

/// Clears a place, draws a border with a title, and gives what is inside.
pub(super) fn boxed(scene: &Scene<'_>, buf: &mut Buffer, place: Rect, title: &str, hint: &str) -> Rect {
    frame::clear(scene, buf, place);
    let heading = Heading { left: String::new(), right: hint.to_owned() };
    frame::border(scene, buf, place, true, title, &heading);
    let inside = layout::inside(place);
    Rect { x: inside.x + 1.min(inside.width), width: inside.width.saturating_sub(2), ..inside }
}

pub(super) fn below(area: Rect, rows: u16) -> Rect {
    let rows = rows.min(area.height);
    Rect { y: area.y + rows, height: area.height - rows, ..area }
}

fn searched(
    scene: &Scene<'_>,
    buf: &mut Buffer,
    area: Rect,
    field: &super::super::field::Field,
    label: &str,
) -> Option<Position> {
    if area.is_empty() {
        return None;
    }
    paint::text(buf, area, 0, label, scene.style(Role::Key));
    let skip = u16::try_from(text::width(label)).unwrap_or(0).min(area.width);
    let place = Rect { x: area.x + skip, width: area.width - skip, height: 1, ..area };
    field.draw(place, buf, scene.style(Role::Text))
}

fn entry_line(interface: &Interface, scene: &Scene<'_>, entry: &Entry) -> Line<'static> {
    Line::from(vec![
        scene.span(Role::Key, text::pad(&interface.keymap.keys(entry.action), 14)),
        scene.span(Role::Text, entry.says),
        scene.span(
            Role::Quiet,
            match entry.place {
                Place::Pane(room) => format!("  ({})", room.title()),
                Place::Run | Place::Anywhere => String::new(),
            },
        ),
    ])
}

fn help_lines(interface: &Interface, entries: &[&Entry]) -> Vec<Line<'static>> {
    let scene = interface.scene(true);
    let mut lines = Vec::new();
    let mut last = None;
    for entry in entries {
        if last != Some(entry.place) {
            let title = match entry.place {
                Place::Pane(room) => format!("in this pane: {}", room.title()),
                Place::Run => "stepping, running, looking back".to_owned(),
                Place::Anywhere => "everywhere".to_owned(),
            };
            if last.is_some() {
                lines.push(Line::default());
            }
            lines.push(Line::from(scene.span(Role::Accent, title)));
            last = Some(entry.place);
        }
        let line = vec![
            Span::raw("  "),
            scene.span(Role::Key, text::pad(&interface.keymap.keys(entry.action), 14)),
            scene.span(Role::Text, entry.says),
        ];
        lines.push(Line::from(line));
    }
    if lines.is_empty() {
        lines.push(Line::from(scene.span(Role::Quiet, "nothing here is called so")));
    }
    lines
}

fn breaks(interface: &Interface, scene: &Scene<'_>, area: Rect, buf: &mut Buffer, selected: usize) {
    let stop = |breakpoint: &crate::model::Breakpoint| (Role::Bad, scene.glyphs.stop, "stop  ", breakpoint.to_string());
    let watch = |watch: &crate::model::Watch| {
        (Role::Unsure, scene.glyphs.waits, "watch ", watch.expression.source().to_owned())
    };
    let mut all: Vec<_> = interface.breakpoints().iter().map(stop).collect();
    all.extend(scene.now.watches.iter().map(watch));
    let height = u16::try_from(all.len().max(1)).unwrap_or(10).min(14) + 5;
    let title = "Where a run stops by itself, and what is watched";
    let inside = boxed(scene, buf, frame::middle(area, 78, height), title, "Esc closes");
    if all.is_empty() {
        paint::text(buf, inside, 0, "no stop is set, nothing is watched", scene.style(Role::Quiet));
    }
    let list = Rect { height: inside.height.saturating_sub(2), ..inside };
    let selected = selected.min(all.len().saturating_sub(1));
    for (row, index) in paint::window(all.len(), selected, 0, list.height).enumerate() {
        let Some((role, sign, what, words)) = all.get(index) else { continue };
        let row = u16::try_from(row).unwrap_or(u16::MAX);
        let line = vec![
            scene.span(*role, *sign),
            Span::raw(" "),
            scene.span(Role::Quiet, *what),
            scene.span(Role::Text, text::clean(words).into_owned()),
        ];
        paint::line(buf, list, row, Line::from(line));
        if index == selected {
            paint::band(buf, list, row, scene.style(Role::Selected));
        }
    }
    let keys = [("a", "add a stop"), ("d", "stop when J falls"), ("w", "watch"), ("x", "remove"), ("Esc", "close")];
    let mut spans = Vec::new();
    for (key, says) in keys {
        spans.extend([scene.span(Role::Key, key), scene.span(Role::Text, format!(" {says}   "))]);
    }
    paint::line(buf, inside, inside.height.saturating_sub(1), Line::from(spans));
}

fn settings(interface: &Interface, scene: &Scene<'_>, area: Rect, buf: &mut Buffer, selected: usize) {
    let inside = boxed(scene, buf, frame::middle(area, 92, 10), "Settings", "Space changes · Esc closes");
    let likes = &interface.likes;
    let yes = |on: bool| if on { "on" } else { "off" };
    let values = [
        interface.theme().name.as_str(),
        yes(likes.step),
        yes(likes.motion),
        yes(likes.mouse),
        if likes.ascii { "ASCII" } else { "box drawing" },
        if interface.servers.configured { "configured" } else { "none" },
    ];
    for (row, ((name, says), value)) in SETTINGS.iter().zip(values).enumerate() {
        let at = u16::try_from(row).unwrap_or(u16::MAX);
        let spans = vec![
            scene.span(Role::Text, text::pad(name, 11)),
            scene.span(Role::Strong, text::pad(&text::clean(value), 13)),
            scene.span(Role::Quiet, *says),
        ];
        paint::line(buf, inside, at, Line::from(spans));
        if row == selected {
            paint::band(buf, inside, at, scene.style(Role::Selected));
        }
    }
    let hint = "these hold until you leave; lines such as step = \"on\" in config.toml keep them";
    paint::text(buf, inside, 7, hint, scene.style(Role::Quiet));
}
