//! The independent calculator `fend`, under a limit.

use std::sync::atomic::{AtomicU32, Ordering};

use fend_core::{Context, CustomUnitAttribute, Interrupt};

use crate::solvers::quantity::units;

/// Longest expression that is handed over, in bytes.
const MAX_TEXT: usize = 1_000;
/// Deepest nesting and most signs: `fend` recurses over both and would overflow the stack.
const MAX_DEPTH: usize = 30;
const MAX_SIGNS: usize = 150;
/// How often the calculator may ask whether it should stop: a count, so that the same input stops at the same place.
const MAX_STEPS: u32 = 20_000;

struct Limit(AtomicU32);

impl Interrupt for Limit {
    fn should_interrupt(&self) -> bool {
        self.0.fetch_add(1, Ordering::Relaxed) > MAX_STEPS
    }
}

/// Currencies are units without a rate to any other.
const MONEY: &[(&str, &str, &str)] = &[
    ("USD", "zusd", "!"),
    ("¢", "zcent", "0.01 zusd"),
    ("EUR", "zeur", "!"),
    ("eurocent", "zeurocent", "0.01 zeur"),
    ("GBP", "zgbp", "!"),
    ("penny", "zpenny", "0.01 zgbp"),
    ("JPY", "zjpy", "!"),
    ("INR", "zinr", "!"),
    ("CHF", "zchf", "!"),
    ("CAD", "zcad", "!"),
    ("AUD", "zaud", "!"),
    ("CNY", "zcny", "!"),
];

/// Evaluates an expression with `fend`, exactly: the text of a whole number, a terminating decimal or a fraction,
/// with its unit.
///
/// # Errors
/// What `fend` says, a result that is only approximate, or the limit.
pub fn evaluate(expression: &str) -> Result<String, String> {
    if expression.len() > MAX_TEXT {
        return Err(format!("an expression of more than {MAX_TEXT} characters"));
    }
    let text = prepared(expression)?;
    let result = run(&text)?;
    if !result.starts_with("approx.") {
        return Ok(restored(&result));
    }
    let fraction = run(&format!("({text}) to fraction"))?;
    if fraction.starts_with("approx.") { Err("the result is only approximate".into()) } else { Ok(restored(&fraction)) }
}

/// Converts a quantity with `fend`: the number alone.
///
/// # Errors
/// As [`evaluate`].
pub fn convert(quantity: &str, to: &str) -> Result<String, String> {
    let text = evaluate(&format!("({quantity}) to ({to})")).or_else(|_| evaluate(&format!("{quantity} to {to}")))?;
    number_of(&text)
}

/// The number in front of a unit: `170.18 cm` is `170.18`, `340/9 °C` is `340/9`, `37 7/9 °C` is `37 7/9`.
///
/// # Errors
/// No number stands there.
pub fn number_of(text: &str) -> Result<String, String> {
    let end =
        text.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',' | '/' | '-' | ' '))).unwrap_or(text.len());
    let number = text.get(..end).unwrap_or("").trim();
    if number.is_empty() {
        Err(format!("no number in \"{}\"", text.chars().take(40).collect::<String>()))
    } else {
        Ok(number.to_owned())
    }
}

fn run(text: &str) -> Result<String, String> {
    let mut context = Context::new();
    context.disable_rng();
    for (_, name, definition) in MONEY {
        context.define_custom_unit_v1(name, name, definition, &CustomUnitAttribute::None);
    }
    let limit = Limit(AtomicU32::new(0));
    let result = fend_core::evaluate_with_interrupt(text, &mut context, &limit)?;
    Ok(result.get_main_result().to_owned())
}

/// Spells an expression so that `fend` reads quantities and nothing else: no dates, no definitions, no currencies.
fn prepared(expression: &str) -> Result<String, String> {
    let (mut depth, mut deepest) = (0usize, 0usize);
    for c in expression.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    let signs = expression.chars().filter(|c| "+-−*/^%()".contains(*c)).count() + expression.split_whitespace().count();
    if deepest > MAX_DEPTH || signs > MAX_SIGNS {
        return Err("an expression too deep or too long for the second calculator".into());
    }
    let mut out = String::new();
    let mut word = String::new();
    for c in expression.chars().chain([' ']) {
        if c.is_alphabetic() || matches!(c, '°' | '¢' | '_') {
            word.push(c);
            continue;
        }
        if !word.is_empty() {
            out.push_str(&spelled(&word));
            word.clear();
        }
        match c {
            '@' | '=' | ';' | '\\' | ':' | '!' | '{' | '}' | '#' | '&' | '|' | '<' | '>' => {
                return Err(format!("\"{c}\" is not part of a quantity"));
            }
            '-' | '−' => out.push_str(" - "),
            other => out.push(other),
        }
    }
    let out = out.replace("^ - ", "^-").trim().to_owned();
    Ok(fractions_of_units(&out))
}

