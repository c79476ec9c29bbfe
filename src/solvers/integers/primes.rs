//! Primes: a test that is exact below 2^64 and Baillie–PSW above, bounded factoring, lists.

use num_bigint::{BigInt, Sign};
use num_integer::{Integer, Roots};
use num_traits::{One, Signed, ToPrimitive, Zero};

/// Largest number, in bits, that is tested.
const MAX_TEST_BITS: u64 = 2_048;
/// Steps of one search for a factor.
const RHO_STEPS: u32 = 40_000;
/// Most numbers between which primes are listed.
const MAX_RANGE: u64 = 1_000_000;
/// Largest index of a prime.
const MAX_INDEX: usize = 200_000;
/// Bases that decide every number below 2^64.
const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];

/// Whether the number is prime.
///
/// Exact below 2^64; above, Baillie–PSW, to which no counterexample is known.
///
/// # Errors
/// Numbers of more than 2048 bits.
pub fn is_prime(n: &BigInt) -> Result<bool, String> {
    if n.bits() > MAX_TEST_BITS {
        return Err(format!("a number of more than {MAX_TEST_BITS} bits"));
    }
    if n.sign() != Sign::Plus || n.is_one() {
        return Ok(false);
    }
    for p in BASES {
        let p = BigInt::from(p);
        if n.is_multiple_of(&p) {
            return Ok(*n == p);
        }
    }
    Ok(if n.bits() <= 64 {
        BASES.iter().all(|b| strong_probable(n, &BigInt::from(*b)))
    } else {
        strong_probable(n, &BigInt::from(2)) && lucas_probable(n)
    })
}

fn strong_probable(n: &BigInt, base: &BigInt) -> bool {
    let one = BigInt::one();
    let last = n - &one;
    let twos = last.trailing_zeros().unwrap_or(0);
    let odd = &last >> twos;
    let mut x = base.modpow(&odd, n);
    if x == one || x == last {
        return true;
    }
    for _ in 1..twos {
        x = (&x * &x).mod_floor(n);
        if x == last {
            return true;
        }
    }
    false
}

/// The strong Lucas test with Selfridge's parameters.
fn lucas_probable(n: &BigInt) -> bool {
    if n.sqrt().pow(2) == *n {
        return false;
    }
    let mut d = 5i64;
    loop {
        match jacobi(&BigInt::from(d), n) {
            -1 => break,
            0 if BigInt::from(d.abs()) < *n => return false,
            _ => d = if d > 0 { -(d + 2) } else { -d + 2 },
        }
        if d.abs() > 100_000 {
            return false;
        }
    }
    let q = BigInt::from((1 - d) / 4);
    let d = BigInt::from(d);
    let half = |x: BigInt| -> BigInt { if x.is_even() { x >> 1u32 } else { (x + n) >> 1u32 } };
    let next = n + 1u32;
    let twos = next.trailing_zeros().unwrap_or(0);
    let odd = &next >> twos;
    let (mut u, mut v, mut qk) = (BigInt::one(), BigInt::one(), q.mod_floor(n));
    for bit in (0..odd.bits().saturating_sub(1)).rev() {
        u = (&u * &v).mod_floor(n);
        v = (&v * &v - 2u32 * &qk).mod_floor(n);
        qk = (&qk * &qk).mod_floor(n);
        if odd.bit(bit) {
            let (nu, nv) = (half((&u + &v).mod_floor(n)), half((&d * &u + &v).mod_floor(n)));
            u = nu;
            v = nv;
            qk = (&qk * &q).mod_floor(n);
        }
    }
    if u.is_zero() || v.is_zero() {
        return true;
    }
    for _ in 1..twos {
        v = (&v * &v - 2u32 * &qk).mod_floor(n);
        if v.is_zero() {
            return true;
        }
        qk = (&qk * &qk).mod_floor(n);
    }
    false
}

fn jacobi(a: &BigInt, n: &BigInt) -> i32 {
    let (mut a, mut n, mut sign) = (a.mod_floor(n), n.clone(), 1);
    while !a.is_zero() {
        while a.is_even() {
            a >>= 1u32;
            let r = (&n % 8u32).to_u32().unwrap_or(0);
            if r == 3 || r == 5 {
                sign = -sign;
            }
        }
        std::mem::swap(&mut a, &mut n);
        if (&a % 4u32).to_u32() == Some(3) && (&n % 4u32).to_u32() == Some(3) {
            sign = -sign;
        }
        a = a.mod_floor(&n);
    }
    if n.is_one() { sign } else { 0 }
}

