//! Tools that read questions, and those over dates, whole numbers, sequences, checks of form and display.

use num_bigint::BigInt;
use serde_json::{Value, json};

use super::given::{number, numbers, small, text, typed, whole, wholes};
use super::{Tool, Type};
use crate::solvers::quantity::rational::{self, Rational};
use crate::solvers::{checks, dates, display, formaliser, integers, sequence};

/// The tools of this file.
pub static TOOLS: &[Tool] = &[
    Tool {
        name: "read",
        takes: &[("text", Type::Text)],
        gives: Type::Any,
        doc: "Reads a question: {parts: [{text, goal, form, unclear}]}.",
        run: |a| serde_json::to_value(formaliser::read(&text(a, 0)?)).map_err(|e| e.to_string()),
    },
    Tool {
        name: "words_to_number",
        takes: &[("words", Type::Text)],
        gives: Type::Number,
        doc: "The number that words name (twenty-one, two and a half).",
        run: |a| Ok(json!(formaliser::words_to_number(&text(a, 0)?)?)),
    },
    Tool {
        name: "parse_date",
        takes: &[("text", Type::Text)],
        gives: Type::Text,
        doc: "Reads a date in any common spelling as YYYY-MM-DD.",
        run: |a| Ok(json!(formaliser::parse_date(&text(a, 0)?)?)),
    },
    Tool {
        name: "date_add",
        takes: &[("date", Type::Text), ("by", Type::Number), ("unit", Type::Text)],
        gives: Type::Text,
        doc: "The date so many days, weeks, months or years later (earlier when negative).",
        run: |a| Ok(json!(dates::add(&text(a, 0)?, signed(a, 1)?, &text(a, 2)?)?)),
    },
    Tool {
        name: "add_months",
        takes: &[("date", Type::Text), ("months", Type::Number)],
        gives: Type::Text,
        doc: "The date so many months later; the last day of the month stands in where the day does not exist.",
        run: |a| Ok(json!(dates::add(&text(a, 0)?, signed(a, 1)?, "months")?)),
    },
    Tool {
        name: "days_between",
        takes: &[("from", Type::Text), ("to", Type::Text)],
        gives: Type::Number,
        doc: "Days from one date to another by the calendar library.",
        run: |a| Ok(json!(dates::days_between(&text(a, 0)?, &text(a, 1)?)?)),
    },
    Tool {
        name: "days_by_counting",
        takes: &[("from", Type::Text), ("to", Type::Text)],
        gives: Type::Number,
        doc: "Days from one date to another by a day-number formula: another method than days_between.",
        run: |a| Ok(json!(checks::days_by_counting(&text(a, 0)?, &text(a, 1)?)?)),
    },
    Tool {
        name: "months_between",
        takes: &[("from", Type::Text), ("to", Type::Text)],
        gives: Type::Any,
        doc: "Whole months from one date to another and the days beyond, as {months, days}.",
        run: |a| dates::months_and_days(&text(a, 0)?, &text(a, 1)?).map(|(m, d)| json!({"months": m, "days": d})),
    },
    Tool {
        name: "weekday",
        takes: &[("date", Type::Text)],
        gives: Type::Text,
        doc: "The day of the week of a date.",
        run: |a| Ok(json!(dates::weekday(&text(a, 0)?)?)),
    },
    Tool {
        name: "is_leap_year",
        takes: &[("year", Type::Number)],
        gives: Type::Truth,
        doc: "Tells whether a year has a 29 February.",
        run: |a| Ok(json!(dates::is_leap_year(signed(a, 0)?)?)),
    },
    Tool {
        name: "gcd",
        takes: &[("numbers", Type::Numbers)],
        gives: Type::Number,
        doc: "Greatest common divisor by Euclid's algorithm.",
        run: |a| Ok(big(&integers::gcd(&wholes(a, 0)?)?)),
    },
    Tool {
        name: "gcd_by_factors",
        takes: &[("numbers", Type::Numbers)],
        gives: Type::Number,
        doc: "Greatest common divisor from prime factors: another method than gcd.",
        run: |a| Ok(big(&integers::gcd_by_factors(&wholes(a, 0)?)?)),
    },
    Tool {
        name: "lcm",
        takes: &[("numbers", Type::Numbers)],
        gives: Type::Number,
        doc: "Least common multiple.",
        run: |a| Ok(big(&integers::lcm(&wholes(a, 0)?)?)),
    },
    Tool {
        name: "lcm_by_factors",
        takes: &[("numbers", Type::Numbers)],
        gives: Type::Number,
        doc: "Least common multiple from prime factors: another method than lcm.",
        run: |a| Ok(big(&integers::lcm_by_factors(&wholes(a, 0)?)?)),
    },
    Tool {
        name: "is_prime",
        takes: &[("n", Type::Number)],
        gives: Type::Truth,
        doc: "Tells whether a number is prime; exact below 2^64.",
        run: |a| Ok(json!(integers::is_prime(&whole(a, 0)?)?)),
    },
    Tool {
        name: "factorize",
        takes: &[("n", Type::Number)],
        gives: Type::Any,
        doc: "Prime factors with powers, ascending: [[\"2\", 3], [\"3\", 2]].",
        run: |a| {
            Ok(json!(
                integers::factorize(&whole(a, 0)?)?.iter().map(|(p, e)| json!([p.to_string(), e])).collect::<Vec<_>>()
            ))
        },
    },
    Tool {
        name: "divisors",
        takes: &[("n", Type::Number)],
        gives: Type::Numbers,
        doc: "All positive divisors, ascending.",
        run: |a| Ok(bigs(&integers::divisors(&whole(a, 0)?)?)),
    },
    Tool {
        name: "next_prime",
        takes: &[("n", Type::Number)],
        gives: Type::Number,
        doc: "The smallest prime above a number.",
        run: |a| Ok(big(&integers::next_prime(&whole(a, 0)?)?)),
    },
    Tool {
        name: "nth_prime",
        takes: &[("n", Type::Number)],
        gives: Type::Number,
        doc: "The n-th prime; the first is 2.",
        run: |a| Ok(big(&integers::nth_prime(small(a, 0, 200_000)?)?)),
    },
    Tool {
        name: "primes_between",
        takes: &[("from", Type::Number), ("to", Type::Number)],
        gives: Type::Numbers,
        doc: "All primes from the first number to the second.",
        run: |a| Ok(bigs(&integers::primes_between(&whole(a, 0)?, &whole(a, 1)?)?)),
    },
    Tool {
        name: "divmod",
        takes: &[("n", Type::Number), ("by", Type::Number)],
        gives: Type::Any,
        doc: "Quotient and remainder, as {quotient, remainder}; the remainder is never negative.",
        run: |a| {
            integers::divmod(&whole(a, 0)?, &whole(a, 1)?)
                .map(|(q, r)| json!({"quotient": q.to_string(), "remainder": r.to_string()}))
        },
    },
    Tool {
        name: "differences",
        takes: &[("terms", Type::Numbers)],
        gives: Type::Numbers,
        doc: "Each term less the one before it.",
        run: |a| Ok(list(&sequence::differences(&terms(a)?))),
    },
    Tool {
        name: "ratios",
        takes: &[("terms", Type::Numbers)],
        gives: Type::Numbers,
        doc: "Each term divided by the one before it.",
        run: |a| Ok(list(&sequence::ratios(&terms(a)?)?)),
    },
    Tool {
        name: "polynomial_through",
        takes: &[("terms", Type::Numbers)],
        gives: Type::Numbers,
        doc: "Coefficients, constant first, of the polynomial in n through the terms, n from 1.",
        run: |a| Ok(list(&sequence::polynomial_through(&terms(a)?))),
    },
    Tool {
        name: "polynomial_at",
        takes: &[("coefficients", Type::Numbers), ("n", Type::Number)],
        gives: Type::Number,
        doc: "The value at n of a polynomial, constant first.",
        run: |a| Ok(json!(rational::exact(&sequence::polynomial_at(&terms(a)?, &number(a, 1)?)))),
    },
    Tool {
        name: "recurrence",
        takes: &[("terms", Type::Numbers)],
        gives: Type::Any,
        doc: "The shortest linear recurrence that fits with a term to spare, as {coefficients, constant}, nearest term first.",
        run: |a| {
            sequence::recurrence(&terms(a)?)
                .map(|(c, k)| json!({"coefficients": list(&c), "constant": rational::exact(&k)}))
        },
    },
    Tool {
        name: "show",
        takes: &[("answer", Type::Any), ("form", Type::Any)],
        gives: Type::Text,
        doc: "Writes an answer as people read it: x = 2 or x = 3, $9.80, 170.18 cm.",
        run: |a| Ok(json!(display::display(&typed(a, 0)?, &typed(a, 1)?))),
    },
    Tool {
        name: "form_met",
        takes: &[("form", Type::Any), ("answer", Type::Any)],
        gives: Type::Text,
        doc: "Empty text when an answer has the form asked for, otherwise what is missing.",
        run: |a| Ok(json!(checks::form_met(&typed(a, 0)?, &typed(a, 1)?).err().unwrap_or_default())),
    },
];

