//! What asks a run to stop: the user's interrupt, and the system's.

use super::exit;
use super::failure::Failure;

/// Listens from when it is made, so that no signal is missed between two waits.
pub(super) struct Signals {
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
}

impl Signals {
    /// Begins to listen.
    #[cfg(unix)]
    pub(super) fn new() -> Result<Self, Failure> {
        use tokio::signal::unix::{SignalKind, signal};
        let listen =
            |kind| signal(kind).map_err(|error| Failure::internal(format!("signals cannot be listened to: {error}")));
        Ok(Self { interrupt: listen(SignalKind::interrupt())?, terminate: listen(SignalKind::terminate())? })
    }

    /// Waits for the next signal and gives the exit code that it asks for.
    #[cfg(unix)]
    pub(super) async fn next(&mut self) -> u8 {
        tokio::select! {
            _ = self.interrupt.recv() => exit::INTERRUPTED,
            _ = self.terminate.recv() => exit::TERMINATED,
        }
    }

    /// Begins to listen.
    #[cfg(not(unix))]
    pub(super) fn new() -> Result<Self, Failure> {
        Ok(Self {})
    }

    /// Waits for the next signal and gives the exit code that it asks for.
    #[cfg(not(unix))]
    pub(super) async fn next(&mut self) -> u8 {
        let _ = tokio::signal::ctrl_c().await;
        exit::INTERRUPTED
    }
}
