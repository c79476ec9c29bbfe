//! Judges the solutions of equations.

use std::collections::BTreeSet;

use num_bigint::BigInt;
use num_traits::{One, Pow};

use super::super::super::answer::{Answer, Judgement};
use super::super::super::goal::Form;
use super::super::domain::undefined_as_written;
use super::super::eliminate::Stuck;
use super::super::equation::{Equation, Truth, holds};
use super::super::expr::{Expr, Q};
use super::super::parse::parse_equation;
use super::super::sign::Roots;
use super::super::simplify::{difference_at, equal, sample_points, simplify};
use super::claim::{self, Claim, Solution};
use super::{complete, parametric, transcendental};

/// From how many decimals on a value counts as a machine number.
const MACHINE_PLACES: u32 = 12;

/// Judges a claimed set of solutions: sound (each one holds) and complete (none is missing).
pub(super) fn judge_solve(equations: &[String], unknowns: &[String], form: &Form, answer: &Answer) -> Judgement {
    match judged(equations, unknowns, form, answer) {
        Ok(j) => j,
        Err(why) => Judgement::Unproved(why),
    }
}

fn judged(equations: &[String], unknowns: &[String], form: &Form, answer: &Answer) -> Result<Judgement, String> {
    if equations.is_empty() || unknowns.is_empty() {
        return Err("nothing is asked".to_owned());
    }
    let equations: Vec<Equation> = equations
        .iter()
        .map(|e| parse_equation(e).map_err(|w| format!("the equation {e} cannot be read: {w}")))
        .collect::<Result<_, _>>()?;
    let claim = claim::read(answer, unknowns)?;
    if let Some((eq, why)) = equations.iter().find_map(|eq| undefined_as_written(&eq.difference()).map(|why| (eq, why)))
    {
        let why = format!("{eq} is undefined whatever the unknowns are ({why})");
        return Ok(if claim.solutions.is_empty() && !claim.all {
            Judgement::Proved(why)
        } else {
            Judgement::Refuted(why)
        });
    }
    if claim.all {
        return Ok(identity(&equations));
    }
    if let Some(j) = projected(&equations, unknowns, &claim, form) {
        return Ok(j);
    }
    let mut open = None;
    if !claim.approximate {
        for s in &claim.solutions {
            match sound(&equations, s) {
                Ok(()) => {}
                Err(Judgement::Refuted(why)) => return Ok(Judgement::Refuted(why)),
                Err(Judgement::Unproved(why)) => open = Some(why),
                Err(Judgement::Proved(_)) => {}
            }
        }
    }
    let parameters = equations.iter().flat_map(Equation::variables).any(|v| !unknowns.contains(&v));
    let free = claim
        .solutions
        .iter()
        .any(|s| unknowns.iter().any(|u| s.values.get(u).is_none_or(|v| !v.variables().is_empty())));
    if parameters || free {
        return match open {
            Some(why) => Err(why),
            None => parametric::judge_family(&equations, unknowns, &claim),
        };
    }
    let points = match complete::solutions(&equations, unknowns) {
        Ok(points) => points,
        Err(Stuck::Identity) => {
            return Ok(Judgement::Refuted("every value for which both sides are defined is a solution".to_owned()));
        }
        Err(Stuck::Dependent) => {
            return match unclaimed(&equations, &claim) {
                Some(j) => Ok(j),
                None => parametric::judge_family(&equations, unknowns, &claim),
            };
        }
        Err(Stuck::Transcendental) if open.is_none() && parametric::has_one_constant(&equations) => {
            match parametric::judge_family(&equations, unknowns, &claim) {
                Ok(j @ Judgement::Proved(_)) => return Ok(j),
                Ok(_) | Err(_) => {
                    return transcendental::judge_kernel(&equations, unknowns, &claim, form, open);
                }
            }
        }
        Err(Stuck::Transcendental) => {
            return transcendental::judge_kernel(&equations, unknowns, &claim, form, open);
        }
        Err(Stuck::Failed(e)) => {
            return Err(open.unwrap_or_else(|| format!("no proof that nothing is missing: {e}")));
        }
    };
    Ok(compare(&claim, &points, unknowns, form))
}

/// Judges a claim about some of the unknowns of a system, such as the asked one of two.
fn projected(equations: &[Equation], unknowns: &[String], claim: &Claim, form: &Form) -> Option<Judgement> {
    let mut all = unknowns.to_vec();
    all.extend(
        equations.iter().flat_map(Equation::variables).filter(|v| !unknowns.contains(v)).collect::<BTreeSet<_>>(),
    );
    let partial = claim.solutions.iter().all(|s| s.values.keys().all(|k| unknowns.contains(k)));
    if all.len() == unknowns.len() || equations.len() <= unknowns.len() || !partial {
        return None;
    }
    let mut points = complete::solutions(equations, &all).ok()?;
    for p in &mut points {
        p.retain(|n, _| unknowns.contains(n));
    }
    // Points that differ in the other unknowns only are one; the roots of one polynomial are equal if not apart.
    let mut different: Vec<Roots> = Vec::new();
    for p in points {
        let same = |q: &Roots| p.iter().all(|(n, r)| q.get(n).is_some_and(|s| s.enclosure(0) == r.enclosure(0)));
        if !different.iter().any(same) {
            different.push(p);
        }
    }
    Some(compare(claim, &different, unknowns, form))
}

