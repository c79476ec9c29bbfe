//! Diffs as hunks that can be chosen one by one.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use similar::{ChangeTag, DiffOp, TextDiff};

/// One separate change within a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hunk {
    /// Lines of the old text that it replaces, from 0.
    pub old: Range<usize>,
    /// Lines of the new text that replace them, from 0.
    pub new: Range<usize>,
}

/// The hunks that lead from one text to another; changes with fewer than `join` equal lines between them are one hunk.
#[must_use]
pub fn hunks(before: &str, after: &str, join: usize) -> Vec<Hunk> {
    // Lines end at `\n` alone, as [`apply_hunks`] counts them.
    let (old, new): (Vec<&str>, Vec<&str>) =
        (before.split_inclusive('\n').collect(), after.split_inclusive('\n').collect());
    let diff = TextDiff::from_slices(&old, &new);
    let mut found: Vec<Hunk> = Vec::new();
    for op in diff.ops().iter().filter(|op| !matches!(op, DiffOp::Equal { .. })) {
        let (old, new) = (op.old_range(), op.new_range());
        match found.last_mut() {
            Some(last) if old.start.saturating_sub(last.old.end) < join.max(1) => {
                last.old.end = old.end;
                last.new.end = new.end;
            }
            _ => found.push(Hunk { old, new }),
        }
    }
    found
}

/// The old text with the chosen hunks applied.
#[must_use]
pub fn apply_hunks(before: &str, after: &str, chosen: &[Hunk]) -> String {
    let old: Vec<&str> = before.split_inclusive('\n').collect();
    let new: Vec<&str> = after.split_inclusive('\n').collect();
    let (mut text, mut at) = (String::with_capacity(after.len()), 0);
    for hunk in chosen {
        text.extend(old.get(at..hunk.old.start).unwrap_or_default().iter().copied());
        text.extend(new.get(hunk.new.clone()).unwrap_or_default().iter().copied());
        at = hunk.old.end;
    }
    text.extend(old.get(at..).unwrap_or_default().iter().copied());
    text
}

/// A unified diff of two texts under one path, with `context` equal lines around changes.
#[must_use]
pub fn unified(path: &str, before: Option<&str>, after: Option<&str>, context: usize) -> String {
    let (old, new) = (before.unwrap_or_default(), after.unwrap_or_default());
    let name = |side: &str, there: bool| if there { format!("{side}/{path}") } else { "/dev/null".to_owned() };
    TextDiff::from_lines(old, new)
        .unified_diff()
        .context_radius(context)
        .header(&name("a", before.is_some()), &name("b", after.is_some()))
        .to_string()
}

/// The lines of one hunk as a diff shows them: `-old`, `+new`.
#[must_use]
pub fn hunk_lines(before: &str, after: &str, hunk: &Hunk) -> Vec<(ChangeTag, String)> {
    let lines = |text: &str, range: &Range<usize>, tag: ChangeTag| -> Vec<(ChangeTag, String)> {
        text.lines().skip(range.start).take(range.len()).map(|line| (tag, line.to_owned())).collect()
    };
    let mut found = lines(before, &hunk.old, ChangeTag::Delete);
    found.extend(lines(after, &hunk.new, ChangeTag::Insert));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_subset_of_hunks_can_be_applied() {
        let before = "a\nb\nc\nd\ne\nf\n";
        let after = "a\nB\nc\nd\ne\nF\nG\n";
        let all = hunks(before, after, 1);
        assert_eq!(all.len(), 2);
        assert_eq!(apply_hunks(before, after, &all), after);
        assert_eq!(apply_hunks(before, after, &[]), before);
        assert_eq!(apply_hunks(before, after, &all[..1]), "a\nB\nc\nd\ne\nf\n");
        assert_eq!(apply_hunks(before, after, &all[1..]), "a\nb\nc\nd\ne\nF\nG\n");
    }

    #[test]
    fn a_carriage_return_alone_ends_no_line() {
        let (before, after) = ("a\rb\nc\r\nd", "a\rB\nc\r\nD");
        let all = hunks(before, after, 1);
        assert_eq!(all, [Hunk { old: 0..1, new: 0..1 }, Hunk { old: 2..3, new: 2..3 }]);
        assert_eq!(apply_hunks(before, after, &all[1..]), "a\rb\nc\r\nD");
    }
}
