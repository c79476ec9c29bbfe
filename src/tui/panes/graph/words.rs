//! Foreign text, made safe and short enough to be worked with for every frame.

use crate::tui::text;

/// Most characters of one foreign text that are looked at.
const LOOKED_AT: usize = 2_000;

/// The beginning of a foreign text, clean; what is far longer than any screen is not looked at.
pub(super) fn excerpt(words: &str) -> String {
    excerpt_of(words, LOOKED_AT)
}

/// The same for text that gets one line at most.
pub(super) fn one_line(words: &str) -> String {
    excerpt_of(words, LOOKED_AT / 5)
}

fn excerpt_of(words: &str, most: usize) -> String {
    match words.char_indices().nth(most) {
        Some((at, _)) => format!("{} …", text::clean(words.get(..at).unwrap_or_default())),
        None => text::clean(words).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_long_is_cut_and_says_so() {
        assert_eq!(excerpt("a\u{1b}b"), "a\\x1bb");
        let long = one_line(&"漢".repeat(100_000));
        assert_eq!((long.chars().count(), long.ends_with(" …")), (402, true));
    }
}
