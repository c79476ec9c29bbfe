//! A possible single edit, and the one place where their order is decided.
//!
//! Candidates of one family are sorted by tier (how likely within the family), then by place. Families are then
//! interleaved: the n-th candidate of a family costs `first + n * stride`, so that a family with many members cannot
//! push the likely ones of another beyond the first few hundred.

use std::ops::Range;

use super::sites::Sites;
use super::twins::twins;
use super::{Edit, Focus};

/// The most single edits kept; a page of script gives about a thousand.
const MOST: usize = 30_000;

/// Tiers by which a candidate in a preferred function or with a preferred name comes earlier.
const PREFERRED: u32 = 3;

/// What sort of mistake an edit undoes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Family {
    /// A call of a primitive or helper is put around a value.
    Wrap,
    /// A comparison operator.
    Compare,
    /// An arithmetic operator or a sign.
    Arithmetic,
    /// A number.
    Number,
    /// A number under `params`.
    Parameter,
    /// A position in a list.
    Position,
    /// Order of a list, a chain of branches or of helpers.
    Order,
    /// A helper that is defined and never called.
    Missing,
    /// A guard of plain Python that is added.
    Guard,
    /// A guard that is taken away.
    Unguard,
    /// A condition by a primitive that is added.
    Truth,
    /// `and`, `or`, `not`.
    Logic,
    /// A sign or digit inside text that is built.
    Formula,
    /// A string for another of the same role.
    Text,
    /// Another tool or helper of the same signature.
    Replace,
    /// Arguments swapped.
    Arguments,
    /// Statements swapped.
    Statements,
}

impl Family {
    /// All families, in the order that breaks ties.
    const ALL: [Self; 17] = [
        Self::Wrap,
        Self::Compare,
        Self::Arithmetic,
        Self::Number,
        Self::Parameter,
        Self::Position,
        Self::Order,
        Self::Missing,
        Self::Guard,
        Self::Unguard,
        Self::Truth,
        Self::Logic,
        Self::Formula,
        Self::Text,
        Self::Replace,
        Self::Arguments,
        Self::Statements,
    ];

    /// Returns the cost of the first candidate and the step to each next one.
    fn price(self) -> (u32, u32) {
        match self {
            Self::Wrap => (10, 7),
            Self::Compare => (11, 5),
            Self::Arithmetic => (12, 8),
            Self::Number => (13, 6),
            Self::Parameter => (26, 24),
            Self::Position => (25, 12),
            Self::Order => (14, 8),
            Self::Missing => (15, 8),
            Self::Guard => (18, 6),
            Self::Unguard => (40, 35),
            Self::Truth => (30, 14),
            Self::Logic => (24, 12),
            Self::Formula => (20, 14),
            Self::Text => (40, 18),
            Self::Replace => (30, 24),
            Self::Arguments => (36, 22),
            Self::Statements => (50, 45),
        }
    }
}

/// One single edit (of one or more byte ranges) that may repair the script.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// Sort of mistake.
    pub(super) family: Family,
    /// How unlikely within the family, from 0.
    pub(super) tier: u32,
    /// Replacements; not sorted yet, not overlapping.
    pub(super) edits: Vec<Edit>,
    /// The sentence for the reviewer.
    pub(super) what: String,
    /// Filled in by [`Pool::sorted`].
    pub(super) cost: u32,
}

/// The candidates gathered so far.
pub(super) struct Pool<'a, 's> {
    sites: &'a Sites<'s>,
    focus: &'a Focus,
    candidates: Vec<Candidate>,
}

impl<'a, 's> Pool<'a, 's> {
    /// Starts an empty pool.
    pub(super) fn new(sites: &'a Sites<'s>, focus: &'a Focus) -> Self {
        Self { sites, focus, candidates: Vec::new() }
    }

    /// Adds an edit of one range.
    pub(super) fn one(
        &mut self,
        family: Family,
        tier: u32,
        range: Range<usize>,
        replacement: impl Into<String>,
        what: String,
    ) {
        self.many(family, tier, vec![(range, replacement.into())], what);
    }

