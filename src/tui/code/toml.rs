//! Colours of TOML, of which the grammars know nothing: comments, keys, tables, strings, numbers.

use super::painter::length;
use crate::tui::theme::Role;

/// Where a line of TOML stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Toml {
    /// The quotes that end a string of several lines.
    open: Option<&'static str>,
}

impl Toml {
    /// The pieces of the next line, which is clean.
    pub(super) fn paint(&mut self, line: &str) -> Vec<(u16, Role)> {
        let mut pieces: Vec<(u16, Role)> = Vec::new();
        let mut push = |bytes: usize, role: Role| match pieces.last_mut() {
            Some((length, last)) if *last == role => *length += self::length(bytes),
            Some(_) | None => pieces.push((length(bytes), role)),
        };
        let mut rest = line;
        if self.open.is_none() && rest.trim_start().starts_with('[') && rest.trim_end().ends_with(']') {
            let name = rest.trim().trim_matches(['[', ']']);
            if name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '"' | ' ')) {
                return vec![(length(rest.len()), Role::CodeKeyword)];
            }
        }
        while !rest.is_empty() {
            let (taken, role) = self.next(rest);
            let taken = taken.clamp(1, rest.len());
            let taken = (taken..=rest.len()).find(|at| rest.is_char_boundary(*at)).unwrap_or(rest.len());
            push(taken, role);
            rest = rest.get(taken..).unwrap_or_default();
        }
        pieces
    }

    /// How many bytes the next piece takes, and what it is.
    fn next(&mut self, rest: &str) -> (usize, Role) {
        if let Some(quotes) = self.open {
            return match rest.find(quotes) {
                Some(at) => {
                    self.open = None;
                    (at + quotes.len(), Role::CodeString)
                }
                None => (rest.len(), Role::CodeString),
            };
        }
        for quotes in ["\"\"\"", "'''"] {
            if rest.starts_with(quotes) {
                self.open = Some(quotes);
                return (quotes.len(), Role::CodeString);
            }
        }
        match rest.chars().next() {
            Some('#') => (rest.len(), Role::CodeComment),
            Some(quote @ ('"' | '\'')) => {
                let taken = string(rest, quote);
                let key = rest.get(taken..).is_some_and(|after| after.trim_start().starts_with('='));
                (taken, if key { Role::CodeName } else { Role::CodeString })
            }
            Some(c) if c.is_alphanumeric() || matches!(c, '_' | '-' | '+') => {
                let word = rest.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '+' | ':')));
                let word = word.into_iter().next().unwrap_or_default();
                let after = rest.get(word.len()..).unwrap_or_default().trim_start();
                let role = if after.starts_with('=') {
                    Role::CodeFunction
                } else if matches!(word, "true" | "false") || word.contains(|c: char| c.is_ascii_digit()) {
                    Role::CodeNumber
                } else {
                    Role::Text
                };
                (word.len(), role)
            }
            Some(c) => (c.len_utf8(), Role::Text),
            None => (1, Role::Text),
        }
    }
}

/// Bytes of a string of one line with its quotes.
fn string(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' if quote == '"' => escaped = true,
            c if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}
