# /// program
# role = "Tries another method: numbers where algebra gave up"
# contract = "alternative"
# reads = ["draft", "gap", "reading"]
# writes = ["draft", "gap"]
# accepts = "task.class == 'solve' and not draft"
# after = ["@solver/experts", "@critic/edges", "@goal-check", "@judge"]
# next = { synthesizer = 0.3, verifier-algebra = 0.6 }
# tools = ["eliminate", "root_intervals", "refine_root", "variables", "sides", "substitute", "rounded"]
# params = { digits = 10, near = 6 }
#
# [[tests]]
# query = "Solve x^5 - x - 1 = 0"
# expect = { satisfies = true }
# ///


def run(task, memory, params):
    goal = task["part"]["reading"]["goal"]
    return numeric_roots(task, goal, params)


def numeric_roots(task, goal, params):
    """Encloses each real root, then refines it; a root that the equation itself denies is dropped."""
    if len(goal["equations"]) != 1 or len(goal["unknowns"]) != 1:
        return no_method(task)
    equation = goal["equations"][0]
    x = goal["unknowns"][0]
    polynomial = eliminate([equation], [x], x)
    if polynomial is None:
        return no_method(task)
    values = []
    for interval in root_intervals(polynomial, x):
        root = refine_root(polynomial, x, interval, params["digits"])
        if nearly_holds(equation, x, root, params):
            values.append({x: root})
    answer = {"is": "solutions", "values": values}
    if values:
        answer["approximate"] = True
    text = " or ".join([x + " ≈ " + value[x] for value in values]) if values else "no solution"
    data = {"answer": answer, "method": "enclosing and refining roots"}
    return {"contributions": [{"section": "draft", "text": text, "data": data}], "why": "there is a numeric way"}


def nearly_holds(equation, x, root, params):
    left, right = sides(equation)
    try:
        gap = float(rounded(substitute(left + " - (" + right + ")", {x: root}), params["digits"]))
    except ValueError:
        return False
    return abs(gap) < 10.0 ** -params["near"]


def no_method(task):
    text = "no other method here solves " + task["part"]["text"]
    return {"contributions": [{"section": "gap", "text": text, "data": {"sort": "capability"}}], "next": "@goal-check", "why": text}
