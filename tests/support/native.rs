//! An engine without processes, disk or clock: programs are closures, the journal is a list.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use futures::future::BoxFuture;
use mop::engine::ports::{
    Activation, Clock, Journal, Library, Offer, Output, PortError, RunError, Runner, Scorer, Scoring,
};
use mop::engine::{CHANNEL, Ports, Session, Settings};
use mop::model::{
    Author, Command, Decision, Envelope, Hash, Network, Part, PartId, PartScore, PartState, Pins, Proposal, ProposalId,
    ProposalStatus, Query, Revision, RevisionId, Score, Section, SessionId, State, WorkingMemory, assemble,
};
use serde_json::{Value, json};
use tokio::sync::mpsc;

/// A program as a closure.
pub(crate) type Native = Box<dyn Fn(&Activation) -> Result<Output, RunError> + Send + Sync>;

/// Runs closures by the name of the program.
#[derive(Default)]
pub(crate) struct Natives(pub(crate) BTreeMap<&'static str, Native>);

impl Natives {
    pub(crate) fn with(
        mut self,
        name: &'static str,
        run: impl Fn(&Activation) -> Result<Output, RunError> + Send + Sync + 'static,
    ) -> Self {
        self.0.insert(name, Box::new(run));
        self
    }
}

impl Runner for Natives {
    fn run(&self, activation: Activation) -> BoxFuture<'_, Result<Output, RunError>> {
        let result = match self.0.get(activation.program.name.as_str()) {
            Some(run) => run(&activation),
            None => Ok(Output::default()),
        };
        Box::pin(std::future::ready(result))
    }
}

/// Scores a value by the `score` in its data; a query has as many parts as it has words.
pub(crate) struct ByData;

impl Scorer for ByData {
    fn hash(&self) -> Hash {
        Hash::of("by data")
    }
    fn parts(&self, query: &Query) -> Vec<Part> {
        let part = |(word, id): (&str, u16)| Part {
            id: PartId(id),
            text: word.to_owned(),
            class: "word".to_owned(),
            unclear: Vec::new(),
            cautions: Vec::new(),
            reading: Value::Null,
        };
        query.text.split_whitespace().zip(1..).map(part).collect()
    }
    fn parts_of_reading(&self, query: &Query, _: &Value) -> Result<Vec<Part>, PortError> {
        Ok(query.parts.clone())
    }
    fn score<'a>(&'a self, query: &'a Query, memory: &'a WorkingMemory) -> BoxFuture<'a, Scoring> {
        let parts: Vec<PartScore> = query
            .parts
            .iter()
            .map(|part| {
                let value = memory.board(part.id).and_then(|board| board.current().cloned());
                let score = value.as_ref().and_then(|value| value.data["score"].as_f64());
                PartScore {
                    part: part.id,
                    state: if value.is_some() { PartState::Answered } else { PartState::Unanswered },
                    value: score.unwrap_or(0.1),
                    none: false,
                    of: None,
                    cap: 1.0,
                    why: String::new(),
                }
            })
            .collect();
        let mean = parts.iter().map(|part| part.value).sum::<f64>() / parts.len().max(1) as f64;
        let score = Score { mean, n: 1, se: 0.0, parts, scorer: self.hash() };
        Box::pin(std::future::ready(Scoring { score, withdrawn: Vec::new() }))
    }
    fn proves(&self, _: &Part, value: &Value) -> (Option<bool>, String) {
        (value["score"].as_f64().map(|score| score >= 1.0), String::new())
    }
    fn canonical(&self, value: &Value) -> Value {
        value["value"].clone()
    }
}

/// A network that never changes.
pub(crate) struct Fixed(pub(crate) Arc<Network>);

