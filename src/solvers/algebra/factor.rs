//! Factorisation over the rationals, in one or several unknowns.

use num_bigint::BigInt;
use num_traits::{One, Signed};

use super::canon::canon;
use super::error::{AlgebraError, Outcome};
use super::expr::{Expr, Q};
use super::mgcd;
use super::modular;
use super::mpoly::MPoly;
use super::normal::{Ratio, Ring};
use super::upoly::UPoly;

/// Most factors of a substituted polynomial that are recombined.
const MAX_PIECES: usize = 12;
/// Highest degree of a substituted polynomial.
const MAX_SUBSTITUTED: u32 = 40;

/// A product of factors.
#[derive(Clone, Debug, PartialEq)]
pub struct Factored {
    /// The product.
    pub expression: Expr,
    /// Whether every factor is known to be irreducible over the rationals.
    pub complete: bool,
}

/// Factors numerator and denominator over the rationals.
pub fn factor(e: &Expr) -> Outcome<Factored> {
    let mut ring = Ring::default();
    let r = ring.ratio(e)?;
    factored_ratio(&ring, &r)
}

/// Factors a normal form.
pub(crate) fn factored_ratio(ring: &Ring, r: &Ratio) -> Outcome<Factored> {
    let (content, top, a) = factor_poly(&r.num)?;
    let (_, bottom, b) = factor_poly(&r.den)?;
    let product = |f: &[(MPoly, u32)]| -> Vec<Expr> {
        f.iter().map(|(p, k)| Expr::pow(ring.poly_expr(p), Expr::int(i64::from(*k)))).collect()
    };
    let mut parts = vec![Expr::Num(Q::from_integer(content.numer().clone()))];
    parts.extend(product(&top));
    let expression = ring.fraction(Expr::mul(parts), &canon(&Expr::mul(product(&bottom))), content.denom());
    Ok(Factored { expression, complete: a && b })
}

/// The content, the primitive factors with multiplicities, and whether all are known to be irreducible.
pub(crate) type Factors = (Q, Vec<(MPoly, u32)>, bool);

/// Factors a polynomial; the factors lead with positive coefficients.
pub(crate) fn factor_poly(p: &MPoly) -> Outcome<Factors> {
    let mut out = Vec::new();
    let mut complete = true;
    for (f, k) in mgcd::square_free_parts(p)? {
        let (fs, done) = split(&f)?;
        complete &= done;
        out.extend(fs.into_iter().map(|f| (f, k)));
    }
    let mut product = MPoly::one();
    for (f, k) in &out {
        product = product.mul(&f.pow(*k)?)?;
    }
    let content = p.div_exact(&product).and_then(|c| c.as_constant());
    let content = content.ok_or_else(|| AlgebraError::too_large("factorisation"))?;
    // Low degrees first, then small coefficients: (x - 2)*(x^2 + 1).
    let key = |p: &MPoly| (p.total_degree(), p.terms.len(), p.terms.values().map(|q| q.numer().abs()).max());
    out.sort_by(|a, b| key(&a.0).cmp(&key(&b.0)).then_with(|| a.0.cmp(&b.0)));
    Ok((content, out, complete))
}

/// Splits a primitive square-free polynomial.
fn split(f: &MPoly) -> Outcome<(Vec<MPoly>, bool)> {
    let gens = f.generators();
    match gens[..] {
        [] => Ok((Vec::new(), true)),
        [i] => {
            let Some(p) = f.to_upoly(i) else {
                return Ok((vec![f.clone()], false));
            };
            let (fs, done) = factor_square_free(&p);
            Ok((fs.iter().map(|p| MPoly::from_upoly(i, p).primitive().0).collect(), done))
        }
        _ => {
            for &v in &gens {
                let c = mgcd::content(f, v)?;
                if !c.generators().is_empty() {
                    let rest = f.div_exact(&c).ok_or_else(|| AlgebraError::too_large("factorisation"))?;
                    let (mut a, x) = split(&c.primitive().0)?;
                    let (b, y) = split(&rest.primitive().0)?;
                    a.extend(b);
                    return Ok((a, x && y));
                }
            }
            if gens.iter().any(|v| f.degree_in(*v) == 1) {
                return Ok((vec![f.clone()], true));
            }
            kronecker(f, &gens)
        }
    }
}

