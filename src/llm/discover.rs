//! Looks for servers of models: those of vendors whose keys are set, and those that usually run on this machine.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use futures::StreamExt;
use futures::future::join_all;
use serde_json::Value;
use tokio::time::timeout;

use crate::engine::ports::PortError;

use super::endpoint::EndpointSettings;
use super::key::Keys;
use super::transport::{Http, NetError, Request, Transport};
use super::wire::{Format, clip};

/// How long a server on this machine has to answer.
const NEAR: Duration = Duration::from_millis(300);

/// How long one on the network has: a handshake across an ocean alone takes longer than the above.
const FAR: Duration = Duration::from_millis(1500);

/// The longest list of models that is read.
const LONGEST: usize = 4 << 20;

/// A vendor with a usual address and a usual name of its key.
pub(super) struct Vendor {
    pub(super) name: &'static str,
    pub(super) key: &'static str,
    pub(super) format: Format,
    pub(super) url: &'static str,
}

const fn vendor(name: &'static str, key: &'static str, format: Format, url: &'static str) -> Vendor {
    Vendor { name, key, format, url }
}

pub(super) static VENDORS: &[Vendor] = &[
    vendor("openai", "OPENAI_API_KEY", Format::OpenAi, "https://api.openai.com/v1"),
    vendor("anthropic", "ANTHROPIC_API_KEY", Format::Anthropic, "https://api.anthropic.com/v1"),
    vendor("gemini", "GEMINI_API_KEY", Format::Gemini, "https://generativelanguage.googleapis.com/v1beta"),
    vendor("openrouter", "OPENROUTER_API_KEY", Format::OpenAi, "https://openrouter.ai/api/v1"),
    vendor("groq", "GROQ_API_KEY", Format::OpenAi, "https://api.groq.com/openai/v1"),
    vendor("mistral", "MISTRAL_API_KEY", Format::OpenAi, "https://api.mistral.ai/v1"),
    vendor("deepseek", "DEEPSEEK_API_KEY", Format::OpenAi, "https://api.deepseek.com/v1"),
    vendor("together", "TOGETHER_API_KEY", Format::OpenAi, "https://api.together.xyz/v1"),
    vendor("xai", "XAI_API_KEY", Format::OpenAi, "https://api.x.ai/v1"),
];

/// Servers that usually run on the user's own machine.
const LOCAL: [(&str, Format, &str); 3] = [
    ("lm-studio", Format::OpenAi, "http://127.0.0.1:1234/v1"),
    ("llama.cpp", Format::OpenAi, "http://127.0.0.1:8080/v1"),
    ("vllm", Format::OpenAi, "http://127.0.0.1:8000/v1"),
];

/// What was found at one place.
#[derive(Clone, Debug)]
pub struct Found {
    /// The server.
    pub endpoint: EndpointSettings,
    /// Whether the configuration or a key in the environment names it; the others are guesses.
    pub named: bool,
    /// Its models, where it answered; else why it did not.
    pub models: Result<Vec<String>, Silent>,
}

/// Why a server gave no list of models.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Silent {
    /// One clause.
    pub why: String,
    /// What to do next.
    pub hint: String,
}

/// Where a server may be.
#[derive(Clone, Debug)]
pub struct Place {
    /// The server.
    pub endpoint: EndpointSettings,
    /// Whether the configuration or a key in the environment names it; the others are guesses.
    pub named: bool,
}

/// Asks all places at once for their models: those of the configuration, then the usual ones. What it needs of its arguments is
/// taken before it returns.
///
/// # Errors
/// When no client can be made.
pub fn discover(
    configured: &[EndpointSettings],
    keys: &Keys,
    env: &dyn Fn(&str) -> Option<String>,
    authorities: Option<PathBuf>,
) -> impl Future<Output = Result<Vec<Found>, PortError>> + Send + use<> {
    look_at(places(configured, keys, env), authorities)
}

