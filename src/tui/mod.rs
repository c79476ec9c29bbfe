//! Floor 4: the terminal interface, a client of the engine like any other.
//!
//! Data flows one way: a key becomes an `action`, a pane or the app turns it into effects, an effect into a command, the
//! engine answers with events, the events fold into a state, and the state is drawn. What is drawn depends on a `Scene`
//! alone: the state shown, and what the user has chosen. The interface itself (`app`) does no IO; the loop (`run`) and the
//! host of sessions (`host`) do.
//!
//! | change | place |
//! |---|---|
//! | new key or action | one line in `action.rs`, one arm in `doing.rs` or in a pane |
//! | new pane | one file in `panes/`, a `Room` and a place in `layout.rs` |
//! | new colour role | one line in `theme.rs` and in each file of `themes/` |
//! | new overlay | a variant in `overlay/` |

mod action;
mod app;
mod brief;
mod clipboard;
mod code;
mod doing;
mod error;
mod farewell;
mod field;
mod frame;
mod host;
mod index;
mod keys;
mod layout;
mod likes;
mod lines;
mod link;
mod live;
mod markdown;
mod overlay;
mod page;
mod paint;
mod pane;
mod panes;
mod play;
mod provide;
mod rehearsal;
mod request;
mod run;
mod scene;
mod screen;
mod servers;
mod sgr;
mod signals;
mod streaming;
mod terminal;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod text;
mod theme;
mod topbar;
mod travel;
mod view;
mod words;

pub use error::TuiError;
pub use farewell::Farewell;
pub use rehearsal::Rehearsal;
pub use run::Opening;

use crate::setup::{App, Works};

/// Opens the interface over a network and gives what is to be printed when it was left.
///
/// # Errors
/// When the network or the terminal cannot be used.
pub async fn main(
    app: App,
    works: Works,
    opening: Opening,
    env: &dyn Fn(&str) -> Option<String>,
) -> Result<Farewell, TuiError> {
    let likes = likes::of(&app, env)?;
    let (keymap, problems) = likes::keymap(&app);
    let problems = app.problems.iter().chain(&problems).map(ToString::to_string).collect();
    run::run(app, works, likes, keymap, problems, opening, env).await
}
