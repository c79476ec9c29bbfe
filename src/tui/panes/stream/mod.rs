//! What happens, as text that runs on.

mod calls;
mod entries;
#[cfg(test)]
mod tests;
mod walk;

use std::cell::Cell;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use self::entries::{Calls, Show, speaks};
use self::walk::{Place, Walk};
use super::memory::holds;
use crate::model::{Event, Phase, Seq};
use crate::tui::action::{Action, Room};
use crate::tui::code::CodeLine;
use crate::tui::page::{fitted, sentences};
use crate::tui::paint;
use crate::tui::pane::{Effect, Heading, Pane, Purpose, Tone};
use crate::tui::scene::Scene;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::words::{dot, quoted};

/// New lines are counted up to here.
const NEW: usize = 999;
/// Events that one search passes at most.
const SEARCHED: usize = 50_000;
/// Lines shown above what was found.
const ABOVE: isize = -2;
/// Columns in which texts are searched.
const WIDE: u16 = 1_000;

/// The pane.
#[derive(Clone, Debug, Default)]
pub(in crate::tui) struct Stream {
    show: Show,
    /// The line at the top that stays where it is; none while the newest lines are followed.
    top: Cell<Option<Place>>,
    /// The last event that was there when the newest lines were left.
    seen: Cell<Seq>,
    /// Words searched for, in lower case, and the event in which they were found.
    words: String,
    found: Option<Seq>,
    /// Size at which it was last drawn.
    size: Cell<(u16, u16)>,
}

impl Pane for Stream {
    fn heading(&self, scene: &Scene<'_>) -> Heading {
        let mut left = Self::who(scene);
        match self.show.calls {
            Calls::Folded => {}
            Calls::Each => left.push("every call".to_owned()),
            Calls::Hidden => left.push("without calls".to_owned()),
        }
        if self.show.thoughts {
            left.push("with monologue".to_owned());
        }
        let (down, dot) = (scene.glyphs.down, dot(scene));
        let right = match self.top.get() {
            None => String::new(),
            Some(_) => match self.new(scene) {
                0 => format!("{down} End"),
                NEW.. => format!("{down} {NEW}+ new{dot}End"),
                new => format!("{down} {new} new{dot}End"),
            },
        };
        Heading { left: left.join(dot), right }
    }

    fn draw(&self, scene: &Scene<'_>, area: Rect, buf: &mut Buffer) {
        let area = area.intersection(buf.area);
        self.size.set((area.width, area.height));
        if area.is_empty() {
            return;
        }
        let view = self.walk(scene, area.width, area.height).view(self.top.get());
        if view.is_empty() {
            let words = "Nothing has happened yet.\nWhat programs do and say is written here as it happens: who runs and why, \
                the tools it calls, what it writes, how J moves. Press i to ask something.";
            sentences(scene, area, buf, words);
            return;
        }
        let columns = usize::from(area.width);
        for (row, (place, line)) in (0..area.height).zip(view) {
            paint::line(buf, area, row, fitted(line, columns, |role| scene.style(role)));
            if self.found == Some(place.seq) && place.line == 0 {
                paint::band(buf, area, row, scene.style(Role::Selected));
            }
        }
    }

    fn act(&mut self, action: Action, scene: &Scene<'_>, area: Rect) -> Vec<Effect> {
        let rows = isize::try_from(area.height.max(2) - 1).unwrap_or(1);
        match action {
            Action::Up => self.scroll(scene, area, -1),
            Action::Down => self.scroll(scene, area, 1),
            Action::PageUp => self.scroll(scene, area, -rows),
            Action::PageDown => self.scroll(scene, area, rows),
            Action::Top => self.scroll(scene, area, isize::MIN),
            Action::Bottom | Action::StreamEnd => self.scroll(scene, area, isize::MAX),
            Action::Left => return vec![Effect::Do(Action::ScrubBack)],
            Action::Right => return vec![Effect::Do(Action::ScrubOn)],
            Action::StreamTools => {
                self.show.calls = match self.show.calls {
                    Calls::Folded => Calls::Each,
                    Calls::Each => Calls::Hidden,
                    Calls::Hidden => Calls::Folded,
                };
            }
            Action::StreamThoughts => self.show.thoughts = !self.show.thoughts,
            Action::Find => {
                let title = "find in the stream".to_owned();
                return vec![Effect::Ask { purpose: Purpose::Find(Room::Stream), title, text: self.words.clone() }];
            }
            Action::FindNext | Action::FindBack if self.words.is_empty() => {
                return vec![Effect::Say(Tone::Plain, "nothing is searched for; press / first".to_owned())];
            }
            Action::FindNext => return self.find(scene, area, true),
            Action::FindBack => return self.find(scene, area, false),
            _ => {}
        }
        Vec::new()
    }

    fn told(&mut self, purpose: &Purpose, words: &str, scene: &Scene<'_>) -> Vec<Effect> {
        match purpose {
            Purpose::Find(Room::Stream) => {
                self.words = words.trim().to_lowercase();
                self.found = None;
                if self.words.is_empty() {
                    return Vec::new();
                }
                let (width, height) = self.size.get();
                self.find(scene, Rect { x: 0, y: 0, width, height }, false)
            }
            Purpose::Find(_)
            | Purpose::Reject(_)
            | Purpose::Note
            | Purpose::Watch
            | Purpose::Break
            | Purpose::Entry(_)
            | Purpose::Proposed(..)
            | Purpose::Program(_) => Vec::new(),
        }
    }

