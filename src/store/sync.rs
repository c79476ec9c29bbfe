//! Asks the disk to keep what was written, in groups, off the writer's path.

use std::fs::File;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How long writes gather before one sync serves them all.
const GATHER: Duration = Duration::from_millis(50);

/// A thread that syncs one journal and its blobs: at most 100 ms after a write, and at the end.
#[derive(Debug)]
pub(crate) struct Syncer {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    work: Mutex<Work>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Work {
    dirty: bool,
    closing: bool,
    blobs: Vec<File>,
    failure: Option<String>,
}

impl Shared {
    fn work(&self) -> MutexGuard<'_, Work> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Syncer {
    /// Starts the thread.
    pub(crate) fn start(journal: Arc<File>) -> std::io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let its = shared.clone();
        let thread = thread::Builder::new().name("journal-sync".into()).spawn(move || run(&its, &journal))?;
        Ok(Self { shared, thread: Some(thread) })
    }

    /// Says that something was written; gives back why the last sync failed, if it did.
    pub(crate) fn wrote(&self, blobs: Vec<File>) -> Option<String> {
        let mut work = self.shared.work();
        work.dirty = true;
        work.blobs.extend(blobs);
        let failure = work.failure.take();
        drop(work);
        self.shared.changed.notify_one();
        failure
    }
}

impl Drop for Syncer {
    fn drop(&mut self) {
        self.shared.work().closing = true;
        self.shared.changed.notify_one();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn run(shared: &Shared, journal: &File) {
    loop {
        let mut work = shared.work();
        while !work.dirty && !work.closing {
            work = shared.changed.wait(work).unwrap_or_else(PoisonError::into_inner);
        }
        if !work.closing {
            let gathered = shared.changed.wait_timeout_while(work, GATHER, |work| !work.closing);
            work = gathered.unwrap_or_else(PoisonError::into_inner).0;
        }
        if !work.dirty {
            return;
        }
        work.dirty = false;
        let blobs = std::mem::take(&mut work.blobs);
        drop(work);
        let synced = blobs.iter().try_for_each(File::sync_data).and_then(|()| journal.sync_data());
        if let Err(error) = synced {
            shared.work().failure = Some(error.to_string());
        }
    }
}
