//! What is known about a proposal besides its diff: in short above it, in full below it.

use ratatui::text::Span;

use super::review::Review;
use crate::model::{Author, Gate, GateResult, Network, Proposal, ProposalStatus, RevisionId, Trial};
use crate::tui::paint;
use crate::tui::scene::Scene;
use crate::tui::text::{clean, pad, split_at, width, wrap};
use crate::tui::theme::{Role, Theme};

/// One line of the screen.
pub(super) type Spans = Vec<Span<'static>>;

/// Columns of the labels.
const LABEL: usize = 9;
/// Most lines of one text that are shown.
const MOST_LINES: usize = 100;
/// Bytes that a column may take; text beyond that many for all of its columns is not looked at.
const COLUMN: usize = 4;
/// Most tests that are listed.
const MOST_TESTS: usize = 40;

/// Text that is put together for one width.
pub(super) struct Story<'a> {
    scene: &'a Scene<'a>,
    review: &'a Review,
    width: usize,
    lines: Vec<Spans>,
}

/// What stands above the diff. Where there is little room, that is what it does and why.
pub(super) fn head(
    scene: &Scene<'_>,
    review: &Review,
    status: &ProposalStatus,
    moved: Option<&str>,
    width: usize,
    small: bool,
) -> Vec<Spans> {
    let mut story = Story { scene, review, width, lines: Vec::new() };
    let proposal = &review.proposal;
    let most = if small { 1 } else { 3 };
    story.wrapped(Role::Strong, &proposal.title, 0, most);
    story.standing(status);
    if let Some(path) = moved {
        let words = format!(
            "{} {path} has changed since this was made. It cannot be applied: reject it, and what still shows is proposed anew.",
            scene.glyphs.failed
        );
        story.wrapped(Role::Bad, &words, 0, 3);
    }
    if !small {
        story.labelled("by", Role::Text, &by(proposal), 1);
    }
    story.labelled("why", Role::Text, &proposal.evidence.critique, if small { 1 } else { 3 });
    if !small {
        story.labelled("tests", Role::Text, &tests(&proposal.evidence.trials), 2);
        story.gates_in_short();
        story.labelled("touches", Role::Text, &touches(review), 2);
        if !review.asks.is_empty() {
            story.labelled("asks for", Role::Unsure, &review.asks.join(", "), 3);
        }
        story.lines.push(Vec::new());
    }
    story.lines
}

/// What the text below a diff depends on, besides the proposal.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ground {
    width: usize,
    ascii: bool,
    theme: Theme,
    network: RevisionId,
}

impl Ground {
    /// That of a scene.
    pub(super) fn of(scene: &Scene<'_>, width: usize) -> Self {
        let network = scene.live.network(scene.now).revision.clone();
        Self { width, ascii: scene.glyphs.ascii, theme: scene.theme.clone(), network }
    }
}

/// What stands below the diff: everything else.
pub(super) fn tail(scene: &Scene<'_>, review: &Review, width: usize) -> Vec<Spans> {
    let mut story = Story { scene, review, width, lines: Vec::new() };
    let evidence = &review.proposal.evidence;
    story.rule("why");
    story.wrapped(Role::Text, &evidence.critique, 2, MOST_LINES);
    if evidence.critique.trim().is_empty() {
        story.wrapped(Role::Quiet, "no reason was given", 2, 1);
    }
    if evidence.cost != 0.0 {
        story.wrapped(Role::Text, &format!("The fault cost {:.2} of J.", evidence.cost.abs()), 2, 2);
    }
    if let Some(session) = &evidence.session {
        let words = format!("Found in cycle {} of session {session}.", evidence.cycle);
        story.wrapped(Role::Quiet, &words, 2, 3);
    }
    story.rule("evidence");
    story.trials(&evidence.trials);
    if let serde_json::Value::Object(fields) = &evidence.measured {
        let fields: Vec<String> = fields.iter().take(20).map(|(name, value)| format!("{name} {value}")).collect();
        story.wrapped(Role::Quiet, &format!("Measured: {}.", fields.join(", ")), 2, 6);
    }
    story.rule("gates");
    story.gates();
    story.rule("what it touches");
    story.radius();
    story.lines
}