fn signed(args: &[Value], i: usize) -> Result<i64, String> {
    i64::try_from(whole(args, i)?).map_err(|_| format!("argument {} is too large", i + 1))
}

/// At most as many terms as a sequence may have.
fn terms(args: &[Value]) -> Result<Vec<Rational>, String> {
    let terms = numbers(args, 0)?;
    if terms.is_empty() || terms.len() > 200 {
        Err("a sequence needs between 1 and 200 terms".into())
    } else {
        Ok(terms)
    }
}

fn big(n: &BigInt) -> Value {
    json!(n.to_string())
}

fn bigs(numbers: &[BigInt]) -> Value {
    json!(numbers.iter().map(ToString::to_string).collect::<Vec<_>>())
}

fn list(numbers: &[Rational]) -> Value {
    json!(numbers.iter().map(rational::exact).collect::<Vec<_>>())
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
        check("words_to_number", json!(["two hundred and five"]), json!("205"));
        check("parse_date", json!(["the 8th of September, 2023"]), json!("2023-09-08"));
        check("date_add", json!(["2024-03-03", 90, "days"]), json!("2024-06-01"));
        check("add_months", json!(["2024-01-31", 1]), json!("2024-02-29"));
        check("days_between", json!(["2023-09-08", "2023-11-17"]), json!(70));
        check("days_by_counting", json!(["2023-09-08", "2023-11-17"]), json!(70));
        check("weekday", json!(["1999-07-04"]), json!("Sunday"));
        check("gcd", json!([["84", 126]]), json!("42"));
        check("gcd_by_factors", json!([[84, 126]]), json!("42"));
        check("lcm", json!([[4, 6, 10]]), json!("60"));
        check("factorize", json!(["360"]), json!([["2", 3], ["3", 2], ["5", 1]]));
        check("divmod", json!([17, 5]), json!({"quotient": "3", "remainder": "2"}));
        check("primes_between", json!([10, 20]), json!(["11", "13", "17", "19"]));
        check("differences", json!([["1", "4", "9"]]), json!(["3", "5"]));
        check("polynomial_through", json!([["1", "4", "9"]]), json!(["0", "0", "1"]));
        check("recurrence", json!([[2, 4, 8, 16]]), json!({"coefficients": ["2"], "constant": "0"}));
        check("show", json!([{"is": "number", "value": "9.80", "unit": "USD"}, {}]), json!("$9.80"));
        check(
            "form_met",
            json!([{"decimal": true}, {"is": "number", "value": "8509/50"}]),
            json!("170.18 is the natural form of 8509/50"),
        );
    }

    #[test]
    fn tools_refuse_wrong_arguments() {
        for tool in TOOLS {
            assert!((tool.run)(&[]).is_err(), "{}", tool.name);
            assert!((tool.run)(&[json!({}), json!([{}]), json!({})]).is_err(), "{}", tool.name);
        }
    }
}
