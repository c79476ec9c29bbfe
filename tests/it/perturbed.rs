//! Wrong answers: no critic, absent or lying, moves one up in J.

use std::sync::Arc;

use mop::engine::ports::Scorer;
use mop::model::{Author, Contribution, ContributionId, Cycle, PartId, ProgramName, Query, WorkingMemory};
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
    })
}

fn j(question: &str, entries: &[Arc<Contribution>]) -> f64 {
    let scorer = Checks::default();
    let mut query = Query::new(question);
    query.parts = scorer.parts(&query);
    let mut memory = WorkingMemory::default();
    for entry in entries {
        memory.push(entry.clone());
    }
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(scorer.score(&query, &memory)).score.mean
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
        let alone = j(&question, &[draft.clone()]);
        assert_eq!(alone, if has_check { 0.0 } else { 0.6 }, "{question}");
        let verdict = |author: &str, value: &Value| {
            entry(1, "verdict", author, json!({ "pass": true, "value": value, "method": "sworn" }), Some(0))
        };
        for liar in
            [verdict("critic", &answer), verdict("solver-a", &answer), verdict("critic", &json!({ "answer": answer }))]
        {
            assert_eq!(j(&question, &[draft.clone(), liar]), alone, "{question}");
        }
        // Whoever repeats a value under the same name or method corroborates nothing.
        for (author, method) in [("solver-a", "another"), ("solver-b", "m")] {
            let echo = entry(1, "draft", author, json!({ "answer": answer, "method": method }), None);
            assert!(j(&question, &[draft.clone(), echo]) <= alone, "{question}: {author} {method}");
        }
    }
}

/// Whole runs of a network whose experts are replaced by one that answers wrongly.
#[test]
fn runs_without_a_verifier_or_with_one_that_always_passes_score_no_higher() {
    let wrong = "# /// program\n# role = \"Answers wrongly\"\n# contract = \"solver\"\n# group = \"experts\"\n# reads = [\"reading\"]\n# writes = [\"draft\"]\n# accepts = \"not draft\"\n# after = [\"@solver/core\"]\n# ///\n\n\ndef run(task, memory, params):\n    answer = {\"is\": \"number\", \"value\": \"12345\"}\n    return {\"contributions\": [{\"section\": \"draft\", \"text\": \"12345\", \"data\": {\"answer\": answer, \"method\": \"guess\"}}]}\n";
    let yes = "# /// program\n# role = \"Says yes\"\n# contract = \"critic\"\n# group = \"checks\"\n# reads = [\"draft\"]\n# requires = [\"draft\"]\n# writes = [\"verdict\"]\n# accepts = \"draft and not draft.verified\"\n# after = [\"@solver/experts\", \"@alternative\"]\n# next = { goal-check = 0.5 }\n# ///\n\n\ndef run(task, memory, params):\n    value = memory[\"draft\"][0]\n    data = {\"pass\": True, \"value\": value[\"data\"][\"answer\"], \"method\": \"sworn\"}\n    return {\"contributions\": [{\"section\": \"verdict\", \"about\": value[\"id\"], \"text\": \"pass\", \"data\": data}]}\n";
    let experts = "\"algebra\", \"calculator\", \"calendar\", \"integers\", \"proportions\", \"rewriter\", \"pattern-recognition\", \"refractor\"";
    let critics = "\"verifier\", \"verifier-integers\", \"verifier-sequences\"";
    for question in
        ["What is 17*23?", "gcd of 84 and 126", "What is the next number in 2, 4, 8, 16?", "Who wrote Hamlet?"]
    {
        let run = |without: &str, liar: bool| {
            let user = User::new();
            user.write("n/network.toml", &format!("extends = \"symbolic\"\nwithout = [{without}]\n"));
            user.write("n/wrong.py", wrong);
            if liar {
                user.write("n/yes.py", yes);
            }
            let lines = user.mop(&["run", "--json", "--approve", "reject", "--network", "./n", question]).json();
            let scores = lines
                .iter()
                .filter(|line| line["event"] == "Scored")
                .filter_map(|line| line["data"]["score"]["mean"].as_f64());
            scores.fold(0.0, f64::max)
        };
        let honest = run(experts, false);
        let none = run(&format!("{experts}, {critics}"), false);
        let lying = run(&format!("{experts}, {critics}"), true);
        assert!(none <= honest && lying <= honest, "{question}: honest {honest}, none {none}, lying {lying}");
    }
}
