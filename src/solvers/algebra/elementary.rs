//! Elementary functions of intervals, by series with rounding outwards and a bounded remainder.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

use super::interval::Interval;

/// Encloses the circle constant.
pub(crate) fn pi(p: u64) -> Interval {
    // Machin: pi = 16 atan(1/5) - 4 atan(1/239).
    let w = p + 16;
    let a = atan_inverse(5, w);
    let b = atan_inverse(239, w);
    let times = |i: &Interval, n: i32| Interval { lo: &i.lo * n, hi: &i.hi * n };
    times(&a, 16).sub(&times(&b, 4)).rescale(w, p)
}

fn atan_inverse(n: u64, p: u64) -> Interval {
    let mut power = Interval::integer(1, p).over(n);
    let mut out = power.clone();
    let mut i = 1;
    while power.hi > BigInt::one() {
        power = power.over(n * n);
        let term = power.over(2 * i + 1);
        out = if i % 2 == 1 { out.sub(&term) } else { out.add(&term) };
        i += 1;
    }
    widened(out, 2)
}

fn widened(i: Interval, by: u32) -> Interval {
    Interval { lo: i.lo - by, hi: i.hi + by }
}

/// Encloses the exponential; `None` if the argument is above 10000 in size.
pub(crate) fn exp(x: &Interval, p: u64) -> Option<Interval> {
    let size = x.magnitude(p)?;
    if size > 10_000 {
        return None;
    }
    // Both ends, because the function rises.
    let lo = exp_point(&x.lo, size, p);
    let hi = exp_point(&x.hi, size, p);
    Some(Interval { lo: lo.lo, hi: hi.hi })
}

fn exp_point(x: &BigInt, size: u64, p: u64) -> Interval {
    let halvings = 8 + u64::from(u64::BITS - size.leading_zeros());
    let w = p + 2 * halvings + 2 * size + 16;
    // x / 2^halvings, enclosed at precision w; it is below 2^-8 in size.
    let shifted: BigInt = x << (w - p);
    let r = Interval { lo: &shifted >> halvings, hi: (&shifted >> halvings) + 1 };
    let mut term = Interval::integer(1, w);
    let mut out = term.clone();
    let mut i = 1;
    while term.abs().hi > BigInt::one() && i < 100_000 {
        term = term.mul(&r, w).over(i);
        out = out.add(&term);
        i += 1;
    }
    // The rest of the series is smaller than the last term.
    let mut out = widened(out, 2);
    for _ in 0..halvings {
        out = out.mul(&out, w);
    }
    out.rescale(w, p)
}

/// Encloses the natural logarithm; `None` if zero or less is inside.
pub(crate) fn ln(x: &Interval, p: u64) -> Option<Interval> {
    if !x.is_positive() {
        return None;
    }
    Some(Interval { lo: ln_point(&x.lo, p).lo, hi: ln_point(&x.hi, p).hi })
}

fn ln_point(x: &BigInt, p: u64) -> Interval {
    let w = p + 24;
    // x = m * 2^s with 1 <= m < 2.
    let s = x.bits() as i64 - 1 - p as i64;
    let shift = w as i64 - p as i64 - s;
    let m = if shift >= 0 {
        let v: BigInt = x << shift.unsigned_abs();
        Interval { lo: v.clone(), hi: v }
    } else {
        let v: BigInt = x >> shift.unsigned_abs();
        Interval { lo: v.clone(), hi: v + 1 }
    };
    let one = Interval::integer(1, w);
    let t = match m.add(&one).recip(w) {
        Some(r) => m.sub(&one).mul(&r, w),
        None => one.clone(),
    };
    let two = twice_atanh(&Interval::integer(1, w).over(3), w);
    let scaled = Interval { lo: &two.lo * s, hi: &two.hi * s };
    let scaled = if s < 0 { Interval { lo: scaled.hi, hi: scaled.lo } } else { scaled };
    twice_atanh(&t, w).add(&scaled).rescale(w, p)
}

/// Encloses `2 atanh(t)` for `0 <= t <= 1/2`.
fn twice_atanh(t: &Interval, p: u64) -> Interval {
    let square = t.mul(t, p);
    let mut power = t.clone();
    let mut out = t.clone();
    let mut i = 1u64;
    while power.hi > BigInt::one() {
        power = power.mul(&square, p);
        out = out.add(&power.over(2 * i + 1));
        i += 1;
    }
    let out = widened(out, 2);
    out.add(&out)
}

/// Encloses sine and cosine; `None` if the argument is above 2^60 in size.
pub(crate) fn sin_cos(x: &Interval, p: u64) -> Option<(Interval, Interval)> {
    let size = x.magnitude(p)?;
    if size > 1 << 60 {
        return None;
    }
    let w = p + 80;
    let middle: BigInt = (&x.lo + &x.hi) >> 1;
    let radius: BigInt = (&x.hi - &x.lo) + 1;
    let m = Interval { lo: &middle << (w - p), hi: &middle << (w - p) };
    let turn = {
        let h = pi(w);
        h.add(&h)
    };
    let n = m.lo.div_floor(&turn.lo);
    let whole = Interval { lo: &turn.lo * &n, hi: &turn.hi * &n };
    let whole = if n.is_negative() { Interval { lo: whole.hi, hi: whole.lo } } else { whole };
    let r = m.sub(&whole);
    let (mut sine, mut cosine) = (Interval::integer(0, w), Interval::integer(0, w));
    let mut term = Interval::integer(1, w);
    let mut i = 0u64;
    while i < 16 || term.abs().hi > BigInt::one() {
        match i % 4 {
            0 => cosine = cosine.add(&term),
            1 => sine = sine.add(&term),
            2 => cosine = cosine.sub(&term),
            _ => sine = sine.sub(&term),
        }
        i += 1;
        term = term.mul(&r, w).over(i);
        if i > 20_000 {
            return None;
        }
    }
    let finish = |i: Interval| {
        let i = widened(i, 4).rescale(w, p);
        let one = BigInt::one() << p;
        Interval { lo: (i.lo - &radius).max(-one.clone()), hi: (i.hi + &radius).min(one) }
    };
    Some((finish(sine), finish(cosine)))
}

/// Returns zero; the additive start of sums of intervals.
pub(crate) fn zero() -> Interval {
    Interval { lo: BigInt::zero(), hi: BigInt::zero() }
}
