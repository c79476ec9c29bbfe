//! Each tool once, over JSON, and the methods that scripts make of them.

use serde_json::Value;

use super::TOOLS;

fn call(name: &str, args: &str) -> Result<Value, String> {
    let args: Vec<Value> = serde_json::from_str(args).unwrap();
    let tool = TOOLS.iter().find(|t| t.name == name).unwrap();
    assert_eq!(tool.takes.len(), args.len(), "{name}");
    (tool.run)(&args)
}

#[test]
fn tools_give() {
    let cases = [
        ("variables", r#"["a*x = y"]"#, r#"["a", "x", "y"]"#),
        ("canonical", r#"["1 + x = 2"]"#, r#""x + 1 = 2""#),
        ("simplify", r#"["sqrt(50)"]"#, r#""5*sqrt(2)""#),
        ("expand", r#"["(x+1)^2"]"#, r#""x^2 + 2*x + 1""#),
        ("factor", r#"["x^2-4"]"#, r#""(x - 2)*(x + 2)""#),
        ("factors", r#"["2*(x-1)^2"]"#, r#"[["2", 1], ["x - 1", 2]]"#),
        ("lowest_terms", r#"["(x^2-1)/(x-1)"]"#, r#""x + 1""#),
        ("numerator", r#"["1/x + 1"]"#, r#""x + 1""#),
        ("denominator", r#"["1/x + 1"]"#, r#""x""#),
        ("denominator", r#"["x/6"]"#, r#""6""#),
        ("substitute", r#"["x^2 = y", {"x": 3}]"#, r#""9 = y""#),
        ("value", r#"["sqrt(16) + 1/2"]"#, r#""9/2""#),
        ("rounded", r#"["1/3", 4]"#, r#""0.3333""#),
        ("rounded", r#"["sqrt(2)", 10]"#, r#""1.4142135624""#),
        ("rounded", r#"["-1/8", 2]"#, r#""-0.13""#),
        ("equal", r#"["sqrt(8)", "2*sqrt(2)"]"#, r#"true"#),
        ("sign", r#"["sqrt(2) - 3/2"]"#, r#"-1"#),
        ("sign", r#"["sqrt(3+2*sqrt(2)) - 1 - sqrt(2)"]"#, r#"0"#),
        ("size", r#"["x + 1"]"#, r#"3"#),
        ("square_root", r#"[12]"#, r#""2*sqrt(3)""#),
        ("square_root", r#"["9/4"]"#, r#""3/2""#),
        ("is_rational", r#"["sqrt(16)"]"#, r#"true"#),
        ("degree", r#"["x^3 - x", "x"]"#, r#"3"#),
        ("degree", r#"["1/x", "x"]"#, r#"null"#),
        ("degree", r#"["2*x = 2*x + 1", "x"]"#, r#"0"#),
        ("is_polynomial", r#"["sqrt(x)", "x"]"#, r#"false"#),
        ("coefficients", r#"["a*x^2 + 3*x/2 - 1", "x"]"#, r#"["-1", "3/2", "a"]"#),
        ("integer_coefficients", r#"["x^2/2 - x/3 + 1", "x"]"#, r#"[6, -2, 3]"#),
        ("integer_coefficients", r#"["-2*x^2 + 4", "x"]"#, r#"[2, 0, -1]"#),
        ("polynomial", r#"[[6, -5, 1], "x"]"#, r#""x^2 - 5*x + 6""#),
        ("rational_roots", r#"["6*x^2 - 5*x + 1", "x"]"#, r#"["1/3", "1/2"]"#),
        ("deflate", r#"["x^2 - 5*x + 6", "x", 2]"#, r#""x - 3""#),
        ("divide", r#"["x^3 - 1", "x^2", "x"]"#, r#"["x", "-1"]"#),
        ("common_divisor", r#"["x^2 - 1", "x^2 + 2*x + 1"]"#, r#""x + 1""#),
        ("derivative", r#"["x^3", "x"]"#, r#""3*x^2""#),
        ("count_real_roots", r#"["x^5 - x - 1", "x"]"#, r#"1"#),
        ("root_intervals", r#"["x^2 - 4", "x"]"#, r#"[["-2", "-2"], ["2", "2"]]"#),
        ("refine_root", r#"["x^5 - x - 1", "x", ["1", "2"], 16]"#, r#""1.1673039782614187""#),
        ("sides", r#"["x = 2"]"#, r#"["x", "2"]"#),
        ("move_left", r#"["x^2 = 2*x"]"#, r#""x^2 - 2*x""#),
        ("has_denominator", r#"["1/x = 2"]"#, r#"true"#),
        ("has_denominator", r#"["x/2 = 2"]"#, r#"false"#),
        ("has_radical", r#"["sqrt(2)*x = 1"]"#, r#"false"#),
        ("has_absolute", r#"["|x| = 1"]"#, r#"true"#),
        ("has_exponential", r#"["2^x = 8"]"#, r#"true"#),
        ("has_logarithm", r#"["ln(x) = 8"]"#, r#"true"#),
        (
            "conditions",
            r#"["1/(x-1) = sqrt(x)"]"#,
            r#"[{"kind": "nonzero", "expression": "x - 1"}, {"kind": "nonnegative", "expression": "x"}]"#,
        ),
        ("holds", r#"["sqrt(x+3) = x-3", {"x": "1"}]"#, r#""no""#),
        ("holds", r#"["sqrt(x+3) = x-3", {"x": "6"}]"#, r#""yes""#),
        ("holds", r#"["1/(x-1) = 2", {"x": "1"}]"#, r#""undefined""#),
        ("satisfying", r#"[["sqrt(x+3) = x-3"], [{"x": "1"}, {"x": "6"}]]"#, r#"[{"x": "6"}]"#),
        ("clear_denominators", r#"["x/(x-1) = 1/(x-1)"]"#, r#""x = 1""#),
        ("clear_denominators", r#"["x/2 + 1/3 = 1/x"]"#, r#""3*x^2 + 2*x = 6""#),
        ("isolate_radical", r#"["sqrt(x+3) + 3 = x"]"#, r#""sqrt(x + 3) = x - 3""#),
        ("square_sides", r#"["sqrt(x+3) = x-3"]"#, r#""x + 3 = x^2 - 6*x + 9""#),
        ("raise_sides", r#"["cbrt(x) = 2", 3]"#, r#""x = 8""#),
        ("root_degree", r#"["cbrt(x) = 2"]"#, r#"3"#),
        ("root_degree", r#"["x = 2"]"#, r#"null"#),
        (
            "split_absolute",
            r#"["|x-3| = 5"]"#,
            r#"[{"equation": "x - 3 = 5", "condition": "x - 3 >= 0"}, {"equation": "-(x - 3) = 5", "condition": "x - 3 < 0"}]"#,
        ),
        ("isolate", r#"["3*x + 5 = 14", "x"]"#, r#""3""#),
        ("isolate", r#"["a*x + b = c", "x"]"#, r#""(c - b)/a""#),
        ("isolate", r#"["2^x = 8", "x"]"#, r#""3""#),
        ("isolate", r#"["ln(x) = 2", "x"]"#, r#""e^2""#),
        ("isolate", r#"["x^2 = 4", "x"]"#, r#"null"#),
        ("substitute_in", r#"[["x + y = 3"], "y", "x + 1"]"#, r#"["2*x + 1 = 3"]"#),
        ("is_linear", r#"[["x*y = 1"], ["x", "y"]]"#, r#"false"#),
        (
            "linear_solve",
            r#"[["2x+y=7", "x-y=2"], ["x", "y"]]"#,
            r#"{"kind": "unique", "solution": {"x": "3", "y": "1"}}"#,
        ),
        ("linear_solve", r#"[["x+y=1", "x+y=2"], ["x", "y"]]"#, r#"{"kind": "none", "solution": null}"#),
        ("linear_solve", r#"[["x+y=1"], ["x", "y"]]"#, r#"{"kind": "many", "solution": {"x": "1 - y"}}"#),
        ("eliminate", r#"[["x^2+y^2=25", "x+y=7"], ["x", "y"], "x"]"#, r#""x^2 - 7*x + 12""#),
        ("is_identity", r#"["(x+1)^2 = x^2+2x+1"]"#, r#"true"#),
    ];
    for (name, args, expected) in cases {
        assert_eq!(call(name, args), Ok(serde_json::from_str(expected).unwrap()), "{name}{args}");
    }
    for t in TOOLS {
        assert!(!t.doc.is_empty() && !t.doc.ends_with('.'), "{}", t.name);
    }
}

#[test]
fn tools_fail_with_a_clause() {
    let cases = [
        ("value", r#"["1/0"]"#, "undefined: division by zero"),
        ("value", r#"["0*(1/0)"]"#, "undefined: division by zero"),
        ("value", r#"["x"]"#, "x has no value"),
        ("square_root", r#"[-1]"#, "undefined: even root of -1, which is negative"),
        ("simplify", r#"["2 +"]"#, "the expression ends too early at character 4"),
        ("deflate", r#"["x^2 - 2", "x", 1]"#, "1 is no root"),
        ("coefficients", r#"["1/x", "x"]"#, "not a polynomial in x"),
        ("rational_roots", r#"["0", "x"]"#, "every number is a root of zero"),
        ("sides", r#"["x + 1"]"#, "expected = at character 6"),
        ("isolate_radical", r#"["x = 1"]"#, "no root of an expression with unknowns stands by itself"),
        ("linear_solve", r#"[["x*y = 1"], ["x", "y"]]"#, "x*y = 1 is not linear"),
        ("refine_root", r#"["x^2 - 2", "x", [-2, 2], 3]"#, "more than one root lies in the interval"),
        ("rounded", r#"["pi", 100000]"#, "too large: more than 1000 decimals"),
    ];
    for (name, args, expected) in cases {
        assert_eq!(call(name, args), Err(expected.to_owned()), "{name}{args}");
    }
    // No argument at all is an error, never a panic.
    for t in TOOLS {
        assert!((t.run)(&[]).is_err(), "{}", t.name);
    }
}

/// Isolates and raises until no root is left, as a script would; gives the polynomial.
fn without_radicals(eq: &str) -> String {
    let mut eq = call("clear_denominators", &format!("[{eq:?}]")).unwrap();
    for _ in 0..6 {
        if call("has_radical", &format!("[{eq}]")) == Ok(Value::Bool(false)) {
            break;
        }
        let degree = call("root_degree", &format!("[{eq}]")).unwrap();
        eq = call("isolate_radical", &format!("[{eq}]")).unwrap();
        eq = call("raise_sides", &format!("[{eq}, {degree}]")).unwrap();
    }
    call("move_left", &format!("[{eq}]")).unwrap().as_str().unwrap().to_owned()
}

#[test]
fn primitives_make_a_method_for_radicals() {
    let cases = [
        ("sqrt(x+3) = x-3", r#"[{"x": "6"}]"#),
        ("sqrt(x)+sqrt(x+5) = 5", r#"[{"x": "4"}]"#),
        ("sqrt(2x+1)-sqrt(x) = 1", r#"[{"x": "0"}, {"x": "4"}]"#),
        ("cbrt(x-1) = 2", r#"[{"x": "9"}]"#),
        ("sqrt(x+sqrt(x+11)) = 4", "[]"),
        ("sqrt(x+sqrt(x+8)) = 2", r#"[{"x": "1"}]"#),
        ("sqrt(x) = -2", "[]"),
        ("6/sqrt(x) = sqrt(x+5)", r#"[{"x": "4"}]"#),
    ];
    for (eq, expected) in cases {
        let p = without_radicals(eq);
        assert_eq!(call("is_polynomial", &format!("[{p:?}, \"x\"]")), Ok(Value::Bool(true)), "{eq} became {p}");
        let roots = call("rational_roots", &format!("[{p:?}, \"x\"]")).unwrap();
        let candidates: Vec<String> = roots.as_array().unwrap().iter().map(|r| format!("{{\"x\": {r}}}")).collect();
        let kept = call("satisfying", &format!("[[{eq:?}], [{}]]", candidates.join(",")));
        let expected: Value = serde_json::from_str(expected).unwrap();
        assert_eq!(kept, Ok(expected), "{eq} became {p}");
    }
}
