//! The journal of one session: an append-only file of events, one line each.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::atomic::{make_folder, sync_folder};
use super::blobs::Blobs;
use super::line::{decode, encode};
use super::lock::Lock;
use super::reader::{BLOBS, Events, JOURNAL, tail};
use super::sync::Syncer;
use super::{StoreError, blobs};
use crate::engine::ports::{Journal, PortError};
use crate::model::{Envelope, Event, Seq};

/// The file that says who writes a session.
pub(crate) const LOCK: &str = "lock";
/// A buffer larger than this, in bytes, is written without being asked.
const FULL: usize = 256 << 10;
/// Somebody who only looks may hold the lock for an instant.
const PATIENCE: Duration = Duration::from_millis(100);

/// Writes the journal of one session, alone.
///
/// What was flushed survives the death of the process; what was flushed more than 100 ms ago, that of the machine. Dropping
/// it writes and syncs the rest.
#[derive(Debug)]
pub struct FileJournal {
    path: PathBuf,
    file: Arc<File>,
    buffer: Vec<u8>,
    written: u64,
    last: Seq,
    blobs: Blobs,
    syncer: Syncer,
    _lock: Lock,
}

impl FileJournal {
    /// Opens the journal in a session's folder for writing, and makes it where there is none.
    ///
    /// A last line that was cut off is removed. `name` is what an error calls the session.
    ///
    /// # Errors
    /// When another process writes it, or its end is damaged beyond the last line.
    pub(crate) fn open(folder: &Path, name: &str) -> Result<Self, StoreError> {
        make_folder(folder)?;
        let lock = Lock::take(&folder.join(LOCK), &format!("session {name}"), PATIENCE)?;
        let path = folder.join(JOURNAL);
        let mut options = OpenOptions::new();
        let mut file =
            options.create(true).read(true).append(true).open(&path).map_err(StoreError::io("open", &path))?;
        let end = sound_end(&mut file, folder)?;
        file.set_len(end.length).map_err(StoreError::io("write", &path))?;
        let file = Arc::new(file);
        let syncer = Syncer::start(file.clone()).map_err(StoreError::io("sync", &path))?;
        sync_folder(folder);
        Ok(Self {
            file,
            buffer: if end.ended { Vec::new() } else { vec![b'\n'] },
            written: end.length,
            last: end.last,
            blobs: Blobs::new(folder.join(BLOBS)),
            syncer,
            _lock: lock,
            path,
        })
    }

    /// Sequence number of the last event, 0 where there is none.
    #[must_use]
    pub fn last(&self) -> Seq {
        self.last
    }

    /// Adds a line that is already in the journal's form.
    pub(crate) fn append_line(&mut self, line: &[u8], seq: Seq) {
        self.buffer.extend_from_slice(line);
        self.buffer.push(b'\n');
        self.last = seq;
    }

    /// Adds an event.
    pub(crate) fn add(&mut self, envelope: &Envelope) -> Result<(), StoreError> {
        if matches!(envelope.event, Event::Delta { .. }) {
            return Ok(());
        }
        let bad = |why: String| StoreError::BadEvent { seq: envelope.seq.0, why };
        if envelope.seq <= self.last {
            return Err(bad(format!("the last one is {}", self.last)));
        }
        let mut failure = None;
        let encoded = encode(envelope, &mut self.buffer, &mut |text| {
            self.blobs.keep(text).map_err(|error| {
                let words = error.to_string();
                failure = Some(error);
                words
            })
        });
        match (encoded, failure) {
            (Ok(()), _) => self.last = envelope.seq,
            (Err(_), Some(error)) => return Err(error),
            (Err(why), None) => return Err(bad(why)),
        }
        if self.buffer.len() > FULL { self.write() } else { Ok(()) }
    }

    /// Hands the buffer to the operating system. Where that fails, the file ends where it ended before, and the buffer
    /// stays for the next try.
    pub(crate) fn write(&mut self) -> Result<(), StoreError> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        if let Err(error) = (&*self.file).write_all(&self.buffer) {
            let _ = self.file.set_len(self.written);
            return Err(StoreError::io("write", &self.path)(error));
        }
        self.written += self.buffer.len() as u64;
        self.buffer.clear();
        match self.syncer.wrote(self.blobs.take_fresh()) {
            Some(why) => Err(StoreError::io("sync", &self.path)(std::io::Error::other(why))),
            None => Ok(()),
        }
    }
}

impl Journal for FileJournal {
    fn append(&mut self, envelope: &Envelope) -> Result<(), PortError> {
        Ok(self.add(envelope)?)
    }

    fn flush(&mut self) -> Result<(), PortError> {
        Ok(self.write()?)
    }
}

impl Drop for FileJournal {
    fn drop(&mut self) {
        let _ = self.write();
    }
}

struct End {
    length: u64,
    ended: bool,
    last: Seq,
}

/// Where the last event ends. Reads the tail only, unless that is damaged.
fn sound_end(file: &mut File, folder: &Path) -> Result<End, StoreError> {
    let path = folder.join(JOURNAL);
    let parse = |bytes: &[u8]| decode(bytes, Seq(0), &|hash| blobs::find(&folder.join(BLOBS), hash));
    let mut window = 64 << 10;
    loop {
        let (lines, all) = tail(file, window).map_err(StoreError::io("read", &path))?;
        for (back, line) in lines.iter().rev().take(2).enumerate() {
            match parse(&line.bytes) {
                Ok(envelope) => {
                    let length = line.start + line.bytes.len() as u64 + u64::from(line.ended);
                    return Ok(End { length, ended: line.ended, last: envelope.seq });
                }
                Err(_) if back == 0 => {}
                Err(why) => return Err(damage(folder).unwrap_or_else(|| StoreError::damaged(&path, 1, why))),
            }
        }
        if all {
            return Ok(End { length: 0, ended: true, last: Seq(0) });
        }
        window *= 4;
    }
}

/// The first damage in a journal, read from the start.
fn damage(folder: &Path) -> Option<StoreError> {
    match Events::open(folder) {
        Ok(events) => events.filter_map(Result::err).next(),
        Err(error) => Some(error),
    }
}
