//! Judges rewritten expressions: the same function, the same domain or conditions for what was lost, the asked shape.

use num_traits::{One, Signed as _};

use super::super::super::answer::{Answer, Judgement};
use super::super::canon::canon;
use super::super::domain::{ConditionKind, conditions};
use super::super::equation::Equation;
use super::super::expr::Expr;
use super::super::factor::factor_poly;
use super::super::mgcd;
use super::super::normal::Ring;
use super::super::parse::parse;
use super::super::sign::{Sign, Signed, sign, sign_at};
use super::super::simplify::{difference_at, equal, expand, sample_points, simplify};
use super::complete;

/// How a listed condition compares its sides.
#[derive(Clone, Copy, PartialEq)]
enum Relation {
    Different,
    Less,
    LessOrEqual,
}

/// A condition of an answer, as `difference relation 0`.
struct Listed {
    difference: Expr,
    relation: Relation,
}

impl Listed {
    fn read(text: &str) -> Result<Self, String> {
        let marks = [
            ("!=", Relation::Different, false),
            ("≠", Relation::Different, false),
            ("<>", Relation::Different, false),
            (">=", Relation::LessOrEqual, true),
            ("≥", Relation::LessOrEqual, true),
            ("<=", Relation::LessOrEqual, false),
            ("≤", Relation::LessOrEqual, false),
            (">", Relation::Less, true),
            ("<", Relation::Less, false),
        ];
        for (mark, relation, swap) in marks {
            if let Some((a, b)) = text.split_once(mark) {
                let read = |t: &str| parse(t).map_err(|e| format!("the condition {text} cannot be read: {e}"));
                let (a, b) = (read(a)?, read(b)?);
                let difference = if swap { Expr::minus(b, a) } else { Expr::minus(a, b) };
                return Ok(Self { difference, relation });
            }
        }
        Err(format!("the condition {text} has no relation"))
    }

    fn violated(&self, s: Signed) -> bool {
        match (s, self.relation) {
            (Signed::Known(s), Relation::Different) => s == Sign::Zero,
            (Signed::Known(s), Relation::Less) => s != Sign::Negative,
            (Signed::Known(s), Relation::LessOrEqual) => s == Sign::Positive,
            (Signed::Undefined(_), _) => true,
            (Signed::Unknown(_), _) => false,
        }
    }
}

struct Pair {
    question: Expr,
    answer: Expr,
    listed: Vec<Listed>,
}

/// Judges a simplification; a restated question is never proved.
pub(super) fn judge_simplify(expression: &str, answer: &Answer) -> Judgement {
    judged(expression, answer, |p| {
        let best = simplify(&p.question).map_err(|e| e.to_string())?;
        let (given, own, asked) = (measure(&p.answer), measure(&best), measure(&p.question));
        if given > own {
            return Err(format!("equal, but {best} is smaller"));
        }
        if given >= asked {
            return Err("equal, but no smaller than the question".to_owned());
        }
        Ok("the same function, and no smaller form was found".to_owned())
    })
}

/// Judges an expansion: a sum of products with like terms gathered.
pub(super) fn judge_expand(expression: &str, answer: &Answer) -> Judgement {
    judged(expression, answer, |p| {
        let own = expand(&p.question).map_err(|e| e.to_string())?;
        if let Some(f) = product_of_sums(&p.answer) {
            return Err(format!("equal, but {f} is not multiplied out"));
        }
        let terms = |e: &Expr| match e {
            Expr::Add(v) => v.len(),
            Expr::Num(_) | Expr::Const(_) | Expr::Sym(_) | Expr::Pow(..) | Expr::Call(..) | Expr::Mul(_) => 1,
        };
        if terms(&p.answer) > terms(&own)
            || p.answer.size() > own.size().max(canon(&own).size()) + 2 * terms(&own) as u64
        {
            return Err(format!("equal, but like terms are not gathered: {own}"));
        }
        Ok("the same function, as a sum of products".to_owned())
    })
}

/// Finds a product that holds a sum, or a whole power of a sum.
fn product_of_sums(e: &Expr) -> Option<Expr> {
    let sum_power = |f: &Expr| match f.as_int_pow() {
        Some((Expr::Add(_), n)) => n > 1,
        _ => false,
    };
    match e {
        Expr::Add(v) => v.iter().find_map(product_of_sums),
        Expr::Mul(v) => {
            // A sum over a common denominator counts as one sum.
            let only_numbers =
                v.iter().all(|f| matches!(f, Expr::Add(_)) || matches!(f.as_int_pow(), Some((_, n)) if n < 0));
            let sums = v.iter().filter(|f| matches!(f, Expr::Add(_))).count();
            if v.iter().any(sum_power) || sums > 1 || (sums == 1 && !only_numbers) { Some(e.clone()) } else { None }
        }
        Expr::Pow(..) if sum_power(e) => Some(e.clone()),
        Expr::Num(_) | Expr::Const(_) | Expr::Sym(_) | Expr::Pow(..) | Expr::Call(..) => None,
    }
}

