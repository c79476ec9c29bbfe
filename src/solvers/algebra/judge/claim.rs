//! What an answer claims, read into expressions.

use std::collections::BTreeMap;

use super::super::super::answer::{Answer, Assignment};
use super::super::expr::{Expr, Q};
use super::super::parse::parse;

/// A claimed set of solutions.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Claim {
    pub(super) solutions: Vec<Solution>,
    pub(super) all: bool,
    pub(super) approximate: bool,
}

/// One claimed solution.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Solution {
    pub(super) values: BTreeMap<String, Expr>,
    /// The text of the values, for messages and for counting printed digits.
    pub(super) texts: BTreeMap<String, String>,
}

impl Solution {
    fn read(a: &Assignment) -> Result<Self, String> {
        let mut values = BTreeMap::new();
        for (name, text) in a {
            let text = text.strip_prefix(&format!("{name} = ")).unwrap_or(text);
            values.insert(name.clone(), parse(text).map_err(|e| format!("{name} = {text} cannot be read: {e}"))?);
        }
        Ok(Self { values, texts: a.clone() })
    }

    /// Writes `x = 1, y = 2`.
    pub(super) fn shown(&self) -> String {
        self.texts.iter().map(|(n, v)| format!("{n} = {v}")).collect::<Vec<_>>().join(", ")
    }
}

/// Reads the solutions that an answer claims; the error says why it is no such answer.
pub(super) fn read(answer: &Answer, unknowns: &[String]) -> Result<Claim, String> {
    let one = |value: &String, approximate: bool| {
        let [x] = unknowns else {
            return Err("one number answers one unknown only".to_owned());
        };
        let s = Solution::read(&Assignment::from([(x.clone(), value.clone())]))?;
        Ok(Claim { solutions: vec![s], all: false, approximate })
    };
    match answer {
        Answer::Solutions { values, all, approximate } => {
            if values.len() > 200 {
                return Err("more than 200 solutions".to_owned());
            }
            let solutions = values.iter().map(Solution::read).collect::<Result<_, _>>()?;
            Ok(Claim { solutions, all: *all, approximate: *approximate })
        }
        Answer::Number { value, unit: None, approximate } => one(value, *approximate),
        Answer::Expression { value, .. } => one(value, false),
        Answer::Number { unit: Some(_), .. }
        | Answer::Date { .. }
        | Answer::List { .. }
        | Answer::Truth { .. }
        | Answer::Text { .. } => Err("the answer is no list of solutions".to_owned()),
    }
}

/// Returns the value and the number of printed decimals of a decimal (`-1.250`, `1e-7`).
pub(super) fn decimal(text: &str) -> Option<(Q, u32)> {
    let t = text.trim();
    let value = parse(t).ok()?;
    let value = super::super::canon::canon(&value);
    let q = value.as_num()?.clone();
    let body = t.trim_start_matches(['-', '−', '+']);
    let (mantissa, exponent) = match body.split_once(['e', 'E']) {
        Some((m, e)) => (m, e.parse::<i64>().ok()?),
        None => (body, 0),
    };
    if mantissa.is_empty() || !mantissa.chars().all(|c| c.is_ascii_digit() || c == '.') {
        return None;
    }
    let places = mantissa.split_once('.').map_or(0, |(_, p)| p.len() as i64);
    u32::try_from((places - exponent).max(0)).ok().map(|p| (q, p))
}
