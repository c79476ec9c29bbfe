//! Polynomials in one variable over the rationals.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

use super::expr::Q;

/// A polynomial; coefficients ascend and the last one is not zero.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct UPoly {
    coefficients: Vec<Q>,
}

impl UPoly {
    /// Makes a polynomial from ascending coefficients.
    pub fn new(mut coefficients: Vec<Q>) -> Self {
        while coefficients.last().is_some_and(Zero::is_zero) {
            coefficients.pop();
        }
        Self { coefficients }
    }

    /// Makes a polynomial from ascending whole coefficients.
    pub fn from_integers(coefficients: &[BigInt]) -> Self {
        Self::new(coefficients.iter().map(|c| Q::from_integer(c.clone())).collect())
    }

    /// Makes a constant.
    pub fn constant(q: Q) -> Self {
        Self::new(vec![q])
    }

    /// Makes `x - root`.
    pub fn linear(root: &Q) -> Self {
        Self::new(vec![-root.clone(), Q::one()])
    }

    /// Returns the ascending coefficients; empty for zero.
    pub fn coefficients(&self) -> &[Q] {
        &self.coefficients
    }

    /// Returns the degree; `None` for zero.
    pub fn degree(&self) -> Option<usize> {
        self.coefficients.len().checked_sub(1)
    }

    /// Tells whether this is zero.
    pub fn is_zero(&self) -> bool {
        self.coefficients.is_empty()
    }

    /// Tells whether this is a number (zero included).
    pub fn is_constant(&self) -> bool {
        self.coefficients.len() <= 1
    }

    /// Returns the leading coefficient; zero for zero.
    pub fn leading(&self) -> Q {
        self.coefficients.last().cloned().unwrap_or_else(Q::zero)
    }

    /// Adds.
    pub fn add(&self, other: &Self) -> Self {
        let n = self.coefficients.len().max(other.coefficients.len());
        let at = |p: &Self, i: usize| p.coefficients.get(i).cloned().unwrap_or_else(Q::zero);
        Self::new((0..n).map(|i| at(self, i) + at(other, i)).collect())
    }

    /// Subtracts.
    pub fn sub(&self, other: &Self) -> Self {
        self.add(&other.scale(&-Q::one()))
    }

    /// Multiplies by a number.
    pub fn scale(&self, q: &Q) -> Self {
        Self::new(self.coefficients.iter().map(|c| c * q).collect())
    }

    /// Multiplies.
    pub fn mul(&self, other: &Self) -> Self {
        if self.is_zero() || other.is_zero() {
            return Self::default();
        }
        let mut out = vec![Q::zero(); self.coefficients.len() + other.coefficients.len() - 1];
        for (i, a) in self.coefficients.iter().enumerate() {
            for (j, b) in other.coefficients.iter().enumerate() {
                out[i + j] += a * b;
            }
        }
        Self::new(out)
    }

    /// Divides with remainder; `None` when dividing by zero.
    pub fn div_rem(&self, by: &Self) -> Option<(Self, Self)> {
        let d = by.degree()?;
        let inverse = by.leading().recip();
        let mut rest = self.coefficients.clone();
        let mut quotient = vec![Q::zero(); rest.len().saturating_sub(d)];
        while rest.len() > d {
            let top = rest.pop().unwrap_or_else(Q::zero);
            if top.is_zero() {
                continue;
            }
            let c = top * &inverse;
            let shift = rest.len() - d;
            for (i, b) in by.coefficients[..d].iter().enumerate() {
                rest[shift + i] -= &c * b;
            }
            quotient[shift] = c;
        }
        Some((Self::new(quotient), Self::new(rest)))
    }

    /// Divides exactly; `None` if there is a remainder.
    pub fn div_exact(&self, by: &Self) -> Option<Self> {
        let (q, r) = self.div_rem(by)?;
        r.is_zero().then_some(q)
    }

    /// Makes the leading coefficient 1.
    pub fn monic(&self) -> Self {
        if self.is_zero() { self.clone() } else { self.scale(&self.leading().recip()) }
    }

    /// Returns the monic greatest common divisor; zero if both are zero.
    pub fn gcd(&self, other: &Self) -> Self {
        let (mut a, mut b) = (self.monic(), other.monic());
        while !b.is_zero() {
            let r = a.div_rem(&b).map_or_else(Self::default, |(_, r)| r.monic());
            a = b;
            b = r;
        }
        a
    }

    /// Returns the derivative.
    pub fn derivative(&self) -> Self {
        let from = |(i, c): (usize, &Q)| c * Q::from_integer(BigInt::from(i));
        Self::new(self.coefficients.iter().enumerate().skip(1).map(from).collect())
    }

    /// Returns the value at `x`.
    pub fn eval(&self, x: &Q) -> Q {
        self.coefficients.iter().rev().fold(Q::zero(), |acc, c| acc * x + c)
    }

    /// Returns the product of the distinct irreducible factors, monic.
    pub fn square_free(&self) -> Self {
        let g = self.gcd(&self.derivative());
        if g.is_constant() { self.monic() } else { self.div_exact(&g).map_or_else(|| self.monic(), |p| p.monic()) }
    }

    /// Splits into monic square-free parts with their multiplicities (Yun).
    pub fn square_free_parts(&self) -> Vec<(Self, u32)> {
        let mut out = Vec::new();
        if self.is_constant() {
            return out;
        }
        let f = self.monic();
        let df = f.derivative();
        let a = f.gcd(&df);
        let div = |p: &Self, q: &Self| p.div_exact(q).unwrap_or_default();
        let mut b = div(&f, &a);
        let mut d = div(&df, &a).sub(&b.derivative());
        let mut i = 1;
        while !b.is_constant() {
            let a = b.gcd(&d);
            b = div(&b, &a);
            d = div(&d, &a).sub(&b.derivative());
            if !a.is_constant() {
                out.push((a, i));
            }
            i += 1;
        }
        out
    }

    /// Returns coprime whole coefficients (ascending) and the rational that was divided out; its sign is the leading
    /// coefficient's, so the result leads with a positive number.
    pub fn primitive(&self) -> (Vec<BigInt>, Q) {
        if self.is_zero() {
            return (Vec::new(), Q::zero());
        }
        let denominator = self.coefficients.iter().fold(BigInt::one(), |acc, c| acc.lcm(c.denom()));
        let whole: Vec<BigInt> = self.coefficients.iter().map(|c| c.numer() * (&denominator / c.denom())).collect();
        let mut content = whole.iter().fold(BigInt::zero(), |acc, c| acc.gcd(c));
        if whole.last().is_some_and(Signed::is_negative) {
            content = -content;
        }
        let coefficients = whole.iter().map(|c| c / &content).collect();
        (coefficients, Q::new(content, denominator))
    }
}
