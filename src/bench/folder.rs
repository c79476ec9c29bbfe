//! The folder of a bench: `bench.json` says what is asked, `ARM/answers.jsonl` what came of it, a line a question.

use std::collections::{BTreeMap, HashSet};
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::item::Item;
use super::plan::{Plan, Shard};

const PLAN: &str = "bench.json";
const ANSWERS: &str = "answers.jsonl";
/// Version of what is written.
pub(super) const FORMAT: u32 = 1;

/// What goes wrong with a bench as a whole.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// A file cannot be read or written.
    #[error("{path}: cannot be {what}: {source}")]
    Io {
        /// `read` or `written`.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The folder is not what it must be.
    #[error("{path}: {why}")]
    Folder {
        /// The folder or file.
        path: PathBuf,
        /// One clause.
        why: String,
        /// What to do next.
        hint: String,
    },
    /// A session could not go on at all.
    #[error(transparent)]
    Session(#[from] crate::engine::SessionError),
}

impl BenchError {
    fn io(what: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        move |source| Self::Io { what, path: path.to_owned(), source }
    }

    fn folder(path: &Path, why: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Folder { path: path.to_owned(), why: why.into(), hint: hint.into() }
    }

    /// What to do next.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        match self {
            Self::Folder { hint, .. } => Some(hint),
            Self::Io { .. } | Self::Session(_) => None,
        }
    }
}

/// A bench's folder, open for writing by this process alone.
#[derive(Debug)]
pub struct Folder {
    root: PathBuf,
    files: BTreeMap<String, File>,
    _lock: File,
}

impl Folder {
    /// Makes the folder of a new bench, or with `resume` goes on with one; gives what is finished already. A last line that a
    /// crash cut off is removed: that question is asked again.
    ///
    /// # Errors
    /// When there is a bench and `resume` is not wanted, when it is another bench, when another process writes it, or when it
    /// cannot be read or written.
    pub fn open(root: &Path, plan: &Plan, resume: bool) -> Result<(Self, Vec<Item>), BenchError> {
        fs::create_dir_all(root).map_err(BenchError::io("written", root))?;
        let path = root.join(PLAN);
        let there = path.exists();
        if there && !resume {
            let hint = "--resume goes on with it; --out names another folder";
            return Err(BenchError::folder(root, "there is a bench in it already", hint));
        }
        let mut lock = OpenOptions::new()
            .create(true)
            .read(true)
            .write(true)
            .truncate(false)
            .open(&path)
            .map_err(BenchError::io("written", &path))?;
        if lock.try_lock().is_err() {
            let hint = "wait until it has ended, or name another folder with --out";
            return Err(BenchError::folder(root, "another process is at work on this bench", hint));
        }
        let mut text = String::new();
        lock.read_to_string(&mut text).map_err(BenchError::io("read", &path))?;
        // A plan that was not written whole is of a bench that has asked nothing yet.
        match text.trim().is_empty() {
            false => compare(root, &parse(&path, &text)?, plan)?,
            true => write_plan(&mut lock, plan).map_err(BenchError::io("written", &path))?,
        }
        let (mut files, mut done) = (BTreeMap::new(), Vec::new());
        for arm in &plan.arms {
            let (file, items) = answers(&root.join(&arm.name))?;
            files.insert(arm.name.clone(), file);
            done.extend(items);
        }
        let done = unique(done);
        Ok((Self { root: root.to_owned(), files, _lock: lock }, done))
    }

    /// Adds a finished question. It is with the operating system when this returns.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add(&mut self, item: &Item) -> Result<(), BenchError> {
        let path = self.root.join(&item.arm).join(ANSWERS);
        let missing = || std::io::Error::from(ErrorKind::NotFound);
        let file = self.files.get_mut(&item.arm).ok_or_else(|| BenchError::io("written", &path)(missing()))?;
        let mut line = serde_json::to_vec(item).map_err(|error| BenchError::io("written", &path)(error.into()))?;
        line.push(b'\n');
        file.write_all(&line).map_err(BenchError::io("written", &path))
    }

    /// Writes a file of the folder.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(root: &Path, name: &str, text: &str) -> Result<PathBuf, BenchError> {
        let path = root.join(name);
        fs::create_dir_all(root).map_err(BenchError::io("written", root))?;
        fs::write(&path, text).map_err(BenchError::io("written", &path))?;
        Ok(path)
    }

    /// Reads a bench, without a lock.
    ///
    /// # Errors
    /// When there is none, or it cannot be read.
    pub fn read(root: &Path) -> Result<(Plan, Vec<Item>), BenchError> {
        let path = root.join(PLAN);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let hint = "name folders that `mop bench --out` has written";
                return Err(BenchError::folder(root, "there is no bench in it", hint));
            }
            Err(error) => return Err(BenchError::io("read", &path)(error)),
        };
        let plan = parse(&path, &text)?;
        let mut items = Vec::new();
        for arm in &plan.arms {
            let path = root.join(&arm.name).join(ANSWERS);
            match fs::read(&path) {
                Ok(bytes) => items.extend(whole_lines(&path, &bytes)?.0),
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(BenchError::io("read", &path)(error)),
            }
        }
        Ok((plan, unique(items)))
    }
}

