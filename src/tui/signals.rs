//! What the system says to the interface.

/// A signal, by what is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Signal {
    /// Leave, with this exit code.
    End(u8),
    /// The process was stopped and goes on.
    GoOn,
}

/// Listens from when it is made.
pub(super) struct Signals {
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    #[cfg(unix)]
    hang_up: tokio::signal::unix::Signal,
    #[cfg(unix)]
    go_on: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    /// Begins to listen.
    ///
    /// # Errors
    /// When the system does not let it.
    pub(super) fn new() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
            go_on: signal(SignalKind::from_raw(rustix::process::Signal::CONT.as_raw()))?,
        })
    }

    /// The next signal.
    pub(super) async fn next(&mut self) -> Signal {
        tokio::select! {
            _ = self.interrupt.recv() => Signal::End(130),
            _ = self.terminate.recv() => Signal::End(143),
            _ = self.hang_up.recv() => Signal::End(129),
            _ = self.go_on.recv() => Signal::GoOn,
        }
    }

    /// Waits until the process goes on after it was stopped.
    pub(super) async fn go_on(&mut self) {
        self.go_on.recv().await;
    }
}

#[cfg(not(unix))]
impl Signals {
    /// Begins to listen.
    ///
    /// # Errors
    /// Never.
    pub(super) fn new() -> std::io::Result<Self> {
        Ok(Self {})
    }

    /// The next signal.
    pub(super) async fn next(&mut self) -> Signal {
        let _ = tokio::signal::ctrl_c().await;
        Signal::End(130)
    }

    /// Returns at once: nothing is stopped here.
    pub(super) async fn go_on(&mut self) {}
}
