# /// program
# role = "Writes a number in Roman signs and compares"
# contract = "critic"
# group = "checks"
# reads = ["draft"]
# requires = ["draft"]
# writes = ["verdict"]
# accepts = "draft and not draft.verified and 'roman' in query.text|lower"
# after = ["@solver/experts", "@alternative"]
# prior = 0.9
# params = { signs = [["M", 1000], ["CM", 900], ["D", 500], ["CD", 400], ["C", 100], ["XC", 90], ["L", 50], ["XL", 40], ["X", 10], ["IX", 9], ["V", 5], ["IV", 4], ["I", 1]] }
# ///


def run(task, memory, params):
    draft = memory["draft"][0]
    rest = int(draft["data"]["answer"]["value"])
    written = ""
    for sign, value in params["signs"]:
        while rest >= value:
            written += sign
            rest -= value
    passed = written in task["text"].replace("?", " ").split()
    data = {"pass": passed, "value": draft["data"]["answer"], "method": "writing it back"}
    text = "pass" if passed else "fail: it is written " + written
    return {"contributions": [{"section": "verdict", "about": draft["id"], "text": text, "data": data}]}
