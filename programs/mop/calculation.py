# /// program
# role = "Runs the calculation that a model wrote, in a sandbox, and takes what it gives as the value"
# contract = "solver"
# group = "runners"
# reads = ["code"]
# requires = ["code"]
# writes = ["draft", "gap"]
# accepts = "wm.code and 'runners' not in groups"
# after = ["@solver/coders"]
# next = { "@critic/agreement" = 0.5, "@alternative/others" = 0.4, "@goal-check" = 0.1 }
# tools = ["run_code", "as_fraction", "terminating", "decimal"]
# params = { digits = 10 }
#
# [[tests]]
# query = "A shop had 50 pens and sold 3 boxes of 12. How many are left?"
# memory = [{ code = "```python\ndef solve():\n    pens = 50\n    return pens - 3 * 12\n```" }]
# expect = { draft = { answer = { is = "number", value = "14" } } }
#
# [[tests]]
# query = "Three friends share a bill of $10. How much does each pay?"
# memory = [{ code = "def solve():\n    return round(10 / 3, 2)" }]
# expect = { draft = "3.33" }
#
# [[tests]]
# query = "How many legs have 3 spiders?"
# memory = [{ code = "def solve():\n    return legs * 3" }]
# expect = { gap = { sort = "code" } }
#
# [[tests]]
# query = "How many legs have 3 spiders?"
# memory = [{ code = "It is easy." }]
# expect = { gap = { sort = "code" } }
# ///


def run(task, memory, params):
    entry = memory["code"][0]
    code = function(entry["text"])
    if not code:
        return missing("there is no function in the code of " + entry["author"])
    try:
        value = run_code(code)
    except ValueError as error:
        return missing("the code of " + entry["author"] + " does not run: " + str(error))
    answer = exact(value, params["digits"])
    if not answer:
        return missing("the code of " + entry["author"] + " gives " + str(value) + ", which is no number")
    data = {"answer": answer, "method": "calculation", "computed": True, "code": entry["id"]}
    return {
        "contributions": [{"section": "draft", "text": answer["value"], "data": data}],
        "next": "@critic/agreement",
        "why": "a calculation can be right and still not be what was asked",
    }


def missing(why):
    return {
        "contributions": [{"section": "gap", "text": why, "data": {"sort": "code"}}],
        "next": "@alternative/others",
        "why": "the calculation cannot be run",
    }


def function(text):
    """The function in a reply: within a fence where there is one, else from its first line on, up to where it ends."""
    if "```" in text:
        block = text.split("```")[1]
        text = block.split("\n", 1)[1] if "\n" in block and "def " not in block.split("\n", 1)[0] else block
    lines = text.split("\n")
    starts = [at for at in range(len(lines)) if lines[at].startswith("def solve") or lines[at].startswith("import ") or lines[at].startswith("from ")]
    if not [at for at in starts if lines[at].startswith("def solve")]:
        return ""
    kept = []
    inside = False
    for line in lines[starts[0] :]:
        if inside and line and not line.startswith(" ") and not line.startswith("\t") and not line.startswith("def "):
            break
        inside = inside or line.startswith("def solve")
        kept.append(line)
    return "\n".join(kept)


def exact(value, digits):
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return {"is": "number", "value": str(value)}
    if isinstance(value, float):
        # A binary fraction carries dust in its last digits.
        text = plain(value, digits)
        return {"is": "number", "value": text} if text else None
    if isinstance(value, str):
        try:
            fraction = as_fraction(value.replace(",", "").replace("$", ""))
        except ValueError:
            return None
        return {"is": "number", "value": decimal(fraction) if terminating(fraction) else fraction}
    return None


def plain(value, digits):
    if value != value or value in [float("inf"), float("-inf")]:
        return ""
    rounded = round(value, digits)
    if rounded == int(rounded):
        return str(int(rounded))
    text = str(rounded)
    return "" if "e" in text else text
