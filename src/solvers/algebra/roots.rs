//! Real roots of polynomials: Sturm's theorem, isolation, refinement.

use std::cell::RefCell;
use std::cmp::Ordering;

use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

use super::error::{AlgebraError, Outcome};
use super::expr::Q;
use super::upoly::UPoly;

/// Highest degree whose roots are isolated.
pub(crate) const MAX_DEGREE: usize = 80;
/// Most work: the degree times the bits of the longest coefficient.
const MAX_WORK: u64 = 16_000;
/// Finest interval, as a power of two.
pub(crate) const MAX_BITS: u64 = 40_000;

/// A real root of a square-free polynomial.
#[derive(Clone, Debug)]
pub struct RealRoot {
    /// Coprime ascending coefficients; simple root.
    poly: Vec<BigInt>,
    place: RefCell<Place>,
}

#[derive(Clone, Debug, PartialEq)]
enum Place {
    Exact(Q),
    /// Strictly between `n / 2^k` and `(n + 1) / 2^k`, the only root there.
    Between {
        n: BigInt,
        k: u64,
    },
}

impl RealRoot {
    /// Returns the polynomial's ascending coefficients.
    pub fn polynomial(&self) -> &[BigInt] {
        &self.poly
    }

    /// Returns the value, if it is rational.
    pub fn rational(&self) -> Option<Q> {
        match &*self.place.borrow() {
            Place::Exact(q) => Some(q.clone()),
            Place::Between { .. } => None,
        }
    }

    /// Returns both ends of an interval no wider than `2^-bits`; equal ends for a rational root.
    pub fn enclosure(&self, bits: u64) -> (Q, Q) {
        let mut place = self.place.borrow_mut();
        if let Place::Between { n, k } = &*place
            && *k < bits.min(MAX_BITS)
        {
            *place = refine(&self.poly, n.clone(), *k, bits.min(MAX_BITS));
        }
        match &*place {
            Place::Exact(q) => (q.clone(), q.clone()),
            Place::Between { n, k } => {
                let d = BigInt::one() << *k;
                (Q::new(n.clone(), d.clone()), Q::new(n + 1, d))
            }
        }
    }
}

impl RealRoot {
    /// Tells whether the root lies between two numbers, ends included.
    pub fn lies_within(&self, low: &Q, high: &Q) -> bool {
        let mut bits = 0;
        loop {
            let (a, b) = self.enclosure(bits);
            if a >= *low && b <= *high {
                return true;
            }
            // An irrational root never sits on an end, so refinement decides.
            if b < *low || a > *high || bits > 4_000 {
                return false;
            }
            bits += 16;
        }
    }
}

/// Bisects until the interval is `2^-bits` wide; the sign changes across it.
fn refine(poly: &[BigInt], mut n: BigInt, mut k: u64, bits: u64) -> Place {
    let left = sign_at(poly, &n, k);
    while k < bits {
        n <<= 1;
        k += 1;
        let middle: BigInt = &n + 1;
        match sign_at(poly, &middle, k) {
            Sign::NoSign => return Place::Exact(Q::new(middle, BigInt::one() << k)),
            s if s == left => n = middle,
            Sign::Plus | Sign::Minus => {}
        }
    }
    Place::Between { n, k }
}

/// The sign of the polynomial at `n / 2^k`.
fn sign_at(poly: &[BigInt], n: &BigInt, k: u64) -> Sign {
    let mut acc = BigInt::zero();
    let mut shift = 0;
    for c in poly.iter().rev() {
        acc = acc * n + (c << shift);
        shift += k;
    }
    acc.sign()
}

/// A Sturm sequence with whole coefficients.
pub(crate) struct Sturm(Vec<Vec<BigInt>>);

impl Sturm {
    /// Builds the sequence of a square-free polynomial.
    pub(crate) fn new(p: &UPoly) -> Self {
        let keep_sign = |p: &UPoly| {
            let (c, content) = p.primitive();
            if content.is_negative() { c.into_iter().map(|x| -x).collect::<Vec<_>>() } else { c }
        };
        let mut chain = vec![keep_sign(p), keep_sign(&p.derivative())];
        while let [.., a, b] = chain.as_slice()
            && b.len() > 1
        {
            let r = UPoly::from_integers(a).div_rem(&UPoly::from_integers(b)).map(|(_, r)| r).unwrap_or_default();
            if r.is_zero() {
                break;
            }
            chain.push(keep_sign(&r.scale(&-Q::one())));
        }
        Self(chain)
    }

    fn changes(signs: impl Iterator<Item = Sign>) -> usize {
        let mut last = Sign::NoSign;
        let mut count = 0;
        for s in signs.filter(|s| *s != Sign::NoSign) {
            count += usize::from(last != Sign::NoSign && last != s);
            last = s;
        }
        count
    }

    fn changes_at(&self, n: &BigInt, k: u64) -> usize {
        Self::changes(self.0.iter().map(|p| sign_at(p, n, k)))
    }

    /// Counts all real roots.
    pub(crate) fn count(&self) -> usize {
        let at_end = |negative: bool| {
            Self::changes(self.0.iter().map(move |p| match p.last().map_or(Sign::NoSign, BigInt::sign) {
                Sign::Plus if negative && p.len().is_multiple_of(2) => Sign::Minus,
                Sign::Minus if negative && p.len().is_multiple_of(2) => Sign::Plus,
                s => s,
            }))
        };
        at_end(true).saturating_sub(at_end(false))
    }

    /// Counts the roots above `a / 2^k` and not above `b / 2^k`.
    fn between(&self, a: &BigInt, b: &BigInt, k: u64) -> usize {
        self.changes_at(a, k).saturating_sub(self.changes_at(b, k))
    }
}

