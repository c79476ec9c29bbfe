//! Where networks come from: a folder named outright, the project, the user's configuration, the binary.

use std::fmt;
use std::path::{Path, PathBuf};

use include_dir::{Dir, include_dir};

use super::config::MODELS_NETWORK;
use super::error::plain_name;
use super::folder::{self, Files};
use super::{Paths, StoreError, trust};
use crate::model::{Diagnostic, NetworkFile, did_you_mean, is_program};

static BUNDLED: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/programs");
const FILE: &str = "network.toml";
/// Networks in a chain of `extends`, the first included.
const CHAIN: usize = 4;

/// Where a network was found.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// A folder that was named outright.
    Folder(PathBuf),
    /// The project's `.mop/networks`, accepted by the user.
    Project(PathBuf),
    /// The user's configuration.
    User(PathBuf),
    /// The binary.
    Bundled,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(path) | Self::Project(path) | Self::User(path) => path.display().fmt(f),
            Self::Bundled => f.pad("bundled"),
        }
    }
}

/// The files of a network and of those it extends.
#[derive(Clone, Debug, PartialEq)]
pub struct SourcedNetwork {
    /// Its name: that of its folder.
    pub name: String,
    /// Where it was found.
    pub source: Source,
    /// Files by path, the most basic network's first: what [`crate::model::assemble`] takes.
    pub layers: Vec<Files>,
    /// Files that were left out.
    pub warnings: Vec<Diagnostic>,
}

/// All sources of networks.
#[derive(Clone, Debug)]
pub struct Networks {
    project: PathBuf,
    user: PathBuf,
    trusted: PathBuf,
    bundled: Dir<'static>,
}

impl Networks {
    /// The sources of a user in a project; `project` is the folder that holds `.mop`.
    #[must_use]
    pub fn new(paths: &Paths, project: &Path) -> Self {
        Self {
            project: project.join(".mop").join("networks"),
            user: paths.networks(),
            trusted: paths.trusted(),
            bundled: BUNDLED.clone(),
        }
    }

    /// Finds a network by its name, or by the path of its folder: anything with a separator in it, or `.`.
    ///
    /// # Errors
    /// When there is none, it came with a project and was not accepted, or its `extends` leads nowhere.
    pub fn find(&self, name: &str) -> Result<SourcedNetwork, StoreError> {
        let is_path = name.contains(std::path::is_separator) || name.starts_with('.');
        let first = if is_path { self.folder(Path::new(name)) } else { self.named(name, 0) };
        // A folder of that name that the user stands beside is meant where no network is called so.
        let beside = Path::new(name);
        let first = match first {
            Err(StoreError::Unknown { .. }) if !is_path && beside.join(FILE).is_file() => self.folder(beside),
            found => found,
        };
        self.chain(first?)
    }

    /// Names of all networks with their sources, in the order in which they are found; a name may come twice, the first
    /// counts.
    #[must_use]
    pub fn list(&self) -> Vec<(String, Source)> {
        let below = |root: &Path, source: fn(PathBuf) -> Source| -> Vec<(String, Source)> {
            let entries = std::fs::read_dir(root).into_iter().flatten().filter_map(Result::ok);
            let mut found: Vec<_> = entries
                .filter(|entry| entry.path().join(FILE).is_file())
                .filter_map(|entry| Some((entry.file_name().to_str()?.to_owned(), source(entry.path()))))
                .collect();
            found.sort();
            found
        };
        let mut all = below(&self.project, Source::Project);
        all.extend(below(&self.user, Source::User));
        all.extend(
            self.bundled
                .dirs()
                .filter(|dir| dir.get_file(dir.path().join(FILE)).is_some())
                .filter_map(|dir| Some((dir.path().file_name()?.to_str()?.to_owned(), Source::Bundled))),
        );
        all
    }

    /// Whether the network that is made for models is there, without anybody having to accept it first.
    #[must_use]
    pub fn has_one_for_models(&self) -> bool {
        self.named(MODELS_NETWORK, 0).is_ok()
    }

    /// Accepts what a project's network holds now. Any later change of it asks anew.
    ///
    /// # Errors
    /// When the folder cannot be read, or the acceptance cannot be remembered.
    pub fn trust(&self, folder: &Path) -> Result<(), StoreError> {
        let (files, _) = folder::read(folder)?;
        trust::add(&self.trusted, &trust::hash(&files), folder)
    }

    fn folder(&self, path: &Path) -> Result<Found, StoreError> {
        let whole = path.canonicalize().map_err(StoreError::io("read", path))?;
        let name = whole.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let name = plain_name("network", name)?.to_owned();
        let (files, warnings) = folder::read(&whole)?;
        if !files.contains_key(FILE) {
            let hint = "give a folder that holds a network.toml".to_owned();
            return Err(StoreError::Unknown { what: "network in folder", name: path.display().to_string(), hint });
        }
        let users = self.user.join(&name).canonicalize().is_ok_and(|user| user == whole);
        Ok(Found { name, rank: if users { 2 } else { 0 }, source: Source::Folder(whole), files, warnings })
    }

