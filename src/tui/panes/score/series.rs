//! J over the cycles of a run, read in pieces, so that a picture costs what its width costs.

use imbl::Vector;

use super::plot::Span;
use crate::model::{ScorePoint, State};
use crate::tui::index::Point;

/// J after each cycle of one run, cycle 0 first.
#[derive(Clone, Copy)]
pub(super) enum Series<'a> {
    /// Of this session.
    Points(&'a [Point]),
    /// Of another session: the scores, and where its last episode begins.
    Scores(&'a Vector<ScorePoint>, usize),
}

impl<'a> Series<'a> {
    /// The last episode of another session.
    pub(super) fn rival(state: &'a State) -> Self {
        let scores = &state.scores;
        let number = scores.last().map_or(0, |point| point.episode);
        let (mut low, mut high) = (0, scores.len());
        while low < high {
            let middle = low.midpoint(high);
            if scores.get(middle).is_some_and(|point| point.episode < number) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Self::Scores(scores, low)
    }

    /// Number of cycles, cycle 0 included.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Points(points) => points.len(),
            Self::Scores(scores, start) => scores.len() - start,
        }
    }

    /// J after the cycle at a place.
    pub(super) fn j(&self, at: usize) -> Option<f64> {
        match self {
            Self::Points(points) => points.get(at).map(|point| point.j),
            Self::Scores(scores, start) => scores.get(start + at).map(|point| point.score.mean),
        }
    }

    /// What J does from one place up to another.
    pub(super) fn span(&self, from: usize, to: usize) -> Option<Span> {
        let to = to.min(self.len());
        let (first, last) = (self.j(from)?, self.j(to.checked_sub(1)?)?);
        let ends = (first.min(last), first.max(last));
        let (low, high) = match self {
            Self::Points(points) => {
                points.get(from..to)?.iter().fold(ends, |(low, high), point| (low.min(point.j), high.max(point.j)))
            }
            Self::Scores(..) => ends,
        };
        Some(Span { first, last, low, high })
    }
}

/// Which places of `len` a column of `columns` stands for.
pub(super) fn bucket(column: usize, columns: usize, len: usize) -> (usize, usize) {
    let columns = columns.max(1);
    let from = column * len / columns;
    (from, ((column + 1) * len / columns).max(from + 1))
}

/// The first column of a place, and the one after its last.
pub(super) fn slot(place: usize, columns: usize, len: usize) -> (usize, usize) {
    let len = len.max(1);
    // The least column whose bucket begins at the place or after it.
    let first = |place: usize| (place * columns).div_ceil(len);
    (first(place), first(place + 1).max(first(place) + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_and_buckets_agree() {
        for columns in 1..40 {
            for len in 1..columns {
                for column in 0..columns {
                    let (place, _) = bucket(column, columns, len);
                    let (from, to) = slot(place, columns, len);
                    assert!((from..to).contains(&column), "{column} of {columns} for {place} of {len}: {from}..{to}");
                }
            }
        }
        assert_eq!(bucket(1, 4, 100), (25, 50));
        assert_eq!(slot(50, 4, 100), (2, 3));
    }
}
