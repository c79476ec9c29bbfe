//! Guards that stand: taken away, or leaving in another way.

use std::collections::BTreeMap;
use std::ops::Range;

use ruff_python_ast::{Expr, Stmt, StmtIf};

use super::candidate::{Family, Pool};
use super::operators::{brief, shorten};
use super::sites::{Block, Role, Sites, bytes, name_of};

/// Most ways of leaving that are tried at one place.
const MOST_EXITS: usize = 3;

/// Longest way of leaving, in bytes: a `return` of a long expression is work, not leaving.
const LONGEST_EXIT: usize = 40;

/// How a function that gives lists gives up.
const EMPTY: &str = "return []";

/// Builtins that give another kind of value than they take: without them the script would merely fail.
const CONVERSIONS: [&str; 11] =
    ["len", "str", "int", "float", "bool", "enumerate", "range", "zip", "dict", "isinstance", "repr"];

/// Proposes the script without one of its guards, filters or checks.
pub(super) fn propose(sites: &Sites<'_>, pool: &mut Pool<'_, '_>) {
    let exits = Exits::of(sites);
    for block in &sites.blocks {
        for stmt in block.stmts {
            let Some((guard, exit)) = as_guard(stmt) else {
                continue;
            };
            let what = format!("drop the guard `if {}`", brief(sites, &*guard.test));
            if block.stmts.len() == 1 {
                pool.one(Family::Unguard, 2, bytes(stmt), "pass", what);
            } else if sites.indent(bytes(stmt).start).is_some() {
                let lines = sites.line_start(bytes(stmt).start)..sites.next_line(bytes(stmt).end);
                pool.one(Family::Unguard, 0, lines, "", what);
            }
            let now = sites.of_node(exit);
            if !is_constant(now) {
                // A result is not a way of giving up.
                continue;
            }
            for (rank, other) in exits.at(block).into_iter().filter(|other| *other != now).enumerate() {
                let what = format!(
                    "leave by `{}` instead of `{}` if `{}`",
                    shorten(other),
                    shorten(now),
                    brief(sites, &*guard.test)
                );
                let tier = 2 + u32::try_from(rank).unwrap_or(u32::MAX / 2);
                pool.one(Family::Unguard, tier, bytes(exit), other, what);
            }
        }
    }
    for site in &sites.exprs {
        let generators = match site.expr {
            Expr::ListComp(comp) => &comp.generators,
            Expr::SetComp(comp) => &comp.generators,
            Expr::Generator(comp) => &comp.generators,
            _ => {
                unwrap(sites, site.expr, site.role, pool);
                continue;
            }
        };
        for generator in generators {
            let mut from = bytes(&generator.iter).end;
            for test in &generator.ifs {
                // Brackets around the condition, if any, make the text unparsable, and it is then not offered.
                let before = sites.text(&(from..bytes(test).start));
                if let Some(at) = before.find("if") {
                    let what = format!("drop the condition `{}`", brief(sites, test));
                    pool.one(Family::Unguard, 3, from + at..bytes(test).end, "", what);
                }
                from = bytes(test).end;
            }
        }
    }
}

/// Proposes one argument of a call in place of the call.
fn unwrap(sites: &Sites<'_>, expr: &Expr, role: Role, pool: &mut Pool<'_, '_>) {
    let (Expr::Call(call), Role::Returned | Role::Assigned | Role::Iterated) = (expr, role) else {
        return;
    };
    if name_of(&call.func).is_none_or(|name| CONVERSIONS.contains(&name)) {
        return;
    }
    for argument in call.arguments.args.iter().take(4) {
        if matches!(argument, Expr::Name(_) | Expr::Call(_)) {
            let what = format!("use `{}` without `{}`", brief(sites, argument), sites.of_node(&*call.func));
            pool.one(Family::Unguard, 4, bytes(expr), sites.of_node(argument), what);
        }
    }
}

/// Returns a statement as a guard: an `if` without other branches whose body only leaves.
pub(super) fn as_guard(stmt: &Stmt) -> Option<(&StmtIf, &Stmt)> {
    match stmt {
        Stmt::If(guard) if guard.elif_else_clauses.is_empty() && guard.body.len() == 1 => {
            let exit = guard.body.first()?;
            leaves(exit).then_some((guard, exit))
        }
        _ => None,
    }
}

