//! The expression tree.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// An exact rational number.
pub type Q = BigRational;

/// A named real number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Constant {
    /// The ratio of a circle's circumference to its diameter.
    Pi,
    /// The base of the natural logarithm.
    E,
}

/// A function of one argument that is no power.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Func {
    /// Absolute value.
    Abs,
    /// Natural logarithm.
    Ln,
    /// Sine of an angle in radians.
    Sin,
    /// Cosine of an angle in radians.
    Cos,
    /// Tangent of an angle in radians.
    Tan,
}

impl Func {
    /// Returns the name that people write.
    pub fn name(self) -> &'static str {
        match self {
            Self::Abs => "abs",
            Self::Ln => "ln",
            Self::Sin => "sin",
            Self::Cos => "cos",
            Self::Tan => "tan",
        }
    }
}

/// An expression over the reals.
///
/// Differences and quotients are sums and products with `-1` and powers of `-1`; roots are rational powers, where an odd
/// root of a negative number is the real one (`(-8)^(1/3) = -2`). The parser keeps what was written; [`super::canon`]
/// orders and folds it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Expr {
    /// A rational number.
    Num(Q),
    /// A named constant.
    Const(Constant),
    /// An unknown or parameter.
    Sym(String),
    /// Base and exponent.
    Pow(Box<Expr>, Box<Expr>),
    /// A function of an argument.
    Call(Func, Box<Expr>),
    /// A product.
    Mul(Vec<Expr>),
    /// A sum.
    Add(Vec<Expr>),
}

impl Expr {
    /// Makes a whole number.
    pub fn int(n: i64) -> Self {
        Self::Num(Q::from_integer(BigInt::from(n)))
    }

    /// Makes an unknown.
    pub fn sym(name: &str) -> Self {
        Self::Sym(name.to_owned())
    }

    /// Makes a power without simplifying it.
    pub fn pow(base: Self, exponent: Self) -> Self {
        Self::Pow(Box::new(base), Box::new(exponent))
    }

    /// Makes the power `numerator/denominator`.
    pub fn pow_q(base: Self, numerator: i64, denominator: i64) -> Self {
        let d = if denominator == 0 { 1 } else { denominator };
        Self::pow(base, Self::Num(Q::new(BigInt::from(numerator), BigInt::from(d))))
    }

    /// Makes a square root.
    pub fn sqrt(e: Self) -> Self {
        Self::pow_q(e, 1, 2)
    }

    /// Makes the reciprocal.
    pub fn recip(e: Self) -> Self {
        Self::pow(e, Self::int(-1))
    }

    /// Makes a function call.
    pub fn call(f: Func, e: Self) -> Self {
        Self::Call(f, Box::new(e))
    }

    /// Makes a sum, flattening nested sums.
    pub fn add(parts: Vec<Self>) -> Self {
        let mut out = Vec::with_capacity(parts.len());
        for p in parts {
            match p {
                Self::Add(inner) => out.extend(inner),
                Self::Num(_) | Self::Const(_) | Self::Sym(_) | Self::Pow(..) | Self::Call(..) | Self::Mul(_) => {
                    out.push(p)
                }
            }
        }
        match out.len() {
            0 => Self::int(0),
            1 => out.swap_remove(0),
            2.. => Self::Add(out),
        }
    }

    /// Makes a product, flattening nested products.
    pub fn mul(parts: Vec<Self>) -> Self {
        let mut out = Vec::with_capacity(parts.len());
        for p in parts {
            match p {
                Self::Mul(inner) => out.extend(inner),
                Self::Num(_) | Self::Const(_) | Self::Sym(_) | Self::Pow(..) | Self::Call(..) | Self::Add(_) => {
                    out.push(p)
                }
            }
        }
        match out.len() {
            0 => Self::int(1),
            1 => out.swap_remove(0),
            2.. => Self::Mul(out),
        }
    }

