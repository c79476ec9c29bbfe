//! Calls of tools that a model makes: by the server's own means, or in the text by a convention; and what is told of them.

use std::time::Instant;

use futures::future::join_all;
use serde_json::{Map, Value, json};

use crate::engine::ports::{Activation, Message, ToolAnswer, ToolCall, ToolSpec, Toolbox};
use crate::model::CallRecord;
use crate::runtime::job::{Job, Script, Trusting};
use crate::runtime::pool::Pool;
use crate::runtime::record::{MAX_TEXT, clip_to};
use crate::runtime::script::shorten;
use crate::tools::{RECALL, TOOLS, Tool, Type};

use super::loose;

/// Calls of one reply that are made; the rest are told to wait.
pub(super) const AT_ONCE: usize = 8;

/// The longest result that a model gets to read: its beginning and its end.
const RESULT: usize = 4 << 10;

const OPEN: &str = "<tool_call>";
const CLOSE: &str = "</tool_call>";

/// The tools of a manifest as a model is told of them.
pub(super) fn specs(names: &[String]) -> Vec<ToolSpec> {
    names.iter().map(|name| spec(name)).collect()
}

fn tool(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().flat_map(|family| family.iter()).chain([&RECALL]).find(|tool| tool.name == name)
}

fn spec(name: &str) -> ToolSpec {
    let name = name.to_owned();
    let Some(tool) = tool(&name) else {
        // Tools that run programs have no signature; they take a list.
        let takes = json!({ "type": "object", "properties": { "args": { "type": "array", "items": {} } } });
        return ToolSpec { name, doc: "Runs programs; takes the list of its arguments".to_owned(), takes };
    };
    let fields: Map<String, Value> =
        tool.takes.iter().map(|(parameter, kind)| ((*parameter).to_owned(), schema(*kind))).collect();
    let takes = json!({ "type": "object", "properties": fields });
    ToolSpec { name, doc: tool.doc.to_owned(), takes }
}

fn schema(kind: Type) -> Value {
    let text = |what: &str| json!({ "type": "string", "description": what });
    let list = |what: &str| json!({ "type": "array", "items": { "type": "string" }, "description": what });
    match kind {
        Type::Expression => text("an expression, such as 2*x + 1"),
        Type::Equation => text("an equation, such as 2*x = 6"),
        Type::Number => text("a number"),
        Type::Name => text("the name of an unknown"),
        Type::Text => text("text"),
        Type::Equations => list("equations"),
        Type::Numbers => list("numbers"),
        Type::Names => list("names of unknowns"),
        Type::Candidates => json!({ "type": "array", "items": { "type": "object" }, "description": "assignments" }),
        Type::Assignment => json!({ "type": "object", "description": "an assignment, such as {\"x\": \"6\"}" }),
        Type::Truth => json!({ "type": "boolean" }),
        Type::Any => json!({}),
    }
}

/// The calls that stand in a text, of tools that there are.
pub(super) fn in_text(text: &str, tools: &[ToolSpec]) -> Vec<ToolCall> {
    if tools.is_empty() {
        return Vec::new();
    }
    let blocks = text.split(OPEN).skip(1).map(|rest| rest.split_once(CLOSE).map_or(rest, |(block, _)| block));
    let read = |(at, block): (usize, &str)| {
        let call = loose::object(block)?;
        let name = call.get("name").and_then(Value::as_str)?.to_owned();
        let args = call.get("arguments").or_else(|| call.get("parameters")).or_else(|| call.get("args"));
        let args = match args {
            Some(Value::String(raw)) => raw.clone(),
            Some(value) => value.to_string(),
            None => "{}".to_owned(),
        };
        Some(ToolCall { id: format!("call_{at}"), name, args, mark: None })
    };
    let found: Vec<ToolCall> = blocks.enumerate().filter_map(read).collect();
    if !found.is_empty() {
        return found;
    }
    // A model that forgets the marks but writes the call and nothing else.
    let known = |value: &Value| {
        let name = value.get("name").and_then(Value::as_str);
        name.is_some_and(|name| tools.iter().any(|tool| tool.name == name)) && value.get("arguments").is_some()
    };
    match loose::object(text).filter(known) {
        Some(value) => in_text(&format!("{OPEN}{value}{CLOSE}"), tools),
        None => Vec::new(),
    }
}

/// Runs calls.
pub(super) struct Desk<'a> {
    pub(super) toolbox: &'a dyn Toolbox,
    pub(super) pool: &'a Pool,
    pub(super) activation: &'a Activation,
}

