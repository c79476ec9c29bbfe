use serde_json::{Value, json};

use super::*;
use crate::solvers::formaliser;
use crate::solvers::goal::IntegerOp;
use crate::solvers::quantity::rational;
use crate::solvers::{dates as calendar, integers as whole, quantity, sequence};

fn answer(value: Value) -> Answer {
    serde_json::from_value(value).unwrap()
}

fn verdict(j: &Judgement) -> &'static str {
    match j {
        Judgement::Refuted(_) => "refuted",
        Judgement::Unproved(_) => "unproved",
        Judgement::Proved(_) => "proved",
    }
}

#[track_caller]
fn check(goal: Value, form: Value, given: Value, expected: &str) {
    let goal: Goal = serde_json::from_value(goal).unwrap();
    let form: Form = serde_json::from_value(form).unwrap();
    let judgement = judge(&goal, &form, &answer(given.clone()));
    assert_eq!(verdict(&judgement), expected, "{goal:?} {given} {judgement:?}");
}

/// Reads, computes with the primitives that programs have, and judges.
fn solve(goal: &Goal) -> Option<(Answer, Answer)> {
    let number = |v: &rational::Rational, unit: Option<&str>| {
        let one = |v: &rational::Rational| Answer::Number {
            value: rational::natural(v),
            unit: unit.map(str::to_owned),
            approximate: false,
        };
        (one(v), one(&(v + rational::Rational::new(1.into(), 10.into()))))
    };
    let integer = |n: i64| number(&rational::Rational::from_integer(n.into()), None);
    Some(match goal {
        Goal::Evaluate { expression } => {
            let q = quantity::calculate(expression).ok()?;
            number(&q.value, Some(&q.unit.text).filter(|t| !t.is_empty()).map(String::as_str))
        }
        Goal::Convert { quantity: text, to } => {
            let known = std::collections::BTreeMap::from([("fortnight".to_owned(), "14 days".to_owned())]);
            let text = quantity::definitions::with_definitions(text, &known).ok()?;
            number(&quantity::convert(&text, to).ok()?.value, Some(to))
        }
        Goal::DateSpan { from, to, .. } => integer(calendar::days_between(from, to).ok()?),
        Goal::DateShift { date, by, unit } => {
            let end = calendar::add(date, *by, unit).ok()?;
            let off = calendar::next_day(&end).ok()?;
            (Answer::Date { value: end }, Answer::Date { value: off })
        }
        Goal::Weekday { date } => (
            Answer::Text { value: calendar::weekday(date).ok()?.to_owned() },
            Answer::Text { value: calendar::weekday(&calendar::next_day(date).ok()?).ok()?.to_owned() },
        ),
        Goal::Integer { op, args } => {
            let n: Vec<_> = args.iter().map(|a| whole::parse(a).unwrap()).collect();
            let texts =
                |v: Vec<num_bigint::BigInt>| Answer::List { values: v.iter().map(ToString::to_string).collect() };
            let one = |v: num_bigint::BigInt| number(&rational::Rational::from_integer(v), None);
            match op {
                IntegerOp::Gcd => one(whole::gcd(&n).ok()?),
                IntegerOp::Lcm => one(whole::lcm(&n).ok()?),
                IntegerOp::IsPrime => {
                    let value = whole::is_prime(n.first()?).ok()?;
                    (Answer::Truth { value }, Answer::Truth { value: !value })
                }
                IntegerOp::Factorize => {
                    let mut all: Vec<_> =
                        whole::factorize(n.first()?).ok()?.into_iter().flat_map(|(p, e)| vec![p; e as usize]).collect();
                    let right = texts(all.clone());
                    all.push(2.into());
                    (right, texts(all))
                }
                IntegerOp::Divisors => {
                    let mut all = whole::divisors(n.first()?).ok()?;
                    let right = texts(all.clone());
                    all.pop();
                    (right, texts(all))
                }
                IntegerOp::NthPrime => one(whole::nth_prime(whole::small(n.first()?, 1000, "n").ok()?).ok()?),
                IntegerOp::NextPrime => one(whole::next_prime(n.first()?).ok()?),
                IntegerOp::PrimesBetween => {
                    let mut all = whole::primes_between(n.first()?, n.get(1)?).ok()?;
                    let right = texts(all.clone());
                    all.pop();
                    (right, texts(all))
                }
                IntegerOp::Remainder => one(whole::divmod(n.first()?, n.get(1)?).ok()?.1),
            }
        }
        Goal::Proportion { from, to, ask, inverse } => {
            let head = |t: &str| rational::parse(t.split(' ').next().unwrap()).unwrap();
            let value = if *inverse { head(from) * head(to) / head(ask) } else { head(to) * head(ask) / head(from) };
            number(&value, to.split_once(' ').map(|(_, u)| u))
        }
        Goal::Sequence { .. }
        | Goal::Solve { .. }
        | Goal::Simplify { .. }
        | Goal::Expand { .. }
        | Goal::Factor { .. }
        | Goal::Unread { .. } => return None,
    })
}

