//! The pictures of the README, drawn from real sessions. Where one differs from its file, the test says so and leaves the new
//! one in the target folder; with `MOP_DRAW=1` it writes it.

use std::fs;
use std::path::Path;

use super::super::testing::IMPROVED;
use super::super::testing::svg::svg;
use super::Somebody;
use super::deciding::waiting;
use crate::model::Event;

fn check(name: &str, somebody: &mut Somebody, width: u16, height: u16, theme: usize) {
    somebody.interface.likes.theme = theme;
    let buf = somebody.buffer(width, height);
    let (ground, ink) = if theme == 2 { ("#faf8f3", "#24262b") } else { ("#16181d", "#d6d9e0") };
    let drawn = svg(&buf, ground, ink);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets").join(name);
    if std::env::var_os("MOP_DRAW").is_some() {
        fs::write(&path, drawn).unwrap();
        return;
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == drawn, "assets/{name} is not what is drawn now: look, then run the test with MOP_DRAW=1");
}

#[test]
fn the_pictures_of_the_readme_are_what_is_drawn() {
    let mut paused = Somebody::in_session(IMPROVED, 65);
    // As a run does that a breakpoint stops there.
    let mut stop = (**paused.interface.live.timeline().events().last().unwrap()).clone();
    stop.seq = stop.seq.next();
    stop.event = Event::Paused { why: "breakpoint: J changed by -0.100, below 0".to_owned() };
    paused.interface.event(stop.into());
    paused.keys(&["1"]);
    check("paused.svg", &mut paused, 120, 40, 1);
    let mut edits = waiting();
    edits.keys(&["4", "]", "a"]);
    check("edits.svg", &mut edits, 120, 40, 1);
}
