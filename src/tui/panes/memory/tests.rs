use super::*;
use crate::model::{Command, Cycle, Seq};
use crate::tui::testing::{IMPROVED, PARTS, Stage, text_of};

const AREA: Rect = Rect { x: 0, y: 0, width: 120, height: 40 };

fn act(stage: &Stage, pane: &mut Memory, action: Action) -> Vec<Effect> {
    pane.act(action, &stage.scene(), AREA)
}

#[test]
fn entries_are_listed_newest_first_with_what_they_brought() {
    let mut stage = Stage::of(IMPROVED, u64::MAX);
    let end = stage.live.stops().iter().find(|stop| stop.end).unwrap().seq;
    stage.look(end);
    let drawn = stage.draw(&Memory::default(), 58, 30);
    let row = |id: &str| drawn.lines().find(|line| line.contains(id)).unwrap_or_default().to_owned();
    let place = |id: &str| drawn.lines().position(|line| line.contains(id)).unwrap();
    assert!(row("draft       algebra       5").contains("+.50  x = 6"), "{drawn}");
    assert!(row("draft       algebra       3").contains("(withdrawn"), "{drawn}");
    assert!(place("answer ") < place("verdict ") && place("verdict ") < place("reading "), "{drawn}");
}

#[test]
fn the_origin_is_the_moment_and_the_author() {
    let mut stage = Stage::of(IMPROVED, u64::MAX);
    stage.chosen.entry = Some(ContributionId(1));
    let effects = act(&stage, &mut Memory::default(), Action::MemoryOrigin);
    let written = stage.live.index().written(ContributionId(1)).unwrap();
    let stop = stage.live.stops().iter().find(|stop| stop.seq >= written).unwrap();
    assert_eq!(stop.cycle, Cycle(3));
    assert!(effects.contains(&Effect::Look(stop.seq)), "{effects:?}");
    assert!(effects.contains(&Effect::Select("algebra".into())), "{effects:?}");
    assert!(effects.contains(&Effect::Entry(ContributionId(1))), "{effects:?}");
}

#[test]
fn an_edit_forks_with_what_was_written_and_a_mistake_stays_to_be_mended() {
    let mut stage = Stage::of(IMPROVED, 65);
    stage.chosen.entry = Some(ContributionId(1));
    let mut pane = Memory::default();
    let effects = act(&stage, &mut pane, Action::MemoryEdit);
    let [Effect::Edit { purpose, text, .. }] = &effects[..] else { panic!("{effects:?}") };
    assert_eq!(*purpose, Purpose::Entry(Some(ContributionId(1))));
    assert!(text.starts_with("x = 1 or x = 6\n"), "{text}");
    let right = text.replace("x = 1 or x = 6", "x = 6").replace("\"1\"", "\"6\"");
    let effects = pane.told(purpose, &right, &stage.scene());
    let [Effect::Fork { episode: 1, cycle: Cycle(3), then: Some(Command::EditMemory { supersedes, text, data, .. }) }] =
        &effects[..]
    else {
        panic!("{effects:?}")
    };
    assert_eq!((*supersedes, text.as_str()), (Some(ContributionId(1)), "x = 6"));
    assert_eq!(data["answer"]["values"][0]["x"], "6");
    let broken = right.replace("\"answer\":", "\"answer\"");
    let effects = pane.told(purpose, &broken, &stage.scene());
    let kept = effects.iter().any(|effect| matches!(effect, Effect::Edit { text, .. } if *text == broken));
    let said = effects.iter().any(|effect| matches!(effect, Effect::Say(Tone::Bad, why) if why.contains("line")));
    assert!(kept && said, "{effects:?}");
    let same = act(&stage, &mut pane, Action::MemoryEdit);
    let [Effect::Edit { text, .. }] = &same[..] else { panic!("{same:?}") };
    let effects = pane.told(purpose, text, &stage.scene());
    assert!(matches!(&effects[..], [Effect::Say(Tone::Plain, _)]), "nothing was changed: {effects:?}");
}

#[test]
fn the_filter_keeps_what_holds_the_words() {
    let stage = Stage::of(IMPROVED, u64::MAX);
    let mut pane = Memory::default();
    pane.told(&Purpose::Find(Room::Memory), "verdict", &stage.scene());
    let drawn = stage.draw(&pane, 58, 30);
    let list: Vec<&str> = drawn.lines().take_while(|line| !line.contains("──")).collect();
    assert!(list.iter().any(|line| line.contains("verdict")), "{drawn}");
    assert!(!list.iter().any(|line| line.contains("reading")), "{drawn}");
    pane.told(&Purpose::Find(Room::Memory), "", &stage.scene());
    assert!(stage.draw(&pane, 58, 30).contains("reading"));
}

#[test]
fn what_a_cycle_changed_is_shown() {
    let mut stage = Stage::of(IMPROVED, u64::MAX);
    let fourth = stage.live.stops()[4].seq;
    stage.look(fourth);
    let mut pane = Memory::default();
    act(&stage, &mut pane, Action::MemoryDiff);
    let drawn = stage.draw(&pane, 78, 30);
    assert!(drawn.contains("counterexample"), "{drawn}");
    assert!(drawn.lines().any(|line| line.starts_with("- #1 withdrawn")), "{drawn}");
}

#[test]
fn any_size_is_safe_and_nothing_leaves_its_area() {
    for (record, upto) in [(IMPROVED, u64::MAX), (PARTS, u64::MAX), (IMPROVED, 1)] {
        let stage = Stage::of(record, upto);
        for view in [View::List, View::Diff(2, 0)] {
            let pane = Memory { view, ..Memory::default() };
            for width in 0..=60u16 {
                for height in (0..=30u16).step_by(3) {
                    let mut buf = Buffer::empty(Rect::new(0, 0, width + 2, height + 2));
                    pane.draw(&stage.scene(), Rect::new(1, 1, width, height), &mut buf);
                    let kept =
                        (0..height + 2).all(|y| buf[(width + 1, y)].symbol() == " " && buf[(0, y)].symbol() == " ");
                    assert!(kept, "{width}×{height}\n{}", text_of(&buf));
                }
            }
        }
    }
}

#[test]
fn a_list_costs_what_is_visible() {
    // A hundred thousand entries: each frame goes through the few that are seen. Were it otherwise, this would take minutes.
    let mut stage = Stage::of(IMPROVED, 62);
    let last = stage.live.timeline().events().last().unwrap().clone();
    let crate::model::Event::Contributed { contribution } = &last.event else { panic!("the record has changed") };
    for number in 2..100_000u32 {
        let mut entry = (**contribution).clone();
        entry.id = ContributionId(number);
        let seq = Seq(last.seq.0 + u64::from(number));
        let event = crate::model::Event::Contributed { contribution: entry.into() };
        stage.live.push(crate::model::Envelope { seq, event, ..(*last).clone() }.into());
    }
    let pane = Memory::default();
    for _ in 0..300 {
        assert!(stage.draw(&pane, 58, 20).contains("99999"));
    }
}
