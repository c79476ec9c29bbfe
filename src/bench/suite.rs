//! Suites: questions with what is known of their answers, read from files.

use std::collections::HashSet;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::model::Hash;

use super::{check, formats};

/// How an answer is told right from wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Check {
    /// The same text, choice or truth, after what does not matter was taken away.
    Exact,
    /// The same number.
    Numeric,
    /// Tests of code pass.
    Tests,
    /// A procedure that knows a right answer when it sees one.
    Verifier,
}

/// One question.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// Its id, unique in a bench.
    pub id: String,
    /// The suite that it is of.
    pub suite: String,
    /// The words, all that an arm gets to see.
    pub text: String,
    /// A right answer; empty where the check needs none.
    pub answer: String,
    /// How answers are checked.
    pub check: Check,
    /// What the check needs beside the answer.
    pub tests: Value,
}

/// A line that is no question.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {why}")]
pub struct BadLine {
    /// The file.
    pub file: String,
    /// Line, from 1; in a file that is one list, the place in the list.
    pub line: usize,
    /// One clause.
    pub why: String,
}

/// The questions of one file.
#[derive(Clone, Debug, PartialEq)]
pub struct Suite {
    /// The file, as it was named.
    pub file: String,
    /// Hash of its text.
    pub hash: Hash,
    /// Its questions in the order of the file.
    pub questions: Vec<Question>,
    /// Lines that are none.
    pub bad: Vec<BadLine>,
}

impl Suite {
    /// Reads the text of a file: objects of JSON, one a line or in one list, or the rows of an MMLU table (`.csv`).
    ///
    /// Shapes are told by their fields: mop's own (`question`, `check`), and GSM8K, SVAMP, HumanEval, MATH, MMLU and StrategyQA
    /// as published. A line that is none of them, has no answer, or asks for a check that cannot be made is a [`BadLine`].
    #[must_use]
    pub fn read(file: &str, text: &str) -> Self {
        let path = Path::new(file);
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let rows = if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv")) {
            formats::table(text)
        } else if text.trim_start().starts_with('[') {
            list(text)
        } else {
            lines(text)
        };
        let (mut questions, mut bad) = (Vec::new(), Vec::new());
        let mut known = HashSet::new();
        for (line, row) in rows {
            let read = row.and_then(|value| formats::question(&value, &stem, line)).and_then(|question| {
                check::can_check(&question).map_err(|refused| refused.0)?;
                match known.insert(question.id.clone()) {
                    true => Ok(question),
                    false => Err(format!("the id `{}` is taken by a line before", question.id)),
                }
            });
            match read {
                Ok(question) => questions.push(question),
                Err(why) => bad.push(BadLine { file: file.to_owned(), line, why }),
            }
        }
        Self { file: file.to_owned(), hash: Hash::of(text), questions, bad }
    }
}

/// Numbered rows, each a value or the clause that says why it is none.
pub(super) type Rows = Vec<(usize, Result<Value, String>)>;

fn lines(text: &str) -> Rows {
    let text = text.trim_start_matches('\u{feff}');
    let full = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let read = |line: &str| {
        serde_json::from_str(line).map_err(|error| format!("no JSON: {error}").replace(" at line 1 column", ", column"))
    };
    full.map(|(at, line)| (at + 1, read(line))).collect()
}

