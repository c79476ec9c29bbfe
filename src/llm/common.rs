//! A provider that several sessions ask at once.

use std::sync::Arc;

use futures::future::BoxFuture;

use crate::engine::ports::{Ask, Offers, Provider, ProviderError, Reply, Seen, Wanted};

/// Asks a provider that others ask too. What one session may take and has taken says nothing about all of them, so neither caps nor
/// counts of a session go through: those of the provider itself hold.
pub struct Common(pub Arc<dyn Provider>);

impl Provider for Common {
    fn ask<'a>(&'a self, ask: &'a Ask, seen: &'a Seen<'a>) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        self.0.ask(ask, seen)
    }

    fn offers(&self, model: &Wanted) -> Offers {
        self.0.offers(model)
    }
}
