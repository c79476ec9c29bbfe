//! What one event says, as lines of a given width.

use std::sync::Arc;

use ratatui::text::{Line, Span};

use crate::model::{CallRecord, Choice, Contribution, Envelope, Event, GateResult, ProposalStatus};
use crate::tui::scene::Scene;
use crate::tui::theme::Role;
use crate::tui::{brief, paint, text};

/// Most lines of one event.
const MOST: usize = 12;
/// Most calls of one tool that are told in one line.
const FOLDED: usize = 64;
/// Columns of arguments and of a result.
const VALUE: usize = 60;

/// How calls of tools are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tools {
    /// Calls of one tool in a row are one line.
    Short,
    /// Each is a line.
    Every,
    /// Not at all.
    None,
}

/// What is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shown {
    /// Calls of tools.
    pub(super) tools: Tools,
    /// What programs reason aloud.
    pub(super) thoughts: bool,
}

/// The lines of the event at a place; none for events that say nothing here.
pub(super) fn lines(scene: &Scene<'_>, at: usize, shown: Shown, columns: usize) -> Vec<Line<'static>> {
    let Some(envelope) = scene.timeline.events().get(at) else { return Vec::new() };
    let glyphs = scene.glyphs;
    let say = |lead: &str, tone: Role, words: &str, role: Role| said(scene, lead, tone, words, role, columns);
    let clean = |words: &str| text::clean(words).into_owned();
    match &envelope.event {
        Event::EpisodeStarted { number, query } => {
            let mut found = if *number > 1 { vec![Line::default()] } else { Vec::new() };
            found.extend(say(&format!("question {number}  "), Role::Accent, &query.text, Role::Strong));
            found
        }
        Event::CycleBegan { cycle } => vec![header(scene, &format!("cycle {cycle}"), columns)],
        Event::Activated { program, contract, task, aside, .. } => {
            let beside = if *aside { " beside the run" } else { "" };
            let about = if task.id.0 == 0 { String::new() } else { format!(", on: {}", clean(&task.text)) };
            let words = format!("{} ({contract}) runs{beside}{about}", clean(program.as_str()));
            say(&format!("{} ", glyphs.runs), Role::Running, &words, Role::Text)
        }
        Event::ToolReturned { .. } if shown.tools != Tools::None => call(scene, at, shown.tools, columns),
        Event::Contributed { contribution } => wrote(scene, contribution, None, columns),
        Event::MemoryEdited { contribution, .. } => wrote(scene, contribution, Some("you wrote "), columns),
        Event::Monologue { entry } if shown.thoughts => {
            say(&format!("  {} thinks: ", clean(entry.program.as_str())), Role::Quiet, &entry.text, Role::Quiet)
        }
        Event::Scored { score, delta, withdrawn, .. } => {
            let mut spans = vec![Span::raw("  "), scene.span(Role::Strong, format!("J {}", paint::share(score.mean)))];
            if delta.abs() >= 0.005 {
                spans.push(scene.span(paint::tone(*delta), format!(" {}", paint::signed(*delta))));
            }
            let reasons: Vec<&str> =
                score.parts.iter().map(|part| part.why.as_str()).filter(|why| !why.is_empty()).collect();
            if !reasons.is_empty() {
                spans.push(scene.span(Role::Quiet, format!("  {}", clean(&reasons.join("; ")))));
            }
            let mut found = vec![paint::cut(spans, columns)];
            for (value, by) in withdrawn {
                found.extend(say("  ", Role::Text, &format!("#{value} is withdrawn because of #{by}"), Role::Unsure));
            }
            found
        }
        // A strand that waits for the others says nothing.
        Event::Routed { choices, .. } => {
            let goes = choices.iter().filter(|choice| !choice.chosen.is_empty());
            goes.map(|choice| paint::cut(routed(scene, choice), columns)).collect()
        }
        Event::Failed { program, error, .. } => {
            let lead = format!("{} {} failed: ", glyphs.failed, clean(program.as_str()));
            say(&lead, Role::Bad, error, Role::Text)
        }
        Event::Asked { program, text: asks, .. } => {
            say(&format!("{} {} asks: ", glyphs.waits, clean(program.as_str())), Role::Unsure, asks, Role::Strong)
        }
        Event::Answered { text: words, .. } => say("you answered: ", Role::Accent, words, Role::Text),
        Event::Permission { permission } => {
            let what = match permission.granted {
                None => "asks leave",
                Some(true) => "may",
                Some(false) => "may not",
            };
            let lead = format!("{} {} {what}: ", glyphs.waits, clean(permission.program.as_str()));
            say(&lead, Role::Unsure, &permission.what, Role::Text)
        }
        Event::Said { text: words } => say("you said: ", Role::Accent, words, Role::Text),
        Event::Noted { text: words, cycle } => {
            say(&format!("note at cycle {cycle}: "), Role::Unsure, words, Role::Text)
        }
        Event::Rated { rating } => {
            let words = if *rating > 0.0 { "good" } else { "bad" };
            say("you rated the answer: ", Role::Accent, words, Role::Text)
        }
        Event::ProposalRaised { proposal } => {
            say(&format!("{} {} proposes ", glyphs.waits, proposal.author), Role::Unsure, &proposal.title, Role::Text)
        }
        Event::GateProgress { gate, result, .. } => {
            let (word, role) = match result {
                GateResult::Passed(_) => ("passed", Role::Good),
                GateResult::Failed(_) => ("failed", Role::Bad),
                GateResult::Indecisive(_) => ("cannot say", Role::Unsure),
            };
            say(&format!("  gate {}: {word}  ", gate.words()), role, result.why(), Role::Quiet)
        }
        Event::ProposalDecided { id, status, decision } => {
            let what = match status {
                ProposalStatus::Open => "waits".to_owned(),
                ProposalStatus::Accepted(revision) => format!("is accepted as revision {}", revision.short()),
                ProposalStatus::Rejected(_) => "is turned down".to_owned(),
            };
            let why = if decision.reason.is_empty() { String::new() } else { format!(": {}", clean(&decision.reason)) };
            say("  ", Role::Text, &format!("{id} {what} by {}{why}", decision.by), Role::Text)
        }
        Event::ProposalReopened { id, by } => {
            say("  ", Role::Text, &format!("{id} waits again: {by} took the decision back"), Role::Text)
        }
        Event::Revised { revision } => say(
            &format!("{} revision {}: ", glyphs.revision, revision.number),
            Role::Unsure,
            &revision.title,
            Role::Text,
        ),
        Event::SupervisorActed { action, why } => {
            say(&format!("the supervisor: {} ", clean(action)), Role::Unsure, why, Role::Text)
        }
        Event::Paused { why } => say("it stands still: ", Role::Unsure, why, Role::Text),
        Event::Resumed { rewound_to: Some(_) } => {
            say("  ", Role::Text, "taken up again; the open step is done anew", Role::Quiet)
        }
        Event::Warned { text: words } => say(&format!("{} ", glyphs.objection), Role::Bad, words, Role::Text),
        Event::Halted { reason, why } => {
            let lead = format!("{} {}: ", glyphs.stop, reason.words().split(':').next().unwrap_or_default());
            say(&lead, Role::Strong, why, Role::Text)
        }
        Event::EpisodeEnded { outcome } => {
            let answer = outcome.answer.as_deref().or(outcome.message.as_deref()).unwrap_or("no answer");
            let (sign, role) = if outcome.verified { (glyphs.done, Role::Good) } else { (glyphs.waits, Role::Unsure) };
            say(&format!("{sign} "), role, answer, Role::Strong)
        }
        Event::SessionStarted { .. }
        | Event::SessionEnded {}
        | Event::Delta { .. }
        | Event::ToolCalled { .. }
        | Event::ToolReturned { .. }
        | Event::Monologue { .. }
        | Event::Credited { .. }
        | Event::PolicyUpdated { .. }
        | Event::WorkspaceChanged { .. }
        | Event::BreakpointsSet { .. }
        | Event::WatchesSet { .. }
        | Event::ApprovalSet { .. }
        | Event::BudgetSet { .. }
        | Event::BudgetUsed { .. }
        | Event::Resumed { rewound_to: None }
        | Event::Foreign { .. } => Vec::new(),
    }
}

/// Foreign words after a foreign lead, wrapped under themselves.
pub(super) fn said(
    scene: &Scene<'_>,
    lead: &str,
    tone: Role,
    words: &str,
    role: Role,
    columns: usize,
) -> Vec<Line<'static>> {
    let lead = text::clean(lead);
    let lead = text::fit(&lead, columns.saturating_sub(8).max(4)).into_owned();
    let indent = text::width(&lead).min(columns / 3);
    let mut found: Vec<Line<'static>> = Vec::new();
    // A text of any length costs no more than what is shown of it.
    let bounded: String = words.chars().take(MOST * columns.max(20) * 2).collect();
    let mut cut_short = bounded.len() < words.len();
    'all: for piece in bounded.lines() {
        let piece = text::clean(piece);
        let first = columns.saturating_sub(if found.is_empty() { text::width(&lead) } else { indent });
        for line in text::wrap(&piece, first.max(8)) {
            if found.len() == MOST {
                cut_short = true;
                break 'all;
            }
            let start = if found.is_empty() { scene.span(tone, lead.clone()) } else { Span::raw(" ".repeat(indent)) };
            found.push(Line::from(vec![start, scene.span(role, line)]));
        }
    }
    if found.is_empty() {
        found.push(Line::from(scene.span(tone, lead)));
    }
    if cut_short && let Some(last) = found.last_mut() {
        last.spans.push(scene.span(Role::Quiet, format!(" {}", scene.glyphs.more)));
    }
    found
}