/// Asks these places at once for their models. None is waited for longer than a second and a half. Certificates of a file of
/// authorities are trusted beside the system's.
///
/// # Errors
/// When no client can be made.
pub async fn look_at(places: Vec<Place>, authorities: Option<PathBuf>) -> Result<Vec<Found>, PortError> {
    let read = |path: PathBuf| {
        fs::read(&path).map_err(|error| {
            PortError::new(format!("{}: cannot be read: {error}", path.display())).hint("see `ca` in config.toml")
        })
    };
    let pem = authorities.map(read).transpose()?;
    let http = Http::new(pem.as_deref())?;
    Ok(join_all(places.into_iter().map(|place| look(&http, place))).await)
}

/// The usual name of a vendor's key in the environment; none for other servers.
#[must_use]
pub fn key_name(endpoint: &str) -> Option<&'static str> {
    VENDORS.iter().find(|vendor| vendor.name == endpoint).map(|vendor| vendor.key)
}

/// Vendors with the usual names of their keys.
pub fn key_names() -> impl Iterator<Item = (&'static str, &'static str)> {
    VENDORS.iter().map(|vendor| (vendor.name, vendor.key))
}

/// A model to begin with: the first of a server that answered, of those that are named before those that are guesses.
#[must_use]
pub fn preselected(found: &[Found]) -> Option<(&EndpointSettings, &str)> {
    let answered = |named: bool| found.iter().filter(move |it| it.named == named);
    let first = |it: &'_ &Found| it.models.as_ref().is_ok_and(|models| !models.is_empty());
    let it = answered(true).chain(answered(false)).find(first)?;
    Some((&it.endpoint, it.models.as_ref().ok()?.first()?))
}

/// Everywhere that a server may be: of the configuration, of vendors whose keys are set, and on the usual ports of this machine.
#[must_use]
pub fn places(configured: &[EndpointSettings], keys: &Keys, env: &dyn Fn(&str) -> Option<String>) -> Vec<Place> {
    let named = |endpoint: EndpointSettings| Place { endpoint, named: true };
    let mut all: Vec<_> = configured.iter().cloned().map(named).collect();
    for vendor in VENDORS {
        if let Some(key) = keys.get(vendor.key, env) {
            let mut endpoint = EndpointSettings::new(vendor.name, vendor.format, vendor.url);
            endpoint.key = Some(key);
            all.push(named(endpoint));
        }
    }
    let host = env("OLLAMA_HOST").filter(|host| !host.trim().is_empty());
    let ollama = EndpointSettings::new("ollama", Format::Ollama, &ollama(host.as_deref().unwrap_or_default()));
    all.push(Place { endpoint: ollama, named: host.is_some() });
    let guess = |(name, format, url): &(&str, Format, &str)| Place {
        endpoint: EndpointSettings::new(name, *format, url),
        named: false,
    };
    all.extend(LOCAL.iter().map(guess));
    let mut seen: Vec<String> = Vec::new();
    all.retain(|place| {
        let new = !seen.contains(&place.endpoint.url);
        seen.push(place.endpoint.url.clone());
        new
    });
    all
}

/// The address that `OLLAMA_HOST` means: it may lack scheme and port, and 0.0.0.0 is what the server listens on.
fn ollama(host: &str) -> String {
    let host = host.trim().trim_end_matches('/');
    let (scheme, rest) = host.split_once("://").unwrap_or(("http", host));
    let rest = if rest.is_empty() { "127.0.0.1" } else { rest };
    let rest = rest.replacen("0.0.0.0", "127.0.0.1", 1);
    let after = rest.rsplit_once(']').map_or(rest.as_str(), |(_, after)| after);
    match after.contains(':') || after.contains('/') || scheme == "https" {
        true => format!("{scheme}://{rest}"),
        false => format!("{scheme}://{rest}:11434"),
    }
}

