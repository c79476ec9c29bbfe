//! The value of an answer, as programs write it and checks read it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// One value of each unknown: `{"x": "6"}`. Values are exact expressions (`3/2`, `1 + sqrt(2)`) or, in an approximate
/// answer, decimals.
pub type Assignment = BTreeMap<String, String>;

/// The value of a draft or answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum Answer {
    /// A number, with its unit where it has one.
    Number {
        /// Exact expression or, if `approximate`, a decimal.
        value: String,
        /// Unit (`cm`, `minutes`, `USD`).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        unit: Option<String>,
        /// Whether the value is rounded.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        approximate: bool,
    },
    /// All solutions; an empty list says that there is none.
    Solutions {
        /// Each solution.
        values: Vec<Assignment>,
        /// Whether every value in the domain solves it (an identity). `values` is then empty.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        all: bool,
        /// Whether the values are rounded.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        approximate: bool,
    },
    /// An expression, valid where the conditions hold.
    Expression {
        /// The expression.
        value: String,
        /// Conditions such as `x != 1`.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        conditions: Vec<String>,
    },
    /// A date `YYYY-MM-DD`.
    Date {
        /// The date.
        value: String,
    },
    /// A list of values in order.
    List {
        /// The values.
        values: Vec<String>,
    },
    /// Yes or no.
    Truth {
        /// Which.
        value: bool,
    },
    /// Words (a day of the week).
    Text {
        /// The words.
        value: String,
    },
}

/// What a check could establish about an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", content = "why", rename_all = "kebab-case")]
pub enum Judgement {
    /// Wrong or incomplete; the reason names the witness ("x = 1: sqrt(4) = 2, but 1 - 3 = -2"; "root 3 is missing").
    Refuted(String),
    /// Nothing speaks against it, and soundness or completeness could not be proved: no own check for this class.
    Unproved(String),
    /// Proved sound and complete.
    Proved(String),
}
