//! What each event says, as lines.

use std::sync::Arc;

use super::calls::answered;
use crate::model::{Choice, Contribution, Envelope, Event, GateResult, Outcome, Proposal, ProposalStatus, Score};
use crate::tui::brief;
use crate::tui::code::CodeLine;
use crate::tui::page::{fitted, wrapped};
use crate::tui::paint::{share, signed, tone};
use crate::tui::panes::memory::author;
use crate::tui::scene::Scene;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::words;

/// Bytes of one text that are looked at.
const TEXT: usize = 2 << 10;
/// Lines of one text that are shown.
const LINES: usize = 8;
/// Lines at the end of a failure that are shown; the last says what is wrong.
const TRACE: usize = 8;
/// Events between a choice and the cycle that it is for at most.
const NEAR: usize = 16;

/// How calls of tools are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Calls {
    /// Those of one tool in a row are one line.
    #[default]
    Folded,
    /// A line each.
    Each,
    /// Not at all.
    Hidden,
}

/// What is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Show {
    /// Calls of tools.
    pub(super) calls: Calls,
    /// What programs reason aloud.
    pub(super) thoughts: bool,
}

/// Writes lines for one width.
pub(super) struct Out<'s, 'a> {
    pub(super) scene: &'s Scene<'a>,
    pub(super) width: usize,
    pub(super) lines: Vec<CodeLine>,
}

/// The lines of one event, as wide as given; none where it says nothing.
pub(super) fn lines(scene: &Scene<'_>, events: &[Arc<Envelope>], at: usize, show: Show, width: usize) -> Vec<CodeLine> {
    let mut out = Out { scene, width: width.max(4), lines: Vec::new() };
    if let Some(envelope) = events.get(at) {
        out.event(&envelope.event, events, at, show);
    }
    out.lines
}

/// Whether an event says anything, without the work of saying it.
pub(super) fn speaks(event: &Event, show: Show) -> bool {
    match event {
        Event::Delta { .. } | Event::ToolCalled { .. } | Event::SessionEnded {} | Event::Foreign { .. } => false,
        Event::ToolReturned { .. } => show.calls != Calls::Hidden,
        Event::Monologue { .. } => show.thoughts,
        Event::Activated { task, aside, .. } => *aside || task.id.0 != 0,
        Event::Credited { credit, .. } => credit.shares.len() > 1,
        Event::BudgetUsed { .. } | Event::PolicyUpdated { .. } | Event::WorkspaceChanged { .. } => false,
        Event::Resumed { rewound_to } => rewound_to.is_some(),
        Event::BreakpointsSet { .. } | Event::WatchesSet { .. } => false,
        Event::SessionStarted { .. }
        | Event::EpisodeStarted { .. }
        | Event::CycleBegan { .. }
        | Event::Routed { .. }
        | Event::Contributed { .. }
        | Event::Scored { .. }
        | Event::Asked { .. }
        | Event::Answered { .. }
        | Event::Permission { .. }
        | Event::Said { .. }
        | Event::ProposalRaised { .. }
        | Event::GateProgress { .. }
        | Event::ProposalDecided { .. }
        | Event::Revised { .. }
        | Event::MemoryEdited { .. }
        | Event::SupervisorActed { .. }
        | Event::Noted { .. }
        | Event::Rated { .. }
        | Event::ApprovalSet { .. }
        | Event::BudgetSet { .. }
        | Event::Paused { .. }
        | Event::Warned { .. }
        | Event::Failed { .. }
        | Event::Halted { .. }
        | Event::EpisodeEnded { .. } => true,
    }
}

