//! Whole numbers by definition: certificates instead of a second run of the same algorithm.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::numbers::given;
use super::refuted;
use crate::solvers::answer::{Answer, Judgement};
use crate::solvers::goal::IntegerOp;
use crate::solvers::integers::{factorize, is_prime, parse, product};

/// Up to here, trial division decides.
const TRIAL: u64 = 1_000_000_000_000;
/// Up to here, primes are counted.
const COUNTED: u64 = 20_000_000;

/// Judges `Goal::Integer`.
pub(super) fn judge(op: IntegerOp, args: &[String], answer: &Answer) -> Judgement {
    let Ok(numbers) = args.iter().map(|a| parse(a)).collect::<Result<Vec<BigInt>, String>>() else {
        return Judgement::Unproved("an argument is not a whole number".into());
    };
    decide(op, &numbers, answer).unwrap_or_else(|j| j)
}

type Decided = Result<Judgement, Judgement>;

fn unproved(why: impl Into<String>) -> Judgement {
    Judgement::Unproved(why.into())
}

fn whole(answer: &Answer) -> Result<BigInt, Judgement> {
    let given = given(answer)?;
    if given.value.is_integer() { Ok(given.value.to_integer()) } else { Err(refuted("a whole number is asked for")) }
}

fn decide(op: IntegerOp, numbers: &[BigInt], answer: &Answer) -> Decided {
    let first = numbers.first().ok_or_else(|| unproved("no numbers"))?;
    match op {
        IntegerOp::Gcd => gcd(numbers, &whole(answer)?),
        IntegerOp::Lcm => lcm(numbers, &whole(answer)?),
        IntegerOp::IsPrime => prime(first, answer),
        IntegerOp::Factorize => factors(first, answer),
        IntegerOp::Divisors => divisors(first, &list(answer)?),
        IntegerOp::NthPrime => nth(first, &whole(answer)?),
        IntegerOp::NextPrime => next(first, &whole(answer)?),
        IntegerOp::PrimesBetween => {
            between(first, numbers.get(1).ok_or_else(|| unproved("one bound is missing"))?, &list(answer)?)
        }
        IntegerOp::Remainder => {
            remainder(first, numbers.get(1).ok_or_else(|| unproved("no divisor"))?, &whole(answer)?)
        }
    }
}

fn list(answer: &Answer) -> Result<Vec<BigInt>, Judgement> {
    match answer {
        Answer::List { values } => values.iter().map(|v| parse(v).map_err(refuted)).collect(),
        Answer::Number { .. }
        | Answer::Solutions { .. }
        | Answer::Expression { .. }
        | Answer::Date { .. }
        | Answer::Truth { .. }
        | Answer::Text { .. } => Err(refuted("a list is asked for")),
    }
}

/// It divides all, and a whole combination of them equals it, so every common divisor divides it.
fn gcd(numbers: &[BigInt], g: &BigInt) -> Decided {
    if !g.is_positive() {
        return Ok(refuted("a greatest common divisor is positive"));
    }
    if let Some(n) = numbers.iter().find(|n| !n.is_multiple_of(g)) {
        return Ok(refuted(format!("{g} does not divide {n}")));
    }
    let (mut sum, mut coefficients) = (BigInt::zero(), Vec::new());
    for n in numbers {
        let step = sum.extended_gcd(n);
        coefficients = coefficients.into_iter().map(|c: BigInt| c * &step.x).collect();
        coefficients.push(step.y);
        sum = step.gcd;
    }
    let combination: BigInt = numbers.iter().zip(&coefficients).map(|(n, c)| n * c).sum();
    if combination.abs() == *g {
        return Ok(Judgement::Proved("divides all, and a whole combination of them equals it".into()));
    }
    Ok(refuted(format!("{} divides all as well and is larger", combination.abs())))
}

/// All divide it, and without any one of its prime factors that fails.
fn lcm(numbers: &[BigInt], m: &BigInt) -> Decided {
    if numbers.iter().any(Zero::is_zero) {
        return Ok(unproved("zero has no positive multiple"));
    }
    if !m.is_positive() {
        return Ok(refuted("a least common multiple is positive"));
    }
    if let Some(n) = numbers.iter().find(|n| !m.is_multiple_of(n)) {
        return Ok(refuted(format!("{n} does not divide {m}")));
    }
    for (p, _) in factorize(m).map_err(unproved)? {
        let smaller = m / &p;
        if numbers.iter().all(|n| smaller.is_multiple_of(n)) {
            return Ok(refuted(format!("{smaller} is a common multiple as well and is smaller")));
        }
    }
    Ok(Judgement::Proved("all divide it, and no prime factor can be left out".into()))
}

