//! The router X-ray: who runs next and why, who could, who may not, and what led to the last run.

use ratatui::text::{Line, Span};

use super::program::bar;
use super::{last_run, title, wrapped};
use crate::model::{Choice, Mode, ProgramName};
use crate::tui::paint;
use crate::tui::panes::graph::next::{choices, why_not};
use crate::tui::panes::graph::words::excerpt;
use crate::tui::scene::Scene;
use crate::tui::text;
use crate::tui::theme::Role;

/// Most columns of a bar.
const BAR: usize = 16;
/// Most programs of one list.
const LISTED: usize = 200;

/// The page.
pub(super) fn lines(scene: &Scene<'_>, name: &ProgramName, width: usize) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    let at_gate = choices(scene);
    let words = text::clean(name.as_str()).into_owned();
    if !at_gate.is_empty() {
        let legal = at_gate.iter().any(|choice| choice.candidates.iter().any(|other| other.program == *name));
        if !legal {
            let words = format!("why not {words}: {}", why_not(scene, name));
            lines.extend(wrapped(scene, Role::Unsure, &words, width));
            lines.push(Line::default());
        }
        for choice in at_gate {
            if at_gate.len() > 1 {
                let task = format!("task {}: {}", choice.task.id, excerpt(&choice.task.text));
                lines.push(title(scene, &text::fit(&task, width)));
            }
            lines.extend(decision(scene, choice, name, width));
            lines.push(Line::default());
        }
    }
    if let Some(run) = last_run::find(scene, name) {
        let when = run.cycle.map(|cycle| format!(" in cycle {cycle}")).unwrap_or_default();
        lines.push(title(scene, &text::fit(&format!("why {words} ran{when}"), width)));
        match run.choice {
            Some(choice) => lines.extend(decision(scene, choice, name, width)),
            None => lines.extend(wrapped(scene, Role::Quiet, "the engine called for it; it was not routed to", width)),
        }
    } else if lines.is_empty() {
        let words = "nobody stands at a gate, and it has not run: there is no decision to show yet";
        lines.extend(wrapped(scene, Role::Quiet, words, width));
    }
    lines
}

/// One decision, with its whole distribution.
fn decision(scene: &Scene<'_>, choice: &Choice, name: &ProgramName, width: usize) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    let chosen: Vec<_> = choice.chosen.iter().map(|name| text::clean(name.as_str())).collect();
    let who = if chosen.is_empty() { "nobody".to_owned() } else { chosen.join(", ") };
    let why = excerpt(&choice.why);
    lines.extend(wrapped(scene, Role::Text, &format!("{who}: {why}"), width));
    let by = match (&choice.rule, choice.overridden) {
        (_, true) => "chosen by you".to_owned(),
        (Some(rule), false) => format!("a rule says {}", text::clean(&rule.to_string())),
        (None, false) => "no rule; by prior, and by what the last one asked for".to_owned(),
    };
    let after = choice.last.as_ref().map(|last| format!("after {}, ", text::clean(last.as_str())));
    lines.extend(wrapped(scene, Role::Quiet, &format!("{}{by}", after.unwrap_or_default()), width));
    if !choice.candidates.is_empty() {
        lines.extend(distribution(scene, choice, name, width));
        lines.extend(wrapped(scene, Role::Quiet, &spread(choice, scene), width));
    }
    for (other, reason) in choice.barred.iter().take(LISTED) {
        let role = if other == name { Role::Text } else { Role::Quiet };
        let words = format!("{} {}: {}", scene.glyphs.failed, text::clean(other.as_str()), excerpt(reason));
        lines.extend(wrapped(scene, role, &words, width));
    }
    lines
}

/// Candidates with bars, likeliest first.
fn distribution(scene: &Scene<'_>, choice: &Choice, name: &ProgramName, width: usize) -> Vec<Line<'static>> {
    let longest = choice.candidates.iter().map(|other| text::width(&text::clean(other.program.as_str()))).max();
    let with_parts = width >= 50;
    let parts = if with_parts { 26 } else { 0 };
    let label = longest.unwrap_or(0).min(width.saturating_sub(8 + parts) / 2).max(4);
    let columns = width.saturating_sub(label + 9 + parts).min(BAR);
    let line = |other: &crate::model::Candidate| {
        let chosen = choice.chosen.contains(&other.program);
        let role = match (chosen, other.program == *name) {
            (true, _) => Role::Running,
            (false, true) => Role::Strong,
            (false, false) => Role::Text,
        };
        let sign = if chosen { scene.glyphs.runs } else { " " };
        let mut spans = vec![scene.span(Role::Running, format!("{sign} "))];
        spans.push(scene.span(role, text::pad(&text::clean(other.program.as_str()), label)));
        spans.push(Span::raw(" "));
        spans.extend(bar(scene, other.probability, columns));
        spans.push(scene.span(Role::Strong, format!(" {:>4}", paint::share(other.probability))));
        if with_parts {
            let words = format!("  prior {:>3}  weight {:.2}", paint::share(other.prior), other.weight);
            spans.push(scene.span(Role::Quiet, words));
        }
        if !other.declared {
            spans.push(scene.span(Role::Unsure, " undeclared"));
        }
        Line::from(spans)
    };
    choice.candidates.iter().take(LISTED).map(line).collect()
}

/// How open the decision was.
fn spread(choice: &Choice, scene: &Scene<'_>) -> String {
    let shares = choice.candidates.iter().map(|other| other.probability).filter(|share| *share > 0.0);
    let entropy: f64 = shares.map(|share| -share * share.ln()).sum();
    let count = choice.candidates.len();
    let most = u32::try_from(count).map_or(0.0, |count| f64::from(count).ln());
    let mode = match scene.state.route.as_ref().map(|route| route.mode).unwrap_or_default() {
        Mode::Agent => "by what programs ask for",
        Mode::Rules => "by rules and priors",
        Mode::Bandit => "by learned values",
        Mode::Reinforce => "by a learned policy",
    };
    // A certain choice has minus zero.
    format!("entropy {:.2} nats of at most {most:.2}, over {count}; decided {mode}", entropy.abs())
}
