//! Working memory: what is known, who wrote it, and what it brought.

mod detail;
mod diff;
mod draw;
mod edit;
mod filter;
mod fork;
mod list;
mod rows;
#[cfg(test)]
mod tests;
mod watch;

use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use self::diff::Between;
use self::filter::Filter;
use self::rows::{Row, Rows};
use self::watch::Watches;
use crate::model::{Contribution, ContributionId};
use crate::tui::action::{Action, Room};
use crate::tui::page::Page;
use crate::tui::paint;
use crate::tui::pane::{Effect, Heading, Pane, Purpose, Tone};
use crate::tui::scene::Scene;
use crate::tui::text;
use crate::tui::words::{self, Standing, standing};

pub(in crate::tui) use self::detail::author;

/// What the pane shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum View {
    /// The list, and the selected entry where there is room.
    #[default]
    List,
    /// The selected entry alone, scrolled by so many rows.
    Open(usize),
    /// What the last so many cycles changed, scrolled by so many rows.
    Diff(usize, usize),
}

/// What a page that was laid out is of.
#[derive(Clone, Debug, PartialEq)]
enum Of {
    Entry(ContributionId, usize, Standing, ContributionId),
    Diff(Between),
}

/// The pane.
#[derive(Clone, Debug, Default)]
pub(in crate::tui) struct Memory {
    view: View,
    filter: RefCell<Option<Filter>>,
    /// The entry that was the newest when the user was last at the newest.
    following: Cell<Option<ContributionId>>,
    top: Cell<usize>,
    laid: RefCell<Option<(Of, usize, Arc<Page>)>>,
    watches: Watches,
}

impl Pane for Memory {
    fn heading(&self, scene: &Scene<'_>) -> Heading {
        let memory = &scene.state.memory;
        let all = words::count(memory.len(), "entry", "entries");
        if let View::Diff(span, _) = self.view {
            let words = diff::between(scene, span).map_or(String::new(), |between| between.words);
            return Heading { left: format!("what changed, {words}"), right: "D back to the list".to_owned() };
        }
        let Some(filter) = &*self.filter.borrow() else {
            let selected = self.selected(scene);
            let newest = memory.next_id().0.checked_sub(1).map(ContributionId);
            let right = match selected {
                Some(id) if selected == newest => format!("#{id} newest"),
                Some(id) => format!("#{id}"),
                None => String::new(),
            };
            return Heading { left: all, right };
        };
        let found = filter.found(memory.next_id()).len();
        let words = text::fit(&text::clean(filter.said()), 24).into_owned();
        let left = format!("{found} of {all} with \"{words}\"");
        let right = match filter.progress(memory) {
            Some(percent) => format!("{percent} % searched"),
            None => "/ Enter shows all".to_owned(),
        };
        Heading { left, right }
    }

    fn draw(&self, scene: &Scene<'_>, area: Rect, buf: &mut Buffer) {
        let area = area.intersection(buf.area);
        if area.is_empty() {
            return;
        }
        if let Some(filter) = &mut *self.filter.borrow_mut() {
            filter.go_on(&scene.now.memory);
        }
        match self.view {
            View::Diff(span, top) => self.draw_diff(scene, area, buf, span, top),
            View::Open(top) => match self.selected(scene) {
                Some(id) => self.draw_entry(scene, area, buf, id, top),
                None => self.empty(scene, area, buf),
            },
            View::List => self.draw_list(scene, area, buf),
        }
    }

