//! The shapes in which suites are published.

use serde_json::{Map, Value, json};

use super::suite::{Check, Question, Rows};

/// Reads one object; `stem` is the name of its file without ending, which stands in for a missing suite.
pub(super) fn question(value: &Value, stem: &str, line: usize) -> Result<Question, String> {
    let fields = value.as_object().ok_or("it is no object")?;
    let has = |name: &str| fields.contains_key(name);
    let question = if has("check") {
        own(fields, stem, line)?
    } else if has("task_id") && has("prompt") {
        let asked = format!("Complete this Python function:\n{}", text(fields, "prompt")?);
        Question {
            tests: Value::Object(fields.clone()),
            ..made(fields, stem, line, asked, String::new(), Check::Tests)
        }
    } else if has("Body") && has("Question") {
        let asked = format!("{} {}", text(fields, "Body")?.trim(), text(fields, "Question")?.trim());
        made(fields, stem, line, asked, text(fields, "Answer")?, Check::Numeric)
    } else if has("problem") && has("solution") {
        let answer = match text(fields, "answer") {
            Ok(answer) => answer,
            Err(_) => boxed(&text(fields, "solution")?).ok_or("its `solution` has no \\boxed{…}")?,
        };
        made(fields, stem, line, text(fields, "problem")?, answer, Check::Exact)
    } else if has("choices") && has("question") {
        choices(fields, stem, line)?
    } else if has("question") {
        let asked = text(fields, "question")?;
        match fields.get("answer") {
            Some(Value::Bool(truth)) => {
                made(fields, stem, line, asked, if *truth { "yes" } else { "no" }.to_owned(), Check::Exact)
            }
            Some(Value::String(worked)) if worked.contains("####") => {
                let answer = worked.rsplit("####").next().unwrap_or_default().trim().to_owned();
                made(fields, stem, line, asked, answer, Check::Numeric)
            }
            _ => return Err(UNKNOWN.to_owned()),
        }
    } else {
        return Err(UNKNOWN.to_owned());
    };
    if question.text.trim().is_empty() {
        return Err("`question` is empty".to_owned());
    }
    Ok(question)
}

const UNKNOWN: &str = "its shape is not known: give `id`, `suite`, `question`, `answer` and `check`";

fn own(fields: &Map<String, Value>, stem: &str, line: usize) -> Result<Question, String> {
    let word = text(fields, "check")?;
    let check: Check = serde_json::from_value(json!(word))
        .map_err(|_| format!("`check` is one of exact, numeric, tests, verifier, not `{word}`"))?;
    let answer = match fields.get("answer") {
        None | Some(Value::Null) => String::new(),
        Some(_) => text(fields, "answer")?,
    };
    let tests = fields.get("tests").cloned().unwrap_or_default();
    let asked = text(fields, "question")?;
    Ok(Question { tests, ..made(fields, stem, line, asked, answer, check) })
}

/// MMLU: the choices get their letters, and the answer is a letter or a place from 0.
fn choices(fields: &Map<String, Value>, stem: &str, line: usize) -> Result<Question, String> {
    let listed = fields.get("choices").and_then(Value::as_array).ok_or("`choices` is no list")?;
    let mut asked = text(fields, "question")?;
    for (letter, choice) in ('A'..='Z').zip(listed) {
        asked.push_str(&format!("\n{letter}) {}", plain(choice).ok_or("a choice is no text")?.trim()));
    }
    let letter = match fields.get("answer") {
        Some(Value::Number(place)) => place.as_u64().and_then(|place| ('A'..='Z').nth(usize::try_from(place).ok()?)),
        Some(Value::String(letter)) => letter.trim().chars().next().map(|letter| letter.to_ascii_uppercase()),
        _ => None,
    };
    let known = letter.filter(|letter| ('A'..='Z').take(listed.len()).any(|one| one == *letter));
    let answer = known.ok_or("`answer` names none of the choices")?.to_string();
    Ok(made(fields, stem, line, asked, answer, Check::Exact))
}

fn made(fields: &Map<String, Value>, stem: &str, line: usize, text: String, answer: String, check: Check) -> Question {
    let word = |name: &str| fields.get(name).and_then(plain).filter(|word| !word.trim().is_empty());
    let suite = word("suite").unwrap_or_else(|| stem.to_owned());
    let own = ["id", "ID", "task_id", "qid", "unique_id"].iter().find_map(|name| word(name));
    let id = match (own, fields.contains_key("check")) {
        (Some(id), true) => id,
        (Some(id), false) => format!("{suite}/{id}"),
        (None, _) => format!("{suite}/{line}"),
    };
    Question { id, suite, text, answer, check, tests: Value::Null }
}

fn text(fields: &Map<String, Value>, name: &str) -> Result<String, String> {
    fields.get(name).and_then(plain).ok_or_else(|| format!("it has no `{name}`"))
}

fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(truth) => Some(truth.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// What stands in the last `\boxed{…}`, whose braces may be nested.
pub(super) fn boxed(text: &str) -> Option<String> {
    let rest = text.rsplit_once("\\boxed{")?.1;
    let mut depth = 1_usize;
    for (at, c) in rest.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(rest[..at].to_owned());
        }
    }
    None
}

/// The rows of an MMLU table, without heading: question, choices, letter.
pub(super) fn table(text: &str) -> Rows {
    let mut rows = Vec::new();
    for (line, cells) in records(text) {
        let row = match cells.as_slice() {
            [question, choices @ .., answer] if choices.len() >= 2 => {
                Ok(json!({ "question": question, "choices": choices, "answer": answer }))
            }
            _ => Err("a row has a question, its choices and a letter".to_owned()),
        };
        rows.push((line, row));
    }
    rows
}

/// Rows of cells with the line that each begins in; a quoted cell may hold commas, line breaks and doubled quotes.
fn records(text: &str) -> Vec<(usize, Vec<String>)> {
    let (mut rows, mut row, mut cell, mut quoted) = (Vec::new(), Vec::new(), String::new(), false);
    let (mut line, mut began) = (1, 1);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        line += usize::from(c == '\n');
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                cell.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(std::mem::take(&mut cell)),
            '\r' if !quoted => {}
            '\n' if !quoted => {
                row.push(std::mem::take(&mut cell));
                rows.push((began, std::mem::take(&mut row)));
                began = line;
            }
            c => cell.push(c),
        }
    }
    if !cell.is_empty() || !row.is_empty() {
        row.push(cell);
        rows.push((began, row));
    }
    rows.retain(|(_, row)| row.iter().any(|cell| !cell.trim().is_empty()));
    rows
}
