//! Which words of a changed line changed.

use std::ops::Range;
use std::time::Instant;

use similar::{ChangeTag, TextDiff};

/// Lines of which less than this share is the same are other lines; no word of them stands out.
const ALIKE: f32 = 0.25;

/// Bytes of the old and of the new line that are only there.
pub(super) type Changed = (Vec<Range<usize>>, Vec<Range<usize>>);

/// The words that are only in one of two lines; none where the lines have little in common. After the deadline the answer
/// gets coarse instead of late.
pub(super) fn changed(old: &str, new: &str, deadline: Instant) -> Changed {
    let diff = TextDiff::configure().deadline(deadline).diff_unicode_words(old, new);
    let (mut gone, mut come): Changed = (Vec::new(), Vec::new());
    let (mut at, mut same) = ((0, 0), 0);
    for change in diff.iter_all_changes() {
        let length = change.value().len();
        match change.tag() {
            ChangeTag::Equal => {
                at = (at.0 + length, at.1 + length);
                same += change.value().trim().len();
            }
            ChangeTag::Delete => {
                extend(&mut gone, old, at.0..at.0 + length);
                at.0 += length;
            }
            ChangeTag::Insert => {
                extend(&mut come, new, at.1..at.1 + length);
                at.1 += length;
            }
        }
    }
    let longest = old.trim().len().max(new.trim().len());
    if (same as f32) < ALIKE * longest as f32 {
        return (Vec::new(), Vec::new());
    }
    (gone, come)
}

/// Adds a range; only space between it and the last one does not part them.
fn extend(ranges: &mut Vec<Range<usize>>, line: &str, range: Range<usize>) {
    match ranges.last_mut() {
        Some(last) if line.get(last.end..range.start).is_some_and(|between| between.trim().is_empty()) => {
            last.end = range.end;
        }
        Some(_) | None => ranges.push(range),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn words_that_changed_stand_out_and_the_rest_does_not() {
        let check = |old: &str, new: &str, expected: (&[&str], &[&str])| {
            let (gone, come) = changed(old, new, Instant::now() + Duration::from_secs(5));
            let gone: Vec<&str> = gone.into_iter().map(|range| &old[range]).collect();
            let come: Vec<&str> = come.into_iter().map(|range| &new[range]).collect();
            assert_eq!((&*gone, &*come), expected, "{old} {new}");
        };
        check("kept = [x for x in candidates]", "kept = [x for x in good]", (&["candidates"], &["good"]));
        check("return a", "return a + b", (&[], &[" + b"]));
        check("x = 1", "", (&[], &[]));
        check("one thing", "quite another matter", (&[], &[]));
        check("漢字 old", "漢字 new", (&["old"], &["new"]));
    }

    #[test]
    fn a_deadline_that_is_over_still_gives_an_answer() {
        let long = |n: usize| (0..n).map(|i| format!("w{} ", i * 7 % 91)).collect::<String>();
        let (old, new) = (long(400), long(390));
        let (gone, come) = changed(&old, &new, Instant::now());
        assert!(gone.iter().all(|range| old.get(range.clone()).is_some()));
        assert!(come.iter().all(|range| new.get(range.clone()).is_some()));
    }
}
