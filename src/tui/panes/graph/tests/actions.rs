//! What keys do.

use super::{at, choose, revise};
use crate::model::{Command, ProgramName, TaskId};
use crate::tui::action::{Action, Room};
use crate::tui::pane::{Effect, Pane, Purpose, Tone};
use crate::tui::panes::Graph;
use crate::tui::testing::{IMPROVED, PARTS, Stage};

/// Does what the app does with a selection.
fn press(stage: &mut Stage, pane: &mut Graph, actions: &[Action]) -> Vec<Effect> {
    let mut effects = Vec::new();
    for action in actions {
        effects = stage.act(pane, *action);
        follow(stage, &effects);
    }
    effects
}

fn follow(stage: &mut Stage, effects: &[Effect]) {
    for effect in effects {
        if let Effect::Select(name) = effect {
            stage.chosen.program = Some(name.clone());
        }
    }
}

fn chosen(stage: &Stage) -> &str {
    stage.chosen.program.as_ref().map_or("", ProgramName::as_str)
}

#[test]
fn enter_lets_another_program_run_next() {
    let mut stage = Stage::of(IMPROVED, 151);
    let mut pane = Graph::default();
    let enter = |stage: &Stage, pane: &mut Graph| stage.act(pane, Action::GraphOverride);
    choose(&mut stage, "edge-case");
    let route = Command::Route { task: TaskId(0), program: "edge-case".into() };
    assert_eq!(enter(&stage, &mut pane), [Effect::Send(route)]);
    choose(&mut stage, "optimizer");
    let reason = "optimizer may not run next: it does not accept this: draft and draft.data.raw";
    assert_eq!(enter(&stage, &mut pane), [Effect::Say(Tone::Bad, reason.to_owned())]);
    choose(&mut stage, "router");
    let reason = "router may not run next: no transition leads to it from algebra";
    assert_eq!(enter(&stage, &mut pane), [Effect::Say(Tone::Bad, reason.to_owned())]);
    choose(&mut stage, "verifier");
    assert!(matches!(&enter(&stage, &mut pane)[..], [Effect::Say(Tone::Plain, words)] if words.contains("already")));
    // Nothing is chosen in the past, or while a program runs.
    stage.look(at(65));
    choose(&mut stage, "verifier");
    assert!(matches!(&enter(&stage, &mut pane)[..], [Effect::Say(Tone::Bad, words)] if words.contains("L goes back")));
    let mut running = Stage::of(IMPROVED, 153);
    choose(&mut running, "edge-case");
    assert!(matches!(&enter(&running, &mut pane)[..], [Effect::Say(Tone::Bad, words)] if words.contains("p pauses")));
}

#[test]
fn the_strand_is_the_one_that_may_take_the_program() {
    let mut stage = Stage::of(PARTS, 18);
    choose(&mut stage, "calculator");
    let mut pane = Graph::default();
    assert!(matches!(&stage.act(&mut pane, Action::GraphOverride)[..], [Effect::Say(Tone::Plain, _)]));
    let mut stage = Stage::of(PARTS, 70);
    choose(&mut stage, "optimizer");
    let route = Command::Route { task: TaskId(2), program: "optimizer".into() };
    assert_eq!(stage.act(&mut pane, Action::GraphOverride), [Effect::Send(route)]);
    choose(&mut stage, "refractor");
    let route = Command::Route { task: TaskId(3), program: "refractor".into() };
    assert_eq!(stage.act(&mut pane, Action::GraphOverride), [Effect::Send(route)]);
}

#[test]
fn the_selection_moves_over_the_graph() {
    let mut stage = Stage::of(IMPROVED, 151);
    choose(&mut stage, "router");
    let mut pane = Graph::default();
    press(&mut stage, &mut pane, &[Action::Down]);
    assert_eq!(chosen(&stage), "definition");
    press(&mut stage, &mut pane, &[Action::Right]);
    assert_eq!(chosen(&stage), "decomposer");
    press(&mut stage, &mut pane, &[Action::Left, Action::Left]);
    assert_eq!(chosen(&stage), "definition", "there is nothing further left");
    press(&mut stage, &mut pane, &[Action::Down]);
    assert_eq!(chosen(&stage), "synthesizer");
    press(&mut stage, &mut pane, &[Action::Up, Action::Up, Action::Up]);
    assert_eq!(chosen(&stage), "router");
}

