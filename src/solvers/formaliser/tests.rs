use super::*;

fn show(text: &str) -> String {
    let reading = read(text);
    let part = |p: &PartReading| {
        let goal = serde_json::to_value(&p.goal).unwrap();
        let mut out = String::new();
        for (k, v) in goal.as_object().unwrap() {
            let v = match v {
                serde_json::Value::String(s) => s.clone(),
                serde_json::Value::Array(a) => a.iter().map(|x| x.as_str().unwrap().to_owned()).collect::<Vec<_>>().join(" & "),
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

#[test]
fn table() {
    let mut wrong = Vec::new();
    for line in include_str!("readings.txt").lines().filter(|l| !l.is_empty() && !l.starts_with('#')) {
        let (text, expected) = line.split_once(" => ").unwrap_or_else(|| panic!("no arrow: {line}"));
        let got = show(text);
        if got != expected {
            wrong.push(format!("{text}\n     got: {got}\n  wanted: {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
