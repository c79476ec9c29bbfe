//! A drawing as one picture that needs nothing else.

use std::fmt::Write;

use super::layout::{Area, HEIGHT, LABEL, place};
use super::lines::{Line, lines};
use super::{Drawing, Look};

const STYLE: &str = "\
text{font-family:system-ui,sans-serif;font-size:12px;fill:#1d2733}\
.paper{fill:#fbfbf8}.node{fill:#fff;stroke:#5b6b7d;stroke-width:1.2}.entry{stroke:#1f6feb;stroke-width:2.4}\
.off{stroke-dasharray:4 3;fill:#f1f1ee}.section{fill:#eef4ec;stroke:#5d8a54}\
.cluster{fill:#eef1f5;stroke:#c9d1da}.small{font-size:10px;fill:#5b6b7d}.rank{font-size:11px;fill:#8693a1;font-style:italic}\
.edge{fill:none;stroke:#42597a}.dashed{stroke-dasharray:4 3;stroke:#5d8a54}\
.prior{font-size:9px;fill:#42597a;paint-order:stroke;stroke:#fbfbf8;stroke-width:3px}\
@media(prefers-color-scheme:dark){text{fill:#e4e8ec}.paper{fill:#14181d}.node{fill:#1f262e;stroke:#8fa0b3}\
.off{fill:#191e24}.section{fill:#1c2a1f;stroke:#7fb376}.cluster{fill:#1a2027;stroke:#36414d}.edge{stroke:#8ea8cd}\
.prior{fill:#a9bfe0;stroke:#14181d}.small,.rank{fill:#8693a1}}";

/// Draws it.
pub(super) fn svg(drawing: &Drawing) -> String {
    let placed = place(drawing);
    let (width, height) = (placed.width.ceil(), placed.height.ceil());
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\">\n<title>{}</title>\n<style>{STYLE}</style>\n",
        escaped(&drawing.title)
    );
    text.push_str(
        "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" \
         markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 0.8 7.5 4 0 7.2z\" fill=\"#6f86a8\"/></marker></defs>\n",
    );
    let _ = writeln!(text, "<rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>");
    for cluster in &placed.clusters {
        let Area { x, y, width, height } = cluster.area;
        let _ = writeln!(
            text,
            "<rect class=\"cluster\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"9\"/>\
             <text class=\"small\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            x + 10.0,
            y + LABEL,
            escaped(&cluster.name)
        );
    }
    for (name, x, y) in &placed.ranks {
        let _ = writeln!(text, "<text class=\"rank\" x=\"{x:.1}\" y=\"{:.1}\">{}</text>", y + 4.0, escaped(name));
    }
    let mut labels = String::new();
    for line in lines(drawing, &placed) {
        let (path, (x, y)) = curve(&line, drawing.sideways);
        let class = if line.dashed { "edge dashed" } else { "edge" };
        let (stroke, opacity) = (0.8 + line.weight * 1.8, 0.35 + line.weight.clamp(0.0, 1.0) * 0.55);
        let tip = escaped(&line.tip);
        let _ = writeln!(
            text,
            "<path class=\"{class}\" d=\"{path}\" stroke-width=\"{stroke:.1}\" opacity=\"{opacity:.2}\" \
             marker-end=\"url(#tip)\"><title>{tip}</title></path>"
        );
        if !drawing.sideways {
            let label = escaped(line.label.trim_start_matches('0'));
            let _ = writeln!(
                labels,
                "<text class=\"prior\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{label}</text>"
            );
        }
    }
    text += &labels;
    for (node, area) in drawing.nodes.iter().zip(&placed.nodes) {
        let Area { x, y, width, height } = area;
        let (class, round) = match node.look {
            Look::Entry => ("node entry", 7.0),
            Look::Program => ("node", 7.0),
            Look::Off => ("node off", 7.0),
            Look::Section => ("node section", HEIGHT / 2.0),
        };
        let (cx, cy) = area.middle();
        let _ = writeln!(
            text,
            "<g><title>{}</title><rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" \
             rx=\"{round}\"/><text x=\"{cx:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text></g>",
            escaped(&node.tip),
            cy + 4.0,
            escaped(&node.label)
        );
    }
    text + "</svg>\n"
}

/// A line from one place to another, and a place on it for a label.
fn curve(line: &Line, sideways: bool) -> (String, (f64, f64)) {
    let (a, b) = (line.from, line.to);
    let ((ax, ay), (bx, by)) = (a.middle(), b.middle());
    let points = if a == b {
        let (x, y) = (a.x + a.width, ay);
        [(x, y - 6.0), (x + 34.0, y - 22.0), (x + 34.0, y + 22.0), (x, y + 6.0)]
    } else if sideways {
        let (from, to) = if ax < bx { (a.x + a.width, b.x) } else { (a.x, b.x + b.width) };
        let bend = (to - from) / 2.0;
        [(from, ay), (from + bend, ay), (to - bend, by), (to, by)]
    } else if ay + a.height / 2.0 <= by - b.height / 2.0 || by + b.height / 2.0 <= ay - a.height / 2.0 {
        // Down on the left of the middles, up on the right, so that there and back do not cover each other.
        let side = if ay < by { -9.0 } else { 9.0 };
        let (from, to) = if ay < by { (a.y + a.height, b.y) } else { (a.y, b.y + b.height) };
        let bend = (to - from) / 2.0;
        [(ax + side, from), (ax + side, from + bend), (bx + side, to - bend), (bx + side, to)]
    } else if a.height > HEIGHT * 2.0 || b.height > HEIGHT * 2.0 {
        // Beside each other, and one is a box: straight across.
        let (from, to) = if ax < bx { (a.x + a.width, b.x) } else { (a.x, b.x + b.width) };
        let y = if a.height < b.height { ay } else { by };
        let side = if ax < bx { -6.0 } else { 6.0 };
        [(from, y + side), (from, y + side), (to, y + side), (to, y + side)]
    } else {
        // On one line: over the heads of those between.
        let lift = 18.0 + (bx - ax).abs() / 14.0;
        [(ax, a.y), (ax, a.y - lift), (bx, b.y - lift), (bx, b.y)]
    };
    let [(x0, y0), (x1, y1), (x2, y2), (x3, y3)] = points;
    let at = |t: f64| {
        let u = 1.0 - t;
        let mix = |p0: f64, p1: f64, p2: f64, p3: f64| {
            u * u * u * p0 + 3.0 * u * u * t * p1 + 3.0 * u * t * t * p2 + t * t * t * p3
        };
        (mix(x0, x1, x2, x3), mix(y0, y1, y2, y3) + 3.0)
    };
    (format!("M{x0:.1} {y0:.1}C{x1:.1} {y1:.1} {x2:.1} {y2:.1} {x3:.1} {y3:.1}"), at(0.28))
}

fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {}
            c => safe.push(c),
        }
    }
    safe
}
