use super::*;
use crate::model::{Author, Cycle, Envelope, Event, Expr, Section, Watch};
use crate::tui::scene::Glyphs;
use crate::tui::testing::{IMPROVED, PARTS, Stage};

fn push(stage: &mut Stage, event: Event) {
    let seq = stage.live.timeline().events().last().map_or(1, |last| last.seq.0 + 1);
    stage.live.push(Arc::new(Envelope { v: 1, seq: Seq(seq), at: 0, cause: None, event }));
}

fn write(stage: &mut Stage, text: &str) {
    let last = stage.live.now().memory.iter().next_back().unwrap();
    let next = Contribution { id: last.id.next(), text: text.to_owned(), ..(**last).clone() };
    push(stage, Event::Contributed { contribution: Arc::new(next) });
}

/// Applies what a pane chose, as the app does.
fn choose(stage: &mut Stage, effects: &[Effect]) {
    for effect in effects {
        if let Effect::Entry(id) = effect {
            stage.chosen.entry = Some(*id);
        }
    }
}

fn selected(text: &str) -> &str {
    text.lines().find(|line| line.starts_with('▸')).unwrap_or_default()
}

#[test]
fn the_list_says_who_wrote_what_and_what_it_brought() {
    let mut stage = Stage::of(IMPROVED, u64::MAX);
    stage.chosen.entry = Some(ContributionId(1));
    let drawn = stage.draw(&Memory::default(), 78, 24);
    insta::assert_snapshot!(drawn, @r#"
      id  section         author        cycle     ΔJ  text
      13  answer          end-loop          6         x = 6                      ▐
      12  assessment      goal-check        6         everything asked is answer…▐
      11  verdict         verifier          5   +.40  pass: substitution and a c…▐
      10  fact            edge-case         4         no edge case breaks x = 6  ▐
       9  draft           algebra           3   +.50  x = 6                      ▐
       8  reading         synthesizer       2         solve: equations sqrt(x + …▐
    ── episode 1 ────────────────────────────────────────────────────────────────▐
       7  proposal        program-man…      7         algebra: pass candidates t…▐
       6  answer          end-loop          7         x = 6                      ▐
       5  assessment      goal-check        7         everything asked is answer…▐
       4  verdict         verifier          6   +.40  pass: substitution and a c…▐
       3  draft           algebra           5   +.50  x = 6                      ▐
       2  counterexample  edge-case         4   +.10  x = 1: sqrt(x + 3) = 2, bu…▐
    ▸  1  draft           algebra           3   -.10  (withdrawn, see #2) x = 1 …
    ── draft #1 by algebra ───────────────────────────────────────────────────────
    cycle 3 of episode 1 · activation 2 · J to 0 (-.10)
    part 1
    withdrawn, shown wrong by #2 counterexample by edge-case: x = 1: sqrt(x + 3) =
      2, but x - 3 = -2

    x = 1 or x = 6

    … 15 lines more, Enter opens
    "#);
    let drawn = stage.draw(&Memory::default(), 38, 8);
    insta::assert_snapshot!(drawn, @r#"
      id  section     author     text
       7  proposal    program-…  algebra…
       6  answer      end-loop   x = 6
       5  assessment  goal-che…  everyth…
       4  verdict     verifier   pass: s…▐
       3  draft       algebra    x = 6   ▐
       2  counterex…  edge-case  x = 1: …▐
    ▸  1  draft       algebra    (withdr…
    "#);
    stage.glyphs = Glyphs::ASCII;
    let drawn = stage.draw(&Memory::default(), 118, 30).replace('…', "~");
    assert!(drawn.is_ascii(), "{drawn}");
}

#[test]
fn the_difference_names_what_was_added_replaced_and_withdrawn() {
    let stage = Stage::of(PARTS, u64::MAX);
    let mut pane = Memory::default();
    stage.act(&mut pane, Action::MemoryDiff);
    stage.act(&mut pane, Action::Left);
    let drawn = stage.draw(&pane, 78, 16);
    insta::assert_snapshot!(drawn, @r#"
    J .90 → 1.0  ▲ +.10
    ran    optimizer (optimizer) · goal-check (goal-check) · integrity (integrity,
           beside the cycle) · end-loop (presenter, beside the cycle)
    route  optimizer (of optimizer .96 · goal-check .02 · calculator .02): the
           value is right and not in its simplest form
    route  goal-check (of goal-check 1.0): all sub-tasks are done

    + draft #10 about #5 by optimizer: 4.828032 km
    ~ #5 replaced by #10
    + assessment #11 by goal-check: everything asked is answered and verified
    + answer #12 by end-loop: Solve 3x+5=14, find x: x = 3 …

    part 2  proved .70 → proved 1.0: recomputed exactly
    2 parts stand as before
    "#);
    assert_eq!(pane.heading(&stage.scene()).left, "what changed, cycle 4 to cycle 6");
    let mut stage = Stage::of(IMPROVED, u64::MAX);
    stage.look(Seq(103));
    let mut pane = Memory::default();
    stage.act(&mut pane, Action::MemoryDiff);
    let drawn = stage.draw(&pane, 78, 16);
    assert!(drawn.contains("- #1 withdrawn: #2 shows that it is wrong"), "{drawn}");
    assert!(drawn.contains("part 1  refuted .00 → withdrawn .10"), "{drawn}");
}

#[test]
fn it_follows_the_newest_until_the_user_moves() {
    let mut stage = Stage::of(IMPROVED, u64::MAX);
    let mut pane = Memory::default();
    write(&mut stage, "first");
    assert!(selected(&stage.draw(&pane, 78, 10)).contains("first"));
    let moved = stage.act(&mut pane, Action::Down);
    assert_eq!(moved, [Effect::Entry(ContributionId(13))]);
    choose(&mut stage, &moved);
    write(&mut stage, "second");
    assert!(selected(&stage.draw(&pane, 78, 10)).contains("13"));
    let moved = stage.act(&mut pane, Action::Top);
    choose(&mut stage, &moved);
    write(&mut stage, "third");
    assert!(selected(&stage.draw(&pane, 78, 10)).contains("third"), "at the newest it follows again");
    stage.chosen.entry = Some(ContributionId(2));
    assert!(selected(&stage.draw(&pane, 78, 10)).contains("counterexample"), "another pane chose");
}

#[test]
fn a_rule_between_episodes_is_stepped_over() {
    let mut stage = Stage::of(IMPROVED, u64::MAX);
    stage.chosen.entry = Some(ContributionId(8));
    let mut pane = Memory::default();
    assert_eq!(stage.act(&mut pane, Action::Down), [Effect::Entry(ContributionId(7))]);
    stage.chosen.entry = Some(ContributionId(7));
    assert_eq!(stage.act(&mut pane, Action::Up), [Effect::Entry(ContributionId(8))]);
    assert_eq!(stage.act(&mut pane, Action::Bottom), [Effect::Entry(ContributionId(0))]);
}

#[test]
fn origin_leads_to_the_first_stop_after_it_was_written() {
    let mut stage = Stage::of(IMPROVED, u64::MAX);
    let mut pane = Memory::default();
    stage.chosen.entry = Some(ContributionId(1));
    let words = "#1 was written by algebra in cycle 3 (activation 2), event 62";
    assert_eq!(
        stage.act(&mut pane, Action::MemoryOrigin),
        [
            Effect::Look(Seq(65)),
            Effect::Select("algebra".into()),
            Effect::Entry(ContributionId(1)),
            Effect::Say(Tone::Plain, words.to_owned()),
        ]
    );
    stage.look(Seq(65));
    assert!(selected(&stage.draw(&pane, 78, 10)).contains("draft"), "it is there at that moment");
    let mut stage = Stage::of(IMPROVED, u64::MAX);
    stage.chosen.entry = Some(ContributionId(7));
    assert_eq!(
        stage.act(&mut pane, Action::MemoryOrigin)[0],
        Effect::Look(Seq(234)),
        "written after the episode's end"
    );
    stage.chosen.entry = Some(ContributionId(13));
    assert_eq!(stage.act(&mut pane, Action::MemoryOrigin)[0], Effect::Live);
}

#[test]
fn an_edit_becomes_the_first_thing_in_a_fork() {
    let mut stage = Stage::of(IMPROVED, u64::MAX);
    stage.look(Seq(65));
    stage.chosen.entry = Some(ContributionId(1));
    let mut pane = Memory::default();
    let asked = stage.act(&mut pane, Action::MemoryEdit);
    let [Effect::Edit { purpose, text, title }] = &asked[..] else { panic!("{asked:?}") };
    assert_eq!(title, "draft #1 by algebra, in a fork of this session");
    assert_eq!(pane.told(purpose, text, &stage.scene()).len(), 1, "unchanged text forks nothing");
    let broken = text.replacen("x = 1 or x = 6", "x = 6", 1).replacen('[', "", 1);
    let said = pane.told(purpose, &broken, &stage.scene());
    let [Effect::Say(Tone::Bad, why), Effect::Edit { text: again, .. }] = &said[..] else { panic!("{said:?}") };
    assert!(why.starts_with("the data is no JSON: line 11, column 7"), "{why}");
    assert_eq!(*again, broken, "nothing is lost");
    let good = text.replacen("x = 1 or x = 6", "x = 6", 1);
    let forked = pane.told(purpose, &good, &stage.scene());
    let [Effect::Fork { episode: 1, cycle: Cycle(3), then: Some(then) }] = &forked[..] else { panic!("{forked:?}") };
    let Command::EditMemory { supersedes, section, part, text, data } = then else { panic!("{then:?}") };
    assert_eq!((supersedes.unwrap().0, section.as_str(), part.unwrap().0, text.as_str()), (1, "draft", 1, "x = 6"));
    assert_eq!(data["method"], "raising to a power");
}

#[test]
fn a_new_entry_needs_a_session() {
    let mut pane = Memory::default();
    let said = Stage::empty().act(&mut pane, Action::MemoryAdd);
    assert!(matches!(&said[..], [Effect::Say(Tone::Bad, _)]));
    let stage = Stage::of(IMPROVED, u64::MAX);
    let asked = stage.act(&mut pane, Action::MemoryAdd);
    let [Effect::Edit { purpose: purpose @ Purpose::Entry(None), text, .. }] = &asked[..] else { panic!("{asked:?}") };
    let text = text.replace("section: draft", "section: fact").replace("\n\n\n", "\n\nx is not 1\n");
    let forked = pane.told(purpose, &text, &stage.scene());
    let [Effect::Fork { episode: 2, cycle: Cycle(6), then: Some(Command::EditMemory { section, text, .. }) }] =
        &forked[..]
    else {
        panic!("{forked:?}")
    };
    assert_eq!((section.as_str(), text.as_str()), ("fact", "x is not 1"));
}

#[test]
fn words_filter_the_list() {
    let mut stage = Stage::of(IMPROVED, u64::MAX);
    let mut pane = Memory::default();
    let find = Purpose::Find(Room::Memory);
    let chosen = pane.told(&find, "Draft", &stage.scene());
    choose(&mut stage, &chosen);
    assert_eq!(pane.heading(&stage.scene()).left, "3 of 14 entries with \"Draft\"");
    let drawn = stage.draw(&pane, 78, 10);
    assert_eq!(drawn.lines().filter(|line| line.contains("draft")).count(), 3, "{drawn}");
    assert!(selected(&drawn).contains(" 9 "), "{drawn}");
    let next = stage.act(&mut pane, Action::FindNext);
    assert_eq!(next, [Effect::Entry(ContributionId(3))]);
    pane.told(&find, "nothing like it", &stage.scene());
    assert!(stage.draw(&pane, 78, 10).starts_with("No entry holds \"nothing like it\"."));
    pane.told(&find, " ", &stage.scene());
    assert_eq!(pane.heading(&stage.scene()).left, "14 entries");
}

#[test]
fn watches_show_their_value_and_where_it_came_from() {
    let mut stage = Stage::of(PARTS, u64::MAX);
    let watch = |text: &str| Watch { expression: Expr::new(text).unwrap() };
    let all = ["j", "wm.verdict|length", "credit.verifier > 0.3", "nothing.here", "j > 'a' + 1"];
    push(&mut stage, Event::WatchesSet { watches: Arc::new(all.map(watch).to_vec()) });
    let drawn = stage.draw(&Memory::default(), 78, 20);
    let rows: Vec<&str> = drawn.lines().collect();
    assert!(rows[14].starts_with("── watch ─"), "{drawn}");
    assert!(rows[15].starts_with("j ") && rows[15].ends_with("  ▁▁▁▄▇██"), "{drawn}");
    assert!(rows[15].contains(" 1 ") && rows[16].contains(" 3 ") && rows[17].contains("yes"), "{drawn}");
    assert!(rows[18].contains("not there") && rows[19].contains("fails:"), "{drawn}");
}

#[test]
fn a_click_selects_the_entry_under_it() {
    let stage = Stage::of(IMPROVED, u64::MAX);
    let mut pane = Memory::default();
    let area = Rect::new(1, 1, 78, 20);
    let drawn = stage.draw(&pane, 78, 20);
    let row = drawn.lines().position(|line| line.contains("verdict")).unwrap();
    let click = |pane: &mut Memory, row: usize| {
        pane.click(Position::new(5, u16::try_from(row + 1).unwrap()), &stage.scene(), area)
    };
    assert_eq!(click(&mut pane, row), [Effect::Entry(ContributionId(11))]);
    assert_eq!(click(&mut pane, 0), [], "the names of the columns are no entry");
    assert_eq!(click(&mut pane, 19), [], "neither is what is below the list");
}

#[test]
fn an_open_entry_scrolls_and_closes() {
    let mut stage = Stage::of(IMPROVED, u64::MAX);
    stage.chosen.entry = Some(ContributionId(1));
    let mut pane = Memory::default();
    let area = Rect::new(0, 0, 60, 8);
    pane.act(Action::MemoryOpen, &stage.scene(), area);
    let before = stage.draw(&pane, 60, 8);
    assert!(before.starts_with("cycle 3 of episode 1 · activation 2 · J to 0 (-.10)"), "{before}");
    pane.act(Action::Bottom, &stage.scene(), area);
    assert!(stage.draw(&pane, 60, 8).trim_end().lines().last().unwrap().starts_with('}'));
    pane.act(Action::Up, &stage.scene(), area);
    pane.act(Action::PageUp, &stage.scene(), area);
    pane.act(Action::PageUp, &stage.scene(), area);
    pane.act(Action::PageUp, &stage.scene(), area);
    assert_eq!(stage.draw(&pane, 60, 8), before);
    pane.act(Action::MemoryOpen, &stage.scene(), area);
    assert!(stage.draw(&pane, 60, 8).contains("▸  1  draft"));
    let copied = pane.copied(&stage.scene()).unwrap();
    assert!(copied.starts_with("x = 1 or x = 6\n") && copied.contains("raising to a power"), "{copied}");
}

#[test]
fn a_hundred_thousand_entries_cost_what_is_visible() {
    let mut stage = Stage::of(IMPROVED, u64::MAX);
    let last = stage.live.now().memory.iter().next_back().unwrap().clone();
    for id in 14..20_000 {
        let author = Author::Human;
        let next = Contribution { id: ContributionId(id), author, section: Section::new("fact"), ..(*last).clone() };
        push(&mut stage, Event::Contributed { contribution: Arc::new(next) });
    }
    stage.chosen.entry = Some(ContributionId(9_000));
    let pane = Memory::default();
    let start = std::time::Instant::now();
    let drawn = stage.draw(&pane, 118, 36);
    assert!(selected(&drawn).contains("9000"), "{drawn}");
    assert!(start.elapsed().as_millis() < 100, "{:?}", start.elapsed());
}

#[test]
fn nothing_yet_is_said() {
    let drawn = Stage::empty().draw(&Memory::default(), 58, 8);
    assert!(drawn.starts_with("Nothing is known yet."), "{drawn}");
    let drawn = Stage::of(IMPROVED, 5).draw(&Memory::default(), 58, 8);
    assert!(drawn.starts_with("Nothing has been written yet."), "{drawn}");
}

#[test]
fn any_size_is_drawn() {
    let mut stage = Stage::of(IMPROVED, u64::MAX);
    stage.hostile(ContributionId(3));
    let watch = Watch { expression: Expr::new("wm.answer[0].text ~ '\u{202e}'").unwrap() };
    push(&mut stage, Event::WatchesSet { watches: Arc::new(vec![watch]) });
    stage.every_size(&Memory::default());
    for view in [View::List, View::Open(3), View::Diff(1, 0), View::Diff(3, 9)] {
        let mut pane = Memory { view, ..Memory::default() };
        stage.some_sizes(&pane);
        pane.told(&Purpose::Find(Room::Memory), "long \u{202e}", &stage.scene());
        pane.view = view;
        stage.some_sizes(&pane);
    }
}
