//! Drawings as text: for people, for Mermaid, for Graphviz.

use std::fmt::Write;

use super::super::super::text::count;
use super::{Drawing, Edge, Look, Node};

/// Nodes with what leads out of them, rank by rank.
pub(super) fn text(drawing: &Drawing) -> String {
    let mut text = String::new();
    for (rank, clusters) in ranks(drawing) {
        let _ = writeln!(text, "{rank}");
        for (cluster, nodes) in clusters {
            if let Some(cluster) = cluster {
                let _ = writeln!(text, "  [{cluster}]");
            }
            for index in nodes {
                let _ = writeln!(text, "  {}{}", drawing.nodes[index].label, mark(&drawing.nodes[index]));
                let indent = if drawing.sideways { data(drawing, index) } else { ways(drawing, index) };
                indent.iter().for_each(|line| text.push_str(&format!("      {line}\n")));
            }
        }
    }
    let _ = writeln!(text, "{}, {}", count(drawing.nodes.len(), "node"), count(drawing.edges.len(), "edge"));
    text
}

/// Who may follow a program, each with its prior.
fn ways(drawing: &Drawing, index: usize) -> Vec<String> {
    let out = drawing.edges.iter().filter(|edge| edge.from == index);
    out.map(|edge| format!("→ {} {}", edge.label, drawing.nodes[edge.to].label)).collect()
}

/// What a program reads and writes, or who reads and writes a section.
fn data(drawing: &Drawing, index: usize) -> Vec<String> {
    let ends = |end: fn(&Edge) -> usize, other: fn(&Edge) -> usize| -> Vec<&str> {
        let own = drawing.edges.iter().filter(|edge| end(edge) == index);
        own.map(|edge| drawing.nodes[other(edge)].label.as_str()).collect()
    };
    let (gets, gives) = (ends(|edge| edge.to, |edge| edge.from), ends(|edge| edge.from, |edge| edge.to));
    let (came, goes) = match drawing.nodes[index].look {
        Look::Section => ("written by", "read by"),
        Look::Entry | Look::Program | Look::Off => ("reads", "writes"),
    };
    let lines = [(came, gets), (goes, gives)].into_iter().filter(|(_, names)| !names.is_empty());
    lines.map(|(how, names)| format!("{how} {}", names.join(", "))).collect()
}

fn mark(node: &Node) -> &'static str {
    match node.look {
        Look::Entry => " (entry)",
        Look::Off => " (off)",
        Look::Program | Look::Section => "",
    }
}

/// A Mermaid flowchart.
pub(super) fn mermaid(drawing: &Drawing) -> String {
    let mut text = format!("flowchart {}\n", if drawing.sideways { "LR" } else { "TD" });
    for (number, (rank, clusters)) in ranks(drawing).into_iter().enumerate() {
        let _ = writeln!(text, "  subgraph rank{number}[\"{}\"]", entities(rank));
        for (inner, (cluster, nodes)) in clusters.into_iter().enumerate() {
            if let Some(cluster) = &cluster {
                let _ = writeln!(text, "    subgraph rank{number}_{inner}[\"{}\"]", entities(cluster));
            }
            for index in nodes {
                let node = &drawing.nodes[index];
                let label = entities(&node.label);
                let shape = match node.look {
                    Look::Section => format!("n{index}([\"{label}\"])"),
                    Look::Entry => format!("n{index}{{{{\"{label}\"}}}}"),
                    Look::Program | Look::Off => format!("n{index}[\"{label}\"]"),
                };
                let _ = writeln!(text, "    {shape}");
            }
            if cluster.is_some() {
                text.push_str("    end\n");
            }
        }
        text.push_str("  end\n");
    }
    for Edge { from, to, label, dashed, .. } in &drawing.edges {
        let arrow = if *dashed { "-.->" } else { "-->" };
        let _ = writeln!(text, "  n{from} {arrow}|{label}| n{to}");
    }
    text
}

/// A graph in the language of Graphviz.
pub(super) fn dot(drawing: &Drawing) -> String {
    let mut text = format!("digraph {} {{\n", quoted(&drawing.title));
    let direction = if drawing.sideways { "LR" } else { "TB" };
    let _ = writeln!(text, "  graph [rankdir={direction}, newrank=true, fontname=\"sans-serif\"];");
    text.push_str(
        "  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\", fontsize=9];\n",
    );
    for (number, (rank, clusters)) in ranks(drawing).into_iter().enumerate() {
        let mut same = Vec::new();
        for (inner, (cluster, nodes)) in clusters.into_iter().enumerate() {
            if let Some(cluster) = &cluster {
                let label = quoted(&format!("{rank}/{cluster}"));
                let _ = writeln!(text, "  subgraph cluster_{number}_{inner} {{\n    label={label};");
            }
            for index in nodes {
                let node = &drawing.nodes[index];
                let look = match node.look {
                    Look::Section => ", shape=ellipse",
                    Look::Entry => ", penwidth=2",
                    Look::Off => ", style=dashed",
                    Look::Program => "",
                };
                let (label, tip) = (quoted(&node.label), quoted(&node.tip));
                let _ = writeln!(text, "    n{index} [label={label}, tooltip={tip}{look}];");
                same.push(format!("n{index};"));
            }
            if cluster.is_some() {
                text.push_str("  }\n");
            }
        }
        let _ = writeln!(text, "  {{ rank=same; {} }}", same.join(" "));
    }
    for Edge { from, to, label, dashed, .. } in &drawing.edges {
        let style = if *dashed { ", style=dashed" } else { "" };
        let _ = writeln!(text, "  n{from} -> n{to} [label={}{style}];", quoted(label));
    }
    text + "}\n"
}

/// Nodes of a rank by cluster.
type Clusters = Vec<(Option<String>, Vec<usize>)>;

/// Indices of nodes by rank and then cluster; the nodes are in that order already.
fn ranks(drawing: &Drawing) -> Vec<(&'static str, Clusters)> {
    let mut found: Vec<(&'static str, Clusters)> = Vec::new();
    for (index, node) in drawing.nodes.iter().enumerate() {
        match found.last_mut() {
            Some((rank, clusters)) if *rank == node.rank_name => match clusters.last_mut() {
                Some((cluster, nodes)) if *cluster == node.cluster => nodes.push(index),
                _ => clusters.push((node.cluster.clone(), vec![index])),
            },
            _ => found.push((node.rank_name, vec![(node.cluster.clone(), vec![index])])),
        }
    }
    found
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Characters that mean something to Mermaid, as entities.
fn entities(text: &str) -> String {
    text.chars()
        .map(
            |c| {
                if matches!(c, '"' | '#' | '<' | '>' | '&' | ';') {
                    format!("#{};", u32::from(c))
                } else {
                    c.to_string()
                }
            },
        )
        .collect()
}