/// Whether a number is prime, by trial division where it is quick; the second value says whether that is certain.
fn certain_prime(n: &BigInt) -> Result<(bool, bool), Judgement> {
    if let Some(n) = n.to_u64().filter(|n| *n <= TRIAL) {
        return Ok((smallest_factor(n) == Some(n), true));
    }
    let prime = is_prime(n).map_err(unproved)?;
    Ok((prime, !prime || n.bits() <= 64))
}

fn smallest_factor(n: u64) -> Option<u64> {
    if n < 2 {
        return None;
    }
    let mut d = 2;
    while d * d <= n {
        if n.is_multiple_of(d) {
            return Some(d);
        }
        d += if d == 2 { 1 } else { 2 };
    }
    Some(n)
}

fn prime(n: &BigInt, answer: &Answer) -> Decided {
    let claimed = match answer {
        Answer::Truth { value } => *value,
        Answer::Number { .. }
        | Answer::Solutions { .. }
        | Answer::Expression { .. }
        | Answer::Date { .. }
        | Answer::List { .. }
        | Answer::Text { .. } => return Ok(refuted("yes or no is asked for")),
    };
    let (prime, certain) = certain_prime(n)?;
    if prime != claimed {
        let witness = n.to_u64().filter(|n| *n <= TRIAL).and_then(smallest_factor).filter(|d| BigInt::from(*d) != *n);
        return Ok(match (prime, witness) {
            (true, _) if !certain => unproved("it passes every test of primality, which is no proof at this size"),
            (true, _) => refuted(format!("no number from 2 to its root divides {n}")),
            (false, Some(d)) => refuted(format!("{d} divides {n}")),
            (false, None) => refuted(format!("{n} fails a test of primality")),
        });
    }
    Ok(if certain {
        Judgement::Proved("tested by division or by a test that is exact at this size".into())
    } else {
        unproved("it passes every test of primality, which is no proof at this size")
    })
}

/// Values such as `2^3` or `5`; also an expression `2^3*3^2*5`.
fn factors(n: &BigInt, answer: &Answer) -> Decided {
    let texts: Vec<String> = match answer {
        Answer::List { values } => values.clone(),
        Answer::Expression { value, .. } | Answer::Number { value, .. } => {
            value.split(['*', '×', '·']).map(str::to_owned).collect()
        }
        Answer::Solutions { .. } | Answer::Date { .. } | Answer::Truth { .. } | Answer::Text { .. } => {
            return Ok(refuted("prime factors are asked for"));
        }
    };
    let mut powers: Vec<(BigInt, u32)> = Vec::new();
    for text in &texts {
        let (base, power) = text.split_once('^').unwrap_or((text, "1"));
        let power: u32 = power
            .trim()
            .parse()
            .ok()
            .filter(|p| *p <= 10_000)
            .ok_or_else(|| refuted(format!("{text} is not a power of a prime")))?;
        powers.push((parse(base).map_err(refuted)?, power));
    }
    let mut certain = true;
    for (p, _) in powers.iter().filter(|(p, _)| !(n.is_one() && p.is_one())) {
        let (prime, sure) = certain_prime(p)?;
        certain &= sure;
        if !prime {
            return Ok(refuted(format!("{p} is not prime")));
        }
    }
    let value = product(&powers);
    if value == *n {
        return Ok(if certain {
            Judgement::Proved("all are prime and their product is the number".into())
        } else {
            unproved("a factor is too large to prove prime")
        });
    }
    let mut rest = n.clone();
    for (p, _) in &powers {
        while !p.is_one() && rest.is_multiple_of(p) && !rest.is_zero() {
            rest /= p;
        }
    }
    let once = powers.iter().all(|(_, e)| *e == 1) && rest.is_one() && n.is_multiple_of(&value);
    Ok(if once {
        unproved("each prime is named once, without its power")
    } else {
        refuted(format!("their product is {value}, not {n}"))
    })
}

fn ascending(values: &[BigInt]) -> Result<(), Judgement> {
    match values.windows(2).find(|w| matches!(w, [a, b] if a >= b)) {
        Some(_) => Err(refuted("the list is not in ascending order without repeats")),
        None => Ok(()),
    }
}

