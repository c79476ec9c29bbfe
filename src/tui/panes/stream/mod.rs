//! The stream: what the programs do and say, as it happens.

mod lines;
mod running;
#[cfg(test)]
mod tests;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use self::lines::{Shown, Tools, lines};
use crate::model::Seq;
use crate::tui::action::{Action, Room};
use crate::tui::pane::{Effect, Heading, Pane, Purpose, Tone};
use crate::tui::scene::Scene;
use crate::tui::theme::Role;
use crate::tui::{paint, text};

/// Most events that are gone through to find words.
const SEARCHED: usize = 50_000;

/// The line at the bottom of the pane, when that is not the newest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Anchor {
    /// Its event.
    seq: Seq,
    /// Lines of that event below it.
    below: usize,
    /// Lines of what is streamed after that event which are above it or are it, where it is one of those.
    streamed: Option<usize>,
}

impl Anchor {
    fn of(seq: Seq, below: usize) -> Self {
        Self { seq, below, streamed: None }
    }
}

/// The pane.
#[derive(Clone, Debug)]
pub(in crate::tui) struct Stream {
    /// Where it was scrolled to; none follows the newest line.
    anchor: Option<Anchor>,
    shown: Shown,
    words: String,
}

impl Default for Stream {
    fn default() -> Self {
        Self { anchor: None, shown: Shown { tools: Tools::Short, thoughts: false }, words: String::new() }
    }
}

impl Pane for Stream {
    fn heading(&self, scene: &Scene<'_>) -> Heading {
        let mut left = Vec::new();
        match self.shown.tools {
            Tools::Short => {}
            Tools::Every => left.push("every call"),
            Tools::None => left.push("without tools"),
        }
        if self.shown.thoughts {
            left.push("with monologue");
        }
        let right = match self.anchor {
            Some(anchor) => {
                let newer = scene.state.seq.0.saturating_sub(anchor.seq.0);
                match anchor.streamed {
                    Some(_) if newer == 0 => format!("{} more comes, End goes down", scene.glyphs.down),
                    Some(_) | None => format!("{} {newer} newer events, End goes down", scene.glyphs.down),
                }
            }
            None => String::new(),
        };
        Heading { left: left.join(", "), right }
    }

    fn draw(&self, scene: &Scene<'_>, area: Rect, buf: &mut Buffer) {
        let columns = usize::from(area.width);
        let found = self.visible(scene, columns, usize::from(area.height));
        if found.is_empty() {
            let says = "What the programs do and say appears here, as it happens.";
            for (row, line) in text::wrap(says, columns).iter().enumerate() {
                paint::text(buf, area, u16::try_from(row).unwrap_or(u16::MAX), line, scene.style(Role::Quiet));
            }
        }
        for (row, line) in found.into_iter().enumerate() {
            paint::line(buf, area, u16::try_from(row).unwrap_or(u16::MAX), line);
        }
    }

    fn act(&mut self, action: Action, scene: &Scene<'_>, area: Rect) -> Vec<Effect> {
        let (columns, page) = (usize::from(area.width), usize::from(area.height).max(2) - 1);
        match action {
            Action::Up => self.up(scene, columns, area.height, 1),
            Action::PageUp => self.up(scene, columns, area.height, page),
            Action::Down => self.down(scene, columns, 1),
            Action::PageDown => self.down(scene, columns, page),
            Action::Top => self.scroll_to_top(scene, columns, area.height),
            Action::Bottom | Action::StreamEnd => self.anchor = None,
            Action::StreamTools => {
                self.shown.tools = match self.shown.tools {
                    Tools::Short => Tools::Every,
                    Tools::Every => Tools::None,
                    Tools::None => Tools::Short,
                };
            }
            Action::StreamThoughts => self.shown.thoughts = !self.shown.thoughts,
            Action::Find => {
                let title = "find in the stream".to_owned();
                return vec![Effect::Ask { purpose: Purpose::Find(Room::Stream), title, text: self.words.clone() }];
            }
            Action::FindNext => return self.find(scene, columns, false),
            Action::FindBack => return self.find(scene, columns, true),
            _ => {}
        }
        Vec::new()
    }

    fn told(&mut self, purpose: &Purpose, words: &str, scene: &Scene<'_>) -> Vec<Effect> {
        match purpose {
            Purpose::Find(Room::Stream) => {
                self.words = words.trim().to_owned();
                self.find(scene, 80, true)
            }
            _ => Vec::new(),
        }
    }

    fn hints(&self, _scene: &Scene<'_>) -> Vec<Action> {
        vec![Action::StreamTools, Action::StreamThoughts, Action::Find, Action::StreamEnd]
    }

    fn copied(&self, scene: &Scene<'_>) -> Option<String> {
        let found = self.visible(scene, 200, 40);
        let plain = |line: &Line<'_>| line.spans.iter().map(|span| span.content.as_ref()).collect::<String>();
        (!found.is_empty()).then(|| found.iter().map(plain).collect::<Vec<_>>().join("\n"))
    }
}

