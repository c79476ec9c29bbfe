//! Each family of edits on a few lines, the bounds, and the plain facts.

use std::collections::BTreeSet;

use super::fixture::{SOLVER, primitives};
use super::{Focus, Kind, Primitive, apply_edits, calls, check_literals, defines_run, mutants, parses, unknown_names};

fn texts(source: &str, primitives: &[Primitive]) -> Vec<String> {
    mutants(source, &Focus::default(), primitives).unwrap().map(|mutant| mutant.text).collect()
}

/// Some mutant of `source` is `expected`.
fn check(source: &str, expected: &str) {
    let found = texts(source, &primitives());
    assert!(found.iter().any(|text| text == expected), "no mutant of\n{source}\nis\n{expected}\nbut {found:#?}");
}

#[test]
fn operators_and_signs() {
    check("def f(a, b):\n    return a < b\n", "def f(a, b):\n    return a <= b\n");
    check("def f(a, b):\n    return a not in b\n", "def f(a, b):\n    return a in b\n");
    check("x = (1) + (  # two\n  y)\n", "x = (1) - (  # two\n  y)\n");
    check("x = -(y)\n", "x = (y)\n");
    check("x = a - b\n", "x = b - a\n");
    check("x -= 2\n", "x += 2\n");
    check("if not a:\n    x = 1\n", "if a:\n    x = 1\n");
    check("if a and b:\n    x = 1\n", "if a or b:\n    x = 1\n");
    check("if f(a):\n    x = 1\n", "if not f(a):\n    x = 1\n");
}

#[test]
fn constants_and_formulas() {
    check("x = a + 7\n", "x = a + 8\n");
    check("x = a + 7\ny = 40\n", "x = a + 40\ny = 40\n");
    check("x = True\n", "x = False\n");
    check("if k == 'a':\n    x = 1\nif k == 'b':\n    x = 2\n", "if k == 'a':\n    x = 1\nif k == 'a':\n    x = 2\n");
    check("x = f\"(-{b} + {c})/2\"\n", "x = f\"(-{b} - {c})/2\"\n");
    check("x = a + ' + sqrt('\n", "x = a + ' - sqrt('\n");
}

#[test]
fn parameters_are_all_that_changes_in_the_head() {
    let script = "# /// program\n# role = \"4\"\n# params = { tries = 4, name = \"7\" }\n# ///\nx = 1\n";
    check(script, &script.replace("tries = 4", "tries = 5"));
    check(script, &script.replace("tries = 4", "tries = 2"));
    let untouched = |text: &String| text.contains("role = \"4\"") && text.contains("name = \"7\"");
    assert!(texts(script, &[]).iter().all(untouched));
}

#[test]
fn slips_in_several_places_and_lost_branches() {
    check(
        "def f(a, b):\n    return [f\"({a} - 1)\", f\"({a} + 1)\"]\n",
        "def f(a, b):\n    return [f\"({-a} - 1)\", f\"({-a} + 1)\"]\n",
    );
    check(
        "def g(x):\n    a = 1\n    b = 2\n    c = x\n    return a\n",
        "def g(x):\n    c = x\n    a = 1\n    b = 2\n    return a\n",
    );
    check(
        "def g(x):\n    if x == 1:\n        return 7\n    if x == 2:\n        return 8\n",
        "def g(x):\n    if x == 1:\n        return 8\n    if x == 2:\n        return 7\n",
    );
    let helpers = "def near(equation, name):\n    return 1\ndef far(equation, name):\n    return 2\n";
    let whole = "def run(equation, name, params):\n    if has_root(equation, name):\n        return near(equation, name)\n    return None\n";
    let branch = "    if mentions(equation, name):\n        return far(equation, name)\n    if has_root";
    check(&format!("{helpers}{whole}"), &format!("{helpers}{}", whole.replace("    if has_root", branch)));
    check(
        "def none(task):\n    return 1\ndef run(task, memory, params):\n    a = abs(task)\n    return a\n",
        "def none(task):\n    return 1\ndef run(task, memory, params):\n    a = abs(task)\n    if a is None:\n        return none(task)\n    return a\n",
    );
    check(
        "def f(equation, name):\n    d = factors(equation, name)\n    if d == 1:\n        return None\n",
        "def f(equation, name):\n    d = factors(equation, name)\n    if d == 1:\n        return None\n    elif degree(equation, name) > 0:\n        return None\n",
    );
}

#[test]
fn guards_on_what_a_tool_gave() {
    let fields = vec![("kind".to_owned(), vec!["one".to_owned(), "none".to_owned()]), ("value".to_owned(), Vec::new())];
    let tool =
        Primitive { name: "solved".into(), takes: vec![Kind::new("equations")], gives: Kind::new("any"), fields };
    let check = |old: &str, expected: &str| {
        let whole = |guards: &str| format!("def f(equations):\n    a = solved(equations)\n{guards}    return None\n");
        let found = texts(&whole(old), std::slice::from_ref(&tool));
        assert!(found.contains(&whole(expected)), "{expected}");
    };
    let none = "    if a[\"kind\"] == \"none\":\n        return \"x\", []\n";
    let one = "    if a[\"kind\"] == \"one\":\n        return \"x\", [a[\"value\"]]\n";
    check(one, &format!("{one}{none}"));
    check(none, &format!("{none}{one}"));
}