#[test]
fn groups_open_and_close_in_place() {
    let mut stage = Stage::of(IMPROVED, 151);
    choose(&mut stage, "synthesizer");
    let mut pane = Graph::default();
    let shows = |stage: &Stage, pane: &Graph| stage.draw(pane, 120, 40).contains("proportions");
    press(&mut stage, &mut pane, &[Action::Right]);
    assert!(shows(&stage, &pane), "the inspector lists the members of the selected group");
    let listed = |stage: &Stage, pane: &Graph| stage.draw(pane, 120, 40).matches("proportions").count();
    assert_eq!(listed(&stage, &pane), 1);
    press(&mut stage, &mut pane, &[Action::Right]);
    assert_eq!(listed(&stage, &pane), 2, "and the graph shows them");
    press(&mut stage, &mut pane, &[Action::Left]);
    assert_eq!(listed(&stage, &pane), 1);
    press(&mut stage, &mut pane, &[Action::GraphOverride, Action::Down]);
    assert_eq!(chosen(&stage), "calculator", "below the group are its members");
    // From the first member the way left leads to the group, and once more closes it.
    press(&mut stage, &mut pane, &[Action::Left, Action::Left]);
    assert_eq!(chosen(&stage), "algebra");
    press(&mut stage, &mut pane, &[Action::Left]);
    assert_eq!(chosen(&stage), "algebra", "a group is no program");
    assert_eq!(listed(&stage, &pane), 1);
}

#[test]
fn programs_are_found_by_name() {
    let mut stage = Stage::of(IMPROVED, 151);
    let mut pane = Graph::default();
    let ask =
        Effect::Ask { purpose: Purpose::Find(Room::Graph), title: "find a program".to_owned(), text: String::new() };
    assert_eq!(stage.act(&mut pane, Action::GraphFind), [ask]);
    let effects = pane.told(&Purpose::Find(Room::Graph), " Verifier", &stage.scene());
    follow(&mut stage, &effects);
    assert_eq!(chosen(&stage), "verifier");
    assert!(stage.draw(&pane, 120, 40).contains("verifier-integers"), "its group is open");
    press(&mut stage, &mut pane, &[Action::FindNext]);
    assert_eq!(chosen(&stage), "verifier-integers");
    press(&mut stage, &mut pane, &[Action::FindBack, Action::FindBack]);
    assert_eq!(chosen(&stage), "verifier-sequences", "before the first comes the last");
    let none = pane.told(&Purpose::Find(Room::Graph), "\u{1b}zz", &stage.scene());
    assert_eq!(none, [Effect::Say(Tone::Bad, "no program has `\\x1bzz` in its name".to_owned())]);
}

#[test]
fn an_edit_becomes_a_proposal() {
    let mut stage = Stage::of(IMPROVED, 151);
    choose(&mut stage, "algebra");
    let mut pane = Graph::default();
    let source = stage.scene().network.program(&"algebra".into()).unwrap().source.clone();
    let effects = stage.act(&mut pane, Action::GraphEdit);
    let [Effect::Edit { purpose, text, .. }] = &effects[..] else { panic!("{effects:?}") };
    assert_eq!((purpose, text.as_str()), (&Purpose::Program("algebra.py".to_owned()), &*source));
    let same = pane.told(purpose, &source, &stage.scene());
    assert_eq!(same, [Effect::Say(Tone::Plain, "nothing was changed".to_owned())]);
    let effects = pane.told(purpose, "new", &stage.scene());
    let [Effect::Propose(title, changes)] = &effects[..] else { panic!("{effects:?}") };
    assert_eq!(title, "algebra: edited by hand");
    assert_eq!(changes[0].before.as_deref(), Some(&*source));
    assert_eq!(changes[0].after.as_deref(), Some("new"));
    revise(&mut stage, &[("algebra.py", None)]);
    assert!(matches!(&stage.act(&mut pane, Action::GraphEdit)[..], [Effect::Say(Tone::Bad, _)]));
    assert!(matches!(&pane.told(purpose, "new", &stage.scene())[..], [Effect::Say(Tone::Bad, _)]));
}

