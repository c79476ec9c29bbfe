# /// program
# role = "Reads Roman numerals from the right"
# contract = "alternative"
# writes = ["draft"]
# accepts = "'roman' in query.text|lower"
# after = ["@judge", "@goal-check", "@critic"]
# prior = 0.9
# params = { signs = { M = 1000, D = 500, C = 100, L = 50, X = 10, V = 5, I = 1 } }
# ///


def run(task, memory, params):
    signs = params["signs"]
    words = [word for word in task["text"].replace("?", " ").split() if all([letter in signs for letter in word])]
    total = 0
    highest = 0
    for letter in reversed(words[0]):
        total += signs[letter] if signs[letter] >= highest else -signs[letter]
        highest = max(highest, signs[letter])
    data = {"answer": {"is": "number", "value": str(total)}, "method": "from the right"}
    return {"contributions": [{"section": "draft", "text": str(total), "data": data}]}
