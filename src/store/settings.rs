//! The settings that there are, and how each is read from text.

use crate::model::{Approval, did_you_mean};

use super::recall::RecallMode;

/// Whether the backward pass runs after each episode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backward {
    /// It does.
    #[default]
    Auto,
    /// It runs when asked.
    Off,
}

/// Whether the terminal interface looks for servers of models by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Discover {
    /// Where no model is configured.
    #[default]
    Auto,
    /// Only when the user asks.
    Off,
}

macro_rules! keys {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)*) => {
        /// One setting.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Key {
            $($(#[$doc])* $variant,)*
        }

        impl Key {
            /// All settings, in the order in which they are shown.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Its name in files and, with two hyphens, on the command line.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }
    };
}

keys! {
    /// Which network runs.
    Network = "network",
    /// Seed of every random choice; none means that one is drawn.
    Seed = "seed",
    /// Who decides proposals.
    Approval = "approval",
    /// Cap on the cycles of an episode.
    MaxCycles = "max-cycles",
    /// Cap on tokens.
    MaxTokens = "max-tokens",
    /// Cap on money, in US dollars.
    MaxCost = "max-cost",
    /// Cap on the wall clock of an episode, milliseconds.
    TimeoutMs = "timeout-ms",
    /// Script workers; none means as many as the machine suggests.
    Workers = "workers",
    /// Whether the backward pass runs by itself.
    Backward = "backward",
    /// Whether solved questions are recalled and kept: `on`, `off`, or `frozen`, which only reads.
    Recall = "recall",
    /// Where replies of language models come from: none means the configured servers.
    Provider = "provider",
    /// The model of all tiers: none means what `[models]` says of each.
    Model = "model",
    /// Whether the terminal interface looks for servers of models where none is configured.
    Discover = "discover",
    /// Colours of the terminal interface: `terminal`, or the name of a theme.
    Theme = "theme",
    /// Whether a question asked in the terminal interface stands still before its first program.
    Step = "step",
    /// Whether the terminal interface takes the mouse.
    Mouse = "mouse",
    /// What moves by itself on the screen.
    Motion = "motion",
    /// Whether the terminal interface draws in ASCII only.
    Ascii = "ascii",
}

/// What moves by itself on the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Motion {
    /// Whatever helps to see that something goes on.
    #[default]
    Full,
    /// Words that say how it stands, and the seconds of what runs.
    Status,
    /// Nothing.
    None,
}

impl Key {
    /// Its name in the environment.
    #[must_use]
    pub fn variable(self) -> String {
        format!("MOP_{}", self.name().to_uppercase().replace('-', "_"))
    }

    /// The setting of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|key| key.name() == name)
    }
}

/// A value that one of the sources gave.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Values {
    pub(crate) network: Option<String>,
    pub(crate) seed: Option<u64>,
    pub(crate) approval: Approval,
    pub(crate) max_cycles: Option<u32>,
    pub(crate) max_tokens: Option<u64>,
    pub(crate) max_cost: Option<f64>,
    pub(crate) timeout_ms: Option<u64>,
    pub(crate) workers: Option<usize>,
    pub(crate) backward: Backward,
    pub(crate) recall: RecallMode,
    pub(crate) provider: Option<String>,
    pub(crate) model: Option<String>,
    pub(crate) discover: Discover,
    pub(crate) theme: Option<String>,
    pub(crate) step: bool,
    pub(crate) mouse: bool,
    pub(crate) motion: Motion,
    pub(crate) ascii: bool,
}

/// What a value should have been, and how to get there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wrong {
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
}

impl Values {
    /// Sets one value from its text.
    pub(crate) fn set(&mut self, key: Key, text: &str) -> Result<(), Wrong> {
        match key {
            Key::Network => self.network = Some(network(text)?),
            Key::Seed => self.seed = Some(number(key, text, 0, u64::MAX)?),
            Key::Approval => self.approval = one_of(key, text, &APPROVALS)?,
            Key::MaxCycles => self.max_cycles = Some(number(key, text, 1, 10_000)?),
            Key::MaxTokens => self.max_tokens = Some(number(key, text, 1, u64::MAX)?),
            Key::MaxCost => self.max_cost = Some(money(key, text)?),
            Key::TimeoutMs => self.timeout_ms = Some(number(key, text, 1, u64::MAX)?),
            Key::Workers => self.workers = Some(number(key, text, 1, 256)?),
            Key::Backward => self.backward = one_of(key, text, &BACKWARDS)?,
            Key::Recall => self.recall = one_of(key, text, &RECALLS)?,
            Key::Provider => self.provider = provider(text)?,
            Key::Model => self.model = Some(model(text)?),
            Key::Discover => self.discover = one_of(key, text, &DISCOVERS)?,
            Key::Theme => self.theme = Some(text.to_owned()),
            Key::Step => self.step = one_of(key, text, &SWITCH)?,
            Key::Mouse => self.mouse = one_of(key, text, &SWITCH)?,
            Key::Motion => self.motion = one_of(key, text, &MOTIONS)?,
            Key::Ascii => self.ascii = one_of(key, text, &SWITCH)?,
        }
        Ok(())
    }

