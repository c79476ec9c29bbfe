//! `mop programs list`.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::engine::ports::Library;
use crate::model::{Kind, Program};
use crate::setup::Works;

use super::super::failure::Failure;
use super::super::text::{brief, count, table};
use super::super::{exit, out};

/// Prints all programs.
pub(super) fn run(works: &Works, json: bool) -> Result<u8, Failure> {
    let network = works.library.network()?;
    let standing = Standing::of(works);
    let all = network.order.iter().filter_map(|name| network.program(name));
    if json {
        let all = all.map(|program| {
            json!({
                "name": program.name, "kind": program.kind, "contract": program.contract(),
                "group": program.manifest.group, "state": standing.word(program),
                "tests": program.manifest.tests.len(), "role": program.manifest.role, "hash": program.hash,
            })
        });
        out::line(Value::Array(all.collect()));
        return Ok(exit::DONE);
    }
    let rows: Vec<Vec<String>> = all
        .map(|program| {
            vec![
                program.name.to_string(),
                kind(program.kind).to_owned(),
                program.contract().to_string(),
                program.manifest.group.as_deref().map_or_else(|| "-".to_owned(), |group| brief(group, 24)),
                standing.word(program).to_owned(),
                program.manifest.tests.len().to_string(),
                brief(&program.manifest.role, 100),
            ]
        })
        .collect();
    out::write(&table(&["NAME", "KIND", "CONTRACT", "GROUP", "STATE", "TESTS", "ROLE"], &rows));
    let revisions = works.library.log()?.len();
    out::say(format!(
        "network {} {} · {} · {} · {}",
        network.name,
        network.revision.short(),
        works.source,
        count(rows.len(), "program"),
        count(revisions, "revision")
    ));
    Ok(exit::DONE)
}

/// How a program runs, in a word.
pub(super) fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Prompt => "prompt",
        Kind::Script => "script",
        Kind::Model => "model",
        Kind::Room => "room",
    }
}

/// How programs stand towards the base files of their network.
pub(super) struct Standing {
    /// Changed paths; true where the base has no such file.
    changed: BTreeMap<String, bool>,
}

impl Standing {
    pub(super) fn of(works: &Works) -> Self {
        let changed = works.changes().into_iter().map(|change| (change.path, change.before.is_none())).collect();
        Self { changed }
    }

    /// `base`, `changed` or `new` by accepted revisions; `off` where it takes no part.
    pub(super) fn word(&self, program: &Program) -> &'static str {
        match self.changed.get(&program.path) {
            _ if !program.manifest.active => "off",
            None => "base",
            Some(false) => "changed",
            Some(true) => "new",
        }
    }
}
