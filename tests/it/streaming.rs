//! What running programs stream: in order, in few events, never in the journal, and never slowed down by whoever reads.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use futures::future::BoxFuture;
use mop::engine::ports::{Activation, Output, RunError, Runner};
use mop::engine::{CHANNEL, Ports, Session, Settings};
use mop::model::{ActivationId, Command, Envelope, Event, Network, Query, State, Streamed};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep};

use super::native::{ByData, Fixed, List, Still, gives, network, offer, pins, program};

/// Tokens of each program.
const TOKENS: u64 = 1000;

/// Streams a token a millisecond, and says how long it took.
struct Streams(mpsc::UnboundedSender<Duration>);

impl Runner for Streams {
    fn run(&self, activation: Activation) -> BoxFuture<'_, Result<Output, RunError>> {
        Box::pin(async move {
            let began = Instant::now();
            let outlet = activation.outlet.clone().unwrap();
            let sent = Streamed::Sent { endpoint: "local".into(), input: 5, context: None };
            outlet.put(activation.id, sent, "model");
            for n in 0..TOKENS {
                sleep(Duration::from_millis(1)).await;
                outlet.put(activation.id, Streamed::Text, &format!("{n} "));
            }
            self.0.send(began.elapsed()).unwrap();
            gives(vec![offer("answer", "done", serde_json::Value::Null, None)])
        })
    }
}

fn one() -> Arc<Network> {
    let only = program("contract = \"router\"\nwrites = [\"answer\"]");
    network(&[("network.toml", "entry = \"only\"\n"), ("only.md", &only)])
}

type Bench = (mpsc::Sender<Command>, mpsc::Receiver<Arc<Envelope>>, List, mpsc::UnboundedReceiver<Duration>);

async fn session(room: usize) -> (Session, Bench) {
    let network = one();
    let (commands, receiver) = mpsc::channel(CHANNEL);
    let (sender, events) = mpsc::channel(room);
    let (took, times) = mpsc::unbounded_channel();
    let journal = List::default();
    let ports = Ports {
        runner: Arc::new(Streams(took)),
        scorer: Arc::new(ByData),
        library: Arc::new(Fixed(network.clone())),
        clock: Arc::new(Still(AtomicU64::new(7))),
        recall: Arc::new(mop::engine::ports::NoRecall),
        journal: Box::new(journal.clone()),
    };
    let settings = Settings { backward: false, ..Settings::default() };
    let session =
        Session::open(ports, settings, pins(&network), Some(Query::new("q")), receiver, sender).await.unwrap();
    (session, (commands, events, journal, times))
}

fn text_of(events: &[Arc<Envelope>], of: ActivationId) -> String {
    let text = |envelope: &Arc<Envelope>| match &envelope.event {
        Event::Delta { activation, text, what: Streamed::Text } if *activation == of => Some(text.clone()),
        _ => None,
    };
    events.iter().filter_map(text).collect()
}

#[tokio::test(start_paused = true)]
async fn pieces_come_in_order_in_few_events_and_no_journal_keeps_them() {
    let (session, (commands, mut events, journal, mut times)) = session(100_000).await;
    drop(commands);
    let state = session.run().await.unwrap();
    assert_eq!(times.recv().await.unwrap(), Duration::from_millis(TOKENS));
    let mut came = Vec::new();
    while let Some(envelope) = events.recv().await {
        came.push(envelope);
    }
    let (deltas, kept): (Vec<_>, Vec<_>) =
        came.into_iter().partition(|envelope| matches!(envelope.event, Event::Delta { .. }));
    let whole: String = (0..TOKENS).map(|n| format!("{n} ")).collect();
    let first = ActivationId(0);
    assert_eq!(text_of(&deltas, first), whole);
    let of_first =
        |envelope: &&Arc<Envelope>| matches!(envelope.event, Event::Delta { activation, .. } if activation == first);
    let count = deltas.iter().filter(of_first).count();
    assert!((10..=45).contains(&count), "{count} events");
    assert!(matches!(&deltas[0].event, Event::Delta { what: Streamed::Sent { .. }, text, .. } if text == "model"));
    // A piece has the number of the event that it follows, so that the numbers of what is kept have no gaps.
    let began = kept.iter().find(|envelope| matches!(envelope.event, Event::Activated { .. })).unwrap();
    assert_eq!(deltas[0].seq, began.seq);
    assert!(kept.iter().zip(1..).all(|(envelope, seq)| envelope.seq.0 == seq));
    let journal = journal.0.lock().unwrap().clone();
    assert_eq!(journal, kept);
    let mut fold = State::default();
    kept.iter().for_each(|envelope| fold.apply(envelope));
    assert_eq!(fold, state);
}

#[tokio::test(start_paused = true)]
async fn whoever_does_not_read_slows_no_model_down() {
    let (session, (commands, mut events, _, mut times)) = session(64).await;
    drop(commands);
    let running = tokio::spawn(session.run());
    assert_eq!(times.recv().await.unwrap(), Duration::from_millis(TOKENS), "nobody reads, and it is as fast");
    let mut came = Vec::new();
    while let Some(envelope) = events.recv().await {
        came.push(envelope);
    }
    running.await.unwrap().unwrap();
    assert!(
        came.iter().any(|envelope| matches!(envelope.event, Event::Contributed { .. })),
        "what counts is all there"
    );
}

#[tokio::test(start_paused = true)]
async fn an_interrupt_stops_a_stream_at_once_and_the_step_is_done_anew() {
    let (session, (commands, mut events, _, mut times)) = session(10_000).await;
    let running = tokio::spawn(session.run());
    let mut began = None;
    loop {
        let envelope = events.recv().await.unwrap();
        match &envelope.event {
            Event::Delta { text, .. } if text.contains("20 ") => {
                began = Some(Instant::now());
                commands.send(Command::Interrupt).await.unwrap();
            }
            Event::Paused { .. } => break,
            _ => {}
        }
    }
    assert!(began.unwrap().elapsed() < Duration::from_millis(5));
    assert!(times.try_recv().is_err(), "it was not done");
    commands.send(Command::Run).await.unwrap();
    assert_eq!(times.recv().await.unwrap(), Duration::from_millis(TOKENS));
    drop(commands);
    let mut again = String::new();
    while let Some(envelope) = events.recv().await {
        if let Event::Delta { text, what: Streamed::Text, .. } = &envelope.event {
            again.push_str(text);
        }
    }
    assert!(again.starts_with("0 1 2 "), "nothing of the stopped one comes later: {}", &again[..20]);
    running.await.unwrap().unwrap();
}
