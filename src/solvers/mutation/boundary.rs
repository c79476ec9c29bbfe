//! Guards that are missing, in plain Python: after a value is computed, leave if it is of no use.
//!
//! Conditions are those of the guards that the script has, with another name, and the four commonest. What a value is
//! used for decides which of them fit: what is divided by or put under a root may be zero or negative, what a call
//! gives may be nothing.

use std::collections::{BTreeMap, BTreeSet};

use ruff_python_ast::{Expr, Number, Operator, Stmt};

use super::candidate::{Family, Pool};
use super::guards::{Exits, as_guard, below};
use super::operators::shorten;
use super::sites::{Block, Role, Sites, bytes, called, name_of};

/// Most conditions taken from the script.
const MOST_CONDITIONS: usize = 12;

/// What a condition asks, as far as it decides for which values it makes sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asks {
    Number,
    Nothing,
    Emptiness,
    Other,
}

/// A condition with a hole for a name.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Condition {
    /// Text around the holes; there is a hole between any two.
    pieces: Vec<String>,
    asks: Asks,
    /// Whether the script has it.
    used: bool,
}

/// How a name is used in one function.
#[derive(Clone, Copy, Debug, Default)]
struct Uses {
    number: bool,
    from_call: bool,
    list: bool,
    tested: bool,
    divisor: bool,
}

/// Proposes a guard after each assignment and at the start of each function.
pub(super) fn propose(sites: &Sites<'_>, pool: &mut Pool<'_, '_>) {
    let conditions = conditions(sites);
    let uses = uses(sites);
    let exits = Exits::of(sites);
    for block in &sites.blocks {
        let Some(function) = block.function.and_then(|index| sites.functions.get(index)) else { continue };
        let leaving = exits.at(block);
        for stmt in block.stmts {
            for name in assigned(stmt) {
                let at = (bytes(stmt).start, bytes(stmt).end);
                guards(sites, block, name, at, 0, &conditions, &uses, &leaving, pool);
            }
        }
        if block.stmts.as_ptr() == function.body.as_ptr()
            && let Some(first) = first_after_docstring(block.stmts)
        {
            let start = bytes(first).start;
            let line = sites.line_start(start);
            for name in function.parameters.iter().take(8) {
                guards(sites, block, name, (start, line.saturating_sub(1)), 2, &conditions, &uses, &leaving, pool);
            }
        }
    }
}

#[expect(clippy::too_many_arguments, reason = "one call site each for assignments and parameters")]
fn guards(
    sites: &Sites<'_>,
    block: &Block<'_>,
    name: &str,
    (like, after): (usize, usize),
    later: u32,
    conditions: &[Condition],
    uses: &BTreeMap<(Option<usize>, &str), Uses>,
    leaving: &[&str],
    pool: &mut Pool<'_, '_>,
) {
    let uses = uses.get(&(block.function, name)).copied().unwrap_or_default();
    let mut rank = 0;
    for condition in conditions {
        let fits = match condition.asks {
            Asks::Number => uses.number,
            Asks::Nothing => uses.from_call,
            Asks::Emptiness => uses.list,
            Asks::Other => false,
        };
        let text = condition.pieces.join(name);
        for (exit_rank, exit) in leaving.iter().enumerate() {
            if let Some((range, insertion)) = below(sites, like, after, &text, exit) {
                let zero_matters = uses.divisor && text.ends_with("== 0");
                let tier = later
                    + if fits { rank } else { 8 }
                    + u32::from(uses.tested)
                    + u32::from(!condition.used)
                    + 2 * u32::try_from(exit_rank).unwrap_or(0)
                    - u32::from(zero_matters).min(later);
                let what = format!("{} if `{}`", leave(exit), shorten(&text));
                pool.one(Family::Guard, tier, range, insertion, what);
            }
        }
        rank += u32::from(fits);
    }
}

/// Says in words what a way of leaving does.
fn leave(exit: &str) -> String {
    match exit {
        "continue" => "skip the rest of this round".to_owned(),
        "break" => "stop the loop".to_owned(),
        other => format!("give up by `{}`", shorten(other)),
    }
}

/// Lists the names that a statement assigns.
pub(super) fn assigned(stmt: &Stmt) -> Vec<&str> {
    let Stmt::Assign(assign) = stmt else { return Vec::new() };
    match assign.targets.first() {
        Some(Expr::Name(name)) => vec![name.id.as_str()],
        Some(Expr::Tuple(tuple)) => tuple.elts.iter().filter_map(name_of).take(4).collect(),
        _ => Vec::new(),
    }
}

/// Returns the first statement that is not a docstring.
pub(super) fn first_after_docstring(body: &[Stmt]) -> Option<&Stmt> {
    let is_doc = |stmt: &Stmt| {
        matches!(stmt, Stmt::Expr(expr) if matches!(expr.value.as_ref(), Expr::StringLiteral(_)))
    };
    body.iter().find(|stmt| !is_doc(stmt))
}