impl Story<'_> {
    fn wrapped(&mut self, role: Role, text: &str, indent: usize, most: usize) {
        let columns = self.width.saturating_sub(indent).max(4);
        let end = (0..=text.len().min((most + 1) * columns * COLUMN))
            .rev()
            .find(|at| text.is_char_boundary(*at))
            .unwrap_or(0);
        let kept = text.get(..end).unwrap_or_default();
        let mut lines: Vec<String> = Vec::new();
        let parts = kept.trim_end().lines().take(most + 1);
        for part in parts.filter(|part| !part.trim().is_empty()) {
            lines.extend(wrap(&clean(part), columns).into_iter().take(most + 1));
        }
        let cut = lines.len() > most || end < text.len();
        lines.truncate(most);
        if let Some(last) = lines.last_mut().filter(|_| cut) {
            let (kept, _) = split_at(last, columns.saturating_sub(2));
            *last = format!("{} {}", kept.trim_end(), self.scene.glyphs.more);
        }
        for line in lines {
            self.lines.push(vec![Span::raw(" ".repeat(indent)), self.scene.span(role, line)]);
        }
    }

    /// A label and what it says, which goes on under itself.
    fn labelled(&mut self, label: &str, role: Role, text: &str, most: usize) {
        let indent = if self.width >= 40 { LABEL } else { 0 };
        let from = self.lines.len();
        self.wrapped(role, text, indent, most);
        if let Some(first) = self.lines.get_mut(from).and_then(|line| line.first_mut()).filter(|_| indent > 0) {
            *first = self.scene.span(Role::Quiet, pad(label, LABEL));
        }
    }

    fn rule(&mut self, title: &str) {
        let bar = self.scene.glyphs.lines[0];
        let rest = self.width.saturating_sub(width(title) + 4);
        self.lines.push(Vec::new());
        self.lines.push(vec![
            self.scene.span(Role::Border, bar.repeat(2)),
            self.scene.span(Role::Accent, format!(" {title} ")),
            self.scene.span(Role::Border, bar.repeat(rest)),
        ]);
    }

    /// How it was decided, where it was.
    fn standing(&mut self, status: &ProposalStatus) {
        let glyphs = self.scene.glyphs;
        match status {
            ProposalStatus::Open => {}
            ProposalStatus::Accepted(revision) => {
                let known = self.scene.now.revisions.iter().rev().find(|known| known.id == *revision);
                let number = known.map_or_else(|| revision.short().to_owned(), |known| known.number.to_string());
                self.wrapped(Role::Good, &format!("{} accepted as revision {number}", glyphs.done), 0, 2);
            }
            ProposalStatus::Rejected(why) if why.is_empty() => {
                self.wrapped(Role::Bad, &format!("{} rejected", glyphs.failed), 0, 2);
            }
            ProposalStatus::Rejected(why) => {
                self.wrapped(Role::Bad, &format!("{} rejected: {why}", glyphs.failed), 0, 3);
            }
        }
    }

    fn gate(&self, result: &GateResult) -> (Role, &'static str, &'static str) {
        match result {
            GateResult::Passed(_) => (Role::Good, self.scene.glyphs.done, "passed"),
            GateResult::Failed(_) => (Role::Bad, self.scene.glyphs.failed, "failed"),
            GateResult::Indecisive(_) => (Role::Unsure, self.scene.glyphs.waits, "cannot say"),
        }
    }

    /// All gates in a line.
    fn gates_in_short(&mut self) {
        if self.review.proposal.gates.is_empty() || self.width < 40 {
            let words = gates(&self.review.proposal);
            return self.labelled("gates", Role::Text, &words, 1);
        }
        let mut spans = vec![self.scene.span(Role::Quiet, pad("gates", LABEL))];
        for (index, (gate, result)) in self.review.proposal.gates.iter().enumerate() {
            let (role, _, word) = self.gate(result);
            if index > 0 {
                spans.push(self.scene.span(Role::Quiet, ", "));
            }
            spans.push(self.scene.span(Role::Text, format!("{} ", gate.words())));
            spans.push(self.scene.span(role, word));
        }
        let used: usize = spans.iter().map(|span| width(&span.content)).sum();
        if used > self.width {
            let words = gates(&self.review.proposal);
            return self.labelled("gates", Role::Text, &words, 1);
        }
        self.lines.push(spans);
    }

    fn gates(&mut self) {
        if self.review.proposal.gates.is_empty() {
            self.wrapped(Role::Quiet, "not asked yet; they are when you decide", 2, 2);
        }
        for (gate, result) in &self.review.proposal.gates {
            let (role, sign, word) = self.gate(result);
            let from = self.lines.len();
            let head = format!("{sign} {} {} ", pad(gate.words(), 14), pad(word, 11));
            let indent = if self.width >= 60 { 2 + width(&head) } else { 4 };
            if self.width < 60 {
                self.wrapped(role, &format!("{sign} {} {word}", gate.words()), 2, 1);
                self.wrapped(Role::Text, result.why(), indent, 6);
                continue;
            }
            let why = if result.why().trim().is_empty() { "no reason given" } else { result.why() };
            self.wrapped(Role::Text, why, indent, 6);
            if let Some(line) = self.lines.get_mut(from) {
                line.splice(..1, [Span::raw("  "), self.scene.span(role, head)]);
            }
        }
    }

    fn trials(&mut self, trials: &[Trial]) {
        let telling = |trial: &&Trial| !trial.before || !trial.after;
        let count = trials.iter().filter(telling).count();
        for trial in trials.iter().filter(telling).take(MOST_TESTS) {
            let (role, sign, words) = match (trial.before, trial.after) {
                (false, true) => (Role::Good, self.scene.glyphs.done, "failed before, passes now"),
                (true, false) => (Role::Bad, self.scene.glyphs.failed, "passed before, fails now"),
                (false, false) => (Role::Unsure, self.scene.glyphs.failed, "failed before, fails now"),
                (true, true) => (Role::Quiet, self.scene.glyphs.done, "passes as before"),
            };
            self.wrapped(role, &format!("{sign} {words}"), 2, 1);
            self.wrapped(Role::Text, &trial.test.query, 4, 4);
            if !trial.note.is_empty() {
                self.wrapped(Role::Quiet, &trial.note, 4, 4);
            }
        }
        if count > MOST_TESTS {
            self.wrapped(Role::Quiet, &format!("and {} more", count - MOST_TESTS), 2, 1);
        }
        let same = trials.len() - count;
        if trials.is_empty() {
            self.wrapped(Role::Quiet, "no test was run on both sides", 2, 1);
        } else if same > 0 {
            self.wrapped(Role::Quiet, &format!("{} {} before and after", counted(same, "test"), verb(same)), 2, 1);
        }
    }

    fn radius(&mut self) {
        let network = self.scene.live.network(self.scene.now);
        self.wrapped(Role::Text, &reach(&self.review.proposal, network), 2, 4);
        self.wrapped(Role::Text, &sentence(&touches(self.review)), 2, 4);
        if self.review.asks.is_empty() {
            self.wrapped(Role::Text, "It asks for no new tool and no new section of memory.", 2, 2);
        } else {
            self.wrapped(Role::Unsure, &format!("It asks for more: {}.", self.review.asks.join(", ")), 2, 6);
        }
        let base = format!("Made from revision {}.", self.review.proposal.base.short());
        self.wrapped(Role::Quiet, &base, 2, 1);
    }
}

