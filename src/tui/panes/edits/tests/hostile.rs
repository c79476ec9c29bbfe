use super::*;
use crate::model::{Gate, GateResult, ProgramTest, Trial};

/// What a model or a file may hold.
fn nasty() -> String {
    format!(
        "\x1b[2J\x1b]0;x\x07\u{202e}bidi\u{2066}\n\t👨\u{200d}👩\u{200d}👧 ❤\u{fe0f} 🇫🇷 漢字かな e\u{301}\u{301}\u{301}\r\nq\rq\n{}\n{}\nend",
        "x".repeat(100_000),
        "漢".repeat(3000)
    )
}

fn nasty_bench() -> Bench {
    let text = nasty();
    let after = text.replace("bidi", "idib\u{202e}").replace("end", "\u{9b}31m end");
    let changes = vec![
        change("a\x1b[31m\u{202e}.py", Some(&text), Some(&after)),
        change("new.md", None, Some(&text)),
        change("", Some(&text), None),
    ];
    let test = ProgramTest { query: text.clone(), memory: Vec::new(), expect: Default::default() };
    let mut one = proposal("p\x1b1", changes);
    one.title.clone_from(&text);
    one.author = Author::Program("\u{202e}who\n".into());
    one.program = Some("漢\x07".into());
    one.evidence.critique.clone_from(&text);
    one.evidence.session = Some("s\x1b".into());
    one.evidence.measured = serde_json::json!({ "\x1b": text });
    one.evidence.trials = vec![
        Trial { test: test.clone(), before: false, after: true, note: text.clone() },
        Trial { test, before: true, after: false, note: String::new() },
    ];
    one.gates =
        vec![(Gate::Static, GateResult::Failed(text.clone())), (Gate::Guard, GateResult::Indecisive(String::new()))];
    let mut two = proposal("p2", vec![]);
    two.title = String::new();
    let rejected = ProposalStatus::Rejected(text);
    Bench::of(vec![(one, ProposalStatus::Open), (two, ProposalStatus::Open), (proposal("p3", vec![]), rejected)])
}

/// Draws into the middle of a sheet, whose rest must stay as it was.
fn check(bench: &mut Bench, width: u16, height: u16) {
    let sheet = Rect::new(0, 0, width + 4, height + 4);
    let mut buf = Buffer::filled(sheet, ratatui::buffer::Cell::new("#"));
    bench.area = Rect::new(2, 2, width, height);
    for y in 2..2 + height {
        for x in 2..2 + width {
            buf[(x, y)].reset();
        }
    }
    bench.pane.draw(&bench.scene(), bench.area, &mut buf);
    for y in 0..sheet.height {
        for x in 0..sheet.width {
            let symbol = buf[(x, y)].symbol();
            if !bench.area.contains(Position::new(x, y)) {
                assert_eq!(symbol, "#", "outside {width}x{height} at {x},{y}");
            }
            assert!(!symbol.chars().any(|c| c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c)), "{symbol:?}");
            let wide = crate::tui::text::width(symbol);
            assert!(wide < 2 || x + 1 < 2 + width, "{symbol} reaches out of {width}x{height}");
        }
    }
}

#[test]
fn any_size_is_drawn_whatever_the_text() {
    let mut bench = nasty_bench();
    for (index, id) in ["p\x1b1", "p2", "p3"].into_iter().enumerate() {
        bench.stage.chosen.proposal = Some(id.into());
        for width in 0..=60 {
            for height in (0..=30).filter(|height| index == 0 || height % 10 == 0) {
                check(&mut bench, width, height);
            }
        }
    }
    let mut empty = Bench::on(Stage::empty());
    for (width, height) in (0..=60).flat_map(|width| (0..=30).map(move |height| (width, height))) {
        check(&mut empty, width, height);
    }
}

#[test]
fn any_key_at_any_size_is_safe() {
    let keys = [
        Action::Bottom,
        Action::HunkNext,
        Action::EditSides,
        Action::HunkSplit,
        Action::HunkToggle,
        Action::PageUp,
        Action::EditWrap,
        Action::HunkBack,
        Action::FindNext,
        Action::EditOpen,
        Action::Down,
        Action::EditText,
        Action::EditNext,
        Action::EditHistory,
        Action::HunkApply,
        Action::Top,
        Action::EditBack,
    ];
    let mut bench = nasty_bench();
    bench.pane.needle = "漢".into();
    for (step, size) in
        [(0, 0), (1, 1), (3, 30), (9, 2), (24, 7), (60, 30), (140, 12)].into_iter().cycle().take(42).enumerate()
    {
        bench.area = Rect::new(2, 2, size.0, size.1);
        bench.act(keys[step % keys.len()]);
        check(&mut bench, size.0, size.1);
        bench.click(2 + size.0 / 2, 2 + size.1 / 2);
        bench.heading();
    }
}
