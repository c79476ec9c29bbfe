//! Reads what a model gave: JSON, or what can be mended into it, then contributions.

use serde_json::{Map, Value, json};

use crate::engine::ports::{Activation, Offer, Output};
use crate::model::{ContributionId, PartId, ReplyForm, Section, Target};

use super::{loose, plain};

/// The most contributions of one reply.
const MOST: usize = 64;

/// The JSON schema of a reply. The monologue comes first, so that a model reasons before it answers.
pub(super) fn schema(activation: &Activation) -> Option<Value> {
    match &activation.program.manifest.reply {
        ReplyForm::Text => None,
        ReplyForm::Contributions => Some(contributions_schema(&activation.program.manifest.writes)),
        ReplyForm::Fields(fields) => {
            let kind = |field: &String| json!({ "type": if is_truth(field) { "boolean" } else { "string" } });
            let properties: Map<String, Value> = fields.iter().map(|field| (field.clone(), kind(field))).collect();
            Some(
                json!({ "type": "object", "properties": properties, "required": fields, "additionalProperties": false }),
            )
        }
    }
}

/// Whether a field holds true or false.
pub(super) fn is_truth(field: &str) -> bool {
    matches!(field, "pass" | "complete")
}

fn contributions_schema(writes: &[Section]) -> Value {
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
    match &activation.program.manifest.reply {
        ReplyForm::Text => return plain_text(text, activation),
        ReplyForm::Fields(fields) => return from_fields(text, fields, activation),
        ReplyForm::Contributions => {}
    }
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

/// A flat object: one contribution, and where it says so, who goes next and why.
fn from_fields(text: &str, wanted: &[String], activation: &Activation) -> Result<Output, String> {
    let value = loose::object(text).ok_or("there is no JSON object in it")?;
    let Value::Object(mut fields) = value else { return Err("it is no JSON object".to_owned()) };
    let missing: Vec<&str> =
        wanted.iter().filter(|name| fields.get(*name).is_none_or(Value::is_null)).map(String::as_str).collect();
    if !missing.is_empty() {
        return Err(format!("it lacks {}", missing.join(", ")));
    }
    let truths = wanted.iter().filter(|name| is_truth(name));
    for name in truths {
        let Some(value) = fields.get_mut(name) else { continue };
        *value = Value::Bool(truth(value).ok_or_else(|| format!("`{name}` must be true or false"))?);
    }
    let next = word(&fields, "next").filter(|next| next == "USER" || Target::parse(next).is_ok());
    let why = word(&fields, "why").unwrap_or_default();
    fields.retain(|name, value| {
        let kept = wanted.contains(name) && !matches!(name.as_str(), "next" | "why" | "section");
        kept && (name == "answer" || !says_nothing(value))
    });
    let offers = match section_of(&fields, &activation.program.manifest.writes) {
        Some(section) if !fields.is_empty() => vec![gathered(fields, section, wanted, activation)?],
        Some(_) | None => Vec::new(),
    };
    Ok(Output { offers, next, why, ..Output::default() })
}

/// What a model writes in a field that it must fill and has nothing for.
fn says_nothing(value: &Value) -> bool {
    let text = value.as_str().unwrap_or("-").trim().to_lowercase();
    let text = text.strip_suffix('.').unwrap_or(&text);
    text.is_empty() || matches!(text, "none" | "nothing" | "null" | "n/a" | "no one" | "…" | "...")
}

/// The section that fields are for: the first that the program writes. An objection that passes, or says nothing, is none; an
/// assessment that something is missing is a gap.
fn section_of<'a>(fields: &Map<String, Value>, writes: &'a [Section]) -> Option<&'a Section> {
    let first = writes.first()?;
    let is = |name: &str| fields.get(name).and_then(Value::as_bool);
    match first.as_str() {
        Section::VETO | Section::COUNTEREXAMPLE | Section::CRITIQUE => {
            let empty = fields.keys().all(|name| is_truth(name));
            (is("pass") != Some(true) && !empty).then_some(first)
        }
        Section::ASSESSMENT if is("complete") == Some(false) => {
            writes.iter().find(|section| section.as_str() == Section::GAP).or(Some(first))
        }
        _ => Some(first),
    }
}

