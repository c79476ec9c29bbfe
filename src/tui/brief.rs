//! Values of any size as text of a bounded size.

use std::fmt;
use std::io;

use serde_json::Value;

/// A writer that takes so many bytes and then refuses, so that whatever writes into it stops.
struct Bounded {
    bytes: Vec<u8>,
    most: usize,
}

impl io::Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = self.most.saturating_sub(self.bytes.len());
        if room == 0 && !bytes.is_empty() {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let taken = room.min(bytes.len());
        self.bytes.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Bounded {
    fn new(most: usize) -> Self {
        Self { bytes: Vec::new(), most }
    }

    /// What was written, up to the last whole character.
    fn text(self) -> String {
        let whole = match std::str::from_utf8(&self.bytes) {
            Ok(text) => text.len(),
            Err(error) => error.valid_up_to(),
        };
        let mut bytes = self.bytes;
        bytes.truncate(whole);
        String::from_utf8(bytes).unwrap_or_default()
    }
}

/// A value as JSON over several lines, at most so many bytes of it, and whether that is all.
pub(super) fn pretty(value: &Value, most: usize) -> (String, bool) {
    let mut out = Bounded::new(most);
    let whole = serde_json::to_writer_pretty(&mut out, value).is_ok();
    (out.text(), whole)
}

/// A value in one line, at most about so many bytes of it: text without quotation marks, everything else as JSON.
pub(super) fn inline(value: &Value, most: usize) -> String {
    match value {
        Value::String(text) => head(text, most).to_owned(),
        other => {
            let mut out = Bounded::new(most);
            let _ = serde_json::to_writer(&mut out, other);
            out.text()
        }
    }
}

/// Arguments of a call in one line, as they would stand between parentheses.
pub(super) fn arguments(args: &Value, most: usize) -> String {
    let Value::Array(all) = args else { return inline(args, most) };
    let mut line = String::new();
    for (index, value) in all.iter().enumerate() {
        if line.len() >= most {
            break;
        }
        if index > 0 {
            line.push_str(", ");
        }
        line.push_str(&inline(value, most.saturating_sub(line.len())));
    }
    line
}

/// What shows itself, in at most so many bytes.
pub(super) fn shown(value: &dyn fmt::Display, most: usize) -> String {
    let mut out = Bounded::new(most);
    let _ = io::Write::write_fmt(&mut out, format_args!("{value}"));
    out.text()
}

/// The beginning of a text, at most so many bytes, cut between characters.
pub(super) fn head(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}

/// The first line of a text that is not blank, at most so many bytes of it, and whether there is more.
pub(super) fn first_line(text: &str, most: usize) -> (&str, bool) {
    let start = head(text, most.saturating_mul(4)).trim_start();
    let line = start.lines().next().unwrap_or_default();
    let kept = head(line, most);
    (kept.trim_end(), kept.len() < text.trim().len().min(most.saturating_mul(4)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_of_any_size_become_short() {
        assert_eq!(arguments(&json!(["3*x = 9", 2, {"x": "3"}]), 100), "3*x = 9, 2, {\"x\":\"3\"}");
        assert_eq!(inline(&json!("漢字漢字"), 7), "漢字");
        assert_eq!(pretty(&json!({"a": [1]}), 100), ("{\n  \"a\": [\n    1\n  ]\n}".to_owned(), true));
        let huge = json!(vec!["long".repeat(10); 100_000]);
        assert!(inline(&huge, 64).len() <= 64);
        let (text, whole) = pretty(&huge, 1000);
        assert!(text.len() <= 1000 && !whole);
        assert_eq!(shown(&"漢字", 4), "漢");
        assert_eq!(first_line("\n one\ntwo", 10), ("one", true));
        assert_eq!(first_line("one", 10), ("one", false));
    }
}
