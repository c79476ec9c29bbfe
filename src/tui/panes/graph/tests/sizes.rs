//! Any size, any text.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{choose, file, network_of, push, revise, stage_of};
use crate::model::{Author, Contract, Contribution, ContributionId, Cycle, Event, LogEntry};
use crate::tui::action::Action;
use crate::tui::live::Live;
use crate::tui::pane::Pane;
use crate::tui::panes::Graph;
use crate::tui::testing::{IMPROVED, Stage, text_of};

const NASTY: &str =
    "\u{1b}[2J\u{202e}evil\u{2066}👨\u{200d}👩\u{200d}👧漢字漢字e\u{301}\u{301}\u{301}\u{9b}31m\t❤\u{fe0f}";

/// Draws inside borders and looks whether they stand.
fn check_borders(stage: &Stage, pane: &Graph, width: u16, height: u16) {
    let whole = Rect::new(0, 0, width + 2, height + 2);
    let mut buf = Buffer::empty(whole);
    for y in 0..whole.height {
        buf.set_string(0, y, "║", ratatui::style::Style::new());
        buf.set_string(whole.width - 1, y, "║", ratatui::style::Style::new());
    }
    pane.draw(&stage.scene(), Rect::new(1, 1, width, height), &mut buf);
    for (row, line) in text_of(&buf).lines().enumerate() {
        assert!(line.starts_with('║') && line.ends_with('║'), "{width}x{height}, row {row}: {line:?}");
        assert!(!line.contains(['\u{1b}', '\u{202e}', '\u{9b}', '\u{200d}']), "{line:?}");
        let wide: usize = line.chars().map(|c| unicode_width::UnicodeWidthChar::width(c).unwrap_or(0)).sum();
        assert_eq!(wide, usize::from(width) + 2, "{width}x{height}, row {row}: {line:?}");
    }
}

/// A stage of which every text is hostile, names included.
fn hostile() -> Stage {
    let plain = network_of(&[file("plain", "router", ""), file("judge", "judge", "")]);
    let mut network = crate::model::Network::clone(&plain);
    network.name = NASTY.to_owned();
    for (name, contract) in [(NASTY, Contract::Solver), ("漢字漢字漢字漢字漢字漢字漢字漢字", Contract::Critic)]
    {
        let mut program = crate::model::Program::clone(&network.programs.values().next().unwrap().clone());
        program.name = name.into();
        program.path = format!("{name}.md");
        program.manifest.contract = contract;
        program.manifest.role = NASTY.repeat(100);
        program.manifest.reads = vec![NASTY.into()];
        program.manifest.tools = vec![NASTY.to_owned(); 9];
        program.source = format!("{NASTY}\n{}\n", "x".repeat(100_000)).into();
        network = network.with_program(program);
    }
    assert_eq!(network.programs.len(), 4);
    let mut stage = Stage::empty();
    stage.live = Live::new(Arc::new(network));
    for envelope in Stage::of(IMPROVED, 9).live.timeline().events() {
        let mut event = envelope.event.clone();
        if let Event::Routed { choices, .. } = &mut event {
            for choice in choices {
                choice.last = Some("plain".into());
                choice.why = NASTY.repeat(2_000);
                choice.candidates[0].program = NASTY.into();
                choice.chosen = vec![NASTY.into()];
                choice.barred = vec![("plain".into(), NASTY.repeat(50))];
            }
        }
        if let Event::Activated { program, .. } = &mut event {
            *program = NASTY.into();
        }
        push(&mut stage, event);
    }
    let entry = LogEntry { program: NASTY.into(), cycle: Cycle(1), text: NASTY.repeat(2_000) };
    push(&mut stage, Event::Monologue { entry: Arc::new(entry) });
    let contribution = Contribution {
        id: ContributionId(0),
        section: NASTY.into(),
        part: None,
        text: "漢".repeat(100_000),
        data: serde_json::Value::Null,
        author: Author::Program(NASTY.into()),
        cycle: Cycle(1),
        activation: Some(crate::model::ActivationId(0)),
        about: None,
        supersedes: Vec::new(),
        informed: false,
    };
    push(&mut stage, Event::Contributed { contribution: Arc::new(contribution) });
    revise(&mut stage, &[("judge.md", None)]);
    choose(&mut stage, NASTY);
    stage
}

#[test]
fn every_size_is_drawn_within_its_borders() {
    let mut stage = Stage::of(IMPROVED, 151);
    choose(&mut stage, "algebra");
    let mut pane = Graph::default();
    for width in 0..=60 {
        for height in 0..=30 {
            check_borders(&stage, &pane, width, height);
        }
    }
    for action in [Action::GraphInspect, Action::GraphEdges, Action::ZoomIn, Action::GraphList, Action::ZoomOut] {
        stage.act(&mut pane, action);
        for (width, height) in
            (0..=60).step_by(7).flat_map(|width| (0..=30).step_by(4).map(move |height| (width, height)))
        {
            check_borders(&stage, &pane, width, height);
        }
        check_borders(&stage, &pane, 118, 36);
    }
}

#[test]
fn hostile_text_breaks_nothing() {
    let stage = hostile();
    let mut pane = Graph::default();
    for page in 0..5 {
        for (width, height) in
            (0..=60).step_by(3).flat_map(|width| (0..=30).step_by(5).map(move |height| (width, height)))
        {
            check_borders(&stage, &pane, width, height);
        }
        check_borders(&stage, &pane, 118, 36 + page);
        stage.act(&mut pane, Action::GraphInspect);
    }
    for action in [Action::GraphList, Action::GraphList, Action::GraphEdges, Action::ZoomIn] {
        stage.act(&mut pane, action);
        check_borders(&stage, &pane, 60, 30);
        check_borders(&stage, &pane, 45, 17);
    }
}

#[test]
fn actions_do_no_harm_where_there_is_no_room() {
    for stage in [stage_of(&[]), Stage::empty(), Stage::of(IMPROVED, 151)] {
        let mut pane = Graph::default();
        for entry in crate::tui::action::TABLE {
            for area in [Rect::default(), Rect::new(0, 0, 1, 1), Rect::new(3, 3, 50, 12)] {
                pane.act(entry.action, &stage.scene(), area);
                pane.click((0, 0).into(), &stage.scene(), area);
            }
        }
    }
}
