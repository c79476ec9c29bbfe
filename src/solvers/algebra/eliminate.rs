//! Elimination: from equations to one polynomial whose roots include every real solution.

use std::collections::BTreeMap;

use super::equation::Equation;
use super::error::{AlgebraError, Outcome};
use super::expr::{Expr, Func};
use super::mgcd;
use super::mpoly::MPoly;
use super::normal::Ring;
use super::simplify::simplify;
use super::upoly::UPoly;

/// Highest total degree of a polynomial that is eliminated further.
const MAX_DEGREE: u32 = 60;
/// Highest total degree of a product of branches.
const MAX_PRODUCT: u32 = 80;
/// Most combinations of signs of absolute values.
const MAX_BRANCHES: usize = 64;

/// Puts `e` for `x` in every equation and simplifies the sides.
pub fn substitute_in(equations: &[Equation], x: &str, e: &Expr) -> Outcome<Vec<Equation>> {
    let with = BTreeMap::from([(x.to_owned(), e.clone())]);
    equations
        .iter()
        .map(|eq| {
            let eq = eq.substitute(&with);
            Ok(Equation::new(simplify(&eq.left)?, simplify(&eq.right)?))
        })
        .collect()
}

/// Why there is no eliminating polynomial.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Stuck {
    /// Every equation is an identity.
    Identity,
    /// The equations leave the unknown free as far as elimination sees.
    Dependent,
    /// An exponential, logarithm or angle of an unknown.
    Transcendental,
    /// A bound or an undefined number.
    Failed(AlgebraError),
}

impl From<AlgebraError> for Stuck {
    fn from(e: AlgebraError) -> Self {
        Self::Failed(e)
    }
}

/// Writes each equation as a polynomial in the unknowns that vanishes at every real solution.
///
/// Roots and absolute values are eliminated by their defining relations (a norm), whatever branch they stand on; unknowns
/// are generators `0..names.len()`.
pub(crate) fn polynomials(equations: &[Equation], names: &[String]) -> Result<Vec<MPoly>, Stuck> {
    let mut out = Vec::new();
    for eq in equations {
        let mut ring = Ring::with_names(names.iter().map(String::as_str))?;
        let p = ring.ratio(&eq.difference())?.num;
        if !p.is_zero() {
            out.push(without_kernels(&mut ring, p, names.len())?);
        }
    }
    if out.is_empty() { Err(Stuck::Identity) } else { Ok(out) }
}

/// Eliminates the generators from `first` on; the result vanishes wherever `p` does.
fn without_kernels(ring: &mut Ring, p: MPoly, first: usize) -> Result<MPoly, Stuck> {
    // The factors of the result; an absolute value splits each into two instead of raising its degree.
    let mut branches = vec![p];
    for i in (first..ring.generators.len()).rev() {
        let mut next: Vec<MPoly> = Vec::new();
        for p in branches {
            if p.degree_in(i) == 0 {
                next.push(p);
            } else {
                next.extend(without_kernel(ring, &p, i)?);
            }
        }
        next.sort();
        next.dedup();
        if next.len() > MAX_BRANCHES {
            return Err(AlgebraError::too_large("elimination of absolute values").into());
        }
        branches = next;
    }
    let mut out = MPoly::one();
    for p in branches {
        out = out.mul(&p)?;
        if out.is_zero() {
            return Err(Stuck::Dependent);
        }
        if out.total_degree() > MAX_PRODUCT {
            return Err(AlgebraError::too_large("elimination of roots").into());
        }
    }
    Ok(out)
}