fn wrote(scene: &Scene<'_>, contribution: &Arc<Contribution>, by: Option<&str>, columns: usize) -> Vec<Line<'static>> {
    let section = text::clean(contribution.section.as_str()).into_owned();
    let lead = format!("  {}{section} #{}  ", by.unwrap_or_default(), contribution.id);
    said(scene, &lead, Role::Accent, &contribution.text, Role::Text, columns)
}

/// A call with its result; calls of the same tool in a row are one line.
fn call(scene: &Scene<'_>, at: usize, tools: Tools, columns: usize) -> Vec<Line<'static>> {
    let events = scene.timeline.events();
    let same = |place: Option<usize>, of: &Envelope| {
        let (Event::ToolReturned { activation, call }, Some(other)) = (&of.event, place.and_then(|at| events.get(at)))
        else {
            return false;
        };
        matches!(&other.event, Event::ToolReturned { activation: its, call: other }
            if its == activation && other.tool == call.tool && other.result.is_ok() == call.result.is_ok())
    };
    let Some(envelope) = events.get(at) else { return Vec::new() };
    let Event::ToolReturned { call, .. } = &envelope.event else { return Vec::new() };
    if call.tool == CallRecord::MODEL {
        return vec![paint::cut(vec![scene.span(Role::Quiet, format!("    {}", asked(call)))], columns)];
    }
    if tools == Tools::Short && same(Some(at + 2), envelope) {
        return Vec::new();
    }
    let folded = if tools == Tools::Short { FOLDED } else { 1 };
    let times = (1..folded).take_while(|back| same(at.checked_sub(2 * back), envelope)).count() + 1;
    vec![called(scene, call, times, columns)]
}

/// A call with its result, which was the last of several.
pub(super) fn called(scene: &Scene<'_>, call: &CallRecord, times: usize, columns: usize) -> Line<'static> {
    let tool = text::clean(&call.tool).into_owned();
    let times = if times > 1 { format!(" ×{times}, last") } else { String::new() };
    let mut spans = vec![
        scene.span(Role::Quiet, format!("    {tool}{times}")),
        scene.span(Role::Quiet, format!("({}) ", text::clean(&brief::arguments(&call.args, VALUE)))),
        scene.span(Role::Quiet, format!("{} ", scene.glyphs.to)),
    ];
    spans.push(match &call.result {
        Ok(value) => scene.span(Role::Text, text::clean(&brief::inline(value, VALUE)).into_owned()),
        Err(why) => scene.span(Role::Bad, format!("failed: {}", text::clean(why))),
    });
    paint::cut(spans, columns)
}

/// What a call of a model took, in words.
fn asked(call: &CallRecord) -> String {
    let Ok(reply) = &call.result else { return "the model gave no answer".to_owned() };
    let name = |field: &str| text::clean(reply[field].as_str().unwrap_or("?")).into_owned();
    let count = |field: &str| reply["tokens"][field].as_u64().unwrap_or_default();
    let about = if reply["tokens"]["estimated"].as_bool() == Some(true) { "~" } else { "" };
    let cost = reply["dollars"].as_f64().map_or_else(|| "$?".to_owned(), paint::dollars);
    let (model, endpoint) = (name("model"), name("endpoint"));
    format!("{model} at {endpoint}: {about}{} tokens in, {about}{} out, {cost}", count("input"), count("output"))
}

fn routed(scene: &Scene<'_>, choice: &Choice) -> Vec<Span<'static>> {
    let mut spans = vec![scene.span(Role::Quiet, "  next ")];
    for (index, program) in choice.chosen.iter().enumerate() {
        let share = choice.candidates.iter().find(|candidate| candidate.program == *program);
        let share = share.map_or(String::new(), |candidate| format!(" {}", paint::share(candidate.probability)));
        let comma = if index > 0 { ", " } else { "" };
        spans.push(scene.span(Role::Text, format!("{comma}{}{share}", text::clean(program.as_str()))));
    }
    spans.push(scene.span(Role::Quiet, format!("  {}", text::clean(&choice.why))));
    spans
}

fn header(scene: &Scene<'_>, title: &str, columns: usize) -> Line<'static> {
    let bar = scene.glyphs.lines[0];
    let rest = columns.saturating_sub(text::width(title) + 4);
    Line::from(vec![
        scene.span(Role::Border, bar.repeat(2)),
        scene.span(Role::Quiet, format!(" {title} ")),
        scene.span(Role::Border, bar.repeat(rest)),
    ])
}
