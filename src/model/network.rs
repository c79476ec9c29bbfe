//! A network: programs, the edges between them, the rules about who runs when, and the limits.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::network_file::Halting;
use super::{Contract, Expr, Hash, Program, ProgramName, RevisionId};

/// Whom a rule or an edge points to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    /// One program.
    Name(ProgramName),
    /// Every program of a contract, or of a group within it (`@solver/experts`).
    Contract(Contract, Option<String>),
    /// The author of the draft that is open: refuted by a counterexample or failed by a verdict (`@author`).
    Author,
}

impl Target {
    /// Reads a target.
    ///
    /// # Errors
    /// When `@…` names no contract.
    pub fn parse(text: &str) -> Result<Self, String> {
        let Some(rest) = text.strip_prefix('@') else {
            return Ok(Self::Name(ProgramName::new(text)));
        };
        if rest == "author" {
            return Ok(Self::Author);
        }
        let (contract, group) = match rest.split_once('/') {
            Some((contract, group)) => (contract, Some(group.to_owned())),
            None => (rest, None),
        };
        Contract::from_name(contract).map(|contract| Self::Contract(contract, group)).ok_or_else(|| {
            let hint = super::did_you_mean(contract, Contract::ALL.iter().map(|contract| contract.name()));
            format!("no contract is called `{contract}`{}", hint.map(|hint| format!("; {hint}")).unwrap_or_default())
        })
    }

    /// Whether a program is meant; `author` is who wrote the open draft.
    #[must_use]
    pub fn matches(&self, program: &Program, author: Option<&ProgramName>) -> bool {
        match self {
            Self::Name(name) => program.name == *name,
            Self::Contract(contract, group) => {
                program.contract() == *contract && (group.is_none() || program.manifest.group == *group)
            }
            Self::Author => author == Some(&program.name),
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => write!(f, "{name}"),
            Self::Contract(contract, None) => write!(f, "@{contract}"),
            Self::Contract(contract, Some(group)) => write!(f, "@{contract}/{group}"),
            Self::Author => write!(f, "@author"),
        }
    }
}
impl Serialize for Target {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
impl<'de> Deserialize<'de> for Target {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(&String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

/// A rule about who runs next (Algorithms 3 and 4 are rules).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// When it applies.
    pub when: Expr,
    /// Who goes.
    pub go: Target,
    /// The reason shown to the user.
    pub why: String,
}

/// A possible transition.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// From whom.
    pub from: ProgramName,
    /// To whom.
    pub to: ProgramName,
    /// Prior, 0 to 1.
    pub prior: f64,
}

/// Limits of a run. Outside every program's reach.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Limits {
    /// Cycles of an episode.
    pub max_cycles: u32,
    /// Programs activated per choice.
    pub top_k: usize,
    /// Sub-tasks that run at once.
    pub max_parallel: usize,
    /// Depth of composites, rooms and edits of editors.
    pub max_depth: u8,
    /// Programs a network may hold.
    pub max_programs: usize,
    /// Contributions of a section that a view holds, newest first.
    pub view_entries: usize,
    /// Contributions of one activation.
    pub max_contributions: usize,
    /// Bytes of one contribution.
    pub max_contribution_bytes: usize,
    /// Wall clock of one activation, milliseconds.
    pub deadline_ms: u64,
    /// Wall clock of one run of a program on one of its tests in a repair, milliseconds.
    pub trial_ms: u64,
    /// Wall clock of one repair, milliseconds.
    pub repair_ms: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_cycles: 15,
            top_k: 1,
            max_parallel: 4,
            max_depth: 4,
            max_programs: 200,
            view_entries: 16,
            max_contributions: 64,
            max_contribution_bytes: 1 << 20,
            deadline_ms: 2_000,
            trial_ms: 250,
            repair_ms: 10_000,
        }
    }
}

/// A network, ready to run.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    /// Its name.
    pub name: String,
    /// Hash of all of its files.
    pub revision: RevisionId,
    /// Programs by name.
    pub programs: BTreeMap<ProgramName, Arc<Program>>,
    /// Names in file order, which breaks ties.
    pub order: Vec<ProgramName>,
    /// Declared transitions, sorted by `from`, then file order of `to`.
    pub edges: Vec<Edge>,
    /// Rules, first match wins.
    pub rules: Vec<Rule>,
    /// Who reads the query first.
    pub entry: ProgramName,
    /// Limits.
    pub limits: Limits,
    /// When to stop.
    pub halting: Halting,
    /// Weights of the scorer's channels.
    pub scorer: BTreeMap<String, f64>,
    /// Text of the network's own file, as merged.
    pub file: Arc<str>,
}

impl Network {
    /// The program of this name.
    #[must_use]
    pub fn program(&self, name: &ProgramName) -> Option<&Arc<Program>> {
        self.programs.get(name)
    }

    /// Active programs of a contract, in file order.
    pub fn of_contract(&self, contract: Contract) -> impl Iterator<Item = &Arc<Program>> {
        self.order
            .iter()
            .filter_map(|name| self.programs.get(name))
            .filter(move |program| program.contract() == contract && program.manifest.active)
    }

    /// Declared transitions out of a program.
    pub fn edges_from<'a>(&'a self, from: &ProgramName) -> impl Iterator<Item = &'a Edge> + use<'a> {
        let start = self.edges.partition_point(|edge| edge.from < *from);
        let from = from.clone();
        self.edges[start..].iter().take_while(move |edge| edge.from == from)
    }

    /// Hash of a set of files, by path and content.
    #[must_use]
    pub fn revision_of<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> RevisionId {
        let mut lines: Vec<String> =
            files.into_iter().map(|(path, text)| format!("{path} {}\n", Hash::of(text))).collect();
        lines.sort();
        RevisionId::new(Hash::of(lines.concat()).as_str())
    }
}
