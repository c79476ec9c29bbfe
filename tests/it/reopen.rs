//! Decisions that are taken back: the text comes back, the proposal waits again, and a replay goes the same way.

use std::path::Path;
use std::sync::Arc;

use mop::engine::ports::Library;
use mop::engine::{CHANNEL, Playback, Ports, Session, Settings, first_difference};
use mop::model::{
    Author, Change, Command, Decision, Envelope, Event, Network, ProposalId, ProposalStatus, Query, State,
};
use mop::store::{FileLibrary, Source, SourcedNetwork};
use serde_json::json;
use tokio::sync::mpsc;

use super::native::{ByData, List, Natives, Still, gives, offer, pins, program, value};

const BEFORE: &str =
    "+++\nrole = \"r\"\ncontract = \"solver\"\nwrites = [\"draft\"]\n# sections\n+++\none\ntwo\nthree\n";
/// Four hunks: the first two open and close a list and make sense together only; the others change one line each.
const AFTER: &str =
    "+++\nrole = \"r\"\ncontract = \"solver\"\nwrites = [\"draft\"]\nreads = [\n# sections\n]\n+++\nONE\ntwo\nTHREE\n";

fn library(root: &Path) -> Arc<FileLibrary> {
    let route = program("contract = \"router\"\nnext = { solve = 0.5 }");
    let check = program("contract = \"goal-check\"\nreads = [\"draft\"]\nwrites = [\"assessment\"]");
    let files = [
        ("network.toml", "entry = \"route\"\n"),
        ("route.md", &route),
        ("check.md", &check),
        ("solve.md", &BEFORE.replace("[\"draft\"]", "[\"draft\"]\nnext = { check = 0.5 }")),
    ];
    let layers = vec![files.map(|(path, text)| (path.to_owned(), text.to_owned())).into()];
    let network = SourcedNetwork { name: "test".into(), source: Source::Bundled, layers, warnings: Vec::new() };
    Arc::new(FileLibrary::open(root, network, Arc::new(Still::default())).unwrap())
}

fn natives() -> Natives {
    Natives::default()
        .with("solve", |run| gives(vec![value("x", 1.0, run.focus)]))
        .with("check", |_| gives(vec![offer("assessment", "done", json!({ "complete": true }), None)]))
}

struct Client {
    commands: mpsc::Sender<Command>,
    events: mpsc::Receiver<Arc<Envelope>>,
    library: Arc<FileLibrary>,
    id: ProposalId,
}

impl Client {
    /// Sends a command and waits for what it comes to: a decision, its return, or a refusal.
    async fn send(&mut self, command: Command) -> Event {
        self.commands.send(command).await.unwrap();
        self.until(|event| {
            matches!(event, Event::ProposalDecided { .. } | Event::ProposalReopened { .. } | Event::Warned { .. })
        })
        .await
    }

    async fn until(&mut self, wanted: impl Fn(&Event) -> bool) -> Event {
        loop {
            let envelope = self.events.recv().await.expect("the session runs");
            if wanted(&envelope.event) {
                return envelope.event.clone();
            }
        }
    }

    async fn decide(&mut self, accept: &[usize], edited: &[(&str, &str)], reason: &str) -> Event {
        let edited = edited.iter().map(|(path, text)| ((*path).to_owned(), Arc::from(*text))).collect();
        let decision = Decision { accept: accept.to_vec(), reason: reason.to_owned(), edited, by: Author::Human };
        self.send(Command::Decide { id: self.id.clone(), decision }).await
    }

    async fn reopen(&mut self) -> Event {
        self.send(Command::Reopen { id: self.id.clone() }).await
    }

    /// The text of the program now, without what the test does not change.
    fn text(&self) -> String {
        let text = self.library.file("solve.md").unwrap().unwrap();
        text.replace("\nnext = { check = 0.5 }", "")
    }

    fn status(&self) -> ProposalStatus {
        self.library.proposal(&self.id).unwrap().unwrap().1
    }

    fn waits(&self, text: &str) {
        assert_eq!((self.status(), self.text().as_str()), (ProposalStatus::Open, text));
    }
}

/// Runs a session that stands at its first gate while `work` talks to it, then lets it end.
fn session(root: &Path, work: impl AsyncFnOnce(&mut Client)) -> (State, Vec<Arc<Envelope>>, Arc<Network>) {
    let library = library(root);
    let first = library.network().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let (state, events) = runtime.block_on(async {
        let (commands, receiver) = mpsc::channel(CHANNEL);
        let (sender, events) = mpsc::channel(10_000);
        let journal = List::default();
        let ports = Ports {
            runner: Arc::new(natives()),
            scorer: Arc::new(ByData),
            library: library.clone(),
            clock: Arc::new(Still::default()),
            journal: Box::new(journal.clone()),
            recall: Arc::new(mop::engine::ports::NoRecall),
        };
        let settings = Settings { step: true, backward: false, ..Settings::default() };
        let query = Some(Query::new("one"));
        let session = Session::open(ports, settings, pins(&first), query, receiver, sender).await.unwrap();
        let client = async {
            let mut client = Client { commands, events, library, id: ProposalId::new("") };
            client.until(|event| matches!(event, Event::Paused { .. })).await;
            let before = client.library.file("solve.md").unwrap().unwrap();
            let after = AFTER.replace("[\"draft\"]", "[\"draft\"]\nnext = { check = 0.5 }");
            let change = Change { path: "solve.md".into(), before: Some(before), after: Some(after.into()) };
            let propose = Command::Propose { title: "louder".into(), changes: vec![change] };
            client.commands.send(propose).await.unwrap();
            let raised = client.until(|event| matches!(event, Event::ProposalRaised { .. })).await;
            let Event::ProposalRaised { proposal } = raised else { panic!() };
            assert_eq!(proposal.hunk_count(), 4);
            client.id = proposal.id.clone();
            work(&mut client).await;
            client.commands.send(Command::Run).await.unwrap();
        };
        let (state, ()) = tokio::join!(session.run(), client);
        let events = journal.0.lock().unwrap().clone();
        (state.unwrap(), events)
    });
    (state, events, first)
}

