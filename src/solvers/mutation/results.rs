//! Guards on what a tool gave: `if solved["kind"] == "none": return …`, for a word that nobody asks about.
//!
//! A tool that gives a record says in its description which words a field may hold. Where a script asks about some of them
//! and not about the others, a guard may be missing; the guards that stand show how to leave.

use ruff_python_ast::{Expr, Stmt};

use super::Primitive;
use super::candidate::{Family, Pool};
use super::guards::as_guard;
use super::sites::{Block, Sites, bytes, called, name_of};

/// Most ways of leaving that are tried.
const MOST: usize = 4;

/// Proposes such guards below the assignment of the tool's result.
pub(super) fn propose(sites: &Sites<'_>, primitives: &[Primitive], pool: &mut Pool<'_, '_>) {
    for block in sites.blocks.iter().filter(|block| block.function.is_some()) {
        for (index, stmt) in block.stmts.iter().enumerate() {
            let Stmt::Assign(assign) = stmt else { continue };
            let [target] = assign.targets.as_slice() else { continue };
            let (Some(name), Some(tool)) = (name_of(target), called(&assign.value)) else { continue };
            let primitive = primitives.iter().find(|one| one.name == tool);
            let Some(primitive) = primitive.filter(|one| one.fields.iter().any(|(_, words)| !words.is_empty())) else {
                continue;
            };
            guards(sites, block, index, name, primitive, pool);
        }
    }
}

fn guards(
    sites: &Sites<'_>,
    block: &Block<'_>,
    index: usize,
    name: &str,
    primitive: &Primitive,
    pool: &mut Pool<'_, '_>,
) {
    let behind = block.stmts.get(index + 1..).unwrap_or_default();
    let about = |stmt: &&Stmt| {
        as_guard(stmt).is_some_and(|(guard, _)| sites.of_node(&*guard.test).starts_with(&format!("{name}[")))
    };
    let standing: Vec<&Stmt> = behind.iter().take_while(about).collect();
    let Some(indent) = sites.indent(bytes(&block.stmts[index]).start) else { return };
    let step = if indent.contains('\t') { "\t" } else { "    " };
    let exits = exits(sites, &standing, name, primitive);
    let tests: Vec<&str> = standing.iter().filter_map(|stmt| Some(sites.of_node(&*as_guard(stmt)?.0.test))).collect();
    let at = bytes(standing.last().copied().unwrap_or(&block.stmts[index])).end;
    for (field, words) in &primitive.fields {
        for (rank, word) in (0..).zip(words) {
            let condition = format!("{name}[\"{field}\"] == \"{word}\"");
            if tests.contains(&condition.as_str()) {
                continue;
            }
            for (tier, exit) in (rank..).zip(&exits) {
                let text = format!("\n{indent}if {condition}:\n{indent}{step}{exit}");
                let what = format!("leave by `{exit}` if `{condition}`");
                pool.one(Family::Missing, tier, at..at, text, what);
            }
        }
    }
}

/// Lists ways to leave: those of the guards that stand, with the list that they give emptied, or filled from the result.
fn exits(sites: &Sites<'_>, standing: &[&Stmt], name: &str, primitive: &Primitive) -> Vec<String> {
    let mut exits: Vec<String> = Vec::new();
    let mut add = |exit: String| {
        if exits.len() < MOST && !exits.contains(&exit) {
            exits.push(exit);
        }
    };
    for (_, exit) in standing.iter().filter_map(|stmt| as_guard(stmt)) {
        let whole = bytes(exit);
        let list = sites.exprs.iter().find(|site| {
            let at = bytes(site.expr);
            matches!(site.expr, Expr::List(_)) && whole.start <= at.start && at.end <= whole.end
        });
        if let Some(Expr::List(elements)) = list.map(|site| site.expr) {
            let at = bytes(elements);
            let with = |list: &str| {
                format!("{}{list}{}", sites.text(&(whole.start..at.start)), sites.text(&(at.end..whole.end)))
            };
            if elements.elts.is_empty() {
                for (field, _) in primitive.fields.iter().filter(|(_, words)| words.is_empty()) {
                    add(with(&format!("[{name}[\"{field}\"]]")));
                }
            } else {
                add(with("[]"));
            }
        }
        add(sites.of_node(exit).to_owned());
    }
    add("return None".to_owned());
    exits
}
