//! Wrong answers: no critic, absent or lying, moves one up in J.

use std::sync::Arc;

use mop::engine::ports::Scorer;
use mop::model::{Author, Contribution, ContributionId, Cycle, PartId, ProgramName, Query, Score, WorkingMemory};
use mop::scoring::Checks;
use serde_json::{Value, json};

use super::cli::User;

fn entry(id: u32, section: &str, author: &str, data: Value, about: Option<u32>) -> Arc<Contribution> {
    Arc::new(Contribution {
        id: ContributionId(id),
        section: section.into(),
        part: Some(PartId(1)),
        text: "t".into(),
        data,
        author: Author::Program(ProgramName::new(author)),
        cycle: Cycle(1),
        activation: None,
        about: about.map(ContributionId),
        supersedes: Vec::new(),
        informed: false,
    })
}

fn j(question: &str, entries: &[Arc<Contribution>]) -> f64 {
    scored(question, entries).mean
}

fn scored(question: &str, entries: &[Arc<Contribution>]) -> Score {
    let scorer = Checks::default();
    let mut query = Query::new(question);
    query.parts = scorer.parts(&query);
    let mut memory = WorkingMemory::default();
    for entry in entries {
        memory.push(entry.clone());
    }
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(scorer.score(&query, &memory)).score
}

/// Questions with a right value, as functions of a number, and how far a wrong value is off.
fn provable() -> Vec<(String, Value)> {
    let mut wrong = Vec::new();
    for n in 2..27 {
        let off = n % 5 + 1;
        wrong.push((
            format!("Solve x + {n} = {}", 3 * n),
            json!({ "is": "solutions", "values": [{ "x": (2 * n + off).to_string() }] }),
        ));
        wrong.push((format!("What is {n}*{n}?"), json!({ "is": "number", "value": (n * n + off).to_string() })));
        wrong.push((
            format!("gcd of {} and {}", 6 * n, 9 * n),
            json!({ "is": "number", "value": (3 * n + off).to_string() }),
        ));
        wrong.push((
            format!("Convert {n} ft to inches"),
            json!({ "is": "number", "value": (12 * n + off).to_string(), "unit": "in" }),
        ));
    }
    wrong
}

/// J, and the value that the only part stands on where that is not the newest.
fn stands(question: &str, entries: &[Arc<Contribution>]) -> (f64, Option<u32>) {
    let score = scored(question, entries);
    (score.mean, score.parts[0].of.map(|id| id.0))
}

/// Classes without an own check: sequences, and questions that nobody can read.
fn unprovable() -> Vec<(String, Value)> {
    let mut wrong = Vec::new();
    for n in 1..51 {
        let terms = format!("What is the next number in {}, {}, {}, {}?", n, 2 * n, 3 * n, 4 * n);
        wrong.push((terms, json!({ "is": "number", "value": (5 * n + 1).to_string() })));
        wrong.push((
            format!("Who came {n} places behind the winner?"),
            json!({ "is": "text", "value": format!("runner {n}") }),
        ));
    }
    wrong
}

#[test]
fn no_verdict_moves_a_wrong_answer_up() {
    let all: Vec<_> = provable()
        .into_iter()
        .map(|case| (case, true))
        .chain(unprovable().into_iter().map(|case| (case, false)))
        .collect();
    assert!(all.len() >= 200);
    for ((question, answer), has_check) in all {
        let draft = entry(0, "draft", "solver-a", json!({ "answer": answer, "method": "m" }), None);
        let alone = j(&question, std::slice::from_ref(&draft));
        assert_eq!(alone, if has_check { 0.0 } else { 0.6 }, "{question}");
        let verdict = |author: &str, value: &Value| {
            entry(1, "verdict", author, json!({ "pass": true, "value": value, "method": "sworn" }), Some(0))
        };
        for liar in
            [verdict("critic", &answer), verdict("solver-a", &answer), verdict("critic", &json!({ "answer": answer }))]
        {
            assert_eq!(j(&question, &[draft.clone(), liar]), alone, "{question}");
        }
        // Whoever repeats a value under the same name or method, or could read it, corroborates nothing.
        for (author, method, informed) in
            [("solver-a", "another", false), ("solver-b", "m", false), ("solver-b", "another", true)]
        {
            let echo = entry(1, "draft", author, json!({ "answer": answer, "method": method }), None);
            let echo = Arc::new(Contribution { informed, ..(*echo).clone() });
            assert!(j(&question, &[draft.clone(), echo]) <= alone, "{question}: {author} {method}");
        }
    }
}

