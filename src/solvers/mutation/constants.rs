//! Constants: numbers near the one that stands, other numbers of the script, other strings of the same role.

use std::collections::{BTreeMap, BTreeSet};

use ruff_python_ast::{Expr, Number, Operator, Stmt};

use super::candidate::{Family, Pool};
use super::operators::brief;
use super::sites::{Role, Site, Sites, bytes, name_of};

/// How many other numbers of the script are tried at each place.
const OTHER_NUMBERS: usize = 8;

/// How many other strings of the same role are tried at each place.
const OTHER_TEXTS: usize = 8;

/// Proposes other constants.
pub(super) fn propose(sites: &Sites<'_>, pool: &mut Pool<'_, '_>) {
    numbers(sites, pool);
    truths(sites, pool);
    texts(sites, pool);
}

fn numbers(sites: &Sites<'_>, pool: &mut Pool<'_, '_>) {
    let mut used: BTreeMap<&str, usize> = BTreeMap::new();
    for site in &sites.exprs {
        if let Expr::NumberLiteral(_) = site.expr {
            *used.entry(sites.of_node(site.expr)).or_default() += 1;
        }
    }
    let mut common: Vec<(&str, usize)> = used.into_iter().collect();
    common.sort_by_key(|(text, count)| (usize::MAX - count, *text));
    for site in &sites.exprs {
        let Expr::NumberLiteral(number) = site.expr else {
            continue;
        };
        let text = sites.of_node(site.expr);
        let mut options: Vec<(u32, String)> = Vec::new();
        let mut small = 1;
        if let Number::Int(int) = &number.value
            && let Some(value) = int.as_i64()
        {
            let negated = matches!(site.parent, Some(Expr::UnaryOp(_)));
            let near = [value.checked_sub(1), value.checked_add(1)].into_iter().flatten();
            options.extend(near.map(|near| (if near < 0 { 2 } else { 0 }, near.to_string())));
            if value != 0 && !negated {
                let tier = if site.role == Role::Element || site.role == Role::Assigned { 0 } else { 2 };
                options.push((tier, format!("-{text}")));
            }
            small = if value > 9 { 3 } else { 1 };
            // A coefficient is easily twice or half of what it should be.
            if let Some(Expr::BinOp(binary)) = site.parent
                && matches!(binary.op, Operator::Mult | Operator::Div | Operator::Pow)
                && (2..=9).contains(&value)
            {
                options.push((0, (value * 2).to_string()));
                if value % 2 == 0 {
                    options.push((0, (value / 2).to_string()));
                }
            }
        }
        options.extend(["0", "1", "2"].map(|option| (small, option.to_owned())));
        if !matches!(site.parent, Some(Expr::UnaryOp(_))) {
            options.extend(slips(text));
        }
        let others = common.iter().filter(|(other, _)| *other != text).take(OTHER_NUMBERS);
        options.extend(
            others
                .enumerate()
                .map(|(rank, (other, _))| (1 + u32::try_from(rank).unwrap_or(0) / 4, (*other).to_owned())),
        );
        // A number that stands for itself under a name is chosen freely; steps by one say little there.
        let free = matches!(site.stmt, Stmt::Assign(_)) && site.parent.is_none();
        let mut tried = BTreeSet::from([text.to_owned()]);
        options.sort_by_key(|(tier, _)| *tier);
        for (tier, option) in options {
            if tried.insert(option.clone()) {
                let tier = match site.role {
                    // Positions are near the start of a list or wrong altogether.
                    Role::Index if matches!(option.as_str(), "0" | "1") => 0,
                    Role::Index | Role::Other => 2 + tier,
                    // What stands at the top under a name is a setting.
                    _ if free && site.function.is_none() => 0,
                    _ if free => tier.min(1),
                    _ => number_place(site) + tier,
                };
                let what = match site.parent {
                    Some(parent) => {
                        format!("use {option} instead of {text} in `{}`", brief(sites, parent))
                    }
                    None => format!("use {option} instead of {text} in `{}`", brief(sites, site.stmt)),
                };
                let family = if site.role == Role::Index { Family::Position } else { Family::Number };
                pool.one(family, tier, bytes(site.expr), option, what);
            }
        }
    }
}

/// Lists what a number may have been before a digit of it was mistyped: any single digit, and a longer number without one.
fn slips(text: &str) -> Vec<(u32, String)> {
    let digits = text.len();
    if !text.bytes().all(|byte| byte.is_ascii_digit()) || digits > 3 {
        return Vec::new();
    }
    let mut options: Vec<(u32, String)> = Vec::new();
    if digits > 1 {
        let shorter = (0..digits).map(|at| format!("{}{}", &text[..at], &text[at + 1..]));
        options.extend(shorter.filter(|text| !text.starts_with('0')).map(|text| (1, text)));
    }
    options.extend((3..=9).map(|digit: u32| (4, digit.to_string())));
    options
}

