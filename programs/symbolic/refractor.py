# /// program
# role = "Tries another method: where the usual one fails, or where a second one would corroborate the value"
# contract = "alternative"
# group = "second"
# reads = ["draft", "reading", "definition", "gap"]
# requires = ["reading"]
# writes = ["draft", "gap"]
# accepts = "task.class in ['evaluate', 'sequence'] and 'second' not in groups or task.class == 'solve' and not draft"
# after = ["@solver/experts", "@critic/edges", "@goal-check", "@judge"]
# next = { "@solver/core" = 0.1, "@goal-check" = 0.2 }
# tools = [
#   "recurrence", "polynomial_through", "polynomial_at", "ratios", "differences", "calculate", "with_definitions", "fend",
#   "as_fraction", "terminating", "decimal", "form_met", "show", "eliminate", "root_intervals", "refine_root", "sides", "substitute",
#   "rounded", "simplify", "variables",
# ]
# params = { spare = 1, sieve = 20000, root = 60, digits = 10, near = 6 }
#
# [[tests]]
# query = "next number in 2, 4, 8, 16"
# memory = [{ draft = { text = "32", data = { answer = { is = "number", value = "32" }, method = "constant ratio" } } }]
# expect = { draft = { method = "linear recurrence", answer = { is = "number", value = "32" } } }
#
# [[tests]]
# query = "What comes next: 5, 8, 11?"
# memory = [{ draft = { text = "14", data = { answer = { is = "number", value = "14" }, method = "constant difference" } } }]
# expect = { draft = { method = "polynomial with a term to spare", answer = { is = "number", value = "14" } } }
#
# [[tests]]
# query = "next number in 2, 3, 5, 7, 11"
# memory = [{ draft = { text = "13", data = { answer = { is = "number", value = "13" }, method = "primes" } } }]
# expect = { draft = { method = "sieve", answer = { is = "number", value = "13" } } }
#
# [[tests]]
# query = "next number in 3, 1, 4, 1, 5"
# expect = { gap = { sort = "capability" } }
#
# [[tests]]
# query = "What is the square root of 144?"
# expect = { draft = { method = "roots first", answer = { is = "number", value = "12" } } }
#
# [[tests]]
# query = "What is the square root of 50?"
# expect = { satisfies = true, draft = { method = "rewriting roots" } }
#
# [[tests]]
# query = "What is the square root of 2 to 5 decimal places?"
# expect = { satisfies = true, draft = { answer = { is = "number", value = "1.41421", approximate = true } } }
#
# [[tests]]
# query = "Solve x^5 - x - 1 = 0"
# expect = { satisfies = true, draft = { method = "enclosing and refining roots" } }
# ///


def run(task, memory, params):
    part = task["part"]
    goal = dict(part["reading"]["goal"])
    goal["form"] = part["reading"].get("form", {})
    drafts = [entry for entry in memory.get("draft", []) if entry["part"] == part["id"] and entry["data"]]
    used = [entry["data"].get("method") for entry in drafts]
    # One line a class: the other methods, in the order in which they are tried.
    others = {
        "sequence": [
            ("linear recurrence", recurring),
            ("polynomial with a term to spare", polynomial),
            ("polynomial for the ratios", polynomial_ratios),
            ("polynomials in turn", polynomials_in_turn),
            ("sieve", sieve),
        ],
        "evaluate": [("roots first", roots_first), ("a second calculator", by_second), ("rewriting roots", rewritten)],
        "solve": [("enclosing and refining roots", numeric_roots)],
    }
    for name, method in others.get(goal["class"], []):
        if name in used:
            continue
        try:
            answer = method(goal, memory, params)
        except ValueError:
            continue
        if answer:
            form = part["reading"].get("form", {})
            data = {"answer": answer, "method": name, "raw": form_met(form, answer) != ""}
            draft = {"section": "draft", "text": show(answer, form), "data": data}
            return {"contributions": [draft], "next": "@goal-check" if drafts else "@critic", "why": "another method: " + name}
    if drafts:
        return {"monologue": "no second method applies", "next": "@goal-check", "why": "no second method applies"}
    reasons = [entry["text"] for entry in memory.get("gap", []) if entry["part"] == part["id"]]
    text = "no other method here solves this: " + (reasons[0] if reasons else part["text"])
    gap = {"section": "gap", "text": text, "data": {"sort": "capability"}}
    return {"contributions": [gap], "next": "@goal-check", "why": "no other method applies"}


def continued(goal, following):
    """The terms asked for, each from all before it."""
    terms = [as_fraction(term) for term in goal["terms"]]
    known = len(terms)
    while len(terms) < known + goal["ask"]:
        terms.append(as_fraction(following(terms)))
    found = terms[known:]
    if "." in "".join(goal["terms"]):
        found = [decimal(value) if terminating(value) else value for value in found]
    return {"is": "list", "values": found} if len(found) > 1 else {"is": "number", "value": found[0]}


