//! What a program did when it last ran.

use std::io::Write;
use std::sync::Arc;

use ratatui::text::{Line, Span};
use serde_json::Value;

use super::{labelled, title, wrapped};
use crate::model::{ActivationId, CallRecord, Choice, Contribution, Cycle, Event, Hash, ProgramName, Task};
use crate::tui::panes::graph::marks::REACH;
use crate::tui::panes::graph::words::{excerpt, one_line};
use crate::tui::scene::Scene;
use crate::tui::text;
use crate::tui::theme::Role;

/// Most calls that are listed.
const CALLS: usize = 60;
/// Most entries that are listed.
const ENTRIES: usize = 20;
/// Most lines of one entry, of one failure, or of a monologue.
const LINES: usize = 12;
/// Most bytes of an argument or result that are written out.
const BYTES: usize = 200;

/// One run, as the events tell it.
pub(super) struct Run<'a> {
    activation: ActivationId,
    task: &'a Task,
    view: &'a Hash,
    aside: bool,
    /// The cycle in which it was.
    pub(super) cycle: Option<Cycle>,
    /// The decision that led to it.
    pub(super) choice: Option<&'a Choice>,
    wrote: Vec<&'a Arc<Contribution>>,
    calls: Vec<&'a Arc<CallRecord>>,
    more_calls: usize,
    failure: Option<&'a str>,
    thoughts: Vec<&'a str>,
}

/// Finds the last run at or before the moment shown; looks through a bounded number of events.
pub(super) fn find<'a>(scene: &Scene<'a>, name: &ProgramName) -> Option<Run<'a>> {
    let events = scene.timeline.events();
    let events = events.get(..events.partition_point(|envelope| envelope.seq <= scene.state.seq))?;
    let reach = events.get(events.len().saturating_sub(REACH)..)?;
    let at = reach
        .iter()
        .rposition(|envelope| matches!(&envelope.event, Event::Activated { program, .. } if program == name))?;
    let mut run = match &reach.get(at)?.event {
        Event::Activated { activation, task, view, aside, .. } => Run {
            activation: *activation,
            task,
            view,
            aside: *aside,
            cycle: None,
            choice: None,
            wrote: Vec::new(),
            calls: Vec::new(),
            more_calls: 0,
            failure: None,
            thoughts: Vec::new(),
        },
        _ => return None,
    };
    for envelope in reach.get(..at)?.iter().rev() {
        match &envelope.event {
            Event::CycleBegan { cycle } if run.cycle.is_none() => run.cycle = Some(*cycle),
            Event::Routed { choices, .. } if !run.aside => {
                let chose = |choice: &&Choice| choice.chosen.contains(name) && choice.task.id == run.task.id;
                run.choice = choices.iter().find(chose);
                break;
            }
            Event::EpisodeStarted { .. } => break,
            _ => {}
        }
    }
    for envelope in reach.get(at + 1..)? {
        match &envelope.event {
            Event::CycleBegan { .. } | Event::EpisodeStarted { .. } => break,
            Event::Contributed { contribution } if contribution.activation == Some(run.activation) => {
                run.wrote.push(contribution);
            }
            Event::ToolReturned { activation, call } if *activation == run.activation => {
                if run.calls.len() < CALLS {
                    run.calls.push(call);
                } else {
                    run.more_calls += 1;
                }
            }
            Event::Failed { activation, error, .. } if *activation == run.activation => run.failure = Some(error),
            Event::Monologue { entry } if entry.program == *name => run.thoughts.push(&entry.text),
            _ => {}
        }
    }
    Some(run)
}

