# /// program
# role = "Solves equations and systems exactly"
# contract = "solver"
# group = "experts"
# reads = ["reading", "counterexample", "verdict"]
# requires = ["reading"]
# writes = ["draft", "gap"]
# accepts = "task.class == 'solve'"
# after = ["@planner", "@solver/core", "@critic", "@definer"]
# next = { verifier = 0.5, edge-case = 0.4 }
# tools = [
#   "move_left", "degree", "integer_coefficients", "rational_roots", "factors", "count_real_roots", "square_root",
#   "simplify", "is_identity", "is_linear", "linear_solve", "isolate", "substitute_in", "variables", "satisfying",
#   "has_absolute", "has_radical", "has_denominator", "has_exponential", "has_logarithm", "split_absolute",
#   "isolate_radical", "root_degree", "raise_sides", "clear_denominators", "rounded",
# ]
# params = { most_squarings = 4 }
#
# [[tests]]
# query = "Solve 3x + 5 = 14"
# expect = { satisfies = true }
#
# [[tests]]
# query = "Solve 2(x + 1) = 2x + 2"
# expect = { satisfies = true }
#
# [[tests]]
# query = "Solve 2x^2 - 3x - 2 = 0"
# expect = { satisfies = true }
#
# [[tests]]
# query = "Solve x^2 + x + 1 = 0"
# expect = { satisfies = true }
#
# [[tests]]
# query = "Solve x^2 - 6x + 9 = 0"
# expect = { satisfies = true }
#
# [[tests]]
# query = "Solve 4x + 1 - x^2 = 0"
# expect = { satisfies = true }
#
# [[tests]]
# query = "Solve x^3 - 2x^2 - x + 2 = 0"
# expect = { satisfies = true }
#
# [[tests]]
# query = "Solve x^4 - 16 = 0"
# expect = { satisfies = true }
#
# [[tests]]
# query = "Solve x^3 - 7x = 0"
# expect = { satisfies = true }
#
# [[tests]]
# query = "Solve |x + 2| = 3"
# expect = { satisfies = true }
#
# [[tests]]
# query = "Solve |x - 1| = 2x"
# expect = { satisfies = true }
#
# [[tests]]
# query = "Solve sqrt(x + 4) = 5"
# expect = { satisfies = true }
#
# [[tests]]
# query = "Solve sqrt(x + 1) = x + 1"
# expect = { satisfies = true }
#
# [[tests]]
# query = "Solve 6/x = x - 1"
# expect = { satisfies = true }
#
# [[tests]]
# query = "Solve 2^x = 8"
# expect = { satisfies = true }
#
# [[tests]]
# query = "Solve ln(x) = 2"
# expect = { satisfies = true }
#
# [[tests]]
# query = "Solve x + y = 5 and x - y = 1"
# expect = { satisfies = true }
#
# [[tests]]
# query = "Solve x + y = 1 and x + y = 2"
# expect = { satisfies = true }
#
# [[tests]]
# query = "Solve x + y = 5 and x*y = 6"
# expect = { satisfies = true }
# ///


def run(task, memory, params):
    goal = reading(task, memory)
    equations = goal["equations"]
    names = goal["unknowns"]
    if all([is_identity(equation) for equation in equations]):
        return draft([], "identity", everything=True)
    if len(equations) == 1 and len(names) == 1:
        found = solve_one(equations, names[0], params)
    else:
        found = solve_system(equations, names, params)
    if found is None:
        return no_method(task)
    method, candidates = found
    candidates = distinct(candidates)
    refuted = objections(memory)
    kept = [candidate for candidate in candidates if candidate not in refuted]
    return draft(ordered(kept, names), method)


def solve_one(equations, x, params):
    """One equation in one unknown: the first method that applies. Values come back as candidates."""
    equation = equations[0]
    if has_absolute(equation):
        return by_cases(equations, x, params)
    if has_radical(equation):
        return by_raising(equation, x, params)
    if has_denominator(equation):
        return by_clearing(equation, x, params)
    p = move_left(equation)
    if degree(p, x) is None or variables(p) != [x]:
        return by_inverse(equation, x)
    return by_polynomial(p, x)


def by_polynomial(p, x):
    d = degree(p, x)
    if d == 0:
        return "constants", []
    if d == 1:
        return "linear", as_candidates(linear(p, x), x)
    if d == 2:
        return "quadratic formula", as_candidates(quadratic(p, x), x)
    roots = by_factors(p, x)
    if roots is None:
        return None
    return "factoring", as_candidates(roots, x)


def linear(p, x):
    b, a = integer_coefficients(p, x)
    return [simplify(f"({-b})/({a})")]


