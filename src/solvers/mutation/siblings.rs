//! Helpers of the same shape: one that is never called is put among the others; one that is called may be the wrong one.
//!
//! A deleted entry of a list of methods, a deleted `elif`, a deleted `or solve_this(…)` all leave the helper behind,
//! unused. The row or statement that a sibling stands in shows how to call it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use ruff_python_ast::{BoolOp, Expr, Stmt};

use super::candidate::{Family, Pool};
use super::operators::shorten;
use super::sites::{Role, Sites, bytes, name_of};

/// Longest row that is extended.
const LONGEST: usize = 24;

/// Proposes calls of unused helpers, and other helpers in place of those called.
pub(super) fn propose(sites: &Sites<'_>, pool: &mut Pool<'_, '_>) {
    let used: BTreeSet<&str> = sites
        .exprs
        .iter()
        .filter(|site| {
            site.function
                .is_none_or(|index| sites.functions.get(index).map(|function| function.name) != name_of(site.expr))
        })
        .filter(|site| site.role != Role::Bound)
        .filter_map(|site| name_of(site.expr))
        .collect();
    let helpers: Vec<&str> = sites
        .functions
        .iter()
        .filter(|function| function.top && function.name != "run")
        .map(|function| function.name)
        .collect();
    let unused: Vec<&str> = helpers.iter().copied().filter(|name| !used.contains(name)).take(8).collect();
    for name in &unused {
        into_rows(sites, name, pool);
        into_chains(sites, name, pool);
    }
    missing_texts(sites, pool);
    exchange(sites, &helpers, &unused, pool);
}

/// Returns how many parameters a helper has.
fn arity(sites: &Sites<'_>, name: &str) -> Option<usize> {
    sites.functions.get(sites.function_named(name)?).map(|function| function.parameters.len())
}

/// Says whether two names are different helpers of one shape.
fn siblings(sites: &Sites<'_>, one: &str, other: &str) -> bool {
    one != other && arity(sites, one).is_some() && arity(sites, one) == arity(sites, other)
}

/// Puts a helper into lists and tables of its siblings, and into chains of `or`.
fn into_rows(sites: &Sites<'_>, name: &str, pool: &mut Pool<'_, '_>) {
    for site in &sites.exprs {
        match site.expr {
            Expr::List(list) => into_row(sites, name, &list.elts, pool),
            Expr::Tuple(tuple) => into_row(sites, name, &tuple.elts, pool),
            Expr::BoolOp(logic) if logic.op == BoolOp::Or => {
                let last = logic.values.last();
                for value in &logic.values {
                    let Some(call) = sibling_call(sites, value, name) else {
                        continue;
                    };
                    let text = rename(sites, bytes(value), &call, name);
                    let what = format!("try `{name}` as well, before `{}`", shorten(sites.text(&call)));
                    let at = bytes(value).start;
                    pool.one(Family::Missing, 1, at..at, format!("{text} or "), what);
                    if last.is_some_and(|last| bytes(last) == bytes(value)) {
                        let what = format!("try `{name}` as well, last");
                        let at = bytes(value).end;
                        pool.one(Family::Missing, 0, at..at, format!(" or {text}"), what);
                    }
                }
            }
            _ => {}
        }
    }
}

fn into_row(sites: &Sites<'_>, name: &str, elements: &[Expr], pool: &mut Pool<'_, '_>) {
    let fits = |element: &Expr| name_of(element).is_some_and(|other| siblings(sites, name, other));
    if elements.len() > LONGEST || !elements.iter().any(fits) {
        return;
    }
    insert(name, &elements.iter().map(bytes).collect::<Vec<_>>(), 0, pool);
}

/// Inserts a text at every position of a row.
fn insert(text: &str, row: &[Range<usize>], tier: u32, pool: &mut Pool<'_, '_>) {
    for element in row {
        let what = format!("try `{}` as well", shorten(text));
        pool.one(Family::Missing, tier, element.start..element.start, format!("{text}, "), what);
    }
    if let Some(last) = row.last() {
        let what = format!("try `{}` as well, last", shorten(text));
        pool.one(Family::Missing, tier, last.end..last.end, format!(", {text}"), what);
    }
}