/// Looks among a few points for a solution that is not claimed.
fn unclaimed(equations: &[Equation], claim: &Claim) -> Option<Judgement> {
    let all = Expr::add(equations.iter().map(Equation::difference).collect());
    let point = sample_points(&all).into_iter().find(|p| {
        let new = claim
            .solutions
            .iter()
            .all(|s| p.iter().any(|(n, v)| s.values.get(n).is_some_and(|w| equal(w, v) == Some(false))));
        new && equations.iter().all(|eq| holds(eq, p) == Truth::Yes)
    })?;
    let shown = point.iter().map(|(n, v)| format!("{n} = {v}")).collect::<Vec<_>>().join(", ");
    Some(Judgement::Refuted(format!("{shown} is a solution too")))
}

/// Checks one exact solution by substitution.
fn sound(equations: &[Equation], s: &Solution) -> Result<(), Judgement> {
    for eq in equations {
        match holds(eq, &s.values) {
            Truth::Yes => {}
            Truth::No => {
                return Err(Judgement::Refuted(format!("{}: {}", s.shown(), sides(eq, s))));
            }
            Truth::Undefined(why) => {
                return Err(Judgement::Refuted(format!("{}: {eq} is undefined ({why})", s.shown())));
            }
            Truth::Unknown(why) => {
                return Err(Judgement::Unproved(format!("{}: {why}", s.shown())));
            }
        }
    }
    Ok(())
}

fn sides(eq: &Equation, s: &Solution) -> String {
    let value = |e: &Expr| {
        let e = e.substitute(&s.values);
        let shown = simplify(&e).unwrap_or(e).to_string();
        if shown.chars().count() > 60 { shown.chars().take(57).chain("...".chars()).collect() } else { shown }
    };
    format!("left side {}, right side {}", value(&eq.left), value(&eq.right))
}

/// Judges the claim that every value is a solution.
pub(super) fn identity(equations: &[Equation]) -> Judgement {
    for eq in equations {
        match equal(&eq.left, &eq.right) {
            Some(true) => {}
            Some(false) | None => {
                let Some(p) = difference_at(&eq.left, &eq.right) else {
                    return Judgement::Unproved(format!("{eq} could not be shown to be an identity"));
                };
                let texts = p.iter().map(|(n, v)| (n.clone(), v.to_string())).collect();
                let s = Solution { values: p, texts };
                return Judgement::Refuted(format!("{}: {}", s.shown(), sides(eq, &s)));
            }
        }
    }
    Judgement::Proved("both sides are the same function wherever both are defined".to_owned())
}

/// Compares the claim with the exact set of solutions.
pub(super) fn compare(claim: &Claim, points: &[Roots], unknowns: &[String], form: &Form) -> Judgement {
    let mut found = vec![false; points.len()];
    for s in &claim.solutions {
        match place(s, points, unknowns, claim.approximate, form) {
            Ok(hits) if !hits.is_empty() => hits.into_iter().for_each(|i| found[i] = true),
            Ok(_) => {
                return Judgement::Refuted(format!("{} is no solution{}", s.shown(), nearest(points)));
            }
            Err(why) => return Judgement::Unproved(why),
        }
    }
    if let Some(i) = found.iter().position(|f| !f) {
        let what = if points[i].values().all(|r| r.rational().is_some()) { "the root" } else { "a root" };
        return Judgement::Refuted(format!("{what} {} is missing", complete::shown(&points[i])));
    }
    Judgement::Proved(match points.len() {
        0 => {
            "no candidate of the eliminating polynomial satisfies the equation, so there is no real solution".to_owned()
        }
        1 => "it satisfies the equation exactly, and no other real number does".to_owned(),
        n => format!("all {n} satisfy the equation, and no other real value does"),
    })
}

fn nearest(points: &[Roots]) -> String {
    match points {
        [] => "; there is no real solution".to_owned(),
        [..] => format!(
            "; the solutions are {}",
            points.iter().take(4).map(complete::shown).collect::<Vec<_>>().join(" and ")
        ),
    }
}

/// Finds the solutions that a claim stands for; a rounded one may stand for several.
fn place(
    s: &Solution,
    points: &[Roots],
    unknowns: &[String],
    approximate: bool,
    form: &Form,
) -> Result<Vec<usize>, String> {
    let mut hits = Vec::new();
    for (i, p) in points.iter().enumerate() {
        let mut same = true;
        for u in unknowns {
            let Some(value) = s.values.get(u) else {
                return Err(format!("{u} has no value"));
            };
            let digits = s.texts.get(u).and_then(|t| claim::decimal(t));
            same &= match digits.filter(|_| approximate) {
                Some((q, places)) => {
                    let exact = p.get(u).and_then(super::super::RealRoot::rational).is_some_and(|r| r == q);
                    exact || complete::within(&q, &tolerance(places, form)?, p, u)
                }
                None => complete::touches(value, p, u).map_err(|_| format!("{u} = {value} could not be enclosed"))?,
            };
        }
        if same {
            hits.push(i);
            if !approximate {
                break;
            }
        }
    }
    Ok(hits)
}

/// Returns how far a printed decimal may be off: half a unit of the last place, or one unit for the long decimals of
/// machine numbers where no number of places was asked for.
pub(super) fn tolerance(places: u32, form: &Form) -> Result<Q, String> {
    let unit = |n: u32| Q::new(BigInt::one(), Pow::pow(BigInt::from(10), n.min(2_000)));
    match form.decimals {
        Some(asked) if places < asked => Err(format!("{places} decimals were given and {asked} asked for")),
        Some(_) => Ok(unit(places) / Q::from_integer(2.into())),
        // So many digits come from a machine number, whose last one is not sure.
        None if places >= MACHINE_PLACES => Ok(unit(places)),
        None => Ok(unit(places) / Q::from_integer(2.into())),
    }
}
