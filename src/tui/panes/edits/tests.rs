use super::*;
use crate::tui::testing::{IMPROVED, Stage};

#[test]
fn look() {
    let stage = Stage::of(IMPROVED, 229);
    let pane = Edits::default();
    for (w, h) in [(38, 10), (58, 20), (78, 16), (118, 36), (140, 40)] {
        let heading = pane.heading(&stage.scene());
        println!("== {w}x{h} [{}] [{}]\n{}", heading.left, heading.right, stage.draw(&pane, w, h));
    }
    println!("{}", stage.draw(&pane, 100, 110));
    println!("{}", Stage::empty().draw(&pane, 78, 16));
}
