//! The actor of one session: commands in, events out. It owns the state; nobody else changes it.

use std::collections::VecDeque;
use std::sync::Arc;

use tokio::sync::mpsc;

use crate::model::{
    Approval, Command, Envelope, Event, FORMAT, Mode, Network, Pace, Phase, Pins, Query, Seq, State, Step, Usage,
};

use super::ports::{Clock, Journal, Library, Outlet, PortError, Recall, Runner, Scorer};

/// Everything a session acts through.
pub struct Ports {
    /// Runs programs.
    pub runner: Arc<dyn Runner>,
    /// Scores memory.
    pub scorer: Arc<dyn Scorer>,
    /// Keeps the network.
    pub library: Arc<dyn Library>,
    /// Tells the time.
    pub clock: Arc<dyn Clock>,
    /// Keeps the events.
    pub journal: Box<dyn Journal>,
    /// Remembers solved questions beyond this session.
    pub recall: Arc<dyn Recall>,
}

/// How a session behaves beyond what its network says.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How the next program is chosen.
    pub mode: Mode,
    /// Whether a finished episode is looked through for what could be mended.
    pub backward: bool,
    /// Whether the session stands at the first gate until told to go on.
    pub step: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { mode: Mode::Rules, backward: true, step: false }
    }
}

/// Capacity of the command and event channels: enough that neither side waits in ordinary use.
pub const CHANNEL: usize = 1024;

/// Why a session could not go on at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SessionError {
    /// A port failed in a way that nothing can go round.
    #[error(transparent)]
    Port(#[from] PortError),
}

/// Whether the session goes on after a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    /// It goes on.
    On,
    /// What is in flight is to be stopped.
    Interrupt,
    /// The session closes.
    Close,
}

/// One session.
pub struct Session {
    pub(super) ports: Ports,
    pub(super) settings: Settings,
    pub(super) state: State,
    pub(super) network: Arc<Network>,
    pub(super) wishes: Vec<(crate::model::TaskId, super::router::Wish)>,
    pub(super) since_gate: Vec<Arc<Envelope>>,
    pub(super) playback: Option<Arc<super::playback::Playback>>,
    /// What the state and the runner had counted when they began to count together.
    pub(super) counted: (Usage, Usage),
    pub(super) stepping: Option<Step>,
    /// Whether the user has just sent the run on from the gate it stands at, so that nothing stops it there again.
    pub(super) sent_on: bool,
    /// Where running programs put what they stream.
    pub(super) outlet: Outlet,
    pub(super) commands: mpsc::Receiver<Command>,
    pub(super) waiting: VecDeque<Command>,
    pub(super) events: mpsc::Sender<Arc<Envelope>>,
    pub(super) cause: Option<Seq>,
    backward_due: bool,
}

impl Session {
    /// Opens a new session; `query` is worked on at once.
    ///
    /// # Errors
    /// When there is no usable network or the journal cannot be written.
    pub async fn open(
        ports: Ports,
        settings: Settings,
        pins: Pins,
        query: Option<Query>,
        commands: mpsc::Receiver<Command>,
        events: mpsc::Sender<Arc<Envelope>>,
    ) -> Result<Self, SessionError> {
        let network = ports.library.network()?;
        let mut session = Self::with(ports, settings, State::default(), network, commands, events);
        let query = query.map(Arc::new);
        session.emit(Event::SessionStarted { pins: Arc::new(pins), query }).await?;
        session.ports.runner.budget(&session.state.budget, Some(&session.state.usage));
        Ok(session)
    }

    /// Runs a record again: every answer, decision and hour is the record's; scripts run anew.
    ///
    /// # Errors
    /// When the record does not begin a session.
    pub async fn replay(
        runner: Arc<dyn Runner>,
        scorer: Arc<dyn Scorer>,
        settings: Settings,
        playback: Arc<super::playback::Playback>,
        events: mpsc::Sender<Arc<Envelope>>,
    ) -> Result<Self, SessionError> {
        let Some((pins, query)) = playback.opening() else {
            return Err(PortError::new("the record does not begin with a session").into());
        };
        let ports = Ports {
            runner,
            scorer,
            library: playback.clone(),
            clock: playback.clone(),
            journal: Box::new(super::playback::PlaybackJournal(playback.clone())),
            recall: playback.clone(),
        };
        let (_, commands) = mpsc::channel(1);
        let mut session = Self::open(ports, settings, pins, query, commands, events).await?;
        session.playback = Some(playback);
        Ok(session)
    }