    fn click(&mut self, at: Position, scene: &Scene<'_>, area: Rect) -> Vec<Effect> {
        if !area.contains(at) {
            return Vec::new();
        }
        let walk = self.walk(scene, area.width, area.height);
        let view = walk.view(self.top.get());
        let clicked =
            view.get(usize::from(at.y - area.y)).and_then(|(place, _)| walk.events().get(walk.index(place.seq)));
        match clicked.map(|envelope| &envelope.event) {
            Some(Event::Contributed { contribution } | Event::MemoryEdited { contribution, .. }) => {
                let author = contribution.author.program().cloned().map(Effect::Select);
                author.into_iter().chain([Effect::Entry(contribution.id)]).collect()
            }
            Some(Event::Activated { program, .. } | Event::Failed { program, .. } | Event::Asked { program, .. }) => {
                vec![Effect::Select(program.clone())]
            }
            Some(Event::Routed { choices, .. }) => choices
                .iter()
                .find_map(|choice| choice.chosen.first())
                .cloned()
                .map(Effect::Select)
                .into_iter()
                .collect(),
            Some(Event::ProposalRaised { proposal }) => vec![Effect::Proposal(proposal.id.clone())],
            Some(_) | None => Vec::new(),
        }
    }

    fn hints(&self, _scene: &Scene<'_>) -> Vec<Action> {
        let mut hints = vec![Action::StreamTools, Action::StreamThoughts, Action::Find];
        if self.top.get().is_some() {
            hints.insert(0, Action::StreamEnd);
        }
        hints
    }

    fn copied(&self, scene: &Scene<'_>) -> Option<String> {
        let (width, height) = self.size.get();
        let view = self.walk(scene, width, height).view(self.top.get());
        let text: String = view.iter().map(|(_, line)| format!("{}\n", plain(line).trim_end())).collect();
        (!text.is_empty()).then_some(text)
    }
}

impl Stream {
    fn walk<'s, 'a>(&self, scene: &'s Scene<'a>, width: u16, height: u16) -> Walk<'s, 'a> {
        Walk::new(scene, self.show, width, height)
    }

    /// Who runs.
    fn who(scene: &Scene<'_>) -> Vec<String> {
        let running = scene.state.phase == Phase::Running;
        let names = scene.state.running.iter().filter(|_| running).take(3);
        names.map(|run| text::clean(run.program.as_str()).into_owned()).collect()
    }

    /// Entries that came since the newest lines were left.
    fn new(&self, scene: &Scene<'_>) -> usize {
        let events = self.walk(scene, 1, 1).events();
        let since = events.partition_point(|envelope| envelope.seq <= self.seen.get());
        let later = events.get(since..).unwrap_or_default().iter().take(NEW * 2);
        later.filter(|envelope| speaks(&envelope.event, self.show)).take(NEW).count()
    }

    fn scroll(&self, scene: &Scene<'_>, area: Rect, by: isize) {
        let before = self.top.get();
        let top = self.walk(scene, area.width, area.height).moved(before, by);
        if before.is_none() && top.is_some() {
            self.seen.set(scene.state.seq);
        }
        self.top.set(top);
    }

    /// Goes to the next event that holds the words, or to the one before; round the end if need be.
    fn find(&mut self, scene: &Scene<'_>, area: Rect, on: bool) -> Vec<Effect> {
        let walk = self.walk(scene, WIDE, area.height);
        let count = walk.events().len();
        let holding = |index: &usize| {
            let speaking = walk.events().get(*index).is_some_and(|envelope| speaks(&envelope.event, self.show));
            speaking && walk.block(*index).iter().any(|line| holds(&plain(line), &self.words))
        };
        let at = self.found.map_or(count, |seq| walk.index(seq));
        let found = if on {
            (at + 1..count).chain(0..(at + 1).min(count)).take(SEARCHED).find(holding)
        } else {
            (0..at.min(count)).rev().chain((at.min(count)..count).rev()).take(SEARCHED).find(holding)
        };
        let Some(seq) = found.and_then(|index| walk.events().get(index)).map(|envelope| envelope.seq) else {
            let words = format!("nothing here holds {}", quoted(&self.words, 40));
            return vec![Effect::Say(Tone::Plain, words)];
        };
        self.found = Some(seq);
        if self.top.get().is_none() {
            self.seen.set(scene.state.seq);
        }
        let place = Some(Place { seq, line: 0 });
        let walk = self.walk(scene, area.width, area.height);
        let in_view = walk.view(self.top.get()).iter().any(|(place, _)| place.seq == seq && place.line == 0);
        if !in_view {
            self.top.set(walk.moved(place, ABOVE));
        }
        Vec::new()
    }
}

fn plain(line: &CodeLine) -> String {
    line.iter().map(|(_, words)| words.as_str()).collect()
}
