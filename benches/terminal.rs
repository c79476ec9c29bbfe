//! What a full-screen program costs in a terminal: its start, its memory, and what it does while nothing happens.
//!
//! `cargo bench --bench terminal` measures this package's binary, and `cargo bench --bench terminal -- COMMAND ARGUMENTS…` any
//! other program in the same way, so that figures can be compared that were taken in one run on one machine.
//!
//! A start is measured from just before the process is made until the bytes have been read on the other side of the
//! pseudo-terminal. Two moments are reported: the end of the first synchronised update, which only programs have that mark
//! their frames; and the last byte before the first silence of 30 ms on a screen that is not blank, which every program has.
//! The usual questions of programs to terminals are answered at once, as a terminal does.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark prints, and stops at the first surprise")]

#[cfg(target_os = "linux")]
fn main() {
    linux::main();
}

/// Memory and processor time are read where Linux shows them.
#[cfg(not(target_os = "linux"))]
fn main() {
    println!("this benchmark runs on Linux");
}

#[cfg(target_os = "linux")]
mod linux {
    use std::io::{Read, Write};
    use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
    use std::time::{Duration, Instant};
    use std::{env, fs, thread};

    use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
    use rustix::process::{Pid, Signal, kill_process};

    /// Starts that are counted; one more goes before them.
    const STARTS: usize = 30;
    /// Columns and rows.
    const SIZE: (u16, u16) = (120, 40);
    /// A screen that is left alone for so long is complete.
    const SILENCE: Duration = Duration::from_millis(30);
    /// How long a program may do nothing before it is idle.
    const CALM: Duration = Duration::from_secs(1);
    /// How long it is watched then.
    const IDLE: Duration = Duration::from_secs(10);
    /// How long a start may take.
    const PATIENCE: Duration = Duration::from_secs(30);
    /// The end of a synchronised update.
    const FRAME: &[u8] = b"\x1b[?2026l";
    /// What programs ask, and what a plain terminal says.
    const ANSWERS: [(&[u8], &[u8]); 4] = [
        (b"\x1b[6n", b"\x1b[1;1R"),
        (b"\x1b[c", b"\x1b[?62;22c"),
        (b"\x1b[5n", b"\x1b[0n"),
        (b"\x1b]11;?", b"\x1b]11;rgb:0000/0000/0000\x1b\\"),
    ];

    pub(super) fn main() {
        let mut args: Vec<String> = env::args().skip(1).collect();
        // Cargo says so when it is `cargo bench`; as a test, that this was built is enough.
        let Some(at) = args.iter().rposition(|arg| arg == "--bench") else { return };
        args.remove(at);
        let own = env!("CARGO_BIN_EXE_mop").to_owned();
        let (name, command) = if args.is_empty() { ("mop".to_owned(), vec![own]) } else { (args.join(" "), args) };
        let home = tempfile::tempdir().unwrap();
        let begin = || Program::start(&command, home.path());

        begin().first_screen();
        let mut starts = Vec::new();
        for _ in 0..STARTS {
            let mut program = begin();
            let start = program.first_screen();
            starts.push((start, program.resident()));
        }
        let idle = begin().idle();
        report(&name, &starts, &idle);
    }

    /// When a program was there.
    struct Start {
        frame: Option<Duration>,
        screen: Option<Duration>,
    }

    /// What a program did while nothing happened.
    struct Idle {
        bytes: usize,
        ticks: u64,
    }

    fn report(name: &str, starts: &[(Start, u64)], idle: &Idle) {
        let (columns, rows) = SIZE;
        println!("\n{name}\n{columns}x{rows}, TERM=xterm-256color{:>38} {:>10} {:>5}", "median", "p95", "n");
        let row = |says: &str, figures: &[f64], unit: &str| {
            let shown = |share: f64| {
                quantile(figures, share).map_or_else(|| "-".to_owned(), |figure| format!("{figure:.1} {unit}"))
            };
            println!("{says:<56} {:>10} {:>10} {:>5}", shown(0.5), shown(0.95), figures.len());
        };
        let times = |which: fn(&Start) -> Option<Duration>| -> Vec<f64> {
            starts.iter().filter_map(|(start, _)| which(start)).map(|time| time.as_secs_f64() * 1e3).collect()
        };
        row("exec to the end of the first synchronised update", &times(|start| start.frame), "ms");
        row("exec to the last byte before 30 ms of silence", &times(|start| start.screen), "ms");
        #[expect(clippy::cast_precision_loss, reason = "shown to one tenth of a megabyte")]
        let memory: Vec<f64> = starts.iter().map(|(_, kilobytes)| *kilobytes as f64 / 1024.0).collect();
        row("resident memory after start, with its children", &memory, "MiB");
        println!("{:<56} {:>10} {:>10} {:>5}", "bytes written in 10 s idle", idle.bytes, "", 1);
        #[expect(clippy::cast_precision_loss, reason = "a few ticks")]
        let share = idle.ticks as f64 * 100.0 / (ticks_a_second() * IDLE.as_secs_f64());
        println!("{:<56} {share:>8.1} % {:>10} {:>5}", "processor time in 10 s idle, in ticks of 10 ms", "", 1);
    }

