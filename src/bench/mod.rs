//! Floor 3: arms side by side on suites of questions.
//!
//! An arm is a network. Each question is asked once by every arm and seed, in a session of its own; what came of it is an
//! [`Item`], appended to a file of the bench's [`Folder`] before the next one begins, so that nothing is asked twice after a
//! crash. A [`Report`] is computed from items alone, so shards are joined by joining their items.

mod ask;
mod check;
mod folder;
mod formats;
mod frozen;
mod item;
mod pages;
mod plan;
mod report;
mod run;
mod stats;
mod suite;

pub use ask::Arm;
pub use check::{Refused, can_check, is_right};
pub use folder::{BenchError, Folder, joined};
pub use item::Item;
pub use pages::page;
pub use plan::{ArmPlan, Pick, Plan, Shard, SuitePlan};
pub use report::{ArmReport, PairReport, Report, Spread};
pub use run::{Caps, Ended, Job, Orders, jobs, run};
pub use stats::{Interval, mcnemar, mean_of_pairs, wilson};
pub use suite::{BadLine, Check, Question, Suite};
