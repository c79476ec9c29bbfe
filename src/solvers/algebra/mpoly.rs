//! Polynomials in several generators over the rationals.
//!
//! A monomial is a list of exponents without trailing zeros, one for each generator of a ring that may grow; the map's
//! order is then the lexicographic monomial order with generator 0 greatest.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

use super::error::{AlgebraError, Outcome};
use super::expr::Q;
use super::upoly::UPoly;

/// Most terms of a polynomial.
pub(crate) const MAX_TERMS: usize = 3_000;
/// Highest total exponent of a power.
pub(crate) const MAX_EXPONENT: u32 = 400;

/// Exponents by generator, without trailing zeros.
pub(crate) type Monomial = Vec<u32>;

/// A sum of terms; no coefficient is zero.
#[derive(Clone, Debug, PartialEq, Eq, Default, PartialOrd, Ord)]
pub(crate) struct MPoly {
    pub(crate) terms: BTreeMap<Monomial, Q>,
}

fn trimmed(mut m: Monomial) -> Monomial {
    while m.last() == Some(&0) {
        m.pop();
    }
    m
}

fn times(a: &[u32], b: &[u32]) -> Monomial {
    let n = a.len().max(b.len());
    (0..n).map(|i| a.get(i).copied().unwrap_or(0).saturating_add(b.get(i).copied().unwrap_or(0))).collect()
}

/// Divides monomials; `None` if not divisible.
fn over(a: &[u32], b: &[u32]) -> Option<Monomial> {
    if b.len() > a.len() {
        return None;
    }
    let q: Option<Monomial> = (0..a.len()).map(|i| a[i].checked_sub(b.get(i).copied().unwrap_or(0))).collect();
    q.map(trimmed)
}

impl MPoly {
    pub(crate) fn constant(q: Q) -> Self {
        let mut terms = BTreeMap::new();
        if !q.is_zero() {
            terms.insert(Vec::new(), q);
        }
        Self { terms }
    }

    pub(crate) fn one() -> Self {
        Self::constant(Q::one())
    }

    pub(crate) fn generator(i: usize) -> Self {
        Self::generator_pow(i, 1)
    }

