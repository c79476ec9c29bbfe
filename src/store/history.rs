//! The revisions of a network, and what each of them lays over the base files.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use imbl::OrdMap;
use serde::{Deserialize, Serialize};

use super::StoreError;
use crate::model::{Change, ProposalId, Revision};

/// A line longer than this, in bytes, is no revision.
const LONGEST: u64 = 256 << 20;

/// One line of the history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Entry {
    /// The revision.
    #[serde(flatten)]
    pub(crate) revision: Revision,
    /// The revision whose content came back with it, 0 for the base.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) reverts: Option<u32>,
    /// The proposal whose decision was taken back with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) reopens: Option<ProposalId>,
}

/// A file as accepted changes left it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Piece {
    /// The base's text when it was first changed; none where there was no such file.
    pub(crate) origin: Option<Arc<str>>,
    /// The text now; none where it was removed.
    pub(crate) text: Option<Arc<str>>,
}

/// Everything that lies over the base, by path.
pub(crate) type Overlay = OrdMap<String, Piece>;

/// The history as far as it was read.
#[derive(Clone, Debug)]
pub(crate) struct History {
    path: PathBuf,
    /// Where the next line starts.
    offset: u64,
    entries: Vec<Entry>,
    /// What lies over the base after so many revisions; one longer than the entries.
    overlays: Vec<Overlay>,
    by_proposal: BTreeMap<ProposalId, u32>,
}

/// What stands behind the last sound line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rest {
    /// Nothing, or lines that were not asked for.
    Clean,
    /// A line that was cut off.
    Torn,
}

impl History {
    pub(crate) fn new(path: PathBuf) -> Self {
        Self { path, offset: 0, entries: Vec::new(), overlays: vec![Overlay::new()], by_proposal: BTreeMap::new() }
    }

    /// Number of the last revision, 0 for none.
    pub(crate) fn len(&self) -> u32 {
        u32::try_from(self.entries.len()).unwrap_or(u32::MAX)
    }

    pub(crate) fn revisions(&self) -> impl DoubleEndedIterator<Item = &Revision> {
        self.entries.iter().map(|entry| &entry.revision)
    }

    /// What lies over the base after this many revisions.
    pub(crate) fn overlay(&self, number: u32) -> Option<&Overlay> {
        self.overlays.get(number as usize)
    }

    /// What lies over the base now.
    pub(crate) fn present(&self) -> Overlay {
        self.overlays.last().cloned().unwrap_or_default()
    }

    /// The revision that a proposal became; none where that was taken back.
    pub(crate) fn of_proposal(&self, id: &ProposalId) -> Option<&Revision> {
        let number = self.by_proposal.get(id)?;
        self.entries.get(*number as usize - 1).map(|entry| &entry.revision)
    }

    /// The proposal that the last revision decided, or whose decision it took back.
    pub(crate) fn last_proposal(&self) -> Option<&ProposalId> {
        let last = self.entries.last()?;
        last.reopens.as_ref().or(last.revision.proposal.as_ref())
    }

    /// Reads on, until there are `upto` revisions or no more lines.
    pub(crate) fn read_on(&mut self, upto: u32) -> Result<Rest, StoreError> {
        if self.len() >= upto {
            return Ok(Rest::Clean);
        }
        let mut file = match File::open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Rest::Clean),
            Err(error) => return Err(StoreError::io("read", &self.path)(error)),
        };
        file.seek(SeekFrom::Start(self.offset)).map_err(StoreError::io("read", &self.path))?;
        let mut input = BufReader::new(file);
        let mut line = Vec::new();
        while self.len() < upto {
            line.clear();
            let read = input.by_ref().take(LONGEST).read_until(b'\n', &mut line);
            if read.map_err(StoreError::io("read", &self.path))? == 0 {
                break;
            }
            let number = u64::from(self.len()) + 1;
            let entry = match line.ends_with(b"\n") {
                true => serde_json::from_slice::<Entry>(&line).map_err(|error| format!("not a revision: {error}")),
                false => Err("a line that was cut off".into()),
            };
            match entry.and_then(|entry| self.take_in(entry)) {
                Ok(()) => self.offset += line.len() as u64,
                Err(why) => {
                    let more = input.fill_buf().map_err(StoreError::io("read", &self.path))?;
                    return match more.is_empty() {
                        true => Ok(Rest::Torn),
                        false => Err(StoreError::damaged(&self.path, number, why)),
                    };
                }
            }
        }
        Ok(Rest::Clean)
    }

    /// Removes whatever stands behind the last sound line. For the holder of the lock.
    pub(crate) fn cut(&self) -> Result<(), StoreError> {
        let file = File::options().write(true).open(&self.path).map_err(StoreError::io("write", &self.path))?;
        file.set_len(self.offset).map_err(StoreError::io("write", &self.path))
    }

    /// Writes one more revision. It is on the disk when this returns. For the holder of the lock, who has read everything.
    pub(crate) fn append(&mut self, entry: Entry) -> Result<(), StoreError> {
        let error = |error| StoreError::io("write", &self.path)(error);
        let mut line = serde_json::to_vec(&entry).map_err(|why| error(why.into()))?;
        line.push(b'\n');
        let mut file = File::options().create(true).append(true).open(&self.path).map_err(error)?;
        if let Err(why) = file.write_all(&line).and_then(|()| file.sync_all()) {
            let _ = file.set_len(self.offset);
            return Err(error(why));
        }
        self.take_in(entry).map_err(|why| StoreError::damaged(&self.path, u64::from(self.len()) + 1, why))?;
        self.offset += line.len() as u64;
        Ok(())
    }

    fn take_in(&mut self, entry: Entry) -> Result<(), String> {
        let number = self.len() + 1;
        if entry.revision.number != number {
            return Err(format!("revision {} stands where {number} should", entry.revision.number));
        }
        let overlay = match entry.reverts {
            Some(to) => {
                self.overlay(to).cloned().ok_or_else(|| format!("it goes back to revision {to}, which came later"))?
            }
            None => lay(self.present(), &entry.revision.changes),
        };
        if let Some(proposal) = &entry.revision.proposal {
            self.by_proposal.insert(proposal.clone(), entry.revision.number);
        }
        if let Some(proposal) = &entry.reopens {
            self.by_proposal.remove(proposal);
        }
        self.overlays.push(overlay);
        self.entries.push(entry);
        Ok(())
    }
}

/// Lays changes over what lies there; a file that comes back to its origin follows the base again.
pub(crate) fn lay(mut overlay: Overlay, changes: &[Change]) -> Overlay {
    for Change { path, before, after } in changes {
        let origin = overlay.get(path).map_or_else(|| before.clone(), |piece| piece.origin.clone());
        if origin == *after {
            overlay.remove(path);
        } else {
            overlay.insert(path.clone(), Piece { origin, text: after.clone() });
        }
    }
    overlay
}

/// Where a file of history stands in a library's folder.
pub(crate) fn file_in(folder: &Path) -> PathBuf {
    folder.join("revisions.jsonl")
}
