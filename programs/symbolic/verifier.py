# /// program
# role = "Checks the draft by a method of its own, other than the one that it was reached by"
# contract = "critic"
# group = "checks"
# reads = ["draft", "answer", "definition", "reading"]
# requires = ["draft"]
# writes = ["verdict", "critique"]
# accepts = "draft and not draft.verified and task.class not in ['integer', 'sequence']"
# after = ["@solver/experts", "@alternative", "@critic/edges", "@optimizer"]
# next = { "@optimizer" = 0.4, "@judge" = 0.3, "@goal-check" = 0.3, "@solver/core" = 0.1 }
# tools = [
#   "fend", "fend_convert", "with_definitions", "round_to", "as_fraction", "calculate", "convert", "quantity", "days_by_counting", "sign",
#   "holds", "is_identity", "is_linear", "linear_solve", "eliminate", "root_intervals", "refine_root", "rounded", "substitute",
#   "sides", "variables", "equal", "value", "has_exponential", "has_logarithm", "isolate",
# ]
# params = { own = ["a second calculator", "day numbers"], monday = "2024-01-01", days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"], digits = 12, near = 6, points = ["2", "3", "5", "7/2", "-4", "11"], enough = 3 }
#
# [[tests]]
# query = "What is 17*23?"
# memory = [{ draft = { text = "391", data = { method = "exact fractions", answer = { is = "number", value = "391" } } } }]
# expect = { verdict = "pass" }
#
# [[tests]]
# query = "What is 17*23?"
# memory = [{ draft = { text = "381", data = { method = "exact fractions", answer = { is = "number", value = "381" } } } }]
# expect = { verdict = "fail" }
#
# [[tests]]
# query = "How many days are there from 8 September 2023 to 17 November 2023?"
# memory = [{ draft = { text = "70", data = { answer = { is = "number", value = "70", unit = "days" } } } }]
# expect = { verdict = "pass" }
#
# [[tests]]
# query = "If 3 pens cost $4.20, what do 7 pens cost?"
# memory = [{ draft = { text = "$9.80", data = { answer = { is = "number", value = "9.80", unit = "USD" } } } }]
# expect = { verdict = "pass" }
#
# [[tests]]
# query = "What is 17*23?"
# memory = [{ draft = { text = "391", data = { method = "a second calculator", answer = { is = "number", value = "391" } } } }]
# expect = { critique = true }
#
# [[tests]]
# query = "What is the square root of 50?"
# memory = [{ draft = { text = "5 sqrt(2)", data = { method = "m", answer = { is = "number", value = "5*sqrt(2)" } } } }]
# expect = { verdict = "pass" }
#
# [[tests]]
# query = "What is the square root of 2 to 3 decimal places?"
# memory = [{ draft = { text = "1.415", data = { method = "m", answer = { is = "number", value = "1.415", approximate = true } } } }]
# expect = { verdict = "fail" }
#
# [[tests]]
# query = "Who wrote Hamlet?"
# memory = [{ draft = { text = "Bacon", data = { answer = { is = "text", value = "Bacon" } } } }]
# expect = { critique = true }
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
    values = memory.get("answer", []) + memory.get("draft", [])
    mine = [entry for entry in values if entry["part"] == part["id"]]
    if not mine or not mine[0]["data"]:
        return {}
    draft = mine[0]
    goal = part["reading"]["goal"]
    # One line a class. Each method takes the goal, the drafted answer, what it may look up, and the parameters; it
    # gives what it did and what it found, and raises ValueError where it cannot tell.
    methods = {
        "evaluate": evaluate,
        "convert": conversion,
        "date-span": span,
        "date-shift": shift,
        "weekday": weekday_by_counting,
        "proportion": proportion,
        "solve": solutions,
        "simplify": rewritten,
        "expand": rewritten,
        "factor": rewritten,
    }
    method = methods.get(goal["class"])
    try:
        if not method:
            raise ValueError("no method for the class " + goal["class"])
        if draft["data"].get("method") in params["own"]:
            raise ValueError("it was reached by the method of this check")
        how, found = method(goal, draft["data"]["answer"], memory, params)
    except (ValueError, KeyError) as error:
        text = "it could not be checked: " + str(error)
        return {"contributions": [{"section": "critique", "about": draft["id"], "text": text}], "next": "@goal-check", "why": text}
    data = {"pass": found is True, "value": draft["data"]["answer"], "method": how}
    text = "pass: " + how if found is True else "fail: " + how + ": " + str(found)
    verdict = {"section": "verdict", "about": draft["id"], "text": text, "data": data}
    after = "@optimizer" if draft["data"].get("raw") else "@goal-check"
    return {"contributions": [verdict], "next": after if found is True else "@solver/experts", "why": text}


def agrees(found, answer):
    """True, or what was found instead; a rounded value agrees when the exact one rounds to it."""
    value = answer["value"]
    places = len(value.split(".")[1]) if "." in value else 0
    exact = round_to(found, places) if answer.get("approximate") else as_fraction(found)
    return exact == as_fraction(value) or found


def evaluate(goal, answer, memory, params):
    unit = answer.get("unit")
    how = "the independent calculator"
    if unit and unit != "%":
        return how, agrees(fend_convert(goal["expression"], unit), answer)
    try:
        return how, agrees(fend(goal["expression"]), answer)
    except ValueError:
        return "the sign of the difference", by_sign(goal["expression"], answer)


