//! Asks one question: a session like any other, without review, without a backward pass, with a library that is frozen.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::mpsc;
use tokio::time::sleep;

use crate::engine::ports::{Clock, Journal, Library, NoRecall, PortError, Runner, Scorer};
use crate::engine::{CHANNEL, Ports, Session, Settings};
use crate::model::{
    Approval, CallRecord, Command, Envelope, Event, Mode, Network, Outcome, Pins, Query, SessionId, State,
};

use super::check::is_right;
use super::folder::BenchError;
use super::frozen::Frozen;
use super::item::Item;
use super::suite::Question;

/// An arm: a network with everything that runs and scores its programs.
pub struct Arm {
    /// Its name, which is the name of its folder too.
    pub name: String,
    /// The network, which stays as it is now.
    pub network: Arc<Network>,
    /// Runs programs.
    pub runner: Arc<dyn Runner>,
    /// Scores memory.
    pub scorer: Arc<dyn Scorer>,
    /// Gives texts of files.
    pub library: Arc<dyn Library>,
    /// What its sessions depend on, but for id and seed.
    pub pins: Pins,
}

/// What one asking gave.
pub(super) enum Asked {
    /// A finished question.
    Done(Box<Item>),
    /// The provider failed in a way that says nothing about the arm: nothing was measured.
    Unmeasured {
        /// The fault.
        fault: String,
        /// One clause.
        why: String,
        /// Dollars that were spent all the same.
        dollars: Option<f64>,
        /// Tokens that were spent all the same.
        tokens: u64,
    },
}

/// Faults that are no word of a model.
const NO_WORD: [&str; 6] = ["over-budget", "missing", "auth", "unreachable", "overloaded", "rate-limited"];

/// Asks one question and waits for its end; `limit` cuts it off.
pub(super) async fn ask(
    arm: &Arm,
    question: &Question,
    seed: u64,
    journal: Box<dyn Journal>,
    session: SessionId,
    clock: Arc<dyn Clock>,
    limit: Option<Duration>,
) -> Result<Asked, BenchError> {
    let began = Instant::now();
    let library = Arc::new(Frozen { network: arm.network.clone(), behind: arm.library.clone() });
    let ports = Ports {
        runner: arm.runner.clone(),
        scorer: arm.scorer.clone(),
        library,
        recall: Arc::new(NoRecall),
        clock,
        journal,
    };
    let settings = Settings { mode: Mode::Rules, backward: false, step: false };
    let pins = Pins { session: session.clone(), seed, approval: Approval::Reject, ..arm.pins.clone() };
    let (commands, receiver) = mpsc::channel(CHANNEL);
    let (sender, events) = mpsc::channel(CHANNEL);
    let query = Query::new(question.text.trim());
    let running = async { Session::open(ports, settings, pins, Some(query), receiver, sender).await?.run().await };
    let (state, seen) = tokio::join!(running, watch(events, commands, limit));
    let state = state?;
    if let Some((fault, why)) = seen.fault {
        let (dollars, tokens) = (state.usage.dollars, state.usage.tokens);
        return Ok(Asked::Unmeasured { fault, why, dollars, tokens });
    }
    let millis = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    let (answer, halted) = match (&seen.outcome, seen.cut) {
        (Some(outcome), _) => (outcome.answer.clone(), word(outcome)),
        (None, true) => (best(&state), "timeout".to_owned()),
        (None, false) => (best(&state), "stopped".to_owned()),
    };
    let usage = &state.usage;
    let dollars = (!seen.unpriced).then(|| usage.dollars.unwrap_or_default());
    let item = Item {
        id: question.id.clone(),
        right: answer.as_deref().is_some_and(|answer| is_right(question, answer)),
        answer,
        arm: arm.name.clone(),
        seed,
        suite: question.suite.clone(),
        halted,
        verified: seen.outcome.as_ref().is_some_and(|outcome| outcome.verified),
        j: seen.outcome.as_ref().map_or_else(|| state.j().unwrap_or_default(), |outcome| outcome.j),
        js: seen.js,
        cycles: state.cycle().0,
        tokens: usage.tokens,
        calls: usage.calls,
        dollars,
        millis,
        session,
    };
    Ok(Asked::Done(Box::new(item)))
}