/// Copies a branch or statement that calls a sibling, with the helper's name in it.
fn into_chains(sites: &Sites<'_>, name: &str, pool: &mut Pool<'_, '_>) {
    for block in &sites.blocks {
        let own = block.function.and_then(|index| sites.functions.get(index));
        if own.is_none_or(|function| function.name == name) {
            continue;
        }
        for (index, stmt) in block.stmts.iter().enumerate() {
            let range = bytes(stmt);
            let Some(call) = first_sibling(sites, &range, name) else {
                continue;
            };
            if let Stmt::If(chain) = stmt {
                clauses(sites, name, chain, pool);
            }
            // A statement and the guard after it belong together: `found = f(x)` and `if found: return found`.
            let pair = match (stmt, block.stmts.get(index + 1)) {
                (Stmt::Assign(_), Some(next @ Stmt::If(_))) => range.start..bytes(next).end,
                _ => range.clone(),
            };
            let Some(indent) = sites.indent(range.start) else {
                continue;
            };
            if matches!(stmt, Stmt::Return(_) | Stmt::For(_) | Stmt::While(_) | Stmt::FunctionDef(_)) {
                continue;
            }
            let text = rename(sites, pair.clone(), &call, name);
            let sibling = sites.text(&call);
            let what = format!("call `{name}` as well, before `{sibling}`");
            pool.one(Family::Missing, 2, pair.start..pair.start, format!("{text}\n{indent}"), what);
            let what = format!("call `{name}` as well, after `{sibling}`");
            pool.one(Family::Missing, 1, pair.end..pair.end, format!("\n{indent}{text}"), what);
        }
    }
}

/// Adds a branch to an `if` chain: a copy of one that calls a sibling, for a text that the chain does not test yet.
fn clauses(sites: &Sites<'_>, name: &str, chain: &ruff_python_ast::StmtIf, pool: &mut Pool<'_, '_>) {
    let whole = bytes(chain);
    let tested: BTreeSet<&str> = sites
        .exprs
        .iter()
        .filter(|site| site.role == Role::Compared && matches!(site.expr, Expr::StringLiteral(_)))
        .filter(|site| whole.start <= bytes(site.expr).start && bytes(site.expr).end <= whole.end)
        .map(|site| sites.of_node(site.expr))
        .collect();
    let mut others: Vec<&str> = Vec::new();
    for site in &sites.exprs {
        let text = sites.of_node(site.expr);
        let word = text.len() <= 40 && !text.contains(' ');
        if matches!(site.expr, Expr::StringLiteral(_)) && word && !tested.contains(text) && !others.contains(&text) {
            others.push(text);
        }
    }
    // The helper's own name often says what it is for.
    others.sort_by_key(|text| !name.contains(text.trim_matches(['"', '\''])));
    let mut parts: Vec<(&Expr, Range<usize>)> = Vec::new();
    if let Some(last) = chain.body.last() {
        parts.push((&chain.test, whole.start + "if".len()..bytes(last).end));
    }
    for clause in &chain.elif_else_clauses {
        if let (Some(test), Some(last)) = (&clause.test, clause.body.last()) {
            parts.push((test, bytes(clause).start + "elif".len()..bytes(last).end));
        }
    }
    let Some(indent) = sites.indent(whole.start) else {
        return;
    };
    for (test, part) in parts.iter().rev() {
        let Expr::Compare(compare) = test else {
            continue;
        };
        let Some(Expr::StringLiteral(_)) = compare.comparators.first() else {
            continue;
        };
        let Some(constant) = compare.comparators.first().map(bytes) else {
            continue;
        };
        let Some(call) = first_sibling(sites, part, name) else {
            continue;
        };
        for (rank, other) in others.iter().take(6).enumerate() {
            let before = sites.text(&(part.start..constant.start));
            let middle = sites.text(&(constant.end..call.start));
            let after = sites.text(&(call.end..part.end));
            let text = format!("\n{indent}elif{before}{other}{middle}{name}{after}");
            let what = format!("call `{name}` when `{} == {other}`", sites.of_node(&*compare.left));
            let tier = u32::try_from(rank).unwrap_or(u32::MAX / 4);
            pool.one(Family::Missing, tier, part.end..part.end, text, what);
        }
        return;
    }
}

