//! Fulfils what the interface asks for: sessions are begun, taken up, copied and left.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;

use super::app::Interface;
use super::error::TuiError;
use super::link::{self, Engine, Link};
use super::overlay::{Overlay, SessionRow};
use super::pane::Tone;
use super::provide::Sought;
use super::request::Request;
use super::run::Came;
use crate::engine::CHANNEL;
use crate::engine::ports::Library;
use crate::model::{Command, Cycle, Envelope, Query, SessionId, State};
use crate::setup::{App, Works};
use crate::store::{Standing, attachment};

/// How long a session is waited for when it is left.
const PATIENCE: Duration = Duration::from_secs(2);

/// The world around the interface.
pub(super) struct Host<'a> {
    pub(super) app: App,
    /// Gives a variable of the environment.
    pub(super) env: &'a dyn Fn(&str) -> Option<String>,
    /// Where servers that were found are told.
    pub(super) sought: mpsc::UnboundedSender<Sought>,
    /// The network that new sessions use.
    pub(super) works: Arc<Works>,
    /// The network of the session shown, where that is another.
    pub(super) its_works: Option<Arc<Works>>,
    engine: Engine,
    link: Option<Link>,
    /// A session that is looked at and not yet taken up.
    viewed: Option<SessionId>,
    /// Its record, as far as it is not read yet.
    record: Option<mpsc::Receiver<Came>>,
}

