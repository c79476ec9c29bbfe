//! Tools over the values of answers.

use serde_json::Value;

use crate::solvers::answer::Answer;
use crate::solvers::checks;

use super::{Tool, Type};

/// The registry lines.
pub(super) static ANSWERS: &[Tool] = &[Tool {
    name: "same_value",
    takes: &[("a", Type::Any), ("b", Type::Any)],
    gives: Type::Truth,
    doc: "Says whether two answers are the same value, whatever form they are in",
    run: same_value,
}];

fn same_value(args: &[Value]) -> Result<Value, String> {
    let [a, b] = args else { return Err("it takes two answers".into()) };
    let canonical = |value: &Value| {
        let inner = value.get("answer").unwrap_or(value);
        serde_json::from_value::<Answer>(inner.clone()).ok().map(|answer| checks::canonical(&answer))
    };
    let same = match (canonical(a), canonical(b)) {
        (Some(a), Some(b)) => a == b,
        (None, None) => a == b,
        (Some(_), None) | (None, Some(_)) => false,
    };
    Ok(same.into())
}