    /// The text of one value; none where there is no value.
    pub(crate) fn text(&self, key: Key) -> Option<String> {
        match key {
            Key::Network => self.network.clone(),
            Key::Seed => self.seed.map(|number| number.to_string()),
            Key::Approval => Some(name_of(self.approval, &APPROVALS)),
            Key::MaxCycles => self.max_cycles.map(|number| number.to_string()),
            Key::MaxTokens => self.max_tokens.map(|number| number.to_string()),
            Key::MaxCost => self.max_cost.map(|number| number.to_string()),
            Key::TimeoutMs => self.timeout_ms.map(|number| number.to_string()),
            Key::Workers => self.workers.map(|number| number.to_string()),
            Key::Backward => Some(name_of(self.backward, &BACKWARDS)),
            Key::Recall => Some(name_of(self.recall, &RECALLS)),
            Key::Provider => self.provider.clone(),
            Key::Model => self.model.clone(),
            Key::Discover => Some(name_of(self.discover, &DISCOVERS)),
            Key::Theme => self.theme.clone(),
            Key::Step => Some(name_of(self.step, &SWITCH)),
            Key::Mouse => Some(name_of(self.mouse, &SWITCH)),
            Key::Motion => Some(name_of(self.motion, &MOTIONS)),
            Key::Ascii => Some(name_of(self.ascii, &SWITCH)),
        }
    }
}

const APPROVALS: [(&str, Approval); 3] =
    [("reject", Approval::Reject), ("rules", Approval::Rules), ("accept", Approval::Accept)];
const SWITCH: [(&str, bool); 4] = [("on", true), ("off", false), ("true", true), ("false", false)];
const MOTIONS: [(&str, Motion); 3] = [("full", Motion::Full), ("status", Motion::Status), ("none", Motion::None)];
const RECALLS: [(&str, RecallMode); 5] = [
    ("on", RecallMode::On),
    ("off", RecallMode::Off),
    ("frozen", RecallMode::Frozen),
    ("true", RecallMode::On),
    ("false", RecallMode::Off),
];
const DISCOVERS: [(&str, Discover); 2] = [("auto", Discover::Auto), ("off", Discover::Off)];
const BACKWARDS: [(&str, Backward); 2] = [("auto", Backward::Auto), ("off", Backward::Off)];

fn network(text: &str) -> Result<String, Wrong> {
    match text.trim().is_empty() || text.len() > 4096 {
        true => Err(Wrong {
            message: "`network` names nothing".into(),
            hint: Some("give the name of a network or the path of its folder".into()),
        }),
        false => Ok(text.to_owned()),
    }
}

/// `live` (none), `manual`, or where else replies come from, with a path; `,record:FILE` after any of them keeps the replies.
fn provider(text: &str) -> Result<Option<String>, Wrong> {
    let (source, kept) = match text.split_once(",record:") {
        Some((source, file)) => (source, Some(file)),
        None => (text, None),
    };
    let known = match source.split_once(':') {
        None => matches!(source, "live" | "manual"),
        Some(("replay" | "scripted" | "manual", path)) => !path.trim().is_empty(),
        Some(("record", path)) => !path.trim().is_empty() && kept.is_none(),
        Some(_) => false,
    };
    if known && kept.is_none_or(|file| !file.trim().is_empty()) {
        return Ok((text != "live").then(|| text.to_owned()));
    }
    Err(Wrong {
        message: "`provider` names no source of replies".into(),
        hint: Some(
            "give live, manual, manual:FOLDER, record:FILE, replay:FILE or scripted:FILE; `,record:FILE` after one keeps \
             its replies"
                .into(),
        ),
    })
}

fn model(text: &str) -> Result<String, Wrong> {
    let name = text.trim();
    match name.is_empty() || name.len() > 400 || name.chars().any(char::is_control) {
        true => Err(Wrong {
            message: "`model` names nothing".into(),
            hint: Some("give the name of a model, or ENDPOINT/MODEL".into()),
        }),
        false => Ok(name.to_owned()),
    }
}

fn number<T: TryFrom<u64> + std::fmt::Display + Copy>(key: Key, text: &str, least: u64, most: T) -> Result<T, Wrong>
where
    u64: TryFrom<T>,
{
    let top = u64::try_from(most).unwrap_or(u64::MAX);
    let read = text.parse::<u64>().ok().filter(|number| (least..=top).contains(number));
    read.and_then(|number| T::try_from(number).ok()).ok_or_else(|| Wrong {
        message: format!("`{}` is not such a number", key.name()),
        hint: Some(format!("give a whole number from {least} to {most}")),
    })
}

fn money(key: Key, text: &str) -> Result<f64, Wrong> {
    let read = text.parse::<f64>().ok().filter(|amount| amount.is_finite() && *amount >= 0.0);
    read.ok_or_else(|| Wrong {
        message: format!("`{}` is no amount of money", key.name()),
        hint: Some("give US dollars as a number, 0 or more".into()),
    })
}

fn one_of<T: Copy>(key: Key, text: &str, all: &[(&str, T)]) -> Result<T, Wrong> {
    let found = all.iter().find(|(name, _)| *name == text).map(|(_, value)| *value);
    found.ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
        let hint = did_you_mean(text, names.iter().copied());
        Wrong {
            message: format!("`{}` cannot be `{}`", key.name(), text.chars().take(40).collect::<String>()),
            hint: Some(hint.unwrap_or_else(|| format!("give one of {}", names.join(", ")))),
        }
    })
}

fn name_of<T: Copy + PartialEq>(value: T, all: &[(&str, T)]) -> String {
    all.iter().find(|(_, known)| *known == value).map(|(name, _)| (*name).to_owned()).unwrap_or_default()
}
