//! Hard cases of checking.

use serde_json::{Value, json};

use super::super::suite::{Check, Question};
use super::{is_right, number};

fn question(check: Check, answer: &str) -> Question {
    let (id, suite, text) = ("1".to_owned(), "s".to_owned(), "q".to_owned());
    Question { id, suite, text, answer: answer.to_owned(), check, tests: Value::Null }
}

#[test]
fn numbers_are_found_in_texts() {
    let check = |text: &str, expected: Option<f64>| {
        let found = number::value(text);
        let same = match (found, expected) {
            (Some(a), Some(b)) => number::close(a, b, 1e-12),
            (a, b) => a == b,
        };
        assert!(same, "{text:?}: {found:?}, expected {expected:?}");
    };
    check("18", Some(18.0));
    check("18.", Some(18.0));
    check("$1,234.50", Some(1234.5));
    check("1,234,567", Some(1_234_567.0));
    check("-$5", Some(-5.0));
    check("$-5", Some(-5.0));
    check("\u{2212}3.5 °C", Some(-3.5));
    check("170.18 cm", Some(170.18));
    check("3/4", Some(0.75));
    check("-7/2", Some(-3.5));
    check("3 1/2 hours", Some(3.5));
    check("\\frac{3}{4}", Some(0.75));
    check("-\\dfrac{1}{8}", Some(-0.125));
    check("\\boxed{42}", Some(42.0));
    check("So 3 of 4 leave, hence \\boxed{1{,}234}.", Some(1234.0));
    check("She makes 9 * 2 = 18 dollars", Some(18.0));
    check("First 5, then 7.\nThe answer is 12 eggs, from 3 hens.", Some(12.0));
    check("The answer is: 5 + 3 = 8", Some(8.0));
    check("work 1 2 3\n#### 72", Some(72.0));
    check("70 days (10 weeks)", Some(70.0));
    check("x = 2.5e3", Some(2500.0));
    check("1.5 × 10^3", Some(1500.0));
    check("2 \\times 10^{-3}", Some(0.002));
    check("0.1", Some(0.1));
    check(".5", Some(0.5));
    check("50%", Some(50.0));
    check("10-3", Some(3.0));
    check("H2O", None);
    check("1,2", Some(2.0));
    check("1/0", Some(0.0));
    check("none", None);
    check("", None);
    check("é1é", None);
    check("Answer: 7", Some(7.0));
    check("**Answer:** $8$", Some(8.0));
    check("7.\n\nThat is all.", Some(7.0));
}

#[test]
fn numbers_are_compared_relatively() {
    let check = |known: &str, answer: &str, right: bool| {
        assert_eq!(is_right(&question(Check::Numeric, known), answer), right, "{answer:?} for {known:?}");
    };
    check("1000000", "1000000.5", true);
    check("1000000", "1000002", false);
    check("0.000001", "0.000002", false);
    check("0.3333333", "1/3", true);
    check("0", "0.0", true);
    check("0", "1e-5", false);
    check("18", "no idea", false);
    check("18", "81", false);
    let loose = Question { tests: json!({ "rel_tol": 0.1 }), ..question(Check::Numeric, "100") };
    assert!(is_right(&loose, "about 105") && !is_right(&loose, "about 111"));
}

#[test]
fn texts_are_compared_without_what_does_not_matter() {
    let check = |known: &str, answer: &str, right: bool| {
        assert_eq!(is_right(&question(Check::Exact, known), answer), right, "{answer:?} for {known:?}");
    };
    check("New York", " new  york. ", true);
    check("New York", "The answer is \"New York\".", true);
    check("New York", "York", false);
    check("12", "12.0", true);
    check("12", "12 or 13", false);
    check("yes", "Yes, because it was.", true);
    check("no", "Yes, because no one knew.", false);
    check("no", "It is not so. The answer is no.", true);
    check("yes", "true", true);
    check("False", "That is false", true);
    check("False", "true or false", false);
    check("\\frac{1}{2}", "$\\dfrac12$", true);
    check("\\frac{1}{2}", "1/2", true);
    check("\\frac{\\sqrt{3}}{2}", "\\frac {\\sqrt{3}} {2}.", true);
    check("\\text{Evelyn}", "Evelyn", true);
    check("x^2+1", "x = 3", false);
    check("90^\\circ", "90", true);
    check("(3, \\frac{\\pi}{2})", "\\left( 3, \\frac{\\pi}{2} \\right)", true);
    check("", "anything", false);
}

#[test]
fn choices_are_told_by_letter_or_text() {
    let text = "Which is it?\nA) a dog\nB) two cats\nC) a bird\nD) A and B";
    let check = |known: &str, answer: &str, right: bool| {
        let asked = Question { text: text.to_owned(), ..question(Check::Exact, known) };
        assert_eq!(is_right(&asked, answer), right, "{answer:?} for {known:?}");
    };
    check("B", "B", true);
    check("B", "(b)", true);
    check("B", "B) two cats", true);
    check("B", "B. two cats", true);
    check("B", "Two cats.", true);
    check("B", "The answer is (B).", true);
    check("B", "Not A, since dogs bark. Answer: B", true);
    check("B", "It must be (B), and nothing else.", true);
    check("B", "It is (A) or (B).", false);
    check("B", "A", false);
    check("A", "A dog", true);
    check("A", "A cat", false);
    check("C", "A", false);
    check("A", "", false);
}

#[test]
fn the_game_of_24_is_verified() {
    let game =
        Question { tests: json!({ "kind": "game24", "numbers": [1, 1, 4, 6] }), ..question(Check::Verifier, "") };
    let check = |answer: &str, right: bool| assert_eq!(is_right(&game, answer), right, "{answer}");
    check("(1 + 1 - 1) * 4 * 6", false);
    check("6 * 4 * 1 * 1 = 24", true);
    check("6 × 4 ÷ (1 × 1)", true);
    check("6 * 4", false);
    check("6 * 4 * 1 * 1 * 1", false);
    check("24", false);
    check("6 / (1 - 1) * 4", false);
    check("(((6*4*1*1", false);
    check("", false);
    let eighths = Question { tests: json!({ "kind": "game24", "numbers": [3, 3, 8, 8] }), ..game.clone() };
    assert!(is_right(&eighths, "8/(3-8/3)"), "fractions are exact");
}
