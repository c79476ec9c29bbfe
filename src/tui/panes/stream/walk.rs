//! Which lines are in view. Only those are ever laid out: the walk begins at the bottom, or at the line that stays where it is.

use std::sync::Arc;

use super::entries::{Show, lines};
use crate::model::{Envelope, Seq};
use crate::tui::brief;
use crate::tui::code::CodeLine;
use crate::tui::page::wrapped;
use crate::tui::scene::Scene;
use crate::tui::text;
use crate::tui::theme::Role;

/// Events that one walk passes at most.
const REACH: usize = 20_000;

/// A line: of which event, and which of its lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The event; one more than the last for what a running program has streamed.
    pub(super) seq: Seq,
    /// The line, from 0.
    pub(super) line: usize,
}

/// The lines that could be shown.
pub(super) struct Walk<'s, 'a> {
    scene: &'s Scene<'a>,
    events: &'a [Arc<Envelope>],
    show: Show,
    width: u16,
    height: u16,
}

impl<'s, 'a> Walk<'s, 'a> {
    /// The lines up to the moment shown.
    pub(super) fn new(scene: &'s Scene<'a>, show: Show, width: u16, height: u16) -> Self {
        let events = scene.timeline.events();
        let end = events.partition_point(|envelope| envelope.seq <= scene.state.seq);
        Self { scene, events: &events[..end], show, width, height }
    }

    /// The events, oldest first.
    pub(super) fn events(&self) -> &'a [Arc<Envelope>] {
        self.events
    }

    /// The lines in view, with their places: from a line on, or the last ones.
    pub(super) fn view(&self, top: Option<Place>) -> Vec<(Place, CodeLine)> {
        top.and_then(|top| self.from(top)).unwrap_or_else(|| self.last())
    }

    /// The line that is so many lines below another, or above it; none where the last lines fill the view from there.
    pub(super) fn moved(&self, top: Option<Place>, by: isize) -> Option<Place> {
        if by == isize::MIN {
            return self.from(Place { seq: Seq(0), line: 0 }).and_then(|view| view.first().map(|(place, _)| *place));
        }
        if by == isize::MAX {
            return None;
        }
        let now = self.view(top).first().map(|(place, _)| *place)?;
        let steps = by.unsigned_abs();
        let place = if by < 0 { self.above(now, steps) } else { self.under(now, steps) };
        self.from(place).map(|_| place)
    }

    /// The number of the event of a place; that of a running program's text is one after the last.
    pub(super) fn index(&self, seq: Seq) -> usize {
        self.events.partition_point(|envelope| envelope.seq < seq)
    }

    /// The lines of one event.
    pub(super) fn block(&self, index: usize) -> Vec<CodeLine> {
        if index < self.events.len() {
            lines(self.scene, self.events, index, self.show, usize::from(self.width))
        } else if index == self.events.len() {
            self.streamed()
        } else {
            Vec::new()
        }
    }

    fn seq(&self, index: usize) -> Seq {
        self.events.get(index).map_or(Seq(self.scene.state.seq.0 + 1), |envelope| envelope.seq)
    }

    /// The lines from one on; none where they do not fill the view.
    fn from(&self, top: Place) -> Option<Vec<(Place, CodeLine)>> {
        let first = self.index(top.seq);
        let mut view = Vec::new();
        let mut skip = if self.seq(first) == top.seq { top.line } else { 0 };
        for index in (first..=self.events.len()).take(REACH) {
            let block = self.block(index);
            let start = skip.min(block.len().saturating_sub(1));
            skip = 0;
            for (line, words) in block.into_iter().enumerate().skip(start) {
                view.push((Place { seq: self.seq(index), line }, words));
                if view.len() >= usize::from(self.height) {
                    return Some(view);
                }
            }
        }
        None
    }

    fn last(&self) -> Vec<(Place, CodeLine)> {
        let mut view = Vec::new();
        'walk: for index in (0..=self.events.len()).rev().take(REACH) {
            for (line, words) in self.block(index).into_iter().enumerate().rev() {
                if view.len() >= usize::from(self.height) {
                    break 'walk;
                }
                view.push((Place { seq: self.seq(index), line }, words));
            }
        }
        view.reverse();
        view
    }

    fn above(&self, from: Place, mut steps: usize) -> Place {
        let mut at = from;
        let mut index = self.index(from.seq);
        for _ in 0..REACH {
            if at.line >= steps {
                return Place { line: at.line - steps, ..at };
            }
            steps -= at.line;
            at.line = 0;
            let Some(before) = index.checked_sub(1) else { return at };
            index = before;
            let length = self.block(index).len();
            if length > 0 {
                // The line above the first of a block is the last of the block before it.
                at = Place { seq: self.seq(index), line: length - 1 };
                steps -= 1;
            }
        }
        at
    }

    fn under(&self, from: Place, mut steps: usize) -> Place {
        let mut at = from;
        let mut index = self.index(from.seq);
        for _ in 0..REACH {
            let left = self.block(index).len().saturating_sub(at.line + 1);
            if left >= steps {
                return Place { line: at.line + steps, ..at };
            }
            steps -= left;
            loop {
                if index >= self.events.len() {
                    return at;
                }
                index += 1;
                if !self.block(index).is_empty() {
                    break;
                }
            }
            at = Place { seq: self.seq(index), line: 0 };
            steps -= 1;
            if steps == 0 {
                return at;
            }
        }
        at
    }

    /// What running programs have streamed so far: the end of it.
    fn streamed(&self) -> Vec<CodeLine> {
        let scene = self.scene;
        if scene.looking {
            return Vec::new();
        }
        let columns = usize::from(self.width).max(4);
        let bytes = columns * usize::from(self.height.max(1)) * 4;
        let mut out = Vec::new();
        for (activation, said) in scene.live.streamed() {
            let running = scene.state.running.iter().find(|run| run.activation == activation);
            let name = running.map_or_else(|| format!("activation {activation}"), |run| run.program.to_string());
            let name = text::clean(&name).into_owned();
            out.push(vec![(Role::Running, format!("{} {name}", scene.glyphs.runs)), (Role::Quiet, " says".to_owned())]);
            let mut lines = Vec::new();
            for line in brief::tail(said, bytes).lines() {
                lines.extend(wrapped(&[(Role::Text, text::clean(line).into_owned())], columns));
            }
            let from = lines.len().saturating_sub(usize::from(self.height.max(1)));
            out.extend(lines.split_off(from));
        }
        out
    }
}
