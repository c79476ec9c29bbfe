//! What is worked out from a scene and would come out the same for the next frame.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::canvas::Laid;
use super::marks::Past;
use super::place::{Column, Layered, Placement};
use super::sketch::{Key, Sketch};
use super::wires::Wires;
use crate::model::{Hash, RevisionId, Seq};
use crate::tui::scene::Scene;

/// Placements that are kept.
const KEPT: usize = 12;

/// Which two texts a diff is of.
type Texts = (Hash, Hash);
/// The lines of a diff.
type Diff = Arc<Vec<super::inspector::Changed>>;

/// What a placement depends on; no frame for a list.
#[derive(Clone, Debug, PartialEq)]
struct Basis {
    first: RevisionId,
    now: RevisionId,
    revisions: usize,
    open: BTreeSet<Key>,
    frame: Option<Layered>,
}

/// Remembers the last few.
#[derive(Clone, Debug, Default)]
pub(super) struct Memo {
    laid: Vec<(Basis, Arc<Laid>)>,
    past: Option<((Seq, usize), Arc<Past>)>,
    diff: Option<(Texts, Diff)>,
}

impl Memo {
    /// The network placed; as a list where there is no frame.
    pub(super) fn laid(&mut self, scene: &Scene<'_>, open: &BTreeSet<Key>, frame: Option<Layered>) -> Arc<Laid> {
        let revisions = || scene.state.revisions.iter().map(AsRef::as_ref);
        let basis = Basis {
            first: scene.first_network.revision.clone(),
            now: scene.network.revision.clone(),
            revisions: scene.state.revisions.len(),
            open: open.clone(),
            frame,
        };
        if let Some((_, laid)) = self.laid.iter().find(|(other, _)| *other == basis) {
            return laid.clone();
        }
        let laid = Arc::new(match frame {
            Some(frame) => {
                let sketch = Sketch::new(scene.first_network, scene.network, revisions(), open);
                let placed = frame.place(&sketch);
                let wires = Wires::declared(&sketch, &placed);
                Laid { sketch, placed, wires }
            }
            None => {
                let sketch = Sketch::flat(scene.first_network, scene.network, revisions());
                let placed = Column.place(&sketch);
                Laid { sketch, placed, wires: Wires::default() }
            }
        });
        if self.laid.len() >= KEPT {
            self.laid.remove(0);
        }
        self.laid.push((basis, laid.clone()));
        laid
    }

    /// What happened last.
    pub(super) fn past(&mut self, scene: &Scene<'_>) -> Arc<Past> {
        let at = (scene.state.seq, scene.timeline.events().len());
        match &self.past {
            Some((known, past)) if *known == at => past.clone(),
            Some(_) | None => {
                let past = Arc::new(Past::of(scene));
                self.past = Some((at, past.clone()));
                past
            }
        }
    }

    /// How a text changed.
    pub(super) fn diff(&mut self, before: (&Hash, &str), after: (&Hash, &str)) -> Diff {
        match &self.diff {
            Some(((a, b), diff)) if a == before.0 && b == after.0 => diff.clone(),
            Some(_) | None => {
                let diff = Arc::new(super::inspector::changed(before.1, after.1));
                self.diff = Some(((before.0.clone(), after.0.clone()), diff.clone()));
                diff
            }
        }
    }
}
