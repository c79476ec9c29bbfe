//! `mop programs graph`: a network drawn, by who leads to whom or by who reads and writes what.

mod formats;
mod layout;
mod lines;
mod svg;

use std::collections::BTreeMap;

use clap::ValueEnum;

use crate::engine::ports::Library;
use crate::model::{Contract, Network, Section};
use crate::setup::Works;

use super::super::failure::Failure;
use super::super::text::plain;
use super::super::{exit, out};

/// Draw the network
///
/// Programs of a contract share a rank, groups are clusters, and edges carry their priors.
#[derive(Debug, clap::Args)]
pub(super) struct Graph {
    /// How it is drawn
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Draw who reads and writes which section of memory
    #[arg(long)]
    data: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// For Markdown pages that draw it
    Mermaid,
    /// For Graphviz
    Dot,
    /// A picture that needs nothing else
    Svg,
}

/// Draws the network in use.
pub(super) fn run(works: &Works, args: &Graph) -> Result<u8, Failure> {
    let network = works.library.network()?;
    let drawing = if args.data { data(&network) } else { flow(&network) };
    out::write(&match args.format {
        Format::Text => formats::text(&drawing),
        Format::Mermaid => formats::mermaid(&drawing),
        Format::Dot => formats::dot(&drawing),
        Format::Svg => svg::svg(&drawing),
    });
    Ok(exit::DONE)
}

/// What is drawn, before anything is placed.
#[derive(Clone, Debug, Default)]
struct Drawing {
    title: String,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    /// Ranks go from left to right instead of from top to bottom.
    sideways: bool,
}

#[derive(Clone, Debug)]
struct Node {
    label: String,
    /// What is said about it where the format can.
    tip: String,
    /// Nodes of a rank stand beside each other; ranks go from the entry on.
    rank: usize,
    /// The rank's name: a contract, or what the nodes are.
    rank_name: &'static str,
    /// The cluster within its rank.
    cluster: Option<String>,
    look: Look,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    /// The program that reads the query first.
    Entry,
    /// A program.
    Program,
    /// A program that takes no part now.
    Off,
    /// A section of memory.
    Section,
}

#[derive(Clone, Debug)]
struct Edge {
    from: usize,
    to: usize,
    label: String,
    /// 0 to 1: how heavy its line is.
    weight: f64,
    dashed: bool,
}

/// The rank of a contract and its name: in the order in which a question meets them, and then those that are called for.
fn rank(contract: Contract) -> (usize, &'static str) {
    let beside = (10, "beside the route");
    match contract {
        Contract::Router => (0, contract.name()),
        Contract::Definer => (1, contract.name()),
        Contract::Planner => (2, contract.name()),
        Contract::Solver => (3, contract.name()),
        Contract::Alternative => (4, contract.name()),
        Contract::Critic => (5, contract.name()),
        Contract::Optimizer => (6, contract.name()),
        Contract::Judge => (7, contract.name()),
        Contract::GoalCheck => (8, contract.name()),
        Contract::Presenter => (9, contract.name()),
        Contract::Integrity | Contract::Manager | Contract::Supervisor | Contract::Worker | Contract::Persona => beside,
    }
}

/// The programs of a network, by rank and then cluster, with their places in the list.
fn programs(network: &Network) -> (Vec<Node>, BTreeMap<String, usize>) {
    let mut nodes: Vec<Node> = network
        .order
        .iter()
        .filter_map(|name| network.program(name))
        .map(|program| Node {
            label: program.name.to_string(),
            tip: format!("{}: {}", program.name, plain(&program.manifest.role)),
            rank: rank(program.contract()).0,
            rank_name: rank(program.contract()).1,
            cluster: program.manifest.group.as_deref().map(plain),
            look: match program.manifest.active {
                false => Look::Off,
                true if program.name == network.entry => Look::Entry,
                true => Look::Program,
            },
        })
        .collect();
    nodes.sort_by(|a, b| (a.rank, &a.cluster, &a.label).cmp(&(b.rank, &b.cluster, &b.label)));
    let places = nodes.iter().enumerate().map(|(index, node)| (node.label.clone(), index)).collect();
    (nodes, places)
}

/// Who leads to whom.
fn flow(network: &Network) -> Drawing {
    let (nodes, places) = programs(network);
    let edge = |edge: &crate::model::Edge| {
        let (from, to) = (places.get(edge.from.as_str())?, places.get(edge.to.as_str())?);
        Some(Edge { from: *from, to: *to, label: format!("{:.2}", edge.prior), weight: edge.prior, dashed: false })
    };
    let edges = network.edges.iter().filter_map(edge).collect();
    Drawing { title: plain(&network.name), nodes, edges, sideways: false }
}

/// Who reads and writes what.
fn data(network: &Network) -> Drawing {
    let (mut nodes, places) = programs(network);
    for node in &mut nodes {
        (node.rank, node.rank_name, node.cluster) = (0, "programs", None);
    }
    let mut edges = Vec::new();
    let mut sections: BTreeMap<Section, usize> = BTreeMap::new();
    for program in network.programs.values() {
        let Some(program_at) = places.get(program.name.as_str()) else { continue };
        let mut place = |section: &Section| {
            *sections.entry(section.clone()).or_insert_with(|| {
                let label = plain(section.as_str());
                let tip = format!("section {label} of working memory");
                let look = Look::Section;
                nodes.push(Node { label, tip, rank: 1, rank_name: "sections of memory", cluster: None, look });
                nodes.len() - 1
            })
        };
        for section in &program.manifest.writes {
            let to = place(section);
            edges.push(Edge { from: *program_at, to, label: "writes".into(), weight: 0.8, dashed: false });
        }
        for section in &program.manifest.reads {
            let from = place(section);
            edges.push(Edge { from, to: *program_at, label: "reads".into(), weight: 0.3, dashed: true });
        }
    }
    Drawing { title: plain(&network.name), nodes, edges, sideways: true }
}
