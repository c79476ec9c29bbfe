//! J: how good it is, who made it so, and why the run stopped.

mod chart;
mod credit;
mod parts;
mod plot;
mod series;
#[cfg(test)]
mod tests;
mod why;

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use self::chart::Chart;
use self::credit::Sums;
use self::series::Series;
use crate::model::{Score as Scored, Seq};
use crate::tui::action::Action;
use crate::tui::index::Point;
use crate::tui::page::{Page, sentences};
use crate::tui::paint::{share, signed};
use crate::tui::pane::{Effect, Heading, Pane, Tone};
use crate::tui::scene::Scene;
use crate::tui::words;

/// Rows below which J is a strip.
const LOW: u16 = 6;

/// The pages of the pane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Shown {
    /// J over cycles.
    #[default]
    Chart,
    /// Where each part stands.
    Parts,
    /// Who moved J.
    Credit,
    /// Why it stopped.
    Why,
}

impl Shown {
    fn next(self) -> Self {
        match self {
            Self::Chart => Self::Parts,
            Self::Parts => Self::Credit,
            Self::Credit => Self::Why,
            Self::Why => Self::Chart,
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Chart => "",
            Self::Parts => "parts of the question",
            Self::Credit => "credit",
            Self::Why => "why",
        }
    }
}

/// What a page that was laid out is of.
#[derive(Clone, Debug)]
struct Laid {
    shown: Shown,
    width: u16,
    seq: Seq,
    score: Option<Arc<Scored>>,
    page: Option<Arc<Page>>,
}

/// The pane.
#[derive(Clone, Debug, Default)]
pub(in crate::tui) struct Score {
    shown: Shown,
    parts: bool,
    alone: bool,
    top: Cell<usize>,
    sums: RefCell<Sums>,
    laid: RefCell<Option<Laid>>,
}

impl Score {
    /// J as one line of bars with its value; rules and parts below it where there are more rows.
    pub(in crate::tui) fn strip(scene: &Scene<'_>, area: Rect, buf: &mut Buffer) {
        let area = area.intersection(buf.area);
        if !area.is_empty() {
            chart::strip(scene, points(scene), area, buf);
        }
    }

    fn chart<'a>(&self, scene: &Scene<'a>) -> Chart<'a> {
        let before = if self.alone { None } else { before(scene) };
        Chart { episode: episode(scene), points: points(scene), before, parts: self.parts }
    }

    /// The page shown, laid out anew only when something is new.
    fn page(&self, scene: &Scene<'_>, width: u16) -> Option<Arc<Page>> {
        let score = scene.state.scores.last().map(|point| point.score.clone());
        let seq = scene.state.seq;
        let mut laid = self.laid.borrow_mut();
        if let Some(known) = &*laid
            && (known.shown, known.width, known.seq) == (self.shown, width, seq)
            && known.score.as_ref().map(Arc::as_ptr) == score.as_ref().map(Arc::as_ptr)
        {
            return known.page.clone();
        }
        let wide = usize::from(width);
        let page = match self.shown {
            Shown::Chart => None,
            Shown::Parts => parts::page(scene, wide),
            Shown::Credit => score.is_some().then(|| {
                let start = scene.live.index().place(episode(scene));
                let sums = self.sums.borrow_mut().of(scene.state, start);
                credit::page(scene, &sums, wide)
            }),
            Shown::Why => why::page(scene, upto_here(scene), wide),
        };
        let page = page.map(Arc::new);
        *laid = Some(Laid { shown: self.shown, width, seq, score, page: page.clone() });
        page
    }

    fn scroll(&self, scene: &Scene<'_>, area: Rect, by: isize) {
        let length = self.page(scene, area.width).map_or(0, |page| page.len());
        let last = length.saturating_sub(usize::from(area.height));
        self.top.set(self.top.get().min(last).saturating_add_signed(by).min(last));
    }
}

impl Pane for Score {
    fn heading(&self, scene: &Scene<'_>) -> Heading {
        let shown = upto_here(scene);
        let Some(last) = shown.last() else { return Heading::default() };
        let change = if last.cycle.0 == 0 {
            String::new()
        } else {
            format!(" {} {}", words::way(scene, last.delta), signed(last.delta).trim())
        };
        let title = self.shown.title();
        let space = if title.is_empty() { "" } else { words::dot(scene) };
        let left = format!("{}{change} {}{space}{title}", share(last.j), chart::at(last.cycle));
        let best = scene.state.incumbent.as_ref();
        let right = best.map_or(String::new(), |best| format!("best {} at cycle {}", share(best.j), best.cycle));
        Heading { left, right }
    }

