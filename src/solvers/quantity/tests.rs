use std::collections::BTreeMap;

use super::definitions::with_definitions;
use super::*;

#[track_caller]
fn check(expression: &str, expected: &str) {
    let got = match calculate(expression) {
        Ok(q) => format!("{} {}", rational::exact(&q.value), q.unit.text).trim().to_owned(),
        Err(e) => format!("error: {e}"),
    };
    assert_eq!(got, expected, "{expression}");
}

#[track_caller]
fn converts(from: &str, to: &str, expected: &str) {
    let got = match convert(from, to) {
        Ok(q) => rational::natural(&q.value),
        Err(e) => format!("error: {e}"),
    };
    assert_eq!(got, expected, "{from} to {to}");
}

#[test]
fn calculates() {
    check("12 * (3+4) / 7", "12");
    check("2^10", "1024");
    check("2^-2", "1/4");
    check("-2^2", "-4");
    check("15/100*80", "12");
    check("15% * 80", "12");
    check("45 USD * (1 - 20/100)", "36 USD");
    check("$4.20 / 3 * 7", "49/5 USD");
    check("5 ft 7 in", "67/12 ft");
    check("5'7\"", "67/12 ft");
    check("3 hours + 45 minutes", "15/4 h");
    check("60 km/h * 2 h", "120000 m");
    check("5 km + 300 m", "53/10 km");
    check("3 1/2 h", "7/2 h");
    check("7/2 hours", "7/2 h");
    check("1/2 km + 300 m", "4/5 km");
    check("3/0 hours", "error: division by zero");
    check("100/8", "25/2");
    check("2(3+4)", "14");
    check("10 m / 4 m", "5/2");
    check("1/3 + 1/6", "1/2");
}

#[test]
fn refuses() {
    check("", "error: nothing to evaluate");
    check("1/0", "error: division by zero");
    check("5 kg + 3 m", "error: m and kg measure different things");
    check("30 °C * 2", "error: a temperature in °C cannot be added or multiplied");
    check("10^10^10", "error: a power too large to write out");
    check(&"(".repeat(5000), "error: an expression nested too deeply");
    check(&"-".repeat(5000), "error: an expression nested too deeply");
    check("1 fortnight", "error: \"fortnight\" is not expected here");
}

#[test]
fn converts_exactly() {
    converts("5 ft 7 in", "cm", "170.18");
    converts("5 foot 7 inches", "centimetres", "170.18");
    converts("100 °F", "°C", "340/9");
    converts("-40 degrees Celsius", "Fahrenheit", "-40");
    converts("0 K", "C", "-273.15");
    converts("90 km/h", "m/s", "25");
    converts("60 miles per hour", "km/h", "96.56064");
    converts("2 square metres", "cm^2", "20000");
    converts("3 cubic feet", "in³", "5184");
    converts("2 weeks", "hours", "336");
    converts("3 years", "months", "36");
    converts("1 year", "days", "error: months and years have no fixed length, so year and day do not convert");
    converts("5 USD", "EUR", "error: USD to EUR needs an exchange rate");
    converts("250 cents", "dollars", "2.5");
    converts("1 GiB", "MiB", "1024");
    converts("1 kWh", "kJ", "3600");
    converts("30 ft", "6 ft", "5");
    converts("3 mW", "MW", "0.000000003");
    converts("0.25", "%", "25");
    converts("2 L", "mL", "2000");
    converts("1 m2", "cm2", "10000");
    converts("5 kg", "blorps", "error: \"blorps\" is not a unit I know");
}

#[test]
fn dimensions_compare() {
    assert_eq!(same_dimension("km", "3 miles"), Ok(true));
    assert_eq!(same_dimension("km", "hours"), Ok(false));
    assert!(same_dimension("km", "hamlets").is_err());
}

#[test]
fn definitions_replace_words() {
    let known = BTreeMap::from([
        ("fortnight".to_owned(), "14 days".to_owned()),
        ("dozen".to_owned(), "12".to_owned()),
        ("baker's dozen".to_owned(), "13".to_owned()),
    ]);
    for (text, expected) in [
        ("1 fortnight", "14 day"),
        ("3 fortnights", "42 day"),
        ("1/2 fortnight", "7 day"),
        ("3 1/2 fortnights", "49 day"),
        ("fortnights", "14 days"),
        ("3 dozen", "36"),
        ("2 baker's dozens", "26"),
        ("5 km", "5 km"),
    ] {
        assert_eq!(with_definitions(text, &known).as_deref(), Ok(expected), "{text}");
    }
    assert!(with_definitions("2 hamlets", &BTreeMap::from([("hamlet".to_owned(), "a play".to_owned())])).is_err());
}

#[test]
fn every_symbol_is_found() {
    let all = units::symbols();
    assert!(all.len() > 60, "the table is empty or does not parse: {}", all.len());
    for symbol in all {
        assert_eq!(units::find(&symbol).map(|u| u.text), Some(symbol.clone()), "{symbol}");
    }
}
