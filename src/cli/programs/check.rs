//! `mop programs check`: everything that is wrong or odd in a network's files.

use std::path::{Path, PathBuf};

use crate::model::{Diagnostic, Severity, parse_program};
use crate::setup::{App, Works};
use crate::store::{Source, StoreError};

use super::super::failure::Failure;
use super::super::text::{block, count};
use super::super::{exit, out, run};
use super::lint;

const OWN: &str = "network.toml";

/// Prints all diagnostics; errors give exit code 2.
pub(super) fn run(app: &App, path: Option<&Path>) -> Result<u8, Failure> {
    let (what, problems) = match path {
        Some(path) if path.is_file() => file(app, path)?,
        Some(path) => network(app, &outright(path))?,
        None => network(app, app.config.network())?,
    };
    for problem in &problems {
        out::line(block(&problem.to_string()));
    }
    let errors = problems.iter().filter(|problem| problem.severity == Severity::Error).count();
    let (errors_text, warnings) = (count(errors, "error"), count(problems.len() - errors, "warning"));
    out::line(format!("{}: {errors_text}, {warnings}", block(&what)));
    Ok(if errors == 0 { exit::DONE } else { exit::USAGE })
}

/// The folder as a path even where it is one word, which would be a network's name elsewhere.
fn outright(path: &Path) -> String {
    if path.is_dir() {
        Path::new(".").join(path).to_string_lossy().into_owned()
    } else {
        path.to_string_lossy().into_owned()
    }
}

fn network(app: &App, name: &str) -> Result<(String, Vec<Diagnostic>), Failure> {
    let works = match app.works(name) {
        Ok(works) => works,
        Err(StoreError::Network { name, problems }) => return Ok((name, problems)),
        Err(_) => run::works(app, name)?,
    };
    Ok((works.name.clone(), all(&works)?))
}

fn all(works: &Works) -> Result<Vec<Diagnostic>, Failure> {
    let mut problems = works.diagnostics()?;
    problems.extend(lint::lint(works));
    let folder = match &works.source {
        Source::Folder(folder) | Source::Project(folder) | Source::User(folder) => Some(folder),
        Source::Bundled => None,
    };
    for problem in &mut problems {
        let own = problem.path.strip_prefix(&format!("{}/", works.name)).map(ToOwned::to_owned);
        if let (Some(own), Some(folder)) = (own, folder) {
            let place = folder.join(&own);
            if place.is_file() {
                problem.path = shown(&place);
            }
        }
    }
    problems.sort_by(|a, b| (&a.path, a.line, a.column).cmp(&(&b.path, b.line, b.column)));
    problems.dedup();
    Ok(problems)
}

/// One file: in the light of its network where it stands in one, else by itself.
fn file(app: &App, path: &Path) -> Result<(String, Vec<Diagnostic>), Failure> {
    let whole = path.canonicalize().map_err(|error| {
        Failure::usage(
            format!("{} cannot be read: {error}", path.display()),
            "give a network's folder or one of its files",
        )
    })?;
    let what = shown(&whole);
    if let Some(folder) = whole.parent().filter(|folder| folder.join(OWN).is_file()) {
        let (_, mut problems) = network(app, &folder.to_string_lossy())?;
        let name = folder.file_name().map(PathBuf::from).unwrap_or_default();
        let own = whole.file_name().map(|file| name.join(file)).unwrap_or_default();
        problems.retain(|problem| problem.path == what || Path::new(&problem.path) == own);
        return Ok((what, problems));
    }
    let text = std::fs::read_to_string(&whole)
        .map_err(|error| Failure::usage(format!("{} cannot be read: {error}", path.display()), "give a text file"))?;
    Ok((what.clone(), parse_program(&what, &text).err().unwrap_or_default()))
}

/// A path as people call it: from the present folder where it lies below.
fn shown(path: &Path) -> String {
    let here = std::env::current_dir().and_then(|here| here.canonicalize());
    let below = here.ok().and_then(|here| path.strip_prefix(here).ok().map(Path::to_owned));
    below.unwrap_or_else(|| path.to_owned()).display().to_string()
}
