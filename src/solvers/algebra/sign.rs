//! The exact sign of a real number given by an expression.
//!
//! Interval arithmetic decides numbers that are not zero. For a number built from rationals, roots and roots of
//! polynomials, the bound of Burnikel, Funke, Mehlhorn, Schirra and Schmitt says how close to zero such a number can come
//! without being zero; an enclosure inside that distance proves zero.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigInt;
use num_traits::{Signed as _, ToPrimitive, Zero};

use super::elementary;
use super::expr::{Constant, Expr, Func, Q};
use super::interval::Interval;
use super::normal;
use super::roots::RealRoot;

/// Finest precision, in bits.
const MAX_PRECISION: u64 = 6_000;
/// Finest precision for numbers that are not algebraic.
const MAX_TRANSCENDENTAL: u64 = 1_024;

/// The sign of a real number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// Below zero.
    Negative,
    /// Zero, proved.
    Zero,
    /// Above zero.
    Positive,
}

/// What is known about the sign of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Signed {
    /// The sign, proved.
    Known(Sign),
    /// The expression has no real value; the reason.
    Undefined(String),
    /// It could not be decided; the reason.
    Unknown(String),
}

/// Values of unknowns that are roots of polynomials.
pub type Roots = BTreeMap<String, RealRoot>;

/// Why an enclosure failed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Fault {
    /// A wider enclosure than needed; more precision may help.
    Coarse,
    Undefined(String),
    Unknown(String),
}

/// Decides the sign of an expression without unknowns.
pub fn sign(e: &Expr) -> Signed {
    sign_at(e, &Roots::new())
}

/// Decides the sign of an expression whose unknowns are the given roots.
pub fn sign_at(e: &Expr, at: &Roots) -> Signed {
    match defined(e, at).and_then(|()| sign_of_defined(e, at)) {
        Ok(s) => Signed::Known(s),
        Err(Fault::Undefined(why)) => Signed::Undefined(why),
        Err(Fault::Unknown(why)) => Signed::Unknown(why),
        Err(Fault::Coarse) => Signed::Unknown("the precision did not suffice".to_owned()),
    }
}

/// Encloses the value to an absolute width of `2^-bits`.
pub(crate) fn enclose(e: &Expr, at: &Roots, bits: u64) -> Result<(Q, Q), Fault> {
    defined(e, at)?;
    let mut p = bits + 32;
    while p <= bits + MAX_PRECISION {
        match eval(e, at, p) {
            Ok(i) if i.width_bits() < p - bits => return Ok(i.ends(p)),
            Ok(_) | Err(Fault::Coarse) => p += p,
            Err(other) => return Err(other),
        }
    }
    Err(Fault::Coarse)
}

/// Checks that every part has a real value.
pub(crate) fn defined(e: &Expr, at: &Roots) -> Result<(), Fault> {
    for c in e.children() {
        defined(c, at)?;
    }
    match e {
        Expr::Sym(s) if !at.contains_key(s) => Err(Fault::Unknown(format!("{s} has no value"))),
        Expr::Pow(b, x) => match x.as_num() {
            Some(q) => {
                if q.is_negative() && sign_of_defined(b, at)? == Sign::Zero {
                    return Err(Fault::Undefined("division by zero".to_owned()));
                }
                if q.is_zero() && sign_of_defined(b, at)? == Sign::Zero {
                    return Err(Fault::Undefined("zero to the power of zero".to_owned()));
                }
                let even = (q.denom() % 2u32).is_zero();
                if even && sign_of_defined(b, at)? == Sign::Negative {
                    return Err(Fault::Undefined(format!("even root of {}, which is negative", shown(b, at))));
                }
                Ok(())
            }
            None => match sign_of_defined(b, at)? {
                Sign::Positive => Ok(()),
                Sign::Zero => match sign_of_defined(x, at)? {
                    Sign::Positive => Ok(()),
                    Sign::Zero | Sign::Negative => {
                        Err(Fault::Undefined("zero to a power that is not positive".to_owned()))
                    }
                },
                Sign::Negative => match normal::constant(x) {
                    Some(q) if q.is_integer() => Ok(()),
                    _ => Err(Fault::Undefined("power of a negative number".to_owned())),
                },
            },
        },
        Expr::Call(Func::Ln, a) => match sign_of_defined(a, at)? {
            Sign::Positive => Ok(()),
            Sign::Zero | Sign::Negative => {
                Err(Fault::Undefined(format!("logarithm of {}, which is not positive", shown(a, at))))
            }
        },
        Expr::Call(Func::Tan, a) => {
            let cosine = Expr::call(Func::Cos, (**a).clone());
            match sign_of_defined(&cosine, at)? {
                Sign::Zero => Err(Fault::Undefined("tangent of an odd multiple of pi/2".to_owned())),
                Sign::Positive | Sign::Negative => Ok(()),
            }
        }
        Expr::Num(_)
        | Expr::Const(_)
        | Expr::Sym(_)
        | Expr::Call(Func::Abs | Func::Sin | Func::Cos, _)
        | Expr::Mul(_)
        | Expr::Add(_) => Ok(()),
    }
}