/// Ranks a number by what it is for: formulas and bounds are wrong more often than positions in a list.
fn number_place(site: &Site<'_>) -> u32 {
    match site.role {
        Role::Operand | Role::Compared | Role::Argument(_) | Role::Assigned | Role::Element => 0,
        Role::Returned | Role::DictValue | Role::Index | Role::Other => 1,
        Role::Condition
        | Role::Bound
        | Role::Iterated
        | Role::DictKey
        | Role::Callee
        | Role::Container
        | Role::Discarded => 3,
    }
}

/// Proposes `True` for `False` and the other way round.
fn truths(sites: &Sites<'_>, pool: &mut Pool<'_, '_>) {
    for site in &sites.exprs {
        if let Expr::BooleanLiteral(truth) = site.expr {
            let other = if truth.value { "False" } else { "True" };
            let what = format!("use {other} instead of {}", sites.of_node(site.expr));
            pool.one(Family::Logic, 0, bytes(site.expr), other, what);
        }
    }
}

fn texts(sites: &Sites<'_>, pool: &mut Pool<'_, '_>) {
    let mut by_role: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    let mut counts: BTreeMap<(&str, &str), u32> = BTreeMap::new();
    let roles: Vec<Option<String>> = sites.exprs.iter().map(|site| text_role(sites, site)).collect();
    for (site, role) in sites.exprs.iter().zip(&roles) {
        if let Some(role) = role {
            let texts = by_role.entry(role.clone()).or_default();
            let text = sites.of_node(site.expr);
            *counts.entry((role.as_str(), text)).or_default() += 1;
            if !texts.contains(&text) && texts.len() < 64 {
                texts.push(text);
            }
        }
    }
    for (site, role) in sites.exprs.iter().zip(&roles) {
        let Some(role) = role else { continue };
        let Some(others) = by_role.get(role) else {
            continue;
        };
        let text = sites.of_node(site.expr);
        // A text that stands in the same role again and again is seldom the wrong one.
        let often = counts.get(&(role.as_str(), text)).copied().unwrap_or(0) / 2;
        let others = others.iter().filter(|other| **other != text).take(OTHER_TEXTS);
        for (rank, other) in others.enumerate() {
            let what = match site.parent {
                Some(parent) => format!("use {other} instead of {text} in `{}`", brief(sites, parent)),
                None => format!("use {other} instead of {text}"),
            };
            let tier = often + u32::try_from(rank).unwrap_or(u32::MAX / 4);
            pool.one(Family::Text, tier, bytes(site.expr), *other, what);
        }
    }
}

/// Names what a string is for, so that only strings of the same use are exchanged; `None` for prose.
fn text_role(sites: &Sites<'_>, site: &Site<'_>) -> Option<String> {
    let Expr::StringLiteral(text) = site.expr else {
        return None;
    };
    if text.value.is_implicit_concatenated() || is_prose(text.value.to_str()) {
        return None;
    }
    match (site.role, site.parent) {
        (Role::Compared, Some(Expr::Compare(compare))) => Some(format!("compared {}", sites.of_node(&*compare.left))),
        (Role::Index, Some(Expr::Subscript(subscript))) => Some(format!("key {}", sites.of_node(&*subscript.value))),
        (Role::Argument(index), Some(Expr::Call(call))) => {
            let function = match call.func.as_ref() {
                Expr::Attribute(attribute) => attribute.attr.as_str(),
                other => name_of(other)?,
            };
            Some(format!("argument {index} of {function}"))
        }
        (Role::Operand, _) => Some("joined".to_owned()),
        (Role::Element, Some(_)) => Some("element".to_owned()),
        (Role::DictValue, Some(Expr::Dict(dict))) => {
            let at = bytes(site.expr).start;
            let item = dict.items.iter().find(|item| bytes(&item.value).start == at)?;
            Some(format!("value of {}", sites.of_node(item.key.as_ref()?)))
        }
        (Role::Returned, _) => match site.function {
            Some(index) => Some(format!("returned by {}", sites.functions.get(index)?.name)),
            None => None,
        },
        (Role::Assigned, _) => match site.stmt {
            Stmt::Assign(assign) => Some(format!("value of {}", sites.of_node(assign.targets.first()?))),
            _ => None,
        },
        _ => None,
    }
}

/// Says whether text is for people: words with blanks between or after them. No test turns on its wording.
fn is_prose(text: &str) -> bool {
    text.contains(' ') && text.split(' ').any(|word| word.chars().filter(|c| c.is_alphabetic()).count() > 1)
}