impl Library for Fixed {
    fn network(&self) -> Result<Arc<Network>, PortError> {
        Ok(self.0.clone())
    }
    fn since(&self, _: &RevisionId) -> Result<Vec<Revision>, PortError> {
        Ok(Vec::new())
    }
    fn file(&self, _: &str) -> Result<Option<Arc<str>>, PortError> {
        Ok(None)
    }
    fn raise(&self, _: &Proposal) -> Result<bool, PortError> {
        Ok(true)
    }
    fn proposal(&self, _: &ProposalId) -> Result<Option<(Proposal, ProposalStatus)>, PortError> {
        Ok(None)
    }
    fn proposals(&self) -> Result<Vec<(Proposal, ProposalStatus)>, PortError> {
        Ok(Vec::new())
    }
    fn decide(
        &self,
        _: &ProposalId,
        _: &Decision,
        _: Vec<(String, Option<Arc<str>>)>,
    ) -> Result<(ProposalStatus, Option<Revision>), PortError> {
        Err(PortError::new("nothing is decided here"))
    }
    fn reopen(&self, _: &ProposalId, _: Author) -> Result<Option<Revision>, PortError> {
        Err(PortError::new("nothing is taken back here"))
    }
    fn revert(&self, _: &RevisionId, _: Author) -> Result<Revision, PortError> {
        Err(PortError::new("nothing is reverted here"))
    }
}

/// A clock that a test may set; it stands still.
#[derive(Default)]
pub(crate) struct Still(pub(crate) AtomicU64);

impl Clock for Still {
    fn now(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// A journal in memory.
#[derive(Clone, Default)]
pub(crate) struct List(pub(crate) Arc<Mutex<Vec<Arc<Envelope>>>>);

impl Journal for List {
    fn append(&mut self, envelope: &Envelope) -> Result<(), PortError> {
        self.0.lock().unwrap().push(Arc::new(envelope.clone()));
        Ok(())
    }
    fn flush(&mut self) -> Result<(), PortError> {
        Ok(())
    }
}

/// A network from the text of its files.
pub(crate) fn network(files: &[(&str, &str)]) -> Arc<Network> {
    let layer = files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    let (network, problems) = assemble("test", &[layer]).unwrap();
    assert!(problems.is_empty(), "{problems:?}");
    Arc::new(network)
}

/// A prompt file with this front matter; natives give it life.
pub(crate) fn program(front: &str) -> String {
    format!("+++\nrole = \"r\"\n{front}\n+++\n")
}

pub(crate) fn pins(network: &Network) -> Pins {
    Pins {
        session: SessionId::new("s"),
        network: network.name.clone(),
        revision: network.revision.clone(),
        policy: 0,
        scorer: ByData.hash(),
        recall: String::new(),
        config: BTreeMap::new(),
        seed: 1,
        budget: mop::model::Budget::default(),
        approval: mop::model::Approval::Rules,
        parent: None,
        mop: "test".to_owned(),
    }
}

/// An offer of a section.
pub(crate) fn offer(section: &str, text: &str, data: Value, part: Option<PartId>) -> Offer {
    Offer { section: Section::new(section), part, text: text.to_owned(), data, about: None }
}

/// An output of some offers.
pub(crate) fn gives(offers: Vec<Offer>) -> Result<Output, RunError> {
    Ok(Output { offers, ..Output::default() })
}

/// A value with its score.
pub(crate) fn value(text: &str, score: f64, part: Option<PartId>) -> Offer {
    offer("draft", text, json!({ "value": text, "score": score }), part)
}

/// A session over natives, with the ends of its client.
pub(crate) struct Bench {
    pub(crate) commands: mpsc::Sender<Command>,
    pub(crate) events: mpsc::Receiver<Arc<Envelope>>,
    pub(crate) journal: List,
}

pub(crate) async fn open(
    network: &Arc<Network>,
    natives: Natives,
    query: Option<&str>,
    settings: Settings,
) -> (Session, Bench) {
    let (commands, receiver) = mpsc::channel(CHANNEL);
    let (sender, events) = mpsc::channel(100_000);
    let journal = List::default();
    let ports = Ports {
        runner: Arc::new(natives),
        scorer: Arc::new(ByData),
        library: Arc::new(Fixed(network.clone())),
        clock: Arc::new(Still::default()),
        journal: Box::new(journal.clone()),
        recall: Arc::new(mop::engine::ports::NoRecall),
    };
    let session = Session::open(ports, settings, pins(network), query.map(Query::new), receiver, sender).await.unwrap();
    (session, Bench { commands, events, journal })
}

/// Runs a query to its end; gives the state and the events.
pub(crate) fn run(network: &Arc<Network>, natives: Natives, query: &str) -> (State, Vec<Arc<Envelope>>) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let settings = Settings { backward: false, ..Settings::default() };
        let (session, bench) = open(network, natives, Some(query), settings).await;
        drop(bench.commands);
        let state = session.run().await.unwrap();
        let events = bench.journal.0.lock().unwrap().clone();
        (state, events)
    })
}