/// Which programs are concerned, and from where they can be reached.
fn reach(proposal: &Proposal, network: &Network) -> String {
    let mut told = Vec::new();
    for change in proposal.changes.iter().take(6) {
        let found = network.programs.values().find(|program| program.path == change.path);
        told.push(match found {
            Some(program) => {
                let edges = network.edges.iter().filter(|edge| edge.to == program.name).count();
                let ways = if edges == 1 { "1 edge leads".to_owned() } else { format!("{edges} edges lead") };
                format!("{} is a {}; {ways} to it.", program.name, program.contract())
            }
            None if change.before.is_none() => format!("{} is new.", change.path),
            None => format!("{} is no program: the change concerns the whole network.", change.path),
        });
    }
    if proposal.changes.len() > told.len() {
        told.push(format!("And {} more.", counted(proposal.changes.len() - told.len(), "file")));
    }
    told.join(" ")
}

fn by(proposal: &Proposal) -> String {
    let who = match &proposal.author {
        Author::Human => "you".to_owned(),
        Author::Engine => "the engine".to_owned(),
        Author::Program(name) => name.to_string(),
    };
    let about = proposal.program.as_ref().map(|name| format!(", about {name}")).unwrap_or_default();
    let cost = proposal.evidence.cost.abs();
    let cost = if cost > 0.0 { format!(", for a fault that cost {cost:.2} of J") } else { String::new() };
    format!("{who}{about}{cost}")
}