/// Two programs that come to a value apart from each other do corroborate it: that is what 0.8 means.
#[test]
fn only_a_value_that_was_not_seen_corroborates() {
    let answer = json!({ "is": "number", "value": "10" });
    let draft = |id: u32, author: &str, informed: bool| {
        let data = json!({ "answer": answer, "method": author });
        Arc::new(Contribution { informed, ..(*entry(id, "draft", author, data, None)).clone() })
    };
    let question = "What is the next number in 2, 4, 6, 8?";
    assert_eq!(j(question, &[draft(0, "a", false), draft(1, "b", false)]), 0.8);
    assert_eq!(j(question, &[draft(0, "a", false), draft(1, "b", true)]), 0.6);
    assert_eq!(j(question, &[draft(0, "a", true), draft(1, "b", false)]), 0.6);
}

/// Where values differ, more programs that each came to one by themselves outweigh fewer; nothing else does.
#[test]
fn the_value_that_more_programs_reached_stands() {
    let question = "What is the next number in 2, 4, 6, 8?";
    let draft = |id: u32, author: &str, method: &str, value: &str, informed: bool| {
        let data = json!({ "answer": { "is": "number", "value": value }, "method": method });
        Arc::new(Contribution { informed, ..(*entry(id, "draft", author, data, None)).clone() })
    };
    let (a, b) = (draft(0, "a", "x", "10", false), draft(1, "b", "y", "10", false));
    let other = draft(2, "c", "z", "12", false);
    let (mean, of) = stands(question, &[a.clone(), b.clone(), other.clone()]);
    assert_eq!((mean, of), (0.8, Some(1)), "two against one, and the newest of the two is meant");
    assert_eq!(stands(question, &[a.clone(), other.clone()]), (0.3, None), "one against one");
    let copy = draft(1, "b", "y", "10", true);
    assert_eq!(stands(question, &[a.clone(), copy, other.clone()]), (0.3, None), "a copy has no voice");
    let same = draft(1, "b", "x", "10", false);
    assert_eq!(stands(question, &[a.clone(), same, other.clone()]), (0.3, None), "one method has one voice");
    let fourth = draft(3, "d", "w", "12", false);
    assert_eq!(stands(question, &[a, b, other, fourth]), (0.4, None), "two against two");
    // Where a check decides, numbers do not.
    let question = "What is 2 + 2?";
    let all = [draft(0, "a", "x", "5", false), draft(1, "b", "y", "5", false), draft(2, "c", "z", "4", false)];
    assert_eq!(stands(question, &all), (0.3, None));
}

/// An expert that is always wrong.
const WRONG: &str = r#"# /// program
# role = "Answers wrongly"
# contract = "solver"
# group = "experts"
# reads = ["reading"]
# writes = ["draft"]
# accepts = "not draft"
# after = ["@solver/core"]
# ///


def run(task, memory, params):
    answer = {"is": "number", "value": "12345"}
    return {"contributions": [{"section": "draft", "text": "12345", "data": {"answer": answer, "method": "guess"}}]}
"#;

