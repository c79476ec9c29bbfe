//! The normal form: a quotient of polynomials over generators.
//!
//! Generators are unknowns, named constants and *kernels*: roots and functions of expressions already in normal form. A
//! kernel may carry a relation, such as `g^2 = x + 1` for `g = sqrt(x + 1)`, by which powers are reduced. Every step
//! keeps the value wherever the original is defined, so a zero numerator proves that an expression is zero there.

use std::collections::BTreeMap;

use num_traits::{One, ToPrimitive};

use super::error::{AlgebraError, Outcome};
use super::expr::{Expr, Func, Q};
use super::mgcd;
use super::mpoly::MPoly;
use super::sign::Roots;
use super::upoly::UPoly;

/// Most generators.
const MAX_GENERATORS: usize = 40;

/// Most products of terms for one expression.
const MAX_SPENT: u64 = 100_000;

/// One generator.
#[derive(Clone, Debug)]
pub(crate) struct Generator {
    pub(crate) expr: Expr,
    /// `Some((q, a))` says that the generator to the power `q` is `a`, a polynomial in earlier generators.
    pub(crate) relation: Option<(u32, MPoly)>,
}

/// A quotient; the denominator has coprime whole coefficients and a positive leading one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ratio {
    pub(crate) num: MPoly,
    pub(crate) den: MPoly,
}

impl Ratio {
    pub(crate) fn poly(num: MPoly) -> Self {
        Self { num, den: MPoly::one() }
    }

    pub(crate) fn number(q: Q) -> Self {
        Self::poly(MPoly::constant(q))
    }

    pub(crate) fn as_number(&self) -> Option<Q> {
        if self.den.is_one() { self.num.as_constant() } else { None }
    }
}

/// The generators met so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ring {
    pub(crate) generators: Vec<Generator>,
    index: BTreeMap<Expr, usize>,
    /// Whether logarithms of products are split, which decides equality but reads worse.
    pub(crate) split: bool,
    /// Products of terms spent so far.
    spent: u64,
}

impl Ring {
    /// Makes a ring for deciding equality.
    pub(crate) fn splitting() -> Self {
        Self { split: true, ..Self::default() }
    }

    /// Makes a ring whose first generators are the names, in order.
    pub(crate) fn with_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Outcome<Self> {
        let mut ring = Self::default();
        for n in names {
            ring.generator(&Expr::sym(n), None)?;
        }
        Ok(ring)
    }

    /// Returns the index of a generator, adding it if new.
    pub(crate) fn generator(&mut self, e: &Expr, relation: Option<(u32, MPoly)>) -> Outcome<usize> {
        if let Some(i) = self.index.get(e) {
            return Ok(*i);
        }
        if self.generators.len() >= MAX_GENERATORS {
            return Err(AlgebraError::too_large(format!("more than {MAX_GENERATORS} different roots and functions")));
        }
        self.generators.push(Generator { expr: e.clone(), relation });
        let i = self.generators.len() - 1;
        self.index.insert(e.clone(), i);
        Ok(i)
    }

    /// Tells whether a polynomial holds no unknown, not even inside kernels.
    pub(crate) fn is_fixed(&self, p: &MPoly) -> bool {
        p.generators().iter().all(|i| self.generators.get(*i).is_some_and(|g| g.expr.variables().is_empty()))
    }

    /// Brings an expression into normal form.
    pub(crate) fn ratio(&mut self, e: &Expr) -> Outcome<Ratio> {
        match e {
            Expr::Num(q) => Ok(Ratio::number(q.clone())),
            Expr::Sym(_) | Expr::Const(_) => Ok(Ratio::poly(MPoly::generator(self.generator(e, None)?))),
            Expr::Add(v) => {
                let mut acc = Ratio::number(Q::from_integer(0.into()));
                for x in v {
                    let r = self.ratio(x)?;
                    acc = self.plus(&acc, &r)?;
                }
                Ok(acc)
            }
            Expr::Mul(v) => {
                let mut acc = Ratio::number(Q::one());
                for x in v {
                    let r = self.ratio(x)?;
                    acc = self.times(&acc, &r)?;
                }
                Ok(acc)
            }
            Expr::Pow(b, x) => {
                if let Some(q) = x.as_num() {
                    return self.rational_power(b, q);
                }
                self.symbolic_power(b, x)
            }
            Expr::Call(Func::Abs, a) => {
                let r = self.ratio(a)?;
                self.abs(&r)
            }
            Expr::Call(f @ (Func::Ln | Func::Sin | Func::Cos | Func::Tan), a) => self.function(*f, a),
        }
    }

