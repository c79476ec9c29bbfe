//! Scripts that want too much time, memory or access.

use mop::runtime::job::{MEMORY, ScriptError};

use super::{error, fails, gives, hastily, hasty, job, outcome, says};
use serde_json::json;

const TOO_LONG: ScriptError = ScriptError::Deadline { millis: 150 };
const TOO_MUCH: ScriptError = ScriptError::Memory { bytes: MEMORY };

#[test]
fn an_endless_loop_ends_at_the_deadline() {
    assert_eq!(hastily("while True:\n    pass"), TOO_LONG);
    assert_eq!(TOO_LONG.to_string(), "the script ran longer than its 150 ms");
}

#[test]
fn an_endless_loop_at_import_ends_at_the_deadline() {
    let job = hasty(job("while True:\n    pass\n", vec![]));
    assert_eq!(outcome(&job).result, Err(TOO_LONG));
}

#[test]
fn the_deadline_cannot_be_caught() {
    assert_eq!(
        hastily(
            "while True:\n    try:\n        while True:\n            pass\n    except BaseException:\n        pass"
        ),
        TOO_LONG
    );
}

#[test]
fn work_inside_one_operation_ends_at_the_deadline() {
    for body in [
        "return pow(10**9, 10**6) % 7",
        "x = 3\nwhile True:\n    x = x * x",
        "return [x for x in range(10**9)]",
        "return sum(range(10**12))",
    ] {
        let error = hastily(body);
        assert!(error == TOO_LONG || error == TOO_MUCH, "{body}: {error:?}");
    }
}

#[test]
fn memory_bombs_end_at_the_limit() {
    for body in [
        "a = []\nwhile True:\n    a.append('x' * 1000000)",
        "a = 'ab'\nwhile True:\n    a = a + a",
        "return len('a' * 10**10)",
        "return pow(10**9, 10**9)",
        "return 'x' * 50000000",
    ] {
        assert_eq!(fails(body), TOO_MUCH, "{body}");
    }
    assert_eq!(TOO_MUCH.to_string(), "the script wanted more memory than its 64 MiB");
}

#[test]
fn small_allocations_end_at_some_limit() {
    for body in [
        "a = []\nwhile True:\n    a.append([])",
        "a = [1]\nfor i in range(60):\n    a = [a, a]\nreturn a",
        "import re\nreturn len(re.findall('(a|b)', 'ab' * 1500000))",
    ] {
        let error = hastily(body);
        assert!(error == TOO_LONG || error == TOO_MUCH, "{body}: {error:?}");
    }
}

#[test]
fn deep_recursion_is_an_error_with_a_place() {
    let error = error("def f(n):\n    return f(n + 1) + 1\n\ndef run():\n    return f(0)\n");
    assert!(matches!(error, ScriptError::Recursion { .. }), "{error:?}");
    says(&error, &["trial.py", "line 2", "return f(n + 1) + 1", "more times", "RecursionError"]);
}

#[test]
fn recursion_can_be_caught_as_in_python() {
    gives("def f():\n    return f()\ntry:\n    f()\nexcept RecursionError:\n    return 'caught'", &json!("caught"));
}

#[test]
fn the_system_is_out_of_reach() {
    for (body, part) in [
        ("import os\nreturn os.system('true')", "has no attribute 'system'"),
        ("return open('/etc/passwd').read()", "open is not available"),
        ("import os\nreturn os.environ['PATH']", "os.environ is not available"),
        ("import os\nreturn os.getenv('PATH')", "os.getenv is not available"),
        ("import pathlib\nreturn pathlib.Path('/etc/passwd').read_text()", "Path.read_text is not available"),
        ("import pathlib\npathlib.Path('/tmp/x').write_text('x')", "Path.write_text is not available"),
        ("import datetime\nreturn str(datetime.datetime.now())", "datetime.now is not available"),
        ("import subprocess\nreturn 1", "No module named 'subprocess'"),
        ("import socket\nreturn 1", "No module named 'socket'"),
        ("import sys\nsys.exit(0)", "has no attribute 'exit'"),
        ("exit()", "name 'exit' is not defined"),
        ("return eval('1')", "name 'eval' is not defined"),
        ("return __import__('os')", "name '__import__' is not defined"),
    ] {
        let error = fails(body);
        assert!(matches!(error, ScriptError::Raised { .. }), "{body}: {error:?}");
        says(&error, &[part, "trial.py"]);
    }
}

#[test]
fn an_exception_names_file_line_source_and_message() {
    let error = error("def g(x):\n    return 1 / x\n\ndef run():\n    y = 0\n    return g(y)\n");
    assert_eq!(error.to_string(), "the script raised ZeroDivisionError: division by zero (line 2)");
    says(&error, &["File \"trial.py\", line 6, in run", "return g(y)", "line 2, in g", "return 1 / x"]);
}

#[test]
fn a_huge_exception_text_is_cut() {
    let error = fails("raise ValueError('x' * 5000000)");
    assert!(error.to_string().len() < 1000 && error.details().len() < 80_000);
    says(&error, &["bytes more)"]);
}

#[test]
fn what_cannot_be_compiled_says_where() {
    for (source, parts) in [
        ("def run(:\n    return 1\n", ["line 1", "parameter"]),
        ("def run():\n    return (1,\n", ["line 3", "unexpected EOF"]),
        ("def run():\n    yield 1\n", ["line 2", "yield"]),
        ("def run():\n    match 1:\n        case 1:\n            pass\n", ["line 2", "match"]),
        ("x = '''\n", ["line 1", "SyntaxError"]),
        (&format!("def run():\n    return {}1{}\n", "(".repeat(20_000), ")".repeat(20_000)), ["line 2", "nested"]),
    ] {
        let error = error(source);
        assert!(matches!(error, ScriptError::Syntax { .. }), "{error:?}");
        says(&error, &parts);
    }
}

#[test]
fn a_missing_function_is_named() {
    assert_eq!(error("x = 1\n"), ScriptError::NoFunction { function: "run".to_owned() });
    says(&error("def run(a, b):\n    return 1\n"), &["missing 2 required positional arguments"]);
}
