//! Reads the arguments that a script passes to a tool.

use num_bigint::BigInt;
use serde_json::Value;

use crate::solvers::quantity::rational::{self, Rational};

/// Most entries of a list argument.
const MAX_LIST: usize = 10_000;

/// The argument at a place.
///
/// # Errors
/// It is missing.
pub(super) fn at(args: &[Value], i: usize) -> Result<&Value, String> {
    args.get(i).ok_or_else(|| format!("argument {} is missing", i + 1))
}

/// Text; numbers count as their digits.
pub(super) fn text(args: &[Value], i: usize) -> Result<String, String> {
    scalar(at(args, i)?).ok_or_else(|| format!("argument {} must be text", i + 1))
}

fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(s) => Some(s.clone()),
        Value::Number(n) => Some(n.to_string()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

/// An exact number: text that evaluates to one, or a JSON number.
pub(super) fn number(args: &[Value], i: usize) -> Result<Rational, String> {
    exact(&text(args, i)?)
}

fn exact(text: &str) -> Result<Rational, String> {
    rational::parse(text).or_else(|_| {
        let q = crate::solvers::quantity::calculate(text)?;
        if q.unit.dimension.is_none() { Ok(q.base()) } else { Err(format!("{text} has a unit")) }
    })
}

/// A whole number.
pub(super) fn whole(args: &[Value], i: usize) -> Result<BigInt, String> {
    crate::solvers::integers::parse(&text(args, i)?)
}

/// A small whole number.
pub(super) fn small(args: &[Value], i: usize, most: usize) -> Result<usize, String> {
    crate::solvers::integers::small(&whole(args, i)?, most, &format!("argument {}", i + 1))
}

fn entries(args: &[Value], i: usize) -> Result<Vec<String>, String> {
    let list = at(args, i)?.as_array().ok_or_else(|| format!("argument {} must be a list", i + 1))?;
    if list.len() > MAX_LIST {
        return Err(format!("a list of more than {MAX_LIST} entries"));
    }
    list.iter().map(|v| scalar(v).ok_or_else(|| format!("argument {} must be a list of numbers", i + 1))).collect()
}

/// A list of exact numbers.
pub(super) fn numbers(args: &[Value], i: usize) -> Result<Vec<Rational>, String> {
    entries(args, i)?.iter().map(|t| exact(t)).collect()
}

/// A list of whole numbers.
pub(super) fn wholes(args: &[Value], i: usize) -> Result<Vec<BigInt>, String> {
    entries(args, i)?.iter().map(|t| crate::solvers::integers::parse(t)).collect()
}

/// An argument of one of our own types, written as JSON.
pub(super) fn typed<T: serde::de::DeserializeOwned>(args: &[Value], i: usize) -> Result<T, String> {
    serde_json::from_value(at(args, i)?.clone()).map_err(|e| format!("argument {}: {e}", i + 1))
}
