//! Reads a network's folder, within bounds.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use include_dir::Dir;

use super::StoreError;
use crate::model::Diagnostic;

/// Files of one network, by path with `/` in its folder.
pub(crate) type Files = BTreeMap<String, String>;

/// Folders within folders.
const DEPTH: usize = 4;
/// Files of one network.
const COUNT: usize = 2_000;
/// Bytes of one file.
const SIZE: u64 = 4 << 20;
/// Bytes of all files.
const TOTAL: u64 = 64 << 20;

/// Reads every text file below a folder. Hidden files, files that are no text and links that lead out of the folder are left
/// out; the latter two with a warning.
///
/// # Errors
/// When the folder cannot be read or holds more than a network may.
pub(crate) fn read(root: &Path) -> Result<(Files, Vec<Diagnostic>), StoreError> {
    let root = root.canonicalize().map_err(StoreError::io("read", root))?;
    let mut reading = Reading { root: &root, files: Files::new(), warnings: Vec::new(), total: 0 };
    reading.folder(&root, "", 0)?;
    Ok((reading.files, reading.warnings))
}

struct Reading<'a> {
    root: &'a Path,
    files: Files,
    warnings: Vec<Diagnostic>,
    total: u64,
}

impl Reading<'_> {
    fn folder(&mut self, folder: &Path, prefix: &str, depth: usize) -> Result<(), StoreError> {
        let too_much = |what: String| StoreError::damaged(self.root, 0, format!("a network may hold at most {what}"));
        if depth > DEPTH {
            return Err(too_much(format!("{DEPTH} folders within each other")));
        }
        let entries = fs::read_dir(folder).map_err(StoreError::io("read", folder))?;
        let mut names = Vec::new();
        for entry in entries.take(COUNT + 1) {
            names.push(entry.map_err(StoreError::io("read", folder))?.file_name());
        }
        names.sort();
        if names.len() + self.files.len() > COUNT {
            return Err(too_much(format!("{COUNT} files")));
        }
        for name in names {
            let path = folder.join(&name);
            let Some(name) = name.to_str() else {
                self.warn(&format!("{prefix}{}", name.to_string_lossy()), "its name is not UTF-8");
                continue;
            };
            if name.starts_with('.') {
                continue;
            }
            let own = format!("{prefix}{name}");
            let target = path.canonicalize().map_err(StoreError::io("read", &path));
            match target {
                Ok(target) if target.starts_with(self.root) => {}
                Ok(_) => {
                    self.warn(&own, "it is a link that leads out of the folder");
                    continue;
                }
                Err(error) => {
                    self.warn(&own, &error.to_string());
                    continue;
                }
            }
            let meta = fs::metadata(&path).map_err(StoreError::io("read", &path))?;
            if meta.is_dir() {
                self.folder(&path, &format!("{own}/"), depth + 1)?;
            } else if meta.is_file() {
                self.file(&path, own, meta.len())?;
            }
        }
        Ok(())
    }

    fn file(&mut self, path: &Path, own: String, size: u64) -> Result<(), StoreError> {
        self.total = self.total.saturating_add(size);
        if size > SIZE || self.total > TOTAL {
            let most = format!("{} MiB in a file and {} MiB in all", SIZE >> 20, TOTAL >> 20);
            return Err(StoreError::damaged(path, 0, format!("a network may hold at most {most}")));
        }
        match String::from_utf8(fs::read(path).map_err(StoreError::io("read", path))?) {
            Ok(text) => {
                self.files.insert(own, text);
            }
            Err(_) => self.warn(&own, "it is not UTF-8"),
        }
        Ok(())
    }

    fn warn(&mut self, own: &str, why: &str) {
        let path = self.root.join(own);
        self.warnings.push(Diagnostic::at(&path.to_string_lossy(), "", 0, format!("left out: {why}")).warning());
    }
}

/// The text files below a folder of the binary.
pub(crate) fn embedded(root: &Dir<'_>) -> Files {
    let mut files = Files::new();
    let mut open = vec![root.clone()];
    while let Some(dir) = open.pop() {
        open.extend(dir.dirs().cloned());
        for file in dir.files() {
            let path = file.path().strip_prefix(root.path()).unwrap_or(file.path());
            let parts: Vec<_> = path.components().map(|part| part.as_os_str().to_string_lossy()).collect();
            if let (Some(text), false) = (file.contents_utf8(), parts.iter().any(|part| part.starts_with('.'))) {
                files.insert(parts.join("/"), text.to_owned());
            }
        }
    }
    files
}
