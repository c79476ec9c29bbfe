//! Working memory (section 3.2): an append-only list of contributions, and which of them still stand.

use std::fmt;
use std::sync::Arc;

use imbl::{HashMap, OrdMap, OrdSet, Vector};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{ActivationId, ContributionId, Cycle, PartId, ProgramName, Section};

/// Who wrote something.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Author {
    /// The user.
    Human,
    /// The engine itself.
    Engine,
    /// A program.
    Program(ProgramName),
}

impl Author {
    /// The program, where it was one.
    #[must_use]
    pub fn program(&self) -> Option<&ProgramName> {
        match self {
            Self::Human | Self::Engine => None,
            Self::Program(name) => Some(name),
        }
    }
}

impl fmt::Display for Author {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Human => f.pad("human"),
            Self::Engine => f.pad("engine"),
            Self::Program(name) => f.pad(name.as_str()),
        }
    }
}

/// One entry of working memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contribution {
    /// Its position.
    pub id: ContributionId,
    /// Its type.
    pub section: Section,
    /// The part of the query it speaks to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<PartId>,
    /// What people read.
    pub text: String,
    /// What programs and scorers read.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub data: Value,
    /// Stamped by the engine.
    pub author: Author,
    /// Stamped by the engine.
    pub cycle: Cycle,
    /// The activation that wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub activation: Option<ActivationId>,
    /// The contribution it speaks about (the draft of a verdict or counterexample).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<ContributionId>,
    /// Earlier ones that it replaces.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub supersedes: Vec<ContributionId>,
    /// Whether its author could see what another author of a value of its part had written. Stamped by the engine: a value that
    /// could have been copied corroborates nothing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub informed: bool,
}

impl Contribution {
    /// Whether it is in this section.
    #[must_use]
    pub fn is(&self, section: &str) -> bool {
        self.section.as_str() == section
    }

    /// Whether it proposes a value of a part.
    #[must_use]
    pub fn is_value(&self) -> bool {
        self.is(Section::DRAFT) || self.is(Section::ANSWER)
    }
}

/// What stands about one part: everything a scorer needs, in a size that does not grow with the session.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PartBoard {
    /// Unsuperseded drafts and answers that were not withdrawn, oldest first.
    pub values: Vector<Arc<Contribution>>,
    /// Unsuperseded verdicts.
    pub verdicts: Vector<Arc<Contribution>>,
    /// Counterexamples, oldest first.
    pub counterexamples: Vector<Arc<Contribution>>,
    /// Values that a confirmed counterexample withdrew.
    pub withdrawn: Vector<Arc<Contribution>>,
}

impl PartBoard {
    /// The current value: the newest answer, else the newest draft.
    #[must_use]
    pub fn current(&self) -> Option<&Arc<Contribution>> {
        let newest = |section: &str| self.values.iter().rev().find(|value| value.is(section));
        newest(Section::ANSWER).or_else(|| newest(Section::DRAFT))
    }

    /// The newest verdict on a value.
    #[must_use]
    pub fn verdict_on(&self, value: ContributionId) -> Option<&Arc<Contribution>> {
        self.verdicts.iter().rev().find(|verdict| verdict.about == Some(value))
    }
}

/// The list, and indexes over what stands. Cloning shares structure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WorkingMemory {
    all: OrdMap<ContributionId, Arc<Contribution>>,
    replaced: HashMap<ContributionId, ContributionId>,
    sections: OrdMap<Section, OrdSet<ContributionId>>,
    board: OrdMap<PartId, PartBoard>,
}

impl WorkingMemory {
    /// Adds a contribution under its id.
    pub fn push(&mut self, contribution: Arc<Contribution>) {
        for old in &contribution.supersedes {
            self.drop_from_view(*old, contribution.id);
        }
        self.sections.entry(contribution.section.clone()).or_default().insert(contribution.id);
        if let Some(part) = contribution.part {
            let board = self.board.entry(part).or_default();
            match contribution.section.as_str() {
                Section::DRAFT | Section::ANSWER => board.values.push_back(contribution.clone()),
                Section::VERDICT => board.verdicts.push_back(contribution.clone()),
                Section::COUNTEREXAMPLE => board.counterexamples.push_back(contribution.clone()),
                _ => {}
            }
        }
        self.all.insert(contribution.id, contribution);
    }

    /// Takes a value out of what stands because the scorer confirmed a counterexample to it.
    pub fn withdraw(&mut self, value: ContributionId, by: ContributionId) {
        if let Some(contribution) = self.get(value).cloned() {
            self.drop_from_view(value, by);
            if let Some(board) = contribution.part.and_then(|part| self.board.get_mut(&part)) {
                board.withdrawn.push_back(contribution);
            }
        }
    }

    fn drop_from_view(&mut self, old: ContributionId, by: ContributionId) {
        let Some(contribution) = self.get(old).cloned() else { return };
        self.replaced.insert(old, by);
        if let Some(ids) = self.sections.get_mut(&contribution.section) {
            ids.remove(&old);
        }
        if let Some(board) = contribution.part.and_then(|part| self.board.get_mut(&part)) {
            board.values.retain(|value| value.id != old);
            board.verdicts.retain(|value| value.id != old);
        }
    }

    /// The id that the next contribution gets.
    #[must_use]
    pub fn next_id(&self) -> ContributionId {
        self.all.get_max().map_or(ContributionId(0), |(id, _)| id.next())
    }

    /// Number of contributions, superseded ones included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The contribution with this id.
    #[must_use]
    pub fn get(&self, id: ContributionId) -> Option<&Arc<Contribution>> {
        self.all.get(&id)
    }

    /// All, oldest first, superseded ones included.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Arc<Contribution>> {
        self.all.values()
    }

    /// Those of a section that stand, newest first.
    pub fn current(&self, section: &str) -> impl Iterator<Item = &Arc<Contribution>> + use<'_> {
        self.sections.get(section).into_iter().flat_map(|ids| ids.iter().rev()).filter_map(|id| self.get(*id))
    }

    /// Whether anything stands in a section.
    #[must_use]
    pub fn has(&self, section: &str) -> bool {
        self.sections.get(section).is_some_and(|ids| !ids.is_empty())
    }

    /// What replaced or withdrew a contribution.
    #[must_use]
    pub fn replaced_by(&self, id: ContributionId) -> Option<ContributionId> {
        self.replaced.get(&id).copied()
    }

    /// What stands about a part.
    #[must_use]
    pub fn board(&self, part: PartId) -> Option<&PartBoard> {
        self.board.get(&part)
    }

    /// Forgets what stands about parts, for the next episode; the list itself stays.
    pub fn close_parts(&mut self) {
        self.board = OrdMap::new();
    }

    /// Takes the entries of a section out of view (a new episode starts without the old one's drafts).
    pub fn retire(&mut self, section: &str, by: ContributionId) {
        let ids: Vec<ContributionId> =
            self.sections.get(section).into_iter().flat_map(|ids| ids.iter().copied()).collect();
        for id in ids {
            self.replaced.insert(id, by);
        }
        self.sections.remove(section);
    }
}
