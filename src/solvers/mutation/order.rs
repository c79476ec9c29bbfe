//! Order of things in a row: methods of a list, entries of a table, arguments of a call.

use std::ops::Range;

use ruff_python_ast::Expr;

use super::candidate::{Family, Pool};
use super::kinds::Kinds;
use super::operators::{brief, shorten};
use super::sites::{Role, Sites, bytes, name_of};
use super::{Kind, Primitive};

/// Longest row whose order is tried; longer ones are data.
const LONGEST: usize = 16;

/// Proposes other orders of lists, tables and arguments.
pub(super) fn propose(sites: &Sites<'_>, kinds: &Kinds<'_>, primitives: &[Primitive], pool: &mut Pool<'_, '_>) {
    for site in &sites.exprs {
        match site.expr {
            Expr::List(list) if site.role != Role::Bound => {
                row(sites, &list.elts.iter().map(bytes).collect::<Vec<_>>(), trust(sites, &list.elts), pool);
            }
            Expr::Tuple(tuple) => {
                // Names that are unpacked in the wrong order are a common slip.
                let tier = if site.role == Role::Bound { 1 } else { trust(sites, &tuple.elts) };
                row(sites, &tuple.elts.iter().map(bytes).collect::<Vec<_>>(), tier, pool);
            }
            // Order matters in a table that is gone through, and such a table has a name.
            Expr::Dict(dict) if site.role == Role::Assigned => {
                let items: Option<Vec<Range<usize>>> = dict
                    .items
                    .iter()
                    .map(|item| Some(bytes(item.key.as_ref()?).start..bytes(&item.value).end))
                    .collect();
                let functions = dict
                    .items
                    .iter()
                    .all(|item| name_of(&item.value).is_some_and(|name| sites.function_named(name).is_some()));
                row(sites, &items.unwrap_or_default(), if functions { 1 } else { 8 }, pool);
            }
            Expr::Call(call) => {
                let name = name_of(&call.func);
                let takes = primitives
                    .iter()
                    .find(|one| Some(one.name.as_str()) == name)
                    .map_or(&[][..], |one| one.takes.as_slice());
                let given: Vec<Option<Kind>> = call
                    .arguments
                    .args
                    .iter()
                    .take(LONGEST)
                    .map(|argument| kinds.of(sites, argument, site.function))
                    .collect();
                arguments(sites, site.expr, &call.arguments.args, (takes, &given), pool);
            }
            _ => {}
        }
    }
}

/// Ranks a row by what it holds: helpers, names of methods, numbers, anything.
fn trust(sites: &Sites<'_>, elements: &[Expr]) -> u32 {
    let functions =
        elements.iter().filter(|element| name_of(element).is_some_and(|name| sites.function_named(name).is_some()));
    if functions.count() * 2 > elements.len() {
        0
    } else if elements.iter().all(|element| matches!(element, Expr::StringLiteral(_))) {
        1
    } else if elements.iter().any(|element| matches!(element, Expr::List(_) | Expr::Tuple(_))) {
        2
    } else {
        5
    }
}

/// Proposes neighbours swapped, one moved to the front or the back, and any two swapped.
fn row(sites: &Sites<'_>, items: &[Range<usize>], tier: u32, pool: &mut Pool<'_, '_>) {
    if items.len() < 2 || items.len() > LONGEST {
        return;
    }
    let name = |range: &Range<usize>| shorten(sites.text(range));
    for pair in items.windows(2) {
        if let [first, second] = pair {
            let what = format!("try `{}` before `{}`", name(second), name(first));
            pool.swap(Family::Order, tier, first.clone(), second.clone(), what);
        }
    }
    // Of three, moving one to an end is two neighbours swapped, or all three in turn.
    for index in 0..if items.len() > 3 { items.len() } else { 0 } {
        if let Some(item) = items.get(index) {
            if index > 1 {
                let what = format!("move `{}` to the front", name(item));
                rotate(sites, items.get(..=index).unwrap_or_default(), true, tier + 1, what, pool);
            }
            if index + 2 < items.len() {
                let what = format!("move `{}` to the back", name(item));
                rotate(sites, items.get(index..).unwrap_or_default(), false, tier + 1, what, pool);
            }
        }
    }
    for (index, first) in items.iter().enumerate() {
        for second in items.iter().skip(index + 2) {
            let what = format!("swap `{}` and `{}`", name(first), name(second));
            let tier = tier + if items.len() == 3 { 1 } else { 2 };
            pool.swap(Family::Order, tier, first.clone(), second.clone(), what);
        }
    }
}

/// Writes the texts of the items one place further, the last to the front, or the other way round.
fn rotate(
    sites: &Sites<'_>,
    items: &[Range<usize>],
    last_first: bool,
    tier: u32,
    what: String,
    pool: &mut Pool<'_, '_>,
) {
    let mut texts: Vec<&str> = items.iter().map(|range| sites.text(range)).collect();
    if last_first {
        texts.rotate_right(1);
    } else {
        texts.rotate_left(1);
    }
    let edits = items
        .iter()
        .zip(texts)
        .filter(|(range, text)| sites.text(range) != *text)
        .map(|(range, text)| (range.clone(), text.to_owned()))
        .collect();
    pool.many(Family::Order, tier, edits, what);
}

/// Proposes two neighbouring arguments swapped; `takes` and `given` are their kinds, as far as they are known.
fn arguments(
    sites: &Sites<'_>,
    call: &Expr,
    arguments: &[Expr],
    (takes, given): (&[Kind], &[Option<Kind>]),
    pool: &mut Pool<'_, '_>,
) {
    if arguments.len() > LONGEST {
        return;
    }
    for (index, pair) in arguments.windows(2).enumerate() {
        if let [first, second] = pair
            && !matches!(first, Expr::Starred(_))
            && !matches!(second, Expr::Starred(_))
        {
            let wanted = (takes.get(index), takes.get(index + 1));
            let passed = (given.get(index).and_then(Option::as_ref), given.get(index + 1).and_then(Option::as_ref));
            let tier = match (wanted, passed) {
                ((Some(a), Some(b)), _) if a == b => 0,
                ((Some(a), Some(b)), (Some(x), Some(y))) if a == y && b == x => 0,
                ((Some(a), Some(b)), (Some(x), Some(y))) if a == x && b == y => 4,
                ((Some(_), Some(_)), _) => 2,
                _ => 1,
            };
            let what = format!(
                "swap the arguments `{}` and `{}` of `{}`",
                brief(sites, first),
                brief(sites, second),
                brief(sites, call)
            );
            pool.swap(Family::Arguments, tier, bytes(first), bytes(second), what);
        }
    }
}
