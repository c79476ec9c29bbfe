//! Where an expression has a real value.

use num_integer::Integer;
use num_traits::Signed;

use super::canon::canon;
use super::expr::{Expr, Func};
use super::normal::Ring;
use super::sign::{Signed as SignOf, sign};

/// What must hold for an expression to have a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConditionKind {
    /// A denominator.
    Nonzero,
    /// A radicand of an even root.
    Nonnegative,
    /// An argument of a logarithm, or the base of a power with an unknown exponent.
    Positive,
}

impl ConditionKind {
    /// Returns the word that scripts see.
    pub fn name(self) -> &'static str {
        match self {
            Self::Nonzero => "nonzero",
            Self::Nonnegative => "nonnegative",
            Self::Positive => "positive",
        }
    }
}

/// A condition on an expression that holds unknowns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// Which relation to zero.
    pub kind: ConditionKind,
    /// The expression.
    pub expression: Expr,
}

/// Collects the conditions under which an expression has a value, innermost first, without repeats.
pub fn conditions(e: &Expr) -> Vec<Condition> {
    let mut out = Vec::new();
    collect(e, &mut out);
    out
}

fn collect(e: &Expr, out: &mut Vec<Condition>) {
    for c in e.children() {
        collect(c, out);
    }
    let mut push = |kind, e: &Expr| {
        let c = Condition { kind, expression: canon(e) };
        if !c.expression.variables().is_empty() && !out.contains(&c) {
            out.push(c);
        }
    };
    match e {
        Expr::Pow(b, x) => match x.as_num() {
            Some(q) => {
                if q.denom().is_even() {
                    push(ConditionKind::Nonnegative, b);
                }
                if q.is_negative() {
                    push(ConditionKind::Nonzero, b);
                }
            }
            None => push(ConditionKind::Positive, b),
        },
        Expr::Call(Func::Ln, a) => push(ConditionKind::Positive, a),
        Expr::Call(Func::Tan, a) => push(ConditionKind::Nonzero, &Expr::call(Func::Cos, (**a).clone())),
        Expr::Call(Func::Abs | Func::Sin | Func::Cos, _)
        | Expr::Num(_)
        | Expr::Const(_)
        | Expr::Sym(_)
        | Expr::Mul(_)
        | Expr::Add(_) => {}
    }
}

/// Finds a part that has no value whatever the unknowns are: a denominator that is identically zero, an even root of a
/// negative number.
pub(crate) fn undefined_as_written(e: &Expr) -> Option<String> {
    for c in e.children() {
        if let Some(why) = undefined_as_written(c) {
            return Some(why);
        }
    }
    if e.variables().is_empty() {
        let atom = matches!(e, Expr::Pow(..) | Expr::Call(..));
        return match atom.then(|| sign(e)) {
            Some(SignOf::Undefined(why)) => Some(why),
            Some(SignOf::Known(_) | SignOf::Unknown(_)) | None => None,
        };
    }
    if let Expr::Pow(b, x) = e
        && x.as_num().is_some_and(|q| q.is_negative())
        && Ring::splitting().ratio(b).is_ok_and(|r| r.num.is_zero())
    {
        return Some("division by zero".to_owned());
    }
    None
}