fn divisors(n: &BigInt, values: &[BigInt]) -> Decided {
    ascending(values)?;
    if let Some(d) = values.iter().find(|d| !d.is_positive() || !n.is_multiple_of(d)) {
        return Ok(refuted(format!("{d} does not divide {n}")));
    }
    let count: u64 = factorize(&n.abs()).map_err(unproved)?.iter().map(|(_, e)| u64::from(*e) + 1).product();
    if values.len() as u64 == count {
        return Ok(Judgement::Proved(format!("each divides, and there are {count}")));
    }
    Ok(refuted(format!("{n} has {count} divisors, {} are listed", values.len())))
}

fn next(n: &BigInt, p: &BigInt) -> Decided {
    if p <= n {
        return Ok(refuted(format!("{p} is not above {n}")));
    }
    if p - n > BigInt::from(20_000) {
        return Ok(unproved("the gap is too long to search"));
    }
    let mut m = n + 1u32;
    while m < *p {
        if certain_prime(&m)?.0 {
            return Ok(refuted(format!("{m} is prime and comes first")));
        }
        m += 1u32;
    }
    let (prime, certain) = certain_prime(p)?;
    Ok(match (prime, certain) {
        (false, _) => refuted(format!("{p} is not prime")),
        (true, true) => Judgement::Proved("it is prime and none lies between".into()),
        (true, false) => unproved("it passes every test of primality, which is no proof at this size"),
    })
}

/// How many primes there are up to `n`, by Lucy's sums: no list of primes is made.
fn count_up_to(n: u64) -> u64 {
    if n < 2 {
        return 0;
    }
    let root = n.isqrt();
    let mut points: Vec<u64> = (1..=root).map(|i| n / i).collect();
    let smallest = points.last().copied().unwrap_or(1);
    points.extend((1..smallest).rev());
    let place = |v: u64| usize::try_from(if v <= root { points.len() as u64 - v } else { n / v - 1 }).unwrap_or(0);
    let mut counts: Vec<u64> = points.iter().map(|v| v - 1).collect();
    let at = |counts: &[u64], v: u64| counts.get(place(v)).copied().unwrap_or(0);
    for p in 2..=root {
        let below = at(&counts, p - 1);
        if at(&counts, p) == below {
            continue;
        }
        for (i, v) in points.iter().enumerate() {
            if *v < p * p {
                break;
            }
            let removed = at(&counts, v / p) - below;
            if let Some(slot) = counts.get_mut(i) {
                *slot -= removed;
            }
        }
    }
    counts.first().copied().unwrap_or(0)
}

fn nth(n: &BigInt, p: &BigInt) -> Decided {
    let small = p.to_u64().filter(|p| *p <= COUNTED).ok_or_else(|| unproved("too large to count the primes below"))?;
    if !certain_prime(p)?.0 {
        return Ok(refuted(format!("{p} is not prime")));
    }
    let count = count_up_to(small);
    Ok(if BigInt::from(count) == *n {
        Judgement::Proved(format!("{count} primes lie at or below it"))
    } else {
        refuted(format!("{p} is prime number {count}"))
    })
}

fn between(low: &BigInt, high: &BigInt, values: &[BigInt]) -> Decided {
    ascending(values)?;
    for p in values {
        if p < low || p > high {
            return Ok(refuted(format!("{p} lies outside")));
        }
        if !certain_prime(p)?.0 {
            return Ok(refuted(format!("{p} is not prime")));
        }
    }
    let most = high.to_u64().filter(|h| *h <= COUNTED).ok_or_else(|| unproved("too large to count the primes"))?;
    let before = low.to_u64().map_or(0, |l| count_up_to(l.saturating_sub(1)));
    let count = count_up_to(most).saturating_sub(before);
    Ok(if count == values.len() as u64 {
        Judgement::Proved(format!("each is prime, and there are {count}"))
    } else {
        refuted(format!("there are {count}, {} are listed", values.len()))
    })
}

fn remainder(n: &BigInt, by: &BigInt, r: &BigInt) -> Decided {
    if by.is_zero() {
        return Ok(unproved("division by zero"));
    }
    let fits = !r.is_negative() && *r < by.abs();
    Ok(match (fits, (n - r).is_multiple_of(by)) {
        (true, true) => Judgement::Proved(format!("{n} less it is a multiple of {by}")),
        (false, _) => refuted(format!("a remainder lies between 0 and {}", by.abs() - 1u32)),
        (true, false) => refuted(format!("{} is not a multiple of {by}", n - r)),
    })
}