async fn look(transport: &dyn Transport, place: Place) -> Found {
    let Place { endpoint, named } = place;
    let near = ["127.0.0.1", "localhost", "[::1]"].contains(&endpoint.host());
    // A server that is named is worth a longer wait than a guess.
    let limit = if near && !named { NEAR } else { FAR };
    let models = match timeout(limit, list(transport, &endpoint)).await {
        Ok(models) => models,
        Err(_) => Err((format!("no answer within {} ms", limit.as_millis()), String::new())),
    };
    let models = models.map_err(|(why, hint)| {
        let why = endpoint.key.as_ref().map_or(why.clone(), |key| key.scrub(&why).into_owned());
        // What is outside is the same in each; what is inside says what is wrong.
        let why = match why.strip_prefix("error sending request: ").and_then(|inside| inside.rsplit(": ").next()) {
            Some(inside) if !why.contains("ertificate") => format!("cannot be reached: {inside}"),
            Some(_) | None => why,
        };
        let hint = match why.strip_prefix("it answered ").and_then(|rest| rest.get(..3)) {
            Some("401" | "403") => "see that its key is set and right".to_owned(),
            Some(_) => "see that its `url` and `format` are right".to_owned(),
            None if hint.is_empty() => "see that the server runs and that the address is right".to_owned(),
            None => hint,
        };
        Silent { why, hint }
    });
    Found { endpoint, named, models }
}

async fn list(transport: &dyn Transport, endpoint: &EndpointSettings) -> Result<Vec<String>, (String, String)> {
    let broken = |error: NetError| (error.message, error.hint.to_owned());
    let bad = |why: String| (why, String::new());
    let (header, before) = endpoint.format.auth();
    let headers = match endpoint.format {
        Format::Anthropic => vec![("anthropic-version", "2023-06-01")],
        Format::OpenAi | Format::Gemini | Format::Ollama => Vec::new(),
    };
    let key = endpoint.key.clone().map(|key| (header, before, key));
    let request = Request { url: format!("{}{}", endpoint.url, endpoint.format.models()), headers, key, body: None };
    let response = transport.send(request).await.map_err(broken)?;
    let status = response.status;
    let mut body = response.body;
    let mut bytes = Vec::new();
    while let Some(more) = body.next().await {
        bytes.extend_from_slice(&more.map_err(broken)?);
        if bytes.len() > LONGEST {
            return Err(bad("its list of models is too long".to_owned()));
        }
    }
    let text = String::from_utf8_lossy(&bytes);
    if status != 200 {
        return Err(bad(format!("it answered {status}: {}", clip(&text))));
    }
    let value: Value = serde_json::from_str(&text).map_err(|_| bad(format!("it sent no list: {}", clip(&text))))?;
    endpoint.format.listed(&value).ok_or_else(|| bad(format!("it sent no list: {}", clip(&text))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ollama_is_found_where_its_variable_says() {
        let check = |host: &str, url: &str| assert_eq!(ollama(host), url, "{host}");
        check("", "http://127.0.0.1:11434");
        check("0.0.0.0", "http://127.0.0.1:11434");
        check("gpu:9000", "http://gpu:9000");
        check("https://ollama.example/", "https://ollama.example");
        check("[::1]", "http://[::1]:11434");
    }

    #[test]
    fn nothing_is_preselected_that_did_not_answer() {
        let found = |name: &str, named: bool, models: Result<Vec<String>, Silent>| Found {
            endpoint: EndpointSettings::new(name, Format::OpenAi, "http://x"),
            named,
            models,
        };
        let silent = found("a", true, Err(Silent { why: "no answer".into(), hint: String::new() }));
        let empty = found("b", true, Ok(Vec::new()));
        let guess = found("c", false, Ok(vec!["m".into()]));
        let named = found("d", true, Ok(vec!["n".into()]));
        assert!(preselected(&[silent.clone(), empty.clone()]).is_none());
        let all = [silent, empty, guess.clone(), named];
        assert_eq!(preselected(&all).map(|(it, model)| (it.name.as_str(), model)), Some(("d", "n")));
        assert_eq!(preselected(&[guess]).map(|(it, _)| it.name.as_str()), Some("c"));
    }
}