/// Judges a factorisation into irreducible factors over the rationals.
pub(super) fn judge_factor(expression: &str, answer: &Answer) -> Judgement {
    judged(expression, answer, |p| {
        let parts = match &p.answer {
            Expr::Mul(v) => v.clone(),
            other => vec![other.clone()],
        };
        let mut numbers = 0;
        for f in &parts {
            let base = match f.as_int_pow() {
                Some((b, n)) if n > 0 => b.clone(),
                _ => f.clone(),
            };
            let mut ring = Ring::default();
            let r = ring.ratio(&base).map_err(|e| e.to_string())?;
            if r.as_number().is_some() {
                numbers += 1;
                continue;
            }
            if !r.den.is_one() && parts.len() > 1 {
                continue;
            }
            let (content, factors, complete) = factor_poly(&r.num).map_err(|e| e.to_string())?;
            let count: u32 = factors.iter().map(|(_, k)| *k).sum();
            if count > 1 {
                return Err(format!("equal, but {base} still splits"));
            }
            if !content.abs().is_one() && parts.len() > 1 {
                return Err(format!("equal, but {base} still holds the number {}", Expr::Num(content.abs())));
            }
            if !content.abs().is_one() && !matches!(base, Expr::Mul(_)) && base.any(&|e| matches!(e, Expr::Add(_))) {
                return Err(format!("equal, but {base} still holds the number {}", Expr::Num(content.abs())));
            }
            if !complete {
                return Err(format!("{base} could not be shown to be irreducible"));
            }
        }
        if numbers == parts.len() {
            return number_factors(&parts);
        }
        Ok("the same function, and every factor is irreducible over the rationals".to_owned())
    })
}

fn number_factors(parts: &[Expr]) -> Result<String, String> {
    for f in parts {
        let base = match f.as_int_pow() {
            Some((b, _)) => b,
            None => f,
        };
        let n =
            base.as_num().filter(|q| q.is_integer()).ok_or_else(|| format!("{base} is no whole number"))?.numer().abs();
        let split = super::super::radical::small_primes(&n);
        let prime = n.is_one() || (split.len() == 1 && split[0].1 == 1 && n.bits() <= 26);
        if !prime {
            return Err(format!("equal, but {base} was not shown to be prime"));
        }
    }
    Ok("the same number, as a product of primes".to_owned())
}

fn judged(expression: &str, answer: &Answer, shape: impl FnOnce(&Pair) -> Result<String, String>) -> Judgement {
    let pair = match read(expression, answer) {
        Ok(p) => p,
        Err(why) => return Judgement::Unproved(why),
    };
    match equal(&pair.question, &pair.answer) {
        Some(true) => {}
        Some(false) => return Judgement::Refuted(difference(&pair)),
        None => {
            if let (Signed::Undefined(why), true) = (sign(&pair.question), pair.question.variables().is_empty()) {
                return Judgement::Refuted(format!("the question is undefined ({why})"));
            }
            return Judgement::Unproved("the two expressions could not be compared".to_owned());
        }
    }
    if let Some(j) = domains(&pair) {
        return j;
    }
    match shape(&pair) {
        Ok(why) => Judgement::Proved(why),
        Err(why) => Judgement::Unproved(why),
    }
}

fn read(expression: &str, answer: &Answer) -> Result<Pair, String> {
    let (value, listed) = match answer {
        Answer::Expression { value, conditions } => (value, conditions.as_slice()),
        Answer::Number { value, unit: None, approximate: false } => (value, [].as_slice()),
        Answer::Number { .. }
        | Answer::Solutions { .. }
        | Answer::Date { .. }
        | Answer::List { .. }
        | Answer::Truth { .. }
        | Answer::Text { .. } => {
            return Err("the answer is no expression".to_owned());
        }
    };
    Ok(Pair {
        question: parse(expression).map_err(|e| format!("the question cannot be read: {e}"))?,
        answer: parse(value).map_err(|e| format!("the answer cannot be read: {e}"))?,
        listed: listed.iter().map(|t| Listed::read(t)).collect::<Result<_, _>>()?,
    })
}

fn difference(p: &Pair) -> String {
    let Some(at) = difference_at(&p.question, &p.answer) else {
        return "the two expressions differ".to_owned();
    };
    let value = |e: &Expr| {
        let e = e.substitute(&at);
        simplify(&e).unwrap_or(e)
    };
    let place = at.iter().map(|(n, v)| format!("{n} = {v}")).collect::<Vec<_>>().join(", ");
    let place = if place.is_empty() { String::new() } else { format!("{place}: ") };
    format!("{place}the question is {}, the answer {}", value(&p.question), value(&p.answer))
}

