//! Four servers of one model over real sockets: two of them are lost in the middle, and come back.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::engine::ports::{Ask, Provider};
use crate::llm::FleetSettings;
use crate::llm::fleet::Fleet;

use super::sockets::{HEAD, request};
use super::{Then, end, event, free, question, settings};

/// What the servers saw.
#[derive(Default)]
struct Seen {
    /// How often each question was begun.
    begun: Mutex<BTreeMap<String, usize>>,
    /// Calls that each server has now, and had at most.
    now: [AtomicUsize; 4],
    most: [AtomicUsize; 4],
    answered: [AtomicUsize; 4],
    /// Answers are held back until this says go.
    go: Notify,
    open: std::sync::atomic::AtomicBool,
}

impl Seen {
    fn busy(&self) -> [usize; 4] {
        [0, 1, 2, 3].map(|at| self.now[at].load(Ordering::SeqCst))
    }

    fn answered(&self) -> [usize; 4] {
        [0, 1, 2, 3].map(|at| self.answered[at].load(Ordering::SeqCst))
    }

    fn open(&self, open: bool) {
        self.open.store(open, Ordering::SeqCst);
        self.go.notify_waiters();
    }
}

/// A server that sends half of its answer, waits for the word to go on, and sends the rest. Ended, it drops its connections.
fn serve(at: usize, listener: TcpListener, seen: Arc<Seen>) -> JoinHandle<()> {
    tokio::spawn(async move {
        let mut calls = tokio::task::JoinSet::new();
        loop {
            let Ok((mut socket, _)) = listener.accept().await else { return };
            let seen = seen.clone();
            calls.spawn(async move {
                let text = request(&mut socket).await;
                let number = text.split("question ").nth(1).unwrap().split('"').next().unwrap().to_owned();
                *seen.begun.lock().unwrap().entry(number.clone()).or_default() += 1;
                let now = seen.now[at].fetch_add(1, Ordering::SeqCst) + 1;
                let _now = Leave(seen.clone(), at);
                seen.most[at].fetch_max(now, Ordering::SeqCst);
                let _ = socket.write_all(format!("{HEAD}{}", event("answer ")).as_bytes()).await;
                loop {
                    let go = seen.go.notified();
                    tokio::pin!(go);
                    go.as_mut().enable();
                    if seen.open.load(Ordering::SeqCst) {
                        break;
                    }
                    go.await;
                }
                let _ = socket.write_all(format!("{}{}", event(&number), end()).as_bytes()).await;
                seen.answered[at].fetch_add(1, Ordering::SeqCst);
            });
        }
    })
}

struct Leave(Arc<Seen>, usize);

impl Drop for Leave {
    fn drop(&mut self) {
        self.0.now[self.1].fetch_sub(1, Ordering::SeqCst);
    }
}

/// Goes round until something is so.
async fn until(is: impl Fn() -> bool) {
    let waiting = async {
        while !is() {
            tokio::task::yield_now().await;
        }
    };
    timeout(Duration::from_secs(20), waiting).await.unwrap();
}

async fn all(fleet: Arc<Fleet>, numbers: std::ops::Range<usize>) -> Vec<String> {
    let asks = numbers.map(|number| {
        let fleet = fleet.clone();
        async move {
            let ask = Ask::new(question().model, "", format!("question {number}"));
            fleet.ask(&ask, &|_| {}).await.map(|reply| reply.text).unwrap_or_else(|error| error.told())
        }
    });
    futures::future::join_all(asks).await
}

fn answers(numbers: std::ops::Range<usize>) -> Vec<String> {
    numbers.map(|number| format!("answer {number}")).collect()
}

#[tokio::test]
async fn four_servers_are_kept_busy_and_two_may_be_lost_and_come_back() {
    let seen = Arc::new(Seen::default());
    let mut settings: FleetSettings = settings(&["a", "b", "c", "d"]);
    let (mut servers, mut places) = (Vec::<JoinHandle<()>>::new(), Vec::<SocketAddr>::new());
    for at in 0..4 {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        places.push(listener.local_addr().unwrap());
        settings.endpoints[at].url = format!("http://{}/v1", places[at]);
        settings.endpoints[at].parallel = 4;
        servers.push(serve(at, listener, seen.clone()));
    }
    let fleet = Arc::new(Fleet::new(settings, free(), Arc::new(Then)));

    // Sixteen at once fill all four; the next eight wait for a place.
    let work = tokio::spawn(all(fleet.clone(), 0..24));
    until(|| seen.busy() == [4; 4]).await;
    for server in &servers[..2] {
        server.abort();
    }
    until(|| seen.busy()[..2] == [0, 0]).await;
    seen.open(true);
    let got = timeout(Duration::from_secs(60), work).await.unwrap().unwrap();
    assert_eq!(got, answers(0..24), "nothing is lost");
    let begun = seen.begun.lock().unwrap().clone();
    assert!(begun.values().all(|times| *times <= 2), "{begun:?}");
    assert!(begun.values().filter(|times| **times == 2).count() <= 8, "only what was under way there: {begun:?}");
    assert_eq!(seen.answered().iter().sum::<usize>(), 24);
    assert_eq!(seen.answered()[..2], [0, 0]);

    // They return. Once their rest is over, they have their share again.
    for at in 0..2 {
        servers[at] = serve(at, TcpListener::bind(places[at]).await.unwrap(), seen.clone());
    }
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(120)).await;
    tokio::time::resume();
    seen.open(false);
    let work = tokio::spawn(all(fleet, 24..40));
    until(|| seen.busy() == [4; 4]).await;
    seen.open(true);
    assert_eq!(timeout(Duration::from_secs(60), work).await.unwrap().unwrap(), answers(24..40));
    assert!(seen.answered()[..2].iter().all(|answered| *answered == 4), "{:?}", seen.answered());
}
