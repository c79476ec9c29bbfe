//! Functions of Python's library that the interpreter lacks, under their own names.
//!
//! A script writes `from itertools import product` or `heapq.heappush(…)` as everywhere. When it is compiled, and only
//! if it names such a module, the import and the uses are turned towards functions that are put before its text; the
//! rest of the script, its line numbers included, stays as it was. A script that needs none of this pays nothing, one
//! that does pays the definition of a handful of functions at each run.
//!
//! Where a module has a name here, the name means the same as in Python but for this: `groupby` gives lists, `copy`
//! knows lists, dictionaries, tuples and sets, and `statistics` computes in floats.

use std::borrow::Cow;
use std::ops::Range;

use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{Alias, Expr, Stmt};
use ruff_text_size::Ranged;

/// A module of the library and the text of what is added to it.
struct Module {
    name: &'static str,
    /// Whether the interpreter has a module of this name, which lacks the functions here.
    partly: bool,
    text: &'static str,
}

const MODULES: &[Module] = &[
    Module { name: "itertools", partly: true, text: include_str!("itertools.py") },
    Module { name: "math", partly: true, text: include_str!("math.py") },
    Module { name: "heapq", partly: false, text: include_str!("heapq.py") },
    Module { name: "bisect", partly: false, text: include_str!("bisect.py") },
    Module { name: "statistics", partly: false, text: include_str!("statistics.py") },
    Module { name: "string", partly: false, text: include_str!("string.py") },
    Module { name: "copy", partly: false, text: include_str!("copy.py") },
    Module { name: "operator", partly: false, text: include_str!("operator.py") },
];

impl Module {
    fn named(name: &str) -> Option<&'static Self> {
        MODULES.iter().find(|module| module.name == name)
    }

    /// The name under which this text defines something, if it does.
    fn defines(&self, name: &str) -> Option<String> {
        let inner = format!("_{}_{name}", self.name);
        let defined = |line: &str| {
            line.strip_prefix("def ")
                .unwrap_or(line)
                .strip_prefix(inner.as_str())
                .is_some_and(|rest| rest.starts_with('(') || rest.starts_with(" ="))
        };
        self.text.lines().any(defined).then_some(inner)
    }
}

/// A script with what it needs in front.
pub(super) struct Adapted<'a> {
    /// The text to put before the script; it ends with a line break unless it is empty.
    pub(super) before: String,
    /// The script, with as many lines as it had.
    pub(super) text: Cow<'a, str>,
}

/// Adapts a script to what the interpreter has. A script that cannot be read is left as it is.
pub(super) fn adapt(source: &str) -> Adapted<'_> {
    let as_it_is = Adapted { before: String::new(), text: Cow::Borrowed(source) };
    if !MODULES.iter().any(|module| source.contains(module.name)) {
        return as_it_is;
    }
    let Ok(parsed) = ruff_python_parser::parse_module(source) else {
        return as_it_is;
    };
    let mut uses = Uses::default();
    uses.visit_body(&parsed.syntax().body);
    let mut edits = Edits { source, list: Vec::new(), needed: Vec::new() };
    uses.edit(&mut edits);
    if edits.list.is_empty() {
        return as_it_is;
    }
    edits.apply()
}

/// The imports of a script and the attributes of plain names.
#[derive(Default)]
struct Uses<'a> {
    whole: Vec<(Range<usize>, &'a [Alias])>,
    parts: Vec<(Range<usize>, &'a str, &'a [Alias])>,
    attributes: Vec<(Range<usize>, &'a str, &'a str)>,
}

impl<'a> Visitor<'a> for Uses<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        if let Stmt::Import(import) = stmt {
            self.whole.push((range(stmt), &import.names));
        } else if let Stmt::ImportFrom(import) = stmt
            && let Some(module) = &import.module
            && import.level == 0
        {
            self.parts.push((range(stmt), module.as_str(), &import.names));
        }
        walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        if let Expr::Attribute(attribute) = expr
            && let Expr::Name(name) = &*attribute.value
        {
            self.attributes.push((range(expr), name.id.as_str(), attribute.attr.as_str()));
        }
        walk_expr(self, expr);
    }
}

fn range(node: &impl Ranged) -> Range<usize> {
    node.start().to_usize()..node.end().to_usize()
}

impl Uses<'_> {
    fn edit(&self, edits: &mut Edits<'_>) {
        for (range, module, aliases) in &self.parts {
            let Some(module) = Module::named(module) else {
                continue;
            };
            let mut kept = Vec::new();
            let mut added = Vec::new();
            for alias in *aliases {
                match module.defines(alias.name.as_str()) {
                    Some(inner) => added.push(format!("{} = {inner}", bound(alias))),
                    None => kept.push(written(alias)),
                }
            }
            if added.is_empty() {
                continue;
            }
            if !kept.is_empty() {
                added.insert(0, format!("from {} import {}", module.name, kept.join(", ")));
            }
            edits.replace(range, &added.join("; "), module);
        }
        for (range, aliases) in &self.whole {
            let mut kept = Vec::new();
            let mut dropped = None;
            for alias in *aliases {
                match Module::named(alias.name.as_str()) {
                    Some(module) if self.attributes_of(alias, module, edits) && !module.partly => {
                        dropped = Some(module)
                    }
                    Some(_) | None => kept.push(written(alias)),
                }
            }
            if let Some(module) = dropped {
                let rest = if kept.is_empty() { "pass".to_owned() } else { format!("import {}", kept.join(", ")) };
                edits.replace(range, &rest, module);
            }
        }
    }

    /// Turns the uses of an imported module towards the added functions; returns whether all of them could be.
    fn attributes_of(&self, alias: &Alias, module: &'static Module, edits: &mut Edits<'_>) -> bool {
        let mut all = true;
        for (range, _, attribute) in self.attributes.iter().filter(|(_, name, _)| *name == bound(alias)) {
            match module.defines(attribute) {
                Some(inner) => edits.replace(range, &inner, module),
                None => all = false,
            }
        }
        all
    }
}

/// The name that an import binds.
fn bound(alias: &Alias) -> &str {
    alias.asname.as_ref().map_or(alias.name.as_str(), |name| name.as_str())
}

/// An import's part as it is written.
fn written(alias: &Alias) -> String {
    match &alias.asname {
        Some(asname) => format!("{} as {asname}", alias.name),
        None => alias.name.to_string(),
    }
}

/// Replacements in a source.
struct Edits<'a> {
    source: &'a str,
    list: Vec<(Range<usize>, String)>,
    needed: Vec<&'static str>,
}

impl<'a> Edits<'a> {
    fn replace(&mut self, range: &Range<usize>, text: &str, module: &'static Module) {
        if self.list.iter().any(|(other, _)| other == range) {
            return;
        }
        // What follows keeps its line.
        let lines = self.source.get(range.clone()).map_or(0, |old| old.matches('\n').count());
        self.list.push((range.clone(), format!("{text}{}", "\n".repeat(lines))));
        if !self.needed.contains(&module.text) {
            self.needed.push(module.text);
        }
    }

    fn apply(mut self) -> Adapted<'a> {
        self.list.sort_by_key(|(range, _)| range.start);
        let mut text = String::with_capacity(self.source.len() + 64 * self.list.len());
        let mut at = 0;
        for (range, new) in &self.list {
            text.push_str(self.source.get(at..range.start).unwrap_or_default());
            text.push_str(new);
            at = range.end;
        }
        text.push_str(self.source.get(at..).unwrap_or_default());
        Adapted { before: self.needed.concat(), text: Cow::Owned(text) }
    }
}
