//! What the engine asks of the library.

use std::sync::Arc;

use super::StoreError;
use super::effective::{Texts, changes};
use super::error::plain_name;
use super::library::{Draft, FileLibrary};
use super::queue::Record;
use crate::engine::ports::{Library, PortError};
use crate::model::{Author, Change, Decision, Network, Proposal, ProposalId, ProposalStatus, Revision, RevisionId};

impl Library for FileLibrary {
    fn network(&self) -> Result<Arc<Network>, PortError> {
        Ok(self.usable(&*self.fresh()?)?)
    }

    fn since(&self, revision: &RevisionId) -> Result<Vec<Revision>, PortError> {
        let present = self.fresh()?;
        let all: Vec<&Revision> = present.history.revisions().collect();
        let start = match all.iter().rposition(|one| one.id == *revision) {
            Some(at) => at + 1,
            None if self.id_of(&present.history.present()) == *revision => all.len(),
            None => all.iter().position(|one| one.parent == *revision).ok_or_else(|| StoreError::Unknown {
                what: "revision",
                name: revision.short().to_owned(),
                hint: "the network's own files changed since; its history does not reach back to that state".into(),
            })?,
        };
        Ok(all[start..].iter().map(|one| (*one).clone()).collect())
    }

    fn file(&self, path: &str) -> Result<Option<Arc<str>>, PortError> {
        Ok(self.fresh()?.texts.get(path).cloned())
    }

    fn raise(&self, proposal: &Proposal) -> Result<bool, PortError> {
        for change in &proposal.changes {
            check_path(&change.path)?;
        }
        let _lock = self.lock()?;
        let records = self.queue.all()?;
        let content = proposal.content();
        for record in &records {
            let (id, same) = (&record.proposal.id, record.proposal.content() == content);
            let accepted = match Self::status(&*self.fresh()?, id, &record.status) {
                ProposalStatus::Accepted(_) => true,
                ProposalStatus::Open | ProposalStatus::Rejected(_) => false,
            };
            if same && !accepted {
                return Ok(false);
            }
            if *id == proposal.id {
                return Err(
                    StoreError::Exists { path: self.queue.file(id)?, hint: "give the proposal another id" }.into()
                );
            }
        }
        let number = records.last().map_or(1, |last| last.number + 1);
        let status = ProposalStatus::Open;
        self.queue.put(&Record { number, at: self.now(), status, decision: None, proposal: proposal.clone() })?;
        Ok(true)
    }

    fn proposal(&self, id: &ProposalId) -> Result<Option<(Proposal, ProposalStatus)>, PortError> {
        let present = self.fresh()?;
        let record = self.queue.get(id)?;
        Ok(record.map(|record| (record.proposal.clone(), Self::status(&present, id, &record.status))))
    }

    fn proposals(&self) -> Result<Vec<(Proposal, ProposalStatus)>, PortError> {
        let present = self.fresh()?;
        let records = self.queue.all()?;
        let status = |record: &Record| Self::status(&present, &record.proposal.id, &record.status);
        Ok(records.iter().map(|record| (record.proposal.clone(), status(record))).collect())
    }

    fn decide(
        &self,
        id: &ProposalId,
        decision: &Decision,
        files: Vec<(String, Option<Arc<str>>)>,
    ) -> Result<(ProposalStatus, Option<Revision>), PortError> {
        Ok(self.decide_on(id, decision, files)?)
    }

    fn reopen(&self, id: &ProposalId, by: Author) -> Result<Option<Revision>, PortError> {
        Ok(self.take_back(id, by)?)
    }

    fn revert(&self, to: &RevisionId, by: Author) -> Result<Revision, PortError> {
        Ok(self.go_back(to, by)?)
    }
}

impl FileLibrary {
    fn decide_on(
        &self,
        id: &ProposalId,
        decision: &Decision,
        files: Vec<(String, Option<Arc<str>>)>,
    ) -> Result<(ProposalStatus, Option<Revision>), StoreError> {
        let lock = self.lock()?;
        let mut present = self.write();
        self.repair(&lock, &mut present)?;
        let record = self.record(id)?;
        check_open(id, &Self::status(&present, id, &record.status))?;
        let mut record = Record::clone(&record);
        record.decision = Some(decision.clone());
        if decision.takes_nothing() {
            record.status = ProposalStatus::Rejected(decision.reason.clone());
            self.queue.put(&record)?;
            return Ok((record.status, None));
        }
        let proposal = &record.proposal;
        for change in &proposal.changes {
            if present.texts.get(&change.path) != change.before.as_ref() {
                return Err(StoreError::Moved { id: id.to_string(), path: change.path.clone() });
            }
        }
        let changes = results(proposal, files)?;
        let draft = Draft {
            author: decision.by.clone(),
            title: proposal.title.clone(),
            proposal: Some(id.clone()),
            changes,
            reverts: None,
            reopens: None,
        };
        let revision = self.commit(&lock, &mut present, draft)?;
        record.status = ProposalStatus::Accepted(revision.id.clone());
        self.queue.put(&record)?;
        Ok((record.status, Some(revision)))
    }

