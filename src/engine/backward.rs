//! The backward pass (sections 3.3 and 5): from what went wrong in a run to proposals that mend it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use crate::model::{
    Author, Change, Contract, Evidence, Program, ProgramName, ProgramTest, Proposal, ProposalId, Section, with_test,
};

use super::flaws::{Flaw, flaws};
use super::session::{Flow, Session, SessionError};
use super::view::View;

/// A fault that may be an honest limit gets this part of the allowance for repairs.
const DOUBTFUL: u64 = 8;

impl Session {
    /// Looks a finished episode through and raises what it can mend. Never blocks the next query for long: all repairs are
    /// bounded by `limits.repair-ms`.
    pub(super) async fn backward_pass(&mut self) -> Result<Flow, SessionError> {
        let mut by_program: BTreeMap<ProgramName, Vec<Flaw>> = BTreeMap::new();
        for flaw in flaws(&self.state, &self.network) {
            by_program.entry(flaw.program.clone()).or_default().push(flaw);
        }
        // What is surely a fault comes first; all repairs of an episode share one allowance.
        let mut ordered: Vec<(ProgramName, Vec<Flaw>)> = by_program.into_iter().collect();
        ordered.sort_by_key(|(_, flaws)| !flaws.iter().any(|flaw| flaw.sure));
        let allowance = self.network.limits.repair_ms;
        let since = self.ports.clock.now();
        for (name, flaws) in ordered {
            let left = allowance.saturating_sub(self.ports.clock.now().saturating_sub(since));
            // A script that says it cannot may be right: looking for a way costs little or is let be.
            let sure = flaws.iter().any(|flaw| flaw.sure);
            let limit = if sure { left } else { left.min(allowance / DOUBTFUL) };
            let Some(program) = self.network.program(&name).cloned().filter(|_| limit > 0) else { continue };
            match self.mend(&program, &flaws, limit).await? {
                Ok(()) => {}
                Err(Flow::Close) => return self.close().await,
                Err(Flow::On | Flow::Interrupt) => {
                    self.warn("the backward pass was stopped by you".to_owned()).await?;
                    return Ok(Flow::On);
                }
            }
        }
        Ok(Flow::On)
    }

    /// Asks the manager for an edit of one script that passes its failing tests, and raises it.
    async fn mend(
        &mut self,
        program: &Arc<Program>,
        flaws: &[Flaw],
        limit: u64,
    ) -> Result<Result<(), Flow>, SessionError> {
        let manager = self
            .network
            .of_contract(Contract::Manager)
            .find(|manager| manager.manifest.writes.iter().any(|section| section.as_str() == Section::PROPOSAL));
        let Some(manager) = manager.cloned() else { return Ok(Ok(())) };
        let mut ordered = self.order(manager.clone(), self.query().whole());
        let tests: Vec<&ProgramTest> = flaws.iter().map(|flaw| &flaw.test).collect();
        ordered.activation.view = View::Given(Arc::new(json!({ "flaw": [{
            "data": {
                "program": program.name, "path": program.path, "source": &*program.source,
                "tools": program.manifest.tools, "failing": tests, "passing": program.manifest.tests,
                "sure": flaws.iter().any(|flaw| flaw.sure), "answered": flaws.iter().all(|flaw| flaw.answered),
            },
            "text": flaws.first().map(|flaw| flaw.critique.clone()),
        }] })));
        ordered.activation.deadline = Duration::from_millis(limit);
        let first = self.state.memory.next_id();
        if let Err(flow) = self.run_together(vec![ordered], true).await? {
            return Ok(Err(flow));
        }
        let found = self.state.memory.current(Section::PROPOSAL).find(|entry| entry.id >= first).cloned();
        let after = found.as_ref().and_then(|found| found.data.get("after")).and_then(Value::as_str);
        let (Some(found), Some(after)) = (found.as_ref(), after) else {
            if flaws.iter().any(|flaw| flaw.sure) {
                self.warn(format!("no repair of {} was found", program.name)).await?;
            }
            return Ok(Ok(()));
        };
        let mut text = after.to_owned();
        // The manager may have found that silence is all that can be had; then that is what is asked from now on.
        let expect = found.data.get("expect").and_then(|expect| serde_json::from_value(expect.clone()).ok());
        let kept = tests.iter().map(|test| ProgramTest {
            expect: expect.clone().unwrap_or_else(|| test.expect.clone()),
            ..(*test).clone()
        });
        for test in &kept.collect::<Vec<_>>() {
            match with_test(&program.path, &text, test) {
                Ok(with) => text = with,
                Err(error) => self.warn(format!("the failing test could not be kept: {}", error.message)).await?,
            }
        }
        let proposal = Proposal {
            id: ProposalId::new(""),
            network: self.network.name.clone(),
            base: self.network.revision.clone(),
            author: Author::Program(manager.name.clone()),
            program: Some(program.name.clone()),
            title: found.text.clone(),
            changes: vec![Change {
                path: program.path.clone(),
                before: Some(program.source.clone()),
                after: Some(Arc::from(text)),
            }],
            evidence: Evidence {
                critique: flaws.iter().map(|flaw| flaw.critique.as_str()).collect::<Vec<_>>().join("; "),
                cost: flaws.iter().map(|flaw| flaw.cost).sum(),
                session: self.state.pins.as_ref().map(|pins| pins.session.clone()),
                cycle: flaws.first().map(|flaw| flaw.cycle).unwrap_or_default(),
                trials: Vec::new(),
                measured: found.data.get("measured").cloned().unwrap_or(Value::Null),
            },
            gates: Vec::new(),
        };
        self.raise(proposal).await?;
        Ok(Ok(()))
    }
}
