//! Where replies of language models come from: the servers of the configuration, a record, a script, or a person.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::engine::ports::{Clock, PortError, Provider};
use crate::llm::{
    ApiKey, Caps, EndpointSettings, Fleet, FleetSettings, Guard, Hand, Keys, Manual, ModelsConfig, Patient, Place,
    Prices, Recorder, Replayer, Scripted, Used, look_at,
};
use crate::model::Diagnostic;
use crate::store::{Config, Paths, Scrub, StoreError};

/// What is configured about models.
pub struct Models {
    /// Servers with their keys.
    pub endpoints: Vec<EndpointSettings>,
    /// The model of each tier.
    pub tiers: BTreeMap<String, String>,
    /// Keys of the user's own file.
    pub keys: Keys,
    /// Where a person plays the model in front of the interface.
    pub hand: Arc<Hand>,
    /// Every key that is known, to be kept out of what is remembered.
    known: Vec<ApiKey>,
    prices: Prices,
    authorities: Option<PathBuf>,
    patient: Patient,
    guard: Arc<Guard>,
    /// The folder that paths begin in.
    base: PathBuf,
}

impl Models {
    /// Reads the configuration and the keys; what is wrong with them is reported, and counts as not said.
    pub(super) fn new(
        paths: &Paths,
        env: &dyn Fn(&str) -> Option<String>,
        project: &Path,
        problems: &mut Vec<Diagnostic>,
    ) -> Self {
        let file = paths.config_file();
        let name = file.to_string_lossy();
        let text = fs::read_to_string(&file).unwrap_or_default();
        let (config, wrong) = ModelsConfig::read(&name, &text);
        problems.extend(wrong);
        let mut warn = |path: &Path, message: String, hint: Option<String>| {
            problems.push(Diagnostic::at(&path.to_string_lossy(), "", 0, message).hint(hint).warning());
        };
        let secrets = paths.secrets_file();
        let keys = Keys::read(&secrets).unwrap_or_else(|PortError { message, hint }| {
            warn(&secrets, message, hint);
            Keys::default()
        });
        let own = paths.prices_file();
        let prices = match fs::read_to_string(&own).ok().map(|text| Prices::with(&text)) {
            None => Prices::default(),
            Some(Ok(prices)) => prices,
            Some(Err(PortError { message, hint })) => {
                warn(&own, message, hint);
                Prices::default()
            }
        };
        let (endpoints, missing) = config.endpoints(&keys, env);
        for message in missing {
            warn(&file, message, Some(format!("set it in the environment or in {}", secrets.display())));
        }
        let of_servers = endpoints.iter().filter_map(|endpoint| endpoint.key.as_ref());
        let all: Vec<ApiKey> = keys.all().chain(of_servers).cloned().collect();
        let patient = config.patient();
        let ModelsConfig { models: tiers, ca, .. } = config;
        Self {
            endpoints,
            tiers,
            keys,
            known: all,
            hand: Arc::default(),
            prices,
            authorities: ca.map(|path| project.join(path)),
            patient,
            guard: Guard::new(Caps::default(), Used::default()),
            base: project.to_owned(),
        }
    }

    /// Takes every known key out of a text.
    pub(super) fn scrub(&self) -> Scrub {
        let keys = self.known.clone();
        Arc::new(move |text| keys.iter().fold(text.to_owned(), |text, key| key.scrub(&text).into_owned()))
    }

    /// The caps of the settings hold until a session has its own.
    pub(super) fn cap(&self, config: &Config) {
        self.guard.cap(Caps { tokens: config.max_tokens(), dollars: config.max_cost(), calls: None });
    }

    /// Goes on with what another reading of the configuration has begun: who plays the model, and what was used.
    pub(super) fn go_on_from(&mut self, before: &Self) {
        self.hand = before.hand.clone();
        self.guard = before.guard.clone();
    }

    /// Whether prompts have somebody to answer them.
    #[must_use]
    pub fn are_configured(&self, config: &Config) -> bool {
        let tiers = config.model().is_some() || !self.tiers.is_empty();
        config.provider().is_some() || (tiers && !self.endpoints.is_empty())
    }

    /// A file of certificates that are trusted beside the system's.
    #[must_use]
    pub fn authorities(&self) -> Option<&Path> {
        self.authorities.as_deref()
    }

