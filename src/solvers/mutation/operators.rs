//! Operators: comparisons, arithmetic, signs, `and`, `or` and `not`.

use std::ops::Range;

use ruff_python_ast::{BoolOp, CmpOp, Expr, Number, Operator, Stmt, UnaryOp};

use super::Kind;
use super::candidate::{Family, Pool};
use super::kinds::Kinds;
use super::sites::{Role, Site, Sites, bytes};

/// Proposes another operator everywhere one stands.
pub(super) fn propose(sites: &Sites<'_>, kinds: &Kinds<'_>, pool: &mut Pool<'_, '_>) {
    for site in &sites.exprs {
        match site.expr {
            Expr::Compare(compare) => {
                let mut left = compare.left.as_ref();
                for (op, right) in compare.ops.iter().zip(&compare.comparators) {
                    let range = between(sites, bytes(left).end, bytes(right).start);
                    for (tier, other) in others(*op) {
                        let what = format!(
                            "compare with `{}` instead of `{}` in `{}`",
                            other.as_str(),
                            op.as_str(),
                            brief(sites, site.expr)
                        );
                        pool.one(Family::Compare, *tier, range.clone(), other.as_str(), what);
                    }
                    left = right;
                }
            }
            Expr::BinOp(binary) => {
                let range = between(sites, bytes(&*binary.left).end, bytes(&*binary.right).start);
                let worded = is_text(&binary.left) || is_text(&binary.right);
                for (tier, other) in arithmetic(binary.op) {
                    let what = format!(
                        "use `{}` instead of `{}` in `{}`",
                        other.as_str(),
                        binary.op.as_str(),
                        brief(sites, site.expr)
                    );
                    // Text has only `+`; another operator there would merely fail.
                    let tier = if worded { tier + 8 } else { *tier };
                    pool.one(Family::Arithmetic, tier, range.clone(), other.as_str(), what);
                }
                if !worded && matches!(binary.op, Operator::Sub | Operator::Div | Operator::FloorDiv) {
                    let what = format!("swap the operands of `{}`", brief(sites, site.expr));
                    pool.swap(Family::Arithmetic, 3, bytes(&*binary.left), bytes(&*binary.right), what);
                }
            }
            Expr::UnaryOp(unary) => match unary.op {
                UnaryOp::USub | UnaryOp::UAdd => {
                    let range = bytes(site.expr).start..bytes(&*unary.operand).start;
                    let opening = bracket_of(sites, &range);
                    let what = format!("drop the sign of `{}`", brief(sites, site.expr));
                    pool.one(Family::Arithmetic, 0, range, opening, what);
                }
                UnaryOp::Not => {
                    let range = bytes(site.expr).start..bytes(&*unary.operand).start;
                    let opening = bracket_of(sites, &range);
                    let what = format!("drop `not` from `{}`", brief(sites, site.expr));
                    pool.one(Family::Logic, 0, range, opening, what);
                }
                UnaryOp::Invert => {}
            },
            Expr::BoolOp(logic) => {
                let (now, other) = match logic.op {
                    BoolOp::And => ("and", "or"),
                    BoolOp::Or => ("or", "and"),
                };
                for (index, pair) in logic.values.windows(2).enumerate() {
                    if let [left, right] = pair {
                        let range = between(sites, bytes(left).end, bytes(right).start);
                        let what = format!("use `{other}` instead of `{now}` in `{}`", brief(sites, site.expr));
                        pool.one(Family::Logic, u32::from(index > 0), range, other, what);
                    }
                }
                drop_operand(sites, site, &logic.values, pool);
            }
            _ => {}
        }
        negate(sites, site, pool);
        sign(sites, kinds, site, pool);
        coefficient(sites, site, pool);
    }
    for block in &sites.blocks {
        for stmt in block.stmts {
            if let Stmt::AugAssign(assign) = stmt {
                let range = between(sites, bytes(&*assign.target).end, bytes(&*assign.value).start);
                for (tier, other) in arithmetic(assign.op) {
                    let what = format!("use `{}=` in `{}`", other.as_str(), brief(sites, stmt));
                    pool.one(Family::Arithmetic, *tier, range.clone(), format!("{}=", other.as_str()), what);
                }
            }
        }
    }
}

