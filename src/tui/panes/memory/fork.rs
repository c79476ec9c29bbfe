//! Entries of the user's own: edited or added in a fork of the session.

use super::{Memory, detail, edit};
use crate::model::{Command, ContributionId, Cycle, Seq};
use crate::tui::pane::{Effect, Purpose, Tone};
use crate::tui::scene::Scene;
use crate::tui::text;

impl Memory {
    /// Asks for a new entry.
    pub(super) fn add(scene: &Scene<'_>) -> Vec<Effect> {
        if moment(scene).is_none() {
            return vec![nowhere()];
        }
        let title = "a new entry, in a fork of this session".to_owned();
        vec![Effect::Edit { purpose: Purpose::Entry(None), title, text: edit::template() }]
    }

    /// Asks how the selected entry should be.
    pub(super) fn edit(&self, scene: &Scene<'_>) -> Vec<Effect> {
        let Some(entry) = self.selected(scene).and_then(|id| scene.state.memory.get(id)) else {
            return vec![Effect::Say(Tone::Bad, "no entry is selected".to_owned())];
        };
        if moment(scene).is_none() {
            return vec![nowhere()];
        }
        let Some(text) = edit::write(entry) else {
            return vec![Effect::Say(Tone::Bad, "the data of this entry is too large to edit here".to_owned())];
        };
        let title = format!("{}, in a fork of this session", detail::title(entry));
        vec![Effect::Edit { purpose: Purpose::Entry(Some(entry.id)), title, text }]
    }

    /// Takes an edited entry in: it becomes the first thing that is done in a fork.
    pub(super) fn edited(&self, id: Option<ContributionId>, text: &str, scene: &Scene<'_>) -> Vec<Effect> {
        let old = id.and_then(|id| scene.state.memory.get(id));
        let again = |why: String| {
            let title = old.map_or_else(|| "a new entry".to_owned(), |entry| detail::title(entry));
            let again = Effect::Edit { purpose: Purpose::Entry(id), title, text: text.to_owned() };
            vec![Effect::Say(Tone::Bad, text::clean(&why).into_owned()), again]
        };
        if id.is_some() && old.is_none() {
            return again("that entry is not there at the moment shown; press L and try again".to_owned());
        }
        let edited = match edit::read(text, old.map(|entry| &**entry)) {
            Ok(edited) => edited,
            Err(why) => return again(why),
        };
        if old.is_some_and(|old| (&old.text, &old.data) == (&edited.text, &edited.data)) {
            return vec![Effect::Say(Tone::Plain, "nothing was changed, so nothing was forked".to_owned())];
        }
        let Some((episode, cycle)) = moment(scene) else { return vec![nowhere()] };
        let then = Command::EditMemory {
            supersedes: id,
            section: edited.section,
            part: edited.part,
            text: edited.text,
            data: edited.data,
        };
        vec![Effect::Fork { episode, cycle, then: Some(then) }]
    }
}

/// Episode and cycle of the last stop that is not after what is shown.
fn moment(scene: &Scene<'_>) -> Option<(u32, Cycle)> {
    let stop = scene.live.stops().get(scene.live.stop_at(scene.state.seq)?)?;
    (stop.seq > Seq(0)).then_some((stop.episode, stop.cycle))
}

fn nowhere() -> Effect {
    Effect::Say(Tone::Bad, "there is nothing to fork from yet: memory is edited in a copy of the session".to_owned())
}
