//! `mop bench merge`: joins the shards of one bench.

use std::path::PathBuf;

use crate::bench::{Folder, Report, joined};
use crate::cli::failure::Failure;
use crate::cli::{exit, out};

use super::{publish, table};

/// Join the shards of one bench
#[derive(Debug, clap::Args)]
pub(super) struct Merge {
    /// Folders that `mop bench --shard i/n --out DIR` has written
    #[arg(value_name = "DIR", required = true)]
    folders: Vec<PathBuf>,
    /// Folder of the whole: its answers and its report
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print the report as JSON instead of the table
    #[arg(long)]
    json: bool,
}

/// Joins shards and prints the report of the whole.
pub(super) fn run(args: &Merge) -> Result<u8, Failure> {
    let (plan, items, missing) = joined(&args.folders)?;
    let report = Report::of(&plan, &items);
    if !report.whole {
        let list: Vec<String> = missing.iter().map(ToString::to_string).collect();
        let why = if list.is_empty() { "some questions".to_owned() } else { format!("shards {}", list.join(", ")) };
        out::say(format!("this is not the whole: {why} are missing"));
    }
    match &args.out {
        Some(root) => {
            let (mut folder, done) = Folder::open(root, &plan, false)?;
            debug_assert!(done.is_empty(), "a folder that was just made is empty");
            for item in &items {
                folder.add(item)?;
            }
            publish(root, &report, args.json)?;
        }
        None if args.json => out::line(serde_json::to_string_pretty(&report).unwrap_or_default()),
        None => out::write(&table::of(&report)),
    }
    Ok(exit::DONE)
}
