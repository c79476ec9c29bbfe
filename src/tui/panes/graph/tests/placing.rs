//! Where items stand.

use std::collections::{BTreeMap, BTreeSet};

use super::{choose, file, network_of, prompt, revise, stage_of};
use crate::model::Network;
use crate::tui::panes::graph::place::{Layered, Placed, Placement, Size, Spot};
use crate::tui::panes::graph::sketch::{Key, Sketch};
use crate::tui::panes::graph::wires::Wires;
use crate::tui::testing::{IMPROVED, Stage, network};

const CHIPS: Layered = Layered { width: 60, gap: 1, size: Size::Chip };
const BOXES: Layered = Layered { width: 73, gap: 1, size: Size::Box(2) };

fn sketch(stage: &Stage, open: &BTreeSet<Key>) -> Sketch {
    let scene = stage.scene();
    Sketch::new(scene.first_network, scene.network, scene.state.revisions.iter().map(AsRef::as_ref), open)
}

fn by_key(sketch: &Sketch, frame: Layered) -> BTreeMap<Key, Spot> {
    let placed = frame.place(sketch);
    sketch.items.iter().map(|item| item.key.clone()).zip(placed.spots).collect()
}

fn experts() -> BTreeSet<Key> {
    let sketch = sketch(&Stage::empty(), &BTreeSet::new());
    sketch.items.iter().filter(|item| item.label == "experts").map(|item| item.key.clone()).collect()
}

/// What was there before stands where it stood.
fn check_stays(before: &Stage, after: &Stage, open: &BTreeSet<Key>) -> usize {
    let (old, new) = (sketch(before, open), sketch(after, open));
    for frame in [CHIPS, BOXES, Layered { gap: 2, ..CHIPS }, Layered { width: 38, ..CHIPS }] {
        let (old, new) = (by_key(&old, frame), by_key(&new, frame));
        for (key, spot) in &old {
            assert_eq!(new.get(key), Some(spot), "{key:?} at {frame:?}");
        }
        let taken: Vec<&Spot> = new.values().collect();
        for (index, a) in taken.iter().enumerate() {
            for b in taken.iter().skip(index + 1) {
                let apart = a.x + a.width <= b.x || b.x + b.width <= a.x;
                assert!(apart || a.y + a.height <= b.y || b.y + b.height <= a.y, "{a:?} on {b:?} at {frame:?}");
            }
        }
    }
    new.items.len()
}

#[test]
fn one_more_program_moves_no_other() {
    let expert = "group = \"experts\"\nafter = [\"@planner\", \"@solver/core\"]";
    for (name, contract, more, here) in [
        ("skeptic", "critic", "after = [\"@solver\"]\n[next]\noptimizer = 0.5", 1),
        ("second-router", "router", "next = { synthesizer = 0.4 }", 1),
        ("overseer", "supervisor", "", 1),
        ("geometer", "solver", expert, 0),
    ] {
        let before = Stage::of(IMPROVED, 151);
        let mut after = Stage::of(IMPROVED, 151);
        let count = sketch(&before, &BTreeSet::new()).items.len();
        revise(&mut after, &[(&format!("{name}.md"), Some(&prompt(contract, more)))]);
        assert!(after.scene().network.program(&name.into()).is_some(), "{name} is there");
        assert_eq!(check_stays(&before, &after, &BTreeSet::new()), count + here, "{name}");
        // A member of an open group stands with the others.
        assert_eq!(check_stays(&before, &after, &experts()), count + 7 + 1, "{name} with an open group");
    }
}

#[test]
fn one_program_less_moves_no_other_and_what_came_keeps_its_place() {
    let before = Stage::of(IMPROVED, 151);
    let count = sketch(&before, &BTreeSet::new()).items.len();
    for path in ["definition.py", "edge-case.py", "calculator.py", "integrity.py", "goal-check.py"] {
        let mut after = Stage::of(IMPROVED, 151);
        revise(&mut after, &[(path, None)]);
        let gone = path.trim_end_matches(".py").into();
        assert!(after.scene().network.program(&gone).is_none(), "{path} is gone");
        assert_eq!(check_stays(&before, &after, &BTreeSet::new()), count, "{path}");
        check_stays(&before, &after, &experts());
    }
    // Two come, the first goes: the second stays where it was.
    let mut both = Stage::of(IMPROVED, 151);
    revise(&mut both, &[("skeptic.md", Some(&prompt("critic", "")))]);
    revise(&mut both, &[("doubter.md", Some(&prompt("critic", "")))]);
    let mut later = Stage::of(IMPROVED, 151);
    revise(&mut later, &[("skeptic.md", Some(&prompt("critic", "")))]);
    revise(&mut later, &[("doubter.md", Some(&prompt("critic", "")))]);
    revise(&mut later, &[("skeptic.md", None)]);
    assert_eq!(check_stays(&both, &later, &BTreeSet::new()), count + 2);
}

