//! Pane 1: who is there, who runs, and who runs next.
//!
//! | file | what |
//! |---|---|
//! | `sketch` | the items to place, in an order that lasts |
//! | `place` | where they stand |
//! | `wires` | the lines between them |
//! | `marks` | what is known about each program |
//! | `canvas`, `chips` | drawing |
//! | `list` | the same as a table |
//! | `next` | who runs next, and the user's say in it |
//! | `inspector` | everything about one program |
//! | `find`, `moves`, `edit` | what keys do |
//! | `frame`, `memo`, `words` | room; what is remembered between frames; foreign text |

mod canvas;
mod chips;
mod edit;
mod find;
mod frame;
mod inspector;
mod list;
mod marks;
mod memo;
mod moves;
mod next;
mod place;
mod sketch;
#[cfg(test)]
mod tests;
mod wires;
mod words;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use crate::model::{Phase, ProgramName};
use crate::tui::action::{Action, Room};
use crate::tui::paint;
use crate::tui::pane::{Effect, Heading, Pane, Purpose, Tone};
use crate::tui::scene::Scene;
use crate::tui::text;
use crate::tui::theme::Role;
use canvas::{Canvas, Laid};
use frame::Parts;
use inspector::{Inspector, Page, Subject};
use marks::{Marks, Past};
use memo::Memo;
use place::Layered;
use sketch::Key;

/// Most programs that the border names.
const NAMED: usize = 3;

/// The pane.
#[derive(Clone, Debug)]
pub(in crate::tui) struct Graph {
    /// The selected group, with the program that was selected when it was.
    group: Option<(Key, Option<ProgramName>)>,
    open: BTreeSet<Key>,
    list: Option<bool>,
    boxes: Option<bool>,
    sections: bool,
    follow: bool,
    page: Page,
    scroll: usize,
    pan: (i32, i32),
    top: usize,
    found: String,
    memo: RefCell<Memo>,
}

impl Default for Graph {
    fn default() -> Self {
        Self {
            group: None,
            open: BTreeSet::new(),
            list: None,
            boxes: None,
            sections: false,
            follow: true,
            page: Page::default(),
            scroll: 0,
            pan: (0, 0),
            top: 0,
            found: String::new(),
            memo: RefCell::default(),
        }
    }
}

/// What is worked out once for drawing or for an action.
struct View {
    parts: Parts,
    frame: Layered,
    laid: Arc<Laid>,
    listed: bool,
    past: Arc<Past>,
    marks: Marks,
    selected: Option<usize>,
    subject: Subject,
    pan: (i32, i32),
}

impl Graph {
    fn view(&self, scene: &Scene<'_>, area: Rect) -> View {
        let listed = self.list.unwrap_or_else(|| frame::is_small(area));
        let closed = BTreeSet::new();
        let height = |frame| self.memo.borrow_mut().laid(scene, &closed, Some(frame)).placed.height;
        let frame = frame::layered(area, self.boxes, height);
        let mut memo = self.memo.borrow_mut();
        let laid = memo.laid(scene, &self.open, (!listed).then_some(frame));
        let lines = if listed { frame::list_lines(area, laid.sketch.items.len()) } else { laid.placed.height };
        let parts = frame::parts(area, lines, self.page);
        let past = memo.past(scene);
        drop(memo);
        let marks = Marks::of(scene, &past, laid.sketch.items.iter().flat_map(|item| &item.members));
        let selected = self.selected(scene, &laid);
        let subject = self.subject(scene, &laid, selected);
        let active = next::active(scene).into_iter().find_map(|name| laid.sketch.of(name));
        let target = if self.follow { active.or(selected) } else { selected };
        let spot = |item: Option<usize>| item.and_then(|item| laid.placed.spots.get(item));
        // What is selected comes into view first, so that what is followed has the last word.
        let pan = canvas::pan_to(self.pan, &laid.placed, spot(selected), parts.graph);
        let pan = canvas::pan_to(pan, &laid.placed, spot(target), parts.graph);
        View { parts, frame, laid, listed, past, marks, selected, subject, pan }
    }

    /// The selected item.
    fn selected(&self, scene: &Scene<'_>, laid: &Laid) -> Option<usize> {
        let chosen = scene.chosen.program.as_ref();
        let group = self.group.as_ref().filter(|(_, since)| since.as_ref() == chosen);
        let group = group.and_then(|(key, _)| laid.sketch.find(key));
        group.or_else(|| chosen.and_then(|name| laid.sketch.of(name)))
    }

