//! One cycle of Algorithm 1: activate, contribute, score, credit, halt or route.

use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;

use crate::model::{
    Author, Choice, Contract, Contribution, ContributionId, Event, Incumbent, LogEntry, PartId, PartState, Program,
    Section, Strand, Task,
};

use super::credit::{Player, split};
use super::halting::{self, GoalCheck, Verdict};
use super::ports::{Activation, Offer, Output, RunError, Scoring};
use super::router::{Wish, route_all};
use super::scope::focus;
use super::session::{Flow, Session, SessionError};
use super::view::view;

/// A run that was ordered.
pub(super) struct Ordered {
    pub(super) activation: Activation,
    pub(super) view: crate::model::Hash,
}

impl Session {
    /// Scores the fresh query as cycle 0 (or memory after an edit) and decides who runs first.
    pub(super) async fn start(&mut self) -> Result<Flow, SessionError> {
        let cycle = self.state.cycle();
        let fresh = self.state.episode_scores().next().is_none();
        let scoring = self.score().await;
        let before = if fresh { None } else { self.state.j() };
        let delta = before.map_or(0.0, |before| scoring.score.mean - before);
        if fresh || delta != 0.0 || !scoring.withdrawn.is_empty() {
            self.emit_score(scoring, delta).await?;
        }
        if self.route(cycle.next()).await? {
            return self.nobody_left(&GoalCheck::Silent).await;
        }
        Ok(Flow::On)
    }

    /// Runs the cycle that was routed.
    pub(super) async fn cycle(&mut self) -> Result<Flow, SessionError> {
        let Some(route) = self.state.route.clone() else { return self.rewind("nobody was chosen").await };
        let before = self.state.memory.clone();
        let none = self.state.j().unwrap_or_default();
        self.emit(Event::CycleBegan { cycle: route.cycle }).await?;
        let mut ordered = Vec::new();
        for choice in &route.choices {
            for name in &choice.chosen {
                if let Some(program) = self.network.program(name).cloned() {
                    ordered.push(self.order(program, choice.task.clone()));
                }
            }
        }
        self.wishes.clear();
        let mut players = Vec::new();
        if self.stepping == Some(crate::model::Step::Program) && ordered.len() > 1 {
            let count = ordered.len();
            for (index, run) in ordered.into_iter().enumerate() {
                if index > 0 {
                    let why = format!("{index} of {count} programs of this cycle have run");
                    match self.gate_inside(why).await? {
                        Flow::On => {}
                        flow => return self.cut_off(flow).await,
                    }
                }
                match self.run_together(vec![run], false).await? {
                    Ok(done) => players.extend(done),
                    Err(flow) => return self.cut_off(flow).await,
                }
            }
        } else {
            match self.run_together(ordered, false).await? {
                Ok(done) => players = done,
                Err(flow) => return self.cut_off(flow).await,
            }
        }
        let scoring = self.score().await;
        let all = scoring.score.mean;
        self.emit_score(scoring, all - none).await?;
        let query = self.query();
        let credit = split(&players, &before, &query, &*self.ports.scorer, none, all).await;
        self.emit(Event::Credited { cycle: route.cycle, credit: Arc::new(credit) }).await?;
        self.after_cycle().await
    }

    async fn after_cycle(&mut self) -> Result<Flow, SessionError> {
        if let Some(flow) = self.settle_contradiction().await? {
            return Ok(flow);
        }
        let said = halting::goal_check(&self.state, &self.network);
        let stop = self.wishes.iter().find(|(_, wish)| wish.next.as_deref() == Some("USER")).cloned();
        let verdict = match stop {
            Some((_, wish)) => Verdict::Halt(crate::model::HaltReason::Stopped, wish.why),
            None => {
                let passed = said == GoalCheck::Complete || self.incumbent_passed();
                halting::check(&self.state, &self.network, &said, passed, self.ports.clock.now())
            }
        };
        match verdict {
            Verdict::Halt(reason, why) => self.finish(reason, why, said == GoalCheck::Complete).await,
            Verdict::TryAlternative => self.route_to_alternative().await,
            Verdict::GoOn => {
                let next = self.state.cycle().next();
                let stuck = self.route(next).await?;
                if stuck {
                    return self.nobody_left(&said).await;
                }
                Ok(Flow::On)
            }
        }
    }

