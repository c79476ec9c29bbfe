//! Intervals of numbers with a common binary point; every operation rounds outwards.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Pow, Signed, ToPrimitive, Zero};

use super::expr::Q;

/// All numbers from `lo / 2^p` to `hi / 2^p`; the precision `p` is the caller's.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Interval {
    pub(crate) lo: BigInt,
    pub(crate) hi: BigInt,
}

fn ceil_shift(n: BigInt, p: u64) -> BigInt {
    -((-n) >> p)
}

impl Interval {
    pub(crate) fn integer(n: i64, p: u64) -> Self {
        let v = BigInt::from(n) << p;
        Self { lo: v.clone(), hi: v }
    }

    pub(crate) fn rational(q: &Q, p: u64) -> Self {
        let n = q.numer() << p;
        Self { lo: n.div_floor(q.denom()), hi: n.div_ceil(q.denom()) }
    }

    pub(crate) fn between(a: &Q, b: &Q, p: u64) -> Self {
        Self { lo: Self::rational(a, p).lo, hi: Self::rational(b, p).hi }
    }

    pub(crate) fn is_positive(&self) -> bool {
        self.lo.is_positive()
    }

    pub(crate) fn is_negative(&self) -> bool {
        self.hi.is_negative()
    }

    pub(crate) fn add(&self, o: &Self) -> Self {
        Self { lo: &self.lo + &o.lo, hi: &self.hi + &o.hi }
    }

    pub(crate) fn neg(&self) -> Self {
        Self { lo: -&self.hi, hi: -&self.lo }
    }

    pub(crate) fn sub(&self, o: &Self) -> Self {
        self.add(&o.neg())
    }

    pub(crate) fn abs(&self) -> Self {
        if self.lo.is_negative() && self.hi.is_positive() {
            Self { lo: BigInt::zero(), hi: self.hi.clone().max(-&self.lo) }
        } else if self.hi.is_positive() || self.lo.is_zero() {
            self.clone()
        } else {
            self.neg()
        }
    }

    pub(crate) fn mul(&self, o: &Self, p: u64) -> Self {
        let c = [&self.lo * &o.lo, &self.lo * &o.hi, &self.hi * &o.lo, &self.hi * &o.hi];
        let lo = c.iter().min().cloned().unwrap_or_default();
        let hi = c.iter().max().cloned().unwrap_or_default();
        Self { lo: lo >> p, hi: ceil_shift(hi, p) }
    }

    /// Returns the reciprocal; `None` if zero is inside.
    pub(crate) fn recip(&self, p: u64) -> Option<Self> {
        if !self.is_positive() && !self.is_negative() {
            return None;
        }
        let one = BigInt::one() << (2 * p);
        Some(Self { lo: one.div_floor(&self.hi), hi: one.div_ceil(&self.lo) })
    }

    /// Divides by a positive whole number.
    pub(crate) fn over(&self, n: u64) -> Self {
        let n = BigInt::from(n.max(1));
        Self { lo: self.lo.div_floor(&n), hi: self.hi.div_ceil(&n) }
    }

    /// Raises to a whole power; `None` for a negative power of an interval that holds zero.
    pub(crate) fn pow(&self, n: i64, p: u64) -> Option<Self> {
        let base = if n < 0 { self.recip(p)? } else { self.clone() };
        let mut k = n.unsigned_abs();
        let even = k.is_multiple_of(2);
        let mut square = if even { base.abs() } else { base };
        let mut out = Self::integer(1, p);
        while k > 0 {
            if k & 1 == 1 {
                out = out.mul(&square, p);
            }
            k >>= 1;
            if k > 0 {
                square = square.mul(&square, p);
            }
        }
        Some(out)
    }

    /// Takes the real `k`-th root; of an interval below zero only for odd `k`, otherwise the part below zero is cut off,
    /// because the caller knows that the number is not negative.
    pub(crate) fn root(&self, k: u32, p: u64) -> Self {
        let one = |n: &BigInt, up: bool| -> BigInt {
            if n.is_negative() {
                if k.is_multiple_of(2) {
                    return BigInt::zero();
                }
                let m: BigInt = (-n) << (p * u64::from(k - 1));
                let r: BigInt = m.nth_root(k);
                let exact = Pow::pow(r.clone(), k) == m;
                return if up || exact { -r } else { -(r + 1u32) };
            }
            let m: BigInt = n << (p * u64::from(k - 1));
            let r: BigInt = m.nth_root(k);
            let exact = Pow::pow(r.clone(), k) == m;
            if up && !exact { r + 1u32 } else { r }
        };
        Self { lo: one(&self.lo, false), hi: one(&self.hi, true) }
    }

    /// Moves the binary point to a smaller or larger precision.
    pub(crate) fn rescale(&self, from: u64, to: u64) -> Self {
        if to >= from {
            Self { lo: &self.lo << (to - from), hi: &self.hi << (to - from) }
        } else {
            Self { lo: &self.lo >> (from - to), hi: ceil_shift(self.hi.clone(), from - to) }
        }
    }

    /// Returns the width in units of `2^-p`, as bits.
    pub(crate) fn width_bits(&self) -> u64 {
        (&self.hi - &self.lo).bits()
    }

    /// Returns both ends as rationals.
    pub(crate) fn ends(&self, p: u64) -> (Q, Q) {
        let d = BigInt::one() << p;
        (Q::new(self.lo.clone(), d.clone()), Q::new(self.hi.clone(), d))
    }

    /// Returns an upper bound of the size as a whole number, if that is small.
    pub(crate) fn magnitude(&self, p: u64) -> Option<u64> {
        (self.abs().hi >> p).to_u64()
    }
}
