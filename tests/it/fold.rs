//! The fold: a crash after any event loses at most the open step; any prefix can be looked at; events survive JSON.

use std::sync::Arc;

use mop::engine::Settings;
use mop::model::{Envelope, Event, PartId, Seq, State, Timeline};
use proptest::prelude::*;
use serde_json::json;

use super::native::{Natives, gives, network, offer, open, program, run, value};

fn three() -> Arc<mop::model::Network> {
    let route = program("contract = \"router\"\nnext = { solve = 0.5 }");
    let solve = program("contract = \"solver\"\nwrites = [\"draft\"]\nnext = { check = 0.5 }");
    let check = program("contract = \"goal-check\"\nreads = [\"draft\"]\nwrites = [\"assessment\"]");
    let rules = "entry = \"route\"\n";
    network(&[("network.toml", rules), ("route.md", &route), ("solve.md", &solve), ("check.md", &check)])
}

fn natives() -> Natives {
    Natives::default()
        .with("solve", |run| gives(vec![value("x", 1.0, run.focus)]))
        .with("check", |_| gives(vec![offer("assessment", "done", json!({ "complete": true }), None)]))
}

fn events() -> Vec<Arc<Envelope>> {
    run(&three(), natives(), "one").1
}

fn fold<'a>(events: impl IntoIterator<Item = &'a Arc<Envelope>>) -> State {
    let mut state = State::default();
    for envelope in events {
        state.apply(envelope);
    }
    state
}

#[test]
fn a_session_cut_off_after_any_event_comes_to_the_same_end() {
    let whole = events();
    let expected = fold(&whole);
    for cut in 1..=whole.len() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let state = runtime.block_on(async {
            let (session, bench) = resumed(fold(&whole[..cut])).await;
            drop(bench);
            session.run().await.unwrap()
        });
        let outcomes: Vec<_> = state.outcomes.iter().map(|outcome| (outcome.answer.clone(), outcome.cycles)).collect();
        let wanted: Vec<_> = expected.outcomes.iter().map(|outcome| (outcome.answer.clone(), outcome.cycles)).collect();
        assert_eq!(outcomes, wanted, "cut after event {cut}");
        assert_eq!(state.memory.len(), expected.memory.len(), "cut after event {cut}");
        assert_eq!(state.scores.len(), expected.scores.len(), "cut after event {cut}");
    }
}

async fn resumed(state: State) -> (mop::engine::Session, tokio::sync::mpsc::Sender<mop::model::Command>) {
    let network = three();
    let (commands, receiver) = tokio::sync::mpsc::channel(8);
    let (sender, events) = tokio::sync::mpsc::channel(1000);
    drop(events);
    let ports = mop::engine::Ports {
        runner: Arc::new(natives()),
        scorer: Arc::new(super::native::ByData),
        library: Arc::new(super::native::Fixed(network)),
        clock: Arc::new(super::native::Still::default()),
        journal: Box::new(super::native::List::default()),
        recall: Arc::new(mop::engine::ports::NoRecall),
    };
    let settings = Settings { backward: false, ..Settings::default() };
    (mop::engine::Session::resume(ports, settings, state, receiver, sender).await.unwrap(), commands)
}

#[test]
fn looking_at_any_point_gives_the_fold_of_its_prefix() {
    let whole = events();
    let mut timeline = Timeline::new(4);
    for envelope in &whole {
        timeline.push(envelope.clone());
    }
    for upto in 0..=whole.len() {
        let seq = Seq(upto as u64);
        assert_eq!(timeline.at(seq), fold(&whole[..upto]), "at {seq}");
    }
}

#[test]
fn a_replay_from_the_record_gives_the_same_events() {
    let recorded = events();
    let playback = mop::engine::Playback::new(&recorded, three());
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let (sender, receiver) = tokio::sync::mpsc::channel(1);
        drop(receiver);
        let settings = Settings { backward: false, ..Settings::default() };
        let runner = Arc::new(natives());
        let scorer = Arc::new(super::native::ByData);
        let session = mop::engine::Session::replay(runner, scorer, settings, playback.clone(), sender).await.unwrap();
        session.run().await.unwrap();
    });
    assert_eq!(mop::engine::first_difference(playback.recorded(), &playback.replayed()), None);
    let other: Vec<Arc<Envelope>> = recorded.iter().take(5).cloned().collect();
    let difference = mop::engine::first_difference(&recorded, &other).expect("a shorter run differs");
    assert_eq!(difference.replayed, "nothing");
}

#[test]
fn every_event_of_a_run_survives_json() {
    for envelope in events() {
        let text = serde_json::to_string(&*envelope).unwrap();
        assert_eq!(serde_json::from_str::<Envelope>(&text).unwrap(), *envelope, "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn texts_of_any_kind_survive_json(text in any::<String>(), part in proptest::option::of(any::<u16>())) {
        let mut all = events();
        let envelope = Arc::make_mut(&mut all[0]);
        envelope.event = Event::Contributed { contribution: Arc::new(mop::model::Contribution {
            id: mop::model::ContributionId(0), section: "draft".into(), part: part.map(PartId), text: text.clone(),
            data: json!({ "k": text }), author: mop::model::Author::Human, cycle: mop::model::Cycle(1),
            activation: None, about: None, supersedes: Vec::new(),
        informed: false,
        }) };
        let line = serde_json::to_string(envelope).unwrap();
        prop_assert!(!line.contains('\n'));
        prop_assert_eq!(&serde_json::from_str::<Envelope>(&line).unwrap(), envelope);
    }
}

#[test]
fn open_without_a_query_waits_for_one() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let (session, bench) = open(&three(), natives(), None, Settings::default()).await;
        drop(bench.commands);
        let state = session.run().await.unwrap();
        assert!(state.ended && state.outcomes.is_empty());
    });
}
