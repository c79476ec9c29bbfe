//! The light canonical form: numbers folded, like terms and like powers gathered, a fixed order.
//!
//! Nothing is expanded, no quotient is cancelled and no domain changes, so rewriting steps stay recognisable. What is
//! equal only after algebra is the matter of [`super::simplify`].

use std::cmp::Ordering;
use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_traits::{One, Pow, Signed, ToPrimitive, Zero};

use super::expr::{Constant, Expr, Q};

/// Largest number of bits that a folded power of a number may have.
pub(crate) const MAX_POWER_BITS: u64 = 8_192;

/// Brings an expression into its light canonical form; the text of two forms is equal if they are.
pub fn canon(e: &Expr) -> Expr {
    match e {
        Expr::Num(_) | Expr::Const(_) | Expr::Sym(_) => e.clone(),
        Expr::Call(f, a) => Expr::call(*f, canon(a)),
        Expr::Pow(b, x) => power(canon(b), canon(x)),
        Expr::Add(v) => sum(v.iter().map(canon).collect()),
        Expr::Mul(v) => product(v.iter().map(canon).collect()),
    }
}

/// Raises a rational to a whole power, unless that is undefined or too long.
pub(crate) fn num_pow(q: &Q, n: i64) -> Option<Q> {
    let bits = q.numer().bits().max(q.denom().bits());
    if (q.is_zero() && n < 0) || bits.saturating_mul(n.unsigned_abs()) > MAX_POWER_BITS && bits > 1 {
        return None;
    }
    if bits <= 1 {
        // Only 0, 1 and -1 have so few bits.
        let odd = n % 2 != 0;
        return Some(if n == 0 || (q.is_negative() && !odd) { Q::one() } else { q.clone() });
    }
    let p = Pow::pow(q.clone(), n.unsigned_abs().to_u32()?);
    Some(if n < 0 { p.recip() } else { p })
}

/// Returns the exact `k`-th root of a rational, if there is a rational one.
pub(crate) fn num_root(q: &Q, k: u32) -> Option<Q> {
    if k == 0 || (q.is_negative() && k.is_multiple_of(2)) {
        return None;
    }
    let root = |n: &BigInt| {
        let r = n.nth_root(k);
        (Pow::pow(r.clone(), k) == *n).then_some(r)
    };
    Some(Q::new(root(q.numer())?, root(q.denom())?))
}

fn power(b: Expr, x: Expr) -> Expr {
    if let Some(q) = x.as_num() {
        if q.is_one() {
            return b;
        }
        if q.is_zero() && !b.is_zero_num() && b.as_num().is_some() {
            return Expr::int(1);
        }
        if let Some(n) = q.is_integer().then(|| q.numer().to_i64()).flatten() {
            match &b {
                Expr::Num(c) => {
                    if let Some(r) = num_pow(c, n) {
                        return Expr::Num(r);
                    }
                }
                Expr::Pow(bb, bx) => {
                    if let Some(m) = bx.as_num()
                        && m.is_integer()
                    {
                        return power((**bb).clone(), Expr::Num(m * q));
                    }
                    // cbrt(2)^2 = cbrt(4).
                    if let (Some(c), Some(m)) = (bb.as_num(), bx.as_num())
                        && m.numer().is_one()
                        && c.is_positive()
                        && let Some(c) = num_pow(c, n)
                    {
                        return power(Expr::Num(c), Expr::Num(m.clone()));
                    }
                }
                Expr::Mul(v) => {
                    return product(v.iter().map(|f| power(f.clone(), x.clone())).collect());
                }
                Expr::Const(_) | Expr::Sym(_) | Expr::Call(..) | Expr::Add(_) => {}
            }
        } else if let (Some(c), Some(k)) = (b.as_num(), q.denom().to_u32())
            && let (Some(r), Some(n)) = (num_root(c, k), q.numer().to_i64())
            && let Some(r) = num_pow(&r, n)
        {
            return Expr::Num(r);
        }
    }
    Expr::pow(b, x)
}

