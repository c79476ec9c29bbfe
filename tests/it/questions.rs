//! The symbolic network over questions: the programs' own tests, answers to free wordings, and traces.

use std::sync::Arc;
use std::time::Duration;

use mop::engine::ports::{Journal, Library, PortError};
use mop::engine::{CHANNEL, Session, Settings, trial};
use mop::model::{Envelope, Event, HaltReason, Network, Outcome, Query, SessionId};
use mop::runtime::Programs;
use mop::runtime::pool::{Pool, Settings as PoolSettings};
use mop::setup::{App, Works};
use mop::tools::Tools;
use tokio::sync::mpsc;

/// Events that nobody keeps.
struct Forgetful;

impl Journal for Forgetful {
    fn append(&mut self, _: &Envelope) -> Result<(), PortError> {
        Ok(())
    }
    fn flush(&mut self) -> Result<(), PortError> {
        Ok(())
    }
}

/// The bundled network with everything that runs it, over a fresh data folder.
struct Desk {
    app: App,
    works: Works,
    network: Arc<Network>,
    _home: tempfile::TempDir,
}

impl Desk {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().to_str().unwrap().to_owned();
        let env = |name: &str| (name == "MOP_HOME").then(|| folder.clone());
        let app = App::new(&env, home.path(), &[]).unwrap();
        let mut works = app.works("symbolic").unwrap();
        // The workers are the binary's, not the test's.
        let pool = Pool::new(PoolSettings { size: 2, ..PoolSettings::new(env!("CARGO_BIN_EXE_mop").into()) });
        let programs = Arc::new(Programs::new(pool));
        works.runner = programs.clone();
        let tools = Tools::new(Arc::downgrade(&works.runner), works.scorer.clone(), works.library.clone());
        programs.equip(Arc::new(tools));
        let network = works.library.network().unwrap();
        Self { app, works, network, _home: home }
    }

    /// Asks one question in a session of its own.
    async fn ask(&self, text: &str) -> Told {
        let pins = self.app.pins(SessionId::new("s"), &self.network, &self.works);
        let ports = self.works.ports(Box::new(Forgetful), self.app.clock.clone());
        let settings = Settings { backward: false, ..self.app.settings() };
        let (commands, receiver) = mpsc::channel(CHANNEL);
        let (sender, mut events) = mpsc::channel(CHANNEL);
        let query = Query { text: text.to_owned(), ..Query::default() };
        let session = async {
            let session = Session::open(ports, settings, pins, Some(query), receiver, sender).await.unwrap();
            session.run().await.unwrap()
        };
        let watching = async {
            let mut commands = Some(commands);
            let mut seen = Vec::new();
            while let Some(envelope) = events.recv().await {
                if matches!(envelope.event, Event::EpisodeEnded { .. }) {
                    commands.take();
                }
                seen.push(envelope);
            }
            seen
        };
        let (state, events) = tokio::join!(session, watching);
        let outcome = state.outcomes.last().unwrap().clone();
        Told { outcome, trace: trace(&events) }
    }
}

struct Told {
    outcome: Arc<Outcome>,
    trace: Vec<String>,
}

/// One line a cycle: who ran, the score, and what each gained.
fn trace(events: &[Arc<Envelope>]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut who: Vec<String> = Vec::new();
    let mut j = 0.0;
    for envelope in events {
        match &envelope.event {
            Event::Activated { program, aside, .. } if !aside => who.push(program.to_string()),
            Event::Activated { program, .. } => lines.push(format!("also {program}")),
            Event::Scored { score, .. } => j = score.mean,
            Event::Credited { credit, .. } => {
                let gains: Vec<String> = credit.shares.iter().map(|share| format!("{:+.2}", share.phi)).collect();
                lines.push(format!("{} {j:.2} {}", who.join(" "), gains.join(" ")));
                who.clear();
            }
            _ => {}
        }
    }
    lines
}

fn block<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

