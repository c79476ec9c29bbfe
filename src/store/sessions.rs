//! All sessions of a user, one folder each.

use std::fs;
use std::path::{Path, PathBuf};

use super::error::plain_name;
use super::fork::{self, ForkPoint};
use super::journal::{FileJournal, LOCK};
use super::lock::{Holder, Lock};
use super::reader::{Events, JOURNAL};
use super::summary::{self, Summary};
use super::{StoreError, session_id};
use crate::model::{Cycle, SessionId};

/// How many candidates an error names.
const NAMED: usize = 8;

/// The folder of all sessions.
#[derive(Clone, Debug)]
pub struct Sessions {
    root: PathBuf,
}

impl Sessions {
    /// Sessions in this folder, which need not exist yet.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// Makes an id that sorts by time; `now` is in milliseconds since 1970.
    #[must_use]
    pub fn new_id(&self, now: u64) -> SessionId {
        session_id::make(now)
    }

    /// Starts the journal of a new session.
    ///
    /// # Errors
    /// When there is a session of this id, or it cannot be written.
    pub fn create(&self, id: &SessionId) -> Result<FileJournal, StoreError> {
        let folder = self.folder(id)?;
        if folder.join(JOURNAL).exists() {
            return Err(StoreError::Exists { path: folder, hint: "resume that session, or take another id" });
        }
        FileJournal::open(&folder, id.as_str())
    }

    /// Opens the journal of a session to go on writing. A last line that was cut off is removed.
    ///
    /// # Errors
    /// When there is no such session, another process writes it, or its end is damaged.
    pub fn open(&self, id: &SessionId) -> Result<FileJournal, StoreError> {
        FileJournal::open(&self.existing(id)?, id.as_str())
    }

    /// The events of a session, oldest first. Needs no lock.
    ///
    /// # Errors
    /// When there is no such session.
    pub fn read(&self, id: &SessionId) -> Result<Events, StoreError> {
        Events::open(&self.existing(id)?)
    }

    /// Every session, newest first. One that cannot be read says why in its [`Summary::standing`].
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn list(&self) -> Result<Vec<Summary>, StoreError> {
        Ok(self.ids()?.into_iter().rev().map(|id| summary::of(&self.root.join(id.as_str()), id)).collect())
    }

    /// What there is to say about one session, from the head and the tail of its journal.
    ///
    /// # Errors
    /// When there is no such session.
    pub fn show(&self, id: &SessionId) -> Result<Summary, StoreError> {
        Ok(summary::of(&self.existing(id)?, id.clone()))
    }

    /// Removes a session with all of its texts.
    ///
    /// # Errors
    /// When there is no such session, it is open, or it cannot be removed.
    pub fn remove(&self, id: &SessionId) -> Result<(), StoreError> {
        let folder = self.existing(id)?;
        if let Some(Holder { pid }) = Lock::held(&folder.join(LOCK)) {
            return Err(StoreError::Locked { what: format!("session {id}"), pid });
        }
        fs::remove_dir_all(&folder).map_err(StoreError::io("remove", &folder))
    }

    /// Finds the session that is meant: `last`, an id, or the beginning of one.
    ///
    /// # Errors
    /// When there is none, or several (which are named).
    pub fn resolve(&self, text: &str) -> Result<SessionId, StoreError> {
        let ids = self.ids()?;
        if text == "last" {
            return ids.last().cloned().ok_or_else(|| unknown(text, &ids));
        }
        let meant: Vec<&SessionId> =
            ids.iter().filter(|id| !text.is_empty() && id.as_str().starts_with(text)).collect();
        match meant.as_slice() {
            [] => Err(unknown(text, &ids)),
            [one] => Ok((*one).clone()),
            [exact, ..] if exact.as_str() == text => Ok((*exact).clone()),
            several => Err(StoreError::Ambiguous {
                what: "sessions",
                name: text.to_owned(),
                candidates: several.iter().rev().take(NAMED).map(ToString::to_string).collect(),
            }),
        }
    }

    /// Copies a session up to the end of a cycle into a new one that names its parent.
    ///
    /// `episode` is the last one where none is given. The copy ends at the first boundary after the cycle (the choice of who
    /// runs next, or the episode's end), or else at the latest boundary before; the answer says which cycle that is.
    ///
    /// # Errors
    /// When there is no such session or episode, or the copy cannot be written.
    pub fn fork(
        &self,
        id: &SessionId,
        episode: Option<u32>,
        cycle: Cycle,
        new: &SessionId,
    ) -> Result<ForkPoint, StoreError> {
        let (from, to) = (self.existing(id)?, self.folder(new)?);
        if to.exists() {
            return Err(StoreError::Exists { path: to, hint: "take another id" });
        }
        fork::copy(&from, id, episode, cycle, &to, new)
    }

    /// Ids of all sessions, oldest first.
    fn ids(&self) -> Result<Vec<SessionId>, StoreError> {
        let entries = match fs::read_dir(&self.root) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(StoreError::io("read", &self.root)(error)),
        };
        let mut ids = Vec::new();
        for entry in entries {
            let entry = entry.map_err(StoreError::io("read", &self.root))?;
            let name = entry.file_name();
            let name = name.to_str().filter(|name| plain_name("session", name).is_ok());
            if let Some(name) = name.filter(|_| entry.path().join(JOURNAL).exists()) {
                ids.push(SessionId::new(name));
            }
        }
        ids.sort();
        Ok(ids)
    }

    fn folder(&self, id: &SessionId) -> Result<PathBuf, StoreError> {
        Ok(self.root.join(Path::new(plain_name("session", id.as_str())?)))
    }

    fn existing(&self, id: &SessionId) -> Result<PathBuf, StoreError> {
        let folder = self.folder(id)?;
        match folder.join(JOURNAL).exists() {
            true => Ok(folder),
            false => Err(unknown(id.as_str(), &self.ids()?)),
        }
    }
}

fn unknown(name: &str, ids: &[SessionId]) -> StoreError {
    let hint = match ids.last() {
        None => "there are no sessions yet".to_owned(),
        Some(newest) => format!("the newest of {} is {newest}", ids.len()),
    };
    StoreError::Unknown { what: "session", name: name.to_owned(), hint }
}