    /// Negates, into a leading number where there is one.
    pub fn negate(e: Self) -> Self {
        match e {
            Self::Num(q) => Self::Num(-q),
            Self::Mul(mut parts) => {
                if let Some(Self::Num(q)) = parts.first() {
                    let q = -q.clone();
                    if q.is_one() {
                        parts.remove(0);
                    } else {
                        parts[0] = Self::Num(q);
                    }
                    return Self::mul(parts);
                }
                parts.insert(0, Self::int(-1));
                Self::Mul(parts)
            }
            other @ (Self::Const(_) | Self::Sym(_) | Self::Pow(..) | Self::Call(..) | Self::Add(_)) => {
                Self::Mul(vec![Self::int(-1), other])
            }
        }
    }

    /// Makes the difference `a - b`.
    pub fn minus(a: Self, b: Self) -> Self {
        Self::add(vec![a, Self::negate(b)])
    }

    /// Returns the rational, if this is one.
    pub fn as_num(&self) -> Option<&Q> {
        match self {
            Self::Num(q) => Some(q),
            Self::Const(_) | Self::Sym(_) | Self::Pow(..) | Self::Call(..) | Self::Mul(_) | Self::Add(_) => None,
        }
    }

    /// Tells whether this is the number `n`.
    pub fn is_int(&self, n: i64) -> bool {
        self.as_num().is_some_and(|q| *q == Q::from_integer(BigInt::from(n)))
    }

    /// Returns base and whole exponent of a whole power.
    pub fn as_int_pow(&self) -> Option<(&Self, i64)> {
        match self {
            Self::Pow(b, e) => {
                let q = e.as_num()?;
                if !q.is_integer() {
                    return None;
                }
                Some((b, q.numer().to_i64()?))
            }
            Self::Num(_) | Self::Const(_) | Self::Sym(_) | Self::Call(..) | Self::Mul(_) | Self::Add(_) => None,
        }
    }

    /// Returns the base, numerator and root degree of a rational power that is no whole power.
    pub fn as_root(&self) -> Option<(&Self, i64, u32)> {
        match self {
            Self::Pow(b, e) => {
                let q = e.as_num()?;
                if q.is_integer() {
                    return None;
                }
                Some((b, q.numer().to_i64()?, q.denom().to_u32()?))
            }
            Self::Num(_) | Self::Const(_) | Self::Sym(_) | Self::Call(..) | Self::Mul(_) | Self::Add(_) => None,
        }
    }

    /// Returns the direct parts.
    pub fn children(&self) -> Vec<&Self> {
        match self {
            Self::Num(_) | Self::Const(_) | Self::Sym(_) => Vec::new(),
            Self::Pow(a, b) => vec![a, b],
            Self::Call(_, a) => vec![a],
            Self::Mul(v) | Self::Add(v) => v.iter().collect(),
        }
    }

    /// Rebuilds the node with its parts mapped.
    pub fn map_children(&self, f: &mut dyn FnMut(&Self) -> Self) -> Self {
        match self {
            Self::Num(_) | Self::Const(_) | Self::Sym(_) => self.clone(),
            Self::Pow(a, b) => Self::pow(f(a), f(b)),
            Self::Call(g, a) => Self::call(*g, f(a)),
            Self::Mul(v) => Self::mul(v.iter().map(&mut *f).collect()),
            Self::Add(v) => Self::add(v.iter().map(&mut *f).collect()),
        }
    }

    /// Collects the names of all unknowns, in alphabetical order.
    pub fn variables(&self) -> BTreeSet<String> {
        let mut out = BTreeSet::new();
        self.visit(&mut |e| {
            if let Self::Sym(s) = e {
                out.insert(s.clone());
            }
        });
        out
    }

    /// Calls `f` on every node, outermost first.
    pub fn visit(&self, f: &mut dyn FnMut(&Self)) {
        f(self);
        for c in self.children() {
            c.visit(f);
        }
    }

    /// Tells whether any node satisfies `f`.
    pub fn any(&self, f: &dyn Fn(&Self) -> bool) -> bool {
        f(self) || self.children().into_iter().any(|c| c.any(f))
    }

    /// Tells whether the unknown occurs.
    pub fn has(&self, name: &str) -> bool {
        self.any(&|e| matches!(e, Self::Sym(s) if s == name))
    }

