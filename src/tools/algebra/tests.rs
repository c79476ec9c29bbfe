//! Each tool once, over JSON, and the methods that scripts make of them.
use serde_json::{Value, json};

use super::TOOLS;

fn call(name: &str, args: Value) -> Result<Value, String> {
    let tool = TOOLS.iter().find(|t| t.name == name).unwrap();
    assert_eq!(tool.takes.len(), args.as_array().unwrap().len(), "{name}");
    (tool.run)(args.as_array().unwrap())
}

#[test]
fn tools_give() {
    let cases = [
        ("variables", json!(["a*x = y"]), json!(["a", "x", "y"])),
        ("canonical", json!(["1 + x = 2"]), json!("x + 1 = 2")),
        ("simplify", json!(["sqrt(50)"]), json!("5*sqrt(2)")),
        ("expand", json!(["(x+1)^2"]), json!("x^2 + 2*x + 1")),
        ("factor", json!(["x^2-4"]), json!("(x - 2)*(x + 2)")),
        ("factors", json!(["2*(x-1)^2"]), json!([["2", 1], ["x - 1", 2]])),
        ("lowest_terms", json!(["(x^2-1)/(x-1)"]), json!("x + 1")),
        ("numerator", json!(["1/x + 1"]), json!("x + 1")),
        ("denominator", json!(["1/x + 1"]), json!("x")),
        ("denominator", json!(["x/6"]), json!("6")),
        ("substitute", json!(["x^2 = y", {"x": 3}]), json!("9 = y")),
        ("value", json!(["sqrt(16) + 1/2"]), json!("9/2")),
        ("rounded", json!(["1/3", 4]), json!("0.3333")),
        ("rounded", json!(["sqrt(2)", 10]), json!("1.4142135624")),
        ("rounded", json!(["-1/8", 2]), json!("-0.13")),
        ("equal", json!(["sqrt(8)", "2*sqrt(2)"]), json!(true)),
        ("sign", json!(["sqrt(2) - 3/2"]), json!(-1)),
        ("sign", json!(["sqrt(3+2*sqrt(2)) - 1 - sqrt(2)"]), json!(0)),
        ("size", json!(["x + 1"]), json!(3)),
        ("square_root", json!([12]), json!("2*sqrt(3)")),
        ("square_root", json!(["9/4"]), json!("3/2")),
        ("is_rational", json!(["sqrt(16)"]), json!(true)),
        ("degree", json!(["x^3 - x", "x"]), json!(3)),
        ("degree", json!(["1/x", "x"]), json!(null)),
        ("degree", json!(["2*x = 2*x + 1", "x"]), json!(0)),
        ("is_polynomial", json!(["sqrt(x)", "x"]), json!(false)),
        ("coefficients", json!(["a*x^2 + 3*x/2 - 1", "x"]), json!(["-1", "3/2", "a"])),
        ("integer_coefficients", json!(["x^2/2 - x/3 + 1", "x"]), json!([6, -2, 3])),
        ("integer_coefficients", json!(["-2*x^2 + 4", "x"]), json!([2, 0, -1])),
        ("polynomial", json!([[6, -5, 1], "x"]), json!("x^2 - 5*x + 6")),
        ("rational_roots", json!(["6*x^2 - 5*x + 1", "x"]), json!(["1/3", "1/2"])),
        ("deflate", json!(["x^2 - 5*x + 6", "x", 2]), json!("x - 3")),
        ("divide", json!(["x^3 - 1", "x^2", "x"]), json!(["x", "-1"])),
        ("common_divisor", json!(["x^2 - 1", "x^2 + 2*x + 1"]), json!("x + 1")),
        ("derivative", json!(["x^3", "x"]), json!("3*x^2")),
        ("count_real_roots", json!(["x^5 - x - 1", "x"]), json!(1)),
        ("root_intervals", json!(["x^2 - 4", "x"]), json!([["-2", "-2"], ["2", "2"]])),
        ("refine_root", json!(["x^5 - x - 1", "x", ["1", "2"], 16]), json!("1.1673039782614187")),
        ("sides", json!(["x = 2"]), json!(["x", "2"])),
        ("move_left", json!(["x^2 = 2*x"]), json!("x^2 - 2*x")),
        ("has_denominator", json!(["1/x = 2"]), json!(true)),
        ("has_denominator", json!(["x/2 = 2"]), json!(false)),
        ("has_radical", json!(["sqrt(2)*x = 1"]), json!(false)),
        ("has_absolute", json!(["|x| = 1"]), json!(true)),
        ("has_exponential", json!(["2^x = 8"]), json!(true)),
        ("has_logarithm", json!(["ln(x) = 8"]), json!(true)),
        ("conditions", json!(["1/(x-1) = sqrt(x)"]), json!([{"kind": "nonzero", "expression": "x - 1"}, {"kind": "nonnegative", "expression": "x"}])),
        ("holds", json!(["sqrt(x+3) = x-3", {"x": "1"}]), json!("no")),
        ("holds", json!(["sqrt(x+3) = x-3", {"x": "6"}]), json!("yes")),
        ("holds", json!(["1/(x-1) = 2", {"x": "1"}]), json!("undefined")),
        ("satisfying", json!([["sqrt(x+3) = x-3"], [{"x": "1"}, {"x": "6"}]]), json!([{"x": "6"}])),
        ("clear_denominators", json!(["x/(x-1) = 1/(x-1)"]), json!("x = 1")),
        ("clear_denominators", json!(["x/2 + 1/3 = 1/x"]), json!("3*x^2 + 2*x = 6")),
        ("isolate_radical", json!(["sqrt(x+3) + 3 = x"]), json!("sqrt(x + 3) = x - 3")),
        ("square_sides", json!(["sqrt(x+3) = x-3"]), json!("x + 3 = x^2 - 6*x + 9")),
        ("raise_sides", json!(["cbrt(x) = 2", 3]), json!("x = 8")),
        ("root_degree", json!(["cbrt(x) = 2"]), json!(3)),
        ("root_degree", json!(["x = 2"]), json!(null)),
        (
            "split_absolute",
            json!(["|x-3| = 5"]),
            json!([{"equation": "x - 3 = 5", "condition": "x - 3 >= 0"}, {"equation": "-(x - 3) = 5", "condition": "x - 3 < 0"}]),
        ),
        ("isolate", json!(["3*x + 5 = 14", "x"]), json!("3")),
        ("isolate", json!(["a*x + b = c", "x"]), json!("(c - b)/a")),
        ("isolate", json!(["2^x = 8", "x"]), json!("3")),
        ("isolate", json!(["ln(x) = 2", "x"]), json!("e^2")),
        ("isolate", json!(["x^2 = 4", "x"]), json!(null)),
        ("substitute_in", json!([["x + y = 3"], "y", "x + 1"]), json!(["2*x + 1 = 3"])),
        ("is_linear", json!([["x*y = 1"], ["x", "y"]]), json!(false)),
        ("linear_solve", json!([["2x+y=7", "x-y=2"], ["x", "y"]]), json!({"kind": "unique", "solution": {"x": "3", "y": "1"}})),
        ("linear_solve", json!([["x+y=1", "x+y=2"], ["x", "y"]]), json!({"kind": "none", "solution": null})),
        ("linear_solve", json!([["x+y=1"], ["x", "y"]]), json!({"kind": "many", "solution": {"x": "1 - y"}})),
        ("eliminate", json!([["x^2+y^2=25", "x+y=7"], ["x", "y"], "x"]), json!("x^2 - 7*x + 12")),
        ("is_identity", json!(["(x+1)^2 = x^2+2x+1"]), json!(true)),
    ];
    for (name, args, expected) in cases {
        assert_eq!(call(name, args.clone()), Ok(expected), "{name}{args}");
    }
    for t in TOOLS {
        assert!(!t.doc.is_empty() && !t.doc.ends_with('.'), "{}", t.name);
    }
}

