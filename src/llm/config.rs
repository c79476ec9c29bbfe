//! `[models]` and `[[endpoints]]` of the configuration: which model serves a tier, and which servers there are.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;

use crate::engine::ports::Offers;
use crate::model::Diagnostic;

use super::call::Patience;
use super::discover::{VENDORS, Vendor};
use super::endpoint::EndpointSettings;
use super::fleet::Patient;
use super::key::Keys;
use super::price::Price;
use super::wire::Format;

/// What the configuration says about models.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct ModelsConfig {
    /// `fast`, `standard` and `strong`, each `model` or `endpoint/model`.
    pub models: BTreeMap<String, String>,
    /// Servers.
    pub endpoints: Vec<EndpointEntry>,
    /// A file of certificates in PEM form that are trusted beside the system's.
    pub ca: Option<PathBuf>,
}

/// One entry of `[[endpoints]]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct EndpointEntry {
    /// Its name.
    pub name: String,
    /// How it wants to be spoken to.
    #[serde(default = "openai")]
    pub format: Format,
    /// Its address; a vendor's own where the name is a vendor's.
    #[serde(default)]
    pub url: Option<String>,
    /// The name of its key, in the environment or in `secrets.toml`; never the key itself.
    #[serde(default)]
    pub key: Option<String>,
    /// Models that it serves.
    #[serde(default)]
    pub models: Vec<String>,
    /// Whether it holds replies to a JSON schema.
    #[serde(default)]
    pub schema: Option<bool>,
    /// Whether it knows calls of tools.
    #[serde(default)]
    pub tools: Option<bool>,
    /// Whether its models look at images; where they do not, they are told that there are some.
    #[serde(default)]
    pub images: Option<bool>,
    /// What its models cost.
    #[serde(default)]
    pub price: Option<Price>,
    /// Calls that it takes at once.
    #[serde(default)]
    pub parallel: Option<usize>,
    /// Tokens that the context of its models holds.
    #[serde(default)]
    pub context: Option<u64>,
    /// Seconds in which nothing may come.
    #[serde(default)]
    pub idle_seconds: Option<f64>,
}

fn openai() -> Format {
    Format::OpenAi
}

/// Names of tiers.
const TIERS: [&str; 3] = ["fast", "standard", "strong"];

impl ModelsConfig {
    /// Reads it from the text of the configuration file, whose other settings are none of its business. What is wrong is
    /// reported, and counts as not said.
    #[must_use]
    pub fn read(path: &str, text: &str) -> (Self, Vec<Diagnostic>) {
        let mut config = match toml::from_str::<Self>(text) {
            Ok(config) => config,
            // Where it is no TOML at all, whoever reads the other settings says so.
            Err(_) if text.parse::<toml::Table>().is_err() => return (Self::default(), Vec::new()),
            Err(error) => return (Self::default(), vec![Diagnostic::from_toml(path, text, 0, &error)]),
        };
        let mut problems = Vec::new();
        let mut say = |needle: &str, message: String, hint: &str| {
            let at = text.find(needle).unwrap_or(0);
            problems.push(Diagnostic::at(path, text, at, message).hint(Some(hint.to_owned())));
        };
        for tier in config.models.keys().filter(|tier| !TIERS.contains(&tier.as_str())) {
            say(tier, format!("`{tier}` is no tier"), "the tiers are fast, standard and strong");
        }
        config.models.retain(|tier, _| TIERS.contains(&tier.as_str()));
        let mut names: Vec<String> = Vec::new();
        config.endpoints.retain(|entry| {
            let quoted = format!("\"{}\"", entry.name);
            let twice = names.contains(&entry.name);
            names.push(entry.name.clone());
            let address = entry.url.as_deref().or_else(|| vendor(&entry.name).map(|vendor| vendor.url));
            let web = address.is_some_and(|url| url.starts_with("http://") || url.starts_with("https://"));
            if entry.name.is_empty() || entry.name.contains('/') || twice {
                let why = if twice { "is there twice" } else { "cannot be the name of an endpoint" };
                say(&quoted, format!("`{}` {why}", entry.name), "give each endpoint a name of its own, without `/`");
            } else if !web {
                let message = format!("the endpoint `{}` has no address", entry.name);
                say(&quoted, message, "set its `url`, starting with http:// or https://");
            } else {
                return true;
            }
            false
        });
        (config, problems)
    }

