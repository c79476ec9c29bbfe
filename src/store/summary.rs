//! What a list of sessions says about each, without folding it.

use std::fs::File;
use std::path::Path;

use super::journal::LOCK;
use super::line::decode;
use super::lock::{Holder, Lock};
use super::reader::{BLOBS, Events, JOURNAL, tail};
use super::{StoreError, blobs};
use crate::model::{Cycle, Envelope, Event, HaltReason, Seq, SessionId};

/// How many events at the head are looked at for the first query.
const HEAD: usize = 64;
/// How much of the tail is looked at, at most, in bytes.
const TAIL: u64 = 4 << 20;

/// How a session stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// A process writes it now.
    Open {
        /// Which, where that could be read.
        pid: Option<u32>,
    },
    /// No episode was begun.
    Empty,
    /// Its last episode is not over: it can be resumed.
    Unfinished,
    /// Its last episode is over.
    Finished,
    /// It cannot be read.
    Damaged {
        /// Why.
        why: String,
    },
}

/// One session in a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Its id.
    pub id: SessionId,
    /// The words of its first query; none before one was asked.
    pub query: Option<String>,
    /// The network's name.
    pub network: String,
    /// When it began, milliseconds since 1970.
    pub began: u64,
    /// When its last event was, milliseconds since 1970.
    pub touched: u64,
    /// Why its last finished episode stopped.
    pub halted: Option<HaltReason>,
    /// J of what was presented, or as last scored.
    pub j: Option<f64>,
    /// Cycles of its last episode.
    pub cycles: u32,
    /// Session and cycle that it was forked from.
    pub parent: Option<(SessionId, Cycle)>,
    /// How it stands.
    pub standing: Standing,
}

/// Looks at the head and the tail of a journal.
pub(crate) fn of(folder: &Path, id: SessionId) -> Summary {
    let mut summary = Summary {
        id,
        query: None,
        network: String::new(),
        began: 0,
        touched: 0,
        halted: None,
        j: None,
        cycles: 0,
        parent: None,
        standing: Standing::Empty,
    };
    let looked = head(folder, &mut summary).and_then(|()| foot(folder, &mut summary));
    if let Err(error) = looked {
        summary.standing = Standing::Damaged { why: error.to_string() };
    }
    if let Some(Holder { pid }) = Lock::held(&folder.join(LOCK)) {
        summary.standing = Standing::Open { pid };
    }
    summary
}

fn head(folder: &Path, summary: &mut Summary) -> Result<(), StoreError> {
    for (index, envelope) in Events::open(folder)?.take(HEAD).enumerate() {
        let envelope = envelope?;
        if index == 0 {
            summary.began = envelope.at;
            summary.touched = envelope.at;
        }
        if let Event::SessionStarted { pins, query } = envelope.event {
            summary.network.clone_from(&pins.network);
            summary.parent.clone_from(&pins.parent);
            summary.query = query.map(|query| query.text.clone());
        } else if let Event::EpisodeStarted { query, .. } = envelope.event {
            summary.query = Some(query.text.clone());
        }
        if summary.query.is_some() {
            break;
        }
    }
    Ok(())
}

fn foot(folder: &Path, summary: &mut Summary) -> Result<(), StoreError> {
    let path = folder.join(JOURNAL);
    let mut file = File::open(&path).map_err(StoreError::io("read", &path))?;
    let mut window = 64 << 10;
    loop {
        let (lines, all) = tail(&mut file, window).map_err(StoreError::io("read", &path))?;
        let find = |hash: &str| blobs::find(&folder.join(BLOBS), hash);
        let events = lines.iter().rev().filter_map(|line| decode(&line.bytes, Seq(0), &find).ok());
        if look_back(events, summary) || all || window >= TAIL {
            return Ok(());
        }
        window *= 4;
    }
}

/// Goes through events from the newest back, until nothing more is to be learnt. False where more would be.
fn look_back(events: impl Iterator<Item = Envelope>, summary: &mut Summary) -> bool {
    let mut newest = true;
    for envelope in events {
        if std::mem::take(&mut newest) {
            summary.touched = envelope.at;
        }
        if let Event::EpisodeEnded { outcome } = envelope.event {
            summary.standing = Standing::Finished;
            summary.halted = Some(outcome.halted);
            summary.j = Some(outcome.j);
            summary.cycles = outcome.cycles;
            return true;
        } else if let Event::Scored { cycle, score, .. } = envelope.event {
            summary.standing = Standing::Unfinished;
            summary.j = Some(score.mean);
            summary.cycles = summary.cycles.max(cycle.0);
            return true;
        } else if let Event::CycleBegan { cycle } = envelope.event {
            summary.standing = Standing::Unfinished;
            summary.cycles = summary.cycles.max(cycle.0);
        } else if let Event::EpisodeStarted { .. } = envelope.event {
            summary.standing = Standing::Unfinished;
            return true;
        }
    }
    false
}
