//! What each command does. Commands are obeyed at gates, where the state is whole.

use std::sync::Arc;

use crate::model::{
    Author, Change, Command, Contribution, ContributionId, Event, Evidence, Mode, Pace, PartId, Phase, ProgramName,
    Proposal, ProposalId, Section, TaskId,
};

use super::session::{Flow, Session, SessionError};

impl Session {
    pub(super) async fn obey(&mut self, command: Command) -> Result<Flow, SessionError> {
        match command {
            Command::Start { query } => {
                if self.state.phase == Phase::Idle {
                    self.state.opening = None;
                    return self.start_query(query).await;
                }
                self.warn("a query is being worked on; the new one was kept as a message".to_owned()).await?;
                self.emit(Event::Said { text: query.text }).await?;
            }
            Command::Say { text } => {
                self.emit(Event::Said { text }).await?;
            }
            Command::Step { step } => {
                self.stepping = Some(step);
                self.go_on().await?;
            }
            Command::Run => {
                self.stepping = None;
                self.go_on().await?;
            }
            Command::Pause => {
                if self.state.pace == Pace::Running {
                    self.emit(Event::Paused { why: "paused by you".into() }).await?;
                }
            }
            Command::Interrupt => {
                if self.state.pace == Pace::Running {
                    self.emit(Event::Paused { why: "stopped by you".into() }).await?;
                }
            }
            Command::Route { task, program } => self.override_route(task, &program).await?,
            Command::Decide { id, decision } => self.decide(&id, decision).await?,
            Command::Reopen { id } => self.reopen(&id).await?,
            Command::Permit { id, granted } => match self.state.permissions.get(&id).cloned() {
                Some(mut permission) if permission.granted.is_none() => {
                    permission.granted = Some(granted);
                    self.emit(Event::Permission { permission }).await?;
                }
                Some(_) | None => self.warn(format!("no permission {id} waits for a decision")).await?,
            },
            Command::Answer { id, text } => {
                if self.state.questions.contains_key(&id) {
                    self.emit(Event::Answered { id, text }).await?;
                } else {
                    self.warn(format!("no question {id} waits for an answer")).await?;
                }
            }
            Command::Breakpoints(breakpoints) => {
                self.emit(Event::BreakpointsSet { breakpoints: Arc::new(breakpoints) }).await?;
            }
            Command::Watches(watches) => {
                self.emit(Event::WatchesSet { watches: Arc::new(watches) }).await?;
            }
            Command::EditMemory { supersedes, section, part, text, data } => {
                self.edit_memory(supersedes, section, part, text, data).await?;
            }
            Command::Propose { title, changes } => self.propose(title, changes).await?,
            Command::Revert { revision } => match self.ports.library.revert(&revision, Author::Human) {
                Ok(_) => self.pick_up_revisions().await?,
                Err(error) => self.warn(error.to_string()).await?,
            },
            Command::Backward => {
                if self.state.phase == Phase::Idle && self.state.episode.is_some() {
                    return self.backward_pass().await;
                }
                self.warn("the backward pass needs a finished episode".to_owned()).await?;
            }
            Command::Rate(rating) if (-1.0..=1.0).contains(&rating) => {
                self.emit(Event::Rated { rating }).await?;
            }
            Command::Rate(rating) => self.warn(format!("{rating} is no rating: ratings lie between -1 and 1")).await?,
            Command::Note(text) => {
                self.emit(Event::Noted { cycle: self.state.cycle(), text }).await?;
            }
            Command::SetApproval(approval) => {
                self.emit(Event::ApprovalSet { approval }).await?;
            }
            Command::SetBudget(budget) => {
                self.emit(Event::BudgetSet { budget: Arc::new(budget) }).await?;
                if self.playback.is_none() {
                    self.ports.runner.budget(&self.state.budget, None);
                }
            }
            Command::Shutdown => return self.close().await,
        }
        self.ports.journal.flush()?;
        Ok(Flow::On)
    }

