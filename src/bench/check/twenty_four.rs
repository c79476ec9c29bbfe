//! Verifier of the game of 24: an expression over the given numbers, each used once, whose value is 24.

use num_rational::Ratio;
use num_traits::{CheckedAdd, CheckedDiv, CheckedMul, CheckedSub};
use serde_json::Value;

/// Most brackets within brackets.
const DEPTH: usize = 32;

/// Whether an answer is such an expression; `= 24` at its end does not matter.
pub(super) fn makes_it(answer: &str, numbers: &Value) -> bool {
    let Some(mut given) = numbers.as_array().map(|all| all.iter().filter_map(Value::as_i64).collect::<Vec<_>>()) else {
        return false;
    };
    let left = answer.split('=').next().unwrap_or_default();
    let text: String = left.chars().filter(|c| !c.is_whitespace()).collect();
    let text = text.replace('×', "*").replace('÷', "/").replace('−', "-");
    let mut reader = Reader { bytes: text.as_bytes(), at: 0, used: Vec::new() };
    let value = reader.sum(0);
    if reader.at != reader.bytes.len() {
        return false;
    }
    given.sort_unstable();
    reader.used.sort_unstable();
    value == Some(Ratio::from_integer(24)) && reader.used == given
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    used: Vec<i64>,
}

impl Reader<'_> {
    fn take(&mut self, any: &[u8]) -> Option<u8> {
        let found = self.bytes.get(self.at).copied().filter(|byte| any.contains(byte))?;
        self.at += 1;
        Some(found)
    }

    fn sum(&mut self, depth: usize) -> Option<Ratio<i64>> {
        let mut value = self.product(depth)?;
        while let Some(sign) = self.take(b"+-") {
            let other = self.product(depth)?;
            value = if sign == b'+' { value.checked_add(&other)? } else { value.checked_sub(&other)? };
        }
        Some(value)
    }

    fn product(&mut self, depth: usize) -> Option<Ratio<i64>> {
        let mut value = self.factor(depth)?;
        while let Some(sign) = self.take(b"*/") {
            let other = self.factor(depth)?;
            value = if sign == b'*' { value.checked_mul(&other)? } else { value.checked_div(&other)? };
        }
        Some(value)
    }

    fn factor(&mut self, depth: usize) -> Option<Ratio<i64>> {
        if self.take(b"(").is_some() {
            let value = (depth < DEPTH).then(|| self.sum(depth + 1)).flatten()?;
            self.take(b")")?;
            return Some(value);
        }
        let count = self.bytes[self.at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let digits = std::str::from_utf8(&self.bytes[self.at..self.at + count]).ok()?;
        let number = digits.parse::<i64>().ok()?;
        self.at += count;
        self.used.push(number);
        Some(Ratio::from_integer(number))
    }
}