/// Substitutes powers of one unknown for all, factors there, and tries products of the factors (Kronecker).
fn kronecker(f: &MPoly, gens: &[usize]) -> Outcome<(Vec<MPoly>, bool)> {
    let base = gens.iter().map(|v| f.degree_in(*v)).max().unwrap_or(0) + 1;
    let weight = |i: usize| base.checked_pow(i as u32);
    let mut coefficients: Vec<Q> = Vec::new();
    for (m, q) in &f.terms {
        let mut e = 0u32;
        for (i, v) in gens.iter().enumerate() {
            let w = weight(i).unwrap_or(u32::MAX);
            e = e.saturating_add(m.get(*v).copied().unwrap_or(0).saturating_mul(w));
        }
        if e > MAX_SUBSTITUTED {
            return Ok((vec![f.clone()], false));
        }
        let e = e as usize;
        if coefficients.len() <= e {
            coefficients.resize(e + 1, Q::from_integer(0.into()));
        }
        coefficients[e] += q;
    }
    let image = UPoly::new(coefficients);
    let mut pieces = Vec::new();
    let mut complete = true;
    for (p, k) in image.square_free_parts() {
        let (fs, done) = factor_square_free(&p);
        complete &= done;
        for g in fs {
            pieces.extend(std::iter::repeat_n(g, k as usize));
        }
    }
    if pieces.len() > MAX_PIECES {
        return Ok((vec![f.clone()], false));
    }
    let back = |p: &UPoly| -> MPoly {
        let mut out = MPoly::default();
        for (e, q) in p.coefficients().iter().enumerate() {
            let mut m = MPoly::constant(q.clone());
            let mut e = e as u32;
            for v in gens {
                m = m.mul(&MPoly::generator_pow(*v, e % base)).unwrap_or_default();
                e /= base;
            }
            out = out.add(&m);
        }
        out.primitive().0
    };
    let mut rest = f.clone();
    let mut out = Vec::new();
    let mut size = 1;
    while size * 2 <= pieces.len() {
        let hit = subsets(pieces.len(), size).find_map(|s| {
            let g = back(&s.iter().fold(UPoly::constant(Q::one()), |acc, i| acc.mul(&pieces[*i])));
            let q = if g.generators().is_empty() { None } else { rest.div_exact(&g) };
            q.map(|q| (s, g, q))
        });
        match hit {
            Some((s, g, q)) => {
                out.push(g);
                rest = q.primitive().0;
                for i in s.iter().rev() {
                    pieces.remove(*i);
                }
            }
            None => size += 1,
        }
    }
    if !rest.generators().is_empty() {
        out.push(rest);
    }
    Ok((out, complete))
}

/// Lists the subsets of `0..n` with `size` members, each ascending.
pub(crate) fn subsets(n: usize, size: usize) -> impl Iterator<Item = Vec<usize>> {
    let limit = if n < 20 { 1u32 << n } else { 0 };
    (0..limit)
        .filter(move |m| m.count_ones() as usize == size)
        .map(move |m| (0..n).filter(|i| m >> i & 1 == 1).collect())
}

/// Splits a square-free polynomial into primitive irreducible ones; `false` if some may still split.
pub(crate) fn factor_square_free(p: &UPoly) -> (Vec<UPoly>, bool) {
    let (c, _) = p.primitive();
    let mut out = Vec::new();
    let mut rest = UPoly::from_integers(&c);
    // Powers of x and other rational roots are cheap to find.
    if let Ok(roots) = super::roots::rational_roots(&rest) {
        for r in roots {
            let l = UPoly::from_integers(&[-r.numer().clone(), r.denom().clone()]);
            if let Some(q) = rest.div_exact(&l) {
                rest = q;
                out.push(l);
            }
        }
    }
    match rest.degree() {
        None | Some(0) => return (out, true),
        // Without rational roots, degrees 2 and 3 cannot split.
        Some(1..=3) => {
            out.push(UPoly::from_integers(&rest.primitive().0));
            return (out, true);
        }
        Some(4..) => {}
    }
    let (c, _) = rest.primitive();
    match modular::factor_integers(&c) {
        Some(fs) => {
            out.extend(fs.iter().map(|f: &Vec<BigInt>| UPoly::from_integers(f)));
            (out, true)
        }
        None => {
            out.push(UPoly::from_integers(&c));
            (out, false)
        }
    }
}
