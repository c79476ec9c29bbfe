//! Bringing an unknown to one side by inverse operations.

use num_traits::Zero;

use super::canon::canon;
use super::equation::Equation;
use super::error::Outcome;
use super::expr::{Constant, Expr, Func, Q};
use super::simplify::{polynomial_in, simplify};

/// Solves for `x` where that has one answer: `x` occurs to the first power, or once under invertible operations (odd
/// powers, roots, exponentials, logarithms).
///
/// The result is what `x` must be if there is a solution; undoing a root may bring in a false one, so substitute it.
/// `None` if no such step applies.
pub fn isolate(eq: &Equation, x: &str) -> Outcome<Option<Expr>> {
    let d = eq.difference();
    if let Some(c) = polynomial_in(&d, x)?
        && let [b, a] = &c[..]
    {
        return simplify(&Expr::mul(vec![Expr::int(-1), b.clone(), Expr::recip(a.clone())])).map(Some);
    }
    let (side, other) = match (eq.left.has(x), eq.right.has(x)) {
        (true, false) => (&eq.left, &eq.right),
        (false, true) => (&eq.right, &eq.left),
        (true, true) | (false, false) => return linear_over_terms(&d, x),
    };
    peel(canon(side), canon(other), x, 0)
}

/// Clears denominators and tries once more as a linear equation.
fn linear_over_terms(d: &Expr, x: &str) -> Outcome<Option<Expr>> {
    let cleared = super::rewrite::clear_denominators(&Equation::new(d.clone(), Expr::int(0)))?;
    match polynomial_in(&cleared.left, x)? {
        Some(c) => match &c[..] {
            [b, a] => simplify(&Expr::mul(vec![Expr::int(-1), b.clone(), Expr::recip(a.clone())])).map(Some),
            _ => Ok(None),
        },
        None => Ok(None),
    }
}

fn peel(side: Expr, other: Expr, x: &str, depth: usize) -> Outcome<Option<Expr>> {
    if depth > 40 {
        return Ok(None);
    }
    match side {
        Expr::Sym(ref s) if s == x => simplify(&other).map(Some),
        Expr::Add(v) => {
            let (mut with, without): (Vec<_>, Vec<_>) = v.into_iter().partition(|t| t.has(x));
            match (with.len(), with.pop()) {
                (1, Some(t)) => peel(t, Expr::minus(other, Expr::add(without)), x, depth + 1),
                _ => Ok(None),
            }
        }
        Expr::Mul(v) => {
            let (mut with, without): (Vec<_>, Vec<_>) = v.into_iter().partition(|t| t.has(x));
            match (with.len(), with.pop()) {
                (1, Some(t)) => peel(t, Expr::mul(vec![other, Expr::recip(Expr::mul(without))]), x, depth + 1),
                _ => Ok(None),
            }
        }
        Expr::Pow(b, e) => {
            if e.has(x) {
                if b.has(x) {
                    return Ok(None);
                }
                let l = Expr::call(Func::Ln, other);
                let right = if *b == Expr::Const(Constant::E) {
                    l
                } else {
                    Expr::mul(vec![l, Expr::recip(Expr::call(Func::Ln, *b))])
                };
                return peel(*e, right, x, depth + 1);
            }
            let Some(q) = e.as_num() else { return Ok(None) };
            // An even power has two answers; that is for the caller to split.
            if q.is_zero() || (q.numer() % 2u32).is_zero() {
                return Ok(None);
            }
            let inverse: Q = q.recip();
            peel(*b, Expr::pow(other, Expr::Num(inverse)), x, depth + 1)
        }
        Expr::Call(Func::Ln, a) => peel(*a, Expr::pow(Expr::Const(Constant::E), other), x, depth + 1),
        Expr::Call(Func::Abs | Func::Sin | Func::Cos | Func::Tan, _) | Expr::Num(_) | Expr::Const(_) | Expr::Sym(_) => {
            Ok(None)
        }
    }
}
