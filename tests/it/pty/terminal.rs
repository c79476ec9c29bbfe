//! A terminal with a program in it: keys go in, and the screen is waited for. Nothing sleeps; every wait has a deadline.

use std::fmt;
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use rustix::process::{Pid, Signal, kill_process};

use crate::cli::User;

/// How long anything is waited for. Workers of scripts take seconds to start in a debug build on a busy machine.
const DEADLINE: Duration = Duration::from_secs(40);

/// How a terminal is set up before a program starts in it.
pub(super) struct Setup<'a> {
    /// Columns and rows.
    pub(super) size: (u16, u16),
    /// Arguments of the binary.
    pub(super) args: &'a [&'a str],
    /// Variables over the usual ones.
    pub(super) env: &'a [(&'a str, &'a str)],
}

impl Default for Setup<'_> {
    fn default() -> Self {
        Self { size: (100, 30), args: &[], env: &[] }
    }
}

/// What a terminal shows.
#[derive(Clone, PartialEq)]
pub(super) struct Seen {
    /// The rows, without blanks at their ends.
    pub(super) rows: Vec<String>,
    /// The rows with their styles.
    pub(super) styled: Vec<String>,
    /// Column and row of the cursor, where it is to be seen.
    pub(super) cursor: Option<(u16, u16)>,
    /// Whether this is the alternate screen.
    pub(super) alternate: bool,
    /// The columns of the terminal.
    pub(super) width: u16,
}

impl Seen {
    fn of(screen: &vt100::Screen) -> Self {
        let width = screen.size().1.get();
        let (row, column) = screen.cursor_position();
        Self {
            rows: screen.rows(0, width).map(|row| row.trim_end().to_owned()).collect(),
            styled: screen.rows_formatted(0, width).collect(),
            cursor: (!screen.hide_cursor()).then_some((column, row)),
            alternate: screen.alternate_screen(),
            width,
        }
    }

    /// Whether some row holds these words.
    pub(super) fn has(&self, words: &str) -> bool {
        self.rows.iter().any(|row| row.contains(words))
    }

    /// The upper line.
    pub(super) fn top(&self) -> &str {
        self.rows.first().map_or("", String::as_str)
    }

    /// A line from below: hints are 0, a prompt of one row is 1, the message is 2.
    pub(super) fn low(&self, line: usize) -> &str {
        self.rows.iter().rev().nth(line).map_or("", String::as_str)
    }

    /// The message line.
    pub(super) fn message(&self) -> &str {
        self.low(2)
    }

    /// The prompt line.
    pub(super) fn prompt(&self) -> &str {
        self.low(1)
    }
}

impl fmt::Debug for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "cursor {:?}, {}", self.cursor, if self.alternate { "alternate screen" } else { "normal screen" })?;
        self.rows.iter().try_for_each(|row| writeln!(f, "|{row}"))
    }
}

struct Shown {
    parser: vt100::Parser,
    bytes: Vec<u8>,
    last: Instant,
    ended: bool,
}

impl Shown {
    /// Whether the last frame is there as a whole.
    fn is_whole(&self) -> bool {
        let find = |mark: &[u8]| self.bytes.windows(mark.len()).rposition(|window| window == mark);
        // The marks are near the end or in the frame that is under way, and the search goes backwards.
        find(b"\x1b[?2026h") <= find(b"\x1b[?2026l")
    }
}

struct Shared {
    shown: Mutex<Shown>,
    changed: Condvar,
}

/// A terminal and the program in it, which is killed when this is dropped.
pub(super) struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
    writer: Box<dyn Write + Send>,
    shared: Arc<Shared>,
    before: String,
}

impl Terminal {
    /// Starts the binary in a fresh terminal, as a user with a home of his own.
    pub(super) fn mop(user: &User, setup: &Setup<'_>) -> Self {
        let command = CommandBuilder::new(env!("CARGO_BIN_EXE_mop"));
        Self::start(user, setup, command)
    }

