//! Guards that are missing, in plain Python: after a value is computed, leave if it is of no use.
//!
//! Conditions are those of the guards that the script has, with another name, and the four commonest. What a value is
//! used for decides which of them fit: what is divided by or put under a root may be zero or negative, what a call
//! gives may be nothing.

use std::collections::{BTreeMap, BTreeSet};

use ruff_python_ast::{CmpOp, Expr, Operator, Stmt};

use super::Kind;
use super::candidate::{Family, Pool};
use super::guards::{Exits, as_guard, below};
use super::kinds::Kinds;
use super::operators::shorten;
use super::sites::{Block, Role, Sites, bytes, called, name_of};

/// Most guards tried at one place.
const MOST_GUARDS: usize = 8;

/// Most conditions taken from the script.
const MOST_CONDITIONS: usize = 12;

/// What a condition asks, as far as it decides for which values it makes sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Asks {
    Number,
    Nothing,
    Emptiness,
    Length,
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
    /// Whether it holds for values that are of use: leaving then is odd.
    negative: bool,
}

/// How a name is used in one function.
#[derive(Clone, Copy, Debug, Default)]
struct Uses<'s> {
    number: bool,
    list: bool,
    divisor: bool,
    /// Whether it starts as a constant, as counters do.
    counts: bool,
    /// The function whose result it holds.
    callee: Option<&'s str>,
}