    pub(crate) fn rational_power(&mut self, b: &Expr, q: &Q) -> Outcome<Ratio> {
        let large = || AlgebraError::too_large("exponent");
        let n = q.numer().to_i64().ok_or_else(large)?;
        let k = q.denom().to_u32().ok_or_else(large)?;
        let r = self.ratio(b)?;
        let r = if k == 1 { r } else { self.root(&r, k)? };
        self.power(&r, n)
    }

    pub(crate) fn plus(&mut self, a: &Ratio, b: &Ratio) -> Outcome<Ratio> {
        if a.den == b.den {
            return self.make(a.num.add(&b.num), a.den.clone());
        }
        let num = a.num.mul(&b.den)?.add(&b.num.mul(&a.den)?);
        self.make(num, a.den.mul(&b.den)?)
    }

    pub(crate) fn times(&mut self, a: &Ratio, b: &Ratio) -> Outcome<Ratio> {
        self.make(a.num.mul(&b.num)?, a.den.mul(&b.den)?)
    }

    pub(crate) fn inverse(&mut self, a: &Ratio) -> Outcome<Ratio> {
        self.make(a.den.clone(), a.num.clone())
    }

    pub(crate) fn power(&mut self, a: &Ratio, n: i64) -> Outcome<Ratio> {
        let large = || AlgebraError::too_large("exponent");
        let k = u32::try_from(n.unsigned_abs()).map_err(|_| large())?;
        if let Some(q) = a.as_number() {
            return super::canon::num_pow(&q, n).map(Ratio::number).ok_or_else(|| {
                if n < 0 && q == Q::from_integer(0.into()) {
                    AlgebraError::undefined("division by zero")
                } else {
                    large()
                }
            });
        }
        let base = if n < 0 { self.inverse(a)? } else { a.clone() };
        let simple = |p: &MPoly| p.generators().iter().all(|i| self.generators[*i].relation.is_none());
        if simple(&base.num) && simple(&base.den) {
            return Ok(Ratio { num: base.num.pow(k)?, den: base.den.pow(k)? });
        }
        if k > 200 {
            return Err(large());
        }
        let mut out = Ratio::number(Q::one());
        for _ in 0..k {
            out = self.times(&out, &base)?;
        }
        Ok(out)
    }

    /// Applies the relations until no power is too high.
    pub(crate) fn reduce(&self, p: &MPoly) -> Outcome<MPoly> {
        let mut p = p.clone();
        // A relation speaks of earlier generators only, so one pass from the last to the first is enough.
        for i in (0..self.generators.len()).rev() {
            let Some((q, a)) = &self.generators[i].relation else {
                continue;
            };
            if p.degree_in(i) < *q {
                continue;
            }
            let mut out = MPoly::default();
            let mut high = MPoly::one();
            let mut level = 0;
            for (e, c) in p.in_generator(i).iter().enumerate() {
                let e = e as u32;
                while level < e / q {
                    high = high.mul(a)?;
                    level += 1;
                }
                out = out.add(&c.mul(&high)?.mul(&MPoly::generator_pow(i, e % q))?);
            }
            p = out;
        }
        Ok(p)
    }