    /// Emits the decision for a cycle. True when nobody may run; then nothing is emitted.
    async fn route(&mut self, cycle: crate::model::Cycle) -> Result<bool, SessionError> {
        let wishes = std::mem::take(&mut self.wishes);
        let wish = |strand: &Strand| {
            wishes.iter().find(|(task, _)| *task == strand.task.id).map(|(_, wish)| wish.clone()).unwrap_or_default()
        };
        let (choices, warnings) = route_all(&self.state, &self.network, wish, self.mode());
        for warning in warnings {
            self.warn(warning).await?;
        }
        if choices.iter().all(|choice| choice.chosen.is_empty()) {
            return Ok(self.route_to(cycle, Contract::GoalCheck, "nobody else may run next").await?.is_none());
        }
        self.emit(Event::Routed { cycle, mode: self.mode(), choices }).await?;
        Ok(false)
    }

    /// Sends the whole task to the first program of a contract that accepts it, unless that ran last.
    async fn route_to(
        &mut self,
        cycle: crate::model::Cycle,
        contract: Contract,
        why: &str,
    ) -> Result<Option<()>, SessionError> {
        let last = self.state.strands.front().and_then(|strand| strand.last.clone());
        let fitting = super::router::fitting(&self.state, &self.network, contract);
        let program = fitting.first().map(|program| program.name.clone());
        let Some(program) = program.filter(|program| Some(program) != last.as_ref()) else { return Ok(None) };
        let candidate = crate::model::Candidate {
            program: program.clone(),
            prior: 1.0,
            weight: 1.0,
            probability: 1.0,
            declared: true,
        };
        let choice = Choice {
            task: self.query().whole(),
            last,
            candidates: vec![candidate],
            barred: Vec::new(),
            chosen: vec![program],
            why: why.to_owned(),
            rule: None,
            overridden: false,
        };
        self.emit(Event::Routed { cycle, mode: self.mode(), choices: vec![choice] }).await?;
        Ok(Some(()))
    }

    async fn route_to_alternative(&mut self) -> Result<Flow, SessionError> {
        let next = self.state.cycle().next();
        let why = "no progress: an alternative is tried once before giving up";
        if self.route_to(next, Contract::Alternative, why).await?.is_none() {
            return self.nobody_left(&GoalCheck::Silent).await;
        }
        Ok(Flow::On)
    }

    /// Orders a run. All runs of a cycle are ordered before any of them starts, so that they see the same memory.
    pub(super) fn order(&self, program: Arc<Program>, task: Task) -> Ordered {
        let (sections, hash) = view(&self.state, &self.network, &program, &task);
        let deadline = program.manifest.deadline_ms.unwrap_or(self.network.limits.deadline_ms);
        let activation = Activation {
            id: self.state.next_activation,
            query: self.query(),
            focus: focus(&self.state, &task),
            task,
            view: sections,
            depth: 0,
            seed: self.state.pins.as_ref().map_or(0, |pins| pins.seed),
            deadline: Duration::from_millis(deadline),
            recorded: None,
            // What is replayed was seen long ago.
            outlet: self.playback.is_none().then(|| self.outlet.clone()),
            program,
        };
        Ordered { activation, view: hash }
    }

    /// Runs programs at once and commits their results in the order in which they were chosen.
    pub(super) async fn run_together(
        &mut self,
        ordered: Vec<Ordered>,
        aside: bool,
    ) -> Result<Result<Vec<Player>, Flow>, SessionError> {
        let mut runs = Vec::new();
        for mut run in ordered {
            let id = self.state.next_activation;
            run.activation.id = id;
            run.activation.recorded = self.playback.as_ref().map(|playback| playback.calls_of(id));
            let program = &run.activation.program;
            let event = Event::Activated {
                activation: id,
                program: program.name.clone(),
                hash: program.hash.clone(),
                contract: program.contract(),
                task: run.activation.task.clone(),
                view: run.view.clone(),
                aside,
            };
            self.emit(event).await?;
            runs.push(run);
        }
        let runner = self.ports.runner.clone();
        let work = join_all(runs.iter().map(|run| runner.run(run.activation.clone())));
        let results = match self.listen(work).await {
            Ok(results) => results,
            Err(flow) => return Ok(Err(flow)),
        };
        let mut players = Vec::new();
        for (run, result) in runs.iter().zip(results) {
            players.push(self.commit(run, result).await?);
        }
        // A call that a deadline cut off is in no program's account.
        self.count_lost().await?;
        Ok(Ok(players))
    }

