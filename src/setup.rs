//! Joins ports and adapters: the only file that names both.

use std::path::Path;
use std::sync::Arc;

use crate::engine::ports::{Clock, Journal, Runner, Scorer};
use crate::engine::{Gates, Ports, Settings};
use crate::model::{Budget, Diagnostic, Mode, Network, Pins, SessionId};
use crate::runtime::Programs;
use crate::runtime::pool::{Pool, Settings as PoolSettings};
use crate::scoring::Checks;
use crate::store::{Backward, Config, FileLibrary, Key, Networks, Paths, Sessions, StoreError, SystemClock};
use crate::tools::{TOOLS, Tool, Tools};

/// Tools that a script worker computes by itself.
#[must_use]
pub fn worker_tools() -> &'static [&'static [Tool]] {
    TOOLS
}

/// Everything that belongs to a user on this machine.
pub struct App {
    /// Folders.
    pub paths: Paths,
    /// Settings with their origins.
    pub config: Config,
    /// What was wrong with them.
    pub problems: Vec<Diagnostic>,
    /// Sources of networks.
    pub networks: Networks,
    /// Journals.
    pub sessions: Sessions,
    /// The time.
    pub clock: Arc<dyn Clock>,
}

/// One network with everything that runs and scores its programs.
pub struct Works {
    /// Its history and queue.
    pub library: Arc<FileLibrary>,
    /// Runs programs.
    pub runner: Arc<dyn Runner>,
    /// Scores memory.
    pub scorer: Arc<dyn Scorer>,
}

impl App {
    /// Finds folders and settings; `env` gives a variable of the environment, `project` is the folder mop was started in.
    ///
    /// # Errors
    /// When there is no place for the user's data.
    pub fn new(
        env: &dyn Fn(&str) -> Option<String>,
        project: &Path,
        flags: &[(Key, String)],
    ) -> Result<Self, StoreError> {
        let paths = Paths::find(env("MOP_HOME").map(Into::into))?;
        let (config, problems) = Config::load(&paths.config_file(), env, flags);
        let networks = Networks::new(&paths, project);
        let sessions = Sessions::new(paths.sessions());
        Ok(Self { paths, config, problems, networks, sessions, clock: Arc::new(SystemClock) })
    }

    /// Opens a network, found by name or path.
    ///
    /// # Errors
    /// When there is none, or its history cannot be read.
    pub fn works(&self, network: &str) -> Result<Works, StoreError> {
        let sourced = self.networks.find(network)?;
        let library = Arc::new(FileLibrary::open(&self.paths.library(), sourced, self.clock.clone())?);
        let mut settings = PoolSettings::this_binary();
        settings.size = self.config.workers().unwrap_or(settings.size).max(1);
        let programs = Arc::new(Programs::new(Pool::new(settings)));
        let scorer: Arc<dyn Scorer> = Arc::new(Checks::default());
        let runner: Arc<dyn Runner> = programs.clone();
        let tools = Tools::new(Arc::downgrade(&runner), scorer.clone(), library.clone());
        programs.equip(Arc::new(tools));
        Ok(Works { library, runner, scorer })
    }

    /// How a session behaves.
    #[must_use]
    pub fn settings(&self) -> Settings {
        let backward = match self.config.backward() {
            Backward::Auto => true,
            Backward::Off => false,
        };
        Settings { mode: Mode::Rules, backward, step: false }
    }

    /// What a new session depends on.
    #[must_use]
    pub fn pins(&self, session: SessionId, network: &Network, scorer: &dyn Scorer) -> Pins {
        let now = self.clock.now();
        let config = [("backward".to_owned(), self.settings().backward.into())];
        Pins {
            session,
            network: network.name.clone(),
            revision: network.revision.clone(),
            policy: 0,
            scorer: scorer.hash(),
            recall: String::new(),
            config: config.into(),
            seed: self.config.seed().unwrap_or(now),
            budget: Budget {
                tokens: self.config.max_tokens(),
                dollars: self.config.max_cost(),
                calls: None,
                cycles: self.config.max_cycles(),
                millis: self.config.timeout_ms(),
            },
            approval: self.config.approval(),
            parent: None,
            mop: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }
}

impl Works {
    /// The ports of a session whose events go to `journal`.
    #[must_use]
    pub fn ports(&self, journal: Box<dyn Journal>, clock: Arc<dyn Clock>) -> Ports {
        Ports {
            runner: self.runner.clone(),
            scorer: self.scorer.clone(),
            library: self.library.clone(),
            clock,
            journal,
        }
    }

    /// The gates of a proposal against a network.
    #[must_use]
    pub fn gates<'a>(&'a self, network: &'a Network) -> Gates<'a> {
        Gates { runner: &*self.runner, scorer: &*self.scorer, network }
    }
}