/// Proposes a condition without one of its operands.
fn drop_operand(sites: &Sites<'_>, site: &Site<'_>, values: &[Expr], pool: &mut Pool<'_, '_>) {
    for (index, value) in values.iter().enumerate() {
        let Some(before) = index.checked_sub(1).and_then(|previous| values.get(previous)) else {
            if let Some(after) = values.get(1) {
                let what = format!("drop `{}` from the condition", brief(sites, value));
                pool.one(Family::Logic, 3, bytes(value).start..bytes(after).start, "", what);
            }
            continue;
        };
        let what = format!("drop `{}` from `{}`", brief(sites, value), brief(sites, site.expr));
        pool.one(Family::Logic, 3, bytes(before).end..bytes(value).end, "", what);
    }
}

/// Proposes the opposite of a condition that is not a comparison; those have their own opposites.
fn negate(sites: &Sites<'_>, site: &Site<'_>, pool: &mut Pool<'_, '_>) {
    if site.role != Role::Condition {
        return;
    }
    let negated = site.parent.is_some_and(|parent| matches!(parent, Expr::UnaryOp(unary) if unary.op == UnaryOp::Not));
    match site.expr {
        Expr::Compare(_) | Expr::UnaryOp(_) => {}
        _ if negated => {}
        Expr::BoolOp(_) | Expr::If(_) | Expr::Named(_) => {
            let what = format!("negate `{}`", brief(sites, site.expr));
            let text = format!("not ({})", sites.of_node(site.expr));
            pool.one(Family::Logic, 2, bytes(site.expr), text, what);
        }
        _ => {
            let at = bytes(site.expr).start;
            let what = format!("negate `{}`", brief(sites, site.expr));
            pool.one(Family::Logic, 1, at..at, "not ", what);
        }
    }
}

/// Proposes a minus before a term of arithmetic, or before an argument that is arithmetic itself.
fn sign(sites: &Sites<'_>, kinds: &Kinds<'_>, site: &Site<'_>, pool: &mut Pool<'_, '_>) {
    let signed = matches!(site.parent, Some(Expr::UnaryOp(_)));
    let tier = match (site.role, site.expr) {
        _ if signed => return,
        (Role::Operand, Expr::Name(_)) => 2,
        // A name in the midst of formula text.
        (Role::Other, Expr::Name(_)) if matches!(site.parent, Some(Expr::FString(_))) => 1,
        (Role::Operand, Expr::Call(_) | Expr::Subscript(_) | Expr::Attribute(_)) => 3,
        (Role::Argument(_) | Role::Assigned | Role::Returned | Role::Element, Expr::BinOp(binary))
            if binary.op != Operator::Mod && !is_text(&binary.left) && !is_text(&binary.right) =>
        {
            2
        }
        (Role::Argument(_) | Role::Element | Role::Assigned | Role::Returned, Expr::Name(_)) => {
            match kinds.of(sites, site.expr, site.function) {
                Some(kind) if kind.name() == Kind::NUMBER => 1,
                Some(_) => return,
                None => 6,
            }
        }
        _ => return,
    };
    // `b - c` already becomes `b + c` by its operator; a minus before the right operand says the same.
    if let Some(Expr::BinOp(binary)) = site.parent
        && (is_text(&binary.left)
            || is_text(&binary.right)
            || (matches!(binary.op, Operator::Add | Operator::Sub) && bytes(&*binary.right) == bytes(site.expr)))
    {
        return;
    }
    let text = match site.expr {
        Expr::BinOp(_) => format!("-({})", sites.of_node(site.expr)),
        _ => format!("-{}", sites.of_node(site.expr)),
    };
    let what = format!("change the sign of `{}`", brief(sites, site.expr));
    pool.one(Family::Arithmetic, tier, bytes(site.expr), text, what);
}

/// Proposes a coefficient before a term that may have lost one: in formula text, or in a sum.
fn coefficient(sites: &Sites<'_>, site: &Site<'_>, pool: &mut Pool<'_, '_>) {
    let plain = |binary: &ruff_python_ast::ExprBinOp| {
        matches!(binary.op, Operator::Add | Operator::Sub) && !is_text(&binary.left) && !is_text(&binary.right)
    };
    let (options, tier): (&[&str], u32) = match (site.parent, site.expr) {
        (Some(Expr::FString(_)), Expr::Name(_)) => (&["2"], 2),
        (Some(Expr::BinOp(sum)), Expr::BinOp(product)) if plain(sum) && product.op == Operator::Mult => {
            (&["2", "4"], 4)
        }
        (Some(Expr::BinOp(sum)), Expr::Name(_)) if plain(sum) => (&["2"], 5),
        _ => return,
    };
    for (option, tier) in options.iter().zip(tier..) {
        let what = format!("take `{}` {option} times", brief(sites, site.expr));
        let at = bytes(site.expr).start;
        pool.one(Family::Arithmetic, tier, at..at, format!("{option} * "), what);
    }
}

