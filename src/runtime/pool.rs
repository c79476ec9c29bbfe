//! The parent side: a few warm workers, one job each at a time.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::timeout;

use super::drive::Run;
use super::job::{DEADLINE_CEILING, Done, Host, Job, Outcome, ScriptError};
use super::process::{Broken, Process};
use super::record::Record;
use super::sandbox::Report;
use super::values;
use super::wire::FromWorker;

/// How long a new worker may take to say hello.
const START: Duration = Duration::from_secs(10);

/// Workers beyond the size of a pool that are kept for nested jobs.
const SPARE: usize = 2;

/// Settings of a pool.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The binary that is started as a worker; it must call [`worker::main`](super::worker::main).
    pub program: PathBuf,
    /// The most workers at once.
    pub size: usize,
    /// After how many jobs a worker is replaced.
    pub jobs: u32,
    /// How many bytes a worker may keep between jobs before it is replaced.
    pub keep: u64,
}

impl Settings {
    /// Takes a binary, with as many workers as there are cores, but at most four.
    #[must_use]
    pub fn new(program: PathBuf) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self { program, size: cores.min(4), jobs: 500, keep: 64 << 20 }
    }

    /// Takes this running binary.
    #[must_use]
    pub fn this_binary() -> Self {
        // The link stays right when the file is replaced by an upgrade while the program runs.
        let link = PathBuf::from("/proc/self/exe");
        let program = if link.exists() { link } else { std::env::current_exe().unwrap_or_default() };
        Self::new(program)
    }
}

/// A pool of script workers. Jobs beyond its size wait, but for nested ones; dropping a job's future kills its worker.
#[derive(Debug)]
pub struct Pool {
    pub(super) settings: Settings,
    places: Semaphore,
    idle: Mutex<Vec<Process>>,
    report: Mutex<Option<Report>>,
}

impl Pool {
    /// Makes a pool. No process is started before the first job.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        let places = Semaphore::new(settings.size.max(1));
        Self { settings, places, idle: Mutex::default(), report: Mutex::default() }
    }

    /// Runs a job and returns its value with what is known of the run.
    ///
    /// # Errors
    /// Every way in which a script can fail; the pool goes on after each.
    pub async fn run(&self, job: &Job, host: &mut dyn Host) -> Result<Done, ScriptError> {
        let Outcome { result, calls, printed, micros } = self.outcome(job, host).await;
        result.map(|value| Done { value, calls, printed, micros })
    }

    /// Runs a job and returns what is known of the run, also when it failed.
    pub async fn outcome(&self, job: &Job, host: &mut dyn Host) -> Outcome {
        let mut run = Run { job, record: Record::default(), spent: Duration::ZERO };
        let ended = match self.lease(job).await {
            Ok(lease) => run.drive(lease, host).await,
            Err(error) => Err(error),
        };
        let mut calls = run.record.into_calls();
        let spent = u64::try_from(run.spent.as_micros()).unwrap_or(u64::MAX);
        let (result, printed, micros) = match ended {
            Ok(ended) => {
                calls.extend(ended.calls);
                (ended.result, ended.printed, ended.micros)
            }
            Err(error) => (Err(error), String::new(), spent),
        };
        calls.sort_by_key(|(at, _)| *at);
        Outcome { result, calls: calls.into_iter().map(|(_, call)| call).collect(), printed, micros }
    }

    /// Starts workers until `count` of them are idle or the pool is full, so that no first job waits for one.
    ///
    /// # Errors
    /// When a process cannot be started.
    pub async fn warm(&self, count: usize) -> Result<(), ScriptError> {
        let idle = self.lock().len();
        for _ in idle..count.min(self.settings.size) {
            let mut process = Process::spawn(&self.settings.program)?;
            self.greet(&mut process).await?;
            self.lock().push(process);
        }
        Ok(())
    }

    /// Returns what holds the workers in, once one has been started.
    #[must_use]
    pub fn report(&self) -> Option<Report> {
        *self.report.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the process ids of the workers that wait for a job.
    #[must_use]
    pub fn idle(&self) -> Vec<u32> {
        self.lock().iter().filter_map(Process::id).collect()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Process>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a place and takes a living worker, if possible one that knows the script, or starts one.
    async fn lease(&self, job: &Job) -> Result<Lease<'_>, ScriptError> {
        for (at, arg) in job.args.iter().enumerate() {
            values::check(arg, &format!("argument {}", at + 1)).map_err(ScriptError::BadValue)?;
        }
        let place = match self.places.try_acquire() {
            Ok(place) => Some(place),
            Err(_) if job.nested => None,
            Err(_) => match self.places.acquire().await {
                Ok(place) => Some(place),
                Err(error) => return Err(ScriptError::Spawn(error.to_string())),
            },
        };
        loop {
            let found = {
                let mut idle = self.lock();
                let at = idle.iter().rposition(|process| process.known.contains(&job.script.key));
                at.map(|at| idle.remove(at)).or_else(|| idle.pop())
            };
            let process = match found {
                Some(mut process) => {
                    if !process.alive() {
                        continue;
                    }
                    process
                }
                None => Process::spawn(&self.settings.program)?,
            };
            return Ok(Lease { pool: self, process, _place: place });
        }
    }

    pub(super) async fn greet(&self, process: &mut Process) -> Result<(), ScriptError> {
        let hello = match timeout(START, process.receive()).await {
            Ok(Ok(FromWorker::Hello(report))) => report,
            Ok(Ok(FromWorker::Call { .. } | FromWorker::Done(_))) => {
                return Err(ScriptError::Spawn("the program is no worker".to_owned()));
            }
            Ok(Err(Broken::Gone(why))) => {
                return Err(ScriptError::Spawn(format!("it ended at once: {why}")));
            }
            Ok(Err(Broken::TooLong(_))) => {
                return Err(ScriptError::Spawn("the program is no worker".to_owned()));
            }
            Err(_) => {
                return Err(ScriptError::Spawn(format!("it said nothing for {} s", START.as_secs())));
            }
        };
        process.report = Some(hello);
        *self.report.lock().unwrap_or_else(PoisonError::into_inner) = Some(hello);
        Ok(())
    }
}

/// A worker that is out on a job. Dropped before the job is over, it kills the worker.
pub(super) struct Lease<'a> {
    pub(super) pool: &'a Pool,
    pub(super) process: Process,
    /// None for a nested job that found all places taken.
    _place: Option<SemaphorePermit<'a>>,
}

impl Lease<'_> {
    /// Gives the worker back, unless it has served long enough or keeps too much.
    pub(super) fn give_back(self) {
        let Self { pool, process, _place } = self;
        let settings = &pool.settings;
        let fit = process.jobs < settings.jobs && process.held <= settings.keep && process.busy < DEADLINE_CEILING;
        let mut idle = pool.lock();
        // A few more than there are places, for jobs within jobs.
        if fit && idle.len() < settings.size + SPARE {
            idle.push(process);
        }
    }
}