impl Out<'_, '_> {
    fn event(&mut self, event: &Event, events: &[Arc<Envelope>], at: usize, show: Show) {
        let glyphs = self.scene.glyphs;
        let dot = words::dot(self.scene);
        if let Event::ToolCalled { activation, tool, args } = event {
            if show.calls != Calls::Hidden && !answered(events, at, *activation) {
                self.call(tool, args, "");
            }
            return;
        }
        if !speaks(event, show) {
            return;
        }
        match event {
            Event::SessionStarted { pins, .. } => {
                let parent = pins.parent.as_ref();
                let from =
                    parent.map_or(String::new(), |(id, cycle)| format!(", forked from {id} after cycle {cycle}"));
                self.quiet(0, &format!("session {} of the network {}{from}", pins.session, pins.network));
            }
            Event::EpisodeStarted { number, query } => {
                self.rule(&format!("episode {number}"), Role::Strong);
                self.text(Role::Strong, "you  ", &query.text, 5);
                for part in query.parts.iter().take(12).filter(|_| query.parts.len() > 1) {
                    self.quiet(2, &format!("part {}  {}", part.id, brief::head(&part.text, 400)));
                }
            }
            Event::CycleBegan { cycle } => {
                let who = ran(events, at, times(self.scene));
                let who = if who.is_empty() { who } else { format!("{dot}{who}") };
                self.rule(&format!("cycle {cycle}{who}"), Role::Accent);
            }
            Event::Routed { choices, .. } => {
                for choice in choices.iter().take(8) {
                    self.route(choice);
                }
            }
            Event::Activated { program, task, aside, .. } => {
                let name = text::clean(program.as_str());
                let beside = if *aside { format!("{dot}beside the cycle") } else { String::new() };
                let task =
                    if task.id.0 == 0 { String::new() } else { format!("{dot}{}", brief::head(&task.text, 300)) };
                self.quiet(2, &format!("{} {name}{beside}{task}", glyphs.runs));
            }
            Event::Contributed { contribution } => self.wrote("+", contribution),
            Event::MemoryEdited { contribution, .. } => self.wrote("~", contribution),
            Event::Monologue { entry } => {
                let name = text::clean(entry.program.as_str()).into_owned();
                self.text(Role::Quiet, &format!("  {name} thinks: "), &entry.text, 4);
            }
            Event::ToolReturned { activation, call } => self.returned(events, at, *activation, call, show),
            Event::Scored { score, delta, withdrawn, .. } => {
                self.scored(score, *delta);
                for (value, by) in withdrawn.iter().take(LINES) {
                    self.say(2, vec![(Role::Bad, format!("- #{value} withdrawn, shown wrong by #{by}"))], 2);
                }
            }
            Event::Credited { credit, .. } => {
                let shares: Vec<String> = credit
                    .shares
                    .iter()
                    .take(16)
                    .map(|share| format!("{} {}", text::clean(share.program.as_str()), signed(share.phi).trim()))
                    .collect();
                self.quiet(2, &format!("credit  {}", shares.join(dot)));
            }
            Event::Asked { program, text, .. } => {
                let name = text::clean(program.as_str()).into_owned();
                self.text(Role::Unsure, &format!("  {} {name} asks: ", glyphs.waits), text, 4);
            }
            Event::Answered { text, .. } => self.text(Role::Strong, "you  ", text, 5),
            Event::Said { text } => self.text(Role::Strong, "you  ", text, 5),
            Event::Permission { permission } => {
                let name = text::clean(permission.program.as_str()).into_owned();
                let (role, what) = match permission.granted {
                    None => (Role::Unsure, "wants leave: "),
                    Some(true) => (Role::Good, "was granted: "),
                    Some(false) => (Role::Bad, "was refused: "),
                };
                self.text(role, &format!("  {name} {what}"), &permission.what, 4);
            }
            Event::ProposalRaised { proposal } => self.proposed(proposal),
            Event::GateProgress { gate, result, .. } => {
                let (role, sign) = match result {
                    GateResult::Passed(_) => (Role::Good, glyphs.done),
                    GateResult::Failed(_) => (Role::Bad, glyphs.failed),
                    GateResult::Indecisive(_) => (Role::Unsure, glyphs.waits),
                };
                let why = text::clean(brief::head(result.why(), TEXT)).into_owned();
                self.say(4, vec![(role, sign.to_owned()), (Role::Quiet, format!(" gate {}: {why}", gate.words()))], 2);
            }
            Event::ProposalDecided { id, decision, status } => {
                let (role, words) = match status {
                    ProposalStatus::Open => (Role::Unsure, "waits again"),
                    ProposalStatus::Accepted(_) => (Role::Good, "accepted"),
                    ProposalStatus::Rejected(_) => (Role::Bad, "turned down"),
                };
                let reason = brief::head(&decision.reason, TEXT);
                let reason = if reason.is_empty() { String::new() } else { format!(": {}", text::clean(reason)) };
                self.say(2, vec![(role, format!("{id} {words}")), (Role::Quiet, reason)], 2);
            }
            Event::Revised { revision } => {
                let title = text::clean(brief::head(&revision.title, TEXT)).into_owned();
                let name = format!("{} revision {}", glyphs.revision, revision.number);
                self.say(0, vec![(Role::Accent, name), (Role::Text, format!("  {title}"))], 2);
            }
            Event::SupervisorActed { action, why } => {
                self.text(Role::Unsure, "  the supervisor: ", &format!("{action}: {why}"), 4);
            }
            Event::Noted { text, .. } => self.text(Role::Accent, "\" ", text, 2),
            Event::Rated { rating } => {
                self.quiet(0, if *rating >= 0.0 { "you found the answer good" } else { "you found the answer bad" });
            }
            Event::ApprovalSet { approval } => {
                let words = match approval {
                    crate::model::Approval::Reject => "proposals are turned down from now on",
                    crate::model::Approval::Rules => {
                        "rules decide proposals from now on, and what they leave waits for you"
                    }
                    crate::model::Approval::Accept => "what passes all gates is taken from now on",
                };
                self.quiet(0, words);
            }
            Event::BudgetSet { .. } => self.quiet(0, "the caps were changed"),
            Event::Paused { why } => {
                let why = text::clean(brief::head(why, TEXT)).into_owned();
                let hit = why.starts_with("breakpoint");
                let sign = if hit { format!("{} ", glyphs.stop) } else { String::new() };
                let role = if hit { Role::Accent } else { Role::Quiet };
                self.say(0, vec![(role, format!("{sign}paused: {why}"))], 2);
            }
            Event::Resumed { .. } => self.quiet(0, "taken up again; the step that was cut off is done once more"),
            Event::Warned { text } => self.text(Role::Unsure, &format!("  {} ", glyphs.objection), text, 4),
            Event::Failed { program, error, .. } => self.failed(program.as_str(), error),
            Event::Halted { reason, why } => {
                let name = reason.words().split(':').next().unwrap_or_default();
                self.text(Role::Accent, &format!("the loop is over, {name}: "), why, 2);
            }
            Event::EpisodeEnded { outcome } => self.ended(outcome),
            Event::ToolCalled { .. }
            | Event::Delta { .. }
            | Event::BudgetUsed { .. }
            | Event::PolicyUpdated { .. }
            | Event::WorkspaceChanged { .. }
            | Event::BreakpointsSet { .. }
            | Event::WatchesSet { .. }
            | Event::SessionEnded {}
            | Event::Foreign { .. } => {}
        }
    }

