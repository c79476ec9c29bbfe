//! What a program is, what it may do, and what it has done.

use ratatui::text::{Line, Span};

use super::{capped, labelled, wrapped};
use crate::model::{Kind, Program, Section, Tier};
use crate::tui::paint;
use crate::tui::panes::graph::marks::Marks;
use crate::tui::panes::graph::next::key;
use crate::tui::panes::graph::words::excerpt;
use crate::tui::scene::Scene;
use crate::tui::text;
use crate::tui::theme::Role;

/// Most lines of one fact.
const LINES: usize = 4;

/// The page.
pub(super) fn lines(scene: &Scene<'_>, program: &Program, marks: &Marks, width: usize) -> Vec<Line<'static>> {
    let manifest = &program.manifest;
    let mark = marks.get(&program.name).cloned().unwrap_or_default();
    let mut lines = wrapped(scene, Role::Text, &excerpt(&manifest.role), width);
    if let Some(words) = mark.since.words() {
        lines.extend(wrapped(scene, Role::Unsure, &format!("{} {words}", scene.glyphs.revision), width));
    }
    let mut add = |label: &str, words: String| {
        if !words.is_empty() {
            // The last column is kept for the sign that something is left out.
            lines.extend(capped(scene, labelled(scene, label, Role::Text, &words, width.saturating_sub(2)), LINES));
        }
    };
    let dot = format!(" {} ", scene.glyphs.dot);
    let group = manifest.group.as_deref().map(|group| format!("{dot}group {}", text::clean(group)));
    add("is", format!("{}{}{dot}{}", program.contract(), group.unwrap_or_default(), kind(program.kind)));
    add("runs", runs(scene, program, &mark));
    if mark.tally.activations > 0 {
        let credit = paint::signed(mark.tally.credit).trim().to_owned();
        add("credit", format!("{credit} of J, over {}", times(mark.tally.activations)));
    }
    if mark.stop {
        add("stop", format!("{} the run stands still before it", scene.glyphs.stop));
    }
    if mark.open > 0 {
        let key = key(crate::tui::action::Action::Pane4);
        add("edits", format!("{}{} wait for your decision; {key} shows them", scene.glyphs.waits, mark.open));
    }
    add("reads", sections(&manifest.reads));
    add("needs", sections(&manifest.requires));
    add("writes", sections(&manifest.writes));
    add("accepts", manifest.accepts.as_ref().map(|accepts| excerpt(accepts.source())).unwrap_or_default());
    if !program.contract().is_routed() {
        add("acts", "only where the engine calls for it".to_owned());
    }
    add("leads to", leads_to(scene, program));
    add("tools", names(manifest.tools.iter().map(String::as_str)));
    if program.kind == Kind::Prompt || program.kind == Kind::Room {
        let model = manifest.model.clone().unwrap_or_default();
        let temperature = model.temperature.map(|value| format!(", temperature {value}")).unwrap_or_default();
        add("model", format!("{}{temperature}", tier(model.tier)));
    }
    let (limit, whose) = match manifest.deadline_ms {
        Some(limit) => (limit, "its own limit"),
        None => (scene.network.limits.deadline_ms, "as the network says"),
    };
    add("limit", format!("{} s a run, {whose}", seconds(limit)));
    let params: Vec<String> = manifest.params.iter().map(|(name, value)| format!("{name} {}", brief(value))).collect();
    add("tuned by", excerpt(&params.join(", ")));
    add("file", format!("{}{dot}{}", text::clean(&program.path), program.hash.short()));
    if manifest.tests.is_empty() {
        return lines;
    }
    let tests = manifest.tests.len();
    let words = format!("{tests} of its own");
    lines.extend(labelled(scene, "tests", Role::Text, &words, width));
    lines
}

/// A parameter in a few words.
fn brief(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::String(words) => words.clone(),
        serde_json::Value::Array(all) => format!("({} values)", all.len()),
        serde_json::Value::Object(all) => format!("({} entries)", all.len()),
        serde_json::Value::Null | serde_json::Value::Bool(_) | serde_json::Value::Number(_) => value.to_string(),
    }
}

fn runs(scene: &Scene<'_>, program: &Program, mark: &crate::tui::panes::graph::marks::Mark) -> String {
    let tally = &mark.tally;
    if tally.activations == 0 {
        return "not yet in this session".to_owned();
    }
    if tally.failures == 0 {
        return format!("{}, none failed", tally.activations);
    }
    let last = scene.state.failures.iter().rev().take(256).find(|(_, name, _)| *name == program.name);
    let why = last.and_then(|(_, _, why)| why.lines().rfind(|line| !line.trim().is_empty())).map(excerpt);
    let why = why.map(|why| format!("; last: {why}")).unwrap_or_default();
    format!("{}, {} failed{why}", tally.activations, tally.failures)
}

/// Transitions out of it, likeliest first.
fn leads_to(scene: &Scene<'_>, program: &Program) -> String {
    let mut edges: Vec<_> = scene.network.edges_from(&program.name).collect();
    edges.sort_by(|a, b| b.prior.total_cmp(&a.prior));
    let words = edges.iter().map(|edge| format!("{} {}", text::clean(edge.to.as_str()), paint::share(edge.prior)));
    words.collect::<Vec<_>>().join(format!(" {} ", scene.glyphs.dot).as_str())
}

fn sections(sections: &[Section]) -> String {
    names(sections.iter().map(Section::as_str))
}

fn names<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<_> = names.map(text::clean).collect();
    names.join(", ")
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Prompt => "a prompt",
        Kind::Script => "a script",
        Kind::Model => "a small model",
        Kind::Room => "a room of two",
    }
}

fn tier(tier: Tier) -> &'static str {
    match tier {
        Tier::Fast => "the cheapest",
        Tier::Standard => "the standard one",
        Tier::Strong => "the most able",
    }
}

/// Milliseconds as seconds.
fn seconds(millis: u64) -> String {
    let (whole, rest) = (millis / 1000, millis % 1000);
    if rest == 0 { whole.to_string() } else { format!("{whole}.{}", format!("{rest:03}").trim_end_matches('0')) }
}

/// A number of runs.
pub(super) fn times(count: u32) -> String {
    if count == 1 { "1 run".to_owned() } else { format!("{count} runs") }
}

/// A bar of so many columns for a share of one.
pub(super) fn bar(scene: &Scene<'_>, share: f64, columns: usize) -> Vec<Span<'static>> {
    let sign = if scene.glyphs.ascii { "#" } else { "█" };
    let full = (0..columns).filter(|column| ratio(*column, columns) < share).count();
    vec![scene.span(Role::Accent, sign.repeat(full)), Span::raw(" ".repeat(columns.saturating_sub(full)))]
}

/// The middle of a column as a share of one.
fn ratio(column: usize, columns: usize) -> f64 {
    let whole = |count: usize| u32::try_from(count).map_or(f64::MAX, f64::from);
    (whole(column) + 0.5) / whole(columns).max(1.0)
}
