//! Finds actions by a few letters of what they do.

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use super::super::action::{Entry, TABLE};

/// The actions that match, best first; all of them where nothing was typed.
pub(in crate::tui) fn matches(typed: &str) -> Vec<&'static Entry> {
    let typed = typed.trim();
    if typed.is_empty() {
        return TABLE.iter().collect();
    }
    let mut matcher = Matcher::new(Config::DEFAULT);
    let pattern = Pattern::parse(typed, CaseMatching::Ignore, Normalization::Smart);
    let mut found: Vec<(u32, &Entry)> = TABLE
        .iter()
        .filter_map(|entry| {
            let mut buffer = Vec::new();
            let by_name = pattern.score(Utf32Str::new(entry.name, &mut buffer), &mut matcher);
            let mut buffer = Vec::new();
            let by_words = pattern.score(Utf32Str::new(entry.says, &mut buffer), &mut matcher);
            // A match in the name counts more than one in the sentence.
            Some((by_name.map(|score| score * 2).max(by_words)?, entry))
        })
        .collect();
    found.sort_by_key(|(score, entry)| (std::cmp::Reverse(*score), entry.action));
    found.into_iter().map(|(_, entry)| entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_action_is_found_by_what_it_does() {
        let first = |typed: &str| matches(typed).first().map_or("", |entry| entry.name);
        assert_eq!(first("breakp"), "breakpoints");
        assert_eq!(first("fork"), "fork");
        assert_eq!(first("run again"), "again");
        assert!(matches("zzzzqq").is_empty());
        assert_eq!(matches("").len(), TABLE.len());
    }
}