    /// Starts a program that is no `mop`.
    pub(super) fn start(user: &User, setup: &Setup<'_>, mut command: CommandBuilder) -> Self {
        furnish(&mut command, user, setup);
        let (columns, rows) = setup.size;
        let pair = native_pty_system().openpty(pty_size(columns, rows)).unwrap();
        let before = format!("{:?}", pair.master.get_termios().unwrap());
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let shown = Shown {
            parser: vt100::Parser::new(cells(rows), cells(columns), 0),
            bytes: Vec::new(),
            last: Instant::now(),
            ended: false,
        };
        let shared = Arc::new(Shared { shown: Mutex::new(shown), changed: Condvar::new() });
        let reader = pair.master.try_clone_reader().unwrap();
        let reading = shared.clone();
        thread::spawn(move || read(reader, &reading));
        let writer = pair.master.take_writer().unwrap();
        Self { child, master: pair.master, writer, shared, before }
    }

    /// Waits until a whole frame is as it should be, and gives it.
    pub(super) fn wait_for(&self, what: &str, is: impl Fn(&Seen) -> bool) -> Seen {
        self.wait_since(0, what, is)
    }

    /// Waits for a whole frame after a mark.
    pub(super) fn frame_since(&self, mark: usize) -> Seen {
        self.wait_since(mark, "a fresh frame", |_| true)
    }

    fn wait_since(&self, mark: usize, what: &str, is: impl Fn(&Seen) -> bool) -> Seen {
        let mut shown = self.shown();
        let until = Instant::now() + DEADLINE;
        loop {
            let seen = Seen::of(shown.parser.screen());
            if shown.is_whole() && (mark == 0 || shown.bytes.len() > mark) && is(&seen) {
                return seen;
            }
            let left = until.saturating_duration_since(Instant::now());
            assert!(!left.is_zero() && !shown.ended, "waited for {what}, ended: {}, seen:\n{seen:?}", shown.ended);
            shown = self.shared.changed.wait_timeout(shown, left).unwrap().0;
        }
    }

    /// Waits until some row holds these words.
    pub(super) fn see(&self, words: &str) -> Seen {
        self.wait_for(words, |seen| seen.has(words))
    }

    /// Types.
    pub(super) fn keys(&mut self, keys: &str) {
        self.writer.write_all(keys.as_bytes()).unwrap();
        self.writer.flush().unwrap();
    }

    /// Pastes, as a terminal does that marks what is pasted.
    pub(super) fn paste(&mut self, text: &str) {
        self.keys(&format!("\x1b[200~{text}\x1b[201~"));
    }

    /// Gives the terminal another size.
    pub(super) fn resize(&mut self, columns: u16, rows: u16) {
        // What comes for the new size must not meet the old screen.
        let mut shown = self.shown();
        shown.parser.screen_mut().set_size(cells(rows), cells(columns));
        self.master.resize(pty_size(columns, rows)).unwrap();
    }

    /// Sends the program a signal.
    pub(super) fn signal(&self, signal: Signal) {
        kill_process(self.pid(), signal).unwrap();
    }

    /// How many bytes have come so far.
    pub(super) fn mark(&self) -> usize {
        self.shown().bytes.len()
    }

    /// The bytes since a mark.
    pub(super) fn bytes_since(&self, mark: usize) -> Vec<u8> {
        self.shown().bytes[mark..].to_vec()
    }

    /// All that came, as text.
    pub(super) fn written(&self) -> String {
        String::from_utf8_lossy(&self.bytes_since(0)).into_owned()
    }

    /// What is shown now.
    pub(super) fn screen(&self) -> Seen {
        Seen::of(self.shown().parser.screen())
    }

    /// Waits until nothing has come for so long, and gives what is shown then.
    pub(super) fn silent_for(&self, time: Duration) -> Seen {
        let mut shown = self.shown();
        let (from, until) = (shown.bytes.len(), Instant::now() + DEADLINE / 2);
        loop {
            let now = Instant::now();
            if now.saturating_duration_since(shown.last) >= time && shown.is_whole() {
                return Seen::of(shown.parser.screen());
            }
            let since = String::from_utf8_lossy(&shown.bytes[from..]).into_owned();
            assert!(now < until, "it is never silent for {time:?}: {since:?}");
            let left = (shown.last + time).saturating_duration_since(now).max(Duration::from_millis(1));
            shown = self.shared.changed.wait_timeout(shown, left).unwrap().0;
        }
    }

