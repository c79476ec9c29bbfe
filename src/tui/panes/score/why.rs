//! Why a run stopped, why it gave this answer, and where other settings would have stopped.

use crate::model::{Contribution, Event, Halting, Incumbent, PartState, Usage};
use crate::tui::brief;
use crate::tui::index::Point;
use crate::tui::page::Page;
use crate::tui::paint::share;
use crate::tui::panes::memory::author;
use crate::tui::scene::Scene;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::words;

/// Values of ε and k that are tried beside the network's own.
const EPSILONS: [f64; 4] = [0.001, 0.01, 0.05, 0.2];
const KS: [u32; 4] = [1, 2, 3, 5];
/// Most values of an answer that are explained.
const VALUES: usize = 64;

/// The explanation, laid out for a width.
pub(super) fn page(scene: &Scene<'_>, points: &[Point], width: usize) -> Option<Page> {
    let episode = scene.state.episode.as_deref()?;
    let mut page = Page::default();
    match (&episode.outcome, &episode.halted) {
        (_, Some((reason, why))) => {
            heading(&mut page, "why it stopped");
            page.say(Role::Strong, reason.words(), width, 2);
            page.say(Role::Text, &text::clean(brief::head(why, 2000)), width, 2);
        }
        (Some(outcome), None) => {
            heading(&mut page, "why it stopped");
            page.say(Role::Strong, outcome.halted.words(), width, 2);
        }
        (None, None) => would_stop(scene, width, &mut page),
    }
    page.blank();
    let title = if episode.outcome.is_some() { "why this answer" } else { "the best so far" };
    heading(&mut page, title);
    answer(scene, width, &mut page);
    page.blank();
    elsewhere(scene, points, width, &mut page);
    page.blank();
    heading(&mut page, "what it used");
    page.say(Role::Text, &used(scene), width, 2);
    Some(page)
}

fn heading(page: &mut Page, words: &str) {
    page.row(vec![(Role::Accent, words.to_owned())]);
}

/// What would end a run that goes on.
fn would_stop(scene: &Scene<'_>, width: usize, page: &mut Page) {
    let (state, halting) = (scene.state, &scene.network.halting);
    heading(page, "it has not stopped; what would stop it");
    let score = state.scores.last().map(|point| point.score.clone());
    let full = score.iter().flat_map(|score| &score.parts).filter(|part| part.value >= part.cap - 1e-9).count();
    let all = score.as_ref().map_or(0, |score| score.parts.len());
    let mut rules = vec![
        format!("the goal check passes and every part is at its most: {full} of {all} are"),
        format!(
            "{} in a row gain less than {}: {} so far",
            words::count(halting.k as usize, "drafting cycle", "drafting cycles"),
            words::number(halting.epsilon),
            state.idle(halting.epsilon),
        ),
        "a program writes the same about the same again".to_owned(),
    ];
    let budget = &state.budget;
    let cycles = budget.cycles.unwrap_or(scene.network.limits.max_cycles);
    rules.push(format!("the cap of {cycles} cycles: {} taken", state.cycle()));
    let caps = [(budget.tokens, state.usage.tokens, "tokens"), (budget.calls, state.usage.calls, "calls of models")];
    for (cap, so_far, what) in caps {
        rules.extend(cap.map(|cap| format!("the cap of {cap} {what}: {so_far} used")));
    }
    rules.extend(budget.dollars.map(|cap| {
        let spent = state.usage.dollars.map_or_else(|| "?".to_owned(), |spent| format!("${spent:.2}"));
        format!("the cap of ${cap:.2}: {spent} spent")
    }));
    rules.extend(budget.millis.map(|cap| format!("the cap of {}", words::span(cap))));
    for rule in rules {
        page.say(Role::Text, &format!("{} {rule}", scene.glyphs.dot), width, 2);
    }
}

/// The values that are presented, who wrote them, and what was said about them.
fn answer(scene: &Scene<'_>, width: usize, page: &mut Page) {
    let state = scene.state;
    let outcome = state.episode.as_ref().and_then(|episode| episode.outcome.clone());
    if let Some(outcome) = &outcome {
        if let Some(answer) = &outcome.answer {
            page.markdown(answer, width);
        }
        let checked = if outcome.verified { "the goal check passed it" } else { "the goal check did not pass it" };
        let role = if outcome.verified { Role::Good } else { Role::Unsure };
        page.say(role, checked, width, 2);
        if let Some(message) = &outcome.message {
            page.say(Role::Text, &text::clean(brief::head(message, 2000)), width, 2);
        }
    }
    let Some(best) = &state.incumbent else {
        page.say(Role::Quiet, "no value was confirmed, so there is none to present", width, 2);
        return;
    };
    let words = format!("the best confirmed state is that after cycle {}, with J {}", best.cycle, share(best.j));
    page.say(Role::Quiet, &words, width, 2);
    values(scene, best, width, page);
}

