# /// program
# role = "Ends the run: what the one call gave is the answer, and nobody has verified it"
# contract = "goal-check"
# reads = ["draft"]
# writes = ["gap"]
#
# [[tests]]
# query = "Who wrote Hamlet?"
# memory = [{ draft = { text = "Shakespeare" } }]
# expect = { gap = { sort = "verification" } }
#
# [[tests]]
# query = "Who wrote Hamlet?"
# expect = { gap = { sort = "capability" } }
# ///


def run(task, memory, params):
    if memory.get("draft", []):
        return lacks("verification", "an answer of a language model, which nothing has verified")
    return lacks("capability", "the model gave no answer")


def lacks(sort, text):
    return {"contributions": [{"section": "gap", "part": None, "text": text, "data": {"sort": sort}}]}
