//! Reads a program file: front matter, then prompt, code or weights.

use std::sync::Arc;

use super::{Diagnostic, Hash, Kind, Manifest, Program, ProgramName, ProgramTest};

/// Reads one program from a file of a network's folder.
///
/// `.md` holds TOML between `+++` lines and then the prompt; `.py` holds TOML in a `# /// program` comment block and is
/// code as a whole; `.toml` holds the manifest under `[program]` and weights beside it.
///
/// # Errors
/// Everything that is wrong with it, placed.
pub fn parse_program(path: &str, text: &str) -> Result<Program, Vec<Diagnostic>> {
    let file = path.rsplit('/').next().unwrap_or(path);
    let (stem, ending) = file.rsplit_once('.').unwrap_or((file, ""));
    let front = match ending {
        "md" => markdown(path, text),
        "py" => script(path, text),
        "toml" => Ok(Front { toml: text.to_owned(), base: Base::At(0), body: text.to_owned(), kind: Kind::Model }),
        other => Err(Diagnostic::at(path, text, 0, format!("no kind of program ends in `.{other}`"))
            .hint(Some("prompts end in .md, scripts in .py, small models in .toml".into()))),
    }
    .map_err(|diagnostic| vec![diagnostic])?;
    let manifest = match ending {
        "toml" => toml::from_str::<ModelFile>(&front.toml).map(|file| file.program),
        _ => toml::from_str::<Manifest>(&front.toml),
    }
    .map_err(|error| vec![front.place(path, text, &error)])?;
    let problems = inspect(path, text, stem, &manifest);
    if !problems.is_empty() {
        return Err(problems);
    }
    Ok(Program {
        name: ProgramName::new(stem),
        kind: manifest.kind.unwrap_or(front.kind),
        manifest,
        body: Arc::from(front.body),
        source: Arc::from(text),
        path: path.to_owned(),
        hash: Hash::of(text),
    })
}

/// The text of a program file with one test added to its front matter; everything else stays as it is.
///
/// # Errors
/// When the test cannot be written as TOML, or the file has no front matter.
pub fn with_test(path: &str, text: &str, test: &ProgramTest) -> Result<String, Diagnostic> {
    let cannot = |message: String| Diagnostic::at(path, text, 0, message);
    let table = match toml::Value::try_from(test) {
        Ok(toml::Value::Table(table)) => table,
        Ok(other) => return Err(cannot(format!("a test is no {}", other.type_str()))),
        Err(error) => return Err(cannot(error.to_string())),
    };
    // A value prints itself on one line, which keeps a test as compact as one written by hand.
    let lines = ["query", "memory", "expect"].iter().filter_map(|key| Some(format!("{key} = {}", table.get(*key)?)));
    let toml = format!("[[tests]]\n{}", lines.collect::<Vec<_>>().join("\n"));
    let (end, prefix) = if path.ends_with(".py") {
        let at = text.find("\n# ///\n").map(|at| at + 1);
        (at.ok_or_else(|| cannot("no front matter".into()))?, "# ")
    } else if path.ends_with(".md") {
        let at = text.get(4..).and_then(|rest| rest.find("\n+++")).map(|at| at + 5);
        (at.ok_or_else(|| cannot("no front matter".into()))?, "")
    } else {
        return Err(cannot("tests of a small model stand with its weights".into()));
    };
    let block: String = std::iter::once("")
        .chain(toml.lines())
        .map(|line| format!("{prefix}{line}").trim_end().to_owned() + "\n")
        .collect();
    Ok(format!("{}{block}{}", &text[..end], &text[end..]))
}

#[derive(serde::Deserialize)]
struct ModelFile {
    program: Manifest,
}

/// TOML of a front matter and how its offsets map to the file's.
struct Front {
    toml: String,
    base: Base,
    body: String,
    kind: Kind,
}

enum Base {
    /// The TOML stands in one piece from this byte.
    At(usize),
    /// Each line of the TOML starts at this byte of the file (comment block).
    Lines(Vec<usize>),
}

impl Front {
    fn place(&self, path: &str, text: &str, error: &toml::de::Error) -> Diagnostic {
        let offset = error.span().map_or(0, |span| span.start);
        let placed = Diagnostic::from_toml(path, &self.toml, 0, error);
        let at = match &self.base {
            Base::At(base) => base + offset,
            Base::Lines(starts) => {
                let line = self.toml.get(..offset).map_or(0, |before| before.matches('\n').count());
                starts.get(line).copied().unwrap_or_default() + placed.column.saturating_sub(1)
            }
        };
        Diagnostic::at(path, text, at, placed.message).hint(placed.hint)
    }
}

fn markdown(path: &str, text: &str) -> Result<Front, Diagnostic> {
    let missing = || {
        Diagnostic::at(path, text, 0, "no front matter")
            .hint(Some("start with a line `+++`, then TOML, then a line `+++`".into()))
    };
    let rest = text.strip_prefix("+++\n").ok_or_else(missing)?;
    let end = rest.find("\n+++").ok_or_else(missing)?;
    let body = rest[end + 4..].trim_start_matches('\n');
    Ok(Front { toml: rest[..=end].to_owned(), base: Base::At(4), body: body.to_owned(), kind: Kind::Prompt })
}