impl Stream {
    /// The lines that are seen, oldest first. Goes back from the bottom until the pane is full.
    fn visible(&self, scene: &Scene<'_>, columns: usize, rows: usize) -> Vec<Line<'static>> {
        let mut reversed: Vec<Line<'static>> = Vec::new();
        let mut at = end(scene, self.anchor.map(|anchor| anchor.seq));
        let mut below = self.anchor.map_or(0, |anchor| anchor.below);
        match self.anchor {
            None if !scene.looking => {
                reversed.extend(running::newest(scene, self.shown, columns, rows).into_iter().rev());
            }
            Some(anchor) if streams_at(scene, anchor) => {
                let all = running::all(scene, self.shown, columns);
                let upto = anchor.streamed.unwrap_or(0).min(all.len());
                reversed.extend(all.into_iter().take(upto).rev());
            }
            Some(_) | None => {}
        }
        while reversed.len() < rows && at > 0 {
            at -= 1;
            let mut found = lines(scene, at, self.shown, columns);
            found.truncate(found.len().saturating_sub(std::mem::take(&mut below)));
            reversed.extend(found.into_iter().rev());
        }
        reversed.truncate(rows);
        reversed.reverse();
        reversed
    }

    fn up(&mut self, scene: &Scene<'_>, columns: usize, rows: u16, by: usize) {
        for _ in 0..by {
            // The first line is never scrolled out of the pane.
            let mut next = self.clone();
            next.up_one(scene, columns);
            if next.visible(scene, columns, usize::from(rows)).len() < usize::from(rows) {
                return;
            }
            *self = next;
        }
    }

    fn up_one(&mut self, scene: &Scene<'_>, columns: usize) {
        if !scene.looking && self.anchor.is_none_or(|anchor| streams_at(scene, anchor)) {
            let all = running::all(scene, self.shown, columns).len();
            let at = self.anchor.and_then(|anchor| anchor.streamed).map_or(all, |at| at.min(all));
            let seq = scene.state.seq;
            match at {
                0 => {}
                1 => {
                    self.anchor = Some(Anchor::of(seq, 0));
                    return;
                }
                _ => {
                    self.anchor = Some(Anchor { streamed: Some(at - 1), ..Anchor::of(seq, 0) });
                    return;
                }
            }
        }
        let mut at = end(scene, self.anchor.map(|anchor| anchor.seq));
        let mut below = self.anchor.map_or(0, |anchor| anchor.below) + 1;
        while at > 0 {
            at -= 1;
            let count = lines(scene, at, self.shown, columns).len();
            if below < count {
                self.anchor = scene.timeline.events().get(at).map(|event| Anchor::of(event.seq, below));
                return;
            }
            below = 0;
        }
    }

    fn down(&mut self, scene: &Scene<'_>, columns: usize, by: usize) {
        for _ in 0..by {
            let Some(anchor) = self.anchor else { return };
            if streams_at(scene, anchor) {
                let all = running::all(scene, self.shown, columns).len();
                let at = anchor.streamed.unwrap_or(0) + 1;
                self.anchor = (at < all).then_some(Anchor { streamed: Some(at), ..anchor });
                continue;
            }
            if anchor.below > 0 {
                self.anchor = Some(Anchor { below: anchor.below - 1, ..anchor });
                continue;
            }
            let last = end(scene, None);
            let mut at = end(scene, Some(anchor.seq));
            loop {
                if at >= last {
                    let streams = !scene.looking && scene.live.streamed().next().is_some();
                    let first = Anchor { streamed: Some(1), ..Anchor::of(scene.state.seq, 0) };
                    self.anchor = streams.then_some(first);
                    break;
                }
                let count = lines(scene, at, self.shown, columns).len();
                if count > 0 {
                    self.anchor = scene.timeline.events().get(at).map(|event| Anchor::of(event.seq, count - 1));
                    break;
                }
                at += 1;
            }
        }
    }

    /// The first lines of the session.
    fn scroll_to_top(&mut self, scene: &Scene<'_>, columns: usize, rows: u16) {
        let mut left = usize::from(rows);
        let last = end(scene, None);
        for at in 0..last {
            let count = lines(scene, at, self.shown, columns).len();
            if count >= left {
                self.anchor = scene.timeline.events().get(at).map(|event| Anchor::of(event.seq, count - left));
                return;
            }
            left -= count;
        }
        self.anchor = None;
    }

    /// To the event before (or after) the bottom that holds the words.
    fn find(&mut self, scene: &Scene<'_>, columns: usize, back: bool) -> Vec<Effect> {
        let wanted = self.words.to_lowercase();
        if wanted.is_empty() {
            return vec![Effect::Say(Tone::Plain, "nothing is looked for: / asks for words".to_owned())];
        }
        let here = end(scene, self.anchor.map(|anchor| anchor.seq));
        let last = end(scene, None);
        let holds = |at: &usize| {
            lines(scene, *at, self.shown, columns.max(80)).iter().any(|line| {
                let plain: String = line.spans.iter().map(|span| span.content.as_ref()).collect();
                plain.to_lowercase().contains(&wanted)
            })
        };
        let found = if back {
            let from = if self.anchor.is_some() { here.saturating_sub(1) } else { here };
            (from.saturating_sub(SEARCHED)..from).rev().find(holds)
        } else {
            (here..last.min(here + SEARCHED)).find(holds)
        };
        match found.and_then(|at| scene.timeline.events().get(at)) {
            Some(event) => {
                self.anchor = Some(Anchor::of(event.seq, 0));
                Vec::new()
            }
            None => vec![Effect::Say(Tone::Plain, format!("no more “{}” there", text::clean(&self.words)))],
        }
    }
}

/// Whether the bottom line is one of what is streamed now.
fn streams_at(scene: &Scene<'_>, anchor: Anchor) -> bool {
    anchor.streamed.is_some()
        && anchor.seq == scene.state.seq
        && !scene.looking
        && scene.live.streamed().next().is_some()
}

/// One past the place of an event among all; without an event, of the last that belongs to the state shown.
fn end(scene: &Scene<'_>, seq: Option<Seq>) -> usize {
    let seq = seq.map_or(scene.state.seq, |seq| seq.min(scene.state.seq));
    scene.timeline.events().partition_point(|envelope| envelope.seq <= seq)
}
