//! `mop config`: path, show, check.

use crate::cli::User;

#[test]
fn every_value_has_its_origin() {
    let user = User::new();
    let path = user.expect(0, &["config", "path"]).out;
    assert_eq!(path.trim(), user.home().join("config/config.toml").to_str().unwrap());
    user.write("home/config/config.toml", "seed = 4\napproval = \"accept\"\n");
    let output = user.command(&["config", "show"]).env("MOP_MAX_CYCLES", "9").output().unwrap();
    let shown = String::from_utf8(output.stdout).unwrap();
    let row = |key: &str| -> Vec<&str> {
        shown
            .lines()
            .find(|line| line.starts_with(key))
            .unwrap_or_else(|| panic!("{key}: {shown}"))
            .split_whitespace()
            .collect()
    };
    assert_eq!(row("network"), ["network", "symbolic", "default"]);
    assert_eq!(row("max-cycles"), ["max-cycles", "9", "MOP_MAX_CYCLES"]);
    assert_eq!(row("seed")[1], "4");
    assert!(row("approval")[2].ends_with("config.toml:2"), "{shown}");
}

#[test]
fn mistakes_are_placed_and_errors_end_with_2() {
    let user = User::new();
    assert!(user.expect(0, &["config", "check"]).out.contains("no such file"));
    user.write("home/config/config.toml", "sed = 4\n");
    let done = user.expect(0, &["config", "check"]);
    assert!(done.out.contains(":1:1: warning") && done.out.contains("did you mean `seed`?"), "{}", done.out);
    assert!(done.out.contains("0 errors, 1 warning"), "{}", done.out);
    user.write("home/config/config.toml", "seed = \"many\"\n");
    let done = user.expect(2, &["config", "check"]);
    assert!(done.out.contains(":1:8: error") && done.out.contains("1 error, 0 warnings"), "{}", done.out);
    user.write("home/config/config.toml", "seed = \n");
    user.expect(2, &["config", "check"]);
    let small = user.small_network("small");
    let done = user.expect(0, &["run", "--network", &small, "hello"]);
    assert!(done.err.contains("defaults are used"), "a bad file does not stop a run: {}", done.err);
}

#[test]
fn nothing_runs_while_a_cap_cannot_be_read() {
    let user = User::new();
    for (line, name) in
        [("max-cost = \"x\"", "max-cost"), ("max-tokens = -1", "max-tokens"), ("provider = \"bogus\"", "provider")]
    {
        user.write("home/config/config.toml", &format!("{line}\n"));
        let done = user.expect(2, &["run", "2+2"]);
        assert!(
            done.out.is_empty() && done.err.contains(&format!("nothing runs while `{name}` cannot be used")),
            "{}",
            done.err
        );
        assert!(done.err.contains("config.toml:1:"), "{}", done.err);
    }
    user.write("home/config/config.toml", "theme = 5\n");
    assert_eq!(user.expect(0, &["run", "2+2"]).out, "4\n", "other settings have defaults that will do");
}