    /// Clean pieces under an indent, wrapped; lines after the first hang further in.
    fn say(&mut self, indent: usize, pieces: CodeLine, hang: usize) {
        let hang = if self.width >= 24 { hang } else { 0 };
        let indent = if self.width >= 24 { indent } else { 0 };
        let columns = self.width.saturating_sub(indent + hang).max(2);
        for (index, mut line) in wrapped(&pieces, columns).into_iter().take(LINES * 2).enumerate() {
            line.insert(0, (Role::Text, " ".repeat(if index == 0 { indent } else { indent + hang })));
            self.lines.push(line);
        }
    }

    /// Words that matter less.
    fn quiet(&mut self, indent: usize, words: &str) {
        self.say(indent, vec![(Role::Quiet, text::clean(brief::head(words, TEXT)).into_owned())], 2);
    }

    /// A foreign text of several lines after a clean word or two.
    fn text(&mut self, role: Role, head: &str, words: &str, hang: usize) {
        let hang = if self.width >= 24 { hang } else { 0 };
        let kept = brief::head(words, TEXT);
        let mut shown = 0;
        let mut cut = kept.len() < words.len();
        for (index, line) in kept.trim_end().lines().enumerate() {
            if shown >= LINES {
                cut = true;
                break;
            }
            let clean = text::clean(line).into_owned();
            let pieces =
                if index == 0 { vec![(role, head.to_owned()), (Role::Text, clean)] } else { vec![(Role::Text, clean)] };
            let columns = self.width.saturating_sub(hang).max(2);
            for (row, mut line) in wrapped(&pieces, columns).into_iter().enumerate() {
                if shown >= LINES {
                    cut = true;
                    break;
                }
                if index + row > 0 {
                    line.insert(0, (Role::Text, " ".repeat(hang)));
                }
                self.lines.push(line);
                shown += 1;
            }
        }
        if cut {
            self.lines.push(vec![(Role::Quiet, format!("{}{}", " ".repeat(hang), self.scene.glyphs.more))]);
        }
    }

    /// A titled line across the whole width.
    fn rule(&mut self, title: &str, role: Role) {
        let bar = self.scene.glyphs.lines[0];
        let title = text::fit(title, self.width.saturating_sub(6)).into_owned();
        let rest = self.width.saturating_sub(text::width(&title) + 4);
        self.lines.push(vec![
            (Role::Border, format!("{} ", bar.repeat(2))),
            (role, title),
            (Role::Border, format!(" {}", bar.repeat(rest))),
        ]);
    }

    fn route(&mut self, choice: &Choice) {
        let chosen: Vec<_> = choice.chosen.iter().take(4).map(|name| text::clean(name.as_str())).collect();
        if chosen.is_empty() {
            return;
        }
        let likely = choice.candidates.first().filter(|_| choice.candidates.len() > 1);
        let likely = likely.map_or(String::new(), |_| {
            let found = choice.candidates.iter().find(|candidate| choice.chosen.first() == Some(&candidate.program));
            found.map_or(String::new(), |found| format!(" {} of {}", share(found.probability), choice.candidates.len()))
        });
        let by = if choice.overridden { ", chosen by you" } else { "" };
        let why = text::clean(brief::head(&choice.why, 300)).into_owned();
        let head = format!("{} {}{likely}{by}", self.scene.glyphs.to, chosen.join(", "));
        let line = vec![(Role::Quiet, format!("{head}: {why}"))];
        self.say(2, line, 2);
    }

