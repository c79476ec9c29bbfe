//! Judges solutions that hold parameters: literal equations, and families of solutions of linear systems.

use std::collections::BTreeSet;

use super::super::super::answer::Judgement;
use super::super::equation::Equation;
use super::super::expr::Expr;
use super::super::linear::{Matrix, matrix};
use super::super::normal::{Ratio, Ring};
use super::super::rewrite::clear_denominators;
use super::super::simplify::{equal, polynomial_in};
use super::claim::Claim;

/// Judges claims whose soundness was shown by substitution; completeness by degree or by rank.
pub(super) fn judge_family(equations: &[Equation], unknowns: &[String], claim: &Claim) -> Result<Judgement, String> {
    if claim.approximate {
        return Err("rounded values of a family of solutions".to_owned());
    }
    if let Ok(m) = matrix(equations, unknowns) {
        return by_rank(m, unknowns, claim);
    }
    let ([eq], [x]) = (equations, unknowns) else {
        return Err("no proof of completeness for systems with parameters".to_owned());
    };
    by_degree(eq, x, claim)
}

/// Tells whether the equations hold one transcendental constant at most, `pi` or `e`, and no function of the unknowns.
///
/// A polynomial in one such constant is zero only if it is zero as a polynomial, so the constant acts as a parameter.
pub(super) fn has_one_constant(equations: &[Equation]) -> bool {
    let mut constants = BTreeSet::new();
    let mut functions = false;
    for eq in equations {
        eq.difference().visit(&mut |e| match e {
            Expr::Const(c) => {
                constants.insert(*c);
            }
            Expr::Call(..) => functions = true,
            Expr::Pow(_, x) => functions |= x.as_num().is_none(),
            Expr::Num(_) | Expr::Sym(_) | Expr::Mul(_) | Expr::Add(_) => {}
        });
    }
    constants.len() == 1 && !functions
}

fn by_rank(m: Matrix, unknowns: &[String], claim: &Claim) -> Result<Judgement, String> {
    let Matrix { mut ring, rows } = m;
    let n = unknowns.len();
    let wrong = |e: super::super::AlgebraError| e.to_string();
    let coefficients: Vec<Vec<Ratio>> = rows.iter().map(|r| r[..n].to_vec()).collect();
    let inner = rank(&mut ring, coefficients).map_err(wrong)?;
    let outer = rank(&mut ring, rows).map_err(wrong)?;
    if outer > inner {
        return Ok(match claim.solutions.first() {
            None => Judgement::Proved("the equations contradict each other: the ranks differ".to_owned()),
            Some(s) => Judgement::Refuted(format!("{}: the equations contradict each other", s.shown())),
        });
    }
    let free = n - inner;
    let [s] = &claim.solutions[..] else {
        return Ok(match (claim.solutions.len(), free) {
            (0, 0) => Judgement::Refuted("there is a solution, because the determinant is not zero".to_owned()),
            (0, _) => Judgement::Refuted("there are infinitely many solutions".to_owned()),
            (_, 0) => Judgement::Proved("the claims are one solution, and the determinant is not zero".to_owned()),
            (_, _) => Judgement::Refuted("there are infinitely many solutions".to_owned()),
        });
    };
    // The symbols that a claim leaves free: unknowns without value, and new names.
    let mut symbols: BTreeSet<String> = BTreeSet::new();
    for u in unknowns {
        match s.values.get(u) {
            None => {
                symbols.insert(u.clone());
            }
            Some(v) => symbols.extend(v.variables()),
        }
    }
    let parameters: BTreeSet<String> = ring.generators.iter().skip(n).flat_map(|g| g.expr.variables()).collect();
    symbols.retain(|s| !parameters.contains(s));
    if symbols.len() < free {
        return Ok(Judgement::Refuted(format!(
            "{} is not the only solution: {free} of the unknowns are free",
            s.shown()
        )));
    }
    // Each free symbol must be some unknown's own value, so that the family has as many dimensions as symbols.
    let direct = |name: &String| unknowns.iter().any(|u| s.values.get(u).map_or(u == name, |v| *v == Expr::sym(name)));
    if symbols.len() == free && symbols.iter().all(direct) {
        return Ok(Judgement::Proved(match free {
            0 => "it satisfies every equation, and the determinant is not zero".to_owned(),
            1.. => format!("it satisfies every equation, and its {free} free values are as many as the rank leaves"),
        }));
    }
    Err("the family of solutions could not be compared".to_owned())
}

fn rank(ring: &mut Ring, mut rows: Vec<Vec<Ratio>>) -> super::super::error::Outcome<usize> {
    let columns = rows.first().map_or(0, Vec::len);
    let mut top = 0;
    for c in 0..columns {
        let Some(p) = (top..rows.len()).find(|r| !rows[*r][c].num.is_zero()) else {
            continue;
        };
        rows.swap(top, p);
        let pivot = rows[top].clone();
        for i in top + 1..rows.len() {
            if rows[i][c].num.is_zero() {
                continue;
            }
            let inverse = ring.inverse(&rows[top][c])?;
            let f = ring.times(&rows[i][c], &inverse)?;
            let f = Ratio { num: f.num.neg(), den: f.den };
            for (cell, above) in rows[i].iter_mut().zip(&pivot).skip(c) {
                let t = ring.times(above, &f)?;
                *cell = ring.plus(cell, &t)?;
            }
        }
        top += 1;
    }
    Ok(top)
}

fn by_degree(eq: &Equation, x: &str, claim: &Claim) -> Result<Judgement, String> {
    let cleared = clear_denominators(eq).map_err(|e| e.to_string())?;
    let c = polynomial_in(&cleared.difference(), x).map_err(|e| e.to_string())?;
    let Some(degree) = c.and_then(|c| c.len().checked_sub(1)) else {
        return Err(format!("the equation is no polynomial in {x}"));
    };
    let mut different: Vec<&Expr> = Vec::new();
    for s in &claim.solutions {
        let Some(v) = s.values.get(x) else {
            return Err(format!("{x} has no value"));
        };
        if v.has(x) {
            return Err(format!("{x} is given in terms of itself"));
        }
        if different.iter().all(|w| equal(w, v) == Some(false)) {
            different.push(v);
        }
    }
    if degree > 0 && different.len() == degree {
        return Ok(Judgement::Proved(format!(
            "each satisfies the equation identically, and degree {degree} allows no more"
        )));
    }
    Err(format!("{} solutions were shown to hold, and degree {degree} allows more", different.len()))
}