    /// What the inspector shows: what is selected, else who runs or runs next, else who ran last or runs first.
    fn subject(&self, scene: &Scene<'_>, laid: &Laid, selected: Option<usize>) -> Subject {
        let chosen = scene.chosen.program.as_ref().filter(|name| laid.sketch.of(name) == selected);
        let group = selected.and_then(|item| laid.sketch.items.get(item)).filter(|item| item.is_group());
        let by_group = self.group.as_ref().is_some_and(|(_, since)| since.as_ref() == scene.chosen.program.as_ref());
        match (group, chosen) {
            (Some(group), chosen) if chosen.is_none() || by_group => {
                return Subject::Group(group.label.clone(), group.members.clone());
            }
            (_, Some(name)) => return Subject::Program(name.clone()),
            (Some(_) | None, None) => {}
        }
        let ran = || scene.state.episode.as_ref().and_then(|episode| episode.seen.last()).map(|(_, name, _)| name);
        let entry = || Some(&scene.network.entry).filter(|name| laid.sketch.of(name).is_some());
        let any = || laid.sketch.items.iter().find_map(|item| item.program());
        let name = next::active(scene).first().copied().or_else(ran).or_else(entry).or_else(any);
        name.map_or(Subject::Nothing, |name| Subject::Program(name.clone()))
    }

    fn canvas<'a>(&self, view: &'a View) -> Canvas<'a> {
        let subject = match &view.subject {
            Subject::Program(name) => Some(name),
            Subject::Group(..) | Subject::Nothing => None,
        };
        Canvas {
            laid: &view.laid,
            frame: view.frame,
            marks: &view.marks,
            past: &view.past,
            selected: view.selected,
            subject,
            sections: self.sections,
            pan: view.pan,
        }
    }

    fn inspector<'a>(&'a self, view: &'a View) -> Inspector<'a> {
        Inspector { subject: &view.subject, page: self.page, scroll: self.scroll, marks: &view.marks, memo: &self.memo }
    }

    /// The line at the bottom of the graph.
    fn status(&self, scene: &Scene<'_>, view: &View) -> Line<'static> {
        let program = match &view.subject {
            Subject::Program(name) => scene.network.program(name),
            Subject::Group(..) | Subject::Nothing => None,
        };
        let Some(program) = program.filter(|_| self.sections && !view.listed) else { return next::line(scene) };
        let names = |sections: &[crate::model::Section]| {
            let names: Vec<_> = sections.iter().map(|section| text::clean(section.as_str())).collect();
            if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
        };
        Line::from(vec![
            scene.span(Role::Accent, text::clean(program.name.as_str()).into_owned()),
            scene.span(Role::Quiet, " reads "),
            scene.span(Role::Text, names(&program.manifest.reads)),
            scene.span(Role::Quiet, format!(" {} writes ", scene.glyphs.dot)),
            scene.span(Role::Text, names(&program.manifest.writes)),
        ])
    }

    /// Enter: opens a group, or lets a program run next.
    fn enter(&mut self, scene: &Scene<'_>, view: &View) -> Vec<Effect> {
        let item = view.selected.and_then(|item| view.laid.sketch.items.get(item));
        if let (Some(group), Subject::Group(..)) = (item.filter(|item| item.is_group()), &view.subject) {
            let key = group.key.clone();
            self.toggle(scene, &key);
            return Vec::new();
        }
        match (&view.subject, view.selected) {
            (Subject::Program(name), Some(_)) => vec![next::run_next(scene, name)],
            (Subject::Program(_) | Subject::Group(..), _) => {
                vec![Effect::Say(Tone::Plain, "select a program first: the arrows do".to_owned())]
            }
            (Subject::Nothing, _) => vec![Effect::Say(Tone::Bad, "this network has no programs".to_owned())],
        }
    }
}