/// The page.
pub(super) fn lines(scene: &Scene<'_>, name: &ProgramName, width: usize) -> Vec<Line<'static>> {
    let Some(run) = find(scene, name) else {
        let ran = scene.state.tallies.get(name).is_some_and(|tally| tally.activations > 0);
        let words = if ran { "its last run is too long ago to be shown here" } else { "it has not run yet" };
        return wrapped(scene, Role::Quiet, words, width);
    };
    let mut lines = Vec::new();
    let when = match (run.aside, run.cycle) {
        (true, _) => "beside the routed sequence".to_owned(),
        (false, Some(cycle)) => format!("in cycle {cycle}"),
        (false, None) => "before the first cycle".to_owned(),
    };
    lines.extend(labelled(scene, "ran", Role::Text, &when, width));
    lines.extend(labelled(scene, "task", Role::Text, &excerpt(&run.task.text), width));
    lines.extend(labelled(scene, "saw", Role::Text, &format!("view {}", run.view.short()), width));
    if let Some(error) = run.failure {
        lines.extend(failure(scene, error, width));
    }
    lines.extend([Line::default(), title(scene, "wrote")]);
    if run.wrote.is_empty() {
        lines.extend(wrapped(scene, Role::Quiet, "nothing", width));
    }
    for entry in run.wrote.iter().take(ENTRIES) {
        let section = text::clean(entry.section.as_str());
        let words = excerpt(&entry.text);
        lines.extend(labelled(scene, &section, Role::Text, &words, width).into_iter().take(LINES));
    }
    if run.wrote.len() > ENTRIES {
        lines.extend(wrapped(scene, Role::Quiet, &format!("and {} more", run.wrote.len() - ENTRIES), width));
    }
    if !run.calls.is_empty() {
        let count = run.calls.len() + run.more_calls;
        lines.extend([Line::default(), title(scene, &format!("called tools, {count} times"))]);
        lines.extend(run.calls.iter().map(|call| tool(scene, call, width)));
        if run.more_calls > 0 {
            lines.extend(wrapped(scene, Role::Quiet, &format!("and {} more", run.more_calls), width));
        }
    }
    if !run.thoughts.is_empty() {
        lines.extend([Line::default(), title(scene, "reasoned")]);
        let thoughts = run.thoughts.iter().flat_map(|thought| wrapped(scene, Role::Quiet, &excerpt(thought), width));
        lines.extend(thoughts.take(LINES));
    }
    lines
}

fn failure(scene: &Scene<'_>, error: &str, width: usize) -> Vec<Line<'static>> {
    let last: Vec<&str> = error.lines().rev().filter(|line| !line.trim().is_empty()).take(LINES).collect();
    let mut lines = vec![Line::default(), Line::from(scene.span(Role::Bad, format!("{} failed", scene.glyphs.failed)))];
    lines.extend(last.iter().rev().flat_map(|line| wrapped(scene, Role::Text, &excerpt(line), width)));
    lines
}

/// A call in one line: `tool(arguments) → result`.
fn tool(scene: &Scene<'_>, call: &CallRecord, width: usize) -> Line<'static> {
    let (result, role) = match &call.result {
        Ok(value) => (written(value), Role::Text),
        Err(error) => (format!("{} {}", scene.glyphs.failed, one_line(error)), Role::Bad),
    };
    let name = text::clean(&call.tool).into_owned();
    let args = match &call.args {
        Value::Array(all) => all.iter().take(8).map(written).collect::<Vec<_>>().join(", "),
        other => written(other),
    };
    let arrow = format!(" {} ", scene.glyphs.to);
    let room = width.saturating_sub(text::width(&name) + 2 + text::width(&arrow));
    // The result gets at least half of the room; the arguments what is left.
    let result = text::fit(&result, room.saturating_sub(text::width(&args)).max(room / 2)).into_owned();
    let args = text::fit(&args, room.saturating_sub(text::width(&result))).into_owned();
    Line::from(vec![
        scene.span(Role::CodeFunction, name),
        scene.span(Role::Quiet, format!("({args})")),
        scene.span(Role::Quiet, arrow),
        Span::styled(result, scene.style(role)),
    ])
}

/// A value as text, no more of it than can be seen.
fn written(value: &Value) -> String {
    if let Value::String(words) = value {
        return one_line(words);
    }
    let mut bounded = Bounded(Vec::new());
    // An error only says that there is more of it than fits.
    let whole = serde_json::to_writer(&mut bounded, value).is_ok();
    let words = String::from_utf8_lossy(&bounded.0);
    if whole { text::clean(&words).into_owned() } else { format!("{}…", text::clean(&words)) }
}

struct Bounded(Vec<u8>);

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let room = BYTES.saturating_sub(self.0.len()).min(bytes.len());
        self.0.extend(bytes.iter().take(room));
        Ok(room)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
