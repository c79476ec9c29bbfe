# /// program
# role = "Looks up the words that the question leaves open"
# contract = "definer"
# reads = ["definition", "reading"]
# writes = ["definition", "reading", "gap"]
# accepts = "task.unclear"
# after = ["@planner"]
# next = { "@planner" = 0.3, "@solver/core" = 0.7 }
#
# [params.glossary]
# fortnight = "14 days"
# sennight = "7 days"
# decade = "10 years"
# century = "100 years"
# dozen = "12"
# "baker's dozen" = "13"
# gross = "144"
# score = "20"
# furlong = "220 yards"
# league = "3 miles"
# fathom = "6 feet"
# hand = "4 inches"
# cubit = "18 inches"
# stone = "14 pounds"
# hundredweight = "100 pounds"
# quire = "24"
# ream = "500"
#
# [[tests]]
# query = "How many minutes are there in a fortnight?"
# expect = { definition = { term = "fortnight", means = "14 days" } }
# ///


def run(task, memory, params):
    glossary = params["glossary"]
    part = task["part"]
    known = [entry["data"]["term"] for entry in memory.get("definition", [])]
    wanted = [word for word in part["unclear"] if word not in known]
    found = [word for word in wanted if word in glossary]
    missing = [word for word in wanted if word not in glossary]
    contributions = [
        {
            "section": "definition",
            "text": word + " = " + glossary[word],
            "data": {"term": word, "means": glossary[word]},
        }
        for word in found
    ]
    if missing:
        contributions.append(
            {
                "section": "gap",
                "text": "no definition is known of " + ", ".join(missing),
                "data": {"sort": "capability"},
            }
        )
    # A sub-task of a plan is in exact terms already.
    after = "@solver/experts" if memory.get("reading") else "@solver/core"
    return {"contributions": contributions, "next": after, "why": "the terms are clear"}