    fn draw(&self, scene: &Scene<'_>, area: Rect, buf: &mut Buffer) {
        let area = area.intersection(buf.area);
        if area.is_empty() {
            return;
        }
        if points(scene).is_empty() {
            let words = "Nothing is scored yet.\nJ says how good the answer in working memory is, from 0 to 1, by a scorer \
                that no program can change. It is taken before the first cycle and after each.";
            sentences(scene, area, buf, words);
            return;
        }
        match self.shown {
            Shown::Chart if area.height < LOW => Self::strip(scene, area, buf),
            Shown::Chart => self.chart(scene).draw(scene, area, buf),
            Shown::Parts | Shown::Credit | Shown::Why => match self.page(scene, area.width) {
                Some(page) => page.draw(scene, area, buf, self.top.get()),
                None => sentences(scene, area, buf, "Nothing is scored yet."),
            },
        }
    }

    fn act(&mut self, action: Action, scene: &Scene<'_>, area: Rect) -> Vec<Effect> {
        let rows = isize::try_from(area.height.max(2) - 1).unwrap_or(1);
        match action {
            Action::ScoreView | Action::Open => {
                self.shown = self.shown.next();
                self.top.set(0);
            }
            Action::ScoreParts => {
                self.parts = !self.parts;
                self.shown = Shown::Chart;
            }
            Action::ScoreOver => {
                if before(scene).is_none() {
                    let words = "there is no run before this one to lay under it";
                    return vec![Effect::Say(Tone::Plain, words.to_owned())];
                }
                self.alone = !self.alone;
                self.shown = Shown::Chart;
            }
            Action::Left if self.shown == Shown::Chart => return vec![Effect::Do(Action::ScrubBack)],
            Action::Right if self.shown == Shown::Chart => return vec![Effect::Do(Action::ScrubOn)],
            Action::Up => self.scroll(scene, area, -1),
            Action::Down => self.scroll(scene, area, 1),
            Action::PageUp => self.scroll(scene, area, -rows),
            Action::PageDown => self.scroll(scene, area, rows),
            Action::Top => self.scroll(scene, area, isize::MIN),
            Action::Bottom => self.scroll(scene, area, isize::MAX),
            _ => {}
        }
        Vec::new()
    }

    fn click(&mut self, at: Position, scene: &Scene<'_>, area: Rect) -> Vec<Effect> {
        if self.shown != Shown::Chart || area.height < LOW || !area.contains(at) {
            return Vec::new();
        }
        let chart = self.chart(scene);
        let Some(point) = chart.cycle_at(area, at.x) else { return Vec::new() };
        let stops = scene.live.stops();
        let place = stops.partition_point(|stop| stop.seq < point.seq);
        match stops.get(place) {
            Some(stop) if place + 1 < stops.len() => vec![Effect::Look(stop.seq)],
            Some(_) | None => vec![Effect::Live],
        }
    }

    fn hints(&self, scene: &Scene<'_>) -> Vec<Action> {
        let mut hints = vec![Action::ScoreView];
        if points(scene).is_empty() {
            return Vec::new();
        }
        if self.shown == Shown::Chart {
            hints.push(Action::ScoreParts);
            if before(scene).is_some() {
                hints.push(Action::ScoreOver);
            }
        }
        hints
    }

    fn copied(&self, scene: &Scene<'_>) -> Option<String> {
        let points = upto_here(scene);
        if points.is_empty() {
            return None;
        }
        match self.shown {
            Shown::Chart => {
                let line = |point: &Point| format!("{}\t{}\t{}\n", point.cycle, point.j, point.delta);
                Some(format!("cycle\tJ\tdelta\n{}", points.iter().map(line).collect::<String>()))
            }
            Shown::Parts | Shown::Credit | Shown::Why => self.page(scene, 100).map(|page| page.plain(scene)),
        }
    }
}

fn episode(scene: &Scene<'_>) -> u32 {
    scene.state.episode.as_ref().map_or(0, |episode| episode.number)
}

/// J over the whole episode shown, what comes after the moment shown too.
fn points<'a>(scene: &Scene<'a>) -> &'a [Point] {
    scene.live.index().points(episode(scene), Seq(u64::MAX))
}

/// J over the episode shown, up to the moment shown.
fn upto_here<'a>(scene: &Scene<'a>) -> &'a [Point] {
    scene.live.index().points(episode(scene), scene.state.seq)
}

/// The run that is laid under this one: that which the session was forked from, else the episode before.
fn before<'a>(scene: &Scene<'a>) -> Option<(Series<'a>, String)> {
    if let Some(rival) = scene.rival {
        let series = Series::rival(rival);
        return (series.len() > 0).then(|| (series, "before the fork".to_owned()));
    }
    let number = episode(scene).checked_sub(1).filter(|number| *number > 0)?;
    let points = scene.live.index().points(number, Seq(u64::MAX));
    let name = format!("the run before ({number})");
    (!points.is_empty()).then_some((Series::Points(points), name))
}
