//! Answers and what can be proved about them.

use super::super::super::answer::{Answer, Assignment, Judgement};
use super::super::super::goal::{Form, Goal};
use super::super::{canonical, judge};

pub(super) fn solutions(text: &str) -> Answer {
    let approximate = text.starts_with('~');
    let text = text.trim_start_matches('~');
    if text == "all" {
        return Answer::Solutions { values: Vec::new(), all: true, approximate: false };
    }
    let one = |t: &str| -> Assignment {
        t.split(',')
            .filter_map(|p| p.split_once('='))
            .map(|(n, v)| (n.trim().to_owned(), v.trim().to_owned()))
            .collect()
    };
    Answer::Solutions { values: text.split(';').map(one).filter(|a| !a.is_empty()).collect(), all: false, approximate }
}

fn verdict(j: &Judgement) -> &'static str {
    match j {
        Judgement::Proved(_) => "proved",
        Judgement::Refuted(_) => "refuted",
        Judgement::Unproved(_) => "unproved",
    }
}

/// `expected` is a verdict, or a verdict and a part of the reason.
fn check(equations: &str, unknowns: &str, answer: &str, expected: &str) {
    let list = |t: &str| t.split(',').map(|e| e.trim().to_owned()).collect::<Vec<_>>();
    let goal = Goal::Solve { equations: equations.split(';').map(str::to_owned).collect(), unknowns: list(unknowns) };
    let j = judge(&goal, &Form::default(), &solutions(answer)).unwrap();
    let (kind, part) = expected.split_once(": ").unwrap_or((expected, ""));
    let text = serde_json::to_string(&j).unwrap();
    assert_eq!(verdict(&j), kind, "{equations} with {answer}: {text}");
    assert!(text.contains(part), "{equations} with {answer}: {text}");
}

