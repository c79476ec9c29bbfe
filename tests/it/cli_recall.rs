//! Questions that were solved before: kept, recalled, forgotten, and what a run does without them.

use std::fs;

use serde_json::{Value, json};

use crate::cli::User;

const FIRST: &str = "next number in 2, 4, 8, 16";
const SECOND: &str = "next number in 3, 9, 27, 81";

fn calls(lines: &[Value]) -> Vec<&Value> {
    let all = lines.iter().filter(|line| line["event"] == "ToolReturned").map(|line| &line["data"]["call"]);
    all.filter(|call| call["tool"] == "recall").collect()
}

fn patterns(lines: &[Value]) -> Vec<&Value> {
    let all = lines.iter().filter(|line| line["event"] == "Contributed").map(|line| &line["data"]["contribution"]);
    all.filter(|it| it["section"] == "pattern").collect()
}

fn run(user: &User, question: &str) -> Vec<Value> {
    user.expect(0, &["run", "--json", question]).json()
}

#[test]
fn a_question_is_met_with_how_a_like_one_was_solved_and_never_with_its_answer() {
    let user = User::new();
    assert!(user.expect(0, &["recall", "list"]).err.contains("no such question is kept"));
    let first = run(&user, FIRST);
    assert_eq!((calls(&first)[0]["result"].clone(), patterns(&first).len()), (json!({ "Ok": [] }), 0));
    assert_eq!(first[0]["data"]["pins"]["recall"], "on empty");
    let session = &first[0]["data"]["pins"]["session"];
    let kept = user.expect(0, &["recall", "list", "--json"]).json().remove(0)[0].clone();
    assert_eq!((&kept["question"], &kept["answer"], &kept["session"]), (&json!(FIRST), &json!("32"), session));
    assert_eq!(kept["programs"].as_array().unwrap().len(), 2, "both who came to the value: {kept}");

    let second = run(&user, SECOND);
    let found = &calls(&second)[0]["result"]["Ok"][0];
    assert_eq!((&found["session"], &found["question"], &found["class"]), (session, &json!(FIRST), &json!("sequence")));
    assert!(found.get("answer").is_none() && found["likeness"].as_f64().unwrap() > 0.8, "{found}");
    let pattern = patterns(&second)[0];
    assert!(pattern["text"].as_str().unwrap().starts_with("like \"next number in 2"), "{pattern}");
    let ends = |lines: &[Value]| lines.last().map(|last| (last["j"].clone(), last["cycles"].clone())).unwrap();
    assert_eq!(ends(&first), ends(&second), "what is recalled corroborates nothing");

    // The record is enough to replay it, and a replay keeps nothing.
    fs::remove_file(user.home().join("data/recall.db")).unwrap();
    assert!(user.expect(0, &["replay"]).out.contains("no difference"));
    assert!(!user.home().join("data/recall.db").exists());
}

#[test]
fn off_asks_nobody_and_frozen_keeps_nothing() {
    let user = User::new();
    run(&user, FIRST);
    let off = user.expect(0, &["run", "--json", "--recall", "off", SECOND]).json();
    assert_eq!((patterns(&off).len(), &off[0]["data"]["pins"]["recall"]), (0, &json!("")));
    user.write("home/config/config.toml", "recall = \"frozen\"\n");
    let frozen = run(&user, SECOND);
    assert_eq!(patterns(&frozen).len(), 1);
    assert!(frozen[0]["data"]["pins"]["recall"].as_str().unwrap().starts_with("frozen "));
    let kept = user.expect(0, &["recall", "list", "--json"]).json().remove(0);
    assert_eq!(kept.as_array().unwrap().len(), 1, "{kept}");
}

#[test]
fn questions_are_searched_and_forgotten() {
    let user = User::new();
    for question in [FIRST, SECOND, "Convert 3 miles to km"] {
        run(&user, question);
    }
    let found = user.expect(0, &["recall", "search", "--most", "1", "convert 7 miles to km"]).out;
    assert!(found.contains("Convert 3 miles") && found.contains("LIKE") && found.lines().count() == 2, "{found}");
    assert!(user.expect(2, &["recall", "forget", "1", "99"]).err.contains("no solved question 99"));
    assert_eq!(user.expect(0, &["recall", "forget", "1"]).out, "forgot 1\n");
    assert_eq!(user.expect(0, &["recall", "list"]).out.lines().count(), 3);
    assert_eq!(user.expect(0, &["recall", "clear"]).out, "forgot 2 questions\n");
    assert_eq!(user.expect(0, &["recall", "list"]).out, "");
}

#[test]
fn a_question_about_a_file_is_told_from_the_same_about_another() {
    let user = User::new();
    let small = user.small_network("small");
    for name in ["a.txt", "b.txt"] {
        user.write(name, name);
        user.expect(0, &["run", "--network", &small, "--attach", name, "what is in it?"]);
    }
    let listed = user.expect(0, &["recall", "list"]).out;
    assert!(
        listed.contains("what is in it? [with a.txt]") && listed.contains("what is in it? [with b.txt]"),
        "{listed}"
    );
}

#[test]
fn what_is_not_verified_is_not_kept() {
    let user = User::new();
    user.expect(6, &["run", "next number in 3, 1, 4, 1, 5"]);
    user.expect(3, &["run", "--max-cycles", "3", FIRST]);
    assert_eq!(user.expect(0, &["recall", "list"]).out, "");
}

#[test]
fn a_file_that_cannot_be_used_is_a_warning_that_replays_too() {
    let user = User::new();
    user.write("home/data/recall.db", &"no database ".repeat(500));
    let done = user.expect(0, &["run", FIRST]);
    assert_eq!(done.out, "32\n");
    assert_eq!(done.err.matches("nothing is recalled: ").count(), 1, "{}", done.err);
    assert!(done.err.contains("recall.db is damaged; move it away"), "{}", done.err);
    assert!(user.expect(0, &["replay"]).out.contains("no difference"));
    assert!(user.expect(2, &["recall", "list"]).err.contains("is damaged"));
}
