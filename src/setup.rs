//! Joins ports and adapters: the only file that names both.

mod models;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use serde_json::Value;

use crate::engine::ports::{Clock, Journal, Runner, Scorer};
use crate::engine::{Gates, Ports, Settings};
use crate::model::{Budget, Change, Diagnostic, Mode, Network, Pins, SessionId};
use crate::runtime::Programs;
use crate::runtime::pool::{Pool, Settings as PoolSettings};
use crate::scoring::Checks;
use crate::store::{
    Backward, Config, FileLibrary, FileRecall, Key, Networks, Paths, Sessions, Source, SourcedNetwork, StoreError,
    SystemClock,
};
use crate::tools::{TOOLS, Tool, Tools};

pub use models::Models;

/// Tools that a script worker computes by itself; in a debug build also those that misbehave on purpose, for tests.
#[must_use]
pub fn worker_tools() -> &'static [&'static [Tool]] {
    #[cfg(debug_assertions)]
    {
        static WITH_PROBES: std::sync::LazyLock<Vec<&'static [Tool]>> =
            std::sync::LazyLock::new(|| TOOLS.iter().copied().chain([crate::runtime::probes::PROBES]).collect());
        &WITH_PROBES
    }
    #[cfg(not(debug_assertions))]
    TOOLS
}

/// Where a session's pins keep the folder of a network that was named outright.
const FOLDER: &str = "folder";
/// Where they keep the project that a network came with.
const PROJECT: &str = "project";

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
    /// Language models.
    pub models: Models,
    /// Solved questions.
    pub recall: Arc<FileRecall>,
    /// The time.
    pub clock: Arc<dyn Clock>,
}

/// One network with everything that runs and scores its programs.
pub struct Works {
    /// Its name.
    pub name: String,
    /// Where it was found.
    pub source: Source,
    /// Its history and queue.
    pub library: Arc<FileLibrary>,
    /// Runs programs.
    pub runner: Arc<dyn Runner>,
    /// Scores memory.
    pub scorer: Arc<dyn Scorer>,
    /// The files of the network and of those it extends, as they were found: the most basic network's first.
    pub layers: Vec<BTreeMap<String, String>>,
    recall: Arc<FileRecall>,
    /// Files that were left out when they were read.
    left_out: Vec<Diagnostic>,
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
        let (config, mut problems) = Config::load(&paths.config_file(), env, flags);
        let models = Models::new(&paths, env, project, &mut problems);
        let networks = Networks::new(&paths, project);
        let sessions = Sessions::new(paths.sessions());
        let recall = Arc::new(FileRecall::new(paths.recall(), config.recall(), models.scrub()));
        Ok(Self { paths, config, problems, networks, sessions, models, recall, clock: Arc::new(SystemClock) })
    }

    /// Opens a network, found by name or path.
    ///
    /// # Errors
    /// When there is none, or its history cannot be read.
    pub fn works(&self, network: &str) -> Result<Works, StoreError> {
        self.open(self.networks.find(network)?)
    }

    /// Opens the network that a session was started with, also where that was a folder named outright, or came with a
    /// project other than the present one.
    ///
    /// # Errors
    /// When it is not there any more, or its history cannot be read.
    pub fn works_of(&self, pins: &Pins) -> Result<Works, StoreError> {
        let place = |key: &str| pins.config.get(key).and_then(Value::as_str);
        if let Some(folder) = place(FOLDER) {
            return self.works(folder);
        }
        match place(PROJECT) {
            Some(project) => self.open(Networks::new(&self.paths, Path::new(project)).find(&pins.network)?),
            None => self.works(&pins.network),
        }
    }

    fn open(&self, sourced: SourcedNetwork) -> Result<Works, StoreError> {
        let SourcedNetwork { name, source, layers, warnings } = sourced.clone();
        let library = Arc::new(FileLibrary::open(&self.paths.library(), sourced, self.clock.clone())?);
        let mut settings = PoolSettings::this_binary();
        settings.size = self.config.workers().unwrap_or(settings.size).max(1);
        let programs = Arc::new(Programs::new(Pool::new(settings)));
        let scorer: Arc<dyn Scorer> = Arc::new(Checks::default());
        let runner: Arc<dyn Runner> = programs.clone();
        let tools = Tools::new(Arc::downgrade(&runner), scorer.clone(), library.clone()).recalling(self.recall.clone());
        programs.equip(Arc::new(tools));
        if let Some(provider) = self.models.provider(&self.config, self.clock.clone())? {
            programs.connect(provider);
        }
        let recall = self.recall.clone();
        Ok(Works { name, source, library, runner, scorer, layers, recall, left_out: warnings })
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
    pub fn pins(&self, session: SessionId, network: &Network, works: &Works) -> Pins {
        let now = self.clock.now();
        let mut config = BTreeMap::from([("backward".to_owned(), self.settings().backward.into())]);
        config.extend(works.place());
        Pins {
            session,
            network: network.name.clone(),
            revision: network.revision.clone(),
            policy: 0,
            scorer: works.scorer.hash(),
            recall: self.recall.snapshot(),
            config,
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
    /// Everything odd about the network as it is now, with the paths of its files where it is a folder.
    ///
    /// # Errors
    /// When its history cannot be read.
    pub fn diagnostics(&self) -> Result<Vec<Diagnostic>, StoreError> {
        let mut all = self.left_out.clone();
        all.extend(self.library.warnings()?);
        Ok(all)
    }

    /// Whether a diagnostic is about a file that is the user's own: one that did not come with the binary, or one with accepted
    /// changes.
    #[must_use]
    pub fn owns(&self, problem: &Diagnostic) -> bool {
        let Some(path) = problem.path.strip_prefix(&format!("{}/", self.name)) else { return true };
        let own = self.layers.last().is_some_and(|layer| layer.contains_key(path));
        own && self.source != Source::Bundled || self.changes().iter().any(|change| change.path == path)
    }

    /// What the accepted revisions change in the files of the network, all in all.
    #[must_use]
    pub fn changes(&self) -> Vec<Change> {
        let head = self.library.resolve_revision("head");
        head.and_then(|head| self.library.diff(0, head)).unwrap_or_default()
    }

    /// What a session must remember to find this network again; nothing where its name is enough.
    fn place(&self) -> Option<(String, Value)> {
        let text = |path: &Path| Value::from(path.to_string_lossy());
        match &self.source {
            Source::Folder(folder) => Some((FOLDER.to_owned(), text(folder))),
            Source::Project(folder) => Some((PROJECT.to_owned(), text(folder.ancestors().nth(3)?))),
            Source::User(_) | Source::Bundled => None,
        }
    }

    /// The ports of a session whose events go to `journal`.
    #[must_use]
    pub fn ports(&self, journal: Box<dyn Journal>, clock: Arc<dyn Clock>) -> Ports {
        Ports {
            runner: self.runner.clone(),
            scorer: self.scorer.clone(),
            library: self.library.clone(),
            clock,
            journal,
            recall: self.recall.clone(),
        }
    }

    /// The gates of a proposal against a network.
    #[must_use]
    pub fn gates<'a>(&'a self, network: &'a Network) -> Gates<'a> {
        Gates { runner: &*self.runner, scorer: &*self.scorer, network }
    }
}
