# /// program
# role = "Looks for the inputs on which a draft breaks"
# contract = "critic"
# group = "edges"
# reads = ["draft", "reading"]
# requires = ["draft"]
# writes = ["counterexample", "fact"]
# accepts = "task.class in ['solve', 'simplify'] and draft and not draft.data.answer.approximate"
# after = ["@solver/experts", "@solver/core", "@alternative"]
# next = { "@alternative" = 0.2, "@solver/core" = 0.2, "@critic/checks" = 0.5 }
# tools = ["holds", "sides", "substitute", "conditions", "factors", "variables", "degree", "isolate", "simplify", "equal"]
# params = { probes = ["0", "1", "-1"] }
#
# [[tests]]
# query = "Solve sqrt(x+3) = x - 3"
# memory = [{ draft = { text = "x = 1 or x = 6", data = { answer = { is = "solutions", values = [{ x = "1" }, { x = "6" }] } } } }]
# expect = { counterexample = { assignment = { x = "1" }, extraneous = true } }
#
# [[tests]]
# query = "Solve |x| = 1"
# memory = [{ draft = { text = "x = -1", data = { answer = { is = "solutions", values = [{ x = "-1" }] } } } }]
# expect = { counterexample = { assignment = { x = "1" }, extraneous = false } }
#
# [[tests]]
# query = "Simplify (x^2-1)/(x-1)"
# memory = [{ draft = { text = "x + 1", data = { answer = { is = "expression", value = "x + 1" } } } }]
# expect = { counterexample = { assignment = { x = "1" } } }
#
# [[tests]]
# query = "Solve sqrt(x+3) = x - 3"
# memory = [{ draft = { text = "x = 6", data = { answer = { is = "solutions", values = [{ x = "6" }] } } } }]
# expect = { fact = true }
# ///


def run(task, memory, params):
    goal = task["part"]["reading"]["goal"]
    drafts = [entry for entry in memory["draft"] if entry["part"] == task["focus"]]
    draft = drafts[0]
    answer = draft["data"]["answer"]
    if goal["class"] == "solve":
        found = against_solutions(goal, answer, params)
    else:
        found = against_expression(goal["expression"], answer)
    if not found:
        text = "no edge case breaks " + draft["text"]
        return {"contributions": [{"section": "fact", "text": text, "about": draft["id"]}], "why": "edges are clear"}
    return {
        "contributions": [
            {"section": "counterexample", "text": entry["text"], "about": draft["id"], "data": entry["data"]} for entry in found
        ],
        "next": "@author",
        "why": "the draft breaks at an edge case",
    }


def against_solutions(goal, answer, params):
    """Solutions that do not hold, and points at the edge of the domain that hold and are missing."""
    equations = goal["equations"]
    found = []
    if answer.get("all"):
        return found
    for values in answer["values"]:
        for equation in equations:
            if holds(equation, values) in ["no", "undefined"]:
                found.append({"text": shown(equation, values), "data": {"assignment": values, "extraneous": True}})
                break
    if len(goal["unknowns"]) == 1:
        x = goal["unknowns"][0]
        for point in edges(equations[0], x) + params["probes"]:
            values = {x: point}
            if holds(equations[0], values) == "yes" and not contains(answer["values"], values, x):
                found.append({"text": f"{x} = {point} solves it and is missing", "data": {"assignment": values, "extraneous": False}})
    return found


def against_expression(expression, answer):
    """Points at which the expression is undefined and the draft is not, and says nothing of it."""
    found = []
    names = variables(expression)
    if len(names) != 1:
        return found
    x = names[0]
    for point in edges(f"{expression} = 0", x):
        if not is_defined(expression, x, point) and is_defined(answer["value"], x, point):
            if f"{x} != {point}" not in answer.get("conditions", []):
                found.append({"text": f"at {x} = {point} the expression is undefined, {answer['value']} is not", "data": {"assignment": {x: point}}})
    return found


def edges(equation, x):
    """Where a denominator or the inside of a root is zero: the zeros that linear factors give."""
    points = []
    for condition in conditions(equation):
        for factor, times in factors(condition["expression"]):
            if variables(factor) == [x] and degree(factor, x) == 1:
                points.append(isolate(factor + " = 0", x))
    return points


def contains(solutions, values, x):
    return any([equal(solution[x], values[x]) for solution in solutions])


def is_defined(expression, x, point):
    return holds(f"{expression} = 0", {x: point}) != "undefined"


def shown(equation, values):
    left, right = sides(equation)
    where = ", ".join([f"{name} = {values[name]}" for name in values])
    return f"{where}: {at(left, values)}, but {at(right, values)}"


def at(expression, values):
    try:
        return f"{expression} = {simplify(substitute(expression, values))}"
    except ValueError:
        return f"{expression} is undefined"
