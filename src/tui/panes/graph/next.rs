//! Who runs next: in one line, and decided by the user.

use ratatui::text::{Line, Span};

use super::words::{excerpt, one_line};
use crate::model::{Choice, Command, Pace, Phase, ProgramName};
use crate::tui::action::Action;
use crate::tui::paint;
use crate::tui::pane::{Effect, Tone};
use crate::tui::scene::Scene;
use crate::tui::text;
use crate::tui::theme::Role;

/// Most candidates that the line names.
const NAMED: usize = 6;

/// The choices at the gate that is shown; none elsewhere.
pub(super) fn choices<'a>(scene: &Scene<'a>) -> &'a [Choice] {
    match scene.state.phase {
        Phase::Gate => scene.state.route.as_ref().map_or(&[], |route| route.choices.as_slice()),
        Phase::Idle | Phase::Starting | Phase::Running => &[],
    }
}

/// Programs that run, or that run next; where nothing does, those that ran last.
pub(super) fn active<'a>(scene: &Scene<'a>) -> Vec<&'a ProgramName> {
    match scene.state.phase {
        Phase::Running => scene.state.running.iter().rev().map(|run| &run.program).collect(),
        Phase::Gate => choices(scene).iter().flat_map(|choice| &choice.chosen).collect(),
        Phase::Idle | Phase::Starting => Vec::new(),
    }
}

/// Lets a program run next, or says why it may not.
pub(super) fn run_next(scene: &Scene<'_>, name: &ProgramName) -> Effect {
    let words = text::clean(name.as_str()).into_owned();
    if scene.looking {
        let key = key(Action::Live);
        return Effect::Say(
            Tone::Bad,
            format!("this is the past, where nothing can be chosen; {key} goes back to now"),
        );
    }
    match scene.state.phase {
        Phase::Idle => return Effect::Say(Tone::Bad, "nothing runs: ask a question first".to_owned()),
        Phase::Starting | Phase::Running => {
            let key = key(Action::Pause);
            return Effect::Say(
                Tone::Bad,
                format!("who runs next is chosen while the run stands still; {key} pauses it"),
            );
        }
        Phase::Gate => {}
    }
    let legal = || choices(scene).iter().filter(|choice| choice.candidates.iter().any(|other| other.program == *name));
    match legal().find(|choice| !choice.chosen.contains(name)) {
        Some(choice) => Effect::Send(Command::Route { task: choice.task.id, program: name.clone() }),
        None if legal().next().is_some() => {
            let key = key(Action::StepProgram);
            Effect::Say(Tone::Plain, format!("{words} runs next already; {key} lets it run"))
        }
        None => Effect::Say(Tone::Bad, format!("{words} may not run next: {}", why_not(scene, name))),
    }
}

/// Why a program is not among those that may run next.
pub(super) fn why_not(scene: &Scene<'_>, name: &ProgramName) -> String {
    let barred = choices(scene).iter().flat_map(|choice| &choice.barred).find(|(other, _)| other == name);
    if let Some((_, reason)) = barred {
        return excerpt(reason);
    }
    match scene.network.program(name) {
        None => return "it was removed from the network".to_owned(),
        Some(program) if !program.manifest.active => return "it is deactivated".to_owned(),
        Some(program) if !program.contract().is_routed() => {
            return format!("a {} acts only where the engine calls for it", program.contract());
        }
        Some(_) => {}
    }
    let mut last: Vec<&ProgramName> = choices(scene).iter().filter_map(|choice| choice.last.as_ref()).collect();
    last.dedup();
    if last.is_empty() {
        return "the entry of the network runs first".to_owned();
    }
    if last.contains(&name) && last.len() == 1 {
        return "it ran last, and no transition leads from it to itself".to_owned();
    }
    let names: Vec<_> = last.iter().map(|name| text::clean(name.as_str())).collect();
    format!("no transition leads to it from {}", names.join(" or "))
}

