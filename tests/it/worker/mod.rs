//! Script workers: what faulty and hostile scripts do, and that the next job on the pool works.

mod hostile;
mod library;
mod lifetime;
mod tools;
mod values;

use std::time::{Duration, Instant};

use mop::runtime::job::{Done, Job, Outcome, Script, ScriptError, Trusting};
use mop::runtime::pool::{Pool, Settings};
use serde_json::{Value, json};

fn pool(size: usize) -> Pool {
    Pool::new(Settings { size, ..Settings::new(env!("CARGO_BIN_EXE_mop").into()) })
}

fn block<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

fn job(source: &str, args: Vec<Value>) -> Job {
    Job::new(Script::new(source, "trial.py", "run"), args).with_deadline(Duration::from_secs(5))
}

async fn run(pool: &Pool, job: &Job) -> Result<Done, ScriptError> {
    pool.run(job, &mut Trusting).await
}

/// Runs a job, then a harmless one on the same pool of one worker, and returns how the first went.
fn outcome(job: &Job) -> Outcome {
    block(async {
        let pool = pool(1);
        let began = Instant::now();
        let first = pool.outcome(job, &mut Trusting).await;
        assert!(began.elapsed() < job.deadline + Duration::from_secs(2), "took {:?}: {first:?}", began.elapsed());
        let next = run(&pool, &self::job("def run(x):\n    return x + 1\n", vec![json!(41)])).await;
        assert_eq!(next.map(|done| done.value), Ok(json!(42)), "the next job after {first:?}");
        first
    })
}

/// Runs the lines as the body of `run()` and expects this value.
#[track_caller]
fn gives(body: &str, expected: &Value) {
    assert_eq!(outcome(&job(&function(body), vec![])).result.as_ref(), Ok(expected), "{body}");
}

/// Runs the lines as the body of `run()` and returns the error.
#[track_caller]
fn fails(body: &str) -> ScriptError {
    error(&function(body))
}

#[track_caller]
fn error(source: &str) -> ScriptError {
    outcome(&job(source, vec![])).result.expect_err(source)
}

/// Runs the lines as the body of `run()` for at most 150 ms and returns the error.
#[track_caller]
fn hastily(body: &str) -> ScriptError {
    outcome(&hasty(job(&function(body), vec![]))).result.expect_err(body)
}

fn hasty(job: Job) -> Job {
    job.with_deadline(Duration::from_millis(150))
}

/// Checks that an error's details hold all these texts.
#[track_caller]
fn says(error: &ScriptError, parts: &[&str]) {
    for part in parts {
        assert!(error.details().contains(part), "`{part}` is not in\n{}", error.details());
    }
    assert!(!error.to_string().contains('\n'), "more than one line: {error}");
}

/// Makes `run()` of body lines separated by line breaks; imports go first.
fn function(body: &str) -> String {
    let (imports, rest): (Vec<_>, Vec<_>) =
        body.lines().partition(|line| line.starts_with("import ") || line.starts_with("from "));
    let indented: String = rest.iter().map(|line| format!("    {line}\n")).collect();
    format!("{}\ndef run():\n{indented}", imports.join("\n"))
}
