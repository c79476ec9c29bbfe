# /// program
# role = "Checks that a calculation uses what the question gives, and that its value can be one"
# contract = "critic"
# group = "sense"
# reads = ["draft", "code"]
# requires = ["draft", "code"]
# writes = ["verdict", "critique"]
# accepts = "draft and draft.data.computed and 'sense' not in groups"
# after = ["@solver/runners"]
# next = { "@goal-check" = 0.5, "@solver/words" = 0.4 }
#
# [[tests]]
# query = "A shop had 50 pens and sold 3 boxes of 12. How many are left?"
# memory = [
#   { code = "def solve():\n    return 50 - 3 * 12" },
#   { draft = { text = "14", data = { computed = true, answer = { is = "number", value = "14" } } } },
# ]
# expect = { verdict = "pass" }
#
# [[tests]]
# query = "A shop had 50 pens and sold 3 boxes of 12. How many are left?"
# memory = [
#   { code = "def solve():\n    return 50 - 12" },
#   { draft = { text = "38", data = { computed = true, answer = { is = "number", value = "38" } } } },
# ]
# expect = { critique = "the calculation does not use 3" }
#
# [[tests]]
# query = "A coat of $80 is sold for 25% less. What does it cost?"
# memory = [
#   { code = "def solve():\n    return 80 * 0.75" },
#   { draft = { text = "60", data = { computed = true, answer = { is = "number", value = "60" } } } },
# ]
# expect = { verdict = "pass" }
#
# [[tests]]
# query = "Ann had 5 apples and ate 8. How many are left?"
# memory = [
#   { code = "def solve():\n    return 5 - 8" },
#   { draft = { text = "-3", data = { computed = true, answer = { is = "number", value = "-3" } } } },
# ]
# expect = { critique = "it comes to -3, and the question speaks of nothing below zero" }
#
# [[tests]]
# query = "7 children share 3 cakes. How many children get none if each cake is for 2?"
# memory = [
#   { code = "def solve():\n    return 7 - 3 * 1.5" },
#   { draft = { text = "2.5", data = { computed = true, answer = { is = "number", value = "2.5" } } } },
# ]
# expect = { critique = true }
# ///


def run(task, memory, params):
    drafts = [entry for entry in memory["draft"] if entry["data"] and entry["data"].get("computed")]
    if not drafts:
        return {}
    draft = drafts[0]
    value = draft["data"]["answer"]["value"]
    why = fault(task["text"], memory["code"][0]["text"], value)
    if why:
        return {
            "contributions": [{"section": "critique", "text": why, "about": draft["id"]}],
            "next": "@solver/words",
            "why": why,
        }
    data = {"pass": True, "value": draft["data"]["answer"], "method": "every given number is used"}
    return {
        "contributions": [{"section": "verdict", "text": "pass: it uses every number of the question", "about": draft["id"], "data": data}],
        "next": "@goal-check",
        "why": "the calculation uses every number of the question",
    }


def fault(question, code, value):
    given = numbers(question)
    used = numbers(code)
    for number in given:
        if not [one for one in forms(number) if near(one, used)]:
            return "the calculation does not use " + shown(number)
    if value.startswith("-") and "below" not in question and "negative" not in question and "less than zero" not in question:
        return "it comes to " + value + ", and the question speaks of nothing below zero"
    if "how many" in question.lower() and "." in value and not [one for one in given if one != int(one)]:
        return "it comes to " + value + ", and the question asks how many"
    return None


def forms(number):
    """A number as a calculation may use it: itself, as a share of a hundred, and what is left of or added to the whole."""
    share = number / 100
    return [number, share, 1 - share, 1 + share]


def near(number, used):
    return [one for one in used if abs(one - number) < 0.000001]


def shown(number):
    return str(int(number)) if number == int(number) else str(number)


def numbers(text):
    """Numbers in digits; those within a word or a time of day are none."""
    found = []
    word = ""
    for letter in text.replace(",", "") + " ":
        if letter.isalnum() or letter in "._:":
            word = word + letter
            continue
        plain = word.strip(".:")
        if plain and plain.replace(".", "", 1).isdigit():
            found.append(float(plain))
        word = ""
    return found
