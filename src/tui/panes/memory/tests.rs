use super::*;
use crate::tui::testing::{IMPROVED, PARTS, Stage};

#[test]
fn look_at_it() {
    let mut stage = Stage::of(IMPROVED, u64::MAX);
    stage.chosen.entry = Some(ContributionId(1));
    let mut pane = Memory::default();
    for (w, h) in [(38, 10), (58, 20), (118, 20)] {
        println!("{}", stage.draw(&pane, w, h));
    }
    let stage = Stage::of(PARTS, u64::MAX);
    pane.view = View::Diff(2, 0);
    for (w, h) in [(58, 20)] {
        println!("{}", stage.draw(&pane, w, h));
    }
}
