# /// program
# role = "Puts a value into the simplest form that was asked for"
# contract = "optimizer"
# reads = ["draft"]
# requires = ["draft"]
# writes = ["draft", "gap"]
# accepts = "draft and draft.data.raw"
# after = ["@critic", "@solver/experts", "@alternative"]
# next = { "@critic/checks" = 0.3, "@goal-check" = 0.5 }
# tools = ["terminating", "decimal", "to_decimal", "round_to", "as_fraction", "money", "form_met", "show"]
# params = { significant = 6 }
#
# [[tests]]
# query = "Convert 5 ft 7 in to cm"
# memory = [{ draft = { text = "raw", data = { raw = true, method = "m", answer = { is = "number", value = "8509/50", unit = "cm" } } } }]
# expect = { satisfies = true, draft = { raw = false, answer = { is = "number", value = "170.18", unit = "cm" } } }
#
# [[tests]]
# query = "If 3 pens cost $4.20, what do 7 pens cost?"
# memory = [{ draft = { text = "raw", data = { raw = true, method = "m", answer = { is = "number", value = "49/5", unit = "USD" } } } }]
# expect = { satisfies = true, draft = "$9.80" }
#
# [[tests]]
# query = "What is 2/3 to 3 decimal places?"
# memory = [{ draft = { text = "raw", data = { raw = true, method = "m", answer = { is = "number", value = "2/3" } } } }]
# expect = { satisfies = true, draft = { answer = { is = "number", value = "0.667", approximate = true } } }
#
# [[tests]]
# query = "Convert 100 F to C"
# memory = [{ draft = { text = "raw", data = { raw = true, method = "m", answer = { is = "number", value = "340/9", unit = "°C" } } } }]
# expect = { satisfies = true, draft = { answer = { is = "number", value = "340/9", unit = "°C" } } }
# ///


def run(task, memory, params):
    part = task["part"]
    form = part["reading"].get("form", {})
    drafts = [entry for entry in memory["draft"] if entry["part"] == part["id"] and entry["data"].get("raw")]
    if not drafts:
        return {}
    old = drafts[0]
    answer = polished(old["data"]["answer"], form, params)
    if not answer:
        return {}
    data = dict(old["data"])
    data["answer"] = answer
    data["raw"] = False
    missing = form_met(form, answer)
    contributions = [{"section": "draft", "about": old["id"], "text": show(answer, form), "data": data}]
    why = "it lacks a form that was asked for: " + missing if missing else "this is the form that was asked for"
    rounded = answer.get("approximate", False)
    return {"contributions": contributions, "next": "@critic" if rounded else "@goal-check", "why": why}


def polished(answer, form, params):
    """One function a kind of answer; nothing where there is none for it."""
    kinds = {"number": number}
    polish = kinds.get(answer["is"])
    if not polish or answer.get("approximate"):
        return None
    return polish(answer, form, params)


def number(answer, form, params):
    value = answer["value"]
    text = digits(value, form, params)
    better = dict(answer)
    better["value"] = text
    # The flag says that the text is not the exact value any more.
    if as_fraction(text) != as_fraction(value):
        better["approximate"] = True
    return better


def digits(value, form, params):
    places = form.get("decimals")
    if places is not None:
        return money(value) if places == 2 else to_decimal(value, places)
    if form.get("approximate"):
        return to_decimal(value, places_for(value, params["significant"])) if needs_rounding(value, params) else decimal(value)
    return decimal(value) if terminating(value) else as_fraction(value)


def needs_rounding(value, params):
    """A short exact decimal is better than a rounded one, even where an approximation would do."""
    return not terminating(value) or len(decimal(value)) > params["significant"] + 6


def places_for(value, significant):
    """How many decimals show so many significant digits."""
    places = 0
    while places < 40 and significant_digits(to_decimal(value, places)) < significant:
        places += 1
    return places


def significant_digits(text):
    return len(text.replace("-", "").replace(".", "").lstrip("0"))
