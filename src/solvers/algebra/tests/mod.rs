//! Tables and properties of the whole floor.

mod judging;
mod notation;
mod properties;
