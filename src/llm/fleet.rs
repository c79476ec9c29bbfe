//! All servers together: which of them takes a call, what happens when it fails, and what it may cost.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use futures::future::BoxFuture;
use tokio::time::sleep;

use crate::engine::ports::{Ask, Clock, Fault, Offers, Piece, Provider, ProviderError, Reply, Seen, Tokens, Wanted};
use crate::model::{Budget, Tier, Usage};

use super::budget::{Caps, Guard, Need, Used};
use super::call::{Failed, Order, Patience, call};
use super::count;
use super::endpoint::{Endpoint, EndpointSettings};
use super::images;
use super::price::{Price, Prices};
use super::transport::{Lazy, Transport};

/// The cap on the tokens of a reply where the program sets none.
const REPLY: u32 = 4096;

/// The first back-off after a failure; each next is twice as long.
const BACK_OFF: Duration = Duration::from_millis(500);

/// The longest back-off.
const LONGEST_BACK_OFF: Duration = Duration::from_secs(30);

/// How often a call is tried, and how long it waits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Patient {
    /// Tries of one ask.
    pub tries: u32,
    /// Tries where the server did answer, but not as it must (stalled, malformed, cut off).
    pub broken: u32,
    /// The longest that an ask waits at a server's word before it is given up.
    pub longest: Duration,
    /// Limits of one call.
    pub patience: Patience,
}

impl Default for Patient {
    fn default() -> Self {
        Self { tries: 6, broken: 3, longest: Duration::from_secs(600), patience: Patience::default() }
    }
}

/// What a fleet is made from.
pub struct FleetSettings {
    /// Servers.
    pub endpoints: Vec<EndpointSettings>,
    /// The model of each tier: `model`, or `endpoint/model`.
    pub tiers: BTreeMap<String, String>,
    /// What models cost.
    pub prices: Prices,
    /// A file of certificates in PEM form that are trusted beside the system's.
    pub authorities: Option<PathBuf>,
    /// Tries and limits.
    pub patient: Patient,
}

/// Provider over all servers of the configuration.
pub struct Fleet {
    endpoints: Vec<Arc<Endpoint>>,
    tiers: BTreeMap<String, String>,
    prices: Prices,
    patient: Patient,
    guard: Arc<Guard>,
    clock: Arc<dyn Clock>,
    transport: Box<dyn Transport>,
    turn: AtomicUsize,
    dice: AtomicU64,
    /// Asks of which something was sent.
    asked: AtomicU64,
}

impl Fleet {
    /// A fleet that reaches its servers over the network.
    #[must_use]
    pub fn new(settings: FleetSettings, guard: Arc<Guard>, clock: Arc<dyn Clock>) -> Self {
        let http = Lazy::new(settings.authorities.clone());
        Self::over(Box::new(http), settings, guard, clock)
    }

    pub(super) fn over(
        transport: Box<dyn Transport>,
        settings: FleetSettings,
        guard: Arc<Guard>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let FleetSettings { endpoints, tiers, prices, authorities: _, patient } = settings;
        let dice = AtomicU64::new(clock.now() | 1);
        let endpoints = endpoints.into_iter().map(Endpoint::new).collect();
        let (turn, asked) = (AtomicUsize::new(0), AtomicU64::new(0));
        Self { endpoints, tiers, prices, patient, guard, clock, transport, turn, dice, asked }
    }

    /// The servers of a model, each with the model's name there.
    fn serving(&self, wanted: &Wanted) -> Result<Vec<(Arc<Endpoint>, String)>, ProviderError> {
        let name = match wanted {
            Wanted::Named(name) => name.as_str(),
            Wanted::Tier(tier) => self.of_tier(*tier).ok_or_else(|| {
                ProviderError::new(Fault::Missing, format!("no model is configured for the tier `{wanted}`"))
                    .hint(format!("set `{wanted}` under [models] in config.toml"))
            })?,
        };
        let lists = |endpoint: &&Arc<Endpoint>| endpoint.settings.models.iter().any(|model| model == name);
        let mut found: Vec<_> = self.endpoints.iter().filter(lists).map(|it| (it.clone(), name.to_owned())).collect();
        if found.is_empty() {
            let split = name.split_once('/');
            let called = |(place, model): (&str, &str)| {
                let endpoint = self.endpoints.iter().find(|endpoint| endpoint.settings.name == place)?;
                Some((endpoint.clone(), model.to_owned()))
            };
            found.extend(split.and_then(called));
        }
        if found.is_empty() {
            let names: Vec<&str> = self.endpoints.iter().map(|endpoint| endpoint.settings.name.as_str()).collect();
            let hint = match names.is_empty() {
                true => "add one under [[endpoints]] in config.toml, or set the key of a provider".to_owned(),
                false => format!("say `endpoint/model`; the endpoints are {}", names.join(", ")),
            };
            return Err(ProviderError::new(Fault::Missing, format!("no endpoint serves `{name}`")).hint(hint));
        }
        Ok(found)
    }

