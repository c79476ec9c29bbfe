//! How deep the right repair lies for every breakage of the fixture.

use std::time::Instant;

use ruff_python_ast::comparable::ComparableStmt;
use ruff_python_parser::parse_module;

use super::fixture::{SOLVER, primitives};
use super::{Focus, mutants};

/// Deepest place at which the repair may lie among the single edits.
const DEEPEST: usize = 340;

/// The same for a wrong word: a script is full of words, and few of them are wrong.
const DEEPEST_TEXT: usize = 800;

/// What kind of breakage, what stands in the fixture, and what stands there broken.
const BREAKAGES: &[(&str, &str, &str)] = &[
    (
        "filter",
        "    return satisfying(equations, candidates)\n\n\ndef radical",
        "    return candidates\n\n\ndef radical",
    ),
    ("filter", "    candidates = satisfying(equations, candidates)\n", "    candidates = candidates\n"),
    ("filter", "    return satisfying(equations, found)", "    return found"),
    ("filter", "    checked = satisfying(goal[\"equations\"], candidates)", "    checked = candidates"),
    ("filter", "return distinct(candidates)", "return candidates"),
    (
        "filter",
        "        found.extend(more)\n    return distinct(found)",
        "        found.extend(more)\n    return found",
    ),
    ("guard", "    if disc < 0:\n        return []\n", ""),
    ("guard", "    if slope == 0:\n        return None\n", ""),
    ("guard", "    if rounds == 0:\n        return None\n", ""),
    ("guard", "        if roots is None:\n            continue\n", ""),
    ("guard", "        if more is None:\n            return None\n", ""),
    ("guard", "    if partial is None:\n        return None\n", ""),
    ("guard", "    if not candidates:\n        return []\n", ""),
    ("guard", "    if not mentions(bottom, unknown):\n        return None\n", ""),
    ("guard", "    if expressed is None:\n        return None\n", ""),
    ("comparison", "if disc < 0:", "if disc > 0:"),
    ("comparison", "if disc < 0:", "if disc <= 0:"),
    ("comparison", "len(terms) != 3", "len(terms) == 3"),
    ("comparison", "while at <= high", "while at < high"),
    ("comparison", "left * right <= 0", "left * right >= 0"),
    ("comparison", "left * right <= 0", "left * right > 0"),
    ("comparison", "len(parts) < 2", "len(parts) <= 2"),
    ("comparison", "rounds < LIMIT", "rounds > LIMIT"),
    ("comparison", "len(goal[\"unknowns\"]) > 1", "len(goal[\"unknowns\"]) >= 1"),
    (
        "comparison",
        "if candidates is not None:\n                    break",
        "if candidates is None:\n                    break",
    ),
    ("comparison", "degree(part, unknown) == 0", "degree(part, unknown) != 0"),
    ("negation", "    if not candidates:\n        return {", "    if candidates:\n        return {"),
    ("negation", "if not mentions(", "if mentions("),
    ("negation", "and right is not None", "or right is not None"),
    ("negation", "terms is None or len(terms) != 2", "terms is None and len(terms) != 2"),
    ("constant", "4 * a * c", "2 * a * c"),
    ("constant", "4 * a * c", "3 * a * c"),
    ("constant", "LIMIT = 4", "LIMIT = 1"),
    ("constant", "len(terms) != 2", "len(terms) != 1"),
    ("constant", "len(parts) < 2", "len(parts) < 3"),
    ("constant", "rounds = rounds + 1", "rounds = rounds + 2"),
    ("constant", "first = unknowns[0]", "first = unknowns[1]"),
    ("constant", "equations[1:]]", "equations[0:]]"),
    ("constant", "low, high, step = -50, 50, 1", "low, high, step = -50, 50, 2"),
    (
        "constant",
        "minus = f\"(-({b}) - sqrt({disc})) / (2*({a}))\"",
        "minus = f\"(-({b}) - sqrt({disc})) / (1*({a}))\"",
    ),
    ("text", "\"done\", \"text\": \"no", "\"failed\", \"text\": \"no"),
    ("sign", "b * b - 4 * a * c", "b * b + 4 * a * c"),
    ("sign", "ratio(-offset, slope)", "ratio(offset, slope)"),
    ("sign", "minus = f\"(-({b}) - sqrt", "minus = f\"(-({b}) + sqrt"),
    ("sign", "plus = f\"(-({b}) + sqrt", "plus = f\"(({b}) + sqrt"),
    ("sign", "-50, 50, 1", "50, 50, 1"),
    ("sign", "for sign in [1, -1]", "for sign in [1, 1]"),
    ("sign", "rounds = rounds + 1", "rounds = rounds - 1"),
    ("sign", "at = at + step", "at = at - step"),
    ("sign", "/ (2*({a}))\"\n    minus", "* (2*({a}))\"\n    minus"),
    ("order", "[linear, quadratic, factored, rational, radical,", "[quadratic, linear, factored, rational, radical,"),
    (
        "order",
        "[linear, quadratic, factored, rational, radical, absolute, numeric]",
        "[numeric, linear, quadratic, factored, rational, radical, absolute]",
    ),
    ("order", "rational, radical, absolute, numeric]", "rational, radical, numeric, absolute]"),
    (
        "order",
        "[linear, quadratic, factored, rational, radical, absolute",
        "[radical, quadratic, factored, rational, linear, absolute",
    ),
    ("order", "[linear, quadratic, factored,", "[quadratic, factored, linear,"),
    ("order", "c, b, a = terms", "a, b, c = terms"),
    ("order", "low, high, step = -50, 50, 1", "high, low, step = -50, 50, 1"),
    (
        "order",
        "    goal = task[\"goal\"]\n    kind = goal[\"class\"]\n",
        "    kind = goal[\"class\"]\n    goal = task[\"goal\"]\n",
    ),
    ("missing", "rational, radical, absolute,", "rational, absolute,"),
    ("missing", "[linear, quadratic,", "[quadratic,"),
    ("missing", "absolute, numeric]", "absolute]"),
    (
        "missing",
        "            candidates = elimination(goal[\"equations\"], goal[\"unknowns\"])",
        "            candidates = factored(goal[\"equations\"], goal[\"unknowns\"])",
    ),
    ("arguments", "substitute(other, first, expressed)", "substitute(other, expressed, first)"),
    ("arguments", "bisect(equations[0], unknown, at, at + step)", "bisect(equations[0], unknown, at + step, at)"),
    ("arguments", "simplify(minus)", "expand(minus)"),
];

