//! Text in, text out.

use super::super::{canon, equal, expand, factor, parse, simplify};

fn printed(text: &str) -> String {
    match parse(text) {
        Ok(e) => canon(&e).to_string(),
        Err(e) => format!("error: {e}"),
    }
}

#[test]
fn reads_and_prints() {
    let cases = [
        ("2x", "2*x"),
        ("3(x+1)", "3*(x + 1)"),
        ("x(x-1)", "x*(x - 1)"),
        ("2 sqrt(3)", "2*sqrt(3)"),
        ("x^2-5x+6", "x^2 - 5*x + 6"),
        ("x**2", "x^2"),
        ("x² − 3·x ÷ 2", "x^2 - 3*x/2"),
        ("√2", "sqrt(2)"),
        ("√(x+1)", "sqrt(x + 1)"),
        ("2√3", "2*sqrt(3)"),
        ("π r²", "pi*r^2"),
        ("|x-3|", "abs(x - 3)"),
        ("2|x|", "2*abs(x)"),
        ("|x| + |y|", "abs(x) + abs(y)"),
        ("||x|-1|", "abs(abs(x) - 1)"),
        ("-x^2", "-x^2"),
        ("(-x)^2", "x^2"),
        ("2^-1", "1/2"),
        ("x⁻¹", "1/x"),
        ("0.25", "1/4"),
        (".5x", "x/2"),
        ("1e3", "1000"),
        ("1.5e-3", "3/2000"),
        ("6/4", "3/2"),
        ("1/2x", "x/2"),
        ("x/(y*z)", "x/(y*z)"),
        ("x/y/z", "x/(y*z)"),
        ("2^3^2", "512"),
        ("xy", "x*y"),
        ("cost*2", "2*cost"),
        ("x_1 + x2", "x2 + x_1"),
        ("cbrt(27)", "3"),
        ("root(x, 3)", "cbrt(x)"),
        ("exp(x)", "e^x"),
        ("e^(2x)", "e^(2*x)"),
        ("log(x)", "log(x)"),
        ("log(8, 2)", "ln(8)/ln(2)"),
        ("sqrt 2", "sqrt(2)"),
        ("1 - (x - 1)", "1 - (x - 1)"),
        ("x - -3", "x + 3"),
        ("--x", "x"),
        ("[x+1]{2}", "2*(x + 1)"),
        ("3 4", "error: two numbers stand side by side at character 3"),
        ("2 +", "error: the expression ends too early at character 4"),
        ("(x", "error: expected ) at character 3"),
        ("x)", "error: ')' is too much at character 2"),
        ("|x", "error: expected | at character 3"),
        ("", "error: the expression ends too early at character 1"),
        ("x $ 2", "error: '$' has no meaning in an expression at character 3"),
        ("sqrt", "error: sqrt needs an argument in brackets at character 5"),
    ];
    for (text, expected) in cases {
        assert_eq!(printed(text), expected, "{text}");
        if !expected.starts_with("error") {
            assert_eq!(printed(expected), expected, "again: {expected}");
        }
    }
}

#[test]
fn hostile_text_is_an_error_or_cheap() {
    let deep = "(".repeat(5_000) + "x" + &")".repeat(5_000);
    let minus = "-".repeat(10_000) + "1";
    let tower = "9^9^9^9^9";
    let roots = "sqrt(".repeat(200) + "2" + &")".repeat(200);
    let bars = "|".repeat(3_000);
    let long = "x+".repeat(30_000) + "1";
    for t in [&deep, &minus, &roots, &bars, &long] {
        assert!(parse(t).is_err(), "{}", &t[..20]);
    }
    for t in [
        tower,
        "x^(10^30)",
        "(x+y+z+a+b+c)^90",
        "2^(10^10)",
        "1/0",
        "0^0",
        "0^-1",
        "1e1999*1e1999",
        "sqrt(-1)",
        "x^x^x^x",
        "ln(0)",
    ] {
        if let Ok(e) = parse(t) {
            let _ = (canon(&e).to_string(), simplify(&e), expand(&e), factor(&e));
        }
    }
}