/// Finds the name of a sibling where it is called within a range.
fn first_sibling(sites: &Sites<'_>, range: &Range<usize>, name: &str) -> Option<Range<usize>> {
    sites
        .exprs
        .iter()
        .filter(|site| range.start <= bytes(site.expr).start && bytes(site.expr).end <= range.end)
        .find(|site| site.role == Role::Callee && name_of(site.expr).is_some_and(|other| siblings(sites, name, other)))
        .map(|site| bytes(site.expr))
}

/// Returns where the sibling's name stands in an operand that is a call of it.
fn sibling_call(sites: &Sites<'_>, value: &Expr, name: &str) -> Option<Range<usize>> {
    let Expr::Call(call) = value else { return None };
    let other = name_of(&call.func)?;
    siblings(sites, name, other).then(|| bytes(&*call.func))
}

/// Copies a range with another name where a call names its function.
fn rename(sites: &Sites<'_>, range: Range<usize>, at: &Range<usize>, name: &str) -> String {
    format!("{}{name}{}", sites.text(&(range.start..at.start)), sites.text(&(at.end..range.end)))
}

/// Puts keys of a table of helpers into lists that hold other keys of it.
fn missing_texts(sites: &Sites<'_>, pool: &mut Pool<'_, '_>) {
    let mut tables: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for (index, site) in sites.exprs.iter().enumerate() {
        if let Expr::Dict(dict) = site.expr {
            let keys = dict.items.iter().filter_map(|item| item.key.as_ref()).take(LONGEST);
            tables.insert(index, keys.map(|key| sites.of_node(key)).collect());
        }
    }
    for site in &sites.exprs {
        let elements = match site.expr {
            Expr::List(list) => &list.elts,
            Expr::Tuple(tuple) => &tuple.elts,
            _ => continue,
        };
        let texts: Vec<&str> = elements.iter().take(LONGEST + 1).map(|element| sites.of_node(element)).collect();
        let strings = elements.iter().all(|element| matches!(element, Expr::StringLiteral(_)));
        if texts.is_empty() || texts.len() > LONGEST || !strings {
            continue;
        }
        for keys in tables.values().filter(|keys| texts.iter().all(|text| keys.contains(text))).take(4) {
            for key in keys.iter().filter(|key| !texts.contains(key)).take(4) {
                insert(key, &elements.iter().map(bytes).collect::<Vec<_>>(), 1, pool);
            }
        }
    }
}

/// Proposes a sibling in place of each helper that is called or listed.
fn exchange(sites: &Sites<'_>, helpers: &[&str], unused: &[&str], pool: &mut Pool<'_, '_>) {
    for site in &sites.exprs {
        let Some(name) = name_of(site.expr) else {
            continue;
        };
        if site.role == Role::Bound || !helpers.contains(&name) {
            continue;
        }
        let own = site.function.and_then(|index| sites.functions.get(index)).map(|function| function.name);
        let others = helpers.iter().filter(|other| siblings(sites, name, other) && Some(**other) != own);
        for (rank, other) in others.take(12).enumerate() {
            let tier = if unused.contains(other) { 0 } else { 1 + u32::try_from(rank).unwrap_or(8) / 3 };
            let what = format!("call `{other}` instead of `{name}`");
            pool.one(Family::Replace, tier, bytes(site.expr), *other, what);
        }
    }
}
