//! The upper line: what runs, how far it is, and what it has cost.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::app::Interface;
use super::paint;
use super::scene::Scene;
use super::text;
use super::theme::Role;
use crate::model::{Approval, Pace, Phase};

/// How the session stands, in a word or two.
pub(super) fn word(scene: &Scene<'_>) -> String {
    let now = scene.now;
    if scene.looking {
        return format!("LOOKING AT CYCLE {}", scene.state.cycle());
    }
    if !now.questions.is_empty() || now.permissions.values().any(|permission| permission.granted.is_none()) {
        return "WAITING FOR YOU".to_owned();
    }
    if scene.elsewhere {
        return "OPEN ELSEWHERE".to_owned();
    }
    match (now.phase, now.pace) {
        (Phase::Idle, _) => match now.outcomes.last() {
            Some(outcome) => format!("ENDED: {}", outcome.halted.words().split(':').next().unwrap_or_default()),
            None => "READY".to_owned(),
        },
        (_, Pace::Paused) => "PAUSED".to_owned(),
        (_, Pace::Running) => "RUNNING".to_owned(),
    }
}

/// Who runs next in the state shown, with probabilities.
pub(super) fn next(scene: &Scene<'_>) -> String {
    let Some(route) = &scene.state.route else { return "nobody".to_owned() };
    let mut names = Vec::new();
    for choice in &route.choices {
        for program in &choice.chosen {
            let candidate = choice.candidates.iter().find(|candidate| candidate.program == *program);
            let share =
                candidate.map_or(String::new(), |candidate| format!(" {}", paint::share(candidate.probability)));
            names.push(format!("{}{share}", text::clean(program.as_str())));
        }
    }
    let chosen = route.choices.iter().find(|choice| !choice.chosen.is_empty());
    let why = chosen.map(|choice| text::clean(&choice.why).into_owned()).unwrap_or_default();
    match names.as_slice() {
        [] => "nobody".to_owned(),
        [one] if !why.is_empty() => format!("{one} — {why}"),
        _ => names.join(", "),
    }
}

/// Draws the line: state and progress at the left, cost at the right, as much as fits.
pub(super) fn draw(interface: &Interface, scene: &Scene<'_>, area: Rect, buf: &mut Buffer) {
    let (state, now) = (scene.state, scene.now);
    let word = match interface.play.waiting() {
        0 => word(scene),
        _ if scene.looking => word(scene),
        _ => "WAITING FOR YOU".to_owned(),
    };
    let role = match (scene.looking, now.phase, now.pace) {
        (true, _, _) => Role::Unsure,
        (false, Phase::Idle, _) => Role::Strong,
        (false, _, Pace::Paused) => Role::Unsure,
        (false, _, Pace::Running) => Role::Running,
    };
    let mut left = vec![
        Span::raw(" "),
        scene.span(Role::Accent, text::clean(&scene.network.name).into_owned()),
        Span::raw("  "),
        scene.span(role, word),
    ];
    if let Some(episode) = &state.episode {
        let most = state.budget.cycles.unwrap_or(scene.network.limits.max_cycles);
        left.push(scene.span(Role::Text, format!("  cycle {}/{most}", episode.cycle)));
        if episode.number > 1 {
            left.push(scene.span(Role::Quiet, format!(" of question {}", episode.number)));
        }
    }
    if let Some((program, since)) = interface.live.active().filter(|_| !scene.looking) {
        let seconds = interface.clock.saturating_sub(since) / 1000;
        let time = if interface.likes.motion && seconds > 0 { format!(" {seconds} s") } else { String::new() };
        let what = if now.phase == Phase::Idle { "mending: " } else { "" };
        left.push(
            scene.span(Role::Running, format!("  {} {what}{}{time}", scene.glyphs.runs, text::clean(program.as_str()))),
        );
    }
    if let Some(point) = state.scores.last() {
        left.push(scene.span(Role::Strong, format!("  J {:.2}", point.score.mean)));
        if point.delta.abs() >= 0.005 {
            left.push(scene.span(paint::tone(point.delta), format!(" {}", paint::signed(point.delta))));
        }
    }
    let usage = &if scene.looking { state.usage.clone() } else { interface.live.usage() };
    // Calls that go on count as far as they are known; what they cost is known when they are over.
    let (asking, reads, writes) = if scene.looking { (0, 0, 0) } else { interface.live.under_way() };
    let about = if asking > 0 { "~" } else { "" };
    let count = |tokens: u64| format!("{about}{}", paint::short(tokens));
    let mut right: Vec<String> = Vec::new();
    let spent = match usage.dollars {
        Some(spent) => paint::dollars(spent),
        None if usage.calls > 0 => "$?".to_owned(),
        None => "$0".to_owned(),
    };
    right.push(of(spent, state.budget.dollars.map(|cap| format!("${cap:.2}"))));
    let tokens = usage.tokens.saturating_add(reads).saturating_add(writes);
    right.push(of(format!("{} tokens", count(tokens)), state.budget.tokens.map(paint::short)));
    right.push(match usage.calls + asking {
        0 => "no model".to_owned(),
        1 => "1 call".to_owned(),
        many => of(format!("{many} calls"), state.budget.calls.map(|cap| cap.to_string())),
    });
    if usage.calls + asking > 0 {
        let (read, written) = (usage.tokens.saturating_sub(usage.written), usage.written);
        right.push(format!("{} in, {} out", count(read.saturating_add(reads)), count(written.saturating_add(writes))));
    }
    right.push(match state.approval {
        Approval::Reject => "edits: none".to_owned(),
        Approval::Rules => "edits: you decide".to_owned(),
        Approval::Accept => "edits: all that pass".to_owned(),
    });
    right.push(match usage.activations {
        1 => "1 activation".to_owned(),
        many => format!("{many} activations"),
    });
    let used: usize = left.iter().map(|span| text::width(&span.content)).sum();
    let space = usize::from(area.width).saturating_sub(used + 3);
    let mut kept = String::new();
    for piece in right {
        if text::width(&kept) + text::width(&piece) + 3 <= space {
            kept = if kept.is_empty() { piece } else { format!("{kept} · {piece}") };
        }
    }
    paint::line(buf, area, 0, Line::from(left));
    let wide = u16::try_from(text::width(&kept)).unwrap_or(u16::MAX);
    if wide > 0 && area.width > wide && area.height > 0 {
        buf.set_string(area.right() - wide - 1, area.y, kept, scene.style(Role::Quiet));
    }
}

/// Something used, against its cap where there is one.
fn of(used: String, cap: Option<String>) -> String {
    match cap {
        Some(cap) => format!("{used} of {cap}"),
        None => used,
    }
}
