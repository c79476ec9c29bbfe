//! Where in a session things are. It is kept as the events come in, so that no view has to walk the session to find them.

use std::ops::Range;

use crate::model::{ContributionId, Cycle, Envelope, Event, Seq, State};

/// The beginning of an episode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Begun {
    /// The event.
    pub(super) seq: Seq,
    /// The episode.
    pub(super) episode: u32,
    /// The first entry of memory that belongs to it.
    pub(super) first: ContributionId,
}

/// J after one cycle, without what it is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Point {
    /// The event.
    pub(super) seq: Seq,
    /// The episode.
    pub(super) episode: u32,
    /// The cycle; 0 is before the first.
    pub(super) cycle: Cycle,
    /// J.
    pub(super) j: f64,
    /// Change since the last.
    pub(super) delta: f64,
    /// Whether a value was committed in it.
    pub(super) drafted: bool,
}

/// What makes a moment worth finding again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    /// The network changed.
    Revision,
    /// A breakpoint was hit.
    Break,
    /// The user left a note.
    Note,
    /// The user edited memory.
    Edit,
    /// The session was forked from another here.
    Fork,
}

/// A moment worth finding again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    /// The event.
    pub(super) seq: Seq,
    /// What it is.
    pub(super) sort: Sort,
}

/// The places.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    written: Vec<Seq>,
    episodes: Vec<Begun>,
    points: Vec<Point>,
    marks: Vec<Mark>,
    forked: bool,
}

impl Index {
    /// Takes in an event; `state` is the state after it.
    pub(super) fn push(&mut self, envelope: &Envelope, state: &State) {
        let seq = envelope.seq;
        let mut mark = |sort| self.marks.push(Mark { seq, sort });
        match &envelope.event {
            Event::SessionStarted { pins, .. } => self.forked = pins.parent.is_some(),
            Event::EpisodeStarted { number, .. } => {
                let first = state.episode.as_ref().map(|episode| episode.first).unwrap_or_default();
                self.episodes.push(Begun { seq, episode: *number, first });
            }
            Event::Contributed { contribution } => self.wrote(contribution.id, seq),
            Event::MemoryEdited { contribution, .. } => {
                mark(Sort::Edit);
                self.wrote(contribution.id, seq);
            }
            Event::Scored { cycle, score, delta, .. } => {
                let last = state.scores.last();
                self.points.push(Point {
                    seq,
                    episode: last.map_or(0, |point| point.episode),
                    cycle: *cycle,
                    j: score.mean,
                    delta: *delta,
                    drafted: last.is_some_and(|point| point.drafted),
                });
            }
            Event::Revised { .. } => mark(Sort::Revision),
            Event::Noted { .. } => mark(Sort::Note),
            Event::Paused { why } if why.starts_with("breakpoint") => mark(Sort::Break),
            Event::Resumed { rewound_to } => {
                // A step that was cut off is taken back; what the user did in it stays.
                if let Some(to) = rewound_to {
                    self.points.truncate(self.points.partition_point(|point| point.seq <= *to));
                }
                if std::mem::take(&mut self.forked) {
                    mark(Sort::Fork);
                }
            }
            _ => {}
        }
    }

    fn wrote(&mut self, id: ContributionId, seq: Seq) {
        let place = id.0 as usize;
        // Ids are given in order; a journal that says otherwise must not make this large.
        if place <= self.written.len() + 1024 {
            self.written.resize(self.written.len().max(place + 1), seq);
            if let Some(found) = self.written.get_mut(place) {
                *found = seq;
            }
        }
    }

    /// The event that wrote an entry of memory.
    pub(super) fn written(&self, id: ContributionId) -> Option<Seq> {
        self.written.get(id.0 as usize).copied()
    }

    /// The episodes that had begun by an event, oldest first.
    pub(super) fn episodes(&self, upto: Seq) -> &[Begun] {
        &self.episodes[..self.episodes.partition_point(|begun| begun.seq <= upto)]
    }

    /// J over the cycles of one episode, as far as an event.
    pub(super) fn points(&self, episode: u32, upto: Seq) -> &[Point] {
        let start = self.points.partition_point(|point| point.episode < episode);
        let end = self.points.partition_point(|point| point.episode <= episode && point.seq <= upto);
        self.points.get(start..end).unwrap_or_default()
    }

    /// Where the points of an episode begin among the scores of the present state.
    pub(super) fn place(&self, episode: u32) -> usize {
        self.points.partition_point(|point| point.episode < episode)
    }

    /// J after one cycle.
    pub(super) fn point(&self, episode: u32, cycle: Cycle) -> Option<&Point> {
        let end = self.points.partition_point(|point| (point.episode, point.cycle) <= (episode, cycle));
        let point = self.points.get(end.checked_sub(1)?)?;
        ((point.episode, point.cycle) == (episode, cycle)).then_some(point)
    }

    /// What is worth finding again after one event and up to another.
    pub(super) fn marks(&self, between: Range<Seq>) -> &[Mark] {
        let start = self.marks.partition_point(|mark| mark.seq <= between.start);
        let end = self.marks.partition_point(|mark| mark.seq <= between.end);
        self.marks.get(start..end).unwrap_or_default()
    }
}

/// The episode that an entry belongs to, by its place among the episodes that had begun.
pub(super) fn episode_of(episodes: &[Begun], id: ContributionId) -> u32 {
    let after = episodes.partition_point(|begun| begun.first <= id);
    after.checked_sub(1).and_then(|at| episodes.get(at)).map_or(0, |begun| begun.episode)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::testing::{IMPROVED, Stage};

    #[test]
    fn a_recorded_session_is_found_again() {
        let stage = Stage::of(IMPROVED, u64::MAX);
        let index = stage.live.index();
        assert_eq!(index.written(ContributionId(1)), Some(Seq(62)));
        assert_eq!(index.written(ContributionId(99)), None);
        let begun: Vec<_> = index.episodes(Seq(u64::MAX)).iter().map(|begun| (begun.episode, begun.first.0)).collect();
        assert_eq!(begun, [(1, 0), (2, 8)]);
        assert_eq!(index.episodes(Seq(231)).len(), 1);
        let of = |id| episode_of(index.episodes(Seq(u64::MAX)), ContributionId(id));
        assert_eq!([of(0), of(7), of(8), of(13)], [1, 1, 2, 2]);
        let j = |episode| index.points(episode, Seq(u64::MAX)).iter().map(|point| point.j).collect::<Vec<_>>();
        assert_eq!(j(1), [0.1, 0.1, 0.1, 0.0, 0.1, 0.6, 1.0, 1.0]);
        assert_eq!(j(2), [0.1, 0.1, 0.1, 0.6, 0.6, 1.0, 1.0]);
        assert_eq!(j(3), [0.0; 0]);
        assert_eq!(index.points(1, Seq(64)).len(), 4);
        assert_eq!(index.point(1, Cycle(5)).unwrap().delta, 0.5);
        assert_eq!(index.point(2, Cycle(9)), None);
        assert_eq!(index.marks(Seq(0)..Seq(u64::MAX)), [Mark { seq: Seq(231), sort: Sort::Revision }]);
    }
}
