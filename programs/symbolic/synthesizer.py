# /// program
# role = "Puts the question into exact terms and hands it to whoever can solve it"
# contract = "solver"
# group = "core"
# reads = ["reading", "definition", "pattern", "draft", "gap"]
# writes = ["reading", "gap"]
# accepts = "not draft"
# next = { "@critic/checks" = 0.3, "@judge" = 0.1, "@critic/edges" = 0.2 }
#
# [[tests]]
# query = "Solve 3x+5=14, find x"
# expect = { reading = true, next = "@solver/experts" }
#
# [[tests]]
# query = "Who wrote Hamlet?"
# expect = { gap = { sort = "capability" } }
# ///


def run(task, memory, params):
    part = task["part"]
    if part["class"] == "unread":
        return missing(part, memory)
    written = [entry for entry in memory.get("reading", []) if entry["part"] == part["id"]]
    if written:
        reasons = [entry["text"] for entry in memory.get("gap", []) if entry["part"] == part["id"]]
        text = "no program here has a method for this: " + (reasons[0] if reasons else part["text"])
        return {"contributions": [{"section": "gap", "text": text, "data": {"sort": "capability"}}]}
    return {
        "contributions": [{"section": "reading", "text": in_words(part), "data": part["reading"]}],
        "next": "@solver/experts",
        "why": "the question is in exact terms: " + part["class"],
    }


def in_words(part):
    goal = part["reading"]["goal"]
    fields = [name + " " + plain(goal[name]) for name in goal if name != "class"]
    return part["class"] + ": " + ", ".join(fields)


def plain(value):
    if isinstance(value, list):
        return " and ".join([plain(item) for item in value])
    return str(value)


def missing(part, memory):
    looks = [entry["text"] for entry in memory.get("pattern", [])]
    understood = part["reading"]["goal"]["understood"]
    text = "I could not put this into exact terms"
    if understood:
        text = text + " (" + understood + ")"
    if looks:
        text = text + "; it " + looks[0]
    text = text + ". A language model is needed for it, and none is configured."
    return {
        "contributions": [{"section": "gap", "text": text, "data": {"sort": "capability"}}],
        "next": "@goal-check",
        "why": "nothing here can read it",
    }