/// Prime factors with their powers, ascending; the empty list for one.
///
/// # Errors
/// Zero, negative numbers, and numbers whose factors the bounded search does not find.
pub fn factorize(n: &BigInt) -> Result<Vec<(BigInt, u32)>, String> {
    if n.sign() != Sign::Plus {
        return Err("only positive whole numbers have prime factors".into());
    }
    if n.bits() > MAX_TEST_BITS {
        return Err(format!("a number of more than {MAX_TEST_BITS} bits"));
    }
    let mut primes: Vec<BigInt> = Vec::new();
    let mut rest = n.clone();
    let mut p = 2u32;
    while p < 3_000 && !rest.is_one() {
        while (&rest % p).is_zero() {
            primes.push(BigInt::from(p));
            rest /= p;
        }
        p += if p == 2 { 1 } else { 2 };
    }
    let mut open = if rest.is_one() { Vec::new() } else { vec![rest] };
    let mut steps = 8 * RHO_STEPS;
    while let Some(m) = open.pop() {
        if is_prime(&m)? {
            primes.push(m);
        } else {
            let d = split(&m, &mut steps).ok_or_else(|| format!("no factor of {m} was found within the bound"))?;
            open.push(&m / &d);
            open.push(d);
        }
    }
    primes.sort();
    let mut out: Vec<(BigInt, u32)> = Vec::new();
    for p in primes {
        match out.last_mut() {
            Some((last, e)) if *last == p => *e += 1,
            Some(_) | None => out.push((p, 1)),
        }
    }
    Ok(out)
}

/// A proper factor of a composite number, by Pollard's method with Brent's batches.
fn split(n: &BigInt, steps: &mut u32) -> Option<BigInt> {
    let root = n.sqrt();
    if root.pow(2) == *n {
        return Some(root);
    }
    if let Some(small) = n.to_u64() {
        return split_u64(small, steps).map(BigInt::from);
    }
    for c in 1u32..20 {
        let step = |x: &BigInt| (x * x + c).mod_floor(n);
        let (mut x, mut y) = (BigInt::from(2), BigInt::from(2));
        let mut d = BigInt::one();
        while d.is_one() {
            *steps = steps.checked_sub(64)?;
            let mut batch = BigInt::one();
            let start = (x.clone(), y.clone());
            for _ in 0..64 {
                x = step(&x);
                y = step(&step(&y));
                batch = (batch * (&x - &y)).mod_floor(n);
            }
            d = batch.gcd(n);
            if d == *n {
                (x, y) = start;
                d = BigInt::one();
                while d.is_one() {
                    x = step(&x);
                    y = step(&step(&y));
                    d = (&x - &y).abs().gcd(n);
                }
            }
        }
        if d != *n {
            return Some(d);
        }
    }
    None
}

fn split_u64(n: u64, steps: &mut u32) -> Option<u64> {
    let times = |a: u64, b: u64| u64::try_from(u128::from(a) * u128::from(b) % u128::from(n)).unwrap_or(0);
    for c in 1u64..20 {
        let step = |x: u64| u64::try_from((u128::from(times(x, x)) + u128::from(c)) % u128::from(n)).unwrap_or(0);
        let (mut x, mut y, mut d) = (2u64, 2u64, 1u64);
        while d == 1 {
            *steps = steps.checked_sub(1)?;
            x = step(x);
            y = step(step(y));
            d = x.abs_diff(y).gcd(&n);
        }
        if d != n {
            return Some(d);
        }
    }
    None
}

/// The smallest prime above.
///
/// # Errors
/// As [`is_prime`].
pub fn next_prime(n: &BigInt) -> Result<BigInt, String> {
    let mut candidate = n.max(&BigInt::one()) + 1u32;
    if candidate > BigInt::from(2) && candidate.is_even() {
        candidate += 1u32;
    }
    // Gaps below 2^2048 are far smaller than this bound.
    for _ in 0..100_000 {
        if is_prime(&candidate)? {
            return Ok(candidate);
        }
        candidate += 2u32;
    }
    Err("no prime was found within the bound".into())
}