#[test]
fn one_unknown() {
    let cases = [
        ("3x+5=14", "x=3", "proved"),
        ("3x+5=14", "x=4", "refuted: x = 4: left side 17, right side 14"),
        ("3x+5=14", "", "refuted: the root x = 3 is missing"),
        ("sqrt(x+3)=x-3", "x=1;x=6", "refuted: x = 1: left side 2, right side -2"),
        ("sqrt(x+3)=x-3", "x=6", "proved"),
        ("sqrt(x+3)=x-3", "", "refuted: x = 6"),
        ("x/(x-1)=1/(x-1)", "", "proved"),
        ("x/(x-1)=1/(x-1)", "x=1", "refuted: division by zero"),
        ("x^3-6x^2+11x-6=0", "x=1;x=2;x=3", "proved"),
        ("x^3-6x^2+11x-6=0", "x=3;x=2;x=1;x=1", "proved"),
        ("x^3-6x^2+11x-6=0", "x=1;x=2", "refuted: the root x = 3 is missing"),
        ("x^5-x-1=0", "~x=1.1673039782614187", "proved"),
        ("x^5-x-1=0", "~x=1.167", "proved"),
        ("x^5-x-1=0", "~x=1.169", "refuted"),
        ("x^5-x-1=0", "x=1.1673", "refuted"),
        ("x^5-x-1=0", "", "refuted: near 1.167304"),
        ("x^2-2=0", "x=sqrt(2);x=-sqrt(2)", "proved"),
        ("x^2-2=0", "x=sqrt(2)", "refuted: x near -1.414214"),
        ("x^2-2=0", "~x=1.414;x=-1.414", "proved"),
        ("x^2+1=0", "", "proved"),
        ("x^2+1=0", "x=1", "refuted"),
        ("(x+1)^2=x^2+2x+1", "all", "proved"),
        ("(x+1)^2=x^2+2x+1", "x=1", "refuted: every value"),
        ("(x+1)^2=x^2+2x+2", "all", "refuted"),
        ("(x+1)^2=x^2+2x+2", "", "proved"),
        ("abs(x-3)=5", "x=8;x=-2", "proved"),
        ("abs(x-3)=5", "x=8", "refuted: x = -2"),
        ("abs(x-3)=-5", "", "proved"),
        ("|2x-1|=|x+4|", "x=5;x=-1", "proved"),
        ("|x|=x", "x=0", "refuted"),
        ("|x-1|+|x+2|=5", "x=2;x=-3", "proved"),
        ("2x^2-4x+1=0", "x=(2+sqrt(2))/2;x=1-sqrt(2)/2", "proved"),
        ("x^2-x-1=0", "x=(1+sqrt(5))/2;x=(1-sqrt(5))/2", "proved"),
        ("x^4-10x^2+1=0", "x=sqrt(2)+sqrt(3);x=sqrt(2)-sqrt(3);x=-sqrt(2)+sqrt(3);x=-sqrt(2)-sqrt(3)", "proved"),
        ("x^4-10x^2+1=0", "x=sqrt(2)+sqrt(3);x=sqrt(2)-sqrt(3);x=-sqrt(2)+sqrt(3)", "refuted: missing"),
        ("x^3=2", "x=cbrt(2)", "proved"),
        ("x^3=-8", "x=-2", "proved"),
        ("sqrt(x)+sqrt(x+5)=5", "x=4", "proved"),
        ("sqrt(2x+1)-sqrt(x)=1", "x=0;x=4", "proved"),
        ("sqrt(2x+1)-sqrt(x)=1", "x=4", "refuted: x = 0"),
        ("sqrt(x+sqrt(x))=2", "x=(9-sqrt(17))/2", "proved"),
        ("sqrt(x)= -1", "", "proved"),
        ("sqrt(x+1)+sqrt(x-1)=sqrt(2x)", "x=1", "proved"),
        ("1/x+1/(x+1)=3/2", "x=1;x=-2/3", "proved"),
        ("(x^2-1)/(x-1)=2", "", "proved"),
        ("(x^2-1)/(x-1)=2", "x=1", "refuted: undefined"),
        ("(x^2-1)/(x-1)=x+1", "all", "proved"),
        ("x=x+1", "", "proved"),
        ("2^x=8", "x=3", "proved"),
        ("2^x=8", "", "refuted"),
        ("2^x=5", "x=ln(5)/ln(2)", "proved"),
        ("e^(2x)-3e^x+2=0", "x=0;x=ln(2)", "proved"),
        ("e^(2x)-3e^x+2=0", "x=0", "refuted"),
        ("e^x=-1", "", "proved"),
        ("4^x-2^x=12", "x=2", "proved"),
        ("ln(x)=2", "x=e^2", "proved"),
        ("log(x)=2", "x=100", "proved"),
        ("ln(x)+ln(x-1)=ln(2)", "x=2", "proved"),
        ("ln(x)+ln(x-1)=ln(2)", "x=2;x=-1", "refuted"),
        ("log(x)+log(x-3)=1", "x=5", "proved"),
        ("2^x=5", "~x=2.3219", "proved"),
        ("2^x=5", "~x=2.3229", "refuted"),
        ("x^2=x", "x=0;x=1", "proved"),
        ("x=1/0", "", "proved: undefined"),
        ("0.1x+0.2=0.3", "x=1", "proved"),
        ("x^(1/2)=3", "x=9", "proved"),
        ("x^(2/3)=4", "x=8;x=-8", "proved"),
        ("1/(x-x)=1", "", "proved: undefined"),
        ("1/(x-x)=1", "all", "refuted"),
        ("x+pi=2pi", "x=pi", "proved"),
        ("x+pi=2pi", "x=3.14", "refuted"),
        ("2^x=5", "~x=2.32", "proved"),
        ("1000x^2-2001x+1001=0", "~x=1.00", "proved"),
        ("3^(x+1)=9^(x-2)", "x=5", "proved"),
        ("log(x^2)=2", "x=10;x=-10", "proved"),
        ("log(x^2)=2", "x=10", "refuted: x = -10"),
        ("x^3-3x+1=0", "x=2*cos(2*pi/9);x=2*cos(4*pi/9);x=2*cos(8*pi/9)", "proved"),
        ("x^3+x+1=0", "x=cbrt(-1/2+sqrt(31/108))+cbrt(-1/2-sqrt(31/108))", "proved"),
        ("|x-1|+|x-2|+|x-3|=4", "x=2/3;x=10/3", "proved"),
        ("cbrt(x)+sqrt(x)=2", "x=1", "proved"),
        ("|x|+|x-1|+|x-2|=9", "x=4;x=-2", "proved"),
        ("x^80-x^79-1=0", "", "refuted: missing"),
        ("x^2=1e-20", "x=1e-10;x=-1e-10", "proved"),
    ];
    for (eq, answer, expected) in cases {
        check(eq, "x", answer, expected);
    }
}