fn sum(parts: Vec<Expr>) -> Expr {
    let mut constant = Q::zero();
    let mut terms: BTreeMap<Expr, Q> = BTreeMap::new();
    let Expr::Add(flat) =
        Expr::Add(parts.into_iter().flat_map(|p| if let Expr::Add(v) = p { v } else { vec![p] }).collect())
    else {
        return Expr::int(0);
    };
    for p in flat {
        match p {
            Expr::Num(q) => constant += q,
            Expr::Mul(mut v) if v.first().is_some_and(|c| c.as_num().is_some()) => {
                let c = v.remove(0);
                if let Expr::Num(q) = c {
                    *terms.entry(Expr::mul(v)).or_insert_with(Q::zero) += q;
                }
            }
            other @ (Expr::Const(_) | Expr::Sym(_) | Expr::Pow(..) | Expr::Call(..) | Expr::Mul(_) | Expr::Add(_)) => {
                *terms.entry(other).or_insert_with(Q::zero) += Q::one();
            }
        }
    }
    let mut out: Vec<Expr> = terms.into_iter().filter(|(_, q)| !q.is_zero()).map(|(e, q)| scaled(q, e)).collect();
    if !constant.is_zero() {
        out.push(Expr::Num(constant));
    }
    out.sort_by(term_order);
    let minus = |e: &Expr| match e {
        Expr::Num(q) => q.is_negative(),
        Expr::Mul(v) => v.first().is_some_and(|c| c.as_num().is_some_and(Signed::is_negative)),
        Expr::Const(_) | Expr::Sym(_) | Expr::Pow(..) | Expr::Call(..) | Expr::Add(_) => false,
    };
    // Numbers and short sums start with a positive term where there is one: sqrt(2) - 1, 3 - x.
    if out.first().is_some_and(minus) && (out.len() == 2 || out.iter().all(|e| !e.any(&|x| matches!(x, Expr::Sym(_)))))
    {
        out.sort_by_key(minus);
    }
    Expr::add(out)
}

/// Makes `q * e` in canonical shape.
pub(crate) fn scaled(q: Q, e: Expr) -> Expr {
    if q.is_one() {
        return e;
    }
    match e {
        Expr::Num(p) => Expr::Num(p * q),
        Expr::Mul(v) => {
            let mut parts = vec![Expr::Num(q)];
            parts.extend(v);
            Expr::Mul(parts)
        }
        other @ (Expr::Const(_) | Expr::Sym(_) | Expr::Pow(..) | Expr::Call(..) | Expr::Add(_)) => {
            Expr::Mul(vec![Expr::Num(q), other])
        }
    }
}

fn product(parts: Vec<Expr>) -> Expr {
    let mut constant = Q::one();
    // Positive and negative whole powers are kept apart: x * 1/x is undefined at 0, and 1 is not.
    let mut powers: BTreeMap<(Expr, bool), BigInt> = BTreeMap::new();
    let mut rest = Vec::new();
    for p in parts.into_iter().flat_map(|p| if let Expr::Mul(v) = p { v } else { vec![p] }) {
        if let Expr::Num(q) = &p {
            constant *= q;
        } else if let Some((b, n)) = p.as_int_pow() {
            *powers.entry((b.clone(), n < 0)).or_insert_with(BigInt::zero) += n;
        } else if matches!(&p, Expr::Pow(..)) {
            rest.push(p);
        } else {
            *powers.entry((p, false)).or_insert_with(BigInt::zero) += 1;
        }
    }
    // Zero times one over zero is undefined, not zero.
    let divided_by_zero = powers.keys().any(|(base, below)| *below && base.is_zero_num());
    if constant.is_zero() && !divided_by_zero {
        return Expr::int(0);
    }
    let mut out: Vec<Expr> = powers
        .into_iter()
        .map(|((b, _), n)| if n.is_one() { b } else { power(b, Expr::Num(Q::from_integer(n))) })
        .collect();
    out.extend(rest);
    let mut flat = Vec::new();
    for e in out {
        match e {
            Expr::Num(q) => constant *= q,
            other @ (Expr::Const(_) | Expr::Sym(_) | Expr::Pow(..) | Expr::Call(..) | Expr::Mul(_) | Expr::Add(_)) => {
                flat.push(other)
            }
        }
    }
    flat.sort_by(factor_order);
    if flat.is_empty() { Expr::Num(constant) } else { scaled(constant, Expr::mul(flat)) }
}