    fn act(&mut self, action: Action, scene: &Scene<'_>, area: Rect) -> Vec<Effect> {
        let page = usize::from(area.height.max(2) - 1);
        match action {
            Action::Up => self.go(scene, area, -1),
            Action::Down => self.go(scene, area, 1),
            Action::PageUp => self.go(scene, area, -step(page)),
            Action::PageDown => self.go(scene, area, step(page)),
            Action::Top => self.go(scene, area, isize::MIN),
            Action::Bottom => self.go(scene, area, isize::MAX),
            Action::Left | Action::Right => {
                if let View::Diff(span, _) = self.view {
                    let most = scene.live.stops().len().max(1);
                    let span =
                        if action == Action::Left { (span + 1).min(most) } else { span.saturating_sub(1).max(1) };
                    self.view = View::Diff(span, 0);
                }
                Vec::new()
            }
            Action::MemoryOpen | Action::Open => {
                self.view = match self.view {
                    View::List => View::Open(0),
                    View::Open(_) | View::Diff(..) => View::List,
                };
                Vec::new()
            }
            Action::MemoryDiff => {
                self.view = match self.view {
                    View::Diff(..) => View::List,
                    View::List | View::Open(_) => View::Diff(1, 0),
                };
                Vec::new()
            }
            Action::MemoryFilter | Action::Find => {
                let text = self.filter.borrow().as_ref().map_or(String::new(), |filter| filter.said().to_owned());
                let title = "show entries with these words; nothing shows all".to_owned();
                vec![Effect::Ask { purpose: Purpose::Find(Room::Memory), title, text }]
            }
            Action::FindNext | Action::FindBack if self.filter.borrow().is_none() => {
                vec![Effect::Say(Tone::Plain, "nothing is searched for; press / first".to_owned())]
            }
            Action::FindNext => self.go(scene, area, 1),
            Action::FindBack => self.go(scene, area, -1),
            Action::MemoryOrigin => self.origin(scene),
            Action::MemoryEdit => self.edit(scene),
            Action::MemoryAdd => Self::add(scene),
            _ => Vec::new(),
        }
    }

    fn told(&mut self, purpose: &Purpose, text: &str, scene: &Scene<'_>) -> Vec<Effect> {
        match purpose {
            Purpose::Find(Room::Memory) => {
                let mut filter = Filter::new(text);
                if let Some(filter) = &mut filter {
                    filter.go_on(&scene.now.memory);
                }
                *self.filter.get_mut() = filter;
                self.view = View::List;
                self.top.set(0);
                let first = self.with_rows(scene, |rows| rows.near(0, true));
                match (first, &*self.filter.borrow()) {
                    (Some(id), Some(_)) => vec![Effect::Entry(id)],
                    (_, _) => Vec::new(),
                }
            }
            Purpose::Entry(id) => self.edited(*id, text, scene),
            Purpose::Find(_)
            | Purpose::Reject(_)
            | Purpose::Note
            | Purpose::Watch
            | Purpose::Break
            | Purpose::Server
            | Purpose::Proposed(..)
            | Purpose::Program(_) => Vec::new(),
        }
    }

    fn click(&mut self, at: Position, scene: &Scene<'_>, area: Rect) -> Vec<Effect> {
        if self.view != View::List {
            return Vec::new();
        }
        let body = list::body(draw::places(scene, area).list);
        if !body.contains(at) {
            return Vec::new();
        }
        let row = usize::from(at.y - body.y);
        let found =
            self.with_rows(scene, |rows| self.shown(scene, rows, body.height).nth(row).and_then(|row| rows.at(row)));
        match found {
            Some(Row::Entry(id)) => self.choose(scene, id),
            Some(Row::Rule(_)) | None => Vec::new(),
        }
    }

    fn hints(&self, scene: &Scene<'_>) -> Vec<Action> {
        match self.view {
            View::Diff(..) => vec![Action::MemoryDiff, Action::Left, Action::Right],
            View::List | View::Open(_) if scene.state.memory.is_empty() => vec![Action::MemoryAdd],
            View::List | View::Open(_) => vec![
                Action::MemoryOpen,
                Action::MemoryOrigin,
                Action::MemoryDiff,
                Action::MemoryFilter,
                Action::MemoryEdit,
                Action::MemoryAdd,
            ],
        }
    }

    fn copied(&self, scene: &Scene<'_>) -> Option<String> {
        let entry = scene.state.memory.get(self.selected(scene)?)?;
        edit::write(entry).or_else(|| Some(entry.text.clone()))
    }
}

impl Memory {
    /// The entry that is selected: the one that any pane chose, else the newest.
    fn selected(&self, scene: &Scene<'_>) -> Option<ContributionId> {
        let newest = scene.state.memory.next_id().0.checked_sub(1).map(ContributionId)?;
        let chosen = scene.chosen.entry.filter(|id| self.following.get() != Some(*id));
        Some(chosen.filter(|id| scene.state.memory.get(*id).is_some()).unwrap_or(newest))
    }

