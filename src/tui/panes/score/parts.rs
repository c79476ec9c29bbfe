//! Where each part of the question stands.

use crate::model::PartScore;
use crate::tui::brief;
use crate::tui::page::Page;
use crate::tui::paint::share;
use crate::tui::panes::memory::author;
use crate::tui::scene::Scene;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::words;

use crate::model::PartState;

/// Most parts that are shown.
const MOST: usize = 200;

/// A paragraph a part, laid out for a width.
pub(super) fn page(scene: &Scene<'_>, width: usize) -> Option<Page> {
    let score = scene.state.scores.last()?.score.clone();
    let mut page = Page::default();
    for part in score.parts.iter().take(MOST) {
        if page.len() > 0 {
            page.blank();
        }
        one(scene, part, width, &mut page);
    }
    if score.parts.len() > MOST {
        page.row(vec![(Role::Quiet, format!("{} and {} more parts", scene.glyphs.more, score.parts.len() - MOST))]);
    }
    if score.n > 1 {
        page.blank();
        let words =
            format!("mean {} over {} scorings, standard error {}", share(score.mean), score.n, words::number(score.se));
        page.say(Role::Quiet, &words, width, 2);
    }
    Some(page)
}

fn one(scene: &Scene<'_>, part: &PartScore, width: usize, page: &mut Page) {
    let query = scene.state.episode.as_ref().map(|episode| episode.query.clone());
    let asked = query.as_ref().and_then(|query| query.part(part.part));
    let (role, sign) = look(scene, part.state);
    let dot = words::dot(scene);
    let class = asked.map_or(String::new(), |asked| format!("{dot}{}", text::clean(brief::head(&asked.class, 40))));
    page.row(vec![
        (Role::Accent, format!("part {}", part.part)),
        (Role::Quiet, class),
        (role, format!("{dot}{sign} {}", words::part_state(part.state))),
        (Role::Strong, format!("{dot}{}", share(part.value))),
        (Role::Quiet, format!(" of {}", share(part.cap))),
    ]);
    if let Some(asked) = asked {
        page.say(Role::Quiet, &format!("  {}", text::clean(brief::head(&asked.text, 800))), width, 2);
    }
    let value = scene.state.memory.board(part.part).and_then(|board| board.current());
    match value {
        Some(value) => {
            let (line, more) = brief::first_line(&value.text, 400);
            let more = if more { " …" } else { "" };
            page.say(Role::Text, &format!("  = {}{more}", text::clean(line)), width, 4);
            let words = format!(
                "    #{} {} by {}, cycle {}",
                value.id,
                text::clean(value.section.as_str()),
                author(value),
                value.cycle
            );
            page.say(Role::Quiet, &words, width, 4);
        }
        None => page.say(Role::Quiet, "  no value stands", width, 2),
    }
    if !part.why.is_empty() {
        page.say(role, &format!("  {}", text::clean(brief::head(&part.why, 800))), width, 2);
    }
    if part.cap < 1.0 {
        let words = format!("  {} is the most here: no check of the scorer's own can prove it", share(part.cap));
        page.say(Role::Quiet, &words, width, 2);
    }
}

/// How a state looks: its role and its sign.
fn look(scene: &Scene<'_>, state: PartState) -> (Role, &'static str) {
    match state {
        PartState::Unanswered => (Role::Quiet, scene.glyphs.dot),
        PartState::Refuted => (Role::Bad, scene.glyphs.failed),
        PartState::Withdrawn => (Role::Unsure, scene.glyphs.objection),
        PartState::Answered => (Role::Unsure, scene.glyphs.waits),
        PartState::Corroborated | PartState::Proved => (Role::Good, scene.glyphs.done),
    }
}
