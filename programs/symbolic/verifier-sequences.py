# /// program
# role = "Checks that the law behind a continuation foretells the last known term of the sequence"
# contract = "critic"
# group = "checks"
# reads = ["draft"]
# requires = ["draft"]
# writes = ["verdict", "critique"]
# accepts = "draft and not draft.verified and task.class == 'sequence'"
# after = ["@solver/experts", "@alternative", "@critic/edges", "@optimizer"]
# next = { "@optimizer" = 0.1, "@judge" = 0.3, "@goal-check" = 0.3, "@solver/core" = 0.1 }
# tools = ["differences", "recurrence", "calculate", "next_prime", "is_prime", "as_fraction"]
#
# [[tests]]
# query = "What is the next number in 2, 4, 8, 16?"
# memory = [{ draft = { text = "32", data = { answer = { is = "number", value = "32" } } } }]
# expect = { verdict = "pass" }
#
# [[tests]]
# query = "What is the next number in 2, 4, 8, 16?"
# memory = [{ draft = { text = "30", data = { answer = { is = "number", value = "30" } } } }]
# expect = { verdict = "fail" }
#
# [[tests]]
# query = "What is the next number in 1, 1, 2, 3, 5, 8?"
# memory = [{ draft = { text = "13", data = { answer = { is = "number", value = "13" } } } }]
# expect = { verdict = "pass" }
#
# [[tests]]
# query = "What is the next number in 2, 3, 5, 7, 11?"
# memory = [{ draft = { text = "13", data = { answer = { is = "number", value = "13" } } } }]
# expect = { verdict = "pass" }
#
# [[tests]]
# query = "What is the next number in 1, 8, 27, 64?"
# memory = [{ draft = { text = "125", data = { answer = { is = "number", value = "125" } } } }]
# expect = { verdict = "pass" }
#
# [[tests]]
# query = "What is the next number in 3, 1, 4, 1?"
# memory = [{ draft = { text = "5", data = { answer = { is = "number", value = "5" } } } }]
# expect = { critique = true }
# ///


def run(task, memory, params):
    part = task["part"]
    mine = [entry for entry in memory["draft"] if entry["part"] == part["id"]]
    if not mine or not mine[0]["data"]:
        return {}
    draft = mine[0]
    try:
        how, found = sequence(part["reading"]["goal"], draft["data"]["answer"])
    except ValueError as error:
        text = "it could not be checked: " + str(error)
        return {"contributions": [{"section": "critique", "about": draft["id"], "text": text}], "next": "@goal-check", "why": text}
    data = {"pass": found is True, "value": draft["data"]["answer"], "method": how}
    text = "pass: " + how if found is True else "fail: " + how + " gives " + str(found)
    verdict = {"section": "verdict", "about": draft["id"], "text": text, "data": data}
    return {"contributions": [verdict], "next": "@goal-check" if found is True else "@solver/experts", "why": text}


def sequence(goal, answer):
    """A law must foretell the last known term from those before it; then its next terms must be the drafted ones."""
    terms = [as_fraction(term) for term in goal["terms"]]
    drafted = [answer["value"]] if answer["is"] == "number" else answer["values"]
    foretold = None
    for law in [by_differences, by_recurrence, by_ratios, by_primes, by_powers, in_turn]:
        if foretell(law, terms[:-1], 1) != terms[-1:]:
            continue
        foretold = foretell(law, terms, len(drafted))
        if foretold == [as_fraction(value) for value in drafted]:
            return "a law that foretells the last known term", True
    if not foretold:
        raise ValueError("no law that it knows foretells the last known term")
    return "a law that foretells the last known term", ", ".join(foretold)


def foretell(law, terms, count):
    terms = list(terms)
    known = len(terms)
    while len(terms) < known + count:
        try:
            following = law(terms)
        except ValueError:
            return None
        if following is None:
            return None
        terms.append(as_fraction(following))
    return terms[known:]


def by_differences(terms):
    """The difference table down to a row of one value that occurs at least twice."""
    row, total = terms, "0"
    while len(row) > 1 and [value for value in row if value != row[0]]:
        total = total + "+(" + row[-1] + ")"
        row = differences(row)
    return calculate(total + "+(" + row[0] + ")")["value"] if len(row) > 1 else None


def by_recurrence(terms):
    rule = recurrence(terms)
    total = rule["constant"]
    for back, coefficient in enumerate(rule["coefficients"]):
        total = total + "+(" + coefficient + ")*(" + terms[-1 - back] + ")"
    return calculate(total)["value"]


def by_ratios(terms):
    """Ratios that grow by a constant step: powers and factorials."""
    ratios = ["(" + terms[n + 1] + ")/(" + terms[n] + ")" for n in range(len(terms) - 1)]
    following = by_differences([calculate(ratio)["value"] for ratio in ratios])
    return calculate("(" + terms[-1] + ")*(" + following + ")")["value"] if following else None


def by_primes(terms):
    return next_prime(terms[-1]) if [term for term in terms if not is_prime(term)] == [] else None


def by_powers(terms):
    """Each term the same power of numbers in a row; their roots are found by trying."""
    for power in [2, 3, 4, 5]:
        roots = [root_of(int(term), power) if "/" not in term else None for term in terms]
        if None not in roots and roots == list(range(roots[0], roots[0] + len(roots))):
            return str((roots[-1] + 1) ** power)
    return None


def root_of(number, power):
    for root in range(1000):
        if root**power >= number:
            return root if root**power == number else None
    return None


def in_turn(terms):
    """Two sequences that take turns: the one whose turn it is goes on by its differences."""
    mine = terms[len(terms) % 2 :: 2]
    return by_differences(mine) if len(terms) > 4 else None
