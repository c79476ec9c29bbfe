use super::*;
use crate::model::{Gate, GateResult};
use crate::tui::scene::Glyphs;
use crate::tui::theme::{Depth, Role, Theme};

const SHORT: &str = "\
algebra: pass candidates through …   ▐
algebra wrote “x = 1 or x = 6”: x = …
── algebra.py
     … 90 equal lines
      91   # [[tests]]
      92   # query = \"Solve x + y = 5
            and x*y = 6\"
      93   # expect = { satisfies = t
           rue }
▸[ ]  94 + #
";

const ORDINARY: &str = "\
algebra: pass candidates through `satisfying` before it becomes `kept`       ▐
by       program-manager, about algebra, for a fault that cost 0.10 of J     ▐
why      algebra wrote “x = 1 or x = 6”: x = 1: sqrt(x + 3) = 2, but x - 3 = ▐
         -2                                                                  ▐
tests    1 failed before and passes now, 19 pass as before
gates    static passed, guard passed, tests passed, evidence cannot say
touches  1 file, 6 lines added, 1 removed

── algebra.py
     … 90 equal lines
      91  91   # [[tests]]
      92  92   # query = \"Solve x + y = 5 and x*y = 6\"
      93  93   # expect = { satisfies = true }
▸[ ]      94 + #
│         95 + # [[tests]]
│         96 + # query = \"Solve sqrt(x+3) = x - 3\"
";

const END: &str = "\
── evidence ─────────────────────────────────────────────────────────────────
  ✓ failed before, passes now                                                ▐
    Solve sqrt(x+3) = x - 3                                                  ▐
    x = 6: it satisfies the equation exactly, and no other real number does  ▐
  19 tests pass before and after                                             ▐
  Measured: edits tried 8, similar questions 22, answered right 22, answered ▐
  wrong 0.                                                                   ▐

── gates ────────────────────────────────────────────────────────────────────
  ✓ static         passed      it parses, keeps its contract and asks for
                               nothing new
  ✓ guard          passed      the integrity program has no objection; a
                               human decides
  ✓ tests          passed      20 of 20 tests pass, 1 of them new
  ? evidence       cannot say  no statistical evidence: 1 item; the tests are
                               all there is to go by

── what it touches ──────────────────────────────────────────────────────────
  algebra is a solver; 7 edges lead to it.
  It changes 1 file, 6 lines added, 1 removed.
  It asks for no new tool and no new section of memory.
  Made from revision 9b6aea81bb.
";

/// Lines without the mark that says how far one has scrolled.
fn bare(text: &str) -> Vec<String> {
    text.lines().map(|line| line.trim_end_matches('▐').trim_end().to_owned()).collect()
}

#[test]
fn a_proposal_at_every_size() {
    let stage = Stage::of(IMPROVED, WAITING);
    let pane = Edits::default();
    assert_eq!(stage.draw(&pane, 38, 10), SHORT);
    assert_eq!(stage.draw(&pane, 78, 16), ORDINARY);
    let mut bench = Bench::on(stage);
    bench.area = Rect::new(0, 0, 78, 22);
    bench.act(Action::Bottom);
    assert_eq!(bare(&bench.see()), bare(END));
}

#[test]
fn wide_panes_show_old_and_new_beside_each_other() {
    let mut bench = Bench::recorded();
    bench.area = Rect::new(0, 0, 130, 40);
    let text = bench.see();
    let line = bare(&text).into_iter().find(|line| line.contains("satisfying(equations")).unwrap();
    assert!(
        line.starts_with(" [ ] 112 -     kept = [candidate for") && line.contains(" │ 117 +     kept = "),
        "{line}"
    );
    bench.act(Action::EditSides);
    let text = bench.see();
    assert!(text.contains("\n [ ] 112     -     kept = [candidate"), "{text}");
    // The choice is kept at another width.
    bench.area.width = 100;
    bench.act(Action::EditSides);
    assert!(bench.see().contains(" │ "));
}

