//! Equations and whether an assignment satisfies them.

use std::collections::BTreeMap;
use std::fmt;

use super::canon::canon;
use super::domain;
use super::expr::Expr;
use super::sign::{Sign, Signed, sign};

/// Two sides that are to be equal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Equation {
    /// Left side.
    pub left: Expr,
    /// Right side.
    pub right: Expr,
}

impl fmt::Display for Equation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", self.left, self.right)
    }
}

impl Equation {
    /// Makes an equation.
    pub fn new(left: Expr, right: Expr) -> Self {
        Self { left, right }
    }

    /// Returns left minus right.
    pub fn difference(&self) -> Expr {
        if self.right.is_zero_num() { self.left.clone() } else { Expr::minus(self.left.clone(), self.right.clone()) }
    }

    /// Brings both sides into light canonical form.
    pub fn canon(&self) -> Self {
        Self { left: canon(&self.left), right: canon(&self.right) }
    }

    /// Replaces unknowns on both sides.
    pub fn substitute(&self, with: &BTreeMap<String, Expr>) -> Self {
        Self { left: self.left.substitute(with), right: self.right.substitute(with) }
    }

    /// Returns all unknowns of both sides.
    pub fn variables(&self) -> std::collections::BTreeSet<String> {
        let mut v = self.left.variables();
        v.extend(self.right.variables());
        v
    }
}

/// Whether an equation holds at a point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Truth {
    /// Proved to hold.
    Yes,
    /// Proved not to hold.
    No,
    /// A side has no real value there; the reason.
    Undefined(String),
    /// Could not be decided; the reason.
    Unknown(String),
}

/// Decides exactly whether an equation holds; unknowns without a value stay symbols.
pub fn holds(eq: &Equation, at: &BTreeMap<String, Expr>) -> Truth {
    let here = eq.substitute(at);
    let d = here.difference();
    if d.variables().is_empty() {
        return match sign(&d) {
            Signed::Known(Sign::Zero) => Truth::Yes,
            Signed::Known(Sign::Negative | Sign::Positive) => Truth::No,
            Signed::Undefined(why) => Truth::Undefined(why),
            Signed::Unknown(why) => Truth::Unknown(why),
        };
    }
    if let Some(why) = domain::undefined_as_written(&d) {
        return Truth::Undefined(why);
    }
    match super::equal(&here.left, &here.right) {
        Some(true) => Truth::Yes,
        Some(false) => Truth::No,
        None => Truth::Unknown("the sides could not be compared".to_owned()),
    }
}
