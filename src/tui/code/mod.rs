//! Code and prompts in colours by role.
//!
//! A grammar costs a third of a millisecond a line, so a thread of its own does the work, from the top of a text down to the
//! rows that are looked at. What is not ready comes plain; when it is, the thread wakes whoever draws. Nothing is done twice:
//! what was coloured is kept by its content, as far as there is room.

mod painter;
#[cfg(test)]
mod tests;
mod toml;

use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::ops::Range;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use self::painter::{Language, Painter};
use super::lines::Lines;
use super::text::clean;
use super::theme::Role;
use crate::model::Hash;

/// One line as pieces of clean text with their roles.
pub(super) type CodeLine = Vec<(Role, String)>;

/// Lengths of a line's pieces in bytes of its clean text, with their roles.
type Pieces = Box<[(u16, Role)]>;

/// Lines that are coloured before somebody else has a turn.
const CHUNK: usize = 64;
/// A line longer than this, in bytes, stays plain.
const LONGEST: usize = 2000;
/// A text longer than this, in bytes, stays plain.
const LARGEST: usize = 512 << 10;
/// Most coloured lines that are kept, at about 60 bytes each.
const MOST_LINES: usize = 60_000;
/// Most texts whose lines are known.
const MOST_TEXTS: usize = 24;
/// Most texts that wait to be coloured; the one asked for last comes first.
const MOST_WAITING: usize = 6;

/// Highlights what is looked at, and remembers it.
pub(super) struct Code {
    /// Texts seen, the last one last.
    known: RefCell<VecDeque<Arc<Known>>>,
    desk: Arc<Desk>,
    work: RefCell<Work>,
}

/// Who does the work.
enum Work {
    /// A thread that is not needed yet, with how it tells that something is ready.
    Idle(Box<dyn Fn() + Send + Sync>),
    /// A thread that works.
    Thread,
    /// Whoever asks.
    #[cfg(test)]
    Here(Box<Painter>),
}

/// A text with the places of its lines.
struct Known {
    lines: Lines,
    key: Key,
}

/// What a text is, and in what language.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    language: Language,
    content: Hash,
}

/// What the two sides share.
#[derive(Default)]
struct Desk {
    board: Mutex<Board>,
    called: Condvar,
}

#[derive(Default)]
struct Board {
    /// What is wanted, most urgent first.
    wanted: VecDeque<Wanted>,
    done: HashMap<Key, Done>,
    turn: u64,
    over: bool,
}

struct Wanted {
    known: Arc<Known>,
    rows: Range<usize>,
}

#[derive(Default)]
struct Done {
    lines: Vec<Pieces>,
    used: u64,
}

impl Default for Code {
    fn default() -> Self {
        Self::new(Box::new(|| {}))
    }
}

impl Code {
    /// Calls `wake` from another thread whenever something that was asked for has got its colours.
    pub(super) fn new(wake: Box<dyn Fn() + Send + Sync>) -> Self {
        Self { known: RefCell::default(), desk: Arc::default(), work: RefCell::new(Work::Idle(wake)) }
    }

    /// Colours at once, and lets whoever asks wait.
    #[cfg(test)]
    pub(super) fn immediate() -> Self {
        let work = RefCell::new(Work::Here(Box::default()));
        Self { known: RefCell::default(), desk: Arc::default(), work }
    }

    /// The given rows of a text, coloured as its path says (`.py`, `.md`, `.toml`). What is not ready yet comes plain.
    pub(super) fn lines(&self, path: &str, text: &Arc<str>, rows: Range<usize>) -> Vec<CodeLine> {
        let known = self.known(path, text);
        let rows = rows.start.min(known.lines.len())..rows.end.min(known.lines.len());
        let mut ready = self.ready(&known, &rows);
        if ready.len() < rows.len() && text.len() <= LARGEST && known.key.language != Language::Plain {
            self.want(&known, &rows);
            // Where whoever asks does the work, it is done now.
            ready = self.ready(&known, &rows);
        }
        let none: &[(u16, Role)] = &[];
        let pieces = ready.iter().map(|pieces| &**pieces).chain(std::iter::repeat(none));
        rows.zip(pieces).map(|(row, pieces)| cut(&clean(known.lines.get(row)), pieces)).collect()
    }

    /// How many lines of a text have been coloured.
    #[cfg(test)]
    fn coloured(&self, path: &str, text: &Arc<str>) -> usize {
        let key = self.known(path, text).key.clone();
        self.desk.lock().done.get(&key).map_or(0, |done| done.lines.len())
    }

    fn known(&self, path: &str, text: &Arc<str>) -> Arc<Known> {
        let language = Language::of(path);
        let mut known = self.known.borrow_mut();
        let found =
            known.iter().position(|known| Arc::ptr_eq(known.lines.text(), text) && known.key.language == language);
        let this = match found.and_then(|at| known.remove(at)) {
            Some(this) => this,
            None => Arc::new(Known::new(language, text)),
        };
        if known.len() >= MOST_TEXTS {
            known.pop_front();
        }
        known.push_back(this.clone());
        this
    }

