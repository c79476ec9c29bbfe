//! Facts of the model in words for people.

use super::scene::Scene;
use super::streaming::{Call, Streaming};
use super::{brief, paint, text};
use crate::model::{Contribution, CreditMethod, PartState, State};

/// Between two facts on one line.
pub(super) fn dot(scene: &Scene<'_>) -> &'static str {
    if scene.glyphs.ascii { " - " } else { " · " }
}

/// A long dash.
pub(super) fn dash(scene: &Scene<'_>) -> &'static str {
    if scene.glyphs.ascii { "-" } else { "–" }
}

/// The change of J.
pub(super) fn delta(scene: &Scene<'_>) -> &'static str {
    if scene.glyphs.ascii { "dJ" } else { "ΔJ" }
}

/// The least gain that counts.
pub(super) fn epsilon(scene: &Scene<'_>) -> &'static str {
    if scene.glyphs.ascii { "eps" } else { "ε" }
}

/// Which way a change goes, as a sign.
pub(super) fn way(scene: &Scene<'_>, change: f64) -> &'static str {
    if change >= 0.005 {
        scene.glyphs.up
    } else if change <= -0.005 {
        scene.glyphs.down
    } else {
        "="
    }
}

/// Which model is asked, how much of its context the call takes, and what it wrote: `qwen at local  ~1.2k of 16.4k tokens (7%),
/// 312 written`.
pub(super) fn meter(call: &Call) -> String {
    let about = if call.estimated { "~" } else { "" };
    let total = call.input.saturating_add(call.output);
    let tokens = match call.context {
        Some(context) => {
            let share = total.saturating_mul(100) / context.max(1);
            format!("{about}{} of {} tokens ({share}%)", paint::short(total), paint::short(context))
        }
        None => format!("{about}{} tokens", paint::short(total)),
    };
    let written = paint::short(call.output);
    format!("{} at {}  {tokens}, {about}{written} written", text::clean(&call.model), text::clean(&call.endpoint))
}

/// What a program waits for: `waits 12 s: rate-limited by NAME`.
pub(super) fn waits(one: &Streaming, clock: u64) -> Option<String> {
    let waiting = one.waiting.as_ref()?;
    let why = text::clean(brief::head(&waiting.why, 400)).into_owned();
    Some(match waiting.until {
        Some(until) => format!("waits {} s: {why}", until.saturating_sub(clock).div_ceil(1000)),
        None => format!("waits: {why}"),
    })
}

/// `1 entry`, `2 entries`.
pub(super) fn count(number: usize, one: &str, many: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {many}") }
}

/// Where a part stands.
pub(super) fn part_state(state: PartState) -> &'static str {
    match state {
        PartState::Unanswered => "no answer yet",
        PartState::Refuted => "refuted",
        PartState::Withdrawn => "withdrawn",
        PartState::Answered => "answered, not verified",
        PartState::Corroborated => "corroborated",
        PartState::Proved => "proved",
    }
}

/// How credit was split.
pub(super) fn method(method: CreditMethod) -> &'static str {
    match method {
        CreditMethod::Raw => "one program ran, all of the change is its own",
        CreditMethod::Shapley => "Shapley value, exact",
        CreditMethod::PairwiseClosedForm => "mean of first in and last in",
        CreditMethod::LeaveOneOut => "change without it",
    }
}

/// What became of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// It stands.
    Stands,
    /// This entry replaced it.
    Replaced(u32),
    /// This entry showed that it is wrong.
    Withdrawn(u32),
    /// It was about an earlier question.
    Retired,
}

/// What became of an entry.
pub(super) fn standing(state: &State, entry: &Contribution) -> Standing {
    let Some(by) = state.memory.replaced_by(entry.id) else { return Standing::Stands };
    let later = state.memory.get(by);
    if later.is_some_and(|later| later.supersedes.contains(&entry.id)) {
        Standing::Replaced(by.0)
    } else if later.is_some_and(|later| later.about == Some(entry.id)) {
        Standing::Withdrawn(by.0)
    } else {
        Standing::Retired
    }
}

/// A span of time: `12 ms`, `3.4 s`, `2 min 5 s`, `3 h 20 min`.
pub(super) fn span(millis: u64) -> String {
    let seconds = millis / 1000;
    match seconds {
        0 => format!("{millis} ms"),
        1..60 => format!("{}.{} s", seconds, millis % 1000 / 100),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
    }
}

/// A number as short as it can be said: `12`, `0.25`, `1.3e9`.
pub(super) fn number(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e9 {
        format!("{value:.0}")
    } else if (1e-4..1e9).contains(&value.abs()) {
        let digits = format!("{value:.4}");
        digits.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        format!("{value:.2e}")
    }
}

/// Values as a line of bars, lowest to highest of them; a gap where there is none.
pub(super) fn sparkline(values: &[f64], low: f64, high: f64, ascii: bool) -> String {
    const FULL: [&str; 8] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];
    const ASCII: [&str; 8] = ["_", "_", ".", "-", "-", "=", "*", "#"];
    let signs = if ascii { ASCII } else { FULL };
    let sign = |value: &f64| {
        if !value.is_finite() {
            return " ";
        }
        let share = if high > low { ((value - low) / (high - low)).clamp(0.0, 1.0) } else { 0.5 };
        signs.get((share * 7.0).round() as usize).copied().unwrap_or(" ")
    };
    values.iter().map(sign).collect()
}

/// Clean words in quotation marks, cut to so many columns.
pub(super) fn quoted(words: &str, columns: usize) -> String {
    format!("\"{}\"", text::fit(&text::clean(words), columns.saturating_sub(2)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_times_are_short() {
        let numbers: Vec<String> = [3.0, 0.25, 0.1 + 0.2, -0.5, 1.5e12, 1e-9].map(number).to_vec();
        assert_eq!(numbers, ["3", "0.25", "0.3", "-0.5", "1.50e12", "1.00e-9"]);
        let spans = [12, 3_400, 125_000, 12_000_000].map(span);
        assert_eq!(spans, ["12 ms", "3.4 s", "2 min 5 s", "3 h 20 min"]);
        assert_eq!(sparkline(&[0.0, 0.5, f64::NAN, 1.0], 0.0, 1.0, false), "▁▅ █");
        assert_eq!(sparkline(&[2.0, 2.0], 2.0, 2.0, false), "▅▅");
    }
}
