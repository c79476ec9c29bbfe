//! Where replies of language models come from: the servers of the configuration, a record, a script, or a person.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::engine::ports::{Clock, PortError, Provider};
use crate::llm::{
    ApiKey, Caps, EndpointSettings, Fleet, FleetSettings, Guard, Keys, Manual, ModelsConfig, Patient, Prices, Recorder,
    Replayer, Scripted, Used,
};
use crate::model::Diagnostic;
use crate::store::{Config, Paths, Scrub, StoreError};

/// What is configured about models.
pub struct Models {
    /// Servers with their keys.
    pub endpoints: Vec<EndpointSettings>,
    /// The model of each tier.
    pub tiers: BTreeMap<String, String>,
    /// Every key that is known, to be kept out of what is remembered.
    keys: Vec<ApiKey>,
    prices: Prices,
    authorities: Option<PathBuf>,
    patient: Patient,
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
        let ModelsConfig { models: tiers, ca: authorities, .. } = config;
        Self { endpoints, tiers, keys: all, prices, authorities, patient, base: project.to_owned() }
    }

    /// Takes every known key out of a text.
    pub(super) fn scrub(&self) -> Scrub {
        let keys = self.keys.clone();
        Arc::new(move |text| keys.iter().fold(text.to_owned(), |text, key| key.scrub(&text).into_owned()))
    }

    /// The provider that a configuration asks for; none where there is no server to ask.
    pub(super) fn provider(
        &self,
        config: &Config,
        clock: Arc<dyn Clock>,
    ) -> Result<Option<Arc<dyn Provider>>, StoreError> {
        let said = config.provider();
        let made = match said.and_then(|said| said.split_once(':')) {
            None => Ok(self.live(config, clock)),
            Some((kind, path)) => self.other(kind, &self.base.join(path), config, clock),
        };
        made.map_err(|error| StoreError::Unknown {
            what: "provider",
            name: said.unwrap_or_default().to_owned(),
            hint: [Some(error.message), error.hint].into_iter().flatten().collect::<Vec<_>>().join("; "),
        })
    }

    fn other(
        &self,
        kind: &str,
        path: &Path,
        config: &Config,
        clock: Arc<dyn Clock>,
    ) -> Result<Option<Arc<dyn Provider>>, PortError> {
        let provider: Arc<dyn Provider> = match kind {
            "scripted" => Arc::new(Scripted::read(path)?),
            "replay" => Arc::new(Replayer::new(path)?),
            "manual" => Arc::new(Manual::new(path)?),
            "record" => match self.live(config, clock) {
                Some(live) => Arc::new(Recorder::new(live, path)?),
                None => {
                    return Err(PortError::new("there is no server whose replies could be recorded")
                        .hint("add one under [[endpoints]] in config.toml"));
                }
            },
            other => return Err(PortError::new(format!("`{other}` is none of record, replay, scripted, manual"))),
        };
        Ok(Some(provider))
    }

    fn live(&self, config: &Config, clock: Arc<dyn Clock>) -> Option<Arc<dyn Provider>> {
        if self.endpoints.is_empty() {
            return None;
        }
        let caps = Caps { tokens: config.max_tokens(), dollars: config.max_cost(), calls: None };
        let settings = FleetSettings {
            endpoints: self.endpoints.clone(),
            tiers: self.tiers.clone(),
            prices: self.prices.clone(),
            authorities: self.authorities.as_ref().map(|path| self.base.join(path)),
            patient: self.patient,
        };
        Some(Arc::new(Fleet::new(settings, Guard::new(caps, Used::default()), clock)))
    }
}