/// Gathers the conditions of the script's guards, commonest first, and four that every script may need.
fn conditions(sites: &Sites<'_>) -> Vec<Condition> {
    let mut counted: BTreeMap<Vec<String>, (usize, Asks)> = BTreeMap::new();
    let guards: BTreeSet<usize> = sites
        .blocks
        .iter()
        .flat_map(|block| block.stmts)
        .filter_map(|stmt| as_guard(stmt).map(|(guard, _)| bytes(&*guard.test).start))
        .collect();
    for site in &sites.exprs {
        let range = bytes(site.expr);
        let tests = site.role == Role::Condition && site.parent.is_none() && guards.contains(&range.start);
        if !tests || range.len() > 60 {
            continue;
        }
        let inside: Vec<_> = sites
            .exprs
            .iter()
            .filter(|other| other.stmt as *const Stmt == site.stmt as *const Stmt)
            .filter(|other| range.start <= bytes(other.expr).start && bytes(other.expr).end <= range.end)
            .filter(|other| other.role != Role::Callee)
            .filter_map(|other| Some((name_of(other.expr)?, bytes(other.expr))))
            .collect();
        let names: BTreeSet<&str> = inside.iter().map(|(name, _)| *name).collect();
        if names.len() != 1 {
            continue;
        }
        let mut pieces = Vec::new();
        let mut from = range.start;
        for (_, hole) in &inside {
            pieces.push(sites.text(&(from..hole.start)).to_owned());
            from = hole.end;
        }
        pieces.push(sites.text(&(from..range.end)).to_owned());
        counted.entry(pieces).or_insert((0, asks(site.expr))).0 += 1;
    }
    let mut found: Vec<(usize, Condition)> = counted
        .into_iter()
        .map(|(pieces, (count, asks))| (count, Condition { pieces, asks, used: true }))
        .collect();
    found.sort_by(|(one, a), (two, b)| two.cmp(one).then_with(|| a.pieces.cmp(&b.pieces)));
    let mut conditions: Vec<Condition> =
        found.into_iter().take(MOST_CONDITIONS).map(|(_, condition)| condition).collect();
    let common = [
        (["", " is None"], Asks::Nothing),
        (["not ", ""], Asks::Emptiness),
        (["", " == 0"], Asks::Number),
        (["", " < 0"], Asks::Number),
    ];
    for (pieces, asks) in common {
        let pieces: Vec<String> = pieces.iter().map(|piece| (*piece).to_owned()).collect();
        if !conditions.iter().any(|condition| condition.pieces == pieces) {
            conditions.push(Condition { pieces, asks, used: false });
        }
    }
    conditions
}

/// Decides what a condition asks.
fn asks(test: &Expr) -> Asks {
    match test {
        Expr::UnaryOp(_) => Asks::Emptiness,
        Expr::Compare(compare) => match (compare.left.as_ref(), compare.comparators.first()) {
            (_, Some(Expr::NoneLiteral(_))) => Asks::Nothing,
            (Expr::Call(_), _) if called(&compare.left) == Some("len") => Asks::Emptiness,
            (_, Some(Expr::NumberLiteral(_) | Expr::UnaryOp(_))) => Asks::Number,
            _ => Asks::Other,
        },
        _ => Asks::Other,
    }
}

/// Finds out how each name is used in each function.
fn uses<'s>(sites: &Sites<'s>) -> BTreeMap<(Option<usize>, &'s str), Uses> {
    let mut uses: BTreeMap<(Option<usize>, &'s str), Uses> = BTreeMap::new();
    for block in &sites.blocks {
        for stmt in block.stmts {
            let Stmt::Assign(assign) = stmt else { continue };
            for name in assigned(stmt) {
                let entry = uses.entry((block.function, name)).or_default();
                match assign.value.as_ref() {
                    Expr::Call(_) => {
                        entry.from_call = true;
                        entry.list |= called(&assign.value).is_some();
                    }
                    Expr::BinOp(binary) => entry.number |= binary.op != Operator::Add,
                    Expr::NumberLiteral(_) | Expr::UnaryOp(_) => entry.number = true,
                    Expr::List(_) | Expr::ListComp(_) => entry.list = true,
                    _ => {}
                }
            }
        }
    }
    for site in &sites.exprs {
        let Some(name) = name_of(site.expr) else { continue };
        let entry = uses.entry((site.function, name)).or_default();
        entry.tested |= matches!(site.stmt, Stmt::If(_) | Stmt::While(_));
        match (site.role, site.parent) {
            (Role::Operand, Some(Expr::BinOp(binary))) => {
                entry.number |= binary.op != Operator::Add;
                entry.divisor |= matches!(binary.op, Operator::Div | Operator::FloorDiv | Operator::Mod)
                    && bytes(&*binary.right) == bytes(site.expr);
            }
            (Role::Operand, Some(Expr::UnaryOp(_))) => entry.number = true,
            (Role::Compared, Some(Expr::Compare(compare))) => {
                entry.number |= compare.comparators.iter().any(|side| {
                    matches!(side, Expr::NumberLiteral(number) if !matches!(number.value, Number::Complex { .. }))
                });
            }
            (Role::Iterated | Role::Container, _) => entry.list = true,
            (Role::Argument(_), Some(Expr::Call(call))) => {
                entry.list |= name_of(&call.func) == Some("len");
            }
            _ => {}
        }
    }
    uses
}