/// What a session showed while it ran.
#[derive(Default)]
struct Shown {
    outcome: Option<Arc<Outcome>>,
    js: Vec<f64>,
    fault: Option<(String, String)>,
    cut: bool,
    /// Whether tokens were used whose price nobody knows.
    unpriced: bool,
}

/// Watches a session, and lets go of it when its question is done.
async fn watch(
    mut events: mpsc::Receiver<Arc<Envelope>>,
    commands: mpsc::Sender<Command>,
    limit: Option<Duration>,
) -> Shown {
    let mut shown = Shown::default();
    let mut commands = Some(commands);
    // Where there is no limit, this is longer than any machine is up.
    let late = sleep(limit.unwrap_or(Duration::from_secs(60 * 60 * 24 * 365)));
    tokio::pin!(late);
    loop {
        let envelope = tokio::select! {
            biased;
            envelope = events.recv() => envelope,
            () = &mut late, if commands.is_some() => {
                shown.cut = true;
                stop(commands.take()).await;
                continue;
            }
        };
        let Some(envelope) = envelope else { return shown };
        if let Event::Scored { cycle, score, .. } = &envelope.event {
            let at = cycle.0 as usize;
            let last = shown.js.last().copied().unwrap_or(score.mean);
            shown.js.resize((at + 1).max(shown.js.len()), last);
            shown.js[at] = score.mean;
        } else if let Event::ToolReturned { call, .. } = &envelope.event {
            let fault = fault_of(call);
            if fault.is_some() {
                shown.fault = fault;
                stop(commands.take()).await;
            }
        } else if let Event::BudgetUsed { usage } = &envelope.event {
            shown.unpriced |= usage.tokens > 0 && usage.dollars.is_none();
        } else if let Event::EpisodeEnded { outcome } = &envelope.event {
            shown.outcome = Some(outcome.clone());
            commands = None;
        } else if let (Event::Paused { .. }, Some(commands)) = (&envelope.event, &commands) {
            // Nobody is here to look.
            let _ = commands.send(Command::Run).await;
        } else if let Event::Permission { permission } = &envelope.event
            && permission.granted.is_none()
        {
            // Nobody is here to give leave either.
            stop(commands.take()).await;
        }
    }
}

async fn stop(commands: Option<mpsc::Sender<Command>>) {
    if let Some(commands) = commands {
        let _ = commands.send(Command::Interrupt).await;
        let _ = commands.send(Command::Shutdown).await;
    }
}

/// The fault of a call of a model that came to no word of it.
fn fault_of(call: &CallRecord) -> Option<(String, String)> {
    let why = call.result.as_ref().err().filter(|_| call.tool == CallRecord::MODEL)?;
    let fault = call.args.get(2)?.get("fault")?.as_str()?;
    NO_WORD.contains(&fault).then(|| (fault.to_owned(), why.clone()))
}

fn word(outcome: &Outcome) -> String {
    serde_json::to_value(outcome.halted).ok().and_then(|word| word.as_str().map(str::to_owned)).unwrap_or_default()
}

/// The best answer that stood when a session was cut off.
fn best(state: &State) -> Option<String> {
    let incumbent = state.incumbent.as_ref()?;
    let texts: Vec<String> =
        incumbent.values.iter().filter_map(|(_, id)| state.memory.get(*id)).map(|value| value.text.clone()).collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

/// A journal that keeps nothing.
pub(super) struct Nowhere;

impl Journal for Nowhere {
    fn append(&mut self, _: &Envelope) -> Result<(), PortError> {
        Ok(())
    }
    fn flush(&mut self) -> Result<(), PortError> {
        Ok(())
    }
}