/// Counts the distinct real roots; the zero polynomial is an error.
pub fn count_real_roots(p: &UPoly) -> Outcome<usize> {
    check_degree(p)?;
    Ok(Sturm::new(&p.square_free()).count())
}

fn check_degree(p: &UPoly) -> Outcome<()> {
    match p.degree() {
        None => Err(AlgebraError::unsupported("every number is a root of zero")),
        Some(d) if d > MAX_DEGREE => Err(AlgebraError::too_large(format!("degree {d} is above {MAX_DEGREE}"))),
        Some(d) => {
            let bits = p.primitive().0.iter().map(BigInt::bits).max().unwrap_or(0);
            if bits.saturating_mul(d as u64) > MAX_WORK {
                Err(AlgebraError::too_large("the coefficients of a polynomial"))
            } else {
                Ok(())
            }
        }
    }
}

/// Finds all distinct real roots in ascending order, each alone in its interval; rational ones are exact.
pub fn real_roots(p: &UPoly) -> Outcome<Vec<RealRoot>> {
    check_degree(p)?;
    let mut rest = p.square_free();
    let mut exact: Vec<Q> = Vec::new();
    let between = loop {
        if rest.is_constant() {
            break Vec::new();
        }
        match isolate(&rest) {
            Isolated::Hit(q) => {
                rest = rest.div_exact(&UPoly::linear(&q)).unwrap_or_default();
                exact.push(q);
            }
            Isolated::All(found) => {
                let (poly, _) = rest.primitive();
                let hit = found.iter().find_map(|(n, k)| rational_in(&poly, n, *k));
                match hit {
                    Some(q) => {
                        rest = rest.div_exact(&UPoly::linear(&q)).unwrap_or_default();
                        exact.push(q);
                    }
                    None => break found,
                }
            }
        }
    };
    let (poly, _) = rest.primitive();
    let mut out: Vec<RealRoot> = Vec::new();
    for (n, k) in between {
        // The interval may hold a rational root that was divided out; refine past it.
        let root = RealRoot { poly: poly.clone(), place: RefCell::new(Place::Between { n, k }) };
        for q in &exact {
            let mut bits = k;
            loop {
                let (a, b) = root.enclosure(bits);
                if *q < a || *q > b || bits >= MAX_BITS {
                    break;
                }
                bits += 1;
            }
        }
        out.push(root);
    }
    for q in exact {
        let poly = vec![-q.numer().clone(), q.denom().clone()];
        out.push(RealRoot { poly, place: RefCell::new(Place::Exact(q)) });
    }
    out.sort_by(compare);
    Ok(out)
}

/// Compares two roots that are known to differ or whose intervals already do; equal only if both are rational and equal
/// or not told apart.
pub(crate) fn compare(a: &RealRoot, b: &RealRoot) -> Ordering {
    let (al, ah) = a.enclosure(0);
    let (bl, bh) = b.enclosure(0);
    if ah < bl || (ah == bl && al != bh) {
        Ordering::Less
    } else if bh < al || (bh == al && bl != ah) {
        Ordering::Greater
    } else {
        (al + ah).cmp(&(bl + bh))
    }
}

enum Isolated {
    /// A bisection point is a root.
    Hit(Q),
    All(Vec<(BigInt, u64)>),
}

fn isolate(p: &UPoly) -> Isolated {
    let sturm = Sturm::new(p);
    let (poly, _) = p.primitive();
    // Cauchy's bound: every root is smaller in size than 1 + max |a_i / a_n|.
    let top = poly.last().cloned().unwrap_or_else(BigInt::one).abs();
    let largest = poly.iter().map(Signed::abs).max().unwrap_or_else(BigInt::one);
    let bound: BigInt = BigInt::one() << (largest.div_ceil(&top) + 1u32).bits();
    let mut todo = vec![(-bound.clone(), bound, 0u64)];
    let mut out = Vec::new();
    while let Some((a, b, k)) = todo.pop() {
        match sturm.between(&a, &b, k) {
            0 => {}
            1 if &b - &a == BigInt::one() => out.push((a, k)),
            _ => {
                let (a, b, k) = if &b - &a == BigInt::one() { (a << 1, b << 1, k + 1) } else { (a, b, k) };
                let middle = (&a + &b).div_floor(&BigInt::from(2));
                if sign_at(&poly, &middle, k) == Sign::NoSign {
                    return Isolated::Hit(Q::new(middle, BigInt::one() << k));
                }
                todo.push((a, middle.clone(), k));
                todo.push((middle, b, k));
            }
        }
    }
    Isolated::All(out)
}

/// Finds the rational root in an isolating interval: times the leading coefficient it is whole.
fn rational_in(poly: &[BigInt], n: &BigInt, k: u64) -> Option<Q> {
    let top = poly.last()?;
    let place = refine(poly, n.clone(), k, k.max(top.bits() + 2));
    match place {
        Place::Exact(q) => Some(q),
        Place::Between { n, k } => {
            let d = BigInt::one() << k;
            // The interval times the leading coefficient is shorter than one half, so it holds at most one whole number.
            let whole = (&n * top).div_ceil(&d);
            let q = Q::new(whole, top.clone());
            let inside = q >= Q::new(n.clone(), d.clone()) && q <= Q::new(n + 1, d);
            (inside && UPoly::from_integers(poly).eval(&q).is_zero()).then_some(q)
        }
    }
}

/// Finds the distinct rational roots in ascending order.
pub fn rational_roots(p: &UPoly) -> Outcome<Vec<Q>> {
    Ok(real_roots(p)?.iter().filter_map(RealRoot::rational).collect())
}
