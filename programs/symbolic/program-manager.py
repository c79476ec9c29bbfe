# /// program
# role = "Mends a program that went wrong: tries small edits of its text until its tests pass"
# contract = "manager"
# reads = ["flaw"]
# writes = ["proposal"]
# tools = ["mutants", "trial"]
# params = { batch = 64, most = 2400 }
# ///


def run(task, memory, params):
    flaw = memory["flaw"][0]["data"]
    failing = flaw["failing"]
    passing = flaw["passing"]
    tried = 0
    while tried < params["most"]:
        batch = mutants(flaw["source"], flaw["tools"], tried, params["batch"])
        if not batch:
            break
        for mutant in batch:
            tried += 1
            # The failing tests first: nearly every edit falls there, after one run.
            if passes(flaw, mutant, failing) and passes(flaw, mutant, passing):
                return proposal(flaw, mutant, tried)
    return {"monologue": "none of " + str(tried) + " edits passes the tests"}


def passes(flaw, mutant, tests):
    if not tests:
        return True
    return trial(flaw["path"], mutant["text"], tests)["failed"] is None


def proposal(flaw, mutant, tried):
    return {
        "contributions": [
            {
                "section": "proposal",
                "part": None,
                "text": flaw["program"] + ": " + mutant["what"],
                "data": {"after": mutant["text"], "measured": {"edits tried": tried}},
            }
        ],
        "monologue": "edit " + str(tried) + " is the first that passes the tests",
    }