    pub(super) async fn warn(&mut self, text: String) -> Result<(), SessionError> {
        self.emit(Event::Warned { text }).await.map(drop)
    }

    async fn go_on(&mut self) -> Result<(), SessionError> {
        self.sent_on = self.state.phase == Phase::Gate;
        if self.state.pace == Pace::Paused {
            self.emit(Event::Resumed { rewound_to: None }).await?;
        }
        Ok(())
    }

    /// A human chooses among the legal programs; the distribution stays as it was recorded.
    async fn override_route(&mut self, task: TaskId, program: &ProgramName) -> Result<(), SessionError> {
        let Some(route) = self.state.route.clone().filter(|_| self.state.phase == Phase::Gate) else {
            return self.warn("who runs next can be chosen at a gate only".to_owned()).await;
        };
        let mut choices = route.choices.clone();
        let Some(choice) = choices.iter_mut().find(|choice| choice.task.id == task) else {
            return self.warn(format!("there is no task {task} now")).await;
        };
        if !choice.candidates.iter().any(|candidate| candidate.program == *program) {
            let why = choice.barred.iter().find(|(name, _)| name == program).map(|(_, why)| why.as_str());
            let why = why.unwrap_or("no edge leads there").to_owned();
            return self.warn(format!("{program} may not run next: {why}")).await;
        }
        choice.chosen = vec![program.clone()];
        choice.overridden = true;
        choice.why = "chosen by you".to_owned();
        self.emit(Event::Routed { cycle: route.cycle, mode: route.mode, choices }).await.map(drop)
    }

    /// An entry of the user's own, at a gate. A corrected reading derives the parts anew.
    async fn edit_memory(
        &mut self,
        supersedes: Option<ContributionId>,
        section: Section,
        part: Option<PartId>,
        text: String,
        data: serde_json::Value,
    ) -> Result<(), SessionError> {
        if self.state.phase == Phase::Running {
            return self.warn("memory can be edited at a gate only".to_owned()).await;
        }
        if let Some(id) = supersedes.filter(|id| self.state.memory.get(*id).is_none()) {
            return self.warn(format!("there is no contribution {id} to replace")).await;
        }
        let mut query = None;
        if let (Section::READING, Some(episode)) = (section.as_str(), self.state.episode.clone()) {
            match self.ports.scorer.parts_of_reading(&episode.query, &data) {
                Ok(parts) => {
                    let mut corrected = (*episode.query).clone();
                    corrected.parts = parts;
                    query = Some(Arc::new(corrected));
                }
                Err(error) => return self.warn(format!("the reading was not taken: {error}")).await,
            }
        }
        let contribution = Arc::new(Contribution {
            id: self.state.memory.next_id(),
            section,
            part,
            text,
            data,
            author: Author::Human,
            cycle: self.state.cycle(),
            activation: None,
            about: None,
            supersedes: supersedes.into_iter().collect(),
            informed: false,
        });
        self.emit(Event::MemoryEdited { contribution, query }).await.map(drop)
    }

    /// The user's own edit of the network, a proposal like any other.
    async fn propose(&mut self, title: String, changes: Vec<Change>) -> Result<(), SessionError> {
        let program = changes.first().and_then(|change| {
            self.network
                .programs
                .values()
                .find(|program| program.path == change.path)
                .map(|program| program.name.clone())
        });
        let proposal = Proposal {
            id: ProposalId::new(""),
            network: self.network.name.clone(),
            base: self.network.revision.clone(),
            author: Author::Human,
            program,
            title,
            changes,
            evidence: Evidence {
                critique: "proposed by the user".into(),
                session: self.state.pins.as_ref().map(|pins| pins.session.clone()),
                cycle: self.state.cycle(),
                ..Evidence::default()
            },
            gates: Vec::new(),
        };
        self.raise(proposal).await
    }

    async fn start_query(&mut self, query: crate::model::Query) -> Result<Flow, SessionError> {
        self.start_episode(query).await
    }

    /// The mode in which the next program is chosen.
    pub(super) fn mode(&self) -> Mode {
        self.settings.mode
    }
}