/// A critic that passes whatever stands.
const YES: &str = r#"# /// program
# role = "Says yes"
# contract = "critic"
# group = "checks"
# reads = ["draft"]
# requires = ["draft"]
# writes = ["verdict"]
# accepts = "draft and not draft.verified"
# after = ["@solver/experts", "@alternative"]
# next = { goal-check = 0.5 }
# ///


def run(task, memory, params):
    value = memory["draft"][0]
    data = {"pass": True, "value": value["data"]["answer"], "method": "sworn"}
    return {"contributions": [{"section": "verdict", "about": value["id"], "text": "pass", "data": data}]}
"#;

/// A second opinion that repeats the first under another name of method.
const ECHO: &str = r#"# /// program
# role = "Repeats what stands"
# contract = "CONTRACT"
# reads = ["draft", "verdict", "assessment", "critique"]
# requires = ["draft"]
# writes = ["draft"]
# accepts = "draft and draft.author != 'echo'"
# after = ["@solver/experts", "@critic", "@judge", "@goal-check"]
# prior = 1.0
# ///


def run(task, memory, params):
    value = memory["draft"][0]
    answer = value["data"].get("answer") or {"is": "number", "value": "12345"[: len(value["text"])]}
    return {"contributions": [{"section": "draft", "text": "the same", "data": {"answer": answer, "method": "other"}}]}
"#;

/// Whole runs of networks whose experts are replaced by one that answers wrongly, and whose critics by none, by one that always
/// passes, or by that and an echo.
#[test]
fn runs_without_a_verifier_or_with_liars_score_no_higher() {
    let experts = "\"algebra\", \"calculator\", \"calendar\", \"integers\", \"proportions\", \"rewriter\", \"pattern-recognition\", \"refractor\"";
    let critics = "\"verifier\", \"verifier-integers\", \"verifier-sequences\"";
    for question in [
        "What is 17*23?",
        "gcd of 84 and 126",
        "Convert 3 ft to inches",
        "Solve 3x + 5 = 14",
        "Simplify sqrt(50)",
        "How many days are there from 8 September 2023 to 17 November 2023?",
        "What is the next number in 2, 4, 8, 16?",
        "What is the next number in 5, 8, 11, 14?",
        "What comes next: 1, 4, 9, 16?",
        "Who wrote Hamlet?",
        "How far is the moon?",
        "Which colour has the sky on Mars?",
    ] {
        let run = |without: &str, files: &[(&str, String)]| {
            let user = User::new();
            user.write("n/network.toml", &format!("extends = \"symbolic\"\nwithout = [{without}]\n"));
            user.write("n/wrong.py", WRONG);
            for (name, text) in files {
                user.write(&format!("n/{name}"), text);
            }
            let lines = user.mop(&["run", "--json", "--approve", "reject", "--network", "./n", question]).json();
            let wrote = lines.iter().any(|line| {
                line["event"] == "Contributed" && line["data"]["contribution"]["author"]["program"] == "echo"
            });
            let scores = lines
                .iter()
                .filter(|line| line["event"] == "Scored")
                .filter_map(|line| line["data"]["score"]["mean"].as_f64());
            (scores.fold(0.0, f64::max), wrote)
        };
        let (honest, _) = run(experts, &[]);
        let nobody = format!("{experts}, {critics}");
        let yes = ("yes.py", YES.to_owned());
        let echo = |contract: &str| ("echo.py", ECHO.replace("CONTRACT", contract));
        let (none, _) = run(&nobody, &[]);
        let (lying, _) = run(&nobody, std::slice::from_ref(&yes));
        assert!(none <= honest && lying <= honest, "{question}: honest {honest}, none {none}, lying {lying}");
        for contract in ["alternative", "solver"] {
            let (echoed, wrote) = run(&nobody, &[yes.clone(), echo(contract)]);
            assert!(echoed <= honest, "{question}: honest {honest}, an {contract} that repeats it {echoed}");
            let provable = honest < 0.6;
            assert!(wrote || provable, "{question}: the {contract} had its say");
        }
    }
}
