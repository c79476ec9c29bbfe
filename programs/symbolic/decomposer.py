# /// program
# role = "Splits a question into sub-tasks that can be worked on apart"
# contract = "planner"
# writes = ["plan", "reading"]
# accepts = "query.parts|length > 1 and not wm.plan"
# next = { "@solver/experts" = 0.2, "@solver/core" = 0.6 }
#
# [[tests]]
# query = "What is 17*23, and what is 2^10?"
# expect = { plan = true, reading = true }
# ///


def run(task, memory, params):
    tasks = [{"text": part["text"], "parts": [part["id"]]} for part in task["parts"]]
    lines = [str(number + 1) + ". " + item["text"] for number, item in enumerate(tasks)]
    contributions = [{"section": "plan", "part": None, "text": "\n".join(lines), "data": {"tasks": tasks}}]
    for part in task["parts"]:
        if part["class"] != "unread":
            contributions.append(
                {"section": "reading", "part": part["id"], "text": part["text"], "data": part["reading"]}
            )
    return {"contributions": contributions, "next": "@solver/experts", "why": "each sub-task is in exact terms"}
