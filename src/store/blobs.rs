//! Large texts of a session, each stored once under its hash.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use super::StoreError;
use super::atomic::make_folder;
use crate::model::Hash;

/// Writes the blobs of one session; only the holder of the session's lock has it.
#[derive(Debug)]
pub(crate) struct Blobs {
    folder: PathBuf,
    known: HashSet<Hash>,
    fresh: Vec<File>,
}

impl Blobs {
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self { folder, known: HashSet::new(), fresh: Vec::new() }
    }

    /// Stores a text, unless it is stored already. It is with the operating system when this returns.
    pub(crate) fn keep(&mut self, text: &str) -> Result<Hash, StoreError> {
        let hash = Hash::of(text);
        if self.known.contains(&hash) {
            return Ok(hash);
        }
        let path = self.folder.join(hash.as_str());
        let whole = fs::metadata(&path).is_ok_and(|meta| meta.len() == text.len() as u64);
        if !whole {
            make_folder(&self.folder)?;
            let new = self.folder.join("new");
            let mut file = File::create(&new).map_err(StoreError::io("write", &new))?;
            file.write_all(text.as_bytes()).map_err(StoreError::io("write", &new))?;
            fs::rename(&new, &path).map_err(StoreError::io("write", &path))?;
            self.fresh.push(file);
        }
        self.known.insert(hash.clone());
        Ok(hash)
    }

    /// Files that were written since the last time, still to be synced.
    pub(crate) fn take_fresh(&mut self) -> Vec<File> {
        std::mem::take(&mut self.fresh)
    }
}

/// Reads a text again and checks that it is what was stored.
pub(crate) fn find(folder: &Path, hash: &str) -> Result<String, String> {
    if hash.len() != 64 || !hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(format!("`{}` is no hash of a text", hash.chars().take(70).collect::<String>()));
    }
    let path = folder.join(hash);
    let text = fs::read_to_string(&path).map_err(|error| format!("its text in {}: {error}", path.display()))?;
    if Hash::of(&text).as_str() != hash {
        return Err(format!("its text in {} was changed", path.display()));
    }
    Ok(text)
}
