//! What models write while they write it: one line that comes and goes in a terminal, or every line of it where that is asked
//! for.

use std::collections::BTreeMap;

use crate::model::{ActivationId, Envelope, Event, ProgramName, Streamed};

use super::out;
use super::text::plain;

/// Least milliseconds between two changes of the passing line.
const PACE: u64 = 100;
/// Characters of the passing line: it must not wrap, or it cannot be taken back.
const WIDE: usize = 76;
/// Bytes of an unfinished line that are kept of each program.
const KEPT: usize = 4 << 10;

/// Shows what is streamed on standard error.
#[derive(Debug)]
pub(super) struct Typing {
    /// Every line is printed, and stays.
    every: bool,
    watched: bool,
    running: BTreeMap<ActivationId, (ProgramName, String)>,
    drawn: Option<u64>,
}

impl Typing {
    /// With `every`, all that models write is printed; else a passing line, where standard error is a terminal.
    pub(super) fn new(every: bool) -> Self {
        Self { every, watched: out::is_watched(), running: BTreeMap::new(), drawn: None }
    }

    /// Takes in an event, before anything else is printed of it.
    pub(super) fn see(&mut self, envelope: &Envelope) {
        match &envelope.event {
            Event::Activated { activation, program, .. } => {
                self.running.insert(*activation, (program.clone(), String::new()));
            }
            Event::Delta { activation, text, what } => {
                let lines = self.streamed(*activation, what, text);
                if self.every {
                    lines.iter().for_each(out::say);
                } else if self.watched {
                    self.pass(*activation, what, text, envelope.at);
                }
            }
            _ => {
                let rest: Vec<String> = self.running.values_mut().filter_map(|(name, kept)| rest(name, kept)).collect();
                if self.every {
                    rest.iter().for_each(out::say);
                }
                self.running.clear();
                self.clear();
            }
        }
    }

    /// Keeps what came and gives the lines that are whole now.
    fn streamed(&mut self, activation: ActivationId, what: &Streamed, text: &str) -> Vec<String> {
        let Some((name, kept)) = self.running.get_mut(&activation) else { return Vec::new() };
        let mut lines = Vec::new();
        match what {
            Streamed::Text | Streamed::Reasoning => {
                kept.push_str(text);
                while let Some(at) =
                    kept.find('\n').or_else(|| (kept.len() > KEPT).then_some(kept.floor_char_boundary(KEPT)))
                {
                    let line: String = kept.drain(..at).collect();
                    kept.drain(..usize::from(kept.starts_with('\n')));
                    lines.push(format!("      {name} | {line}"));
                }
            }
            Streamed::Waiting { left } => lines.push(format!("      {name} {}", waits(*left, text))),
            Streamed::Again => {
                kept.clear();
                lines.push(format!("      {name} is asked again: {}", plain(text)));
            }
            Streamed::Sent { .. } | Streamed::Call | Streamed::Returned { .. } | Streamed::Took { .. } => {
                lines.extend(rest(name, kept));
            }
            Streamed::Skipped { bytes } => lines.push(format!("      {name} | … ({bytes} bytes left out)")),
        }
        lines
    }

    fn pass(&mut self, activation: ActivationId, what: &Streamed, text: &str, at: u64) {
        let Some((name, kept)) = self.running.get(&activation) else { return };
        let words = match what {
            Streamed::Waiting { left } => waits(*left, text),
            Streamed::Sent { endpoint, .. } => format!("asks {} at {}", plain(text), plain(endpoint)),
            Streamed::Call => format!("calls {}", plain(text)),
            _ if self.drawn.is_some_and(|last| at < last + PACE) => return,
            _ => plain(&kept[kept.ceil_char_boundary(kept.len().saturating_sub(WIDE))..]),
        };
        let lead = format!("      {name}: ");
        let room = WIDE.saturating_sub(lead.chars().count());
        // The newest counts, and a character may be two columns wide.
        let mut tail: Vec<char> = Vec::new();
        let mut used = 0;
        for c in words.chars().rev() {
            used += if c.is_ascii() { 1 } else { 2 };
            if used > room {
                break;
            }
            tail.push(c);
        }
        out::passing(&format!("{lead}{}", tail.iter().rev().collect::<String>()));
        self.drawn = Some(at);
    }

    fn clear(&mut self) {
        if self.drawn.take().is_some() {
            out::passing("");
        }
    }
}

/// The line that is not finished.
fn rest(name: &ProgramName, kept: &mut String) -> Option<String> {
    let line = std::mem::take(kept);
    (!line.trim().is_empty()).then(|| format!("      {name} | {line}"))
}

fn waits(left: Option<u64>, why: &str) -> String {
    match left {
        Some(left) => format!("waits {} s: {}", left.div_ceil(1000), plain(why)),
        None => format!("waits: {}", plain(why)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typing() -> Typing {
        let running = BTreeMap::from([(ActivationId(1), ("solver".into(), String::new()))]);
        Typing { every: true, watched: false, running, drawn: None }
    }

    #[test]
    fn lines_come_whole_whatever_pieces_they_came_in() {
        let mut typing = typing();
        let mut lines = Vec::new();
        for piece in ["one", " line\ntwo", "\n\nthr", "ee"] {
            lines.extend(typing.streamed(ActivationId(1), &Streamed::Text, piece));
        }
        let call = typing.streamed(ActivationId(1), &Streamed::Call, "tool");
        assert_eq!(lines, ["      solver | one line", "      solver | two", "      solver | "]);
        assert_eq!(call, ["      solver | three"]);
    }

    #[test]
    fn a_line_without_end_is_printed_in_pieces_and_other_programs_are_none_of_its_business() {
        let mut typing = typing();
        let long = "é".repeat(KEPT);
        let lines = typing.streamed(ActivationId(1), &Streamed::Text, &long);
        assert_eq!(lines.len(), 1);
        assert!(typing.running[&ActivationId(1)].1.len() <= KEPT);
        assert!(typing.streamed(ActivationId(2), &Streamed::Text, "x\n").is_empty());
    }

    #[test]
    fn what_is_made_again_is_said() {
        let mut typing = typing();
        typing.streamed(ActivationId(1), &Streamed::Text, "half");
        let lines = typing.streamed(ActivationId(1), &Streamed::Again, "cut off");
        assert_eq!(lines, ["      solver is asked again: cut off"]);
        let wait = typing.streamed(ActivationId(1), &Streamed::Waiting { left: Some(1_200) }, "rate-limited by a");
        assert_eq!(wait, ["      solver waits 2 s: rate-limited by a"]);
    }
}