/// Returns how many mutants come before one that is the original up to layout, and how many there are up to it.
fn depth(broken: &str) -> Option<(usize, String)> {
    let original = parse_module(SOLVER).unwrap().into_suite();
    let wanted: Vec<ComparableStmt<'_>> = original.iter().map(ComparableStmt::from).collect();
    for (index, mutant) in mutants(broken, &Focus::default(), &primitives()).unwrap().take(3000).enumerate() {
        let suite = parse_module(&mutant.text).unwrap().into_suite();
        if suite.iter().map(ComparableStmt::from).collect::<Vec<_>>() == wanted {
            return Some((index + 1, mutant.what));
        }
    }
    None
}

#[test]
fn every_breakage_is_repaired_early() {
    let mut depths: Vec<usize> = Vec::new();
    let mut late = Vec::new();
    for (kind, whole, broken) in BREAKAGES {
        assert_eq!(SOLVER.matches(whole).count(), 1, "the fixture must hold `{whole}` once");
        let text = SOLVER.replacen(whole, broken, 1);
        match depth(&text) {
            Some((depth, what)) => {
                println!("{depth:5} {kind:10} {what}");
                depths.push(depth);
                if depth > if *kind == "text" { DEEPEST_TEXT } else { DEEPEST } {
                    late.push(format!("{kind} {depth}: {whole}"));
                }
            }
            None => late.push(format!("{kind} never: {whole}")),
        }
    }
    depths.sort_unstable();
    let median = depths.get(depths.len() / 2).copied().unwrap();
    println!("{} breakages, median {median}, deepest {}", depths.len(), depths.last().unwrap());
    assert!(late.is_empty(), "{late:#?}");
    assert!(median <= DEEPEST / 3);
}

#[test]
fn mutants_are_cheap() {
    // Single edits only: pairs of edits in different functions need no parse and would flatter the mean.
    let focus = Focus { bound: 1500, ..Focus::default() };
    let started = Instant::now();
    let count = mutants(SOLVER, &focus, &primitives()).unwrap().count();
    let each = started.elapsed() / u32::try_from(count).unwrap();
    println!("{count} single edits, {each:?} each with the setup");
    assert_eq!(count, 1500);
    // Generous: the machine may be busy and this build is not optimised.
    assert!(each.as_micros() < 1000, "{each:?}");
}
