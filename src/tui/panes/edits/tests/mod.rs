mod deciding;
mod drawing;
mod hostile;
mod speed;

use super::*;
use crate::model::{Author, Change, Evidence};
use crate::tui::testing::{IMPROVED, Stage};

/// The recorded session with its proposal, before it was decided.
const WAITING: u64 = 229;

/// A pane on a stage, at a time.
struct Bench {
    stage: Stage,
    pane: Edits,
    clock: u64,
    area: Rect,
}

impl Bench {
    /// The proposal of the recorded session; keys that decide are awake.
    fn recorded() -> Self {
        Self::on(Stage::of(IMPROVED, WAITING))
    }

    fn on(stage: Stage) -> Self {
        let mut bench = Self { stage, pane: Edits::default(), clock: 1_000_000, area: Rect::new(0, 0, 100, 30) };
        bench.see();
        bench.clock += 301;
        bench
    }

    fn of(proposals: Vec<(Proposal, ProposalStatus)>) -> Self {
        let mut stage = Stage::empty();
        stage.queue.load(proposals, &crate::model::State::default());
        Self::on(stage)
    }

    fn scene(&self) -> Scene<'_> {
        Scene { clock: self.clock, ..self.stage.scene() }
    }

    /// Draws, as the app does before it takes the next key.
    fn see(&mut self) -> String {
        let mut buf = Buffer::empty(self.area);
        self.pane.draw(&self.scene(), self.area, &mut buf);
        crate::tui::testing::text_of(&buf)
    }

    /// Presses a key, and follows the selection as the app does.
    fn act(&mut self, action: Action) -> Vec<Effect> {
        let scene = Scene { clock: self.clock, ..self.stage.scene() };
        let effects = self.pane.act(action, &scene, self.area);
        self.follow(&effects);
        effects
    }

    fn click(&mut self, x: u16, y: u16) -> Vec<Effect> {
        let scene = Scene { clock: self.clock, ..self.stage.scene() };
        self.pane.click(Position::new(x, y), &scene, self.area)
    }

    fn told(&mut self, purpose: &Purpose, text: &str) -> Vec<Effect> {
        let scene = Scene { clock: self.clock, ..self.stage.scene() };
        let effects = self.pane.told(purpose, text, &scene);
        self.follow(&effects);
        effects
    }

    fn follow(&mut self, effects: &[Effect]) {
        for effect in effects {
            if let Effect::Proposal(id) = effect {
                self.stage.chosen.proposal = Some(id.clone());
            }
        }
    }

    fn heading(&self) -> (String, String) {
        let heading = self.pane.heading(&self.scene());
        (heading.left, heading.right)
    }
}

fn change(path: &str, before: Option<&str>, after: Option<&str>) -> Change {
    Change { path: path.into(), before: before.map(Arc::from), after: after.map(Arc::from) }
}

fn proposal(id: &str, changes: Vec<Change>) -> Proposal {
    Proposal {
        id: id.into(),
        network: "n".into(),
        base: "r".into(),
        author: Author::Engine,
        program: None,
        title: format!("the title of {id}"),
        changes,
        evidence: Evidence { critique: "it is slow".into(), ..Evidence::default() },
        gates: Vec::new(),
    }
}

fn open_one(changes: Vec<Change>) -> Bench {
    Bench::of(vec![(proposal("p1", changes), ProposalStatus::Open)])
}

fn said(effects: &[Effect]) -> &str {
    match effects {
        [Effect::Say(_, words)] => words,
        other => panic!("{other:?} says nothing"),
    }
}
