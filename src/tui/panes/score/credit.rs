//! Who moved J, over the cycles of an episode.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::model::{Credit, CreditMethod, ProgramName, Score, ScorePoint, State};
use crate::tui::page::Page;
use crate::tui::paint::{share, signed, tone};
use crate::tui::scene::Scene;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::words;

/// The share of one program.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Sum {
    /// Cycles in which it had a share.
    pub(super) n: u32,
    /// Sum of its shares of each cycle.
    pub(super) phi: f64,
    squares: f64,
}

impl Sum {
    /// Standard error of the mean over cycles; none below two.
    pub(super) fn se(&self) -> Option<f64> {
        let n = f64::from(self.n);
        (self.n >= 2).then(|| ((self.squares - self.phi * self.phi / n).max(0.0) / (n - 1.0) / n).sqrt())
    }

    fn add(&mut self, phi: f64) {
        self.n += 1;
        self.phi += phi;
        self.squares += phi * phi;
    }
}

/// Sums over the cycles of an episode. They are carried on as cycles come.
#[derive(Clone, Debug, Default)]
pub(super) struct Sums {
    episode: u32,
    /// Scores that are in it, and the last of them.
    upto: usize,
    last: Option<Arc<Score>>,
    /// J before the first cycle, and after the last.
    ends: (f64, f64),
    programs: BTreeMap<ProgramName, Sum>,
    synergy: f64,
    /// Changes that nobody was credited with.
    rest: f64,
    methods: BTreeMap<u8, (CreditMethod, u32)>,
    cycles: u32,
}

impl Sums {
    /// The sums for a state, carried on from these where they are of the same run.
    pub(super) fn of(&mut self, state: &State, start: usize) -> Self {
        let episode = state.episode.as_ref().map_or(0, |episode| episode.number);
        let last = self.upto.checked_sub(1).and_then(|at| state.scores.get(at));
        let same = match (last, &self.last) {
            (Some(point), Some(known)) => Arc::ptr_eq(&point.score, known),
            (_, _) => false,
        };
        if episode != self.episode || !same {
            *self = Self { episode, upto: start, ..Self::default() };
        }
        // The last score may still get its credit.
        let whole = state.scores.len().saturating_sub(1);
        for at in self.upto..whole {
            if let Some(point) = state.scores.get(at) {
                self.take(point, at == start);
                self.upto = at + 1;
                self.last = Some(point.score.clone());
            }
        }
        let mut all = self.clone();
        if let Some(point) = state.scores.get(whole) {
            all.take(point, whole == start);
        }
        all
    }

    fn take(&mut self, point: &ScorePoint, first: bool) {
        let j = point.score.mean;
        if first {
            self.ends = (j, j);
            return;
        }
        self.ends.1 = j;
        self.cycles += 1;
        match &point.credit {
            Some(credit) => self.credit(credit),
            None => self.rest += point.delta,
        }
    }

    fn credit(&mut self, credit: &Credit) {
        let mut shares: BTreeMap<&ProgramName, f64> = BTreeMap::new();
        for share in &credit.shares {
            *shares.entry(&share.program).or_default() += share.phi;
        }
        for (program, phi) in shares {
            self.programs.entry(program.clone()).or_default().add(phi);
        }
        self.synergy += credit.synergy;
        if !credit.shares.is_empty() {
            self.methods.entry(credit.method as u8).or_insert((credit.method, 0)).1 += 1;
        }
    }

    /// Programs by how much they moved J, most first.
    pub(super) fn ranked(&self) -> Vec<(&ProgramName, Sum)> {
        let mut all: Vec<_> = self.programs.iter().map(|(name, sum)| (name, *sum)).collect();
        all.sort_by(|a, b| b.1.phi.abs().total_cmp(&a.1.phi.abs()).then(a.0.cmp(b.0)));
        all
    }
}

