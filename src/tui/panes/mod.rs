//! One file a pane.

mod edits;
mod graph;
mod memory;
mod score;
mod stream;
mod timeline;

pub(super) use edits::Edits;
pub(super) use graph::Graph;
pub(super) use memory::Memory;
pub(super) use score::Score;
pub(super) use stream::Stream;
pub(super) use timeline::TimelinePane;
