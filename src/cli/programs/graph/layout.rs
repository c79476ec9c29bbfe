//! Places the nodes of a drawing: ranks one after the other, clusters within a rank side by side, and within a cluster a
//! grid. Nodes are ordered so that edges cross less: each goes to the mean place of its neighbours, a few times over.

use std::collections::BTreeMap;

use super::Drawing;

/// Space around everything.
pub(super) const MARGIN: f64 = 28.0;
/// Height of a node.
pub(super) const HEIGHT: f64 = 32.0;
/// Room for the name of a cluster.
pub(super) const LABEL: f64 = 16.0;
/// Room for the names of ranks, at the left or on top.
const RANK_LABEL: f64 = 92.0;
/// Space between nodes of a cluster.
const GAP: f64 = 16.0;
/// Space between ranks, for edges to turn in.
const BETWEEN: f64 = 56.0;
/// Nodes of a cluster in one line, where ranks go down.
const ACROSS: usize = 5;
/// Times that the nodes are ordered anew.
const SWEEPS: usize = 6;

/// A rectangle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Area {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Area {
    pub(super) fn middle(&self) -> (f64, f64) {
        (self.x + self.width / 2.0, self.y + self.height / 2.0)
    }
}

/// A box round nodes that belong together.
#[derive(Clone, Debug)]
pub(super) struct Cluster {
    pub(super) area: Area,
    pub(super) name: String,
    pub(super) members: Vec<usize>,
}

