//! Caps on tokens, money and calls. What a call may take at most is set aside before it is made, so that calls that run at
//! once cannot together go over a cap.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Notify;

use crate::engine::ports::{Fault, ProviderError, Tokens};

use super::price::Price;

/// A reply shorter than this is not worth its question.
const LEAST: u32 = 64;

/// Caps; none means no cap.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Caps {
    /// Tokens, in and out.
    pub tokens: Option<u64>,
    /// US dollars.
    pub dollars: Option<f64>,
    /// Calls.
    pub calls: Option<u64>,
}

/// What was used, and what calls that are under way may still use.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Used {
    /// Tokens, in and out.
    pub tokens: u64,
    /// US dollars of calls with a known price.
    pub dollars: f64,
    /// Calls.
    pub calls: u64,
}

#[derive(Debug, Default)]
struct Books {
    caps: Caps,
    used: Used,
    held: Used,
    /// All that was ever used, whatever session it counts for.
    total: Used,
    /// What calls may have taken beyond what is known: those that broke off, since a server goes on writing until it notices,
    /// and those whose server counted nothing. It stands against the caps, and is not shown as used.
    doubt: Used,
}

/// Watches over the caps of everything that asks through it.
#[derive(Debug, Default)]
pub struct Guard {
    books: Mutex<Books>,
    freed: Notify,
}

/// What a call may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Need {
    /// An estimate from above of what the model will read.
    pub(super) input: u64,
    /// The most that it will write.
    pub(super) output: u32,
    /// What tokens cost.
    pub(super) price: Option<Price>,
}

impl Need {
    fn most(&self, output: u32) -> Used {
        let tokens = Tokens { input: self.input, output: u64::from(output), ..Tokens::default() };
        let dollars = self.price.map_or(0.0, |price| price.of(&Tokens { cached: 0, ..tokens }));
        Used { tokens: tokens.total(), dollars, calls: 1 }
    }
}

impl Guard {
    /// A guard over these caps, of which something may be used already.
    #[must_use]
    pub fn new(caps: Caps, used: Used) -> Arc<Self> {
        Arc::new(Self { books: Mutex::new(Books { caps, used, ..Books::default() }), freed: Notify::new() })
    }

    /// Puts other caps in their place.
    pub fn cap(&self, caps: Caps) {
        self.lock().caps = caps;
        self.freed.notify_waiters();
    }

    /// A session begins, or is taken up again: from here on its caps hold and what it has used counts. Calls under way go on to count.
    pub fn begin(&self, caps: Caps, used: Used) {
        let mut books = self.lock();
        (books.caps, books.used, books.doubt) = (caps, used, Used::default());
        drop(books);
        self.freed.notify_waiters();
    }

    /// All that was used since this guard is there, whatever session it counts for.
    #[must_use]
    pub fn total(&self) -> Used {
        self.lock().total
    }

    /// What was used so far.
    #[must_use]
    pub fn used(&self) -> Used {
        self.lock().used
    }

