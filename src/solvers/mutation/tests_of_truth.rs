//! Conditions by primitives that say yes or no: a guard below an assignment, a filter on what is collected.

use ruff_python_ast::{Expr, Stmt};

use super::boundary::asks_for_nothing;
use super::candidate::{Family, Pool};
use super::fill::{Filler, Place};
use super::guards::{Exits, below};
use super::kinds::Kinds;
use super::operators::{brief, shorten};
use super::sites::{Sites, bytes};
use super::{Kind, Primitive};

/// Proposes such conditions.
pub(super) fn propose(sites: &Sites<'_>, kinds: &Kinds<'_>, primitives: &[Primitive], pool: &mut Pool<'_, '_>) {
    let filler = Filler::of(sites, kinds);
    let own: Vec<Primitive> = (0..sites.functions.len()).filter_map(|index| kinds.signature(sites, index)).collect();
    let truths: Vec<&Primitive> =
        primitives.iter().chain(&own).filter(|one| one.gives.is_truth() && !one.takes.is_empty()).collect();
    if truths.is_empty() {
        return;
    }
    let exits = Exits::of(sites);
    for block in &sites.blocks {
        if block.function.is_none() {
            continue;
        }
        for (index, stmt) in block.stmts.iter().enumerate() {
            let end = bytes(stmt).end;
            if let Stmt::Assign(assign) = stmt
                && let [target @ Expr::Name(_)] = assign.targets.as_slice()
                && let Some(kind) = kinds.of(sites, target, block.function)
            {
                let place = Place { function: block.function, at: end };
                let given = sites.of_node(target);
                // Nothing can be asked of a value that is nothing, so a check for that stays in front.
                let behind = block.stmts.get(index + 1).filter(|next| asks_for_nothing(next, given));
                let after = behind.map_or(end, |next| bytes(next).end);
                for (rank, call) in asked(&truths, &kind, given, place, &filler) {
                    for (exit_rank, exit) in exits.at(block).iter().enumerate() {
                        let condition = format!("not {call}");
                        if let Some((range, text)) = below(sites, bytes(stmt).start, after, &condition, exit) {
                            let what = format!("leave by `{exit}` unless `{}`", shorten(&call));
                            let tier = rank + 2 * u32::try_from(exit_rank).unwrap_or(0);
                            pool.one(Family::Truth, tier, range, text, what);
                        }
                    }
                }
            }
            if let Stmt::Expr(expr) = stmt
                && let Expr::Call(collect) = expr.value.as_ref()
                && let Expr::Attribute(method) = collect.func.as_ref()
                && matches!(method.attr.as_str(), "append" | "add")
                && let Some(item) = collect.arguments.args.first()
                && let Some(kind) = kinds.of(sites, item, block.function)
                && let Some(indent) = sites.indent(bytes(stmt).start)
            {
                let place = Place { function: block.function, at: bytes(stmt).start };
                for (rank, call) in asked(&truths, &kind, sites.of_node(item), place, &filler) {
                    let body = sites.of_node(stmt);
                    let text = format!("if {call}:\n{indent}    {body}");
                    let what = format!("keep `{}` only if `{}`", brief(sites, item), shorten(&call));
                    pool.one(Family::Truth, rank, bytes(stmt), text, what);
                }
            }
        }
    }
    for site in &sites.exprs {
        let Expr::ListComp(comp) = site.expr else {
            continue;
        };
        let (Some(generator), true) = (comp.generators.first(), comp.generators.len() == 1) else {
            continue;
        };
        let element = kinds.of(sites, &generator.target, site.function).or_else(|| {
            let list = kinds.of(sites, &generator.iter, site.function)?;
            list.name().strip_suffix('s').map(Kind::new)
        });
        let Some(kind) = element else { continue };
        let place = Place { function: site.function, at: bytes(site.stmt).start };
        let given = sites.of_node(&generator.target);
        for (rank, call) in asked(&truths, &kind, given, place, &filler) {
            let at = bytes(site.expr).end.saturating_sub(1);
            let joint = if generator.ifs.is_empty() { "if" } else { "and" };
            let what = format!("keep `{given}` only if `{}`", shorten(&call));
            pool.one(Family::Truth, rank, at..at, format!(" {joint} {call}"), what);
        }
    }
}

/// Lists calls that say yes or no about a value, with their ranks.
fn asked(truths: &[&Primitive], kind: &Kind, given: &str, place: Place, filler: &Filler<'_, '_>) -> Vec<(u32, String)> {
    let mut calls = Vec::new();
    for primitive in truths {
        let Some(position) = primitive.takes.iter().position(|takes| takes == kind) else {
            continue;
        };
        let (count, here) = filler.use_of(&primitive.name, place.function);
        let base = if count > 0 { 0 } else { 2 } + if here { 1 } else { 0 };
        for (rank, call) in filler.fillings(primitive, position, given, place).into_iter().enumerate() {
            calls.push((base + u32::try_from(rank).unwrap_or(u32::MAX / 4), call));
        }
    }
    calls
}
