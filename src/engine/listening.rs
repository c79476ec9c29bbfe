//! Waiting for work in flight: an interrupt is heard, and what the work streams is passed on.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use crate::model::{Command, Envelope, Event, FORMAT};

use super::session::{Flow, Session};

/// Least time between two batches of streamed pieces: faster than this nobody reads.
const STREAM: Duration = Duration::from_millis(30);

impl Session {
    /// Waits for work in flight while listening for an interrupt, and passes on what the work streams; other commands keep for
    /// the next gate.
    pub(super) async fn listen<T>(&mut self, work: impl Future<Output = T>) -> Result<T, Flow> {
        tokio::pin!(work);
        let outlet = self.outlet.clone();
        outlet.clear();
        let mut due = Instant::now();
        let mut open = true;
        loop {
            let streamed = async {
                outlet.filled().await;
                sleep_until(due).await;
            };
            tokio::select! {
                biased;
                done = &mut work => {
                    self.pass_on();
                    return Ok(done);
                }
                command = self.commands.recv(), if open => match command {
                    Some(Command::Interrupt) => return Err(Flow::Interrupt),
                    Some(Command::Shutdown) => return Err(Flow::Close),
                    Some(command) => self.waiting.push_back(command),
                    None => open = false,
                },
                () = streamed => {
                    self.pass_on();
                    due = Instant::now() + STREAM;
                }
            }
        }
    }

    /// Sends on what running programs have streamed, as long as there is room: half of the channel is kept for what counts.
    fn pass_on(&self) {
        while self.events.capacity() > self.events.max_capacity() / 2 {
            let Ok(place) = self.events.try_reserve() else { break };
            let Some((activation, (what, text))) = self.outlet.take() else { return };
            let event = Event::Delta { activation, text, what };
            let (seq, at) = (self.state.seq, self.ports.clock.now());
            place.send(Arc::new(Envelope { v: FORMAT, seq, at, cause: self.cause, event }));
        }
        if self.events.is_closed() {
            self.outlet.clear();
        }
    }
}
