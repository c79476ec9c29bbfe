//! Runs programs of kind `script`: the task, the view and the parameters go in, contributions come out.

use std::time::Duration;

use futures::future::BoxFuture;
use serde_json::{Map, Value, json};

use crate::engine::ports::{Activation, Offer, Output, RunError, ToolAnswer, Toolbox};
use crate::model::{Attachment, CallRecord, ContributionId, Hash, Part, PartId, Section, Usage};

use super::job::{Call, Decision, Host, Job, Outcome, Script, ScriptError};
use super::pool::Pool;

/// Strings in the record of a call's arguments are kept up to this length; longer ones by hash.
const KEPT: usize = 2 << 10;

/// Runs one script.
///
/// # Errors
/// When the script fails or returns something else than it must; the message is readable by its author.
pub(super) async fn run(pool: &Pool, toolbox: &dyn Toolbox, activation: Activation) -> Result<Output, RunError> {
    let program = &activation.program;
    let granted: Vec<&str> = program.manifest.tools.iter().map(String::as_str).collect();
    let (local, asked): (Vec<&str>, Vec<&str>) =
        granted.into_iter().partition(|tool| toolbox.computing().contains(tool));
    let script = Script::new(&program.body, &program.path, "run");
    let args = vec![task(&activation), activation.view.json(), Value::Object(program.manifest.params.clone())];
    let deadline: Duration = activation.deadline;
    let mut job = Job::new(script, args).with_local_tools(&local).with_tools(&asked).with_deadline(deadline);
    job.nested = activation.depth > 0;
    let mut desk = Desk { toolbox, activation: &activation, answered: 0 };
    let Outcome { result, calls, printed, .. } = pool.outcome(&job, &mut desk).await;
    let calls: Vec<CallRecord> = calls.into_iter().map(record).collect();
    let failed = |message: String| RunError { calls: calls.clone(), ..RunError::new(message) };
    let value = result.map_err(|error: ScriptError| failed(error.details()))?;
    let mut output = output(&value, activation.focus).map_err(|message| {
        failed(format!("{}: run() returned something else than a program must: {message}", program.path))
    })?;
    if !printed.is_empty() {
        output.monologue =
            [output.monologue, printed].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n");
    }
    output.usage = Usage::default();
    output.calls = calls;
    Ok(output)
}

/// What a script gets as `task`: the words, the part that work is about now, and all parts with their readings.
fn task(activation: &Activation) -> Value {
    let known = |id: &PartId| activation.query.part(*id).map(describe);
    json!({
        "id": activation.task.id,
        "text": activation.task.text,
        "query": activation.query.text,
        "focus": activation.focus,
        "part": activation.focus.as_ref().and_then(known),
        "parts": activation.task.parts.iter().filter_map(known).collect::<Vec<_>>(),
        "attachments": activation.query.attachments.iter().map(attached).collect::<Vec<_>>(),
    })
}

/// A file as a script gets it. No script can look at an image, so it gets none of its bytes.
fn attached(file: &Attachment) -> Value {
    let mut told = json!({ "name": file.name, "text": file.text });
    if let Some(image) = &file.image {
        told["image"] = json!({ "media": image.media, "size": image.size() });
    }
    told
}

fn describe(part: &Part) -> Value {
    json!({
        "id": part.id, "text": part.text, "class": part.class, "unclear": part.unclear, "cautions": part.cautions,
        "reading": part.reading,
    })
}

/// Answers the calls that need more than computing; from the record, where a run is replayed.
struct Desk<'a> {
    toolbox: &'a dyn Toolbox,
    activation: &'a Activation,
    answered: usize,
}

impl Host for Desk<'_> {
    fn call<'a>(&'a mut self, name: &'a str, args: &'a [Value]) -> BoxFuture<'a, Decision> {
        Box::pin(async move {
            if let Some(recorded) = self.activation.recorded.clone() {
                let computing = self.toolbox.computing();
                let asked = |call: &&CallRecord| !computing.contains(&call.tool.as_str());
                let next = recorded.iter().filter(asked).nth(self.answered);
                self.answered += 1;
                return match next {
                    Some(call) if call.tool == name => match &call.result {
                        Ok(value) => Decision::Value(value.clone()),
                        Err(error) => Decision::Error(error.clone()),
                    },
                    Some(_) | None => Decision::Refuse(format!("the record holds no such call of {name}")),
                };
            }
            match self.toolbox.call(self.activation, name, args).await {
                ToolAnswer::Compute => Decision::Local,
                ToolAnswer::Value(value) => Decision::Value(value),
                ToolAnswer::Refuse(why) => Decision::Error(why),
            }
        })
    }
}

