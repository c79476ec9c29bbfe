//! A user in a fresh home: runs the binary and looks at what it prints.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A home and a project folder that nobody has used.
pub(crate) struct User {
    folder: TempDir,
}

/// What a command did.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl User {
    pub(crate) fn new() -> Self {
        let user = Self { folder: TempDir::new().unwrap() };
        fs::create_dir_all(user.project()).unwrap();
        user
    }

    /// `MOP_HOME`.
    pub(crate) fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    /// The folder that commands are started in.
    pub(crate) fn project(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    /// Writes a file of the project, or of the home where the path begins with `home/`.
    pub(crate) fn write(&self, path: &str, text: &str) -> PathBuf {
        let path = match path.strip_prefix("home/") {
            Some(rest) => self.home().join(rest),
            None => self.project().join(path),
        };
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    /// A command with nothing of the tester's environment in it.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mop"));
        command.args(args).current_dir(self.project()).env_clear().env("MOP_HOME", self.home()).stdin(Stdio::null());
        command
    }

    pub(crate) fn mop(&self, args: &[&str]) -> Done {
        done(self.command(args).output().unwrap())
    }

    /// Runs a command that must end with this exit code.
    pub(crate) fn expect(&self, code: i32, args: &[&str]) -> Done {
        let done = self.mop(args);
        assert_eq!(done.code, code, "mop {args:?}: {done:#?}");
        done
    }

    pub(crate) fn fed(&self, args: &[&str], input: &[u8]) -> Done {
        let mut child =
            self.command(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_owned();
        let writer = std::thread::spawn(move || {
            let _ = stdin.write_all(&input);
        });
        let done = done(child.wait_with_output().unwrap());
        writer.join().unwrap();
        done
    }

    /// Ids of sessions on disk, oldest first.
    pub(crate) fn sessions(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.home().join("state/sessions")) else { return Vec::new() };
        let mut ids: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|id| !id.starts_with('.'))
            .collect();
        ids.sort();
        ids
    }

    pub(crate) fn journal(&self, id: &str) -> PathBuf {
        self.home().join("state/sessions").join(id).join("journal.jsonl")
    }

    /// Writes [`SMALL`] into a folder and gives the name to call it by.
    pub(crate) fn small_network(&self, path: &str) -> String {
        for (name, text) in SMALL {
            self.write(&format!("{path}/{name}"), text);
        }
        format!("./{path}")
    }
}

impl Done {
    /// Standard output as lines of JSON.
    pub(crate) fn json(&self) -> Vec<serde_json::Value> {
        self.out.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("no JSON: {line}"))).collect()
    }
}

fn done(output: Output) -> Done {
    Done {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Copies a folder.
pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// A network of four scripts: router, solver, goal-check, presenter. It repeats the question as its answer, and its goal-check
/// is content with that.
pub(crate) const SMALL: [(&str, &str); 5] = [
    (
        "network.toml",
        "about = \"Repeats what it is asked\"\nentry = \"router\"\n\n[halting]\npolicy = \"goal-check-alone\"\n\n[[rules]]\nwhen = \"last.contract == 'router'\"\ngo = \"@solver\"\nwhy = \"somebody must speak\"\n",
    ),
    (
        "router.py",
        "# /// program\n# role = \"Sends everything to the solver\"\n# contract = \"router\"\n# next = { echo = 1.0 }\n# ///\n\n\ndef run(task, memory, params):\n    return {\"next\": \"echo\", \"why\": \"there is one\"}\n",
    ),
    (
        "echo.py",
        "# /// program\n# role = \"Repeats the question\"\n# contract = \"solver\"\n# writes = [\"draft\"]\n# next = { goal-check = 1.0 }\n#\n# [params]\n# mark = \"!\"\n#\n# [[tests]]\n# query = \"hello\"\n# expect = { draft = \"hello!\" }\n# ///\n\n\ndef run(task, memory, params):\n    text = task[\"text\"] + params[\"mark\"]\n    # one\n    # two\n    # three\n    return {\"contributions\": [{\"section\": \"draft\", \"text\": text, \"data\": {\"text\": text}}]}\n",
    ),
    (
        "goal-check.py",
        "# /// program\n# role = \"Is content with any draft\"\n# contract = \"goal-check\"\n# reads = [\"draft\"]\n# requires = [\"draft\"]\n# writes = [\"assessment\"]\n# ///\n\n\ndef run(task, memory, params):\n    return {\"contributions\": [{\"section\": \"assessment\", \"text\": \"complete\", \"data\": {\"complete\": True}}]}\n",
    ),
    (
        "end.py",
        "# /// program\n# role = \"Presents\"\n# contract = \"presenter\"\n# reads = [\"incumbent\"]\n# writes = [\"answer\"]\n# ///\n\n\ndef run(task, memory, params):\n    lines = [entry[\"text\"] for entry in memory.get(\"incumbent\", [])]\n    return {\"contributions\": [{\"section\": \"answer\", \"text\": \"\\n\".join(lines)}]}\n",
    ),
];
