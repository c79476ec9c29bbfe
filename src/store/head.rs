//! The pointer to a network's present revision, and how to see cheaply that a file was replaced.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

use super::StoreError;
use super::atomic::replace;
use crate::model::RevisionId;

/// What the file system says about a file's content without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    modified: Option<SystemTime>,
    length: u64,
    node: u64,
}

impl Stamp {
    /// Looks at a file; none where there is none.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let meta = fs::metadata(path).ok()?;
        #[cfg(unix)]
        let node = std::os::unix::fs::MetadataExt::ino(&meta);
        #[cfg(not(unix))]
        let node = 0;
        Some(Self { modified: meta.modified().ok(), length: meta.len(), node })
    }
}

/// How many revisions are in force; 0 where nothing says so.
pub(crate) fn read(path: &Path) -> u32 {
    let text = fs::read_to_string(path).unwrap_or_default();
    text.split_whitespace().next().and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// Points to a revision.
pub(crate) fn write(path: &Path, number: u32, id: &RevisionId) -> Result<(), StoreError> {
    replace(path, format!("{number} {id}\n").as_bytes())
}
