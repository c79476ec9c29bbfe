//! Which entry stands in which row of the list, without walking the list.

use crate::model::{ContributionId, State};
use crate::tui::index::Begun;
use crate::tui::scene::Scene;

/// One row of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Row {
    /// An entry.
    Entry(ContributionId),
    /// What follows is of an earlier episode.
    Rule(u32),
}

/// The rows, newest first.
pub(super) enum Rows<'a> {
    /// Everything, with a rule above each earlier episode.
    All {
        /// The id that the next entry gets.
        next: usize,
        /// The episodes that have begun, oldest first.
        episodes: &'a [Begun],
    },
    /// What a filter lets through, oldest first.
    Some(&'a [ContributionId]),
}

impl<'a> Rows<'a> {
    /// All rows of the state shown.
    pub(super) fn all(scene: &Scene<'a>) -> Self {
        let state: &State = scene.state;
        Self::All { next: state.memory.next_id().0 as usize, episodes: scene.live.index().episodes(scene.state.seq) }
    }

    /// Number of rows.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::All { next: 0, .. } => 0,
            Self::All { next, episodes } => next + episodes.len().saturating_sub(1),
            Self::Some(ids) => ids.len(),
        }
    }

    /// What stands in a row.
    pub(super) fn at(&self, row: usize) -> Option<Row> {
        if row >= self.len() {
            return None;
        }
        match self {
            Self::Some(ids) => ids.get(ids.len() - 1 - row).copied().map(Row::Entry),
            Self::All { next, episodes } => {
                let last = episodes.len().saturating_sub(1);
                let below = |index: usize| self.begins(index) > row + usize::from(index < last);
                let index = partition(episodes.len().max(1), below);
                let begins = self.begins(index);
                if row < begins {
                    return episodes.get(index).map(|begun| Row::Rule(begun.episode));
                }
                let end = self.end(index);
                let id = end.checked_sub(row - begins + 1).filter(|id| id < next)?;
                Some(Row::Entry(id_of(id)))
            }
        }
    }

    /// The row of an entry; the nearest older one where it is not among them.
    pub(super) fn place(&self, id: ContributionId) -> usize {
        match self {
            Self::Some(ids) => (ids.len() - ids.partition_point(|other| *other <= id)).min(ids.len().saturating_sub(1)),
            Self::All { episodes, .. } => {
                let index = episodes.partition_point(|begun| begun.first <= id).saturating_sub(1);
                self.begins(index) + self.end(index).saturating_sub(id.0 as usize + 1)
            }
        }
    }

    /// The entry nearest to a row, looking on in one direction first.
    pub(super) fn near(&self, row: usize, down: bool) -> Option<ContributionId> {
        let row = row.min(self.len().checked_sub(1)?);
        let entry = |row: usize| match self.at(row) {
            Some(Row::Entry(id)) => Some(id),
            Some(Row::Rule(_)) | None => None,
        };
        let on = (1..=self.rules() + 1).map(|by| if down { row.checked_add(by) } else { row.checked_sub(by) });
        let back = (1..=self.rules() + 1).map(|by| if down { row.checked_sub(by) } else { row.checked_add(by) });
        std::iter::once(Some(row)).chain(on).chain(back).flatten().find_map(entry)
    }

    fn rules(&self) -> usize {
        match self {
            Self::All { episodes, .. } => episodes.len(),
            Self::Some(_) => 0,
        }
    }

    /// Row of the first entry of an episode, by the episode's place.
    fn begins(&self, index: usize) -> usize {
        match self {
            Self::Some(_) => 0,
            Self::All { next, episodes } => {
                next.saturating_sub(self.end(index)) + episodes.len().saturating_sub(1).saturating_sub(index)
            }
        }
    }

    /// The id after the last entry of an episode.
    fn end(&self, index: usize) -> usize {
        match self {
            Self::Some(ids) => ids.len(),
            Self::All { next, episodes } => {
                episodes.get(index + 1).map_or(*next, |begun| (begun.first.0 as usize).min(*next))
            }
        }
    }
}

fn id_of(id: usize) -> ContributionId {
    ContributionId(u32::try_from(id).unwrap_or(u32::MAX))
}

/// The first of so many places for which a condition, true up to there, does not hold.
fn partition(len: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, len);
    while low < high {
        let middle = low.midpoint(high);
        if holds(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low.min(len.saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Seq;

    fn begun(firsts: &[u32]) -> Vec<Begun> {
        let episode = |(index, first): (usize, &u32)| Begun {
            seq: Seq(0),
            episode: u32::try_from(index).unwrap() + 1,
            first: ContributionId(*first),
        };
        firsts.iter().enumerate().map(episode).collect()
    }

    #[test]
    fn every_row_is_found_again() {
        for firsts in [&[][..], &[0], &[0, 3], &[0, 3, 3, 5], &[0, 7], &[0, 0]] {
            let episodes = begun(firsts);
            let rows = Rows::All { next: 7, episodes: &episodes };
            let mut walked = Vec::new();
            for id in (0..7).rev() {
                let above = firsts.iter().filter(|first| **first > id).count();
                while walked.len() < rows.place(ContributionId(id)) {
                    walked.push(None);
                }
                assert_eq!(walked.iter().filter(|row| row.is_none()).count(), above, "{firsts:?} {id}");
                walked.push(Some(id));
            }
            for (row, expected) in walked.iter().enumerate() {
                match (rows.at(row), expected) {
                    (Some(Row::Entry(id)), Some(expected)) => assert_eq!(id.0, *expected, "{firsts:?} {row}"),
                    (Some(Row::Rule(_)), None) => {}
                    (other, _) => panic!("{firsts:?} {row}: {other:?}"),
                }
            }
        }
    }

    #[test]
    fn a_rule_names_the_episode_under_it_and_is_stepped_over() {
        let episodes = begun(&[0, 2]);
        let rows = Rows::All { next: 3, episodes: &episodes };
        let all: Vec<_> = (0..5).map(|row| rows.at(row)).collect();
        let entry = |id| Some(Row::Entry(ContributionId(id)));
        assert_eq!(all, [entry(2), Some(Row::Rule(1)), entry(1), entry(0), None]);
        assert_eq!(rows.near(1, true), Some(ContributionId(1)));
        assert_eq!(rows.near(1, false), Some(ContributionId(2)));
        assert_eq!(rows.near(9, true), Some(ContributionId(0)));
    }

    #[test]
    fn what_is_filtered_keeps_its_order() {
        let ids = [ContributionId(2), ContributionId(5), ContributionId(9)];
        let rows = Rows::Some(&ids);
        assert_eq!(rows.at(0), Some(Row::Entry(ContributionId(9))));
        assert_eq!(rows.place(ContributionId(5)), 1);
        assert_eq!(rows.place(ContributionId(1)), 2);
        assert_eq!(Rows::Some(&[]).near(0, true), None);
    }
}