/// Where everything stands.
#[derive(Clone, Debug, Default)]
pub(super) struct Placed {
    pub(super) width: f64,
    pub(super) height: f64,
    /// One a node.
    pub(super) nodes: Vec<Area>,
    /// Boxes round clusters.
    pub(super) clusters: Vec<Cluster>,
    /// Names of ranks with the middle of each.
    pub(super) ranks: Vec<(&'static str, f64, f64)>,
}

/// Width of a node with this label.
fn width(label: &str) -> f64 {
    let letters = u32::try_from(label.chars().count().min(60)).unwrap_or(60);
    (f64::from(letters) * 7.4 + 24.0).max(64.0)
}

/// Places a drawing.
pub(super) fn place(drawing: &Drawing) -> Placed {
    let mut order: Vec<f64> = (0..u32::try_from(drawing.nodes.len()).unwrap_or(u32::MAX)).map(f64::from).collect();
    let mut placed = lay(drawing, &order);
    for _ in 0..SWEEPS {
        order = wishes(drawing, &placed);
        placed = lay(drawing, &order);
    }
    placed
}

/// Where each node would like to stand across the ranks: the mean of its neighbours' places and its own.
fn wishes(drawing: &Drawing, placed: &Placed) -> Vec<f64> {
    let across = |index: usize| {
        let (x, y) = placed.nodes[index].middle();
        if drawing.sideways { y } else { x }
    };
    let mut sums: Vec<(f64, f64)> = (0..drawing.nodes.len()).map(|index| (across(index), 1.0)).collect();
    for edge in &drawing.edges {
        for (at, other) in [(edge.from, edge.to), (edge.to, edge.from)] {
            let weight = edge.weight.max(0.05) * 2.0;
            sums[at] = (sums[at].0 + across(other) * weight, sums[at].1 + weight);
        }
    }
    sums.into_iter().map(|(sum, weights)| sum / weights).collect()
}

/// Lays the nodes out, within each cluster in the given order.
fn lay(drawing: &Drawing, order: &[f64]) -> Placed {
    let mut ranks: BTreeMap<usize, BTreeMap<Option<&str>, Vec<usize>>> = BTreeMap::new();
    for (index, node) in drawing.nodes.iter().enumerate() {
        ranks.entry(node.rank).or_default().entry(node.cluster.as_deref()).or_default().push(index);
    }
    let mut placed = Placed { nodes: vec![Area::default(); drawing.nodes.len()], ..Placed::default() };
    let mut extents: Vec<(Vec<usize>, Vec<usize>, f64)> = Vec::new();
    let mut along = MARGIN + if drawing.sideways { LABEL + GAP } else { 0.0 };
    for clusters in ranks.values() {
        let mut blocks: Vec<(Option<&str>, Vec<usize>, f64)> = Vec::new();
        for (cluster, nodes) in clusters {
            let mut nodes = nodes.clone();
            nodes.sort_by(|a, b| order[*a].total_cmp(&order[*b]).then(a.cmp(b)));
            let many = f64::from(u32::try_from(nodes.len()).unwrap_or(u32::MAX)).max(1.0);
            let mean = nodes.iter().map(|index| order[*index]).sum::<f64>() / many;
            blocks.push((*cluster, nodes, mean));
        }
        blocks.sort_by(|a, b| a.2.total_cmp(&b.2));
        let (mut across, mut deepest) = (0.0_f64, 0.0_f64);
        let (first_cluster, mut members) = (placed.clusters.len(), Vec::new());
        for (cluster, nodes, _) in blocks {
            let pad = if cluster.is_some() { 10.0 } else { 0.0 };
            let head = if cluster.is_some() { LABEL } else { 0.0 };
            let columns = if drawing.sideways { 1 } else { ACROSS };
            let cell = nodes.iter().map(|index| width(&drawing.nodes[*index].label)).fold(0.0, f64::max);
            let (mut right, mut bottom) = (0.0_f64, 0.0_f64);
            for (number, index) in nodes.iter().enumerate() {
                let step = |count: usize, size: f64| f64::from(u32::try_from(count).unwrap_or(u32::MAX)) * (size + GAP);
                let (dx, dy) = (pad + step(number % columns, cell), pad + head + step(number / columns, HEIGHT));
                let (x, y) = if drawing.sideways { (along, across + dy) } else { (across + dx, along + dy) };
                placed.nodes[*index] = Area { x, y, width: cell, height: HEIGHT };
                (right, bottom) = (right.max(dx + cell + pad), bottom.max(dy + HEIGHT + pad));
            }
            if let Some(cluster) = cluster {
                let area = Area { x: across, y: along, width: right, height: bottom };
                placed.clusters.push(Cluster { area, name: cluster.to_owned(), members: nodes.clone() });
            }
            members.extend(nodes);
            across += if drawing.sideways { bottom } else { right } + GAP;
            deepest = deepest.max(if drawing.sideways { cell } else { bottom });
        }
        let name = members.first().map_or("", |index| drawing.nodes[*index].rank_name);
        placed.ranks.push((name, along + deepest / 2.0, 0.0));
        extents.push((members, (first_cluster..placed.clusters.len()).collect(), across - GAP));
        along += deepest + if drawing.sideways { BETWEEN * 5.0 } else { BETWEEN };
    }
    centre(drawing, &mut placed, &extents);
    let widest = extents.iter().map(|(_, _, extent)| *extent).fold(0.0, f64::max);
    let end = along - if drawing.sideways { BETWEEN * 5.0 } else { BETWEEN } + MARGIN;
    (placed.width, placed.height) = match drawing.sideways {
        true => (end, widest + MARGIN * 2.0 + LABEL + GAP),
        false => (widest + MARGIN * 2.0 + RANK_LABEL, end),
    };
    placed
}

/// Centres every rank on the widest.
fn centre(drawing: &Drawing, placed: &mut Placed, extents: &[(Vec<usize>, Vec<usize>, f64)]) {
    let widest = extents.iter().map(|(_, _, extent)| *extent).fold(0.0, f64::max);
    for (number, (members, clusters, extent)) in extents.iter().enumerate() {
        let start = MARGIN + if drawing.sideways { LABEL + GAP } else { RANK_LABEL };
        let shift = start + (widest - extent) / 2.0;
        let areas = members.iter().map(|index| (*index, false)).chain(clusters.iter().map(|index| (*index, true)));
        for (index, cluster) in areas {
            let area = if cluster { &mut placed.clusters[index].area } else { &mut placed.nodes[index] };
            if drawing.sideways {
                area.y += shift;
            } else {
                area.x += shift;
            }
        }
        let at = placed.ranks[number].1;
        placed.ranks[number] = match drawing.sideways {
            true => (placed.ranks[number].0, at, MARGIN + LABEL / 2.0),
            false => (placed.ranks[number].0, MARGIN, at),
        };
    }
}
