//! From normal form back to trees.

use num_bigint::BigInt;
use num_traits::{One, Pow, Signed, ToPrimitive};

use super::canon::canon;
use super::expr::{Expr, Q};
use super::mpoly::{MPoly, Monomial};
use super::normal::{Ratio, Ring};

impl Ring {
    /// Writes a polynomial as a sum of terms.
    pub(crate) fn poly_expr(&self, p: &MPoly) -> Expr {
        canon(&Expr::add(
            p.terms.iter().map(|(m, q)| Expr::mul(vec![Expr::Num(q.clone()), self.monomial_expr(m)])).collect(),
        ))
    }

    /// Writes a monomial as a product, roots of numbers of one degree under one root.
    pub(crate) fn monomial_expr(&self, m: &Monomial) -> Expr {
        let mut parts = Vec::new();
        let mut surds: Vec<(BigInt, BigInt)> = Vec::new();
        for (i, e) in m.iter().enumerate().filter(|(_, e)| **e > 0) {
            let Some(g) = self.generators.get(i) else {
                continue;
            };
            let times = Q::from_integer(BigInt::from(*e));
            match &g.expr {
                Expr::Pow(b, x) => match (b.as_num(), x.as_num()) {
                    (Some(n), Some(q)) if n.is_integer() && n.is_positive() && q.numer().is_one() && *e < 64 => {
                        let n = Pow::pow(n.numer().clone(), *e);
                        match surds.iter_mut().find(|(k, _)| k == q.denom()) {
                            Some((_, acc)) => *acc *= n,
                            None => surds.push((q.denom().clone(), n)),
                        }
                    }
                    (_, Some(q)) => parts.push(Expr::pow((**b).clone(), Expr::Num(q * times))),
                    (_, None) => {
                        parts.push(Expr::pow((**b).clone(), canon(&Expr::mul(vec![Expr::Num(times), (**x).clone()]))))
                    }
                },
                other @ (Expr::Num(_)
                | Expr::Const(_)
                | Expr::Sym(_)
                | Expr::Call(..)
                | Expr::Mul(_)
                | Expr::Add(_)) => {
                    parts.push(if e.is_one() { other.clone() } else { Expr::pow(other.clone(), Expr::Num(times)) });
                }
            }
        }
        for (k, n) in surds {
            parts.push(Expr::pow(Expr::Num(Q::from_integer(n)), Expr::Num(Q::new(BigInt::one(), k))));
        }
        Expr::mul(parts)
    }

    /// Writes a quotient: a number with surds over one denominator, a polynomial term by term, else one fraction with
    /// whole coefficients.
    pub(crate) fn ratio_expr(&self, r: &Ratio) -> Expr {
        let fixed = self.is_fixed(&r.num) && self.is_fixed(&r.den);
        if r.den.is_one() && !fixed {
            return self.poly_expr(&r.num);
        }
        self.one_fraction(r)
    }

    /// Writes a quotient as one fraction with whole coefficients.
    pub(crate) fn one_fraction(&self, r: &Ratio) -> Expr {
        let (p, content) = r.num.primitive();
        let top = self.poly_expr(&p.scale(&Q::from_integer(content.numer().clone())));
        self.fraction(top, &self.poly_expr(&r.den), content.denom())
    }

    /// Makes `top / (number * bottom)`.
    pub(crate) fn fraction(&self, top: Expr, bottom: &Expr, number: &BigInt) -> Expr {
        let mut parts = vec![Expr::Num(Q::new(BigInt::one(), number.clone())), top];
        if !bottom.is_int(1) {
            parts.push(Expr::recip(bottom.clone()));
        }
        canon(&Expr::mul(parts))
    }

    /// Returns the exponent of the only generator of a monomial.
    pub(crate) fn single(p: &MPoly) -> Option<(usize, u32, Q)> {
        if p.terms.len() != 1 {
            return None;
        }
        let (m, q) = p.leading()?;
        let mut used = m.iter().enumerate().filter(|(_, e)| **e > 0);
        let (i, e) = used.next()?;
        if used.next().is_some() { None } else { Some((i, e.to_u32()?, q.clone())) }
    }
}
