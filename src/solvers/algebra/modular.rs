//! Factorisation of whole polynomials modulo one large prime.
//!
//! With a prime above twice Mignotte's bound no lifting is needed: factors modulo the prime are multiplied in subsets and
//! tried over the integers. The primes are Mersenne's, so none has to be searched for.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Pow, Signed, ToPrimitive, Zero};

use super::factor::subsets;
use super::upoly::UPoly;

/// Highest degree.
const MAX_DEGREE: usize = 40;
/// Most modular factors that are recombined.
const MAX_FACTORS: usize = 14;
/// Most work: the square of the degree times the bits of the prime.
const MAX_WORK: usize = 150_000;
/// Exponents of Mersenne primes.
const MERSENNE: [u32; 7] = [61, 89, 107, 127, 521, 607, 1279];

type Poly = Vec<BigInt>;

/// Splits a primitive square-free polynomial into irreducible ones; `None` if a bound was reached.
pub(crate) fn factor_integers(f: &[BigInt]) -> Option<Vec<Poly>> {
    let n = f.len().checked_sub(1)?;
    if n > MAX_DEGREE {
        return None;
    }
    let lead = f.last()?.abs();
    let largest = f.iter().map(Signed::abs).max()?;
    // Mignotte: coefficients of factors are at most 2^n * sqrt(n + 1) * max; doubled for the sign.
    let bound = (largest * &lead * BigInt::from(n + 1)) << (n + 1);
    for m in MERSENNE {
        let p: BigInt = (BigInt::one() << m) - 1u32;
        if p <= bound || lead.is_multiple_of(&p) {
            continue;
        }
        if n * n * m as usize > MAX_WORK {
            return None;
        }
        let field = Field { p };
        let monic = field.monic(&field.reduce(f));
        let d = field.derivative(&monic);
        if field.gcd(&monic, &d).len() > 1 {
            continue;
        }
        let pieces = field.split(&monic)?;
        return recombine(f, pieces, &field);
    }
    None
}

fn recombine(f: &[BigInt], mut pieces: Vec<Poly>, field: &Field) -> Option<Vec<Poly>> {
    if pieces.len() > MAX_FACTORS {
        return None;
    }
    let mut rest = UPoly::from_integers(f);
    let mut out = Vec::new();
    let mut size = 1;
    while size * 2 <= pieces.len() {
        let lead = rest.primitive().0.last()?.clone();
        let hit = subsets(pieces.len(), size).find_map(|s| {
            let product = s.iter().fold(vec![lead.clone()], |acc, i| field.mul(&acc, &pieces[*i]));
            let (g, _) = UPoly::from_integers(&field.symmetric(&product)).primitive();
            let q = rest.div_exact(&UPoly::from_integers(&g))?;
            Some((s, g, q))
        });
        match hit {
            Some((s, g, q)) => {
                out.push(g);
                rest = UPoly::from_integers(&q.primitive().0);
                for i in s.iter().rev() {
                    pieces.remove(*i);
                }
            }
            None => size += 1,
        }
    }
    if !rest.is_constant() {
        out.push(rest.primitive().0);
    }
    Some(out)
}

struct Field {
    p: BigInt,
}

impl Field {
    fn trimmed(mut a: Poly) -> Poly {
        while a.last().is_some_and(Zero::is_zero) {
            a.pop();
        }
        a
    }

    fn reduce(&self, a: &[BigInt]) -> Poly {
        Self::trimmed(a.iter().map(|c| c.mod_floor(&self.p)).collect())
    }

    fn symmetric(&self, a: &[BigInt]) -> Poly {
        let half = &self.p >> 1;
        a.iter().map(|c| if *c > half { c - &self.p } else { c.clone() }).collect()
    }

    fn mul(&self, a: &[BigInt], b: &[BigInt]) -> Poly {
        if a.is_empty() || b.is_empty() {
            return Vec::new();
        }
        let mut out = vec![BigInt::zero(); a.len() + b.len() - 1];
        for (i, x) in a.iter().enumerate() {
            for (j, y) in b.iter().enumerate() {
                out[i + j] += x * y;
            }
        }
        self.reduce(&out)
    }

