//! Floor 2: how each kind of program runs. Prompts run over the port to language models (`prompt`); the rest is about scripts.
//!
//! Scripts run in worker processes. A [`Pool`](pool::Pool) keeps a few of them warm; each is this same binary, started
//! again with a hidden word, which locks itself in ([`sandbox`]), then reads jobs from its standard input and answers on
//! its standard output (`wire`). Nothing that a script does can hurt more than its own worker: an endless loop, a
//! memory bomb or a crash of the interpreter costs one process, and the next job gets another.
//!
//! The interpreter is a subset of Python. What it lacks, so that prompts and people can be told:
//! - `yield`, `match`, operator overloading on user classes (`__iter__` and `__next__` work), `'%d' % n`;
//! - laziness: generator expressions and `map` compute everything at once, so `next(x for x in range(10**9) if …)` is
//!   a memory bomb: write a loop;
//! - tools inside a function that a built-in calls (`sorted(key=…)`, `map`, `filter`): use a comprehension or a loop;
//! - `eval`, `exec`, `open`, the clock, the environment, `input`;
//! - the modules `random`, `fractions`, `decimal`, `time`, `enum`, `abc`, `types`, `subprocess`, `socket`. `itertools`,
//!   `math`, `heapq`, `bisect`, `statistics`, `string`, `copy` and `operator` are there as far as the texts in
//!   `prelude/` go.
//!
//! Integers beyond 64 bits leave a script as the text of their digits; sets, dates and objects do not leave it.

mod compile;
mod drive;
mod model;
mod programs;
mod prompt;
mod script;
mod train;

pub use model::buckets;
pub use programs::Programs;
pub use train::train;
pub mod job;
pub mod pool;
mod prelude;
#[cfg(debug_assertions)]
pub mod probes;
mod process;
mod record;
mod run;
pub mod sandbox;
mod values;
mod wire;
pub mod worker;