/// Says whether a statement leaves a loop or function.
fn leaves(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Return(_) | Stmt::Continue(_) | Stmt::Break(_))
}

/// The ways in which the guards of a script leave.
pub(super) struct Exits<'s> {
    /// How often each is used, by function.
    used: BTreeMap<(Option<usize>, &'s str), usize>,
    /// How often each is used in the whole script, the commonest first.
    common: Vec<&'s str>,
}

impl<'s> Exits<'s> {
    /// Gathers them.
    pub(super) fn of(sites: &Sites<'s>) -> Self {
        let mut used: BTreeMap<(Option<usize>, &'s str), usize> = BTreeMap::new();
        let mut total: BTreeMap<&'s str, usize> = BTreeMap::new();
        for block in &sites.blocks {
            for stmt in block.stmts {
                let guarded = as_guard(stmt).map(|(_, exit)| exit);
                // A function's last `return None` shows how it gives up, too.
                let weight = if guarded.is_some() { 2 } else { 1 };
                let Some(exit) = guarded.or_else(|| is_plain_return(stmt).then_some(stmt)) else {
                    continue;
                };
                let text = sites.of_node(exit);
                if text.len() <= LONGEST_EXIT {
                    *used.entry((block.function, text)).or_default() += weight;
                    *total.entry(text).or_default() += weight;
                }
            }
        }
        // A function that gives lists gives up by an empty one.
        for site in &sites.exprs {
            if let (Role::Returned, Expr::List(_)) = (site.role, site.expr) {
                used.entry((site.function, EMPTY)).or_insert(1);
            }
        }
        let mut common: Vec<(&str, usize)> = total.into_iter().filter(|(text, _)| is_constant(text)).collect();
        common.sort_by_key(|(text, count)| (usize::MAX - count, *text));
        Self { used, common: common.into_iter().map(|(text, _)| text).collect() }
    }

    /// Lists ways to leave a block, likeliest first.
    pub(super) fn at(&self, block: &Block<'_>) -> Vec<&'s str> {
        let mut own: Vec<(usize, &'s str)> = self
            .used
            .iter()
            .filter(|((function, _), _)| *function == block.function)
            .map(|((_, text), count)| (*count, *text))
            .collect();
        own.sort_by_key(|(count, text)| (usize::MAX - count, *text));
        let mut exits: Vec<&'s str> = Vec::new();
        if block.in_loop {
            exits.push("continue");
        }
        exits.extend(own.into_iter().map(|(_, text)| text).filter(|text| is_constant(text)));
        exits.extend(self.common.iter().copied());
        exits.push("return None");
        let mut seen: Vec<&'s str> = Vec::new();
        for exit in exits {
            let loops = matches!(exit, "continue" | "break");
            if !seen.contains(&exit) && (block.in_loop || !loops) {
                seen.push(exit);
            }
        }
        seen.truncate(MOST_EXITS);
        seen
    }
}

/// Says whether a statement returns a constant: that is how a function gives up.
fn is_plain_return(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Return(value) => match value.value.as_deref() {
            None | Some(Expr::NoneLiteral(_) | Expr::BooleanLiteral(_)) => true,
            Some(Expr::List(list)) => list.elts.is_empty(),
            _ => false,
        },
        _ => false,
    }
}

/// Says whether a way of leaving reads no name, so that it fits in any function.
fn is_constant(text: &str) -> bool {
    matches!(text, "continue" | "break" | "return" | "return None" | EMPTY | "return True" | "return False")
}

/// Writes a guard below the statement that ends at `after`, at the indentation of `like`.
///
/// Returns nothing when `like` does not begin its line.
pub(super) fn below(
    sites: &Sites<'_>,
    like: usize,
    after: usize,
    condition: &str,
    exit: &str,
) -> Option<(Range<usize>, String)> {
    let indent = sites.indent(like)?;
    let at = sites.next_line(after);
    let (open, close) =
        if sites.source.get(..at).is_some_and(|text| text.ends_with('\n')) { ("", "\n") } else { ("\n", "") };
    let step = if indent.contains('\t') { "\t" } else { "    " };
    Some((at..at, format!("{open}{indent}if {condition}:\n{indent}{step}{exit}{close}")))
}
