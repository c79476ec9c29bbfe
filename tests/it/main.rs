//! Tests that need the binary.

#[cfg(test)]
mod cli;
#[cfg(test)]
mod cli_config;
#[cfg(test)]
mod cli_graph;
#[cfg(test)]
mod cli_programs;
#[cfg(test)]
mod cli_resume;
#[cfg(test)]
mod cli_review;
#[cfg(test)]
mod cli_run;
#[cfg(test)]
mod cli_sessions;
#[cfg(test)]
mod worker;
