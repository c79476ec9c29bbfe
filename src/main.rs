//! The binary: arguments, setup, client, exit code.

use std::process::ExitCode;

/// Counts what is allocated, so that a script worker can be held to its limit; elsewhere it only passes calls on.
#[global_allocator]
static ALLOCATOR: monty_alloc::LimitedAllocator = monty_alloc::LimitedAllocator;

fn main() -> ExitCode {
    if std::env::args_os().nth(1).is_some_and(|word| word == mop::runtime::worker::WORD) {
        return ExitCode::from(mop::runtime::worker::main(mop::setup::worker_tools()));
    }
    ExitCode::from(mop::cli::main())
}