/// `7/2 hours` becomes `(7/2) hours`: `fend` would read seven per two hours.
fn fractions_of_units(text: &str) -> String {
    let bytes = text.as_bytes();
    let run = |from: usize, allowed: fn(&u8) -> bool| {
        bytes.get(from..).map_or(0, |rest| rest.iter().take_while(|b| allowed(b)).count())
    };
    let digits = |from: usize| run(from, u8::is_ascii_digit);
    let blanks = |from: usize| run(from, |b| *b == b' ');
    let (mut out, mut done, mut at) = (String::new(), 0, 0);
    while at < bytes.len() {
        let top = digits(at);
        if top == 0 {
            at += 1;
            continue;
        }
        let slash = at + top + blanks(at + top);
        let under = slash + 1 + blanks(slash + 1);
        let bottom = digits(under);
        let end = under + bottom;
        let unit = end + blanks(end);
        let before = text.get(..at).and_then(|t| t.trim_end().chars().next_back());
        let free = before.is_none_or(|c| !(c.is_alphanumeric() || matches!(c, '.' | '^' | '/')));
        let counts = text.get(unit..).and_then(|t| t.chars().next()).is_some_and(|c| c.is_alphabetic() && unit > end);
        let words = text.get(unit..).is_some_and(|t| ["to ", "in ", "as "].iter().any(|w| t.starts_with(w)));
        if bytes.get(slash) == Some(&b'/') && bottom > 0 && free && counts && !words {
            out.push_str(text.get(done..at).unwrap_or_default());
            out.push_str(&format!("({})", text.get(at..end).unwrap_or_default()));
            done = end;
        }
        at = at.max(if bottom > 0 && bytes.get(slash) == Some(&b'/') { end } else { at + top });
    }
    out.push_str(text.get(done..).unwrap_or_default());
    out
}

fn spelled(word: &str) -> String {
    match units::find(word) {
        Some(unit) if unit.dimension.is_money() => MONEY
            .iter()
            .find(|(symbol, _, _)| *symbol == unit.text)
            .map_or_else(|| word.to_owned(), |(_, name, _)| (*name).to_owned()),
        Some(_) | None => match word {
            "in" => "inch".into(),
            "sqin" => "inch^2".into(),
            "kn" | "knots" | "kt" => "knot".into(),
            "ct" => "carat".into(),
            // It spells prefixed units the American way only.
            other => other.replace('_', " ").replace("litre", "liter").replace("metre", "meter"),
        },
    }
}

fn restored(text: &str) -> String {
    let mut out = text.to_owned();
    for (symbol, name, _) in MONEY {
        out = out.replace(name, symbol);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(expression: &str, expected: &str) {
        let got = evaluate(expression).unwrap_or_else(|e| format!("error: {e}"));
        assert_eq!(got, expected, "{expression}");
    }

    #[test]
    fn evaluates_exactly() {
        check("2^10", "1024");
        check("1/3", "1/3");
        check("45 USD*(1 - 20/100)", "36 USD");
        check("(100 °F) to °C", "340/9 °C");
        check("1 fortnight to minutes", "20160 minutes");
        check("5 km + 300 m", "5.3 km");
        check("250 ¢ to USD", "2.5 USD");
        check("7/2 hours to minutes", "210 minutes");
        check("2 km + 1/2 mile to m", "2804.672 m");
        check("1/3 to fraction", "1/3");
        check("1500 millilitres to litres", "1.5 liters");
    }

    #[test]
    fn stays_within_limits() {
        check("10^10^10", "error: interrupted");
        check("9999999^9999", "error: interrupted");
        check("sqrt(2)", "error: the result is only approximate");
        check("@2023-09-08", "error: \"@\" is not part of a quantity");
        check("2023-09-08", "2006");
        assert!(evaluate(&"(".repeat(2_000)).is_err());
        assert!(evaluate(&"1+".repeat(3_000)).is_err());
        assert!(evaluate(&"-".repeat(140)).is_err());
        assert_eq!(evaluate(&format!("{}1", "1^".repeat(140))).as_deref(), Ok("1"));
        assert!(evaluate(&format!("{}1{}", "(".repeat(30), ")".repeat(30))).is_ok());
        assert_eq!(evaluate(&format!("1{}", "+1".repeat(140))).as_deref(), Ok("141"));
        assert!(evaluate(&"x".repeat(900)).is_err());
        assert!(evaluate(&"5km".repeat(300)).is_err());
    }

    #[test]
    fn agrees_with_the_table_of_units() {
        let mut compared = 0;
        let mut wrong = Vec::new();
        for symbol in units::symbols() {
            let unit = units::find(&symbol).unwrap();
            if unit.dimension.is_calendar() {
                continue;
            }
            let mine = unit.size.clone() + unit.zero.clone();
            let theirs = convert(&format!("1 {symbol}"), &unit.dimension.coherent_unit())
                .and_then(|n| crate::solvers::quantity::rational::parse(&n));
            match theirs {
                Ok(theirs) => {
                    compared += 1;
                    if theirs != mine {
                        wrong.push(format!("{symbol}: {mine} here, {theirs} there"));
                    }
                }
                // Names that fend does not have are the table's own.
                Err(_) => continue,
            }
        }
        assert!(wrong.is_empty(), "{wrong:?}");
        assert!(compared > 50, "only {compared} compared");
    }
}
