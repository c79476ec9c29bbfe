//! What each action does, and what each effect of a pane does.

use super::action::{Action, Place, Room};
use super::app::Interface;
use super::overlay::Overlay;
use super::pane::{Effect, Purpose, Tone};
use super::request::Request;
use crate::model::{Approval, Breakpoint, Command, Cycle, Expr, Pace, Phase, Query, Step, Watch};

/// Milliseconds for which keys that decide are dead after what they decide has come up.
const ARMING: u64 = 300;

/// What a line begins with that names a file for the next question.
const ATTACH: &str = "/attach ";

impl Interface {
    /// Does what an action asks.
    pub(super) fn act(&mut self, action: Action) {
        match action.entry().place {
            Place::Pane(room) => {
                if self.focus != room {
                    self.focus_on(room);
                }
                self.in_pane(action);
            }
            Place::Run => self.act_on_run(action),
            Place::Anywhere => self.act_anywhere(action),
        }
    }

    /// Hands an action to the pane that has the focus.
    fn in_pane(&mut self, action: Action) {
        let room = self.focus;
        let inside = self.layout().inside(room);
        let effects = self.with_pane(room, |pane, scene| pane.act(action, scene, inside));
        self.apply(effects);
    }

    fn act_anywhere(&mut self, action: Action) {
        match action {
            Action::NextPane => self.turn(1),
            Action::BackPane => self.turn(Room::ALL.len() - 1),
            Action::Pane1 => self.focus_on(Room::Graph),
            Action::Pane2 => self.focus_on(Room::Memory),
            Action::Pane3 => self.focus_on(Room::Score),
            Action::Pane4 => self.focus_on(Room::Edits),
            Action::Pane5 => self.focus_on(Room::Stream),
            Action::Pane6 => self.focus_on(Room::Timeline),
            Action::Zoom => self.zoomed = !self.zoomed,
            Action::Prompt => self.writing = true,
            Action::Palette => self.overlays.push(Overlay::palette()),
            Action::Help => self.overlays.push(Overlay::help()),
            Action::Sessions => self.requests.push(Request::List),
            Action::NewSession => {
                self.requests.push(Request::Leave);
            }
            Action::Settings => self.overlays.push(Overlay::settings()),
            Action::Models => self.open_models(),
            Action::UseFound => self.use_found(),
            Action::Play => self.open_play(),
            Action::Suspend => self.requests.push(Request::Suspend),
            Action::Redraw => self.requests.push(Request::Redraw),
            Action::Stop => self.stop(),
            Action::Quit => self.quit(),
            Action::Copy => {
                let text = self.panes.get(self.focus).copied(&self.scene(true));
                match text {
                    Some(text) => self.requests.push(Request::Copy(text)),
                    None => self.say(Tone::Plain, "nothing is selected here"),
                }
            }
            _ => self.in_pane(action),
        }
    }

    fn turn(&mut self, by: usize) {
        let next = (self.focus as usize + by) % Room::ALL.len();
        self.focus_on(Room::ALL[next]);
    }

    fn act_on_run(&mut self, action: Action) {
        match action {
            Action::StepCycle | Action::FinishCycle => self.step(Step::Cycle),
            Action::StepProgram => self.step(Step::Program),
            Action::RunOn => self.run_on(),
            Action::StepBack | Action::ScrubBack => self.look_back(),
            Action::ScrubOn if self.look_on() => {}
            Action::ScrubOn => self.say(Tone::Plain, "this is the present"),
            Action::RunBack => self.run_back(),
            Action::CycleStart => self.look_at_beginning(),
            Action::Live => self.live_again(),
            Action::Pause => match self.live.now().pace {
                Pace::Running if self.is_under_way() => {
                    self.send(Command::Pause);
                    self.say(Tone::Plain, "it stands still before the next program");
                }
                Pace::Running | Pace::Paused => self.say(Tone::Plain, "nothing runs"),
            },
            Action::BreakHere => self.break_here(),
            Action::Breaks => self.overlays.push(Overlay::breaks()),
            Action::AddWatch => self.overlays.push(Overlay::ask(
                Purpose::Watch,
                "watch an expression, such as j, wm.draft|length or credit",
                "",
            )),
            Action::Note => self.overlays.push(Overlay::ask(Purpose::Note, "note at this cycle", "")),
            Action::Again => self.improve(),
            Action::ForkHere => self.fork_here(),
            Action::RateUp => self.rate(1.0),
            Action::RateDown => self.rate(-1.0),
            Action::ApprovalMode => self.turn_approval(),
            Action::Permit => self.permit(true),
            Action::Refuse => self.permit(false),
            _ => {}
        }
    }

