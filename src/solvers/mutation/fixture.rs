//! A script to break and to repair, in the style of the programs, and the tools that it may call.

use super::{Kind, Primitive};

/// Solves equations by methods tried in order; each gives candidates or nothing.
pub(super) const SOLVER: &str = r##"# /// program
# name = "equations"
# kind = "script"
# contract = "solver"
# ///
"""Solves one equation, or a small system, for what was asked."""

LIMIT = 4


def linear(equations, unknown):
    """First degree: move everything to one side and divide."""
    terms = coefficients(equations[0], unknown)
    if terms is None or len(terms) != 2:
        return None
    offset, slope = terms
    if slope == 0:
        return None
    return [{unknown: ratio(-offset, slope)}]


def quadratic(equations, unknown):
    terms = coefficients(equations[0], unknown)
    if terms is None:
        return None
    if len(terms) != 3:
        return None
    c, b, a = terms
    disc = b * b - 4 * a * c
    if disc < 0:
        return []
    # Both roots as text, so that they stay exact.
    plus = f"(-({b}) + sqrt({disc})) / (2*({a}))"
    minus = f"(-({b}) - sqrt({disc})) / (2*({a}))"
    if disc == 0:
        return [{unknown: simplify(plus)}]
    return [{unknown: simplify(plus)}, {unknown: simplify(minus)}]


def factored(equations, unknown):
    parts = factors(equations[0], unknown)
    if parts is None or len(parts) < 2:
        return None
    found = []
    for part in parts:
        if degree(part, unknown) == 0:
            continue
        more = solve_polynomial([part], unknown)
        if more is None:
            return None
        found.extend(more)
    return distinct(found)


def rational(equations, unknown):
    equation = equations[0]
    bottom = denominator(equation)
    if bottom is None:
        return None
    if not mentions(bottom, unknown):
        return None
    cleared = multiply(equation, bottom)
    candidates = solve_polynomial([cleared], unknown)
    if candidates is None:
        return None
    return satisfying(equations, candidates)


def radical(equations, unknown):
    current = equations[0]
    rounds = 0
    while has_root(current, unknown) and rounds < LIMIT:
        alone = isolate_root(current, unknown)
        if alone is None:
            return None
        current = square(alone)
        rounds = rounds + 1
    if rounds == 0:
        return None
    candidates = solve_polynomial([current], unknown)
    if not candidates:
        return []
    candidates = satisfying(equations, candidates)
    return distinct(candidates)


def absolute(equations, unknown):
    inner = inside_abs(equations[0], unknown)
    if inner is None:
        return None
    found = []
    for sign in [1, -1]:
        branch = without_abs(equations[0], inner, sign)
        roots = solve_polynomial([branch], unknown)
        if roots is None:
            continue
        found.extend(roots)
    return satisfying(equations, found)


def numeric(equations, unknown):
    low, high, step = -50, 50, 1
    found = []
    at = low
    while at <= high:
        left = value_at(equations[0], unknown, at)
        right = value_at(equations[0], unknown, at + step)
        if left is not None and right is not None and left * right <= 0:
            found.append({unknown: bisect(equations[0], unknown, at, at + step)})
        at = at + step
    return distinct(found)


METHODS = [linear, quadratic, factored, rational, radical, absolute, numeric]


def elimination(equations, unknowns):
    """A system: express one unknown by the others and go on with fewer."""
    if len(unknowns) > LIMIT:
        return None
    first = unknowns[0]
    rest = unknowns[1:]
    expressed = isolate(equations[0], first)
    if expressed is None:
        return None
    if not rest:
        return [{first: expressed}]
    smaller = [substitute(other, first, expressed) for other in equations[1:]]
    partial = elimination(smaller, rest)
    if partial is None:
        return None
    return complete(partial, first, expressed)


def run(task, memory, params):
    goal = task["goal"]
    kind = goal["class"]
    if kind == "solve":
        if len(goal["unknowns"]) > 1:
            candidates = elimination(goal["equations"], goal["unknowns"])
        else:
            candidates = None
            for method in METHODS:
                candidates = method(goal["equations"], goal["unknowns"][0])
                if candidates is not None:
                    break
    elif kind == "roots":
        candidates = factored(goal["equations"], goal["unknowns"][0])
    else:
        return {"status": "declined", "reason": "this is not an equation"}
    if candidates is None:
        return {"status": "failed", "reason": "no method fits"}
    if not candidates:
        return {"status": "done", "text": "no real solution"}
    checked = satisfying(goal["equations"], candidates)
    return {"status": "done", "candidates": checked, "text": show(checked)}
"##;

/// Makes the primitives that the solver calls, and a few that it does not.
pub(super) fn primitives() -> Vec<Primitive> {
    [
        ("coefficients", "equation name", "numbers"),
        ("ratio", "number number", "number"),
        ("simplify", "expression", "expression"),
        ("expand", "expression", "expression"),
        ("factors", "equation name", "equations"),
        ("degree", "equation name", "number"),
        ("solve_polynomial", "equations name", "candidates"),
        ("distinct", "candidates", "candidates"),
        ("satisfying", "equations candidates", "candidates"),
        ("positive_only", "candidates", "candidates"),
        ("denominator", "equation", "expression"),
        ("mentions", "expression name", "truth"),
        ("multiply", "equation expression", "equation"),
        ("has_root", "equation name", "truth"),
        ("isolate_root", "equation name", "equation"),
        ("square", "equation", "equation"),
        ("inside_abs", "equation name", "expression"),
        ("without_abs", "equation expression number", "equation"),
        ("value_at", "equation name number", "number"),
        ("bisect", "equation name number number", "number"),
        ("isolate", "equation name", "expression"),
        ("substitute", "equation name expression", "equation"),
        ("complete", "candidates name expression", "candidates"),
        ("holds", "equation assignment", "truth"),
        ("show", "candidates", "text"),
    ]
    .into_iter()
    .map(|(name, takes, gives)| Primitive {
        name: name.to_owned(),
        takes: takes.split(' ').map(Kind::new).collect(),
        gives: Kind::new(gives),
        fields: Vec::new(),
    })
    .collect()
}
