//! Recall on disk: solved questions in one SQLite file, which several processes share.

mod file;
mod likeness;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::engine::ports::{Near, PortError, Recall, Solved};

pub use file::Kept;
use file::RecallFile;

/// Whether questions are recalled and kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RecallMode {
    /// Neither.
    Off,
    /// Both.
    #[default]
    On,
    /// They are recalled, and none is kept: questions of a benchmark must not teach each other.
    Frozen,
}

/// Takes secrets out of a text.
pub type Scrub = Arc<dyn Fn(&str) -> String + Send + Sync>;

/// The solved questions of a user. Nothing is opened before the first use.
pub struct FileRecall {
    path: PathBuf,
    mode: RecallMode,
    scrub: Scrub,
    held: Mutex<Held>,
}

#[derive(Default)]
struct Held {
    file: Option<RecallFile>,
    /// What cannot mend by itself was found: nothing is tried any more.
    broken: bool,
    problem: Option<String>,
}

impl FileRecall {
    /// Recall in the file of this path; `scrub` takes secrets out of what is kept.
    #[must_use]
    pub fn new(path: PathBuf, mode: RecallMode, scrub: Scrub) -> Self {
        Self { path, mode, scrub, held: Mutex::default() }
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What a run that begins now would recall from: the mode, and a hash of the content; empty where nothing is recalled.
    #[must_use]
    pub fn snapshot(&self) -> String {
        let mode = match self.mode {
            RecallMode::Off => return String::new(),
            RecallMode::On => "on",
            RecallMode::Frozen => "frozen",
        };
        let state = self.quietly(false, |file| file.state()).map(|state| state.unwrap_or_default());
        match state {
            None => String::new(),
            Some(state) if state.is_empty() => format!("{mode} empty"),
            Some(state) => format!("{mode} {}", state.get(..16).unwrap_or(&state)),
        }
    }

    /// All that is kept, newest first.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn list(&self) -> Result<Vec<Kept>, PortError> {
        Ok(self.with(false, |file| file.list())?.unwrap_or_default())
    }

    /// What is most like a text, with its number and its likeness from 0 to 1.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn search(&self, text: &str, most: usize) -> Result<Vec<(i64, Near)>, PortError> {
        Ok(self.with(false, |file| file.nearest(text, most))?.unwrap_or_default())
    }

    /// Forgets one question; false where there is none of this number.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn forget(&self, id: i64) -> Result<bool, PortError> {
        Ok(self.with(false, |file| file.forget(id))?.unwrap_or_default())
    }

    /// Forgets everything; gives how many questions there were.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn clear(&self) -> Result<usize, PortError> {
        Ok(self.with(false, RecallFile::clear)?.unwrap_or_default())
    }

    /// Does something with the file; none where there is no file and `create` does not say to begin one.
    fn with<T>(
        &self,
        create: bool,
        work: impl FnOnce(&mut RecallFile) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, PortError> {
        let mut held = self.lock();
        if held.file.is_none() {
            held.file = RecallFile::open(&self.path, create || self.mode == RecallMode::On && self.path.exists())?;
        }
        let Some(file) = &mut held.file else { return Ok(None) };
        match work(file) {
            Ok(value) => Ok(Some(value)),
            Err(error) => {
                // The next use begins anew: what was wrong may be gone by then.
                held.file = None;
                Err(file::tell(&self.path, &error))
            }
        }
    }

    /// The same for a run, which goes on whatever happens: a problem is told once, and then nothing is tried again unless it
    /// may have passed.
    fn quietly<T>(&self, create: bool, work: impl FnOnce(&mut RecallFile) -> rusqlite::Result<T>) -> Option<Option<T>> {
        if self.mode == RecallMode::Off || self.lock().broken {
            return None;
        }
        match self.with(create, work) {
            Ok(value) => Some(value),
            Err(PortError { message, hint }) => {
                let mut held = self.lock();
                held.broken = !message.ends_with("is locked by another process");
                held.problem = Some([Some(message), hint].into_iter().flatten().collect::<Vec<_>>().join("; "));
                None
            }
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Recall for FileRecall {
    fn nearest(&self, question: &str, most: usize) -> Vec<Near> {
        let found = self.quietly(false, |file| file.nearest(question, most)).flatten().unwrap_or_default();
        found.into_iter().map(|(_, near)| near).collect()
    }

    fn keep(&self, solved: &Solved) {
        if self.mode != RecallMode::On {
            return;
        }
        let scrubbed = Solved {
            question: (self.scrub)(&solved.question),
            answer: (self.scrub)(&solved.answer),
            methods: solved.methods.iter().map(|method| (self.scrub)(method)).collect(),
            ..solved.clone()
        };
        self.quietly(true, |file| file.keep(&scrubbed));
    }

    fn problem(&self) -> Option<String> {
        self.lock().problem.take()
    }
}
