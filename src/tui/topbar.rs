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
    let usage = &state.usage;
    let mut right: Vec<String> = Vec::new();
    right.push(match (usage.dollars, state.budget.dollars) {
        (Some(spent), Some(cap)) => format!("${spent:.2} of ${cap:.2}"),
        (Some(spent), None) => format!("${spent:.2}"),
        (None, _) if usage.calls > 0 => "$?".to_owned(),
        (None, _) => "$0".to_owned(),
    });
    right.push(format!("{} tokens", short(usage.tokens)));
    right.push(if usage.calls == 0 { "no model".to_owned() } else { format!("{} calls", usage.calls) });
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

/// A count in few digits: `940`, `14.1k`, `2.0M`.
fn short(count: u64) -> String {
    // Rounded to a tenth on purpose.
    #[expect(clippy::cast_precision_loss, reason = "shown to one tenth of a thousand")]
    let count_f = count as f64;
    match count {
        0..1_000 => count.to_string(),
        1_000..1_000_000 => format!("{:.1}k", count_f / 1e3),
        _ => format!("{:.1}M", count_f / 1e6),
    }
}
