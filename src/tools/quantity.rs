//! Tools over exact numbers with units: reading, converting, arithmetic, decimal forms, proportions.

use serde_json::{Value, json};

use super::given::{number, small, text, typed};
use super::{Tool, Type};
use crate::solvers::checks::fend as second;
use crate::solvers::quantity::rational::{self, Rational};
use crate::solvers::quantity::{self, Quantity, definitions, units};

/// The tools of this file.
pub static TOOLS: &[Tool] = &[
    Tool {
        name: "quantity",
        takes: &[("text", Type::Text)],
        gives: Type::Any,
        doc: "Reads a number with a unit, compound allowed, as {value, unit}.",
        run: |a| shown(&quantity::parse(&text(a, 0)?)?),
    },
    Tool {
        name: "convert",
        takes: &[("quantity", Type::Text), ("to", Type::Text)],
        gives: Type::Any,
        doc: "Converts a quantity exactly to a unit, or to multiples of a quantity, as {value, unit}.",
        run: |a| shown(&quantity::convert(&text(a, 0)?, &text(a, 1)?)?),
    },
    Tool {
        name: "calculate",
        takes: &[("expression", Type::Expression)],
        gives: Type::Any,
        doc: "Evaluates + - * / ^ ( ) and percentages over numbers with units exactly, as {value, unit}.",
        run: |a| shown(&quantity::calculate(&text(a, 0)?)?),
    },
    Tool {
        name: "same_dimension",
        takes: &[("a", Type::Text), ("b", Type::Text)],
        gives: Type::Truth,
        doc: "Tells whether two units or quantities measure the same thing.",
        run: |a| Ok(json!(quantity::same_dimension(&text(a, 0)?, &text(a, 1)?)?)),
    },
    Tool {
        name: "units_of",
        takes: &[("what", Type::Text)],
        gives: Type::Names,
        doc: "Lists the units of a dimension by name (length), or those that measure what a unit or quantity does.",
        run: units_of,
    },
    Tool {
        name: "known_unit",
        takes: &[("word", Type::Text)],
        gives: Type::Truth,
        doc: "Tells whether a word or expression is a unit that needs no definition.",
        run: |a| Ok(json!(quantity::parse_unit(&text(a, 0)?).is_ok())),
    },
    Tool {
        name: "with_definitions",
        takes: &[("text", Type::Text), ("definitions", Type::Any)],
        gives: Type::Text,
        doc: "Replaces defined words and the number before them by their meaning: 3 fortnights becomes 42 day.",
        run: |a| Ok(json!(definitions::with_definitions(&text(a, 0)?, &typed(a, 1)?)?)),
    },
    Tool {
        name: "terminating",
        takes: &[("value", Type::Number)],
        gives: Type::Truth,
        doc: "Tells whether a number has a finite decimal form.",
        run: |a| Ok(json!(rational::decimals_needed(&number(a, 0)?).is_some())),
    },
    Tool {
        name: "decimal",
        takes: &[("value", Type::Number)],
        gives: Type::Text,
        doc: "Writes a number as a finite decimal of at most 40 places, or fails.",
        run: |a| {
            rational::decimal(&number(a, 0)?).map(Value::from).ok_or_else(|| "the decimal form does not end".into())
        },
    },
    Tool {
        name: "to_decimal",
        takes: &[("value", Type::Number), ("digits", Type::Number)],
        gives: Type::Text,
        doc: "Writes a number with so many decimals, rounded, halves away from zero.",
        run: |a| Ok(json!(rational::fixed(&number(a, 0)?, places(a)?))),
    },
    Tool {
        name: "round_to",
        takes: &[("value", Type::Number), ("digits", Type::Number)],
        gives: Type::Number,
        doc: "Rounds to so many decimals, halves away from zero; the result is exact.",
        run: |a| Ok(json!(rational::exact(&rational::round_to(&number(a, 0)?, places(a)?)))),
    },
    Tool {
        name: "money",
        takes: &[("value", Type::Number)],
        gives: Type::Text,
        doc: "Writes an amount with two decimals.",
        run: |a| Ok(json!(rational::fixed(&number(a, 0)?, 2))),
    },
    Tool {
        name: "as_fraction",
        takes: &[("value", Type::Number)],
        gives: Type::Number,
        doc: "Writes a number as a reduced fraction or whole number.",
        run: |a| Ok(json!(rational::exact(&number(a, 0)?))),
    },
    Tool {
        name: "ratio",
        takes: &[("from", Type::Text), ("to", Type::Text)],
        gives: Type::Number,
        doc: "The factor from one amount to another of the same kind (3 pens to 7 pens is 7/3).",
        run: ratio,
    },
    Tool {
        name: "scale",
        takes: &[("amount", Type::Text), ("factor", Type::Number)],
        gives: Type::Any,
        doc: "Multiplies an amount by a factor and keeps its unit or noun, as {value, unit}.",
        run: scale,
    },
    Tool {
        name: "fend",
        takes: &[("expression", Type::Text)],
        gives: Type::Text,
        doc: "Evaluates by the independent calculator fend, exactly, with its units and definitions; approximate results are errors.",
        run: |a| Ok(json!(second::evaluate(&text(a, 0)?)?)),
    },
    Tool {
        name: "fend_convert",
        takes: &[("quantity", Type::Text), ("to", Type::Text)],
        gives: Type::Number,
        doc: "Converts by the independent calculator fend: the exact number of units.",
        run: |a| Ok(json!(rational::exact(&rational::parse(&second::convert(&text(a, 0)?, &text(a, 1)?)?)?))),
    },
];

