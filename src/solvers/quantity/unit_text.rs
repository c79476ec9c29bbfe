//! Unit expressions: `km/h`, `miles per hour`, `square metres`, `kg*m^2`, `cubic feet per minute`.

use num_traits::{One, Signed, ToPrimitive, Zero};

use super::rational;
use super::units::{self, Unit};

/// Longest name, in words, of one unit.
const LONGEST_NAME: usize = 3;
/// Largest number of factors in one unit expression.
const MOST_FACTORS: usize = 16;

/// Reads a unit expression.
///
/// # Errors
/// One clause that names the word that is not a unit.
pub fn parse_unit(text: &str) -> Result<Unit, String> {
    let text = text.trim();
    if let Some(unit) = units::find(text) {
        return Ok(unit);
    }
    let words = split(text);
    if words.len() > MOST_FACTORS * 3 {
        return Err("a unit of too many factors".into());
    }
    let mut out = Unit::one();
    let (mut i, mut sign) = (0, 1);
    let mut label = String::new();
    while i < words.len() {
        match words.get(i).map(String::as_str) {
            Some("/" | "per") => {
                sign = -1;
                i += 1;
                label.push('/');
                continue;
            }
            Some("*" | "·") => {
                sign = 1;
                i += 1;
                label.push('*');
                continue;
            }
            Some("1") if i == 0 => {
                i += 1;
                label.push('1');
                continue;
            }
            Some(_) | None => {}
        }
        if label.chars().last().is_some_and(|c| c != '/' && c != '*') {
            label.push('*');
        }
        let (factor, power, used) = factor_at(&words, i)?;
        let signed = power.checked_mul(sign).ok_or("a power too large")?;
        out = combined(&out, &factor, signed)?;
        label.push_str(&factor.text);
        if power != 1 {
            label.push_str(&format!("^{power}"));
        }
        i += used;
        sign = 1;
    }
    if label.is_empty() || label.ends_with(['/', '*']) {
        return Err(format!("\"{}\" is not a unit", clip(text)));
    }
    out.text = label;
    Ok(out)
}

/// Unit of a product of powers.
///
/// # Errors
/// Temperatures with a zero point of their own cannot be multiplied; powers have a bound.
fn combined(left: &Unit, factor: &Unit, power: i32) -> Result<Unit, String> {
    if !factor.zero.is_zero() {
        return Err(format!("{} has its own zero and cannot be part of a product", factor.text));
    }
    let dimension = factor.dimension.raised(power).ok_or("a power too large")?;
    let size = rational::power(&factor.size, &rational::Rational::from_integer(power.into()))?;
    Ok(Unit {
        text: String::new(),
        size: &left.size * size,
        zero: left.zero.clone(),
        dimension: left.dimension.times(&dimension),
    })
}

fn factor_at(words: &[String], start: usize) -> Result<(Unit, i32, usize), String> {
    let word = |i: usize| words.get(i).map_or("", String::as_str);
    let (before, mut used) = match word(start) {
        "square" | "sq" | "sq." => (2, 1),
        "cubic" | "cu" => (3, 1),
        _ => (1, 0),
    };
    let at = start + used;
    let mut found = None;
    for length in (1..=LONGEST_NAME.min(words.len().saturating_sub(at))).rev() {
        let name = words.get(at..at + length).unwrap_or_default().join(" ");
        if let Some(unit) = units::find(&name) {
            found = Some((unit, length));
            break;
        }
    }
    let (unit, length) = found.ok_or_else(|| format!("\"{}\" is not a unit I know", clip(word(at))))?;
    used += length;
    let next = start + used;
    let after = match word(next) {
        "squared" | "²" => Some((2, 1)),
        "cubed" | "³" => Some((3, 1)),
        "^" => {
            let p = rational::parse(word(next + 1))
                .ok()
                .filter(|p| p.is_integer() && p.abs() <= rational::Rational::from_integer(20.into()));
            let p = p.and_then(|p| p.to_i32()).ok_or("a unit needs a whole power")?;
            Some((p, 2))
        }
        _ => None,
    };
    match after {
        Some((p, n)) => Ok((unit, before * p, used + n)),
        None => Ok((unit, before, used)),
    }
}

/// Splits into words, operators and numbers.
fn split(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut glue = false;
    let mut previous = ' ';
    for c in text.chars() {
        let kind = |c: char| match c {
            c if c.is_whitespace() => 0,
            '/' | '*' | '·' | '^' | '²' | '³' => 1,
            c if c.is_ascii_digit() || c == '-' && previous == '^' => 2,
            _ => 3,
        };
        let k = kind(c);
        match k {
            0 => glue = false,
            1 => {
                out.push(c.to_string());
                glue = false;
            }
            _ => {
                let same = glue && (kind(previous) == k || previous == '-');
                match out.last_mut() {
                    Some(last) if same => last.push(c),
                    Some(_) | None => out.push(c.to_string()),
                }
                glue = true;
            }
        }
        previous = c;
    }
    // `m2` and `cm3` are powers; a digit that follows a name directly was split from it above.
    let mut fixed: Vec<String> = Vec::with_capacity(out.len());
    for word in out {
        let power = word.bytes().all(|b| b.is_ascii_digit());
        let after_name = fixed.last().is_some_and(|w| w.chars().all(|c| c.is_alphabetic() || c == '°'));
        if power && after_name {
            fixed.push("^".into());
        }
        fixed.push(word);
    }
    fixed
}

fn clip(text: &str) -> String {
    text.chars().take(40).collect()
}

/// Whether the unit is the plain number one.
#[must_use]
pub fn is_plain(unit: &Unit) -> bool {
    unit.dimension.is_none() && unit.size.is_one()
}
