//! Repairs of a script without any model: small edits of its text, the smallest and likeliest first.
//!
//! A program that failed a test is changed in the ways in which programs are usually wrong: a comparison points the
//! wrong way, a constant is off by one, a sign is lost, methods are tried in an unlucky order, a guard or a filter is
//! missing. [`mutants`] writes down every such single edit, sorts them, and then combines them in pairs. Whoever calls
//! it runs the tests of the program on each text and keeps the first that passes.
//!
//! The tree only says *where* to edit; edits are applied to the original text by byte range, so comments and layout
//! stay. Each family of edits is one file that turns the flat lists of `sites` into candidates; the
//! order lives in `candidate` alone, the lazy part (text, syntax check, duplicates, pairs) in `enumerate`.

mod boundary;
mod branches;
mod calls;
mod candidate;
mod constants;
mod enumerate;
mod facts;
mod fill;
mod formulas;
mod guards;
mod kinds;
mod literals;
mod lost_branches;
mod moves;
mod operators;
mod order;
mod parameters;
mod results;
mod siblings;
mod sites;
mod tests_of_truth;
mod trace;
mod twins;

use std::ops::Range;

use thiserror::Error;

pub use enumerate::{Mutants, apply_edits};
pub use facts::{calls, defines_run, parses, unknown_names};
pub use literals::check_literals;
pub use trace::{Traced, traced};

/// The type of a value as far as a repair cares, by name.
///
/// Names are those of the tools' types in kebab case (`candidates`, `equations`, `truth`). This floor does not know the
/// tools, so any name will do; [`Kind::ANY`], [`Kind::TRUTH`] and [`Kind::NUMBER`] alone have a meaning here.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Kind(String);

impl Kind {
    /// Name of the kind that says nothing; it is never inferred and never wrapped.
    pub const ANY: &'static str = "any";
    /// Name of the kind of a yes or no; a primitive that gives it can be a condition.
    pub const TRUTH: &'static str = "truth";

    /// Name of the kind of a number; only those change their sign.
    pub const NUMBER: &'static str = "number";

    /// Makes a kind of its name.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self(name.into())
    }

    /// Returns the name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0
    }

    /// Says whether the kind carries no information.
    #[must_use]
    pub fn is_any(&self) -> bool {
        self.0 == Self::ANY
    }

    /// Says whether the kind is a yes or no.
    #[must_use]
    pub fn is_truth(&self) -> bool {
        self.0 == Self::TRUTH
    }

    /// Says whether a list of values of this kind is a value of `list` (`equation` and `equations`).
    #[must_use]
    pub fn listed_is(&self, list: &Self) -> bool {
        list.0.strip_suffix('s') == Some(self.0.as_str())
    }
}

/// A function that scripts may call: what a repair may insert.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Primitive {
    /// The name that scripts call.
    pub name: String,
    /// Kinds of the positional arguments, in order.
    pub takes: Vec<Kind>,
    /// Kind of the result.
    pub gives: Kind,
    /// Fields of the result, where it is a record, each with the words that it may hold, where those are few.
    pub fields: Vec<(String, Vec<String>)>,
}

/// Where to look first and how long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Focus {
    /// Lines (1-based, ascending) that ran in the failing test; empty when unknown. Edits elsewhere are left out.
    pub lines: Vec<usize>,
    /// Functions or variables to prefer, for instance those that a textual gradient names.
    pub names: Vec<String>,
    /// The most mutants that are ever yielded.
    pub bound: usize,
}

impl Default for Focus {
    fn default() -> Self {
        Self { lines: Vec::new(), names: Vec::new(), bound: 10_000 }
    }
}

/// One replacement of a byte range of the original text; an empty range is an insertion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// Bytes of the original text.
    pub range: Range<usize>,
    /// What stands there afterwards.
    pub replacement: String,
    /// What this edit does, in plain words.
    pub what: String,
}

/// One edited text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// The whole script after the edits.
    pub text: String,
    /// The edits against the original, in the order of the text; they do not overlap.
    pub edits: Vec<Edit>,
    /// One sentence for the person who reviews the change.
    pub what: String,
    /// How unlikely the repair is; lower is tried earlier. Costs of pairs are sums.
    pub cost: u32,
}

/// A script that cannot be read, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {message}")]
pub struct MutationError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// One clause.
    pub message: String,
}

/// Enumerates repairs of a script: single edits by cost, then pairs of them by summed cost.
///
/// `source` is the whole text of a script program, with or without its leading `# /// program` block, of which only the
/// numbers under `params` are ever touched. `primitives` are the tools that the program may call; only those are inserted. The iterator is lazy,
/// deterministic and bounded by `focus.bound`; every text parses, differs from the source and from all others.
/// Literals of the result are those of the script, 0, 1 and 2, a number of the script one more, one less or negated, a
/// single-digit coefficient doubled or halved, or formula text of the script with one sign or digit changed: nothing
/// comes from outside the script, so a failing input cannot be copied in (see [`check_literals`] for the proof).
///
/// # Errors
/// The source does not parse, is longer than 64 KiB, or holds an expression too long to walk safely.
pub fn mutants(source: &str, focus: &Focus, primitives: &[Primitive]) -> Result<Mutants, MutationError> {
    let suite = facts::read(source)?;
    let sites = sites::Sites::of(source, &suite);
    let kinds = kinds::Kinds::infer(&sites, primitives);
    let mut pool = candidate::Pool::new(&sites, focus);
    operators::propose(&sites, &kinds, &mut pool);
    constants::propose(&sites, &mut pool);
    parameters::propose(&sites, &mut pool);
    formulas::propose(&sites, &mut pool);
    order::propose(&sites, &kinds, primitives, &mut pool);
    branches::propose(&sites, &mut pool);
    moves::propose(&sites, &mut pool);
    guards::propose(&sites, &mut pool);
    boundary::propose(&sites, &kinds, &mut pool);
    calls::propose(&sites, &kinds, primitives, &mut pool);
    tests_of_truth::propose(&sites, &kinds, primitives, &mut pool);
    siblings::propose(&sites, &mut pool);
    lost_branches::propose(&sites, primitives, &mut pool);
    results::propose(&sites, primitives, &mut pool);
    Ok(Mutants::new(source, &sites, pool.sorted(), focus.bound))
}

#[cfg(test)]
mod breakages;
#[cfg(test)]
mod fixture;
#[cfg(test)]
mod tests;
