//! Greatest common divisors, square-free parts and resultants of polynomials in several generators.

use num_traits::One;

use super::error::{AlgebraError, Outcome};
use super::expr::Q;
use super::mpoly::MPoly;

/// Returns the greatest common divisor with coprime whole coefficients and a positive leading one.
///
/// Primitive remainder sequences, recursively over the generators; fine for the small polynomials met here.
pub(crate) fn gcd(a: &MPoly, b: &MPoly) -> Outcome<MPoly> {
    gcd_at(a, b, &mut { FUEL })
}

/// Products of terms that one call may spend.
pub(crate) const FUEL: u64 = 300_000;

/// Pays for the product of two polynomials.
fn pay(fuel: &mut u64, a: &MPoly, b: &MPoly) -> Outcome<()> {
    let bits = |p: &MPoly| p.leading().map_or(0, |(_, q)| q.numer().bits() + q.denom().bits());
    let cost =
        (a.terms.len() as u64).saturating_mul(b.terms.len() as u64).saturating_mul(1 + (bits(a) + bits(b)) / 256);
    match fuel.checked_sub(cost.max(1)) {
        Some(rest) => {
            *fuel = rest;
            Ok(())
        }
        None => Err(AlgebraError::too_large("common factors or elimination of large polynomials")),
    }
}

fn gcd_at(a: &MPoly, b: &MPoly, fuel: &mut u64) -> Outcome<MPoly> {
    pay(fuel, a, b)?;
    if a.is_zero() {
        return Ok(b.primitive().0);
    }
    if b.is_zero() {
        return Ok(a.primitive().0);
    }
    let (ga, gb) = (a.generators(), b.generators());
    if ga.is_empty() || gb.is_empty() {
        return Ok(MPoly::one());
    }
    if ga == gb && ga.len() == 1 {
        let i = ga[0];
        if let (Some(p), Some(q)) = (a.to_upoly(i), b.to_upoly(i)) {
            return Ok(MPoly::from_upoly(i, &p.gcd(&q)).primitive().0);
        }
    }
    if let Some(&v) = ga.iter().find(|v| !gb.contains(v)) {
        return gcd_at(&inner_content(a, v, fuel)?, b, fuel);
    }
    if let Some(&v) = gb.iter().find(|v| !ga.contains(v)) {
        return gcd_at(a, &inner_content(b, v, fuel)?, fuel);
    }
    // The generator of least degree keeps the remainder sequence short.
    let Some(&v) = ga.iter().min_by_key(|v| a.degree_in(**v).min(b.degree_in(**v))) else {
        return Ok(MPoly::one());
    };
    let (ca, cb) = (inner_content(a, v, fuel)?, inner_content(b, v, fuel)?);
    let outer = gcd_at(&ca, &cb, fuel)?;
    let mut p = a.div_exact(&ca).unwrap_or_default();
    let mut q = b.div_exact(&cb).unwrap_or_default();
    if p.degree_in(v) < q.degree_in(v) {
        std::mem::swap(&mut p, &mut q);
    }
    while !q.is_zero() {
        if q.degree_in(v) == 0 {
            p = MPoly::one();
            break;
        }
        let r = pseudo_remainder(&p, &q, v, fuel)?;
        p = q;
        q = if r.is_zero() { r } else { r.div_exact(&inner_content(&r, v, fuel)?).unwrap_or_default() };
    }
    Ok(outer.mul(&p.primitive().0)?.primitive().0)
}

/// Returns the gcd of the coefficients by power of `v`.
pub(crate) fn content(a: &MPoly, v: usize) -> Outcome<MPoly> {
    inner_content(a, v, &mut { FUEL })
}

fn inner_content(a: &MPoly, v: usize, fuel: &mut u64) -> Outcome<MPoly> {
    let mut g = MPoly::default();
    for c in a.in_generator(v).iter().filter(|c| !c.is_zero()) {
        g = gcd_at(&g, c, fuel)?;
        if g.is_one() {
            break;
        }
    }
    Ok(g)
}

/// Returns the remainder of `lc(b)^k * a` by `b`, for the smallest `k` that makes it polynomial.
fn pseudo_remainder(a: &MPoly, b: &MPoly, v: usize, fuel: &mut u64) -> Outcome<MPoly> {
    let db = b.degree_in(v);
    let bc = b.in_generator(v);
    let Some(lead) = bc.last() else {
        return Err(AlgebraError::undefined("division by zero"));
    };
    let mut r = a.clone();
    while !r.is_zero() && r.degree_in(v) >= db {
        let dr = r.degree_in(v);
        let rc = r.in_generator(v);
        let Some(top) = rc.last() else { break };
        let shift = MPoly::generator_pow(v, dr - db);
        pay(fuel, &r, lead)?;
        pay(fuel, top, b)?;
        r = r.mul(lead)?.sub(&top.mul(&shift)?.mul(b)?);
        if r.terms.len() > super::mpoly::MAX_TERMS {
            return Err(AlgebraError::too_large("remainder sequence"));
        }
    }
    Ok(r)
}

