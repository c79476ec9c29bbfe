//! Mistakes in files, said as file:line:column with the line, a caret and a hint.

use std::fmt;
use std::ops::Range;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The program or network is left out.
    Error,
    /// It is used; something is likely not meant so.
    Warning,
}

/// One mistake in one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The file.
    pub path: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong, in one clause.
    pub message: String,
    /// What to do next.
    pub hint: Option<String>,
    /// The text of the line.
    pub excerpt: String,
}

impl Diagnostic {
    /// Places an error at a byte offset of a text.
    pub fn at(path: &str, text: &str, offset: usize, message: impl Into<String>) -> Self {
        let mut offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let before = &text[..offset];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        Self {
            severity: Severity::Error,
            path: path.to_owned(),
            line: before.matches('\n').count() + 1,
            column: text[line_start..offset].chars().count() + 1,
            message: message.into(),
            hint: None,
            excerpt: without_keys(path, text[line_start..].lines().next().unwrap_or_default()),
        }
    }

    /// Adds what to do next.
    #[must_use]
    pub fn hint(mut self, hint: Option<String>) -> Self {
        self.hint = hint;
        self
    }

    /// Makes it a warning.
    #[must_use]
    pub fn warning(mut self) -> Self {
        self.severity = Severity::Warning;
        self
    }

    /// Turns a TOML error into a diagnostic; `base` is where the TOML text starts in the file.
    #[must_use]
    pub fn from_toml(path: &str, text: &str, base: usize, error: &toml::de::Error) -> Self {
        let Range { start, .. } = error.span().unwrap_or(0..0);
        let message = error.message().lines().next().unwrap_or("not valid TOML").to_owned();
        let hint = unknown_field_hint(&message);
        Self::at(path, text, base + start, message).hint(hint)
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        writeln!(f, "{}:{}:{}: {word}: {}", self.path, self.line, self.column, self.message)?;
        let number = self.line.to_string();
        writeln!(f, "{number} | {}", self.excerpt)?;
        write!(f, "{} | {}^", " ".repeat(number.len()), " ".repeat(self.column.saturating_sub(1)))?;
        if let Some(hint) = &self.hint {
            write!(f, "\n{}   hint: {hint}", " ".repeat(number.len()))?;
        }
        Ok(())
    }
}

/// The candidate nearest to a misspelt word, where one is near enough to be meant.
pub fn did_you_mean<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(word, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= 1 + candidate.len() / 4)
        .min()
        .map(|(_, candidate)| format!("did you mean `{candidate}`?"))
}

/// Serde's own message lists what it expected; the nearest of those is the hint.
fn unknown_field_hint(message: &str) -> Option<String> {
    let mut quoted = message.split('`').skip(1).step_by(2);
    let (word, rest): (_, Vec<_>) = (quoted.next()?, quoted.collect());
    if !message.starts_with("unknown") {
        return None;
    }
    did_you_mean(word, rest.iter().copied()).or_else(|| Some(format!("known here: {}", rest.join(", "))))
}

/// A line of the configuration without a key that somebody wrote where its name belongs: what is printed ends up in logs.
fn without_keys(path: &str, line: &str) -> String {
    if !path.ends_with("config.toml") || !line.to_lowercase().contains("key") {
        return line.to_owned();
    }
    let is_key = |word: &str| {
        let names = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
        word.len() >= 12 && word.contains(|c: char| c.is_ascii_digit()) && !word.chars().all(names)
    };
    let parted = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '=' | ',');
    line.split_inclusive(parted)
        .map(|piece| {
            let word = piece.trim_end_matches(parted);
            if is_key(word) { format!("[key]{}", &piece[word.len()..]) } else { piece.to_owned() }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_in_the_configuration_is_not_shown_and_its_name_is() {
        let check = |line: &str, shown: &str| assert_eq!(Diagnostic::at("a/config.toml", line, 0, "x").excerpt, shown);
        check("api-key = \"sk-abc-0123456789\"", "api-key = \"[key]\"");
        check("key = sk-abc-0123456789", "key = [key]");
        check("key = \"OPENAI_API_KEY_2\"", "key = \"OPENAI_API_KEY_2\"");
        check("url = \"http://127.0.0.1:8081/v1\"", "url = \"http://127.0.0.1:8081/v1\"");
    }
}
