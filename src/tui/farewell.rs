//! What stays on the normal screen when the interface is left: where things stand, and how to go on.

use super::app::Interface;
use super::text;
use crate::model::Phase;

/// The last words.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Farewell {
    /// Lines, safe to print.
    pub lines: Vec<String>,
    /// The exit code.
    pub code: u8,
}

impl Farewell {
    /// What there is to say about an interface that is left.
    pub(super) fn of(interface: &Interface, code: u8) -> Self {
        let now = interface.live.now();
        let Some(id) = interface.session.as_ref() else { return Self { lines: Vec::new(), code } };
        let mut lines = Vec::new();
        match (&now.episode, now.outcomes.last(), now.phase) {
            (Some(episode), _, Phase::Starting | Phase::Gate | Phase::Running) => {
                lines.push(format!("stopped after cycle {}: {}", now.cycle(), text::clean(&episode.query.text)));
            }
            (_, Some(outcome), _) => {
                let answer = outcome.answer.as_deref().or(outcome.message.as_deref()).unwrap_or("no answer");
                lines.push(format!("answer   {}", text::clean(answer)));
            }
            (_, None, _) => lines.push("nothing was asked".to_owned()),
        }
        if let Some(j) = now.j() {
            let verified = now
                .outcomes
                .last()
                .filter(|_| now.phase == Phase::Idle)
                .map_or(String::new(), |outcome| format!(", {}", outcome.reliance()));
            lines.push(format!("J        {j:.2}{verified}"));
        }
        let usage = &now.usage;
        let cost = usage.dollars.map_or_else(
            || if usage.calls == 0 { "nothing".to_owned() } else { "an unknown sum".to_owned() },
            |dollars| format!("${dollars:.2}"),
        );
        let runs = if usage.activations == 1 { "activation" } else { "activations" };
        lines.push(format!("cost     {cost}, {} tokens, {} {runs}", usage.tokens, usage.activations));
        lines.push(format!("session  {id}"));
        lines.push(format!("go on    mop --open {id}"));
        Self { lines, code }
    }
}
