//! How a worker locks itself in: no files, no new descriptors, no processes, bounded memory and processor time.
//!
//! All of it is best effort, because not every system offers all of it; [`Report`] says what holds. The interpreter
//! itself has no way to a file or a socket; these walls are for its faults and those of the tools. No `unsafe` is
//! needed: the crates `rlimit` and `landlock` wrap the calls.

use serde::{Deserialize, Serialize};

use super::job::MEMORY_CEILING;

/// What holds a worker in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// Access to files, TCP and other processes.
    pub files: Wall,
    /// Limits of the process: memory, processor time, descriptors, file size, processes.
    pub process: Wall,
    /// The allocator's hard limit on what one script may take.
    pub allocator: Wall,
}

/// How well something is walled off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Wall {
    /// Entirely.
    Full,
    /// As far as this system can.
    Partial,
    /// Not at all.
    None,
}

/// Bytes of address space that a worker needs beside what its script allocates: the stack, the interpreter, messages.
const OVERHEAD: u64 = 512 << 20;

/// Processor seconds of a worker's whole life; the pool retires it long before. It ends a worker whose pool is gone.
const CPU_SECONDS: u64 = 3600;

/// Takes rights away from this process for good. Call it before any thread is started.
#[must_use]
pub(super) fn arm() -> Report {
    let allocator = match monty_alloc::set_limit(None, false) {
        Ok(()) => Wall::Full,
        Err(_) => Wall::None,
    };
    Report { files: no_files(), process: limits(), allocator }
}

#[cfg(target_os = "linux")]
fn no_files() -> Wall {
    use landlock::{ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetStatus, Scope};
    let abi = ABI::V6;
    let restrict = || {
        Ruleset::default()
            .handle_access(AccessFs::from_all(abi))?
            .handle_access(AccessNet::from_all(abi))?
            .scope(Scope::from_all(abi))?
            .create()?
            .restrict_self()
    };
    match restrict() {
        Ok(status) => match status.ruleset {
            RulesetStatus::FullyEnforced => Wall::Full,
            RulesetStatus::PartiallyEnforced => Wall::Partial,
            RulesetStatus::NotEnforced => Wall::None,
        },
        Err(_) => Wall::None,
    }
}

#[cfg(not(target_os = "linux"))]
fn no_files() -> Wall {
    Wall::None
}

#[cfg(unix)]
fn limits() -> Wall {
    use rlimit::Resource;
    let memory = MEMORY_CEILING + OVERHEAD;
    let limits = [
        (Resource::DATA, memory),
        (Resource::CPU, CPU_SECONDS),
        (Resource::FSIZE, 0),
        (Resource::CORE, 0),
        (Resource::NOFILE, 0),
    ];
    let set = limits.iter().filter(|(resource, limit)| rlimit::setrlimit(*resource, *limit, *limit).is_ok()).count();
    wall(set, limits.len())
}

#[cfg(not(unix))]
fn limits() -> Wall {
    Wall::None
}

#[cfg(unix)]
fn wall(set: usize, wanted: usize) -> Wall {
    if set == wanted {
        Wall::Full
    } else if set == 0 {
        Wall::None
    } else {
        Wall::Partial
    }
}

/// Forbids new processes and threads. Call it when the worker's own threads are running.
pub(super) fn no_processes() {
    #[cfg(unix)]
    let _ = rlimit::setrlimit(rlimit::Resource::NPROC, 0, 0);
}