#[test]
fn every_program_passes_its_own_tests() {
    let desk = Desk::new();
    let mut failed = Vec::new();
    let mut count = 0;
    block(async {
        for program in desk.network.programs.values() {
            for test in &program.manifest.tests {
                count += 1;
                let result =
                    trial::run(&*desk.works.runner, &*desk.works.scorer, program, test, Duration::from_secs(5), 0)
                        .await;
                if !result.passed {
                    failed.push(format!("{}: {}: {}", program.name, test.query, result.note));
                }
            }
        }
    });
    assert!(failed.is_empty(), "{} of {count} failed:\n{}", failed.len(), failed.join("\n"));
    assert!(count > 60, "{count} tests");
}

#[test]
fn questions_in_free_wordings_are_answered_and_verified() {
    let desk = Desk::new();
    let mut wrong = Vec::new();
    let mut count = 0;
    block(async {
        for line in include_str!("questions-a.tsv").lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let fields: Vec<&str> = line.split('\t').collect();
            let [question, expected, halted] = fields.as_slice() else { panic!("three fields: {line}") };
            count += 1;
            let Told { outcome, trace } = desk.ask(question).await;
            // Many rules fit the same terms, so a sequence is corroborated at best.
            let sequence = trace.iter().any(|line| line.starts_with("pattern-recognition"));
            let full = if sequence { 0.8 } else { 1.0 };
            let answer = outcome.answer.as_deref().unwrap_or("").replace('\n', " | ");
            let reason = serde_json::to_value(outcome.halted).unwrap();
            if answer != *expected || reason != *halted || !outcome.verified || (outcome.j - full).abs() > 1e-9 {
                let why = outcome.message.clone().unwrap_or_default();
                wrong.push(format!(
                    "{question}\n    {answer} not {expected}; {reason}, J {:.2} {why}\n    {}",
                    outcome.j,
                    trace.join(" · ")
                ));
            }
        }
    });
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count >= 80, "{count} questions");
}

#[test]
fn what_cannot_be_solved_gets_a_reason_and_no_answer() {
    let desk = Desk::new();
    for line in include_str!("refusals.tsv").lines().filter(|line| !line.starts_with('#')) {
        let (question, words) = line.split_once('\t').unwrap();
        let Told { outcome, trace } = block(desk.ask(question));
        assert_eq!((outcome.answer.as_deref(), outcome.verified), (None, false), "{question}: {trace:?}");
        assert_eq!(outcome.halted, HaltReason::Unanswerable, "{question}: {trace:?}");
        let message = outcome.message.as_deref().unwrap_or_default();
        assert!(message.contains(words), "{question}: {message}");
        assert!((outcome.j - 0.1).abs() < 1e-9, "{question}: {}", outcome.j);
    }
}

#[test]
fn traces_show_who_earned_what() {
    let desk = Desk::new();
    let check = |question: &str, expected: &[&str]| {
        let told = block(desk.ask(question));
        assert_eq!(told.trace, expected, "{question}");
    };
    check(
        "What is 17*23, and what is 2^10?",
        &[
            "router 0.10 +0.00",
            "decomposer 0.10 +0.00",
            "calculator calculator 0.60 +0.25 +0.25",
            "verifier verifier 1.00 +0.20 +0.20",
            "goal-check 1.00 +0.00",
            "also integrity",
            "also end-loop",
        ],
    );
    check(
        "Convert 5 ft 7 in to cm",
        &[
            "router 0.10 +0.00",
            "synthesizer 0.10 +0.00",
            "calculator 0.42 +0.32",
            "verifier 0.70 +0.28",
            "optimizer 1.00 +0.30",
            "goal-check 1.00 +0.00",
            "also integrity",
            "also end-loop",
        ],
    );
    check(
        "next number in 2, 4, 8, 16",
        &[
            "router 0.10 +0.00",
            "synthesizer 0.10 +0.00",
            "pattern-recognition 0.60 +0.50",
            "verifier-sequences 0.60 +0.00",
            "value-judge 0.60 +0.00",
            "refractor 0.80 +0.20",
            "goal-check 0.80 +0.00",
            "also integrity",
            "also end-loop",
        ],
    );
}