fn replayed(events: &[Arc<Envelope>], network: Arc<Network>) {
    let playback = Playback::new(events, network);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let (sender, receiver) = mpsc::channel(1);
        drop(receiver);
        let settings = Settings { backward: false, ..Settings::default() };
        let session = Session::replay(Arc::new(natives()), Arc::new(ByData), settings, playback.clone(), sender);
        session.await.unwrap().run().await.unwrap();
    });
    assert_eq!(first_difference(playback.recorded(), &playback.replayed()), None);
}

fn warned(event: Event) -> String {
    match event {
        Event::Warned { text } => text,
        other => panic!("{other:?} is no refusal"),
    }
}

#[test]
fn a_decision_can_be_taken_back_and_made_again_and_a_replay_goes_the_same_way() {
    let root = tempfile::tempdir().unwrap();
    let (state, events, first) = session(root.path(), async |client| {
        let text = warned(client.reopen().await);
        assert!(text.contains("waits for its decision already"), "{text}");
        // The chosen hunks go through the gates again: one half of a list does not parse.
        let text = warned(client.decide(&[1, 3], &[], "").await);
        assert!(text.contains("the chosen hunks did not pass the static gate"), "{text}");
        client.waits(BEFORE);

        client.decide(&[3], &[], "").await;
        assert_eq!(client.text(), BEFORE.replace("one", "ONE"));
        assert!(matches!(client.status(), ProposalStatus::Accepted(_)));
        assert!(matches!(client.reopen().await, Event::ProposalReopened { by: Author::Human, .. }));
        client.waits(BEFORE);

        client.decide(&[4, 1, 2], &[], "").await;
        assert_eq!(client.text(), AFTER.replace("ONE", "one"));
        client.reopen().await;
        client.waits(BEFORE);

        client.decide(&[], &[], "not now").await;
        assert_eq!(client.status(), ProposalStatus::Rejected("not now".into()));
        client.reopen().await;
        client.waits(BEFORE);

        let edited = client.library.file("solve.md").unwrap().unwrap().replace("two", "mine");
        client.decide(&[], &[("solve.md", &edited)], "").await;
        assert_eq!(client.text(), BEFORE.replace("two", "mine"));
    });
    let (_, status) = state.proposals.values().next().unwrap();
    let last = state.revisions.last().unwrap();
    assert_eq!(*status, ProposalStatus::Accepted(last.id.clone()));
    assert_eq!(state.revisions.iter().map(|one| one.number).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
    assert!(state.revisions[1].title.contains("back: louder"), "{}", state.revisions[1].title);
    assert_eq!(state.revisions[1].id, first.revision);
    for envelope in &events {
        let text = serde_json::to_string(&**envelope).unwrap();
        assert_eq!(serde_json::from_str::<Envelope>(&text).unwrap(), **envelope, "{text}");
    }
    replayed(&events, first);
}

#[test]
fn what_a_gate_turned_down_is_no_decision_to_take_back() {
    let root = tempfile::tempdir().unwrap();
    let (state, events, first) = session(root.path(), async |client| {
        let before = client.library.file("solve.md").unwrap().unwrap();
        let after = before.replace("\"solver\"", "\"nothing\"");
        let change = Change { path: "solve.md".into(), before: Some(before), after: Some(after.into()) };
        let propose = Command::Propose { title: "broken".into(), changes: vec![change] };
        let Event::ProposalDecided { id, .. } = client.send(propose).await else { panic!() };
        let text = warned(client.send(Command::Reopen { id }).await);
        assert!(text.contains("a gate turned"), "{text}");
    });
    assert_eq!(state.proposals.len(), 2);
    replayed(&events, first);
}

#[test]
fn a_step_that_is_cut_off_does_not_undo_what_was_taken_back() {
    let root = tempfile::tempdir().unwrap();
    let (_, events, _) = session(root.path(), async |client| {
        client.decide(&[3], &[], "").await;
        client.reopen().await;
    });
    let at = events.iter().position(|envelope| matches!(envelope.event, Event::ProposalReopened { .. })).unwrap();
    let begun = events.iter().position(|envelope| matches!(envelope.event, Event::CycleBegan { .. })).unwrap();
    assert!(at < begun);
    let mut state = State::default();
    for envelope in &events[..=begun] {
        state.apply(envelope);
    }
    let to = state.last_boundary();
    let resumed = Envelope { seq: state.seq.next(), event: Event::Resumed { rewound_to: to }, ..(*events[0]).clone() };
    state.apply(&resumed);
    assert!(state.proposals.values().all(|(_, status)| *status == ProposalStatus::Open));
}