#[test]
fn from_question_to_proof() {
    let cases = [
        ("What is 15% of 80?", "12"),
        ("Convert 5 ft 7 in to cm", "170.18 cm"),
        ("How many centimetres is 5'7\"?", "170.18 centimetres"),
        ("How many days are there from 8 September 2023 to 17 November 2023?", "70 days"),
        ("What date is 90 days after 3 March 2024?", "2024-06-01"),
        ("What day of the week was 4 July 1999", "Sunday"),
        ("How many minutes are there in a fortnight?", "20160 minutes"),
        ("If 3 pens cost $4.20, what do 7 pens cost?", "$9.80"),
        ("7 pens cost how much if three cost $4.20", "$9.80"),
        ("If 6 workers build a wall in 8 days, how long would 4 workers take?", "12 days"),
        ("gcd of 84 and 126", "42"),
        ("lcm of 4, 6 and 10", "60"),
        ("is 91 prime", "no"),
        ("prime factors of 360", "2, 2, 2, 3, 3, 5"),
        ("divisors of 28", "1, 2, 4, 7, 14, 28"),
        ("next prime after 100", "101"),
        ("the 10th prime", "29"),
        ("primes between 10 and 20", "11, 13, 17, 19"),
        ("remainder when 17 is divided by 5", "2"),
        ("increase 80 by 15%", "92"),
        ("what percent of 80 is 12", "15%"),
        ("20% off $45", "$36.00"),
        ("12 is 15% of what", "80"),
        ("2^10", "1024"),
        ("12 * (3+4) / 7", "12"),
        ("three times seventeen", "51"),
        ("100 °F in °C", "340/9 °C ≈ 37.7778 °C"),
    ];
    for (text, shown) in cases {
        let reading = formaliser::read(text);
        let part = reading.parts.first().unwrap();
        let (right, wrong) = solve(&part.goal).unwrap_or_else(|| panic!("{text}: {:?}", part.goal));
        assert_eq!(crate::solvers::display::display(&right, &part.form), shown, "{text}");
        let judgement = judge(&part.goal, &part.form, &right);
        assert_eq!(verdict(&judgement), "proved", "{text} {right:?} {judgement:?}");
        let judgement = judge(&part.goal, &part.form, &wrong);
        assert_eq!(verdict(&judgement), "refuted", "{text} {wrong:?} {judgement:?}");
    }
    assert_eq!(sequence::differences(&[]).len(), 0);
}

#[test]
fn rounded_values_need_a_reason() {
    let to_c = || json!({"class": "convert", "quantity": "100 °F", "to": "°C"});
    let approximate = |v: &str| json!({"is": "number", "value": v, "unit": "°C", "approximate": true});
    check(to_c(), json!({"unit": "°C", "decimal": true}), approximate("37.78"), "proved");
    check(to_c(), json!({"unit": "°C", "decimal": true}), approximate("37.77"), "refuted");
    check(
        to_c(),
        json!({"unit": "°C", "decimals": 2, "approximate": true}),
        json!({"is": "number", "value": "37.78", "unit": "°C"}),
        "proved",
    );
    check(to_c(), json!({"exact": true}), approximate("37.78"), "refuted");
    let third = || json!({"class": "evaluate", "expression": "1/3"});
    let value = |v: &str| json!({"is": "number", "value": v, "approximate": true});
    check(third(), json!({}), value("0.333"), "unproved");
    check(third(), json!({"approximate": true}), value("0.333"), "proved");
    check(third(), json!({"approximate": true}), value("0.334"), "refuted");
    check(third(), json!({}), json!({"is": "number", "value": "0.333"}), "refuted");
    check(third(), json!({}), json!({"is": "number", "value": "2/6"}), "proved");
}

#[test]
fn units_are_compared() {
    let goal = || json!({"class": "convert", "quantity": "5 ft 7 in", "to": "cm"});
    check(goal(), json!({"unit": "cm"}), json!({"is": "number", "value": "1.7018", "unit": "m"}), "proved");
    check(goal(), json!({"unit": "cm"}), json!({"is": "number", "value": "170.18", "unit": "kg"}), "refuted");
    check(goal(), json!({"unit": "cm"}), json!({"is": "text", "value": "tall"}), "refuted");
    check(
        json!({"class": "convert", "quantity": "1 fortnight", "to": "minutes"}),
        json!({}),
        json!({"is": "number", "value": "20160"}),
        "proved",
    );
    check(
        json!({"class": "convert", "quantity": "1 fortnight", "to": "minutes"}),
        json!({}),
        json!({"is": "number", "value": "20161"}),
        "refuted",
    );
    check(
        json!({"class": "convert", "quantity": "1 year", "to": "days"}),
        json!({}),
        json!({"is": "number", "value": "365"}),
        "unproved",
    );
    check(
        json!({"class": "convert", "quantity": "1 decade", "to": "days"}),
        json!({}),
        json!({"is": "number", "value": "3650"}),
        "unproved",
    );
    check(
        json!({"class": "convert", "quantity": "5 USD", "to": "EUR"}),
        json!({}),
        json!({"is": "number", "value": "5"}),
        "unproved",
    );
    check(
        json!({"class": "evaluate", "expression": "45 USD*(1 - 20/100)"}),
        json!({"unit": "USD"}),
        json!({"is": "number", "value": "36.00", "unit": "USD"}),
        "proved",
    );
    check(
        json!({"class": "evaluate", "expression": "sqrt(2)"}),
        json!({}),
        json!({"is": "number", "value": "sqrt(2)"}),
        "unproved",
    );
}