#[test]
fn choices_and_the_cursor_are_seen() {
    let mut bench = Bench::recorded();
    bench.act(Action::HunkToggle);
    bench.act(Action::HunkNext);
    let text = bench.see();
    assert!(text.contains("\n [x]      94 + # ") && text.contains("\n▸[ ] 112     - "), "{text}");
    assert!(text.contains("\n│        117 + "), "{text}");
    bench.act(Action::HunkBack);
    assert!(bench.see().contains("▸[x]      94 + #"));
}

#[test]
fn lines_are_wrapped_cut_and_bounded() {
    let long = format!("start {}\n", "x".repeat(14_000));
    let mut bench = open_one(vec![change("a.txt", Some("start\n"), Some(&long))]);
    bench.area = Rect::new(0, 0, 80, 60);
    let text = bench.see();
    assert!(text.contains("x … +13 kB"), "{text}");
    assert_eq!(text.lines().filter(|line| line.contains("xxxxx")).count(), 2000usize.div_ceil(68));
    bench.act(Action::EditWrap);
    let text = bench.see();
    let shown: Vec<&str> = text.lines().filter(|line| line.contains("xxxxx")).collect();
    assert!(matches!(*shown, [line] if line.ends_with("x…")), "{text}");
}

#[test]
fn ends_of_lines_that_differ_are_told() {
    let mut bench = open_one(vec![change("a.txt", Some("a\r\nb"), Some("a\nb\n"))]);
    bench.area = Rect::new(0, 0, 70, 30);
    let text = bench.see();
    assert!(text.contains("- a\\r\n") && text.contains("- b (no line break at the end)\n"), "{text}");
}

#[test]
fn words_that_changed_stand_out_in_every_depth_of_colour() {
    for depth in [Depth::None, Depth::Palette, Depth::True] {
        let mut bench = Bench::recorded();
        bench.stage.theme = Theme::read(include_str!("../../../../../themes/dusk.toml"), depth).unwrap();
        bench.stage.code = crate::tui::code::Code::immediate();
        bench.area = Rect::new(0, 0, 140, 60);
        bench.act(Action::EditSides);
        let mut buf = Buffer::empty(bench.area);
        bench.pane.draw(&bench.scene(), bench.area, &mut buf);
        let word = bench.stage.theme.style(Role::AddedWord);
        let mut marked = String::new();
        let text = crate::tui::testing::text_of(&buf);
        let row = text.lines().position(|line| line.contains("117 + ")).unwrap();
        for y in [u16::try_from(row).unwrap()] {
            for x in 0..140 {
                let cell = &buf[(x, y)];
                let of_word = cell.style().add_modifier == word.add_modifier
                    && word.fg.is_none_or(|fg| cell.fg == fg)
                    && word.bg.is_none_or(|bg| cell.bg == bg);
                if of_word && cell.symbol() != " " {
                    marked.push_str(cell.symbol());
                }
            }
        }
        assert_eq!(marked, "satisfying(equations,)", "{depth:?}");
    }
}

#[test]
fn several_proposals_are_a_list_and_one_is_none() {
    let gates =
        vec![(Gate::Static, GateResult::Passed("fine".into())), (Gate::Tests, GateResult::Failed("one fails".into()))];
    let one = Proposal { gates, ..proposal("p1", vec![change("a.txt", None, Some("a\n"))]) };
    let two = proposal("p2", vec![change("b.txt", Some("b\n"), Some("B\n"))]);
    let all = vec![
        (proposal("p0", vec![]), ProposalStatus::Rejected("no use".into())),
        (one, ProposalStatus::Open),
        (two, ProposalStatus::Open),
    ];
    let mut bench = Bench::of(all);
    let text = bench.see();
    let rows: Vec<&str> = text.lines().take(3).map(str::trim_end).collect();
    assert_eq!(
        rows[0].trim_end_matches('▐').trim_end(),
        "▸ ? p1            network          1 hunk     tests failed     the title of p1"
    );
    assert_eq!(
        rows[1].trim_end_matches('▐').trim_end(),
        "  ? p2            network          1 hunk     not asked        the title of p2"
    );
    assert!(rows[2].starts_with("── 1 of 2 ──"), "{text}");
    bench.act(Action::EditHistory);
    assert!(bench.see().starts_with("  ✗ p0            network          0 hunks    rejected         the title of p0"));
    bench.act(Action::EditBack);
    assert!(bench.see().contains("✗ rejected: no use"), "{}", bench.see());
    assert_eq!(bench.heading().1, "rejected");
    bench.act(Action::EditOpen);
    assert!(bench.see().starts_with("the title of p0"));
    assert_eq!(said(&bench.act(Action::EditBack)), "no other proposal there");
    // A click in the list selects.
    bench.act(Action::EditOpen);
    let effects = bench.click(9, 2);
    assert_eq!(effects, [Effect::Proposal("p2".into())]);
}

