//! `mop programs show`: one program in words, then its source.

use serde_json::json;

use crate::engine::ports::Library;
use crate::model::{Edge, Network, Program, ProgramName, did_you_mean};
use crate::setup::Works;

use super::super::failure::Failure;
use super::super::text::{aligned, count, plain};
use super::super::{exit, out};
use super::list::{Standing, kind};

/// Prints one program.
pub(super) fn run(works: &Works, name: &str, json: bool) -> Result<u8, Failure> {
    let network = works.library.network()?;
    let program = find(&network, name)?;
    let standing = Standing::of(works).word(program);
    if json {
        let edges = |edges: Vec<&Edge>| -> Vec<_> {
            edges.iter().map(|edge| json!({ "from": edge.from, "to": edge.to, "prior": edge.prior })).collect()
        };
        out::line(json!({
            "name": program.name, "kind": program.kind, "path": program.path, "hash": program.hash, "state": standing,
            "manifest": program.manifest, "in": edges(edges_in(&network, program)),
            "out": edges(network.edges_from(&program.name).collect()), "source": program.source,
        }));
        return Ok(exit::DONE);
    }
    out::write(&words(&network, program, standing, &works.source.to_string()));
    out::write("\n");
    out::foreign(&program.source);
    Ok(exit::DONE)
}

/// Finds a program by name.
pub(super) fn find<'a>(network: &'a Network, name: &str) -> Result<&'a std::sync::Arc<Program>, Failure> {
    network.program(&ProgramName::new(name)).ok_or_else(|| {
        let near = did_you_mean(name, network.order.iter().map(ProgramName::as_str));
        let hint = near.unwrap_or_else(|| "`mop programs list` shows all of them".to_owned());
        Failure::usage(format!("network `{}` has no program `{name}`", network.name), hint)
    })
}

fn edges_in<'a>(network: &'a Network, program: &Program) -> Vec<&'a Edge> {
    network.edges.iter().filter(|edge| edge.to == program.name).collect()
}

fn words(network: &Network, program: &Program, standing: &str, source: &str) -> String {
    let manifest = &program.manifest;
    let list = |items: Vec<String>| if items.is_empty() { "-".to_owned() } else { plain(&items.join(", ")) };
    let texts = |items: &[crate::model::Section]| list(items.iter().map(ToString::to_string).collect());
    let edge = |other: &ProgramName, prior: f64| format!("{other} {prior:.2}");
    let mut rows: Vec<(&str, String)> =
        vec![("runs as", kind(program.kind).to_owned()), ("contract", program.contract().to_string())];
    if let Some(group) = &manifest.group {
        rows.push(("group", plain(group)));
    }
    rows.push(("file", format!("{} in {} ({})", plain(&program.path), plain(source), program.hash.short())));
    rows.push(("state", if manifest.active { standing.to_owned() } else { "off: it takes no part".to_owned() }));
    rows.push(("reads", texts(&manifest.reads)));
    rows.push(("requires", texts(&manifest.requires)));
    rows.push(("writes", texts(&manifest.writes)));
    if let Some(accepts) = &manifest.accepts {
        rows.push(("accepts", format!("when {}", plain(accepts.source()))));
    }
    rows.push(("from", list(edges_in(network, program).iter().map(|e| edge(&e.from, e.prior)).collect())));
    rows.push(("to", list(network.edges_from(&program.name).map(|e| edge(&e.to, e.prior)).collect())));
    rows.push(("tools", list(manifest.tools.clone())));
    if let Some(model) = &manifest.model {
        let temperature = model.temperature.map(|t| format!(", temperature {t}")).unwrap_or_default();
        rows.push(("model", format!("{:?}{temperature}", model.tier).to_lowercase()));
    }
    if !manifest.params.is_empty() {
        rows.push(("params", list(manifest.params.iter().map(|(key, value)| format!("{key} = {value}")).collect())));
    }
    let limit = manifest.deadline_ms.unwrap_or(network.limits.deadline_ms);
    rows.push(("limit", format!("{limit} ms a run")));
    rows.push(("tests", count(manifest.tests.len(), "test")));
    let rows: Vec<Vec<String>> = rows.into_iter().map(|(key, value)| vec![key.to_owned(), value]).collect();
    format!("{}: {}\n\n{}", program.name, plain(&manifest.role), aligned(&rows))
}
