//! The README is true: its pictures are drawn by the binary, and its transcripts are what the binary prints.

use std::fs;
use std::path::Path;

use super::cli::User;

fn file(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

#[test]
fn the_picture_of_the_network_is_the_one_that_the_binary_draws() {
    let drawn = User::new().expect(0, &["programs", "graph", "--format", "svg"]).out;
    let hint = "draw it anew: cargo run -- programs graph --format svg > assets/symbolic.svg";
    assert!(drawn == file("assets/symbolic.svg"), "{hint}");
}

/// Runs each `$ mop run "…"` of the README and compares: with `2>/dev/null` the answer alone, else all but the session line.
#[test]
fn the_transcripts_are_what_the_binary_prints() {
    let readme = file("README.md");
    let mut checked = 0;
    for block in readme.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap_or_default();
        for run in block.split("$ mop run \"").skip(1) {
            let (question, rest) = run.split_once('"').unwrap();
            let (flags, expected) = rest.split_once('\n').unwrap();
            let done = User::new().expect(0, &["run", question]);
            let printed = if flags.contains("2>/dev/null") {
                done.out
            } else {
                let steps: Vec<&str> = done.err.lines().filter(|line| !line.starts_with("session ")).collect();
                let after = steps.iter().position(|line| line.starts_with("verified")).unwrap();
                let mut lines: Vec<&str> = steps[..after].to_vec();
                lines.extend(done.out.lines());
                lines.extend(&steps[after..]);
                lines.iter().map(|line| format!("{}\n", line.trim_end())).collect()
            };
            assert_eq!(printed, expected, "{question}");
            checked += 1;
        }
    }
    assert!(checked >= 5, "the transcripts were found");
}

/// The solver that the README adds is really all it takes.
#[test]
fn the_example_of_a_new_solver_works() {
    let readme = file("README.md");
    let user = User::new();
    for (language, path) in [("toml", "my-network/network.toml"), ("python", "my-network/triangle.py")] {
        let block = readme.split(&format!("```{language}\n# {path}\n")).nth(1).unwrap();
        let text = block.split("```").next().unwrap().trim_start();
        user.write(path, text);
    }
    let graph = user.expect(0, &["programs", "graph", "--format", "mermaid", "--network", "./my-network"]).out;
    assert!(graph.contains("triangle"), "{graph}");
    let question = "What is the triangular number of 12?";
    let done = user.mop(&["run", "--json", "--network", "./my-network", question]);
    assert!(done.out.contains("\"answer\":\"78\""), "{}\n{}", done.out, done.err);
}