    /// The provider that a configuration asks for; none where there is no server to ask.
    pub(super) fn provider(
        &self,
        config: &Config,
        clock: Arc<dyn Clock>,
    ) -> Result<Option<Arc<dyn Provider>>, StoreError> {
        let said = config.provider().unwrap_or("live");
        let (source, kept) = match said.split_once(",record:") {
            Some((source, file)) => (source, Some(file)),
            None => (said, None),
        };
        // In short: what is live is recorded, be it servers or a person.
        let (source, kept) = match source.strip_prefix("record:") {
            Some(file) if self.endpoints.is_empty() && self.hand.is_attended() => ("manual", Some(file)),
            Some(file) => ("live", Some(file)),
            None => (source, kept),
        };
        let made = self.source(source, config, clock).and_then(|provider| match (provider, kept) {
            (Some(provider), Some(file)) => {
                Ok(Some(Arc::new(Recorder::new(provider, &self.base.join(file))?) as Arc<dyn Provider>))
            }
            (None, Some(_)) => Err(PortError::new("there is no server whose replies could be recorded")
                .hint("add one under [[endpoints]] in config.toml, or play the model with manual:FOLDER,record:FILE")),
            (provider, None) => Ok(provider),
        });
        made.map_err(|error| StoreError::Unknown {
            what: "provider",
            name: said.to_owned(),
            hint: [Some(error.message), error.hint].into_iter().flatten().collect::<Vec<_>>().join("; "),
        })
    }

    fn source(
        &self,
        source: &str,
        config: &Config,
        clock: Arc<dyn Clock>,
    ) -> Result<Option<Arc<dyn Provider>>, PortError> {
        let provider: Arc<dyn Provider> = match source.split_once(':').map(|(kind, path)| (kind, self.base.join(path)))
        {
            None if source == "manual" => self.hand.clone(),
            None => return Ok(self.live(config, clock)),
            Some(("scripted", path)) => Arc::new(Scripted::read(&path)?),
            Some(("replay", path)) => Arc::new(Replayer::new(&path)?),
            Some(("manual", path)) => Arc::new(Manual::new(&path)?),
            Some((other, _)) => {
                return Err(PortError::new(format!("`{other}` is none of record, replay, scripted, manual")));
            }
        };
        Ok(Some(provider))
    }

    fn live(&self, config: &Config, clock: Arc<dyn Clock>) -> Option<Arc<dyn Provider>> {
        if self.endpoints.is_empty() {
            return None;
        }
        let tiers = match config.model() {
            Some(model) => TIERS.map(|tier| (tier.to_owned(), model.to_owned())).into(),
            None => self.tiers.clone(),
        };
        let settings = FleetSettings {
            endpoints: self.endpoints.clone(),
            tiers,
            prices: self.prices.clone(),
            authorities: self.authorities.clone(),
            patient: self.patient,
        };
        Some(Arc::new(Fleet::new(settings, self.guard.clone(), clock)))
    }

    /// The full name of a model that the user named. Servers whose models the configuration does not list are asked for them.
    ///
    /// # Errors
    /// When no configured server has it; the hint lists what there is.
    pub async fn named(&self, name: &str) -> Result<String, PortError> {
        let listed = |it: &&EndpointSettings| it.models.iter().any(|model| model == name);
        if self.endpoints.iter().any(|it| listed(&it)) {
            return Ok(name.to_owned());
        }
        if self.endpoints.is_empty() {
            return Err(PortError::new(format!("there is no server that could have the model `{name}`"))
                .hint("add one under [[endpoints]] in config.toml, or set the key of a provider"));
        }
        let placed = name.split_once('/').and_then(|(place, model)| {
            let endpoint = self.endpoints.iter().find(|it| it.name == place)?;
            Some((endpoint, model)).filter(|(_, model)| !model.is_empty())
        });
        if let Some((endpoint, model)) = placed
            && (endpoint.models.is_empty() || endpoint.models.iter().any(|known| known == model))
        {
            return Ok(name.to_owned());
        }
        let place = |endpoint: &EndpointSettings| Place { endpoint: endpoint.clone(), named: true };
        let unlisted: Vec<Place> = self.endpoints.iter().filter(|it| it.models.is_empty()).map(place).collect();
        let found = look_at(unlisted, self.authorities.clone()).await?;
        let has = found.iter().find(|it| it.models.as_ref().is_ok_and(|models| models.iter().any(|it| it == name)));
        if let Some(found) = has {
            return Ok(format!("{}/{name}", found.endpoint.name));
        }
        let mut there: Vec<String> = Vec::new();
        for endpoint in &self.endpoints {
            let asked = found.iter().find(|it| it.endpoint.name == endpoint.name).map(|it| &it.models);
            match asked {
                Some(Err(silent)) => there.push(format!("{} (did not say: {})", endpoint.name, silent.why)),
                Some(Ok(models)) => there.push(list(&endpoint.name, models)),
                None => there.push(list(&endpoint.name, &endpoint.models)),
            }
        }
        Err(PortError::new(format!("no server has a model `{name}`")).hint(format!("there are: {}", there.join(", "))))
    }
}

/// Names of tiers.
const TIERS: [&str; 3] = ["fast", "standard", "strong"];

/// Most models of one server that an error lists.
const LISTED: usize = 12;

fn list(endpoint: &str, models: &[String]) -> String {
    let shown: Vec<String> = models.iter().take(LISTED).map(|model| format!("{endpoint}/{model}")).collect();
    match models.len().saturating_sub(LISTED) {
        0 if models.is_empty() => format!("{endpoint} (lists no model)"),
        0 => shown.join(", "),
        more => format!("{} and {more} more of {endpoint}", shown.join(", ")),
    }
}
