//! Judges equations with exponentials and logarithms: sums of logarithms become products, and an equation in one
//! monotone kernel has as many solutions as the polynomial in that kernel has roots in its range.

use super::super::super::answer::Judgement;
use super::super::super::goal::Form;
use super::super::decimal::decimal_at;
use super::super::domain::{ConditionKind, conditions};
use super::super::equation::Equation;
use super::super::expr::{Expr, Func};
use super::super::mgcd::resultant;
use super::super::mpoly::MPoly;
use super::super::normal::Ring;
use super::super::roots::real_roots;
use super::super::sign::{Roots, Sign, Signed, enclose, sign, sign_at};
use super::super::simplify::{equal, rational_polynomial};
use super::claim::{Claim, decimal};
use super::{complete, solve};

/// Judges a claim whose exact members were substituted already; `open` says what that left undecided.
pub(super) fn judge_kernel(
    equations: &[Equation],
    unknowns: &[String],
    claim: &Claim,
    form: &Form,
    open: Option<String>,
) -> Result<Judgement, String> {
    let ([eq], [x]) = (equations, unknowns) else {
        return Err("no proof for systems with exponentials or logarithms".to_owned());
    };
    if let Some(points) = product_of_logarithms(eq, x)? {
        return Ok(solve::compare(claim, &points, unknowns, form));
    }
    let Some(values) = kernel_values(eq, x)? else {
        return Err(open.unwrap_or_else(|| {
            "no proof that nothing is missing: the equation mixes exponentials, logarithms or angles".to_owned()
        }));
    };
    if let Some(why) = open {
        return Err(why);
    }
    let (kernel, points) = values;
    let mut found = vec![false; points.len()];
    for s in &claim.solutions {
        let Some(v) = s.values.get(x) else {
            return Err(format!("{x} has no value"));
        };
        let hit = if claim.approximate {
            near(&kernel, x, s.texts.get(x), &points, form)?
        } else {
            at(&kernel, x, v, &points)?
        };
        match hit {
            Some(i) => found[i] = true,
            None => return Ok(Judgement::Refuted(format!("{} is no solution", s.shown()))),
        }
    }
    match found.iter().position(|f| !f) {
        None => Ok(Judgement::Proved(format!(
            "the equation is a polynomial in {kernel}, which is monotone, with {} admissible roots",
            points.len()
        ))),
        Some(i) => {
            let text = decimal_at(&Expr::sym("t"), &points[i], 6).map_err(|e| e.to_string())?;
            let why = format!("a solution is missing, where {kernel} is near {text}");
            let harmless = conditions(&eq.difference()).iter().all(|c| c.kind == ConditionKind::Positive);
            if harmless { Ok(Judgement::Refuted(why)) } else { Err(why) }
        }
    }
}

/// Writes a sum of logarithms equal to zero as a product equal to one, and finds where that holds and every argument is
/// positive.
fn product_of_logarithms(eq: &Equation, x: &str) -> Result<Option<Vec<Roots>>, String> {
    let wrong = |e: super::super::AlgebraError| e.to_string();
    let mut ring = Ring::default();
    let r = ring.ratio(&eq.difference()).map_err(wrong)?;
    let (num, _) = r.num.primitive();
    if r.den.generators().iter().any(|i| ring.generators[*i].expr.has(x)) {
        return Ok(None);
    }
    let mut factors = Vec::new();
    for (m, c) in &num.terms {
        let term = MPoly::monomial(m.clone());
        let Some((i, 1, _)) = Ring::single(&term) else {
            return Ok(None);
        };
        match &ring.generators[i].expr {
            Expr::Call(Func::Ln, u) => factors.push(Expr::pow((**u).clone(), Expr::Num(c.clone()))),
            Expr::Num(_)
            | Expr::Const(_)
            | Expr::Sym(_)
            | Expr::Pow(..)
            | Expr::Call(..)
            | Expr::Mul(_)
            | Expr::Add(_) => return Ok(None),
        }
    }
    let product = Equation::new(Expr::mul(factors), Expr::int(1));
    let points = complete::solutions(&[product], &[x.to_owned()])
        .map_err(|_| "the product of the arguments could not be solved".to_owned())?;
    let needed = conditions(&eq.difference());
    let mut out = Vec::new();
    for p in points {
        let mut inside = true;
        for c in &needed {
            inside &= match (sign_at(&c.expression, &p), c.kind) {
                (Signed::Known(s), ConditionKind::Positive) => s == Sign::Positive,
                (Signed::Known(s), ConditionKind::Nonzero) => s != Sign::Zero,
                (Signed::Known(s), ConditionKind::Nonnegative) => s != Sign::Negative,
                (Signed::Undefined(_), _) => false,
                (Signed::Unknown(why), _) => return Err(why),
            };
        }
        if inside {
            out.push(p);
        }
    }
    Ok(Some(out))
}

