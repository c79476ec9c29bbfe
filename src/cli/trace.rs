//! The run as people read it on standard error: a line a cycle, taken from events alone.

use crate::model::{Choice, Contribution, Envelope, Event, Outcome, ProgramName};

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

    /// Takes in an event.
    pub(super) fn see(&mut self, envelope: &Envelope) {
        match &envelope.event {
            Event::SessionStarted { pins, .. } => {
                eprintln!("session {} · network {} {}", pins.session, pins.network, pins.revision.short());
            }
            Event::CycleBegan { .. } => {
                self.ran.clear();
                self.wrote.clear();
            }
            Event::Routed { choices, cycle, .. } if self.explain => {
                for choice in choices {
                    eprintln!("    cycle {cycle} next: {}", distribution(choice));
                }
            }
            Event::Activated { program, aside: false, .. } => self.ran.push(program.clone()),
            Event::Activated { program, aside: true, .. } if self.explain => eprintln!("     also {program}"),
            Event::Contributed { contribution } => self.wrote.push(summary(contribution)),
            Event::Failed { program, error, .. } => {
                eprintln!("     ✗ {program} failed:");
                for line in error.lines() {
                    eprintln!("       {}", plain(line));
                }
            }
            Event::Scored { cycle, score, delta, withdrawn, .. } => {
                let names = names(&self.ran);
                let gain = if *delta == 0.0 { String::new() } else { format!("{delta:+.2}") };
                let mut what = self.wrote.join("; ");
                if !withdrawn.is_empty() {
                    what.push_str("; the draft is withdrawn");
                }
                eprintln!("{:>4}  {:<22} J {:.2} {gain:>6}  {what}", cycle.0, names, score.mean);
            }
            Event::Credited { credit, .. } if self.explain && credit.shares.len() > 1 => {
                let shares: Vec<String> =
                    credit.shares.iter().map(|share| format!("{} {:+.3}", share.program, share.phi)).collect();
                eprintln!("      credit: {}", shares.join(", "));
            }
            Event::Warned { text } => eprintln!("      ! {}", plain(text)),
            Event::ProposalRaised { proposal } => {
                eprintln!("      proposal {}: {}", proposal.id, plain(&proposal.title));
            }
            Event::GateProgress { gate, result, .. } if self.explain => {
                eprintln!("        gate {gate:?}: {}", plain(result.why()));
            }
            Event::Revised { revision } => {
                eprintln!("      revision {} {}: {}", revision.number, revision.id.short(), plain(&revision.title));
            }
            Event::Halted { reason, why } => {
                eprintln!("      {}", reason.words());
                if self.explain {
                    eprintln!("      why: {}", plain(why));
                }
            }
            Event::Resumed { rewound_to: Some(to) } => eprintln!("      taken up after event {to}; the open step is done again"),
            _ => {}
        }
    }
}

/// The closing line of a run.
pub(super) fn closing(outcome: &Outcome) -> String {
    let verified = if outcome.verified { "verified" } else { "not verified" };
    let cycles = if outcome.cycles == 1 { "1 cycle".to_owned() } else { format!("{} cycles", outcome.cycles) };
    format!("{verified} · J {:.2} · {cycles} · {} activations", outcome.j, outcome.usage.activations)
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

/// Foreign text without what could steer a terminal, cut to a line's length.
pub(super) fn plain(text: &str) -> String {
    let safe = |c: &char| !c.is_control() && !matches!(*c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let kept: String = text.chars().filter(safe).take(160).collect();
    kept
}