    /// A tier without a model of its own takes the nearest that has one.
    fn of_tier(&self, tier: Tier) -> Option<&str> {
        let order = match tier {
            Tier::Fast => ["fast", "standard", "strong"],
            Tier::Standard => ["standard", "strong", "fast"],
            Tier::Strong => ["strong", "standard", "fast"],
        };
        order.iter().find_map(|name| self.tiers.get(*name)).map(String::as_str)
    }

    /// The server for the next try: one that lets it in, did not fail lately, and is the least busy; in turn among equals.
    fn pick<'a>(&self, serving: &'a [(Arc<Endpoint>, String)]) -> Option<&'a (Arc<Endpoint>, String)> {
        let first = self.turn.fetch_add(1, Ordering::Relaxed) % serving.len().max(1);
        let in_turn = serving.iter().cycle().skip(first).take(serving.len());
        in_turn.min_by_key(|(endpoint, _)| endpoint.rank())
    }

    fn price(&self, endpoint: &Endpoint, model: &str) -> Option<Price> {
        endpoint.settings.price.or_else(|| self.prices.of(endpoint.settings.host(), model))
    }

    /// A time between half and all of the back-off after so many failures.
    fn back_off(&self, failures: u32) -> Duration {
        let whole = BACK_OFF.saturating_mul(1 << failures.min(10)).min(LONGEST_BACK_OFF);
        // SplitMix64: nothing here needs better dice.
        let mut dice = self.dice.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed);
        dice = (dice ^ (dice >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        dice = (dice ^ (dice >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        whole.mul_f64(0.5 + ((dice >> 11) as f64 / (1_u64 << 53) as f64) / 2.0)
    }

    /// One try on one server.
    async fn attempt(
        &self,
        ask: &Ask,
        endpoint: &Arc<Endpoint>,
        model: &str,
        bill: &mut Bill,
        seen: &Seen<'_>,
    ) -> Result<Reply, Failed> {
        let _busy = endpoint.busy();
        let _place = endpoint.place().await;
        if endpoint.closed() > self.patient.longest {
            let wait = endpoint.closed();
            let told = format!("{} lets nobody in for {} s", endpoint.settings.name, wait.as_secs());
            let error = ProviderError::new(Fault::RateLimited { wait }, told);
            return Err(error.hint("come back later, or add another endpoint for this model").into());
        }
        if endpoint.pass(seen).await {
            // All who waited at the gate must not fall through it at once.
            sleep(self.back_off(0) / 2).await;
        }
        let input = count::ask(&images::shown(ask, endpoint.settings.images));
        let price = self.price(endpoint, model);
        let need = Need { input: input.most, output: ask.max_tokens.unwrap_or(REPLY), price };
        let (mut reservation, max_tokens) = self.guard.reserve(need).await?;
        let patience = self.patient.patience;
        let order = Order { endpoint, ask, model, max_tokens, input, patience, now: self.clock.now() };
        let result = call(&*self.transport, &order, &mut reservation, seen).await;
        bill.add(reservation.bill());
        result
    }
}

/// What all tries of an ask took.
#[derive(Default)]
struct Bill {
    tokens: Tokens,
    dollars: Option<f64>,
    unknown: bool,
}

impl Bill {
    fn add(&mut self, (tokens, dollars): (Tokens, Option<f64>)) {
        self.tokens.input += tokens.input;
        self.tokens.cached += tokens.cached;
        self.tokens.output += tokens.output;
        self.tokens.estimated |= tokens.estimated;
        match dollars {
            Some(more) => *self.dollars.get_or_insert(0.0) += more,
            None => self.unknown |= tokens.total() > 0,
        }
    }

    fn dollars(&self) -> Option<f64> {
        self.dollars.filter(|_| !self.unknown)
    }
}

impl Provider for Fleet {
    fn ask<'a>(&'a self, ask: &'a Ask, seen: &'a Seen<'a>) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        Box::pin(async move {
            let serving = self.serving(&ask.model)?;
            let mut bill = Bill::default();
            self.asked.fetch_add(1, Ordering::Relaxed);
            let mut before: Option<String> = None;
            let (mut tries, mut broken) = (0, 0);
            loop {
                let Some((endpoint, model)) = self.pick(&serving) else {
                    return Err(ProviderError::new(Fault::Missing, "no endpoint is left"));
                };
                let mut error = match self.attempt(ask, endpoint, model, &mut bill, seen).await {
                    Ok(mut reply) => {
                        endpoint.well();
                        reply.tokens = bill.tokens;
                        reply.dollars = bill.dollars();
                        return Ok(reply);
                    }
                    Err(Failed { mut error, wait }) => {
                        if let Fault::RateLimited { wait: known } = &mut error.fault {
                            let wait = wait.unwrap_or_else(|| self.back_off(tries)).max(*known);
                            *known = wait;
                            endpoint.close(wait, &format!("rate-limited by {}", endpoint.settings.name));
                        } else if let Some(wait) = wait {
                            endpoint.close(wait, &format!("{} is busy", endpoint.settings.name));
                        }
                        endpoint.scrubbed(error)
                    }
                };
                tries += 1;
                let again = match error.fault {
                    Fault::RateLimited { wait } => wait <= self.patient.longest,
                    Fault::Overloaded | Fault::Unreachable => {
                        endpoint.failed();
                        true
                    }
                    Fault::Stalled | Fault::CutOff | Fault::Malformed => {
                        endpoint.failed();
                        broken += 1;
                        broken < self.patient.broken
                    }
                    Fault::Auth | Fault::Missing => {
                        // Another server of the fleet may have the right key or the model.
                        endpoint.failed();
                        tries <= u32::try_from(serving.len().saturating_sub(1)).unwrap_or(0)
                    }
                    Fault::Refused
                    | Fault::TooLong
                    | Fault::Rejected
                    | Fault::Repeating
                    | Fault::TooLarge
                    | Fault::Cancelled
                    | Fault::OverBudget => false,
                };
                if !again || tries >= self.patient.tries {
                    if matches!(error.fault, Fault::OverBudget | Fault::Missing) && bill.tokens.total() == 0 {
                        self.asked.fetch_sub(1, Ordering::Relaxed);
                    }
                    if let Some(before) = before.filter(|_| error.fault == Fault::OverBudget) {
                        error.message = format!("{before}; then {}", error.message);
                    }
                    if tries > 1 && error.fault != Fault::OverBudget {
                        error.message = format!("{} (tried {tries} times)", error.message);
                    }
                    error.tokens = bill.tokens;
                    error.dollars = bill.dollars();
                    return Err(error);
                }
                seen(Piece::Again(&error.message));
                before = Some(error.message.clone());
                let next_is_the_same = serving.iter().all(|(other, _)| other.rank() >= endpoint.rank());
                if next_is_the_same && !matches!(error.fault, Fault::RateLimited { .. }) {
                    let wait = self.back_off(tries - 1);
                    let why = format!("{}: {}", endpoint.settings.name, error.fault.name());
                    seen(Piece::Waiting { left: wait, why: &why });
                    sleep(wait).await;
                }
            }
        })
    }

    fn offers(&self, model: &Wanted) -> Offers {
        let all = self.serving(model).unwrap_or_default();
        let can = |what: fn(&Offers) -> bool| !all.is_empty() && all.iter().all(|(it, _)| what(&it.settings.offers));
        Offers { schema: can(|offers| offers.schema), tools: can(|offers| offers.tools) }
    }

    fn used(&self) -> Usage {
        let Used { tokens, dollars, .. } = self.guard.total();
        let calls = self.asked.load(Ordering::Relaxed);
        Usage { tokens, dollars: (dollars > 0.0).then_some(dollars), calls, ..Usage::default() }
    }

    fn budget(&self, caps: &Budget, used: Option<&Usage>) {
        // A session counts an ask once, however often it is tried, and caps calls by itself.
        let caps = Caps { tokens: caps.tokens, dollars: caps.dollars, calls: None };
        match used {
            Some(used) => {
                let dollars = used.dollars.unwrap_or_default();
                self.guard.begin(caps, Used { tokens: used.tokens, dollars, calls: used.calls });
            }
            None => self.guard.cap(caps),
        }
    }
}

#[cfg(test)]
impl Fleet {
    pub(super) fn used(&self) -> super::budget::Used {
        self.guard.used()
    }

    pub(super) fn busy(&self) -> usize {
        self.endpoints.iter().map(|endpoint| endpoint.rank().2).sum()
    }
}