#[test]
fn several_unknowns_and_parameters() {
    let cases = [
        ("2x+y=7;x-y=2", "x,y", "x=3,y=1", "proved"),
        ("2x+y=7;x-y=2", "x,y", "x=3,y=2", "refuted: left side 8, right side 7"),
        ("2x+y=7;x-y=2", "x,y", "", "refuted"),
        ("x+y=1;x+y=2", "x,y", "", "proved"),
        ("x+y=1;x+y=2", "x,y", "x=1,y=0", "refuted"),
        ("x+y=1;2x+2y=2", "x,y", "x=1-y,y=y", "proved"),
        ("x+y=1;2x+2y=2", "x,y", "x=1-y", "proved"),
        ("x+y=1;2x+2y=2", "x,y", "x=1,y=0", "refuted"),
        ("x+y=1;2x+2y=2", "x,y", "x=t,y=1-t", "proved"),
        ("x+y+z=6;x-y=-1;z=3", "x,y,z", "x=1,y=2,z=3", "proved"),
        ("x^2+y^2=25;x+y=7", "x,y", "x=3,y=4;x=4,y=3", "proved"),
        ("x^2+y^2=25;x+y=7", "x,y", "x=3,y=4", "refuted: x = 4, y = 3"),
        ("x*y=6;x+y=5", "x,y", "x=2,y=3;x=3,y=2", "proved"),
        ("x^2+y^2=1;x+y=3", "x,y", "", "proved"),
        ("x^2-y^2=3;x*y=2", "x,y", "x=2,y=1;x=-2,y=-1", "proved"),
        ("x+y=3;x-y=1", "x", "x=2", "proved"),
        ("x+y=3;x-y=1", "x", "x=1", "refuted"),
        ("x^2=4;y=x+1", "y", "y=3;y=-1", "proved"),
        ("x^2=4;y=x+1", "y", "y=3", "refuted: y = -1"),
        ("x^2=4;y=x^2", "y", "y=4", "proved"),
        ("x^2+y^2+z^2=14;x+y+z=6;x*y*z=6", "x,y,z", "x=1,y=2,z=3", "refuted: missing"),
        ("x+y=a;x-y=b", "x,y", "x=(a+b)/2,y=(a-b)/2", "proved"),
        ("a*x^2+b*x+c=0", "x", "x=(-b+sqrt(b^2-4*a*c))/(2*a);x=(-b-sqrt(b^2-4*a*c))/(2*a)", "proved"),
        ("a*x+b=c", "x", "x=(c-b)/a", "proved"),
        ("a*x+b=c", "x", "x=(c+b)/a", "refuted"),
        ("A=pi*r^2", "r", "r=sqrt(A/pi);r=-sqrt(A/pi)", "proved"),
        ("A=l*w", "w", "w=A/l", "proved"),
        ("1/f=1/u+1/v", "v", "v=f*u/(u-f)", "proved"),
    ];
    for (eq, unknowns, answer, expected) in cases {
        check(eq, unknowns, answer, expected);
    }
}

fn check_form(goal: &Goal, value: &str, conditions: &[&str], expected: &str) {
    let answer = Answer::Expression {
        value: value.to_owned(),
        conditions: conditions.iter().map(|c| (*c).to_owned()).collect(),
    };
    let j = judge(goal, &Form::default(), &answer).unwrap();
    assert_eq!(verdict(&j), expected, "{goal:?} with {value}: {j:?}");
}

#[test]
fn forms() {
    let cases: [(&str, &str, &str, &[&str], &str); 34] = [
        ("simplify", "(x^2-1)/(x-1)", "x+1", &["x != 1"], "proved"),
        ("simplify", "(x^2-1)/(x-1)", "x+1", &[], "refuted"),
        ("simplify", "(x^2-1)/(x-1)", "x+2", &["x != 1"], "refuted"),
        ("simplify", "(x^2-1)/(x-1)", "(x^2-1)/(x-1)", &[], "unproved"),
        ("simplify", "(x^2-1)/(x-1)", "(x-1)(x+1)/(x-1)", &[], "unproved"),
        ("simplify", "2x+3x", "5x", &[], "proved"),
        ("simplify", "2x+3x", "3x+2x", &[], "unproved"),
        ("simplify", "x+1", "x+1", &[], "unproved"),
        ("simplify", "sqrt(50)", "5*sqrt(2)", &[], "proved"),
        ("simplify", "sqrt(50)", "sqrt(50)", &[], "unproved"),
        ("simplify", "sqrt(50)", "2*sqrt(12.5)", &[], "unproved"),
        ("simplify", "1/sqrt(2)", "sqrt(2)/2", &[], "proved"),
        ("simplify", "6/4", "3/2", &[], "proved"),
        ("simplify", "6/4", "12/8", &[], "unproved"),
        ("simplify", "x*x", "x^2", &[], "proved"),
        ("simplify", "sqrt(x^2)", "abs(x)", &[], "proved"),
        ("simplify", "sqrt(x^2)", "x", &[], "refuted"),
        ("simplify", "sqrt(x)*sqrt(x)", "x", &[], "unproved"),
        ("simplify", "sqrt(x)*sqrt(x)", "x", &["x >= 0"], "proved"),
        ("simplify", "(x^2-y^2)/(x-y)", "x+y", &["x != y"], "proved"),
        ("simplify", "(x^2-y^2)/(x-y)", "x+y", &[], "refuted"),
        ("simplify", "2(x+3)-x", "x+6", &[], "proved"),
        ("expand", "(x+1)(x-2)", "x^2-x-2", &[], "proved"),
        ("expand", "(x+1)(x-2)", "x^2-2x+x-2", &[], "unproved"),
        ("expand", "(x+1)(x-2)", "(x+1)(x-2)", &[], "unproved"),
        ("expand", "(x+1)(x-2)", "x^2+x-2", &[], "refuted"),
        ("expand", "(a+b)^2", "a^2+2ab+b^2", &[], "proved"),
        ("factor", "x^2-5x+6", "(x-2)(x-3)", &[], "proved"),
        ("factor", "x^2-5x+6", "x^2-5x+6", &[], "unproved"),
        ("factor", "x^4-1", "(x^2-1)(x^2+1)", &[], "unproved"),
        ("factor", "2x^2-8", "(2x-4)(x+2)", &[], "unproved"),
        ("factor", "2x^2-8", "2(x-2)(x+2)", &[], "proved"),
        ("factor", "x^2-2", "x^2-2", &[], "proved"),
        ("factor", "x^2-4", "(x-2)(x-2)", &[], "refuted"),
    ];
    for (class, e, value, conditions, expected) in cases {
        let expression = e.to_owned();
        let goal = match class {
            "simplify" => Goal::Simplify { expression },
            "expand" => Goal::Expand { expression },
            _ => Goal::Factor { expression },
        };
        check_form(&goal, value, conditions, expected);
    }
}

