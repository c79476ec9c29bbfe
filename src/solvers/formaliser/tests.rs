use super::*;

fn show(text: &str) -> String {
    let reading = read(text);
    let part = |p: &PartReading| {
        let goal = serde_json::to_value(&p.goal).unwrap();
        let mut out = String::new();
        for (k, v) in goal.as_object().unwrap() {
            let v = match v {
                serde_json::Value::String(s) => s.clone(),
                serde_json::Value::Array(a) => {
                    a.iter().map(|x| x.as_str().unwrap().to_owned()).collect::<Vec<_>>().join(" & ")
                }
                other => other.to_string(),
            };
            if k == "understood" || (k == "inverse" || k == "inclusive") && v == "false" {
                continue;
            }
            if !out.is_empty() {
                out.push_str(" | ");
            }
            out.push_str(&v);
        }
        if !p.unclear.is_empty() {
            out.push_str(&format!(" ?{}", p.unclear.join(",")));
        }
        out
    };
    reading.parts.iter().map(part).collect::<Vec<_>>().join(" ;; ")
}

#[track_caller]
fn table(lines: &str) {
    let mut wrong = Vec::new();
    for line in lines.lines().filter(|l| !l.is_empty() && !l.starts_with('#')) {
        let (text, expected) = line.split_once(" => ").unwrap_or((line, "unread"));
        let got = show(text);
        if got != expected {
            wrong.push(format!("{text}\n     got: {got}\n  wanted: {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn required_questions() {
    table(include_str!("readings.txt"));
}

#[test]
fn rewordings() {
    table(include_str!("rewordings.txt"));
}

#[test]
fn unreadable_questions() {
    table(include_str!("unreadable.txt"));
}

#[test]
fn forms() {
    let form = |text: &str| serde_json::to_string(&read(text).parts.first().unwrap().form).unwrap();
    for (text, expected) in [
        ("Convert 5 ft 7 in to cm", r#"{"unit":"cm","decimal":true}"#),
        (
            "Convert 5 ft 7 in to cm, to 1 decimal place",
            r#"{"unit":"cm","decimals":1,"decimal":true,"approximate":true}"#,
        ),
        ("20% off $45", r#"{"unit":"USD","decimals":2,"decimal":true}"#),
        ("If 3 pens cost $4.20, what do 7 pens cost?", r#"{"unit":"USD","decimals":2,"decimal":true}"#),
        ("what percent of 80 is 12", r#"{"unit":"%","decimal":true}"#),
        ("Solve x^2 = 2 exactly", r#"{"exact":true}"#),
        ("Solve x^2 = 2 correct to 3 decimal places", r#"{"decimals":3,"approximate":true}"#),
        ("What is 1/3 as a decimal?", r#"{"decimal":true}"#),
        ("What is 100/7 rounded to the nearest whole number?", r#"{"decimals":0,"approximate":true}"#),
        ("Approximately how many miles is 5 km?", r#"{"unit":"miles","decimal":true,"approximate":true}"#),
        ("2^10", "{}"),
    ] {
        assert_eq!(form(text), expected, "{text}");
    }
}

#[test]
fn anything_is_read_without_panic() {
    let long = "(".repeat(3_000);
    let bars = "|x".repeat(500);
    let many = "what is 2+2 and ".repeat(300);
    let nines = "9".repeat(7_000);
    for text in [
        "",
        " ",
        "?",
        ",,,",
        "and and and",
        "'",
        "-",
        "=",
        "$",
        "5'",
        "\u{0}",
        "½½½",
        "°",
        "x^",
        "1/0",
        "99999999999999999999999 days after 3 March 2024",
        "30 February 2023",
        "what is 10^10^10",
        &long,
        &bars,
        &many,
        &nines,
    ] {
        assert!(!read(text).parts.is_empty(), "{text}");
    }
}

#[test]
fn numbers_in_words() {
    for (words, expected) in [
        ("twenty-one", "21"),
        ("one hundred and five", "105"),
        ("two thousand three hundred", "2300"),
        ("a hundred", "100"),
        ("three quarters", "3/4"),
        ("two and a half", "5/2"),
        ("1,000", "1000"),
        ("3 1/2", "7/2"),
        ("2.5 million", "2500000"),
        ("minus four", "-4"),
        ("seventh", "7"),
    ] {
        assert_eq!(words_to_number(words).as_deref(), Ok(expected), "{words}");
    }
    assert!(words_to_number("hamlet").is_err());
    assert!(words_to_number("two three").is_err());
}

#[test]
fn dates_in_words() {
    for (text, expected) in [
        ("8 September 2023", "2023-09-08"),
        ("8th of September, 2023", "2023-09-08"),
        ("Sept. 8, 2023", "2023-09-08"),
        ("the eighth of September 2023", "2023-09-08"),
        ("8-Sep-2023", "2023-09-08"),
        ("2023-09-08", "2023-09-08"),
        ("17/11/2023", "2023-11-17"),
        ("8.9.2023", "2023-09-08"),
        ("twenty-first of May 2020", "2020-05-21"),
        ("Christmas Eve 2024", "2024-12-24"),
    ] {
        assert_eq!(parse_date(text).as_deref(), Ok(expected), "{text}");
    }
    for text in ["8/9/2023", "30 February 2023", "8 September", "yesterday", "2023"] {
        assert!(parse_date(text).is_err(), "{text}");
    }
}
