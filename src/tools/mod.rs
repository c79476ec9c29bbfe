//! Floor 2: what programs may call. One file a family of tools, one registry line each.
//!
//! A tool is a name, a typed signature and a function over JSON. The signature is data because a repair may insert
//! calls, and because a model must be told what it may call.

pub mod algebra;
mod answers;
mod given;
pub mod quantity;
pub mod reading;
mod repair;
mod toolbox;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use toolbox::{Tools, names};

/// All tools that only compute, by family. (Those that need more are in the toolbox.)
pub static TOOLS: &[&[Tool]] = &[algebra::TOOLS, quantity::TOOLS, reading::TOOLS, answers::ANSWERS, repair::REPAIR];

/// The type of an argument or result, as far as programs care.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Type {
    /// Text of an expression.
    Expression,
    /// Text `lhs = rhs`.
    Equation,
    /// List of equations.
    Equations,
    /// List of assignments `{"x": "6"}`.
    Candidates,
    /// One assignment.
    Assignment,
    /// A number as text or integer.
    Number,
    /// A list of numbers.
    Numbers,
    /// Name of an unknown.
    Name,
    /// List of names.
    Names,
    /// Yes or no.
    Truth,
    /// Any text.
    Text,
    /// Anything else.
    Any,
}

/// A tool that only computes: same arguments, same result, no effect. It runs inside the worker, under its limits.
#[derive(Clone, Copy)]
pub struct Tool {
    /// The name that scripts call.
    pub name: &'static str,
    /// Parameters in order.
    pub takes: &'static [(&'static str, Type)],
    /// Result.
    pub gives: Type,
    /// One sentence for people and models.
    pub doc: &'static str,
    /// The function. Errors are one clause, lower case, no full stop; the script sees them as `ValueError`.
    pub run: fn(&[Value]) -> Result<Value, String>,
}

/// The signature of the tool by which programs recall; the toolbox answers it, and no worker can.
pub static RECALL: Tool = Tool {
    name: "recall",
    takes: &[("question", Type::Text), ("most", Type::Any)],
    gives: Type::Any,
    doc: "Questions like this one that were solved before, and how; `most` is a number, at most 10",
    run: |_| Err("it is answered outside the worker".into()),
};

#[cfg(test)]
mod tests {
    #[test]
    fn no_two_tools_have_one_name() {
        let mut names = super::names();
        names.sort_unstable();
        let twice: Vec<_> = names.windows(2).filter(|pair| pair[0] == pair[1]).collect();
        assert!(twice.is_empty(), "{twice:?}");
    }
}
