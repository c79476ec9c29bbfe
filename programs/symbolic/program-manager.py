# /// program
# role = "Mends a program that went wrong: tries small edits of its text until its tests pass, and similar questions too"
# contract = "manager"
# reads = ["flaw"]
# writes = ["proposal"]
# tools = ["mutants", "edited", "similar", "trials", "outcomes", "lines_run"]
# params = { batch = 48, most = 2400, few = 96, first = 240, longer = 400, similar = 12, faults = 3 }
# ///


def run(task, memory, params):
    flaw = memory["flaw"][0]["data"]
    work = {"path": flaw["path"], "source": flaw["source"], "done": [], "tried": 0, "late": False}
    now = sorted_out(work, flaw["failing"])
    failing = now["failing"]
    if not failing:
        return {"monologue": "it does not go wrong when it is tried alone"}
    work["similar"] = similar(failing[0], params["similar"])
    work["before"] = standing(work, flaw["source"])
    own = sorted_out(work, flaw["passing"])
    # A fault that its own tests show, or that spares many similar questions, is a slip and worth a long search; otherwise
    # the question may just be beyond the program.
    slip = flaw["sure"] or own["failing"] or work["before"]["met"] * 3 > work["before"]["of"]
    if flaw["answered"] and not slip:
        return {"monologue": "such questions are somebody else's to answer"}
    most = params["most"] if slip else params["few"]
    for fault in range(params["faults"]):
        found = search(work, flaw, failing, own, most, params)
        if found["whole"]:
            return proposal(work, flaw, found["whole"], None)
        if not found["step"] and slip and now["wrong"] and not own["failing"]:
            quiet = first_to_pass(work, found["silent"], own["passing"])
            if quiet and quiet["standing"]["wrong"] < work["before"]["wrong"] and quiet["standing"]["met"] > 0:
                # No answer is better than a wrong one, where nothing else is lost.
                return proposal(work, flaw, quiet, {"sound": True})
        if not found["step"]:
            break
        # One of several faults is mended: the rest is looked for in what that gives.
        work["done"].append(found["step"]["what"])
        work["source"] = found["step"]["text"]
        own = sorted_out(work, flaw["passing"])
    return {"monologue": "none of " + str(work["tried"]) + " edits passes the tests"}


def search(work, flaw, failing, own, most, params):
    """The edit that passes all tests and fares best on similar questions. Where the first edits bring none, one that mends
    what its own tests show is a step; those that make it say nothing where it was wrong are remembered."""
    tests = failing + own["failing"] + own["passing"]
    lines = reached(work, failing + own["failing"])
    question = " ".join([test["query"] for test in failing])
    found = {"whole": None, "step": None, "silent": []}
    now = tried(work, [{"edits": []}], failing)[0]
    moved = []
    at = 0
    last = most - work["tried"]
    while at < last and not work["late"]:
        batch = mutants(work["source"], flaw["tools"], lines, question, at, min(params["batch"], last - at))
        if not batch:
            break
        at += len(batch)
        rest = [mutant for mutant in batch if mutant["edits"]]
        while rest:
            results = tried(work, rest, tests)
            for mutant, result in zip(rest, results):
                sorts = result["sorts"]
                if sorts == ["met" for test in tests]:
                    found["whole"] = fitter(found["whole"], as_text(work, mutant))
                    if found["whole"]["standing"]["wrong"] == 0:
                        last = min(last, at + params["longer"])
                elif sorts in [["wrong"], ["silent"], ["open"]] and result["note"] != now["note"]:
                    # It makes a difference, and not the one that was wanted.
                    moved.append(mutant)
                    if sorts == ["silent"]:
                        found["silent"].append(mutant)
            work["tried"] += len(results)
            if found["whole"] and perfect(found["whole"]["standing"]):
                return found
            rest = rest[len(results):]
        if own["failing"] and not found["whole"] and at >= params["first"]:
            found["step"] = first_to_pass(work, moved, own["failing"] + own["passing"])
            if found["step"]:
                return found
            moved = []
    if found["whole"] and worse(found["whole"]["standing"], work["before"]):
        found["whole"] = None
    return found


def tried(work, candidates, tests):
    """What sorts of results the candidates have, up to the first that passes everything."""
    try:
        return trials(work["path"], work["source"], [mutant["edits"] for mutant in candidates], tests)
    except ValueError:
        # The time is used up: what was found by now must do.
        work["late"] = True
        return [{"sorts": [], "note": ""} for mutant in candidates]


def first_to_pass(work, candidates, tests):
    rest = candidates
    while rest:
        results = tried(work, rest, tests)
        if work["late"]:
            return None
        if results[-1]["sorts"] == ["met" for test in tests]:
            passing = as_text(work, rest[len(results) - 1])
            if passing["standing"]["met"] >= work["before"]["met"]:
                return passing
        rest = rest[len(results):]
    return None


def as_text(work, mutant):
    text = edited(work["source"], mutant["edits"])
    return {"text": text, "what": mutant["what"], "standing": standing(work, text)}


def reached(work, tests):
    """The lines that any of the tests comes to; none where that cannot be told."""
    lines = []
    for test in tests:
        ran = lines_run(work["path"], work["source"], test)
        if not ran:
            return []
        lines = lines + [line for line in ran if line not in lines]
    return lines


def sorted_out(work, tests):
    """Tests by whether the program passes them."""
    sorts = outcomes(work["path"], work["source"], tests)
    return {
        "passing": [test for test, sort in zip(tests, sorts) if sort == "met"],
        "failing": [test for test, sort in zip(tests, sorts) if sort != "met"],
        "wrong": "wrong" in sorts or "failed" in sorts,
    }


def standing(work, source):
    """How a text fares on similar questions. With other numbers a question may have no answer that can be found, so silence
    is no fault there; with its solutions moved it is as easy as before."""
    try:
        same = outcomes(work["path"], source, work["similar"]["same"])
        near = outcomes(work["path"], source, work["similar"]["near"])
    except ValueError:
        work["late"] = True
        return {"met": 0, "wrong": 0, "unmet": 1, "of": 0}
    return {
        "met": len([sort for sort in same + near if sort == "met"]),
        "wrong": len([sort for sort in same + near if sort in ["wrong", "failed"]]),
        "unmet": len([sort for sort in same if sort != "met"]),
        "of": len(same) + len(near),
    }


def perfect(stands):
    return stands["wrong"] == 0 and stands["unmet"] == 0 and stands["met"] * 2 >= stands["of"]


def fitter(old, new):
    """The one that fares better; of two that fare alike, the first."""
    if old and [old["standing"]["wrong"], -old["standing"]["met"]] <= [new["standing"]["wrong"], -new["standing"]["met"]]:
        return old
    return new


def worse(stands, before):
    return stands["wrong"] > before["wrong"] or stands["met"] < before["met"]


def proposal(work, flaw, mutant, expect):
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
    text = flaw["program"] + ": " + ", and ".join(work["done"] + [mutant["what"]])
    return {
        "contributions": [{"section": "proposal", "part": None, "text": text, "data": data}],
        "monologue": "found among " + str(work["tried"]) + " edits",
    }
