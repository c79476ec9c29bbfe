//! The exact set of real solutions of algebraic equations, without solving them by formula.

use super::super::decimal::decimal_at;
use super::super::eliminate::{Stuck, eliminant, polynomials};
use super::super::equation::Equation;
use super::super::expr::{Expr, Q};
use super::super::roots::real_roots;
use super::super::sign::{Fault, Roots, Sign, Signed, enclose, sign_at};

/// Most candidate points that are tested.
const MAX_POINTS: usize = 256;

/// Finds every real solution as a point of isolated roots, in ascending order.
pub(super) fn solutions(equations: &[Equation], unknowns: &[String]) -> Result<Vec<Roots>, Stuck> {
    let polynomials = polynomials(equations, unknowns)?;
    let mut points = vec![Roots::new()];
    for (i, name) in unknowns.iter().enumerate() {
        let p = eliminant(&polynomials, unknowns.len(), i)?;
        let roots = if p.is_constant() { Vec::new() } else { real_roots(&p)? };
        if points.len() * roots.len() > MAX_POINTS {
            return Err(super::super::AlgebraError::too_large("more candidate points than are tested").into());
        }
        let extended = points.iter().flat_map(|p| {
            roots.iter().map(|r| {
                let mut p = p.clone();
                p.insert(name.clone(), r.clone());
                p
            })
        });
        points = extended.collect();
    }
    let mut out = Vec::new();
    for p in points {
        if all_hold(equations, &p)? {
            out.push(p);
        }
    }
    Ok(out)
}

/// Decides exactly whether all equations hold at a point.
fn all_hold(equations: &[Equation], at: &Roots) -> Result<bool, Stuck> {
    for eq in equations {
        // Rational coordinates are put in, because they make every later step cheaper.
        let exact = at.iter().filter_map(|(n, r)| r.rational().map(|q| (n.clone(), Expr::Num(q)))).collect();
        match sign_at(&eq.substitute(&exact).difference(), at) {
            Signed::Known(Sign::Zero) => {}
            Signed::Known(Sign::Negative | Sign::Positive) | Signed::Undefined(_) => {
                return Ok(false);
            }
            Signed::Unknown(why) => {
                return Err(Stuck::Failed(super::super::AlgebraError::Unsupported(why)));
            }
        }
    }
    Ok(true)
}

/// Tells whether an exact value cannot be told from a root that is known to be one of separate roots.
pub(super) fn touches(value: &Expr, at: &Roots, name: &str) -> Result<bool, Fault> {
    let (a, b) = enclose(value, &Roots::new(), 220)?;
    Ok(at.get(name).is_some_and(|r| {
        let (c, d) = r.enclosure(220);
        a <= d && c <= b
    }))
}

/// Tells whether a root lies within `tolerance` of a value, with proof either way.
pub(super) fn within(value: &Q, tolerance: &Q, at: &Roots, name: &str) -> bool {
    let Some(root) = at.get(name) else {
        return false;
    };
    let (low, high) = (value - tolerance, value + tolerance);
    let mut bits = 64;
    loop {
        let (a, b) = root.enclosure(bits);
        if a >= low && b <= high {
            return true;
        }
        if b < low || a > high || bits > 8_000 {
            return false;
        }
        bits *= 2;
    }
}

/// Writes a point: rational coordinates exactly, others by decimals.
pub(super) fn shown(point: &Roots) -> String {
    let one = |(n, r): (&String, &super::super::RealRoot)| match r.rational() {
        Some(q) => format!("{n} = {}", Expr::Num(q)),
        None => {
            let text = decimal_at(&Expr::sym(n), point, 6).unwrap_or_else(|_| "?".to_owned());
            format!("{n} near {text}")
        }
    };
    point.iter().map(one).collect::<Vec<_>>().join(", ")
}
