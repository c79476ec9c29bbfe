//! How the selection moves over a placement, and the inspector over its lines.

use super::canvas::Laid;
use super::place::{Placed, Spot};
use super::sketch::Key;
use super::{Graph, View, canvas, next};
use crate::tui::action::Action;
use crate::tui::paint;
use crate::tui::pane::Effect;
use crate::tui::scene::Scene;

impl Graph {
    /// Selects an item.
    pub(super) fn select(&mut self, scene: &Scene<'_>, laid: &Laid, item: usize) -> Vec<Effect> {
        self.follow = false;
        self.scroll = 0;
        match canvas::key(laid, item) {
            Some(Key::Program(name)) => {
                self.group = None;
                vec![Effect::Select(name.clone())]
            }
            Some(group @ Key::Group(..)) => {
                self.group = Some((group.clone(), scene.chosen.program.clone()));
                Vec::new()
            }
            None => Vec::new(),
        }
    }

    /// Opens a group, or closes it.
    pub(super) fn toggle(&mut self, scene: &Scene<'_>, key: &Key) {
        if !self.open.remove(key) {
            self.open.insert(key.clone());
        }
        self.group = Some((key.clone(), scene.chosen.program.clone()));
        self.follow = false;
    }

    /// An arrow in the graph.
    pub(super) fn moved(&mut self, action: Action, scene: &Scene<'_>, view: &View) -> Vec<Effect> {
        let Some(from) = view.selected else {
            let active = next::active(scene).into_iter().find_map(|name| view.laid.sketch.of(name));
            let first = active.unwrap_or(0);
            return self.select(scene, &view.laid, first);
        };
        self.pan = view.pan;
        let item = view.laid.sketch.items.get(from);
        if let Some(group) = item.filter(|item| item.is_group()) {
            let turns = match action {
                Action::Right => !group.open,
                Action::Left => group.open,
                _ => false,
            };
            if turns {
                self.toggle(scene, &group.key);
                return Vec::new();
            }
        }
        let beside = step(&view.laid.placed, from, action);
        // Left of the first member stands its group.
        let outer = item.and_then(|item| item.under).filter(|_| action == Action::Left);
        beside.or(outer).map(|to| self.select(scene, &view.laid, to)).unwrap_or_default()
    }

    /// A movement in the list.
    pub(super) fn moved_in_list(&mut self, action: Action, scene: &Scene<'_>, view: &View) -> Vec<Effect> {
        let last = view.laid.sketch.items.len().saturating_sub(1);
        let page = usize::from(view.parts.graph.height.saturating_sub(2)).max(1);
        let at = view.selected.unwrap_or(0);
        let to = match action {
            Action::Up => at.saturating_sub(1),
            Action::Down if view.selected.is_none() => at,
            Action::Down => at + 1,
            Action::PageUp => at.saturating_sub(page),
            Action::PageDown => at + page,
            Action::Top => 0,
            Action::Bottom => last,
            _ => at,
        };
        let to = to.min(last);
        self.top = paint::window(last + 1, to, self.top, view.parts.graph.height.saturating_sub(1)).start;
        self.select(scene, &view.laid, to)
    }

    /// A movement in the inspector.
    pub(super) fn scrolled(&mut self, action: Action, scene: &Scene<'_>, view: &View) {
        let inspector = view.parts.inspector;
        let height = usize::from(inspector.height.saturating_sub(1));
        let last = self.inspector(view).len(scene, inspector.width).saturating_sub(height);
        let page = height.saturating_sub(1).max(1);
        self.scroll = match action {
            Action::PageUp => self.scroll.min(last).saturating_sub(page),
            Action::PageDown => (self.scroll + page).min(last),
            Action::Top => 0,
            Action::Bottom => last,
            _ => self.scroll,
        };
    }
}

/// The item that is next in a direction; none at the edge.
fn step(placed: &Placed, from: usize, action: Action) -> Option<usize> {
    let here = *placed.spots.get(from)?;
    let others = || placed.spots.iter().enumerate().filter(|(index, spot)| *index != from && spot.width > 0);
    let beside = |right: bool| {
        let on = |spot: &&(usize, &Spot)| spot.1.row == here.row && (spot.1.x > here.x) == right;
        let found: Vec<(usize, &Spot)> = others().collect();
        found.iter().filter(on).min_by_key(|(_, spot)| (spot.x - here.x).abs()).map(|(index, _)| *index)
    };
    let row = match action {
        Action::Left => return beside(false),
        Action::Right => return beside(true),
        Action::Up => others().map(|(_, spot)| spot.row).filter(|row| *row < here.row).max()?,
        Action::Down => others().map(|(_, spot)| spot.row).filter(|row| *row > here.row).min()?,
        _ => return None,
    };
    let there = others().filter(|(_, spot)| spot.row == row);
    there.min_by_key(|(_, spot)| ((spot.anchor - here.anchor).abs(), spot.x)).map(|(index, _)| index)
}
