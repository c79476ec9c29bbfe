//! What a question asks, in exact terms: the output of the formaliser and the input of the checks.

use serde::{Deserialize, Serialize};

/// One question as the formaliser understood it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reading {
    /// What is asked, in the order of the text; never empty (a question that cannot be read is one `Unread` part).
    pub parts: Vec<PartReading>,
}

/// One thing that is asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PartReading {
    /// The words of the question that this part was read from.
    pub text: String,
    /// What is asked.
    pub goal: Goal,
    /// In which form the answer is wanted.
    #[serde(default)]
    pub form: Form,
    /// Words whose meaning must be looked up before the goal can be computed ("fortnight").
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unclear: Vec<String>,
}

/// What is asked, with everything needed to compute and to check it.
///
/// Expressions are text in the notation of [`crate::solvers::algebra`]: `3*x + 5`, `sqrt(x + 3)`, `abs(x)`, `x^2`;
/// equations are `lhs = rhs`; dates are `YYYY-MM-DD`; quantities are `5 ft 7 in`, `4.20 USD`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "class", rename_all = "kebab-case")]
pub enum Goal {
    /// Every real value of `unknowns` that satisfies all `equations`.
    Solve {
        /// Equations `lhs = rhs`.
        equations: Vec<String>,
        /// The unknowns asked for, in the order asked.
        unknowns: Vec<String>,
    },
    /// The value of an expression without unknowns (percentages already written as products).
    Evaluate {
        /// The expression; it may hold quantities with units.
        expression: String,
    },
    /// A quantity in another unit.
    Convert {
        /// The quantity as written: number and unit words, compound allowed (`5 ft 7 in`).
        quantity: String,
        /// The unit asked for.
        to: String,
    },
    /// An equal expression that is smaller.
    Simplify {
        /// The expression.
        expression: String,
    },
    /// The expression as a sum of products.
    Expand {
        /// The expression.
        expression: String,
    },
    /// The expression as a product of irreducible factors over the rationals.
    Factor {
        /// The expression.
        expression: String,
    },
    /// How much time lies between two dates.
    DateSpan {
        /// First date.
        from: String,
        /// Second date.
        to: String,
        /// `days`, `weeks`, `months` or `years`.
        unit: String,
        /// Whether both ends are counted.
        inclusive: bool,
    },
    /// The date that lies `by` units after `date` (before, when negative).
    DateShift {
        /// Start.
        date: String,
        /// Signed amount.
        by: i64,
        /// `days`, `weeks`, `months` or `years`.
        unit: String,
    },
    /// The day of the week of a date.
    Weekday {
        /// The date.
        date: String,
    },
    /// A question about whole numbers.
    Integer {
        /// Which.
        op: IntegerOp,
        /// The numbers, in decimal.
        args: Vec<String>,
    },
    /// If `from` of one thing goes with `to` of another, what goes with `ask`?
    Proportion {
        /// Known amount, number and thing (`3 pens`).
        from: String,
        /// What it goes with (`4.20 USD`).
        to: String,
        /// The amount asked about (`7 pens`).
        ask: String,
        /// Whether more of one means less of the other (workers and days).
        inverse: bool,
    },
    /// The next terms of a sequence. No check proves these: many rules fit.
    Sequence {
        /// Known terms.
        terms: Vec<String>,
        /// How many more are asked for.
        ask: usize,
    },
    /// The formaliser could not read it.
    Unread {
        /// In one clause, what it could make out.
        understood: String,
    },
}

/// Questions about whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IntegerOp {
    /// Greatest common divisor of two or more.
    Gcd,
    /// Least common multiple of two or more.
    Lcm,
    /// Is it prime?
    IsPrime,
    /// Prime factorisation.
    Factorize,
    /// All divisors.
    Divisors,
    /// The n-th prime (first is 2).
    NthPrime,
    /// The smallest prime above.
    NextPrime,
    /// All primes from the first number to the second.
    PrimesBetween,
    /// Remainder of the first by the second.
    Remainder,
}

/// The form in which an answer is wanted. Everything `None` means any exact form will do.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Form {
    /// Unit of the answer (`cm`, `minutes`, `USD`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Decimal places, where the question names them or money implies them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decimals: Option<u32>,
    /// Whether a terminating decimal, not a fraction, is the natural form (conversions, money, percentages).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub decimal: bool,
    /// Whether an approximation was asked for ("approximately", "to 3 decimal places").
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub approximate: bool,
    /// Whether an exact form was asked for.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub exact: bool,
}
