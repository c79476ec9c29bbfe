//! Calls of primitives: put around a value that lacks one, or exchanged for another of the same signature.

use std::collections::BTreeSet;

use ruff_python_ast::{Expr, Stmt};
use ruff_text_size::Ranged;

use super::candidate::{Family, Pool};
use super::fill::{Filler, Place};
use super::kinds::Kinds;
use super::operators::{brief, shorten};
use super::sites::{Role, Site, Sites, bytes, called, name_of};
use super::{Kind, Primitive};

/// Proposes calls around values and other tools in place of those called.
pub(super) fn propose(sites: &Sites<'_>, kinds: &Kinds<'_>, primitives: &[Primitive], pool: &mut Pool<'_, '_>) {
    let filler = Filler::of(sites, kinds);
    // The script's own functions can be put around a value as well, once their signature is known.
    let own: Vec<Primitive> = (0..sites.functions.len())
        .filter(|index| sites.functions.get(*index).is_some_and(|function| function.top))
        .filter_map(|index| kinds.signature(sites, index))
        .collect();
    let all: Vec<&Primitive> = primitives.iter().chain(&own).collect();
    let wraps: BTreeSet<&Kind> = all
        .iter()
        .filter(|one| one.takes.contains(&one.gives))
        .map(|one| &one.gives)
        .filter(|kind| !kind.is_any())
        .collect();
    for site in &sites.exprs {
        replace(sites, site, primitives, pool);
        let Some(place_tier) = place_tier(site) else {
            continue;
        };
        let Some(kind) = kinds.of(sites, site.expr, site.function) else {
            continue;
        };
        if wraps.contains(&kind) {
            for primitive in &all {
                wrap(sites, site, &kind, primitive, place_tier, &filler, pool);
            }
        }
    }
}

/// Puts one primitive around one value.
fn wrap(
    sites: &Sites<'_>,
    site: &Site<'_>,
    kind: &Kind,
    primitive: &Primitive,
    place_tier: u32,
    filler: &Filler<'_, '_>,
    pool: &mut Pool<'_, '_>,
) {
    let name = primitive.name.as_str();
    let inside_itself = called(site.expr) == Some(name) || site.parent.and_then(called) == Some(name);
    let recursive =
        site.function.and_then(|index| sites.functions.get(index)).is_some_and(|function| function.name == name);
    if primitive.gives != *kind || inside_itself || recursive {
        return;
    }
    let Some(position) = primitive.takes.iter().position(|takes| takes == kind) else {
        return;
    };
    let (count, here) = filler.use_of(name, site.function);
    let place = Place { function: site.function, at: bytes(site.stmt).start };
    let mut given = sites.of_node(site.expr).to_owned();
    if matches!(site.expr, Expr::Tuple(_) | Expr::Generator(_) | Expr::If(_)) {
        given = format!("({given})");
    }
    let calls = filler.fillings(primitive, position, &given, place);
    for (rank, call) in calls.into_iter().enumerate() {
        let tier = place_tier
            + u32::try_from(rank).unwrap_or(u32::MAX / 4)
            // What the script was granted and calls nowhere is likely what it lost.
            + u32::from(count == 1)
            + if here { 2 } else { 0 };
        let value = match site.expr {
            Expr::Name(_) => format!("`{}`", brief(sites, site.expr)),
            _ => kind.name().to_owned(),
        };
        let what = format!("pass {value} through `{}` {}", shorten(name), moment(sites, site));
        pool.one(Family::Wrap, tier, bytes(site.expr), call, what);
    }
}

/// Ranks the places where a call can be put around a value; `None` where it makes no sense.
fn place_tier(site: &Site<'_>) -> Option<u32> {
    match site.role {
        Role::Returned => Some(0),
        // `x = y` is what remains of `x = check(y)`.
        Role::Assigned if matches!(site.expr, Expr::Name(_)) => Some(0),
        Role::Assigned | Role::DictValue => Some(1),
        Role::Argument(_) | Role::Iterated | Role::Element => Some(2),
        Role::Operand | Role::Compared | Role::Condition | Role::Other => Some(4),
        Role::Bound | Role::DictKey | Role::Callee | Role::Container | Role::Index | Role::Discarded => None,
    }
}

/// Says in words when the value passes.
fn moment(sites: &Sites<'_>, site: &Site<'_>) -> String {
    match (site.role, site.stmt, site.parent) {
        (Role::Returned, _, _) => "before it is returned".to_owned(),
        (Role::DictValue, _, _) => "before it is handed on".to_owned(),
        (Role::Assigned, Stmt::Assign(assign), _) => match assign.targets.first() {
            Some(target) => format!("before it becomes `{}`", brief(sites, target)),
            None => "before it is kept".to_owned(),
        },
        (Role::Argument(_), _, Some(Expr::Call(call))) => {
            format!("before `{}` gets it", brief(sites, &*call.func))
        }
        (Role::Iterated, _, _) => "before the loop over it".to_owned(),
        _ => format!("in `{}`", shorten(sites.text(&(bytes(site.stmt).start..end_of_head(site.stmt))))),
    }
}

/// Returns where the first part of a statement ends: its body is no part of a sentence.
fn end_of_head(stmt: &Stmt) -> usize {
    match stmt {
        Stmt::If(branch) => branch.test.end().to_usize(),
        Stmt::While(each) => each.test.end().to_usize(),
        Stmt::For(each) => each.iter.end().to_usize(),
        _ => bytes(stmt).end,
    }
}

/// Proposes another tool of the same signature in place of the one that is called.
fn replace(sites: &Sites<'_>, site: &Site<'_>, primitives: &[Primitive], pool: &mut Pool<'_, '_>) {
    let Expr::Call(call) = site.expr else { return };
    let Some(name) = name_of(&call.func) else {
        return;
    };
    let Some(now) = primitives.iter().find(|one| one.name == name) else {
        return;
    };
    let same = primitives.iter().filter(|one| one.name != name && one.takes == now.takes && one.gives == now.gives);
    for (rank, other) in same.take(8).enumerate() {
        let what = format!("call `{}` instead of `{name}` in `{}`", other.name, brief(sites, site.expr));
        let tier = 1 + u32::try_from(rank).unwrap_or(u32::MAX / 4);
        pool.one(Family::Replace, tier, bytes(&*call.func), other.name.as_str(), what);
    }
}
