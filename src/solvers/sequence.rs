//! Sequences: differences, ratios, the polynomial and the linear recurrence that fit. Any of them is a guess.

use num_traits::{One, Zero};

use crate::solvers::quantity::rational::{self, Rational};

/// Most terms that are looked at.
const MAX_TERMS: usize = 200;

/// Reads the terms.
///
/// # Errors
/// No terms, more than 200, or a term that is not a number.
pub fn parse_terms(terms: &[String]) -> Result<Vec<Rational>, String> {
    if terms.is_empty() || terms.len() > MAX_TERMS {
        return Err(format!("a sequence needs between 1 and {MAX_TERMS} terms"));
    }
    terms.iter().map(|t| rational::parse(t)).collect()
}

/// Each term less the one before it.
#[must_use]
pub fn differences(terms: &[Rational]) -> Vec<Rational> {
    terms.windows(2).filter_map(|w| Some(w.get(1)? - w.first()?)).collect()
}

/// Each term divided by the one before it.
///
/// # Errors
/// A term is zero.
pub fn ratios(terms: &[Rational]) -> Result<Vec<Rational>, String> {
    let pairs = terms.iter().zip(terms.iter().skip(1));
    pairs.map(|(a, b)| if a.is_zero() { Err("a term is zero".into()) } else { Ok(b / a) }).collect()
}

/// Coefficients, constant first, of the polynomial of lowest degree through `(1, t1), (2, t2), …`.
#[must_use]
pub fn polynomial_through(terms: &[Rational]) -> Vec<Rational> {
    // Newton's forward differences: sum over k of leading_k * C(n - 1, k).
    let mut leading = Vec::new();
    let mut row = terms.to_vec();
    while let Some(first) = row.first() {
        leading.push(first.clone());
        row = differences(&row);
    }
    let mut out = vec![Rational::zero(); leading.len()];
    let mut basis = vec![Rational::one()];
    for (k, lead) in leading.iter().enumerate() {
        for (slot, b) in out.iter_mut().zip(&basis) {
            *slot += lead * b;
        }
        // basis * (n - 1 - k) / (k + 1)
        let k = Rational::from_integer(num_bigint::BigInt::from(k));
        let mut next = vec![Rational::zero(); basis.len() + 1];
        for (i, b) in basis.iter().enumerate() {
            for (slot, value) in [(i, b * -(&k + Rational::one())), (i + 1, b.clone())] {
                if let Some(s) = next.get_mut(slot) {
                    *s += value;
                }
            }
        }
        let divisor = k + Rational::one();
        basis = next.into_iter().map(|b| b / &divisor).collect();
    }
    while out.len() > 1 && out.last().is_some_and(Zero::is_zero) {
        out.pop();
    }
    out
}

/// The value of a polynomial, constant first.
#[must_use]
pub fn polynomial_at(coefficients: &[Rational], n: &Rational) -> Rational {
    coefficients.iter().rev().fold(Rational::zero(), |sum, c| sum * n + c)
}

/// The shortest linear recurrence `t(n) = c1 t(n-1) + … + ck t(n-k) (+ c0)` that fits all terms and is tested by
/// at least one term beyond those that fix it: the coefficients `c1 … ck` and the constant `c0`.
///
/// # Errors
/// None of order up to four fits.
pub fn recurrence(terms: &[Rational]) -> Result<(Vec<Rational>, Rational), String> {
    for order in 1..=4usize {
        for constant in [false, true] {
            let unknowns = order + usize::from(constant);
            if terms.len() < order + unknowns + 1 {
                continue;
            }
            let mut rows: Vec<Vec<Rational>> = Vec::new();
            for window in terms.windows(order + 1) {
                let (next, before) = match window.split_last() {
                    Some(parts) => parts,
                    None => continue,
                };
                let mut row: Vec<Rational> = before.iter().rev().cloned().collect();
                if constant {
                    row.push(Rational::one());
                }
                row.push(next.clone());
                rows.push(row);
            }
            if let Some(mut solution) = solve(rows, unknowns) {
                let c0 = if constant { solution.pop().unwrap_or_else(Rational::zero) } else { Rational::zero() };
                return Ok((solution, c0));
            }
        }
    }
    Err("no linear recurrence of order up to four fits with a term to spare".into())
}

/// Solves an overdetermined linear system exactly; `None` when it is inconsistent or leaves a choice.
fn solve(mut rows: Vec<Vec<Rational>>, unknowns: usize) -> Option<Vec<Rational>> {
    for column in 0..unknowns {
        let pivot =
            (column..rows.len()).find(|r| rows.get(*r).and_then(|r| r.get(column)).is_some_and(|v| !v.is_zero()))?;
        rows.swap(column, pivot);
        let lead = rows.get(column)?.get(column)?.clone();
        let scaled: Vec<Rational> = rows.get(column)?.iter().map(|v| v / &lead).collect();
        for (i, row) in rows.iter_mut().enumerate() {
            if i == column {
                row.clone_from(&scaled);
                continue;
            }
            let factor = row.get(column)?.clone();
            for (v, s) in row.iter_mut().zip(&scaled) {
                *v -= &factor * s;
            }
        }
    }
    let consistent = rows.iter().skip(unknowns).all(|r| r.last().is_none_or(Zero::is_zero));
    consistent.then(|| rows.iter().take(unknowns).filter_map(|r| r.last().cloned()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(text: &str) -> Vec<Rational> {
        text.split(", ").map(|t| rational::parse(t).unwrap()).collect()
    }

    fn show(values: &[Rational]) -> String {
        values.iter().map(rational::exact).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn looks_at_neighbours() {
        assert_eq!(show(&differences(&terms("1, 4, 9, 16"))), "3, 5, 7");
        assert_eq!(show(&ratios(&terms("2, 4, 8, 16")).unwrap()), "2, 2, 2");
        assert!(ratios(&terms("0, 1")).is_err());
        assert_eq!(show(&differences(&terms("1"))), "");
    }

    #[test]
    fn finds_polynomials() {
        for (input, coefficients, next) in [
            ("1, 4, 9, 16", "0, 0, 1", "25"),
            ("3, 5, 7", "1, 2", "9"),
            ("1, 3, 6, 10", "0, 1/2, 1/2", "15"),
            ("7", "7", "7"),
        ] {
            let t = terms(input);
            let p = polynomial_through(&t);
            assert_eq!(show(&p), coefficients, "{input}");
            let n = Rational::from_integer((t.len() + 1).into());
            assert_eq!(rational::exact(&polynomial_at(&p, &n)), next, "{input}");
        }
    }

    #[test]
    fn finds_recurrences() {
        for (input, expected) in
            [("1, 1, 2, 3, 5, 8", "1, 1 + 0"), ("2, 4, 8, 16", "2 + 0"), ("1, 3, 7, 15, 31", "2 + 1")]
        {
            let (c, c0) = recurrence(&terms(input)).unwrap();
            assert_eq!(format!("{} + {}", show(&c), rational::exact(&c0)), expected, "{input}");
        }
        assert!(recurrence(&terms("1, 5, 2")).is_err());
        assert!(recurrence(&terms("3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5")).is_err());
    }
}
