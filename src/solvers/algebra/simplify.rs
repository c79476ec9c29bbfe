//! The smallest equal form, expansion, equality, and polynomials in one unknown.

use std::collections::BTreeMap;

use super::canon::canon;
use super::error::{AlgebraError, Outcome};
use super::expr::{Expr, Q};
use super::factor::factored_ratio;
use super::normal::Ring;
use super::sign::{Sign, Signed, sign};

/// Largest polynomials whose factors are tried as a smaller form.
const MAX_FACTOR_DEGREE: u32 = 12;
/// See above.
const MAX_FACTOR_TERMS: usize = 100;

/// Returns the smallest form found by [`Expr::size`] that is equal wherever the original is defined.
///
/// Undefined numbers (`1/0`, `sqrt(-1)`) are an error.
pub fn simplify(e: &Expr) -> Outcome<Expr> {
    let first = once(e)?;
    // What became smaller may have new common parts.
    let second = once(&first)?;
    Ok(if second.size() < first.size() { second } else { first })
}

fn once(e: &Expr) -> Outcome<Expr> {
    let written = canon(e);
    let mut ring = Ring::default();
    let r = ring.ratio(e)?;
    let mut forms = vec![ring.ratio_expr(&r), ring.one_fraction(&r)];
    let small = |p: &super::mpoly::MPoly| p.total_degree() <= MAX_FACTOR_DEGREE && p.terms.len() <= MAX_FACTOR_TERMS;
    if small(&r.num)
        && small(&r.den)
        && let Ok(f) = factored_ratio(&ring, &r)
    {
        forms.push(f.expression);
    }
    let (top, bottom) = (ring.poly_expr(&r.num), ring.poly_expr(&r.den));
    forms.push(canon(&Expr::mul(vec![top, Expr::recip(bottom)])));
    if r.as_number().is_none() {
        forms.push(canon(&in_parts(&written)));
        forms.push(written);
    }
    let best = forms.into_iter().reduce(|a, b| if b.size() < a.size() { b } else { a });
    Ok(best.unwrap_or_else(|| e.clone()))
}

/// Simplifies the arguments of powers and functions where they stand.
fn in_parts(e: &Expr) -> Expr {
    match e {
        Expr::Num(_) | Expr::Const(_) | Expr::Sym(_) => e.clone(),
        Expr::Add(_) | Expr::Mul(_) => e.map_children(&mut in_parts),
        Expr::Pow(b, x) => Expr::pow(once(b).unwrap_or_else(|_| (**b).clone()), (**x).clone()),
        Expr::Call(f, a) => Expr::call(*f, once(a).unwrap_or_else(|_| (**a).clone())),
    }
}

/// Multiplies out: a sum of products, or a quotient of two such sums in lowest terms.
pub fn expand(e: &Expr) -> Outcome<Expr> {
    let mut ring = Ring::default();
    let r = ring.ratio(e)?;
    Ok(ring.ratio_expr(&r))
}

/// Tells whether two expressions are equal wherever both are defined; `None` if that could not be decided.
pub fn equal(a: &Expr, b: &Expr) -> Option<bool> {
    let d = Expr::minus(a.clone(), b.clone());
    let mut ring = Ring::splitting();
    if ring.ratio(&d).is_ok_and(|r| r.num.is_zero()) {
        return Some(true);
    }
    if d.variables().is_empty() {
        return match sign(&d) {
            Signed::Known(s) => Some(s == Sign::Zero),
            Signed::Undefined(_) | Signed::Unknown(_) => None,
        };
    }
    difference_at(a, b).map(|_| false)
}

/// Finds a point where both are defined and differ.
pub(crate) fn difference_at(a: &Expr, b: &Expr) -> Option<BTreeMap<String, Expr>> {
    let d = Expr::minus(a.clone(), b.clone());
    sample_points(&d)
        .into_iter()
        .find(|p| matches!(sign(&d.substitute(p)), Signed::Known(Sign::Negative | Sign::Positive)))
}

/// Chooses points for all unknowns of an expression; small numbers first, all different at each point.
pub(crate) fn sample_points(e: &Expr) -> Vec<BTreeMap<String, Expr>> {
    let names = e.variables();
    let values: [(i64, i64); 10] = [(2, 1), (3, 1), (-2, 1), (-3, 1), (5, 1), (1, 2), (-7, 3), (11, 1), (1, 1), (0, 1)];
    (0..values.len())
        .map(|k| {
            let at = |i: usize| {
                let (n, d) = values[(k + i * 3) % values.len()];
                Expr::Num(Q::new(n.into(), d.into()))
            };
            names.iter().enumerate().map(|(i, n)| (n.clone(), at(i))).collect()
        })
        .collect()
}

/// Returns the coefficients by power of `x`, ascending; `None` if it is no polynomial in `x`. Zero gives an empty list.
pub fn polynomial_in(e: &Expr, x: &str) -> Outcome<Option<Vec<Expr>>> {
    let mut ring = Ring::with_names([x])?;
    let r = ring.ratio(e)?;
    if r.den.degree_in(0) > 0 {
        return Ok(None);
    }
    let hidden = r.num.generators().into_iter().chain(r.den.generators());
    for i in hidden {
        if i > 0 && ring.generators[i].expr.has(x) {
            return Ok(None);
        }
    }
    let mut out = Vec::new();
    for c in r.num.in_generator(0) {
        let q = ring.make(c, r.den.clone())?;
        out.push(ring.ratio_expr(&q));
    }
    Ok(Some(out))
}

/// Returns the polynomial over the rationals in `x`, if it is one.
pub(crate) fn rational_polynomial(e: &Expr, x: &str) -> Outcome<Option<super::UPoly>> {
    let c = polynomial_in(e, x)?;
    let numbers = c.and_then(|c| c.iter().map(|e| e.as_num().cloned()).collect::<Option<Vec<Q>>>());
    Ok(numbers.map(super::UPoly::new))
}

/// Splits into numerator and denominator in lowest terms, both with whole coefficients.
pub fn lowest_terms(e: &Expr) -> Outcome<(Expr, Expr)> {
    let mut ring = Ring::default();
    let r = ring.ratio(e)?;
    let (p, content) = r.num.primitive();
    let top = p.scale(&Q::from_integer(content.numer().clone()));
    let bottom = r.den.scale(&Q::from_integer(content.denom().clone()));
    Ok((ring.poly_expr(&top), ring.poly_expr(&bottom)))
}

/// Returns the greatest common divisor of two polynomials, with coprime whole coefficients.
pub fn common_divisor(a: &Expr, b: &Expr) -> Outcome<Expr> {
    let mut ring = Ring::default();
    let (a, b) = (ring.ratio(a)?, ring.ratio(b)?);
    if !a.den.is_one() || !b.den.is_one() {
        return Err(AlgebraError::unsupported("not a polynomial"));
    }
    Ok(ring.poly_expr(&super::mgcd::gcd(&a.num, &b.num)?))
}