#[test]
fn a_decision_stays_in_view_with_what_became_of_it() {
    let mut stage = Stage::of(IMPROVED, 231);
    stage.chosen.proposal = stage.queue.all().first().map(|(proposal, _)| proposal.id.clone());
    let pane = Edits::default();
    let text = stage.draw(&pane, 78, 16);
    assert!(text.contains("\n✓ accepted as revision 1"), "{text}");
    assert!(!text.contains("has changed since"), "{text}");
    assert_eq!(pane.heading(&stage.scene()).right, "accepted");
}

#[test]
fn nothing_to_review_explains_itself() {
    let text = Stage::of(IMPROVED, 231).draw(&Edits::default(), 60, 24);
    assert!(text.starts_with("\n No edit waits for you.\n"), "{text}");
    assert!(text.contains("x shows the one proposal that was decided. u takes your"), "{text}");
    assert!(Stage::empty().draw(&Edits::default(), 40, 8).contains("No edit waits"));
}

#[test]
fn ascii_is_enough() {
    let mut bench = Bench::recorded();
    bench.stage.glyphs = Glyphs::ASCII;
    bench.act(Action::HunkNext);
    for width in [38, 78, 130] {
        bench.area.width = width;
        let text = bench.see().replace(['“', '”'], "\"");
        let foreign: Vec<char> = text.chars().filter(|c| !c.is_ascii()).collect();
        assert!(foreign.is_empty(), "{foreign:?} in {text}");
    }
}

#[test]
fn words_are_found_and_hunks_copied() {
    let mut bench = Bench::recorded();
    bench.area = Rect::new(0, 0, 90, 12);
    assert_eq!(said(&bench.act(Action::FindNext)), "nothing is looked for yet");
    let find = Purpose::Find(Room::Edits);
    assert!(matches!(&*bench.act(Action::Find), [Effect::Ask { purpose, .. }] if *purpose == find));
    assert_eq!(bench.told(&find, "SATISFYING(eq"), []);
    assert!(bench.see().contains("117 +     kept = satisfying(equations"), "{}", bench.see());
    assert_eq!(bench.heading().1, "hunk 2/2 · 0 chosen");
    assert_eq!(
        bench.pane.copied(&bench.scene()).as_deref(),
        Some(
            "-    kept = [candidate for candidate in candidates if candidate not in refuted]\n\
             +    kept = satisfying(equations, [candidate for candidate in candidates if candidate not in refuted])\n"
        )
    );
    assert_eq!(bench.act(Action::FindBack), []);
    assert_eq!(said(&bench.told(&find, "nowhere to be found")), "the change does not say that");
}

#[test]
fn the_cursor_goes_where_one_scrolls() {
    let mut bench = Bench::recorded();
    bench.area = Rect::new(0, 0, 78, 14);
    while !bench.see().contains("112     -") {
        bench.act(Action::Down);
    }
    for _ in 0..8 {
        bench.act(Action::Down);
    }
    assert_eq!(bench.heading().1, "hunk 2/2 · 0 chosen", "{}", bench.see());
    bench.act(Action::Top);
    bench.act(Action::PageDown);
    assert_eq!(bench.heading().1, "hunk 1/2 · 0 chosen", "{}", bench.see());
}

#[test]
fn what_it_asks_for_is_named() {
    let front = |more: &str| format!("+++\nrole = \"r\"\ncontract = \"solver\"\n{more}+++\nbody\n");
    let after = front("reads = [\"draft\"]\nwrites = [\"gap\"]\ntools = [\"fend\"]\n");
    let mut bench = open_one(vec![change("a.md", Some(&front("reads = [\"draft\"]\n")), Some(&after))]);
    assert!(bench.see().contains("asks for the tool fend, to write gap"), "{}", bench.see());
}