    /// Stamps and commits what a run gave, or notes that it failed.
    async fn commit(&mut self, run: &Ordered, result: Result<Output, RunError>) -> Result<Player, SessionError> {
        let activation = run.activation.id;
        let program = run.activation.program.clone();
        let mut player = Player { activation, program: program.name.clone(), wrote: Vec::new() };
        let calls = match &result {
            Ok(output) => output.calls.clone(),
            Err(error) => error.calls.clone(),
        };
        for call in calls {
            let (tool, args) = (call.tool.clone(), call.args.clone());
            self.emit(Event::ToolCalled { activation, tool, args }).await?;
            self.emit(Event::ToolReturned { activation, call: Arc::new(call) }).await?;
        }
        let output = match result {
            Ok(output) => output,
            Err(error) => {
                let event = Event::Failed { activation, program: program.name.clone(), error: error.message };
                self.emit(event).await?;
                if error.usage != crate::model::Usage::default() {
                    self.emit(Event::BudgetUsed { usage: error.usage }).await?;
                }
                return Ok(player);
            }
        };
        for offer in output.offers.into_iter().take(self.network.limits.max_contributions) {
            match self.stamp(&program, run, offer) {
                Ok(contribution) => {
                    let contribution = Arc::new(contribution);
                    player.wrote.push(contribution.clone());
                    self.emit(Event::Contributed { contribution }).await?;
                }
                Err(why) => self.warn(format!("{}: {why}", program.name)).await?,
            }
        }
        if !output.monologue.is_empty() {
            let cycle = self.state.cycle();
            let entry = LogEntry { program: program.name.clone(), cycle, text: output.monologue };
            self.emit(Event::Monologue { entry: Arc::new(entry) }).await?;
        }
        if output.usage != crate::model::Usage::default() {
            self.emit(Event::BudgetUsed { usage: output.usage }).await?;
        }
        self.wishes.push((run.activation.task.id, Wish { next: output.next, why: output.why }));
        Ok(player)
    }

    /// Author and cycle are the engine's to write; a program's new value of a part replaces its own earlier one.
    fn stamp(&self, program: &Program, run: &Ordered, offer: Offer) -> Result<Contribution, String> {
        if !program.manifest.writes.contains(&offer.section) {
            return Err(format!("it may not write a {}", offer.section));
        }
        let size = offer.text.len();
        if size > self.network.limits.max_contribution_bytes {
            return Err(format!("a {} of {size} bytes is too long", offer.section));
        }
        if let Some(part) = offer.part.filter(|part| !run.activation.task.parts.contains(part)) {
            return Err(format!("part {part} is not part of its task"));
        }
        let author = Author::Program(program.name.clone());
        let supersedes = self.replaced_by(program.contract(), &author, &offer);
        let informed = self.is_informed(&author, run, &offer, &supersedes);
        Ok(Contribution {
            id: self.state.memory.next_id(),
            section: offer.section,
            part: offer.part,
            text: offer.text,
            data: offer.data,
            author,
            cycle: self.state.cycle(),
            activation: Some(run.activation.id),
            about: offer.about.filter(|about| self.state.memory.get(*about).is_some()),
            supersedes,
            informed,
        })
    }

    /// Whether a value could be a copy: its author saw something by another author of a value of the part. A value in a
    /// better form is as independent as the one that it replaces.
    fn is_informed(&self, author: &Author, run: &Ordered, offer: &Offer, replaced: &[ContributionId]) -> bool {
        let is_value = matches!(offer.section.as_str(), Section::DRAFT | Section::ANSWER);
        let Some(board) = offer.part.filter(|_| is_value).and_then(|part| self.state.memory.board(part)) else {
            return false;
        };
        let same = |id: &&ContributionId| {
            let canonical = |data| self.ports.scorer.canonical(data);
            self.state.memory.get(**id).is_some_and(|old| canonical(&old.data) == canonical(&offer.data))
        };
        if let Some(old) = replaced.iter().find(same).and_then(|id| self.state.memory.get(*id)) {
            return old.informed;
        }
        let others: Vec<&Author> =
            board.values.iter().map(|value| &value.author).filter(|other| *other != author).collect();
        run.activation.view.shows_any_of(&others)
    }