    /// Adds an edit that swaps the texts of two ranges.
    pub(super) fn swap(&mut self, family: Family, tier: u32, first: Range<usize>, second: Range<usize>, what: String) {
        let (one, two) = (self.sites.text(&first), self.sites.text(&second));
        if one != two {
            let edits = vec![(first, two.to_owned()), (second, one.to_owned())];
            self.many(family, tier, edits, what);
        }
    }

    /// Adds an edit of several ranges.
    pub(super) fn many(&mut self, family: Family, tier: u32, edits: Vec<(Range<usize>, String)>, what: String) {
        let touches_header = family != Family::Parameter
            && edits
                .iter()
                .any(|(range, _)| range.start < self.sites.header.end && self.sites.header.start < range.end);
        if touches_header || edits.is_empty() || self.candidates.len() >= MOST {
            return;
        }
        let edits: Vec<Edit> =
            edits.into_iter().map(|(range, replacement)| Edit { range, replacement, what: what.clone() }).collect();
        self.candidates.push(Candidate { family, tier, edits, what, cost: 0 });
    }

    /// Sorts by cost: tiers within a family, then the families interleaved.
    pub(super) fn sorted(self) -> Vec<Candidate> {
        let Self { sites, focus, mut candidates } = self;
        candidates.extend(twins(sites.source, &candidates, |at| sites.statement_at(at)));
        let names: Vec<String> = focus.names.iter().filter(|name| !name.is_empty()).cloned().collect();
        let mut weighed: Vec<(u32, usize, usize, Candidate)> = candidates
            .into_iter()
            .filter(|candidate| candidate.edits.iter().any(|edit| is_reached(sites, focus, edit)))
            .enumerate()
            .map(|(index, candidate)| {
                let at = candidate.edits.first().map_or(0, |edit| edit.range.start);
                let tier = candidate.tier + adjustment(sites, &names, &candidate, at);
                (tier, at, index, candidate)
            })
            .collect();
        weighed.sort_by_key(|(tier, at, index, candidate)| (candidate.family, *tier, *at, *index));
        let mut sorted = Vec::with_capacity(weighed.len());
        for family in Family::ALL {
            let (first, stride) = family.price();
            let members = weighed.iter().filter(|(_, _, _, candidate)| candidate.family == family);
            let mut cost = first;
            for (_, _, _, candidate) in members {
                sorted.push(Candidate { cost, ..candidate.clone() });
                cost = cost.saturating_add(stride);
            }
        }
        sorted.sort_by_key(|candidate| (candidate.cost, candidate.family));
        sorted
    }
}

/// Returns how much later a candidate comes because of the focus.
fn adjustment(sites: &Sites<'_>, names: &[String], candidate: &Candidate, at: usize) -> u32 {
    let function = sites.function_at(at).map_or("", |function| function.name);
    let preferred =
        names.is_empty() || names.iter().any(|name| name == function || candidate.what.contains(name.as_str()));
    u32::from(!preferred) * PREFERRED
}

/// Says whether the failing test comes to an edit; an edit that it never comes to cannot mend it.
fn is_reached(sites: &Sites<'_>, focus: &Focus, edit: &Edit) -> bool {
    let ran = |line: usize| focus.lines.binary_search(&line).is_ok();
    let Some(function) = sites.function_at(edit.range.start).filter(|_| !focus.lines.is_empty()) else { return true };
    let (first, last) = (sites.line(edit.range.start), sites.line(edit.range.end));
    if !edit.range.is_empty() || !edit.replacement.contains('\n') {
        return (first..=last).any(ran);
    }
    // A whole statement runs where the one before it ran: the nearest line above that is indented no more than it.
    let width = |text: &str| text.len() - text.trim_start().len();
    let (from, indent) = match edit.replacement.strip_prefix('\n') {
        Some(text) => (first, width(text)),
        None if edit.range.start == sites.line_start(edit.range.start) => (first - 1, width(&edit.replacement)),
        None => (first - 1, width(sites.line_text(first))),
    };
    let top = sites.line(function.range.start);
    let above = (top..=from).rev().find(|line| {
        let text = sites.line_text(*line);
        !text.trim().is_empty() && width(text) <= indent
    });
    match above {
        Some(line) if line > top => ran(line),
        _ => (top..=sites.line(function.range.end)).any(ran),
    }
}
