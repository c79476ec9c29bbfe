//! The history of one network on disk: revisions over the base files, and who decided them.
//!
//! `revisions.jsonl` is the truth. `head` says how many of its lines are in force; it is replaced after the line was written,
//! and looking at it is all that a reader needs to do where nothing changed. A proposal's own file is written last. Whoever
//! opens or writes next completes what a crash left half done: a revision that was written counts.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::Duration;

use super::atomic::make_folder;
use super::effective::{Base, OWN, Texts, changes};
use super::error::plain_name;
use super::head::{self, Stamp};
use super::history::{self, Entry, History, Overlay, Rest, lay};
use super::lock::Lock;
use super::queue::{Queue, Record};
use super::{SourcedNetwork, StoreError};
use crate::engine::ports::Clock;
use crate::model::{
    Author, Change, Diagnostic, Network, NetworkFile, ProposalId, ProposalStatus, Revision, RevisionId,
};

/// Another writer is done within milliseconds; only a hung one takes longer than this.
const PATIENCE: Duration = Duration::from_millis(500);

/// The library of one network. Readers never wait for another process; writers hold a lock file.
pub struct FileLibrary {
    name: String,
    folder: PathBuf,
    head: PathBuf,
    base: Base,
    clock: Arc<dyn Clock>,
    present: RwLock<Present>,
    pub(crate) queue: Queue,
}

/// What was read last.
pub(crate) struct Present {
    /// How the pointer's file looked then, which may not have been there; none before anything was read.
    stamp: Option<Option<Stamp>>,
    pub(crate) history: History,
    pub(crate) texts: Texts,
    pub(crate) network: Result<(Arc<Network>, Vec<Diagnostic>), Vec<Diagnostic>>,
}

/// A revision before it has a number.
pub(crate) struct Draft {
    pub(crate) author: Author,
    pub(crate) title: String,
    pub(crate) proposal: Option<ProposalId>,
    pub(crate) changes: Vec<Change>,
    pub(crate) reverts: Option<u32>,
    pub(crate) reopens: Option<ProposalId>,
}

