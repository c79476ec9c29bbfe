# /// program
# role = "Solves proportions by what goes with one"
# contract = "solver"
# group = "experts"
# reads = ["reading", "draft", "verdict", "counterexample"]
# requires = ["reading"]
# writes = ["draft", "gap"]
# accepts = "task.class == 'proportion'"
# after = ["@planner", "@solver/core", "@critic", "@definer"]
# tools = ["quantity", "convert", "scale", "ratio", "as_fraction", "round_to", "terminating", "form_met", "show"]
#
# [[tests]]
# query = "If 3 pens cost $4.20, what do 7 pens cost?"
# expect = { satisfies = true, draft = { raw = true, answer = { is = "number", value = "49/5", unit = "USD" } } }
#
# [[tests]]
# query = "If 6 workers build a wall in 8 days, how long would 4 workers take?"
# expect = { satisfies = true, draft = "12 days" }
#
# [[tests]]
# query = "If 3 pens cost $4.20, what do 7 pens cost?"
# memory = [
#   { draft = { text = "$9", data = { answer = { is = "number", value = "9" }, method = "what goes with one" } } },
#   { verdict = { text = "fail", about = 0, data = { pass = false } } },
# ]
# expect = { satisfies = true, draft = { method = "the factor between the amounts" } }
# ///


def run(task, memory, params):
    part = task["part"]
    goal = part["reading"]["goal"]
    form = part["reading"].get("form", {})
    disputed = methods_disputed(part, memory)
    trouble = "every method it has is disputed"
    for name, method in [("what goes with one", by_one), ("the factor between the amounts", by_factor)]:
        if name in disputed:
            continue
        try:
            answer = in_unit(method(goal), form)
        except ValueError as error:
            trouble = str(error)
            continue
        value = answer["value"]
        raw = form_met(form, answer) != "" or "/" in value and terminating(value)
        data = {"answer": answer, "method": name, "raw": raw, "rounds": rounds(value, form)}
        draft = {"section": "draft", "text": show(answer, form), "data": data}
        return {"contributions": [draft], "next": "@critic", "why": "found from " + name}
    gap = {"section": "gap", "text": "the amounts do not make a proportion: " + trouble, "data": {"sort": "method"}}
    return {"contributions": [gap], "next": "@alternative", "why": trouble}


def by_one(goal):
    """Direct: so much for one, times how many. Inverse: the work of one, shared among so many."""
    unit = unit_of(goal["from"])
    known, asked = count(goal["from"], unit), count(goal["ask"], unit)
    if known == "0" or asked == "0" and goal["inverse"]:
        raise ValueError("nothing goes with none")
    if goal["inverse"]:
        work = scale(goal["to"], known)
        return scale(amount(work), "1/(" + asked + ")")
    one = scale(goal["to"], "1/(" + known + ")")
    return scale(amount(one), asked)


def by_factor(goal):
    factor = ratio(goal["ask"], goal["from"]) if goal["inverse"] else ratio(goal["from"], goal["ask"])
    return scale(goal["to"], factor)


def unit_of(text):
    """The unit of an amount; none where it counts things."""
    try:
        return quantity(text)["unit"]
    except ValueError:
        return None


def count(text, unit):
    return convert(text, unit)["value"] if unit else as_fraction(text.split(" ")[0])


def amount(scaled):
    return scaled["value"] + " " + scaled["unit"] if scaled["unit"] else scaled["value"]


def in_unit(found, form):
    """The value in the unit that the question wants, or with the noun that it counts."""
    wanted = form.get("unit")
    answer = {"is": "number", "value": found["value"]}
    if wanted and wanted != found["unit"]:
        answer["value"] = convert(amount(found), wanted)["value"]
    if wanted or found["unit"]:
        answer["unit"] = wanted or found["unit"]
    return answer


def rounds(value, form):
    places = form.get("decimals")
    if places is None:
        return form.get("approximate", False) and not terminating(value)
    return round_to(value, places) != as_fraction(value)


def methods_disputed(part, memory):
    objections = [entry for entry in memory.get("verdict", []) if not entry["data"]["pass"]] + memory.get("counterexample", [])
    about = [entry["about"] for entry in objections if entry["part"] == part["id"]]
    return [entry["data"]["method"] for entry in memory.get("draft", []) if entry["id"] in about]