    pub(crate) fn generator_pow(i: usize, n: u32) -> Self {
        let mut m = vec![0; i + 1];
        m[i] = n;
        Self { terms: BTreeMap::from([(trimmed(m), Q::one())]) }
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// Returns the number, if this is one.
    pub(crate) fn as_constant(&self) -> Option<Q> {
        match self.terms.len() {
            0 => Some(Q::zero()),
            1 => self.terms.get(&Vec::new()).cloned(),
            2.. => None,
        }
    }

    pub(crate) fn is_one(&self) -> bool {
        self.as_constant().is_some_and(|q| q.is_one())
    }

    pub(crate) fn leading(&self) -> Option<(&Monomial, &Q)> {
        self.terms.last_key_value()
    }

    pub(crate) fn leading_negative(&self) -> bool {
        self.leading().is_some_and(|(_, q)| q.is_negative())
    }

    fn insert(&mut self, m: Monomial, q: Q) {
        use std::collections::btree_map::Entry;
        if q.is_zero() {
            return;
        }
        match self.terms.entry(m) {
            Entry::Vacant(v) => {
                v.insert(q);
            }
            Entry::Occupied(mut o) => {
                *o.get_mut() += q;
                if o.get().is_zero() {
                    o.remove();
                }
            }
        }
    }

    pub(crate) fn add(&self, other: &Self) -> Self {
        let mut out = self.clone();
        for (m, q) in &other.terms {
            out.insert(m.clone(), q.clone());
        }
        out
    }

    pub(crate) fn scale(&self, q: &Q) -> Self {
        if q.is_zero() {
            return Self::default();
        }
        Self { terms: self.terms.iter().map(|(m, c)| (m.clone(), c * q)).collect() }
    }

    pub(crate) fn neg(&self) -> Self {
        self.scale(&-Q::one())
    }

    pub(crate) fn sub(&self, other: &Self) -> Self {
        self.add(&other.neg())
    }

    pub(crate) fn mul(&self, other: &Self) -> Outcome<Self> {
        if self.terms.len().saturating_mul(other.terms.len()) > MAX_TERMS * 40 {
            return Err(AlgebraError::too_large(format!(
                "product of {} and {} terms",
                self.terms.len(),
                other.terms.len()
            )));
        }
        let mut out = Self::default();
        for (m, q) in &self.terms {
            for (n, p) in &other.terms {
                out.insert(times(m, n), q * p);
            }
        }
        if out.terms.len() > MAX_TERMS {
            return Err(AlgebraError::too_large(format!("polynomial of more than {MAX_TERMS} terms")));
        }
        Ok(out)
    }

    pub(crate) fn pow(&self, n: u32) -> Outcome<Self> {
        let degree = self.total_degree().saturating_mul(n);
        if degree > MAX_EXPONENT {
            return Err(AlgebraError::too_large(format!("degree above {MAX_EXPONENT}")));
        }
        let bits = self.terms.values().map(|q| q.numer().bits() + q.denom().bits()).max().unwrap_or(0);
        if bits.saturating_mul(u64::from(n)) > 40_000 {
            return Err(AlgebraError::too_large("numbers of more than 40000 bits"));
        }
        let mut out = Self::one();
        for _ in 0..n {
            out = out.mul(self)?;
        }
        Ok(out)
    }

    pub(crate) fn total_degree(&self) -> u32 {
        self.terms.keys().map(|m| m.iter().fold(0u32, |a, b| a.saturating_add(*b))).max().unwrap_or(0)
    }

    pub(crate) fn degree_in(&self, i: usize) -> u32 {
        self.terms.keys().map(|m| m.get(i).copied().unwrap_or(0)).max().unwrap_or(0)
    }

    /// Lists the generators that occur, ascending.
    pub(crate) fn generators(&self) -> Vec<usize> {
        let n = self.terms.keys().map(Vec::len).max().unwrap_or(0);
        (0..n).filter(|i| self.degree_in(*i) > 0).collect()
    }

    /// Returns the coefficients by power of generator `i`, ascending; empty for zero.
    pub(crate) fn in_generator(&self, i: usize) -> Vec<Self> {
        if self.is_zero() {
            return Vec::new();
        }
        let mut out = vec![Self::default(); self.degree_in(i) as usize + 1];
        for (m, q) in &self.terms {
            let e = m.get(i).copied().unwrap_or(0) as usize;
            let mut rest = m.clone();
            if let Some(x) = rest.get_mut(i) {
                *x = 0;
            }
            out[e].insert(trimmed(rest), q.clone());
        }
        out
    }

    /// Builds from coefficients by power of generator `i`.
    pub(crate) fn from_generator(i: usize, coefficients: &[Self]) -> Self {
        let mut out = Self::default();
        for (e, c) in coefficients.iter().enumerate() {
            for (m, q) in &c.terms {
                let mut m = m.clone();
                if m.len() <= i {
                    m.resize(i + 1, 0);
                }
                m[i] += e as u32;
                out.insert(trimmed(m), q.clone());
            }
        }
        out
    }

    /// Returns the polynomial in generator `i` alone; `None` if another one occurs.
    pub(crate) fn to_upoly(&self, i: usize) -> Option<UPoly> {
        let c: Option<Vec<Q>> = self.in_generator(i).iter().map(Self::as_constant).collect();
        Some(UPoly::new(c?))
    }

    pub(crate) fn from_upoly(i: usize, p: &UPoly) -> Self {
        let c: Vec<Self> = p.coefficients().iter().map(|q| Self::constant(q.clone())).collect();
        Self::from_generator(i, &c)
    }

    pub(crate) fn derivative(&self, i: usize) -> Self {
        let mut out = Self::default();
        for (m, q) in &self.terms {
            let e = m.get(i).copied().unwrap_or(0);
            if e > 0 {
                let mut m = m.clone();
                m[i] -= 1;
                out.insert(trimmed(m), q * Q::from_integer(BigInt::from(e)));
            }
        }
        out
    }

    /// Divides exactly; `None` if there is a remainder.
    pub(crate) fn div_exact(&self, by: &Self) -> Option<Self> {
        let (lm, lq) = by.leading()?;
        let mut rest = self.clone();
        let mut out = Self::default();
        while let Some((m, q)) = rest.leading() {
            let t = over(m, lm)?;
            let c = q / lq;
            for (n, p) in &by.terms {
                rest.insert(times(&t, n), -(p * &c));
            }
            out.insert(t, c);
            if out.terms.len() > MAX_TERMS {
                return None;
            }
        }
        Some(out)
    }

    /// Splits off the rational content: the rest has coprime whole coefficients, leading one positive.
    pub(crate) fn primitive(&self) -> (Self, Q) {
        if self.is_zero() {
            return (self.clone(), Q::one());
        }
        let d = self.terms.values().fold(BigInt::one(), |acc, q| acc.lcm(q.denom()));
        let n = self.terms.values().fold(BigInt::zero(), |acc, q| acc.gcd(&(q.numer() * (&d / q.denom()))));
        let mut content = Q::new(n, d);
        if self.leading_negative() {
            content = -content;
        }
        (self.scale(&content.recip()), content)
    }

    /// Returns the largest monomial that divides all terms.
    pub(crate) fn monomial_content(&self) -> Monomial {
        let n = self.terms.keys().map(Vec::len).max().unwrap_or(0);
        trimmed((0..n).map(|i| self.terms.keys().map(|m| m.get(i).copied().unwrap_or(0)).min().unwrap_or(0)).collect())
    }

    pub(crate) fn monomial(m: Monomial) -> Self {
        Self { terms: BTreeMap::from([(trimmed(m), Q::one())]) }
    }
}
