//! Keys, proxies, servers of models, and whether each tier has somebody who answers.

use std::borrow::Cow;

use crate::llm::{Found, key_names, look_at, places};
use crate::setup::App;

use super::{Check, Env};

const KEYS: &str = "keys";
const PROXY: &str = "proxy";
const MODELS: &str = "models";

/// Most models of a server that are named.
const SHOWN: usize = 6;

pub(super) async fn checks(app: &App, env: Env<'_>) -> Vec<Check> {
    let models = &app.models;
    let mut all = keys(app, env);
    all.extend(proxies(app, env));
    let asked = places(&models.endpoints, &models.keys, env);
    match look_at(asked, models.authorities().map(ToOwned::to_owned)).await {
        Ok(found) => {
            all.extend(servers(&found));
            all.extend(tiers(app, &found));
        }
        Err(error) => all.push(Check::wrong(MODELS, error.message, error.hint.unwrap_or_default())),
    }
    all
}

fn keys(app: &App, env: Env<'_>) -> Vec<Check> {
    let mut set: Vec<&str> = key_names().map(|(_, name)| name).filter(|name| env(name).is_some()).collect();
    let mut all = Vec::new();
    if !set.is_empty() {
        all.push(Check::ok(KEYS, format!("in the environment: {}", set.join(", "))));
    }
    set = app.models.keys.names().collect();
    if !set.is_empty() {
        all.push(Check::ok(KEYS, format!("in {}: {}", app.paths.secrets_file().display(), set.join(", "))));
    }
    if all.is_empty() {
        all.push(Check::ok(KEYS, "none is set; servers on your own machine need none"));
    }
    all
}

fn proxies(app: &App, env: Env<'_>) -> Vec<Check> {
    let mut all = Vec::new();
    let mut plain = None;
    for name in ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"] {
        if let Some(value) = env(name) {
            all.push(Check::ok(PROXY, format!("{name} = {}", redacted(&value))));
            plain = plain.or(Some(name).filter(|name| !name.to_lowercase().starts_with("https")));
        }
    }
    let except = env("NO_PROXY").or_else(|| env("no_proxy")).unwrap_or_default();
    let near = app.models.endpoints.iter().find(|it| ["127.0.0.1", "localhost", "[::1]"].contains(&it.host()));
    if let (Some(name), Some(endpoint)) = (plain, near)
        && !except.split(',').any(|host| host.trim() == endpoint.host() || host.trim() == "*")
    {
        let what = format!("{name} also catches {}, which is on this machine", endpoint.name);
        all.push(Check::warning(PROXY, what, format!("set NO_PROXY to {}", endpoint.host())));
    }
    for name in ["SSL_CERT_FILE", "SSL_CERT_DIR"] {
        if let Some(value) = env(name) {
            all.push(match std::path::Path::new(&value).exists() {
                true => Check::ok(PROXY, format!("{name} = {value}")),
                false => {
                    Check::wrong(PROXY, format!("{name} = {value}, which is not there"), "unset it, or correct it")
                }
            });
        }
    }
    all
}

/// An address without what stands before its `@`.
fn redacted(url: &str) -> Cow<'_, str> {
    let start = url.find("://").map_or(0, |at| at + 3);
    let end = url[start..].find('/').map_or(url.len(), |at| start + at);
    match url[start..end].rfind('@') {
        Some(at) => Cow::Owned(format!("{}[credentials]{}", &url[..start], &url[start + at..])),
        None => Cow::Borrowed(url),
    }
}

fn servers(found: &[Found]) -> Vec<Check> {
    let mut all = Vec::new();
    let mut silent = Vec::new();
    for Found { endpoint, named, models } in found {
        let place = format!("{} at {}", endpoint.name, redacted(&endpoint.url));
        match (models, named) {
            (Ok(models), _) if models.is_empty() => {
                all.push(Check::warning(MODELS, format!("{place} answers and has no model"), "load a model there"));
            }
            (Ok(models), _) => {
                let more = models.len().saturating_sub(SHOWN);
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                let shown: Vec<&str> = models.iter().take(SHOWN).map(String::as_str).collect();
                all.push(Check::ok(MODELS, format!("{place} answers: {}{more}", shown.join(", "))));
            }
            (Err(silent), true) => {
                all.push(Check::warning(MODELS, format!("{place}: {}", silent.why), silent.hint.clone()));
            }
            (Err(_), false) => silent.push(format!("{} ({})", endpoint.name, endpoint.url)),
        }
    }
    if !silent.is_empty() {
        all.push(Check::ok(MODELS, format!("nothing at the usual place of {}", silent.join(", "))));
    }
    all
}

/// Whether somebody who answered serves each tier that the settings name.
fn tiers(app: &App, found: &[Found]) -> Vec<Check> {
    let models = &app.models;
    if let Some(said) = app.config.provider() {
        return vec![Check::ok(MODELS, format!("replies come from elsewhere: provider = {said}"))];
    }
    let named: Vec<(String, String)> = match app.config.model() {
        Some(model) => vec![("model".to_owned(), model.to_owned())],
        None => models.tiers.iter().map(|(tier, model)| (tier.clone(), model.clone())).collect(),
    };
    if named.is_empty() {
        let guess = crate::llm::preselected(found);
        let next = match guess {
            Some((endpoint, model)) => {
                format!("`mop` offers {} with {model}; or set strong = \"…\" under [models]", endpoint.name)
            }
            None => "start a server such as ollama, or set a key; the symbolic network needs none".to_owned(),
        };
        return vec![Check::warning(MODELS, "no model is configured, so only solvers and scripts run", next)];
    }
    let serves = |it: &Found, model: &str| {
        let own = model.strip_prefix(&format!("{}/", it.endpoint.name));
        let lists = |models: &[String], name: &str| models.iter().any(|known| known == name);
        match &it.models {
            Ok(there) => {
                lists(there, model)
                    || own.is_some_and(|own| lists(there, own) || lists(&it.endpoint.models, own))
                    || lists(&it.endpoint.models, model)
            }
            Err(_) => false,
        }
    };
    let check = |(tier, model): &(String, String)| match found.iter().find(|it| it.named && serves(it, model)) {
        Some(found) => Check::ok(MODELS, format!("{tier} = {model}, by {}", found.endpoint.name)),
        None => {
            let next = "start its server, or name another model under [models] in config.toml";
            Check::wrong(MODELS, format!("{tier} = {model}: no server that answered has it"), next)
        }
    };
    named.iter().map(check).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_proxy_is_entered_with_is_not_shown() {
        let check = |url: &str, shown: &str| assert_eq!(redacted(url), shown);
        check("http://user:pa@ss@proxy:3128/x@y", "http://[credentials]@proxy:3128/x@y");
        check("user:secret@proxy:3128", "[credentials]@proxy:3128");
        check("http://proxy:3128", "http://proxy:3128");
    }
}