#[test]
fn opening_a_group_moves_others_down_at_most() {
    let stage = Stage::empty();
    let closed = by_key(&sketch(&stage, &BTreeSet::new()), CHIPS);
    let open = by_key(&sketch(&stage, &experts()), CHIPS);
    for (key, spot) in &closed {
        let now = open.get(key).copied().unwrap();
        assert_eq!((now.x, now.width), (spot.x, spot.width), "{key:?}");
        assert!(now.y == spot.y || now.y == spot.y + 4, "{key:?}: two more rows of members");
    }
    assert_eq!(open.len(), closed.len() + 7);
}

#[test]
fn ranks_go_by_contract_from_top_to_bottom() {
    let sketch = sketch(&Stage::empty(), &BTreeSet::new());
    let placed = CHIPS.place(&sketch);
    let row = |name: &str| sketch.of(&name.into()).and_then(|item| placed.spots.get(item)).unwrap().row;
    let rows = ["router", "definition", "synthesizer", "verifier", "optimizer", "goal-check", "end-loop"].map(row);
    assert_eq!(rows, [0, 1, 2, 3, 4, 5, 6]);
    let side = ["decomposer", "algebra", "integrity", "value-judge", "program-manager"].map(row);
    assert_eq!(side, [1, 2, 3, 4, 6]);
    assert!(placed.height <= 13 && placed.left >= -30 && placed.right <= 30, "it fits 60 by 13");
}

fn crowd(count: usize, edges: usize) -> Vec<(String, String)> {
    let contracts = ["router", "planner", "solver", "critic", "optimizer", "judge", "goal-check", "presenter"];
    let name = |index: usize| format!("p{index:03}");
    (0..count)
        .map(|index| {
            let contract = contracts[index * contracts.len() / count];
            let many = edges.div_ceil(count);
            let next: BTreeSet<String> = (1..=many).map(|step| name((index * 7 + step * 31) % count)).collect();
            let next: Vec<String> = next.iter().map(|name| format!("{name} = 0.3")).collect();
            file(&name(index), contract, &format!("[next]\n{}", next.join("\n")))
        })
        .collect()
}

/// No line passes through what it does not belong to.
fn check_lines(network: &Network, frame: Layered) -> Placed {
    let sketch = Sketch::new(network, network, std::iter::empty(), &BTreeSet::new());
    let placed = frame.place(&sketch);
    let wires = Wires::declared(&sketch, &placed);
    for (item, spot) in sketch.items.iter().zip(&placed.spots) {
        for y in spot.y..spot.y + spot.height {
            let upright = (spot.x..spot.x + spot.width).filter(|x| *x != spot.anchor).find(|x| {
                let [up, down, ..] = wires.sides(*x, y);
                up || down
            });
            assert_eq!(upright, None, "a line goes through {}", item.label);
        }
    }
    placed
}

#[test]
fn lines_pass_beside_items() {
    for frame in [CHIPS, BOXES] {
        check_lines(&network(), frame);
        check_lines(&network_of(&crowd(40, 120)), frame);
    }
}

#[test]
fn any_network_is_placed() {
    for count in [1, 3, 200, 300] {
        let network = network_of(&crowd(count, count * 5 / 2));
        assert_eq!(network.programs.len(), count);
        let placed = check_lines(&network, CHIPS);
        let least = if count > 200 { 8 } else { count };
        assert_eq!(placed.spots.len(), least, "above 200 programs contracts collapse");
        assert!(placed.left >= -30 && placed.right <= 30, "{count} wrap into the width");
    }
    let nobody = stage_of(&[]);
    assert_eq!(CHIPS.place(&sketch(&nobody, &BTreeSet::new())), Placed::default());
}

#[test]
fn a_crowd_has_lines_where_one_looks_alone() {
    let mut stage = stage_of(&crowd(200, 500));
    let pane = crate::tui::panes::Graph::default();
    let lines = |stage: &Stage| stage.draw(&pane, 99, 60).matches(['─', '│']).count();
    assert!(lines(&stage) < 110, "the title of the inspector alone:\n{}", stage.draw(&pane, 99, 60));
    choose(&mut stage, "p040");
    assert!(lines(&stage) > 150, "{}", stage.draw(&pane, 99, 60));
}
