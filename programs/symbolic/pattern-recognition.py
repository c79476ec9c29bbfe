# /// program
# role = "Looks for the pattern in a sequence and continues it"
# contract = "solver"
# group = "experts"
# reads = ["reading", "draft", "verdict", "counterexample"]
# requires = ["reading"]
# writes = ["draft", "pattern", "gap"]
# accepts = "task.class == 'sequence'"
# after = ["@planner", "@solver/core", "@critic", "@definer"]
# next = { "@solver/core" = 0.2 }
# tools = ["differences", "ratios", "calculate", "next_prime", "is_prime", "as_fraction", "terminating", "decimal", "show", "recall"]
# params = { bases = 200, likeness = 0.6, recalled = 2 }
#
# [[tests]]
# query = "next number in 2, 4, 8, 16"
# expect = { draft = { method = "constant ratio", answer = { is = "number", value = "32" } } }
#
# [[tests]]
# query = "What comes next: 5, 8, 11, 14?"
# expect = { draft = { method = "constant difference", answer = { is = "number", value = "17" } } }
#
# [[tests]]
# query = "next number in 1, 1, 2, 3, 5, 8"
# expect = { draft = { method = "sum of the two before", answer = { is = "number", value = "13" } } }
#
# [[tests]]
# query = "next number in 1, 4, 9, 16, 25"
# expect = { draft = { method = "squares", answer = { is = "number", value = "36" } } }
#
# [[tests]]
# query = "next number in 2, 3, 5, 7, 11"
# expect = { draft = { method = "primes", answer = { is = "number", value = "13" } } }
#
# [[tests]]
# query = "next number in 2, 5, 11, 23"
# expect = { draft = { method = "a multiple of the term before, and a constant", answer = { is = "number", value = "47" } } }
#
# [[tests]]
# query = "next number in 0.5, 1, 1.5, 2"
# expect = { draft = "2.5" }
#
# [[tests]]
# query = "next number in 3, 1, 4, 1, 5"
# expect = { gap = { sort = "method" } }
# ///


def run(task, memory, params):
    result = sought(task["part"], memory, params)
    result["contributions"] = result["contributions"] + recalled(task["text"], params)
    return result


def recalled(question, params):
    """Questions like this one that were solved before, and how. Their answers say nothing about this one."""
    patterns = []
    for found in recall(question, params["recalled"]):
        if found["likeness"] >= params["likeness"]:
            text = "like \"" + found["question"] + "\", solved in session " + found["session"]
            if found["programs"]:
                text = text + " by " + " and ".join(found["programs"])
            if found["methods"]:
                text = text + " (" + "; ".join(found["methods"]) + ")"
            patterns.append({"section": "pattern", "text": text, "data": found})
    return patterns


def sought(part, memory, params):
    goal = part["reading"]["goal"]
    terms = [as_fraction(term) for term in goal["terms"]]
    # The plainest pattern comes first; one whose value is disputed is not named again.
    patterns = [
        ("constant difference", constant_difference),
        ("constant ratio", constant_ratio),
        ("squares", squares),
        ("cubes", cubes),
        ("primes", primes),
        ("sum of the two before", sum_of_two),
        ("differences that grow evenly", even_growth),
        ("a multiple of the term before, and a constant", multiple_and_constant),
        ("ratios that grow evenly", growing_ratio),
        ("two sequences in turn", in_turn),
    ]
    disputed = methods_disputed(part, memory)
    for name, pattern in patterns:
        found = None if name in disputed else continued(pattern, terms, goal["ask"], params)
        if found:
            if "." in "".join(goal["terms"]):
                found = [decimal(value) if terminating(value) else value for value in found]
            answer = {"is": "list", "values": found} if len(found) > 1 else {"is": "number", "value": found[0]}
            data = {"answer": answer, "method": name, "raw": False}
            draft = {"section": "draft", "text": show(answer, part["reading"].get("form", {})), "data": data}
            return {"contributions": [draft], "next": "@critic", "why": "the pattern is: " + name}
    gap = {"section": "gap", "text": "no pattern that it knows fits these terms", "data": {"sort": "method"}}
    return {"contributions": [gap], "next": "@alternative", "why": "no pattern fits"}


def continued(pattern, terms, count, params):
    """The terms that follow, or nothing where the pattern does not fit."""
    whole = list(terms)
    while len(whole) < len(terms) + count:
        try:
            following = pattern(whole, params)
        except ValueError:
            return None
        if following is None:
            return None
        whole.append(as_fraction(following))
    return whole[len(terms):]


def same(values):
    return len(values) > 1 and [value for value in values if value != values[0]] == []


def exact(text):
    return calculate(text)["value"]


def plus(a, b):
    return exact("(" + a + ") + (" + b + ")")


def times(a, b):
    return exact("(" + a + ") * (" + b + ")")


def constant_difference(terms, params):
    steps = differences(terms)
    return plus(terms[-1], steps[0]) if same(steps) else None


def constant_ratio(terms, params):
    factors = ratios(terms)
    return times(terms[-1], factors[0]) if same(factors) else None


def even_growth(terms, params):
    steps = differences(terms)
    growth = differences(steps)
    return plus(terms[-1], plus(steps[-1], growth[0])) if same(growth) else None


def growing_ratio(terms, params):
    factors = ratios(terms)
    growth = differences(factors)
    return times(terms[-1], plus(factors[-1], growth[0])) if same(growth) else None


def squares(terms, params):
    return powers(terms, 2, params)


def cubes(terms, params):
    return powers(terms, 3, params)


def powers(terms, power, params):
    for base in range(params["bases"]):
        if str(base**power) == terms[0]:
            if terms == [str((base + n) ** power) for n in range(len(terms))]:
                return str((base + len(terms)) ** power)
    return None


def primes(terms, params):
    if not is_prime(terms[0]) or terms[1:] != [next_prime(term) for term in terms[:-1]]:
        return None
    return next_prime(terms[-1])


def sum_of_two(terms, params):
    sums = [plus(terms[n], terms[n + 1]) for n in range(len(terms) - 1)]
    return sums[-1] if len(terms) > 3 and sums[:-1] == terms[2:] else None


def multiple_and_constant(terms, params):
    """Two steps fix the multiple and the constant; at least one more must agree."""
    steps = differences(terms)
    if len(terms) < 4 or steps[0] == "0":
        return None
    multiple = exact("(" + steps[1] + ") / (" + steps[0] + ")")
    constant = plus(terms[1], "-(" + times(multiple, terms[0]) + ")")
    following = [plus(times(multiple, term), constant) for term in terms]
    return following[-1] if following[:-1] == terms[1:] else None


def in_turn(terms, params):
    if len(terms) < 6:
        return None
    mine = terms[len(terms) % 2 :: 2]
    other = terms[(len(terms) + 1) % 2 :: 2]
    for pattern in [constant_difference, constant_ratio]:
        found = pattern(mine, params)
        if found and (constant_difference(other, params) or constant_ratio(other, params)):
            return found
    return None


def methods_disputed(part, memory):
    objections = [entry for entry in memory.get("verdict", []) if not entry["data"]["pass"]] + memory.get("counterexample", [])
    about = [entry["about"] for entry in objections if entry["part"] == part["id"]]
    return [entry["data"]["method"] for entry in memory.get("draft", []) if entry["id"] in about]
