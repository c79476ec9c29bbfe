//! What a script costs: a fresh worker's first answer, a warm round trip, a respawn after a kill.

#![expect(clippy::expect_used, reason = "a benchmark that cannot run should stop")]

use divan::Bencher;
use mop::runtime::job::{Job, Script, Trusting};
use mop::runtime::pool::{Pool, Settings};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

fn main() {
    divan::main();
}

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime")
}

fn pool() -> Pool {
    let settings = Settings::new(env!("CARGO_BIN_EXE_mop").into());
    Pool::new(Settings { size: 1, jobs: u32::MAX, ..settings })
}

fn job(source: &str, args: Vec<Value>) -> Job {
    Job::new(Script::new(source, "bench.py", "run"), args)
}

fn run(runtime: &Runtime, pool: &Pool, job: &Job) {
    let done = runtime.block_on(pool.run(job, &mut Trusting));
    divan::black_box(done.expect("a value"));
}

const TRIVIAL: &str = "def run(x):\n    return x + 1\n";

/// A script of the usual shape: it reads a view of the memory and returns contributions.
const USUAL: &str = "
import re

def numbers(text):
    return [int(word) for word in re.findall('[0-9]+', text)]

def run(task, memory, params):
    found = []
    for entry in memory:
        found.extend(numbers(entry['text']))
    best = sorted(found, reverse=True)[:params['most']]
    return {'contributions': [{'section': 'fact', 'text': str(n)} for n in best], 'next': 'verifier', 'why': task}
";

#[divan::bench(sample_count = 50, sample_size = 1)]
fn fresh_first_answer(bencher: Bencher) {
    let runtime = runtime();
    let _guard = runtime.enter();
    let job = job(TRIVIAL, vec![json!(1)]);
    bencher.with_inputs(pool).bench_refs(|pool| run(&runtime, pool, &job));
}

#[divan::bench(sample_count = 50, sample_size = 1)]
fn respawn_after_kill(bencher: Bencher) {
    let runtime = runtime();
    let job = job(TRIVIAL, vec![json!(1)]);
    bencher
        .with_inputs(|| {
            let pool = pool();
            let endless = self::job("def run():\n    while True:\n        pass\n", vec![]);
            let soon = std::time::Duration::from_millis(2);
            let cut = runtime.block_on(async { tokio::time::timeout(soon, pool.run(&endless, &mut Trusting)).await });
            assert!(cut.is_err(), "the endless script ended");
            pool
        })
        .bench_refs(|pool| run(&runtime, pool, &job));
}

#[divan::bench(sample_count = 200, sample_size = 50)]
fn warm_trivial(bencher: Bencher) {
    let (runtime, pool) = (runtime(), pool());
    let mut job = job(TRIVIAL, vec![json!(0)]);
    bencher.bench_local(|| {
        let before = job.args[0].as_i64().expect("an integer");
        let done = runtime.block_on(pool.run(&job, &mut Trusting)).expect("a value");
        assert_eq!(done.value, json!(before + 1));
        job.args[0] = done.value;
    });
}

fn memory(entries: usize) -> Value {
    (0..entries)
        .map(|at| {
            let text = format!("there are {at} apples and {} pears", at * 7);
            json!({"id": at, "section": "fact", "author": "definer", "text": text})
        })
        .collect()
}

/// What it costs to show a memory of this many entries to a script that does nothing with it.
#[divan::bench(sample_count = 100, sample_size = 20, args = [10, 100, 1000])]
fn warm_view(bencher: Bencher, entries: usize) {
    let (runtime, pool) = (runtime(), pool());
    let job = job("def run(memory):\n    return len(memory)\n", vec![memory(entries)]);
    run(&runtime, &pool, &job);
    bencher.bench_local(|| run(&runtime, &pool, &job));
}

/// The same with the work of a usual script.
#[divan::bench(sample_count = 100, sample_size = 20, args = [10, 100, 1000])]
fn warm_usual(bencher: Bencher, entries: usize) {
    let (runtime, pool) = (runtime(), pool());
    let job = job(USUAL, vec![json!("count"), memory(entries), json!({"most": 3})]);
    run(&runtime, &pool, &job);
    bencher.bench_local(|| run(&runtime, &pool, &job));
}

/// A script with library functions put before it, which are defined anew at each run.
#[divan::bench(sample_count = 100, sample_size = 20)]
fn warm_library(bencher: Bencher) {
    let (runtime, pool) = (runtime(), pool());
    let source = "from itertools import product\ndef run(x):\n    return len(list(product([x], [x])))\n";
    let job = job(source, vec![json!(1)]);
    run(&runtime, &pool, &job);
    bencher.bench_local(|| run(&runtime, &pool, &job));
}
