//! Tools on polynomials in one unknown.

use serde_json::{Value, json};

use super::arguments::{
    Given, clause, either, expression, expressions, rational, read_rational, shown, text, values, whole, whole_number,
};
use crate::solvers::algebra::{self, Expr, Q, UPoly, canon, polynomial_in};

/// Reads the first two arguments as a polynomial with rational coefficients.
fn rational_polynomial(args: &[Value]) -> Result<(UPoly, String), String> {
    let x = text(args, 1)?.to_owned();
    read(&either(args, 0)?.difference(), &x).map(|p| (p, x))
}

fn read(e: &Expr, x: &str) -> Result<UPoly, String> {
    let c = polynomial_in(e, x).map_err(clause)?.ok_or_else(|| format!("not a polynomial in {x}"))?;
    let number = |e: &Expr| e.as_num().cloned().ok_or_else(|| format!("the coefficient {e} is no rational number"));
    Ok(UPoly::new(c.iter().map(number).collect::<Result<_, _>>()?))
}

fn write(p: &UPoly, x: &str) -> Value {
    let terms: Vec<Expr> = p.coefficients().iter().enumerate().map(|(i, c)| term(Expr::Num(c.clone()), x, i)).collect();
    shown(&canon(&Expr::add(terms)))
}

fn term(c: Expr, x: &str, power: usize) -> Expr {
    match power {
        0 => c,
        1 => Expr::mul(vec![c, Expr::sym(x)]),
        n => Expr::mul(vec![c, Expr::pow(Expr::sym(x), Expr::int(n as i64))]),
    }
}

pub(super) fn degree(args: &[Value]) -> Given {
    let c = polynomial_in(&either(args, 0)?.difference(), text(args, 1)?).map_err(clause)?;
    // The zero polynomial counts as a number.
    Ok(c.map_or(Value::Null, |c| json!(c.len().saturating_sub(1))))
}

pub(super) fn is_polynomial(args: &[Value]) -> Given {
    Ok(json!(polynomial_in(&either(args, 0)?.difference(), text(args, 1)?).map_err(clause)?.is_some()))
}

pub(super) fn coefficients(args: &[Value]) -> Given {
    let x = text(args, 1)?;
    let c = polynomial_in(&either(args, 0)?.difference(), x)
        .map_err(clause)?
        .ok_or_else(|| format!("not a polynomial in {x}"))?;
    Ok(if c.is_empty() { json!(["0"]) } else { c.iter().map(shown).collect() })
}

pub(super) fn integer_coefficients(args: &[Value]) -> Given {
    let (p, _) = rational_polynomial(args)?;
    let (c, content) = p.primitive();
    // The sign stays as written; only a positive number is divided out.
    let flip = num_traits::Signed::is_negative(&content);
    Ok(if c.is_empty() {
        json!([0])
    } else {
        c.into_iter().map(|n| whole_number(&if flip { -n } else { n })).collect()
    })
}

pub(super) fn polynomial(args: &[Value]) -> Given {
    let x = text(args, 1)?;
    let terms = expressions(args, 0)?.into_iter().enumerate().map(|(i, c)| term(c, x, i)).collect();
    Ok(shown(&canon(&Expr::add(terms))))
}

pub(super) fn rational_roots(args: &[Value]) -> Given {
    let (p, _) = rational_polynomial(args)?;
    Ok(algebra::rational_roots(&p).map_err(clause)?.into_iter().map(|q| shown(&Expr::Num(q))).collect())
}

pub(super) fn deflate(args: &[Value]) -> Given {
    let (p, x) = rational_polynomial(args)?;
    let root = rational(args, 2)?;
    let q = p.div_exact(&UPoly::linear(&root)).ok_or_else(|| format!("{} is no root", Expr::Num(root)))?;
    Ok(write(&q, &x))
}

pub(super) fn divide(args: &[Value]) -> Given {
    let x = text(args, 2)?;
    let (a, b) = (read(&expression(args, 0)?, x)?, read(&expression(args, 1)?, x)?);
    let (q, r) = a.div_rem(&b).ok_or_else(|| "division by zero".to_owned())?;
    Ok(json!([write(&q, x), write(&r, x)]))
}

pub(super) fn common_divisor(args: &[Value]) -> Given {
    Ok(shown(&algebra::common_divisor(&expression(args, 0)?, &expression(args, 1)?).map_err(clause)?))
}

pub(super) fn derivative(args: &[Value]) -> Given {
    let (p, x) = rational_polynomial(args)?;
    Ok(write(&p.derivative(), &x))
}

pub(super) fn count_roots(args: &[Value]) -> Given {
    let (p, _) = rational_polynomial(args)?;
    Ok(json!(algebra::count_real_roots(&p).map_err(clause)?))
}

pub(super) fn root_intervals(args: &[Value]) -> Given {
    let (p, _) = rational_polynomial(args)?;
    let pair = |r: &algebra::RealRoot| {
        let (a, b) = r.enclosure(0);
        json!([Expr::Num(a).to_string(), Expr::Num(b).to_string()])
    };
    Ok(algebra::real_roots(&p).map_err(clause)?.iter().map(pair).collect())
}

pub(super) fn refine_root(args: &[Value]) -> Given {
    let (p, x) = rational_polynomial(args)?;
    let ends: Vec<Q> = values(args, 2)?.iter().map(read_rational).collect::<Result<_, _>>()?;
    let [low, high] = &ends[..] else {
        return Err("an interval is [low, high]".to_owned());
    };
    let places = whole(args, 3)?;
    let roots = algebra::real_roots(&p).map_err(clause)?;
    let mut inside = roots.iter().filter(|r| r.lies_within(low, high));
    match (inside.next(), inside.next()) {
        (None, _) => Err("no root lies in the interval".to_owned()),
        (Some(_), Some(_)) => Err("more than one root lies in the interval".to_owned()),
        (Some(r), None) => Ok(Value::String(algebra::root_decimal(r, &x, places).map_err(clause)?)),
    }
}
