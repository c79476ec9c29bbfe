//! Newtype ids, so that a cycle is never taken for a sequence number.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Arc<str>);

        impl $name {
            /// Makes the id from its text.
            pub fn new(text: impl AsRef<str>) -> Self {
                Self(Arc::from(text.as_ref()))
            }
            /// Its text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.0)
            }
        }
        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self::new(text)
            }
        }
        impl std::borrow::Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }
    };
}

macro_rules! number_id {
    ($(#[$doc:meta])* $name:ident($inner:ty)) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub $inner);

        impl $name {
            /// The one after this.
            #[must_use]
            pub fn next(self) -> Self {
                Self(self.0 + 1)
            }
        }
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

text_id! {
    /// A program's name, unique in its network; the file name without its ending.
    ProgramName
}
text_id! {
    /// A section of working memory: the type of a contribution (`draft`, `verdict`, …).
    Section
}
text_id! {
    /// A session's id, the name of its folder.
    SessionId
}
text_id! {
    /// A proposal's id, unique in its network's queue.
    ProposalId
}
text_id! {
    /// A revision of a network: the hash of what it contains.
    RevisionId
}
text_id! {
    /// A content hash in hexadecimal (BLAKE3, 64 digits).
    Hash
}
number_id! {
    /// Position of an event in its session, from 1.
    Seq(u64)
}
number_id! {
    /// One pass of Algorithm 1, from 1 in each episode; 0 is the state before the first.
    Cycle(u32)
}
number_id! {
    /// Position of a contribution in working memory, from 0.
    ContributionId(u32)
}
number_id! {
    /// One run of one program, from 0 in a session.
    ActivationId(u32)
}
number_id! {
    /// A part of the query that must be answered, from 1.
    PartId(u16)
}
number_id! {
    /// A task: 0 is the whole query, the rest are sub-tasks of a plan.
    TaskId(u16)
}

impl Section {
    /// A proposed value of a part, before anything confirmed it.
    pub const DRAFT: &'static str = "draft";
    /// A final value of a part.
    pub const ANSWER: &'static str = "answer";
    /// A critic's pass or fail on a value.
    pub const VERDICT: &'static str = "verdict";
    /// An input on which a draft is wrong.
    pub const COUNTEREXAMPLE: &'static str = "counterexample";
    /// What is missing, and of which sort.
    pub const GAP: &'static str = "gap";
    /// Sub-tasks.
    pub const PLAN: &'static str = "plan";
    /// The question in exact terms.
    pub const READING: &'static str = "reading";
    /// A proposed edit of a program.
    pub const PROPOSAL: &'static str = "proposal";
    /// A mark that a contribution, or the whole answer, must not stand.
    pub const VETO: &'static str = "veto";
    /// What is wrong with something, or could be better.
    pub const CRITIQUE: &'static str = "critique";
    /// How far something may be relied on, or whether the whole is complete.
    pub const ASSESSMENT: &'static str = "assessment";
}

impl Hash {
    /// Hashes bytes.
    #[must_use]
    pub fn of(bytes: impl AsRef<[u8]>) -> Self {
        Self::new(blake3::hash(bytes.as_ref()).to_hex().as_str())
    }

    /// The first ten digits, for people.
    #[must_use]
    pub fn short(&self) -> &str {
        self.as_str().get(..10).unwrap_or_else(|| self.as_str())
    }
}

impl RevisionId {
    /// The first ten digits, for people.
    #[must_use]
    pub fn short(&self) -> &str {
        self.as_str().get(..10).unwrap_or_else(|| self.as_str())
    }
}
