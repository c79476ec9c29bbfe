//! What parses and is likely not meant so: names that lead nowhere.

use std::collections::BTreeSet;

use crate::engine::ports::Library;
use crate::model::{Contract, Diagnostic, Kind, Network, NetworkFile, Program, Section, Target, did_you_mean};
use crate::setup::Works;
use crate::solvers::mutation;

const OWN: &str = "network.toml";

/// Sections that the engine itself fills.
const OF_THE_ENGINE: [&str; 2] = ["incumbent", "flaw"];

/// Everything odd about a network that is usable.
pub(super) fn lint(works: &Works) -> Vec<Diagnostic> {
    let Ok(network) = works.library.network() else { return Vec::new() };
    let mut found = Vec::new();
    let tools = crate::tools::names();
    let written: BTreeSet<&str> =
        network.programs.values().flat_map(|program| &program.manifest.writes).map(Section::as_str).collect();
    for program in network.programs.values() {
        if program.kind == Kind::Script {
            let read = mutation::parses(&program.body).err();
            found.extend(read.map(|error| placed(&network, program, error.line, error.column, &error.message)));
        }
        for tool in program.manifest.tools.iter().filter(|tool| !tools.contains(&tool.as_str())) {
            let hint = did_you_mean(tool, tools.iter().copied());
            found.push(at(&network, program, "tools", tool, format!("there is no tool `{tool}`"), hint));
        }
        let needed = program.manifest.requires.iter().map(Section::as_str);
        for section in needed.filter(|name| !written.contains(name) && !OF_THE_ENGINE.contains(name)) {
            let hint = did_you_mean(section, written.iter().copied());
            let message = format!("no program writes `{section}`, so this one is never legal");
            found.push(at(&network, program, "requires", section, message, hint));
        }
    }
    found.extend(alone(&network));
    found.extend(of_own_file(works, &network));
    found
}

/// An error at a line and column of a script.
fn placed(network: &Network, program: &Program, line: usize, column: usize, message: &str) -> Diagnostic {
    let start: usize = program.source.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let path = format!("{}/{}", network.name, program.path);
    Diagnostic::at(&path, &program.source, start + column.saturating_sub(1), format!("not Python: {message}"))
}

/// Programs that are to be routed to, and that nobody leads to.
fn alone(network: &Network) -> Vec<Diagnostic> {
    let reached = |program: &Program| {
        program.name == network.entry
            || network.edges.iter().any(|edge| edge.to == program.name && edge.from != program.name)
    };
    let routed = network.programs.values().filter(|program| program.manifest.active && program.contract().is_routed());
    // Workers are called by other programs as well.
    routed
        .filter(|program| program.contract() != Contract::Worker && !reached(program))
        .map(|program| {
            let hint = "name it in another program's `next`, or give it an `after`".to_owned();
            let message = format!("no edge leads to {}", program.name);
            at(network, program, "contract", program.contract().name(), message, Some(hint))
        })
        .collect()
}

/// Names in the network's own file: rules, entry, what is left out.
fn of_own_file(works: &Works, network: &Network) -> Vec<Diagnostic> {
    let own = works.library.file(OWN).ok().flatten();
    let below = works.layers.iter().rev().skip(1).filter_map(|layer| layer.get(OWN)).map(String::as_str);
    let texts: Vec<&str> = own.as_deref().into_iter().chain(below).collect();
    let names = || network.order.iter().map(crate::model::ProgramName::as_str);
    let mut found = Vec::new();
    for text in texts {
        let Ok(file) = NetworkFile::parse(OWN, text) else { continue };
        let mut warn = |key: &str, value: &str, nth: usize, message: String, hint: Option<String>| {
            let path = format!("{}/{OWN}", network.name);
            found.push(Diagnostic::at(&path, text, place(text, key, value, nth), message).hint(hint).warning());
        };
        let mut before: Vec<String> = Vec::new();
        for rule in &file.rules {
            let target = rule.go.to_string();
            let nth = before.iter().filter(|earlier| **earlier == target).count();
            before.push(target.clone());
            if rule.go != Target::Author && !network.programs.values().any(|program| rule.go.matches(program, None)) {
                let hint = did_you_mean(&target, names()).filter(|_| matches!(rule.go, Target::Name(_)));
                warn("go", &target, nth, format!("the rule names `{target}`, and no program is meant by it"), hint);
            }
        }
        if let Some(entry) = file.entry.as_ref().filter(|entry| network.program(entry).is_none()) {
            let message = format!("no program is called `{entry}`, so {} is the entry", network.entry);
            warn("entry", entry.as_str(), 0, message, did_you_mean(entry.as_str(), names()));
        }
    }
    found
}

fn at(
    network: &Network,
    program: &Program,
    key: &str,
    value: &str,
    message: String,
    hint: Option<String>,
) -> Diagnostic {
    let offset = place(&program.source, key, value, 0);
    let path = format!("{}/{}", network.name, program.path);
    Diagnostic::at(&path, &program.source, offset, message).hint(hint).warning()
}

/// Where a value stands that belongs to a key: the nth time, in its quotes, after the key and an equals sign.
fn place(text: &str, key: &str, value: &str, nth: usize) -> usize {
    let starts = |line: &str| {
        let bare = line.trim_start_matches(['#', ' ', '\t']);
        bare.strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with('='))
    };
    let (mut offset, mut left) = (0, nth);
    for line in text.split_inclusive('\n') {
        if starts(line) {
            let rest = &text[offset..];
            for quote in ['"', '\''] {
                let end = rest.find(&format!("{quote}{value}{quote}"));
                let same = end.filter(|end| !rest[..*end].lines().skip(1).any(|line| line.contains('=')));
                match same {
                    Some(end) if left == 0 => return offset + end,
                    Some(_) => left -= 1,
                    None => {}
                }
            }
        }
        offset += line.len();
    }
    text.find(value).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::place;

    #[test]
    fn a_value_is_found_after_its_key() {
        let text =
            "# role = \"draft\"\n# requires = [\n#   \"plan\", \"draft\",\n# ]\ngo = \"a\"\ngo = 'b'\ngo = \"a\"\n";
        let check = |key: &str, value: &str, nth: usize, expected: &str| {
            let found = &text[place(text, key, value, nth)..];
            assert!(found.starts_with(expected), "{key} {value} {nth}: {found:?}");
        };
        check("requires", "draft", 0, "\"draft\",\n# ]");
        check("role", "draft", 0, "\"draft\"\n# requires");
        check("go", "a", 0, "\"a\"\ngo = 'b'");
        check("go", "a", 1, "\"a\"\n");
        check("go", "b", 0, "'b'");
        check("go", "nobody", 0, "# role");
    }
}
