//! Answers as people read them.

use crate::solvers::answer::{Answer, Assignment};
use crate::solvers::goal::Form;
use crate::solvers::quantity::{parse_unit, rational};

/// Writes an answer in one line: `x = 2 or x = 3`, `170.18 cm`, `$9.80`, `x + 1, x ≠ 1`, `yes`.
#[must_use]
pub fn display(answer: &Answer, form: &Form) -> String {
    match answer {
        Answer::Number { value, unit, approximate } => {
            let unit = unit.as_deref().or(form.unit.as_deref());
            let text = weeks_and_days(value, unit).unwrap_or_else(|| with_unit(&spaced(value, form), unit));
            // A rounding that was asked for is the answer; one that was not says so.
            match (*approximate, form.approximate, form.decimals) {
                (false, _, _) => match readable(value).filter(|_| form.decimal) {
                    Some(decimal) if text.contains('/') => format!("{text} ≈ {}", with_unit(&decimal, unit)),
                    Some(_) | None => text,
                },
                (true, true, Some(_)) => text,
                (true, true, None) => format!("≈ {text}"),
                (true, false, _) => format!("≈ {text} (approximate)"),
            }
        }
        Answer::Solutions { values, all, approximate } => solutions(values, *all, *approximate),
        Answer::Expression { value, conditions } => {
            let mut out = value.clone();
            for condition in conditions {
                out.push_str(", ");
                out.push_str(&condition.replace("!=", "≠").replace(">=", "≥").replace("<=", "≤"));
            }
            out
        }
        Answer::Date { value } => value.clone(),
        Answer::List { values } => values.join(", "),
        Answer::Truth { value } => if *value { "yes" } else { "no" }.to_owned(),
        Answer::Text { value } => value.clone(),
    }
}

/// A fraction that no decimal ends, to six digits: few people see how much `200/9` is.
fn readable(value: &str) -> Option<String> {
    let exact = rational::parse(value).ok().filter(|_| value.contains('/'))?;
    let whole = rational::fixed(&exact, 0).trim_start_matches('-').len();
    Some(rational::fixed(&exact, u32::try_from(6_usize.saturating_sub(whole).max(2)).ok()?))
}

/// `60/7 weeks` is 8 weeks and 4 days.
fn weeks_and_days(value: &str, unit: Option<&str>) -> Option<String> {
    let (top, bottom) = value.split_once('/')?;
    let days: u64 = top.parse().ok().filter(|_| bottom == "7" && unit == Some("weeks"))?;
    let count = |n: u64, one: &str| if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") };
    let rest = count(days % 7, "day");
    Some(if days < 7 { rest } else { format!("{} and {rest}", count(days / 7, "week")) })
}

fn solutions(values: &[Assignment], all: bool, approximate: bool) -> String {
    if all {
        return "true for every x for which both sides are defined".to_owned();
    }
    if values.is_empty() {
        return "no solution".to_owned();
    }
    let sign = if approximate { "≈" } else { "=" };
    let one = |a: &Assignment| a.iter().map(|(k, v)| format!("{k} {sign} {v}")).collect::<Vec<_>>().join(", ");
    let each: Vec<String> = values.iter().map(one).collect();
    // Several pairs need parentheses, or the commas would not tell which belong together.
    let wide = values.len() > 1 && values.iter().any(|a| a.len() > 1);
    let text =
        if wide { each.iter().map(|e| format!("({e})")).collect::<Vec<_>>().join(" or ") } else { each.join(" or ") };
    if approximate { format!("{text} (approximate)") } else { text }
}

/// The number as it stands, padded to the decimals that money wants.
fn spaced(value: &str, form: &Form) -> String {
    match (form.decimals, rational::parse(value)) {
        (Some(n), Ok(v)) if rational::round_to(&v, n) == v => rational::fixed(&v, n),
        (Some(_), Ok(_) | Err(_)) | (None, _) => value.to_owned(),
    }
}

fn with_unit(value: &str, unit: Option<&str>) -> String {
    let Some(unit) = unit.filter(|u| !u.is_empty()) else { return value.to_owned() };
    let symbol = match parse_unit(unit).map(|u| u.text) {
        Ok(text) => match text.as_str() {
            "USD" => Some('$'),
            "EUR" => Some('€'),
            "GBP" => Some('£'),
            "JPY" => Some('¥'),
            "INR" => Some('₹'),
            _ => None,
        },
        Err(_) => None,
    };
    match symbol {
        Some(symbol) => match value.strip_prefix('-') {
            Some(rest) => format!("-{symbol}{rest}"),
            None => format!("{symbol}{value}"),
        },
        None if matches!(unit, "%" | "°") => format!("{value}{unit}"),
        None => format!("{value} {unit}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(answer: serde_json::Value, form: serde_json::Value, expected: &str) {
        let answer: Answer = serde_json::from_value(answer).unwrap();
        let form: Form = serde_json::from_value(form).unwrap();
        assert_eq!(display(&answer, &form), expected);
    }

    #[test]
    fn shows() {
        use serde_json::json;
        let none = || json!({});
        check(json!({"is": "solutions", "values": [{"x": "2"}, {"x": "3"}]}), none(), "x = 2 or x = 3");
        check(json!({"is": "solutions", "values": [{"x": "3", "y": "1"}]}), none(), "x = 3, y = 1");
        check(
            json!({"is": "solutions", "values": [{"x": "1", "y": "2"}, {"x": "2", "y": "1"}]}),
            none(),
            "(x = 1, y = 2) or (x = 2, y = 1)",
        );
        check(json!({"is": "solutions", "values": []}), none(), "no solution");
        check(
            json!({"is": "solutions", "values": [], "all": true}),
            none(),
            "true for every x for which both sides are defined",
        );
        check(
            json!({"is": "solutions", "values": [{"x": "1.1673039783"}], "approximate": true}),
            none(),
            "x ≈ 1.1673039783 (approximate)",
        );
        check(json!({"is": "number", "value": "170.18", "unit": "cm"}), none(), "170.18 cm");
        check(json!({"is": "number", "value": "9.8", "unit": "USD"}), json!({"decimals": 2}), "$9.80");
        check(json!({"is": "number", "value": "-9.80", "unit": "USD"}), none(), "-$9.80");
        check(json!({"is": "number", "value": "20160", "unit": "minutes"}), none(), "20160 minutes");
        check(json!({"is": "number", "value": "15", "unit": "%"}), none(), "15%");
        check(
            json!({"is": "number", "value": "37.78", "unit": "°C", "approximate": true}),
            none(),
            "≈ 37.78 °C (approximate)",
        );
        check(
            json!({"is": "number", "value": "3.14", "approximate": true}),
            json!({"decimals": 2, "approximate": true}),
            "3.14",
        );
        check(
            json!({"is": "number", "value": "42.1648", "unit": "km", "approximate": true}),
            json!({"approximate": true}),
            "≈ 42.1648 km",
        );
        check(json!({"is": "number", "value": "60/7", "unit": "weeks"}), none(), "8 weeks and 4 days");
        check(json!({"is": "number", "value": "8/7", "unit": "weeks"}), none(), "1 week and 1 day");
        check(json!({"is": "expression", "value": "x + 1", "conditions": ["x != 1"]}), none(), "x + 1, x ≠ 1");
        check(json!({"is": "truth", "value": false}), none(), "no");
        check(json!({"is": "list", "values": ["2", "3"]}), none(), "2, 3");
    }
}
