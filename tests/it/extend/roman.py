# /// program
# role = "Reads and writes Roman numerals"
# contract = "solver"
# group = "experts"
# writes = ["draft", "gap"]
# accepts = "'roman' in query.text|lower and not draft"
# after = ["@solver/core", "@planner"]
# next = { goal-check = 0.3 }
#
# [params]
# signs = { M = 1000, D = 500, C = 100, L = 50, X = 10, V = 5, I = 1 }
#
# [[tests]]
# query = "What is the Roman numeral MCMXCIV in decimal?"
# expect = { draft = "1994" }
# ///


def run(task, memory, params):
    signs = params["signs"]
    for word in task["text"].replace("?", " ").split():
        if word and all([letter in signs for letter in word]):
            return draft(value(word, signs))
    return {"contributions": [{"section": "gap", "text": "there is no Roman numeral in it", "data": {"sort": "capability"}}]}


def value(word, signs):
    total = 0
    for at in range(len(word)):
        here = signs[word[at]]
        if at + 1 < len(word) and signs[word[at + 1]] > here:
            total -= here
        else:
            total += here
    return total


def draft(number):
    data = {"answer": {"is": "number", "value": str(number)}, "method": "adding signs"}
    return {"contributions": [{"section": "draft", "text": str(number), "data": data}], "why": "there is a numeral"}