impl FileLibrary {
    /// Opens the library of a network below `root` (see [`super::Paths::library`]). Makes nothing before there is something
    /// to keep.
    ///
    /// # Errors
    /// When its history cannot be read.
    pub fn open(root: &Path, network: SourcedNetwork, clock: Arc<dyn Clock>) -> Result<Self, StoreError> {
        let folder = root.join(plain_name("network", &network.name)?);
        let history = History::new(history::file_in(&folder));
        let library = Self {
            head: folder.join("head"),
            queue: Queue::new(folder.join("proposals")),
            present: RwLock::new(Present { stamp: None, history, texts: Texts::new(), network: Err(Vec::new()) }),
            base: Base::new(network.layers),
            name: network.name,
            clock,
            folder,
        };
        if library.folder.is_dir() {
            match library.lock_within(Duration::ZERO) {
                Ok(lock) => library.repair(&lock, &mut library.write())?,
                // Another process writes, or nobody may: what is in force can be read all the same.
                Err(StoreError::Locked { .. } | StoreError::Io { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        drop(library.fresh()?);
        Ok(library)
    }

    /// Everything odd about the network as it is now: programs that were left out, base files that changed under accepted
    /// changes.
    ///
    /// # Errors
    /// When the history cannot be read.
    pub fn warnings(&self) -> Result<Vec<Diagnostic>, StoreError> {
        Ok(match &self.fresh()?.network {
            Ok((_, warnings)) => warnings.clone(),
            Err(problems) => problems.clone(),
        })
    }

    /// Files of the queue that cannot be read.
    ///
    /// # Errors
    /// When the queue itself cannot be read.
    pub fn damaged_proposals(&self) -> Result<Vec<Diagnostic>, StoreError> {
        self.queue.damaged()
    }

    /// All revisions, newest first.
    ///
    /// # Errors
    /// When the history cannot be read.
    pub fn log(&self) -> Result<Vec<Revision>, StoreError> {
        Ok(self.fresh()?.history.revisions().rev().cloned().collect())
    }

    /// Finds the revision that is meant: its number (0 or `base` for the base), `head`, its id or the beginning of one.
    ///
    /// # Errors
    /// When there is none, or several with different content.
    pub fn resolve_revision(&self, text: &str) -> Result<u32, StoreError> {
        let present = self.fresh()?;
        let length = present.history.len();
        if let Some(number) = text.parse().ok().filter(|number| *number <= length) {
            return Ok(number);
        }
        match text {
            "base" => return Ok(0),
            "head" => return Ok(length),
            _ => {}
        }
        let base = self.base_ids(&present);
        let ids = base.iter().map(|id| (0, id)).chain(present.history.revisions().map(|one| (one.number, &one.id)));
        let meant: Vec<(u32, &RevisionId)> =
            ids.filter(|(_, id)| text.len() >= 4 && id.as_str().starts_with(text)).collect();
        match meant.last() {
            None => Err(StoreError::Unknown {
                what: "revision",
                name: text.to_owned(),
                hint: format!(
                    "`{}` has revisions 0 (the base) to {length}; give a number or the start of an id",
                    self.name
                ),
            }),
            Some((number, last)) if meant.iter().all(|(_, id)| id == last) => Ok(*number),
            Some(_) => Err(StoreError::Ambiguous {
                what: "revisions",
                name: text.to_owned(),
                candidates: meant.iter().take(8).map(|(number, id)| format!("{number} ({})", id.short())).collect(),
            }),
        }
    }

    /// The changes that lead from one revision's files to another's; 0 is the base.
    ///
    /// # Errors
    /// When there is no such revision.
    pub fn diff(&self, from: u32, to: u32) -> Result<Vec<Change>, StoreError> {
        let present = self.fresh()?;
        Ok(changes(&self.texts_at(&present, from)?, &self.texts_at(&present, to)?))
    }

    /// Writes the whole effective network as one folder that needs no other network and no library.
    ///
    /// # Errors
    /// When the folder holds anything already, or cannot be written.
    pub fn export(&self, folder: &Path) -> Result<(), StoreError> {
        let present = self.fresh()?;
        let network = self.usable(&present)?;
        make_folder(folder)?;
        if fs::read_dir(folder).map_err(StoreError::io("read", folder))?.next().is_some() {
            return Err(StoreError::Exists { path: folder.to_owned(), hint: "give a new or an empty folder" });
        }
        let merged = NetworkFile::parse(OWN, &network.file).map_err(|problem| self.unusable(&[problem]))?;
        let is_merged = self.base.is_merged();
        let own = match present.texts.get(OWN).filter(|_| !is_merged) {
            Some(text) => text.to_string(),
            None => {
                let whole = NetworkFile { extends: None, without: Vec::new(), ..merged.clone() };
                toml::to_string(&whole)
                    .map_err(|error| StoreError::io("write", folder)(std::io::Error::other(error)))?
            }
        };
        for (path, text) in &present.texts {
            let stem = path.rsplit_once('.').map_or(path.as_str(), |(stem, _)| stem);
            let dropped = is_merged && merged.without.iter().any(|name| name.as_str() == stem);
            if path == OWN || dropped {
                continue;
            }
            let file = folder.join(path);
            if let Some(parent) = file.parent() {
                make_folder(parent)?;
            }
            fs::write(&file, text.as_bytes()).map_err(StoreError::io("write", &file))?;
        }
        let file = folder.join(OWN);
        fs::write(&file, own).map_err(StoreError::io("write", &file))
    }

    pub(crate) fn now(&self) -> u64 {
        self.clock.now()
    }

    /// The network, or why there is none.
    pub(crate) fn usable(&self, present: &Present) -> Result<Arc<Network>, StoreError> {
        match &present.network {
            Ok((network, _)) => Ok(network.clone()),
            Err(problems) => Err(self.unusable(problems)),
        }
    }

    fn unusable(&self, problems: &[Diagnostic]) -> StoreError {
        StoreError::Network { name: self.name.clone(), problems: problems.to_vec() }
    }

    /// Effective texts after this many revisions.
    pub(crate) fn texts_at(&self, present: &Present, number: u32) -> Result<Texts, StoreError> {
        let overlay = present.history.overlay(number).ok_or_else(|| StoreError::Unknown {
            what: "revision",
            name: number.to_string(),
            hint: format!("`{}` has revisions 0 (the base) to {}", self.name, present.history.len()),
        })?;
        Ok(self.base.texts(overlay))
    }

    /// The network as it was at a revision.
    ///
    /// # Errors
    /// When the history holds no such revision (the base files changed since), or it cannot be used any more.
    pub fn network_at(&self, revision: &RevisionId) -> Result<Arc<Network>, StoreError> {
        let present = self.fresh()?;
        let known = |number: u32| {
            let overlay = present.history.overlay(number)?;
            (self.id_of(overlay) == *revision).then_some(overlay)
        };
        let found = (0..=present.history.len()).rev().find_map(known);
        let overlay = found.ok_or_else(|| StoreError::Unknown {
            what: "revision",
            name: revision.short().to_owned(),
            hint: format!("the files of `{}` have changed since", self.name),
        })?;
        match self.base.network(&self.name, overlay) {
            Ok((network, _)) => Ok(Arc::new(network)),
            Err(_) => self.usable(&present),
        }
    }

    /// Ids that the base has now and had when the first revision was made.
    fn base_ids(&self, present: &Present) -> Vec<RevisionId> {
        let now = self.id_of(&Overlay::new());
        present.history.revisions().next().map(|first| first.parent.clone()).into_iter().chain([now]).collect()
    }

    /// Hash of the effective files with an overlay on top.
    pub(crate) fn id_of(&self, overlay: &Overlay) -> RevisionId {
        let layers = self.base.layers(overlay);
        Network::revision_of(layers.iter().flatten().map(|(path, text)| (path.as_str(), text.as_str())))
    }

    /// Where a proposal stands: a revision that was made of it, or took that back, counts more than its own file, which is
    /// written later.
    pub(crate) fn status(present: &Present, id: &ProposalId, written: &ProposalStatus) -> ProposalStatus {
        match present.history.of_proposal(id) {
            Some(revision) => ProposalStatus::Accepted(revision.id.clone()),
            None => match written {
                ProposalStatus::Accepted(_) => ProposalStatus::Open,
                ProposalStatus::Open | ProposalStatus::Rejected(_) => written.clone(),
            },
        }
    }

    /// What was read last, read again where the pointer was replaced since.
    pub(crate) fn fresh(&self) -> Result<RwLockReadGuard<'_, Present>, StoreError> {
        let stamp = Stamp::of(&self.head);
        let present = self.present.read().unwrap_or_else(PoisonError::into_inner);
        if present.stamp == Some(stamp) {
            return Ok(present);
        }
        drop(present);
        self.load(&mut self.write())?;
        Ok(self.present.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn write(&self) -> RwLockWriteGuard<'_, Present> {
        self.present.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn load(&self, present: &mut Present) -> Result<(), StoreError> {
        let stamp = Stamp::of(&self.head);
        let number = head::read(&self.head);
        if number < present.history.len() {
            present.history = History::new(history::file_in(&self.folder));
        }
        present.history.read_on(number)?;
        self.renew(present, stamp);
        Ok(())
    }

    fn renew(&self, present: &mut Present, stamp: Option<Stamp>) {
        let overlay = present.history.present();
        present.texts = self.base.texts(&overlay);
        present.network =
            self.base.network(&self.name, &overlay).map(|(network, warnings)| (Arc::new(network), warnings));
        present.stamp = Some(stamp);
    }

    /// Takes the writers' lock.
    pub(crate) fn lock(&self) -> Result<Lock, StoreError> {
        make_folder(&self.folder)?;
        self.lock_within(PATIENCE)
    }

    fn lock_within(&self, patience: Duration) -> Result<Lock, StoreError> {
        Lock::take(&self.folder.join("lock"), &format!("the library of {}", self.name), patience)
    }

    /// Completes what a crash left half done, and reads everything.
    pub(crate) fn repair(&self, _lock: &Lock, present: &mut Present) -> Result<(), StoreError> {
        if present.stamp != Some(Stamp::of(&self.head)) {
            self.load(present)?;
        }
        let known = head::read(&self.head);
        let rest = present.history.read_on(u32::MAX)?;
        if rest == Rest::Torn {
            present.history.cut()?;
        }
        let Some(last) = present.history.revisions().next_back().cloned() else { return Ok(()) };
        if last.number != known {
            head::write(&self.head, last.number, &last.id)?;
            self.renew(present, Stamp::of(&self.head));
        }
        // Only the last revision's proposal can lag behind. Its file is for people: what counts is derived from the history.
        if let Some(Ok(Some(record))) = present.history.last_proposal().map(|id| self.queue.get(id)) {
            let status = Self::status(present, &record.proposal.id, &record.status);
            if status != record.status {
                let mut record = Record::clone(&record);
                record.status = status;
                self.queue.put(&record)?;
            }
        }
        Ok(())
    }

    /// Makes a revision of a draft: the line, then the pointer.
    pub(crate) fn commit(&self, _lock: &Lock, present: &mut Present, draft: Draft) -> Result<Revision, StoreError> {
        let overlay = match draft.reverts.and_then(|to| present.history.overlay(to)) {
            Some(overlay) => overlay.clone(),
            None => lay(present.history.present(), &draft.changes),
        };
        let (network, warnings) =
            self.base.network(&self.name, &overlay).map_err(|problems| self.unusable(&problems))?;
        let revision = Revision {
            id: network.revision.clone(),
            number: present.history.len() + 1,
            parent: self.id_of(&present.history.present()),
            author: draft.author,
            title: draft.title,
            proposal: draft.proposal,
            changes: draft.changes,
            at: self.now(),
        };
        present.history.append(Entry { revision: revision.clone(), reverts: draft.reverts, reopens: draft.reopens })?;
        head::write(&self.head, revision.number, &revision.id)?;
        present.texts = self.base.texts(&overlay);
        present.network = Ok((Arc::new(network), warnings));
        present.stamp = Some(Stamp::of(&self.head));
        Ok(revision)
    }
}