    /// What an offer replaces: the author's own earlier entry and, where an optimizer refines a value, that value.
    fn replaced_by(&self, contract: Contract, author: &Author, offer: &Offer) -> Vec<ContributionId> {
        let Some(board) = offer.part.and_then(|part| self.state.memory.board(part)) else { return Vec::new() };
        let section = offer.section.as_str();
        match section {
            Section::DRAFT | Section::ANSWER => board
                .values
                .iter()
                .filter(|value| {
                    let refined = contract == Contract::Optimizer && Some(value.id) == offer.about;
                    refined || (value.author == *author && value.is(section))
                })
                .map(|value| value.id)
                .collect(),
            Section::VERDICT => board
                .verdicts
                .iter()
                .filter(|verdict| verdict.author == *author && verdict.about == offer.about)
                .map(|verdict| verdict.id)
                .collect(),
            _ => Vec::new(),
        }
    }

    pub(super) async fn score(&self) -> Scoring {
        let query = self.query();
        self.ports.scorer.score(&query, &self.state.memory).await
    }

    pub(super) async fn emit_score(&mut self, scoring: Scoring, delta: f64) -> Result<(), SessionError> {
        let cycle = self.state.cycle();
        let incumbent = self.better(&scoring);
        let Scoring { score, withdrawn } = scoring;
        let event = Event::Scored { cycle, score: Arc::new(score), delta, withdrawn, incumbent };
        self.emit(event).await.map(drop)
    }

    /// The incumbent that a score makes: a higher J, the same values in another form, or as good ones in the place of some that
    /// were replaced.
    fn better(&self, scoring: &Scoring) -> Option<Incumbent> {
        let values: Vec<(PartId, ContributionId)> = scoring
            .score
            .parts
            .iter()
            .filter(|part| !matches!(part.state, PartState::Unanswered | PartState::Refuted | PartState::Withdrawn))
            .filter_map(|part| {
                let newest = || self.state.memory.board(part.part)?.current().map(|value| value.id);
                Some((part.part, part.of.or_else(newest)?))
            })
            .collect();
        let j = scoring.score.mean;
        let new = Incumbent { cycle: self.state.cycle(), j, values };
        let Some(old) = &self.state.incumbent else { return (!new.values.is_empty()).then_some(new) };
        if j > old.j + 1e-12 {
            return Some(new);
        }
        let same_value = |(part, id): &(PartId, ContributionId)| {
            let canonical =
                |id: ContributionId| self.state.memory.get(id).map(|value| self.ports.scorer.canonical(&value.data));
            old.values.iter().any(|(other, old)| other == part && canonical(*old) == canonical(*id))
        };
        // A value that was taken back for another one must not be presented, where the other is no worse.
        let replaced = (j - old.j).abs() <= 1e-12
            && !new.values.iter().all(same_value)
            && old.values.iter().any(|(_, old)| self.state.memory.replaced_by(*old).is_some())
            && new.values.len() >= old.values.len();
        let text = |id: ContributionId| self.state.memory.get(id).map(|value| value.text.as_str());
        let said_anew = new.values.iter().zip(&old.values).any(|((_, new), (_, old))| text(*new) != text(*old));
        let polished = (j - old.j).abs() <= 1e-12
            && said_anew
            && new.values.len() == old.values.len()
            && new.values.iter().all(same_value);
        (polished || replaced).then_some(new)
    }

    pub(super) fn query(&self) -> Arc<crate::model::Query> {
        self.state.episode.as_ref().map(|episode| episode.query.clone()).unwrap_or_default()
    }

    pub(super) async fn cut_off(&mut self, flow: Flow) -> Result<Flow, SessionError> {
        match flow {
            Flow::On | Flow::Interrupt => self.rewind("stopped by you; the step is taken back").await,
            Flow::Close => {
                self.rewind("closed in the middle of a step").await?;
                self.close().await
            }
        }
    }
}
