//! The configuration, each value with its origin: default, file, environment, flag; the later wins.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use toml::de::{DeTable, DeValue};

use super::recall::RecallMode;
use super::settings::{Backward, Discover, Key, Motion, Values, Wrong};
use crate::model::{Approval, Diagnostic, did_you_mean};

/// The network that runs where nobody names one.
const DEFAULT_NETWORK: &str = "symbolic";

/// The one that runs instead where there are models to ask, if it exists.
pub(crate) const MODELS_NETWORK: &str = "mop";

/// Tables of the file that others read: which models there are.
const ELSEWHERE: [&str; 3] = ["models", "endpoints", "ca"];

/// Where a value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Nobody set it.
    Default,
    /// A line of a file.
    File {
        /// The file.
        path: String,
        /// Line, from 1.
        line: usize,
    },
    /// A variable of the environment.
    Env {
        /// Its name.
        name: String,
    },
    /// The command line.
    Flag,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.pad("default"),
            Self::File { path, line } => write!(f, "{path}:{line}"),
            Self::Env { name } => f.pad(name),
            Self::Flag => f.pad("flag"),
        }
    }
}

/// The configuration in force.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    values: Values,
    origins: BTreeMap<Key, Origin>,
    /// The network that runs where nobody names one.
    usual: &'static str,
}

impl Config {
    /// Reads the configuration from a file and what the caller found in the environment and on the command line.
    ///
    /// `env` gives the value of a variable; `flags` holds values by key. Nothing here fails: what cannot be used is reported
    /// and the value before it, in the end the default, stays.
    #[must_use]
    pub fn load(path: &Path, env: &dyn Fn(&str) -> Option<String>, flags: &[(Key, String)]) -> (Self, Vec<Diagnostic>) {
        let name = path.to_string_lossy();
        let (text, unread) = match fs::read(path).map(String::from_utf8) {
            Ok(Ok(text)) => (text, None),
            Ok(Err(error)) => {
                let sound = error.utf8_error().valid_up_to();
                let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
                (String::new(), Some(Diagnostic::at(&name, &text, sound, "not UTF-8, so defaults are used")))
            }
            Err(error) if error.kind() == ErrorKind::NotFound => (String::new(), None),
            Err(error) => {
                let message = format!("cannot be read, so defaults are used: {error}");
                (String::new(), Some(Diagnostic::at(&name, "", 0, message)))
            }
        };
        let (config, mut problems) = Self::read(&name, &text, env, flags);
        problems.splice(0..0, unread);
        (config, problems)
    }

    /// The same, from the text of a file.
    #[must_use]
    pub fn read(
        path: &str,
        text: &str,
        env: &dyn Fn(&str) -> Option<String>,
        flags: &[(Key, String)],
    ) -> (Self, Vec<Diagnostic>) {
        let mut config = Self { values: Values::default(), origins: BTreeMap::new(), usual: DEFAULT_NETWORK };
        let mut problems = Vec::new();
        config.take_file(path, text, &mut problems);
        for key in Key::ALL {
            let name = key.variable();
            if let Some(value) = env(&name).filter(|value| !value.is_empty()) {
                config.take(*key, &value, Origin::Env { name: name.clone() }, &name, &mut problems);
            }
        }
        for (key, value) in flags {
            config.take(*key, value, Origin::Flag, &format!("--{}", key.name()), &mut problems);
        }
        (config, problems)
    }

    /// Which network runs: a name, or the path of a folder.
    #[must_use]
    pub fn network(&self) -> &str {
        self.values.network.as_deref().unwrap_or(self.usual)
    }

    /// Models can be asked, so the network that is made for them runs where nobody names one.
    pub fn with_models(&mut self) {
        self.usual = MODELS_NETWORK;
    }

    /// Seed of every random choice; none means that one is drawn.
    #[must_use]
    pub fn seed(&self) -> Option<u64> {
        self.values.seed
    }

    /// Who decides proposals.
    #[must_use]
    pub fn approval(&self) -> Approval {
        self.values.approval
    }

    /// Cap on the cycles of an episode.
    #[must_use]
    pub fn max_cycles(&self) -> Option<u32> {
        self.values.max_cycles
    }

    /// Cap on tokens.
    #[must_use]
    pub fn max_tokens(&self) -> Option<u64> {
        self.values.max_tokens
    }

    /// Cap on money, in US dollars.
    #[must_use]
    pub fn max_cost(&self) -> Option<f64> {
        self.values.max_cost
    }

    /// Cap on the wall clock of an episode, milliseconds.
    #[must_use]
    pub fn timeout_ms(&self) -> Option<u64> {
        self.values.timeout_ms
    }

    /// Script workers; none means as many as the machine suggests.
    #[must_use]
    pub fn workers(&self) -> Option<usize> {
        self.values.workers
    }

    /// Whether the backward pass runs by itself.
    #[must_use]
    pub fn backward(&self) -> Backward {
        self.values.backward
    }

