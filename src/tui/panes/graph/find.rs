//! Finds programs by name.

use super::Graph;
use super::sketch::Sketch;
use crate::model::ProgramName;
use crate::tui::pane::{Effect, Tone};
use crate::tui::scene::Scene;
use crate::tui::text;

impl Graph {
    /// The next program with the words in its name, or the one before; `here` may be the selected one itself.
    pub(super) fn find(&mut self, scene: &Scene<'_>, on: bool, here: bool) -> Vec<Effect> {
        if self.found.is_empty() {
            return Vec::new();
        }
        let revisions = scene.state.revisions.iter().map(AsRef::as_ref);
        let sketch = Sketch::flat(scene.first_network, scene.network, revisions);
        let names: Vec<&ProgramName> = sketch.items.iter().filter_map(|item| item.program()).collect();
        let words = self.found.to_lowercase();
        let hits: Vec<usize> = (0..names.len())
            .filter(|at| names.get(*at).is_some_and(|name| name.as_str().to_lowercase().contains(&words)))
            .collect();
        let at = scene.chosen.program.as_ref().and_then(|chosen| names.iter().position(|name| *name == chosen));
        let next = match (at, on) {
            (None, true) => hits.first(),
            (None, false) => hits.last(),
            (Some(at), true) => hits.iter().find(|hit| **hit > at || here && **hit == at).or_else(|| hits.first()),
            (Some(at), false) => hits.iter().rev().find(|hit| **hit < at).or_else(|| hits.last()),
        };
        let Some(name) = next.and_then(|hit| names.get(*hit)) else {
            let words = text::clean(&self.found).into_owned();
            return vec![Effect::Say(Tone::Bad, format!("no program has `{words}` in its name"))];
        };
        let grouped = Sketch::new(
            scene.first_network,
            scene.network,
            scene.state.revisions.iter().map(AsRef::as_ref),
            &self.open,
        );
        if let Some(group) = grouped.group_of(name) {
            self.open.insert(group.clone());
        }
        (self.group, self.follow, self.scroll) = (None, false, 0);
        vec![Effect::Select((*name).clone())]
    }
}
