//! One job's way through a leased worker: sending it, answering its calls, its end.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use tokio::time::timeout;

use super::job::{Call, DEADLINE_CEILING, Decision, Host, Job, MEMORY_CEILING, ScriptError};
use super::pool::Lease;
use super::process::{Broken, Process};
use super::record::Record;
use super::values;
use super::wire::{Ended, FromWorker, Order, Source, ToWorker};

/// How long after the deadline a worker that has not stopped by itself is killed.
const GRACE: Duration = Duration::from_millis(50);

/// A worker that waited for a job and is found killed within this time of getting one did not die of the job.
const EARLY: Duration = Duration::from_millis(20);

/// Compiled scripts that one worker keeps.
const KNOWN: usize = 512;

/// One job's way through a worker.
pub(super) struct Run<'a> {
    pub(super) job: &'a Job,
    pub(super) record: Record,
    /// Time that the worker has worked on it, without the host's answers.
    pub(super) spent: Duration,
}

impl Run<'_> {
    pub(super) async fn drive(&mut self, mut lease: Lease<'_>, host: &mut dyn Host) -> Result<Ended, ScriptError> {
        let job = self.job;
        let deadline = job.deadline.min(DEADLINE_CEILING);
        let memory = job.memory.min(MEMORY_CEILING);
        let mut waited = lease.process.report.is_some();
        lease = self.order(lease, deadline, memory).await?;
        loop {
            let began = Instant::now();
            let left = (deadline + GRACE).saturating_sub(self.spent);
            let message = timeout(left, lease.process.receive()).await;
            self.spent += began.elapsed();
            match message {
                Err(_) => {
                    lease.process.kill().await;
                    return Err(ScriptError::Deadline { millis: millis(deadline) });
                }
                Ok(Err(Broken::Gone(why))) => {
                    let error = lease.process.autopsy(&why, memory).await;
                    let early = waited && self.spent < EARLY && self.record.is_empty();
                    if !(early && matches!(error, ScriptError::Crashed { killed: true, .. })) {
                        return Err(error);
                    }
                    // Somebody killed it while it waited, and the news came after the job had been sent.
                    waited = false;
                    self.spent = Duration::ZERO;
                    lease.process = Process::spawn(&lease.pool.settings.program)?;
                    lease = self.order(lease, deadline, memory).await?;
                }
                Ok(Err(Broken::TooLong(_)) | Ok(FromWorker::Hello(_))) => {
                    return Err(lease.process.autopsy("it sent a message out of turn", memory).await);
                }
                Ok(Ok(FromWorker::Call { at, name, args })) => {
                    let decision = self.decide(host, at, name, args).await;
                    if let Err(broken) = lease.process.send(&ToWorker::Answer(decision)).await {
                        return Err(self.unsent(lease, broken, memory).await);
                    }
                }
                Ok(Ok(FromWorker::Done(ended))) => {
                    lease.process.jobs += 1;
                    lease.process.busy += self.spent;
                    lease.process.held = ended.resident;
                    if !matches!(ended.result, Err(ScriptError::Crashed { .. })) {
                        lease.give_back();
                    }
                    return Ok(ended);
                }
            }
        }
    }

    /// Sends the job; a worker that died while it waited is replaced, once.
    async fn order<'p>(
        &mut self,
        mut lease: Lease<'p>,
        deadline: Duration,
        memory: u64,
    ) -> Result<Lease<'p>, ScriptError> {
        for last in [false, true] {
            let process = &mut lease.process;
            let message = ToWorker::Run(order(self.job, process, deadline, memory));
            match process.send(&message).await {
                Ok(()) => break,
                Err(Broken::Gone(_)) if !last => lease.process = Process::spawn(&lease.pool.settings.program)?,
                Err(broken) => return Err(self.unsent(lease, broken, memory).await),
            }
        }
        if lease.process.report.is_none() {
            let pool = lease.pool;
            pool.greet(&mut lease.process).await?;
        }
        Ok(lease)
    }

    async fn unsent(&self, lease: Lease<'_>, broken: Broken, memory: u64) -> ScriptError {
        match broken {
            Broken::Gone(why) => lease.process.autopsy(&why, memory).await,
            Broken::TooLong(size) => {
                lease.process.kill().await;
                ScriptError::BadValue(format!("what goes to the script takes {size} bytes, more than 16 MiB"))
            }
        }
    }

    /// Lets the host decide on a call and records it, unless the worker will.
    async fn decide(&mut self, host: &mut dyn Host, at: u32, name: String, args: Vec<serde_json::Value>) -> Decision {
        let began = Instant::now();
        let decision = match host.call(&name, &args).await {
            Decision::Value(value) => match values::check(&value, &format!("the result of {name}")) {
                Ok(()) => Decision::Value(value),
                Err(message) => Decision::Error(message),
            },
            other @ (Decision::Local | Decision::Error(_) | Decision::Refuse(_)) => other,
        };
        let result = match &decision {
            Decision::Local => return decision,
            Decision::Value(value) => Ok(value.clone()),
            Decision::Error(message) | Decision::Refuse(message) => Err(message.clone()),
        };
        let micros = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
        self.record.push(at, Call { name, args, result, micros });
        decision
    }
}

/// Makes the message of a job, with the script's text only if the worker has not got it.
fn order<'a>(job: &'a Job, process: &mut Process, deadline: Duration, memory: u64) -> Order<'a> {
    let script = &job.script;
    let known = process.known.contains(&script.key);
    let forget = !known && process.known.len() >= KNOWN;
    if forget {
        process.known.clear();
    }
    process.known.insert(script.key);
    Order {
        key: script.key,
        source: (!known).then(|| Source {
            text: Cow::Borrowed(&*script.source),
            file_name: Cow::Borrowed(&*script.file_name),
            function: Cow::Borrowed(&*script.function),
        }),
        forget,
        args: Cow::Borrowed(&job.args),
        tools: Cow::Borrowed(&job.tools),
        local: Cow::Borrowed(&job.local),
        deadline_micros: u64::try_from(deadline.as_micros()).unwrap_or(u64::MAX),
        memory,
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
