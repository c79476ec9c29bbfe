//! Whole numbers: divisors, primes, factors. Every search that input can make long has a bound.

pub mod primes;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

pub use primes::{factorize, is_prime, next_prime, nth_prime, primes_between};

/// Longest whole number that is read, in digits.
const MAX_DIGITS: usize = 2_000;
/// Most divisors that are listed.
const MAX_DIVISORS: usize = 10_000;

/// Reads a whole number, thousands separators allowed.
///
/// # Errors
/// Anything else, and numbers of more than 2000 digits.
pub fn parse(text: &str) -> Result<BigInt, String> {
    let text = text.trim();
    if text.len() > MAX_DIGITS {
        return Err(format!("a whole number of more than {MAX_DIGITS} digits"));
    }
    let value = crate::solvers::quantity::rational::parse(text)?;
    if value.is_integer() { Ok(value.to_integer()) } else { Err(format!("{text} is not a whole number")) }
}

/// Greatest common divisor by Euclid's algorithm; zero only when all are zero.
///
/// # Errors
/// Fewer than one number.
pub fn gcd(numbers: &[BigInt]) -> Result<BigInt, String> {
    let (first, rest) = numbers.split_first().ok_or("no numbers")?;
    Ok(rest.iter().fold(first.abs(), |a, b| a.gcd(b)))
}

/// Least common multiple; zero when one of them is zero.
///
/// # Errors
/// No numbers, or a result of more than 200 000 bits.
pub fn lcm(numbers: &[BigInt]) -> Result<BigInt, String> {
    let (first, rest) = numbers.split_first().ok_or("no numbers")?;
    let mut out = first.abs();
    for n in rest {
        if out.bits() + n.bits() > 200_000 {
            return Err("a common multiple too large to write out".into());
        }
        out = out.lcm(n);
    }
    Ok(out)
}

/// Greatest common divisor as the product of shared prime factors: another way than Euclid's.
///
/// # Errors
/// As [`factorize`].
pub fn gcd_by_factors(numbers: &[BigInt]) -> Result<BigInt, String> {
    let (first, rest) = numbers.split_first().ok_or("no numbers")?;
    let mut common = factorize(&first.abs())?;
    for n in rest {
        let factors = factorize(&n.abs())?;
        common.retain_mut(|(p, e)| match factors.iter().find(|(q, _)| q == p) {
            Some((_, f)) => {
                *e = (*e).min(*f);
                true
            }
            None => false,
        });
    }
    Ok(product(&common))
}

/// Least common multiple as the product of the highest prime powers.
///
/// # Errors
/// As [`factorize`].
pub fn lcm_by_factors(numbers: &[BigInt]) -> Result<BigInt, String> {
    let mut all: Vec<(BigInt, u32)> = Vec::new();
    for n in numbers {
        for (p, e) in factorize(&n.abs())? {
            match all.iter_mut().find(|(q, _)| *q == p) {
                Some((_, f)) => *f = (*f).max(e),
                None => all.push((p, e)),
            }
        }
    }
    Ok(product(&all))
}

/// The product of prime powers.
#[must_use]
pub fn product(factors: &[(BigInt, u32)]) -> BigInt {
    factors.iter().fold(BigInt::one(), |out, (p, e)| out * p.pow(*e))
}

/// All positive divisors, ascending.
///
/// # Errors
/// Zero, numbers that cannot be factored within the bound, or more than 10 000 divisors.
pub fn divisors(n: &BigInt) -> Result<Vec<BigInt>, String> {
    let mut out = vec![BigInt::one()];
    for (p, e) in factorize(&n.abs())? {
        let mut more = out.clone();
        let mut power = BigInt::one();
        for _ in 0..e {
            power *= &p;
            more.extend(out.iter().map(|d| d * &power));
            if more.len() > MAX_DIVISORS {
                return Err(format!("more than {MAX_DIVISORS} divisors"));
            }
        }
        out = more;
    }
    out.sort();
    Ok(out)
}

/// Quotient and remainder with `0 <= remainder < |divisor|`.
///
/// # Errors
/// Division by zero.
pub fn divmod(n: &BigInt, by: &BigInt) -> Result<(BigInt, BigInt), String> {
    if by.is_zero() {
        return Err("division by zero".into());
    }
    let remainder = n.mod_floor(&by.abs());
    Ok(((n - &remainder) / by, remainder))
}

/// A small number as an index or bound.
///
/// # Errors
/// Names `what` when the number is negative or too large.
pub fn small(n: &BigInt, most: usize, what: &str) -> Result<usize, String> {
    n.to_usize().filter(|n| *n <= most).ok_or_else(|| format!("{what} must lie between 0 and {most}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(numbers: &[&str]) -> Vec<BigInt> {
        numbers.iter().map(|n| parse(n).unwrap()).collect()
    }

    #[test]
    fn divides() {
        assert_eq!(gcd(&all(&["84", "126"])).unwrap(), parse("42").unwrap());
        assert_eq!(gcd_by_factors(&all(&["84", "126", "210"])).unwrap(), parse("42").unwrap());
        assert_eq!(lcm(&all(&["4", "6", "10"])).unwrap(), parse("60").unwrap());
        assert_eq!(lcm_by_factors(&all(&["4", "6", "10"])).unwrap(), parse("60").unwrap());
        assert_eq!(divisors(&parse("28").unwrap()).unwrap(), all(&["1", "2", "4", "7", "14", "28"]));
        assert_eq!(
            divmod(&parse("-7").unwrap(), &parse("3").unwrap()).unwrap(),
            (parse("-3").unwrap(), parse("2").unwrap())
        );
        assert!(divmod(&parse("7").unwrap(), &parse("0").unwrap()).is_err());
        assert!(gcd(&[]).is_err());
    }

    #[test]
    fn reads_whole_numbers_only() {
        assert!(parse("3.5").is_err());
        assert!(parse("abc").is_err());
        assert_eq!(parse("1,000").unwrap(), BigInt::from(1000));
    }

    #[test]
    fn bounds_the_list_of_divisors() {
        let many = (1..=60u32).fold(BigInt::one(), |a, b| a * b);
        assert!(divisors(&many).is_err());
    }
}
