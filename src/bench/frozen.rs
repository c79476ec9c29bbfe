//! A network as it was when the bench began: what a user accepts meanwhile does not change an arm, and no session changes the
//! user's library.

use std::sync::Arc;

use crate::engine::ports::{Library, PortError};
use crate::model::{Author, Decision, Network, Proposal, ProposalId, ProposalStatus, Revision, RevisionId};

pub(super) struct Frozen {
    pub(super) network: Arc<Network>,
    pub(super) behind: Arc<dyn Library>,
}

fn refused<T>() -> Result<T, PortError> {
    Err(PortError::new("a bench changes no network"))
}

impl Library for Frozen {
    fn network(&self) -> Result<Arc<Network>, PortError> {
        Ok(self.network.clone())
    }
    fn since(&self, _: &RevisionId) -> Result<Vec<Revision>, PortError> {
        Ok(Vec::new())
    }
    fn file(&self, path: &str) -> Result<Option<Arc<str>>, PortError> {
        self.behind.file(path)
    }
    fn raise(&self, _: &Proposal) -> Result<bool, PortError> {
        Ok(false)
    }
    fn proposal(&self, _: &ProposalId) -> Result<Option<(Proposal, ProposalStatus)>, PortError> {
        Ok(None)
    }
    fn proposals(&self) -> Result<Vec<(Proposal, ProposalStatus)>, PortError> {
        Ok(Vec::new())
    }
    fn decide(
        &self,
        _: &ProposalId,
        _: &Decision,
        _: Vec<(String, Option<Arc<str>>)>,
    ) -> Result<(ProposalStatus, Option<Revision>), PortError> {
        refused()
    }
    fn reopen(&self, _: &ProposalId, _: Author) -> Result<Option<Revision>, PortError> {
        refused()
    }
    fn revert(&self, _: &RevisionId, _: Author) -> Result<Revision, PortError> {
        refused()
    }
}