    /// The servers that it names, and those of vendors whose keys are set. A key that is named but not set is reported.
    #[must_use]
    pub fn endpoints(&self, keys: &Keys, env: &dyn Fn(&str) -> Option<String>) -> (Vec<EndpointSettings>, Vec<String>) {
        let mut missing = Vec::new();
        let mut all = Vec::new();
        for entry in &self.endpoints {
            let known = vendor(&entry.name);
            let url = entry.url.as_deref().or(known.map(|vendor| vendor.url)).unwrap_or_default();
            let own = known.filter(|_| entry.url.is_none() && entry.format == Format::OpenAi);
            let format = own.map_or(entry.format, |vendor| vendor.format);
            let mut settings = EndpointSettings::new(&entry.name, format, url);
            // The key of a vendor goes to that vendor alone.
            let name = entry.key.as_deref().or(known.filter(|_| entry.url.is_none()).map(|vendor| vendor.key));
            if let Some(name) = name {
                settings.key = keys.get(name, env);
                if settings.key.is_none() {
                    missing.push(not_set(&entry.name, name));
                }
            }
            settings.models.clone_from(&entry.models);
            let usual = format.offers();
            settings.offers =
                Offers { schema: entry.schema.unwrap_or(usual.schema), tools: entry.tools.unwrap_or(usual.tools) };
            settings.images = entry.images.unwrap_or(settings.images);
            settings.price = entry.price;
            settings.parallel = entry.parallel.unwrap_or(settings.parallel);
            settings.context = entry.context.filter(|tokens| *tokens > 0);
            all.push(settings);
        }
        for vendor in VENDORS.iter().filter(|vendor| !self.endpoints.iter().any(|entry| entry.name == vendor.name)) {
            if let Some(key) = keys.get(vendor.key, env) {
                let mut settings = EndpointSettings::new(vendor.name, vendor.format, vendor.url);
                settings.key = Some(key);
                all.push(settings);
            }
        }
        (all, missing)
    }

    /// Tries and limits: of several `idle-seconds` the longest counts.
    #[must_use]
    pub fn patient(&self) -> Patient {
        let said = self.endpoints.iter().filter_map(|entry| entry.idle_seconds);
        let longest = said.filter(|seconds| seconds.is_finite() && *seconds > 0.0).reduce(f64::max);
        let usual = Patience::default();
        let patience = longest.map_or(usual, |seconds| {
            let idle = Duration::from_secs_f64(seconds.min(86_400.0));
            Patience { idle, first: usual.first.max(idle) }
        });
        Patient { patience, ..Patient::default() }
    }
}

/// A key that somebody wrote where its name belongs must not be shown.
fn not_set(endpoint: &str, name: &str) -> String {
    let plain = name.len() <= 48 && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    if plain && name.starts_with(|c: char| c.is_ascii_uppercase()) {
        return format!("the endpoint `{endpoint}` wants the key `{name}`, which is not set");
    }
    format!(
        "the endpoint `{endpoint}` wants a key that is not set: `key` is the name of one, as in `OPENAI_API_KEY`, not the key"
    )
}

fn vendor(name: &str) -> Option<&'static Vendor> {
    VENDORS.iter().find(|vendor| vendor.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: &dyn Fn(&str) -> Option<String> = &|_| None;

    #[test]
    fn endpoints_and_tiers_are_read_beside_other_settings() {
        let text = r#"
network = "symbolic"
[models]
fast = "local/qwen"
[[endpoints]]
name = "local"
url = "http://127.0.0.1:8081/v1/"
models = ["qwen"]
tools = false
images = false
price = { in = 0, out = 0 }
idle-seconds = 200
context = 16384
[[endpoints]]
name = "anthropic"
"#;
        let (config, problems) = ModelsConfig::read("config.toml", text);
        assert_eq!(problems, []);
        let env: &dyn Fn(&str) -> Option<String> = &|name| (name == "OPENAI_API_KEY").then(|| "k".into());
        let (endpoints, missing) = config.endpoints(&Keys::default(), env);
        let names: Vec<_> = endpoints.iter().map(|it| (it.name.as_str(), it.format, it.key.is_some())).collect();
        assert_eq!(
            names,
            [
                ("local", Format::OpenAi, false),
                ("anthropic", Format::Anthropic, false),
                ("openai", Format::OpenAi, true)
            ]
        );
        assert_eq!(endpoints[0].context, Some(16_384));
        assert_eq!(endpoints[0].url, "http://127.0.0.1:8081/v1");
        assert_eq!(endpoints[0].offers, Offers { schema: true, tools: false });
        assert!(!endpoints[0].images && endpoints[1].images);
        assert_eq!(missing, ["the endpoint `anthropic` wants the key `ANTHROPIC_API_KEY`, which is not set"]);
        assert_eq!(config.patient().patience.idle, Duration::from_secs(200));
    }

    #[test]
    fn what_is_wrong_is_placed_and_left_out() {
        let check = |text: &str, line: usize, expected: &str| {
            let (_, problems) = ModelsConfig::read("config.toml", text);
            assert_eq!(problems.len(), 1, "{problems:?}");
            assert!(problems[0].line == line && problems[0].message.contains(expected), "{problems:?}");
        };
        check("[models]\nquick = \"x\"\n", 2, "`quick` is no tier");
        check("[[endpoints]]\nname = \"a\"\n", 2, "has no address");
        check("[[endpoints]]\nname = \"a\"\nurl = \"ftp://x\"\n", 2, "has no address");
        check("[[endpoints]]\nname = \"a\"\nurl = \"http://x\"\nkye = \"b\"\n", 4, "kye");
        assert!(ModelsConfig::read("config.toml", "not toml").1.is_empty());
    }

    #[test]
    fn the_key_of_a_vendor_does_not_go_to_another_address() {
        let text = "[[endpoints]]\nname = \"openai\"\nurl = \"http://elsewhere/v1\"\n";
        let (config, _) = ModelsConfig::read("config.toml", text);
        let (endpoints, _) = config.endpoints(&Keys::default(), &|_| Some("k".into()));
        assert!(endpoints.iter().find(|it| it.name == "openai").unwrap().key.is_none());
        assert!(config.endpoints(&Keys::default(), NONE).0.len() == 1);
    }
}