def quadratic(p, x):
    c, b, a = integer_coefficients(p, x)
    if a < 0:
        a, b, c = -a, -b, -c
    discriminant = b * b - 4 * a * c
    if discriminant < 0:
        return []
    if discriminant == 0:
        return [simplify(f"({-b})/({2 * a})")]
    root = square_root(str(discriminant))
    return [simplify(f"({-b} - {root})/({2 * a})"), simplify(f"({-b} + {root})/({2 * a})")]


def by_factors(p, x):
    """A product is zero where one of its factors is."""
    roots = []
    for factor, times in factors(p):
        d = degree(factor, x)
        if d == 1:
            roots = roots + linear(factor, x)
        elif d == 2:
            roots = roots + quadratic(factor, x)
        elif d > 2 and count_real_roots(factor, x) > 0:
            return None
    return roots


def by_cases(equations, x, params):
    """An absolute value is its inside or the opposite; what does not fit its case drops out."""
    found = []
    for branch in split_absolute(equations[0]):
        if is_identity(branch["equation"]):
            return None
        solved = solve_one([branch["equation"]], x, params)
        if solved is None:
            return None
        found = found + solved[1]
    return "cases", satisfying(equations, found)


def by_raising(equation, x, params):
    """A root alone on its side goes away by raising both sides to its degree."""
    for step in range(params["most_squarings"]):
        if not has_radical(equation):
            break
        equation = isolate_radical(equation)
        equation = raise_sides(equation, root_degree(equation))
    if has_radical(equation):
        return None
    solved = solve_one([equation], x, params)
    if solved is None:
        return None
    return "raising to a power", solved[1]


def by_clearing(equation, x, params):
    """Multiply by the denominators, then solve what has none."""
    solved = solve_one([clear_denominators(equation)], x, params)
    if solved is None:
        return None
    return "clearing denominators", solved[1]


def by_inverse(equation, x):
    """The unknown stands once: undo what was done to it."""
    found = isolate(equation, x)
    if found is None:
        return None
    return "inverse operations", as_candidates([found], x)


def solve_system(equations, names, params):
    if is_linear(equations, names):
        solved = linear_solve(equations, names)
        if solved["kind"] == "none":
            return "elimination", []
        if solved["kind"] == "unique":
            return "elimination", [solved["solution"]]
        return None
    return by_substitution(equations, names, params)


def by_substitution(equations, names, params):
    """Express one unknown by the other, put it into the other equation, solve, go back."""
    if len(equations) != 2 or len(names) != 2:
        return None
    for number in [0, 1]:
        for x, y in [[names[0], names[1]], [names[1], names[0]]]:
            expressed = isolate(equations[number], y)
            if expressed is None:
                continue
            rest = substitute_in([equations[1 - number]], y, expressed)
            solved = solve_one(rest, x, params)
            if solved is None:
                continue
            found = []
            for candidate in solved[1]:
                back = substitute_in([f"{y} = {expressed}"], x, candidate[x])
                found.append({x: candidate[x], y: simplify(back[0].split(" = ")[1])})
            return "substitution", found
    return None


def as_candidates(values, x):
    return [{x: value} for value in values]


def distinct(candidates):
    kept = []
    for candidate in candidates:
        if candidate not in kept:
            kept.append(candidate)
    return kept


def ordered(candidates, names):
    """Ascending, so that the same solutions always read the same."""
    try:
        keyed = [[[float(rounded(one[name], 9)) for name in names], index] for index, one in enumerate(candidates)]
    except (ValueError, KeyError):
        return candidates
    return [candidates[index] for key, index in sorted(keyed)]


def objections(memory):
    """Solutions that a counterexample has shown to be none."""
    return [entry["data"]["assignment"] for entry in memory.get("counterexample", []) if entry["data"].get("extraneous")]


def reading(task, memory):
    for entry in memory.get("reading", []):
        if entry["part"] == task["focus"]:
            return entry["data"]["goal"]
    return task["part"]["reading"]["goal"]


def draft(candidates, method, everything=False):
    answer = {"is": "solutions", "values": candidates}
    if everything:
        answer["all"] = True
    return {
        "contributions": [{"section": "draft", "text": in_words(candidates, everything), "data": {"answer": answer, "method": method}}],
        "why": "a draft is there",
    }


def in_words(candidates, everything):
    if everything:
        return "true for every value"
    if not candidates:
        return "no solution"
    return " or ".join([", ".join([f"{name} = {one[name]}" for name in one]) for one in candidates])


def no_method(task):
    text = "no exact method here solves " + task["part"]["text"]
    return {
        "contributions": [{"section": "gap", "text": text, "data": {"sort": "method"}}],
        "next": "@alternative",
        "why": "the exact methods do not reach",
    }