#[test]
fn simplifies() {
    let cases = [
        ("sqrt(50)", "5*sqrt(2)"),
        ("sqrt(8)/2", "sqrt(2)"),
        ("1/sqrt(2)", "sqrt(2)/2"),
        ("1/(1+sqrt(2))", "sqrt(2) - 1"),
        ("1/(3+sqrt(2))", "(3 - sqrt(2))/7"),
        ("2/(sqrt(5)-1)", "(1 + sqrt(5))/2"),
        ("1/(sqrt(2)+sqrt(3))", "sqrt(3) - sqrt(2)"),
        ("1/cbrt(2)", "cbrt(4)/2"),
        ("1/(1+cbrt(2))", "(1 - cbrt(2) + cbrt(4))/3"),
        ("sqrt(3+2*sqrt(2))", "1 + sqrt(2)"),
        ("sqrt(2)*sqrt(3)", "sqrt(6)"),
        ("sqrt(12)+sqrt(27)", "5*sqrt(3)"),
        ("sqrt(1/2)", "sqrt(2)/2"),
        ("(x^2-1)/(x-1)", "x + 1"),
        ("2x+3x", "5*x"),
        ("x*x", "x^2"),
        ("2(x+3)+4x", "6*x + 6"),
        ("(x^2-5x+6)/(x-2)", "x - 3"),
        ("sqrt(x^2)", "abs(x)"),
        ("sqrt(x)^2", "x"),
        ("cbrt(x^3)", "x"),
        ("x^3/x", "x^2"),
        ("(x+1)^10", "(x + 1)^10"),
        ("1/x + 1/y", "(x + y)/(x*y)"),
        ("(x^2-y^2)/(x-y)", "x + y"),
        ("sin(x)^2+cos(x)^2", "1"),
        ("sin(pi/6)", "1/2"),
        ("tan(pi/4)", "1"),
        ("ln(e^3)", "3"),
        ("e^(ln(5))", "5"),
        ("log(1000)", "3"),
        ("log(8,2)", "3"),
        ("2^(log(5,2))", "5"),
        ("4^x/2^x", "2^x"),
        ("e^x*e^(-x)", "1"),
        ("abs(-3)", "3"),
        ("abs(1-sqrt(2))", "sqrt(2) - 1"),
        ("abs(-x)", "abs(x)"),
        ("(8)^(2/3)", "4"),
        ("(-8)^(1/3)", "-2"),
        ("6/4", "3/2"),
        ("(2x+4)/2", "x + 2"),
        ("x/2+x/3", "5*x/6"),
        ("(a+b)^2-(a-b)^2", "4*a*b"),
        ("sqrt(4x+8)", "2*sqrt(x + 2)"),
        ("1/sqrt(x)", "1/sqrt(x)"),
        ("(x-1)/(x^2-2x+1)", "1/(x - 1)"),
    ];
    for (text, expected) in cases {
        let got = simplify(&parse(text).unwrap()).map_or_else(|e| e.to_string(), |e| e.to_string());
        assert_eq!(got, expected, "{text}");
    }
}

#[test]
fn factors_and_expands() {
    let cases = [
        ("x^2-5x+6", "(x - 3)*(x - 2)"),
        ("x^2-2", "x^2 - 2"),
        ("2x^2-8", "2*(x - 2)*(x + 2)"),
        ("x^4-1", "(x - 1)*(x + 1)*(x^2 + 1)"),
        ("x^4+4", "(x^2 - 2*x + 2)*(x^2 + 2*x + 2)"),
        ("x^5-x-1", "x^5 - x - 1"),
        ("x^6-1", "(x - 1)*(x + 1)*(x^2 - x + 1)*(x^2 + x + 1)"),
        ("x^2-y^2", "(x - y)*(x + y)"),
        ("x^3-y^3", "(x - y)*(x^2 + x*y + y^2)"),
        ("x^2+2xy+y^2", "(x + y)^2"),
        ("a*x+a*y", "a*(x + y)"),
        ("a*x+a*y+b*x+b*y", "(a + b)*(x + y)"),
        ("6x^2+7x+2", "(2*x + 1)*(3*x + 2)"),
        ("x^3-6x^2+11x-6", "(x - 3)*(x - 2)*(x - 1)"),
        ("4x^2-9", "(2*x - 3)*(2*x + 3)"),
        ("x^4+x^2+1", "(x^2 - x + 1)*(x^2 + x + 1)"),
        ("x^8+x^4+1", "(x^2 - x + 1)*(x^2 + x + 1)*(x^4 - x^2 + 1)"),
        ("-x^2+1", "-(x - 1)*(x + 1)"),
        ("x^2/4-1", "(x - 2)*(x + 2)/4"),
        ("2x^2y-6xy^2", "2*x*y*(x - 3*y)"),
        ("x^4-10x^2+1", "x^4 - 10*x^2 + 1"),
    ];
    for (text, expected) in cases {
        let e = parse(text).unwrap();
        let f = factor(&e).unwrap();
        let mut got: Vec<String> = f.expression.to_string().split('*').map(str::to_owned).collect();
        let mut want: Vec<String> = expected.split('*').map(str::to_owned).collect();
        got.sort();
        want.sort();
        assert_eq!(got, want, "{text}: {}", f.expression);
        assert!(f.complete, "{text}");
        assert_eq!(expand(&f.expression).unwrap(), expand(&e).unwrap(), "{text}");
    }
}

#[test]
fn compares() {
    let cases = [
        ("(x+1)^2", "x^2+2x+1", Some(true)),
        ("x", "x+1", Some(false)),
        ("sqrt(x^2)", "x", Some(false)),
        ("sqrt(2+sqrt(3))", "(sqrt(6)+sqrt(2))/2", Some(true)),
        ("ln(6)", "ln(2)+ln(3)", Some(true)),
        ("cbrt(2+sqrt(5))", "(1+sqrt(5))/2", Some(true)),
        ("sqrt(5+2*sqrt(6))", "sqrt(2)+sqrt(3)", Some(true)),
        ("sqrt(5+2*sqrt(6))", "sqrt(2)+1.7320508075688772935274463415058723669428", Some(false)),
        ("pi", "355/113", Some(false)),
        ("sqrt(sqrt(5)+3) - sqrt(sqrt(5)-2)", "sqrt(2*sqrt(5)+1-2*sqrt(sqrt(5)-1))", Some(true)),
        ("tan(x)", "sin(x)/cos(x)", Some(true)),
    ];
    for (a, b, expected) in cases {
        assert_eq!(equal(&parse(a).unwrap(), &parse(b).unwrap()), expected, "{a} and {b}");
    }
}
