//! Watched expressions: their value at the moment shown, and over the last stops.

use std::cell::RefCell;
use std::collections::BTreeMap;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::engine::scope;
use crate::model::{Expr, Seq, State, Strand};
use crate::tui::brief;
use crate::tui::paint;
use crate::tui::scene::Scene;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::words;

/// Stops that the line of bars goes back.
const BACK: usize = 60;
/// Past states that are looked at in one frame.
const A_FRAME: usize = 16;
/// Bytes of a value that are shown.
const VALUE: usize = 200;
/// Values that are remembered.
const KEPT: usize = 4_096;

/// What an expression came to.
#[derive(Clone, Debug, PartialEq)]
struct Known {
    number: f64,
    words: String,
    failed: bool,
}

/// Values by expression and moment.
#[derive(Clone, Debug, Default)]
pub(super) struct Watches {
    known: RefCell<BTreeMap<(String, Seq), Known>>,
}

impl Watches {
    /// Rows that are wanted below the list: a title and a row each.
    pub(super) fn rows(scene: &Scene<'_>) -> u16 {
        let count = scene.state.watches.len().min(6);
        if count == 0 { 0 } else { u16::try_from(count + 1).unwrap_or(0) }
    }

    /// Draws them.
    pub(super) fn draw(&self, scene: &Scene<'_>, area: Rect, buf: &mut Buffer) {
        paint::rule(scene, buf, area, 0, "watch");
        let mut left = A_FRAME;
        for (row, watch) in (1..area.height).zip(scene.state.watches.iter()) {
            let expression = &watch.expression;
            let now = self.value(scene, expression, scene.state);
            let name = text::clean(brief::head(expression.source(), VALUE)).into_owned();
            let wide = usize::from(area.width);
            let names = (wide / 3).clamp(8, 28).min(wide);
            let values = if wide >= 56 { 24 } else { wide.saturating_sub(names + 1) };
            let role = if now.failed { Role::Bad } else { Role::Strong };
            let mut line = vec![
                (Role::Text, text::pad(&name, names.saturating_sub(1))),
                (Role::Text, " ".to_owned()),
                (role, text::pad(&now.words, values)),
            ];
            let bars = wide.saturating_sub(names + values + 2).min(BACK);
            if bars >= 6 {
                let numbers = self.over_time(scene, expression, bars, &mut left);
                let (low, high) = numbers
                    .iter()
                    .filter(|n| n.is_finite())
                    .fold((f64::MAX, f64::MIN), |(low, high), n| (low.min(*n), high.max(*n)));
                line.push((Role::Quiet, format!("  {}", words::sparkline(&numbers, low, high, scene.glyphs.ascii))));
            }
            let line = crate::tui::page::fitted(line, wide, |role| scene.style(role));
            paint::line(buf, area, row, line);
        }
    }

    /// The numbers at the last stops before the moment shown, oldest first. What is not known yet is worked out, but only so
    /// many in one frame; the rest are gaps.
    fn over_time(&self, scene: &Scene<'_>, expression: &Expr, bars: usize, left: &mut usize) -> Vec<f64> {
        let stops = scene.live.stops();
        let end = scene.live.stop_at(scene.state.seq).map_or(0, |at| at + 1);
        let shown = stops.get(end.saturating_sub(bars)..end).unwrap_or_default();
        let mut numbers: Vec<f64> = Vec::with_capacity(shown.len());
        for stop in shown.iter().rev() {
            let key = (expression.source().to_owned(), stop.seq);
            let known = self.known.borrow().get(&key).map(|known| known.number);
            let number = match known {
                Some(number) => number,
                None if *left == 0 => f64::NAN,
                None => {
                    *left -= 1;
                    self.value(scene, expression, &scene.timeline.at(stop.seq)).number
                }
            };
            numbers.push(number);
        }
        numbers.reverse();
        numbers
    }

    fn value(&self, scene: &Scene<'_>, expression: &Expr, state: &State) -> Known {
        let key = (expression.source().to_owned(), state.seq);
        if let Some(known) = self.known.borrow().get(&key) {
            return known.clone();
        }
        let known = evaluate(scene, expression, state);
        let mut all = self.known.borrow_mut();
        if all.len() >= KEPT {
            all.clear();
        }
        all.insert(key, known.clone());
        known
    }
}

fn evaluate(scene: &Scene<'_>, expression: &Expr, state: &State) -> Known {
    let whole = || {
        let query = state.episode.as_ref().map(|episode| episode.query.clone()).unwrap_or_default();
        Strand { task: query.whole(), last: None, parked: false }
    };
    let strand = state.strands.front().cloned().unwrap_or_else(whole);
    match expression.value(&scope(state, scene.live.network(state), &strand)) {
        Err(error) => {
            let words = text::clean(brief::head(&error.message, VALUE)).into_owned();
            Known { number: f64::NAN, words: format!("fails: {words}"), failed: true }
        }
        Ok(value) if value.is_undefined() || value.is_none() => {
            Known { number: f64::NAN, words: "not there".to_owned(), failed: false }
        }
        Ok(value) => {
            let truth = bool::try_from(value.clone()).ok();
            let number = f64::try_from(value.clone()).ok();
            let words = match (truth, number) {
                (Some(true), _) => "yes".to_owned(),
                (Some(false), _) => "no".to_owned(),
                (None, Some(number)) => words::number(number),
                (None, None) => text::clean(&brief::shown(&value, VALUE)).into_owned(),
            };
            let number = truth.map(f64::from).or(number).unwrap_or(f64::NAN);
            Known { number, words, failed: false }
        }
    }
}
