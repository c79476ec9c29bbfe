//! The list of entries.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::model::{Contribution, ContributionId};
use crate::tui::brief;
use crate::tui::index::episode_of;
use crate::tui::page::fitted;
use crate::tui::paint;
use crate::tui::scene::Scene;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::words::{self, Standing, standing};

use super::detail::author;
use super::rows::{Row, Rows};

/// Widths of the columns; 0 leaves one out.
struct Columns {
    id: usize,
    section: usize,
    author: usize,
    cycle: usize,
    delta: usize,
}

impl Columns {
    fn of(width: usize, next: ContributionId) -> Self {
        let id = next.0.saturating_sub(1).to_string().len().max(2);
        let (section, author, cycle, delta) = match width {
            0..34 => (8, 0, 0, 0),
            34..48 => (10, 9, 0, 0),
            48..64 => (10, 10, 3, 4),
            64..84 => (14, 12, 5, 5),
            _ => (14, 16, 5, 5),
        };
        Self { id, section, author, cycle, delta }
    }
}

/// Whether there is room for the names of the columns.
pub(super) fn has_names(area: Rect) -> bool {
    area.height >= 5 && area.width >= 34
}

/// Where entries are drawn inside the area of the list.
pub(super) fn body(area: Rect) -> Rect {
    let names = u16::from(has_names(area));
    Rect { y: area.y + names, height: area.height - names, ..area }
}

/// Draws the rows that are shown; `shown` fits into [`body`].
pub(super) fn draw(
    scene: &Scene<'_>,
    area: Rect,
    buf: &mut Buffer,
    rows: &Rows<'_>,
    shown: &Range<usize>,
    selected: Option<ContributionId>,
) {
    let width = usize::from(area.width);
    let columns = Columns::of(width, scene.state.memory.next_id());
    if has_names(area) {
        paint::text(buf, area, 0, &names(scene, &columns), scene.style(Role::Quiet));
    }
    let body = body(area);
    let width = width - usize::from(rows.len() > shown.len() && body.height > 1 && area.width >= 4);
    for (line, row) in (0..body.height).zip(shown.clone()) {
        match rows.at(row) {
            Some(Row::Rule(episode)) => paint::rule(scene, buf, body, line, &format!("episode {episode}")),
            Some(Row::Entry(id)) => {
                let Some(entry) = scene.state.memory.get(id) else { continue };
                let chosen = selected == Some(id);
                let pieces = pieces(scene, entry, &columns, chosen);
                paint::line(buf, body, line, fitted(pieces, width, |role| scene.style(role)));
                if chosen {
                    paint::band(buf, body, line, scene.style(Role::Selected));
                }
            }
            None => {}
        }
    }
    paint::scroll_mark(scene, buf, body, shown, rows.len());
}

fn names(scene: &Scene<'_>, columns: &Columns) -> String {
    let mut line = format!("  {:>wide$}  {}", "id", text::pad("section", columns.section), wide = columns.id);
    if columns.author > 0 {
        line.push_str(&format!("  {}", text::pad("author", columns.author)));
    }
    if columns.cycle > 0 {
        line.push_str(&format!("  {:>wide$}", if columns.cycle < 5 { "cyc" } else { "cycle" }, wide = columns.cycle));
    }
    if columns.delta > 0 {
        let delta = words::delta(scene);
        line.push_str(&format!("  {}{delta}", " ".repeat(columns.delta.saturating_sub(text::width(delta)))));
    }
    line.push_str("  text");
    line
}

fn pieces(scene: &Scene<'_>, entry: &Contribution, columns: &Columns, chosen: bool) -> Vec<(Role, String)> {
    let standing = standing(scene.state, entry);
    let episodes = scene.live.index().episodes(scene.state.seq);
    let episode = episode_of(episodes, entry.id);
    let earlier = episodes.last().is_some_and(|last| last.episode != episode);
    let (sign, note) = match standing {
        Standing::Stands | Standing::Retired => (" ", String::new()),
        Standing::Replaced(_) if columns.cycle < 5 => ("~", "(replaced) ".to_owned()),
        Standing::Withdrawn(_) if columns.cycle < 5 => ("-", "(withdrawn) ".to_owned()),
        Standing::Replaced(by) => ("~", format!("(replaced by #{by}) ")),
        Standing::Withdrawn(by) => ("-", format!("(withdrawn, see #{by}) ")),
    };
    let sign = if chosen { scene.glyphs.runs } else { sign };
    let dim = earlier || standing != Standing::Stands;
    let role = |lit: Role| if dim { Role::Quiet } else { lit };
    let mut pieces = vec![
        (role(Role::Text), format!("{} {:>wide$}  ", text::pad(sign, 1), entry.id, wide = columns.id)),
        (role(Role::Accent), text::pad(&text::clean(entry.section.as_str()), columns.section)),
    ];
    if columns.author > 0 {
        pieces.push((role(Role::Text), format!("  {}", text::pad(&author(entry), columns.author))));
    }
    if columns.cycle > 0 {
        pieces.push((Role::Quiet, format!("  {:>wide$}", entry.cycle, wide = columns.cycle)));
    }
    if columns.delta > 0 {
        let point = scene.live.index().point(episode, entry.cycle).filter(|point| point.seq <= scene.state.seq);
        let delta = point.map_or(0.0, |point| point.delta);
        let shown = if delta.abs() < 0.005 { String::new() } else { paint::signed(delta) };
        pieces.push((role(paint::tone(delta)), format!("  {shown:>wide$}", wide = columns.delta)));
    }
    let (line, more) = brief::first_line(&entry.text, 600);
    let more = if more { format!(" {}", scene.glyphs.more) } else { String::new() };
    pieces.push((Role::Quiet, format!("  {note}")));
    pieces.push((role(Role::Text), format!("{}{more}", text::clean(line))));
    pieces
}