    /// Takes a session up again from the fold of its journal. A step that was cut off is done again.
    ///
    /// # Errors
    /// When there is no usable network or the journal cannot be written.
    pub async fn resume(
        ports: Ports,
        settings: Settings,
        state: State,
        commands: mpsc::Receiver<Command>,
        events: mpsc::Sender<Arc<Envelope>>,
    ) -> Result<Self, SessionError> {
        let network = ports.library.network()?;
        let rewound_to = state.last_boundary().filter(|_| state.is_mid_step());
        let pinned = state.pins.as_ref().map(|pins| pins.revision.clone());
        let known = state.revisions.last().map(|revision| revision.id.clone()).or(pinned);
        let unfinished = state.episode.as_ref().is_some_and(|episode| episode.outcome.is_some()) && !state.ended;
        let mut session = Self::with(ports, settings, state, network, commands, events);
        session.emit(Event::Resumed { rewound_to }).await?;
        // The step that was cut off is done again; what it took is gone all the same.
        session.count_lost().await?;
        session.ports.runner.budget(&session.state.budget, Some(&session.state.usage));
        session.backward_due = session.settings.backward && unfinished;
        if let Some(known) = known.filter(|known| *known != session.network.revision) {
            session.announce_since(&known).await?;
        }
        Ok(session)
    }

    fn with(
        ports: Ports,
        settings: Settings,
        state: State,
        network: Arc<Network>,
        commands: mpsc::Receiver<Command>,
        events: mpsc::Sender<Arc<Envelope>>,
    ) -> Self {
        let counted = (state.usage.clone(), ports.runner.used());
        Self {
            ports,
            settings,
            state,
            network,
            wishes: Vec::new(),
            since_gate: Vec::new(),
            playback: None,
            counted,
            stepping: None,
            sent_on: false,
            outlet: Outlet::default(),
            commands,
            waiting: VecDeque::new(),
            events,
            backward_due: false,
            cause: None,
        }
    }

    /// Runs until it is told to shut down, or all command senders are gone and nothing is left to do.
    ///
    /// # Errors
    /// When a port failed in a way that nothing can go round; everything up to there is in the journal.
    pub async fn run(mut self) -> Result<State, SessionError> {
        if self.settings.step && self.state.pace == Pace::Running {
            self.emit(Event::Paused { why: "step mode is on".into() }).await?;
        }
        loop {
            let flow = match self.state.phase {
                Phase::Idle => self.idle().await?,
                Phase::Starting => self.start().await?,
                Phase::Gate => self.gate().await?,
                Phase::Running => self.rewind("a step was left open").await?,
            };
            if flow == Flow::Close {
                break;
            }
        }
        self.ports.journal.flush()?;
        Ok(self.state)
    }

    async fn idle(&mut self) -> Result<Flow, SessionError> {
        self.stepping = None;
        let recorded = self.playback.as_ref().is_none_or(|playback| playback.goes_backward());
        if std::mem::take(&mut self.backward_due) && recorded {
            return self.backward_pass().await;
        }
        while let Ok(command) = self.commands.try_recv() {
            self.waiting.push_back(command);
        }
        let opening = self.state.opening.clone().filter(|_| self.state.episode.is_none());
        let query = match opening {
            Some(query) => (*query).clone(),
            None => match self.next_command().await? {
                Some(Command::Start { query }) => query,
                Some(command) => return self.obey(command).await,
                None => return self.close().await,
            },
        };
        self.start_episode(query).await
    }

    pub(super) async fn start_episode(&mut self, mut query: Query) -> Result<Flow, SessionError> {
        self.pick_up_revisions().await?;
        query.parts = self.ports.scorer.parts(&query);
        let number = self.state.episode.as_ref().map_or(1, |episode| episode.number + 1);
        self.emit(Event::EpisodeStarted { number, query: Arc::new(query) }).await?;
        Ok(Flow::On)
    }

    /// At a gate: it is decided who runs next, and nothing runs. Here a stepper stops.
    async fn gate(&mut self) -> Result<Flow, SessionError> {
        self.ports.journal.flush()?;
        self.pick_up_revisions().await?;
        while let Ok(command) = self.commands.try_recv() {
            self.waiting.push_back(command);
        }
        while let Some(command) = self.waiting.pop_front() {
            match self.obey(command).await? {
                Flow::On => {}
                flow => return Ok(flow),
            }
            if self.state.phase != Phase::Gate {
                return Ok(Flow::On);
            }
        }
        if let Some(playback) = self.playback.clone() {
            while let Some(command) = self.recorded_command(&playback).await? {
                match self.obey(command).await? {
                    Flow::On if self.state.phase == Phase::Gate => {}
                    flow => return Ok(flow),
                }
            }
            self.since_gate.clear();
            return self.cycle().await;
        }
        if self.state.pace == Pace::Running && !std::mem::take(&mut self.sent_on) {
            let stepped = self.stepping.take().map(|_| "one step was taken".to_owned());
            if let Some(why) = stepped.or_else(|| self.hit_breakpoint()) {
                self.emit(Event::Paused { why }).await?;
            }
        }
        self.since_gate.clear();
        if self.state.pace == Pace::Paused {
            return match self.next_command().await? {
                Some(command) => self.obey(command).await,
                None => self.close().await,
            };
        }
        self.cycle().await
    }

