//! Judges the value of an expression without units.

use super::super::super::answer::{Answer, Judgement};
use super::super::super::goal::Form;
use super::super::expr::Expr;
use super::super::parse::parse;
use super::super::sign::{Roots, Sign, Signed, enclose, sign};
use super::super::simplify::simplify;
use super::{claim, shape, solve};

/// Judges a number by computing the difference from the expression exactly; `None` if units or unknowns occur.
pub(super) fn judge_value(expression: &str, form: &Form, answer: &Answer) -> Option<Judgement> {
    let asked = parse(expression).ok()?;
    if !asked.variables().is_empty() || form.unit.is_some() {
        return None;
    }
    let (value, approximate) = match answer {
        Answer::Number { value, unit: None, approximate } => (value, *approximate),
        Answer::Expression { value, conditions } if conditions.is_empty() => (value, false),
        Answer::Number { .. } | Answer::Expression { .. } | Answer::Solutions { .. } => {
            return None;
        }
        Answer::Date { .. } | Answer::List { .. } | Answer::Truth { .. } | Answer::Text { .. } => {
            return None;
        }
    };
    Some(match judged(&asked, value, approximate, form) {
        Ok(j) => j,
        Err(why) => Judgement::Unproved(why),
    })
}

fn judged(asked: &Expr, text: &str, approximate: bool, form: &Form) -> Result<Judgement, String> {
    let value = parse(text).map_err(|e| format!("the answer cannot be read: {e}"))?;
    if !value.variables().is_empty() {
        return Err("the answer holds unknowns".to_owned());
    }
    if let Signed::Undefined(why) = sign(asked) {
        return Ok(Judgement::Refuted(format!("the expression is undefined ({why})")));
    }
    if approximate {
        if form.exact {
            return Err("an exact value was asked for".to_owned());
        }
        return rounded(asked, text, form);
    }
    let own = simplify(asked).map_err(|e| e.to_string())?;
    match sign(&Expr::minus(asked.clone(), value.clone())) {
        Signed::Known(Sign::Zero) => {
            let plain = value.as_num().is_some()
                || matches!(&value, Expr::Mul(v) if v.len() == 2 && v[0].as_num().is_some() && matches!(v[1].as_int_pow(), Some((Expr::Num(_), -1))));
            let better = shape::measure(&value) > shape::measure(&own);
            // A terminating decimal may be longer than the fraction and is still a value.
            let is_decimal = claim::decimal(text).is_some();
            if better && !is_decimal {
                return Err(format!("equal, but {own} is simpler"));
            }
            if !plain && shape::measure(&value) >= shape::measure(asked) {
                return Err("equal, but only the question again".to_owned());
            }
            Ok(Judgement::Proved("recomputed exactly".to_owned()))
        }
        Signed::Known(Sign::Negative | Sign::Positive) => {
            Ok(Judgement::Refuted(format!("the value is {own}, not {text}")))
        }
        Signed::Undefined(why) => Ok(Judgement::Refuted(format!("the answer is undefined ({why})"))),
        Signed::Unknown(why) => Err(why),
    }
}

fn rounded(asked: &Expr, text: &str, form: &Form) -> Result<Judgement, String> {
    let (q, places) = claim::decimal(text).ok_or_else(|| "a rounded value is no decimal".to_owned())?;
    let h = match solve::tolerance(places, form) {
        Ok(h) => h,
        // Fewer places than asked for are right only if the value is exact.
        Err(why) => {
            return match sign(&Expr::minus(asked.clone(), Expr::Num(q))) {
                Signed::Known(Sign::Zero) => Ok(Judgement::Proved("recomputed exactly".to_owned())),
                Signed::Known(_) | Signed::Undefined(_) | Signed::Unknown(_) => Err(why),
            };
        }
    };
    let mut bits = u64::from(places) * 4 + 32;
    for _ in 0..4 {
        let (a, b) = enclose(asked, &Roots::new(), bits).map_err(|_| "the value could not be enclosed".to_owned())?;
        if a >= &q - &h && b <= &q + &h {
            return Ok(Judgement::Proved(format!("the value was enclosed within {places} decimals of it")));
        }
        if b < &q - &h || a > &q + &h {
            let shown = super::super::decimal_text(asked, places).map_err(|e| e.to_string())?;
            return Ok(Judgement::Refuted(format!("the value is near {shown}, not {text}")));
        }
        bits *= 2;
    }
    // The value sits on the edge of what rounding allows.
    match sign(&Expr::minus(
        Expr::call(super::super::Func::Abs, Expr::minus(asked.clone(), Expr::Num(q))),
        Expr::Num(h),
    )) {
        Signed::Known(Sign::Zero | Sign::Negative) => {
            Ok(Judgement::Proved("the value is a tie, and either neighbour is right".to_owned()))
        }
        Signed::Known(Sign::Positive) | Signed::Undefined(_) | Signed::Unknown(_) => {
            Err("the value sits on a tie".to_owned())
        }
    }
}
