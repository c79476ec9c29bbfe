//! The programs as a list: for small screens, for screen readers, and for whoever likes tables.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::marks::{Mark, Marks, Since};
use super::sketch::Sketch;
use crate::model::{Contract, ProgramName};
use crate::tui::paint;
use crate::tui::scene::Scene;
use crate::tui::text;
use crate::tui::theme::Role;

/// Columns of everything but names and contracts: state, runs, credit, next.
const NUMBERS: usize = 10 + 5 + 7 + 6;
/// Columns of a contract.
const CONTRACT: usize = 12;

/// Draws the list with the selected row in view.
pub(super) fn draw(
    scene: &Scene<'_>,
    buf: &mut Buffer,
    area: Rect,
    sketch: &Sketch,
    marks: &Marks,
    selected: Option<usize>,
    top: usize,
) {
    let wide = usize::from(area.width);
    let with_contract = wide >= 58;
    let with_words = wide >= 46;
    let name = columns(wide, with_contract, with_words);
    let head = row(
        &["  program", if with_contract { "contract" } else { "" }, if with_words { "state" } else { "" }],
        ["runs", "credit", "next"],
        name,
        with_contract,
        with_words,
    );
    paint::text(buf, area, 0, &head, scene.style(Role::Quiet));
    let body = Rect { y: area.y.saturating_add(1), height: area.height.saturating_sub(1), ..area };
    let shown = paint::window(sketch.items.len(), selected.unwrap_or(top), top, body.height);
    for (line, index) in shown.clone().enumerate() {
        let Some(item) = sketch.items.get(index) else { continue };
        let Some(program) = item.program() else { continue };
        let line = u16::try_from(line).unwrap_or(u16::MAX);
        let mark = marks.joined(&item.members);
        let words = mark.since.mark();
        let label = if words.is_empty() { item.label.clone() } else { format!("{} {words}", item.label) };
        let contract = contract(scene, program).map_or("", Contract::name);
        let next = mark.next.map(paint::share).unwrap_or_default();
        let (runs, credit) = numbers(&mark);
        let text = row(
            &[&format!("  {label}"), contract, &state(&mark)],
            [&runs, &credit, &next],
            name,
            with_contract,
            with_words,
        );
        let role = if mark.since == Since::Gone { Role::Quiet } else { Role::Text };
        paint::text(buf, body, line, &text, scene.style(role));
        let sign = Span::styled(mark.sign.glyph(scene.glyphs), scene.style(mark.sign.role()));
        paint::line(buf, body, line, Line::from(sign));
        if selected == Some(index) {
            paint::band(buf, body, line, scene.style(Role::Selected));
        }
    }
    paint::scroll_mark(scene, buf, body, &shown, sketch.items.len());
}

/// The state of a program in words.
pub(super) fn state(mark: &Mark) -> String {
    let mut words = mark.sign.words().to_owned();
    if mark.open > 0 {
        words.push_str(" ?");
    }
    if mark.stop {
        words.push_str(" stop");
    }
    words
}

fn contract(scene: &Scene<'_>, name: &ProgramName) -> Option<Contract> {
    let there = scene.network.program(name).or_else(|| scene.first_network.program(name));
    there.map(|program| program.contract())
}

/// Runs and credit.
pub(super) fn numbers(mark: &Mark) -> (String, String) {
    let ran = mark.tally.activations > 0;
    let runs = if ran { mark.tally.activations.to_string() } else { String::new() };
    (runs, if ran { paint::signed(mark.tally.credit) } else { String::new() })
}

/// Columns of the names.
fn columns(wide: usize, with_contract: bool, with_words: bool) -> usize {
    let rest = NUMBERS - if with_words { 0 } else { 10 } + if with_contract { CONTRACT + 1 } else { 0 };
    wide.saturating_sub(rest + 2).clamp(4, 34)
}

fn row(words: &[&str; 3], numbers: [&str; 3], name: usize, with_contract: bool, with_words: bool) -> String {
    let [label, contract, state] = words;
    let mut line = text::pad(label, name);
    if with_contract {
        line.push(' ');
        line.push_str(&text::pad(contract, CONTRACT));
    }
    if with_words {
        line.push(' ');
        line.push_str(&text::pad(state, 9));
    }
    let [runs, credit, next] = numbers;
    line.push_str(&format!("{runs:>5}{credit:>7}{next:>6}"));
    line
}