/// Fields as one contribution.
fn gathered(
    mut fields: Map<String, Value>,
    section: &Section,
    wanted: &[String],
    activation: &Activation,
) -> Result<Offer, String> {
    // What the contribution says in words: its text, or else the last field, which the others lead up to.
    let last = wanted.iter().rev().find(|name| !is_truth(name) && fields.contains_key(*name));
    let said = last.and_then(|name| word(&fields, name)).filter(|_| !fields.contains_key("text"));
    let plain = || {
        let truth = |name: &str| fields.get(name).and_then(Value::as_bool);
        match (truth("pass"), truth("complete")) {
            (Some(pass), _) => Some(if pass { "pass" } else { "fail" }.to_owned()),
            (None, Some(complete)) => Some(if complete { "complete" } else { "not complete" }.to_owned()),
            (None, None) => None,
        }
    };
    if let Some(said) = said.or_else(|| plain().filter(|_| !fields.contains_key("text"))) {
        fields.insert("text".to_owned(), said.into());
    }
    fields.insert("section".to_owned(), section.as_str().into());
    match section.as_str() {
        Section::GAP => {
            fields.entry("sort").or_insert_with(|| "solution".into());
        }
        // A verdict is on the newest value in sight.
        Section::VERDICT => {
            let view = activation.view.json();
            let newest = [Section::ANSWER, Section::DRAFT].iter().find_map(|name| view[*name][0]["id"].as_u64());
            if let Some(newest) = newest {
                fields.entry("about").or_insert_with(|| newest.into());
            }
        }
        _ => {}
    }
    sign(&mut fields, activation);
    offer(Value::Object(fields), activation)
}

/// The method by which the program works, as its parameters say: two values by one method corroborate nothing.
fn sign(fields: &mut Map<String, Value>, activation: &Activation) {
    if let Some(method) = activation.program.manifest.params.get("method") {
        fields.entry("method").or_insert_with(|| method.clone());
    }
}

fn truth(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(truth) => Some(*truth),
        Value::String(text) => match text.trim().to_lowercase().as_str() {
            "true" | "yes" | "pass" => Some(true),
            "false" | "no" | "fail" => Some(false),
            _ => None,
        },
        Value::Null | Value::Number(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

/// Free text: the contribution is what it says; its value stands in the last line `Answer: …`.
fn plain_text(text: &str, activation: &Activation) -> Result<Output, String> {
    let Some(section) = activation.program.manifest.writes.first() else { return Ok(Output::default()) };
    let whole = text.trim();
    if whole.is_empty() {
        return Err("it is empty".to_owned());
    }
    let marked = plain::value(whole);
    let is_value = is_value(section);
    let mut fields = Map::from_iter([("section".to_owned(), Value::from(section.as_str()))]);
    match (is_value, marked) {
        (true, None) => return Err("the line `Answer: …` is missing".to_owned()),
        (true, Some(answer)) => {
            fields.insert("text".to_owned(), answer.clone().into());
            fields.insert("answer".to_owned(), answer.into());
        }
        (false, _) => {
            fields.insert("text".to_owned(), whole.into());
        }
    }
    sign(&mut fields, activation);
    let monologue = if is_value { whole.to_owned() } else { String::new() };
    Ok(Output { offers: vec![offer(Value::Object(fields), activation)?], monologue, ..Output::default() })
}

fn is_value(section: &Section) -> bool {
    matches!(section.as_str(), Section::DRAFT | Section::ANSWER)
}

/// Whether a program's free text is a value.
pub(super) fn writes_value(writes: &[Section]) -> bool {
    writes.first().is_some_and(is_value)
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
pub(super) fn typed(answer: Value, unit: Option<&str>) -> Value {
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
        Value::String(text) => match plain::bare_number(&text) {
            Some(number) => numeric(&number, unit),
            None => json!({ "is": "text", "value": text.trim() }),
        },
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