    fn sub(&self, a: &[BigInt], b: &[BigInt]) -> Poly {
        let n = a.len().max(b.len());
        let at = |v: &[BigInt], i: usize| v.get(i).cloned().unwrap_or_default();
        self.reduce(&(0..n).map(|i| at(a, i) - at(b, i)).collect::<Vec<_>>())
    }

    fn monic(&self, a: &[BigInt]) -> Poly {
        match a.last() {
            None => Vec::new(),
            Some(lead) => {
                let inverse = lead.modpow(&(&self.p - 2), &self.p);
                self.reduce(&a.iter().map(|c| c * &inverse).collect::<Vec<_>>())
            }
        }
    }

    /// Divides by a monic polynomial.
    fn div_rem(&self, a: &[BigInt], b: &[BigInt]) -> (Poly, Poly) {
        let d = b.len().saturating_sub(1);
        let mut rest = a.to_vec();
        let mut q = vec![BigInt::zero(); rest.len().saturating_sub(d)];
        while rest.len() > d {
            let c = rest.pop().unwrap_or_default().mod_floor(&self.p);
            let shift = rest.len() - d;
            if !c.is_zero() {
                for i in 0..d {
                    rest[shift + i] -= &c * &b[i];
                }
            }
            q[shift] = c;
        }
        (self.reduce(&q), self.reduce(&rest))
    }

    fn gcd(&self, a: &[BigInt], b: &[BigInt]) -> Poly {
        let (mut a, mut b) = (self.monic(a), self.monic(b));
        while !b.is_empty() {
            let r = self.monic(&self.div_rem(&a, &b).1);
            a = b;
            b = r;
        }
        a
    }

    fn derivative(&self, a: &[BigInt]) -> Poly {
        self.reduce(&a.iter().enumerate().skip(1).map(|(i, c)| c * i).collect::<Vec<_>>())
    }

    fn pow(&self, a: &[BigInt], n: &BigInt, modulus: &[BigInt]) -> Poly {
        let mut out = vec![BigInt::one()];
        for bit in (0..n.bits()).rev() {
            out = self.div_rem(&self.mul(&out, &out), modulus).1;
            if n.bit(bit) {
                out = self.div_rem(&self.mul(&out, a), modulus).1;
            }
        }
        out
    }

    /// Splits a monic square-free polynomial into monic irreducible ones (Cantor and Zassenhaus).
    fn split(&self, f: &[BigInt]) -> Option<Vec<Poly>> {
        let mut out = Vec::new();
        let mut rest = f.to_vec();
        let x = vec![BigInt::zero(), BigInt::one()];
        let mut h = x.clone();
        let mut d = 0;
        while rest.len() > 1 {
            d += 1;
            if 2 * d > rest.len() - 1 {
                out.push(rest);
                break;
            }
            h = self.pow(&h, &self.p, &rest);
            let g = self.gcd(&self.sub(&h, &x), &rest);
            if g.len() > 1 {
                rest = self.div_rem(&rest, &g).0;
                h = self.div_rem(&h, &rest).1;
                self.same_degree(g, d, &mut out)?;
            }
        }
        Some(out)
    }

    /// Splits a product of irreducible polynomials of degree `d`.
    fn same_degree(&self, f: Poly, d: usize, out: &mut Vec<Poly>) -> Option<()> {
        let half = (Pow::pow(self.p.clone(), d.to_u32()?) - 1) >> 1;
        let mut todo = vec![f];
        while let Some(f) = todo.pop() {
            if f.len() - 1 <= d {
                out.push(f);
                continue;
            }
            let mut found = false;
            for s in 0..100u32 {
                // Trial elements are fixed, not random: the same input splits in the same way everywhere.
                let a = vec![BigInt::from(s), BigInt::from(1 + s / 3), BigInt::from(s / 7)];
                let a = Self::trimmed(a);
                let h = self.pow(&a, &half, &f);
                let g = self.gcd(&self.sub(&h, &[BigInt::one()]), &f);
                if g.len() > 1 && g.len() < f.len() {
                    todo.push(self.div_rem(&f, &g).0);
                    todo.push(g);
                    found = true;
                    break;
                }
            }
            if !found {
                return None;
            }
        }
        Some(())
    }
}