#[test]
fn witnesses_are_named() {
    let integer = |op: &str, args: Value| json!({"class": "integer", "op": op, "args": args});
    let why = |goal: Value, given: Value| match judge(
        &serde_json::from_value(goal).unwrap(),
        &Form::default(),
        &answer(given),
    ) {
        Judgement::Refuted(why) => why,
        other => panic!("{other:?}"),
    };
    let number = |v: &str| json!({"is": "number", "value": v});
    assert_eq!(why(integer("gcd", json!(["84", "126"])), number("21")), "42 divides all as well and is larger");
    assert_eq!(why(integer("gcd", json!(["84", "126"])), number("4")), "4 does not divide 126");
    assert_eq!(why(integer("lcm", json!(["4", "6"])), number("24")), "12 is a common multiple as well and is smaller");
    assert_eq!(why(integer("is-prime", json!(["91"])), json!({"is": "truth", "value": true})), "7 divides 91");
    assert_eq!(why(integer("next-prime", json!(["100"])), number("103")), "101 is prime and comes first");
    assert_eq!(why(integer("nth-prime", json!(["10"])), number("31")), "31 is prime number 11");
    assert_eq!(
        why(json!({"class": "weekday", "date": "1999-07-04"}), json!({"is": "text", "value": "Monday"})),
        "1999-07-04 is a Sunday"
    );
    check(
        integer("factorize", json!(["360"])),
        json!({}),
        json!({"is": "list", "values": ["2^3", "3^2", "5"]}),
        "proved",
    );
    check(integer("factorize", json!(["360"])), json!({}), json!({"is": "expression", "value": "2^3*3^2*5"}), "proved");
    check(
        integer("factorize", json!(["360"])),
        json!({}),
        json!({"is": "list", "values": ["2", "3", "5"]}),
        "unproved",
    );
    check(integer("factorize", json!(["360"])), json!({}), json!({"is": "list", "values": ["4", "90"]}), "refuted");
    check(
        integer("is-prime", json!(["170141183460469231731687303715884105727"])),
        json!({}),
        json!({"is": "truth", "value": true}),
        "unproved",
    );
    check(integer("nth-prime", json!(["200000"])), json!({}), number("2750159"), "proved");
}

#[test]
fn forms_are_met_or_named() {
    let met = |form: Value, given: Value| {
        form_met(&serde_json::from_value(form).unwrap(), &answer(given)).err().unwrap_or_default()
    };
    let number = |v: &str, unit: Option<&str>| json!({"is": "number", "value": v, "unit": unit});
    assert_eq!(met(json!({"unit": "cm", "decimal": true}), number("170.18", Some("cm"))), "");
    assert_eq!(
        met(json!({"unit": "cm", "decimal": true}), number("8509/50", Some("cm"))),
        "170.18 is the natural form of 8509/50"
    );
    assert_eq!(met(json!({"decimal": true}), number("340/9", None)), "");
    assert_eq!(met(json!({"unit": "cm"}), number("1", None)), "the unit cm is missing");
    assert_eq!(met(json!({"unit": "cm"}), number("1", Some("m"))), "cm is asked for, not m");
    assert_eq!(met(json!({"unit": "minutes"}), number("1", Some("min"))), "");
    assert_eq!(met(json!({"decimals": 2}), number("9.8", None)), "2 decimals are asked for");
    assert_eq!(met(json!({"decimals": 2}), number("9.80", None)), "");
    assert_eq!(
        met(json!({"exact": true}), json!({"is": "number", "value": "1.4", "approximate": true})),
        "an exact value is asked for"
    );
}

#[test]
fn equal_answers_become_one_text() {
    let same = |a: Value, b: Value| assert_eq!(canonical(&answer(a)), canonical(&answer(b)));
    same(
        json!({"is": "number", "value": "170.180", "unit": "centimetres"}),
        json!({"is": "number", "value": "8509/50", "unit": "cm"}),
    );
    same(
        json!({"is": "solutions", "values": [{"x": "3"}, {"x": "4/2"}]}),
        json!({"is": "solutions", "values": [{"x": "2"}, {"x": "3.0"}]}),
    );
    same(json!({"is": "date", "value": "1 June 2024"}), json!({"is": "date", "value": "2024-06-01"}));
    same(json!({"is": "text", "value": "Sunday "}), json!({"is": "text", "value": "sunday"}));
}
