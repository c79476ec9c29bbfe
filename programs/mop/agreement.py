# /// program
# role = "Passes a value that several programs reached, each by a way of its own"
# contract = "critic"
# group = "agreement"
# reads = ["draft"]
# requires = ["draft"]
# writes = ["verdict", "critique"]
# accepts = "draft and task.class == 'unread'"
# after = ["@solver/words", "@alternative/others", "@solver/runners", "@judge/words"]
# next = { "@goal-check" = 0.6, "@alternative/others" = 0.3, "@judge/words" = 0.2 }
# tools = ["same_value"]
#
# [[tests]]
# query = "A baker sold 48 rolls in the morning and half as many in the afternoon. How many in all?"
# memory = [
#   { draft = { text = "72", data = { method = "calculation", answer = { is = "number", value = "72" } } } },
#   { draft = { text = "72 rolls", data = { method = "step by step", answer = { is = "number", value = "72" } } } },
# ]
# expect = { verdict = "pass" }
#
# [[tests]]
# query = "A baker sold 48 rolls in the morning and half as many in the afternoon. How many in all?"
# memory = [
#   { draft = { text = "72", data = { method = "calculation", answer = { is = "number", value = "72" } } } },
#   { draft = { text = "96", data = { method = "step by step", answer = { is = "number", value = "96" } } } },
# ]
# expect = { critique = true }
#
# [[tests]]
# query = "A baker sold 48 rolls in the morning and half as many in the afternoon. How many in all?"
# memory = [
#   { draft = { text = "72", data = { method = "calculation", answer = { is = "number", value = "72" } } } },
#   { draft = { text = "96", data = { method = "step by step", answer = { is = "number", value = "96" } } } },
#   { draft = { text = "72", data = { method = "in sentences", answer = { is = "number", value = "72" } } } },
# ]
# expect = { verdict = { pass = true, methods = ["calculation", "in sentences"] } }
# ///


def run(task, memory, params):
    drafts = [entry for entry in memory["draft"] if entry["part"] == task["focus"] and entry["data"]]
    drafts.reverse()
    camps = []
    for entry in drafts:
        camp = [one for one in camps if same_value(one[0]["data"], entry["data"])]
        if camp:
            camp[0].append(entry)
        else:
            camps.append([entry])
    best = sorted(camps, key=lambda camp: -len(methods(camp)))
    if not best or len(methods(best[0])) < 2 or len(best) > 1 and len(methods(best[1])) == len(methods(best[0])):
        said = ", ".join([entry["author"] + " says " + entry["text"] for entry in drafts])
        return {"contributions": [{"section": "critique", "text": "no two agree: " + said}], "why": "no two agree"}
    agreed = best[0][-1]
    ways = methods(best[0])
    data = {"pass": True, "value": agreed["data"]["answer"], "methods": ways}
    text = agreed["text"] + " was reached by " + " and by ".join(ways)
    return {
        "contributions": [{"section": "verdict", "text": text, "about": agreed["id"], "data": data}],
        "next": "@goal-check",
        "why": str(len(ways)) + " ways lead to the same value",
    }


def methods(camp):
    found = []
    for entry in camp:
        method = entry["data"].get("method")
        if method and method not in found:
            found.append(method)
    return found
