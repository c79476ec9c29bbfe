# /// program
# role = "Writes the answer for the user, and nothing else"
# contract = "presenter"
# reads = ["incumbent"]
# writes = ["answer"]
# tools = ["show"]
#
# [[tests]]
# query = "Solve 3x+5=14, find x"
# memory = [{ incumbent = { text = "x = 3", data = { answer = { is = "solutions", values = [{ x = "3" }] } } } }]
# expect = { answer = "x = 3" }
# ///


def run(task, memory, params):
    lines = []
    for part in task["parts"]:
        for entry in memory.get("incumbent", []):
            if entry["part"] == part["id"]:
                text = words(entry, part)
                lines.append(part["text"].rstrip("?.! ") + ": " + text if len(task["parts"]) > 1 else text)
    if not lines:
        return {}
    return {"contributions": [{"section": "answer", "part": None, "text": "\n".join(lines)}], "next": "USER"}


def words(entry, part):
    data = entry["data"]
    if data and "answer" in data:
        return show(data["answer"], part["reading"].get("form", {}))
    return entry["text"]
