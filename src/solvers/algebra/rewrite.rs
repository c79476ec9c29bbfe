//! Steps on equations that a method is made of.

use super::canon::canon;
use super::equation::Equation;
use super::error::{AlgebraError, Outcome};
use super::expr::{Expr, Func};
use super::mgcd;
use super::normal::Ring;
use super::simplify::{expand, simplify};

/// Multiplies both sides by the least common denominator; the solutions stay, and zeros of denominators may join.
pub fn clear_denominators(eq: &Equation) -> Outcome<Equation> {
    let mut ring = Ring::default();
    let l = ring.ratio(&eq.left)?;
    let r = ring.ratio(&eq.right)?;
    let (ln, lc) = l.num.primitive();
    let (rn, rc) = r.num.primitive();
    let g = mgcd::gcd(&l.den, &r.den)?;
    let wrong = || AlgebraError::too_large("common denominator");
    let left_factor = r.den.div_exact(&g).ok_or_else(wrong)?;
    let right_factor = l.den.div_exact(&g).ok_or_else(wrong)?;
    // The contents are rationals; their denominators are cleared together.
    let common = {
        use num_integer::Integer;
        lc.denom().lcm(rc.denom())
    };
    let common = num_rational::BigRational::from_integer(common);
    let left = ring.reduce(&ln.mul(&left_factor)?.scale(&(lc * &common)))?;
    let right = ring.reduce(&rn.mul(&right_factor)?.scale(&(rc * &common)))?;
    Ok(Equation::new(ring.poly_expr(&left), ring.poly_expr(&right)))
}

/// Tells whether a node is a root of an expression with unknowns.
pub(crate) fn is_radical(e: &Expr) -> bool {
    e.as_root().is_some_and(|(b, _, _)| !b.variables().is_empty())
}

/// Tells whether a node is an absolute value of an expression with unknowns.
pub(crate) fn is_absolute(e: &Expr) -> bool {
    matches!(e, Expr::Call(Func::Abs, a) if !a.variables().is_empty())
}

/// Brings one root alone to the left side: `c*sqrt(u) = v`; the outermost root with the largest radicand is chosen.
///
/// Errors if there is none, or if it stands in a denominator.
pub fn isolate_radical(eq: &Equation) -> Outcome<Equation> {
    let d = expand(&eq.difference())?;
    let terms = match &d {
        Expr::Add(v) => v.clone(),
        other => vec![other.clone()],
    };
    let radical_of = |t: &Expr| -> Option<Expr> {
        let factors = match t {
            Expr::Mul(v) => v.clone(),
            other => vec![other.clone()],
        };
        factors.into_iter().find(is_radical)
    };
    let chosen = terms.iter().filter_map(radical_of).max_by_key(Expr::size);
    let chosen =
        chosen.ok_or_else(|| AlgebraError::unsupported("no root of an expression with unknowns stands by itself"))?;
    let (with, without): (Vec<_>, Vec<_>) = terms.into_iter().partition(|t| radical_of(t).as_ref() == Some(&chosen));
    let left = Expr::mul(vec![chosen.clone(), Expr::add(with.iter().map(|t| without_factor(t, &chosen)).collect())]);
    let right = Expr::negate(Expr::add(without));
    let (left, right) = (canon(&left), expand(&right)?);
    let negative = matches!(&left, Expr::Mul(v) if v.first().is_some_and(|c| c.as_num().is_some_and(num_traits::Signed::is_negative)));
    if negative {
        return Ok(Equation::new(canon(&Expr::negate(left)), expand(&Expr::negate(right))?));
    }
    Ok(Equation::new(left, right))
}

fn without_factor(t: &Expr, f: &Expr) -> Expr {
    match t {
        Expr::Mul(v) => {
            let mut v = v.clone();
            if let Some(i) = v.iter().position(|x| x == f) {
                v.remove(i);
            }
            Expr::mul(v)
        }
        Expr::Num(_) | Expr::Const(_) | Expr::Sym(_) | Expr::Pow(..) | Expr::Call(..) | Expr::Add(_) => Expr::int(1),
    }
}

/// Squares both sides and expands; every solution stays, and false ones may join.
pub fn square_sides(eq: &Equation) -> Outcome<Equation> {
    raise_sides(eq, 2)
}

/// Raises both sides to a whole power and expands.
pub fn raise_sides(eq: &Equation, n: i64) -> Outcome<Equation> {
    let raise = |e: &Expr| expand(&Expr::pow(e.clone(), Expr::int(n)));
    Ok(Equation::new(raise(&eq.left)?, raise(&eq.right)?))
}

/// Splits on one absolute value: it is its argument where that is not negative, and the opposite elsewhere.
///
/// Each branch is an equation and the condition `u >= 0` or `u < 0` as text. Without absolute value the only branch is the
/// equation itself under no condition.
pub fn split_absolute(eq: &Equation) -> Vec<(Equation, Option<String>)> {
    let mut innermost: Option<Expr> = None;
    for side in [&eq.left, &eq.right] {
        side.visit(&mut |e| {
            if is_absolute(e) {
                // The walk goes inwards, so the last one found holds no other.
                innermost = Some(e.clone());
            }
        });
    }
    let Some(Expr::Call(_, u)) = &innermost else {
        return vec![(eq.clone(), None)];
    };
    let Some(node) = &innermost else {
        return Vec::new();
    };
    let branch = |value: Expr, sign: &str| {
        let replaced = Equation::new(replace(&eq.left, node, &value), replace(&eq.right, node, &value)).canon();
        let u = simplify(u).unwrap_or_else(|_| (**u).clone());
        (replaced, Some(format!("{u} {sign} 0")))
    };
    vec![branch((**u).clone(), ">="), branch(Expr::negate((**u).clone()), "<")]
}

/// Replaces every occurrence of a node.
pub(crate) fn replace(e: &Expr, node: &Expr, by: &Expr) -> Expr {
    if e == node { by.clone() } else { e.map_children(&mut |c| replace(c, node, by)) }
}