    /// Takes a step: along the record where the past is looked at, else of the run.
    fn step(&mut self, step: Step) {
        if self.look.is_some() {
            self.look_on();
            return;
        }
        if self.starts_what_is_written(true) {
            return;
        }
        if self.is_under_way() {
            self.send(Command::Step { step });
        } else {
            self.nothing_to_run();
        }
    }

    fn run_on(&mut self) {
        if self.look.is_some() {
            self.run_along_record();
            return;
        }
        if self.starts_what_is_written(false) {
            return;
        }
        if self.is_under_way() {
            self.send(Command::Run);
        } else {
            self.nothing_to_run();
        }
    }

    /// A question that is written but not asked is asked by the key that would run it.
    fn starts_what_is_written(&mut self, step: bool) -> bool {
        if self.is_under_way() || self.prompt.is_blank() {
            return false;
        }
        self.ask_question(step);
        true
    }

    fn nothing_to_run(&mut self) {
        let text = if self.live.now().episode.is_some() {
            "this question is done; i asks the next, R improves and runs it again, S looks back"
        } else {
            "nothing runs yet; press i, type a question and press Enter"
        };
        self.say(Tone::Plain, text);
    }

    /// Asks the question that is written: a new session, or the next episode of this one.
    pub(super) fn ask_question(&mut self, step: bool) {
        let text = self.prompt.text().trim().to_owned();
        self.asked.push(text.clone());
        self.prompt.clear();
        if let Some(path) = text.strip_prefix(ATTACH) {
            self.requests.push(Request::Attach(path.trim().into()));
            return;
        }
        self.writing = false;
        self.ask_text(text, step);
    }

    /// Works on a question.
    pub(super) fn ask_text(&mut self, text: String, step: bool) {
        let query = Query { attachments: std::mem::take(&mut self.attached), ..Query::new(text) };
        let step = step || self.likes.step;
        self.live_again();
        if self.session.is_none() {
            let mut first = Vec::new();
            if !self.breaks.is_empty() {
                first.push(Command::Breakpoints(self.breaks.clone()));
            }
            self.requests.push(Request::Begin { query, first, step });
            return;
        }
        match (step, self.live.now().pace) {
            (true, Pace::Running) => self.send(Command::Pause),
            (false, Pace::Paused) => self.send(Command::Run),
            (true, Pace::Paused) | (false, Pace::Running) => {}
        }
        self.send(Command::Start { query });
    }

    /// Esc: closes what is open, then stops what runs. It never approves and never leaves.
    fn stop(&mut self) {
        if self.overlays.pop().is_some() {
            return;
        }
        if self.writing {
            self.writing = false;
            return;
        }
        let now = self.live.now();
        if now.phase != Phase::Idle && now.pace == Pace::Running {
            self.send(Command::Interrupt);
            let key = self.keymap.key(Action::RunOn).to_owned();
            self.say(Tone::Plain, format!("stopped; {key} goes on"));
        } else if self.zoomed {
            self.zoomed = false;
        } else if self.look.is_some() {
            self.live_again();
        }
    }

    fn quit(&mut self) {
        let now = self.live.now();
        if now.phase != Phase::Idle && now.pace == Pace::Running {
            self.overlays.push(Overlay::confirm_quit());
        } else {
            self.requests.push(Request::Quit);
        }
    }

    /// The breakpoints that are set, or will be when a session begins.
    pub(super) fn breakpoints(&self) -> Vec<Breakpoint> {
        if self.session.is_some() { self.live.now().breakpoints.to_vec() } else { self.breaks.clone() }
    }