    /// Puts a decided proposal back into the queue. A revision that was made of it is undone only where its files still are
    /// as it left them; where they are as before already, the revision that says so changes nothing.
    fn take_back(&self, id: &ProposalId, by: Author) -> Result<Option<Revision>, StoreError> {
        let lock = self.lock()?;
        let mut present = self.write();
        self.repair(&lock, &mut present)?;
        let mut record = Record::clone(&*self.record(id)?);
        let status = Self::status(&present, id, &record.status);
        let accepted = present.history.of_proposal(id).cloned();
        let revision = match (status, accepted) {
            (ProposalStatus::Open, _) => return Err(StoreError::Undecided { id: id.to_string() }),
            (ProposalStatus::Rejected(_) | ProposalStatus::Accepted(_), None) => None,
            (ProposalStatus::Rejected(_) | ProposalStatus::Accepted(_), Some(accepted)) => {
                let draft = Draft {
                    author: by,
                    title: format!("take the decision on {id} back: {}", accepted.title),
                    proposal: None,
                    changes: undone(&accepted, &present.texts, id)?,
                    reverts: None,
                    reopens: Some(id.clone()),
                };
                Some(self.commit(&lock, &mut present, draft)?)
            }
        };
        record.status = ProposalStatus::Open;
        record.decision = None;
        self.queue.put(&record)?;
        Ok(revision)
    }

    fn record(&self, id: &ProposalId) -> Result<Arc<Record>, StoreError> {
        self.queue.get(id)?.ok_or_else(|| StoreError::Unknown {
            what: "proposal",
            name: id.to_string(),
            hint: "list the queue to see which there are".into(),
        })
    }

    fn go_back(&self, to: &RevisionId, by: Author) -> Result<Revision, StoreError> {
        let lock = self.lock()?;
        self.repair(&lock, &mut self.write())?;
        let number = self.resolve_revision(to.as_str())?;
        let mut present = self.write();
        let changes = changes(&present.texts, &self.texts_at(&present, number)?);
        if changes.is_empty() {
            return Err(StoreError::NoChange { what: format!("going back to revision {number}") });
        }
        let title = match number {
            0 => "go back to the base".to_owned(),
            _ => format!("go back to revision {number}"),
        };
        let draft = Draft { author: by, title, proposal: None, changes, reverts: Some(number), reopens: None };
        self.commit(&lock, &mut present, draft)
    }
}

fn check_open(id: &ProposalId, status: &ProposalStatus) -> Result<(), StoreError> {
    let status = match status {
        ProposalStatus::Open => return Ok(()),
        ProposalStatus::Accepted(revision) => format!("accepted as revision {}", revision.short()),
        ProposalStatus::Rejected(reason) if reason.is_empty() => "rejected".to_owned(),
        ProposalStatus::Rejected(reason) => format!("rejected, {reason}"),
    };
    Err(StoreError::Decided { id: id.to_string(), status })
}

/// The changes that a decision makes, against the texts that the proposal was made from.
fn results(proposal: &Proposal, files: Vec<(String, Option<Arc<str>>)>) -> Result<Vec<Change>, StoreError> {
    let id = &proposal.id;
    let mut changes: Vec<Change> = Vec::new();
    for (path, after) in files {
        check_path(&path)?;
        let bad = |why: String| StoreError::BadDecision { id: id.to_string(), why };
        let change = proposal.changes.iter().find(|change| change.path == path);
        let before = change.ok_or_else(|| bad(format!("the proposal does not change {path}")))?.before.clone();
        if changes.iter().any(|change| change.path == path) {
            return Err(bad(format!("{path} is named twice")));
        }
        if before != after {
            changes.push(Change { path, before, after });
        }
    }
    match changes.is_empty() {
        true => Err(StoreError::NoChange { what: format!("what is taken of proposal {id}") }),
        false => Ok(changes),
    }
}

/// The changes that undo a revision on top of the present texts.
fn undone(revision: &Revision, texts: &Texts, id: &ProposalId) -> Result<Vec<Change>, StoreError> {
    let mut changes = Vec::new();
    for Change { path, before, after } in &revision.changes {
        let now = texts.get(path);
        if now == after.as_ref() {
            changes.push(Change { path: path.clone(), before: after.clone(), after: before.clone() });
        } else if now != before.as_ref() {
            let (id, path) = (id.to_string(), path.clone());
            return Err(StoreError::BuiltOn { id, path, before: revision.number.saturating_sub(1) });
        }
    }
    Ok(changes)
}

/// Checks that a path stays within the network's folder, on every platform.
fn check_path(path: &str) -> Result<(), StoreError> {
    match path.len() <= 200 && path.split('/').all(|part| plain_name("file", part).is_ok()) {
        true => Ok(()),
        false => Err(StoreError::BadName { what: "file of a network", name: path.chars().take(100).collect() }),
    }
}
