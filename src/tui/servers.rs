//! What is known of servers of models: what was found, what serves which tier, and what can be chosen.

use crate::llm::{Found, key_names, preselected};

/// Names of the tiers, in the order of their keys.
pub(super) const TIERS: [&str; 3] = ["fast", "standard", "strong"];

/// What the interface knows of servers.
#[derive(Debug, Default)]
pub(super) struct Servers {
    /// What answered, and what did not.
    found: Vec<Found>,
    /// Whether it is being looked for them.
    pub(super) looking: bool,
    /// Why the last look gave nothing at all.
    pub(super) failed: Option<String>,
    /// The model of each tier, as the settings have it.
    pub(super) tiers: Vec<(String, String)>,
    /// What stands over the tiers: a flag, or another source of replies.
    pub(super) over: Option<String>,
    /// Whether prompts have somebody to answer them.
    pub(super) configured: bool,
    /// Addresses that the user gave.
    pub(super) given: Vec<String>,
}

/// One line that can be selected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Row {
    /// A model of a server that answered.
    Model {
        /// The server, by its place among those found.
        server: usize,
        /// The model.
        model: String,
    },
    /// A server that did not answer.
    Silent {
        /// The server.
        server: usize,
    },
    /// A vendor whose key is not set.
    Keyless {
        /// The vendor.
        vendor: &'static str,
        /// The name of its key.
        key: &'static str,
    },
}

impl Servers {
    /// Takes in what was found.
    pub(super) fn took(&mut self, result: Result<Vec<Found>, String>) {
        self.looking = false;
        match result {
            Ok(found) => (self.found, self.failed) = (found, None),
            Err(why) => self.failed = Some(why),
        }
    }

    /// One server.
    pub(super) fn get(&self, server: usize) -> Option<&Found> {
        self.found.get(server)
    }

    /// Whether nothing was looked for yet.
    pub(super) fn is_unknown(&self) -> bool {
        self.found.is_empty() && !self.looking
    }

    /// What can be offered where no model is configured: a server that answered, and its first model.
    pub(super) fn offer(&self) -> Option<(usize, String)> {
        if self.configured {
            return None;
        }
        let (endpoint, model) = preselected(&self.found)?;
        let at =
            self.found.iter().position(|it| it.endpoint.url == endpoint.url && it.endpoint.name == endpoint.name)?;
        Some((at, model.to_owned()))
    }

    /// Everything that can be selected: models, then servers that keep silent (those that somebody named first), then vendors
    /// without a key.
    pub(super) fn rows(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        for (server, it) in self.found.iter().enumerate() {
            let models = it.models.as_deref().unwrap_or_default().iter();
            rows.extend(models.map(|model| Row::Model { server, model: model.clone() }));
        }
        for named in [true, false] {
            let silent = self
                .found
                .iter()
                .enumerate()
                .filter(|(_, it)| it.named == named && it.models.as_ref().map_or(true, Vec::is_empty));
            rows.extend(silent.map(|(server, _)| Row::Silent { server }));
        }
        let known = |vendor: &str| self.found.iter().any(|it| it.endpoint.name == vendor);
        rows.extend(key_names().filter(|(vendor, _)| !known(vendor)).map(|(vendor, key)| Row::Keyless { vendor, key }));
        rows
    }

    /// The name of the key that a row could have, with whose it is.
    pub(super) fn key_of(&self, row: &Row) -> Option<(String, &'static str)> {
        match row {
            Row::Keyless { vendor, key } => Some(((*vendor).to_owned(), key)),
            Row::Model { server, .. } | Row::Silent { server } => {
                let name = &self.get(*server)?.endpoint.name;
                crate::llm::key_name(name).map(|key| (name.clone(), key))
            }
        }
    }
}

/// A key as it is typed and handed on: nothing prints it.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Typed(pub(super) String);

impl std::fmt::Debug for Typed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("[key]")
    }
}
