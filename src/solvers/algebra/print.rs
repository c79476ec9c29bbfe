//! A tree as text that people read and the parser reads back.
//!
//! Products are written with `*` everywhere; quotients with `/`; square and cube roots as `sqrt` and `cbrt`.

use std::fmt;

use num_rational::BigRational;
use num_traits::{One, Signed};

use super::expr::{Constant, Expr, Func, Q};

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text(self))
    }
}

fn text(e: &Expr) -> String {
    match e {
        Expr::Num(q) => number(q),
        Expr::Const(Constant::Pi) => "pi".to_owned(),
        Expr::Const(Constant::E) => "e".to_owned(),
        Expr::Sym(s) => s.clone(),
        Expr::Call(g, a) => format!("{}({})", g.name(), text(a)),
        Expr::Add(v) => sum(v),
        Expr::Mul(v) => product(v),
        Expr::Pow(b, x) => {
            if let Some(q) = x.as_num()
                && q.is_negative()
            {
                return product(std::slice::from_ref(e));
            }
            power(b, x)
        }
    }
}

fn number(q: &Q) -> String {
    if q.is_integer() { q.numer().to_string() } else { format!("{}/{}", q.numer(), q.denom()) }
}

fn sum(v: &[Expr]) -> String {
    let mut out = String::new();
    for (i, e) in v.iter().enumerate() {
        let negative = is_negative(e);
        let shown = if negative { Expr::negate(e.clone()) } else { e.clone() };
        let body = if matches!(shown, Expr::Add(_)) { format!("({})", text(&shown)) } else { text(&shown) };
        match (i, negative) {
            (0, false) => {}
            (0, true) => out.push('-'),
            (_, false) => out.push_str(" + "),
            (_, true) => out.push_str(" - "),
        }
        out.push_str(&body);
    }
    out
}

fn is_negative(e: &Expr) -> bool {
    match e {
        Expr::Num(q) => q.is_negative(),
        Expr::Mul(v) => v.first().is_some_and(|c| c.as_num().is_some_and(Signed::is_negative)),
        Expr::Const(_) | Expr::Sym(_) | Expr::Pow(..) | Expr::Call(..) | Expr::Add(_) => false,
    }
}

fn product(v: &[Expr]) -> String {
    let v = with_log10(v);
    let mut sign = "";
    let mut top: Vec<String> = Vec::new();
    let mut bottom: Vec<String> = Vec::new();
    for (i, e) in v.iter().enumerate() {
        match e {
            Expr::Num(q) if i == 0 => {
                if q.is_negative() {
                    sign = "-";
                }
                if !q.numer().abs().is_one() || (v.len() == 1 && q.is_integer()) {
                    top.push(q.numer().abs().to_string());
                }
                if !q.is_integer() {
                    bottom.push(q.denom().to_string());
                }
            }
            Expr::Num(_) | Expr::Const(_) | Expr::Sym(_) | Expr::Call(..) | Expr::Add(_) | Expr::Mul(_) => {
                top.push(factor(e))
            }
            Expr::Pow(b, x) => match x.as_num() {
                Some(q) if q.is_negative() => {
                    bottom.push(if (-q.clone()).is_one() { factor(b) } else { power(b, &Expr::Num(-q.clone())) })
                }
                _ => top.push(power(b, x)),
            },
        }
    }
    let head = if top.is_empty() { "1".to_owned() } else { top.join("*") };
    match bottom.len() {
        0 => format!("{sign}{head}"),
        1 => format!("{sign}{head}/{}", bottom[0]),
        2.. => format!("{sign}{head}/({})", bottom.join("*")),
    }
}

/// Writes `ln(u)/ln(10)` as the decimal logarithm it came from.
fn with_log10(v: &[Expr]) -> Vec<Expr> {
    let ten = Expr::recip(Expr::call(Func::Ln, Expr::int(10)));
    let below = v.iter().position(|e| *e == ten);
    let above = v.iter().position(|e| matches!(e, Expr::Call(Func::Ln, _)));
    match (above, below) {
        (Some(a), Some(b)) => {
            let mut out = v.to_vec();
            if let Expr::Call(Func::Ln, u) = &v[a] {
                // A name that the parser knows as a function; it never prints as an unknown.
                out[a] = Expr::Sym(format!("log({u})"));
            }
            out.remove(b);
            out
        }
        _ => v.to_vec(),
    }
}

/// A factor of a product, in brackets where needed.
fn factor(e: &Expr) -> String {
    match e {
        Expr::Num(q) if q.is_negative() || !q.is_integer() => format!("({})", number(q)),
        Expr::Add(_) | Expr::Mul(_) => format!("({})", text(e)),
        Expr::Num(_) | Expr::Const(_) | Expr::Sym(_) | Expr::Call(..) => text(e),
        Expr::Pow(_, x) => {
            if x.as_num().is_some_and(Signed::is_negative) {
                format!("({})", text(e))
            } else {
                text(e)
            }
        }
    }
}

fn power(b: &Expr, x: &Expr) -> String {
    if let Some(q) = x.as_num() {
        let half = BigRational::new(1.into(), 2.into());
        let third = BigRational::new(1.into(), 3.into());
        if *q == half {
            return format!("sqrt({})", text(b));
        }
        if *q == third {
            return format!("cbrt({})", text(b));
        }
        if q.is_one() {
            return factor(b);
        }
    }
    let base = match b {
        Expr::Num(_) | Expr::Add(_) | Expr::Mul(_) => factor(b),
        Expr::Const(_) | Expr::Sym(_) | Expr::Call(..) => text(b),
        Expr::Pow(_, y) => {
            let root = y.as_num().is_some_and(|q| {
                q.is_positive() && q.numer().is_one() && (*q.denom() == 2.into() || *q.denom() == 3.into())
            });
            if root { text(b) } else { format!("({})", text(b)) }
        }
    };
    let exponent = match x {
        Expr::Num(q) if q.is_integer() && !q.is_negative() => number(q),
        Expr::Const(_) | Expr::Sym(_) | Expr::Call(..) => text(x),
        Expr::Num(_) | Expr::Pow(..) | Expr::Add(_) | Expr::Mul(_) => format!("({})", text(x)),
    };
    format!("{base}^{exponent}")
}