/// Everything that decides which guards are likely.
struct Evidence<'s> {
    conditions: Vec<Condition>,
    uses: BTreeMap<(Option<usize>, &'s str), Uses<'s>>,
    /// Conditions that a function already tests, as text.
    tested: BTreeSet<(Option<usize>, &'s str)>,
    /// What is asked of a name in a function already.
    asked: BTreeSet<(Option<usize>, &'s str, Asks)>,
    /// What is asked anywhere of a name, and of the results of a callee.
    habits: BTreeSet<(&'s str, Asks)>,
}

/// A place for a guard.
struct Spot<'a, 's> {
    block: &'a Block<'s>,
    name: &'s str,
    /// A byte at whose indentation the guard stands.
    like: usize,
    /// The last byte of what stands before it, and the same behind a check for nothing that follows.
    after: (usize, usize),
    /// Tiers by which it comes later.
    later: u32,
    /// Whether it stands behind a loop, where a counter says whether the loop ran at all.
    looped: bool,
}

/// Proposes a guard after each assignment, after each loop and at the start of each function.
pub(super) fn propose(sites: &Sites<'_>, kinds: &Kinds<'_>, pool: &mut Pool<'_, '_>) {
    let evidence = Evidence::of(sites, kinds);
    let exits = Exits::of(sites);
    for block in &sites.blocks {
        let Some(function) = block.function.and_then(|index| sites.functions.get(index)) else {
            continue;
        };
        let leaving = exits.at(block);
        for (index, stmt) in block.stmts.iter().enumerate() {
            let (names, later) = match stmt {
                Stmt::For(each) => (each.body.iter().flat_map(assigned).collect(), 0),
                Stmt::While(each) => (each.body.iter().flat_map(assigned).collect(), 0),
                // A constant needs no guard.
                Stmt::Assign(assign) if matches!(assign.value.as_ref(), Expr::NumberLiteral(_)) => (assigned(stmt), 4),
                _ => (assigned(stmt), 0),
            };
            let looped = matches!(stmt, Stmt::For(_) | Stmt::While(_));
            let end = bytes(stmt).end;
            for name in names {
                let behind = block.stmts.get(index + 1).filter(|next| asks_for_nothing(next, name));
                let after = (end, behind.map_or(end, |next| bytes(next).end));
                let like = bytes(stmt).start;
                evidence.guards(sites, &Spot { block, name, like, after, later, looped }, &leaving, pool);
            }
        }
        if std::ptr::eq(block.stmts, function.body)
            && let Some(first) = first_after_docstring(block.stmts)
        {
            let like = bytes(first).start;
            let above = sites.line_start(like).saturating_sub(1);
            for name in function.parameters.iter().take(8) {
                let spot = Spot { block, name, like, after: (above, above), later: 3, looped: false };
                evidence.guards(sites, &spot, &leaving, pool);
            }
        }
    }
}

impl<'s> Evidence<'s> {
    /// Proposes the guards of one spot, numbered so that every spot has its turn.
    fn guards(&self, sites: &Sites<'_>, spot: &Spot<'_, '_>, leaving: &[&str], pool: &mut Pool<'_, '_>) {
        let function = spot.block.function;
        let uses = self.uses.get(&(function, spot.name)).copied().unwrap_or_default();
        let mut options: Vec<(u32, String, &str, Asks)> = Vec::new();
        for condition in &self.conditions {
            let text = condition.pieces.join(spot.name);
            let nothing_asked = self.asked.contains(&(function, spot.name, Asks::Nothing));
            let asked = self.asked.contains(&(function, spot.name, condition.asks));
            let (fits, again) = match condition.asks {
                // Numbers are asked more than one thing, and one that is asked at all matters.
                Asks::Number => (uses.number, 0),
                Asks::Nothing => (uses.callee.is_some(), 6),
                Asks::Emptiness | Asks::Length => (uses.list, 6),
                Asks::Other => (false, 6),
            };
            let habit = self.habits.contains(&(spot.name, condition.asks))
                || uses.callee.is_some_and(|callee| self.habits.contains(&(callee, condition.asks)))
                || (condition.asks == Asks::Number && asked)
                || (uses.divisor && text.ends_with(" == 0"));
            let doubt = if self.tested.contains(&(function, text.as_str())) { 12 } else { 0 }
                + if asked { again } else { 0 }
                + if fits { 0 } else { 8 }
                + match (habit, condition.asks) {
                    (true, _) => 0,
                    // Scripts that check for nothing do so almost everywhere.
                    (false, Asks::Nothing) if condition.used => 1,
                    (false, _) => 2,
                }
                + 2 * u32::from(condition.asks == Asks::Emptiness && nothing_asked)
                + if condition.asks == Asks::Length { 3 } else { 0 }
                + if condition.negative { 4 } else { 0 }
                + u32::from(condition.asks == Asks::Number && uses.counts && !spot.looped)
                + u32::from(!condition.used);
            for (exit_rank, exit) in leaving.iter().enumerate() {
                // What is empty is given back empty; in a loop, going on and giving up are equally likely.
                let natural = condition.asks == Asks::Emptiness && *exit == "return []";
                let rank = if natural { 0 } else { exit_rank.saturating_sub(usize::from(spot.block.in_loop)) };
                let doubt = doubt + u32::try_from(rank).unwrap_or(0);
                options.push((doubt, text.clone(), exit, condition.asks));
            }
        }
        options.sort_by(|one, two| (one.0, &one.1, one.2).cmp(&(two.0, &two.1, two.2)));
        for (rank, (doubt, text, exit, asks)) in options.into_iter().take(MOST_GUARDS).enumerate() {
            let (now, behind) = spot.after;
            let after = if asks == Asks::Nothing { now } else { behind };
            let Some((range, insertion)) = below(sites, spot.like, after, &text, exit) else {
                return;
            };
            // Each further guess at one spot waits for the other spots.
            let tier = spot.later + doubt + u32::try_from(rank).unwrap_or(0) / 3;
            let what = format!("{} if `{}`", leave(exit), shorten(&text));
            pool.one(Family::Guard, tier, range, insertion, what);
        }
    }

    /// Gathers the evidence.
    fn of(sites: &Sites<'s>, kinds: &Kinds<'s>) -> Self {
        let uses = uses(sites, kinds);
        let mut evidence = Self {
            conditions: conditions(sites),
            uses,
            tested: BTreeSet::new(),
            asked: BTreeSet::new(),
            habits: BTreeSet::new(),
        };
        for site in &sites.exprs {
            let condition = site.role == Role::Condition || matches!(site.parent, Some(Expr::BoolOp(_)));
            if !condition {
                continue;
            }
            evidence.tested.insert((site.function, sites.of_node(site.expr)));
            let subject = match site.expr {
                Expr::Compare(compare) => match compare.left.as_ref() {
                    Expr::Call(call) => call.arguments.args.first().and_then(name_of),
                    left => name_of(left),
                },
                Expr::UnaryOp(unary) => name_of(&unary.operand),
                _ => None,
            };
            let Some(name) = subject else { continue };
            let asks = asks(site.expr);
            evidence.asked.insert((site.function, name, asks));
            evidence.habits.insert((name, asks));
            if let Some(callee) = evidence.uses.get(&(site.function, name)).and_then(|uses| uses.callee) {
                evidence.habits.insert((callee, asks));
            }
        }
        evidence
    }
}

/// Says whether a statement is a guard that asks whether a name is nothing.
pub(super) fn asks_for_nothing(stmt: &Stmt, name: &str) -> bool {
    as_guard(stmt).is_some_and(|(guard, _)| match guard.test.as_ref() {
        Expr::Compare(compare) => name_of(&compare.left) == Some(name) && asks(&guard.test) == Asks::Nothing,
        _ => false,
    })
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
    let Stmt::Assign(assign) = stmt else {
        return Vec::new();
    };
    match assign.targets.first() {
        Some(Expr::Name(name)) => vec![name.id.as_str()],
        Some(Expr::Tuple(tuple)) => tuple.elts.iter().filter_map(name_of).take(4).collect(),
        _ => Vec::new(),
    }
}

/// Returns the first statement that is not a docstring.
pub(super) fn first_after_docstring(body: &[Stmt]) -> Option<&Stmt> {
    let is_doc =
        |stmt: &Stmt| matches!(stmt, Stmt::Expr(expr) if matches!(expr.value.as_ref(), Expr::StringLiteral(_)));
    body.iter().find(|stmt| !is_doc(stmt))
}

/// Gathers the conditions of the script's guards, commonest first, and four that every script may need.
fn conditions(sites: &Sites<'_>) -> Vec<Condition> {
    let mut counted: BTreeMap<Vec<String>, (usize, Asks, bool)> = BTreeMap::new();
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
            .filter(|other| std::ptr::eq(other.stmt, site.stmt))
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
        let negative = match site.expr {
            Expr::Compare(compare) => matches!(compare.ops.first(), Some(CmpOp::IsNot)),
            Expr::Name(_) => true,
            _ => false,
        };
        counted.entry(pieces).or_insert((0, asks(site.expr), negative)).0 += 1;
    }
    let mut found: Vec<(usize, Condition)> = counted
        .into_iter()
        .map(|(pieces, (count, asks, negative))| (count, Condition { pieces, asks, used: true, negative }))
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
            conditions.push(Condition { pieces, asks, used: false, negative: false });
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
            (Expr::Call(_), _) if called(&compare.left) == Some("len") => Asks::Length,
            (_, Some(Expr::NumberLiteral(_) | Expr::UnaryOp(_))) => Asks::Number,
            _ if matches!(compare.ops.first(), Some(CmpOp::Lt | CmpOp::LtE | CmpOp::Gt | CmpOp::GtE)) => Asks::Number,
            _ => Asks::Other,
        },
        _ => Asks::Other,
    }
}

