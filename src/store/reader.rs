//! Reads a journal as a stream of events.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::line::{LONGEST, decode};
use super::{StoreError, blobs};
use crate::model::{Envelope, Seq};

/// The journal's name in its session's folder.
pub(crate) const JOURNAL: &str = "journal.jsonl";
/// The folder of large texts in a session's folder.
pub(crate) const BLOBS: &str = "blobs";

/// The events of a session, oldest first.
///
/// A last line that was cut off, or is no event, ends the stream as if it were not there: a crash may leave one. Such a line
/// before the last is an error, after which the stream ends.
#[derive(Debug)]
pub struct Events {
    path: PathBuf,
    blobs: PathBuf,
    input: BufReader<File>,
    line: Vec<u8>,
    number: u64,
    last: Seq,
    done: bool,
    torn: bool,
}

impl Events {
    /// Opens the journal in a session's folder.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub(crate) fn open(folder: &Path) -> Result<Self, StoreError> {
        let path = folder.join(JOURNAL);
        let file = File::open(&path).map_err(StoreError::io("read", &path))?;
        Ok(Self {
            path,
            blobs: folder.join(BLOBS),
            input: BufReader::with_capacity(256 << 10, file),
            line: Vec::new(),
            number: 0,
            last: Seq(0),
            done: false,
            torn: false,
        })
    }

    /// Whether the stream ended before a last line that is no event.
    #[must_use]
    pub fn torn(&self) -> bool {
        self.torn
    }

    /// The line of the event that came last, without its line break.
    pub(crate) fn line(&self) -> &[u8] {
        self.line.strip_suffix(b"\n").unwrap_or(&self.line)
    }

    fn read(&mut self) -> Result<Option<Envelope>, StoreError> {
        self.line.clear();
        let limit = LONGEST as u64 + 1;
        let read = self.input.by_ref().take(limit).read_until(b'\n', &mut self.line);
        if read.map_err(StoreError::io("read", &self.path))? == 0 {
            return Ok(None);
        }
        self.number += 1;
        let decoded = match self.line.len() as u64 >= limit {
            true => Err(format!("longer than {} MiB", LONGEST >> 20)),
            false => decode(self.line(), self.last, &|hash| blobs::find(&self.blobs, hash)),
        };
        match decoded {
            Ok(envelope) => {
                self.last = envelope.seq;
                Ok(Some(envelope))
            }
            Err(why) => {
                if self.input.fill_buf().map_err(StoreError::io("read", &self.path))?.is_empty() {
                    self.torn = true;
                    return Ok(None);
                }
                Err(StoreError::damaged(&self.path, self.number, format!("not an event: {why}")))
            }
        }
    }
}

impl Iterator for Events {
    type Item = Result<Envelope, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let next = self.read().transpose();
        self.done = !matches!(next, Some(Ok(_)));
        next
    }
}

/// One line near the end of a journal.
#[derive(Debug)]
pub(crate) struct TailLine {
    /// Where it starts in the file.
    pub(crate) start: u64,
    /// Its bytes without the line break.
    pub(crate) bytes: Vec<u8>,
    /// Whether a line break ends it.
    pub(crate) ended: bool,
}

/// Whole lines among the last `window` bytes of a file, oldest first, and whether these are all of its lines.
pub(crate) fn tail(file: &mut File, window: u64) -> std::io::Result<(Vec<TailLine>, bool)> {
    let length = file.seek(SeekFrom::End(0))?;
    let from = length.saturating_sub(window);
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.by_ref().take(window).read_to_end(&mut bytes)?;
    let mut lines = Vec::new();
    let mut start = from;
    for (index, line) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
        if index > 0 || from == 0 {
            let ended = line.ends_with(b"\n");
            lines.push(TailLine { start, bytes: line.strip_suffix(b"\n").unwrap_or(line).to_vec(), ended });
        }
        start += line.len() as u64;
    }
    Ok((lines, from == 0))
}
