# /// program
# role = "Simplifies, expands and factors expressions"
# contract = "solver"
# group = "experts"
# reads = ["reading", "counterexample"]
# requires = ["reading"]
# writes = ["draft", "gap"]
# accepts = "task.class in ['simplify', 'expand', 'factor']"
# after = ["@planner", "@solver/core", "@critic", "@definer"]
# next = { "@critic/checks" = 0.5, "@critic/edges" = 0.4 }
# tools = ["simplify", "lowest_terms", "expand", "factor", "size", "conditions", "variables", "factors", "degree", "isolate", "equal", "substitute"]
#
# [[tests]]
# query = "Simplify (x^2 - 4)/(x - 2)"
# memory = [{ reading = { data = { goal = { class = "simplify", expression = "(x^2 - 4)/(x - 2)" } } } }]
# expect = { satisfies = true }
#
# [[tests]]
# query = "Simplify sqrt(72)"
# memory = [{ reading = { data = { goal = { class = "simplify", expression = "sqrt(72)" } } } }]
# expect = { satisfies = true }
#
# [[tests]]
# query = "Expand (x + 2)^2"
# memory = [{ reading = { data = { goal = { class = "expand", expression = "(x + 2)^2" } } } }]
# expect = { satisfies = true }
#
# [[tests]]
# query = "Factor x^2 - 9"
# memory = [{ reading = { data = { goal = { class = "factor", expression = "x^2 - 9" } } } }]
# expect = { satisfies = true }
# ///


def run(task, memory, params):
    goal = task["part"]["reading"]["goal"]
    expression = goal["expression"]
    if goal["class"] == "expand":
        return draft(expand(expression), "multiplying out", [])
    if goal["class"] == "factor":
        return draft(factor(expression), "factoring", [])
    forms = [simplify(expression), lowest_terms(expression), factor(lowest_terms(expression))]
    best = forms[0]
    for form in forms[1:]:
        if size(form) < size(best):
            best = form
    return draft(best, "reducing", lost_conditions(expression, best))


def lost_conditions(before, after):
    """Where the expression was undefined and its smaller form no longer says so."""
    lost = []
    still = [condition["expression"] for condition in conditions(f"{after} = 0")]
    for condition in conditions(f"{before} = 0"):
        expression = condition["expression"]
        if expression in still:
            continue
        found = []
        if condition["kind"] == "nonzero":
            found = excluded(expression)
        elif len(variables(expression)) == 1 and degree(expression, variables(expression)[0]) == 1:
            # Where a root or logarithm of something linear went away, its sign must still be right.
            found = [expression + (" >= 0" if condition["kind"] == "nonnegative" else " > 0")]
        lost = lost + [one for one in found if one not in lost]
    return lost


def excluded(denominator):
    """The zeros of a denominator as conditions, one for each linear factor."""
    found = []
    for part, times in factors(denominator):
        names = variables(part)
        if len(names) == 1 and degree(part, names[0]) == 1:
            found.append(f"{names[0]} != {isolate(part + ' = 0', names[0])}")
        elif names:
            found.append(f"{part} != 0")
    return found


def draft(value, method, conditions):
    answer = {"is": "expression", "value": value}
    if conditions:
        answer["conditions"] = conditions
    text = ", ".join([value] + conditions)
    return {"contributions": [{"section": "draft", "text": text, "data": {"answer": answer, "method": method}}]}
