//! Tools of programs that mend programs.

use serde_json::{Value, json};

use crate::solvers::mutation::{Focus, Kind, Primitive, mutants};

use super::{TOOLS, Tool, Type};

/// The registry lines.
pub(super) static REPAIR: &[Tool] = &[Tool {
    name: "mutants",
    takes: &[("source", Type::Text), ("tools", Type::Any), ("skip", Type::Any), ("count", Type::Any)],
    gives: Type::Any,
    doc: "Gives `count` edited texts of a script after the first `skip`, likeliest first, each with what it changes",
    run: edited,
}];

fn edited(args: &[Value]) -> Result<Value, String> {
    let [Value::String(source), Value::Array(granted), skip, count] = args else {
        return Err("it takes a source, a list of tool names, and two numbers".into());
    };
    let number = |value: &Value| value.as_u64().and_then(|n| usize::try_from(n).ok()).ok_or("a number is needed");
    let (skip, count) = (number(skip)?, number(count)?.min(4096));
    let focus = Focus { bound: skip.saturating_add(count), ..Focus::default() };
    let found = mutants(source, &focus, &primitives(granted)).map_err(|error| error.to_string())?;
    Ok(found.skip(skip).take(count).map(|mutant| json!({ "text": mutant.text, "what": mutant.what })).collect())
}

/// The granted tools as what a repair may insert.
fn primitives(granted: &[Value]) -> Vec<Primitive> {
    let kind = |of: Type| Kind::new(serde_json::to_value(of).ok().and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default());
    TOOLS
        .iter()
        .flat_map(|family| family.iter())
        .filter(|tool| granted.iter().any(|name| name == tool.name))
        .map(|tool| Primitive {
            name: tool.name.to_owned(),
            takes: tool.takes.iter().map(|(_, of)| kind(*of)).collect(),
            gives: kind(tool.gives),
        })
        .collect()
}
