//! The binary: for now only the hidden side of the script workers.

use std::process::ExitCode;

use mop::runtime::worker;
use mop::tools::Tool;

/// Counts what is allocated, which only a script worker limits.
#[global_allocator]
static ALLOCATOR: monty_alloc::LimitedAllocator = monty_alloc::LimitedAllocator;

#[cfg(debug_assertions)]
const TOOLS: &[&[Tool]] = &[mop::runtime::probes::PROBES];
#[cfg(not(debug_assertions))]
const TOOLS: &[&[Tool]] = &[];

fn main() -> ExitCode {
    if std::env::args_os()
        .nth(1)
        .is_some_and(|word| word == worker::WORD)
    {
        return ExitCode::from(worker::main(TOOLS));
    }
    ExitCode::SUCCESS
}
