# /// program
# role = "Checks claims about whole numbers by their definitions, or from prime factors"
# contract = "critic"
# group = "checks"
# reads = ["draft"]
# requires = ["draft"]
# writes = ["verdict", "critique"]
# accepts = "draft and not draft.verified and task.class == 'integer'"
# after = ["@solver/experts", "@alternative", "@critic/edges", "@optimizer"]
# next = { "@optimizer" = 0.1, "@judge" = 0.3, "@goal-check" = 0.3, "@solver/core" = 0.1 }
# tools = ["gcd_by_factors", "lcm_by_factors", "is_prime", "factorize", "primes_between", "as_fraction"]
# params = { sieve = 20000 }
#
# [[tests]]
# query = "gcd of 84 and 126"
# memory = [{ draft = { text = "42", data = { answer = { is = "number", value = "42" } } } }]
# expect = { verdict = "pass" }
#
# [[tests]]
# query = "gcd of 84 and 126"
# memory = [{ draft = { text = "21", data = { answer = { is = "number", value = "21" } } } }]
# expect = { verdict = "fail" }
#
# [[tests]]
# query = "is 91 prime"
# memory = [{ draft = { text = "yes", data = { answer = { is = "truth", value = true } } } }]
# expect = { verdict = "fail" }
#
# [[tests]]
# query = "prime factors of 360"
# memory = [{ draft = { text = "2^3*3^2*5", data = { answer = { is = "expression", value = "2^3*3^2*5" } } } }]
# expect = { verdict = "pass" }
#
# [[tests]]
# query = "prime factors of 360"
# memory = [{ draft = { text = "8*45", data = { answer = { is = "expression", value = "8*45" } } } }]
# expect = { verdict = "fail" }
#
# [[tests]]
# query = "next prime after 100"
# memory = [{ draft = { text = "103", data = { answer = { is = "number", value = "103" } } } }]
# expect = { verdict = "fail" }
#
# [[tests]]
# query = "list the divisors of 28"
# memory = [{ draft = { text = "1, 2, 4, 7, 14, 28", data = { answer = { is = "list", values = ["1", "2", "4", "7", "14", "28"] } } } }]
# expect = { verdict = "pass" }
#
# [[tests]]
# query = "list the divisors of 28"
# memory = [{ draft = { text = "1, 2, 4, 7, 14", data = { answer = { is = "list", values = ["1", "2", "4", "7", "14"] } } } }]
# expect = { verdict = "fail" }
# ///


def run(task, memory, params):
    part = task["part"]
    mine = [entry for entry in memory["draft"] if entry["part"] == part["id"]]
    if not mine or not mine[0]["data"]:
        return {}
    draft = mine[0]
    try:
        how, found = integer(part["reading"]["goal"], draft["data"]["answer"], params)
    except ValueError as error:
        text = "it could not be checked: " + str(error)
        return {"contributions": [{"section": "critique", "about": draft["id"], "text": text}], "next": "@goal-check", "why": text}
    data = {"pass": found is True, "value": draft["data"]["answer"], "method": how}
    text = "pass: " + how if found is True else "fail: " + how + " gives " + str(found)
    verdict = {"section": "verdict", "about": draft["id"], "text": text, "data": data}
    return {"contributions": [verdict], "next": "@goal-check" if found is True else "@solver/experts", "why": text}


def integer(goal, answer, params):
    """Each claim by its definition, or from prime factors."""
    op, numbers = goal["op"], [int(number) for number in goal["args"]]
    first, value = numbers[0], answer.get("value")
    if op == "gcd":
        return "prime factors", same(gcd_by_factors(goal["args"]), value)
    if op == "lcm":
        return "prime factors", same(lcm_by_factors(goal["args"]), value)
    if op == "remainder":
        rest = int(value)
        return "its definition", 0 <= rest < abs(numbers[1]) and (first - rest) % numbers[1] == 0 or first % abs(numbers[1])
    if op == "is-prime":
        factors = factorize(first) if first > 1 else []
        return "its factors", value == (len(factors) == 1 and factors[0][1] == 1) or str(factors)
    if op == "factorize":
        product = 1
        for factor in value.split("*"):
            base, power = (factor.strip().split("^") + ["1"])[:2]
            product *= int(base) ** int(power) if is_prime(base) else 0
        return "multiplying the primes", product == first or product
    if op == "divisors":
        count = 1
        for pair in factorize(first):
            count *= pair[1] + 1
        listed = [divisor for divisor in answer["values"] if first % int(divisor) == 0]
        return "dividing, and their number from the prime factors", len(listed) == count == len(answer["values"]) or count
    return primes(op, numbers, answer, params)


def primes(op, numbers, answer, params):
    """By a sieve, which knows nothing of the tests that the expert uses."""
    low = numbers[0] if op in ["primes-between", "next-prime"] else 2
    high = numbers[1] if op == "primes-between" else int(answer["value"])
    if high > params["sieve"]:
        return beyond_the_sieve(op, numbers[0], high, answer)
    composite = set()
    found = []
    for number in range(2, high + 1):
        if number not in composite:
            if number >= low:
                found.append(number)
            composite.update(range(number * number, high + 1, number))
    if op == "primes-between":
        return "a sieve", found == [int(value) for value in answer["values"]] or found
    if op == "nth-prime":
        return "a sieve", high in found and len(found) == numbers[0] or len(found)
    later = [prime for prime in found if prime > low]
    return "a sieve", later == [high] or later


def beyond_the_sieve(op, first, high, answer):
    """The primes up to the claimed one are listed and counted, or every number between is tested."""
    if op == "nth-prime":
        listed = primes_between("2", str(high))
        return "counting all primes up to it", len(listed) == first and listed[-1] == str(high) or len(listed)
    if op == "next-prime":
        return "listing the primes above", primes_between(str(first + 1), str(high)) == [str(high)] or "another"
    raise ValueError("the sieve does not reach that far")


def same(found, value):
    return as_fraction(found) == as_fraction(value) or found
