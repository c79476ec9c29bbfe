//! The queue of proposals: one file each, replaced whole.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::StoreError;
use super::atomic::{make_folder, replace};
use super::error::plain_name;
use super::head::Stamp;
use crate::model::{Decision, Diagnostic, Proposal, ProposalId, ProposalStatus};

/// A proposal as its file holds it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Record {
    /// Position in the queue, from 1.
    pub(crate) number: u64,
    /// When it was raised, milliseconds since 1970.
    pub(crate) at: u64,
    /// Where it stands.
    pub(crate) status: ProposalStatus,
    /// How it was decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) decision: Option<Decision>,
    /// The proposal.
    pub(crate) proposal: Proposal,
}

/// The folder of proposals, with what was read of it.
#[derive(Debug)]
pub(crate) struct Queue {
    folder: PathBuf,
    read: Mutex<BTreeMap<String, (Stamp, Arc<Record>)>>,
}

impl Queue {
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self { folder, read: Mutex::new(BTreeMap::new()) }
    }

    /// The record of a proposal. A file is read again only when it was replaced.
    pub(crate) fn get(&self, id: &ProposalId) -> Result<Option<Arc<Record>>, StoreError> {
        self.load(&self.file(id)?, id.as_str())
    }

    /// All records that can be read, oldest first. One damaged file does not hide the rest; [`Queue::damaged`] names it.
    pub(crate) fn all(&self) -> Result<Vec<Arc<Record>>, StoreError> {
        Ok(self.look()?.0)
    }

    /// What cannot be read of the queue.
    pub(crate) fn damaged(&self) -> Result<Vec<Diagnostic>, StoreError> {
        Ok(self.look()?.1)
    }

    fn look(&self) -> Result<(Vec<Arc<Record>>, Vec<Diagnostic>), StoreError> {
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok((Vec::new(), Vec::new())),
            Err(error) => return Err(StoreError::io("read", &self.folder)(error)),
        };
        let (mut records, mut damaged) = (Vec::new(), Vec::new());
        for entry in entries {
            let entry = entry.map_err(StoreError::io("read", &self.folder))?;
            let name = entry.file_name();
            if let Some(id) = name.to_str().and_then(|name| name.strip_suffix(".json")) {
                match self.load(&entry.path(), id) {
                    Ok(record) => records.extend(record),
                    Err(StoreError::Damaged { path, why, .. }) => {
                        let hint = "move the file away; a fault that still shows is proposed anew".to_owned();
                        damaged.push(Diagnostic::at(&path.to_string_lossy(), "", 0, why).hint(Some(hint)));
                    }
                    Err(error) => return Err(error),
                }
            }
        }
        records.sort_by(|a, b| (a.number, &a.proposal.id).cmp(&(b.number, &b.proposal.id)));
        Ok((records, damaged))
    }

    /// Writes a record. For the holder of the lock.
    pub(crate) fn put(&self, record: &Record) -> Result<(), StoreError> {
        let path = self.file(&record.proposal.id)?;
        make_folder(&self.folder)?;
        let text = serde_json::to_vec_pretty(record);
        replace(&path, &text.map_err(|error| StoreError::io("write", &path)(error.into()))?)
    }

    /// Where a proposal's file is.
    pub(crate) fn file(&self, id: &ProposalId) -> Result<PathBuf, StoreError> {
        Ok(self.folder.join(format!("{}.json", plain_name("proposal", id.as_str())?)))
    }

    fn load(&self, path: &Path, id: &str) -> Result<Option<Arc<Record>>, StoreError> {
        let Some(stamp) = Stamp::of(path) else { return Ok(None) };
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, record)) = read.get(id).filter(|(known, _)| *known == stamp) {
            return Ok(Some(record.clone()));
        }
        let text = fs::read(path).map_err(StoreError::io("read", path))?;
        let record: Record = serde_json::from_slice(&text)
            .map_err(|error| StoreError::damaged(path, error.line() as u64, format!("not a proposal: {error}")))?;
        let record = Arc::new(record);
        read.insert(id.to_owned(), (stamp, record.clone()));
        Ok(Some(record))
    }
}