/// Lays the waterfall out for a width.
pub(super) fn page(scene: &Scene<'_>, sums: &Sums, width: usize) -> Page {
    let mut page = Page::default();
    let (from, to) = sums.ends;
    let cycles = words::count(sums.cycles as usize, "cycle", "cycles");
    let title = format!("who took J from {} to {} in {cycles}", share(from), share(to));
    page.say(Role::Text, &title, width, 2);
    page.blank();
    let ranked = sums.ranked();
    let names = ranked.iter().map(|(name, _)| text::width(&text::clean(name.as_str()))).max().unwrap_or(0);
    let names = names.max(8).min((width / 3).max(8));
    let numbers = width >= 52;
    let wide = width.saturating_sub(names + 8 + if numbers { 26 } else { 0 }).min(48);
    let bars = Bars::of(from, &ranked, sums, if wide >= 8 { wide } else { 0 });
    if numbers {
        let head = format!("{}    sum  {}  cycles   mean ± se", " ".repeat(names), " ".repeat(bars.wide));
        page.row(vec![(Role::Quiet, if scene.glyphs.ascii { head.replace('±', "+-") } else { head })]);
    }
    let mut at = from;
    for (name, sum) in &ranked {
        let mut line = vec![(Role::Text, text::pad(&text::clean(name.as_str()), names))];
        line.push((tone(sum.phi), format!("  {:>5}  ", signed(sum.phi))));
        line.push((tone(sum.phi), bars.bar(scene, at, at + sum.phi)));
        if numbers {
            line.push((Role::Quiet, format!("  {:>6}   {}", sum.n, spread(scene, sum))));
        }
        page.row(line);
        at += sum.phi;
    }
    let others = [("synergy", sums.synergy, true), ("others", sums.rest, sums.rest.abs() > 1e-9)];
    for (name, value, shown) in others {
        if shown {
            let look = tone(value);
            let line = vec![
                (Role::Text, text::pad(name, names)),
                (look, format!("  {:>5}  ", signed(value))),
                (look, bars.bar(scene, at, at + value)),
            ];
            page.row(line);
            at += value;
        }
    }
    page.row(vec![(Role::Border, scene.glyphs.lines[0].repeat((names + 9 + bars.wide).min(width)))]);
    let exact = (at - to).abs() < 1e-6;
    let sign = if exact { "=" } else { "is not" };
    page.row(vec![
        (Role::Strong, text::pad("sum", names)),
        (Role::Strong, format!("  {:>5}  ", signed(at - from))),
        (
            if exact { Role::Quiet } else { Role::Bad },
            format!("{sign} the change of J, {} to {}", share(from), share(to)),
        ),
    ]);
    page.blank();
    for (method, count) in sums.methods.values() {
        let cycles = words::count(*count as usize, "cycle", "cycles");
        page.say(Role::Quiet, &format!("{cycles}: {}", words::method(*method)), width, 2);
    }
    if sums.synergy.abs() > 1e-9 {
        page.say(Role::Quiet, "synergy: what no program explains alone", width, 2);
    }
    if sums.rest.abs() > 1e-9 {
        page.say(Role::Quiet, "others: changes that no program made, such as your edits", width, 2);
    }
    page
}

/// Mean and standard error over cycles.
fn spread(scene: &Scene<'_>, sum: &Sum) -> String {
    let mean = signed(sum.phi / f64::from(sum.n.max(1)));
    let se = sum.se().map_or_else(|| words::dash(scene).to_owned(), share);
    let sign = if scene.glyphs.ascii { "+-" } else { "±" };
    format!("{mean} {sign} {se}")
}

/// The bars of a waterfall: each begins where the one before it ended.
struct Bars {
    low: f64,
    high: f64,
    wide: usize,
}

impl Bars {
    fn of(from: f64, ranked: &[(&ProgramName, Sum)], sums: &Sums, wide: usize) -> Self {
        let steps = ranked.iter().map(|(_, sum)| sum.phi).chain([sums.synergy, sums.rest]);
        let mut at = from;
        let (mut low, mut high) = (from.min(sums.ends.1), from.max(sums.ends.1));
        for step in steps {
            at += step;
            (low, high) = (low.min(at), high.max(at));
        }
        Self { low, high: if high > low { high } else { low + 1.0 }, wide }
    }

    fn bar(&self, scene: &Scene<'_>, from: f64, to: f64) -> String {
        let column = |value: f64| {
            let share = ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
            (share * self.wide as f64).round() as usize
        };
        let (left, right) = (column(from.min(to)), column(from.max(to)));
        let sign = match (scene.glyphs.ascii, to >= from) {
            (false, true) => "█",
            (false, false) => "░",
            (true, true) => "#",
            (true, false) => "-",
        };
        let long = right - left;
        let bar = if long == 0 && self.wide > 0 && left < self.wide {
            scene.glyphs.lines[1].to_owned()
        } else {
            sign.repeat(long)
        };
        text::pad(&format!("{}{bar}", " ".repeat(left)), self.wide)
    }
}
