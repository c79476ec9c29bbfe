use crate::model::ProgramName;
use crate::tui::action::Action;
use crate::tui::panes::Graph;
use crate::tui::testing::{IMPROVED, PARTS, Stage};

#[test]
fn look() {
    let mut stage = Stage::of(IMPROVED, 151);
    for (w, h) in [(60, 16), (78, 14), (118, 36), (58, 20)] {
        println!("=== {w}x{h}\n{}", stage.draw(&Graph::default(), w, h));
    }
    stage.chosen.program = Some(ProgramName::new("algebra"));
    let mut pane = Graph::default();
    for page in 0..5 {
        println!("=== page {page}\n{}", stage.draw(&pane, 118, 36));
        println!("=== page {page}\n{}", stage.draw(&pane, 58, 22));
        stage.act(&mut pane, Action::GraphInspect);
    }
    let mut pane = Graph::default();
    stage.act(&mut pane, Action::GraphEdges);
    println!("=== sections\n{}", stage.draw(&pane, 78, 16));
    println!("=== sections\n{}", stage.draw(&pane, 118, 36));
    let mut pane = Graph::default();
    stage.act(&mut pane, Action::GraphList);
    println!("=== list\n{}", stage.draw(&pane, 78, 30));
    println!("=== list\n{}", stage.draw(&pane, 118, 30));
    let mut pane = Graph::default();
    stage.act(&mut pane, Action::Right);
    println!("=== open\n{}", stage.draw(&pane, 60, 20));
    println!("=== open\n{}", stage.draw(&pane, 118, 36));
    let stage = Stage::of(PARTS, 72);
    println!("=== parts\n{}", stage.draw(&Graph::default(), 78, 20));
    let stage = Stage::of(PARTS, 70);
    let mut pane = Graph::default();
    stage.act(&mut pane, Action::GraphInspect);
    println!("=== parts\n{}", stage.draw(&pane, 118, 40));
    let mut stage = Stage::of(IMPROVED, u64::MAX);
    stage.chosen.program = Some(ProgramName::new("algebra"));
    for page in 0..4 {
        stage.act(&mut pane, Action::GraphInspect);
    }
    println!("=== end\n{}", stage.draw(&pane, 118, 40));
    stage.glyphs = crate::tui::scene::Glyphs::ASCII;
    println!("=== ascii\n{}", stage.draw(&pane, 78, 20));
    println!("=== empty\n{}", Stage::empty().draw(&Graph::default(), 78, 20));
}