    /// Replaces unknowns by expressions, all at once.
    pub fn substitute(&self, with: &BTreeMap<String, Self>) -> Self {
        if let Self::Sym(s) = self
            && let Some(e) = with.get(s)
        {
            return e.clone();
        }
        self.map_children(&mut |c| c.substitute(with))
    }

    /// Measures how much there is to read: leaves, operators between them, and two for each pair of brackets.
    ///
    /// Signs are free inside a sum. The measure orders equal forms: `6*x + 6` (5) is smaller than `6*(x + 1)` (7).
    pub fn size(&self) -> u64 {
        match self {
            Self::Num(q) => {
                let digits = |n: &BigInt| 1 + n.bits() / 40;
                if q.is_integer() { digits(q.numer()) } else { digits(q.numer()) + digits(q.denom()) + 1 }
            }
            Self::Const(_) | Self::Sym(_) => 1,
            Self::Call(_, e) => e.size().saturating_add(1),
            Self::Pow(b, e) => power_size(b, e),
            Self::Add(v) => {
                v.iter()
                    .map(|e| match e {
                        Self::Mul(p) if p.first().is_some_and(|c| c.is_int(-1)) => Self::mul(p[1..].to_vec()).size(),
                        Self::Mul(_)
                        | Self::Num(_)
                        | Self::Const(_)
                        | Self::Sym(_)
                        | Self::Pow(..)
                        | Self::Call(..)
                        | Self::Add(_) => e.size(),
                    })
                    .sum::<u64>()
                    + (v.len() as u64).saturating_sub(1)
                    + 6 * v.iter().filter(|e| is_fraction(e)).count() as u64
            }
            Self::Mul(v) => {
                let mut total = 0;
                let mut shown: u64 = 0;
                for e in v {
                    if e.is_int(-1) {
                        total += 1;
                        continue;
                    }
                    total += e.size() + if matches!(e, Self::Add(_)) { 2 } else { 0 };
                    // A quotient brings its own operator.
                    if !matches!(e.as_int_pow(), Some((_, n)) if n < 0) {
                        shown += 1;
                    }
                }
                total + shown.saturating_sub(1)
            }
        }
    }

    /// Tells whether this is zero as written.
    pub fn is_zero_num(&self) -> bool {
        self.as_num().is_some_and(Zero::is_zero)
    }
}

/// Tells whether a term has an unknown below a fraction bar; one fraction reads better than a sum of such terms.
fn is_fraction(e: &Expr) -> bool {
    match e {
        Expr::Mul(v) => v.iter().any(is_fraction),
        Expr::Pow(b, x) => x.as_num().is_some_and(Signed::is_negative) && !b.variables().is_empty(),
        Expr::Num(_) | Expr::Const(_) | Expr::Sym(_) | Expr::Call(..) | Expr::Add(_) => false,
    }
}

fn power_size(b: &Expr, e: &Expr) -> u64 {
    let Some(q) = e.as_num() else {
        return b.size() + e.size() + 1 + if matches!(b, Expr::Add(_) | Expr::Mul(_)) { 2 } else { 0 };
    };
    // A root of a number grows with the number, so that 5*sqrt(2) is smaller than sqrt(50).
    let root = !q.is_integer();
    let base = match b {
        Expr::Num(n) if root => 2 * (n.numer().bits() + if n.is_integer() { 0 } else { n.denom().bits() + 3 }),
        Expr::Add(_) | Expr::Mul(_) if !root || !q.numer().is_one() => b.size() + 2,
        Expr::Num(_) | Expr::Const(_) | Expr::Sym(_) | Expr::Pow(..) | Expr::Call(..) | Expr::Add(_) | Expr::Mul(_) => {
            b.size()
        }
    };
    let exponent =
        if q.is_integer() { 1 + q.numer().bits() / 8 } else { 1 + if q.numer().abs().is_one() { 0 } else { 2 } };
    // A root below a fraction bar is worse than one above.
    let surd = |e: &Expr| matches!(e.as_root(), Some((Expr::Num(_), _, _)));
    let below =
        if q.is_negative() && (surd(&Expr::pow(b.clone(), Expr::Num(-q.clone()))) || b.any(&surd)) { 16 } else { 0 };
    base + exponent + below
}