/// Splits into square-free parts with multiplicities, all primitive; the rational content is dropped.
pub(crate) fn square_free_parts(a: &MPoly) -> Outcome<Vec<(MPoly, u32)>> {
    let mut out = Vec::new();
    let m = a.monomial_content();
    for (i, e) in m.iter().enumerate().filter(|(_, e)| **e > 0) {
        out.push((MPoly::generator(i), *e));
    }
    let rest = a.div_exact(&MPoly::monomial(m)).unwrap_or_default();
    split(&rest.primitive().0, &mut out)?;
    Ok(out)
}

fn split(a: &MPoly, out: &mut Vec<(MPoly, u32)>) -> Outcome<()> {
    let gens = a.generators();
    let Some(&v) = gens.first() else {
        return Ok(());
    };
    let c = content(a, v)?;
    split(&c, out)?;
    let f = a.div_exact(&c).unwrap_or_default();
    let df = f.derivative(v);
    let div = |p: &MPoly, q: &MPoly| p.div_exact(q).unwrap_or_default();
    let g = gcd(&f, &df)?;
    let mut b = div(&f, &g);
    let mut d = div(&df, &g).sub(&b.derivative(v));
    let mut i = 1;
    while !b.generators().is_empty() {
        let p = gcd(&b, &d)?;
        b = div(&b, &p);
        d = div(&d, &p).sub(&b.derivative(v));
        if !p.generators().is_empty() {
            out.push((p, i));
        }
        i += 1;
        if i > 500 {
            return Err(AlgebraError::too_large("square-free parts"));
        }
    }
    Ok(())
}

/// Returns the determinant of the Sylvester matrix in generator `v`, up to a nonzero rational, by subresultants.
///
/// Zero exactly if both have a common factor that holds `v` (or both leading coefficients vanish identically).
pub(crate) fn resultant(a: &MPoly, b: &MPoly, v: usize) -> Outcome<MPoly> {
    if a.is_zero() || b.is_zero() {
        return Ok(MPoly::default());
    }
    let (mut p, mut q) = (a.clone(), b.clone());
    if p.degree_in(v) < q.degree_in(v) {
        std::mem::swap(&mut p, &mut q);
    }
    if q.degree_in(v) == 0 {
        return q.pow(p.degree_in(v));
    }
    let n = (p.degree_in(v) + q.degree_in(v)) as usize;
    if n > 40 {
        return Err(AlgebraError::too_large("elimination"));
    }
    // Fraction-free (Bareiss) elimination of the Sylvester matrix.
    let (pc, qc) = (p.in_generator(v), q.in_generator(v));
    let mut rows: Vec<Vec<MPoly>> = Vec::new();
    let row = |c: &[MPoly], shift: usize| {
        let mut r = vec![MPoly::default(); n];
        for (i, x) in c.iter().rev().enumerate() {
            r[shift + i] = x.clone();
        }
        r
    };
    rows.extend((0..qc.len() - 1).map(|s| row(&pc, s)));
    rows.extend((0..pc.len() - 1).map(|s| row(&qc, s)));
    determinant(rows)
}

/// Returns the determinant, up to sign, of a square matrix of polynomials.
pub(crate) fn determinant(mut m: Vec<Vec<MPoly>>) -> Outcome<MPoly> {
    let n = m.len();
    let mut last = MPoly::constant(Q::one());
    let mut fuel = FUEL;
    for k in 0..n {
        let Some(pivot) = (k..n).filter(|r| !m[*r][k].is_zero()).min_by_key(|r| m[*r][k].terms.len()) else {
            return Ok(MPoly::default());
        };
        m.swap(k, pivot);
        for i in k + 1..n {
            for j in k + 1..n {
                pay(&mut fuel, &m[k][k], &m[i][j])?;
                pay(&mut fuel, &m[i][k], &m[k][j])?;
                let x = m[k][k].mul(&m[i][j])?.sub(&m[i][k].mul(&m[k][j])?);
                m[i][j] = x.div_exact(&last).ok_or_else(|| AlgebraError::too_large("elimination"))?;
            }
            m[i][k] = MPoly::default();
        }
        last = m[k][k].clone();
    }
    Ok(last)
}
