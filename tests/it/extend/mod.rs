//! A new domain is files only: a folder that extends the symbolic network by programs for Roman numerals.

use serde_json::Value;

use crate::cli::User;

const NETWORK: &str = "./roman";
const QUESTION: &str = "What is the Roman numeral MCMXCIV in decimal?";

/// The file that makes an expert of a question that nobody else can put into exact terms.
const EXPERT: (&str, &str) = ("roman.py", include_str!("roman.py"));
/// What makes its answers more than a claim: a critic and a second method.
const OTHERS: [(&str, &str); 2] =
    [("roman-check.py", include_str!("roman-check.py")), ("roman-table.py", include_str!("roman-table.py"))];

fn user_with(files: &[(&str, &str)]) -> User {
    let user = User::new();
    user.write("roman/network.toml", "extends = \"symbolic\"\nabout = \"Also reads Roman numerals\"\n");
    for (name, text) in files {
        user.write(&format!("roman/{name}"), text);
    }
    user
}

/// Who ran, J at the end, and the last line.
fn run(user: &User, question: &str) -> (Vec<String>, Value) {
    let lines = user.mop(&["run", "--json", "--network", NETWORK, question]).json();
    let ran = lines.iter().filter(|line| line["event"] == "Activated");
    let names = ran.map(|line| line["data"]["program"].as_str().unwrap().to_owned()).collect();
    (names, lines.last().cloned().unwrap())
}

#[test]
fn one_file_adds_a_solver() {
    let user = user_with(&[EXPERT]);
    let programs = |args: &[&str]| {
        let all: Vec<&str> = ["programs", "--network", NETWORK].iter().chain(args).copied().collect();
        user.expect(0, &all).out
    };
    let listed = programs(&["list"]);
    assert!(listed.lines().any(|line| line.starts_with("roman ") && line.contains("experts")), "{listed}");
    // It says after whom it comes; whoever has that contract leads to it, and its own `next` leads on.
    let graph = programs(&["graph", "--format", "dot"]);
    let node = |name: &str| -> &str {
        let drawn = graph.lines().find(|line| line.contains(&format!("[label=\"{name}\"")));
        drawn.and_then(|line| line.split_whitespace().next()).unwrap_or_else(|| panic!("{name} is not in {graph}"))
    };
    for (from, to) in [("synthesizer", "roman"), ("decomposer", "roman"), ("roman", "goal-check")] {
        let edge = format!("{} -> {} ", node(from), node(to));
        assert!(graph.lines().any(|line| line.trim_start().starts_with(&edge)), "{from} to {to}: {graph}");
    }
    assert!(programs(&["test", "roman"]).contains("1 ok, 0 failed"));

    let (ran, last) = run(&user, QUESTION);
    assert!(ran.contains(&"roman".to_owned()), "{ran:?}");
    // Nobody can prove it, and it says so.
    assert_eq!((&last["answer"], &last["exit"], &last["verified"]), (&"1994".into(), &6.into(), &false.into()));
    assert_eq!((&last["j"], &last["message"]), (&0.6.into(), &"not verified: 1994".into()));
}

#[test]
fn what_the_network_could_do_before_it_still_does() {
    let user = user_with(&[EXPERT]);
    let (ran, last) = run(&user, "Solve 3x + 5 = 14");
    assert_eq!((&last["answer"], &last["exit"]), (&"x = 3".into(), &0.into()));
    assert!(!ran.contains(&"roman".to_owned()), "{ran:?}");
    let (ran, last) = run(&user, "Who wrote Hamlet?");
    assert_eq!((&last["answer"], &last["halted"]), (&Value::Null, &"unanswerable".into()));
    assert!(!ran.contains(&"roman".to_owned()), "{ran:?}");
    let (ran, last) = run(&user, "What is 17*23, and what is the Roman numeral XIV?");
    assert_eq!(last["answer"], "What is 17*23: 391\nwhat is the Roman numeral XIV: 14");
    assert!(ran.contains(&"roman".to_owned()) && ran.contains(&"calculator".to_owned()), "{ran:?}");
}

#[test]
fn two_more_files_corroborate_its_answers() {
    let user = user_with(&[&[EXPERT][..], &OTHERS].concat());
    let (ran, last) = run(&user, QUESTION);
    for expected in ["roman", "roman-check", "roman-table"] {
        assert!(ran.contains(&expected.to_owned()), "{expected} is not in {ran:?}");
    }
    assert_eq!((&last["answer"], &last["exit"], &last["j"]), (&"1994".into(), &0.into(), &0.8.into()));
    assert_eq!(last["halted"], "converged");
}
