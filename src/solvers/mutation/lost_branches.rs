//! A branch that was lost as a whole: a helper that nobody calls, and a condition that nobody asks.
//!
//! `if has_root(equation): return radical(equation, x)` leaves two traces when it is deleted: the helper `radical` is unused,
//! and so is the tool `has_root`, which the program was granted. Branches of the same kind show how the new one looks.

use std::collections::BTreeSet;

use ruff_python_ast::{Expr, Stmt};

use super::candidate::{Family, Pool};
use super::guards::{Exits, as_guard};
use super::sites::{Block, Role, Sites, bytes, called, name_of};
use super::{Kind, Primitive};

/// Most helpers and conditions that are tried.
const MOST: usize = 6;

/// Proposes such branches beside those that stand.
pub(super) fn propose(sites: &Sites<'_>, primitives: &[Primitive], pool: &mut Pool<'_, '_>) {
    let used: BTreeSet<&str> = sites.exprs.iter().filter_map(|site| name_of(site.expr)).collect();
    let lost = sites.functions.iter().filter(|function| {
        let own = |site: &&super::sites::Site<'_>| name_of(site.expr) == Some(function.name);
        let elsewhere = sites.exprs.iter().filter(own).any(|site| !function.range.contains(&bytes(site.expr).start));
        function.top && function.name != "run" && !elsewhere
    });
    let helpers: Vec<(&str, &[&str])> =
        lost.map(|function| (function.name, function.parameters.as_slice())).take(MOST).collect();
    let mut truths: Vec<&Primitive> =
        primitives.iter().filter(|one| one.gives.is_truth() && !one.takes.is_empty()).collect();
    truths.sort_by_key(|one| used.contains(one.name.as_str()));
    let called_anywhere = |expr: &Expr| called(expr).is_some();
    let exits = Exits::of(sites);
    let unasked: Vec<&Primitive> = primitives
        .iter()
        .filter(|one| !used.contains(one.name.as_str()) && (one.gives.is_truth() || one.gives.name() == Kind::NUMBER))
        .collect();
    for block in sites.blocks.iter().filter(|block| block.function.is_some()) {
        for stmt in block.stmts {
            give_up(sites, block, stmt, &helpers, pool);
            last_clauses(sites, block, stmt, &unasked, primitives, &exits, pool);
        }
        let guards: Vec<&Stmt> = block
            .stmts
            .iter()
            .filter(|stmt| as_guard(stmt).is_some_and(|(guard, _)| called_anywhere(&guard.test)))
            .collect();
        for (index, guard) in guards.iter().enumerate() {
            for (helper_rank, (helper, parameters)) in helpers.iter().enumerate() {
                let Some(call) = call_of(sites, block, helper, parameters, bytes(*guard).start) else { continue };
                for (rank, truth) in truths.iter().take(MOST).enumerate() {
                    let Some(asked) = question(sites, guard, truth) else { continue };
                    let later = u32::from(used.contains(truth.name.as_str())) * 3;
                    let tier = number(helper_rank + rank / 2 + index / 2) + later;
                    branch(sites, guard, &asked, &call, tier, index + 1 == guards.len(), pool);
                }
            }
        }
    }
}

/// Proposes a helper that nobody calls for the case that a call gave nothing.
fn give_up(sites: &Sites<'_>, block: &Block<'_>, stmt: &Stmt, helpers: &[(&str, &[&str])], pool: &mut Pool<'_, '_>) {
    let name = match stmt {
        Stmt::Assign(assign) if called(&assign.value).is_some() => assign.targets.first().and_then(name_of),
        // What both branches of an `if` set.
        Stmt::If(chain) => match chain.body.last() {
            Some(Stmt::Assign(assign)) if called(&assign.value).is_some() => assign.targets.first().and_then(name_of),
            _ => None,
        },
        _ => None,
    };
    let range = bytes(stmt);
    let (Some(name), Some(indent)) = (name, sites.indent(range.start)) else { return };
    let step = if indent.contains('\t') { "\t" } else { "    " };
    for (rank, (helper, parameters)) in helpers.iter().enumerate() {
        if let Some(call) = call_of(sites, block, helper, parameters, range.start) {
            let text = format!("\n{indent}if {name} is None:\n{indent}{step}return {call}");
            let what = format!("do `{call}` if `{name} is None`");
            pool.one(Family::Missing, number(1 + rank), range.end..range.end, text, what);
        }
    }
}