#[test]
fn order_of_things() {
    let helpers = "def f(x):\n    return x\ndef g(x):\n    return x\ndef h(x):\n    return x\n";
    check(&format!("{helpers}m = [f, g, h]\n"), &format!("{helpers}m = [g, f, h]\n"));
    check(&format!("{helpers}m = [f,\n  g, h]\n"), &format!("{helpers}m = [h,\n  g, f]\n"));
    check("x = f(a, b)\n", "x = f(b, a)\n");
    check("if a:\n    x = 1\nelif (b):\n    x = 2\n", "if (b):\n    x = 2\nelif a:\n    x = 1\n");
    check("def f(a):\n    b = a\n    c = b\n", "def f(a):\n    c = b\n    b = a\n");
}

#[test]
fn guards_and_filters() {
    check("def f(a):\n    if a < 0:\n        return None\n    return a\n", "def f(a):\n    return a\n");
    check(
        "def f(a, b):\n    c = a / b\n    return c\n",
        "def f(a, b):\n    if b == 0:\n        return None\n    c = a / b\n    return c\n",
    );
    check("x = [a for a in b if c(a)]\n", "x = [a for a in b ]\n");
    check(
        "def f(equation, name):\n    found = solve_polynomial([equation], name)\n    return found\n",
        "def f(equation, name):\n    found = solve_polynomial([equation], name)\n    return satisfying([equation], found)\n",
    );
    check(
        "def run(task, memory, params):\n    found = solve_polynomial(task['equations'], 'x')\n    return {'candidates': found}\n",
        "def run(task, memory, params):\n    found = solve_polynomial(task['equations'], 'x')\n    return {'candidates': satisfying(task['equations'], found)}\n",
    );
    check(
        "def f(equation, many):\n    kept = []\n    for assignment in many:\n        kept.append(assignment)\n    return kept\n",
        "def f(equation, many):\n    kept = []\n    for assignment in many:\n        if holds(equation, assignment):\n            kept.append(assignment)\n    return kept\n",
    );
}

#[test]
fn helpers_that_nobody_calls() {
    let helpers = "def f(x):\n    return x\ndef g(x):\n    return x\ndef h(x):\n    return x\n";
    check(&format!("{helpers}m = [f, g]\n"), &format!("{helpers}m = [f, h, g]\n"));
    check(
        &format!("{helpers}def run(t, m, p):\n    return f(t) or g(t)\n"),
        &format!("{helpers}def run(t, m, p):\n    return f(t) or h(t) or g(t)\n"),
    );
    check(
        &format!(
            "{helpers}KINDS = ['f', 'g', 'h']\ndef run(t, m, p):\n    if t == 'f':\n        return f(t)\n    elif t == 'g':\n        return g(t)\n"
        ),
        &format!(
            "{helpers}KINDS = ['f', 'g', 'h']\ndef run(t, m, p):\n    if t == 'f':\n        return f(t)\n    elif t == 'g':\n        return g(t)\n    elif t == 'h':\n        return h(t)\n"
        ),
    );
    check("m = ['a', 'b']\nt = {'a': 1, 'b': 2, 'c': 3}\n", "m = ['a', 'b', 'c']\nt = {'a': 1, 'b': 2, 'c': 3}\n");
}

#[test]
fn pairs_come_after_singles() {
    let source = "def f(a, b):\n    return a < 7 * b\n";
    let found: Vec<_> = mutants(source, &Focus::default(), &[]).unwrap().collect();
    let wanted = "def f(a, b):\n    return a <= 8 * b\n";
    let at = found.iter().position(|mutant| mutant.text == wanted).unwrap();
    assert!(found.iter().take(at).any(|mutant| mutant.text == "def f(a, b):\n    return a <= 7 * b\n"));
    let pair = found.get(at).unwrap();
    assert_eq!(pair.edits.len(), 2);
    assert!(pair.what.contains(", and "), "{}", pair.what);
}

#[test]
fn every_mutant_is_new_parses_and_keeps_the_header() {
    let header = SOLVER.split("\"\"\"").next().unwrap();
    let mut seen = BTreeSet::from([SOLVER.to_owned()]);
    let first: Vec<_> = mutants(SOLVER, &Focus::default(), &primitives()).unwrap().take(1500).collect();
    for mutant in &first {
        assert!(mutant.text.starts_with(header));
        assert_eq!(parses(&mutant.text), Ok(()), "{}", mutant.what);
        assert!(seen.insert(mutant.text.clone()), "twice: {}", mutant.what);
        assert!(!mutant.what.contains('\n'), "{}", mutant.what);
        let mut text = SOLVER.to_owned();
        for edit in mutant.edits.iter().rev() {
            text.replace_range(edit.range.clone(), &edit.replacement);
        }
        assert_eq!(text, mutant.text);
        let edits: Vec<_> = mutant.edits.iter().map(|edit| (edit.range.clone(), edit.replacement.clone())).collect();
        assert_eq!(apply_edits(SOLVER, &edits), Some(text));
    }
    let again: Vec<_> = mutants(SOLVER, &Focus::default(), &primitives()).unwrap().take(1500).collect();
    assert_eq!(first, again);
}