def by_sign(expression, answer):
    """For irrational values: the difference is nothing, or less than half of the last digit either way."""
    gap = "(" + expression + ") - (" + answer["value"] + ")"
    half = "0"
    if answer.get("approximate"):
        places = len(answer["value"].split(".")[1]) if "." in answer["value"] else 0
        half = "1/(2*10^" + str(places) + ")"
    below, above = sign(gap + " + " + half), sign(gap + " - " + half)
    if below is None or above is None:
        raise ValueError("the sign of " + gap + " cannot be told")
    return below >= 0 >= above or "a difference"


def conversion(goal, answer, memory, params):
    """Its own knowledge of the words comes first; definitions from memory only where it has none."""
    try:
        return "the independent calculator", agrees(fend_convert(goal["quantity"], goal["to"]), answer)
    except ValueError:
        known = {entry["data"]["term"]: entry["data"]["means"] for entry in memory.get("definition", []) if entry["data"]}
        there = fend_convert(with_definitions(goal["quantity"], known), with_definitions(goal["to"], known))
        return "the independent calculator, with the definitions", agrees(there, answer)


def span(goal, answer, memory, params):
    days = days_by_counting(goal["from"], goal["to"])
    if goal["inclusive"]:
        days += 1 if days >= 0 else -1
    if goal["unit"] in ["days", "weeks"]:
        return "counting day numbers", agrees(str(days) + ("/7" if goal["unit"] == "weeks" else ""), answer)
    size = 12 if goal["unit"] == "years" else 1
    whole = months_apart(goal["from"], goal["to"])
    if goal["from"][8:] != goal["to"][8:] or whole % size:
        raise ValueError("parts of " + goal["unit"] + " have no fixed length")
    return "counting months", agrees(str(whole // size), answer)


def months_apart(start, end):
    return (int(end[:4]) - int(start[:4])) * 12 + int(end[5:7]) - int(start[5:7])


def shift(goal, answer, memory, params):
    if goal["unit"] in ["days", "weeks"]:
        days = days_by_counting(goal["date"], answer["value"])
        return "counting days back", days == goal["by"] * (7 if goal["unit"] == "weeks" else 1) or str(days) + " days"
    months = months_apart(goal["date"], answer["value"])
    right = months == goal["by"] * (12 if goal["unit"] == "years" else 1) and goal["date"][8:] == answer["value"][8:]
    if not right and months == goal["by"]:
        raise ValueError("the day does not exist in that month")
    return "counting months back", right or str(months) + " months"


def weekday_by_counting(goal, answer, memory, params):
    day = params["days"][days_by_counting(params["monday"], goal["date"]) % 7]
    return "counting days from a known Monday", day == answer["value"] or day


def proportion(goal, answer, memory, params):
    """Cross products, each amount in the units of its own pair."""
    kind, kind_of_answer = unit_of(goal["from"]), unit_of(goal["to"])
    start, end = size(goal["from"], kind), size(goal["ask"], kind)
    there = size(goal["to"], answer.get("unit") if kind_of_answer else None)
    product = calculate(start + "*(" + there + ")" if goal["inverse"] else "(" + there + ")*" + end)["value"]
    other = end if goal["inverse"] else start
    return "cross products", agrees(calculate("(" + product + ")/(" + other + ")")["value"], answer)


def unit_of(text):
    try:
        return quantity(text)["unit"]
    except ValueError:
        return None


def size(text, unit):
    return "(" + (convert(text, unit)["value"] if unit else as_fraction(text.split(" ")[0])) + ")"


def solutions(goal, answer, memory, params):
    how, wrong = check_solutions(goal, answer, params)
    return how, wrong or True


def check_solutions(goal, answer, params):
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
        return missing_by_monotony(equation, x, answer)
    for interval in root_intervals(polynomial, x):
        root = refine_root(polynomial, x, interval, params["digits"])
        if not nearly_holds(equation, {x: root}, params):
            continue
        if not any([near(values[x], root, params) for values in answer["values"]]):
            return "a solution near " + root + " is missing"
    return None


def missing_by_monotony(equation, x, answer):
    """Exponentials and logarithms take each value once: where x can be isolated, it has one value at most."""
    one_way = has_exponential(equation) or has_logarithm(equation)
    if not one_way or isolate(equation, x) is None:
        raise ValueError("it has no way to count the solutions")
    return None if len(answer["values"]) == 1 else "a solution is missing"


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


def rewritten(goal, answer, memory, params):
    how, wrong = check_rewritten(goal["expression"], answer, params)
    return how, wrong or True


def check_rewritten(expression, answer, params):
    """Two expressions that agree at enough points where both are defined."""
    how = "values at points"
    names = variables(expression)
    if not names:
        return "the value itself", None if equal(expression, answer["value"]) else "the value is another"
    seen = 0
    for shift, point in enumerate(params["points"]):
        values = {name: params["points"][(shift + index) % len(params["points"])] for index, name in enumerate(names)}
        try:
            before = value(substitute(expression, values))
            after = value(substitute(answer["value"], values))
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