fn shown(e: &Expr, at: &Roots) -> String {
    if at.is_empty() { super::canon(e).to_string() } else { e.to_string() }
}

fn sign_of_defined(e: &Expr, at: &Roots) -> Result<Sign, Fault> {
    if let Some(q) = e.as_num() {
        return Ok(of_rational(q));
    }
    let bound = Bound::of(e, at);
    let mut p = 64;
    let mut tried_normal = false;
    loop {
        match eval(e, at, p) {
            Ok(i) if i.is_positive() => return Ok(Sign::Positive),
            Ok(i) if i.is_negative() => return Ok(Sign::Negative),
            Ok(i) if i.lo.is_zero() && i.hi.is_zero() => return Ok(Sign::Zero),
            Ok(i) => {
                // The value is at most 2^(width - p) in size.
                if let Some(b) = bound
                    && p.saturating_sub(i.width_bits()) > b
                {
                    return Ok(Sign::Zero);
                }
            }
            Err(Fault::Coarse) => {}
            Err(other) => return Err(other),
        }
        if !tried_normal {
            tried_normal = true;
            if normal::vanishes(e, at) {
                return Ok(Sign::Zero);
            }
        }
        let limit = if bound.is_some() { MAX_PRECISION } else { MAX_TRANSCENDENTAL };
        // Refining a root costs more than its degree times the bits.
        let degree = at.values().map(|r| r.polynomial().len() as u64).max().unwrap_or(1);
        let limit = limit.min(24_000 / degree.max(1));
        if p >= limit {
            return Err(Fault::Unknown(format!("{} could not be told from zero", super::canon(e))));
        }
        let goal = bound.map_or(p * 2, |b| if b < p * 4 { b + 40 } else { p * 2 });
        p = goal.max(p + 64).min(limit);
    }
}

fn of_rational(q: &Q) -> Sign {
    if q.is_zero() {
        Sign::Zero
    } else if q.is_negative() {
        Sign::Negative
    } else {
        Sign::Positive
    }
}

/// Encloses a defined expression at precision `p`.
pub(crate) fn eval(e: &Expr, at: &Roots, p: u64) -> Result<Interval, Fault> {
    let large = || Fault::Unknown("a number is too large".to_owned());
    let out = match e {
        Expr::Num(q) => Interval::rational(q, p),
        Expr::Const(Constant::Pi) => elementary::pi(p),
        Expr::Const(Constant::E) => elementary::exp(&Interval::integer(1, p), p).ok_or_else(large)?,
        Expr::Sym(s) => {
            let root = at.get(s).ok_or_else(|| Fault::Unknown(format!("{s} has no value")))?;
            let (a, b) = root.enclosure(p);
            Interval::between(&a, &b, p)
        }
        Expr::Add(v) => {
            let mut acc = elementary::zero();
            for x in v {
                acc = acc.add(&eval(x, at, p)?);
            }
            acc
        }
        Expr::Mul(v) => {
            let mut acc = Interval::integer(1, p);
            for x in v {
                acc = acc.mul(&eval(x, at, p)?, p);
            }
            acc
        }
        Expr::Call(f, a) => {
            let i = eval(a, at, p)?;
            match f {
                Func::Abs => i.abs(),
                Func::Ln => elementary::ln(&i, p).ok_or(Fault::Coarse)?,
                Func::Sin => elementary::sin_cos(&i, p).ok_or_else(large)?.0,
                Func::Cos => elementary::sin_cos(&i, p).ok_or_else(large)?.1,
                Func::Tan => {
                    let (s, c) = elementary::sin_cos(&i, p).ok_or_else(large)?;
                    s.mul(&c.recip(p).ok_or(Fault::Coarse)?, p)
                }
            }
        }
        Expr::Pow(b, x) => power(b, x, at, p)?,
    };
    if out.lo.bits().max(out.hi.bits()) > p + 100_000 { Err(large()) } else { Ok(out) }
}