#[test]
fn new_literals_are_small_or_of_the_script() {
    let forbidden = ["17", "3*x", "-6", "1/3"].map(str::to_owned);
    for mutant in mutants(SOLVER, &Focus::default(), &primitives()).unwrap().take(1500) {
        assert_eq!(check_literals(SOLVER, &mutant.text, &forbidden), Vec::<String>::new(), "{}", mutant.what);
    }
}

#[test]
fn focus_moves_edits_forward() {
    let line = SOLVER.lines().position(|line| line.contains("left * right <= 0")).unwrap() + 1;
    let place = |focus: &Focus| {
        mutants(SOLVER, focus, &primitives())
            .unwrap()
            .position(|mutant| mutant.text.contains("left + right <= 0"))
            .unwrap()
    };
    let narrow = Focus { lines: vec![line], ..Focus::default() };
    let named = Focus { names: vec!["numeric".to_owned()], ..Focus::default() };
    assert!(place(&narrow) * 3 < place(&Focus::default()));
    assert!(place(&named) < place(&Focus::default()));
    let bound = Focus { bound: 7, ..Focus::default() };
    assert_eq!(mutants(SOLVER, &bound, &primitives()).unwrap().count(), 7);
}

#[test]
fn literals_that_are_copied_in_are_found() {
    let check = |before: &str, after: &str, forbidden: &[&str], expected: &[&str]| {
        let forbidden: Vec<String> = forbidden.iter().map(|value| (*value).to_owned()).collect();
        assert_eq!(check_literals(before, after, &forbidden), expected, "{after}");
    };
    check("x = 1\n", "x = 'solve 2 = y'\n", &["2=y"], &["solve 2 = y"]);
    check("x = 1\n", "x = 17\n", &["17"], &["17"]);
    check("x = 1\n", "x = 170\n", &["17"], &[]);
    check("x = 17\n", "x = 17\ny = 17\n", &["17"], &[]);
    check("x = 1\n", "x = -6\n", &["-6"], &["-6"]);
    check("x = 1\n", "x = f'{y} + 1/3'\n", &["1/3"], &[" + 1/3"]);
    check("x = 1\n", "x = 2\n", &[" "], &[]);
    check("x = 1\n", "x = (2\n", &["2"], &["x = (2\n"]);
}

#[test]
fn plain_facts() {
    assert!(defines_run(SOLVER));
    assert!(!defines_run("def run(task):\n    return task\n"));
    assert!(!defines_run("def run("));
    assert_eq!(calls("def f(x):\n    return g(x) + h(x.upper()) + g(1)\n"), ["g", "h"]);
    assert_eq!(unknown_names("def f(x):\n    y = x\n    return [z for z in y] + w + len(y)\n", &["len"]), ["w"]);
    let error = parses("x = 1\ny = (2\nz = 3 3\n").unwrap_err();
    assert!(error.line >= 2 && !error.message.is_empty(), "{error}");
}

#[test]
fn hostile_text_is_refused_or_survived() {
    let refused = [
        format!("x = {}1\n", "1 + ".repeat(10_000)),
        format!("x = a{}\n", ".b".repeat(10_000)),
        format!("x = {}\n", "(".repeat(10_000)),
        format!("x = {}1{}\n", "[".repeat(5_000), "]".repeat(5_000)),
        format!("x = f\"{}\"\n", "{a + ".repeat(400)),
        "#".repeat(1_000_000),
    ];
    for source in &refused {
        assert!(mutants(source, &Focus::default(), &primitives()).is_err());
    }
    let survived = [
        String::new(),
        "\n".to_owned(),
        "x = 99999999999999999999999999999999\n".to_owned(),
        "x = -9223372036854775808 + 9223372036854775807\n".to_owned(),
        format!("x = [{}]\n", "1, ".repeat(9_000)),
        format!("x = {{{}}}\n", "'k': 1, ".repeat(4_000)),
        "# /// program\n# name = \"a\"\n# ///\n".to_owned(),
        "def f(a):\n\treturn a<1".to_owned(),
        "x = 'ä' + \"ö - ü\"; y = x\r\nif x: y = 2\r\n".to_owned(),
    ];
    for source in &survived {
        for mutant in mutants(source, &Focus::default(), &primitives()).unwrap().take(200) {
            assert_eq!(parses(&mutant.text), Ok(()));
        }
    }
}

#[test]
fn kinds_by_name() {
    assert!(Kind::new("equation").listed_is(&Kind::new("equations")));
    assert!(!Kind::new("equations").listed_is(&Kind::new("equation")));
}
