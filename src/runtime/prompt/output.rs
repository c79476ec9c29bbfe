//! Reads what a model gave: JSON, or what can be mended into it, then contributions.

use serde_json::{Map, Value, json};

use crate::engine::ports::{Activation, Offer, Output};
use crate::model::{ContributionId, PartId, Section, Target};

use super::loose;

/// The most contributions of one reply.
const MOST: usize = 64;

/// The JSON schema of a reply. The monologue comes first, so that a model reasons before it answers.
pub(super) fn schema(activation: &Activation) -> Value {
    let writes = &activation.program.manifest.writes;
    let value = json!({ "type": ["string", "number", "boolean", "array", "object", "null"] });
    let entry = json!({
        "type": "object",
        "properties": {
            "section": { "type": "string", "enum": writes },
            "text": { "type": "string" },
            "answer": value,
            "unit": { "type": "string" },
            "pass": { "type": "boolean" },
            "part": { "type": "integer" },
            "about": { "type": "integer" },
            "data": { "type": "object" },
        },
        "required": ["section", "text"],
    });
    json!({
        "type": "object",
        "properties": {
            "monologue": { "type": "string" },
            "contributions": { "type": "array", "items": entry },
            "next": { "type": "string" },
            "why": { "type": "string" },
        },
        "required": ["monologue", "contributions", "next", "why"],
    })
}

/// The text without `<think>…</think>`, and what stood in there.
pub(super) fn without_thoughts(text: &str) -> (String, String) {
    let (mut plain, mut thoughts, mut rest) = (String::new(), String::new(), text);
    while let Some((before, after)) = rest.split_once("<think>") {
        plain.push_str(before);
        let (thought, after) = after.split_once("</think>").unwrap_or((after, ""));
        thoughts.push_str(thought.trim());
        thoughts.push('\n');
        rest = after;
    }
    // Some servers swallow the opening mark.
    if let Some((thought, after)) = rest.split_once("</think>") {
        thoughts.push_str(thought.trim());
        rest = after;
    }
    plain.push_str(rest);
    (plain.trim().to_owned(), thoughts.trim().to_owned())
}

/// Reads a reply.
///
/// # Errors
/// One clause for the model: what is wrong with it.
pub(super) fn read(text: &str, activation: &Activation) -> Result<Output, String> {
    let value = loose::object(text).ok_or("there is no JSON object in it")?;
    let Value::Object(fields) = value else { return Err("it is no JSON object".to_owned()) };
    // A model that leaves the outer object out gives one contribution.
    let single = fields.contains_key("section") && !fields.contains_key("contributions");
    let entries = match fields.get("contributions") {
        _ if single => vec![Value::Object(fields.clone())],
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(entries)) => entries.clone(),
        Some(entry @ Value::Object(_)) => vec![entry.clone()],
        Some(Value::Bool(_) | Value::Number(_) | Value::String(_)) => {
            return Err("`contributions` must be a list of objects".to_owned());
        }
    };
    if entries.len() > MOST {
        return Err(format!("it has more than {MOST} contributions"));
    }
    let offers = entries.into_iter().map(|entry| offer(entry, activation)).collect::<Result<Vec<_>, _>>()?;
    let next = word(&fields, "next").filter(|next| !matches!(next.to_lowercase().as_str(), "none" | "null"));
    // Where it would send the work is a wish; one that names nothing that can be is no reason to ask again.
    let next = next.filter(|next| next == "USER" || Target::parse(next).is_ok());
    if offers.is_empty() && next.is_none() && !activation.program.manifest.writes.is_empty() {
        return Err("it contributes nothing and names nobody who should go on".to_owned());
    }
    Ok(Output {
        offers,
        monologue: word(&fields, "monologue").unwrap_or_default(),
        next,
        why: word(&fields, "why").unwrap_or_default(),
        ..Output::default()
    })
}

fn offer(entry: Value, activation: &Activation) -> Result<Offer, String> {
    let Value::Object(mut fields) = entry else { return Err("a contribution must be an object".to_owned()) };
    let writes = &activation.program.manifest.writes;
    let named = word(&fields, "section");
    let section = match (named, writes.as_slice()) {
        (Some(name), _) if writes.contains(&Section::new(&name)) => Section::new(name),
        (None, [only]) => only.clone(),
        (name, _) => {
            let names: Vec<&str> = writes.iter().map(Section::as_str).collect();
            let name =
                name.map_or("a contribution has no `section`".to_owned(), |name| format!("`{name}` is no section"));
            return Err(format!("{name}; `section` is one of: {}", names.join(", ")));
        }
    };
    let part = number(&fields, "part")?;
    let part = match part {
        None => activation.focus,
        Some(id) => {
            let known = activation.task.parts.iter().copied().find(|part| u64::from(part.0) == id);
            Some(known.ok_or_else(|| parts(id, &activation.task.parts))?)
        }
    };
    let about = number(&fields, "about")?.and_then(|id| u32::try_from(id).ok()).map(ContributionId);
    let text = word(&fields, "text");
    let mut data = match fields.remove("data") {
        Some(Value::Object(data)) => data,
        None | Some(Value::Null) => Map::new(),
        Some(other) => Map::from_iter([("value".to_owned(), other)]),
    };
    let unit = word(&fields, "unit");
    for (name, value) in fields {
        // What else stands beside the text is data too: models do not keep the two apart.
        if !matches!(name.as_str(), "section" | "text" | "part" | "about" | "unit") && !value.is_null() {
            data.entry(name).or_insert(value);
        }
    }
    if matches!(section.as_str(), Section::DRAFT | Section::ANSWER) {
        let answer = data.remove("answer").or_else(|| text.clone().map(Value::String));
        if let Some(answer) = answer {
            data.insert("answer".to_owned(), typed(answer, unit.as_deref()));
        }
    }
    let mut about = about;
    if section.as_str() == Section::VERDICT {
        judged(&mut about, &mut data, activation);
    }
    let text = text.or_else(|| data.get("answer").map(plain)).unwrap_or_default();
    if text.is_empty() && data.is_empty() {
        return Err(format!("the {section} is empty"));
    }
    let data = if data.is_empty() { Value::Null } else { Value::Object(data) };
    Ok(Offer { section, part, text, data, about })
}

