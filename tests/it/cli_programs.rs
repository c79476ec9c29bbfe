//! `mop programs` list, show, check, test, export, trust.

use std::fs;

use crate::cli::User;

#[test]
fn programs_are_listed_and_shown() {
    let user = User::new();
    let small = user.small_network("small");
    let listed = user.expect(0, &["programs", "list", "--network", &small]).out;
    let names: Vec<&str> = listed.lines().skip(1).filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(names, ["echo", "end", "goal-check", "router"]);
    let json = user.expect(0, &["programs", "--network", &small, "list", "--json"]).json().remove(0);
    assert_eq!((&json[0]["name"], &json[0]["state"], &json[0]["tests"]), (&"echo".into(), &"base".into(), &1.into()));
    let json = user.expect(0, &["programs", "show", "echo", "--json", "--network", &small]).json().remove(0);
    assert_eq!((&json["in"][0]["from"], &json["out"][0]["prior"]), (&"router".into(), &1.0.into()));
    let done = user.expect(2, &["programs", "show", "ecko", "--network", &small]);
    assert!(done.err.contains("did you mean `echo`?"), "{}", done.err);
    assert!(user.expect(2, &["programs", "lst"]).err.contains("list"));
    assert!(
        user.expect(0, &["programs", "list"]).out.lines().any(|line| line.starts_with("router ")),
        "the bundled one"
    );
}

#[test]
fn a_source_reaches_a_pipe_as_it_is() {
    let user = User::new();
    let small = user.small_network("small");
    let echo = fs::read_to_string(user.project().join("small/echo.py")).unwrap();
    let odd = echo.replace("# one", "# \u{1b}[31m\u{202e}");
    user.write("small/echo.py", &odd);
    assert!(user.expect(0, &["programs", "show", "echo", "--network", &small]).out.ends_with(&odd));
}

#[test]
fn mistakes_are_placed() {
    let user = User::new();
    let small = user.small_network("small");
    let clean = user.expect(0, &["programs", "check", "small"]);
    assert_eq!(clean.out, "small: 0 errors, 0 warnings\n");
    let echo = fs::read_to_string(user.project().join("small/echo.py")).unwrap();
    let check = |text: &str, code: i32, expected: &[&str]| {
        user.write("small/echo.py", text);
        for path in ["small", "./small", "small/echo.py"] {
            let done = user.expect(code, &["programs", "check", path]);
            for expected in expected {
                assert!(done.out.contains(expected), "{path} {expected}: {}", done.out);
            }
        }
        let done = user.expect(code, &["programs", "check", "--network", &small]);
        assert!(done.out.contains(expected[0]), "{}", done.out);
    };
    check(
        &echo.replace("# writes", "# tools = [\"same_valu\"]\n# writes"),
        0,
        &["small/echo.py:4:12: warning: there is no tool `same_valu`", "           ^", "1 warning"],
    );
    check(
        &echo.replace("# writes", "# requires = [\"asessment\"]\n# writes"),
        0,
        &["small/echo.py:4:15: warning: no program writes `asessment`", "did you mean `assessment`?"],
    );
    check(
        &echo.replace("goal-check = 1.0", "gaol-check = 1.0"),
        0,
        &["small/echo.py:5:12: warning: no program is called `gaol-check`", "did you mean `goal-check`?"],
    );
    check(&echo.replace("# writes", "# wirtes"), 2, &["small/echo.py:4:3: error", "did you mean `writes`?", "1 error"]);
    check(&echo.replace("solver", "solvr"), 2, &["small/echo.py:3:14: error", "did you mean `solver`?"]);
    user.write("small/echo.py", &echo);
    let network = fs::read_to_string(user.project().join("small/network.toml")).unwrap();
    user.write("small/network.toml", &network.replace("go = \"@solver\"", "go = \"@critic\""));
    let done = user.expect(0, &["programs", "check", "small"]);
    assert!(done.out.contains("small/network.toml:9:6: warning: the rule names `@critic`"), "{}", done.out);
    user.write("small/network.toml", &network.replace("entry = \"router\"", "entry = \"ruoter\""));
    let done = user.expect(0, &["programs", "check", "small/network.toml"]);
    assert!(done.out.contains("small/network.toml:2:9: warning: no program is called `ruoter`"), "{}", done.out);
    user.write("small/network.toml", "[[rules]\n");
    assert!(user.expect(2, &["programs", "check", "small"]).out.contains("small/network.toml:1:"));
    assert!(user.expect(2, &["programs", "check", "nowhere"]).err.contains("nowhere"));
}

