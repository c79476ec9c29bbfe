//! Floor 2: what is kept on disk, and where.
//!
//! Journals of sessions ([`Sessions`], [`FileJournal`]), sources of networks ([`Networks`]), their history of revisions and
//! the queue of proposals ([`FileLibrary`]), the configuration ([`Config`]), the folders of all of these ([`Paths`]) and
//! the system's clock. Nothing here reads the environment: the caller hands it in.

mod atomic;
mod attach;
mod blobs;
mod clock;
mod config;
mod configure;
mod effective;
mod error;
mod folder;
mod fork;
mod head;
mod history;
mod journal;
mod library;
mod library_port;
mod line;
mod lock;
mod networks;
mod paths;
mod queue;
mod reader;
mod recall;
mod session_id;
mod sessions;
mod settings;
mod summary;
mod sync;
mod trust;

pub use attach::{IMAGE, TEXT, attachment};
pub use clock::SystemClock;
pub use config::{Config, Origin};
pub use configure::{NewEndpoint, configure};
pub use error::StoreError;
pub use fork::ForkPoint;
pub use journal::FileJournal;
pub use library::FileLibrary;
pub use networks::{Networks, Source, SourcedNetwork};
pub use paths::Paths;
pub use reader::Events;
pub use recall::{FileRecall, Kept, RecallMode, Scrub};
pub use sessions::Sessions;
pub use settings::{Backward, Discover, Key, Motion};
pub use summary::{Standing, Summary};

#[cfg(test)]
mod tests;
