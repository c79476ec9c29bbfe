//! Tests that need the binary, or the engine as a whole.

#[cfg(test)]
#[path = "../support/native.rs"]
mod native;

#[cfg(test)]
mod bench;
#[cfg(test)]
mod by_hand;
#[cfg(test)]
mod caps;
#[cfg(test)]
mod cli;
#[cfg(test)]
mod cli_config;
#[cfg(test)]
mod cli_graph;
#[cfg(test)]
mod cli_models;
#[cfg(test)]
mod cli_programs;
#[cfg(test)]
mod cli_recall;
#[cfg(test)]
mod cli_resume;
#[cfg(test)]
mod cli_review;
#[cfg(test)]
mod cli_run;
#[cfg(test)]
mod cli_sessions;
#[cfg(test)]
mod crash;
#[cfg(test)]
mod engine;
#[cfg(test)]
mod extend;
#[cfg(test)]
mod fold;
#[cfg(test)]
mod listed;
#[cfg(test)]
mod perturbed;
#[cfg(test)]
mod prompts;
#[cfg(test)]
#[cfg(all(feature = "tui", unix))]
mod pty;
#[cfg(test)]
mod questions;
#[cfg(test)]
mod readme;
#[cfg(test)]
mod reopen;
#[cfg(test)]
mod repair;
#[cfg(test)]
mod server;
#[cfg(test)]
mod servers;
#[cfg(test)]
mod spent;
#[cfg(test)]
mod streaming;
#[cfg(test)]
mod worker;
