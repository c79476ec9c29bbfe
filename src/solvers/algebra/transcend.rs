//! Exponentials, logarithms and angles as kernels.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::canon::{canon, num_root};
use super::error::{AlgebraError, Outcome};
use super::expr::{Constant, Expr, Func, Q};
use super::mpoly::MPoly;
use super::normal::{Ratio, Ring};
use super::radical::small_primes;

/// Writes a positive rational other than 1 as a power with the smallest base above 1.
pub(crate) fn perfect_power(q: &Q) -> (Q, i64) {
    let (mut base, mut k) = if *q < Q::one() { (q.recip(), -1) } else { (q.clone(), 1) };
    for p in [2u32, 3, 5, 7, 11, 13] {
        while let Some(r) = num_root(&base, p) {
            if r.is_one() {
                break;
            }
            base = r;
            k *= i64::from(p);
        }
    }
    (base, k)
}

impl Ring {
    /// Makes `b^x` for an exponent that is no number as written.
    pub(crate) fn symbolic_power(&mut self, b: &Expr, x: &Expr) -> Outcome<Ratio> {
        let exponent = self.ratio(x)?;
        if let Some(q) = exponent.as_number() {
            return self.rational_power(b, &q);
        }
        let base = self.ratio(b)?;
        let (base, exponent) = match base.as_number() {
            Some(q) if q.is_one() => return Ok(base),
            Some(q) if q.is_positive() => {
                let (r, k) = perfect_power(&q);
                (Expr::Num(r), self.times(&exponent, &Ratio::number(Q::from_integer(k.into())))?)
            }
            Some(_) => {
                return Err(AlgebraError::unsupported("power of a number that is not positive"));
            }
            None => (self.ratio_expr(&base), exponent),
        };
        // b^(c * ln(u) / ln(b)) = u^c.
        if base.as_num().is_some() {
            let l = self.function(Func::Ln, &base)?;
            let y = self.times(&exponent, &l)?;
            if let Some(out) = self.undo_logarithm(&y)? {
                return Ok(out);
            }
        }
        if matches!(base, Expr::Const(Constant::E))
            && let Some(out) = self.undo_logarithm(&exponent)?
        {
            return Ok(out);
        }
        if !exponent.den.is_one() {
            let e = Expr::pow(base, self.ratio_expr(&exponent));
            return Ok(Ratio::poly(MPoly::generator(self.generator(&e, None)?)));
        }
        // b^(u + v) = b^u * b^v, and whole multiples are powers.
        let mut out = Ratio::number(Q::one());
        for (m, c) in exponent.num.terms.clone() {
            let piece = if m.is_empty() {
                self.rational_power(&base, &c)?
            } else {
                let unit = canon(&Expr::mul(vec![
                    Expr::Num(Q::new(BigInt::one(), c.denom().clone())),
                    self.monomial_expr(&m),
                ]));
                let n = c.numer().to_i64().ok_or_else(|| AlgebraError::too_large("exponent"))?;
                let i = self.generator(&Expr::pow(base.clone(), unit), None)?;
                self.power(&Ratio::poly(MPoly::generator(i)), n)?
            };
            out = self.times(&out, &piece)?;
        }
        Ok(out)
    }

    /// Turns `e^(c * ln(u))` into `u^c`.
    fn undo_logarithm(&mut self, exponent: &Ratio) -> Outcome<Option<Ratio>> {
        if !exponent.den.is_one() {
            return Ok(None);
        }
        let Some((i, 1, c)) = Self::single(&exponent.num) else {
            return Ok(None);
        };
        let Expr::Call(Func::Ln, u) = self.generators[i].expr.clone() else {
            return Ok(None);
        };
        self.rational_power(&u, &c).map(Some)
    }

    /// Makes a logarithm or a function of an angle.
    pub(crate) fn function(&mut self, f: Func, a: &Expr) -> Outcome<Ratio> {
        let r = self.ratio(a)?;
        match f {
            Func::Abs => self.abs(&r),
            Func::Ln => self.logarithm(&r),
            Func::Sin => self.angle(&r, true),
            Func::Cos => self.angle(&r, false),
            Func::Tan => {
                let (s, c) = (self.angle(&r, true)?, self.angle(&r, false)?);
                let c = self.inverse(&c)?;
                self.times(&s, &c)
            }
        }
    }