    /// Does something with the rows of the list.
    fn with_rows<T>(&self, scene: &Scene<'_>, act: impl FnOnce(&Rows<'_>) -> T) -> T {
        match &*self.filter.borrow() {
            Some(filter) => act(&Rows::Some(filter.found(scene.state.memory.next_id()))),
            None => act(&Rows::all(scene)),
        }
    }

    /// The rows that are shown, so that the selected one is among them.
    fn shown(&self, scene: &Scene<'_>, rows: &Rows<'_>, height: u16) -> Range<usize> {
        let selected = self.selected(scene).map_or(0, |id| rows.place(id));
        let shown = paint::window(rows.len(), selected, self.top.get(), height);
        self.top.set(shown.start);
        shown
    }

    fn choose(&mut self, scene: &Scene<'_>, id: ContributionId) -> Vec<Effect> {
        let newest = id.next() == scene.state.memory.next_id() && self.filter.borrow().is_none();
        self.following.set(newest.then_some(id));
        vec![Effect::Entry(id)]
    }

    /// Moves the selection, or scrolls what is open.
    fn go(&mut self, scene: &Scene<'_>, area: Rect, by: isize) -> Vec<Effect> {
        let length = match self.view {
            View::List => 0,
            View::Open(_) => {
                self.selected(scene).and_then(|id| self.entry_page(scene, id, area.width)).map_or(0, |p| p.len())
            }
            View::Diff(span, _) => self.diff_page(scene, span, area.width).map_or(0, |page| page.len()),
        };
        let last = length.saturating_sub(usize::from(area.height));
        match &mut self.view {
            View::List => {
                let found = self.with_rows(scene, |rows| {
                    let place = self.selected(scene).map_or(0, |id| rows.place(id));
                    rows.near(place.saturating_add_signed(by).min(rows.len().saturating_sub(1)), by > 0)
                });
                found.map_or_else(Vec::new, |id| self.choose(scene, id))
            }
            View::Open(top) | View::Diff(_, top) => {
                *top = (*top).min(last).saturating_add_signed(by).min(last);
                Vec::new()
            }
        }
    }

    /// Goes to the moment at which the selected entry was written.
    fn origin(&self, scene: &Scene<'_>) -> Vec<Effect> {
        let entry = self.selected(scene).and_then(|id| scene.state.memory.get(id));
        let Some((entry, seq)) = entry.and_then(|entry| Some((entry, scene.live.index().written(entry.id)?))) else {
            return vec![Effect::Say(Tone::Bad, "no entry is selected".to_owned())];
        };
        let stops = scene.live.stops();
        let at = stops.partition_point(|stop| stop.seq < seq);
        let look = match stops.get(at) {
            Some(stop) if at + 1 < stops.len() => Effect::Look(stop.seq),
            Some(_) | None => Effect::Live,
        };
        let activation = entry.activation.map_or(String::new(), |id| format!(" (activation {id})"));
        let words = format!(
            "#{} was written by {} in cycle {}{activation}, event {seq}",
            entry.id,
            detail::author(entry),
            entry.cycle
        );
        let program = entry.author.program().cloned().map(Effect::Select);
        std::iter::once(look).chain(program).chain([Effect::Entry(entry.id), Effect::Say(Tone::Plain, words)]).collect()
    }

    fn entry_page(&self, scene: &Scene<'_>, id: ContributionId, width: u16) -> Option<Arc<Page>> {
        let entry: &Contribution = scene.state.memory.get(id)?;
        let of = Of::Entry(
            id,
            std::ptr::from_ref(entry) as usize,
            standing(scene.state, entry),
            scene.state.memory.next_id(),
        );
        Some(self.lay(of, width, |width| detail::page(scene, entry, width)))
    }

    fn diff_page(&self, scene: &Scene<'_>, span: usize, width: u16) -> Option<Arc<Page>> {
        let between = diff::between(scene, span)?;
        Some(self.lay(Of::Diff(between.clone()), width, |width| diff::page(scene, &between, width)))
    }

    /// A page, laid out anew only where it is another than the last.
    fn lay(&self, of: Of, width: u16, make: impl FnOnce(usize) -> Page) -> Arc<Page> {
        let width = usize::from(width);
        let mut laid = self.laid.borrow_mut();
        match &*laid {
            Some((known, wide, page)) if *known == of && *wide == width => page.clone(),
            Some(_) | None => {
                let page = Arc::new(make(width));
                *laid = Some((of, width, page.clone()));
                page
            }
        }
    }
}

fn step(rows: usize) -> isize {
    isize::try_from(rows).unwrap_or(isize::MAX)
}
