//! A report as one page that needs nothing else: tables, J by cycle, and accuracy against cost.

use std::fmt::Write as _;

use super::report::{ArmReport, PairReport, Report};

/// Colours of arms, in their order; told apart also by people who see few colours.
const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];
/// Size of a chart, and the room for its scales.
const WIDE: f64 = 520.0;
const HIGH: f64 = 280.0;
const LEFT: f64 = 52.0;
const BELOW: f64 = 40.0;

/// The page.
#[must_use]
pub fn page(report: &Report) -> String {
    let mut html = String::from(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>mop bench</title><style>\n\
         body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}\n\
         table{border-collapse:collapse;margin:1rem 0}th,td{padding:.2rem .8rem;text-align:right;border-bottom:1px solid #ddd}\n\
         th:first-child,td:first-child{text-align:left}svg{margin-right:1rem}text{font:12px system-ui,sans-serif;fill:#444}\n\
         </style></head><body>\n<h1>mop bench</h1>\n",
    );
    let files: Vec<String> =
        report.plan.suites.iter().map(|suite| format!("{} ({})", escaped(&suite.file), suite.questions)).collect();
    let whole = if report.whole { "" } else { " <b>Not everything is asked yet.</b>" };
    let _ = writeln!(html, "<p>Questions from {}; seeds {:?}.{whole}</p>", files.join(", "), report.plan.seeds);
    section(&mut html, &report.arms, &report.pairs);
    for (suite, (arms, pairs)) in &report.suites {
        let _ = writeln!(html, "<h2>{}</h2>", escaped(suite));
        section(&mut html, arms, pairs);
    }
    let _ = writeln!(html, "<p>{}</p>\n</body></html>", escaped(&report.method));
    html
}

fn section(html: &mut String, arms: &[ArmReport], pairs: &[PairReport]) {
    html.push_str(
        "<table><tr><th>arm<th>n<th>accuracy<th>95 %<th>right<th>wrong<th>no answer<th>tokens<th>calls<th>dollars<th>cycles, \
         median<th>seconds, median</tr>\n",
    );
    for arm in arms {
        let dollars = arm.dollars.map_or("?".to_owned(), |dollars| format!("{:.4}", dollars.sum));
        let _ = writeln!(
            html,
            "<tr><td>{}<td>{}<td>{:.1} %<td>{:.1}–{:.1} %<td>{}<td>{}<td>{}<td>{}<td>{}<td>{dollars}<td>{}<td>{:.2}</tr>",
            escaped(&arm.arm),
            arm.items,
            arm.accuracy.mean * 100.0,
            arm.accuracy.low * 100.0,
            arm.accuracy.high * 100.0,
            arm.right,
            arm.wrong,
            arm.unanswered,
            arm.tokens.sum,
            arm.calls.sum,
            arm.cycles.median,
            arm.seconds.median,
        );
    }
    html.push_str("</table>\n");
    if !pairs.is_empty() {
        html.push_str(
            "<table><tr><th>a − b<th>n<th>accuracy<th>95 %<th>p<th>wins<th>losses<th>ties<th>tokens a question<th>calls a \
             question</tr>\n",
        );
    }
    for pair in pairs {
        let _ = writeln!(
            html,
            "<tr><td>{} − {}<td>{}<td>{:+.1} %<td>{:+.1} to {:+.1} %<td>{:.3}<td>{}<td>{}<td>{}<td>{:+.1}<td>{:+.2}</tr>",
            escaped(&pair.a),
            escaped(&pair.b),
            pair.questions,
            pair.accuracy.mean * 100.0,
            pair.accuracy.low * 100.0,
            pair.accuracy.high * 100.0,
            pair.p,
            pair.wins,
            pair.losses,
            pair.ties,
            pair.tokens.mean,
            pair.calls.mean,
        );
    }
    if !pairs.is_empty() {
        html.push_str("</table>\n");
    }
    html.push_str(&by_cycle(arms));
    html.push_str(&by_cost(arms));
}

/// J after each cycle, a line an arm.
fn by_cycle(arms: &[ArmReport]) -> String {
    let last = arms.iter().map(|arm| arm.j.len()).max().unwrap_or_default().saturating_sub(1).max(1);
    let mut svg = begun("Mean J after each cycle", "cycle", last as f64, &last.to_string());
    for (at, arm) in arms.iter().enumerate() {
        let points: Vec<String> = arm
            .j
            .iter()
            .enumerate()
            .map(|(cycle, j)| format!("{:.1},{:.1}", x(cycle as f64, last as f64), y(*j)))
            .collect();
        let colour = COLOURS[at % COLOURS.len()];
        let _ = writeln!(
            svg,
            "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" points=\"{}\"/>",
            points.join(" ")
        );
    }
    legend(&mut svg, arms);
    svg.push_str("</svg>\n");
    svg
}

/// Accuracy with its interval against tokens a question.
fn by_cost(arms: &[ArmReport]) -> String {
    let each = |arm: &ArmReport| arm.tokens.sum / arm.items.max(1) as f64;
    let most = arms.iter().map(each).fold(1.0, f64::max);
    let mut svg = begun("Accuracy against cost", "tokens a question", most, &format!("{most:.0}"));
    for (at, arm) in arms.iter().enumerate() {
        let colour = COLOURS[at % COLOURS.len()];
        let (x, y0, y1) = (x(each(arm), most), y(arm.accuracy.low), y(arm.accuracy.high));
        let _ = writeln!(
            svg,
            "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{y0:.1}\" y2=\"{y1:.1}\" stroke=\"{colour}\"/>\
             <circle cx=\"{x:.1}\" cy=\"{:.1}\" r=\"5\" fill=\"{colour}\"/>",
            y(arm.accuracy.mean)
        );
    }
    legend(&mut svg, arms);
    svg.push_str("</svg>\n");
    svg
}

fn x(value: f64, most: f64) -> f64 {
    LEFT + (WIDE - LEFT - 16.0) * value / most
}

fn y(part: f64) -> f64 {
    24.0 + (HIGH - BELOW - 24.0) * (1.0 - part)
}

fn begun(title: &str, scale: &str, most: f64, end: &str) -> String {
    let (left, right, bottom) = (x(0.0, 1.0), x(most, most), y(0.0));
    let mut svg = format!(
        "<svg role=\"img\" width=\"{WIDE}\" height=\"{HIGH}\" viewBox=\"0 0 {WIDE} {HIGH}\"><title>{title}</title>\
         <text x=\"{left}\" y=\"14\">{title}</text><line x1=\"{left}\" x2=\"{right}\" y1=\"{bottom}\" y2=\"{bottom}\" stroke=\"#888\"/>\
         <text x=\"{left}\" y=\"{0}\">0</text><text x=\"{right}\" y=\"{0}\" text-anchor=\"end\">{end} {scale}</text>\n",
        bottom + 16.0
    );
    for part in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let at = y(part);
        let _ = writeln!(
            svg,
            "<line x1=\"{left}\" x2=\"{right}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"#eee\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{part}</text>",
            left - 6.0,
            at + 4.0
        );
    }
    svg
}

fn legend(svg: &mut String, arms: &[ArmReport]) {
    for (at, arm) in arms.iter().enumerate() {
        let x = LEFT + at as f64 * 110.0;
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"{}\" width=\"10\" height=\"10\" fill=\"{}\"/><text x=\"{}\" y=\"{}\">{}</text>",
            HIGH - 16.0,
            COLOURS[at % COLOURS.len()],
            x + 14.0,
            HIGH - 7.0,
            escaped(&arm.arm)
        );
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
