//! Tests of this floor: each on a fresh folder, none on the user's.

mod config;
mod crash;
mod journal;
mod library;
mod networks;
mod property;
mod recall;
mod samples;
mod sessions;
mod speed;
