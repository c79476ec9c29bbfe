//! Order of branches and of statements.

use std::ops::Range;

use ruff_python_ast::{Stmt, StmtIf};

use super::boundary::assigned;
use super::candidate::{Family, Pool};
use super::operators::brief;
use super::sites::{Sites, bytes};

/// Longest chain whose order is tried.
const LONGEST: usize = 24;

/// Proposes branches of an `if` and neighbouring statements in another order.
pub(super) fn propose(sites: &Sites<'_>, pool: &mut Pool<'_, '_>) {
    for block in &sites.blocks {
        for stmt in block.stmts {
            if let Stmt::If(chain) = stmt {
                branches(sites, chain, pool);
            }
        }
        for pair in block.stmts.windows(2) {
            if let [first, second] = pair {
                statements(sites, first, second, block.function.is_some(), pool);
            }
        }
    }
}

fn branches(sites: &Sites<'_>, chain: &StmtIf, pool: &mut Pool<'_, '_>) {
    let mut conditions: Vec<(String, Range<usize>)> = Vec::new();
    let mut bodies: Vec<Range<usize>> = Vec::new();
    let whole = |from: usize, body: &[Stmt]| body.last().map(|last| from..bytes(last).end);
    let inside = |body: &[Stmt]| Some(bytes(body.first()?).start..bytes(body.last()?).end);
    // A branch is what stands after its keyword, so brackets around the condition move with it.
    if let Some(range) = whole(bytes(chain).start + "if".len(), &chain.body) {
        conditions.push((brief(sites, &*chain.test), range));
    }
    bodies.extend(inside(&chain.body));
    for clause in chain.elif_else_clauses.iter().take(LONGEST) {
        if let Some(test) = &clause.test
            && let Some(range) = whole(bytes(clause).start + "elif".len(), &clause.body)
        {
            conditions.push((brief(sites, test), range));
        }
        bodies.extend(inside(&clause.body));
    }
    for (index, (name, range)) in conditions.iter().enumerate() {
        for (other, (other_name, other_range)) in conditions.iter().enumerate().skip(index + 1) {
            let tier = if other == index + 1 { 1 } else { 4 };
            let what = format!("test `{other_name}` before `{name}`");
            pool.swap(Family::Order, tier, range.clone(), other_range.clone(), what);
        }
    }
    for pair in bodies.windows(2) {
        if let [first, second] = pair {
            let what = format!("swap the branches of `if {}`", brief(sites, &*chain.test));
            pool.swap(Family::Order, 2, first.clone(), second.clone(), what);
        }
    }
}

fn statements(sites: &Sites<'_>, first: &Stmt, second: &Stmt, in_function: bool, pool: &mut Pool<'_, '_>) {
    let fixed =
        |stmt: &Stmt| matches!(stmt, Stmt::FunctionDef(_) | Stmt::ClassDef(_) | Stmt::Import(_) | Stmt::ImportFrom(_));
    // Nothing after a `return` runs, so a swap with one is a deletion in disguise.
    let ends = matches!(second, Stmt::Return(_) | Stmt::Break(_) | Stmt::Continue(_) | Stmt::Raise(_));
    if !in_function || fixed(first) || fixed(second) || ends {
        return;
    }
    let both_if = matches!((first, second), (Stmt::If(_), Stmt::If(_)));
    let what = format!("run `{}` before `{}`", brief(sites, second), brief(sites, first));
    // A name read before it is bound is a sure sign; two statements that share no name rarely stand wrong.
    let function = sites.function_at(bytes(first).start).and_then(|own| sites.function_index(own));
    let early = assigned(second)
        .iter()
        .any(|name| mentions(sites, first, name) && !sites.visible(name, function, bytes(first).start));
    let shared = assigned(first).iter().any(|name| mentions(sites, second, name))
        || assigned(second).iter().any(|name| mentions(sites, first, name));
    let (family, tier) = if both_if {
        (Family::Order, 3)
    } else if early {
        (Family::Statements, 0)
    } else if shared {
        (Family::Statements, 2)
    } else {
        (Family::Statements, 6)
    };
    pool.swap(family, tier, bytes(first), bytes(second), what);
}

/// Says whether a statement's text holds a name as a word.
fn mentions(sites: &Sites<'_>, stmt: &Stmt, name: &str) -> bool {
    sites.of_node(stmt).split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == name)
}
