//! Looking at the past, and coming back.

use super::super::testing::IMPROVED;
use super::Somebody;
use crate::model::{Command, Cycle};

fn shown(somebody: &Somebody) -> Option<(u32, Cycle)> {
    let look = somebody.interface.look.as_ref()?;
    let episode = look.state.episode.as_ref()?;
    Some((episode.number, episode.cycle))
}

#[test]
fn one_step_back_from_the_end_is_the_cycle_before() {
    let mut somebody = Somebody::in_session(IMPROVED, u64::MAX);
    let cycles = somebody.interface.live.now().cycle();
    somebody.keys(&["S"]);
    assert_eq!(shown(&somebody), Some((2, Cycle(cycles.0 - 1))));
    somebody.keys(&["."]);
    assert_eq!(shown(&somebody), None, "on again is the present");
    assert_eq!(somebody.asked_for, []);
}

#[test]
fn the_beginning_is_reached_and_not_passed() {
    let mut somebody = Somebody::in_session(IMPROVED, u64::MAX);
    for _ in 0..100 {
        somebody.keys(&[","]);
    }
    assert_eq!(shown(&somebody), Some((1, Cycle(0))));
    somebody.keys(&["L"]);
    assert_eq!(shown(&somebody), None);
}

#[test]
fn running_back_and_on_stops_at_breakpoints_of_the_record() {
    let mut somebody = Somebody::in_session(IMPROVED, u64::MAX);
    somebody.keys(&["B", "d", "Esc"]);
    let Some(Command::Breakpoints(set)) = somebody.commands().pop() else { panic!("no breakpoint was set") };
    // The engine's answer.
    let mut envelope = (**somebody.interface.live.timeline().events().last().unwrap()).clone();
    envelope.seq = envelope.seq.next();
    envelope.event = crate::model::Event::BreakpointsSet { breakpoints: std::sync::Arc::new(set) };
    somebody.interface.event(std::sync::Arc::new(envelope));
    somebody.keys(&["C"]);
    assert_eq!(shown(&somebody), Some((1, Cycle(3))), "J fell in cycle 3 of the first question alone");
    somebody.keys(&["C"]);
    assert_eq!(shown(&somebody), Some((1, Cycle(0))));
    somebody.keys(&["c"]);
    assert_eq!(shown(&somebody), Some((1, Cycle(3))));
    somebody.keys(&["c"]);
    assert_eq!(shown(&somebody), None);
    assert_eq!(somebody.commands().len(), 1, "nothing was run");
}

#[test]
fn keys_that_step_go_along_the_record_while_the_past_is_looked_at() {
    let mut somebody = Somebody::in_session(IMPROVED, 15);
    somebody.keys(&["S", "S", "Space"]);
    assert_eq!(somebody.commands(), []);
    somebody.keys(&["Space", "Space"]);
    assert_eq!(somebody.commands().len(), 1, "at the present a step is a step again");
}
