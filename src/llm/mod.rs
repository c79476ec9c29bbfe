//! Floor 2: the adapters to language models, behind [`Provider`](crate::engine::ports::Provider).
//!
//! A [`Fleet`] speaks to all servers of the configuration in their own formats: it picks the least busy one that lets a call in,
//! waits where a server says so, tries again where that can help, and sets aside what a call may cost before it is made
//! ([`Guard`]). [`Recorder`] and [`Replayer`] keep replies in a file and give them back without any server; [`Scripted`] has
//! its replies from a file that somebody wrote; [`Manual`] and [`Hand`] let a person play the model, through files and in front of
//! the interface. [`discover`] looks for servers.
//!
//! No key is ever part of an error, a record or a log: see [`ApiKey`].

mod budget;
mod call;
mod certificate;
mod common;
mod config;
mod count;
mod discover;
mod endpoint;
mod fleet;
mod forms;
mod hand;
mod images;
mod key;
mod manual;
mod price;
mod record;
mod repeats;
mod scripted;
mod transport;
mod wait;
mod wire;

pub use budget::{Caps, Guard, Used};
pub use call::Patience;
pub use common::Common;
pub use config::{EndpointEntry, ModelsConfig};
pub use discover::{Found, Place, Silent, discover, key_name, key_names, look_at, places, preselected};
pub use endpoint::EndpointSettings;
pub use fleet::{Fleet, FleetSettings, Patient};
pub use hand::{Card, Hand};
pub use key::{ApiKey, Keys};
pub use manual::Manual;
pub use price::{Price, Prices};
pub use record::{Recorder, Replayer};
pub use scripted::Scripted;
pub use wire::Format;

#[cfg(test)]
mod tests;
