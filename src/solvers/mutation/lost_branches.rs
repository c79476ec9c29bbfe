//! A branch that was lost as a whole: a helper that nobody calls, and a condition that nobody asks.
//!
//! `if has_root(equation): return radical(equation, x)` leaves two traces when it is deleted: the helper `radical` is unused,
//! and so is the tool `has_root`, which the program was granted. Branches of the same kind show how the new one looks.

use std::collections::BTreeSet;

use ruff_python_ast::{Expr, Stmt};

use super::Primitive;
use super::candidate::{Family, Pool};
use super::guards::as_guard;
use super::sites::{Block, Sites, bytes, called, name_of};

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
    for block in sites.blocks.iter().filter(|block| block.function.is_some()) {
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
