# /// program
# role = "Answers questions about whole numbers: divisors, multiples, primes, remainders"
# contract = "solver"
# group = "experts"
# reads = ["reading", "draft", "verdict", "counterexample"]
# requires = ["reading"]
# writes = ["draft", "gap"]
# accepts = "task.class == 'integer'"
# after = ["@planner", "@solver/core", "@critic", "@definer"]
# tools = ["is_prime", "factorize", "nth_prime", "primes_between", "show"]
# params = { division = 2000, steps = 20000, listed = 5000 }
#
# [[tests]]
# query = "gcd of 84 and 126"
# expect = { satisfies = true, draft = "42" }
#
# [[tests]]
# query = "lcm of 4, 6 and 10"
# expect = { satisfies = true, draft = "60" }
#
# [[tests]]
# query = "is 91 prime"
# expect = { satisfies = true, draft = "no" }
#
# [[tests]]
# query = "prime factors of 360"
# expect = { satisfies = true, draft = "2^3 * 3^2 * 5" }
#
# [[tests]]
# query = "list all the divisors of 28"
# expect = { satisfies = true, draft = "1, 2, 4, 7, 14, 28" }
#
# [[tests]]
# query = "next prime after 113"
# expect = { satisfies = true, draft = "127" }
#
# [[tests]]
# query = "List the primes between 10 and 20"
# expect = { satisfies = true, draft = "11, 13, 17, 19" }
#
# [[tests]]
# query = "What is the remainder when 17 is divided by 0?"
# expect = { gap = { sort = "method" } }
# ///


def run(task, memory, params):
    part = task["part"]
    goal = part["reading"]["goal"]
    about = [entry["about"] for entry in memory.get("verdict", []) if not entry["data"]["pass"]]
    about = about + [entry["about"] for entry in memory.get("counterexample", [])]
    disputed = [entry for entry in memory.get("draft", []) if entry["id"] in about and entry["part"] == part["id"]]
    try:
        # It has one way for each question, so that a dispute leaves it none.
        if disputed:
            raise ValueError("its value " + disputed[0]["text"] + " is disputed")
        method, answer = decide(goal["op"], [int(number) for number in goal["args"]], params)
    except ValueError as error:
        gap = {"section": "gap", "text": "no method fits: " + str(error), "data": {"sort": "method"}}
        return {"contributions": [gap], "next": "@alternative", "why": str(error)}
    data = {"answer": answer, "method": method, "raw": False}
    draft = {"section": "draft", "text": show(answer, part["reading"].get("form", {})), "data": data}
    return {"contributions": [draft], "next": "@critic", "why": "found by " + method}


def decide(op, numbers, params):
    first = numbers[0]
    if op == "gcd":
        common = abs(first)
        for number in numbers[1:]:
            common = euclid(common, number)
        if common == 0:
            raise ValueError("every number divides zero")
        return "Euclid's algorithm", whole(common)
    if op == "lcm":
        if 0 in numbers:
            raise ValueError("zero has no positive multiple")
        multiple = abs(first)
        for number in numbers[1:]:
            multiple = multiple // euclid(multiple, number) * abs(number)
        return "products over common divisors", whole(multiple)
    if op == "remainder":
        if numbers[1] == 0:
            raise ValueError("nothing can be divided by zero")
        return "division", whole(first % abs(numbers[1]))
    if op == "is-prime":
        return "trial division and a test of primality", {"is": "truth", "value": prime(first, params)}
    if op == "factorize":
        powers = [base + "^" + str(power) if power > 1 else base for base, power in factors(first, params)]
        return "trial division", {"is": "expression", "value": " * ".join(powers)}
    if op == "divisors":
        found = [1]
        for base, power in factors(abs(first), params):
            found = [divisor * int(base) ** step for divisor in found for step in range(power + 1)]
            if len(found) > params["listed"]:
                raise ValueError("it has more than " + str(params["listed"]) + " divisors")
        return "products of prime factors", {"is": "list", "values": [str(divisor) for divisor in sorted(found)]}
    if op == "nth-prime":
        return "a list of primes", whole(nth_prime(first))
    if op == "next-prime":
        candidate = max(first + 1, 2)
        while not prime(candidate, params):
            candidate += 1
            if candidate > first + params["steps"]:
                raise ValueError("no prime was found in reach")
        return "testing one number after the other", whole(candidate)
    if op == "primes-between":
        return "a list of primes", {"is": "list", "values": primes_between(first, numbers[1])}
    raise ValueError("this question about whole numbers is new to it")


def euclid(a, b):
    a, b = abs(a), abs(b)
    while b:
        a, b = b, a % b
    return a


def prime(number, params):
    """Small divisors first: they settle nearly every number."""
    if number < 2:
        return False
    for divisor in range(2, params["division"]):
        if divisor * divisor > number:
            return True
        if number % divisor == 0:
            return False
    return is_prime(str(number))


def factors(number, params):
    if number < 1:
        raise ValueError("only positive numbers have prime factors")
    found = []
    for divisor in range(2, params["division"]):
        power = 0
        while number % divisor == 0:
            number //= divisor
            power += 1
        if power:
            found.append((str(divisor), power))
    if number > 1:
        found = found + [(str(base), power) for base, power in factorize(str(number))]
    return found or [("1", 1)]


def whole(number):
    return {"is": "number", "value": str(number)}