/// All primes `from <= p <= to`, ascending.
///
/// # Errors
/// Ranges of more than a million numbers or of numbers above 2^63.
pub fn primes_between(from: &BigInt, to: &BigInt) -> Result<Vec<BigInt>, String> {
    let low = from.max(&BigInt::from(2)).to_u64().filter(|n| *n < 1 << 63).ok_or("numbers above 2^63")?;
    if to.sign() != Sign::Plus {
        return Ok(Vec::new());
    }
    let high = to.to_u64().filter(|n| *n < 1 << 63).ok_or("numbers above 2^63")?;
    if high < low {
        return Ok(Vec::new());
    }
    if high - low > MAX_RANGE {
        return Err(format!("a range of more than {MAX_RANGE} numbers"));
    }
    // The sieve strikes out multiples of every prime up to 10^6; above 10^12 each survivor is tested.
    let size = usize::try_from(high - low + 1).map_err(|_| "a range too long")?;
    let mut composite = vec![false; size];
    let root = high.sqrt();
    for p in small_primes(usize::try_from(root.min(MAX_RANGE)).unwrap_or(0)) {
        let mut m = (low.div_ceil(p) * p).max(p * p);
        while m <= high {
            if let Some(slot) = usize::try_from(m - low).ok().and_then(|i| composite.get_mut(i)) {
                *slot = true;
            }
            m += p;
        }
    }
    let mut out = Vec::new();
    for (n, composite) in (low..=high).zip(composite) {
        if !composite && (root <= MAX_RANGE || is_prime(&BigInt::from(n))?) {
            out.push(BigInt::from(n));
        }
    }
    Ok(out)
}

fn small_primes(most: usize) -> Vec<u64> {
    let mut composite = vec![false; most + 1];
    let mut out = Vec::new();
    for n in 2..=most {
        if composite.get(n).copied().unwrap_or(true) {
            continue;
        }
        out.push(n as u64);
        for m in (n.saturating_mul(n)..=most).step_by(n) {
            if let Some(slot) = composite.get_mut(m) {
                *slot = true;
            }
        }
    }
    out
}

/// The n-th prime; the first is 2.
///
/// # Errors
/// Zero, and indices above 200 000.
pub fn nth_prime(n: usize) -> Result<BigInt, String> {
    if n == 0 || n > MAX_INDEX {
        return Err(format!("the index of a prime must lie between 1 and {MAX_INDEX}"));
    }
    // Rosser's bound: the n-th prime lies below n (ln n + ln ln n) from the sixth on; bits stand in for logarithms.
    let bits = usize::try_from(n.ilog2() + 1).unwrap_or(64);
    small_primes(n * (bits + 3) + 20).get(n - 1).map(|p| BigInt::from(*p)).ok_or_else(|| "an index too large".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn big(text: &str) -> BigInt {
        text.parse().unwrap()
    }

    #[test]
    fn tells_primes() {
        for (n, prime) in [
            ("-7", false),
            ("0", false),
            ("1", false),
            ("2", true),
            ("91", false),
            ("97", true),
            ("561", false),
            ("3215031751", false),
            ("18446744073709551557", true),
            ("18446744073709551559", false),
            ("170141183460469231731687303715884105727", true),
            ("170141183460469231731687303715884105729", false),
            ("1000000000000000000000000000057", true),
            ("1000000016000000063000000000000000000", false),
        ] {
            assert_eq!(is_prime(&big(n)), Ok(prime), "{n}");
        }
        assert!(is_prime(&(BigInt::one() << 3000u32)).is_err());
    }

    #[test]
    fn the_test_above_64_bits_agrees_below() {
        for n in (10_001u32..14_000).step_by(2) {
            let m = BigInt::from(n);
            assert_eq!(strong_probable(&m, &BigInt::from(2)) && lucas_probable(&m), is_prime(&m).unwrap(), "{n}");
        }
    }

    #[test]
    fn factors() {
        let show = |n: &str| {
            factorize(&big(n)).map(|f| f.iter().map(|(p, e)| format!("{p}^{e}")).collect::<Vec<_>>().join(" "))
        };
        assert_eq!(show("360").as_deref(), Ok("2^3 3^2 5^1"));
        assert_eq!(show("1").as_deref(), Ok(""));
        assert_eq!(show("1000000016000000063").as_deref(), Ok("1000000007^1 1000000009^1"));
        assert_eq!(show("340282366920938463463374607431768211457").map_err(|_| "bounded"), Err("bounded"));
        assert!(show("0").is_err());
    }

    #[test]
    fn lists_primes() {
        assert_eq!(next_prime(&big("100")), Ok(big("101")));
        assert_eq!(next_prime(&big("-5")), Ok(big("2")));
        assert_eq!(next_prime(&big("2")), Ok(big("3")));
        assert_eq!(nth_prime(100), Ok(big("541")));
        assert!(nth_prime(0).is_err());
        let between = |a: &str, b: &str| primes_between(&big(a), &big(b)).map(|p| p.len());
        assert_eq!(between("1", "100"), Ok(25));
        assert_eq!(between("100", "1"), Ok(0));
        assert_eq!(between("1000000000000", "1000000000100"), Ok(4));
        assert!(between("1", "100000000").is_err());
    }
}