fn values(scene: &Scene<'_>, best: &Incumbent, width: usize, page: &mut Page) {
    let state = scene.state;
    let line = |entry: &Contribution| text::clean(brief::first_line(&entry.text, 300).0).into_owned();
    for (part, id) in best.values.iter().take(VALUES) {
        let Some(value) = state.memory.get(*id) else { continue };
        let words = format!("part {part}: {}", line(value));
        page.say(Role::Text, &words, width, 8);
        let from =
            format!("  #{id} {} by {}, cycle {}", text::clean(value.section.as_str()), author(value), value.cycle);
        page.say(Role::Quiet, &from, width, 4);
        let verdict = state.memory.board(*part).and_then(|board| board.verdict_on(*id));
        match verdict {
            Some(verdict) => {
                let words = format!("  verdict #{} by {}: {}", verdict.id, author(verdict), line(verdict));
                page.say(Role::Quiet, &words, width, 4);
            }
            None => page.say(Role::Quiet, "  no critic's verdict stands on it", width, 4),
        }
        let score = state.scores.last().and_then(|point| point.score.parts.iter().find(|found| found.part == *part));
        if let Some(score) = score {
            let why = if score.why.is_empty() { String::new() } else { format!(": {}", text::clean(&score.why)) };
            let role = if score.state == PartState::Proved { Role::Good } else { Role::Quiet };
            page.say(role, &format!("  {}{why}", words::part_state(score.state)), width, 4);
        }
    }
}

/// The cycle after which the rule of progress alone would have stopped a run, and J there.
pub(super) fn stops_at(points: &[Point], epsilon: f64, k: u32) -> Option<&Point> {
    let mut idle = 0;
    points.iter().filter(|point| point.cycle.0 > 0).find(|point| {
        if point.delta >= epsilon {
            idle = 0;
        } else if point.drafted {
            idle += 1;
        }
        idle >= k
    })
}

/// Where other values of ε and k would have stopped.
fn elsewhere(scene: &Scene<'_>, points: &[Point], width: usize, page: &mut Page) {
    let Halting { epsilon, k, .. } = scene.network.halting;
    let mut epsilons: Vec<f64> = EPSILONS.into_iter().chain([epsilon]).collect();
    epsilons.sort_by(f64::total_cmp);
    epsilons.dedup();
    let mut ks: Vec<u32> = KS.into_iter().chain([k]).collect();
    ks.sort_unstable();
    ks.dedup();
    heading(page, "where other settings would have stopped");
    let end = points.last().map_or(0, |point| point.cycle.0);
    let earlier = |epsilon: f64, k: u32| stops_at(points, epsilon, k).filter(|point| point.cycle.0 < end);
    let name = words::epsilon(scene);
    for other in ks.iter().filter(|other| **other < k) {
        if let Some(point) = earlier(epsilon, *other) {
            let words =
                format!("with k = {other} it would have stopped after cycle {} at J {}", point.cycle, share(point.j));
            page.say(Role::Text, &words, width, 2);
        }
    }
    let any = epsilons.iter().any(|epsilon| ks.iter().any(|k| earlier(*epsilon, *k).is_some()));
    if !any {
        let words =
            format!("none of those tried would have stopped it earlier: {name} up to {}, k from 1", EPSILONS[3]);
        page.say(Role::Quiet, &words, width, 2);
        return;
    }
    let cell = 13.min((width.saturating_sub(9) / ks.len().max(1)).max(6));
    let mut head = vec![(Role::Quiet, text::pad("", 9))];
    for other in &ks {
        let own = if *other == k { Role::Strong } else { Role::Quiet };
        head.push((own, text::pad(&format!("k {other}"), cell)));
    }
    page.row(head);
    for other in &epsilons {
        let own = (*other - epsilon).abs() < 1e-12;
        let look = if own { Role::Strong } else { Role::Quiet };
        let mut line = vec![(look, text::pad(&format!("{name} {}", words::number(*other)), 9))];
        for k in &ks {
            let words = match earlier(*other, *k) {
                Some(point) if cell >= 12 => format!("cycle {} {}", point.cycle, share(point.j)),
                Some(point) => format!("c{}", point.cycle),
                None => words::dash(scene).to_owned(),
            };
            line.push((Role::Text, text::pad(&words, cell)));
        }
        page.row(line);
    }
    let words = format!("each: the cycle, and J there. {}: it would have gone on as it did", words::dash(scene));
    page.say(Role::Quiet, &words, width, 2);
}

/// What the episode used.
fn used(scene: &Scene<'_>) -> String {
    let state = scene.state;
    let Some(episode) = state.episode.as_deref() else { return String::new() };
    let usage: Usage = match &episode.outcome {
        Some(outcome) => outcome.usage.clone(),
        None => state.usage.since(&episode.used_before),
    };
    let mut words = vec![
        words::count(state.cycle().0 as usize, "cycle", "cycles"),
        format!("programs ran {}", words::count(usage.activations as usize, "time", "times")),
        words::count(usage.tool_calls as usize, "call of a tool", "calls of tools"),
    ];
    if usage.calls > 0 {
        words.push(words::count(usage.calls as usize, "call of a model", "calls of models"));
        words.push(words::count(usage.tokens as usize, "token", "tokens"));
        words.push(usage.dollars.map_or_else(|| "unknown cost".to_owned(), |dollars| format!("${dollars:.2}")));
    } else {
        words.push("no model was called".to_owned());
    }
    if let Some(end) = ended(scene) {
        words.push(words::span(end.saturating_sub(episode.since)));
    }
    words.join(words::dot(scene))
}

/// When the episode ended; now, or the moment shown, while it goes on.
fn ended(scene: &Scene<'_>) -> Option<u64> {
    let events = scene.timeline.events();
    let stop = scene.live.stops().get(scene.live.stop_at(scene.state.seq)?)?;
    let seq = if stop.end { stop.seq } else { scene.state.seq };
    let at = events.partition_point(|envelope| envelope.seq <= seq).checked_sub(1)?;
    let envelope = events.get(at)?;
    let over = matches!(envelope.event, Event::EpisodeEnded { .. });
    Some(if over || scene.looking { envelope.at } else { scene.clock })
}
