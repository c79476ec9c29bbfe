//! The lines of a picture: one an edge, but one for all where a whole cluster leads to the same place, or is led to from there,
//! with the same prior.

use std::collections::BTreeMap;

use super::layout::{Area, Placed};
use super::{Drawing, Edge};

/// A line to draw.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) from: Area,
    pub(super) to: Area,
    pub(super) label: String,
    pub(super) tip: String,
    pub(super) weight: f64,
    pub(super) dashed: bool,
}

/// The lines of a drawing that was placed.
pub(super) fn lines(drawing: &Drawing, placed: &Placed) -> Vec<Line> {
    let mut left: Vec<&Edge> = drawing.edges.iter().collect();
    let mut found = Vec::new();
    let label = |index: usize| drawing.nodes[index].label.as_str();
    for cluster in placed.clusters.iter().filter(|cluster| cluster.members.len() > 1) {
        let inside = |index: usize| cluster.members.contains(&index);
        let name = format!("{} ({})", cluster.name, cluster.members.len());
        for into in [true, false] {
            let ends = |edge: &Edge| if into { (edge.from, edge.to) } else { (edge.to, edge.from) };
            let mut bundles: BTreeMap<(usize, String), Vec<usize>> = BTreeMap::new();
            for (place, edge) in left.iter().enumerate() {
                let (outer, inner) = ends(edge);
                if inside(inner) && !inside(outer) {
                    bundles.entry((outer, edge.label.clone())).or_default().push(place);
                }
            }
            let mut gone = Vec::new();
            for ((outer, prior), places) in bundles {
                let Some(first) =
                    places.first().map(|place| left[*place]).filter(|_| places.len() == cluster.members.len())
                else {
                    continue;
                };
                let (a, b) = (placed.nodes[outer], cluster.area);
                let (from, to) = if into { (a, b) } else { (b, a) };
                let tip = match into {
                    true => format!("{} → {name}: {prior}", label(outer)),
                    false => format!("{name} → {}: {prior}", label(outer)),
                };
                found.push(Line { from, to, label: prior, tip, weight: first.weight, dashed: first.dashed });
                gone.extend(places);
            }
            let mut place = 0;
            left.retain(|_| {
                place += 1;
                !gone.contains(&(place - 1))
            });
        }
    }
    found.extend(left.into_iter().map(|edge| Line {
        from: placed.nodes[edge.from],
        to: placed.nodes[edge.to],
        label: edge.label.clone(),
        tip: format!("{} → {}: {}", label(edge.from), label(edge.to), edge.label),
        weight: edge.weight,
        dashed: edge.dashed,
    }));
    found
}