    fn logarithm(&mut self, r: &Ratio) -> Outcome<Ratio> {
        if let Some(q) = r.as_number() {
            if !q.is_positive() {
                return Err(AlgebraError::undefined(format!("logarithm of {q}, which is not positive")));
            }
            if q.is_one() {
                return Ok(Ratio::number(Q::zero()));
            }
            return self.number_logarithm(&q);
        }
        if r.den.is_one()
            && let Some((i, n, c)) = Self::single(&r.num)
            && c.is_one()
        {
            let n = Ratio::number(Q::from_integer(n.into()));
            match self.generators[i].expr.clone() {
                Expr::Const(Constant::E) => return Ok(n),
                Expr::Pow(b, x) if x.as_num().is_none() || b.as_num().is_some() || matches!(*b, Expr::Const(_)) => {
                    let (x, l) = (self.ratio(&x)?, self.function(Func::Ln, &b)?);
                    let out = self.times(&x, &l)?;
                    return self.times(&n, &out);
                }
                Expr::Num(_)
                | Expr::Const(_)
                | Expr::Sym(_)
                | Expr::Pow(..)
                | Expr::Call(..)
                | Expr::Mul(_)
                | Expr::Add(_) => {}
            }
        }
        let e = Expr::call(Func::Ln, self.ratio_expr(r));
        Ok(Ratio::poly(MPoly::generator(self.generator(&e, None)?)))
    }

    fn number_logarithm(&mut self, q: &Q) -> Outcome<Ratio> {
        let mut pieces = Vec::new();
        if self.split {
            pieces.extend(small_primes(q.numer()).into_iter().map(|(p, k)| (Q::from_integer(p), i64::from(k))));
            pieces.extend(small_primes(q.denom()).into_iter().map(|(p, k)| (Q::from_integer(p), -i64::from(k))));
        } else {
            pieces.push(perfect_power(q));
        }
        let mut out = MPoly::default();
        for (base, k) in pieces {
            let i = self.generator(&Expr::call(Func::Ln, Expr::Num(base)), None)?;
            out = out.add(&MPoly::generator(i).scale(&Q::from_integer(k.into())));
        }
        Ok(Ratio::poly(out))
    }

    fn angle(&mut self, r: &Ratio, sine: bool) -> Outcome<Ratio> {
        if r.num.is_zero() {
            return Ok(Ratio::number(if sine { Q::zero() } else { Q::one() }));
        }
        if r.den.is_one()
            && let Some((i, 1, c)) = Self::single(&r.num)
            && matches!(self.generators[i].expr, Expr::Const(Constant::Pi))
            && let Some(v) = exact_angle(&c, sine)
        {
            return self.ratio(&v);
        }
        if r.num.leading_negative() {
            let opposite = Ratio { num: r.num.neg(), den: r.den.clone() };
            let out = self.angle(&opposite, sine)?;
            return if sine { self.times(&out, &Ratio::number(-Q::one())) } else { Ok(out) };
        }
        let a = self.ratio_expr(r);
        let c = self.generator(&Expr::call(Func::Cos, a.clone()), None)?;
        if !sine {
            return Ok(Ratio::poly(MPoly::generator(c)));
        }
        // sin^2 = 1 - cos^2.
        let relation = MPoly::one().sub(&MPoly::generator_pow(c, 2));
        let s = self.generator(&Expr::call(Func::Sin, a), Some((2, relation)))?;
        Ok(Ratio::poly(MPoly::generator(s)))
    }
}

/// Returns sine or cosine of `c * pi` for twelfths of a turn and eighths.
fn exact_angle(c: &Q, sine: bool) -> Option<Expr> {
    // In units of pi/12, from 0 to 23; cosine is sine a quarter turn on.
    let t = c * Q::from_integer(12.into()) + Q::from_integer(if sine { 0 } else { 6 }.into());
    if !t.is_integer() {
        return None;
    }
    let t = t.to_integer().mod_floor(&BigInt::from(24)).to_i64()?;
    let (t, s) = if t >= 12 { (t - 12, -1) } else { (t, 1) };
    let t = if t > 6 { 12 - t } else { t };
    let half = |e: Expr| Expr::mul(vec![Expr::Num(Q::new(s.into(), 2.into())), e]);
    Some(match t {
        0 => Expr::int(0),
        2 => half(Expr::int(1)),
        3 => half(Expr::sqrt(Expr::int(2))),
        4 => half(Expr::sqrt(Expr::int(3))),
        6 => Expr::int(s),
        _ => return None,
    })
}
