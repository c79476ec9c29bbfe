//! Tools of programs that mend programs.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::{Value, json};

use crate::solvers::formaliser;
use crate::solvers::goal::PartReading;
use crate::solvers::mutation::{Focus, Kind, Mutants, Primitive, apply_edits, mutants};
use crate::solvers::variation;

use super::{TOOLS, Tool, Type};

/// The registry lines.
pub(super) static REPAIR: &[Tool] = &[
    Tool {
        name: "mutants",
        takes: &[
            ("source", Type::Text),
            ("tools", Type::Any),
            ("lines", Type::Any),
            ("question", Type::Text),
            ("skip", Type::Any),
            ("count", Type::Any),
        ],
        gives: Type::Any,
        doc: "Gives `count` edits of a script after the first `skip`, likeliest first, each as {edits, what}; only of these \
              lines (all, where none are given). One that copies a number of the question has no edits",
        run: mutated,
    },
    Tool {
        name: "edited",
        takes: &[("source", Type::Text), ("edits", Type::Any)],
        gives: Type::Text,
        doc: "The text of a script with edits in it",
        run: |args| match args {
            [Value::String(source), edits] => with_edits(source, edits).map(Value::String),
            _ => Err("it takes a source and a list of edits".into()),
        },
    },
    Tool {
        name: "similar",
        takes: &[("test", Type::Any), ("count", Type::Any)],
        gives: Type::Any,
        doc: "Makes tests like a test of a solver: {same: with the solutions moved or stretched, near: with other numbers}",
        run: similar,
    },
];

/// The most mutants that are ever counted.
const MOST: usize = 20_000;

thread_local! {
    /// Where the last enumeration stands, since it is asked for in pieces: what it is of, how many it has given, the rest.
    static LAST: RefCell<Option<(u64, usize, Mutants)>> = const { RefCell::new(None) };
}

fn mutated(args: &[Value]) -> Result<Value, String> {
    let [Value::String(source), Value::Array(granted), Value::Array(lines), Value::String(question), skip, count] =
        args
    else {
        return Err("it takes a source, a list of tool names, a list of lines, a question, and two numbers".into());
    };
    let number = |value: &Value| value.as_u64().and_then(|n| usize::try_from(n).ok()).ok_or("a number is needed");
    let (skip, count) = (number(skip)?, number(count)?.min(4096));
    let copied: BTreeSet<&str> = numbers(question).difference(&numbers(source)).copied().collect();
    let mut hasher = DefaultHasher::new();
    args.get(..4).map(|args| json!(args).to_string()).hash(&mut hasher);
    let key = hasher.finish();
    let known = LAST.take().filter(|(last, given, _)| *last == key && *given == skip);
    let mut rest = match known {
        Some((_, _, rest)) => rest,
        None => {
            let mut lines: Vec<usize> = lines.iter().map(number).collect::<Result<_, _>>()?;
            lines.sort_unstable();
            let focus = Focus { lines, bound: MOST, ..Focus::default() };
            let mut all = mutants(source, &focus, &primitives(granted)).map_err(|error| error.to_string())?;
            for _ in 0..skip {
                all.next();
            }
            all
        }
    };
    let found: Vec<_> = rest.by_ref().take(count).collect();
    LAST.set(Some((key, skip + found.len(), rest)));
    let honest = found.iter().map(|mutant| {
        let copies = mutant.edits.iter().any(|edit| numbers(&edit.replacement).intersection(&copied).next().is_some());
        let edits = mutant.edits.iter().map(|edit| json!([edit.range.start, edit.range.end, edit.replacement]));
        json!({ "edits": if copies { None } else { Some(edits.collect::<Vec<_>>()) }, "what": mutant.what })
    });
    Ok(honest.collect())
}

/// A source with edits in it, each `[first byte, byte behind the last, new text]`.
pub(super) fn with_edits(source: &str, edits: &Value) -> Result<String, String> {
    let edits: Vec<(usize, usize, String)> =
        serde_json::from_value(edits.clone()).map_err(|error| format!("these are no edits: {error}"))?;
    let edits: Vec<_> = edits.into_iter().map(|(from, to, text)| (from..to, text)).collect();
    apply_edits(source, &edits).ok_or_else(|| "the edits overlap or leave the source".to_owned())
}

/// The whole numbers that stand in a text.
fn numbers(text: &str) -> BTreeSet<&str> {
    text.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty()).collect()
}

/// The granted tools as what a repair may insert.
fn primitives(granted: &[Value]) -> Vec<Primitive> {
    let kind = |of: Type| {
        Kind::new(serde_json::to_value(of).ok().and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default())
    };
    TOOLS
        .iter()
        .flat_map(|family| family.iter())
        .filter(|tool| granted.iter().any(|name| name == tool.name))
        .map(|tool| Primitive {
            name: tool.name.to_owned(),
            takes: tool.takes.iter().map(|(_, of)| kind(*of)).collect(),
            gives: kind(tool.gives),
            fields: fields(tool.doc),
        })
        .collect()
}

