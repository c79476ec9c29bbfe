//! What models cost. A price that nobody knows is none; it is never taken for nothing.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::engine::ports::{PortError, Tokens};

/// US dollars for a million tokens.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// Tokens that the model reads.
    #[serde(rename = "in")]
    pub input: f64,
    /// Tokens that it reads from a cache; as all others where that is not said.
    #[serde(default)]
    pub cached: Option<f64>,
    /// Tokens that it writes.
    #[serde(rename = "out")]
    pub output: f64,
}

impl Price {
    /// What a call costs.
    #[must_use]
    pub fn of(&self, tokens: &Tokens) -> f64 {
        let cached = tokens.cached.min(tokens.input);
        let fresh = tokens.input - cached;
        let sum = fresh as f64 * self.input
            + cached as f64 * self.cached.unwrap_or(self.input)
            + tokens.output as f64 * self.output;
        sum / 1e6
    }

    fn sound(&self) -> bool {
        [Some(self.input), self.cached, Some(self.output)].into_iter().flatten().all(|n| n.is_finite() && n >= 0.0)
    }
}

/// A table of prices by host and model.
#[derive(Clone, Debug, PartialEq)]
pub struct Prices(BTreeMap<String, BTreeMap<String, Price>>);

/// The table that came with this version.
const BUNDLED: &str = include_str!("prices.toml");

impl Default for Prices {
    fn default() -> Self {
        Self(toml::from_str(BUNDLED).unwrap_or_default())
    }
}

impl Prices {
    /// The bundled table with a user's own on top.
    ///
    /// # Errors
    /// When that is no such table.
    pub fn with(text: &str) -> Result<Self, PortError> {
        let own: BTreeMap<String, BTreeMap<String, Price>> = toml::from_str(text)
            .map_err(|error| PortError::new(format!("the prices cannot be read: {}", error.message())))?;
        if let Some(name) = own.values().flatten().find(|(_, price)| !price.sound()).map(|(name, _)| name) {
            return Err(PortError::new(format!("the price of `{name}` is no amount of money")));
        }
        let mut all = Self::default();
        for (host, models) in own {
            all.0.entry(host).or_default().extend(models);
        }
        Ok(all)
    }

    /// The price of a model at a host.
    #[must_use]
    pub fn of(&self, host: &str, model: &str) -> Option<Price> {
        let models = self.0.get(host)?;
        models.get(model).or_else(|| models.get(undated(model))).copied()
    }
}

/// A name without `-latest`, `-20250929` or `-2025-08-07` behind it.
fn undated(model: &str) -> &str {
    if let Some(bare) = model.strip_suffix("-latest") {
        return bare;
    }
    let digits = model.trim_end_matches(|c: char| c.is_ascii_digit() || c == '-');
    let tail = model.get(digits.len()..).unwrap_or_default().trim_start_matches('-');
    // Of `sonnet-4-5-20250929` only the date goes.
    for form in [8, 10] {
        let Some(date) = tail.len().checked_sub(form).and_then(|at| tail.get(at..)) else { continue };
        let plain = if form == 8 { date.to_owned() } else { date.replace('-', "") };
        let hyphens = form == 8 || date.match_indices('-').map(|(at, _)| at).eq([4, 7]);
        if hyphens && plain.len() == 8 && plain.starts_with("20") && plain.chars().all(|c| c.is_ascii_digit()) {
            return model.get(..model.len() - form).unwrap_or(model).trim_end_matches('-');
        }
    }
    model
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bundled_table_is_sound() {
        let prices: BTreeMap<String, BTreeMap<String, Price>> = toml::from_str(BUNDLED).unwrap();
        assert!(prices.values().flatten().count() > 10);
        assert!(prices.values().flatten().all(|(_, price)| price.sound() && price.input > 0.0));
    }

    #[test]
    fn a_model_is_found_by_its_name_and_its_dated_names_and_nothing_else_is() {
        let prices = Prices::default();
        let check = |host: &str, model: &str, input: Option<f64>| {
            assert_eq!(prices.of(host, model).map(|price| price.input), input, "{host} {model}");
        };
        check("api.openai.com", "gpt-4o", Some(2.5));
        check("api.openai.com", "gpt-4o-2024-08-06", Some(2.5));
        check("api.openai.com", "gpt-5-pro", None);
        check("api.openai.com", "gpt-5.1", None);
        check("api.anthropic.com", "claude-sonnet-4-5-20250929", Some(3.0));
        check("api.anthropic.com", "claude-3-5-haiku-latest", Some(0.8));
        check("api.anthropic.com", "claude-sonnet-4-20250514", Some(3.0));
        check("localhost", "gpt-4o", None);
    }

    #[test]
    fn a_users_price_wins_and_cached_tokens_have_their_own() {
        let prices = Prices::with("[\"localhost\"]\n\"qwen\" = { in = 1.0, cached = 0.1, out = 2.0 }\n").unwrap();
        let tokens = Tokens { input: 1_000_000, cached: 500_000, output: 1_000_000, estimated: false };
        assert_eq!(prices.of("localhost", "qwen").unwrap().of(&tokens), 0.5 + 0.05 + 2.0);
        assert!(Prices::with("[\"h\"]\n\"m\" = { in = -1, out = 0 }\n").is_err());
    }
}