#[test]
fn values() {
    let cases = [
        ("17*23", "391", false, "proved"),
        ("17*23", "390", false, "refuted"),
        ("17*23", "17*23", false, "unproved"),
        ("2^10", "1024", false, "proved"),
        ("1/3+1/6", "1/2", false, "proved"),
        ("1/3+1/6", "0.5", false, "proved"),
        ("1/3", "1/3", false, "proved"),
        ("2/6", "2/6", false, "unproved"),
        ("1/3", "0.333", true, "proved"),
        ("1/3", "0.335", true, "refuted"),
        ("1/3", "0.333", false, "refuted"),
        ("sqrt(8)", "2*sqrt(2)", false, "proved"),
        ("sqrt(8)", "sqrt(8)", false, "unproved"),
        ("sqrt(16)", "4", false, "proved"),
        ("pi", "3.14159", true, "proved"),
        ("pi", "3.15", true, "refuted"),
        ("1/0", "0", false, "refuted"),
        ("0.2*150", "30", false, "proved"),
        ("e^2", "7.389056", true, "proved"),
        ("sin(1)", "0.841470985", true, "proved"),
        ("ln(10)", "2.302585093", true, "proved"),
        ("ln(10)", "2.302595093", true, "refuted"),
        ("cos(100)", "0.86231887", true, "proved"),
    ];
    for (e, value, approximate, expected) in cases {
        let goal = Goal::Evaluate { expression: e.to_owned() };
        let j = judge(&goal, &Form::default(), &Answer::Number { value: value.to_owned(), unit: None, approximate })
            .unwrap();
        assert_eq!(verdict(&j), expected, "{e} with {value}: {j:?}");
    }
    let goal = Goal::Evaluate { expression: "5 ft".to_owned() };
    assert_eq!(
        judge(&goal, &Form::default(), &Answer::Number { value: "5".to_owned(), unit: None, approximate: false }),
        None
    );
}

#[test]
fn one_value_has_one_canonical_form() {
    let same = [
        ("x=6/4", "x=3/2"),
        ("x=sqrt(8)", "x=2*sqrt(2)"),
        ("x=1;x=2", "x=2;x=1;x=1"),
        ("x=1.50", "x=3/2"),
        ("~x=1.50", "~x=1.5"),
        ("x=(1+sqrt(5))/2", "x=0.5+sqrt(5)/2"),
        ("x=sqrt(3+2*sqrt(2))", "x=1+sqrt(2)"),
        ("x=1/sqrt(2)", "x=sqrt(1/2)"),
    ];
    for (a, b) in same {
        assert_eq!(canonical(&solutions(a)), canonical(&solutions(b)), "{a} and {b}");
    }
    for (a, b) in [("x=1", "x=2"), ("x=1;x=2", "x=1"), ("x=sqrt(2)", "x=-sqrt(2)"), ("", "all"), ("~x=1.5", "x=1.5")] {
        assert_ne!(canonical(&solutions(a)), canonical(&solutions(b)), "{a} and {b}");
    }
}
