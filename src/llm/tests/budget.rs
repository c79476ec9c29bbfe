//! Caps over calls that run at once, proved by servers that count.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures::future::BoxFuture;
use futures::stream::{self, StreamExt};
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::engine::ports::{Ask, Fault, Provider};
use crate::llm::budget::{Caps, Guard, Used};
use crate::llm::fleet::Fleet;
use crate::llm::price::Price;
use crate::llm::transport::{NetError, Request, Response, Transport};

use super::{Then, question, settings};

/// A server that writes as much as it may, or half of that, and counts.
#[derive(Clone, Default)]
struct Counting {
    tokens: Arc<AtomicU64>,
    calls: Arc<AtomicU64>,
    now: Arc<AtomicU64>,
    most: Arc<AtomicU64>,
    tells: bool,
}

impl Transport for Counting {
    fn send(&self, request: Request) -> BoxFuture<'_, Result<Response, NetError>> {
        let body: Value = serde_json::from_slice(&request.body.unwrap()).unwrap();
        let call = self.calls.fetch_add(1, Ordering::SeqCst);
        let most = body["max_tokens"].as_u64().unwrap();
        let written = if call.is_multiple_of(2) { most } else { most / 2 };
        let read = 20;
        let now = self.now.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(now, Ordering::SeqCst);
        let this = self.clone();
        Box::pin(async move {
            sleep(Duration::from_millis(100)).await;
            this.now.fetch_sub(1, Ordering::SeqCst);
            this.tokens.fetch_add(read + written, Ordering::SeqCst);
            let text = "abc".repeat(usize::try_from(written).unwrap());
            let mut last = json!({ "choices": [{ "delta": { "content": text }, "finish_reason": "stop" }] });
            if this.tells {
                last["usage"] = json!({ "prompt_tokens": read, "completion_tokens": written });
            }
            let whole = format!("data: {last}\n\ndata: [DONE]\n\n").into_bytes();
            Ok(Response { status: 200, headers: Vec::new(), body: stream::iter([Ok(whole)]).boxed() })
        })
    }
}

fn words(n: u64) -> String {
    format!("question {n} {}", "x".repeat(40))
}

async fn run(caps: Caps, price: Option<Price>, tells: bool) -> (Counting, Vec<Fault>, Used) {
    let server = Counting { tells, ..Counting::default() };
    let guard = Guard::new(caps, Used::default());
    let mut settings = settings(&["a"]);
    settings.endpoints[0].price = price;
    let fleet = Fleet::over(Box::new(server.clone()), settings, guard.clone(), Arc::new(Then));
    let asks = (0..16).map(|n| {
        let fleet = &fleet;
        async move {
            let ask = Ask { max_tokens: Some(100), ..Ask::new(question().model, "", words(n)) };
            let mut faults = Vec::new();
            for _ in 0..8 {
                faults.extend(fleet.ask(&ask, &|_| {}).await.err().map(|error| error.fault));
            }
            faults
        }
    });
    let faults = futures::future::join_all(asks).await.into_iter().flatten().collect();
    (server, faults, guard.used())
}

#[tokio::test(start_paused = true)]
async fn sixteen_at_once_never_pass_a_cap_on_tokens() {
    for tells in [true, false] {
        let (server, faults, used) = run(Caps { tokens: Some(3_000), ..Caps::default() }, None, tells).await;
        let counted = server.tokens.load(Ordering::SeqCst);
        assert!(counted <= 3_000 && used.tokens <= 3_000, "{counted} {used:?}");
        // Where no server counts, the most that it can have been stands against the cap.
        assert!(counted >= if tells { 2_500 } else { 1_000 }, "and the cap is used: {counted}");
        assert!(server.most.load(Ordering::SeqCst) > 4, "calls did run at once");
        assert!(!faults.is_empty() && faults.iter().all(|fault| *fault == Fault::OverBudget), "{faults:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn sixteen_at_once_never_pass_a_cap_on_money() {
    let price = Price { input: 1.0, cached: None, output: 10.0 };
    let (server, faults, used) = run(Caps { dollars: Some(0.02), ..Caps::default() }, Some(price), true).await;
    let calls = server.calls.load(Ordering::SeqCst);
    let counted = (server.tokens.load(Ordering::SeqCst) - 20 * calls) as f64 * 1e-5 + 20.0 * calls as f64 * 1e-6;
    assert!(counted <= 0.02 && used.dollars <= 0.02 && counted > 0.015, "{counted} {used:?}");
    assert!(faults.iter().all(|fault| *fault == Fault::OverBudget), "{faults:?}");
}

#[tokio::test(start_paused = true)]
async fn sixteen_at_once_never_pass_a_cap_on_calls() {
    let (server, faults, _) = run(Caps { calls: Some(21), ..Caps::default() }, None, true).await;
    assert_eq!((server.calls.load(Ordering::SeqCst), faults.len()), (21, 16 * 8 - 21));
}

#[tokio::test(start_paused = true)]
async fn cost_is_of_the_price_and_none_where_that_is_not_known() {
    let check = |price: Option<Price>, expected: Option<f64>| async move {
        let server = Counting { tells: true, ..Counting::default() };
        let mut settings = settings(&["a"]);
        settings.endpoints[0].price = price;
        let fleet = Fleet::over(Box::new(server), settings, super::free(), Arc::new(Then));
        let ask = Ask { max_tokens: Some(100), ..question() };
        let reply = fleet.ask(&ask, &|_| {}).await.unwrap();
        assert_eq!((reply.tokens.total(), reply.dollars), (120, expected));
    };
    check(None, None).await;
    check(Some(Price { input: 1.0, cached: None, output: 10.0 }), Some((20.0 + 1_000.0) / 1e6)).await;
    check(Some(Price { input: 0.0, cached: None, output: 0.0 }), Some(0.0)).await;
}