impl Desk<'_> {
    /// Makes the first calls of a reply, all at once.
    pub(super) async fn run(&self, wants: &[ToolCall]) -> Vec<CallRecord> {
        join_all(wants.iter().take(AT_ONCE).map(|want| self.one(want))).await
    }

    async fn one(&self, want: &ToolCall) -> CallRecord {
        let began = Instant::now();
        let args = self.arguments(want);
        let result = match &args {
            Ok(args) => self.answer(&want.name, args).await,
            Err(why) => Err(why.clone()),
        };
        let micros = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
        let args = args.map_or_else(|_| json!([want.args]), Value::Array);
        CallRecord { tool: want.name.clone(), args, result, micros }
    }

    /// Arguments by position. What is wrong with them is told to the model, which may call again.
    fn arguments(&self, want: &ToolCall) -> Result<Vec<Value>, String> {
        let granted = &self.activation.program.manifest.tools;
        if !granted.contains(&want.name) {
            return Err(format!("there is no tool `{}`; the tools are {}", want.name, granted.join(", ")));
        }
        let raw = if want.args.trim().is_empty() { "{}" } else { &want.args };
        let value = match serde_json::from_str(raw) {
            Ok(value) => value,
            Err(error) => loose::object(raw).ok_or_else(|| format!("the arguments are no JSON: {error}"))?,
        };
        let mut fields = match value {
            Value::Array(args) => return Ok(args),
            Value::Object(fields) => fields,
            other => return Ok(vec![other]),
        };
        let Some(tool) = tool(&want.name) else {
            return match fields.remove("args") {
                Some(Value::Array(args)) => Ok(args),
                Some(_) | None => Ok(fields.into_iter().map(|(_, value)| value).collect()),
            };
        };
        let names: Vec<&str> = tool.takes.iter().map(|(name, _)| *name).collect();
        if let Some(unknown) = fields.keys().find(|name| !names.contains(&name.as_str())) {
            return Err(format!("`{}` has no parameter `{unknown}`; it takes {}", want.name, names.join(", ")));
        }
        let last = names.iter().rposition(|name| fields.contains_key(*name)).map_or(0, |at| at + 1);
        let lacking = |name: &str| format!("`{}` lacks its argument `{name}`", want.name);
        names.iter().take(last).map(|name| fields.remove(*name).ok_or_else(|| lacking(name))).collect()
    }

    async fn answer(&self, name: &str, args: &[Value]) -> Result<Value, String> {
        match self.toolbox.call(self.activation, name, args).await {
            ToolAnswer::Value(value) => Ok(value),
            ToolAnswer::Refuse(why) => Err(why),
            ToolAnswer::Compute => self.compute(name, args).await,
        }
    }

    /// Computes in a worker, under its limits: what a model asks for is no safer than what a script does.
    async fn compute(&self, name: &str, args: &[Value]) -> Result<Value, String> {
        let places: Vec<String> = (0..args.len()).map(|at| format!("a{at}")).collect();
        let places = places.join(", ");
        let source = format!("def run({places}):\n    return {name}({places})\n");
        let script = Script::new(&source, "call", "run");
        let mut job = Job::new(script, args.to_vec()).with_local_tools(&[name]).with_deadline(self.activation.deadline);
        job.nested = self.activation.depth > 0;
        let outcome = self.pool.outcome(&job, &mut Trusting).await;
        // The tool's own words say more than a traceback of the line that called it.
        match (outcome.result, outcome.calls.into_iter().next_back()) {
            (Ok(value), _) => Ok(value),
            (Err(_), Some(call)) if call.result.is_err() => call.result,
            (Err(error), _) => Err(error.to_string()),
        }
    }
}

/// What the model is told of each call.
pub(super) fn answers(wants: &[ToolCall], records: &[CallRecord]) -> Vec<String> {
    let told = records.iter().map(|record| match &record.result {
        Ok(Value::String(text)) => shown(text.clone()),
        Ok(value) => shown(value.to_string()),
        Err(why) => format!("error: {}", shown(why.clone())),
    });
    let rest =
        (records.len()..wants.len()).map(|_| format!("error: not called, since {AT_ONCE} calls at once are enough"));
    told.chain(rest).collect()
}

/// What the model is told of calls after the last round.
pub(super) fn none_left(wants: &[ToolCall]) -> Vec<String> {
    wants.iter().map(|_| "error: no calls are left; give your JSON object now".to_owned()).collect()
}

/// Adds calls and answers to a conversation. Every call gets an answer, or no server would take the conversation again.
pub(super) fn told(messages: &mut Vec<Message>, text: &str, wants: &[ToolCall], answers: &[String], native: bool) {
    if native {
        let calls: Vec<ToolCall> = wants.iter().map(sound).collect();
        messages.push(Message::Model { text: text.to_owned(), calls });
        let answer = |(want, answer): (&ToolCall, &String)| Message::Tool {
            id: want.id.clone(),
            name: want.name.clone(),
            text: answer.clone(),
        };
        messages.extend(wants.iter().zip(answers).map(answer));
    } else {
        messages.push(Message::Model { text: text.to_owned(), calls: Vec::new() });
        let lines = wants.iter().zip(answers).map(|(want, answer)| format!("{}: {answer}", want.name));
        let all: Vec<String> = lines.collect();
        messages.push(Message::User(format!("Results of your calls:\n{}", all.join("\n"))));
    }
}

/// A call as it may stand in a conversation: some servers refuse all that follows arguments which are no object.
fn sound(call: &ToolCall) -> ToolCall {
    let args = match serde_json::from_str::<Value>(&call.args) {
        Ok(Value::Object(_)) => call.args.clone(),
        Ok(_) | Err(_) => loose::object(&call.args).unwrap_or_else(|| json!({})).to_string(),
    };
    ToolCall { args, ..call.clone() }
}

/// A call for the record.
pub(super) fn kept(call: &CallRecord) -> CallRecord {
    let result = match &call.result {
        Ok(value) => {
            let text = value.to_string();
            if text.len() > MAX_TEXT { Ok(Value::String(clip_to(text, MAX_TEXT))) } else { Ok(value.clone()) }
        }
        Err(why) => Err(clip_to(why.clone(), MAX_TEXT)),
    };
    CallRecord { args: shorten(&call.args), result, ..call.clone() }
}

/// A result of bounded length: its beginning and its end.
fn shown(text: String) -> String {
    if text.len() <= RESULT {
        return text;
    }
    let tail: String = text.chars().rev().take(RESULT / 4).collect::<Vec<_>>().into_iter().rev().collect();
    format!("{} … {tail}", clip_to(text, RESULT / 2))
}
