//! Statements that stand too early or too late, and what two neighbouring `if`s do, exchanged.

use std::ops::Range;

use ruff_python_ast::Stmt;

use super::boundary::assigned;
use super::candidate::{Family, Pool};
use super::operators::brief;
use super::sites::{Block, Sites, bytes};

/// Longest block whose statements are moved.
const LONGEST: usize = 14;

/// Proposes moves of statements within their block, and the bodies of neighbouring `if`s exchanged.
pub(super) fn propose(sites: &Sites<'_>, pool: &mut Pool<'_, '_>) {
    for block in sites.blocks.iter().filter(|block| block.function.is_some()) {
        bodies(sites, block, pool);
        if block.stmts.len() <= LONGEST {
            moves(sites, &units(sites, block), pool);
        }
    }
}

/// Proposes the bodies of two neighbouring `if`s without other branches in each other's place.
fn bodies(sites: &Sites<'_>, block: &Block<'_>, pool: &mut Pool<'_, '_>) {
    for pair in block.stmts.windows(2) {
        if let [Stmt::If(one), Stmt::If(two)] = pair
            && one.elif_else_clauses.is_empty()
            && two.elif_else_clauses.is_empty()
            && let (Some(first), Some(second)) = (span(&one.body), span(&two.body))
        {
            let what = format!(
                "do under `if {}` what stands under `if {}`, and the other way round",
                brief(sites, &*one.test),
                brief(sites, &*two.test)
            );
            pool.swap(Family::Order, 2, first, second, what);
        }
    }
}

/// Some statements that stay together: what computes a value, and the guards on it.
struct Unit {
    /// All of its bytes.
    range: Range<usize>,
    /// Whether it holds an `if`.
    decides: bool,
    /// Whether it leaves, so that nothing can stand behind it.
    ends: bool,
}

/// Groups the statements of a block: an assignment and the `if`s right behind it that read what it sets.
fn units(sites: &Sites<'_>, block: &Block<'_>) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    let mut bound: Vec<&str> = Vec::new();
    for stmt in block.stmts {
        let range = bytes(stmt);
        let reads = |name: &&str| {
            sites.exprs.iter().any(|site| {
                let at = bytes(site.expr);
                range.start <= at.start && at.end <= range.end && sites.of_node(site.expr) == *name
            })
        };
        if let (Stmt::If(_), true, Some(unit)) = (stmt, bound.iter().any(reads), units.last_mut()) {
            unit.range.end = range.end;
            unit.decides = true;
            continue;
        }
        bound = assigned(stmt);
        let decides = matches!(stmt, Stmt::If(_));
        let ends = matches!(stmt, Stmt::Return(_) | Stmt::Break(_) | Stmt::Continue(_) | Stmt::Raise(_));
        units.push(Unit { range, decides, ends });
    }
    units
}

/// Proposes each unit further up or down; neighbours that are single statements are swapped elsewhere.
fn moves(sites: &Sites<'_>, units: &[Unit], pool: &mut Pool<'_, '_>) {
    let movable = units.iter().take_while(|unit| !unit.ends).count();
    for from in 0..movable {
        for to in 0..movable {
            let (first, last) = (from.min(to), from.max(to));
            let (Some(unit), Some(row)) = (units.get(from), units.get(first..=last)) else { continue };
            let whole = row.iter().all(|unit| sites.indent(unit.range.start).is_some());
            if first == last || !whole {
                continue;
            }
            let near = u32::try_from(last - first).unwrap_or(0);
            let tier = if unit.decides { 3 + near } else { 5 + near };
            let mut texts: Vec<&str> = row.iter().map(|unit| sites.text(&unit.range)).collect();
            if from < to {
                texts.rotate_left(1);
            } else {
                texts.rotate_right(1);
            }
            let what = match units.get(to) {
                Some(target) => {
                    let place = if from < to { "behind" } else { "before" };
                    let words = |unit: &Unit| super::operators::shorten(sites.text(&unit.range));
                    format!("move `{}` {place} `{}`", words(unit), words(target))
                }
                None => continue,
            };
            let edits = row.iter().zip(texts).map(|(unit, text)| (unit.range.clone(), text.to_owned())).collect();
            pool.many(Family::Order, tier, edits, what);
        }
    }
}

fn span(body: &[Stmt]) -> Option<Range<usize>> {
    Some(bytes(body.first()?).start..bytes(body.last()?).end)
}