impl<'a> Host<'a> {
    /// A host without a session.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub(super) fn new(
        app: App,
        works: Works,
        env: &'a dyn Fn(&str) -> Option<String>,
        sought: mpsc::UnboundedSender<Sought>,
    ) -> Result<Self, TuiError> {
        Ok(Self {
            app,
            env,
            sought,
            works: Arc::new(works),
            its_works: None,
            engine: Engine::start()?,
            link: None,
            viewed: None,
            record: None,
        })
    }

    /// Gives the interface the proposals that wait from before.
    pub(super) fn load_queue(&self, interface: &mut Interface) {
        match self.works().library.proposals() {
            Ok(kept) => interface.load_queue(kept),
            Err(error) => interface.say(Tone::Bad, error.to_string()),
        }
    }

    fn works(&self) -> &Arc<Works> {
        self.its_works.as_ref().unwrap_or(&self.works)
    }

    /// Waits for the next event of the session shown: from its record while that is read, then from the engine; for ever where
    /// there is neither.
    pub(super) async fn next(&mut self, interface: &mut Interface) -> Came {
        if let Some(record) = &mut self.record {
            if let Some(came) = record.recv().await {
                return came;
            }
            self.record = None;
            interface.loaded();
            self.load_queue(interface);
            return Ok(None);
        }
        let Some(link) = &mut self.link else { return std::future::pending().await };
        match link.events.recv().await {
            Some(envelope) => Ok(Some(envelope)),
            None => {
                let why = (&mut link.end).await.unwrap_or_else(|_| {
                    // Its work ended without a word, which only a panic does.
                    Some("a fault of mop, which is reported when you leave".to_owned())
                });
                self.viewed = self.link.take().map(|link| link.id);
                match why {
                    Some(why) => Err(format!("the session broke off: {why}; what it did until then is kept")),
                    None => std::future::pending().await,
                }
            }
        }
    }

    /// Events that have come in already.
    pub(super) fn more(&mut self, most: usize) -> Vec<Arc<Envelope>> {
        if let Some(record) = &mut self.record {
            return std::iter::from_fn(|| record.try_recv().ok()?.ok().flatten()).take(most).collect();
        }
        let Some(link) = &mut self.link else { return Vec::new() };
        std::iter::from_fn(|| link.events.try_recv().ok()).take(most).collect()
    }

    /// Does what was asked. What cannot be done is said.
    pub(super) async fn fulfil(&mut self, interface: &mut Interface, request: Request) {
        let done = match request {
            Request::Begin { query, first, step } => {
                let (text, files) = (query.text.clone(), query.attachments.clone());
                let begun = self.begin(Some(query), first, step).await;
                if begun.is_err() {
                    interface.keep_question(&text);
                    interface.attached = files;
                }
                begun
            }
            Request::Attach(path) => attachment(&path).map(|file| interface.attach(file)).map_err(TuiError::from),
            Request::Send(command) => self.send(interface, command).await,
            Request::TakeUp => self.take_up(interface).await,
            Request::Open(id) => {
                self.open(interface, &id, None).await;
                Ok(())
            }
            Request::Fork { episode, cycle, then } => self.fork(interface, episode, cycle, then).await,
            Request::Leave => {
                self.close().await;
                (self.its_works, self.viewed) = (None, None);
                match self.works.library.network() {
                    Ok(network) => {
                        interface.show_session(network, None);
                        interface.writing = true;
                        self.load_queue(interface);
                        Ok(())
                    }
                    Err(error) => Err(error.into()),
                }
            }
            Request::List => self.list(interface),
            Request::LookForModels => {
                self.look(interface);
                Ok(())
            }
            Request::UseModel { server, model, tiers } => self.use_model(interface, server, &model, &tiers),
            Request::KeepKey { vendor, name, key } => self.keep_key(interface, &vendor, name, &key),
            Request::Reply { id, text } => {
                if !self.app.models.hand.answer(id, text) {
                    interface.say(Tone::Plain, "nobody waits for this reply any more");
                }
                Ok(())
            }
            // These concern the terminal, which the loop holds.
            Request::Copy(_) | Request::Mouse(_) | Request::Suspend | Request::Redraw | Request::Quit => Ok(()),
        };
        if let Err(error) = done {
            interface.say(Tone::Bad, error.to_string());
        }
    }

    async fn begin(&mut self, query: Option<Query>, first: Vec<Command>, step: bool) -> Result<(), TuiError> {
        self.close().await;
        let link = link::begin(&self.engine, &self.app, &self.works, query, step).await?;
        for command in first {
            // The session has just been made, and its channel is longer than this list.
            let _ = link.commands.send(command).await;
        }
        (self.link, self.its_works, self.viewed) = (Some(link), None, None);
        Ok(())
    }

    /// Sends a command to the session shown. One that is only looked at is taken up for that; where there is none, one without
    /// a question begins.
    async fn send(&mut self, interface: &mut Interface, command: Command) -> Result<(), TuiError> {
        while let Some(record) = &mut self.record {
            match record.recv().await {
                Some(Ok(came)) => came.into_iter().for_each(|envelope| interface.event(envelope)),
                Some(Err(why)) => interface.say(Tone::Bad, why),
                None => {
                    self.record = None;
                    interface.loaded();
                }
            }
        }
        if self.link.is_none() {
            if self.viewed.is_some() {
                self.take_up(interface).await?;
            } else {
                self.begin(None, Vec::new(), false).await?;
            }
        }
        if let Some(link) = &self.link {
            // A session that is just ending hears nothing more; its end is reported by itself.
            let _ = link.commands.send(command).await;
        }
        Ok(())
    }

    /// Takes the session up that is looked at.
    async fn take_up(&mut self, interface: &mut Interface) -> Result<(), TuiError> {
        let Some(id) = self.viewed.clone() else { return Ok(()) };
        let state = interface.live.now().clone();
        let taken = link::resume(&self.engine, &self.app, self.works(), &id, state).await;
        interface.elsewhere = taken.is_err();
        let (link, missed) = taken?;
        (self.link, self.viewed) = (Some(link), None);
        for envelope in missed {
            interface.event(envelope);
        }
        Ok(())
    }

    /// Shows another session as it is recorded; nothing runs until the user says so.
    pub(super) async fn open(&mut self, interface: &mut Interface, id: &SessionId, rival: Option<State>) {
        if let Err(error) = self.try_open(interface, id, rival).await {
            interface.say(Tone::Bad, error.to_string());
        }
    }

    async fn try_open(
        &mut self,
        interface: &mut Interface,
        id: &SessionId,
        rival: Option<State>,
    ) -> Result<(), TuiError> {
        let mut events = self.app.sessions.read(id)?;
        let first = events.next().transpose()?.map(Arc::new);
        let mut state = State::default();
        if let Some(first) = &first {
            state.apply(first);
        }
        let works = match &state.pins {
            Some(pins) => Arc::new(self.app.works_of(pins)?),
            None => self.works.clone(),
        };
        let pinned = state.pins.as_ref().map(|pins| pins.revision.clone());
        let network = match pinned.map(|revision| works.library.network_at(&revision)) {
            Some(Ok(network)) => network,
            // The files have changed since: the record is shown over the network as it is now.
            Some(Err(_)) | None => works.library.network()?,
        };
        self.close().await;
        interface.show_session(network, rival);
        interface.session = Some(id.clone());
        interface.loading = true;
        first.into_iter().for_each(|first| interface.event(first));
        (self.its_works, self.viewed) = (Some(works), Some(id.clone()));
        let (sender, record) = mpsc::channel(CHANNEL);
        // A long record is read beside the interface, which shows what has come so far.
        std::thread::Builder::new().name("record".into()).spawn(move || {
            for came in events {
                let came = came.map(|envelope| Some(Arc::new(envelope))).map_err(|error| error.to_string());
                if sender.blocking_send(came).is_err() {
                    break;
                }
            }
        })?;
        self.record = Some(record);
        Ok(())
    }

    async fn fork(
        &mut self,
        interface: &mut Interface,
        episode: u32,
        cycle: Cycle,
        then: Option<Command>,
    ) -> Result<(), TuiError> {
        let Some(id) = interface.session.clone() else {
            interface.say(Tone::Plain, "there is no session to copy yet");
            return Ok(());
        };
        let new = self.app.sessions.new_id(self.app.clock.now());
        let rival = interface.live.now().clone();
        let point = self.app.sessions.fork(&id, Some(episode), cycle, &new)?;
        self.try_open(interface, &new, Some(rival)).await?;
        interface.loaded_message = Some(format!("this is a copy up to cycle {}; {id} stays as it is", point.cycle));
        if let Some(command) = then {
            self.send(interface, command).await?;
        }
        Ok(())
    }

    fn list(&self, interface: &mut Interface) -> Result<(), TuiError> {
        let rows = self.app.sessions.list()?.into_iter().map(|summary| SessionRow {
            id: summary.id,
            query: summary.query.unwrap_or_else(|| "nothing was asked".to_owned()),
            standing: match summary.standing {
                Standing::Open { .. } => "open".to_owned(),
                Standing::Empty => "empty".to_owned(),
                Standing::Unfinished => format!("cycle {}, unfinished", summary.cycles),
                Standing::Finished => summary
                    .halted
                    .map_or("finished", |halted| halted.words().split(':').next().unwrap_or_default())
                    .to_owned(),
                Standing::Damaged { why } => format!("damaged: {why}"),
            },
            j: summary.j,
        });
        interface.overlays.push(Overlay::sessions(rows.collect()));
        Ok(())
    }

    /// Leaves the session shown at its last whole step; everything is on the disk when this returns.
    pub(super) async fn close(&mut self) {
        self.record = None;
        let Some(mut link) = self.link.take() else { return };
        let left = async {
            // One that has ended hears nothing more.
            let _ = link.commands.send(Command::Interrupt).await;
            let _ = link.commands.send(Command::Shutdown).await;
            drop(link.commands);
            while link.events.recv().await.is_some() {}
            let _ = (&mut link.end).await;
        };
        // A session that hangs is left as a crash would leave it: its journal has every whole step.
        let _ = tokio::time::timeout(PATIENCE, left).await;
    }
}
