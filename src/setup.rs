//! Joins ports and adapters: the only file that names both.

mod models;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;

use crate::engine::ports::{Clock, Journal, Library, PortError, Provider, Runner, Scorer};
use crate::engine::{Gates, Ports, Settings};
use crate::llm::{Common, Replayer};
use crate::model::{Budget, Change, Diagnostic, Kind, Mode, Network, Pins, SessionId};
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

/// The file of a network with replies of a model to its prompts' own tests.
const REPLIES: &str = "replies.jsonl";

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
    /// The folder that mop was started in.
    project: PathBuf,
    flags: Vec<(Key, String)>,
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
    /// The same, as what it is.
    pub programs: Arc<Programs>,
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
        let (mut config, mut problems) = Config::load(&paths.config_file(), env, flags);
        let models = Models::new(&paths, env, project, &mut problems);
        models.cap(&config);
        let networks = Networks::new(&paths, project);
        if models.are_configured(&config) && networks.has_one_for_models() {
            config.with_models();
        }
        let sessions = Sessions::new(paths.sessions());
        let recall = Arc::new(FileRecall::new(paths.recall(), config.recall(), models.scrub()));
        let (project, flags) = (project.to_owned(), flags.to_owned());
        let clock = Arc::new(SystemClock);
        Ok(Self { paths, config, problems, networks, sessions, models, recall, clock, project, flags })
    }

    /// Reads settings and keys again, as they are now. A person who plays the model, and what was used, stay.
    ///
    /// # Errors
    /// When there is no place for the user's data any more.
    pub fn reload(&mut self, env: &dyn Fn(&str) -> Option<String>) -> Result<(), StoreError> {
        let mut new = Self::new(env, &self.project, &self.flags)?;
        new.models.go_on_from(&self.models);
        new.clock = self.clock.clone();
        *self = new;
        Ok(())
    }

    /// Gives an open network the models of the settings in force.
    ///
    /// # Errors
    /// When the provider that they name cannot be used.
    pub fn connect(&self, works: &Works) -> Result<(), StoreError> {
        if let Some(provider) = self.models.provider(&self.config, self.clock.clone())? {
            works.programs.connect(provider);
        }
        Ok(())
    }

    /// Finds the model that the settings name for all tiers, where replies come from servers.
    ///
    /// # Errors
    /// When no configured server has it.
    pub async fn settle_model(&mut self) -> Result<(), PortError> {
        let live = self.config.provider().is_none_or(|said| said.starts_with("live,") || said.starts_with("record:"));
        if let Some(name) = self.config.model().filter(|_| live) {
            let name = self.models.named(name).await?;
            self.config.settle_model(name);
        }
        Ok(())
    }

    /// Opens a network, found by name or path.
    ///
    /// # Errors
    /// When there is none, or its history cannot be read.
    pub fn works(&self, network: &str) -> Result<Works, StoreError> {
        self.open(self.networks.find(network)?)
    }

    /// Opens a network whose prompts ask a provider that others ask too, so that caps and records are theirs together.
    ///
    /// # Errors
    /// When there is no such network, or its history cannot be read.
    pub fn works_sharing(&self, network: &str, provider: Option<&Arc<dyn Provider>>) -> Result<Works, StoreError> {
        let provider = provider.map(|provider| -> Arc<dyn Provider> { Arc::new(Common(provider.clone())) });
        self.assemble(self.networks.find(network)?, provider)
    }

    /// The provider that the settings ask for; none where there is no server to ask.
    ///
    /// # Errors
    /// When the settings ask for one that cannot be.
    pub fn provider(&self) -> Result<Option<Arc<dyn Provider>>, StoreError> {
        self.models.provider(&self.config, self.clock.clone())
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
        self.assemble(sourced, self.provider()?)
    }

    fn assemble(&self, sourced: SourcedNetwork, provider: Option<Arc<dyn Provider>>) -> Result<Works, StoreError> {
        let SourcedNetwork { name, source, layers, warnings } = sourced.clone();
        let library = Arc::new(FileLibrary::open(&self.paths.library(), sourced, self.clock.clone())?);
        let mut settings = PoolSettings::this_binary();
        settings.size = self.config.workers().unwrap_or(settings.size).max(1);
        let programs = Arc::new(Programs::new(Pool::new(settings)));
        // What is wrong with a network is said where it is used.
        let weight = library.network().ok().and_then(|network| network.scorer.get("checks").copied());
        let silent = weight.is_some_and(|weight| weight <= 0.0);
        let scorer: Arc<dyn Scorer> = Arc::new(if silent { Checks::silent() } else { Checks::default() });
        let runner: Arc<dyn Runner> = programs.clone();
        let tools = Tools::new(Arc::downgrade(&runner), scorer.clone(), library.clone()).recalling(self.recall.clone());
        programs.equip(Arc::new(tools));
        if let Some(provider) = provider {
            programs.connect(provider);
        }
        let recall = self.recall.clone();
        Ok(Works { name, source, library, runner, programs, scorer, layers, recall, left_out: warnings })
    }

    /// Lets the prompts of a network answer from the replies that it brings with it, so that their tests need no model; where the
    /// settings say whence replies come, or it brings none, nothing changes.
    ///
    /// # Errors
    /// When what it brings is no record.
    pub fn rehearse(&self, works: &Works) -> Result<(), PortError> {
        let brought = works.layers.iter().rev().find_map(|layer| layer.get(REPLIES));
        if let Some(text) = brought.filter(|_| self.config.provider().is_none()) {
            let path = Path::new(&works.name).join(REPLIES);
            works.programs.connect(Arc::new(Replayer::of(&path, text)?));
        }
        Ok(())
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

    /// Why a network cannot begin: its first program is a prompt and there is nobody to answer it. None where it can.
    #[must_use]
    pub fn lacks_models(&self, network: &Network) -> Option<String> {
        let first = network.programs.get(&network.entry)?;
        let lacks = first.kind == Kind::Prompt && !self.programs.is_connected();
        lacks.then(|| format!("the network `{}` asks language models, and none is configured", self.name))
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