fn power(b: &Expr, x: &Expr, at: &Roots, p: u64) -> Result<Interval, Fault> {
    let large = || Fault::Unknown("a number is too large".to_owned());
    if let Some(q) = x.as_num() {
        let i = eval(b, at, p)?;
        if *q.denom() > BigInt::from(64) {
            // A decimal exponent; the direct way would take a root of enormous degree.
            let l = elementary::ln(&i, p).ok_or(Fault::Coarse)?;
            return elementary::exp(&l.mul(&Interval::rational(q, p), p), p).ok_or_else(large);
        }
        let n = q.numer().to_i64().ok_or_else(large)?;
        let k = q.denom().to_u32().filter(|k| *k <= 64).ok_or_else(large)?;
        // Precision grows with the power; a bound keeps the numbers short.
        let bits = i.abs().hi.bits().saturating_sub(p) + 1;
        if bits.saturating_mul(n.unsigned_abs()) > 100_000 {
            return Err(large());
        }
        let i = if k == 1 { i } else { i.root(k, p) };
        return i.pow(n, p).ok_or(Fault::Coarse);
    }
    let exponent = eval(x, at, p)?;
    if matches!(b, Expr::Const(Constant::E)) {
        return elementary::exp(&exponent, p).ok_or_else(large);
    }
    let base = eval(b, at, p)?;
    if base.is_negative() {
        let q = normal::constant(x).ok_or_else(large)?;
        return power(b, &Expr::Num(q), at, p);
    }
    let l = elementary::ln(&base, p).ok_or(Fault::Coarse)?;
    elementary::exp(&l.mul(&exponent, p), p).ok_or_else(large)
}

/// Base-2 logarithms of the bounds `u`, `l` of the cited work: the number is a quotient of algebraic integers whose
/// conjugates are at most `u` and `l` in size.
#[derive(Clone, Copy)]
struct Bound {
    u: f64,
    l: f64,
}

impl Bound {
    /// Returns `b` such that a nonzero value is at least `2^-b` in size; `None` if the number is not algebraic.
    fn of(e: &Expr, at: &Roots) -> Option<u64> {
        let mut degrees = BTreeMap::new();
        let mut names = BTreeSet::new();
        let b = Self::walk(e, at, &mut degrees, &mut names)?;
        let mut d: f64 = degrees.values().map(|k: &u32| f64::from(*k)).product();
        for n in names {
            d *= at.get(&n)?.polynomial().len().saturating_sub(1) as f64;
        }
        let bits = b.l.max(0.0) + (d - 1.0) * b.u.max(0.0) + 8.0;
        (bits.is_finite() && bits < 1e12).then_some(bits as u64)
    }

    fn walk(e: &Expr, at: &Roots, degrees: &mut BTreeMap<Expr, u32>, names: &mut BTreeSet<String>) -> Option<Self> {
        // One above the logarithm, so that rounding errors of the sums below cannot matter.
        let log = |n: &BigInt| n.bits() as f64;
        match e {
            Expr::Num(q) => Some(Self { u: log(q.numer()), l: if q.is_integer() { 0.0 } else { log(q.denom()) } }),
            Expr::Const(_) | Expr::Call(Func::Ln | Func::Sin | Func::Cos | Func::Tan, _) => None,
            Expr::Sym(s) => {
                let poly = at.get(s)?.polynomial();
                let top = poly.last()?;
                // The leading coefficient times the root is an algebraic integer, below the sum in size by Cauchy.
                let largest = poly.iter().map(|c| c.abs()).max()?;
                names.insert(s.clone());
                Some(Self { u: log(&(largest + top.abs())), l: log(top) })
            }
            Expr::Call(Func::Abs, a) => Self::walk(a, at, degrees, names),
            Expr::Add(v) => {
                let mut acc: Option<Self> = None;
                for x in v {
                    let b = Self::walk(x, at, degrees, names)?;
                    acc = Some(match acc {
                        None => b,
                        Some(a) => Self { u: (a.u + b.l).max(b.u + a.l) + 1.0, l: a.l + b.l },
                    });
                }
                acc
            }
            Expr::Mul(v) => {
                let mut acc = Self { u: 0.0, l: 0.0 };
                for x in v {
                    let b = Self::walk(x, at, degrees, names)?;
                    acc = Self { u: acc.u + b.u, l: acc.l + b.l };
                }
                Some(acc)
            }
            Expr::Pow(b, x) => {
                let q = x.as_num()?;
                let mut a = Self::walk(b, at, degrees, names)?;
                let k = q.denom().to_u32()?;
                if k > 1 {
                    let f = f64::from(k);
                    degrees.insert(Expr::pow((**b).clone(), Expr::Num(Q::new(1.into(), k.into()))), k);
                    a = if a.u >= a.l {
                        Self { u: (a.u + (f - 1.0) * a.l) / f + 1e-6, l: a.l }
                    } else {
                        Self { u: a.u, l: ((f - 1.0) * a.u + a.l) / f + 1e-6 }
                    };
                }
                let n = q.numer().to_f64()?;
                Some(if n >= 0.0 { Self { u: a.u * n, l: a.l * n } } else { Self { u: a.l * -n, l: a.u * -n } })
            }
        }
    }
}
