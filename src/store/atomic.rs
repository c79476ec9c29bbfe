//! Small files that are replaced whole, or not at all.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use super::StoreError;

/// Replaces a file's content in one step: a reader sees the old one or the new one, also after a crash.
///
/// Writers of one file must hold a lock: they share the name of the new file until it is renamed.
pub(crate) fn replace(path: &Path, content: &[u8]) -> Result<(), StoreError> {
    let new = path.with_added_extension("new");
    let mut file = File::create(&new).map_err(StoreError::io("write", &new))?;
    file.write_all(content).map_err(StoreError::io("write", &new))?;
    file.sync_all().map_err(StoreError::io("write", &new))?;
    fs::rename(&new, path).map_err(StoreError::io("write", path))?;
    if let Some(folder) = path.parent() {
        sync_folder(folder);
    }
    Ok(())
}

/// Makes names in a folder last. Where a platform cannot, the names last all the same, or a little later.
pub(crate) fn sync_folder(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

/// Makes a folder and those above it.
pub(crate) fn make_folder(path: &Path) -> Result<(), StoreError> {
    fs::create_dir_all(path).map_err(StoreError::io("make", path))
}
