//! The house as it must be: floors, file sizes, who may print, and no program's name in Rust.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::fs;
use std::path::{Path, PathBuf};

/// Rooms with their floor. Rooms of one floor do not know each other.
const FLOORS: [(&str, u8); 11] = [
    ("model", 0),
    ("solvers", 0),
    ("engine", 1),
    ("runtime", 2),
    ("llm", 2),
    ("tools", 2),
    ("scoring", 2),
    ("store", 2),
    ("bench", 3),
    ("cli", 4),
    ("tui", 4),
];

/// Arrows within floor 2 that are not through a port, each with its reason.
const ALLOWED: [(&str, &str); 2] = [
    // A worker computes tools inside its sandbox, so it knows the shape of a tool (not the toolbox).
    ("runtime", "tools"),
    // The command line opens the terminal interface where no subcommand is named.
    ("cli", "tui"),
];

/// Longest source file, tests included.
const LINES: usize = 500;

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

fn room(path: &Path) -> Option<String> {
    let inside = path.strip_prefix(root().join("src")).ok()?;
    let first = inside.components().next()?.as_os_str().to_str()?.to_owned();
    FLOORS.iter().any(|(room, _)| *room == first).then_some(first)
}

/// Code without comments and, roughly, without the module's own tests.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let body = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    body.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// Whether a file is compiled for tests alone: below a folder `tests`, or declared so by its parent.
fn is_test(path: &Path) -> bool {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let parent = fs::read_to_string(path.with_file_name("mod.rs")).unwrap_or_default();
    let declared = parent.contains(&format!("#[cfg(test)]\nmod {stem};"));
    declared || stem == "tests" || path.components().any(|part| part.as_os_str() == "tests")
}

#[test]
fn no_arrow_goes_up_or_sideways() {
    let floor = |room: &str| FLOORS.iter().find(|(name, _)| *name == room).map(|(_, floor)| *floor);
    let mut wrong = Vec::new();
    for path in sources(&root().join("src")).iter().filter(|path| !is_test(path)) {
        let Some(here) = room(path) else { continue };
        for line in code(path).lines().filter(|line| line.contains("crate::")) {
            for part in line.split("crate::").skip(1) {
                let there: String = part.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                let Some(above) = floor(&there) else {
                    if there == "setup" && !matches!(here.as_str(), "cli" | "tui") {
                        wrong.push(format!("{} uses setup", path.display()));
                    }
                    continue;
                };
                let fine = there == here || Some(above) < floor(&here) || ALLOWED.contains(&(&here, &there));
                if !fine {
                    wrong.push(format!("{}: {here} uses {there}: {}", path.display(), line.trim()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_source_file_is_longer_than_it_may_be() {
    let long: Vec<String> = ["src", "tests", "benches"]
        .iter()
        .flat_map(|folder| sources(&root().join(folder)))
        .filter_map(|path| {
            let lines = fs::read_to_string(&path).unwrap().lines().count();
            (lines > LINES).then(|| format!("{}: {lines}", path.display()))
        })
        .collect();
    assert!(long.is_empty(), "{}", long.join("\n"));
}

#[test]
fn only_the_command_line_prints_and_nobody_reads_the_environment_behind_its_back() {
    let mut wrong = Vec::new();
    for path in sources(&root().join("src")).iter().filter(|path| !is_test(path)) {
        let here = room(path);
        let text = code(path);
        for word in ["println!", "eprintln!", "print!(", "eprint!("] {
            if text.contains(word) && here.as_deref() != Some("cli") {
                wrong.push(format!("{} uses {word}", path.display()));
            }
        }
        let pure = matches!(here.as_deref(), Some("model" | "solvers"));
        for word in
            ["std::fs", "std::env", "std::net", "std::process", "tokio", "SystemTime", "Instant::now", "async fn"]
        {
            if pure && text.contains(word) {
                wrong.push(format!("{} is on floor 0 and uses {word}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_name_of_a_program_stands_in_rust() {
    let contracts = [
        "router",
        "definer",
        "planner",
        "solver",
        "critic",
        "alternative",
        "optimizer",
        "integrity",
        "judge",
        "goal-check",
        "presenter",
        "manager",
        "supervisor",
        "persona",
        "worker",
    ];
    let mut names = Vec::new();
    for network in
        fs::read_dir(root().join("programs")).unwrap().map(Result::unwrap).filter(|entry| entry.path().is_dir())
    {
        for file in fs::read_dir(network.path()).unwrap().map(Result::unwrap) {
            let stem = file.path().file_stem().unwrap().to_str().unwrap().to_owned();
            // Words that a contract has for a name too, or that are plain words of the language of solvers.
            if stem != "network"
                && !contracts.contains(&stem.as_str())
                && !["algebra", "integers", "definition", "calendar"].contains(&stem.as_str())
            {
                names.push(stem);
            }
        }
    }
    assert!(names.len() > 10, "the programs were found: {names:?}");
    let mut wrong = Vec::new();
    for path in sources(&root().join("src")).iter().filter(|path| !is_test(path)) {
        for name in &names {
            if code(path).contains(&format!("\"{name}\"")) {
                wrong.push(format!("{}: \"{name}\"", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_dependency_says_why() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let mut section = String::new();
    let mut before = String::new();
    let mut silent = Vec::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            line.clone_into(&mut section);
        } else if section.contains("dependencies") && line.contains('=') && !before.starts_with('#') {
            silent.push(line.to_owned());
        }
        line.clone_into(&mut before);
    }
    assert!(silent.is_empty(), "{silent:?}");
}