    /// Replaces the breakpoints.
    pub(super) fn set_breakpoints(&mut self, breakpoints: Vec<Breakpoint>) {
        self.breaks.clone_from(&breakpoints);
        if self.session.is_some() {
            self.send(Command::Breakpoints(breakpoints));
        }
    }

    fn break_here(&mut self) {
        let Some(program) = self.chosen.program.clone() else {
            self.say(Tone::Plain, "select a program in the graph first (1, then arrows)");
            return;
        };
        let wanted = Breakpoint::Program(program.clone());
        let mut all = self.breakpoints();
        if all.contains(&wanted) {
            all.retain(|breakpoint| *breakpoint != wanted);
            self.say(Tone::Plain, format!("no stop before {program} any more"));
        } else {
            all.push(wanted);
            self.say(Tone::Plain, format!("the run will stop before {program}"));
        }
        self.set_breakpoints(all);
    }

    fn rate(&mut self, rating: f64) {
        if self.live.now().outcomes.is_empty() {
            self.say(Tone::Plain, "there is no answer to rate yet");
            return;
        }
        self.send(Command::Rate(rating));
        self.say(Tone::Plain, if rating > 0.0 { "noted: a good answer" } else { "noted: a bad answer" });
    }

    /// Decides the oldest permission that is asked for. A key that was pressed before it could be read decides nothing.
    fn permit(&mut self, granted: bool) {
        let open = self.live.now().permissions.values().find(|permission| permission.granted.is_none());
        match open.map(|permission| permission.id) {
            None => self.say(Tone::Plain, "nobody asks for leave"),
            Some(_) if self.clock.saturating_sub(self.permission_since) < ARMING => {
                self.say(Tone::Plain, "read first: the key wakes up 0.3 s after the question");
            }
            Some(id) => self.send(Command::Permit { id, granted }),
        }
    }

    fn turn_approval(&mut self) {
        if self.session.is_none() {
            self.say(Tone::Plain, "who decides can be changed once a question was asked");
            return;
        }
        let (next, says) = match self.live.now().approval {
            Approval::Rules => (Approval::Reject, "every proposal is turned down"),
            Approval::Reject => (Approval::Accept, "what passes all gates is accepted without asking you"),
            Approval::Accept => (Approval::Rules, "you decide what no rule covers"),
        };
        self.send(Command::SetApproval(next));
        self.say(Tone::Plain, says);
    }

    /// Improve and run again: first the decisions, then the same question once more.
    fn improve(&mut self) {
        let now = self.live.now();
        let Some(episode) = now.episode.clone().filter(|_| now.phase == Phase::Idle) else {
            self.say(Tone::Plain, "that is for a finished run: let it end first (c)");
            return;
        };
        let waiting = self.queue.waiting();
        if waiting > 0 && !self.again {
            self.again = true;
            self.focus_on(Room::Edits);
            let edits = if waiting == 1 { "1 edit waits".to_owned() } else { format!("{waiting} edits wait") };
            self.say(
                Tone::Plain,
                format!("{edits}: choose hunks (a) and apply them (w), then R runs the question again"),
            );
            return;
        }
        self.again = false;
        let cost = now.outcomes.last().map_or(String::new(), |outcome| {
            format!("; last time it took {} activations and {} tokens", outcome.usage.activations, outcome.usage.tokens)
        });
        let step = self.likes.step;
        self.attached.clone_from(&episode.query.attachments);
        self.ask_text(episode.query.text.clone(), step);
        self.say(Tone::Plain, format!("running live again{cost}"));
    }