def recurring(goal, memory, params):
    return continued(goal, by_recurrence)


def by_recurrence(terms):
    rule = recurrence(terms)
    total = rule["constant"]
    for back, coefficient in enumerate(rule["coefficients"]):
        total = total + " + (" + coefficient + ")*(" + terms[-1 - back] + ")"
    return calculate(total)["value"]


def polynomial(goal, memory, params):
    return continued(goal, lambda terms: by_polynomial(terms, params["spare"]))


def by_polynomial(terms, spare):
    """Any terms lie on some polynomial; only one that needs fewer of them than there are foretells anything."""
    coefficients = polynomial_through(terms)
    if len(coefficients) + spare > len(terms):
        raise ValueError("no polynomial has a term to spare")
    return polynomial_at(coefficients, len(terms) + 1)


def polynomial_ratios(goal, memory, params):
    return continued(goal, lambda terms: calculate("(" + terms[-1] + ")*(" + by_polynomial(ratios(terms), params["spare"]) + ")")["value"])


def polynomials_in_turn(goal, memory, params):
    if len(goal["terms"]) < 6:
        return None
    # Both of them must have a law, not only the one whose turn it is.
    by_polynomial([as_fraction(term) for term in goal["terms"][(len(goal["terms"]) + 1) % 2 :: 2]], params["spare"])
    return continued(goal, lambda terms: by_polynomial(terms[len(terms) % 2 :: 2], params["spare"]))


def sieve(goal, memory, params):
    """Whether the terms are all primes in a row, told by striking out multiples."""
    terms = [int(term) for term in goal["terms"]]
    limit = max(terms) * 2 + 2 + 20 * goal["ask"]
    if limit > params["sieve"] or min(terms) < 2:
        return None
    struck = set()
    primes = []
    for number in range(2, limit):
        if number not in struck:
            primes.append(number)
            struck.update(range(number * number, limit, number))
    start = primes.index(terms[0]) if terms[0] in primes else 0
    end = start + len(terms)
    if primes[start:end] != terms:
        return None
    found = [str(prime) for prime in primes[end : end + goal["ask"]]]
    return {"is": "list", "values": found} if len(found) > 1 else {"is": "number", "value": found[0]}


def roots_first(goal, memory, params):
    """Works out every root of a whole square from within, then the rest."""
    text = meant(goal, memory)
    while "sqrt(" in text:
        start = text.rindex("sqrt(")
        end = text.index(")", start)
        inside = calculate(text[start + 5 : end])["value"]
        text = text[:start] + "(" + "/".join([whole_root(side, params) for side in inside.split("/")]) + ")" + text[end + 1 :]
    return {"is": "number", "value": calculate(text)["value"]}


def whole_root(text, params):
    number = int(text)
    root = 1 << (len(text) * 2 + 1)
    for _ in range(params["root"] + len(text) * 4):
        root = (root + number // root) // 2 or 1
    if root * root != number:
        raise ValueError(text + " is no whole square")
    return str(root)


def by_second(goal, memory, params):
    return {"is": "number", "value": as_fraction(fend(meant(goal, memory)))}


def rewritten(goal, memory, params):
    """The smallest exact form; or, where digits are asked for, the value rounded to them."""
    text = meant(goal, memory)
    if variables(text):
        raise ValueError("units are not its business")
    form = goal["form"]
    if form.get("approximate") or form.get("decimals") is not None:
        places = form.get("decimals")
        value = rounded(text, params["digits"] if places is None else places)
        return {"is": "number", "value": value, "approximate": True}
    return {"is": "number", "value": simplify(text)}


def meant(goal, memory):
    known = {entry["data"]["term"]: entry["data"]["means"] for entry in memory.get("definition", []) if entry["data"]}
    return with_definitions(goal["expression"], known)


def numeric_roots(goal, memory, params):
    """Encloses each real root, then refines it; a root that the equation itself denies is dropped."""
    if len(goal["equations"]) != 1 or len(goal["unknowns"]) != 1:
        return None
    equation = goal["equations"][0]
    x = goal["unknowns"][0]
    polynomial = eliminate([equation], [x], x)
    if polynomial is None:
        return None
    values = []
    for interval in root_intervals(polynomial, x):
        root = refine_root(polynomial, x, interval, params["digits"])
        if nearly_holds(equation, x, root, params):
            values.append({x: root})
    answer = {"is": "solutions", "values": values}
    if values:
        answer["approximate"] = True
    return answer


def nearly_holds(equation, x, root, params):
    left, right = sides(equation)
    try:
        gap = float(rounded(substitute(left + " - (" + right + ")", {x: root}), params["digits"]))
    except ValueError:
        return False
    return abs(gap) < 10.0 ** -params["near"]