    /// The rows that have their colours, up to the first that has not.
    fn ready(&self, known: &Known, rows: &Range<usize>) -> Vec<Pieces> {
        let mut board = self.desk.lock();
        board.turn += 1;
        let turn = board.turn;
        let Some(done) = board.done.get_mut(&known.key) else { return Vec::new() };
        done.used = turn;
        done.lines.get(rows.start..rows.end.min(done.lines.len())).unwrap_or_default().to_vec()
    }

    fn want(&self, known: &Arc<Known>, rows: &Range<usize>) {
        {
            let mut board = self.desk.lock();
            let before = board.wanted.iter().position(|wanted| wanted.known.key == known.key);
            let before = before.and_then(|at| board.wanted.remove(at)).map(|wanted| wanted.rows);
            let rows = before.map_or(rows.clone(), |before| before.start.min(rows.start)..before.end.max(rows.end));
            board.wanted.push_front(Wanted { known: known.clone(), rows });
            board.wanted.truncate(MOST_WAITING);
        }
        let mut work = self.work.borrow_mut();
        match std::mem::replace(&mut *work, Work::Thread) {
            Work::Idle(wake) => {
                let desk = self.desk.clone();
                let thread = std::thread::Builder::new().name("colours".to_owned());
                // Without a thread everything stays plain, which can be read all the same.
                drop(thread.spawn(move || run(&desk, &*wake)));
            }
            Work::Thread => {}
            #[cfg(test)]
            Work::Here(mut painter) => {
                while self.desk.step(&mut painter, false).is_some() {}
                *work = Work::Here(painter);
            }
        }
        self.desk.called.notify_one();
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        self.desk.lock().over = true;
        self.desk.called.notify_one();
    }
}

/// What the thread does, until nobody asks any more.
fn run(desk: &Desk, wake: &(dyn Fn() + Send + Sync)) {
    let mut painter = Painter::default();
    while let Some(seen) = desk.step(&mut painter, true) {
        if seen {
            wake();
        }
    }
}

impl Desk {
    fn lock(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Colours the next chunk of what is most urgent. True when the first or the last of the rows asked for is in it; none when there is nothing to do, or with
    /// `wait` when there never will be.
    fn step(&self, painter: &mut Painter, wait: bool) -> Option<bool> {
        let (known, from) = {
            let mut board = self.lock();
            loop {
                if board.over {
                    return None;
                }
                if let Some(wanted) = board.wanted.front() {
                    let known = wanted.known.clone();
                    break (known.clone(), board.done.get(&known.key).map_or(0, |done| done.lines.len()));
                }
                if !wait {
                    return None;
                }
                board = self.called.wait(board).unwrap_or_else(PoisonError::into_inner);
            }
        };
        let upto = known.lines.len().min(from + CHUNK);
        let fresh = painter.paint(&known.key, from, (from..upto).map(|row| known.lines.get(row)));
        let mut board = self.lock();
        let turn = board.turn;
        let done = board.done.entry(known.key.clone()).or_default();
        done.used = turn;
        let before = done.lines.len();
        // Two texts of the same content share their lines; what came twice counts once.
        if before == from {
            done.lines.extend(fresh);
        }
        let now = done.lines.len();
        let wanted = board.wanted.iter().position(|wanted| wanted.known.key == known.key);
        let rows = wanted.and_then(|at| board.wanted.get(at)).map(|wanted| wanted.rows.clone());
        if rows.as_ref().is_some_and(|rows| now >= rows.end) || now == before {
            board.wanted.retain(|wanted| wanted.known.key != known.key);
        }
        board.make_room(&known.key);
        painter.keep(|key| board.done.contains_key(key));
        Some(rows.is_some_and(|rows| (before..now).contains(&rows.start) || now >= rows.end))
    }
}

impl Board {
    /// Forgets what was not looked at for longest, where there is too much.
    fn make_room(&mut self, but: &Key) {
        while self.done.values().map(|done| done.lines.len()).sum::<usize>() > MOST_LINES {
            let oldest = self.done.iter().filter(|(key, _)| *key != but).min_by_key(|(_, done)| done.used);
            let Some(key) = oldest.map(|(key, _)| key.clone()) else { return };
            self.done.remove(&key);
        }
    }
}

impl Known {
    fn new(language: Language, text: &Arc<str>) -> Self {
        // What stays plain needs no name.
        let content = if text.len() <= LARGEST { Hash::of(&**text) } else { Hash::new("") };
        Self { lines: Lines::new(text), key: Key { language, content } }
    }
}

/// A clean line as pieces; what no piece covers is plain.
fn cut(line: &str, pieces: &[(u16, Role)]) -> CodeLine {
    let mut cut = Vec::with_capacity(pieces.len().max(1));
    let mut rest = line;
    for (length, role) in pieces {
        let Some((piece, after)) = rest.split_at_checked(usize::from(*length)) else { break };
        cut.push((*role, piece.to_owned()));
        rest = after;
    }
    if !rest.is_empty() || cut.is_empty() {
        cut.push((Role::Text, rest.to_owned()));
    }
    cut
}
