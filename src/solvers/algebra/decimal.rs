//! Numbers as decimal text.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Pow, Signed, Zero};

use super::error::{AlgebraError, Outcome};
use super::expr::{Expr, Q};
use super::normal;
use super::sign::{Fault, Roots, enclose};

/// Most decimal places.
pub(crate) const MAX_PLACES: u32 = 1_000;

/// Writes a root, rounded to `places` decimals; `name` serves error messages only.
pub fn root_decimal(root: &super::roots::RealRoot, name: &str, places: u32) -> Outcome<String> {
    decimal_at(&Expr::sym(name), &Roots::from([(name.to_owned(), root.clone())]), places)
}

/// Writes the value of an expression without unknowns, rounded to `places` decimals (ties away from zero).
pub fn decimal_text(e: &Expr, places: u32) -> Outcome<String> {
    decimal_at(e, &Roots::new(), places)
}

/// Writes the value with unknowns fixed to roots.
pub(crate) fn decimal_at(e: &Expr, at: &Roots, places: u32) -> Outcome<String> {
    if places > MAX_PLACES {
        return Err(AlgebraError::too_large(format!("more than {MAX_PLACES} decimals")));
    }
    let wrong = |f: Fault| match f {
        Fault::Undefined(why) => AlgebraError::Undefined(why),
        Fault::Unknown(why) => AlgebraError::Unsupported(why),
        Fault::Coarse => AlgebraError::too_large("precision"),
    };
    if at.is_empty()
        && let Some(q) = normal::constant(e)
    {
        enclose(e, at, 1).map_err(wrong)?;
        return Ok(scaled_text(&round(&q, places), places));
    }
    let mut bits = u64::from(places) * 10 / 3 + 8;
    for _ in 0..6 {
        let (lo, hi) = enclose(e, at, bits).map_err(wrong)?;
        let (a, b) = (round(&lo, places), round(&hi, places));
        if a == b {
            return Ok(scaled_text(&a, places));
        }
        bits += 64;
    }
    // The value sits on a tie as far as can be seen; either neighbour is as near.
    let (lo, _) = enclose(e, at, bits).map_err(wrong)?;
    Ok(scaled_text(&round(&lo, places), places))
}

/// Rounds `q * 10^places` to the nearest whole number, ties away from zero.
pub(crate) fn round(q: &Q, places: u32) -> BigInt {
    let s = q * Q::from_integer(Pow::pow(BigInt::from(10), places));
    let twice: BigInt = s.numer().abs() * 2 + s.denom();
    let n = twice.div_floor(&(s.denom() * 2));
    if s.is_negative() { -n } else { n }
}

/// Writes `n / 10^places` with exactly `places` decimals.
pub(crate) fn scaled_text(n: &BigInt, places: u32) -> String {
    let places = places as usize;
    let digits = n.abs().to_string();
    let digits = format!("{digits:0>width$}", width = places + 1);
    let (whole, part) = digits.split_at(digits.len() - places);
    let sign = if n.is_negative() { "-" } else { "" };
    if places == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{part}") }
}

/// Returns the decimals of a terminating decimal; `None` if it does not end.
pub(crate) fn terminating(q: &Q) -> Option<u32> {
    let mut d = q.denom().clone();
    let mut places = (0u32, 0u32);
    for (p, n) in [(2u32, &mut places.0), (5, &mut places.1)] {
        let p = BigInt::from(p);
        while (&d % &p).is_zero() {
            d /= &p;
            *n += 1;
        }
    }
    d.is_one().then_some(places.0.max(places.1))
}
