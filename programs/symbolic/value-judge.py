# /// program
# role = "Says how far a value may be relied on where no check can prove it"
# contract = "judge"
# reads = ["draft", "verdict"]
# requires = ["draft"]
# writes = ["assessment"]
# accepts = "draft and draft.state == 'answered'"
# after = ["@critic", "@solver/core"]
# next = { "@goal-check" = 0.5, "@solver/core" = 0.2, "@alternative" = 0.4 }
#
# [[tests]]
# query = "What is the next number in 2, 4, 8, 16?"
# memory = [{ draft = { text = "32", data = { method = "ratios" } } }]
# expect = { assessment = { methods = 1 } }
# ///


def run(task, memory, params):
    drafts = [entry for entry in memory.get("draft", []) if entry["part"] == task["focus"]]
    methods = []
    for entry in drafts:
        method = entry["data"].get("method")
        if method and method not in methods:
            methods.append(method)
    text = "no check of this class can prove " + drafts[0]["text"] + "; it rests on "
    text = text + (" and ".join(methods) if methods else "no stated method")
    alone = len(methods) < 2
    return {
        "contributions": [{"section": "assessment", "text": text, "data": {"methods": len(methods)}}],
        "next": "@alternative" if alone else "@goal-check",
        "why": "it rests on one method" if alone else "two methods agree",
    }
