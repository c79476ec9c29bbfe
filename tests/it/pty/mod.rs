//! The real binary in a real pseudo-terminal: what a user sees, and what is left of the terminal afterwards.

mod bytes;
#[cfg(debug_assertions)]
mod failing;
mod job_control;
mod leaving;
mod opening;
mod repair;
mod session;
mod sizes;
mod streaming;
mod terminal;
mod writing;

use terminal::{Seen, Setup, Terminal};

/// A question of seven cycles. In the third, J falls.
const QUESTION: &str = "Solve sqrt(x+3) = x - 3";

const ENTER: &str = "\r";
const ESC: &str = "\x1b";
const F5: &str = "\x1b[15~";
const F10: &str = "\x1b[21~";
const CTRL_C: &str = "\x03";
const CTRL_L: &str = "\x0c";
const CTRL_Z: &str = "\x1a";
