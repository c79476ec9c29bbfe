# /// program
# role = "Counts time between dates, moves dates, and names days of the week"
# contract = "solver"
# group = "experts"
# reads = ["reading", "draft", "verdict", "counterexample"]
# requires = ["reading"]
# writes = ["draft", "gap"]
# accepts = "task.class in ['date-span', 'date-shift', 'weekday']"
# after = ["@planner", "@solver/core", "@critic", "@definer"]
# tools = ["days_between", "days_by_counting", "months_between", "date_add", "weekday", "as_fraction", "show"]
#
# [[tests]]
# query = "How many days are there from 8 September 2023 to 17 November 2023?"
# expect = { satisfies = true, draft = "70 days" }
#
# [[tests]]
# query = "How many days from 1 March 2024 to 10 March 2024 inclusive?"
# expect = { satisfies = true, draft = "10 days" }
#
# [[tests]]
# query = "How many weeks passed between 1 January 2024 and 5 February 2024?"
# expect = { satisfies = true, draft = "5 weeks" }
#
# [[tests]]
# query = "What date was it 2 months before 29 April 2024?"
# expect = { satisfies = true, draft = "2024-02-29" }
#
# [[tests]]
# query = "What day of the week was 4 July 1999"
# expect = { satisfies = true, draft = "Sunday" }
#
# [[tests]]
# query = "How many days are there from 8 September 2023 to 17 November 2023?"
# memory = [
#   { draft = { text = "71 days", data = { answer = { is = "number", value = "71" }, method = "the calendar" } } },
#   { verdict = { text = "fail", about = 0, data = { pass = false } } },
# ]
# expect = { satisfies = true, draft = { method = "day numbers" } }
# ///


def run(task, memory, params):
    part = task["part"]
    goal = part["reading"]["goal"]
    form = part["reading"].get("form", {})
    methods = {"date-span": [("the calendar", span), ("day numbers", span_by_numbers)], "date-shift": [("the calendar", shift)], "weekday": [("the calendar", day)]}
    disputed = methods_disputed(part, memory)
    trouble = "every method it has is disputed"
    for name, method in methods[goal["class"]]:
        if name in disputed:
            continue
        try:
            answer = method(goal)
        except ValueError as error:
            trouble = str(error)
            break
        data = {"answer": answer, "method": name, "raw": False}
        draft = {"section": "draft", "text": show(answer, form), "data": data}
        return {"contributions": [draft], "next": "@critic", "why": "found with " + name}
    gap = {"section": "gap", "text": "the calendar cannot tell: " + trouble, "data": {"sort": "method"}}
    return {"contributions": [gap], "next": "@alternative", "why": trouble}


def span(goal):
    """Days and weeks have a fixed length; months and years are counted as the calendar goes."""
    if goal["unit"] in ["days", "weeks"]:
        return in_days(goal, days_between(goal["from"], goal["to"]))
    if goal["inclusive"]:
        raise ValueError(goal["unit"] + " that count both ends have no fixed length")
    passed = months_between(goal["from"], goal["to"])
    months = passed["months"]
    size = 12 if goal["unit"] == "years" else 1
    if passed["days"] or months % size:
        beyond = str(abs(months) // size) + " " + goal["unit"] + " are whole, and a part is left over"
        raise ValueError("parts of " + goal["unit"] + " have no fixed length: " + beyond)
    return {"is": "number", "value": str(months // size), "unit": goal["unit"]}


def span_by_numbers(goal):
    if goal["unit"] not in ["days", "weeks"]:
        raise ValueError(goal["unit"] + " are not counted in days")
    return in_days(goal, days_by_counting(goal["from"], goal["to"]))


def in_days(goal, days):
    if goal["inclusive"]:
        days += 1 if days >= 0 else -1
    value = as_fraction(str(days) + "/7") if goal["unit"] == "weeks" else str(days)
    return {"is": "number", "value": value, "unit": goal["unit"]}


def shift(goal):
    moved = date_add(goal["date"], goal["by"], goal["unit"])
    # Where the day does not exist the last of the month stands in; going back then shows that it is not the same day.
    if goal["unit"] in ["months", "years"] and moved[8:] != goal["date"][8:] and date_add(moved, 1, "days")[8:] != "01":
        raise ValueError("that day does not exist in the month")
    return {"is": "date", "value": moved}


def day(goal):
    return {"is": "text", "value": weekday(goal["date"])}


def methods_disputed(part, memory):
    objections = [entry for entry in memory.get("verdict", []) if not entry["data"]["pass"]] + memory.get("counterexample", [])
    about = [entry["about"] for entry in objections if entry["part"] == part["id"]]
    return [entry["data"]["method"] for entry in memory.get("draft", []) if entry["id"] in about]