/// Compares where the two are defined; `None` if nothing was lost that is not listed.
fn domains(p: &Pair) -> Option<Judgement> {
    if let Some(why) = super::super::domain::undefined_as_written(&p.question) {
        return Some(Judgement::Refuted(format!("the question is undefined ({why})")));
    }
    let (asked, given) = (conditions(&p.question), conditions(&p.answer));
    for c in asked.iter().filter(|c| c.kind == ConditionKind::Nonzero) {
        if let Some(j) = removed_pole(p, &c.expression) {
            return Some(j);
        }
    }
    // Points of the question's domain where the answer has no value.
    for point in sample_points(&Expr::add(vec![p.question.clone(), p.answer.clone()])) {
        let (q, a) = (sign(&p.question.substitute(&point)), sign(&p.answer.substitute(&point)));
        let place = || point.iter().map(|(n, v)| format!("{n} = {v}")).collect::<Vec<_>>().join(", ");
        match (q, a) {
            (Signed::Known(_), Signed::Undefined(why)) => {
                return Some(Judgement::Refuted(format!(
                    "{}: the answer is undefined ({why}), the question is not",
                    place()
                )));
            }
            (Signed::Undefined(why), Signed::Known(_)) if asked.iter().any(|c| c.kind != ConditionKind::Nonzero) => {
                let excluded = p.listed.iter().any(|l| l.violated(sign(&l.difference.substitute(&point))));
                if !excluded {
                    return Some(Judgement::Unproved(format!(
                        "{}: the question is undefined ({why}), the answer is not, and no condition says so",
                        place()
                    )));
                }
            }
            _ => {}
        }
    }
    for c in given.iter().filter(|c| c.kind == ConditionKind::Nonzero) {
        let back = Pair { question: p.answer.clone(), answer: p.question.clone(), listed: Vec::new() };
        if let Some(Judgement::Refuted(_)) = removed_pole(&back, &c.expression) {
            return Some(Judgement::Refuted(format!(
                "the answer is undefined where {} = 0, the question is not",
                c.expression
            )));
        }
    }
    None
}

/// Looks for a zero of a denominator of the question at which the answer is defined and no condition fails.
fn removed_pole(p: &Pair, denominator: &Expr) -> Option<Judgement> {
    let names: Vec<String> = denominator.variables().into_iter().collect();
    let all: Vec<String> = Expr::add(vec![p.question.clone(), p.answer.clone()]).variables().into_iter().collect();
    if let ([x], true) = (&names[..], all.len() == 1) {
        let zero = Equation::new(denominator.clone(), Expr::int(0));
        let Ok(points) = complete::solutions(&[zero], std::slice::from_ref(x)) else {
            return Some(Judgement::Unproved(format!("the zeros of {denominator} could not be found")));
        };
        for at in points {
            let here = sign_at(&p.answer, &at);
            if matches!(here, Signed::Undefined(_)) || p.listed.iter().any(|l| l.violated(sign_at(&l.difference, &at)))
            {
                continue;
            }
            let place = complete::shown(&at);
            return Some(match here {
                Signed::Known(_) => Judgement::Refuted(format!(
                    "{place}: the question is undefined, the answer is not, and the condition is missing"
                )),
                Signed::Undefined(_) | Signed::Unknown(_) => {
                    Judgement::Unproved(format!("{place}: the answer could not be evaluated"))
                }
            });
        }
        return None;
    }
    // In several unknowns, each factor must stay in a denominator or be excluded.
    let mut ring = Ring::default();
    let d = ring.ratio(denominator).ok()?.num;
    let kept: Vec<Expr> =
        conditions(&p.answer).into_iter().filter(|c| c.kind == ConditionKind::Nonzero).map(|c| c.expression).collect();
    let excluded = p.listed.iter().filter(|l| l.relation == Relation::Different).map(|l| l.difference.clone());
    let mut covers = Vec::new();
    for e in kept.into_iter().chain(excluded) {
        covers.extend(ring.ratio(&e).ok().map(|r| r.num));
    }
    for (f, _) in mgcd::square_free_parts(&d).ok()? {
        let (_, factors, _) = factor_poly(&f).ok()?;
        for (g, _) in factors {
            if !covers.iter().any(|c| c.div_exact(&g).is_some()) {
                let g = ring.poly_expr(&g);
                let positive = matches!(complete::solutions(&[Equation::new(g.clone(), Expr::int(0))], &all), Ok(points) if points.is_empty());
                if !positive {
                    return Some(Judgement::Refuted(format!(
                        "where {g} = 0 the question is undefined, the answer is not, and the condition is missing"
                    )));
                }
            }
        }
    }
    None
}

/// Orders forms: size, then the length of their numbers.
pub(super) fn measure(e: &Expr) -> (u64, u64) {
    (e.size(), bits(e))
}

fn bits(e: &Expr) -> u64 {
    match e {
        Expr::Num(q) => q.numer().bits() + if q.is_integer() { 0 } else { q.denom().bits() },
        // Whole exponents are no numbers to compute with.
        Expr::Pow(b, x) if x.as_num().is_some_and(|q| q.is_integer()) => bits(b),
        Expr::Const(_) | Expr::Sym(_) | Expr::Pow(..) | Expr::Call(..) | Expr::Mul(_) | Expr::Add(_) => {
            e.children().into_iter().map(bits).sum()
        }
    }
}
