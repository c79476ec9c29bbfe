# /// program
# role = "Compares what stands in memory with what was asked, and says what is missing"
# contract = "goal-check"
# reads = ["draft", "answer", "verdict", "gap", "critique"]
# writes = ["assessment", "gap"]
# tools = ["same_value"]
# after = ["@critic", "@solver", "@alternative", "@planner"]
# prior = 0.1
# next = { "@solver/core" = 0.4, "@definer" = 0.1, "@planner" = 0.2, "@alternative" = 0.2 }
#
# [[tests]]
# query = "Solve 3x+5=14, find x"
# memory = [
#   { draft = { text = "x = 3", data = { answer = { is = "number", value = "3" } } } },
#   { verdict = { text = "pass", about = 0, data = { pass = true, value = { is = "number", value = "3" } } } },
# ]
# expect = { assessment = { complete = true } }
#
# [[tests]]
# query = "Solve 3x+5=14, find x"
# memory = [{ draft = { text = "x = 3", data = { answer = { is = "number", value = "3" } } } }]
# expect = { gap = { sort = "verification" } }
#
# [[tests]]
# query = "Who wrote Hamlet?"
# memory = [{ gap = { text = "no", data = { sort = "capability" } } }]
# expect = { gap = { sort = "capability" } }
# ///


def run(task, memory, params):
    missing = []
    for part in task["parts"]:
        lack = lacks(part, memory)
        if lack:
            missing.append(lack)
    if not missing:
        return {
            "contributions": [
                {"section": "assessment", "part": None, "text": "everything asked is answered and verified", "data": {"complete": True}}
            ],
            "next": "@presenter",
            "why": "complete",
        }
    return {"contributions": missing, "why": missing[0]["text"]}


def lacks(part, memory):
    """What a part lacks: an answer, or a verdict on it; nothing when it is done."""
    values = of_part(memory, "answer", part) + of_part(memory, "draft", part)
    if not values:
        known = of_part(memory, "gap", part)
        sort = known[0]["data"]["sort"] if known else "solution"
        text = known[0]["text"] if known else "not answered: " + part["text"]
        return {"section": "gap", "part": part["id"], "text": text, "data": {"sort": sort}}
    value = values[0]
    for verdict in of_part(memory, "verdict", part):
        if verdict["data"]["pass"] and same_value(verdict["data"]["value"], value["data"]):
            return None
    return {
        "section": "gap",
        "part": part["id"],
        "text": "not verified: " + value["text"],
        "data": {"sort": "verification"},
    }


def of_part(memory, section, part):
    return [entry for entry in memory.get(section, []) if entry["part"] == part["id"] or entry["part"] is None]
