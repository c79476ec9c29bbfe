//! Breakpoints, and how a user writes and reads them.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Contract, Cycle, Expr, ProgramName, Section, did_you_mean};

/// Where a run stops by itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Breakpoint {
    /// Before this program runs.
    Program(ProgramName),
    /// Before any program of this contract runs.
    Contract(Contract),
    /// Before this cycle.
    Cycle(Cycle),
    /// After a proposal was raised.
    Proposal,
    /// After a tool of this name was called.
    Tool(String),
    /// After a contribution to this section.
    Wrote(Section),
    /// After J changed by less than this.
    DeltaBelow(f64),
    /// After J rose above this.
    Above(f64),
    /// When the entropy of the choice, in nats, exceeds this.
    Entropy(f64),
    /// After an activation failed.
    Failure,
    /// When more dollars than this were spent.
    Spent(f64),
    /// When a program asks the user.
    Question,
    /// When the expression holds.
    When(Expr),
}

/// How breakpoints are written, each with what it does.
pub const BREAKPOINT_FORMS: [(&str, &str); 13] = [
    ("dJ < 0", "after J fell (or changed by less than the number)"),
    ("J > 0.8", "after J rose above the number"),
    ("program NAME", "before this program runs"),
    ("contract critic", "before any program of this contract runs"),
    ("cycle 5", "before this cycle"),
    ("wrote draft", "after something was written to this section"),
    ("tool NAME", "after this tool was called"),
    ("proposal", "after an edit of a program was proposed"),
    ("entropy > 1", "when it is less clear than this, in nats, who runs next"),
    ("error", "after a program failed"),
    ("question", "when a program asks you"),
    ("spend > 1", "when more dollars than this were spent"),
    ("when EXPRESSION", "when an expression over the state holds: when wm.draft and j < 0.5"),
];

impl Breakpoint {
    /// Reads a breakpoint as a user writes it; see [`BREAKPOINT_FORMS`]. What is none of these is taken as an expression.
    ///
    /// # Errors
    /// When it is no breakpoint: what is wrong, and what was meant perhaps.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        let named = |what: &str| match rest {
            "" => Err(format!("{word} needs {what}: {word} {}", what.to_uppercase())),
            _ => Ok(rest),
        };
        match word.to_lowercase().as_str() {
            "" => Err("a breakpoint needs words, such as dJ < 0".to_owned()),
            "program" => named("name").map(|name| Self::Program(ProgramName::new(name))),
            "contract" => {
                let name = named("name")?;
                Contract::from_name(name).map(Self::Contract).ok_or_else(|| {
                    let hint = did_you_mean(name, Contract::ALL.iter().map(|contract| contract.name()));
                    format!("no contract is called `{name}`; {}", hint.unwrap_or_default())
                })
            }
            "cycle" => {
                let number = named("number")?;
                number.parse().map(|number| Self::Cycle(Cycle(number))).map_err(|_| format!("`{number}` is no cycle"))
            }
            "wrote" => named("section").map(|section| Self::Wrote(Section::new(section))),
            "tool" => named("name").map(|name| Self::Tool(name.to_owned())),
            "proposal" if rest.is_empty() => Ok(Self::Proposal),
            "error" | "failure" if rest.is_empty() => Ok(Self::Failure),
            "question" if rest.is_empty() => Ok(Self::Question),
            "when" => Self::expression(named("expression")?),
            _ => match Self::compared(text) {
                Some(found) => found,
                None => Self::expression(text),
            },
        }
    }

    /// `dJ < x`, `J > x`, `entropy > x`, `spend > x`.
    fn compared(text: &str) -> Option<Result<Self, String>> {
        let at = text.find(['<', '>'])?;
        let (name, rest) = text.split_at(at);
        let (sign, number) = rest.split_at(1);
        let make = match (name.trim().to_lowercase().as_str(), sign) {
            ("dj" | "δj" | "deltaj" | "delta j" | "delta", "<") => Self::DeltaBelow,
            ("j", ">") => Self::Above,
            ("entropy", ">") => Self::Entropy,
            ("spend" | "spent", ">") => Self::Spent,
            _ => return None,
        };
        let number = number.trim();
        let value = number.parse::<f64>().ok().filter(|value| value.is_finite());
        Some(value.map(make).ok_or_else(|| format!("`{number}` is no number")))
    }

    fn expression(text: &str) -> Result<Self, String> {
        Expr::new(text).map(Self::When).map_err(|error| error.to_string())
    }
}

impl fmt::Display for Breakpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Program(name) => write!(f, "program {name}"),
            Self::Contract(contract) => write!(f, "contract {contract}"),
            Self::Cycle(cycle) => write!(f, "cycle {cycle}"),
            Self::Proposal => write!(f, "proposal"),
            Self::Tool(tool) => write!(f, "tool {tool}"),
            Self::Wrote(section) => write!(f, "wrote {section}"),
            Self::DeltaBelow(limit) => write!(f, "dJ < {limit}"),
            Self::Above(limit) => write!(f, "J > {limit}"),
            Self::Entropy(limit) => write!(f, "entropy > {limit}"),
            Self::Failure => write!(f, "error"),
            Self::Spent(limit) => write!(f, "spend > {limit}"),
            Self::Question => write!(f, "question"),
            Self::When(expression) => write!(f, "when {}", expression.source()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        for text in [
            "dJ < 0",
            "dJ < -0.25",
            "J > 0.8",
            "program p",
            "contract critic",
            "cycle 5",
            "wrote draft",
            "tool satisfying",
            "proposal",
            "entropy > 1",
            "error",
            "question",
            "spend > 1.5",
            "when j < 0.5 and wm.draft",
        ] {
            assert_eq!(Breakpoint::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(Breakpoint::parse("ΔJ<0").unwrap(), Breakpoint::DeltaBelow(0.0));
        assert_eq!(Breakpoint::parse("j < 0.5").unwrap().to_string(), "when j < 0.5");
    }

    #[test]
    fn mistakes_are_named() {
        for (text, part) in [
            ("", "needs words"),
            ("contract critik", "critic"),
            ("cycle five", "no cycle"),
            ("dJ < x", "no number"),
            ("program", "program NAME"),
            ("when", "EXPRESSION"),
            ("j <", "in `j <`"),
        ] {
            let error = Breakpoint::parse(text).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
