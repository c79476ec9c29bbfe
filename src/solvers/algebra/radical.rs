//! Roots and absolute values as kernels: squares come out, numbers split into primes, nested surds are resolved.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Pow, Signed as _, Zero};

use super::error::{AlgebraError, Outcome};
use super::expr::{Expr, Func, Q};
use super::mgcd;
use super::mpoly::MPoly;
use super::normal::{Ratio, Ring};
use super::sign::{Sign, Signed, sign};

/// Largest prime that is split off a number under a root.
const MAX_PRIME: u32 = 10_000;
/// Largest root degree.
const MAX_DEGREE: u32 = 64;

/// Splits a positive whole number into primes and a rest without small ones (which may be a perfect power).
pub(crate) fn small_primes(n: &BigInt) -> Vec<(BigInt, u32)> {
    let mut out = Vec::new();
    let mut rest = n.clone();
    let mut d = 2u32;
    while d <= MAX_PRIME && rest > BigInt::one() {
        let b = BigInt::from(d);
        let mut k = 0;
        loop {
            let (q, r) = rest.div_rem(&b);
            if !r.is_zero() {
                break;
            }
            rest = q;
            k += 1;
        }
        if k > 0 {
            out.push((b.clone(), k));
        }
        if &b * &b > rest {
            break;
        }
        d += if d == 2 { 1 } else { 2 };
    }
    if rest > BigInt::one() {
        for k in [5u32, 3, 2] {
            let r = rest.nth_root(k);
            if Pow::pow(r.clone(), k) == rest {
                out.push((r, k));
                return out;
            }
        }
        out.push((rest, 1));
    }
    out
}

impl Ring {
    /// Takes the real `q`-th root.
    pub(crate) fn root(&mut self, r: &Ratio, q: u32) -> Outcome<Ratio> {
        if q == 0 || q > MAX_DEGREE {
            return Err(AlgebraError::too_large(format!("root of degree above {MAX_DEGREE}")));
        }
        if r.num.is_zero() {
            return Ok(r.clone());
        }
        // root(N/D) = root(N * D^(q-1)) / |D|, and without the bars for odd degrees.
        let inside = self.reduce(&r.num.mul(&r.den.pow(q - 1)?)?)?;
        let out = self.poly_root(&inside, q)?;
        if r.den.is_one() {
            return Ok(out);
        }
        let below = Ratio::poly(r.den.clone());
        let below = if q.is_multiple_of(2) { self.abs(&below)? } else { below };
        let below = self.inverse(&below)?;
        self.times(&out, &below)
    }

    fn poly_root(&mut self, p: &MPoly, q: u32) -> Outcome<Ratio> {
        let even = q.is_multiple_of(2);
        let (mut rest, mut content) = p.primitive();
        if self.is_fixed(p) {
            match sign(&self.poly_expr(p)) {
                Signed::Known(Sign::Negative) if even => {
                    return Err(AlgebraError::undefined(format!(
                        "even root of {}, which is negative",
                        self.poly_expr(p)
                    )));
                }
                Signed::Known(Sign::Zero) => return Ok(Ratio::number(Q::zero())),
                Signed::Known(Sign::Negative | Sign::Positive) | Signed::Unknown(_) | Signed::Undefined(_) => {}
            }
        }
        let mut out = Ratio::number(Q::one());
        if content.is_negative() {
            content = -content;
            if even {
                rest = rest.neg();
            } else {
                out = Ratio::number(-Q::one());
            }
        }
        let c = self.number_root(&content, q)?;
        out = self.times(&out, &c)?;
        if rest.is_one() {
            return Ok(out);
        }
        if q == 2
            && self.is_fixed(&rest)
            && let Some(d) = self.denest(&rest)?
        {
            return self.times(&out, &d);
        }
        // Powers come out: root(f^k) = |f|^(k / q) * root(f^(k mod q)).
        let negative = rest.leading_negative();
        let parts = mgcd::square_free_parts(&rest)?;
        let mut inside = MPoly::constant(if negative { -Q::one() } else { Q::one() });
        let mut outside: Vec<(MPoly, u32)> = Vec::new();
        let mut product = MPoly::one();
        for (f, k) in parts {
            product = product.mul(&f.pow(k)?)?;
            if k / q > 0 {
                outside.push((f.clone(), k / q));
            }
            inside = inside.mul(&f.pow(k % q)?)?;
        }
        // Square-free parts leave out a rational factor; it is 1 for primitive polynomials with a common sign.
        if product != rest && product.neg() != rest {
            return Err(AlgebraError::too_large("root of a polynomial"));
        }
        for (f, k) in outside {
            let f = Ratio::poly(f);
            // Inside a root of odd multiplicity of the same f alone, f is not negative already.
            let plain = !even || Ratio::poly(inside.clone()) == f;
            let f = if plain { f } else { self.abs(&f)? };
            let f = self.power(&f, i64::from(k))?;
            out = self.times(&out, &f)?;
        }
        if inside.is_one() {
            return Ok(out);
        }
        let e = Expr::pow_q(self.poly_expr(&inside), 1, i64::from(q));
        let i = self.generator(&e, Some((q, inside)))?;
        self.times(&out, &Ratio::poly(MPoly::generator(i)))
    }

