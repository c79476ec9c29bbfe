//! The runner: each program in the way of its kind.

use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use futures::future::BoxFuture;

use crate::engine::ports::{Activation, Output, Provider, RunError, Runner, Toolbox};
use crate::model::{Budget, Kind, Usage};

use super::pool::Pool;
use super::{model, prompt, script};

/// Runs programs over a pool of script workers and a provider of language models.
pub struct Programs {
    pool: Pool,
    toolbox: OnceLock<Arc<dyn Toolbox>>,
    provider: RwLock<Option<Arc<dyn Provider>>>,
}

impl Programs {
    /// A runner without tools; [`Programs::equip`] gives it some.
    #[must_use]
    pub fn new(pool: Pool) -> Self {
        Self { pool, toolbox: OnceLock::new(), provider: RwLock::default() }
    }

    /// Gives it the toolbox, once. (Tools may run programs, so the two know each other.)
    pub fn equip(&self, toolbox: Arc<dyn Toolbox>) {
        let _ = self.toolbox.set(toolbox);
    }

    /// Gives it language models in the place of those that it had; activations under way keep theirs.
    pub fn connect(&self, provider: Arc<dyn Provider>) {
        *self.provider.write().unwrap_or_else(PoisonError::into_inner) = Some(provider);
    }

    /// Whether it has language models.
    #[must_use]
    pub fn is_connected(&self) -> bool {
        self.provider().is_some()
    }

    fn provider(&self) -> Option<Arc<dyn Provider>> {
        self.provider.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The pool of its script workers.
    #[must_use]
    pub fn pool(&self) -> &Pool {
        &self.pool
    }
}

impl Runner for Programs {
    fn run(&self, activation: Activation) -> BoxFuture<'_, Result<Output, RunError>> {
        Box::pin(async move {
            let name = activation.program.name.clone();
            match activation.program.kind {
                Kind::Script => match self.toolbox.get() {
                    Some(toolbox) => script::run(&self.pool, &**toolbox, activation).await,
                    None => Err(RunError::new("the runner has no tools")),
                },
                Kind::Model => model::run(&activation),
                Kind::Prompt => match self.toolbox.get() {
                    Some(toolbox) => {
                        let provider = self.provider();
                        let means =
                            prompt::Means { provider: provider.as_deref(), toolbox: &**toolbox, pool: &self.pool };
                        prompt::run(&means, &activation).await
                    }
                    None => Err(RunError::new("the runner has no tools")),
                },
                Kind::Room => Err(RunError::new(format!("{name} is a room, and rooms do not run yet"))),
            }
        })
    }

    fn used(&self) -> Usage {
        self.provider().map(|provider| provider.used()).unwrap_or_default()
    }

    fn budget(&self, caps: &Budget, used: Option<&Usage>) {
        if let Some(provider) = self.provider() {
            provider.budget(caps, used);
        }
    }
}
