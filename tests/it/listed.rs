//! The listed questions, and what each role of the symbolic network is there for: without it something gets worse.

use serde_json::Value;

use super::cli::User;

/// Question, answer.
const LISTED: [(&str, &str); 17] = [
    ("Solve 3x+5=14, find x", "x = 3"),
    ("Solve sqrt(x+3) = x - 3", "x = 6"),
    ("What is 17*23, and what is 2^10?", "What is 17*23: 391\nwhat is 2^10: 1024"),
    ("What is 15% of 80?", "12"),
    ("Convert 5 ft 7 in to cm", "170.18 cm"),
    ("Solve x^2 - 5x + 6 = 0", "x = 2 or x = 3"),
    ("Solve 2x + y = 7 and x - y = 2", "x = 3, y = 1"),
    ("Solve x/(x-1) = 1/(x-1)", "no solution"),
    ("Solve x^3 - 6x^2 + 11x - 6 = 0", "x = 1 or x = 2 or x = 3"),
    ("Solve x^5 - x - 1 = 0", "x ≈ 1.1673039783 (approximate)"),
    ("How many days are there from 8 September 2023 to 17 November 2023?", "70 days"),
    ("Simplify (x^2-1)/(x-1)", "x + 1, x ≠ 1"),
    ("Simplify sqrt(50)", "5*sqrt(2)"),
    ("How many minutes are there in a fortnight?", "20160 minutes"),
    ("If 3 pens cost $4.20, what do 7 pens cost?", "$9.80"),
    ("gcd of 84 and 126", "42"),
    ("What is the next number in 2, 4, 8, 16?", "32"),
];

/// The last line of `run --json`, and J after each cycle.
fn outcome(user: &User, network: Option<&str>, question: &str) -> (Value, Vec<f64>) {
    let mut args = vec!["run", "--json", "--approve", "reject"];
    args.extend(network.iter().flat_map(|network| ["--network", network]));
    args.push(question);
    let lines = user.mop(&args).json();
    let scores = lines
        .iter()
        .filter(|line| line["event"] == "Scored")
        .filter_map(|line| line["data"]["score"]["mean"].as_f64())
        .collect();
    (lines.last().cloned().unwrap_or_default(), scores)
}

#[test]
fn the_listed_questions_are_answered_and_verified() {
    let user = User::new();
    for (question, answer) in LISTED {
        let (last, _) = outcome(&user, None, question);
        assert_eq!((&last["answer"], &last["exit"]), (&answer.into(), &0.into()), "{question}: {last}");
    }
    let (last, _) = outcome(&user, None, "Solve x/(x-1) = 1/(x-1)");
    assert_eq!(last["halted"], "impossible");
    let (last, scores) = outcome(&user, None, "Who wrote Hamlet?");
    assert_eq!((&last["halted"], &last["answer"], &last["exit"]), (&"unanswerable".into(), &Value::Null, &6.into()));
    assert_eq!(scores, [0.1, 0.1, 0.1, 0.1]);
}

#[test]
fn the_first_trace_is_exact() {
    let (_, scores) = outcome(&User::new(), None, "Solve sqrt(x+3) = x - 3");
    assert_eq!(scores, [0.1, 0.1, 0.1, 0.0, 0.1, 0.6, 1.0, 1.0]);
    let (_, scores) = outcome(&User::new(), None, "Solve 3x+5=14, find x");
    assert_eq!(scores, [0.1, 0.1, 0.1, 0.6, 1.0, 1.0]);
}

#[test]
fn every_role_is_missed_when_it_is_gone() {
    let check = |role: &str, question: &str, what: &str, expected: Value| {
        let user = User::new();
        user.write("less/network.toml", &format!("extends = \"symbolic\"\nwithout = [\"{role}\"]\n"));
        let (with, _) = outcome(&user, None, question);
        let (without, _) = outcome(&user, Some("./less"), question);
        assert_eq!(without[what], expected, "without {role}: {without}");
        assert_ne!(with[what], without[what], "{role} is not missed");
    };
    check("definition", "How many minutes are there in a fortnight?", "answer", Value::Null);
    check("decomposer", "What is 17*23, and what is 2^10?", "cycles", 9.into());
    check("edge-case", "Solve sqrt(x+3) = x - 3", "answer", "x ≈ 6.0000000000 (approximate)".into());
    check("refractor", "Solve x^5 - x - 1 = 0", "answer", Value::Null);
    check("optimizer", "Convert 5 ft 7 in to cm", "j", 0.7.into());
}
