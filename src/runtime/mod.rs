//! Floor 2: how each kind of program runs.
//!
//! Scripts run in worker processes. A [`Pool`](pool::Pool) keeps a few of them warm; each is this same binary, started
//! again with a hidden word, which locks itself in ([`sandbox`]), then reads jobs from its standard input and answers on
//! its standard output ([`wire`]). Nothing that a script does can hurt more than its own worker: an endless loop, a
//! memory bomb or a crash of the interpreter costs one process, and the next job gets another.
//!
//! The interpreter is a subset of Python. What it lacks, so that prompts and people can be told: `yield`, `match`,
//! operator overloading on user classes, the modules `random`, `heapq`, `fractions`, `decimal`, `statistics`, `string`,
//! `bisect`, `copy`, `time`, `operator`, `enum`, `abc`, and of `itertools` the functions `combinations`,
//! `permutations`, `product` and `groupby`. [`prelude`] offers some of them under plain names.

mod drive;
mod model;
mod programs;
mod script;

pub use model::buckets;
pub use programs::Programs;
pub mod job;
pub mod pool;
pub mod prelude;
#[cfg(debug_assertions)]
pub mod probes;
mod process;
mod record;
mod run;
pub mod sandbox;
mod values;
mod wire;
pub mod worker;
