//! What goes in and comes out.

use mop::runtime::job::{Job, ScriptError};
use serde_json::{Value, json};

use super::{block, fails, function, gives, job, outcome, pool, run};

fn bad(body: &str) -> String {
    match fails(body) {
        ScriptError::BadValue(text) => text,
        other => panic!("{body}: {other:?}"),
    }
}

#[test]
fn json_goes_in_and_comes_out_unchanged() {
    let value = json!({"z": [null, true, false, 0, -5, 9_007_199_254_740_993_i64, 1.5, -0.25, "é\n\"", "🦀\u{0}"], "a": {"": []}, "b": u64::MAX});
    let done = outcome(&job("def run(x, y, z):\n    return [x, y, z]\n", vec![value.clone(), json!([]), json!({})]));
    assert_eq!(done.result, Ok(json!([value, [], {}])));
}

#[test]
fn python_values_become_json() {
    gives("return (1, (2, [3]), {'k': (4,)})", &json!([1, [2, [3]], {"k": [4]}]));
    gives("return None", &json!(null));
    gives(
        "return [2**63, 2**64, -2**63, 2**100]",
        &json!([9_223_372_036_854_775_808_u64, "18446744073709551616", i64::MIN, "1267650600228229401496703205376"]),
    );
    gives("return '\\ud800'", &json!("\u{fffd}"));
    gives("return b'\\xc3\\xa9'.decode()", &json!("é"));
}

#[test]
fn what_is_no_json_is_named_with_its_place() {
    for (body, expected) in [
        ("return {'a': [1, {1, 2}]}", "the result[\"a\"][1] is a set, which has no order: use sorted(…) or list(…)"),
        ("return {'a': {1: 2}}", "the result[\"a\"] has a key that is no string but an integer: use str(…)"),
        ("return [float('nan')]", "the result[0] is nan, which JSON cannot hold"),
        ("return 1e308 * 10", "the result is inf, which JSON cannot hold"),
        ("return b'x'", "the result is bytes, which is no JSON value"),
        ("return len", "the result is <built-in function len>, which is no JSON value"),
        ("a = []\na.append(a)\nreturn a", "the result[0] contains itself"),
        ("return 2**200000", "the result is an integer of 200001 bits, more than 100000"),
        ("return 'x' * 10000000", "the result is larger than 8 MiB"),
        ("class A:\n    pass\nreturn A()", "the result is an object of a class, which is no JSON value"),
    ] {
        assert_eq!(bad(body), expected, "{body}");
    }
    assert!(bad("a = []\nfor i in range(200):\n    a = [a]\nreturn a").ends_with("nests deeper than 96"));
    assert!(bad("a = []\nfor i in range(100000):\n    a = [a]\nreturn a").ends_with("nests deeper than 96"));
}

#[test]
fn a_result_of_fifty_megabytes_is_too_large() {
    let mut roomy = job(&function("return 'x' * 50000000"), vec![]);
    roomy.memory = 256 << 20;
    assert_eq!(outcome(&roomy).result, Err(ScriptError::BadValue("the result is larger than 8 MiB".to_owned())));
}

#[test]
fn arguments_are_bounded_too() {
    let deep = |depth| (0..depth).fold(Value::Null, |inner, _| json!([inner]));
    let with = |arg| Job { args: vec![arg], ..job("def run(x):\n    return 1\n", vec![]) };
    assert_eq!(outcome(&with(deep(90))).result, Ok(json!(1)));
    assert_eq!(
        outcome(&with(deep(120))).result,
        Err(ScriptError::BadValue("argument 1 nests deeper than 96".to_owned()))
    );
    let large = Value::String("x".repeat(9 << 20));
    assert_eq!(outcome(&with(large)).result, Err(ScriptError::BadValue("argument 1 is larger than 8 MiB".to_owned())));
    let many = Job { args: vec![Value::String("x".repeat(7 << 20)); 3], ..job("def run(x):\n    return 1\n", vec![]) };
    assert!(matches!(outcome(&many).result, Err(ScriptError::BadValue(_))));
}

#[test]
fn what_is_printed_is_kept_and_cut() {
    let done = outcome(&job(&function("print('hello', 1, end='!')\nprint()\nreturn 1"), vec![]));
    assert_eq!(done.printed, "hello 1!\n");
    let done = outcome(&job(&function("for i in range(10):\n    print('é' * 500000)\nreturn 1"), vec![]));
    assert_eq!(done.result, Ok(json!(1)));
    assert!(done.printed.len() < 66_000 && done.printed.ends_with("bytes more)"), "{} bytes", done.printed.len());
    let failed = outcome(&job(&function("print('before')\nreturn 1 / 0"), vec![]));
    assert_eq!(failed.printed, "before\n");
}

#[test]
fn each_run_starts_from_a_fresh_state() {
    let script = job("seen = []\ndef run(x):\n    seen.append(x)\n    return seen\n", vec![json!(1)]);
    let peek = job("def run(x):\n    return seen\n", vec![json!(1)]);
    block(async {
        let pool = pool(1);
        for _ in 0..3 {
            assert_eq!(run(&pool, &script).await.map(|done| done.value), Ok(json!([1])));
        }
        assert!(run(&pool, &peek).await.unwrap_err().to_string().contains("name 'seen' is not defined"));
    });
}

#[test]
fn no_float_loses_a_bit_on_the_way() {
    let mut state = 1_u64;
    let floats: Vec<f64> = std::iter::repeat_with(|| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        f64::from_bits(state)
    })
    .filter(|float| float.is_finite())
    .take(5000)
    .collect();
    let done =
        outcome(&job("def run(xs):\n    return [xs, [x * 1.0 == x for x in xs].count(False)]\n", vec![json!(floats)]));
    let back = done.result.unwrap();
    assert_eq!(back[1], json!(0));
    let lost = floats
        .iter()
        .zip(back[0].as_array().unwrap())
        .filter(|(sent, got)| got.as_f64().map(f64::to_bits) != Some(sent.to_bits()))
        .count();
    assert_eq!(lost, 0, "of {}", floats.len());
}