/// Writes the equation as a polynomial in one monotone kernel of `x`; returns the kernel and the admissible roots, as
/// points of the unknown `t`.
fn kernel_values(eq: &Equation, x: &str) -> Result<Option<(Expr, Vec<Roots>)>, String> {
    let wrong = |e: super::super::AlgebraError| e.to_string();
    let mut ring = Ring::default();
    let original = ring.ratio(&eq.difference()).map_err(wrong)?.num;
    let mut p = original.clone();
    let moving: Vec<usize> = p.generators().into_iter().filter(|i| ring.generators[*i].expr.has(x)).collect();
    let [k] = moving[..] else { return Ok(None) };
    let kernel = ring.generators[k].expr.clone();
    let linear = |e: &Expr| rational_polynomial(e, x).ok().flatten().is_some_and(|p| p.degree() == Some(1));
    let positive_only = match &kernel {
        Expr::Pow(b, u)
            if sign(b) == Signed::Known(Sign::Positive) && equal(b, &Expr::int(1)) == Some(false) && linear(u) =>
        {
            true
        }
        Expr::Call(Func::Ln, u) if linear(u) => false,
        Expr::Num(_) | Expr::Const(_) | Expr::Sym(_) | Expr::Pow(..) | Expr::Call(..) | Expr::Mul(_) | Expr::Add(_) => {
            return Ok(None);
        }
    };
    for i in p.generators().into_iter().rev().filter(|i| *i != k) {
        let Some((q, a)) = &ring.generators[i].relation else {
            return Ok(None);
        };
        p = resultant(&p, &MPoly::generator_pow(i, *q).sub(a), i).map_err(wrong)?;
    }
    let Some(u) = p.to_upoly(k) else {
        return Ok(None);
    };
    if u.is_zero() {
        return Ok(None);
    }
    let roots = if u.is_constant() { Vec::new() } else { real_roots(&u).map_err(wrong)? };
    // Elimination of numeric roots may add roots; test each against the equation in the kernel.
    let in_t = super::super::rewrite::replace(&ring.poly_expr(&original), &kernel, &Expr::sym("t"));
    let in_t = if in_t.has(x) { None } else { Some(in_t) };
    let mut out = Vec::new();
    for r in roots {
        let at = Roots::from([("t".to_owned(), r)]);
        if positive_only && sign_at(&Expr::sym("t"), &at) != Signed::Known(Sign::Positive) {
            continue;
        }
        if let Some(f) = &in_t
            && matches!(sign_at(f, &at), Signed::Known(Sign::Negative | Sign::Positive))
        {
            continue;
        }
        out.push(at);
    }
    Ok(Some((kernel, out)))
}

fn put(kernel: &Expr, x: &str, v: &Expr) -> Expr {
    kernel.substitute(&std::collections::BTreeMap::from([(x.to_owned(), v.clone())]))
}

/// Finds the admissible root that an exact solution, known to hold, stands for.
fn at(kernel: &Expr, x: &str, v: &Expr, points: &[Roots]) -> Result<Option<usize>, String> {
    let here = put(kernel, x, v);
    for (i, p) in points.iter().enumerate() {
        if let Some(q) = p.get("t").and_then(super::super::RealRoot::rational)
            && equal(&here, &Expr::Num(q)) == Some(true)
        {
            return Ok(Some(i));
        }
        let (a, b) = enclose(&here, &Roots::new(), 200).map_err(|_| format!("{here} could not be enclosed"))?;
        if let Some(r) = p.get("t") {
            let (c, d) = r.enclosure(200);
            if a <= d && c <= b {
                return Ok(Some(i));
            }
        }
    }
    Ok(None)
}

/// Finds the admissible root that the kernel takes within the printed digits of a rounded solution.
fn near(kernel: &Expr, x: &str, text: Option<&String>, points: &[Roots], form: &Form) -> Result<Option<usize>, String> {
    let Some((q, places)) = text.and_then(|t| decimal(t)) else {
        return Err("a rounded value is no decimal".to_owned());
    };
    let h = solve::tolerance(places, form)?;
    let bits = u64::from(places) * 4 + 64;
    let value = |q: super::super::Q| {
        enclose(&put(kernel, x, &Expr::Num(q)), &Roots::new(), bits)
            .map_err(|_| "the kernel could not be enclosed".to_owned())
    };
    let (a, b) = (value(&q - &h)?, value(&q + &h)?);
    // The kernel is monotone, so it takes every value between its values at the ends.
    let (low, high) = if a.0 < b.0 { (a.1, b.0) } else { (b.1, a.0) };
    Ok(points.iter().position(|p| {
        p.get("t").is_some_and(|r| {
            let (c, d) = r.enclosure(bits);
            c >= low && d <= high
        })
    }))
}
