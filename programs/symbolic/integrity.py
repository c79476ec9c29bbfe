# /// program
# role = "Watches for contradictions, and for edits that reach beyond the problem"
# contract = "integrity"
# reads = ["draft", "answer", "verdict", "proposal"]
# writes = ["veto", "critique"]
# tools = ["same_value"]
# next = { "@judge" = 0.2 }
#
# [params]
# forbidden = ["scorer", "judge", "approval", "journal"]
#
# [[tests]]
# query = "Solve x^2 = 4"
# memory = [
#   { draft = { text = "x = 2", data = { answer = { is = "number", value = "2" } } } },
#   { draft = { text = "x = 3", data = { answer = { is = "number", value = "3" } } } },
# ]
# expect = { critique = true }
#
# [[tests]]
# query = "Solve x^2 = 4"
# memory = [{ proposal = { text = "t", data = { changes = [{ path = "a.py", added = ["    return scorer"] }] } } }]
# expect = { veto = true }
# ///


def run(task, memory, params):
    contributions = []
    for entry in memory.get("proposal", []):
        contributions = contributions + objections(entry, params["forbidden"])
    if not contributions:
        contributions = contradictions(task, memory)
    return {"contributions": contributions}


def objections(entry, forbidden):
    found = []
    for change in entry["data"].get("changes", []):
        for line in change["added"]:
            words = [word for word in forbidden if word in line.lower() and not line.startswith("#")]
            if words:
                found.append(
                    {"section": "veto", "part": None, "text": change["path"] + " would mention the " + words[0]}
                )
    return found


def contradictions(task, memory):
    """Two standing values of one part that differ: the answer is held until one of them gives way."""
    found = []
    values = memory.get("answer", []) + memory.get("draft", [])
    for part in task["parts"]:
        mine = [entry for entry in values if entry["part"] == part["id"]]
        for other in mine[1:]:
            if not same_value(mine[0]["data"], other["data"]):
                found.append(
                    {
                        "section": "critique",
                        "part": part["id"],
                        "about": other["id"],
                        "text": mine[0]["author"] + " says " + mine[0]["text"] + ", " + other["author"] + " says " + other["text"],
                    }
                )
    return found