    /// Whether solved questions are recalled and kept.
    #[must_use]
    pub fn recall(&self) -> RecallMode {
        self.values.recall
    }

    /// Where replies of language models come from: `manual` (the user types them in the terminal interface), or `record`,
    /// `replay`, `scripted` or `manual` with `:` and a path, each with `,record:FILE` after it where the replies are to be kept;
    /// none means the configured servers.
    #[must_use]
    pub fn provider(&self) -> Option<&str> {
        self.values.provider.as_deref()
    }

    /// The model of all tiers, `model` or `endpoint/model`; none means what `[models]` says of each tier.
    #[must_use]
    pub fn model(&self) -> Option<&str> {
        self.values.model.as_deref()
    }

    /// Puts a model in the place of the one that was asked for, where that is the same under its full name.
    pub fn settle_model(&mut self, name: String) {
        self.values.model = Some(name);
    }

    /// Whether the terminal interface looks for servers of models by itself.
    #[must_use]
    pub fn discover(&self) -> Discover {
        self.values.discover
    }

    /// Colours of the terminal interface: the name of a theme; none means the terminal's own.
    #[must_use]
    pub fn theme(&self) -> Option<&str> {
        self.values.theme.as_deref()
    }

    /// Whether a question asked in the terminal interface stands still before its first program.
    #[must_use]
    pub fn step(&self) -> bool {
        self.values.step
    }

    /// Whether the terminal interface takes the mouse.
    #[must_use]
    pub fn mouse(&self) -> bool {
        self.values.mouse
    }

    /// What moves by itself on the screen.
    #[must_use]
    pub fn motion(&self) -> Motion {
        self.values.motion
    }

    /// Whether the terminal interface draws in ASCII only.
    #[must_use]
    pub fn ascii(&self) -> bool {
        self.values.ascii
    }

    /// Where a value came from.
    #[must_use]
    pub fn origin(&self, key: Key) -> &Origin {
        self.origins.get(&key).unwrap_or(&Origin::Default)
    }

    /// Every setting with its value and origin; `-` stands for no value.
    #[must_use]
    pub fn show(&self) -> Vec<(&'static str, String, String)> {
        let text = |key: Key| match key {
            Key::Network => self.network().to_owned(),
            _ => self.values.text(key).unwrap_or_else(|| "-".to_owned()),
        };
        Key::ALL.iter().map(|key| (key.name(), text(*key), self.origin(*key).to_string())).collect()
    }

    fn take(&mut self, key: Key, text: &str, origin: Origin, place: &str, problems: &mut Vec<Diagnostic>) {
        match self.values.set(key, text) {
            Ok(()) => {
                self.origins.insert(key, origin);
            }
            Err(Wrong { message, hint }) => problems.push(Diagnostic::at(place, text, 0, message).hint(hint)),
        }
    }

    fn take_file(&mut self, path: &str, text: &str, problems: &mut Vec<Diagnostic>) {
        let table = match DeTable::parse(text) {
            Ok(table) => table,
            Err(error) => {
                let mut problem = Diagnostic::from_toml(path, text, 0, &error);
                problem.message.push_str(", so defaults are used");
                problems.push(problem);
                return;
            }
        };
        let mut entries: Vec<_> = table.get_ref().iter().collect();
        entries.sort_by_key(|(name, _)| name.span().start);
        for (name, value) in entries {
            let place = |at: usize, message: String| Diagnostic::at(path, text, at, message);
            if ELSEWHERE.contains(&name.get_ref().as_ref()) {
                continue;
            }
            let Some(key) = Key::from_name(name.get_ref()) else {
                let hint = did_you_mean(name.get_ref(), Key::ALL.iter().map(|key| key.name()));
                let message = format!("no setting is called `{}`", name.get_ref());
                problems.push(place(name.span().start, message).hint(hint).warning());
                continue;
            };
            let start = value.span().start;
            let set = plain(value.get_ref())
                .ok_or_else(|| Wrong { message: format!("`{}` must be one value", key.name()), hint: None })
                .and_then(|text| self.values.set(key, &text));
            match set {
                Ok(()) => {
                    let line = place(start, String::new()).line;
                    self.origins.insert(key, Origin::File { path: path.to_owned(), line });
                }
                Err(Wrong { message, hint }) => problems.push(place(start, message).hint(hint)),
            }
        }
    }
}

/// The text of a single value, as it would stand in the environment.
fn plain(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.clone().into_owned()),
        DeValue::Integer(number) if number.radix() == 10 => Some(number.as_str().to_owned()),
        DeValue::Integer(number) => u64::from_str_radix(number.as_str(), number.radix()).ok().map(|n| n.to_string()),
        DeValue::Float(number) => Some(number.as_str().to_owned()),
        DeValue::Boolean(truth) => Some(truth.to_string()),
        DeValue::Datetime(_) | DeValue::Array(_) | DeValue::Table(_) => None,
    }
}
