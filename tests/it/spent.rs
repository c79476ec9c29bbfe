//! What a stopped run took is counted, in the session and in its replay.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use futures::future::BoxFuture;
use mop::engine::ports::{Activation, Output, RunError, Runner};
use mop::engine::{CHANNEL, Playback, Ports, Session, Settings, first_difference};
use mop::model::{Budget, Command, Event, Network, Query, Usage};
use serde_json::json;
use tokio::sync::mpsc;

use super::native::{ByData, Fixed, List, Natives, Still, gives, network, offer, pins, program, value};

/// Each run takes 50 tokens; the first of `solve` hangs after it took them, and is in nobody's account.
#[derive(Default)]
struct Hanging {
    natives: Natives,
    hung: AtomicBool,
    tokens: AtomicU64,
    calls: AtomicU64,
}

impl Runner for Hanging {
    fn run(&self, activation: Activation) -> BoxFuture<'_, Result<Output, RunError>> {
        self.tokens.fetch_add(50, Ordering::SeqCst);
        self.calls.fetch_add(1, Ordering::SeqCst);
        if activation.program.name.as_str() == "solve" && !self.hung.swap(true, Ordering::SeqCst) {
            return Box::pin(std::future::pending());
        }
        Box::pin(async move {
            let output = self.natives.run(activation).await?;
            let usage = Usage { tokens: 50, calls: 1, ..Usage::default() };
            Ok(Output { usage, ..output })
        })
    }

    fn used(&self) -> Usage {
        let (tokens, calls) = (self.tokens.load(Ordering::SeqCst), self.calls.load(Ordering::SeqCst));
        Usage { tokens, calls, ..Usage::default() }
    }

    fn budget(&self, caps: &Budget, used: Option<&Usage>) {
        assert!(caps.tokens.is_none() && used.is_some_and(|used| used.tokens == 0));
    }
}

fn natives() -> Natives {
    Natives::default()
        .with("solve", |_| gives(vec![value("x", 1.0, None)]))
        .with("check", |_| gives(vec![offer("assessment", "ok", json!({ "complete": true }), None)]))
        .with("show", |_| gives(vec![offer("answer", "x", json!(null), None)]))
}

fn small() -> Arc<Network> {
    let rules = "entry = \"route\"\n[[rules]]\nwhen = \"draft\"\ngo = \"@goal-check\"\nwhy = \"check\"\n";
    let route = program("contract = \"router\"\nwrites = [\"plan\"]\nnext = { solve = 0.5 }");
    let solve = program("contract = \"solver\"\nwrites = [\"draft\"]\nnext = { check = 0.5 }");
    let check = program("contract = \"goal-check\"\nreads = [\"draft\"]\nwrites = [\"assessment\"]");
    let show = program("contract = \"presenter\"\nreads = [\"draft\"]\nwrites = [\"answer\"]");
    network(&[
        ("network.toml", rules),
        ("route.md", &route),
        ("solve.md", &solve),
        ("check.md", &check),
        ("show.md", &show),
    ])
}

#[tokio::test]
async fn what_an_interrupted_call_took_is_in_the_sessions_usage() {
    let network = small();
    let runner = Arc::new(Hanging { natives: natives(), ..Hanging::default() });
    let journal = List::default();
    let ports = Ports {
        runner: runner.clone(),
        scorer: Arc::new(ByData),
        library: Arc::new(Fixed(network.clone())),
        clock: Arc::new(Still::default()),
        recall: Arc::new(mop::engine::ports::NoRecall),
        journal: Box::new(journal.clone()),
    };
    let settings = || Settings { backward: false, ..Settings::default() };
    let (commands, receiver) = mpsc::channel(8);
    let (sender, mut events) = mpsc::channel(CHANNEL);
    let query = Some(Query::new("one"));
    let session = Session::open(ports, settings(), pins(&network), query, receiver, sender).await.unwrap();
    let client = async {
        while let Some(envelope) = events.recv().await {
            let command = match &envelope.event {
                Event::Activated { program, .. } if program.as_str() == "solve" => Command::Interrupt,
                Event::Paused { .. } => Command::Run,
                Event::EpisodeEnded { .. } => Command::Shutdown,
                _ => continue,
            };
            let _ = commands.send(command).await;
        }
    };
    let state = tokio::join!(session.run(), client).0.unwrap();
    assert!(runner.hung.load(Ordering::SeqCst));
    let took = runner.used();
    assert_eq!((state.usage.tokens, state.usage.calls), (took.tokens, took.calls));
    assert_eq!(state.outcomes.last().unwrap().usage.tokens, took.tokens);

    // The replay, where nothing hangs and nothing is taken, says the same of it.
    let recorded = journal.0.lock().unwrap().clone();
    let playback = Playback::new(&recorded, network);
    let again = Arc::new(Hanging { natives: natives(), hung: AtomicBool::new(true), ..Hanging::default() });
    let (sender, mut events) = mpsc::channel(CHANNEL);
    let replay = async {
        let session = Session::replay(again, Arc::new(ByData), settings(), playback.clone(), sender).await.unwrap();
        session.run().await.unwrap();
    };
    let watch = async { while events.recv().await.is_some() {} };
    tokio::join!(replay, watch);
    assert_eq!(first_difference(playback.recorded(), &playback.replayed()), None);
}
