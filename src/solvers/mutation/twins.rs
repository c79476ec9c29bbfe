//! The same slip in several places: both roots of a formula with one wrong sign, a name misread throughout a statement.

use std::collections::BTreeMap;
use std::ops::Range;

use super::Edit;
use super::candidate::Candidate;

/// Most places that are changed at once.
const MOST: usize = 4;

/// Returns candidates that make the same change at every place of one statement where it can be made.
///
/// Two changes are the same if they replace the same text by the same text and read the same to the reviewer. `statement`
/// gives the bytes of the innermost statement around a place.
pub(super) fn twins(
    source: &str,
    candidates: &[Candidate],
    statement: impl Fn(usize) -> Option<Range<usize>>,
) -> Vec<Candidate> {
    let mut groups: BTreeMap<(usize, usize, &str, &str, &str), Vec<&Candidate>> = BTreeMap::new();
    for candidate in candidates {
        if let [edit] = candidate.edits.as_slice()
            && !edit.replacement.contains('\n')
            && let Some(within) = statement(edit.range.start)
            && let Some(old) = source.get(edit.range.clone())
        {
            let key = (within.start, within.end, old, edit.replacement.as_str(), candidate.what.as_str());
            groups.entry(key).or_default().push(candidate);
        }
    }
    let together = |group: Vec<&Candidate>| {
        let mut edits: Vec<Edit> = group.iter().flat_map(|candidate| candidate.edits.clone()).collect();
        edits.sort_by_key(|edit| edit.range.start);
        let apart = edits.windows(2).all(|pair| match pair {
            [one, two] => one.range.end <= two.range.start && one.range.start < two.range.start,
            _ => true,
        });
        let first = group.first().filter(|_| apart)?;
        let tier = group.iter().map(|candidate| candidate.tier).max()? + 1;
        let what = format!("{}, at all {} places", first.what, group.len());
        Some(Candidate { family: first.family, tier, edits, what, cost: 0 })
    };
    groups.into_values().filter(|group| (2..=MOST).contains(&group.len())).filter_map(together).collect()
}
