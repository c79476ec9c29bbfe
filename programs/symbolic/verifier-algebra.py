# /// program
# role = "Checks solutions by putting them in and counting roots, and rewritten expressions by their values at points"
# contract = "critic"
# group = "checks"
# reads = ["draft"]
# requires = ["draft"]
# writes = ["verdict", "critique"]
# accepts = "draft and not draft.verified and task.class in ['solve', 'simplify', 'expand', 'factor']"
# after = ["@solver/experts", "@alternative", "@critic/edges", "@optimizer"]
# next = { optimizer = 0.3, value-judge = 0.1, goal-check = 0.4, synthesizer = 0.1 }
# tools = [
#   "holds", "is_identity", "is_linear", "linear_solve", "eliminate", "root_intervals", "refine_root", "rounded", "value",
#   "substitute", "sides", "variables", "equal", "degree", "isolate", "substitute_in", "move_left",
# ]
# params = { digits = 12, near = 6, points = ["2", "3", "5", "7/2", "-4", "11"], enough = 3 }
#
# [[tests]]
# query = "Solve 3x+5=14"
# memory = [{ draft = { text = "x = 3", data = { answer = { is = "solutions", values = [{ x = "3" }] } } } }]
# expect = { verdict = "pass" }
#
# [[tests]]
# query = "Solve x^2 - 5x + 6 = 0"
# memory = [{ draft = { text = "x = 2", data = { answer = { is = "solutions", values = [{ x = "2" }] } } } }]
# expect = { verdict = "fail" }
#
# [[tests]]
# query = "Solve sqrt(x+3) = x - 3"
# memory = [{ draft = { text = "x = 1 or x = 6", data = { answer = { is = "solutions", values = [{ x = "1" }, { x = "6" }] } } } }]
# expect = { verdict = "fail" }
#
# [[tests]]
# query = "Solve x/(x-1) = 1/(x-1)"
# memory = [{ draft = { text = "no solution", data = { answer = { is = "solutions", values = [] } } } }]
# expect = { verdict = "pass" }
#
# [[tests]]
# query = "Expand (x+2)^2"
# memory = [{ draft = { text = "x^2 + 4*x + 4", data = { answer = { is = "expression", value = "x^2 + 4*x + 4" } } } }]
# expect = { verdict = "pass" }
#
# [[tests]]
# query = "Expand (x+2)^2"
# memory = [{ draft = { text = "x^2 + 4", data = { answer = { is = "expression", value = "x^2 + 4" } } } }]
# expect = { verdict = "fail" }
# ///


def run(task, memory, params):
    part = task["part"]
    goal = part["reading"]["goal"]
    mine = [entry for entry in memory["draft"] if entry["part"] == part["id"]]
    if not mine or not mine[0]["data"]:
        return {}
    draft = mine[0]
    answer = draft["data"]["answer"]
    try:
        if goal["class"] == "solve":
            how, wrong = solutions(goal, answer, params)
        else:
            how, wrong = rewritten(goal["expression"], answer, params)
    except (ValueError, KeyError) as error:
        text = "it could not be checked: " + str(error)
        return {"contributions": [{"section": "critique", "about": draft["id"], "text": text}], "next": "@goal-check", "why": text}
    text = "fail: " + wrong if wrong else "pass: " + how
    data = {"pass": not wrong, "value": answer, "method": how}
    verdict = {"section": "verdict", "about": draft["id"], "text": text, "data": data}
    return {"contributions": [verdict], "next": "@author" if wrong else "@goal-check", "why": text}


def solutions(goal, answer, params):
    """Each value is put in; then every root that could be one is accounted for."""
    equations = goal["equations"]
    names = goal["unknowns"]
    if answer.get("all"):
        known = all([is_identity(equation) for equation in equations])
        return "both sides are the same expression", None if known else "it does not hold for every value"
    wrong = soundness(equations, answer, params)
    if wrong:
        return "substitution", wrong
    if len(names) == 1 and len(equations) == 1 and variables(equations[0]) == names:
        return "substitution and a count of the roots", missing(equations[0], names[0], answer, params)
    if is_linear(equations, names):
        # Gauss found it; here it is put in, and the unknowns are as many as the independent equations.
        unique = linear_solve(equations, names)["kind"]
        lacks = unique == "unique" and len(answer["values"]) != 1 or unique == "none" and answer["values"]
        return "substitution", "the number of solutions is wrong" if lacks else None
    if len(names) == len(equations) == 2:
        return "substitution and elimination", missing_pairs(equations, names, answer, params)
    if len(names) == 1:
        return "substitution", None
    raise ValueError("it has no way to count the solutions")


def soundness(equations, answer, params):
    for values in answer["values"]:
        for equation in equations:
            if answer.get("approximate"):
                if not nearly_holds(equation, values, params):
                    return in_words(values) + " is not near a solution"
                continue
            said = holds(equation, values)
            if said == "unknown":
                raise ValueError("it cannot tell whether " + in_words(values) + " holds")
            if said != "yes":
                return in_words(values) + " does not solve it"
    return None


def missing(equation, x, answer, params):
    """Every real solution is a root of the eliminant; a root near which the equation holds must be in the answer."""
    polynomial = eliminate([equation], [x], x)
    if polynomial is None:
        raise ValueError("it has no way to count the solutions")
    for interval in root_intervals(polynomial, x):
        root = refine_root(polynomial, x, interval, params["digits"])
        if not nearly_holds(equation, {x: root}, params):
            continue
        if not any([near(values[x], root, params) for values in answer["values"]]):
            return "a solution near " + root + " is missing"
    return None


def missing_pairs(equations, names, answer, params):
    x, y = names
    for one, other in [[x, y], [y, x]]:
        polynomial = eliminate(equations, names, one)
        if polynomial is None:
            raise ValueError("it has no way to count the solutions")
        roots = [refine_root(polynomial, one, interval, params["digits"]) for interval in root_intervals(polynomial, one)]
        for root in roots:
            if any([near(values[one], root, params) for values in answer["values"]]):
                continue
            raise ValueError("the root " + root + " of the eliminant is not accounted for")
    return None


def nearly_holds(equation, values, params):
    left, right = sides(equation)
    try:
        gap = float(rounded(substitute(left + " - (" + right + ")", values), params["digits"]))
    except ValueError:
        return False
    return abs(gap) < 10.0 ** -params["near"]


def near(exact, root, params):
    return abs(float(rounded(exact, params["digits"])) - float(root)) < 10.0 ** -params["near"]


def rewritten(expression, answer, params):
    """Two expressions that agree at enough points where both are defined."""
    how = "values at points"
    names = variables(expression)
    if not names:
        return "the value itself", None if equal(expression, answer["value"]) else "the value is another"
    seen = 0
    for shift, point in enumerate(params["points"]):
        values = {name: params["points"][(shift + index) % len(params["points"])] for index, name in enumerate(names)}
        try:
            before = substitute(expression, values)
            after = substitute(answer["value"], values)
        except ValueError:
            continue
        seen += 1
        if not equal(before, after):
            return how, "at " + in_words(values) + " it is " + before + ", not " + after
    if seen < params["enough"]:
        raise ValueError("it is defined at too few of the points")
    return how, None


def in_words(values):
    return ", ".join([name + " = " + values[name] for name in values])
