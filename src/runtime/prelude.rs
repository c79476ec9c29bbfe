//! Python functions for what the interpreter lacks, added to a script only when it uses their names.
//!
//! They stand after the script's own text, so that line numbers stay true, and cost nothing when they are not used.
//! They return lists, since the interpreter has no generators; the memory limit bounds them.

/// A function under a plain name, with its text.
struct Helper {
    name: &'static str,
    text: &'static str,
}

const HELPERS: &[Helper] = &[
    Helper {
        name: "product",
        text: "\
def product(*pools, repeat=1):
    rows = [()]
    for pool in [list(pool) for pool in pools] * repeat:
        rows = [row + (item,) for row in rows for item in pool]
    return rows
",
    },
    Helper {
        name: "permutations",
        text: "\
def permutations(items, r=None):
    pool = list(items)
    size = len(pool) if r is None else r
    rows = [()] if size <= len(pool) else []
    for _ in range(size if rows else 0):
        rows = [row + (at,) for row in rows for at in range(len(pool)) if at not in row]
    return [tuple([pool[at] for at in row]) for row in rows]
",
    },
    Helper {
        name: "combinations",
        text: "\
def combinations(items, r):
    pool = list(items)
    rows = [()] if r <= len(pool) else []
    for _ in range(r if rows else 0):
        rows = [row + (at,) for row in rows for at in range(row[-1] + 1 if row else 0, len(pool))]
    return [tuple([pool[at] for at in row]) for row in rows]
",
    },
];

/// Returns the names of all helpers.
pub fn names() -> impl Iterator<Item = &'static str> {
    HELPERS.iter().map(|helper| helper.name)
}

/// Returns the text of the helpers that a source calls by name and does not define itself.
#[must_use]
pub(super) fn for_source(source: &str) -> String {
    HELPERS
        .iter()
        .filter(|helper| {
            calls(source, helper.name) && !source.contains(&format!("def {}(", helper.name))
        })
        .map(|helper| helper.text)
        .collect()
}

/// Whether `name(` stands in the source as a word of its own, not as a method or part of a longer name.
fn calls(source: &str, name: &str) -> bool {
    source.match_indices(name).any(|(at, _)| {
        let before = source[..at].chars().next_back();
        let after = source[at + name.len()..].chars().next();
        after == Some('(') && !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '.')
    })
}