#[test]
fn tools_fail_with_a_clause() {
    let cases = [
        ("value", json!(["1/0"]), "undefined: division by zero"),
        ("value", json!(["0*(1/0)"]), "undefined: division by zero"),
        ("value", json!(["x"]), "x has no value"),
        ("square_root", json!([-1]), "undefined: even root of -1, which is negative"),
        ("simplify", json!(["2 +"]), "the expression ends too early at character 4"),
        ("deflate", json!(["x^2 - 2", "x", 1]), "1 is no root"),
        ("coefficients", json!(["1/x", "x"]), "not a polynomial in x"),
        ("rational_roots", json!(["0", "x"]), "every number is a root of zero"),
        ("sides", json!(["x + 1"]), "expected = at character 6"),
        ("isolate_radical", json!(["x = 1"]), "no root of an expression with unknowns stands by itself"),
        ("linear_solve", json!([["x*y = 1"], ["x", "y"]]), "x*y = 1 is not linear"),
        ("refine_root", json!(["x^2 - 2", "x", [-2, 2], 3]), "more than one root lies in the interval"),
        ("rounded", json!(["pi", 100000]), "too large: more than 1000 decimals"),
        ("names", json!([]), ""),
    ];
    for (name, args, expected) in cases {
        if name != "names" {
            assert_eq!(call(name, args.clone()), Err(expected.to_owned()), "{name}{args}");
        }
    }
    // No argument at all is an error, never a panic.
    for t in TOOLS {
        assert!((t.run)(&[]).is_err(), "{}", t.name);
    }
}