fn list(text: &str) -> Rows {
    match serde_json::from_str::<Vec<Value>>(text) {
        Ok(values) => values.into_iter().enumerate().map(|(at, value)| (at + 1, Ok(value))).collect(),
        Err(error) => vec![(error.line(), Err(format!("no list of JSON: {error}")))],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(file: &str, text: &str) -> Vec<(String, String, Check)> {
        let suite = Suite::read(file, text);
        assert_eq!(suite.bad, [], "{text}");
        suite.questions.into_iter().map(|one| (one.id, one.answer, one.check)).collect()
    }

    #[test]
    fn suites_are_read_as_they_are_published() {
        let check = |file: &str, text: &str, id: &str, answer: &str, check: Check| {
            assert_eq!(read(file, text), [(id.to_owned(), answer.to_owned(), check)], "{text}");
        };
        let own = r#"{"id":"a/1","suite":"a","question":"2+2?","answer":"4","check":"numeric"}"#;
        check("x.jsonl", own, "a/1", "4", Check::Numeric);
        let number = r#"{"id":"a/1","suite":"a","question":"2+2?","answer":4,"check":"numeric"}"#;
        check("x.jsonl", number, "a/1", "4", Check::Numeric);
        let gsm8k = r#"{"question": "How many?", "answer": "9*2 = <<9*2=18>>18.\n#### 1,018"}"#;
        check("test.jsonl", gsm8k, "test/1", "1,018", Check::Numeric);
        let svamp =
            r#"[{"ID":"chal-1","Body":"He has 3.","Question":"How many?","Equation":"3","Answer":3.0,"Type":"-"}]"#;
        check("SVAMP.json", svamp, "SVAMP/chal-1", "3.0", Check::Numeric);
        let math = r#"{"problem":"What is $1/2$ of 3?","level":"Level 1","type":"Algebra","solution":"It is $\\boxed{\\frac{3}{2}}$."}"#;
        check("math.jsonl", math, "math/1", "\\frac{3}{2}", Check::Exact);
        let mmlu = r#"{"question":"Which?","subject":"law","choices":["w","x","y","z"],"answer":2}"#;
        check("mmlu.jsonl", mmlu, "mmlu/1", "C", Check::Exact);
        check("law_test.csv", "\"Which, \"\"a\"\"\nor b?\",w,x,y,z,B\n", "law_test/1", "B", Check::Exact);
        let strategy = r#"{"qid":"q7","term":"t","question":"Is it?","answer":false,"facts":[]}"#;
        check("strategyqa.jsonl", strategy, "strategyqa/q7", "no", Check::Exact);
    }

    #[test]
    fn choices_stand_in_the_question() {
        let text = r#"{"question":"Which?","choices":["w","x","y","z"],"answer":"d"}"#;
        let suite = Suite::read("m.jsonl", text);
        assert_eq!(suite.questions[0].text, "Which?\nA) w\nB) x\nC) y\nD) z");
        assert_eq!(suite.questions[0].answer, "D");
    }

    #[test]
    fn bad_lines_say_where_and_why() {
        let check = |line: &str, why: &str| {
            let text =
                format!("{}\n\n{line}\n", r#"{"id":"1","suite":"a","question":"q","answer":"x","check":"exact"}"#);
            let suite = Suite::read("a.jsonl", &text);
            assert_eq!(suite.questions.len(), 1);
            let told: Vec<String> = suite.bad.iter().map(ToString::to_string).collect();
            assert!(told.len() == 1 && told[0].starts_with("a.jsonl:3: ") && told[0].contains(why), "{told:?}");
        };
        check("{\"id\":", "no JSON");
        check("[1]", "no object");
        check(r#"{"id":"2","suite":"a","question":"q"}"#, "shape");
        check(r#"{"id":"2","suite":"a","question":"q","answer":"x","check":"fuzzy"}"#, "`fuzzy`");
        check(r#"{"id":"2","suite":"a","question":" ","answer":"x","check":"exact"}"#, "`question` is empty");
        check(r#"{"id":"2","suite":"a","question":"q","check":"exact"}"#, "no `answer`");
        check(r#"{"id":"2","suite":"a","question":"q","answer":"many","check":"numeric"}"#, "no number");
        check(r#"{"id":"1","suite":"a","question":"q","answer":"x","check":"exact"}"#, "taken");
        check(r#"{"task_id":"HumanEval/1","prompt":"def f():","test":"t","entry_point":"f"}"#, "run code");
        check(r#"{"id":"2","suite":"a","question":"q","check":"verifier","tests":{"kind":"oracle"}}"#, "`oracle`");
    }
}
