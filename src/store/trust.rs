//! Which networks of projects the user has accepted, by the hash of what they hold.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;

use super::StoreError;
use super::atomic::make_folder;
use super::folder::Files;
use crate::model::{Network, RevisionId};

/// Hash of everything that a folder holds: any change asks anew.
pub(crate) fn hash(files: &Files) -> RevisionId {
    Network::revision_of(files.iter().map(|(path, text)| (path.as_str(), text.as_str())))
}

/// Whether the list names the hash.
pub(crate) fn is_trusted(list: &Path, hash: &RevisionId) -> bool {
    let text = fs::read_to_string(list).unwrap_or_default();
    text.lines().any(|line| line.split_whitespace().next() == Some(hash.as_str()))
}

/// Adds a hash to the list, with the folder as a remark for people.
pub(crate) fn add(list: &Path, hash: &RevisionId, folder: &Path) -> Result<(), StoreError> {
    if is_trusted(list, hash) {
        return Ok(());
    }
    if let Some(parent) = list.parent() {
        make_folder(parent)?;
    }
    let mut file = OpenOptions::new().create(true).append(true).open(list).map_err(StoreError::io("write", list))?;
    let remark = folder.to_string_lossy().replace(['\n', '\r'], " ");
    file.write_all(format!("{hash} {remark}\n").as_bytes()).map_err(StoreError::io("write", list))?;
    file.sync_all().map_err(StoreError::io("write", list))
}