    /// Sets aside what a call may take, and gives the tokens that it may write: fewer than it wanted where that is all there
    /// is. Waits for calls under way where their rest may be enough.
    pub(super) async fn reserve(self: &Arc<Self>, need: Need) -> Result<(Reservation, u32), ProviderError> {
        loop {
            let freed = self.freed.notified();
            tokio::pin!(freed);
            // Enabled before the look, so that nothing freed in between is missed.
            freed.as_mut().enable();
            let held = self.lock().hold(&need)?;
            if let Some((held, output)) = held {
                let (guard, price) = (self.clone(), need.price);
                return Ok((Reservation { guard, held, price, took: Tokens::default(), most: None }, output));
            }
            freed.await;
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Books> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Books {
    /// Holds what is needed; none where calls under way hold what it would take.
    fn hold(&mut self, need: &Need) -> Result<Option<(Used, u32)>, ProviderError> {
        if self.caps.dollars.is_some() && need.price.is_none() {
            return Err(ProviderError::new(
                Fault::OverBudget,
                "the price of the model is not known, and money has a cap",
            )
            .hint("give its endpoint a `price`, or take the cap away"));
        }
        let whole = need.most(need.output);
        if self.fits(&whole) {
            return Ok(Some((self.set_aside(whole), need.output)));
        }
        if self.held.calls > 0 {
            return Ok(None);
        }
        let less = self.room(need);
        let some = need.most(less);
        if less < LEAST.min(need.output) || !self.fits(&some) {
            return Err(self.over(&whole));
        }
        Ok(Some((self.set_aside(some), less)))
    }

    fn fits(&self, more: &Used) -> bool {
        let (spent, held, caps) = (self.spent(), &self.held, &self.caps);
        let sum = |spent: u64, held: u64, more: u64| spent.saturating_add(held).saturating_add(more);
        caps.tokens.is_none_or(|cap| sum(spent.tokens, held.tokens, more.tokens) <= cap)
            && caps.calls.is_none_or(|cap| sum(spent.calls, held.calls, more.calls) <= cap)
            && caps.dollars.is_none_or(|cap| spent.dollars + held.dollars + more.dollars <= cap)
    }

    /// What is used, or may be.
    fn spent(&self) -> Used {
        Used {
            tokens: self.used.tokens.saturating_add(self.doubt.tokens),
            dollars: self.used.dollars + self.doubt.dollars,
            calls: self.used.calls,
        }
    }

    fn set_aside(&mut self, more: Used) -> Used {
        self.held.tokens += more.tokens;
        self.held.dollars += more.dollars;
        self.held.calls += more.calls;
        more
    }

    /// How many tokens a call could write, with nothing else under way.
    fn room(&self, need: &Need) -> u32 {
        let spent = self.spent();
        let by_tokens = self.caps.tokens.map(|cap| cap.saturating_sub(spent.tokens).saturating_sub(need.input));
        let by_dollars = self.caps.dollars.zip(need.price).map(|(cap, price)| {
            let left = cap - spent.dollars - need.most(0).dollars;
            // One less, since the quotient may have been rounded up.
            if price.output > 0.0 { ((left / price.output * 1e6).max(0.0) as u64).saturating_sub(1) } else { u64::MAX }
        });
        let most = [by_tokens, by_dollars].into_iter().flatten().min().unwrap_or(u64::MAX);
        u32::try_from(most).unwrap_or(u32::MAX).min(need.output)
    }

    fn over(&self, whole: &Used) -> ProviderError {
        let (used, caps) = (self.spent(), &self.caps);
        let mut whys = Vec::new();
        if let Some(cap) = caps.tokens.filter(|cap| used.tokens.saturating_add(whole.tokens) > *cap) {
            whys.push(format!("{} of {cap} tokens are used and the call may take {}", used.tokens, whole.tokens));
        }
        if let Some(cap) = caps.dollars.filter(|cap| used.dollars + whole.dollars > *cap) {
            whys.push(format!("${:.4} of ${cap} are used and the call may cost ${:.4}", used.dollars, whole.dollars));
        }
        if let Some(cap) = caps.calls.filter(|cap| used.calls >= *cap) {
            whys.push(format!("{} of {cap} calls are made", used.calls));
        }
        if self.doubt.tokens > 0 {
            let tokens = self.doubt.tokens;
            whys.push(format!("{tokens} of these tokens may have been used and were counted by no server"));
        }
        ProviderError::new(Fault::OverBudget, format!("a cap would be passed: {}", whys.join(", ")))
            .hint("raise the cap, or let the program write less")
    }
}

/// What is set aside for one call. Dropped, it gives back what the call did not take.
#[derive(Debug)]
pub(super) struct Reservation {
    guard: Arc<Guard>,
    held: Used,
    price: Option<Price>,
    took: Tokens,
    /// The most that it can have taken, once that is known to be less than what is held.
    most: Option<Tokens>,
}

impl Reservation {
    /// What the call took so far: what counts if it is called off.
    pub(super) fn took(&mut self, tokens: Tokens) {
        self.took = tokens;
    }

    /// It is over: it took this, as far as anyone knows, and at most that.
    pub(super) fn over(&mut self, tokens: Tokens, most: Tokens) {
        self.took = tokens;
        self.most = Some(most);
    }

    /// What it took, and what that cost.
    pub(super) fn bill(&self) -> (Tokens, Option<f64>) {
        (self.took, self.price.map(|price| price.of(&self.took)))
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        let (tokens, dollars) = self.bill();
        let mut books = self.guard.lock();
        books.held.tokens = books.held.tokens.saturating_sub(self.held.tokens);
        books.held.calls = books.held.calls.saturating_sub(self.held.calls);
        // Sums of floats leave dust; with nothing under way, nothing is held.
        books.held.dollars = if books.held.calls == 0 { 0.0 } else { books.held.dollars - self.held.dollars };
        let Books { used, total, .. } = &mut *books;
        for counted in [used, total] {
            counted.tokens = counted.tokens.saturating_add(tokens.total());
            counted.dollars += dollars.unwrap_or_default();
            counted.calls += 1;
        }
        let cost = |tokens: &Tokens| self.price.map_or(0.0, |price| price.of(tokens));
        let most = self.most.map_or(self.held, |most| Used { tokens: most.total(), dollars: cost(&most), calls: 1 });
        books.doubt.tokens += most.tokens.saturating_sub(tokens.total());
        books.doubt.dollars += (most.dollars - dollars.unwrap_or_default()).max(0.0);
        drop(books);
        self.guard.freed.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRICE: Price = Price { input: 1.0, cached: None, output: 10.0 };

    fn need(input: u64, output: u32) -> Need {
        Need { input, output, price: Some(PRICE) }
    }

    #[tokio::test]
    async fn what_is_under_way_counts_until_it_is_over() {
        let guard = Guard::new(Caps { tokens: Some(1_000), ..Caps::default() }, Used::default());
        let (mut first, output) = guard.reserve(need(100, 500)).await.unwrap();
        assert_eq!(output, 500);
        let second = guard.reserve(need(100, 500));
        tokio::pin!(second);
        assert!(futures::poll!(second.as_mut()).is_pending(), "600 + 600 > 1000, but the first may take less");
        let took = Tokens { input: 100, output: 20, ..Tokens::default() };
        first.over(took, took);
        drop(first);
        let (_, output) = second.await.unwrap();
        assert_eq!((output, guard.used().tokens), (500, 120));
    }

    #[tokio::test]
    async fn a_call_that_broke_off_counts_with_all_that_it_may_have_taken() {
        let guard = Guard::new(Caps { tokens: Some(1_000), ..Caps::default() }, Used::default());
        let (mut call, _) = guard.reserve(need(100, 500)).await.unwrap();
        call.took(Tokens { input: 100, output: 20, ..Tokens::default() });
        drop(call);
        assert_eq!(guard.used().tokens, 120, "what came is what is shown");
        let (call, output) = guard.reserve(need(100, 500)).await.unwrap();
        assert_eq!(output, 300, "the server may have written all 500");
        drop(call);
        let error = guard.reserve(need(100, 500)).await.unwrap_err();
        assert!(error.message.contains("counted by no server"), "{error}");
    }

    #[tokio::test]
    async fn the_last_call_gets_what_is_left_and_the_next_nothing() {
        let caps = Caps { dollars: Some(0.01), ..Caps::default() };
        let guard = Guard::new(caps, Used { dollars: 0.008, ..Used::default() });
        let (mut call, output) = guard.reserve(need(1_000, 4_096)).await.unwrap();
        assert!((90..100).contains(&output), "0.001 dollars are left for writing: {output}");
        let took = Tokens { input: 1_000, output: u64::from(output), ..Tokens::default() };
        call.over(took, took);
        drop(call);
        assert!(guard.used().dollars <= 0.01);
        let error = guard.reserve(need(1_000, 4_096)).await.unwrap_err();
        assert_eq!(error.fault, Fault::OverBudget);
        assert!(error.message.contains("of $0.01 are used"), "{error}");
    }

    #[tokio::test]
    async fn money_with_a_cap_is_not_spent_at_an_unknown_price() {
        let guard = Guard::new(Caps { dollars: Some(1.0), ..Caps::default() }, Used::default());
        let error = guard.reserve(Need { price: None, ..need(1, 1) }).await.unwrap_err();
        assert_eq!((error.fault, guard.used().calls), (Fault::OverBudget, 0));
    }

    #[tokio::test]
    async fn caps_that_are_raised_let_a_call_through_that_waits_and_another_session_begins_anew() {
        let caps = |tokens| Caps { tokens: Some(tokens), ..Caps::default() };
        let guard = Guard::new(caps(1_000), Used::default());
        let (first, _) = guard.reserve(need(100, 500)).await.unwrap();
        let second = guard.reserve(need(100, 500));
        tokio::pin!(second);
        assert!(futures::poll!(second.as_mut()).is_pending());
        guard.cap(caps(2_000));
        assert!(second.await.is_ok(), "the cap has room for both now");
        drop(first);
        guard.begin(caps(700), Used { tokens: 650, ..Used::default() });
        let error = guard.reserve(need(100, 500)).await.unwrap_err();
        assert!(error.message.contains("650 of 700 tokens"), "what the session used before counts: {error}");
        guard.begin(caps(700), Used::default());
        assert!(guard.reserve(need(100, 500)).await.is_ok());
    }

    #[tokio::test]
    async fn a_cap_on_calls_is_kept_too() {
        let guard = Guard::new(Caps { calls: Some(1), ..Caps::default() }, Used::default());
        drop(guard.reserve(need(1, 1)).await.unwrap());
        assert!(guard.reserve(need(1, 1)).await.is_err());
    }
}
