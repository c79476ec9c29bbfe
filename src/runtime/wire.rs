//! The messages between a pool and its workers: JSON behind a length of four bytes, little endian.

use std::borrow::Cow;
use std::io::{self, Read, Write};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::job::{Call, Decision, Key, ScriptError};
use super::sandbox::Report;

/// The longest message: 16 MiB.
pub(super) const MAX_FRAME: usize = 16 << 20;

/// What the pool says.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum ToWorker<'a> {
    /// Run a script.
    Run(Order<'a>),
    /// Go on with the call that you asked about.
    Answer(Decision),
}

/// A job as a worker gets it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Order<'a> {
    pub(super) key: Key,
    /// The script's text, if this worker has not got it yet.
    pub(super) source: Option<Source<'a>>,
    /// Whether to drop all compiled scripts first: the bound on what a worker keeps is the pool's.
    pub(super) forget: bool,
    pub(super) args: Cow<'a, [Value]>,
    pub(super) tools: Cow<'a, [String]>,
    pub(super) local: Cow<'a, [String]>,
    pub(super) deadline_micros: u64,
    pub(super) memory: u64,
}

/// The text of a script.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Source<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) file_name: Cow<'a, str>,
    pub(super) function: Cow<'a, str>,
}

/// What a worker says.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum FromWorker {
    /// It is up and locked in.
    Hello(Report),
    /// The script calls a tool; `at` counts the calls of the run.
    Call { at: u32, name: String, args: Vec<Value> },
    /// The run is over.
    Done(Ended),
}

/// The end of a run.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Ended {
    pub(super) result: Result<Value, ScriptError>,
    /// The calls that the worker ran itself, each with its place among the calls of the run.
    pub(super) calls: Vec<(u32, Call)>,
    pub(super) printed: String,
    pub(super) micros: u64,
    /// Bytes that the process holds after the run.
    pub(super) resident: u64,
}

/// Encodes a message with its length in front.
///
/// # Errors
/// With the size in bytes when it is longer than [`MAX_FRAME`].
pub(super) fn frame<T: Serialize>(message: &T) -> Result<Vec<u8>, usize> {
    let mut bytes = vec![0; 4];
    // Writing to a vector fails only for maps with keys that are no strings, which these types have not.
    let _ = serde_json::to_writer(&mut bytes, message);
    let length = bytes.len() - 4;
    match u32::try_from(length) {
        Ok(short) if length <= MAX_FRAME => {
            bytes[..4].copy_from_slice(&short.to_le_bytes());
            Ok(bytes)
        }
        Ok(_) | Err(_) => Err(length),
    }
}

/// Reads the length of a frame.
///
/// # Errors
/// When it is longer than [`MAX_FRAME`].
pub(super) fn length(head: [u8; 4]) -> io::Result<usize> {
    let length = u32::from_le_bytes(head) as usize;
    if length > MAX_FRAME {
        return Err(io::Error::new(io::ErrorKind::InvalidData, format!("a message of {length} bytes is too long")));
    }
    Ok(length)
}

/// Reads one message, or `None` at the end of the stream.
///
/// # Errors
/// When the stream breaks within a message or it is not one.
pub(super) fn read<T: DeserializeOwned>(from: &mut impl Read) -> io::Result<Option<T>> {
    let mut head = [0; 4];
    match from.read_exact(&mut head) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        Err(error) => return Err(error),
    }
    let mut body = vec![0; length(head)?];
    from.read_exact(&mut body)?;
    serde_json::from_slice(&body).map(Some).map_err(io::Error::from)
}

/// Writes a frame at once.
///
/// # Errors
/// When the stream is closed.
pub(super) fn write(to: &mut impl Write, frame: &[u8]) -> io::Result<()> {
    to.write_all(frame)?;
    to.flush()
}
