//! Exact numbers as text: reading, printing, rounding.

use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// An exact rational number.
pub type Rational = BigRational;

/// Longest number text that is read; longer input is refused, not truncated.
const MAX_DIGITS: usize = 5_000;
/// Largest size, in bits, that a power may have.
const MAX_BITS: u64 = 200_000;

/// Reads a number: `12`, `-3.5`, `1,000`, `3/4`, `3 1/2`, `2.5e3`.
///
/// # Errors
/// One clause that says what is wrong with the text.
pub fn parse(text: &str) -> Result<Rational, String> {
    let text = text.trim();
    let (negative, body) = match text.strip_prefix('-').or_else(|| text.strip_prefix('−')) {
        Some(rest) => (true, rest.trim()),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let value = match (body.split_once(' '), body.split_once('/')) {
        (Some((whole, part)), Some(_)) => unsigned(whole)? + fraction(part.trim())?,
        (_, Some(_)) => fraction(body)?,
        (_, None) => unsigned(body)?,
    };
    Ok(if negative { -value } else { value })
}

fn fraction(text: &str) -> Result<Rational, String> {
    let (top, bottom) = text.split_once('/').ok_or_else(|| not_a_number(text))?;
    let bottom = unsigned(bottom.trim())?;
    if bottom.is_zero() {
        return Err("division by zero".into());
    }
    Ok(unsigned(top.trim())? / bottom)
}

fn unsigned(text: &str) -> Result<Rational, String> {
    if text.len() > MAX_DIGITS {
        return Err(format!("a number of more than {MAX_DIGITS} digits"));
    }
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((m, e)) => (m, e.parse::<i32>().map_err(|_| not_a_number(text))?),
        None => (text, 0),
    };
    if exponent.unsigned_abs() > 5_000 {
        return Err("an exponent beyond 5000".into());
    }
    let (whole, decimals) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let whole: String = if whole.contains(',') { ungrouped(whole)? } else { whole.to_owned() };
    let digits = format!("{whole}{decimals}");
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(not_a_number(text));
    }
    let top: BigInt = digits.parse().map_err(|_| not_a_number(text))?;
    let shift = exponent - i32::try_from(decimals.len()).map_err(|_| not_a_number(text))?;
    let scale = Rational::from_integer(ten_to(shift.unsigned_abs()));
    let top = Rational::from_integer(top);
    Ok(if shift < 0 { top / scale } else { top * scale })
}

fn ungrouped(whole: &str) -> Result<String, String> {
    let mut groups = whole.split(',');
    let first = groups.next().is_some_and(|g| (1..=3).contains(&g.len()));
    if first && groups.all(|g| g.len() == 3) { Ok(whole.replace(',', "")) } else { Err(not_a_number(whole)) }
}

fn not_a_number(text: &str) -> String {
    format!("\"{}\" is not a number", text.chars().take(40).collect::<String>())
}

/// Ten to a power.
#[must_use]
pub fn ten_to(power: u32) -> BigInt {
    BigInt::from(10).pow(power)
}

/// Raises to a whole power.
///
/// # Errors
/// Zero to a negative power, and results too large to hold.
pub fn power(base: &Rational, exponent: &Rational) -> Result<Rational, String> {
    if !exponent.is_integer() {
        return Err("a power that is not whole".into());
    }
    let trivial = base.is_zero() || base.abs().is_one();
    let n = match exponent.to_integer().to_i64() {
        Some(n) => n,
        None if trivial => i64::from(exponent.to_integer().is_even()) + 1,
        None => return Err("a power too large to write out".into()),
    };
    if base.is_zero() {
        return match exponent.numer().sign() {
            Sign::NoSign => Err("zero to the power zero".into()),
            Sign::Minus => Err("division by zero".into()),
            Sign::Plus => Ok(Rational::zero()),
        };
    }
    let bits = base.numer().bits().max(base.denom().bits());
    if !trivial && bits.saturating_mul(n.unsigned_abs()) > MAX_BITS {
        return Err("a power too large to write out".into());
    }
    let n =
        if trivial { i32::try_from(n % 2).unwrap_or(0) } else { i32::try_from(n).map_err(|_| "a power too large")? };
    Ok(base.pow(n))
}

/// Prints exactly: `3`, `-1/2`.
#[must_use]
pub fn exact(value: &Rational) -> String {
    value.to_string()
}

/// How many decimals write the value exactly; `None` when it does not terminate.
#[must_use]
pub fn decimals_needed(value: &Rational) -> Option<u32> {
    let mut rest = value.denom().clone();
    let (mut twos, mut fives) = (0u32, 0u32);
    for (prime, count) in [(2, &mut twos), (5, &mut fives)] {
        let prime = BigInt::from(prime);
        while (&rest % &prime).is_zero() {
            rest /= &prime;
            *count += 1;
        }
    }
    rest.is_one().then_some(twos.max(fives))
}

/// Rounds to a number of decimals, halves away from zero.
#[must_use]
pub fn round_to(value: &Rational, decimals: u32) -> Rational {
    let scale = Rational::from_integer(ten_to(decimals));
    (value * &scale).round() / scale
}

/// Prints with exactly so many decimals, rounded, halves away from zero.
#[must_use]
pub fn fixed(value: &Rational, decimals: u32) -> String {
    let scaled = (value * Rational::from_integer(ten_to(decimals))).round().to_integer();
    let digits = scaled.abs().to_string();
    let width = decimals as usize;
    let padded = format!("{digits:0>width$}", width = width + 1);
    let (whole, part) = padded.split_at(padded.len() - width);
    let sign = if scaled.is_negative() { "-" } else { "" };
    if width == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{part}") }
}

/// Prints as a terminating decimal, if it is one of at most 40 decimals.
#[must_use]
pub fn decimal(value: &Rational) -> Option<String> {
    decimals_needed(value).filter(|n| *n <= 40).map(|n| fixed(value, n))
}

/// Prints as a decimal where that is exact, otherwise as a fraction.
#[must_use]
pub fn natural(value: &Rational) -> String {
    decimal(value).unwrap_or_else(|| exact(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(input: &str, expected: &str) {
        let got = parse(input).map(|v| exact(&v)).unwrap_or_else(|e| format!("error: {e}"));
        assert_eq!(got, expected, "{input}");
    }

    #[test]
    fn reads_numbers() {
        check("1,000", "1000");
        check("3 1/2", "7/2");
        check("-0.75", "-3/4");
        check("2.5e3", "2500");
        check("1,00", "error: \"1,00\" is not a number");
        check("1/0", "error: division by zero");
        check("1e99999", "error: an exponent beyond 5000");
        check("", "error: \"\" is not a number");
    }

    #[test]
    fn prints_numbers() {
        let third = parse("1/3").unwrap();
        assert_eq!(decimal(&third), None);
        assert_eq!(fixed(&third, 4), "0.3333");
        assert_eq!(fixed(&parse("-0.005").unwrap(), 2), "-0.01");
        assert_eq!(fixed(&parse("2.5").unwrap(), 0), "3");
        assert_eq!(natural(&parse("8509/50").unwrap()), "170.18");
    }

    #[test]
    fn refuses_huge_powers() {
        assert!(power(&parse("10").unwrap(), &parse("1000000").unwrap()).is_err());
        assert_eq!(
            power(&parse("-1").unwrap(), &parse("100000000000000000000").unwrap()).unwrap(),
            parse("1").unwrap()
        );
        assert_eq!(power(&parse("2").unwrap(), &parse("-3").unwrap()).unwrap(), parse("1/8").unwrap());
    }
}
