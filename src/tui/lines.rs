//! A text with the places of its lines, so that any of them is found at once.

use std::sync::Arc;

/// A text and where its lines begin. A line ends at `\n`.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    text: Arc<str>,
    starts: Vec<u32>,
}

impl Lines {
    /// Looks a text through, once.
    pub(super) fn new(text: &Arc<str>) -> Self {
        let mut starts = vec![0];
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        starts.extend(ends.filter_map(|(at, _)| u32::try_from(at + 1).ok()));
        // A text that ends with a line break has no empty line after it, and an empty text has none at all.
        if starts.last().is_some_and(|last| *last as usize >= text.len()) {
            starts.pop();
        }
        Self { text: text.clone(), starts }
    }

    /// The text.
    pub(super) fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// How many lines there are.
    pub(super) fn len(&self) -> usize {
        self.starts.len()
    }

    /// A line without its end; empty where there is none.
    pub(super) fn get(&self, row: usize) -> &str {
        let line = self.whole(row);
        let line = line.strip_suffix("\r\n").or_else(|| line.strip_suffix('\n'));
        line.unwrap_or_else(|| self.whole(row))
    }

    /// How a line ends where that is not as usual.
    pub(super) fn odd_end(&self, row: usize) -> Option<&'static str> {
        let line = self.whole(row);
        if line.ends_with("\r\n") {
            Some("\\r")
        } else {
            (!line.is_empty() && !line.ends_with('\n')).then_some(" (no line break at the end)")
        }
    }

    fn whole(&self, row: usize) -> &str {
        let Some(start) = self.starts.get(row) else { return "" };
        let rest = self.text.get(*start as usize..).unwrap_or_default();
        let end = self.starts.get(row + 1).map_or(rest.len(), |next| (next - start) as usize);
        rest.get(..end).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_of_the_text() {
        for text in ["", "a", "a\n", "a\n\nb", "\n", "a\r\nb\rc\n", "a\r", "漢\n字"] {
            let lines = Lines::new(&Arc::from(text));
            let found: Vec<&str> = (0..lines.len()).map(|row| lines.get(row)).collect();
            assert_eq!(found, text.lines().collect::<Vec<_>>(), "{text:?}");
            assert_eq!(lines.get(99), "");
        }
    }
}