    /// Does what panes ask for.
    pub(super) fn apply(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Send(command) => self.send(command),
                Effect::Do(action) => self.act(action),
                Effect::Say(tone, text) => self.say(tone, text),
                Effect::Look(seq) => self.look_at(seq),
                Effect::Live => self.live_again(),
                Effect::Select(program) => self.chosen.program = Some(program),
                Effect::Entry(entry) => self.chosen.entry = Some(entry),
                Effect::Proposal(proposal) => self.chosen.proposal = Some(proposal),
                Effect::Ask { purpose, title, text } => self.overlays.push(Overlay::ask(purpose, &title, &text)),
                Effect::Edit { purpose, title, text } => self.overlays.push(Overlay::edit(purpose, &title, &text)),
                Effect::Decide(id, decision) => self.send(Command::Decide { id, decision }),
                Effect::Undo => self.undo(),
                Effect::Propose(title, changes) => self.send(Command::Propose { title, changes }),
                Effect::Fork { episode, cycle, then } => self.fork_with(episode, cycle, then),
            }
        }
    }

    /// A copy in which something is done first. After the end of an episode nothing would come of it, so the copy ends before
    /// the last cycle then.
    fn fork_with(&mut self, episode: u32, cycle: Cycle, then: Option<Command>) {
        let stops = self.live.stops();
        let over = stops.iter().any(|stop| stop.end && (stop.episode, stop.cycle) == (episode, cycle));
        let (Some(command), true) = (&then, over) else {
            self.requests.push(Request::Fork { episode, cycle, then });
            return;
        };
        let Some(gate) = stops.iter().rev().find(|stop| stop.episode == episode && !stop.end).copied() else { return };
        let replaced = match command {
            Command::EditMemory { supersedes, .. } => *supersedes,
            _ => None,
        };
        let memory = self.live.timeline().at(gate.seq).memory;
        if replaced.is_some_and(|id| memory.get(id).is_none()) {
            let text = "this was written in the last cycle, after which nothing runs: edit what it was made from, or ask again";
            self.say(Tone::Bad, text);
            return;
        }
        self.requests.push(Request::Fork { episode, cycle: gate.cycle, then });
    }

    fn undo(&mut self) {
        let decided = |id: &crate::model::ProposalId| {
            self.queue.get(id).is_some_and(|(_, status)| *status != crate::model::ProposalStatus::Open)
        };
        while self.decided.last().is_some_and(|id| !decided(id)) {
            self.decided.pop();
        }
        match self.decided.pop() {
            Some(id) => self.send(Command::Reopen { id }),
            None => self.say(Tone::Plain, "nothing was decided here that could be taken back"),
        }
    }

    /// A text that was asked for was given.
    pub(super) fn told(&mut self, purpose: &Purpose, text: &str) {
        match purpose {
            Purpose::Note => {
                if !text.trim().is_empty() {
                    self.send(Command::Note(text.trim().to_owned()));
                }
            }
            Purpose::Watch => match Expr::new(text.trim()) {
                Ok(expression) => {
                    let mut all = self.live.now().watches.to_vec();
                    all.push(Watch { expression });
                    self.send(Command::Watches(all));
                }
                Err(error) => {
                    self.say(Tone::Bad, error.to_string());
                    self.overlays.push(Overlay::ask(Purpose::Watch, "watch an expression", text));
                }
            },
            Purpose::Break => match Breakpoint::parse(text) {
                Ok(breakpoint) => {
                    let mut all = self.breakpoints();
                    if !all.contains(&breakpoint) {
                        all.push(breakpoint);
                    }
                    self.set_breakpoints(all);
                }
                Err(error) => {
                    self.say(Tone::Bad, error);
                    self.overlays.push(Overlay::ask(Purpose::Break, "stop when", text));
                }
            },
            Purpose::Server => self.server_given(text),
            Purpose::Find(room) => {
                let room = *room;
                let effects = self.with_pane(room, |pane, scene| pane.told(purpose, text, scene));
                self.apply(effects);
            }
            Purpose::Reject(_) | Purpose::Proposed(..) => self.told_pane(Room::Edits, purpose, text),
            Purpose::Entry(_) => self.told_pane(Room::Memory, purpose, text),
            Purpose::Program(_) => self.told_pane(Room::Graph, purpose, text),
        }
    }

    fn told_pane(&mut self, room: Room, purpose: &Purpose, text: &str) {
        let effects = self.with_pane(room, |pane, scene| pane.told(purpose, text, scene));
        self.apply(effects);
    }
}