    fn wrote(&mut self, sign: &str, entry: &Contribution) {
        let about = entry.about.map_or(String::new(), |about| format!(" about #{about}"));
        let name =
            format!("  {sign} {} #{}{about} by {}  ", text::clean(entry.section.as_str()), entry.id, author(entry));
        let old: Vec<String> = entry.supersedes.iter().take(LINES).map(|old| format!("#{old}")).collect();
        self.text(Role::Good, &name, &entry.text, 6);
        if !old.is_empty() {
            self.quiet(6, &format!("replaces {}", old.join(", ")));
        }
    }

    fn scored(&mut self, score: &Score, delta: f64) {
        let look = tone(delta);
        let strong = if look == Role::Quiet { Role::Quiet } else { Role::Strong };
        let mut line = vec![(strong, format!("J {}", share(score.mean)))];
        if look != Role::Quiet {
            line.push((look, format!("  {} {}", words::way(self.scene, delta), signed(delta).trim())));
        }
        let why = score.parts.iter().filter(|part| !part.why.is_empty() && part.value < part.cap - 1e-9);
        let why: Vec<String> = why
            .take(2)
            .map(|part| {
                format!("part {} {}: {}", part.part, words::part_state(part.state), brief::head(&part.why, 200))
            })
            .collect();
        if !why.is_empty() && look != Role::Quiet {
            line.push((Role::Quiet, format!("  {}", text::clean(&why.join("; ")))));
        }
        self.say(2, line, 2);
    }

    fn proposed(&mut self, proposal: &Proposal) {
        let title = text::clean(brief::head(&proposal.title, TEXT)).into_owned();
        let sign = self.scene.glyphs.waits;
        self.say(
            2,
            vec![(Role::Accent, format!("{sign} proposal {}", proposal.id)), (Role::Text, format!("  {title}"))],
            2,
        );
    }

    fn failed(&mut self, program: &str, error: &str) {
        let name = text::clean(program).into_owned();
        self.say(2, vec![(Role::Bad, format!("{} {name} failed", self.scene.glyphs.failed))], 2);
        let tail: Vec<&str> = brief::tail(error, 2 * TEXT).trim_end().lines().rev().take(TRACE).collect();
        if tail.iter().map(|line| line.len()).sum::<usize>() + TRACE < error.trim_end().len() {
            self.quiet(4, self.scene.glyphs.more);
        }
        for line in tail.iter().rev() {
            let line = vec![(Role::Text, format!("    {}", text::clean(line)))];
            self.lines.push(cut(line, self.width));
        }
    }

    fn ended(&mut self, outcome: &Outcome) {
        let (role, sign) = if outcome.verified {
            (Role::Good, self.scene.glyphs.done)
        } else {
            (Role::Unsure, self.scene.glyphs.waits)
        };
        let cycles = words::count(outcome.cycles as usize, "cycle", "cycles");
        let checked = if outcome.verified { "verified" } else { "not verified" };
        self.rule(&format!("{sign} answer, {checked}, J {}, {cycles}", share(outcome.j)), role);
        if let Some(answer) = &outcome.answer {
            self.text(Role::Strong, "", answer, 0);
        }
        if let Some(message) = &outcome.message {
            self.text(Role::Unsure, "", message, 0);
        }
    }
}

/// So many times.
pub(super) fn times(scene: &Scene<'_>) -> &'static str {
    if scene.glyphs.ascii { "x" } else { "×" }
}

/// A line cut to a width.
pub(super) fn cut(line: CodeLine, width: usize) -> CodeLine {
    let spans = fitted(line.clone(), width, |_| ratatui::style::Style::new()).spans;
    line.into_iter().zip(spans).map(|((role, _), span)| (role, span.content.into_owned())).collect()
}

/// Who runs in the cycle that begins at an event: what the choice just before it says.
fn ran(events: &[Arc<Envelope>], at: usize, times: &str) -> String {
    let earlier = events.get(at.saturating_sub(NEAR)..at).unwrap_or_default();
    let choices = earlier.iter().rev().find_map(|envelope| match &envelope.event {
        Event::Routed { choices, .. } => Some(choices),
        _ => None,
    });
    let mut names: Vec<(String, usize)> = Vec::new();
    for name in choices.into_iter().flatten().flat_map(|choice| &choice.chosen).take(64) {
        let name = text::clean(name.as_str()).into_owned();
        match names.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += 1,
            None => names.push((name, 1)),
        }
    }
    let name =
        |(name, count): &(String, usize)| if *count > 1 { format!("{name} {times}{count}") } else { name.clone() };
    names.iter().map(name).collect::<Vec<_>>().join(", ")
}
