//! The runner: each program in the way of its kind.

use std::sync::{Arc, OnceLock};

use futures::future::BoxFuture;

use crate::engine::ports::{Activation, Output, RunError, Runner, Toolbox};
use crate::model::Kind;

use super::pool::Pool;
use super::{model, script};

/// Runs programs over a pool of script workers.
pub struct Programs {
    pool: Pool,
    toolbox: OnceLock<Arc<dyn Toolbox>>,
}

impl Programs {
    /// A runner without tools; [`Programs::equip`] gives it some.
    #[must_use]
    pub fn new(pool: Pool) -> Self {
        Self { pool, toolbox: OnceLock::new() }
    }

    /// Gives it the toolbox, once. (Tools may run programs, so the two know each other.)
    pub fn equip(&self, toolbox: Arc<dyn Toolbox>) {
        let _ = self.toolbox.set(toolbox);
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
                Kind::Prompt => Err(RunError::new(format!("{name} is a prompt, and no model is configured"))),
                Kind::Room => Err(RunError::new(format!("{name} is a room, and no model is configured"))),
            }
        })
    }
}
