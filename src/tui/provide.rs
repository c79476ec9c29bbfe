//! The host's part in choosing models: it looks for servers beside the interface, writes what was chosen, and puts it in force.

use std::sync::Arc;

use tokio::sync::mpsc;

use super::app::Interface;
use super::error::TuiError;
use super::host::Host;
use super::pane::Tone;
use super::servers::Typed;
use crate::engine::ports::{Library, PortError};
use crate::llm::{ApiKey, EndpointSettings, Format, Found, Keys, Place, look_at, places};
use crate::store::{Discover, NewEndpoint, configure};

/// What a look for servers gives.
pub(super) type Sought = Result<Vec<Found>, String>;

impl Host<'_> {
    /// Tells the interface what is configured, and looks for servers where nothing is and the user has not forbidden it.
    pub(super) fn look_around(&self, interface: &mut Interface) {
        self.tell(interface);
        if !interface.servers.configured && self.app.config.discover() == Discover::Auto {
            self.look(interface);
        }
    }

    fn tell(&self, interface: &mut Interface) {
        let (config, models) = (&self.app.config, &self.app.models);
        interface.servers.tiers = models.tiers.iter().map(|(tier, model)| (tier.clone(), model.clone())).collect();
        interface.servers.configured = models.are_configured(config);
        interface.servers.over = match (config.provider(), config.model()) {
            (Some(provider), _) => Some(format!("replies come from elsewhere now: provider = {provider}")),
            (None, Some(model)) => Some(format!("all tiers are {model} now: `model` says so")),
            (None, None) => None,
        };
    }

    /// Looks for servers on a thread of its own: certificates are read, and servers take their time.
    pub(super) fn look(&self, interface: &mut Interface) {
        let models = &self.app.models;
        let mut asked = places(&models.endpoints, &models.keys, self.env);
        for url in &interface.servers.given {
            if !asked.iter().any(|place| place.endpoint.url == *url) {
                let mut endpoint = EndpointSettings::new("", Format::OpenAi, url);
                let rest = url.split_once("://").map_or(url.as_str(), |(_, rest)| rest);
                endpoint.name = rest.split('/').next().unwrap_or_default().replace(':', "-");
                asked.insert(0, Place { endpoint, named: true });
            }
        }
        let authorities = models.authorities().map(ToOwned::to_owned);
        let sender: mpsc::UnboundedSender<Sought> = self.sought.clone();
        interface.servers.looking = true;
        let looking = std::thread::Builder::new().name("servers".into()).spawn(move || {
            let found = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .map_err(|error| error.to_string())
                .and_then(|runtime| runtime.block_on(look_at(asked, authorities)).map_err(|error| error.message));
            // Nobody may be there any more to hear it.
            let _ = sender.send(found);
        });
        if let Err(error) = looking {
            interface.servers.took(Err(format!("it could not be looked for servers: {error}")));
        }
    }

    /// Writes the model of these tiers into the configuration, and puts it in force.
    pub(super) fn use_model(
        &mut self,
        interface: &mut Interface,
        server: usize,
        model: &str,
        tiers: &[&str],
    ) -> Result<(), TuiError> {
        let Some(found) = interface.servers.get(server) else { return Ok(()) };
        let endpoint = &found.endpoint;
        let same = |it: &&EndpointSettings| it.url == endpoint.url;
        let configured = self.app.models.endpoints.iter().find(same).map(|it| it.name.clone());
        let taken = |name: &str| self.app.models.endpoints.iter().any(|it| it.name == name);
        let name = configured.clone().unwrap_or_else(|| match taken(&endpoint.name) {
            false => endpoint.name.clone(),
            true => (2..).map(|n| format!("{}-{n}", endpoint.name)).find(|name| !taken(name)).unwrap_or_default(),
        });
        let new = configured.is_none().then(|| NewEndpoint {
            name: name.clone(),
            format: endpoint.format.name().to_owned(),
            url: endpoint.url.clone(),
            key: None,
        });
        let whole = format!("{name}/{model}");
        let values: Vec<(&str, &str)> = tiers.iter().map(|tier| (*tier, whole.as_str())).collect();
        let file = self.app.paths.config_file();
        configure(&file, &values, new.as_ref())?;
        self.renew(interface)?;
        let tiers = if tiers.len() > 1 { "all tiers are".to_owned() } else { format!("{} is", tiers.join(", ")) };
        let over = interface.servers.over.as_ref().map(|over| format!("; but {over}")).unwrap_or_default();
        interface.say(Tone::Good, format!("{tiers} {whole} from now on, and in {}{over}", file.display()));
        Ok(())
    }

    /// Keeps a key where only the user can read it, and asks its server.
    pub(super) fn keep_key(
        &mut self,
        interface: &mut Interface,
        vendor: &str,
        name: &str,
        typed: &Typed,
    ) -> Result<(), TuiError> {
        let key = ApiKey::new(&typed.0)
            .ok_or_else(|| PortError::new("this cannot be a key: keys have no spaces and no signs beyond ASCII"))?;
        let file = self.app.paths.secrets_file();
        Keys::store(&file, name, &key)?;
        self.renew(interface)?;
        self.look(interface);
        interface.say(Tone::Good, format!("the key of {vendor} is kept in {}; it is being tried", file.display()));
        Ok(())
    }

    /// Reads the settings again and puts them in force: for the session that is open, and for the next.
    fn renew(&mut self, interface: &mut Interface) -> Result<(), TuiError> {
        self.app.reload(self.env)?;
        self.app.connect(&self.works)?;
        if let Some(works) = &self.its_works {
            self.app.connect(works)?;
        }
        self.tell(interface);
        let network = self.app.config.network().to_owned();
        if interface.session.is_none()
            && *self.app.config.origin(crate::store::Key::Network) == crate::store::Origin::Default
            && network != self.works.name
        {
            let works = self.app.works(&network)?;
            let network = works.library.network()?;
            self.works = Arc::new(works);
            let writing = interface.writing;
            interface.show_session(network, None);
            interface.writing = writing;
            self.load_queue(interface);
        }
        Ok(())
    }
}
