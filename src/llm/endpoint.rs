//! One server of models: its address and key, whether it lets anyone in now, and how busy it is.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::{Instant, sleep_until};

use crate::engine::ports::{Offers, Piece, ProviderError, Seen};

use super::key::ApiKey;
use super::price::Price;
use super::wire::Format;

/// How often whoever waits is told how long it still takes.
const TICK: Duration = Duration::from_secs(1);

/// The longest that a server which fails is passed over.
const LONGEST_REST: Duration = Duration::from_secs(60);

/// What is known of a server.
#[derive(Clone, Debug)]
pub struct EndpointSettings {
    /// Its name.
    pub name: String,
    /// How it wants to be spoken to.
    pub format: Format,
    /// Its address, with the version in it where the format has one.
    pub url: String,
    /// Its key.
    pub key: Option<ApiKey>,
    /// Models that it serves, under the names that it has for them; empty where whatever is asked for by its name is tried.
    pub models: Vec<String>,
    /// What it can do.
    pub offers: Offers,
    /// Whether its models look at images.
    pub images: bool,
    /// What its models cost, where that is said.
    pub price: Option<Price>,
    /// Calls that it takes at once.
    pub parallel: usize,
    /// Tokens that the context of its models holds, where that is said.
    pub context: Option<u64>,
}

impl EndpointSettings {
    /// A server about which nothing is said but where it is.
    #[must_use]
    pub fn new(name: &str, format: Format, url: &str) -> Self {
        Self {
            name: name.to_owned(),
            format,
            url: url.trim_end_matches('/').to_owned(),
            key: None,
            models: Vec::new(),
            offers: format.offers(),
            images: true,
            price: None,
            parallel: 16,
            context: None,
        }
    }

    /// The host of its address.
    #[must_use]
    pub fn host(&self) -> &str {
        let rest = self.url.split_once("://").map_or(self.url.as_str(), |(_, rest)| rest);
        let host = rest.split(['/', '?']).next().unwrap_or_default();
        let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
        match host.rsplit_once(':') {
            Some((bare, port)) if port.chars().all(|c| c.is_ascii_digit()) => bare,
            Some(_) | None => host,
        }
    }
}

/// One server in use.
#[derive(Debug)]
pub(super) struct Endpoint {
    pub(super) settings: EndpointSettings,
    places: Semaphore,
    busy: AtomicUsize,
    state: Mutex<Standing>,
}

#[derive(Debug, Default)]
struct Standing {
    /// Nobody sends anything before this moment.
    closed: Option<(Instant, String)>,
    /// Others are preferred before this moment.
    resting: Option<Instant>,
    failures: u32,
}

impl Endpoint {
    pub(super) fn new(settings: EndpointSettings) -> Arc<Self> {
        let places = Semaphore::new(settings.parallel.clamp(1, Semaphore::MAX_PERMITS));
        Arc::new(Self { settings, places, busy: AtomicUsize::new(0), state: Mutex::default() })
    }

    /// Counts a call to it from here on, waiting for a place or not.
    pub(super) fn busy(self: &Arc<Self>) -> Busy {
        self.busy.fetch_add(1, Ordering::Relaxed);
        Busy(self.clone())
    }

    /// Waits for a place.
    pub(super) async fn place(&self) -> Option<SemaphorePermit<'_>> {
        self.places.acquire().await.ok()
    }

    /// How much it is liked for the next call: those that let one in, then those that did not fail lately, then the least busy.
    pub(super) fn rank(&self) -> (Duration, Duration, usize) {
        let now = Instant::now();
        let state = self.lock();
        let left = |at: Option<Instant>| at.map_or(Duration::ZERO, |at| at.saturating_duration_since(now));
        let closed = left(state.closed.as_ref().map(|(at, _)| *at));
        (closed, left(state.resting), self.busy.load(Ordering::Relaxed))
    }

    /// Lets nobody in for a while. A later moment that was set before stays.
    pub(super) fn close(&self, wait: Duration, why: &str) {
        let until = Instant::now() + wait;
        let mut state = self.lock();
        if state.closed.as_ref().is_none_or(|(at, _)| *at < until) {
            state.closed = Some((until, why.to_owned()));
        }
    }

    /// How long nobody is let in.
    pub(super) fn closed(&self) -> Duration {
        self.rank().0
    }

    /// Waits at the gate, and says each second how long it still takes; true where there was anything to wait for.
    pub(super) async fn pass(&self, seen: &Seen<'_>) -> bool {
        let mut waited = false;
        loop {
            let closed = self.lock().closed.clone();
            let now = Instant::now();
            let Some((until, why)) = closed.filter(|(until, _)| *until > now) else { return waited };
            waited = true;
            seen(Piece::Waiting { left: until - now, why: &why });
            sleep_until(until.min(now + TICK)).await;
        }
    }

    /// It did what it should.
    pub(super) fn well(&self) {
        let mut state = self.lock();
        state.failures = 0;
        state.resting = None;
    }

    /// It failed: others are preferred for a while, longer each time.
    pub(super) fn failed(&self) {
        let mut state = self.lock();
        let rest = Duration::from_secs(1 << state.failures.min(6)).min(LONGEST_REST);
        state.failures = state.failures.saturating_add(1);
        state.resting = Some(Instant::now() + rest);
    }

    /// An error with this server's name and without its key in it.
    pub(super) fn scrubbed(&self, mut error: ProviderError) -> ProviderError {
        if let Some(what) = error.message.strip_prefix("the server ") {
            error.message = format!("{} {what}", self.settings.name);
        }
        if let Some(key) = &self.settings.key {
            error.message = key.scrub(&error.message).into_owned();
            error.hint = error.hint.map(|hint| key.scrub(&hint).into_owned());
        }
        error
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Standing> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A call that a server has, as long as this lives.
pub(super) struct Busy(Arc<Endpoint>);

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.busy.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_is_found_in_every_address() {
        let check = |url: &str, host: &str| assert_eq!(EndpointSettings::new("x", Format::OpenAi, url).host(), host);
        check("https://api.openai.com/v1/", "api.openai.com");
        check("http://127.0.0.1:8081/v1", "127.0.0.1");
        check("http://[::1]:8081", "[::1]");
        check("http://user:pass@host", "host");
    }
}