/// Returns the other comparisons with their tiers: first the mirror and the boundary, then the opposite.
fn others(op: CmpOp) -> &'static [(u32, CmpOp)] {
    use CmpOp::{Eq, Gt, GtE, In, Is, IsNot, Lt, LtE, NotEq, NotIn};
    match op {
        Lt => &[(0, Gt), (0, LtE), (1, GtE), (4, NotEq), (5, Eq)],
        LtE => &[(0, GtE), (0, Lt), (1, Gt), (4, NotEq), (5, Eq)],
        Gt => &[(0, Lt), (0, GtE), (1, LtE), (4, NotEq), (5, Eq)],
        GtE => &[(0, LtE), (0, Gt), (1, Lt), (4, NotEq), (5, Eq)],
        Eq => &[(1, NotEq), (4, GtE), (4, LtE), (6, Gt), (6, Lt)],
        NotEq => &[(1, Eq), (4, Gt), (4, Lt), (6, GtE), (6, LtE)],
        In => &[(2, NotIn)],
        NotIn => &[(2, In)],
        Is => &[(2, IsNot)],
        IsNot => &[(2, Is)],
    }
}

/// Returns the other operators with their tiers.
fn arithmetic(op: Operator) -> &'static [(u32, Operator)] {
    match op {
        Operator::Add => &[(0, Operator::Sub), (4, Operator::Mult)],
        Operator::Sub => &[(0, Operator::Add), (4, Operator::Mult)],
        Operator::Mult => &[(1, Operator::Div), (2, Operator::Add), (3, Operator::FloorDiv), (4, Operator::Pow)],
        Operator::Div => &[(1, Operator::Mult), (1, Operator::FloorDiv), (4, Operator::Mod)],
        Operator::FloorDiv => &[(1, Operator::Mult), (1, Operator::Div), (2, Operator::Mod)],
        Operator::Mod => &[(2, Operator::FloorDiv), (3, Operator::Div)],
        Operator::Pow => &[(3, Operator::Mult)],
        Operator::MatMult
        | Operator::LShift
        | Operator::RShift
        | Operator::BitOr
        | Operator::BitXor
        | Operator::BitAnd => &[],
    }
}

/// Says whether an operand is certainly text or a list, so that `+` joins.
fn is_text(expr: &Expr) -> bool {
    match expr {
        Expr::StringLiteral(_) | Expr::FString(_) | Expr::List(_) | Expr::ListComp(_) => true,
        Expr::BinOp(binary) => is_text(&binary.left) || is_text(&binary.right),
        Expr::Call(call) => {
            matches!(call.func.as_ref(), Expr::Name(name) if name.id.as_str() == "str")
        }
        Expr::NumberLiteral(number) => matches!(number.value, Number::Complex { .. }),
        _ => false,
    }
}

/// Finds the operator between two operands: what remains without brackets, blanks and comments.
pub(super) fn between(sites: &Sites<'_>, from: usize, to: usize) -> Range<usize> {
    let bytes = sites.source.as_bytes();
    let mut comment = false;
    let mut found: Option<Range<usize>> = None;
    for at in from..to.min(bytes.len()) {
        let byte = bytes.get(at).copied().unwrap_or(b' ');
        match byte {
            b'\n' => comment = false,
            b'#' => comment = true,
            _ if comment => {}
            b' ' | b'\t' | b'\r' | b'\\' | b'(' | b')' => {}
            _ => {
                let start = found.as_ref().map_or(at, |range| range.start);
                found = Some(start..at + 1);
            }
        }
    }
    found.unwrap_or(from..from)
}

/// Returns the opening brackets within a range that is going to be replaced, so that they stay.
fn bracket_of(sites: &Sites<'_>, range: &Range<usize>) -> String {
    sites.text(range).chars().filter(|c| *c == '(').collect()
}

/// Returns a node's text on one line, cut to a length that a sentence can carry.
pub(super) fn brief(sites: &Sites<'_>, node: &impl ruff_text_size::Ranged) -> String {
    shorten(sites.of_node(node))
}

/// Puts text on one line and cuts it.
pub(super) fn shorten(text: &str) -> String {
    const LONGEST: usize = 60;
    // Long text is cut before it is looked at, because every edit inside it asks for it again.
    let head: String = text.chars().take(LONGEST * 4).collect();
    let line: String = head.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= LONGEST {
        return line;
    }
    let mut cut: String = line.chars().take(LONGEST).collect();
    cut.push('…');
    cut
}
