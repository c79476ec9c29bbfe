//! The engine beside the interface: one thread that runs sessions, and the channels to the one that is shown.

use std::sync::Arc;
use std::thread;

use futures::future::BoxFuture;
use tokio::sync::{mpsc, oneshot};

use crate::engine::ports::Library;
use crate::engine::{CHANNEL, Session, Settings};
use crate::model::{Command, Envelope, Query, SessionId, State};

use crate::setup::{App, Works};

use super::error::TuiError;

/// Sessions that may be opened before the thread takes the first.
const JOBS: usize = 16;

/// The thread on which sessions run. It ends when it is dropped and nothing runs any more.
pub(super) struct Engine {
    jobs: mpsc::Sender<BoxFuture<'static, ()>>,
}

impl Engine {
    /// Starts the thread.
    ///
    /// # Errors
    /// When the system gives none.
    pub(super) fn start() -> std::io::Result<Self> {
        let (jobs, mut queue) = mpsc::channel::<BoxFuture<'static, ()>>(JOBS);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        thread::Builder::new().name("engine".into()).stack_size(8 << 20).spawn(move || {
            runtime.block_on(async {
                let mut running = tokio::task::JoinSet::new();
                while let Some(job) = queue.recv().await {
                    running.spawn(job);
                }
                while running.join_next().await.is_some() {}
            });
        })?;
        Ok(Self { jobs })
    }
}

/// The ends of one session's channels, and how it came out.
pub(super) struct Link {
    /// The session.
    pub(super) id: SessionId,
    /// Commands go in.
    pub(super) commands: mpsc::Sender<Command>,
    /// Events come out.
    pub(super) events: mpsc::Receiver<Arc<Envelope>>,
    /// The end: the reason, where it broke off.
    pub(super) end: oneshot::Receiver<Option<String>>,
}

/// A new session of a network; a question is worked on at once.
///
/// # Errors
/// When the session cannot be kept, or the network cannot be used.
pub(super) async fn begin(
    engine: &Engine,
    app: &App,
    works: &Works,
    query: Option<Query>,
    step: bool,
) -> Result<Link, TuiError> {
    let network = works.library.network()?;
    let id = app.sessions.new_id(app.clock.now());
    let pins = app.pins(id.clone(), &network, works);
    let journal = app.sessions.create(&id)?;
    let ports = works.ports(Box::new(journal), app.clock.clone());
    let settings = Settings { step, ..app.settings() };
    let (commands, receiver) = mpsc::channel(CHANNEL);
    let (sender, events) = mpsc::channel(CHANNEL);
    let session = async move { Session::open(ports, settings, pins, query, receiver, sender).await?.run().await };
    Ok(link(engine, id, commands, events, Box::pin(session)).await)
}

/// A session that is taken up again where its record ends; it stands still until it is told to go on. `seen` is what is known
/// of it; what another process has added since comes with the link.
///
/// # Errors
/// When another process writes it, or its end is damaged.
pub(super) async fn resume(
    engine: &Engine,
    app: &App,
    works: &Works,
    id: &SessionId,
    seen: State,
) -> Result<(Link, Vec<Arc<Envelope>>), TuiError> {
    let journal = app.sessions.open(id)?;
    let mut state = seen;
    let mut missed = Vec::new();
    for envelope in app.sessions.read(id)? {
        let envelope = Arc::new(envelope?);
        if envelope.seq > state.seq {
            state.apply(&envelope);
            missed.push(envelope);
        }
    }
    let ports = works.ports(Box::new(journal), app.clock.clone());
    let settings = Settings { step: state.episode.is_some(), ..app.settings() };
    let (commands, receiver) = mpsc::channel(CHANNEL);
    let (sender, events) = mpsc::channel(CHANNEL);
    let session = async move { Session::resume(ports, settings, state, receiver, sender).await?.run().await };
    Ok((link(engine, id.clone(), commands, events, Box::pin(session)).await, missed))
}

async fn link(
    engine: &Engine,
    id: SessionId,
    commands: mpsc::Sender<Command>,
    events: mpsc::Receiver<Arc<Envelope>>,
    session: BoxFuture<'static, Result<State, crate::engine::SessionError>>,
) -> Link {
    let (done, end) = oneshot::channel();
    let job = Box::pin(async move {
        let broke = session.await.err().map(|error| error.to_string());
        // Nobody may be there any more to hear it.
        let _ = done.send(broke);
    });
    // The thread lives as long as the engine that is borrowed here.
    let _ = engine.jobs.send(job).await;
    Link { id, commands, events, end }
}