#[test]
fn a_page_scrolls_to_its_end_and_no_further() {
    let mut stage = Stage::of(IMPROVED, 151);
    choose(&mut stage, "algebra");
    let mut pane = Graph::default();
    press(&mut stage, &mut pane, &[Action::GraphInspect, Action::GraphInspect]);
    let lines = stage.scene().network.program(&"algebra".into()).unwrap().source.lines().count();
    assert!(stage.draw(&pane, 120, 40).contains("1 # /// program"));
    press(&mut stage, &mut pane, &[Action::Bottom, Action::PageDown]);
    assert!(stage.draw(&pane, 120, 40).contains(&format!("│{lines} ")));
    press(&mut stage, &mut pane, &[Action::Top]);
    assert!(stage.draw(&pane, 120, 40).contains("1 # /// program"));
}

#[test]
fn the_list_is_walked_row_by_row() {
    let mut stage = Stage::of(IMPROVED, 151);
    choose(&mut stage, "router");
    let mut pane = Graph::default();
    press(&mut stage, &mut pane, &[Action::GraphList, Action::Down]);
    assert_eq!(chosen(&stage), "decomposer");
    press(&mut stage, &mut pane, &[Action::Bottom]);
    assert_eq!(chosen(&stage), "program-manager");
    press(&mut stage, &mut pane, &[Action::Top, Action::Up]);
    assert_eq!(chosen(&stage), "router");
}

#[test]
fn a_click_selects_what_is_under_it() {
    let stage = Stage::of(IMPROVED, 151);
    let mut pane = Graph::default();
    let area = ratatui::layout::Rect::new(0, 0, 60, 16);
    let drawn = stage.draw(&pane, 60, 16);
    let (row, line) = drawn.lines().enumerate().find(|(_, line)| line.contains("refractor")).unwrap();
    let column = line[..line.find("refractor").unwrap()].chars().count();
    let at = (u16::try_from(column).unwrap(), u16::try_from(row).unwrap()).into();
    assert_eq!(pane.click(at, &stage.scene(), area), [Effect::Select("refractor".into())]);
    assert_eq!(pane.click((0, 0).into(), &stage.scene(), area), []);
}

#[test]
fn the_program_that_runs_stays_in_view() {
    // A pane that is too low for all ranks shows the one that matters.
    let stage = Stage::of(IMPROVED, 187);
    let mut pane = Graph::default();
    assert!(stage.draw(&pane, 60, 9).contains("▸ goal-check"));
    stage.act(&mut pane, Action::GraphFollow);
    let drawn = stage.draw(&pane, 60, 9);
    assert!(drawn.contains("router") && !drawn.contains("▸ goal-check 1"), "{drawn}");
}

#[test]
fn hints_offer_what_can_be_done() {
    let pane = Graph::default();
    assert_eq!(pane.hints(&Stage::of(IMPROVED, 151).scene()).first(), Some(&Action::GraphOverride));
    assert_eq!(pane.hints(&Stage::empty().scene()).first(), Some(&Action::GraphInspect));
    assert_eq!(pane.heading(&Stage::of(IMPROVED, 151).scene()).right, "next verifier");
    assert_eq!(pane.heading(&Stage::of(IMPROVED, 153).scene()).right, "▸ verifier");
    assert_eq!(pane.heading(&Stage::of(PARTS, 70).scene()).left, "23 programs • symbolic");
}
