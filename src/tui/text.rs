//! Foreign text made safe to show, and the one place that says how many columns a text takes.
//!
//! What models, tools, files and memory hold may contain escape sequences, bidirectional overrides or emoji that terminals
//! measure differently. Everything that is drawn goes through [`clean`] first; what it returns is as wide in every terminal
//! as [`width`] says.

use std::borrow::Cow;

use unicode_width::UnicodeWidthChar;

/// Most combining marks that one character keeps.
const MARKS: usize = 2;
/// Columns of a tab.
const TAB: usize = 4;

/// Makes one line of foreign text safe: control characters and bidirectional controls become visible, and what terminals
/// measure differently is taken apart. A line break becomes a space.
#[must_use]
pub(super) fn clean(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| (0x20..0x7f).contains(&byte)) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len());
    let mut marks = MARKS;
    for c in text.chars() {
        match c {
            '\n' | '\r' => safe.push(' '),
            '\t' => safe.extend(std::iter::repeat_n(' ', TAB)),
            '\0'..='\x1f' | '\x7f'..='\u{9f}' => safe.push_str(&format!("\\x{:02x}", u32::from(c))),
            // Joiners, selectors and skin tones: emoji fall apart into pieces that are two columns wide everywhere.
            '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{fe00}'..='\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}' => continue,
            '\u{feff}' | '\u{ad}' | '\u{e0000}'..='\u{e0fff}' => continue,
            '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{61c}' => {
                safe.push_str(&format!("<U+{:04X}>", u32::from(c)));
            }
            '\u{2028}' | '\u{2029}' => safe.push(' '),
            // Flags are pairs of these; as letters they are one column each.
            '\u{1f1e6}'..='\u{1f1ff}' => {
                safe.push(char::from_u32(u32::from(c) - 0x1f1e6 + u32::from('A')).unwrap_or('?'));
            }
            _ => match c.width() {
                Some(0) if marks == 0 || safe.is_empty() => continue,
                Some(0) => {
                    marks -= 1;
                    safe.push(c);
                    continue;
                }
                Some(_) => safe.push(c),
                None => safe.push('?'),
            },
        }
        marks = MARKS;
    }
    Cow::Owned(safe)
}

/// The lines of foreign text, each made safe.
pub(super) fn clean_lines(text: &str) -> impl Iterator<Item = Cow<'_, str>> {
    text.lines().map(clean)
}

/// Columns that cleaned text takes.
#[must_use]
pub(super) fn width(text: &str) -> usize {
    text.chars().map(|c| c.width().unwrap_or(0)).sum()
}

/// The beginning of cleaned text in at most so many columns, with `…` where something is left out.
#[must_use]
pub(super) fn fit(text: &str, columns: usize) -> Cow<'_, str> {
    if width_is_at_most(text, columns) {
        return Cow::Borrowed(text);
    }
    if columns == 0 {
        return Cow::Borrowed("");
    }
    let (kept, _) = split_at(text, columns - 1);
    Cow::Owned(format!("{kept}…"))
}

/// Cleaned text in exactly so many columns: cut with `…`, or filled with spaces.
#[must_use]
pub(super) fn pad(text: &str, columns: usize) -> String {
    let kept = fit(text, columns);
    let space = columns.saturating_sub(width(&kept));
    format!("{kept}{}", " ".repeat(space))
}

/// Cleaned text in at most so many columns and at least one line, broken at spaces where there are any.
#[must_use]
pub(super) fn wrap(text: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(2);
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut used = 0;
    let words = text.split_inclusive(' ').flat_map(|piece| {
        let (word, space) = piece.split_at(piece.trim_end_matches(' ').len());
        [word, space]
    });
    for word in words.filter(|word| !word.is_empty()) {
        let (mut word, blank) = (word, word.trim().is_empty());
        if used > 0 && !width_is_at_most(word, columns.saturating_sub(used)) {
            lines.push(std::mem::take(&mut line).trim_end().to_owned());
            used = 0;
            if blank {
                continue;
            }
        }
        // A word of any length is gone through once.
        loop {
            let (kept, rest) = split_at(word, columns - used);
            line.push_str(kept);
            used += width(kept);
            if rest.is_empty() {
                break;
            }
            lines.push(std::mem::take(&mut line));
            (word, used) = (rest, 0);
        }
    }
    if !line.trim_end().is_empty() || lines.is_empty() {
        lines.push(line.trim_end().to_owned());
    }
    lines
}

/// Splits cleaned text so that the first piece takes at most so many columns.
#[must_use]
pub(super) fn split_at(text: &str, columns: usize) -> (&str, &str) {
    let mut used = 0;
    for (at, c) in text.char_indices() {
        used += c.width().unwrap_or(0);
        if used > columns {
            return text.split_at(at);
        }
    }
    (text, "")
}

fn width_is_at_most(text: &str, columns: usize) -> bool {
    text.len() <= columns || split_at(text, columns).1.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_text_is_shown_and_not_obeyed() {
        let check = |text: &str, expected: &str| assert_eq!(clean(text), expected, "{text:?}");
        check("plain", "plain");
        check("\x1b[2Jgone", "\\x1b[2Jgone");
        check("\u{9b}31m", "\\x9b31m");
        check("a\u{202e}b", "a<U+202E>b");
        check("👨‍👩‍👧", "👨👩👧");
        check("❤\u{fe0f}", "❤");
        check("🇫🇷", "FR");
        check("👍🏽", "👍");
        check("e\u{301}\u{301}\u{301}\u{301}", "e\u{301}\u{301}");
        check("\u{301}x", "x");
        check("one\ntwo", "one two");
    }

    #[test]
    fn text_fits_its_columns() {
        for columns in 0..12 {
            for text in ["漢字かな交じり", "plain words here", "👨👩👧", "e\u{301}e\u{301}e\u{301}", ""] {
                assert!(width(&fit(text, columns)) <= columns, "{text} in {columns}");
                assert_eq!(width(&pad(text, columns)), columns, "{text} in {columns}");
                assert!(wrap(text, columns).iter().all(|line| width(line) <= columns.max(2)), "{text} in {columns}");
            }
        }
        assert_eq!(fit("abcdef", 4), "abc…");
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("well-known (words), here", 12), ["well-known", "(words),", "here"]);
        assert_eq!(wrap("abcdefghij", 4), ["abcd", "efgh", "ij"]);
        assert_eq!(wrap("", 4), [""]);
        // A million characters without a space: this would not end if each line went through the rest again.
        assert_eq!(wrap(&"x".repeat(1_000_000), 10).len(), 100_000);
    }
}