fn places(args: &[Value]) -> Result<u32, String> {
    u32::try_from(small(args, 1, 1_000)?).map_err(|_| "too many digits".into())
}

fn shown(q: &Quantity) -> Result<Value, String> {
    let unit = if q.unit.text.is_empty() { Value::Null } else { json!(q.unit.text) };
    Ok(json!({"value": rational::exact(&q.value), "unit": unit}))
}

fn units_of(args: &[Value]) -> Result<Value, String> {
    let what = text(args, 0)?;
    let named = units::of_dimension(what.trim());
    if !named.is_empty() {
        return Ok(json!(named));
    }
    let dimension = quantity::parse_unit(&what)
        .map(|u| u.dimension)
        .or_else(|_| quantity::parse(&what).map(|q| q.unit.dimension))?;
    let same = units::symbols().into_iter().filter(|s| units::find(s).is_some_and(|u| u.dimension == dimension));
    Ok(json!(same.collect::<Vec<_>>()))
}

/// A number and its unit, or a number and a noun that is no unit.
fn amount(text: &str) -> Result<(Rational, Option<Quantity>, String), String> {
    if let Ok(q) = quantity::parse(text) {
        let unit = q.unit.text.clone();
        return Ok((q.value.clone(), Some(q), unit));
    }
    let (head, noun) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
    Ok((rational::parse(head)?, None, noun.trim().to_owned()))
}

fn ratio(args: &[Value]) -> Result<Value, String> {
    let ((from, from_q, _), (to, to_q, _)) = (amount(&text(args, 0)?)?, amount(&text(args, 1)?)?);
    let (from, to) = match (from_q, to_q) {
        (Some(a), Some(b)) => (a.value.clone(), b.to(&a.unit)?.value),
        (None, None) => (from, to),
        (Some(_), None) | (None, Some(_)) => {
            return Err("the two amounts are of different kinds".into());
        }
    };
    if from == Rational::from_integer(0.into()) {
        return Err("division by zero".into());
    }
    Ok(json!(rational::exact(&(to / from))))
}

fn scale(args: &[Value]) -> Result<Value, String> {
    let (value, _, unit) = amount(&text(args, 0)?)?;
    let unit = if unit.is_empty() { Value::Null } else { json!(unit) };
    Ok(json!({"value": rational::exact(&(value * number(args, 1)?)), "unit": unit}))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, args: Value, expected: Value) {
        let tool = TOOLS.iter().find(|t| t.name == name).unwrap();
        let args = args.as_array().unwrap();
        assert_eq!(tool.takes.len(), args.len(), "{name}");
        let got = (tool.run)(args).unwrap_or_else(|e| json!({ "error": e }));
        assert_eq!(got, expected, "{name} {args:?}");
    }

    #[test]
    fn tools_compute() {
        check("quantity", json!(["5 ft 7 in"]), json!({"value": "67/12", "unit": "ft"}));
        check("convert", json!(["5 ft 7 in", "cm"]), json!({"value": "8509/50", "unit": "cm"}));
        check("calculate", json!(["15/100*80"]), json!({"value": "12", "unit": null}));
        check("same_dimension", json!(["km", "h"]), json!(false));
        check("with_definitions", json!(["1 fortnight", {"fortnight": "14 days"}]), json!("14 day"));
        check("terminating", json!(["8509/50"]), json!(true));
        check("decimal", json!(["8509/50"]), json!("170.18"));
        check("decimal", json!(["1/3"]), json!({"error": "the decimal form does not end"}));
        check("to_decimal", json!(["1/3", 3]), json!("0.333"));
        check("round_to", json!(["2/3", 2]), json!("67/100"));
        check("money", json!(["49/5"]), json!("9.80"));
        check("ratio", json!(["3 pens", "7 pens"]), json!("7/3"));
        check("ratio", json!(["90 min", "2 h"]), json!("4/3"));
        check("ratio", json!(["3 pens", "2 h"]), json!({"error": "the two amounts are of different kinds"}));
        check("scale", json!(["4.20 USD", "7/3"]), json!({"value": "49/5", "unit": "USD"}));
        check("scale", json!(["3 eggs", 4]), json!({"value": "12", "unit": "eggs"}));
        check("fend", json!(["1 fortnight to minutes"]), json!("20160 minutes"));
        check("fend_convert", json!(["5 ft 7 in", "cm"]), json!("8509/50"));
        check("units_of", json!(["luminosity"]), json!(["cd"]));
        check("known_unit", json!(["fortnight"]), json!(false));
    }

    #[test]
    fn tools_refuse_wrong_arguments() {
        for tool in TOOLS {
            assert!((tool.run)(&[]).is_err(), "{}", tool.name);
            assert!((tool.run)(&[json!({}), json!({}), json!({})]).is_err(), "{}", tool.name);
        }
    }
}
