//! Tools on equations and systems.

use serde_json::{Value, json};

use super::arguments::{
    Given, assigned, assignment, clause, either, equation, equations, expression, maybe, names, read_assignment, shown,
    text, values, whole,
};
use crate::solvers::algebra::{
    self, ConditionKind, Equation, Expr, Func, LinearSolution, Truth, clear_denominators, conditions, equal, expand,
    holds, isolate, isolate_radical, linear_solve, split_absolute, square_sides, substitute_in,
};

pub(super) fn sides(args: &[Value]) -> Given {
    let eq = equation(args, 0)?;
    Ok(json!([eq.left.to_string(), eq.right.to_string()]))
}

pub(super) fn move_left(args: &[Value]) -> Given {
    Ok(shown(&expand(&equation(args, 0)?.difference()).map_err(clause)?))
}

fn any(args: &[Value], test: impl Fn(&Expr) -> bool) -> Given {
    Ok(json!(either(args, 0)?.difference().any(&test)))
}

pub(super) fn has_denominator(args: &[Value]) -> Given {
    let all = conditions(&either(args, 0)?.difference());
    Ok(json!(all.iter().any(|c| c.kind == ConditionKind::Nonzero)))
}

pub(super) fn has_radical(args: &[Value]) -> Given {
    any(args, |e| e.as_root().is_some_and(|(b, _, _)| !b.variables().is_empty()))
}

pub(super) fn has_absolute(args: &[Value]) -> Given {
    any(args, |e| matches!(e, Expr::Call(Func::Abs, a) if !a.variables().is_empty()))
}

pub(super) fn has_exponential(args: &[Value]) -> Given {
    any(args, |e| matches!(e, Expr::Pow(_, x) if !x.variables().is_empty()))
}

pub(super) fn has_logarithm(args: &[Value]) -> Given {
    any(args, |e| matches!(e, Expr::Call(Func::Ln, a) if !a.variables().is_empty()))
}

pub(super) fn conditions_of(args: &[Value]) -> Given {
    let all = conditions(&either(args, 0)?.difference());
    Ok(all.iter().map(|c| json!({"kind": c.kind.name(), "expression": c.expression.to_string()})).collect())
}

fn word(t: &Truth) -> &'static str {
    match t {
        Truth::Yes => "yes",
        Truth::No => "no",
        Truth::Undefined(_) => "undefined",
        Truth::Unknown(_) => "unknown",
    }
}

pub(super) fn holds_at(args: &[Value]) -> Given {
    Ok(json!(word(&holds(&equation(args, 0)?, &assignment(args, 1)?))))
}

pub(super) fn satisfying(args: &[Value]) -> Given {
    let eqs = equations(args, 0)?;
    let mut out = Vec::new();
    for c in values(args, 1)? {
        let at = read_assignment(c)?;
        if eqs.iter().all(|eq| holds(eq, &at) == Truth::Yes) {
            out.push(c.clone());
        }
    }
    Ok(Value::Array(out))
}

pub(super) fn clear(args: &[Value]) -> Given {
    Ok(shown(&clear_denominators(&equation(args, 0)?).map_err(clause)?))
}

pub(super) fn isolate_root(args: &[Value]) -> Given {
    Ok(shown(&isolate_radical(&equation(args, 0)?).map_err(clause)?))
}

pub(super) fn square(args: &[Value]) -> Given {
    Ok(shown(&square_sides(&equation(args, 0)?).map_err(clause)?))
}

pub(super) fn raise(args: &[Value]) -> Given {
    Ok(shown(&algebra::raise_sides(&equation(args, 0)?, i64::from(whole(args, 1)?)).map_err(clause)?))
}

pub(super) fn root_degree(args: &[Value]) -> Given {
    let Ok(eq) = isolate_radical(&equation(args, 0)?) else {
        return Ok(Value::Null);
    };
    let mut degree = None;
    eq.left.visit(&mut |e| {
        if let (None, Some((b, _, q))) = (degree, e.as_root())
            && !b.variables().is_empty()
        {
            degree = Some(q);
        }
    });
    Ok(degree.map_or(Value::Null, |q| json!(q)))
}

pub(super) fn split(args: &[Value]) -> Given {
    let branches = split_absolute(&equation(args, 0)?);
    Ok(branches.into_iter().map(|(eq, c)| json!({"equation": eq.to_string(), "condition": c})).collect())
}

pub(super) fn isolated(args: &[Value]) -> Given {
    let found = isolate(&equation(args, 0)?, text(args, 1)?).map_err(clause)?;
    Ok(found.map_or(Value::Null, |e| shown(&e)))
}

pub(super) fn substitute_all(args: &[Value]) -> Given {
    let out = substitute_in(&equations(args, 0)?, text(args, 1)?, &expression(args, 2)?).map_err(clause)?;
    Ok(out.iter().map(shown).collect())
}

pub(super) fn is_linear(args: &[Value]) -> Given {
    Ok(json!(linear_solve(&equations(args, 0)?, &names(args, 1)?).is_ok()))
}

pub(super) fn linear(args: &[Value]) -> Given {
    Ok(match linear_solve(&equations(args, 0)?, &names(args, 1)?).map_err(clause)? {
        LinearSolution::Unique(s) => json!({"kind": "unique", "solution": assigned(&s)}),
        LinearSolution::None => json!({"kind": "none", "solution": null}),
        LinearSolution::Many(s) => json!({"kind": "many", "solution": assigned(&s)}),
    })
}

pub(super) fn eliminate(args: &[Value]) -> Given {
    let found: Option<Expr> =
        algebra::eliminate(&equations(args, 0)?, &names(args, 1)?, text(args, 2)?).map_err(clause)?;
    Ok(found.map_or(Value::Null, |e| shown(&e)))
}

pub(super) fn is_identity(args: &[Value]) -> Given {
    let eq: Equation = equation(args, 0)?;
    Ok(maybe(equal(&eq.left, &eq.right)))
}