    /// Makes a quotient in lowest terms, without numeric roots in the denominator.
    pub(crate) fn make(&mut self, num: MPoly, den: MPoly) -> Outcome<Ratio> {
        self.spent += (num.terms.len() as u64 + 1) * (den.terms.len() as u64 + 1);
        if self.spent > MAX_SPENT {
            return Err(AlgebraError::too_large("the work on this expression"));
        }
        let mut num = self.reduce(&num)?;
        let mut den = self.reduce(&den)?;
        if den.is_zero() {
            return Err(AlgebraError::undefined("division by zero"));
        }
        if num.is_zero() {
            return Ok(Ratio::number(Q::from_integer(0.into())));
        }
        for _ in 0..12 {
            if den.as_constant().is_some() {
                break;
            }
            if let Ok(g) = mgcd::gcd(&num, &den)
                && !g.is_one()
                && let (Some(n), Some(d)) = (num.div_exact(&g), den.div_exact(&g))
            {
                num = n;
                den = d;
            }
            match self.conjugate(&den)? {
                Some(c) => {
                    num = self.reduce(&num.mul(&c)?)?;
                    den = self.reduce(&den.mul(&c)?)?;
                    if den.is_zero() {
                        return Err(AlgebraError::undefined("division by zero"));
                    }
                }
                None => break,
            }
        }
        let (den, content) = den.primitive();
        Ok(Ratio { num: num.scale(&content.recip()), den })
    }

    /// Finds a multiplier that removes one root from a denominator without adding a zero; `None` if none is needed.
    fn conjugate(&self, den: &MPoly) -> Outcome<Option<MPoly>> {
        for i in den.generators().into_iter().rev() {
            let g = &self.generators[i];
            let Some((q, a)) = &g.relation else { continue };
            let is_root = matches!(g.expr.as_root(), Some((_, 1, _)));
            if !is_root {
                continue;
            }
            let c = den.in_generator(i);
            if c.iter().filter(|c| !c.is_zero()).count() == 1 {
                // A pure power of the root.
                return Ok(Some(MPoly::generator_pow(i, q - (c.len() as u32 - 1))));
            }
            if !self.is_fixed(den) {
                continue;
            }
            if *q == 2 && c.len() == 2 {
                return Ok(Some(c[0].sub(&c[1].mul(&MPoly::generator(i))?)));
            }
            if let (Some(p), Some(a)) = (den.to_upoly(i), a.as_constant()) {
                let mut m = vec![Q::from_integer(0.into()); *q as usize + 1];
                m[0] = -a;
                m[*q as usize] = Q::one();
                return Ok(inverse_modulo(&p, &UPoly::new(m)).map(|u| MPoly::from_upoly(i, &u)));
            }
        }
        Ok(None)
    }
}

/// Returns `u` with `u * p = 1` modulo `m`; `None` if they are not coprime.
pub(crate) fn inverse_modulo(p: &UPoly, m: &UPoly) -> Option<UPoly> {
    let (mut a, mut b) = (m.clone(), p.clone());
    let (mut s, mut t) = (UPoly::default(), UPoly::constant(Q::one()));
    while !b.is_zero() {
        let (q, r) = a.div_rem(&b)?;
        let next = s.sub(&q.mul(&t));
        (a, b, s, t) = (b, r, t, next);
    }
    if a.degree() == Some(0) { Some(s.scale(&a.leading().recip())) } else { None }
}

/// Returns the rational value of an expression, if its normal form is a number.
pub(crate) fn constant(e: &Expr) -> Option<Q> {
    Ring::default().ratio(e).ok()?.as_number()
}

/// Tells whether the normal form proves a defined expression to be zero, with some unknowns fixed to roots.
pub(crate) fn vanishes(e: &Expr, at: &Roots) -> bool {
    let mut ring = Ring::splitting();
    let Ok(r) = ring.ratio(e) else { return false };
    if r.num.is_zero() {
        return true;
    }
    let [i] = r.num.generators()[..] else {
        return false;
    };
    let Expr::Sym(name) = &ring.generators[i].expr else {
        return false;
    };
    let (Some(root), Some(p)) = (at.get(name), r.num.to_upoly(i)) else {
        return false;
    };
    if let Some(q) = root.rational() {
        return p.eval(&q) == Q::from_integer(0.into());
    }
    let g = p.gcd(&UPoly::from_integers(root.polynomial()));
    if g.is_constant() {
        return false;
    }
    // The common divisor has this root exactly if its sign changes over the isolating interval.
    let (a, b) = root.enclosure(0);
    let (x, y) = (g.eval(&a), g.eval(&b));
    let zero = Q::from_integer(0.into());
    (x < zero) != (y < zero) && x != zero && y != zero
}
