# /// program
# role = "Reads the query and says what kind of work it is"
# contract = "router"
# writes = ["pattern"]
# tools = ["ask_program"]
# params = { classifier = "query-class", certain = 0.5 }
# next = { "@definer" = 0.3, "@planner" = 0.3, "@solver/core" = 0.4 }
#
# [[tests]]
# query = "What is 17*23, and what is 2^10?"
# expect = { next = "@planner" }
#
# [[tests]]
# query = "How many minutes are there in a fortnight?"
# expect = { next = "@definer" }
#
# [[tests]]
# query = "Solve 3x+5=14"
# expect = { next = "@solver/core", none = true }
# ///


def run(task, memory, params):
    parts = task["parts"]
    if len(parts) > 1:
        return {"next": "@planner", "why": "the question has " + str(len(parts)) + " parts"}
    part = parts[0]
    if part["unclear"]:
        return {"next": "@definer", "why": "unclear: " + ", ".join(part["unclear"])}
    if part["class"] != "unread":
        return {"next": "@solver/core", "why": "one task of class " + part["class"]}
    return guess(task, params)


def guess(task, params):
    """The question could not be read: say at least what it looks like."""
    found = ask_program(params["classifier"], task["text"])
    looks = [entry for entry in found if entry["data"]["probability"] >= params["certain"]]
    return {
        "contributions": [
            {"section": "pattern", "text": "looks like " + entry["text"], "data": entry["data"]} for entry in looks
        ],
        "next": "@solver/core",
        "why": "the question could not be put into exact terms",
    }
