//! `mop` solves problems with a *Mixture of Programs*: a network of programs that share a working memory, route to one
//! another, are scored after every step, get credit, and may propose edits to themselves, which a human approves.
//!
//! This page is the architecture. Read it in five minutes and you know where a change goes.
//!
//! # The idea in five sentences
//!
//! 1. **A session is a list of events, and the state is their fold.** [`model::State::apply`] is pure; screens, resume,
//!    looking at the past, replay and tests all read a state folded from events. Nothing that matters lives anywhere else.
//! 2. **The engine is the function that, given the state, produces the next events.** It acts only through the ports of
//!    [`engine::ports`]; `apply` never acts.
//! 3. **Commands go in, events come out.** [`model::Command`] and [`model::Event`] are the whole protocol; the command line,
//!    the tests and every later front end are equal clients of it. A client that needs a new fact gets a new event, never a
//!    getter.
//! 4. **Programs are data.** Each is a file in `programs/<network>/`. Rust knows *contracts* ([`model::Contract`]), never a
//!    program's name; who runs when is said by expressions in `network.toml`.
//! 5. **Self-modification is a transaction.** A proposal is a base and a diff; it passes gates, then a human, then becomes a
//!    revision and acts from the next cycle. Undo is one more revision. Scorers, gates, limits, approvals and the journal are
//!    outside every program's reach.
//!
//! # Floors
//!
//! Each uses only what is below it; within a floor, only through ports. `tests/architecture.rs` reads the `use` lines and
//! fails on an arrow that goes up or sideways.
//!
//! | floor | room | what |
//! |---|---|---|
//! | 0 | [`model`] | plain data, the fold, files of programs and networks as text; no IO, clock, randomness or async |
//! | 0 | [`solvers`] | pure problem solving: the formaliser, algebra, quantities, dates, checks, mutation of scripts |
//! | 1 | [`engine`] | the algorithms: routing, the cycle, credit, halting, the backward pass, gates, review, replay |
//! | 2 | [`runtime`] | how each kind of program runs: script workers, small models, prompts |
//! | 2 | [`llm`] | servers of language models, their faults and cost, records of replies |
//! | 2 | [`tools`] | what programs may call |
//! | 2 | [`scoring`] | J |
//! | 2 | [`store`] | journals, the library of revisions, networks on disk and in the binary, configuration |
//! | 3 | [`mod@bench`] | arms side by side on suites: questions, checks of answers, statistics, reports |
//! | – | [`setup`] | the only file that names both ports and adapters |
//! | 4 | [`cli`] | one file a subcommand |
//! | 4 | `tui` | the terminal interface: a state-free view of the fold, one file a pane (feature `tui`) |
//!
//! # One question, from end to end
//!
//! [`cli`] reads the arguments and asks [`setup`] for the adapters. [`engine::Session`] derives the parts of the query
//! through the scorer, scores the empty memory as cycle 0, and then goes round: *route* (the legal set, the distribution over
//! it, the choice), *gate* (a stepper stops here), *activate* (the runtime runs a script in a sandboxed worker), *contribute*
//! (the engine stamps author and cycle), *score*, *credit*, *halt or route*. Each of these is an event. When goal-check
//! passes, integrity has its word and the presenter writes the answer. Then the backward pass turns what the scorer refuted
//! into failing tests of the script that wrote it, a manager program searches for an edit that passes them, and the gated
//! proposal waits in the library for a human.
//!
//! # Where a change lands
//!
//! | change | place |
//! |---|---|
//! | new agent, network or rule | a file or a line in `programs/` |
//! | new class of problem | primitives and a check in `solvers/`, a script in `programs/symbolic/` |
//! | new format of a server of models | one file in `llm/wire/` and a variant of [`llm::Format`] |
//! | new tool | one file in `tools/` and one registry line |
//! | new kind of program | a variant of [`model::Kind`] and one file in `runtime/`; exhaustive matches find the rest |
//! | new shape of a suite, new check of answers | a function in `bench/formats.rs`, a file in `bench/check/` |
//! | new scorer or credit rule | one file; weights in `network.toml` |
//! | new fact for a screen | one event |
//! | new pane, key, overlay | `tui/panes/`, one line in `tui/action.rs`, `tui/overlay/` |
//! | new theme | a file in `themes/` |
//! | new subcommand | one file in `cli/` |
//! | new way to compare questions, new field of what is recalled | `store/recall/`, with a new version of its schema |
//!
//! # Invariants
//!
//! - `model` does no IO, and `apply` never fails on an event that a journal holds, of this or an older version.
//! - No name of a program appears in Rust.
//! - What is streamed is shown and never kept: it is no part of the state, and whoever is slow to read it slows no model down.
//! - A program never writes its own score, credit, permissions or log; the engine stamps author and cycle.
//! - Every number shown can be traced to an event.
//! - Nothing is drawn when nothing changed; drawing waits neither for the engine nor for the disk.
//! - A key decides something about a program only in the pane that shows it, 0.3 s after it is shown, and never Enter.
//! - No file outside the data folder changes unless the user said so.
//! - What a person decided outlives a crash: a step that is cut off is done again, a decision is never asked for twice.
//! - Recursion is bounded: programs that run programs share one depth limit.

pub mod bench;
pub mod cli;
pub mod engine;
pub mod llm;
pub mod model;
pub mod runtime;
pub mod scoring;
pub mod setup;
pub mod solvers;
pub mod store;
pub mod tools;
#[cfg(feature = "tui")]
pub mod tui;
