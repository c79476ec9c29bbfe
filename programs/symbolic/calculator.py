# /// program
# role = "Computes exact values of expressions, percentages and conversions of units"
# contract = "solver"
# group = "experts"
# reads = ["reading", "definition", "draft", "verdict", "counterexample"]
# requires = ["reading"]
# writes = ["draft", "gap"]
# accepts = "task.class in ['evaluate', 'convert']"
# after = ["@planner", "@solver/core", "@critic", "@definer"]
# tools = ["calculate", "convert", "with_definitions", "fend", "fend_convert", "terminating", "round_to", "as_fraction", "form_met", "show"]
# params = { percent = "%" }
#
# [[tests]]
# query = "What is 15% of 80?"
# expect = { satisfies = true, draft = { raw = false } }
#
# [[tests]]
# query = "Convert 5 ft 7 in to cm"
# expect = { satisfies = true, draft = { raw = true, answer = { is = "number", value = "8509/50", unit = "cm" } } }
#
# [[tests]]
# query = "How many minutes are there in a fortnight?"
# memory = [{ definition = { text = "fortnight = 14 days", data = { term = "fortnight", means = "14 days" } } }]
# expect = { satisfies = true }
#
# [[tests]]
# query = "How many minutes are there in a fortnight?"
# expect = { gap = { sort = "method" } }
#
# [[tests]]
# query = "What is 17*23?"
# memory = [
#   { draft = { text = "381", data = { answer = { is = "number", value = "381" }, method = "exact fractions" } } },
#   { verdict = { text = "fail", about = 0, data = { pass = false } } },
# ]
# expect = { satisfies = true, draft = { method = "a second calculator" } }
# ///


def run(task, memory, params):
    part = task["part"]
    goal = part["reading"]["goal"]
    form = part["reading"].get("form", {})
    disputed = methods_disputed(part, memory)
    trouble = "every method it has is disputed"
    # The second calculator is the one that critics check by; it is asked only where the first has been refuted.
    methods = ["exact fractions", "a second calculator"] if disputed else ["exact fractions"]
    for method in [method for method in methods if method not in disputed]:
        try:
            value, unit = worked_out(goal, form, meanings(memory), method, params)
        except ValueError as error:
            trouble = str(error)
            continue
        answer = {"is": "number", "value": value}
        if unit:
            answer["unit"] = unit
        data = {"answer": answer, "method": method, "raw": is_raw(goal, form, answer), "rounds": rounds(form, value)}
        return {
            "contributions": [{"section": "draft", "text": show(answer, form), "data": data}],
            "next": "@critic",
            "why": "a value by " + method,
        }
    text = "it cannot be computed exactly: " + trouble
    return {"contributions": [{"section": "gap", "text": text, "data": {"sort": "method"}}], "next": "@alternative", "why": trouble}


def meanings(memory):
    found = {}
    for entry in memory.get("definition", []):
        if entry["data"]:
            found[entry["data"]["term"]] = entry["data"]["means"]
    return found


def worked_out(goal, form, definitions, method, params):
    """The exact value, and the unit in the word that the question uses."""
    by_second = method == "a second calculator"
    if goal["class"] == "convert":
        quantity = with_definitions(goal["quantity"], definitions)
        target = with_definitions(goal["to"], definitions)
        if by_second:
            return fend_convert(quantity, target), goal["to"]
        return convert(quantity, target)["value"], goal["to"]
    expression = with_definitions(goal["expression"], definitions)
    wanted = form.get("unit")
    if by_second and wanted and wanted != params["percent"]:
        return fend_convert(expression, wanted), wanted
    if by_second:
        return fend(expression), wanted
    result = calculate(expression)
    if not wanted or wanted == params["percent"] or result["unit"] == wanted:
        return result["value"], wanted or result["unit"]
    return convert(result["value"] + " " + (result["unit"] or ""), wanted)["value"], wanted


def is_raw(goal, form, answer):
    """Whether the value is right and not yet in the form that people expect: the optimizer's work."""
    if form_met(form, answer):
        return True
    if form.get("exact") or "/" not in answer["value"] or not terminating(answer["value"]):
        return False
    # Decimals and measures in, decimals out; and a fraction as the answer to a lone division only repeats the question.
    text = goal.get("expression", "")
    return "." in text or "unit" in answer or text.replace(" ", "") == answer["value"] or text.count("/") == 1 and alone(text)


def alone(text):
    return not [sign for sign in "+-*^(" if sign in text]


def rounds(form, value):
    """Whether the form asks for fewer digits than the value has; the value is then rounded before it is verified."""
    places = form.get("decimals")
    if places is None:
        return form.get("approximate", False) and not terminating(value)
    return round_to(value, places) != as_fraction(value)


def methods_disputed(part, memory):
    objections = [entry for entry in memory.get("verdict", []) if not entry["data"]["pass"]] + memory.get("counterexample", [])
    about = [entry["about"] for entry in objections if entry["part"] == part["id"]]
    return [entry["data"]["method"] for entry in memory.get("draft", []) if entry["id"] in about]
