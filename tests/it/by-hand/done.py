# /// program
# role = "Says that a draft that passed is complete"
# contract = "goal-check"
# reads = ["draft", "verdict"]
# writes = ["assessment", "gap"]
# next = { solve = 0.5 }
# ///


def run(task, memory, params):
    passed = [entry for entry in memory.get("verdict", []) if entry["data"]["pass"]]
    if passed:
        return {"contributions": [{"section": "assessment", "part": None, "text": "done", "data": {"complete": True}}]}
    return {"contributions": [{"section": "gap", "text": "not checked", "data": {"sort": "verification"}}]}
