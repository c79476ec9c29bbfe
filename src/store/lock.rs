//! One writer at a time, across processes.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use super::StoreError;

/// A lock on a file, given back when it is dropped or the process ends in any way.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock, waiting for at most `patience`.
    ///
    /// The file says who holds it: readable on Unix while it is held, and a mere courtesy everywhere.
    pub(crate) fn take(path: &Path, what: &str, patience: Duration) -> Result<Self, StoreError> {
        let mut options = OpenOptions::new();
        options.create(true).read(true).write(true).truncate(false);
        let mut file = options.open(path).map_err(StoreError::io("open", path))?;
        let start = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if start.elapsed() < patience => thread::sleep(Duration::from_millis(2)),
                Err(TryLockError::WouldBlock) => {
                    return Err(StoreError::Locked { what: what.to_owned(), pid: holder(path) });
                }
                Err(TryLockError::Error(error)) => return Err(StoreError::io("lock", path)(error)),
            }
        }
        let written = file.set_len(0).and_then(|()| file.write_all(std::process::id().to_string().as_bytes()));
        written.map_err(StoreError::io("write", path))?;
        Ok(Self { _file: file })
    }

    /// Who holds the lock, where somebody does. Takes nothing.
    pub(crate) fn held(path: &Path) -> Option<Holder> {
        let file = File::open(path).ok()?;
        match file.try_lock_shared() {
            Err(TryLockError::WouldBlock) => Some(Holder { pid: holder(path) }),
            Ok(()) | Err(TryLockError::Error(_)) => None,
        }
    }
}

/// Somebody who holds a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Holder {
    /// Its process, where that could be read.
    pub(crate) pid: Option<u32>,
}

fn holder(path: &Path) -> Option<u32> {
    fs::read_to_string(path).ok()?.trim().parse().ok()
}
