use super::*;
use crate::model::{ContributionId, Cycle, Envelope, Event};
use crate::tui::scene::Glyphs;
use crate::tui::testing::{IMPROVED, PARTS, Stage};

fn row(text: &str, at: usize) -> &str {
    text.lines().nth(at).unwrap_or_default()
}

#[test]
fn the_chart_has_names_for_its_axes_the_run_before_and_what_stops_it() {
    let stage = Stage::of(IMPROVED, u64::MAX);
    let drawn = stage.draw(&Score::default(), 58, 14);
    insta::assert_snapshot!(drawn, @r#"
    J 1.0┤                                ⢸⠉⠉⠉⠉⠉⠉⡏⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉
         │                                ⢸      ⡇
      .75┤                                ⢸      ⡇
         │                   ⢠⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⢼⠤⠤⠤⠤⠤⠤⠇
      .50┤                   ⢸            ⢸
         │                   ⢸            ⢸
      .25┤                   ⢸            ⢸
         │                   ⢸            ⢸
        0┤⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⢹⣀⣀⣀⣀⣀⣀⡏⠉⠉⠉⠉⠉⠉
         └───◆────────────────────────────────────────────────
    cycle    0     1      2     3      4     5      6     7
       ΔJ                     +.50         +.40
    ── this run   ── the run before (1)   ◆ network revised
    ε 0.001 · k 3 · idle 0 of 3
    "#);
}

#[test]
fn the_moment_looked_at_is_marked_and_what_comes_after_it_stays() {
    let mut stage = Stage::of(IMPROVED, u64::MAX);
    stage.look(Seq(103));
    let pane = Score::default();
    let drawn = stage.draw(&pane, 58, 16);
    insta::assert_snapshot!(drawn, @r#"
    J 1.0┤                             │         ⡏⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉
         │                             │         ⡇
         │                             │         ⡇
      .75┤                             │         ⡇
         │                             │  ⢀⣀⣀⣀⣀⣀⣀⡇
         │                             │  ⢸
      .50┤                             │  ⢸
         │                             │  ⢸
      .25┤                             │  ⢸
         │                             │  ⢸
         │⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⢤      ⡤⠤⠤⠤⠤⠤⠼
        0┤                   ⢸⣀⣀⣀⣀⣀⣀⡇  │
         └────────────────────────────────────────────────────
    cycle    0     1      2     3     [4]    5      6     7
       ΔJ                     -.10   +.10  +.50   +.40
    ε 0.001 · k 3 · idle 0 of 3
    "#);
    let heading = pane.heading(&stage.scene());
    assert_eq!((heading.left.as_str(), heading.right.as_str()), (".10 ▲ +.10 after cycle 4", ""));
    stage.glyphs = Glyphs::ASCII;
    assert!(stage.draw(&pane, 58, 16).is_ascii());
}

#[test]
fn each_part_can_be_a_line_with_its_number() {
    let stage = Stage::of(PARTS, u64::MAX);
    let mut pane = Score::default();
    stage.act(&mut pane, Action::ScoreParts);
    let drawn = stage.draw(&pane, 58, 12);
    assert!(row(&drawn, 0).ends_with("part 1,2,3"), "{drawn}");
    assert!(drawn.contains("each part on its own"), "{drawn}");
}

#[test]
fn a_low_pane_is_a_strip() {
    let stage = Stage::of(IMPROVED, u64::MAX);
    let drawn = stage.draw(&Score::default(), 60, 3);
    assert_eq!(row(&drawn, 0), "J 1.0 = .00  ▂▂▂▅▅██  best 1.0 at cycle 5");
    assert_eq!(row(&drawn, 1), "ε 0.001 · k 3 · idle 0 of 3");
}

#[test]
fn nothing_scored_is_said_and_not_drawn_as_zero() {
    let drawn = Stage::empty().draw(&Score::default(), 60, 12);
    assert!(drawn.starts_with("Nothing is scored yet."), "{drawn}");
    assert!(!drawn.contains('┤'), "{drawn}");
}

#[test]
fn credit_adds_up_to_the_change_of_j() {
    let stage = Stage::of(PARTS, u64::MAX);
    let pane = Score { shown: Shown::Credit, ..Score::default() };
    let drawn = stage.draw(&pane, 78, 15);
    insta::assert_snapshot!(drawn, @r#"
    who took J from .10 to 1.0 in 6 cycles

                  sum                                      cycles   mean ± se
    verifier     +.36  ██████████████                           1   +.36 ± –
    calculator   +.27                ██████████                 1   +.27 ± –
    algebra      +.17                          ██████           1   +.17 ± –
    optimizer    +.10                                ████       1   +.10 ± –
    decomposer    .00                                           1    .00 ± –
    goal-check    .00                                           1    .00 ± –
    router        .00                                           1    .00 ± –
    synergy       .00
    ─────────────────────────────────────────────────────
    sum          +.90  = the change of J, .10 to 1.0

    4 cycles: one program ran, all of the change is its own
    "#);
    // Carried on cycle by cycle, the sums are the same as made at once.
    let mut carried = Sums::default();
    let start = stage.live.index().place(1);
    for stop in stage.live.stops() {
        carried.of(&stage.live.timeline().at(stop.seq), start);
    }
    let carried = carried.of(stage.live.now(), start);
    let at_once = Sums::default().of(stage.live.now(), start);
    assert_eq!(carried.ranked(), at_once.ranked());
    // Of three verdicts in one cycle the sum is one sample.
    assert!(carried.ranked().iter().all(|(_, sum)| sum.n == 1 && sum.se().is_none()));
}

#[test]
fn the_standard_error_is_that_of_the_mean() {
    let stage = Stage::of(IMPROVED, 197);
    let sums = Sums::default().of(stage.live.now(), 0);
    let (name, sum) = sums.ranked().into_iter().find(|(_, sum)| sum.n == 2).unwrap();
    assert_eq!(name.as_str(), "algebra");
    assert!((sum.phi - 0.4).abs() < 1e-9);
    // -.1 and +.5: standard deviation .424, over the root of 2.
    assert!((sum.se().unwrap() - 0.3).abs() < 1e-9);
}

#[test]
fn a_negative_share_is_shown_as_one() {
    let mut stage = Stage::of(IMPROVED, u64::MAX);
    stage.look(Seq(65));
    let drawn = stage.draw(&Score { shown: Shown::Credit, ..Score::default() }, 58, 12);
    let line = drawn.lines().find(|line| line.starts_with("algebra")).unwrap();
    assert!(line.contains("-.10") && line.contains('░'), "{drawn}");
}

#[test]
fn it_says_why_it_stopped_and_where_it_would_have() {
    let stage = Stage::of(IMPROVED, 197);
    let drawn = stage.draw(&Score { shown: Shown::Why, ..Score::default() }, 78, 40);
    for part in [
        "converged: the goal check passed and nothing is left to gain",
        "part 1: x = 6",
        "#3 draft by algebra, cycle 5",
        "verdict #4 by verifier: pass: substitution and a count of the roots",
        "with k = 1 it would have stopped after cycle 3 at J .00",
        "7 cycles · programs ran 9 times · 74 calls of tools",
    ] {
        assert!(drawn.contains(part), "{part} in\n{drawn}");
    }
    let mut stage = Stage::of(IMPROVED, u64::MAX);
    stage.look(Seq(103));
    let drawn = stage.draw(&Score { shown: Shown::Why, ..Score::default() }, 78, 40);
    assert!(drawn.contains("3 drafting cycles in a row gain less than 0.001: 0 so far"), "{drawn}");
}

#[test]
fn the_rule_of_progress_is_counted_as_the_engine_counts_it() {
    let point = |(at, (delta, drafted)): (usize, &(f64, bool))| Point {
        seq: Seq(at as u64),
        episode: 1,
        cycle: Cycle(u32::try_from(at).unwrap()),
        j: 0.5,
        delta: *delta,
        drafted: *drafted,
    };
    let deltas = [(0.0, true), (0.0, false), (0.0, true), (0.1, true), (0.0, true), (0.01, true), (0.0, true)];
    let points: Vec<Point> = deltas.iter().enumerate().map(point).collect();
    let stop = |epsilon, k| why::stops_at(&points, epsilon, k).map(|point| point.cycle.0);
    assert_eq!(stop(0.001, 1), Some(2));
    assert_eq!(stop(0.001, 2), None);
    assert_eq!(stop(0.05, 2), Some(5));
    assert_eq!(stop(0.05, 3), Some(6));
    assert_eq!(stop(0.5, 2), Some(3));
}

#[test]
fn a_click_looks_at_the_cycle_under_it() {
    let stage = Stage::of(PARTS, u64::MAX);
    let mut pane = Score::default();
    let area = Rect::new(0, 0, 58, 16);
    let drawn = stage.draw(&pane, 58, 16);
    let x = drawn.lines().find(|line| line.starts_with("cycle")).unwrap().find('3').unwrap();
    let click =
        |pane: &mut Score, x: usize| pane.click(Position::new(u16::try_from(x).unwrap(), 4), &stage.scene(), area);
    let stop = stage.live.stops().iter().find(|stop| stop.cycle == Cycle(3)).unwrap();
    assert_eq!(click(&mut pane, x), [Effect::Look(stop.seq)]);
    assert_eq!(click(&mut pane, 57), [Effect::Live]);
    assert_eq!(click(&mut pane, 1), []);
}

#[test]
fn ten_thousand_cycles_keep_their_extremes() {
    let mut stage = Stage::of(IMPROVED, 197);
    let scored = stage.live.timeline().events().iter().find_map(|envelope| match &envelope.event {
        Event::Scored { score, .. } => Some(score.clone()),
        _ => None,
    });
    let scored = scored.unwrap();
    let mut seq = 197;
    for cycle in 8..10_000 {
        let mut score = (*scored).clone();
        score.mean = if cycle == 5_000 { 0.0 } else { 0.9 };
        let event = Event::Scored {
            cycle: Cycle(cycle),
            score: Arc::new(score),
            delta: 0.0,
            withdrawn: Vec::new(),
            incumbent: None,
        };
        seq += 1;
        stage.live.push(Arc::new(Envelope { v: 1, seq: Seq(seq), at: 0, cause: None, event }));
    }
    let pane = Score::default();
    let drawn = stage.draw(&pane, 58, 16);
    let bottom = drawn.lines().find(|line| line.starts_with("    0┤")).unwrap();
    assert!(bottom.chars().skip(20).any(|c| c > '\u{2800}'), "the one low cycle is seen\n{drawn}");
    assert!(drawn.contains("8000"), "{drawn}");
}

#[test]
fn any_size_is_drawn() {
    for record in [IMPROVED, PARTS] {
        let mut stage = Stage::of(record, u64::MAX);
        stage.hostile(ContributionId(3));
        stage.every_size(&Score::default());
        for shown in [Shown::Chart, Shown::Parts, Shown::Credit, Shown::Why] {
            for parts in [false, true] {
                let pane = Score { shown, parts, ..Score::default() };
                stage.some_sizes(&pane);
            }
        }
    }
}