fn without_kernel(ring: &mut Ring, p: &MPoly, i: usize) -> Result<Vec<MPoly>, Stuck> {
    let g = ring.generators[i].clone();
    let Some((q, a)) = &g.relation else {
        return Err(Stuck::Transcendental);
    };
    // Relations keep all degrees below those of the roots, so p = c0 + c1*g for a square root or an absolute value.
    let c = p.in_generator(i);
    if let (2, [c0, c1]) = (*q, &c[..]) {
        if let Expr::Call(Func::Abs, u) = &g.expr {
            let u = ring.ratio(u)?.num;
            let t = ring.reduce(&c1.mul(&u)?)?;
            return Ok(vec![c0.add(&t).primitive().0, c0.sub(&t).primitive().0]);
        }
        let norm = ring.reduce(&c0.mul(c0)?.sub(&c1.mul(c1)?.mul(a)?))?;
        return Ok(vec![smaller(&norm)?]);
    }
    let relation = MPoly::generator_pow(i, *q).sub(a);
    let norm = ring.reduce(&mgcd::resultant(p, &relation, i)?)?;
    let norm = smaller(&norm)?;
    if norm.total_degree() > 2 * MAX_DEGREE {
        return Err(AlgebraError::too_large("elimination of roots").into());
    }
    Ok(vec![norm])
}

/// Drops repeated factors.
fn smaller(p: &MPoly) -> Outcome<MPoly> {
    if p.is_zero() || p.as_constant().is_some() {
        return Ok(p.primitive().0);
    }
    let mut out = MPoly::one();
    for (f, _) in mgcd::square_free_parts(p)? {
        out = out.mul(&f)?;
    }
    Ok(out)
}

/// Finds a nonzero polynomial in unknown `x` (an index) that vanishes at every solution; a constant if there is none.
pub(crate) fn eliminant(polynomials: &[MPoly], unknowns: usize, x: usize) -> Result<UPoly, Stuck> {
    let mut todo: Vec<MPoly> = polynomials.to_vec();
    if todo.iter().any(|p| p.as_constant().is_some()) {
        return Ok(UPoly::constant(super::Q::from_integer(1.into())));
    }
    for y in (0..unknowns).filter(|y| *y != x) {
        let (mut with, mut free): (Vec<_>, Vec<_>) = todo.into_iter().partition(|p| p.degree_in(y) > 0);
        with.sort_by_key(|p| (p.degree_in(y), p.terms.len()));
        if !with.is_empty() {
            let pivot = with.remove(0);
            for p in with {
                let r = smaller(&mgcd::resultant(&pivot, &p, y)?)?;
                if r.is_zero() {
                    return Err(Stuck::Dependent);
                }
                if r.total_degree() > MAX_DEGREE {
                    return Err(AlgebraError::too_large("elimination").into());
                }
                free.push(r);
            }
        }
        todo = free;
    }
    let mut g = UPoly::default();
    for p in todo {
        let Some(p) = p.to_upoly(x) else {
            return Err(Stuck::Dependent);
        };
        g = g.gcd(&p);
    }
    if g.is_zero() { Err(Stuck::Dependent) } else { Ok(g) }
}

/// Returns a polynomial in `x` that vanishes at every real solution; `None` if elimination does not apply.
///
/// Roots and absolute values are eliminated too, so false solutions may join. `1` says that there is no solution.
pub fn eliminate(equations: &[Equation], names: &[String], x: &str) -> Outcome<Option<Expr>> {
    let Some(i) = names.iter().position(|n| n == x) else {
        return Err(AlgebraError::unsupported(format!("{x} is none of the names")));
    };
    let parameters = equations.iter().flat_map(Equation::variables).any(|v| !names.contains(&v));
    if parameters {
        return Ok(None);
    }
    let found = polynomials(equations, names).and_then(|p| eliminant(&p, names.len(), i));
    match found {
        Ok(p) => {
            let ring = Ring::with_names([x])?;
            Ok(Some(ring.poly_expr(&MPoly::from_upoly(0, &p).primitive().0)))
        }
        Err(Stuck::Failed(e)) => Err(e),
        Err(Stuck::Identity | Stuck::Dependent | Stuck::Transcendental) => Ok(None),
    }
}
