//! What a bench asks: which questions of which suites, by which arms, with which seeds.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::model::{Hash, RevisionId};

use super::suite::{Question, Suite};

/// Everything that two parts of one bench must have in common, written into its folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Version of this file.
    pub v: u32,
    /// Version of mop.
    pub mop: String,
    /// The arms.
    pub arms: Vec<ArmPlan>,
    /// The seeds.
    pub seeds: Vec<u64>,
    /// The suites.
    pub suites: Vec<SuitePlan>,
    /// Which questions are taken.
    pub pick: Pick,
    /// Number of questions of all shards together.
    pub questions: usize,
    /// Hash of their ids.
    pub ids: Hash,
    /// Cap on the wall clock of a question, milliseconds.
    pub timeout: Option<u64>,
    /// Cap on the cycles of a question.
    pub cycles: Option<u32>,
    /// Where replies of models come from, where that is not a server.
    pub provider: Option<String>,
    /// The part that this folder holds; none is the whole.
    pub shard: Option<Shard>,
}

/// One arm.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArmPlan {
    /// Name of its network.
    pub name: String,
    /// The revision of it that answers.
    pub revision: RevisionId,
    /// Hash of its scorer.
    pub scorer: Hash,
}

/// One suite.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuitePlan {
    /// The file, as it was named.
    pub file: String,
    /// Hash of its text.
    pub hash: Hash,
    /// Questions taken from it.
    pub questions: usize,
}

/// Which questions of each suite are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pick {
    /// The most of each file; none takes all.
    pub limit: Option<usize>,
    /// Takes them by lot, which this number decides, instead of the first ones.
    pub sample: Option<u64>,
}

/// One of several equal parts of a bench.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Shard {
    /// Which, from 1.
    pub part: usize,
    /// Of how many.
    pub of: usize,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let read = text.split_once('/').and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
        match read {
            Some((part, of)) if (1..=of).contains(&part) => Ok(Self { part, of }),
            _ => Err("a shard is i/n with i from 1 to n, such as 1/4".to_owned()),
        }
    }
}

impl TryFrom<String> for Shard {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> Self {
        shard.to_string()
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.part, self.of)
    }
}

impl Pick {
    /// The questions of a suite that are taken, in the order of the file. The same numbers take the same questions, whatever
    /// the arms are; a larger limit takes those of a smaller one and more.
    #[must_use]
    pub fn of(&self, suite: &Suite) -> Vec<Question> {
        let limit = self.limit.unwrap_or(usize::MAX);
        let Some(seed) = self.sample else { return suite.questions.iter().take(limit).cloned().collect() };
        let lot = |question: &Question| Hash::of(format!("{seed} {}", question.id)).as_str().to_owned();
        let mut order: Vec<usize> = (0..suite.questions.len()).collect();
        order.sort_by_cached_key(|at| lot(&suite.questions[*at]));
        order.truncate(limit);
        order.sort_unstable();
        order.into_iter().map(|at| suite.questions[at].clone()).collect()
    }
}

impl Shard {
    /// The questions of this part: every n-th one, so that each part has its share of each suite.
    #[must_use]
    pub fn of(self, questions: Vec<Question>) -> Vec<Question> {
        let mine = |at: &usize| at % self.of == self.part - 1;
        questions.into_iter().enumerate().filter(|(at, _)| mine(at)).map(|(_, question)| question).collect()
    }
}

impl Shard {
    /// How many of so many questions are this part's.
    #[must_use]
    pub fn share(self, questions: usize) -> usize {
        (0..questions).filter(|at| at % self.of == self.part - 1).count()
    }
}

impl Plan {
    /// The hash of the ids of questions.
    #[must_use]
    pub fn hash(questions: &[Question]) -> Hash {
        let ids: Vec<&str> = questions.iter().map(|question| question.id.as_str()).collect();
        Hash::of(ids.join("\n"))
    }

    /// In what another plan is not a part of the same bench, in words; none where it is. Where replies come from does not
    /// count, and which part it is neither.
    #[must_use]
    pub fn differs(&self, other: &Self) -> Option<String> {
        let arm = |one: &ArmPlan| format!("{} at {}", one.name, one.revision.short());
        let list = |plan: &Self| plan.arms.iter().map(arm).collect::<Vec<_>>().join(", ");
        if self.arms != other.arms {
            return Some(format!("its arms are {}, not {}", list(other), list(self)));
        }
        if self.seeds != other.seeds {
            return Some(format!("its seeds are {:?}, not {:?}", other.seeds, self.seeds));
        }
        if self.ids != other.ids {
            return Some("its questions are others".to_owned());
        }
        let hashes = |plan: &Self| plan.suites.iter().map(|suite| suite.hash.clone()).collect::<Vec<_>>();
        if hashes(self) != hashes(other) {
            return Some("the text of its suites was another".to_owned());
        }
        if (self.timeout, self.cycles) != (other.timeout, other.cycles) {
            return Some("its limits are others".to_owned());
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suite(count: usize) -> Suite {
        let line = |at| format!("{{\"id\":\"q{at}\",\"question\":\"{at}\",\"answer\":\"{at}\",\"check\":\"exact\"}}\n");
        Suite::read("s.jsonl", &(0..count).map(line).collect::<String>())
    }

    fn ids(questions: &[Question]) -> Vec<&str> {
        questions.iter().map(|question| question.id.as_str()).collect()
    }

    #[test]
    fn a_sample_is_fixed_by_its_seed_and_grows_with_its_limit() {
        let suite = suite(50);
        let pick = |limit, sample| Pick { limit: Some(limit), sample }.of(&suite);
        assert_eq!(ids(&pick(3, None)), ["q0", "q1", "q2"]);
        let (ten, again, other) = (pick(10, Some(1)), pick(10, Some(1)), pick(10, Some(2)));
        assert_eq!(ten, again);
        assert_ne!(ids(&ten), ids(&other));
        assert_ne!(ids(&ten), ids(&pick(10, None)));
        let more = pick(20, Some(1));
        assert!(ids(&ten).iter().all(|id| ids(&more).contains(id)));
        assert_eq!(pick(500, Some(1)).len(), 50);
    }

    #[test]
    fn shards_are_disjoint_and_together_the_whole() {
        let all = suite(11).questions;
        let shards: Vec<Shard> = ["1/3", "2/3", "3/3"].iter().map(|text| text.parse().unwrap()).collect();
        let mut joined: Vec<String> = Vec::new();
        for shard in &shards {
            let part = shard.of(all.clone());
            assert_eq!(part.len(), shard.share(all.len()));
            joined.extend(part.into_iter().map(|question| question.id));
        }
        joined.sort();
        let mut whole: Vec<String> = all.into_iter().map(|question| question.id).collect();
        whole.sort();
        assert_eq!(joined, whole);
        for wrong in ["0/3", "4/3", "1", "1/0", "a/b", "-1/2", ""] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
