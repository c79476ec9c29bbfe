//! Tools on single expressions.

use serde_json::{Value, json};

use super::arguments::{Either, Given, assignment, clause, either, expression, maybe, shown, whole};
use crate::solvers::algebra::{
    Expr, Sign, Signed, canon, decimal_text, equal, expand, factor, lowest_terms as reduce, sign, simplify,
};

pub(super) fn variables(args: &[Value]) -> Given {
    Ok(json!(either(args, 0)?.difference().variables()))
}

pub(super) fn canonical(args: &[Value]) -> Given {
    Ok(match either(args, 0)? {
        Either::Expression(e) => shown(&canon(&e)),
        Either::Equation(eq) => shown(&eq.canon()),
    })
}

pub(super) fn simplified(args: &[Value]) -> Given {
    Ok(shown(&simplify(&expression(args, 0)?).map_err(clause)?))
}

pub(super) fn expanded(args: &[Value]) -> Given {
    Ok(shown(&expand(&expression(args, 0)?).map_err(clause)?))
}

pub(super) fn factored(args: &[Value]) -> Given {
    Ok(shown(&factor(&expression(args, 0)?).map_err(clause)?.expression))
}

pub(super) fn factors(args: &[Value]) -> Given {
    let f = factor(&expression(args, 0)?).map_err(clause)?.expression;
    let parts = match f {
        Expr::Mul(v) => v,
        other => vec![other],
    };
    let pair = |e: &Expr| match e.as_int_pow() {
        Some((b, n)) => json!([b.to_string(), n]),
        None => json!([e.to_string(), 1]),
    };
    Ok(parts.iter().map(pair).collect())
}

pub(super) fn lowest_terms(args: &[Value]) -> Given {
    let (n, d) = reduce(&expression(args, 0)?).map_err(clause)?;
    Ok(shown(&canon(&Expr::mul(vec![n, Expr::recip(d)]))))
}

pub(super) fn numerator(args: &[Value]) -> Given {
    Ok(shown(&reduce(&expression(args, 0)?).map_err(clause)?.0))
}

pub(super) fn denominator(args: &[Value]) -> Given {
    Ok(shown(&reduce(&expression(args, 0)?).map_err(clause)?.1))
}

pub(super) fn substituted(args: &[Value]) -> Given {
    let with = assignment(args, 1)?;
    Ok(match either(args, 0)? {
        Either::Expression(e) => shown(&canon(&e.substitute(&with))),
        Either::Equation(eq) => shown(&eq.substitute(&with).canon()),
    })
}

fn fixed(args: &[Value]) -> Result<Expr, String> {
    let e = expression(args, 0)?;
    match e.variables().first() {
        None => Ok(e),
        Some(x) => Err(format!("{x} has no value")),
    }
}

/// Fails for an expression that has no value as written, even if its simplest form has one.
fn defined(e: &Expr) -> Result<(), String> {
    match sign(e) {
        Signed::Undefined(why) => Err(format!("undefined: {why}")),
        Signed::Known(_) | Signed::Unknown(_) => Ok(()),
    }
}

pub(super) fn value(args: &[Value]) -> Given {
    let e = fixed(args)?;
    defined(&e)?;
    Ok(shown(&simplify(&e).map_err(clause)?))
}

pub(super) fn decimal(args: &[Value]) -> Given {
    Ok(Value::String(decimal_text(&fixed(args)?, whole(args, 1)?).map_err(clause)?))
}

pub(super) fn are_equal(args: &[Value]) -> Given {
    Ok(maybe(equal(&expression(args, 0)?, &expression(args, 1)?)))
}

pub(super) fn sign_of(args: &[Value]) -> Given {
    match sign(&fixed(args)?) {
        Signed::Known(Sign::Negative) => Ok(json!(-1)),
        Signed::Known(Sign::Zero) => Ok(json!(0)),
        Signed::Known(Sign::Positive) => Ok(json!(1)),
        Signed::Undefined(why) => Err(format!("undefined: {why}")),
        Signed::Unknown(_) => Ok(Value::Null),
    }
}

pub(super) fn size(args: &[Value]) -> Given {
    Ok(json!(expression(args, 0)?.size()))
}

pub(super) fn square_root(args: &[Value]) -> Given {
    let e = Expr::sqrt(fixed(args)?);
    defined(&e)?;
    Ok(shown(&simplify(&e).map_err(clause)?))
}

pub(super) fn is_rational(args: &[Value]) -> Given {
    Ok(json!(simplify(&fixed(args)?).map_err(clause)?.as_num().is_some()))
}