fn script(path: &str, text: &str) -> Result<Front, Diagnostic> {
    let (mut toml, mut starts, mut offset, mut inside, mut closed) = (String::new(), Vec::new(), 0, false, false);
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end();
        if !inside && bare == "# /// program" {
            inside = true;
        } else if inside && bare == "# ///" {
            closed = true;
            break;
        } else if inside {
            let Some(content) = bare.strip_prefix('#') else {
                return Err(Diagnostic::at(path, text, offset, "a line of the front matter does not start with `#`")
                    .hint(Some("close the block with a line `# ///`".into())));
            };
            let content = content.strip_prefix(' ').unwrap_or(content);
            starts.push(offset + (bare.len() - content.len()));
            toml.push_str(content);
            toml.push('\n');
        }
        offset += line.len();
    }
    if !closed {
        return Err(Diagnostic::at(path, text, 0, "no front matter")
            .hint(Some("start with a line `# /// program`, then TOML in comment lines, then a line `# ///`".into())));
    }
    Ok(Front { toml, base: Base::Lines(starts), body: text.to_owned(), kind: Kind::Script })
}

/// What TOML cannot say: names, ranges.
fn inspect(path: &str, text: &str, stem: &str, manifest: &Manifest) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    let mut at = |needle: &str, message: String, hint: &str| {
        let offset = text.find(needle).unwrap_or(0);
        problems.push(Diagnostic::at(path, text, offset, message).hint(Some(hint.to_owned())));
    };
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if stem.is_empty() || !stem.chars().all(plain) {
        at("", format!("`{stem}` is not a program name"), "use lower-case letters, digits and hyphens");
    }
    if manifest.role.trim().is_empty() {
        at("role", "the role is empty".into(), "say in one sentence what the program does");
    }
    for (target, prior) in &manifest.next {
        if !(0.0..=1.0).contains(prior) {
            at("next", format!("the prior of {target} is {prior}"), "priors lie between 0 and 1");
        }
    }
    if !(0.0..=1.0).contains(&manifest.prior) {
        at("prior", format!("the prior is {}", manifest.prior), "priors lie between 0 and 1");
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCRIPT: &str = "# /// program\n# role = \"Adds\"\n# contract = \"solver\"\n# writes = [\"draft\"]\n# ///\ndef run(task, memory, params):\n    return {}\n";

    #[test]
    fn each_file_type_gives_its_kind() {
        let script = parse_program("programs/adder.py", SCRIPT).unwrap();
        assert_eq!((script.name.as_str(), script.kind), ("adder", Kind::Script));
        let prompt =
            parse_program("p/critic.md", "+++\nrole = \"r\"\ncontract = \"critic\"\n+++\n\nCheck it.\n").unwrap();
        assert_eq!((prompt.kind, &*prompt.body), (Kind::Prompt, "Check it.\n"));
        let model =
            parse_program("p/class.toml", "[program]\nrole = \"r\"\ncontract = \"worker\"\n[weights]\na = [1.0]\n")
                .unwrap();
        assert_eq!(model.kind, Kind::Model);
    }

    #[test]
    fn a_test_is_added_and_nothing_else_changes() {
        let test = ProgramTest {
            query: "Solve \"x\" = 1".into(),
            memory: vec![[(crate::model::Section::new("reading"), serde_json::json!({ "a": [1, "b"] }))].into()],
            expect: [("satisfies".to_owned(), true.into())].into(),
        };
        let text = with_test("adder.py", SCRIPT, &test).unwrap();
        assert_eq!(parse_program("adder.py", &text).unwrap().manifest.tests, vec![test.clone()]);
        let twice = with_test("adder.py", &text, &test).unwrap();
        assert_eq!(parse_program("adder.py", &twice).unwrap().manifest.tests, vec![test.clone(), test]);
        assert!(twice.ends_with(&SCRIPT[SCRIPT.find("# ///\ndef").unwrap()..]));
    }

    #[test]
    fn mistakes_are_placed_with_a_hint() {
        let check = |path: &str, text: &str, line: usize, column: usize, message: &str, hint: &str| {
            let found = &parse_program(path, text).unwrap_err()[0];
            assert_eq!((found.line, found.column), (line, column), "{found}");
            assert!(found.message.contains(message), "{found}");
            assert!(found.hint.as_deref().unwrap_or_default().contains(hint), "{found}");
        };
        check("a.py", &SCRIPT.replace("writes", "wirtes"), 4, 3, "unknown field", "did you mean `writes`?");
        check("a.py", &SCRIPT.replace("solver", "solvr"), 3, 14, "unknown variant", "did you mean `solver`?");
        check("a.py", "def run():\n  pass\n", 1, 1, "no front matter", "# /// program");
        check("A b.py", SCRIPT, 1, 1, "not a program name", "lower-case");
        check("a.rb", SCRIPT, 1, 1, "ends in `.rb`", "scripts in .py");
    }
}