/// The tests in words.
fn tests(trials: &[Trial]) -> String {
    let count = |before: bool, after: bool| {
        trials.iter().filter(|trial| (trial.before, trial.after) == (before, after)).count()
    };
    let (won, lost, still, kept) = (count(false, true), count(true, false), count(false, false), count(true, true));
    let mut parts = Vec::new();
    if won > 0 {
        parts.push(format!("{won} failed before and {} now", verb(won)));
    }
    if lost > 0 {
        parts.push(format!("{lost} passed before and {} now", if lost == 1 { "fails" } else { "fail" }));
    }
    if still > 0 {
        parts.push(format!("{still} {} as before", if still == 1 { "fails" } else { "fail" }));
    }
    if kept > 0 {
        parts.push(format!("{kept} {} as before", verb(kept)));
    }
    if parts.is_empty() { "none was run on both sides".to_owned() } else { parts.join(", ") }
}

fn touches(review: &Review) -> String {
    let (added, removed) = review.lines;
    let files = counted(review.files.len(), "file");
    format!("{files}, {} added, {removed} removed", counted(added, "line"))
}

/// The gates in a few words.
pub(super) fn gates(proposal: &Proposal) -> String {
    let failed: Option<&(Gate, GateResult)> =
        proposal.gates.iter().find(|(_, result)| matches!(result, GateResult::Failed(_)));
    let passed = proposal.gates.iter().filter(|(_, result)| matches!(result, GateResult::Passed(_))).count();
    match failed {
        Some((gate, _)) => format!("{} failed", gate.words()),
        None if proposal.gates.is_empty() => "not asked".to_owned(),
        None => format!("{passed} of {} passed", proposal.gates.len()),
    }
}

/// `1 test`, `2 tests`.
pub(super) fn counted(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

fn verb(number: usize) -> &'static str {
    if number == 1 { "passes" } else { "pass" }
}

fn sentence(words: &str) -> String {
    format!("It changes {words}.")
}

/// Draws lines from one of them on into the rows of an area; gives the row after the last.
pub(super) fn draw(
    buf: &mut ratatui::buffer::Buffer,
    area: ratatui::layout::Rect,
    row: u16,
    lines: &[Spans],
    from: usize,
) -> u16 {
    let mut row = row;
    for line in lines.iter().skip(from) {
        if row >= area.height {
            break;
        }
        paint::line(buf, area, row, line.clone());
        row += 1;
    }
    row
}