#[test]
fn a_file_outside_of_a_network_is_checked_by_itself() {
    let user = User::new();
    user.write("alone.py", "# /// program\n# role = \"r\"\n# contract = \"solver\"\n# ///\n");
    assert_eq!(user.expect(0, &["programs", "check", "alone.py"]).out, "alone.py: 0 errors, 0 warnings\n");
    user.write("alone.py", "def run():\n    pass\n");
    assert!(user.expect(2, &["programs", "check", "alone.py"]).out.contains("alone.py:1:1: error: no front matter"));
}

#[test]
fn tests_are_run_in_the_sandbox() {
    let user = User::new();
    let small = user.small_network("small");
    let done = user.expect(0, &["programs", "test", "--network", &small]);
    assert!(done.out.contains("ok      echo        hello — it wrote draft"), "{}", done.out);
    assert!(done.out.ends_with("1 test: 1 ok, 0 failed; 3 programs without tests\n"), "{}", done.out);
    let echo = fs::read_to_string(user.project().join("small/echo.py")).unwrap();
    user.write("small/echo.py", &echo.replace("mark = \"!\"", "mark = \"?\""));
    let done = user.expect(1, &["programs", "test", "echo", "--network", &small]);
    assert!(
        done.out.contains("FAILED  echo  hello — draft should be \"hello!\"; it wrote draft “hello?”"),
        "{}",
        done.out
    );
    assert!(done.out.ends_with("1 test: 0 ok, 1 failed\n"), "{}", done.out);
    user.write("small/echo.py", &echo.replace("    # one", "    1 / 0"));
    assert!(user.expect(1, &["programs", "test", "--network", &small]).out.contains("ZeroDivisionError"));
    assert!(user.expect(2, &["programs", "test", "nobody", "--network", &small]).err.contains("no program `nobody`"));
}

#[test]
fn a_network_is_written_as_a_folder_that_stands_alone() {
    let user = User::new();
    user.write("poets/network.toml", "extends = \"symbolic\"\n");
    user.expect(0, &["programs", "export", "whole", "--network", "./poets"]);
    let file = fs::read_to_string(user.project().join("whole/network.toml")).unwrap();
    assert!(!file.contains("extends") && user.project().join("whole/router.py").is_file(), "{file}");
    let names = |network: &str| {
        let done = user.expect(0, &["programs", "list", "--json", "--network", network]).json().remove(0);
        done.as_array().unwrap().iter().map(|program| program["hash"].to_string()).collect::<Vec<_>>()
    };
    assert_eq!(names("./whole"), names("symbolic"));
    assert!(user.expect(2, &["programs", "export", "whole"]).err.contains("give a new or an empty folder"));
}

#[test]
fn the_network_of_a_project_is_accepted_once() {
    let user = User::new();
    user.small_network(".mop/networks/ours");
    let args = ["programs", "list", "--network", "ours"];
    assert!(user.expect(2, &args).err.contains("mop programs trust"));
    assert!(user.expect(2, &["programs", "trust", "nowhere"]).err.contains("no network.toml"));
    user.expect(0, &["programs", "trust", "./.mop/networks/ours"]);
    user.expect(0, &args);
    let echo = fs::read_to_string(user.project().join(".mop/networks/ours/echo.py")).unwrap();
    user.write(".mop/networks/ours/echo.py", &(echo + "# more\n"));
    user.expect(2, &args);
}

#[test]
fn prompts_are_tested_by_the_replies_that_their_network_brings() {
    let user = User::new();
    let checked = user.expect(0, &["programs", "check", "--network", "mop"]);
    assert!(checked.out.contains("mop: 0 errors, 0 warnings"), "{}{}", checked.out, checked.err);
    let done = user.expect(0, &["programs", "test", "--network", "mop"]);
    let last = done.out.lines().last().unwrap();
    assert!(last.contains(" ok, 0 failed"), "{last}");
    let prompts = user.expect(0, &["programs", "list", "--json", "--network", "mop"]).json().remove(0);
    let prompts: Vec<&str> = prompts
        .as_array()
        .unwrap()
        .iter()
        .filter(|program| program["kind"] == "prompt")
        .map(|program| program["name"].as_str().unwrap())
        .collect();
    assert!(prompts.len() >= 13, "{prompts:?}");
    for name in prompts {
        let tested = done.out.lines().any(|line| line.starts_with(&format!("ok      {name} ")));
        assert!(tested, "{name} has no test that a recorded reply passes\n{}", done.out);
    }
}
