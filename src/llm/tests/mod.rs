//! Tests of this floor. Those of time run over a network in memory with a clock that they move; those of sockets over a server
//! of their own on this machine.

mod budget;
mod faults;
mod fleet;
mod four;
mod providers;
mod sockets;
mod trust;

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::future::BoxFuture;
use futures::stream::{self, StreamExt};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use crate::engine::ports::{Ask, Clock, Piece, Provider, ProviderError, Reply, Wanted};

use super::budget::{Caps, Guard, Used};
use super::endpoint::EndpointSettings;
use super::fleet::{Fleet, FleetSettings, Patient};
use super::key::ApiKey;
use super::price::Prices;
use super::transport::{NetError, Request, Response, Transport};
use super::wire::Format;

pub(super) const CANARY: &str = "sk-canary-91c1b5b2f0";

/// One step of a server in memory.
#[derive(Clone)]
enum Do {
    Send(String),
    Wait(u64),
    Hang,
    Reset,
}

/// What a server in memory does with one request.
#[derive(Clone)]
struct Act {
    status: u16,
    headers: Vec<(String, String)>,
    steps: Vec<Do>,
    refuse: bool,
}

impl Act {
    fn status(status: u16, headers: &[(&str, &str)], body: &str) -> Self {
        let headers = headers.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
        Self { status, headers, steps: vec![Do::Send(body.to_owned())], refuse: false }
    }

    fn steps(steps: Vec<Do>) -> Self {
        let kind = ("content-type".to_owned(), "text/event-stream".to_owned());
        Self { status: 200, headers: vec![kind], steps, refuse: false }
    }

    fn says(text: &str) -> Self {
        Self::steps(vec![Do::Send(event(text)), Do::Send(end())])
    }

    fn refuses() -> Self {
        Self { refuse: true, ..Self::steps(Vec::new()) }
    }
}

fn event(text: &str) -> String {
    format!("data: {}\n\n", json!({ "choices": [{ "delta": { "content": text } }] }))
}

fn end() -> String {
    let usage = json!({ "prompt_tokens": 10, "completion_tokens": 5 });
    let last = json!({ "choices": [{ "delta": {}, "finish_reason": "stop" }], "usage": usage });
    format!("data: {last}\n\ndata: [DONE]\n\n")
}

type Log = Arc<Mutex<Vec<(Instant, String, Value)>>>;

/// Servers in memory, by the host of the address; the last act of each is repeated.
#[derive(Clone, Default)]
struct Memory {
    acts: Arc<Mutex<BTreeMap<String, VecDeque<Act>>>>,
    log: Log,
}

impl Memory {
    fn of(host: &str, acts: Vec<Act>) -> Self {
        Self::default().and(host, acts)
    }

    fn and(self, host: &str, acts: Vec<Act>) -> Self {
        self.acts.lock().unwrap().insert(host.to_owned(), acts.into());
        self
    }

    /// When each request came, in milliseconds since the first.
    fn times(&self) -> Vec<u128> {
        let log = self.log.lock().unwrap();
        log.iter().map(|(at, ..)| (*at - log[0].0).as_millis()).collect()
    }

    fn hosts(&self) -> Vec<String> {
        self.log.lock().unwrap().iter().map(|(_, host, _)| host.clone()).collect()
    }
}

impl Transport for Memory {
    fn send(&self, request: Request) -> BoxFuture<'_, Result<Response, NetError>> {
        Box::pin(async move {
            let host = EndpointSettings::new("x", Format::OpenAi, &request.url).host().to_owned();
            let body = request.body.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
            self.log.lock().unwrap().push((Instant::now(), host.clone(), body));
            let act = {
                let mut acts = self.acts.lock().unwrap();
                let acts = acts.get_mut(&host).unwrap();
                if acts.len() > 1 { acts.pop_front().unwrap() } else { acts[0].clone() }
            };
            if act.refuse {
                return Err(NetError { message: "connection refused".into(), hint: "see that it runs", sent: false });
            }
            let body = stream::unfold(act.steps.into_iter(), |mut steps| async move {
                loop {
                    match steps.next()? {
                        Do::Send(text) => return Some((Ok(text.into_bytes()), steps)),
                        Do::Wait(ms) => sleep(Duration::from_millis(ms)).await,
                        Do::Hang => std::future::pending().await,
                        Do::Reset => {
                            let error = NetError { message: "connection reset".into(), hint: "", sent: true };
                            return Some((Err(error), Vec::new().into_iter()));
                        }
                    }
                }
            });
            Ok(Response { status: act.status, headers: act.headers, body: body.boxed() })
        })
    }
}

/// A clock at 1994-11-06T08:49:37Z.
struct Then;

impl Clock for Then {
    fn now(&self) -> u64 {
        784_111_777_000
    }
}

fn settings(names: &[&str]) -> FleetSettings {
    let endpoint = |name: &&str| {
        let mut endpoint = EndpointSettings::new(name, Format::OpenAi, &format!("http://{name}/v1"));
        endpoint.key = ApiKey::new(CANARY);
        endpoint.models = vec!["m".to_owned()];
        endpoint
    };
    FleetSettings {
        endpoints: names.iter().map(endpoint).collect(),
        tiers: BTreeMap::from([("standard".to_owned(), "m".to_owned())]),
        prices: Prices::default(),
        authorities: None,
        patient: Patient::default(),
    }
}

fn free() -> Arc<Guard> {
    Guard::new(Caps::default(), Used::default())
}

fn fleet(memory: &Memory, names: &[&str]) -> Fleet {
    Fleet::over(Box::new(memory.clone()), settings(names), free(), Arc::new(Then))
}

fn question() -> Ask {
    Ask::new(Wanted::Tier(crate::model::Tier::Standard), "be brief", "what is 2 + 2?")
}

/// What was seen, one word each.
#[derive(Default)]
struct Watch(Mutex<Vec<String>>);

impl Watch {
    fn see(&self, piece: Piece<'_>) {
        let word = match piece {
            Piece::Sent { .. } => "sent".to_owned(),
            Piece::Text(text) => format!("text {text}"),
            Piece::Reasoning(text) => format!("reasoning {text}"),
            Piece::Call(name) => format!("call {name}"),
            Piece::Waiting { left, why } => format!("waiting {} {why}", left.as_secs()),
            Piece::Again(why) => format!("again {why}"),
        };
        self.0.lock().unwrap().push(word);
    }

    fn words(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

async fn asked(fleet: &Fleet) -> Result<Reply, ProviderError> {
    fleet.ask(&question(), &|_| {}).await
}