/// Joins shards: one plan, and all items. Gives the shards that are missing too.
///
/// # Errors
/// When they are not parts of one bench, or a question was finished in two of them.
pub fn joined(folders: &[PathBuf]) -> Result<(Plan, Vec<Item>, Vec<Shard>), BenchError> {
    let mut whole: Option<Plan> = None;
    let (mut items, mut parts) = (Vec::<Item>::new(), Vec::new());
    let mut taken: HashSet<(String, String, u64)> = HashSet::new();
    for root in folders {
        let (plan, more) = Folder::read(root)?;
        if let Some(why) = whole.as_ref().and_then(|first| first.differs(&plan)) {
            let hint = "join only shards of one bench: the same suites, arms, seeds and limits";
            return Err(BenchError::folder(root, format!("is no shard of the same bench: {why}"), hint));
        }
        for item in &more {
            if !taken.insert((item.arm.clone(), item.id.clone(), item.seed)) {
                let why = format!("{} by {} was asked in a folder before too", item.id, item.arm);
                return Err(BenchError::folder(root, why, "name each shard once"));
            }
        }
        items.extend(more);
        parts.extend(plan.shard);
        whole.get_or_insert(plan);
    }
    let Some(mut plan) = whole else {
        return Err(BenchError::folder(Path::new("."), "there is nothing to join", "name folders of shards"));
    };
    let of = plan.shard.map_or(0, |shard| shard.of);
    let missing = (1..=of).map(|part| Shard { part, of }).filter(|shard| !parts.contains(shard)).collect();
    plan.shard = None;
    Ok((plan, items, missing))
}

fn parse(path: &Path, text: &str) -> Result<Plan, BenchError> {
    let hint = "name another folder with --out";
    let plan: Plan =
        serde_json::from_str(text).map_err(|error| BenchError::folder(path, format!("is no bench: {error}"), hint))?;
    if plan.v != FORMAT {
        return Err(BenchError::folder(path, format!("is of version {}, not {FORMAT}", plan.v), hint));
    }
    Ok(plan)
}

fn compare(root: &Path, old: &Plan, new: &Plan) -> Result<(), BenchError> {
    let hint = "give the arguments that it was begun with, or name another folder with --out";
    match new.differs(old) {
        Some(why) => Err(BenchError::folder(root, format!("is another bench: {why}"), hint)),
        None if old.shard != new.shard => {
            let name = |plan: &Plan| plan.shard.map_or("the whole".to_owned(), |shard| format!("shard {shard}"));
            let why = format!("is another part of the bench: it is {}, not {}", name(old), name(new));
            Err(BenchError::folder(root, why, hint))
        }
        None => Ok(()),
    }
}

fn write_plan(file: &mut File, plan: &Plan) -> std::io::Result<()> {
    let mut text = serde_json::to_string_pretty(plan)?;
    text.push('\n');
    file.seek(SeekFrom::Start(0))?;
    file.write_all(text.as_bytes())?;
    file.sync_data()
}

/// Opens the answers of an arm for more of them; what stands behind the last whole line is removed.
fn answers(folder: &Path) -> Result<(File, Vec<Item>), BenchError> {
    fs::create_dir_all(folder).map_err(BenchError::io("written", folder))?;
    let path = folder.join(ANSWERS);
    let mut file = OpenOptions::new()
        .create(true)
        .read(true)
        .append(true)
        .open(&path)
        .map_err(BenchError::io("written", &path))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(BenchError::io("read", &path))?;
    let (items, length) = whole_lines(&path, &bytes)?;
    file.set_len(length as u64).map_err(BenchError::io("written", &path))?;
    Ok((file, items))
}

/// The items of whole lines, and where the last of them ends.
fn whole_lines(path: &Path, bytes: &[u8]) -> Result<(Vec<Item>, usize), BenchError> {
    let length = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let mut items = Vec::new();
    for (at, line) in bytes[..length].split(|byte| *byte == b'\n').enumerate().filter(|(_, line)| !line.is_empty()) {
        let item = serde_json::from_slice(line).map_err(|error| {
            let hint = "remove that line, and the question is asked again with --resume";
            BenchError::folder(path, format!("line {}: is no answer: {error}", at + 1), hint)
        })?;
        items.push(item);
    }
    Ok((items, length))
}

/// Of several lines about one question the first counts.
fn unique(mut items: Vec<Item>) -> Vec<Item> {
    let mut known = HashSet::new();
    items.retain(|item| known.insert((item.arm.clone(), item.id.clone(), item.seed)));
    items
}