/// Proposes one more branch at the end of an `if` chain: leave if a tool that is called nowhere says so.
fn last_clauses(
    sites: &Sites<'_>,
    block: &Block<'_>,
    stmt: &Stmt,
    unasked: &[&Primitive],
    primitives: &[Primitive],
    exits: &Exits<'_>,
    pool: &mut Pool<'_, '_>,
) {
    let Stmt::If(chain) = stmt else { return };
    let range = bytes(stmt);
    let open = chain.elif_else_clauses.iter().all(|clause| clause.test.is_some());
    let Some(indent) = sites.indent(range.start).filter(|_| open) else { return };
    let step = if indent.contains('\t') { "\t" } else { "    " };
    for (rank, tool) in unasked.iter().take(MOST).enumerate() {
        // Another tool that takes the same shows what to ask about.
        let like = sites
            .exprs
            .iter()
            .filter(|site| site.function == block.function && site.role != Role::Callee)
            .find_map(|site| {
                let Expr::Call(call) = site.expr else { return None };
                let other = primitives.iter().find(|one| Some(one.name.as_str()) == name_of(&call.func))?;
                let whole = other.takes == tool.takes && call.arguments.args.len() == tool.takes.len();
                whole.then(|| {
                    call.arguments.args.iter().map(|argument| sites.of_node(argument)).collect::<Vec<_>>().join(", ")
                })
            });
        let Some(arguments) = like else { continue };
        // Of numbers, `> 0` is what is asked most often.
        let asked = format!("{}({arguments}){}", tool.name, if tool.gives.is_truth() { "" } else { " > 0" });
        for (exit_rank, exit) in exits.at(block).iter().enumerate() {
            let text = format!("\n{indent}elif {asked}:\n{indent}{step}{exit}");
            let what = format!("leave by `{exit}` if `{asked}`");
            pool.one(Family::Missing, number(4 + rank + exit_rank), range.end..range.end, text, what);
        }
    }
}

fn number(of: usize) -> u32 {
    u32::try_from(of).unwrap_or(u32::MAX / 4)
}

/// Writes a helper's call with names that its parameters have in common with what can be read here.
fn call_of(sites: &Sites<'_>, block: &Block<'_>, helper: &str, parameters: &[&str], at: usize) -> Option<String> {
    let own = block.function.and_then(|index| sites.functions.get(index))?;
    let readable = own.name != helper && parameters.iter().all(|name| sites.visible(name, block.function, at));
    readable.then(|| format!("{helper}({})", parameters.join(", ")))
}

/// Writes a condition with the arguments of the guard that stands here.
fn question(sites: &Sites<'_>, guard: &Stmt, truth: &Primitive) -> Option<String> {
    let (guard, _) = as_guard(guard)?;
    let Expr::Call(call) = guard.test.as_ref() else { return None };
    let fits = called(&guard.test) != Some(truth.name.as_str()) && call.arguments.args.len() == truth.takes.len();
    let arguments: Vec<&str> = call.arguments.args.iter().map(|argument| sites.of_node(argument)).collect();
    fits.then(|| format!("{}({})", truth.name, arguments.join(", ")))
}

/// Puts the branch before a guard and, where that is the last, behind it.
fn branch(sites: &Sites<'_>, guard: &Stmt, asked: &str, call: &str, tier: u32, last: bool, pool: &mut Pool<'_, '_>) {
    let range = bytes(guard);
    let Some(indent) = sites.indent(range.start) else { return };
    let step = if indent.contains('\t') { "\t" } else { "    " };
    let text = format!("if {asked}:\n{indent}{step}return {call}");
    let what = format!("do `{call}` if `{asked}`");
    pool.one(Family::Missing, tier, range.start..range.start, format!("{text}\n{indent}"), what.clone());
    if last {
        pool.one(Family::Missing, tier, range.end..range.end, format!("\n{indent}{text}"), what);
    }
}
