//! The lives of workers: reuse, replacement, death, cancelling, orphans.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::future::BoxFuture;
use mop::runtime::job::{Decision, Host, Job, ScriptError, Trusting};
use mop::runtime::pool::{Pool, Settings};
use mop::runtime::sandbox::Wall;
use serde_json::{Value, json};

use super::{block, hasty, job, pool, run};

fn small() -> Job {
    job("def run(x):\n    return x + 1\n", vec![json!(1)])
}

fn endless() -> Job {
    job("def run():\n    while True:\n        pass\n", vec![]).with_deadline(Duration::from_secs(20))
}

fn pids(pool: &Pool) -> Vec<u32> {
    pool.idle()
}

#[cfg(unix)]
fn kill(pid: u32) {
    let status = std::process::Command::new("kill").args(["-9", &pid.to_string()]).status().unwrap();
    assert!(status.success());
}

/// Whether the process is there and no zombie.
#[cfg(target_os = "linux")]
fn lives(pid: u32) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
}

#[cfg(target_os = "linux")]
async fn gone(pid: u32, within: Duration) {
    let began = Instant::now();
    while lives(pid) {
        assert!(began.elapsed() < within, "{pid} still lives");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[test]
fn a_hundred_jobs_keep_one_worker() {
    block(async {
        let pool = pool(2);
        assert!(pids(&pool).is_empty(), "nothing is started before the first job");
        run(&pool, &small()).await.unwrap();
        let first = pids(&pool);
        for _ in 0..99 {
            run(&pool, &small()).await.unwrap();
        }
        assert_eq!(pids(&pool), first);
        assert_eq!(first.len(), 1);
    });
}

#[test]
fn a_script_error_keeps_the_worker_and_a_deadline_replaces_it() {
    block(async {
        let pool = pool(1);
        pool.warm(1).await.unwrap();
        let first = pids(&pool);
        run(&pool, &job("def run():\n    return 1 / 0\n", vec![])).await.unwrap_err();
        assert_eq!(pids(&pool), first);
        let stuck = hasty(job("def run():\n    x = 3\n    while True:\n        x = x * x\n", vec![]));
        assert_eq!(run(&pool, &stuck).await, Err(ScriptError::Deadline { millis: 150 }));
        run(&pool, &small()).await.unwrap();
        assert_ne!(pids(&pool), first);
    });
}

#[test]
fn a_worker_is_replaced_after_its_share_of_jobs() {
    block(async {
        let settings = Settings { size: 1, jobs: 3, ..Settings::new(env!("CARGO_BIN_EXE_mop").into()) };
        let pool = Pool::new(settings);
        let mut seen = Vec::new();
        for _ in 0..6 {
            run(&pool, &small()).await.unwrap();
            seen.push(pids(&pool));
        }
        assert_eq!(seen[0], seen[1]);
        assert!(seen[2].is_empty() && seen[5].is_empty(), "{seen:?}");
        assert_ne!(seen[0], seen[3]);
    });
}

#[test]
fn many_scripts_do_not_fill_a_worker() {
    block(async {
        let pool = Pool::new(Settings { size: 1, jobs: 2000, ..Settings::new(env!("CARGO_BIN_EXE_mop").into()) });
        for at in 0..600 {
            let source = format!("def run():\n    return {at}\n");
            assert_eq!(run(&pool, &job(&source, vec![])).await.map(|done| done.value), Ok(json!(at)));
        }
        assert_eq!(run(&pool, &job("def run():\n    return 0\n", vec![])).await.map(|done| done.value), Ok(json!(0)));
    });
}

#[test]
#[cfg(unix)]
fn a_worker_killed_in_the_middle_of_a_job_is_reported() {
    block(async {
        let pool = pool(1);
        pool.warm(1).await.unwrap();
        let pid = pids(&pool)[0];
        let killer = async {
            tokio::time::sleep(Duration::from_millis(50)).await;
            kill(pid);
        };
        let job = endless();
        let (result, ()) = tokio::join!(run(&pool, &job), killer);
        let error = result.unwrap_err();
        assert_eq!(error.to_string(), "the script's worker ended: signal 9 (killed)");
        assert!(run(&pool, &small()).await.is_ok());
    });
}

#[test]
#[cfg(unix)]
fn a_worker_killed_while_it_waits_costs_no_job() {
    block(async {
        let pool = pool(1);
        for _ in 0..5 {
            pool.warm(1).await.unwrap();
            kill(pids(&pool)[0]);
            assert_eq!(run(&pool, &small()).await.map(|done| done.value), Ok(json!(2)));
        }
    });
}

#[test]
#[cfg(target_os = "linux")]
fn dropping_a_job_kills_its_worker() {
    block(async {
        let pool = pool(1);
        pool.warm(1).await.unwrap();
        let pid = pids(&pool)[0];
        let job = endless();
        assert!(tokio::time::timeout(Duration::from_millis(50), run(&pool, &job)).await.is_err());
        gone(pid, Duration::from_millis(250)).await;
        assert!(run(&pool, &small()).await.is_ok());
    });
}

#[test]
#[cfg(target_os = "linux")]
fn dropping_the_pool_ends_its_workers() {
    block(async {
        let pool = pool(1);
        pool.warm(1).await.unwrap();
        let pid = pids(&pool)[0];
        drop(pool);
        gone(pid, Duration::from_millis(250)).await;
    });
}

/// Answers only when both scripts have called.
struct Meeting(Arc<tokio::sync::Barrier>);

impl Host for Meeting {
    fn call<'a>(&'a mut self, _: &'a str, _: &'a [Value]) -> BoxFuture<'a, Decision> {
        Box::pin(async move {
            self.0.wait().await;
            Decision::Value(json!("met"))
        })
    }
}