/// Reads what a description says of a record: `{kind: unique | none | many, solution}`.
fn fields(doc: &str) -> Vec<(String, Vec<String>)> {
    let inside = doc.split_once('{').and_then(|(_, rest)| rest.split_once('}')).map_or("", |(inside, _)| inside);
    let is_word = |text: &&str| !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-');
    let field = |text: &str| {
        let (name, words) = text.split_once(':').unwrap_or((text, ""));
        let words: Vec<String> = words.split('|').map(str::trim).filter(is_word).map(str::to_owned).collect();
        (name.trim().to_owned(), if words.len() > 1 { words } else { Vec::new() })
    };
    inside.split(',').map(field).filter(|(name, _)| is_word(&name.as_str())).collect()
}

fn similar(args: &[Value]) -> Result<Value, String> {
    let [test, count] = args else { return Err("it takes a test and a number".into()) };
    let count = count.as_u64().and_then(|n| usize::try_from(n).ok()).ok_or("a number is needed")?.min(64);
    let question = test.get("query").and_then(Value::as_str).ok_or("a test has a query")?;
    let solves = test.get("expect").is_some_and(|expect| expect.get("satisfies") == Some(&Value::Bool(true)));
    let reading = formaliser::read(question);
    let (Some(part), true) = (reading.parts.first(), solves) else { return Ok(json!({ "same": [], "near": [] })) };
    let tests = |parts: Vec<PartReading>| parts.iter().map(|part| posed(test, part)).collect::<Vec<_>>();
    Ok(json!({ "same": tests(variation::same(part, count)), "near": tests(variation::near(question, count)) }))
}

/// A test with another question in it, read anew wherever memory held a reading.
fn posed(test: &Value, part: &PartReading) -> Value {
    let mut posed = test.clone();
    posed["query"] = json!(part.text);
    for entry in posed.get_mut("memory").and_then(Value::as_array_mut).into_iter().flatten() {
        for (section, value) in entry.as_object_mut().into_iter().flatten() {
            if section == "reading" {
                *value = json!({ "text": part.text, "data": part });
            }
        }
    }
    posed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_of_an_enumeration_are_the_whole() {
        let ask = |skip: usize, count: usize| {
            let source = json!("def run(task, memory, params):\n    return task < 3 * memory\n");
            mutated(&[source, json!([]), json!([]), json!("What is 77?"), json!(skip), json!(count)]).unwrap()
        };
        let whole = ask(0, 12);
        let mut pieces = ask(0, 5).as_array().unwrap().clone();
        pieces.extend(ask(5, 7).as_array().unwrap().clone());
        assert_eq!(whole.as_array().unwrap(), &pieces);
        assert_eq!(ask(3, 2).as_array().unwrap(), &pieces[3..5], "also where none was begun");
    }

    #[test]
    fn no_number_of_the_question_is_copied_in() {
        let source = "def run(task, memory, params):\n    return task < 3\n";
        let texts = |question: &str| -> Vec<String> {
            let all = mutated(&[json!(source), json!([]), json!([]), json!(question), json!(0), json!(500)]).unwrap();
            all.as_array().unwrap().iter().filter_map(|one| with_edits(source, &one["edits"]).ok()).collect()
        };
        let with = |texts: &[String]| texts.iter().any(|text| text.contains("task < 4"));
        assert!(with(&texts("Solve 5x = 10")) && !with(&texts("Solve 4x = 10")));
    }

    #[test]
    fn descriptions_say_what_a_record_may_hold() {
        let said = fields("Solves linear equations exactly: {kind: unique | none | many, solution}");
        let words = ["unique", "none", "many"].map(str::to_owned).to_vec();
        assert_eq!(said, [("kind".to_owned(), words), ("solution".to_owned(), Vec::new())]);
        assert!(fields("The weekday of a date").is_empty());
    }

    #[test]
    fn tests_like_a_test_have_their_own_reading() {
        let test = json!({
            "query": "Solve 3x + 5 = 14", "memory": [{ "reading": { "data": { "goal": "old" } } }, { "fact": "kept" }],
            "expect": { "satisfies": true },
        });
        let made = similar(&[test.clone(), json!(4)]).unwrap();
        let near = made["near"].as_array().unwrap();
        assert_eq!(near.len(), 4);
        assert_eq!(near[0]["memory"][0]["reading"]["data"]["goal"]["class"], "solve");
        assert_eq!((&near[0]["memory"][1], &near[0]["expect"]), (&test["memory"][1], &test["expect"]));
        let verdict = json!({ "query": "Solve 3x + 5 = 14", "memory": [], "expect": { "verdict": "pass" } });
        assert_eq!(similar(&[verdict, json!(4)]).unwrap(), json!({ "same": [], "near": [] }));
    }
}