    /// The modes of the line before the program started, and now.
    pub(super) fn modes(&self) -> (String, String) {
        let now = self.master.get_termios().unwrap();
        (self.before.clone(), format!("{now:?}"))
    }

    /// Waits until the terminal has these modes.
    pub(super) fn wait_for_modes(&self, wanted: &str) {
        let until = Instant::now() + DEADLINE;
        while self.modes().1 != wanted {
            assert!(Instant::now() < until, "the modes stay {}", self.modes().1);
            std::thread::yield_now();
        }
    }

    /// Waits for the end, and gives the exit code.
    pub(super) fn end(&mut self) -> u32 {
        let mut shown = self.shown();
        let until = Instant::now() + DEADLINE;
        while !shown.ended {
            let left = until.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "it does not end; seen:\n{:?}", Seen::of(shown.parser.screen()));
            shown = self.shared.changed.wait_timeout(shown, left).unwrap().0;
        }
        drop(shown);
        self.child.wait().unwrap().exit_code()
    }

    fn pid(&self) -> Pid {
        let pid = i32::try_from(self.child.process_id().unwrap()).unwrap();
        Pid::from_raw(pid).unwrap()
    }

    fn shown(&self) -> MutexGuard<'_, Shown> {
        self.shared.shown.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        if let Ok(None) = self.child.try_wait() {
            let _ = kill_process(self.pid(), Signal::KILL);
            let _ = self.child.wait();
        }
    }
}

/// Starts the binary, closes its terminal once these words have come, and gives the exit code, if it ends at all.
pub(super) fn lost(user: &User, args: &[&str], words: &str) -> Option<u32> {
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_mop"));
    furnish(&mut command, user, &Setup { args, ..Setup::default() });
    let pair = native_pty_system().openpty(pty_size(100, 30)).unwrap();
    let mut child = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let mut reader = pair.master.try_clone_reader().unwrap();
    let (mut text, mut buffer) = (String::new(), [0; 1 << 12]);
    while !text.contains(words) {
        let count = reader.read(&mut buffer).unwrap();
        assert!(count > 0, "it ended: {text:?}");
        text.push_str(&String::from_utf8_lossy(&buffer[..count]));
    }
    let mut killer = child.clone_killer();
    // Nobody holds the other side from here on.
    drop((reader, pair.master));
    let (sender, ended) = std::sync::mpsc::channel();
    thread::spawn(move || sender.send(child.wait().unwrap().exit_code()));
    let code = ended.recv_timeout(DEADLINE).ok();
    if code.is_none() {
        killer.kill().unwrap();
    }
    code
}

fn furnish(command: &mut CommandBuilder, user: &User, setup: &Setup<'_>) {
    command.args(setup.args);
    command.env_clear();
    command.cwd(user.project());
    command.env("MOP_HOME", user.home());
    command.env("TERM", "xterm-256color");
    // What runs on the tester's machine must not be seen.
    command.env("MOP_DISCOVER", "off");
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    setup.env.iter().for_each(|(name, value)| command.env(name, value));
}

fn read(mut reader: Box<dyn Read + Send>, shared: &Shared) {
    let mut buffer = [0; 1 << 16];
    loop {
        let count = reader.read(&mut buffer).unwrap_or(0);
        let mut shown = shared.shown.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        shown.parser.process(&buffer[..count]);
        shown.bytes.extend_from_slice(&buffer[..count]);
        shown.last = Instant::now();
        shown.ended = count == 0;
        shared.changed.notify_all();
        if count == 0 {
            return;
        }
    }
}

fn pty_size(columns: u16, rows: u16) -> PtySize {
    PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }
}

fn cells(count: u16) -> NonZeroU16 {
    NonZeroU16::new(count).unwrap()
}
