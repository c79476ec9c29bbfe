//! Linear systems, solved exactly.

use std::collections::BTreeMap;

use super::equation::Equation;
use super::error::{AlgebraError, Outcome};
use super::expr::Expr;
use super::mpoly::MPoly;
use super::normal::{Ratio, Ring};

/// Most unknowns and equations.
pub(crate) const MAX_SIZE: usize = 24;

/// What a linear system has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinearSolution {
    /// One solution.
    Unique(BTreeMap<String, Expr>),
    /// No solution.
    None,
    /// More than one; bound unknowns in terms of the free ones, which are left out.
    Many(BTreeMap<String, Expr>),
}

/// Coefficients and right sides of linear equations; entries may hold parameters.
pub(crate) struct Matrix {
    pub(crate) ring: Ring,
    /// One row an equation, one column an unknown, and the right side last.
    pub(crate) rows: Vec<Vec<Ratio>>,
}

/// Reads equations as linear in the names; an error says which one is not.
pub(crate) fn matrix(equations: &[Equation], names: &[String]) -> Outcome<Matrix> {
    if equations.len() > MAX_SIZE || names.len() > MAX_SIZE {
        return Err(AlgebraError::too_large(format!("system of more than {MAX_SIZE} equations or unknowns")));
    }
    let n = names.len();
    let mut ring = Ring::with_names(names.iter().map(String::as_str))?;
    let mut rows = Vec::new();
    for eq in equations {
        let not_linear = || AlgebraError::unsupported(format!("{eq} is not linear"));
        let r = ring.ratio(&eq.difference())?;
        if r.den.generators().iter().any(|i| *i < n) {
            return Err(not_linear());
        }
        let mut row = vec![MPoly::default(); n + 1];
        for (m, q) in &r.num.terms {
            let degree: u32 = m.iter().take(n).sum();
            let column = m.iter().take(n).position(|e| *e > 0);
            let mut rest = m.clone();
            let target = match (degree, column) {
                (0, _) => n,
                (1, Some(c)) => {
                    rest[c] = 0;
                    c
                }
                _ => return Err(not_linear()),
            };
            let hidden =
                rest.iter().enumerate().any(|(i, e)| *e > 0 && names.iter().any(|x| ring.generators[i].expr.has(x)));
            if hidden {
                return Err(not_linear());
            }
            let sign = if target == n { -q.clone() } else { q.clone() };
            row[target] = row[target].add(&MPoly::monomial(rest).scale(&sign));
        }
        rows.push(row.into_iter().map(Ratio::poly).collect());
    }
    Ok(Matrix { ring, rows })
}

/// Solves by Gauss and Jordan; an equation that is not linear in the names is an error.
pub fn linear_solve(equations: &[Equation], names: &[String]) -> Outcome<LinearSolution> {
    let Matrix { mut ring, mut rows } = matrix(equations, names)?;
    let n = names.len();
    let mut pivots = Vec::new();
    let mut top = 0;
    for column in 0..n {
        // Numbers make safer pivots than parameters, which might be zero.
        let candidates = (top..rows.len()).filter(|r| !rows[*r][column].num.is_zero());
        let Some(p) = candidates.min_by_key(|r| usize::from(rows[*r][column].as_number().is_none())) else {
            continue;
        };
        rows.swap(top, p);
        let inverse = ring.inverse(&rows[top][column])?;
        for cell in &mut rows[top] {
            *cell = ring.times(cell, &inverse)?;
        }
        let pivot = rows[top].clone();
        for (i, row) in rows.iter_mut().enumerate() {
            if i == top || row[column].num.is_zero() {
                continue;
            }
            let f = Ratio { num: row[column].num.neg(), den: row[column].den.clone() };
            for (cell, above) in row.iter_mut().zip(&pivot) {
                let t = ring.times(above, &f)?;
                *cell = ring.plus(cell, &t)?;
            }
        }
        pivots.push(column);
        top += 1;
    }
    if rows[top..].iter().any(|r| !r[n].num.is_zero()) {
        return Ok(LinearSolution::None);
    }
    let mut out = BTreeMap::new();
    for (i, column) in pivots.iter().enumerate() {
        let mut parts = vec![ring.ratio_expr(&rows[i][n])];
        for (j, name) in names.iter().enumerate() {
            if j != *column && !rows[i][j].num.is_zero() {
                parts.push(Expr::mul(vec![Expr::int(-1), ring.ratio_expr(&rows[i][j]), Expr::sym(name)]));
            }
        }
        out.insert(names[*column].clone(), super::canon(&Expr::add(parts)));
    }
    Ok(if pivots.len() == n { LinearSolution::Unique(out) } else { LinearSolution::Many(out) })
}