fn record(call: Call) -> CallRecord {
    let args = call.args.iter().map(shorten).collect();
    CallRecord { tool: call.name, args: Value::Array(args), result: call.result, micros: call.micros }
}

pub(super) fn shorten(value: &Value) -> Value {
    match value {
        Value::String(text) if text.len() > KEPT => json!({ "hash": Hash::of(text).short(), "bytes": text.len() }),
        Value::Array(items) => items.iter().map(shorten).collect(),
        Value::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), shorten(value))).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
    }
}

/// Reads what `run` returned.
fn output(value: &Value, focus: Option<PartId>) -> Result<Output, String> {
    let Value::Object(fields) = value else { return Err(format!("a dict was expected, not {}", kind(value))) };
    let known = ["contributions", "monologue", "next", "why"];
    if let Some(unknown) = fields.keys().find(|name| !known.contains(&name.as_str())) {
        return Err(format!("`{unknown}` is none of {}", known.join(", ")));
    }
    let offers = match fields.get("contributions") {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(items)) => items.iter().map(|item| offer(item, focus)).collect::<Result<_, _>>()?,
        Some(other) => return Err(format!("`contributions` must be a list, not {}", kind(other))),
    };
    let next = text(fields, "next")?.filter(|next| !next.is_empty());
    Ok(Output {
        offers,
        monologue: text(fields, "monologue")?.unwrap_or_default(),
        next,
        why: text(fields, "why")?.unwrap_or_default(),
        ..Output::default()
    })
}

fn offer(value: &Value, focus: Option<PartId>) -> Result<Offer, String> {
    let Value::Object(fields) = value else {
        return Err(format!("a contribution must be a dict, not {}", kind(value)));
    };
    let known = ["section", "text", "data", "part", "about"];
    if let Some(unknown) = fields.keys().find(|name| !known.contains(&name.as_str())) {
        return Err(format!("a contribution has no `{unknown}`; it has {}", known.join(", ")));
    }
    let section = text(fields, "section")?.ok_or("a contribution needs a `section`")?;
    let number = |name: &str| match fields.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Number(number)) => number.as_u64().map(Some).ok_or(format!("`{name}` must be a whole number")),
        Some(other) => Err(format!("`{name}` must be a whole number, not {}", kind(other))),
    };
    let part = match (fields.get("part"), number("part")?) {
        (None, _) => focus,
        (Some(_), None) => None,
        (Some(_), Some(id)) => Some(PartId(u16::try_from(id).map_err(|_| format!("there is no part {id}"))?)),
    };
    let about = number("about")?.map(|id| u32::try_from(id).map_err(|_| format!("there is no contribution {id}")));
    Ok(Offer {
        section: Section::new(section),
        part,
        text: text(fields, "text")?.unwrap_or_default(),
        data: fields.get("data").cloned().unwrap_or(Value::Null),
        about: about.transpose()?.map(ContributionId),
    })
}

fn text(fields: &Map<String, Value>, name: &str) -> Result<Option<String>, String> {
    match fields.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(other) => Err(format!("`{name}` must be text, not {}", kind(other))),
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "None",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "a dict",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_shapes_are_named() {
        let check = |value: Value, expected: &str| {
            let error = output(&value, None).unwrap_err();
            assert!(error.contains(expected), "{error}");
        };
        check(json!(3), "a dict was expected, not a number");
        check(json!({ "contribution": [] }), "`contribution` is none of");
        check(json!({ "contributions": {} }), "must be a list, not a dict");
        check(json!({ "contributions": [{ "text": "x" }] }), "needs a `section`");
        check(json!({ "contributions": [{ "section": "draft", "part": "1" }] }), "`part` must be a whole number");
        check(json!({ "next": 1 }), "`next` must be text");
    }

    #[test]
    fn a_contribution_speaks_to_the_focus_unless_it_says_otherwise() {
        let value = json!({ "contributions": [{ "section": "draft" }, { "section": "fact", "part": null }] });
        let parts: Vec<_> = output(&value, Some(PartId(2))).unwrap().offers.iter().map(|offer| offer.part).collect();
        assert_eq!(parts, [Some(PartId(2)), None]);
    }
}
