//! The run as people read it: a line a cycle, taken from events alone.

use crate::model::{Choice, Contribution, Envelope, Event, Gate, Outcome, ProgramName};

use super::text::{count, plain};

/// Follows a run and says what happened.
#[derive(Debug, Default)]
pub(super) struct Trace {
    explain: bool,
    ran: Vec<ProgramName>,
    wrote: Vec<String>,
}

impl Trace {
    /// A trace; with `explain` it also says who could have run, and why.
    pub(super) fn new(explain: bool) -> Self {
        Self { explain, ..Self::default() }
    }

    /// Takes in an event and gives the lines that it makes, safe to print.
    pub(super) fn see(&mut self, envelope: &Envelope) -> Vec<String> {
        match &envelope.event {
            Event::SessionStarted { pins, .. } => {
                vec![format!("session {} · network {} {}", pins.session, plain(&pins.network), pins.revision.short())]
            }
            Event::CycleBegan { .. } | Event::EpisodeStarted { .. } => {
                self.ran.clear();
                self.wrote.clear();
                Vec::new()
            }
            Event::Routed { choices, cycle, .. } if self.explain => {
                choices.iter().map(|choice| format!("    cycle {cycle} next: {}", distribution(choice))).collect()
            }
            Event::Activated { program, aside: false, .. } => {
                self.ran.push(program.clone());
                Vec::new()
            }
            Event::Activated { program, aside: true, .. } if self.explain => vec![format!("     also {program}")],
            Event::Contributed { contribution } => {
                self.wrote.push(summary(contribution));
                Vec::new()
            }
            Event::Failed { program, error, .. } => {
                let reason = error.lines().map(|line| format!("       {}", plain(line)));
                std::iter::once(format!("     ✗ {program} failed:")).chain(reason).collect()
            }
            Event::Scored { cycle, score, delta, withdrawn, .. } => {
                let gain = if *delta == 0.0 { String::new() } else { format!("{delta:+.2}") };
                let mut what = std::mem::take(&mut self.wrote).join("; ");
                if !withdrawn.is_empty() {
                    what.push_str("; the draft is withdrawn");
                }
                let line = format!("{:>4}  {:<22} J {:.2} {gain:>6}  {what}", cycle.0, names(&self.ran), score.mean);
                vec![line.trim_end().to_owned()]
            }
            Event::Credited { credit, .. } if self.explain && credit.shares.len() > 1 => {
                let shares = credit.shares.iter().map(|share| format!("{} {:+.3}", share.program, share.phi));
                vec![format!("      credit: {}", shares.collect::<Vec<_>>().join(", "))]
            }
            Event::Warned { text } => vec![format!("      ! {}", plain(text))],
            Event::Asked { program, text, .. } => vec![format!("      {program} asks: {}", plain(text))],
            Event::ProposalRaised { proposal } => {
                vec![format!("      proposal {}: {}", proposal.id, plain(&proposal.title))]
            }
            Event::GateProgress { gate, result, .. } if self.explain => {
                vec![format!("        gate {}: {}", gate_name(*gate), plain(result.why()))]
            }
            Event::Revised { revision } => {
                vec![format!("      revision {} {}: {}", revision.number, revision.id.short(), plain(&revision.title))]
            }
            Event::Halted { reason, why } => {
                let mut lines = vec![format!("      {}", reason.words())];
                if self.explain {
                    lines.push(format!("      why: {}", plain(why)));
                }
                lines
            }
            Event::Resumed { rewound_to: Some(to) } => {
                vec![format!("      taken up after event {to}; the open step is done again")]
            }
            _ => Vec::new(),
        }
    }
}

/// A gate in a word.
pub(super) fn gate_name(gate: Gate) -> &'static str {
    match gate {
        Gate::Static => "static",
        Gate::Guard => "guard",
        Gate::Tests => "tests",
        Gate::Screen => "screen",
        Gate::Evidence => "evidence",
        Gate::NoRegression => "no-regression",
    }
}

/// The closing line of a run.
pub(super) fn closing(outcome: &Outcome) -> String {
    let verified = outcome.reliance();
    let cycles = if outcome.cycles == 1 { "1 cycle".to_owned() } else { format!("{} cycles", outcome.cycles) };
    let usage = &outcome.usage;
    let asked = match usage.calls {
        0 => String::new(),
        calls => {
            let cost = usage.dollars.map_or_else(|| "unknown cost".to_owned(), |sum| format!("${sum:.4}"));
            let read = usage.tokens.saturating_sub(usage.written);
            format!(
                " · {} of models, {read} tokens in, {} out, {cost}",
                count(usize::try_from(calls).unwrap_or(usize::MAX), "call"),
                usage.written
            )
        }
    };
    format!("{verified} · J {:.2} · {cycles} · {} activations{asked}", outcome.j, usage.activations)
}

fn names(ran: &[ProgramName]) -> String {
    let mut text = String::new();
    for (index, name) in ran.iter().enumerate() {
        if ran[..index].contains(name) {
            continue;
        }
        let times = ran.iter().filter(|other| *other == name).count();
        if !text.is_empty() {
            text.push_str(", ");
        }
        text.push_str(name.as_str());
        if times > 1 {
            text.push_str(&format!(" ×{times}"));
        }
    }
    if text.is_empty() { "start".to_owned() } else { text }
}

fn summary(contribution: &Contribution) -> String {
    let text = plain(contribution.text.lines().next().unwrap_or_default());
    format!("{} {text}", contribution.section)
}

fn distribution(choice: &Choice) -> String {
    let list: Vec<String> = choice
        .candidates
        .iter()
        .take(4)
        .map(|candidate| format!("{} {:.2}", candidate.program, candidate.probability))
        .collect();
    format!("{} — {}", list.join(", "), plain(&choice.why))
}
