//! The symbolic network over questions: the programs' own tests, answers to free wordings, and traces.

use std::sync::Arc;
use std::time::Duration;

use mop::engine::ports::{Journal, Library, PortError, Runner, Scorer};
use mop::engine::{CHANNEL, Session, Settings, trial};
use mop::model::{Envelope, Event, Network, Outcome, Query, SessionId};
use mop::runtime::Programs;
use mop::runtime::pool::{Pool, Settings as PoolSettings};
use mop::scoring::Checks;
use mop::setup::{App, Works};
use mop::store::FileLibrary;
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
        let sourced = app.networks.find("symbolic").unwrap();
        let library = Arc::new(FileLibrary::open(&app.paths.library(), sourced, app.clock.clone()).unwrap());
        // The workers are the binary's, not the test's.
        let pool = Pool::new(PoolSettings { size: 2, ..PoolSettings::new(env!("CARGO_BIN_EXE_mop").into()) });
        let programs = Arc::new(Programs::new(pool));
        let scorer: Arc<dyn Scorer> = Arc::new(Checks::default());
        let runner: Arc<dyn Runner> = programs.clone();
        programs.equip(Arc::new(Tools::new(Arc::downgrade(&runner), scorer.clone(), library.clone())));
        let network = library.network().unwrap();
        Self { app, works: Works { library, runner, scorer }, network, _home: home }
    }

    /// Asks one question in a session of its own.
    async fn ask(&self, text: &str) -> Told {
        let pins = self.app.pins(SessionId::new("s"), &self.network, &*self.works.scorer);
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
                    trial::run(&*desk.works.runner, &*desk.works.scorer, program, test, Duration::from_secs(5), 0).await;
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
                wrong.push(format!("{question}\n    {answer} not {expected}; {reason}, J {:.2} {why}\n    {}", outcome.j, trace.join(" · ")));
            }
        }
    });
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count >= 80, "{count} questions");
}
