//! Floor 1: the algorithms. Given the state, they produce the next events; they act only through [`ports`].

mod backward;
mod breakpoints;
mod commands;
mod credit;
mod cycle;
mod ending;
mod flaws;
mod gate;
mod guard;
mod halting;
mod listening;
mod playback;
pub mod ports;
mod remember;
mod replay;
mod review;
mod router;
mod scope;
mod session;
pub mod trial;
mod view;

pub use breakpoints::hits;
pub use credit::{Player, split};
pub use flaws::{Flaw, flaws};
pub use gate::Gates;
pub use guard::{Frozen, tier};
pub use halting::{GoalCheck, Verdict, check as check_halting};
pub use playback::Playback;
pub use replay::{Difference, Record, first_difference, whole_steps};
pub use review::{chosen, decide};
pub use router::{Decided, Wish, route};
pub use scope::scope;
pub use session::{CHANNEL, Ports, Session, SessionError, Settings};
pub use view::View;
