//! How an episode ends: integrity has its word, the loop is halted, the presenter speaks, the outcome stands.

use std::sync::Arc;

use crate::model::{Contract, Event, HaltReason, Outcome, PartState, Section};

use super::cycle::Ordered;
use super::halting::{self, GoalCheck};
use super::session::{Flow, Session, SessionError};

impl Session {
    /// Ends the episode for a reason; `passed` says whether goal-check passed.
    pub(super) async fn finish(
        &mut self,
        mut reason: HaltReason,
        mut why: String,
        passed: bool,
    ) -> Result<Flow, SessionError> {
        let before = self.state.memory.next_id();
        let passed = (passed || self.incumbent_passed()) && !self.is_refuted();
        if passed {
            if let Some(flow) = self.run_aside(Contract::Integrity).await? {
                return Ok(flow);
            }
            if let Some(veto) = self.state.memory.current(Section::VETO).find(|veto| veto.id >= before) {
                why = veto.text.clone();
                reason = HaltReason::Vetoed;
            }
        }
        self.emit(Event::Halted { reason, why: why.clone() }).await?;
        let silent = matches!(reason, HaltReason::Unanswerable | HaltReason::Vetoed);
        let incumbent = self.state.incumbent.clone().filter(|_| !silent);
        let first = self.state.memory.next_id();
        if let Some(flow) = self.run_aside(Contract::Presenter).await? {
            return Ok(flow);
        }
        let presented: Vec<_> = self.state.memory.iter().filter(|entry| entry.id >= first).cloned().collect();
        let of = |section: &str| presented.iter().find(|entry| entry.is(section)).map(|entry| entry.text.clone());
        let fallback = || self.plain_answer();
        let answer = incumbent.as_ref().and_then(|_| of(Section::ANSWER).or_else(fallback));
        let before_episode = self.state.episode.as_ref().map(|episode| episode.used_before.clone()).unwrap_or_default();
        let verified = passed && reason != HaltReason::Vetoed;
        let message = of(Section::GAP).or_else(|| self.what_is_missing(reason, &why, verified));
        let outcome = Outcome {
            halted: reason,
            answer,
            message: message.filter(|_| !verified),
            verified,
            j: incumbent.map_or_else(|| self.state.j().unwrap_or_default(), |incumbent| incumbent.j),
            cycles: self.state.cycle().0,
            usage: self.state.usage.since(&before_episode),
        };
        let solved = self.solved(&outcome);
        self.emit(Event::EpisodeEnded { outcome: Arc::new(outcome) }).await?;
        self.ports.journal.flush()?;
        self.remember(solved).await?;
        self.owe_backward();
        Ok(Flow::On)
    }

    /// Whether the scorer refutes a value that stands; then no program's word makes the answer a verified one.
    fn is_refuted(&self) -> bool {
        let last = self.state.scores.last();
        last.is_some_and(|point| point.score.parts.iter().any(|part| part.state == PartState::Refuted))
    }

    /// Whether goal-check passed the values that are the incumbent now.
    pub(super) fn incumbent_passed(&self) -> bool {
        let Some(incumbent) = &self.state.incumbent else { return false };
        let first = self.state.episode.as_ref().map_or(incumbent.cycle, |episode| episode.cycle).min(incumbent.cycle);
        let start = self.state.episode.as_ref().map(|episode| episode.first).unwrap_or_default();
        self.state
            .memory
            .iter()
            .rev()
            .take_while(|entry| entry.id >= start && entry.cycle >= first)
            .any(|entry| halting::is_complete(entry, &self.network))
    }

    /// Nobody may run next and goal-check has just run.
    pub(super) async fn nobody_left(&mut self, said: &GoalCheck) -> Result<Flow, SessionError> {
        match said {
            GoalCheck::Complete => {
                let why = "goal-check passed, and no program here can improve the answer".to_owned();
                self.finish(HaltReason::Converged, why, true).await
            }
            GoalCheck::Silent | GoalCheck::Missing(_) => {
                let why = "goal-check did not pass, and no program may run next".to_owned();
                self.finish(HaltReason::Failed, why, false).await
            }
        }
    }

    /// Runs programs of a contract beside the routed sequence: every integrity program that accepts the state as it is, of
    /// the others the first, if there is one.
    pub(super) async fn run_aside(&mut self, contract: Contract) -> Result<Option<Flow>, SessionError> {
        let mut programs = super::router::fitting(&self.state, &self.network, contract);
        if contract != Contract::Integrity {
            programs.truncate(1);
        }
        let Some(first) = programs.first() else { return Ok(None) };
        let names: Vec<&str> = programs.iter().map(|program| program.name.as_str()).collect();
        let next =
            if programs.len() > 1 { format!("{} are", names.join(" and ")) } else { format!("{} is", first.name) };
        match self.gate_inside(format!("{next} next, in the same cycle")).await? {
            Flow::On => {}
            flow => return self.cut_off(flow).await.map(Some),
        }
        let whole = self.query().whole();
        let ordered: Vec<Ordered> = programs.into_iter().map(|program| self.order(program, whole.clone())).collect();
        match self.run_together(ordered, true).await? {
            Ok(_) => Ok(None),
            Err(flow) => self.cut_off(flow).await.map(Some),
        }
    }

    /// Two values of one part that differ and both stand call for the integrity program, once per cycle in which the
    /// second was written.
    pub(super) async fn settle_contradiction(&mut self) -> Result<Option<Flow>, SessionError> {
        let cycle = self.state.cycle();
        let contradicts = self.query().parts.iter().any(|part| {
            let Some(board) = self.state.memory.board(part.id) else { return false };
            let fresh = board.values.iter().any(|value| value.cycle == cycle);
            let mut forms = board.values.iter().map(|value| self.ports.scorer.canonical(&value.data));
            let first = forms.next();
            fresh && forms.any(|form| Some(form) != first)
        });
        if contradicts { self.run_aside(Contract::Integrity).await } else { Ok(None) }
    }

    /// The incumbent's own words, where no presenter speaks.
    fn plain_answer(&self) -> Option<String> {
        let incumbent = self.state.incumbent.as_ref()?;
        let texts: Vec<&str> = incumbent
            .values
            .iter()
            .filter_map(|(_, id)| self.state.memory.get(*id))
            .map(|value| value.text.as_str())
            .collect();
        (!texts.is_empty()).then(|| texts.join("\n"))
    }

    /// Says plainly what is missing from an answer that goal-check did not pass.
    fn what_is_missing(&self, reason: HaltReason, why: &str, verified: bool) -> Option<String> {
        if verified {
            return None;
        }
        if let Some(gap) = self.state.memory.current(Section::GAP).next() {
            return Some(gap.text.clone());
        }
        let score = self.state.scores.last().map(|point| point.score.clone())?;
        let query = self.query();
        let missing: Vec<String> = score
            .parts
            .iter()
            .filter(|part| part.value < part.cap - 1e-9)
            .map(|part| {
                let text = query.part(part.part).map_or("", |part| part.text.as_str());
                let state = match part.state {
                    PartState::Unanswered => "no answer was found",
                    PartState::Refuted | PartState::Withdrawn => "the answer that was found is wrong",
                    PartState::Answered => "the answer is not verified",
                    PartState::Corroborated => "the answer is not in the form asked for",
                    PartState::Proved => "the answer is proved, but not in the form asked for",
                };
                format!("{text}: {state}")
            })
            .collect();
        let list = if missing.is_empty() { why.to_owned() } else { missing.join("; ") };
        Some(format!("{}: {list}", reason.words().split(':').next().unwrap_or_default()))
    }
}