impl Pane for Graph {
    fn heading(&self, scene: &Scene<'_>) -> Heading {
        let count = scene.network.programs.len();
        let programs = if count == 1 { "program" } else { "programs" };
        let name = text::clean(&scene.network.name).into_owned();
        let mut left = format!("{count} {programs}");
        if !name.is_empty() {
            left.push_str(&format!(" {} {name}", scene.glyphs.dot));
        }
        let mut names: Vec<String> = Vec::new();
        for name in next::active(scene) {
            let name = text::clean(name.as_str()).into_owned();
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let more = names.len() > NAMED;
        names.truncate(NAMED);
        let mut words = names.join(", ");
        if more {
            words.push_str(&format!(" {}", scene.glyphs.more));
        }
        let right = match scene.state.phase {
            Phase::Gate if !words.is_empty() => format!("next {words}"),
            Phase::Running if !words.is_empty() => format!("{} {words}", scene.glyphs.runs),
            Phase::Gate | Phase::Running | Phase::Idle | Phase::Starting => String::new(),
        };
        Heading { left, right }
    }

    fn draw(&self, scene: &Scene<'_>, area: Rect, buf: &mut Buffer) {
        let area = area.intersection(buf.area);
        if area.is_empty() {
            return;
        }
        let view = self.view(scene, area);
        let parts = view.parts;
        if view.laid.sketch.items.is_empty() {
            paint::text(buf, area, 0, "this network has no programs", scene.style(Role::Quiet));
            return;
        }
        if view.listed {
            list::draw(scene, buf, parts.graph, &view.laid.sketch, &view.marks, view.selected, self.top);
        } else {
            self.canvas(&view).draw(scene, buf, parts.graph);
        }
        let status = next::cut(scene, self.status(scene, &view), usize::from(parts.status.width));
        paint::line(buf, parts.status, 0, status);
        if parts.inspector.is_empty() {
            return;
        }
        if parts.side {
            let bar = scene.glyphs.lines[1];
            for y in parts.inspector.top()..parts.inspector.bottom() {
                buf.set_string(parts.inspector.x - 1, y, bar, scene.style(Role::Border));
            }
        }
        self.inspector(&view).draw(scene, buf, parts.inspector);
    }

    fn act(&mut self, action: Action, scene: &Scene<'_>, area: Rect) -> Vec<Effect> {
        let view = self.view(scene, area);
        match action {
            Action::GraphList => self.list = Some(!view.listed),
            Action::GraphFollow => {
                self.follow = !self.follow;
                let words =
                    if self.follow { "the program that runs stays in view" } else { "the view stays where it is" };
                return vec![Effect::Say(Tone::Plain, words.to_owned())];
            }
            Action::GraphEdges => self.sections = !self.sections,
            Action::GraphInspect => {
                self.page = self.page.next();
                self.scroll = 0;
            }
            Action::ZoomIn => self.boxes = Some(true),
            Action::ZoomOut => self.boxes = Some(false),
            Action::GraphFit => {
                (self.boxes, self.list, self.pan, self.follow) = (None, None, (0, 0), true);
                self.open.clear();
            }
            Action::GraphOverride | Action::Open => return self.enter(scene, &view),
            Action::GraphEdit => return self.edit(scene, &view),
            Action::GraphFind | Action::Find => {
                return vec![Effect::Ask {
                    purpose: Purpose::Find(Room::Graph),
                    title: "find a program".to_owned(),
                    text: self.found.clone(),
                }];
            }
            Action::FindNext => return self.find(scene, true, false),
            Action::FindBack => return self.find(scene, false, false),
            Action::Up | Action::Down | Action::Left | Action::Right if !view.listed => {
                return self.moved(action, scene, &view);
            }
            Action::Up | Action::Down => return self.moved_in_list(action, scene, &view),
            Action::PageUp | Action::PageDown | Action::Top | Action::Bottom if view.listed => {
                return self.moved_in_list(action, scene, &view);
            }
            Action::PageUp | Action::PageDown | Action::Top | Action::Bottom => self.scrolled(action, scene, &view),
            // Everything else belongs to other panes or to the app.
            _ => {}
        }
        Vec::new()
    }

    fn told(&mut self, purpose: &Purpose, text: &str, scene: &Scene<'_>) -> Vec<Effect> {
        match purpose {
            Purpose::Find(Room::Graph) => {
                text.trim().clone_into(&mut self.found);
                self.find(scene, true, true)
            }
            Purpose::Program(path) => self.proposed(path, text, scene),
            Purpose::Find(Room::Memory | Room::Score | Room::Edits | Room::Stream | Room::Timeline)
            | Purpose::Reject(_)
            | Purpose::Note
            | Purpose::Watch
            | Purpose::Break
            | Purpose::Server
            | Purpose::Entry(_)
            | Purpose::Proposed(..) => Vec::new(),
        }
    }

    fn click(&mut self, at: Position, scene: &Scene<'_>, area: Rect) -> Vec<Effect> {
        let view = self.view(scene, area);
        let graph = view.parts.graph;
        if !graph.contains(at) {
            return Vec::new();
        }
        let hit = if view.listed {
            let top = graph.y + 1;
            let height = graph.height.saturating_sub(1);
            let len = view.laid.sketch.items.len();
            let shown = paint::window(len, view.selected.unwrap_or(self.top), self.top, height);
            at.y.checked_sub(top).map(|row| shown.start + usize::from(row)).filter(|row| shown.contains(row))
        } else {
            self.canvas(&view).item_at(graph, at.x, at.y)
        };
        let Some(hit) = hit else { return Vec::new() };
        // A second click on a group opens or closes it.
        if let Some(key) = canvas::key(&view.laid, hit).filter(|key| matches!(key, Key::Group(..)))
            && view.selected == Some(hit)
        {
            self.toggle(scene, key);
            return Vec::new();
        }
        self.pan = view.pan;
        self.select(scene, &view.laid, hit)
    }

    fn hints(&self, scene: &Scene<'_>) -> Vec<Action> {
        let gate = scene.state.phase == Phase::Gate && !scene.looking;
        let first = gate.then_some(Action::GraphOverride);
        let rest = [Action::GraphInspect, Action::GraphList, Action::GraphEdges, Action::GraphFind, Action::GraphEdit];
        first.into_iter().chain(rest).collect()
    }

    fn copied(&self, scene: &Scene<'_>) -> Option<String> {
        let name = scene.chosen.program.as_ref().or_else(|| next::active(scene).first().copied())?;
        match self.page {
            Page::Text => scene.network.program(name).map(|program| program.source.to_string()),
            Page::Program | Page::Why | Page::LastRun | Page::Changes => Some(name.to_string()),
        }
    }
}
