//! The child side: reads orders from standard input, runs them, answers on standard output, ends with its parent.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader};
#[cfg(unix)]
use std::os::fd::AsFd;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::compile::Compiled;
use super::job::{Decision, Key, ScriptError};
use super::run::{Limits, Ran, run};
use super::sandbox;
use super::wire::{self, Ended, FromWorker, Order, ToWorker};
use crate::tools::Tool;

/// The hidden word that starts this binary as a worker.
pub const WORD: &str = "__worker";

/// Stack of the thread that runs scripts: deep recursion of the interpreter or of a tool must not end the process.
const STACK: usize = 64 << 20;

/// Runs as a worker until standard input ends, and returns the exit code.
///
/// `tools` are the pure tools that scripts may be allowed to call in here. The memory limit of scripts holds only if
/// the binary has installed `monty_alloc::LimitedAllocator` as its global allocator.
#[must_use]
pub fn main(tools: &'static [&'static [Tool]]) -> u8 {
    let Ok((input, output)) = streams() else {
        return 2;
    };
    #[cfg(unix)]
    let Ok(parent) = io::stderr().as_fd().try_clone_to_owned() else {
        return 2;
    };
    // No descriptor can be had after this.
    let report = sandbox::arm();
    std::panic::set_hook(Box::new(|info| {
        *LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner) = Some(info.to_string());
    }));
    #[cfg(unix)]
    watch(File::from(parent));
    let serve = move || {
        sandbox::no_processes();
        let mut worker =
            Worker { input: BufReader::with_capacity(64 << 10, input), output, scripts: HashMap::new(), tools };
        worker.send(&FromWorker::Hello(report)).and_then(|()| worker.serve())
    };
    match std::thread::Builder::new().stack_size(STACK).spawn(serve).map(std::thread::JoinHandle::join) {
        Ok(Ok(Ok(()))) => 0,
        Ok(Ok(Err(_))) | Ok(Err(_)) | Err(_) => 1,
    }
}

/// The last panic's message: a panic is an answer here, not a text on standard error.
static LAST_PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Private copies of the standard streams without the locks and line buffers of `std`.
#[cfg(unix)]
fn streams() -> io::Result<(File, File)> {
    let input = io::stdin().as_fd().try_clone_to_owned()?;
    let output = io::stdout().as_fd().try_clone_to_owned()?;
    Ok((File::from(input), File::from(output)))
}

#[cfg(windows)]
fn streams() -> io::Result<(File, File)> {
    use std::os::windows::io::AsHandle;
    let input = io::stdin().as_handle().try_clone_to_owned()?;
    let output = io::stdout().as_handle().try_clone_to_owned()?;
    Ok((File::from(input), File::from(output)))
}

/// Ends this process when the parent's end of standard error closes, even while a script or a tool is running.
///
/// Standard error is one end of a socket pair; the parent never writes to it, so a read returns only when it is gone.
#[cfg(unix)]
fn watch(mut parent: File) {
    use std::io::Read;
    let watch = move || {
        let mut byte = [0; 1];
        loop {
            match parent.read(&mut byte) {
                Ok(1..) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(0) | Err(_) => std::process::exit(0),
            }
        }
    };
    let _ = std::thread::Builder::new().stack_size(64 << 10).spawn(watch);
}

struct Worker {
    input: BufReader<File>,
    output: File,
    scripts: HashMap<Key, Result<Compiled, ScriptError>>,
    tools: &'static [&'static [Tool]],
}

impl Worker {
    fn serve(&mut self) -> io::Result<()> {
        while let Some(message) = wire::read::<ToWorker<'static>>(&mut self.input)? {
            let ended = match message {
                ToWorker::Run(order) => self.run(order)?,
                ToWorker::Answer(_) => {
                    return Err(io::Error::other("an answer without a question"));
                }
            };
            self.send(&FromWorker::Done(ended))?;
        }
        Ok(())
    }

    fn run(&mut self, order: Order<'static>) -> io::Result<Ended> {
        let Self { input, output, scripts, tools } = self;
        if order.forget {
            scripts.clear();
        }
        let limits = Limits {
            deadline: Duration::from_micros(order.deadline_micros),
            memory: arm_memory(order.memory),
            tools: &order.tools,
            local: &order.local,
        };
        let mut ask = |at, name, args| ask(input, output, at, name, args);
        let ran = catch_unwind(AssertUnwindSafe(|| {
            if let Some(source) = &order.source {
                scripts.insert(order.key, Compiled::new(source));
            }
            match scripts.get(&order.key) {
                Some(Ok(script)) => run(script, order.args.into_owned(), &limits, tools, &mut ask),
                Some(Err(error)) => Ok(failed(error.clone())),
                None => Err(io::Error::other("a script that was never sent")),
            }
        }));
        disarm_memory();
        let ran = ran.unwrap_or_else(|_| {
            let last = LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner).take();
            let how = format!("the interpreter failed: {}", last.unwrap_or_default());
            Ok(failed(ScriptError::Crashed { how, killed: false, stderr: String::new() }))
        })?;
        let Ran { result, calls, printed, micros } = ran;
        // The limit that the script hit was raised by what the worker already held; it is told its own.
        let result = result.map_err(|error| match error {
            ScriptError::Memory { .. } => ScriptError::Memory { bytes: order.memory },
            other => other,
        });
        Ok(Ended { result, calls, printed, micros, resident: held() })
    }

    fn send(&mut self, message: &FromWorker) -> io::Result<()> {
        send(&mut self.output, message)
    }
}

fn failed(error: ScriptError) -> Ran {
    Ran { result: Err(error), calls: Vec::new(), printed: String::new(), micros: 0 }
}

fn ask(
    input: &mut BufReader<File>,
    output: &mut File,
    at: u32,
    name: String,
    args: Vec<serde_json::Value>,
) -> io::Result<Decision> {
    send(output, &FromWorker::Call { at, name, args })?;
    match wire::read::<ToWorker<'static>>(input)? {
        Some(ToWorker::Answer(decision)) => Ok(decision),
        Some(ToWorker::Run(_)) => Err(io::Error::other("a job within a job")),
        None => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

fn send(output: &mut File, message: &FromWorker) -> io::Result<()> {
    match wire::frame(message) {
        Ok(frame) => wire::write(output, &frame),
        Err(size) => {
            let error = ScriptError::BadValue(format!("the outcome takes {size} bytes, more than {}", wire::MAX_FRAME));
            let ended =
                Ended { result: Err(error), calls: Vec::new(), printed: String::new(), micros: 0, resident: held() };
            wire::frame(&FromWorker::Done(ended))
                .map_err(|_| io::Error::other("a message is too long"))
                .and_then(|frame| wire::write(output, &frame))
        }
    }
}

/// Bytes that the process holds beyond what it needed at its start.
fn held() -> u64 {
    use std::sync::atomic::Ordering::Relaxed;
    let live = monty_types::LIVE_MEMORY.load(Relaxed);
    live.saturating_sub(monty_types::BASELINE_MEMORY.load(Relaxed)) as u64
}

/// Limits the memory of one script to `bytes` above what the process holds now, and returns the interpreter's limit,
/// which counts from the process's start.
fn arm_memory(bytes: u64) -> u64 {
    let limit = bytes.saturating_add(held());
    let _ = monty_alloc::set_limit(usize::try_from(limit).ok(), false);
    limit
}

fn disarm_memory() {
    let _ = monty_alloc::set_limit(None, false);
}
