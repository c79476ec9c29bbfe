# /// program
# role = "Mends a program that went wrong: tries small edits of its text until its tests pass, and similar questions too"
# contract = "manager"
# reads = ["flaw"]
# writes = ["proposal"]
# tools = ["mutants", "similar", "trials", "outcomes", "lines_run"]
# params = { batch = 48, most = 2400, few = 240, longer = 400, similar = 12, faults = 3 }
# ///


def run(task, memory, params):
    flaw = memory["flaw"][0]["data"]
    work = {"flaw": flaw, "source": flaw["source"], "done": [], "tried": 0}
    now = sorted_out(work, flaw["failing"])
    if not now["failing"]:
        return {"monologue": "it does not go wrong when it is tried alone"}
    failing = now["failing"]
    work["similar"] = similar(failing[0], params["similar"])
    work["before"] = standing(work, flaw["source"])
    own = sorted_out(work, flaw["passing"])
    # A fault that its own tests show, or that spares many similar questions, is a slip and worth a long search; otherwise
    # the question may just be beyond the program.
    slip = flaw["sure"] or own["failing"] or work["before"]["met"] * 3 > work["before"]["of"]
    most = params["most"] if slip else params["few"]
    for fault in range(params["faults"]):
        found = search(work, failing, own, most, params)
        if found["whole"]:
            return proposal(work, found["whole"], None)
        if now["wrong"]:
            quiet = quieter(work, found["silent"], own)
            if quiet:
                return proposal(work, quiet, {"sound": True})
        if not found["step"] or work["tried"] >= most:
            break
        # One of several faults is mended: the rest is looked for in what that gives.
        work["done"].append(found["step"]["what"])
        work["source"] = found["step"]["text"]
        own = sorted_out(work, flaw["passing"])
    return {"monologue": "none of " + str(work["tried"]) + " edits passes the tests"}


def search(work, failing, own, most, params):
    """The edit that passes all tests and fares best on similar questions; also one that mends only what its own tests show,
    and those that make it say nothing where it was wrong."""
    flaw = work["flaw"]
    tests = failing + own["failing"] + own["passing"]
    lines = reached(work, failing + own["failing"])
    question = " ".join([test["query"] for test in failing])
    whole = None
    step = None
    silent = []
    at = 0
    last = most - work["tried"]
    while at < last:
        batch = mutants(work["source"], flaw["tools"], lines, question, at, min(params["batch"], last - at))
        if not batch:
            break
        at += len(batch)
        work["tried"] += len(batch)
        honest = [mutant for mutant in batch if mutant["text"]]
        fallen = []
        while honest:
            results = trials(flaw["path"], [mutant["text"] for mutant in honest], tests)
            for mutant, sorts in zip(honest, results):
                if len(sorts) == len(tests) and sorts[-1] == "met":
                    whole = fitter(whole, mutant, standing(work, mutant["text"]))
                    last = min(last, max(2 * at, at + params["longer"]))
                elif sorts and sorts[0] == "silent":
                    silent.append(mutant)
                if sorts and sorts[0] != "met":
                    fallen.append(mutant)
            if whole and perfect(whole["standing"]):
                return {"whole": whole, "step": step, "silent": silent}
            honest = honest[len(results):]
        if own["failing"] and not whole and not step:
            step = first_to_pass(work, fallen, own["failing"] + own["passing"])
            if step:
                last = min(last, at + params["longer"])
    if whole and worse(whole["standing"], work["before"]):
        whole = None
    return {"whole": whole, "step": step, "silent": silent}


def first_to_pass(work, candidates, tests):
    rest = candidates
    while rest:
        results = trials(work["flaw"]["path"], [mutant["text"] for mutant in rest], tests)
        mutant = rest[len(results) - 1]
        sorts = results[-1]
        if len(sorts) == len(tests) and (not sorts or sorts[-1] == "met"):
            stands = standing(work, mutant["text"])
            if not worse(stands, work["before"]):
                return {"text": mutant["text"], "what": mutant["what"], "standing": stands}
        rest = rest[len(results):]
    return None


def quieter(work, silent, own):
    """No answer is better than a wrong one, where nothing else is lost."""
    if own["failing"]:
        return None
    found = first_to_pass(work, silent, own["passing"])
    if found and found["standing"]["wrong"] < work["before"]["wrong"]:
        return found
    return None


def reached(work, tests):
    """The lines that any of the tests comes to; none where that cannot be told."""
    lines = []
    for test in tests:
        ran = lines_run(work["flaw"]["path"], work["source"], test)
        if not ran:
            return []
        lines = lines + [line for line in ran if line not in lines]
    return lines


def sorted_out(work, tests):
    """Tests by whether the program passes them."""
    sorts = outcomes(work["flaw"]["path"], work["source"], tests)
    return {
        "passing": [test for test, sort in zip(tests, sorts) if sort == "met"],
        "failing": [test for test, sort in zip(tests, sorts) if sort != "met"],
        "wrong": "wrong" in sorts,
    }


def standing(work, source):
    """How a text fares on similar questions. With other numbers a question may have no answer that can be found, so silence
    is no fault there; with its solutions moved it is as easy as before."""
    same = outcomes(work["flaw"]["path"], source, work["similar"]["same"])
    near = outcomes(work["flaw"]["path"], source, work["similar"]["near"])
    return {
        "met": len([sort for sort in same + near if sort == "met"]),
        "wrong": len([sort for sort in same + near if sort in ["wrong", "failed"]]),
        "unmet": len([sort for sort in same if sort != "met"]),
        "of": len(same) + len(near),
    }


def perfect(stands):
    return stands["wrong"] == 0 and stands["unmet"] == 0 and stands["met"] * 2 >= stands["of"]


def fitter(whole, mutant, stands):
    """The one that fares better; of two that fare alike, the first."""
    if whole:
        old = whole["standing"]
        if [old["wrong"], -old["met"]] <= [stands["wrong"], -stands["met"]]:
            return whole
    return {"text": mutant["text"], "what": mutant["what"], "standing": stands}


def worse(stands, before):
    return stands["wrong"] > before["wrong"] or stands["met"] < before["met"]


def proposal(work, mutant, expect):
    stands = mutant["standing"]
    data = {
        "after": mutant["text"],
        "measured": {
            "edits tried": work["tried"],
            "similar questions": stands["of"],
            "answered right": stands["met"],
            "answered wrong": stands["wrong"],
        },
    }
    if expect:
        data["expect"] = expect
    text = work["flaw"]["program"] + ": " + ", and ".join(work["done"] + [mutant["what"]])
    return {
        "contributions": [{"section": "proposal", "part": None, "text": text, "data": data}],
        "monologue": "found among " + str(work["tried"]) + " edits",
    }
