//! A new session from the beginning of another.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use super::atomic::make_folder;
use super::journal::FileJournal;
use super::line::blobs_of;
use super::reader::{BLOBS, Events};
use super::{StoreError, blobs};
use crate::model::{Cycle, Envelope, Event, Pins, Seq, SessionId};

/// Where a copy ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForkPoint {
    /// Episode that the end is in; 0 before the first.
    pub episode: u32,
    /// The last cycle that is whole in the copy; 0 before the first.
    pub cycle: Cycle,
    /// The last event of the copy.
    pub seq: Seq,
}

/// Copies a journal up to a boundary. The new folder appears at once and whole, or not at all.
pub(crate) fn copy(
    from: &Path,
    parent: &SessionId,
    episode: Option<u32>,
    cycle: Cycle,
    to: &Path,
    new: &SessionId,
) -> Result<ForkPoint, StoreError> {
    let point = find(from, parent, episode, cycle)?;
    let half = to.with_file_name(format!(".{new}.half"));
    if half.exists() {
        fs::remove_dir_all(&half).map_err(StoreError::io("remove", &half))?;
    }
    let copied = copy_lines(from, parent, point, &half, new)
        .and_then(|()| fs::rename(&half, to).map_err(StoreError::io("write", to)));
    if copied.is_err() {
        let _ = fs::remove_dir_all(&half);
    }
    copied.map(|()| point)
}

/// Finds the boundary in the episode that is meant: the last one that is not after the cycle, and of several choices after
/// the same cycle the first, before anybody overrode it.
fn find(from: &Path, parent: &SessionId, episode: Option<u32>, cycle: Cycle) -> Result<ForkPoint, StoreError> {
    let (mut now, mut point, mut just_started) = (0, None::<ForkPoint>, true);
    for envelope in Events::open(from)? {
        let Envelope { seq, event, .. } = envelope?;
        if let Event::EpisodeStarted { number, .. } = &event {
            if episode.is_some_and(|episode| episode < *number) {
                break;
            }
            now = *number;
        }
        let starts = matches!(event, Event::SessionStarted { .. } | Event::EpisodeStarted { .. });
        let Some(whole) = whole_after(&event) else { continue };
        if starts || whole <= cycle && point.is_none_or(|last| just_started || whole > last.cycle) {
            point = Some(ForkPoint { episode: now, cycle: whole, seq });
            just_started = starts;
        }
    }
    let unknown = |what, name: String| StoreError::Unknown {
        what,
        name,
        hint: format!("session {parent} has {now} {}", if now == 1 { "episode" } else { "episodes" }),
    };
    match (point, episode) {
        (None, _) => Err(unknown("beginning of session", parent.to_string())),
        (Some(point), Some(wanted)) if point.episode != wanted => Err(unknown("episode", wanted.to_string())),
        (Some(point), _) => Ok(point),
    }
}

/// The last cycle that is whole at a boundary; none where the event is no boundary.
fn whole_after(event: &Event) -> Option<Cycle> {
    if let Event::Routed { cycle, .. } = event {
        return Some(Cycle(cycle.0.saturating_sub(1)));
    }
    if let Event::EpisodeEnded { outcome } = event {
        return Some(Cycle(outcome.cycles));
    }
    matches!(event, Event::SessionStarted { .. } | Event::EpisodeStarted { .. }).then_some(Cycle(0))
}

fn copy_lines(from: &Path, parent: &SessionId, point: ForkPoint, to: &Path, new: &SessionId) -> Result<(), StoreError> {
    let mut events = Events::open(from)?;
    let mut journal = FileJournal::open(to, new.as_str())?;
    let (texts, copies) = (from.join(BLOBS), to.join(BLOBS));
    while let Some(envelope) = events.next() {
        let envelope = envelope?;
        let (seq, line) = (envelope.seq, events.line());
        if let Event::SessionStarted { pins, query } = &envelope.event {
            let parent = Some((parent.clone(), point.cycle));
            let pins = Pins { session: new.clone(), parent, ..Pins::clone(pins) };
            let event = Event::SessionStarted { pins: Arc::new(pins), query: query.clone() };
            journal.add(&Envelope { event, ..envelope })?;
        } else {
            let names = blobs_of(line, &|hash| blobs::find(&texts, hash));
            for name in names.map_err(|why| StoreError::BadEvent { seq: seq.0, why })? {
                share(&texts.join(&name), &copies.join(&name), &copies)?;
            }
            journal.append_line(line, seq);
        }
        if seq >= point.seq {
            break;
        }
    }
    journal.write()
}

/// Gives a text a second name; copies it where the disk cannot.
fn share(from: &Path, to: &Path, folder: &Path) -> Result<(), StoreError> {
    if to.exists() {
        return Ok(());
    }
    make_folder(folder)?;
    match fs::hard_link(from, to) {
        Ok(()) => Ok(()),
        Err(_) => fs::copy(from, to).map(drop).map_err(StoreError::io("write", to)),
    }
}