/// Finds out how each name is used in each function.
fn uses<'s>(sites: &Sites<'s>, kinds: &Kinds<'s>) -> BTreeMap<(Option<usize>, &'s str), Uses<'s>> {
    let mut uses: BTreeMap<(Option<usize>, &'s str), Uses<'s>> = BTreeMap::new();
    for block in &sites.blocks {
        for stmt in block.stmts {
            let Stmt::Assign(assign) = stmt else { continue };
            for name in assigned(stmt) {
                let entry = uses.entry((block.function, name)).or_default();
                match assign.value.as_ref() {
                    Expr::Call(_) => entry.callee = entry.callee.or(called(&assign.value)),
                    Expr::BinOp(binary) => entry.number |= binary.op != Operator::Add,
                    Expr::NumberLiteral(_) | Expr::UnaryOp(_) | Expr::Tuple(_) => {
                        entry.number |= !matches!(assign.value.as_ref(), Expr::Tuple(_));
                        entry.counts = true;
                    }
                    Expr::List(_) | Expr::ListComp(_) => entry.list = true,
                    _ => {}
                }
            }
        }
    }
    for site in &sites.exprs {
        let Some(name) = name_of(site.expr) else {
            continue;
        };
        let entry = uses.entry((site.function, name)).or_default();
        match (site.role, site.parent) {
            (Role::Operand, Some(Expr::BinOp(binary))) => {
                entry.number |= binary.op != Operator::Add;
                entry.divisor |= matches!(binary.op, Operator::Div | Operator::FloorDiv | Operator::Mod)
                    && bytes(&*binary.right) == bytes(site.expr);
            }
            (Role::Operand, Some(Expr::UnaryOp(_))) => entry.number = true,
            (Role::Compared, Some(Expr::Compare(compare))) => {
                entry.number |= compare.comparators.iter().any(|side| matches!(side, Expr::NumberLiteral(_)));
            }
            (Role::Iterated | Role::Container, _) => entry.list = true,
            (Role::Argument(_), Some(Expr::Call(call))) => {
                entry.list |= name_of(&call.func) == Some("len");
            }
            _ => {}
        }
        match kinds.of(sites, site.expr, site.function) {
            Some(kind) if kind.name() == Kind::NUMBER => entry.number = true,
            Some(kind) if kind.name().ends_with('s') => entry.list = true,
            _ => {}
        }
    }
    uses
}