    /// The value below which this share of the figures lies.
    fn quantile(figures: &[f64], share: f64) -> Option<f64> {
        let mut sorted = figures.to_vec();
        sorted.sort_by(f64::total_cmp);
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "small"
        )]
        let at = (share * sorted.len() as f64).ceil() as usize;
        sorted.get(at.max(1) - 1).copied()
    }

    /// A program in a terminal of its own, which is killed when this is dropped.
    struct Program {
        began: Instant,
        child: Box<dyn Child + Send + Sync>,
        bytes: Receiver<(Instant, Vec<u8>)>,
        writer: Box<dyn Write + Send>,
        seen: Vec<u8>,
        screen: vt100::Parser,
        _master: Box<dyn MasterPty + Send>,
    }

    impl Program {
        fn start(command: &[String], home: &std::path::Path) -> Self {
            let mut builder = CommandBuilder::new(&command[0]);
            builder.args(&command[1..]);
            builder.cwd(env::current_dir().unwrap());
            builder.env("TERM", "xterm-256color");
            builder.env("MOP_HOME", home);
            let (cols, rows) = SIZE;
            let size = PtySize { rows, cols, pixel_width: 0, pixel_height: 0 };
            let pair = native_pty_system().openpty(size).unwrap();
            let mut reader = pair.master.try_clone_reader().unwrap();
            let writer = pair.master.take_writer().unwrap();
            let (sender, bytes) = channel();
            thread::spawn(move || {
                let mut buffer = [0; 1 << 16];
                while let Ok(count @ 1..) = reader.read(&mut buffer) {
                    if sender.send((Instant::now(), buffer[..count].to_vec())).is_err() {
                        return;
                    }
                }
            });
            let began = Instant::now();
            let child = pair.slave.spawn_command(builder).unwrap();
            let screen = vt100::Parser::new(rows.try_into().unwrap(), cols.try_into().unwrap(), 0);
            Self { began, child, bytes, writer, seen: Vec::new(), screen, _master: pair.master }
        }

        /// Takes in what comes within this time, and gives when it came; none where nothing came.
        fn take(&mut self, within: Duration) -> Option<Instant> {
            match self.bytes.recv_timeout(within) {
                Ok((at, bytes)) => {
                    for (question, answer) in ANSWERS {
                        if find(&bytes, question).is_some() {
                            // A program that has ended asks nothing more.
                            let _ = self.writer.write_all(answer);
                        }
                    }
                    self.screen.process(&bytes);
                    self.seen.extend(bytes);
                    Some(at)
                }
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => panic_ended(&self.screen),
            }
        }

        fn first_screen(&mut self) -> Start {
            let mut start = Start { frame: None, screen: None };
            let mut last = None;
            let mut looked = 0;
            while self.began.elapsed() < PATIENCE {
                let wait = if last.is_some() { SILENCE } else { PATIENCE };
                match self.take(wait) {
                    Some(at) => {
                        last = Some(at - self.began);
                        // The mark may have come in two pieces.
                        if start.frame.is_none() && find(&self.seen[looked..], FRAME).is_some() {
                            start.frame = last;
                        }
                        looked = self.seen.len().saturating_sub(FRAME.len() - 1);
                    }
                    None if self.screen.screen().contents().trim().is_empty() => last = None,
                    None => {
                        start.screen = last;
                        break;
                    }
                }
            }
            start
        }

        fn idle(&mut self) -> Idle {
            self.first_screen();
            let until = Instant::now() + PATIENCE;
            while self.take(CALM).is_some() && Instant::now() < until {}
            let (bytes, ticks) = (self.seen.len(), self.ticks());
            let until = Instant::now() + IDLE;
            while let Some(left) = until.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()) {
                self.take(left);
            }
            Idle { bytes: self.seen.len() - bytes, ticks: self.ticks() - ticks }
        }

        /// Resident memory in KiB.
        fn resident(&self) -> u64 {
            let of = |pid: &u32| {
                let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
                let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
                line.split_whitespace().nth(1)?.parse::<u64>().ok()
            };
            self.tree().iter().filter_map(of).sum()
        }

        /// Processor time that was used.
        fn ticks(&self) -> u64 {
            let of = |pid: &u32| {
                stat(*pid).map(|fields| fields[11..=12].iter().filter_map(|field| number(field)).sum::<u64>())
            };
            self.tree().iter().filter_map(of).sum()
        }

        /// The process with all that it started.
        fn tree(&self) -> Vec<u32> {
            let pids = fs::read_dir("/proc").unwrap();
            let pids = pids.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
            let parents: Vec<(u32, u64)> = pids.filter_map(|pid| Some((pid, number(&stat(pid)?[1])?))).collect();
            let mut tree = vec![self.child.process_id().unwrap()];
            let mut at = 0;
            while let Some(parent) = tree.get(at).copied() {
                tree.extend(parents.iter().filter(|(_, of)| *of == u64::from(parent)).map(|(pid, _)| *pid));
                at += 1;
            }
            tree
        }
    }

    impl Drop for Program {
        fn drop(&mut self) {
            for pid in self.tree() {
                // One that has ended in the meantime is what is wanted.
                if let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
                    let _ = kill_process(pid, Signal::KILL);
                }
            }
            let _ = self.child.wait();
        }
    }

    #[expect(clippy::panic, reason = "there is nothing to measure")]
    fn panic_ended(screen: &vt100::Parser) -> ! {
        panic!("the program ended; it showed:\n{}", screen.screen().contents().trim_end())
    }

    /// The fields of a process after its name: its state is the first, its parent the second.
    fn stat(pid: u32) -> Option<Vec<String>> {
        let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let fields: Vec<String> = text.rsplit_once(')')?.1.split_whitespace().map(str::to_owned).collect();
        (fields.len() > 12).then_some(fields)
    }

    fn number(text: &str) -> Option<u64> {
        text.parse().ok()
    }

    /// The kernel counts in these, whatever its own clock is.
    fn ticks_a_second() -> f64 {
        100.0
    }

    fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
        bytes.windows(wanted.len()).position(|window| window == wanted)
    }
}