/// Binds a verdict to the value that it judges, as it stood in the view: a model says which note, the engine needs what it said.
fn judged(about: &mut Option<ContributionId>, data: &mut Map<String, Value>, activation: &Activation) {
    let view = activation.view.json();
    let in_section = |name: &str| view.get(name).and_then(Value::as_array).into_iter().flatten().collect::<Vec<_>>();
    let values: Vec<&Value> = [Section::DRAFT, Section::ANSWER].into_iter().flat_map(in_section).collect();
    let id = |entry: &Value| entry.get("id").and_then(Value::as_u64).and_then(|id| u32::try_from(id).ok());
    let named = |entry: &&&Value| about.is_some_and(|about| id(entry) == Some(about.0));
    let found = match (values.iter().find(named), values.as_slice()) {
        (Some(found), _) => *found,
        // With one value in sight there is nothing else that it could judge.
        (None, [only]) => *only,
        (None, _) => return,
    };
    *about = id(found).map(ContributionId);
    if let Some(answer) = found.pointer("/data/answer") {
        data.entry("value").or_insert_with(|| answer.clone());
    }
}

fn parts(id: u64, known: &[PartId]) -> String {
    let known: Vec<String> = known.iter().map(ToString::to_string).collect();
    format!("there is no part {id}; the parts are {}", known.join(", "))
}

/// A value in the terms of the scorer.
fn typed(answer: Value, unit: Option<&str>) -> Value {
    match answer {
        Value::Object(fields) if fields.contains_key("is") => Value::Object(fields),
        Value::Object(fields) => match fields.get("value") {
            Some(value) => typed(value.clone(), fields.get("unit").and_then(Value::as_str).or(unit)),
            None => json!({ "is": "text", "value": Value::Object(fields).to_string() }),
        },
        Value::Number(number) => numeric(&number.to_string(), unit),
        Value::Bool(truth) => json!({ "is": "truth", "value": truth }),
        Value::Array(items) => json!({ "is": "list", "values": items.iter().map(plain).collect::<Vec<_>>() }),
        Value::Null => Value::Null,
        Value::String(text) => {
            let bare = text.trim().trim_end_matches('.').replace(',', "");
            let number = bare.trim_start_matches(['$', '€', '£']);
            let fit = number.parse::<f64>().is_ok_and(f64::is_finite)
                && number.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | '-' | '+'));
            if fit { numeric(number, unit) } else { json!({ "is": "text", "value": text.trim() }) }
        }
    }
}

fn numeric(value: &str, unit: Option<&str>) -> Value {
    match unit.map(str::trim).filter(|unit| !unit.is_empty()) {
        Some(unit) => json!({ "is": "number", "value": value, "unit": unit }),
        None => json!({ "is": "number", "value": value }),
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Object(fields) if fields.contains_key("value") => plain(&fields["value"]),
        other => other.to_string(),
    }
}

/// A text in a field; numbers and truths count as their text.
fn word(fields: &Map<String, Value>, name: &str) -> Option<String> {
    let text = match fields.get(name)? {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        Value::Bool(truth) => truth.to_string(),
        Value::Null => String::new(),
        other @ (Value::Array(_) | Value::Object(_)) => other.to_string(),
    };
    (!text.is_empty()).then_some(text)
}

/// A whole number in a field, also as text (`"1"`, `"part 1"`, `"#3"`).
fn number(fields: &Map<String, Value>, name: &str) -> Result<Option<u64>, String> {
    let wrong = || format!("`{name}` must be a whole number");
    match fields.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Number(number)) => number.as_u64().map(Some).ok_or_else(wrong),
        Some(Value::String(text)) if text.trim().is_empty() => Ok(None),
        Some(Value::String(text)) => {
            text.trim().trim_start_matches(|c: char| !c.is_ascii_digit()).parse().map(Some).map_err(|_| wrong())
        }
        Some(Value::Bool(_) | Value::Array(_) | Value::Object(_)) => Err(wrong()),
    }
}