    /// Finds a network by name in the sources of at least this rank.
    fn named(&self, name: &str, rank: usize) -> Result<Found, StoreError> {
        plain_name("network", name)?;
        let (project, user) = (self.project.join(name), self.user.join(name));
        if rank <= 1 && project.join(FILE).is_file() {
            let (files, warnings) = folder::read(&project)?;
            if !trust::is_trusted(&self.trusted, &trust::hash(&files)) {
                return Err(StoreError::Untrusted { path: project });
            }
            return Ok(Found { name: name.to_owned(), rank: 1, source: Source::Project(project), files, warnings });
        }
        if rank <= 2 && user.join(FILE).is_file() {
            let (files, warnings) = folder::read(&user)?;
            return Ok(Found { name: name.to_owned(), rank: 2, source: Source::User(user), files, warnings });
        }
        if let (true, Some(dir)) = (rank <= 3, self.bundled.get_dir(name)) {
            let files = folder::embedded(dir);
            return Ok(Found { name: name.to_owned(), rank: 3, source: Source::Bundled, files, warnings: Vec::new() });
        }
        Err(StoreError::Unknown { what: "network", name: name.to_owned(), hint: self.hint(name) })
    }

    fn hint(&self, name: &str) -> String {
        if Path::new(name).join(FILE).is_file() {
            return format!("to use the folder of that name, write ./{name}");
        }
        let known: Vec<String> = self.list().into_iter().map(|(name, _)| name).collect();
        did_you_mean(name, known.iter().map(String::as_str)).unwrap_or_else(|| match known.is_empty() {
            true => "give the path of a folder that holds a network.toml".into(),
            false => format!("there are: {}", known.join(", ")),
        })
    }

    /// Follows `extends`. A network that extends one of its own name means that of a later source.
    fn chain(&self, first: Found) -> Result<SourcedNetwork, StoreError> {
        let wrong = |why: String| StoreError::Extends { name: first.name.clone(), why };
        let (name, source) = (first.name.clone(), first.source.clone());
        let mut visited = vec![(first.source.clone(), first.name.clone())];
        let mut layers = vec![first.files.clone()];
        let mut warnings = first.warnings.clone();
        let (mut at, mut rank) = (first.name.clone(), first.rank);
        while let Some(base) = extends(&at, layers.last())? {
            let found = self.named(&base, if base == at { rank + 1 } else { 0 }).map_err(|error| match error {
                StoreError::Unknown { hint, .. } => wrong(format!("it extends `{base}`, which is not there; {hint}")),
                other => other,
            })?;
            let step = (found.source, base.clone());
            let way =
                || visited.iter().map(|(_, name)| name.as_str()).chain([base.as_str()]).collect::<Vec<_>>().join(" → ");
            if visited.contains(&step) {
                return Err(wrong(format!("it extends itself: {}", way())));
            }
            if layers.len() >= CHAIN {
                return Err(wrong(format!("more than {CHAIN} networks extend each other: {}", way())));
            }
            visited.push(step);
            layers.push(found.files);
            warnings.extend(found.warnings);
            (at, rank) = (base, found.rank);
        }
        layers.reverse();
        warnings.extend(renamed(&name, &mut layers));
        Ok(SourcedNetwork { name, source, layers, warnings })
    }
}

struct Found {
    name: String,
    rank: usize,
    source: Source,
    files: Files,
    warnings: Vec<Diagnostic>,
}

fn extends(name: &str, files: Option<&Files>) -> Result<Option<String>, StoreError> {
    let Some(text) = files.and_then(|files| files.get(FILE)) else { return Ok(None) };
    match NetworkFile::parse(&format!("{name}/{FILE}"), text) {
        Ok(file) => Ok(file.extends),
        Err(problem) => Err(StoreError::Network { name: name.to_owned(), problems: vec![problem] }),
    }
}

/// Gives programs of extended networks the names that the networks above them have for them. What cannot be renamed stays, with
/// a warning.
fn renamed(network: &str, layers: &mut [Files]) -> Vec<Diagnostic> {
    let mut warnings = Vec::new();
    for at in 1..layers.len() {
        let (below, above) = layers.split_at_mut(at);
        let Some(text) = above.first().and_then(|layer| layer.get(FILE)) else { continue };
        let path = format!("{network}/{FILE}");
        let Ok(file) = NetworkFile::parse(&path, text) else { continue };
        for (old, new) in &file.rename {
            let (old, new) = (old.as_str(), new.as_str());
            let stems: Vec<&str> = below.iter().flat_map(|layer| layer.keys()).filter_map(|path| stem(path)).collect();
            let message = if !stems.contains(&old) {
                format!("it renames `{old}`, and the network it extends has no such program")
            } else if stems.contains(&new) {
                format!("`{old}` cannot be called `{new}`: the network it extends has a program of that name")
            } else {
                for layer in below.iter_mut() {
                    let paths: Vec<String> = layer.keys().filter(|path| stem(path) == Some(old)).cloned().collect();
                    for path in paths {
                        let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
                        let renamed = format!("{new}.{ending}");
                        if let Some(text) = layer.remove(&path) {
                            layer.insert(renamed, text);
                        }
                    }
                }
                continue;
            };
            let hint = did_you_mean(old, stems.iter().copied()).filter(|_| !stems.contains(&old));
            let at = text.find(old).unwrap_or(0);
            warnings.push(Diagnostic::at(&path, text, at, message).hint(hint).warning());
        }
    }
    warnings
}

/// The name of the program in a file; nothing where it is no program's.
fn stem(path: &str) -> Option<&str> {
    is_program(path).then(|| path.rsplit_once('.').map(|(stem, _)| stem)).flatten()
}
