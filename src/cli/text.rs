//! Text as a terminal may see it, and the small shapes that lists are printed in.

/// Foreign text as one line: without what could steer a terminal, cut to a line's length.
pub(super) fn plain(text: &str) -> String {
    text.chars().map(|c| if c == '\t' { ' ' } else { c }).filter(|c| !steers(*c)).take(160).collect()
}

/// Foreign text of several lines. Line breaks and tabs stay; what could steer a terminal, or hide text from whoever reads
/// it, is shown as `<U+001B>` in its place, so that a reviewer sees that it is there.
pub(super) fn block(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\n' | '\t' => safe.push(c),
            '\r' if chars.peek() == Some(&'\n') => {}
            c if steers(c) => safe.push_str(&format!("<U+{:04X}>", u32::from(c))),
            c => safe.push(c),
        }
    }
    safe
}

/// Control characters, marks that turn the direction of writing, and characters without width that hide text. (The joiner of
/// emoji is left alone.)
fn steers(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{061c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}'
            | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

/// The first line of a text, cut to so many characters.
pub(super) fn brief(text: &str, most: usize) -> String {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let line = plain(first.trim());
    let more = line.chars().count() > most || text.trim().lines().count() > 1;
    match more {
        true => line.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
        false => line,
    }
}

/// A moment in UTC, from milliseconds since 1970: `2026-01-31 15:45`.
pub(super) fn when(at: u64) -> String {
    let stamp = i64::try_from(at).ok().and_then(|at| jiff::Timestamp::from_millisecond(at).ok());
    stamp.map_or_else(|| "-".to_owned(), |stamp| stamp.strftime("%Y-%m-%d %H:%M").to_string())
}

/// `1 test`, `2 tests`.
pub(super) fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

/// Rows under a heading, in columns as wide as their widest cell; the last column ends where its text ends.
pub(super) fn table(heading: &[&str], rows: &[Vec<String>]) -> String {
    let all = || std::iter::once(heading.iter().map(ToString::to_string).collect()).chain(rows.iter().cloned());
    aligned(&all().collect::<Vec<Vec<String>>>())
}

/// Rows in columns as wide as their widest cell.
pub(super) fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        text.push_str(cells.join("  ").trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_steers_a_terminal_and_nothing_is_hidden() {
        let check = |text: &str, expected: &str| assert_eq!(block(text), expected, "{text:?}");
        check("a\tb\nc", "a\tb\nc");
        check("a\r\nb", "a\nb");
        check("a\rb", "a<U+000D>b");
        check("\u{1b}[31mred\u{1b}]0;title\u{7}", "<U+001B>[31mred<U+001B>]0;title<U+0007>");
        check("\u{9b}2J", "<U+009B>2J");
        check("x\u{202e}y\u{2066}z\u{200b}", "x<U+202E>y<U+2066>z<U+200B>");
        check("👩\u{200d}🔬 é", "👩\u{200d}🔬 é");
        assert_eq!(plain("a\u{1b}[2J\u{202e}\tb\n"), "a[2J b");
    }

    #[test]
    fn long_texts_are_cut_where_a_list_shows_them() {
        assert_eq!(brief("\n  one line ", 20), "one line");
        assert_eq!(brief("one\ntwo", 20), "one…");
        assert_eq!(brief("abcdefgh", 5), "abcd…");
        assert_eq!(brief("", 5), "");
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = [vec!["a".to_owned(), "b".to_owned()], vec!["long".to_owned(), String::new()]];
        assert_eq!(table(&["x", "y"], &rows), "x     y\na     b\nlong\n");
    }

    #[test]
    fn moments_are_told_in_utc() {
        assert_eq!(when(1_769_874_300_007), "2026-01-31 15:45");
        assert_eq!(when(u64::MAX), "-");
    }
}
