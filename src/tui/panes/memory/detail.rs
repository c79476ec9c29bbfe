//! One entry in full.

use crate::model::{Author, Contribution, ContributionId};
use crate::tui::brief;
use crate::tui::index::episode_of;
use crate::tui::page::Page;
use crate::tui::scene::Scene;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::words::{self, Standing, standing};

/// Most bytes of data that are shown.
const DATA: usize = 16 << 10;
/// Later entries that are searched for what speaks about this one.
const LATER: u32 = 512;
/// Of those found, this many are named.
const NAMED: usize = 4;

/// Everything about an entry, laid out for a width.
pub(super) fn page(scene: &Scene<'_>, entry: &Contribution, width: usize) -> Page {
    let mut page = Page::default();
    for (role, words) in place(scene, entry) {
        page.say(role, &words, width, 2);
    }
    if !entry.text.trim().is_empty() {
        page.blank();
        page.markdown(&entry.text, width);
    }
    let relations = relations(scene, entry);
    if !relations.is_empty() {
        page.blank();
    }
    for (role, words) in relations {
        page.say(role, &words, width, 2);
    }
    if !entry.data.is_null() {
        page.blank();
        page.row(vec![(Role::Quiet, "data, read by programs and by the scorer".to_owned())]);
        let (json, whole) = brief::pretty(&entry.data, DATA);
        page.code("data.json", &json);
        if !whole {
            page.row(vec![(Role::Quiet, format!("{} cut after {} kB", scene.glyphs.more, DATA >> 10))]);
        }
    }
    page
}

/// Name and author of an entry, for a title.
pub(super) fn title(entry: &Contribution) -> String {
    format!("{} #{} by {}", text::clean(entry.section.as_str()), entry.id, author(entry))
}

/// Who wrote an entry, in a word.
pub(in crate::tui) fn author(entry: &Contribution) -> String {
    match &entry.author {
        Author::Human => "you".to_owned(),
        Author::Engine => "the engine".to_owned(),
        Author::Program(name) => text::clean(name.as_str()).into_owned(),
    }
}

/// When it was written, for what, and whether it stands.
fn place(scene: &Scene<'_>, entry: &Contribution) -> Vec<(Role, String)> {
    let state = scene.state;
    let mut facts = Vec::new();
    let episodes = scene.live.index().episodes(state.seq);
    let episode = episode_of(episodes, entry.id);
    let mut place = format!("cycle {}", entry.cycle);
    if episodes.len() > 1 {
        place.push_str(&format!(" of episode {episode}"));
    }
    if let Some(activation) = entry.activation {
        place.push_str(&format!("{}activation {activation}", words::dot(scene)));
    }
    if let Some(point) = scene.live.index().point(episode, entry.cycle).filter(|point| point.seq <= state.seq) {
        place.push_str(&format!("{}J to {}", words::dot(scene), words::number(point.j)));
        if point.delta != 0.0 {
            place.push_str(&format!(" ({})", crate::tui::paint::signed(point.delta).trim()));
        }
    }
    facts.push((Role::Quiet, place));
    if let Some(id) = entry.part {
        let part = state.episode.as_ref().filter(|now| now.number == episode).and_then(|now| now.query.part(id));
        let words = part.map_or(String::new(), |part| format!(": {}", text::clean(brief::head(&part.text, 400))));
        facts.push((Role::Quiet, format!("part {id}{words}")));
    }
    match standing(state, entry) {
        Standing::Stands => {}
        Standing::Replaced(by) => facts.push((Role::Unsure, format!("replaced by {}", named(scene, by)))),
        Standing::Withdrawn(by) => facts.push((Role::Bad, format!("withdrawn, shown wrong by {}", named(scene, by)))),
        Standing::Retired => facts.push((Role::Quiet, "put aside when the next question began".to_owned())),
    }
    facts
}

/// What it has to do with other entries.
fn relations(scene: &Scene<'_>, entry: &Contribution) -> Vec<(Role, String)> {
    let mut facts = Vec::new();
    for old in entry.supersedes.iter().take(NAMED) {
        facts.push((Role::Text, format!("replaces {}", named(scene, old.0))));
    }
    if let Some(about) = entry.about {
        facts.push((Role::Text, format!("speaks about {}", named(scene, about.0))));
    }
    let known = match standing(scene.state, entry) {
        Standing::Withdrawn(by) => Some(by),
        Standing::Stands | Standing::Replaced(_) | Standing::Retired => None,
    };
    for later in about(scene, entry.id).into_iter().filter(|later| Some(later.0) != known) {
        facts.push((Role::Text, format!("spoken about by {}", named(scene, later.0))));
    }
    if entry.informed {
        let words = "its author had seen another's value, and may have copied it: it corroborates nothing";
        facts.push((Role::Unsure, words.to_owned()));
    }
    facts
}

/// The first later entries that speak about one.
fn about(scene: &Scene<'_>, id: ContributionId) -> Vec<ContributionId> {
    let later = (id.0 + 1..scene.state.memory.next_id().0).take(LATER as usize).map(ContributionId);
    let speaks = |later: &ContributionId| scene.state.memory.get(*later).is_some_and(|entry| entry.about == Some(id));
    later.filter(speaks).take(NAMED).collect()
}

/// An entry by its number, with what it is and says in short.
fn named(scene: &Scene<'_>, id: u32) -> String {
    let Some(entry) = scene.state.memory.get(ContributionId(id)) else { return format!("#{id}") };
    let (line, _) = brief::first_line(&entry.text, 120);
    let line = text::clean(line).into_owned();
    format!("#{id} {} by {}: {}", text::clean(entry.section.as_str()), author(entry), text::fit(&line, 48))
}
