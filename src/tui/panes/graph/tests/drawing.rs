//! What is drawn.

use std::sync::Arc;

use super::{at, choose, file, prompt, push, revise, stage_of, words};
use crate::model::{Breakpoint, Contract, Event};
use crate::tui::action::Action;
use crate::tui::pane::Pane;
use crate::tui::panes::Graph;
use crate::tui::scene::Glyphs;
use crate::tui::testing::{IMPROVED, PARTS, Stage};
use crate::tui::theme::Role;

#[test]
fn the_network_fits_a_small_screen() {
    insta::assert_snapshot!(Stage::of(IMPROVED, 151).draw(&Graph::default(), 60, 16), @r#"
                             ✓ router 1
                        ┌─────────┴───────────┐
                   definition ────────── decomposer
                  ┌─────┴──────────┬──────────┘
           ✓ synthesizer 1  ✓ experts ▸7 2     query-class
             ┌────┴─────────┬──────┴──────┬────────────────────┐
       ✓ edge-case ─ ▸ checks ▸3 ⟲ ── refractor     integrity  │
             └──────────┬───┴─────────────┴───┬─────────┘      │
                   value-judge ⟲          optimizer ⟲ checks   │
                        └─────────┬───────────┴────────────────┘
                             goal-check .02 ⟲ decomposer …
                                  ╎
                              end-loop     program-manager
    next verifier .89 • edge-case .09 • goal-check .02 — becau …
    ─ verifier ─ program  why  text  last run  changes ─────────
    Checks the draft by a method of its own, other than the one
    "#);
}

#[test]
fn every_name_can_be_read_whole() {
    let stage = Stage::of(IMPROVED, 151);
    for (width, height) in [(60, 16), (78, 14), (118, 36)] {
        let drawn = stage.draw(&Graph::default(), width, height);
        for name in [
            "router",
            "definition",
            "decomposer",
            "synthesizer",
            "experts",
            "query-class",
            "edge-case",
            "checks",
            "refractor",
            "integrity",
            "value-judge",
            "optimizer",
            "goal-check",
            "end-loop",
            "program-manager",
        ] {
            assert!(drawn.contains(name), "{name} at {width}x{height}:\n{drawn}");
        }
    }
}

#[test]
fn boxes_say_more_where_there_is_room() {
    insta::assert_snapshot!(Stage::of(IMPROVED, 151).draw(&Graph::default(), 118, 36), @r#"
                                 ┌ ✓ router ──┐                              │─ verifier ─ program 1/5 ───────────────────
                                 │ 1 run      │                              │Checks the draft by a method of its own,
                                 │            │                              │other than the one that it was reached by
                                 └──────┬─────┘                              │is        critic • group checks • a
                          ┌─────────────┴─────────────┐                      │          script
                  ┌ definition ──┐            ┌ decomposer ──┐               │runs      not yet in this session
                  │ not yet      │            │ not yet      │               │reads     draft, answer, definition,
                  │              ├────────────┤              │               │          reading
                  └───────┬──────┘            └───────┬──────┘               │needs     draft
                   ┌──────┴─────────────┬─────────────┘                      │writes    verdict, critique
           ┌ ✓ synthesizer ┐    ┌ ✓ experts ────┐    ┌ query-class ──┐       │accepts   draft and not draft.verified
           │ 1 run         │    │ ▸7 2 +.40     │    │ not yet       │       │          and task.class not in
           │ solve: equat… ├────┤ algebra x = 6 │    │               │       │          ['integer', 'sequence']
           └───────┬───────┘    └───────┬───────┘    └───────────────┘       │leads to  optimizer .40 • goal-check .30
     ┌────────┬────┴────────────┬───────┴────────┐                           │          • value-judge .30 • algebra .20
     │ ┌ ✓ edge-case ┐  ┌ ▸ checks ────┐  ┌ refractor ──┐  ┌ integrity ──┐   │          • calculator .20 • calendar .20
     │ │ .09 1 +.10  │  │ ▸3 .89 ⟲     │  │ not yet     │  │ not yet     │   │          • integers .20 • …
     │ │ x = 1: sqr… ├──┤ verifier     ├──┤             │  │             │   │tools     fend, fend_convert,
     │ └──────┬──────┘  └───────┬──────┘  └──────┬──────┘  └──────┬──────┘   │          with_definitions, round_to,
     │        └───────────┬─────┴────────────────┴────┬───────────┘          │          as_fraction, calculate,
     │            ┌ value-judge ──┐            ┌ optimizer ──┐               │          convert, quantity, …
     │            │ not yet       │            │ not yet     │               │limit     2 s a run, as the network says
     │            │               │            │             │               │tuned by  days (7 values), digits 12,
     │            └───────┬───────┘            └──────┬──────┘               │          enough 3, monday 2024-01-01,
     └────────────────────┴─────────────┬─────────────┘                      │          near 6, own (2 values), points
                                ┌ goal-check ──┐                             │          (6 values)
                                │ .02 ⟲        │                             │file      verifier.py • 4ecad642b7
                                │              │                             │tests     14 of its own
                                └───────┬──────┘                             │
                                        ╎                                    │
                                 ┌ end-loop ──┐   ┌ program-manager ──┐      │
                                 │ not yet    │   │ not yet           │      │
                                 │            │   │                   │      │
                                 └────────────┘   └───────────────────┘      │
                                                                             │
    next verifier .89 • edge-case .09 • goal-check .02 — because the draft is not verified
    "#);
}

#[test]
fn before_the_first_question_the_network_is_there() {
    let drawn = words(&Stage::empty(), &Graph::default(), 78, 16);
    assert!(drawn.contains("type a question and press Enter") && drawn.contains("end-loop"), "{drawn}");
    let nobody = stage_of(&[]);
    assert_eq!(words(&nobody, &Graph::default(), 60, 16), "this network has no programs");
    let heading = Graph::default().heading(&nobody.scene());
    assert_eq!(heading.left, "0 programs • symbolic");
    let one = stage_of(&[file("alone", "solver", "")]);
    assert!(words(&one, &Graph::default(), 60, 9).starts_with("alone type a question"));
}

/// The line that has a chip, from its name on.
fn chip(stage: &Stage, name: &str) -> String {
    let drawn = stage.draw(&Graph::default(), 99, 14);
    let line = drawn.lines().find(|line| line.contains(name)).unwrap_or_else(|| panic!("{name} in\n{drawn}"));
    let start = line.find(name).unwrap();
    let sign = line[..start].chars().rev().find(|c| *c != ' ').filter(|_| line[..start].ends_with(' '));
    // A line to the next chip is no part of this one.
    let own = line[start..].split("  ").next().and_then(|own| own.split(" ─").next()).unwrap();
    format!("{} {own}", sign.map(String::from).unwrap_or_default())
}

#[test]
fn chips_carry_signs() {
    let check = |upto: u64, name: &str, expected: &str| {
        assert_eq!(chip(&Stage::of(IMPROVED, upto), name), expected, "{name} after {upto}");
    };
    check(8, "router", "▸ router 1");
    check(9, "router", "✓ router 1");
    check(9, "synthesizer", "▸ synthesizer 1.0");
    check(11, "synthesizer", "▸ synthesizer 1");
    check(103, "edge-case", "! edge-case 1 +.10");
    check(151, "edge-case", "✓ edge-case .09 1 ⟲");
    check(225, "program-manager", "✓ program-manager 1");
    check(225, "experts", "✓ experts ▸7 ?1 2");
    check(368, "experts", "✓ experts ▸7 ~ 3 +.90");
}

#[test]
fn failures_and_breakpoints_are_marked() {
    let mut stage = Stage::of(IMPROVED, 11);
    let breakpoints = vec![Breakpoint::Program("edge-case".into()), Breakpoint::Contract(Contract::Judge)];
    push(&mut stage, Event::BreakpointsSet { breakpoints: Arc::new(breakpoints) });
    assert!(chip(&stage, "edge-case").starts_with(" edge-case ●"));
    assert!(chip(&stage, "value-judge").contains('●'));
    let activation = stage.live.now().running[0].activation;
    let error = "Traceback\n  line 3\nValueError: \u{1b}[31mno".to_owned();
    push(&mut stage, Event::Failed { activation, program: "synthesizer".into(), error });
    let mut stage_after = stage;
    let idle = Stage::of(IMPROVED, 15);
    for envelope in idle.live.timeline().events().iter().skip(13) {
        push(&mut stage_after, envelope.event.clone());
    }
    assert!(chip(&stage_after, "synthesizer").starts_with("✗ synthesizer"));
    choose(&mut stage_after, "synthesizer");
    let drawn = words(&stage_after, &Graph::default(), 99, 60);
    assert!(drawn.contains("1, 1 failed; last: ValueError: \\x1b[31mno"), "{drawn}");
}

#[test]
fn what_revisions_did_is_marked_and_said() {
    let mut stage = Stage::of(IMPROVED, 151);
    revise(&mut stage, &[("skeptic.md", Some(&prompt("critic", ""))), ("refractor.py", None)]);
    revise(&mut stage, &[("definition.md", Some(&prompt("definer", "active = false")))]);
    let drawn = stage.draw(&Graph::default(), 118, 12);
    for expected in ["skeptic +", "refractor gone", "definition off"] {
        assert!(drawn.contains(expected), "{expected}:\n{drawn}");
    }
    for (name, expected) in [
        ("skeptic", "new since the session began"),
        ("refractor", "removed since the session began"),
        ("definition", "deactivated since the session began"),
    ] {
        choose(&mut stage, name);
        let drawn = words(&stage, &Graph::default(), 99, 60);
        assert!(drawn.contains(expected), "{name}: {drawn}");
    }
    // The changes that a session accepted, with who decided.
    let mut stage = Stage::of(IMPROVED, u64::MAX);
    choose(&mut stage, "algebra");
    let mut pane = Graph::default();
    (0..4).for_each(|_| drop(stage.act(&mut pane, Action::GraphInspect)));
    let drawn = stage.draw(&pane, 118, 40);
    assert!(drawn.contains("◆ algebra: pass candidates through"), "{drawn}");
    assert!(drawn.contains("│- ") && drawn.contains("│+ "), "{drawn}");
}

/// Whether the first cell of a word looks as a role does.
fn looks(stage: &Stage, word: &str, role: Role) -> bool {
    let area = ratatui::layout::Rect::new(0, 0, 60, 16);
    let mut buf = ratatui::buffer::Buffer::empty(area);
    Graph::default().draw(&stage.scene(), area, &mut buf);
    let text = crate::tui::testing::text_of(&buf);
    let (row, line) = text.lines().enumerate().find(|(_, line)| line.contains(word)).unwrap();
    let column = line[..line.find(word).unwrap()].chars().count();
    let style = buf[(u16::try_from(column).unwrap(), u16::try_from(row).unwrap())].style();
    let wanted = stage.theme.style(role);
    style.fg == wanted.fg.or(Some(ratatui::style::Color::Reset)) && style.add_modifier == wanted.add_modifier
}

#[test]
fn transitions_that_matter_stand_out() {
    // At a gate: the next transition looks like what runs; declared ones are quiet.
    let stage = Stage::of(IMPROVED, 9);
    assert!(looks(&stage, "synthesizer", Role::Running));
    assert!(looks(&stage, "└", Role::Border));
    let turn = Stage::of(IMPROVED, 65);
    assert!(looks(&turn, "┌", Role::Border) && looks(&turn, "╎", Role::Border));
    assert!(looks(&Stage::empty(), "└", Role::Border));
    // A transition that nobody declared is dashed.
    let mut odd = Stage::of(IMPROVED, 9);
    let Some(Event::Routed { cycle, mode, mut choices }) =
        odd.live.timeline().events().last().map(|envelope| envelope.event.clone())
    else {
        panic!("a decision");
    };
    let mut stray = choices[0].candidates[0].clone();
    (stray.program, stray.declared, stray.probability) = ("end-loop".into(), false, 0.01);
    choices[0].candidates.push(stray);
    push(&mut odd, Event::Routed { cycle, mode, choices });
    let dashes = |stage: &Stage| stage.draw(&Graph::default(), 60, 16).matches(['╎', '╌']).count();
    assert!(dashes(&odd) > dashes(&stage) + 3, "{}", odd.draw(&Graph::default(), 60, 16));
}

#[test]
fn the_line_says_who_runs_next_and_why() {
    let line = |upto: u64| {
        let drawn = Stage::of(IMPROVED, upto).draw(&Graph::default(), 118, 36);
        drawn.lines().last().unwrap_or_default().to_owned()
    };
    assert_eq!(line(9), "next synthesizer 1.0 — because the question is one clear task");
    assert_eq!(line(11), "▸ synthesizer in cycle 2 — because the question is one clear task");
    assert_eq!(line(151), "next verifier .89 • edge-case .09 • goal-check .02 — because the draft is not verified");
    assert_eq!(line(u64::MAX), "over: converged: the goal check passed and nothing is left to gain");
    let mut stage = Stage::of(IMPROVED, u64::MAX);
    stage.look(at(9));
    let drawn = stage.draw(&Graph::default(), 118, 36);
    assert!(drawn.contains("the past (L now) • next synthesizer 1.0"), "{drawn}");
    let parts = words(&Stage::of(PARTS, 18), &Graph::default(), 140, 36);
    assert!(parts.contains("next algebra .70 for task 1 • calculator .70 for task 2 • calculator .70 for task 3"));
}

#[test]
fn the_router_is_seen_through() {
    let mut stage = Stage::of(IMPROVED, 151);
    let mut pane = Graph::default();
    stage.act(&mut pane, Action::GraphInspect);
    let page = |stage: &Stage, pane: &Graph| words(stage, pane, 99, 90);
    choose(&mut stage, "optimizer");
    let drawn = page(&stage, &pane);
    assert!(drawn.contains("why not optimizer: it does not accept this: draft and draft.data.raw"), "{drawn}");
    assert!(drawn.contains("a rule says @critic/checks"), "{drawn}");
    assert!(drawn.contains("prior .50 weight 4.00"), "{drawn}");
    assert!(drawn.contains("entropy 0.40 nats of at most 1.10, over 3"), "{drawn}");
    choose(&mut stage, "router");
    let drawn = page(&stage, &pane);
    assert!(drawn.contains("why not router: no transition leads to it from algebra"), "{drawn}");
    assert!(drawn.contains("why router ran in cycle 1 router: it is the entry of the network"), "{drawn}");
    choose(&mut stage, "end-loop");
    assert!(page(&stage, &pane).contains("why not end-loop: a presenter acts only where the engine calls for it"));
    choose(&mut stage, "algebra");
    let drawn = page(&stage, &pane);
    assert!(drawn.contains("why algebra ran in cycle 5 algebra: an objection to its draft is open"), "{drawn}");
    assert!(drawn.contains("after edge-case, a rule says @author"), "{drawn}");
}

#[test]
fn the_last_run_is_told() {
    let mut stage = Stage::of(IMPROVED, u64::MAX);
    let mut pane = Graph::default();
    (0..3).for_each(|_| drop(stage.act(&mut pane, Action::GraphInspect)));
    choose(&mut stage, "program-manager");
    let drawn = stage.draw(&pane, 118, 40);
    for expected in ["beside the routed sequence", "proposal  algebra: pass candidates", "found among 8 edits"] {
        assert!(drawn.contains(expected), "{expected}:\n{drawn}");
    }
    // In the past it is the last run of then.
    choose(&mut stage, "algebra");
    stage.look(at(100));
    let drawn = stage.draw(&pane, 118, 40);
    assert!(drawn.contains("in cycle 3") && drawn.contains("x = 1 or x = 6"), "{drawn}");
    assert!(drawn.contains("called tools, 22 times") && drawn.contains(" → "), "{drawn}");
    choose(&mut stage, "calendar");
    assert!(stage.draw(&pane, 118, 40).contains("it has not run yet"));
}

#[test]
fn sections_show_instead_of_transitions() {
    let mut stage = Stage::of(IMPROVED, 151);
    choose(&mut stage, "algebra");
    let mut pane = Graph::default();
    stage.act(&mut pane, Action::GraphEdges);
    let drawn = stage.draw(&pane, 118, 12);
    assert!(drawn.contains("algebra reads reading, counterexample, verdict • writes draft, gap"), "{drawn}");
    assert!(drawn.contains("gives counterexample") || drawn.contains("gives counterex"), "{drawn}");
    assert!(drawn.contains("takes draft"), "{drawn}");
    assert!(!drawn.contains('└'), "no transitions:\n{drawn}");
}

#[test]
fn the_list_says_the_same_in_words() {
    let mut stage = Stage::of(IMPROVED, 151);
    choose(&mut stage, "edge-case");
    let mut pane = Graph::default();
    stage.act(&mut pane, Action::GraphList);
    let drawn = words(&stage, &pane, 78, 40);
    assert!(drawn.contains("program contract state runs credit next"), "{drawn}");
    assert!(drawn.contains("▸ verifier critic runs next .89"), "{drawn}");
    assert!(drawn.contains("✓ edge-case critic ran 1 +.10 .09"), "{drawn}");
    // A small pane is a list by itself.
    assert!(words(&stage, &Graph::default(), 38, 10).contains("✓ edge-case 1 +.10 .09"));
}

#[test]
fn ascii_is_ascii() {
    let mut stage = Stage::of(IMPROVED, 151);
    stage.glyphs = Glyphs::ASCII;
    let mut pane = Graph::default();
    stage.act(&mut pane, Action::Right);
    for (width, height) in [(78, 14), (118, 36)] {
        let drawn = stage.draw(&pane, width, height).replace(['…', '—'], "");
        assert!(drawn.is_ascii(), "{drawn}");
    }
}
