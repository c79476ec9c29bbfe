//! The line of marks: one for each moment at which one may stand still, as many as fit around the one shown.

use crate::model::Seq;
use crate::tui::index::Sort;
use crate::tui::live::Stop;
use crate::tui::scene::Scene;
use crate::tui::text;
use crate::tui::theme::Role;

/// One mark with what it says.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mark {
    /// Which stop.
    pub(super) stop: usize,
    /// Columns from the left end of the line at which it begins.
    pub(super) at: usize,
    /// What stands before it: the line from the stop before, or where an episode begins.
    pub(super) lead: String,
    /// Signs of what happened since the stop before.
    pub(super) signs: String,
    /// The cycle, in brackets where it is shown.
    pub(super) label: String,
}

impl Mark {
    fn width(&self) -> usize {
        text::width(&self.lead) + text::width(&self.signs) + text::width(&self.label)
    }
}

/// The marks that fit into so many columns, and whether there are more on either side.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Strip {
    /// The marks, oldest first.
    pub(super) marks: Vec<Mark>,
    /// Older ones are left out.
    pub(super) before: bool,
    /// Newer ones are left out.
    pub(super) after: bool,
}

/// Puts the marks around the stop shown, older and newer ones in turn, until the line is full. Looks at no others.
pub(super) fn strip(scene: &Scene<'_>, shown: usize, columns: usize) -> Strip {
    let stops = scene.live.stops();
    if stops.is_empty() || columns == 0 {
        return Strip::default();
    }
    let shown = shown.min(stops.len() - 1);
    let one = |stop: usize| mark(scene, stops, stop, stop == shown);
    let middle = one(shown);
    let mut used = middle.width();
    let (mut older, mut newer) = (Vec::new(), Vec::new());
    let (mut left, mut right) = (shown, shown + 1);
    loop {
        let mut grew = false;
        if let Some(before) = left.checked_sub(1) {
            let found = one(before);
            if used + found.width() <= columns {
                used += found.width();
                older.push(found);
                (left, grew) = (before, true);
            }
        }
        if right < stops.len() {
            let found = one(right);
            if used + found.width() <= columns {
                used += found.width();
                newer.push(found);
                (right, grew) = (right + 1, true);
            }
        }
        if !grew {
            break;
        }
    }
    older.reverse();
    let mut marks: Vec<Mark> = older.into_iter().chain([middle]).chain(newer).collect();
    // Nothing leads to the first mark of the line.
    if let Some(first) = marks.first_mut() {
        first.lead = first.lead.trim_start_matches(scene.glyphs.lines[0]).trim_start().to_owned();
    }
    let mut at = 0;
    for mark in &mut marks {
        mark.at = at;
        at += mark.width();
    }
    Strip { marks, before: left > 0, after: right < stops.len() }
}

fn mark(scene: &Scene<'_>, stops: &[Stop], stop: usize, shown: bool) -> Mark {
    let found = stops[stop];
    let before = stop.checked_sub(1).map(|before| stops[before]);
    let since = before.map_or(Seq(0), |before| before.seq);
    let begins = before.is_none_or(|before| before.episode != found.episode);
    let lead = match (begins, before.is_some()) {
        (true, true) => format!(" {} question {} ", scene.glyphs.lines[1], found.episode),
        (true, false) => String::new(),
        (false, _) => scene.glyphs.lines[0].repeat(2),
    };
    // A breakpoint is hit right after the stop that it holds at; everything else happened on the way to it.
    let until = stops.get(stop + 1).map_or(scene.now.seq, |after| after.seq);
    let on_the_way = scene.live.index().marks(since..found.seq).iter().filter(|mark| mark.sort != Sort::Break);
    let there = scene.live.index().marks(found.seq..until).iter().filter(|mark| mark.sort == Sort::Break);
    let mut signs = String::new();
    for mark in on_the_way.chain(there) {
        let sign = sign(scene, mark.sort);
        if !signs.contains(sign) {
            signs.push_str(sign);
        }
    }
    let cycle = if found.end { "end".to_owned() } else { found.cycle.to_string() };
    let label = if shown { format!("[{cycle}]") } else { cycle };
    Mark { stop, at: 0, lead, signs, label }
}

/// The sign of something worth finding again.
pub(super) fn sign(scene: &Scene<'_>, sort: Sort) -> &'static str {
    match sort {
        Sort::Revision => scene.glyphs.revision,
        Sort::Break => scene.glyphs.stop,
        Sort::Note => "\"",
        Sort::Edit => "e",
        Sort::Fork => "Y",
    }
}

/// How a sign is coloured.
pub(super) fn role(signs: &str, scene: &Scene<'_>) -> Role {
    if signs.contains(scene.glyphs.stop) { Role::Bad } else { Role::Unsure }
}