    /// Takes the root of a positive rational.
    fn number_root(&mut self, c: &Q, q: u32) -> Outcome<Ratio> {
        let n = c.numer() * Pow::pow(c.denom().clone(), q - 1);
        let mut out = Ratio::number(Q::new(BigInt::one(), c.denom().clone()));
        for (p, k) in small_primes(&n) {
            let whole = Pow::pow(p.clone(), k / q);
            out = self.times(&out, &Ratio::number(Q::from_integer(whole)))?;
            let g = (k % q).gcd(&q);
            let (k, q) = (k % q / g.max(1), q / g.max(1));
            if k > 0 {
                let e = Expr::pow(Expr::Num(Q::from_integer(p.clone())), Expr::Num(Q::new(BigInt::one(), q.into())));
                let i = self.generator(&e, Some((q, MPoly::constant(Q::from_integer(p)))))?;
                out = self.times(&out, &Ratio::poly(MPoly::generator_pow(i, k)))?;
            }
        }
        Ok(out)
    }

    /// Resolves `sqrt(a + b*sqrt(c))` where `a^2 - b^2*c` is a rational square.
    fn denest(&mut self, p: &MPoly) -> Outcome<Option<Ratio>> {
        let a = p.terms.get(&Vec::new()).cloned().unwrap_or_else(Q::zero);
        let rest = p.sub(&MPoly::constant(a.clone()));
        if rest.terms.len() != 1 || !a.is_positive() {
            return Ok(None);
        }
        let Some(square) = self.reduce(&rest.mul(&rest)?)?.as_constant() else {
            return Ok(None);
        };
        let Some(d) = super::canon::num_root(&(&a * &a - square), 2) else {
            return Ok(None);
        };
        let half = Q::new(1.into(), 2.into());
        let s = self.number_root(&((&a + &d) * &half), 2)?;
        let low = (&a - &d) * half;
        if low.is_zero() {
            return Ok(Some(s));
        }
        let t = self.number_root(&low, 2)?;
        let t = if rest.leading_negative() { self.times(&t, &Ratio::number(-Q::one()))? } else { t };
        Ok(Some(self.plus(&s, &t)?))
    }

    /// Takes the absolute value.
    pub(crate) fn abs(&mut self, r: &Ratio) -> Outcome<Ratio> {
        let num = self.poly_abs(&r.num)?;
        if r.den.is_one() {
            return Ok(num);
        }
        let den = self.poly_abs(&r.den)?;
        let den = self.inverse(&den)?;
        self.times(&num, &den)
    }

    fn poly_abs(&mut self, p: &MPoly) -> Outcome<Ratio> {
        if p.is_zero() {
            return Ok(Ratio::poly(p.clone()));
        }
        if self.is_fixed(p) {
            match sign(&self.poly_expr(p)) {
                Signed::Known(Sign::Negative) => return Ok(Ratio::poly(p.neg())),
                Signed::Known(Sign::Zero | Sign::Positive) => return Ok(Ratio::poly(p.clone())),
                Signed::Unknown(_) | Signed::Undefined(_) => {}
            }
        }
        let (rest, content) = p.primitive();
        let parts = mgcd::square_free_parts(&rest)?;
        let mut product = MPoly::one();
        let mut plain = MPoly::constant(content.abs());
        let mut inside = MPoly::one();
        for (f, k) in parts {
            product = product.mul(&f.pow(k)?)?;
            let known = self.is_nonnegative(&f);
            let bare = if known { k } else { k - k % 2 };
            plain = plain.mul(&f.pow(bare)?)?;
            inside = inside.mul(&f.pow(k - bare)?)?;
        }
        if product != rest && product.neg() != rest {
            (plain, inside) = (MPoly::constant(content.abs()), rest);
        }
        let out = self.make(plain, MPoly::one())?;
        if inside.is_one() {
            return Ok(out);
        }
        let square = self.reduce(&inside.mul(&inside)?)?;
        let e = Expr::call(Func::Abs, self.poly_expr(&inside));
        let i = self.generator(&e, Some((2, square)))?;
        self.times(&out, &Ratio::poly(MPoly::generator(i)))
    }

    /// Tells whether a polynomial is a single generator that is never negative.
    fn is_nonnegative(&self, p: &MPoly) -> bool {
        let [i] = p.generators()[..] else {
            return false;
        };
        if *p != MPoly::generator(i) {
            return false;
        }
        match &self.generators[i].expr {
            Expr::Call(Func::Abs, _) | Expr::Const(_) => true,
            Expr::Pow(b, x) => match x.as_num() {
                Some(q) => q.denom().is_even() || b.as_num().is_some_and(|b| b.is_positive()),
                None => true,
            },
            Expr::Num(_) | Expr::Sym(_) | Expr::Call(..) | Expr::Mul(_) | Expr::Add(_) => false,
        }
    }
}