    /// Waits inside a step, where single programs are stepped. True when the step may go on.
    pub(super) async fn gate_inside(&mut self, why: String) -> Result<Flow, SessionError> {
        if self.stepping != Some(Step::Program) {
            return Ok(Flow::On);
        }
        self.emit(Event::Paused { why }).await?;
        self.ports.journal.flush()?;
        while self.state.pace == Pace::Paused {
            let flow = match self.next_command().await? {
                Some(Command::Interrupt) => Flow::Interrupt,
                Some(command) => self.obey(command).await?,
                None => Flow::Close,
            };
            if flow != Flow::On {
                return Ok(flow);
            }
        }
        Ok(Flow::On)
    }

    async fn next_command(&mut self) -> Result<Option<Command>, SessionError> {
        if let Some(playback) = self.playback.clone() {
            return self.recorded_command(&playback).await;
        }
        Ok(match self.waiting.pop_front() {
            Some(command) => Some(command),
            None => self.commands.recv().await,
        })
    }

    /// The next command of the record; what it says of refused ones is said again on the way.
    async fn recorded_command(
        &mut self,
        playback: &super::playback::Playback,
    ) -> Result<Option<Command>, SessionError> {
        self.count_lost().await?;
        while let Some(text) = playback.refused() {
            self.warn(text).await?;
        }
        Ok(playback.command())
    }

    /// Takes the open step back: the state is again that of the last gate.
    pub(super) async fn rewind(&mut self, why: &str) -> Result<Flow, SessionError> {
        let rewound_to = self.state.last_boundary();
        self.emit(Event::Resumed { rewound_to }).await?;
        self.count_lost().await?;
        self.emit(Event::Paused { why: why.to_owned() }).await?;
        Ok(Flow::On)
    }

    /// Counts what models took beyond what programs gave account of: runs that were stopped, and steps that were taken back.
    pub(super) async fn count_lost(&mut self) -> Result<(), SessionError> {
        let lost = match &self.playback {
            Some(playback) => playback.lost(),
            None => {
                let (state, runner) = &self.counted;
                let mut took = state.clone();
                took.add(&self.ports.runner.used().since(runner));
                took.beyond(&self.state.usage)
            }
        };
        if let Some(usage) = lost {
            self.emit(Event::BudgetUsed { usage }).await?;
        }
        Ok(())
    }

    /// Closes the session, or leaves an unfinished step to be resumed.
    pub(super) async fn close(&mut self) -> Result<Flow, SessionError> {
        if self.state.phase == Phase::Idle {
            self.emit(Event::SessionEnded {}).await?;
        }
        self.ports.journal.flush()?;
        Ok(Flow::Close)
    }

    pub(super) fn owe_backward(&mut self) {
        self.backward_due = self.settings.backward && self.state.approval != Approval::Reject;
    }

    /// Reads the library's pointer; a change enters the session and acts from here on.
    pub(super) async fn pick_up_revisions(&mut self) -> Result<(), SessionError> {
        let network = self.ports.library.network()?;
        if network.revision == self.network.revision {
            return Ok(());
        }
        let known = self.network.revision.clone();
        self.network = network;
        self.announce_since(&known).await
    }

    /// Lets the revisions since the one known enter the session.
    async fn announce_since(&mut self, known: &crate::model::RevisionId) -> Result<(), SessionError> {
        match self.ports.library.since(known) {
            Ok(revisions) => {
                for revision in revisions {
                    self.emit(Event::Revised { revision: Arc::new(revision) }).await?;
                }
                Ok(())
            }
            Err(error) => self.warn(format!("the network is not the one this session began with: {error}")).await,
        }
    }

    /// Stamps an event, folds it, journals it and sends it out. The only way anything happens.
    pub(super) async fn emit(&mut self, event: Event) -> Result<Seq, SessionError> {
        let whole_step =
            matches!(event, Event::CycleBegan { .. } | Event::Routed { .. } | Event::EpisodeStarted { .. });
        let envelope =
            Envelope { v: FORMAT, seq: self.state.seq.next(), at: self.ports.clock.now(), cause: self.cause, event };
        self.state.apply(&envelope);
        self.ports.journal.append(&envelope)?;
        if whole_step {
            self.cause = Some(envelope.seq);
        }
        let seq = envelope.seq;
        let envelope = Arc::new(envelope);
        self.since_gate.push(envelope.clone());
        if self.events.send(envelope).await.is_err() {
            // Nobody watches any more; the journal still does.
        }
        Ok(seq)
    }
}