/// Sixty times the degree in all unknowns, so that common fractional degrees stay whole.
fn degree(e: &Expr) -> i64 {
    match e {
        Expr::Num(_) | Expr::Const(_) => 0,
        Expr::Sym(_) => 60,
        Expr::Call(_, a) => i64::from(degree(a) > 0),
        Expr::Mul(v) => v.iter().map(degree).fold(0, i64::saturating_add),
        Expr::Add(v) => v.iter().map(degree).max().unwrap_or(0),
        Expr::Pow(b, x) => match x.as_num() {
            Some(q) => {
                let d = Q::from_integer(BigInt::from(degree(b))) * q;
                d.to_integer().to_i64().unwrap_or(i64::MAX / 1_000)
            }
            None => i64::from(degree(b) > 0 || degree(x) > 0),
        },
    }
}

/// Orders the terms of a sum: higher degree first, then by name; rational before surd among constants.
pub(crate) fn term_order(a: &Expr, b: &Expr) -> Ordering {
    let class = |e: &Expr| {
        let moving = e.any(&|x| matches!(x, Expr::Sym(_)));
        if moving {
            0
        } else if e.as_num().is_some() {
            1
        } else {
            2
        }
    };
    class(a).cmp(&class(b)).then_with(|| degree(b).cmp(&degree(a))).then_with(|| bare(a).cmp(&bare(b)))
}

/// Factors with unknowns of a term, for ordering: x^2*y before x*y^2.
fn bare(e: &Expr) -> Vec<(String, i64, Expr)> {
    let one = |e: &Expr| match e {
        Expr::Sym(s) => (s.clone(), -1, Expr::int(0)),
        other => match other.as_int_pow() {
            Some((Expr::Sym(s), n)) => (s.clone(), -n, Expr::int(0)),
            _ => ("~".to_owned(), 0, other.clone()),
        },
    };
    match e {
        Expr::Mul(v) => {
            let v = if v.first().is_some_and(|c| c.as_num().is_some()) { &v[1..] } else { v };
            let moving: Vec<_> = v.iter().filter(|f| f.any(&|x| matches!(x, Expr::Sym(_)))).map(one).collect();
            if moving.is_empty() { v.iter().map(one).collect() } else { moving }
        }
        Expr::Num(_) | Expr::Const(_) | Expr::Sym(_) | Expr::Pow(..) | Expr::Call(..) | Expr::Add(_) => vec![one(e)],
    }
}

/// Orders the factors of a product: numbers, constants, surds, unknowns by name, functions, sums.
pub(crate) fn factor_order(a: &Expr, b: &Expr) -> Ordering {
    fn class(e: &Expr) -> (u8, String) {
        match e {
            Expr::Num(_) => (0, String::new()),
            Expr::Const(Constant::Pi) => (1, String::new()),
            Expr::Const(Constant::E) => (2, String::new()),
            Expr::Sym(s) => (4, s.clone()),
            Expr::Pow(b, x) if x.as_num().is_some_and(Q::is_integer) => class(b),
            Expr::Pow(b, _) => {
                if b.any(&|x| matches!(x, Expr::Sym(_))) {
                    (6, String::new())
                } else {
                    (3, String::new())
                }
            }
            Expr::Call(..) => (5, String::new()),
            Expr::Mul(_) | Expr::Add(_) => (7, String::new()),
        }
    }
    class(a).cmp(&class(b)).then_with(|| a.cmp(b))
}