/// Cuts a line to so many columns, with a sign where something is left out.
pub(super) fn cut(scene: &Scene<'_>, line: Line<'static>, width: usize) -> Line<'static> {
    if line.width() <= width {
        return line;
    }
    let mut left = width.saturating_sub(text::width(scene.glyphs.more) + 1);
    let mut spans: Vec<Span<'static>> = Vec::new();
    for span in line.spans {
        let (kept, rest) = text::split_at(&span.content, left);
        left = left.saturating_sub(text::width(kept));
        spans.push(Span::styled(kept.to_owned(), span.style));
        if !rest.is_empty() {
            break;
        }
    }
    spans.push(scene.span(Role::Quiet, format!(" {}", scene.glyphs.more)));
    Line::from(spans)
}

/// One line about who runs, or runs next, and why.
pub(super) fn line(scene: &Scene<'_>) -> Line<'static> {
    let state = scene.state;
    let quiet = |words: String| scene.span(Role::Quiet, words);
    let looking = scene.looking.then(|| quiet(format!("the past ({} now) {} ", key(Action::Live), scene.glyphs.dot)));
    let mut spans: Vec<Span<'static>> = looking.into_iter().collect();
    match state.phase {
        Phase::Idle => match (&state.episode, scene.now.episode.is_some()) {
            (None, false) => spans.push(quiet("type a question and press Enter".to_owned())),
            (None, true) => spans.push(quiet("nothing ran yet".to_owned())),
            (Some(episode), _) => {
                let why = episode.outcome.as_ref().map_or("it is over", |outcome| outcome.halted.words());
                spans.extend([scene.span(Role::Strong, "over"), quiet(format!(": {why}"))]);
            }
        },
        Phase::Starting => spans.push(quiet("it is being decided who runs".to_owned())),
        Phase::Running => {
            let mut names: Vec<String> = Vec::new();
            for name in active(scene) {
                let name = text::clean(name.as_str()).into_owned();
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            names.reverse();
            spans.push(scene.span(Role::Running, format!("{} {}", scene.glyphs.runs, names.join(", "))));
            let cycle = state.cycle();
            spans.push(quiet(format!(" in cycle {cycle}{}", why(state.route.iter().flat_map(|route| &route.choices)))));
        }
        Phase::Gate => {
            spans.push(scene.span(Role::Strong, if state.pace == Pace::Paused { "next: " } else { "next " }));
            gate(scene, &mut spans);
        }
    }
    Line::from(spans)
}

fn gate(scene: &Scene<'_>, spans: &mut Vec<Span<'static>>) {
    let all = choices(scene);
    let several = all.len() > 1;
    let mut first = true;
    for choice in all {
        let shown = choice.candidates.iter().filter(|other| !several || choice.chosen.contains(&other.program));
        for candidate in shown.take(NAMED) {
            if !first {
                spans.push(scene.span(Role::Quiet, format!(" {} ", scene.glyphs.dot)));
            }
            first = false;
            let role = if choice.chosen.contains(&candidate.program) { Role::Running } else { Role::Text };
            spans.push(scene.span(role, text::clean(candidate.program.as_str()).into_owned()));
            spans.push(scene.span(Role::Accent, format!(" {}", paint::share(candidate.probability))));
            if several {
                spans.push(scene.span(Role::Quiet, format!(" for task {}", choice.task.id)));
            }
        }
    }
    if first {
        spans.push(scene.span(Role::Bad, "nobody may run"));
    }
    spans.push(scene.span(Role::Quiet, why(all.iter())));
}

/// The reason of the first choice that somebody runs by.
fn why<'a>(choices: impl Iterator<Item = &'a Choice>) -> String {
    let reason = choices.filter(|choice| !choice.chosen.is_empty()).map(|choice| choice.why.as_str()).next();
    reason.map(|why| format!(" — because {}", one_line(why))).unwrap_or_default()
}

/// The key that is shown for an action.
pub(super) fn key(action: Action) -> &'static str {
    action.entry().keys.first().copied().unwrap_or_default()
}
