//! The runner: each program in the way of its kind.

use std::sync::{Arc, OnceLock};

use futures::future::BoxFuture;

use crate::engine::ports::{Activation, Output, Piece, Provider, RunError, Runner, Toolbox};
use crate::model::Kind;

use super::pool::Pool;
use super::{model, prompt, script};

/// Sees the pieces of a model's replies as they come. It must return at once.
pub type Watch = dyn Fn(&Activation, Piece<'_>) + Send + Sync;

/// Runs programs over a pool of script workers and a provider of language models.
pub struct Programs {
    pool: Pool,
    toolbox: OnceLock<Arc<dyn Toolbox>>,
    provider: OnceLock<Arc<dyn Provider>>,
    watch: OnceLock<Box<Watch>>,
}

impl Programs {
    /// A runner without tools; [`Programs::equip`] gives it some.
    #[must_use]
    pub fn new(pool: Pool) -> Self {
        let (provider, watch) = (OnceLock::new(), OnceLock::new());
        Self { pool, toolbox: OnceLock::new(), provider, watch }
    }

    /// Gives it the toolbox, once. (Tools may run programs, so the two know each other.)
    pub fn equip(&self, toolbox: Arc<dyn Toolbox>) {
        let _ = self.toolbox.set(toolbox);
    }

    /// Gives it language models, once.
    pub fn connect(&self, provider: Arc<dyn Provider>) {
        let _ = self.provider.set(provider);
    }

    /// Lets somebody see replies of models as they come, once.
    pub fn watch(&self, watch: Box<Watch>) {
        let _ = self.watch.set(watch);
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
                        let (provider, watch) = (self.provider.get().map(|it| &**it), self.watch.get().map(|it| &**it));
                        let means = prompt::Means { provider, toolbox: &**toolbox, pool: &self.pool, watch };
                        prompt::run(&means, &activation).await
                    }
                    None => Err(RunError::new("the runner has no tools")),
                },
                Kind::Room => Err(RunError::new(format!("{name} is a room, and rooms do not run yet"))),
            }
        })
    }
}
