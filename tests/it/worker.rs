//! Script workers: what a hostile or faulty script can do, and that the next job on the pool works.

use std::time::{Duration, Instant};

use mop::runtime::job::{Done, Job, Script, ScriptError, Trusting};
use mop::runtime::pool::{Pool, Settings};
use serde_json::{Value, json};

fn pool(size: usize) -> Pool {
    Pool::new(Settings {
        size,
        ..Settings::new(env!("CARGO_BIN_EXE_mop").into())
    })
}

fn block<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
        .block_on(future)
}

fn job(source: &str, args: Vec<Value>) -> Job {
    Job::new(Script::new(source, "trial.py", "run"), args).with_deadline(Duration::from_millis(300))
}

async fn run(pool: &Pool, job: &Job) -> Result<Done, ScriptError> {
    pool.run(job, &mut Trusting).await
}

/// Runs a script, then another on the same pool of one worker, and returns how the first went.
fn survive(job: &Job) -> Result<Done, ScriptError> {
    block(async {
        let pool = pool(1);
        let began = Instant::now();
        let first = run(&pool, job).await;
        assert!(
            began.elapsed() < Duration::from_secs(3),
            "took {:?}",
            began.elapsed()
        );
        let next = run(
            &pool,
            &self::job("def run(x):\n    return x + 1\n", vec![json!(41)]),
        )
        .await;
        assert_eq!(
            next.map(|done| done.value),
            Ok(json!(42)),
            "the next job after {first:?}"
        );
        first
    })
}

#[test]
fn explore() {
    let cases: &[(&str, &str)] = &[
        ("loop", "def run():\n    while True:\n        pass\n"),
        (
            "list bomb",
            "def run():\n    a = []\n    while True:\n        a.append('x' * 100)\n",
        ),
        (
            "doubling",
            "def run():\n    a = 'ab'\n    while True:\n        a = a + a\n",
        ),
        ("one huge", "def run():\n    return len('a' * 10**10)\n"),
        (
            "recursion",
            "def f(n):\n    return f(n + 1) + 1\ndef run():\n    return f(0)\n",
        ),
        (
            "findall",
            "import re\ndef run():\n    return len(re.findall('(a|b)', 'ab' * 1500000))\n",
        ),
        ("pow", "def run():\n    return pow(10**9, 10**9)\n"),
        ("pow2", "def run():\n    return pow(10**9, 10**6) % 7\n"),
        (
            "pow3",
            "def run():\n    x = 3\n    while True:\n        x = x * x\n",
        ),
        ("str of int", "def run():\n    return len(str(7**300000))\n"),
        (
            "raise",
            "def g(x):\n    return 1 / x\n\ndef run():\n    y = 0\n    return g(y)\n",
        ),
        ("set", "def run():\n    return {'a': [1, {1, 2}]}\n"),
        ("keys", "def run():\n    return {'a': {1: 2}}\n"),
        (
            "object",
            "class A:\n    pass\ndef run():\n    return [A()]\n",
        ),
        (
            "import os",
            "import os\ndef run():\n    return os.system('true')\n",
        ),
        (
            "open",
            "def run():\n    return open('/etc/passwd').read()\n",
        ),
        (
            "env",
            "import os\ndef run():\n    return os.environ['PATH']\n",
        ),
        (
            "getenv",
            "import os\ndef run():\n    return os.getenv('PATH')\n",
        ),
        (
            "print",
            "def run():\n    for i in range(10):\n        print('x' * 1000000)\n    return 1\n",
        ),
        ("big result", "def run():\n    return 'x' * 50000000\n"),
        ("big result 2", "def run():\n    return 'x' * 10000000\n"),
        (
            "deep",
            "def run():\n    a = []\n    for i in range(100000):\n        a = [a]\n    return a\n",
        ),
        (
            "deep2",
            "def run():\n    a = []\n    for i in range(200):\n        a = [a]\n    return a\n",
        ),
        (
            "nan",
            "def run():\n    return {'score': [1.0, float('nan')]}\n",
        ),
        ("surrogate", "def run():\n    return '\\ud800'\n"),
        ("bytes", "def run():\n    return b'\\xff'\n"),
        ("decode", "def run():\n    return b'\\xff'.decode()\n"),
        ("undefined", "def run():\n    return calc('1+1')\n"),
        ("denied", "def run():\n    return probe_pair(1, 2)\n"),
        ("exit", "import sys\ndef run():\n    sys.exit(0)\n"),
        ("syntax", "def run(:\n    return 1\n"),
        ("unclosed", "def run():\n    return (1,\n"),
        (
            "match",
            "def run():\n    match 1:\n        case 1:\n            return 2\n",
        ),
        ("yield", "def run():\n    yield 1\n"),
        ("import", "import subprocess\ndef run():\n    return 1\n"),
        ("no run", "x = 1\n"),
        ("wrong args", "def run(a, b):\n    return 1\n"),
        (
            "dag",
            "def run():\n    a = [1]\n    for i in range(60):\n        a = [a, a]\n    return a\n",
        ),
        (
            "cycle",
            "def run():\n    a = []\n    a.append(a)\n    return a\n",
        ),
        (
            "bigint",
            "def run():\n    return [2**63, 2**64, -2**63, 2**100]\n",
        ),
        ("hugeint", "def run():\n    return 2**1000000\n"),
        (
            "prelude",
            "def run():\n    return [product([1, 2], 'ab'), permutations([1, 2, 3], 2), combinations('abc', 2)]\n",
        ),
    ];
    for (name, source) in cases {
        let began = Instant::now();
        let out = survive(&job(source, vec![]));
        let mut text = format!("{out:?}");
        if let Err(e) = &out {
            text = format!("{e}\n{}\n   {e:?}", e.details());
        }
        text = text.chars().take(600).collect();
        println!("== {name} {:?}\n{text}", began.elapsed());
    }
}
