//! Floor 4: the terminal interface, a client of the engine like any other.
//!
//! Data flows one way: a key becomes an [`action`], a pane or the app turns it into effects, an effect into a command, the
//! engine answers with events, the events fold into a state, and the state is drawn. What is drawn depends on a `Scene`
//! alone: the state shown, and what the user has chosen.

mod action;
mod code;
mod lines;
mod live;
mod paint;
mod pane;
mod panes;
mod scene;
#[cfg(test)]
mod testing;
mod text;
mod theme;
