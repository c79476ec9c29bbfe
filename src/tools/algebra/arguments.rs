//! JSON in and out of the algebra tools.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use serde_json::{Map, Value, json};

use crate::solvers::algebra::{AlgebraError, Equation, Expr, Q, parse, parse_equation};

/// Most entries of a list.
const MAX_LIST: usize = 500;

/// Result of a tool.
pub(super) type Given = Result<Value, String>;

/// Writes an error as the clause that scripts see.
pub(super) fn clause(e: AlgebraError) -> String {
    e.to_string()
}

fn argument(args: &[Value], i: usize) -> Result<&Value, String> {
    args.get(i).ok_or_else(|| format!("argument {} is missing", i + 1))
}

/// Reads an expression from text or a number.
pub(super) fn read_expression(v: &Value) -> Result<Expr, String> {
    match v {
        Value::String(s) => parse(s).map_err(clause),
        Value::Number(n) => parse(&n.to_string()).map_err(clause),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => {
            Err("expected an expression as text".to_owned())
        }
    }
}

/// Reads argument `i` as an expression.
pub(super) fn expression(args: &[Value], i: usize) -> Result<Expr, String> {
    read_expression(argument(args, i)?)
}

/// An expression or an equation.
pub(super) enum Either {
    Expression(Expr),
    Equation(Equation),
}

impl Either {
    /// Returns the expression, or left minus right.
    pub(super) fn difference(&self) -> Expr {
        match self {
            Self::Expression(e) => e.clone(),
            Self::Equation(eq) => eq.difference(),
        }
    }
}

/// Reads argument `i` as an equation where it has `=`, else as an expression.
pub(super) fn either(args: &[Value], i: usize) -> Result<Either, String> {
    match argument(args, i)? {
        Value::String(s) if s.contains('=') => Ok(Either::Equation(parse_equation(s).map_err(clause)?)),
        other => Ok(Either::Expression(read_expression(other)?)),
    }
}

fn read_equation(v: &Value) -> Result<Equation, String> {
    let text = v.as_str().ok_or_else(|| "expected an equation as text".to_owned())?;
    parse_equation(text).map_err(clause)
}

/// Reads argument `i` as an equation.
pub(super) fn equation(args: &[Value], i: usize) -> Result<Equation, String> {
    read_equation(argument(args, i)?)
}

fn list(args: &[Value], i: usize) -> Result<&[Value], String> {
    let v = argument(args, i)?.as_array().ok_or_else(|| format!("argument {} is no list", i + 1))?;
    if v.len() > MAX_LIST { Err(format!("a list of more than {MAX_LIST} entries")) } else { Ok(v) }
}

/// Reads argument `i` as a list of equations.
pub(super) fn equations(args: &[Value], i: usize) -> Result<Vec<Equation>, String> {
    list(args, i)?.iter().map(read_equation).collect()
}

/// Reads argument `i` as text.
pub(super) fn text(args: &[Value], i: usize) -> Result<&str, String> {
    argument(args, i)?.as_str().ok_or_else(|| format!("argument {} is no text", i + 1))
}

/// Reads argument `i` as a list of names.
pub(super) fn names(args: &[Value], i: usize) -> Result<Vec<String>, String> {
    list(args, i)?.iter().map(|v| v.as_str().map(str::to_owned).ok_or_else(|| "expected names".to_owned())).collect()
}

/// Reads argument `i` as a list of expressions.
pub(super) fn expressions(args: &[Value], i: usize) -> Result<Vec<Expr>, String> {
    list(args, i)?.iter().map(read_expression).collect()
}

/// Reads argument `i` as a small whole number.
pub(super) fn whole(args: &[Value], i: usize) -> Result<u32, String> {
    let q = rational(args, i)?;
    let small = q.is_integer().then(|| q.numer().to_u32()).flatten();
    small.ok_or_else(|| format!("argument {} is no small whole number", i + 1))
}

/// Reads argument `i` as a rational number.
pub(super) fn rational(args: &[Value], i: usize) -> Result<Q, String> {
    read_rational(argument(args, i)?)
}

/// Reads a value as a rational number.
pub(super) fn read_rational(v: &Value) -> Result<Q, String> {
    let e = crate::solvers::algebra::simplify(&read_expression(v)?).map_err(clause)?;
    e.as_num().cloned().ok_or_else(|| format!("{e} is no rational number"))
}

/// Reads a value as an assignment.
pub(super) fn read_assignment(v: &Value) -> Result<BTreeMap<String, Expr>, String> {
    let map = v.as_object().ok_or_else(|| "expected an assignment such as {\"x\": \"6\"}".to_owned())?;
    map.iter().map(|(n, v)| Ok((n.clone(), read_expression(v)?))).collect()
}

/// Reads argument `i` as an assignment.
pub(super) fn assignment(args: &[Value], i: usize) -> Result<BTreeMap<String, Expr>, String> {
    read_assignment(argument(args, i)?)
}

/// Reads argument `i` as it is.
pub(super) fn values(args: &[Value], i: usize) -> Result<&[Value], String> {
    list(args, i)
}

/// Writes anything that prints.
pub(super) fn shown(e: &impl std::fmt::Display) -> Value {
    Value::String(e.to_string())
}

/// Writes a whole number: as JSON number where it fits, else as text.
pub(super) fn whole_number(n: &BigInt) -> Value {
    n.to_i64().map_or_else(|| Value::String(n.to_string()), |n| json!(n))
}

/// Writes an assignment.
pub(super) fn assigned(a: &BTreeMap<String, Expr>) -> Value {
    Value::Object(a.iter().map(|(n, e)| (n.clone(), shown(e))).collect::<Map<_, _>>())
}

/// Writes a truth that may be undecided.
pub(super) fn maybe(t: Option<bool>) -> Value {
    t.map_or(Value::Null, Value::Bool)
}
