//! Looking at the past: free, and it changes nothing. Stepping and running go along the record until the present is reached.

use std::sync::Arc;

use super::app::{Interface, Look};
use super::pane::Tone;
use super::request::Request;
use crate::engine::hits;
use crate::model::{Breakpoint, Envelope, Pace, Phase, Seq};

impl Interface {
    /// Looks at the moment after an event: the last stop that is not later.
    pub(super) fn look_at(&mut self, seq: Seq) {
        match self.live.stop_at(seq) {
            Some(stop) => self.look_at_stop(stop),
            None => self.say(Tone::Plain, "nothing had been decided then"),
        }
    }

    fn look_at_stop(&mut self, stop: usize) {
        let Some(found) = self.live.stops().get(stop).copied() else { return };
        if stop + 1 == self.live.stops().len() && self.stands() {
            self.look = None;
            return;
        }
        self.look = Some(Look { stop, state: self.live.timeline().at(found.seq) });
    }

    /// Whether the session stands at its last stop, so that looking there is looking at the present.
    fn stands(&self) -> bool {
        let now = self.live.now();
        now.phase == Phase::Idle || now.pace == Pace::Paused
    }

    /// Back from the past.
    pub(super) fn live_again(&mut self) {
        self.look = None;
    }

    /// One stop back.
    pub(super) fn look_back(&mut self) {
        let present = self.live.stops().len().checked_sub(if self.stands() { 2 } else { 1 });
        let stop = match &self.look {
            Some(look) => look.stop.checked_sub(1),
            None => present,
        };
        match stop {
            Some(stop) => self.look_at_stop(stop),
            None => self.say(Tone::Plain, "this is the beginning"),
        }
    }

    /// One stop on, towards the present; false where this is the present.
    pub(super) fn look_on(&mut self) -> bool {
        let Some(look) = &self.look else { return false };
        let next = look.stop + 1;
        if next < self.live.stops().len() {
            self.look_at_stop(next);
        } else {
            self.look = None;
        }
        if self.look.is_none() {
            self.say(Tone::Plain, "back at the present");
        }
        true
    }

    /// To the beginning of the episode shown.
    pub(super) fn look_at_beginning(&mut self) {
        let stops = self.live.stops();
        let shown = self.look.as_ref().map_or(stops.len().saturating_sub(1), |look| look.stop);
        let Some(episode) = stops.get(shown).map(|stop| stop.episode) else {
            self.say(Tone::Plain, "nothing has run yet");
            return;
        };
        let first = stops.iter().position(|stop| stop.episode == episode).unwrap_or(0);
        self.look_at_stop(first);
    }

    /// On along the record to the next breakpoint, or to the present.
    pub(super) fn run_along_record(&mut self) {
        let Some(look) = &self.look else { return };
        let (from, count) = (look.stop + 1, self.live.stops().len());
        match (from..count).find_map(|stop| self.breaks_at(stop).map(|why| (stop, why))) {
            Some((stop, why)) => {
                self.look_at_stop(stop);
                self.say(Tone::Plain, format!("in the record: {why}"));
            }
            None => {
                self.look = None;
                self.say(Tone::Plain, "back at the present; nothing was run again");
            }
        }
    }

    /// Back to the breakpoint before, or to the beginning.
    pub(super) fn run_back(&mut self) {
        let stops = self.live.stops().len();
        if stops == 0 {
            self.say(Tone::Plain, "nothing has run yet");
            return;
        }
        let from = self.look.as_ref().map_or(stops - usize::from(self.stands()), |look| look.stop);
        match (0..from).rev().find_map(|stop| self.breaks_at(stop).map(|why| (stop, why))) {
            Some((stop, why)) => {
                self.look_at_stop(stop);
                self.say(Tone::Plain, format!("in the record: {why}"));
            }
            None => {
                self.look_at_stop(0);
                self.say(Tone::Plain, "the beginning: no breakpoint was hit before");
            }
        }
    }

    /// Which breakpoint is hit at a stop of the record, in words.
    fn breaks_at(&self, stop: usize) -> Option<String> {
        let breakpoints: Vec<Breakpoint> = self.breakpoints();
        if breakpoints.is_empty() {
            return None;
        }
        let stops = self.live.stops();
        let at = stops.get(stop)?;
        let since = stop.checked_sub(1).and_then(|before| stops.get(before)).map_or(Seq(0), |before| before.seq);
        let state = self.live.timeline().at(at.seq);
        let network = self.live.network(&state);
        let events = self.live.timeline().events();
        let from = events.partition_point(|envelope| envelope.seq <= since);
        let upto = events.partition_point(|envelope| envelope.seq <= at.seq);
        let happened: &[Arc<Envelope>] = events.get(from..upto).unwrap_or_default();
        breakpoints.iter().find_map(|breakpoint| hits(breakpoint, &state, network, happened))
    }

    /// A new session from the moment shown.
    pub(super) fn fork_here(&mut self) {
        let shown = self.look.as_ref().map_or(self.live.stops().len().saturating_sub(1), |look| look.stop);
        match self.live.stops().get(shown) {
            Some(stop) => {
                let request = Request::Fork { episode: stop.episode, cycle: stop.cycle, then: None };
                self.requests.push(request);
            }
            None => self.say(Tone::Plain, "there is nothing to copy yet"),
        }
    }
}