#[test]
fn two_jobs_run_at_the_same_time() {
    block(async {
        let pool = pool(2);
        let met = Arc::new(tokio::sync::Barrier::new(2));
        let job = job("def run():\n    return meet()\n", vec![]).with_tools(&["meet"]);
        let (mut one, mut two) = (Meeting(met.clone()), Meeting(met));
        let both = async { tokio::join!(pool.run(&job, &mut one), pool.run(&job, &mut two)) };
        let (first, second) = tokio::time::timeout(Duration::from_secs(5), both).await.unwrap();
        assert_eq!((first.unwrap().value, second.unwrap().value), (json!("met"), json!("met")));
    });
}

#[test]
fn jobs_beyond_the_size_wait_and_none_is_lost() {
    block(async {
        let pool = pool(2);
        let jobs: Vec<_> = (0..20)
            .map(|at| match at % 5 {
                3 => job("def run(x):\n    a = 'ab'\n    while True:\n        a = a + a\n", vec![json!(at)]),
                _ => job("def run(x):\n    return x\n", vec![json!(at)]),
            })
            .collect();
        let results = futures::future::join_all(jobs.iter().map(|job| run(&pool, job))).await;
        for (at, result) in results.into_iter().enumerate() {
            match at % 5 {
                3 => assert!(matches!(result, Err(ScriptError::Memory { .. })), "{result:?}"),
                _ => assert_eq!(result.map(|done| done.value), Ok(json!(at))),
            }
        }
        assert!(pids(&pool).len() <= 2);
    });
}

#[test]
fn a_program_that_is_no_worker_is_reported() {
    block(async {
        for program in ["/bin/true", "/nowhere/at/all"] {
            let pool = Pool::new(Settings::new(program.into()));
            let error = pool.run(&small(), &mut Trusting).await.unwrap_err();
            assert!(matches!(error, ScriptError::Spawn(_) | ScriptError::Crashed { .. }), "{program}: {error:?}");
        }
    });
}

#[test]
#[cfg(target_os = "linux")]
fn a_worker_is_locked_in() {
    block(async {
        let pool = pool(1);
        assert_eq!(pool.report(), None);
        pool.warm(1).await.unwrap();
        let report = pool.report().unwrap();
        assert_eq!((report.process, report.allocator), (Wall::Full, Wall::Full));
        let proc = std::path::PathBuf::from(format!("/proc/{}", pids(&pool)[0]));
        assert_eq!(std::fs::read(proc.join("environ")).unwrap(), b"", "no environment");
        assert_eq!(std::fs::read_link(proc.join("cwd")).unwrap(), std::path::Path::new("/"));
        let limits = std::fs::read_to_string(proc.join("limits")).unwrap();
        for name in ["Max open files", "Max file size", "Max core file size"] {
            let line = limits.lines().find(|line| line.starts_with(name)).unwrap();
            assert_eq!(line[name.len()..].split_whitespace().take(2).collect::<Vec<_>>(), ["0", "0"], "{line}");
        }
        let stat = std::fs::read_to_string(proc.join("stat")).unwrap();
        let group = stat.rsplit(')').next().unwrap().split_whitespace().nth(2).unwrap();
        assert_eq!(group, pids(&pool)[0].to_string(), "a process group of its own");
    });
}

/// A worker whose parent is gone must end, whether it waits or works; here the parent's ends of the streams close.
#[test]
#[cfg(target_os = "linux")]
fn an_orphan_ends_by_itself() {
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixStream;
    use std::process::{Command, Stdio};
    for close_input in [true, false] {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_mop"))
            .arg(mop::runtime::worker::WORD)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::from(OwnedFd::from(theirs)))
            .spawn()
            .unwrap();
        let input = child.stdin.take().unwrap();
        let kept: Box<dyn std::any::Any> = if close_input {
            drop(input);
            Box::new(ours)
        } else {
            drop(ours);
            Box::new(input)
        };
        let status = child.wait().unwrap();
        drop(kept);
        assert!(status.success(), "{status}");
    }
}

#[test]
fn a_nested_job_does_not_wait_for_the_place_that_its_ancestor_holds() {
    /// Answers a call by a job on the same pool.
    struct Within<'a>(&'a Pool);
    impl Host for Within<'_> {
        fn call<'a>(&'a mut self, _: &'a str, _: &'a [Value]) -> BoxFuture<'a, Decision> {
            Box::pin(async move {
                let inner = Job { nested: true, ..job("def run():\n    return 7\n", vec![]) };
                match run(self.0, &inner).await {
                    Ok(done) => Decision::Value(done.value),
                    Err(error) => Decision::Error(error.to_string()),
                }
            })
        }
    }
    let done = block(async {
        let pool = pool(1);
        let outer = job("def run():\n    return ask() + ask()\n", vec![]).with_tools(&["ask"]);
        tokio::time::timeout(Duration::from_secs(20), pool.run(&outer, &mut Within(&pool))).await
    });
    assert_eq!(done.unwrap().map(|done| done.value), Ok(json!(14)));
}
