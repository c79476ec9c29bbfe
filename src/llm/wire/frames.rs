//! Cuts the bytes of a stream into frames: server-sent events, or lines.
//!
//! The cost is linear in the bytes however they are chunked, and what is not yet whole is bounded by whoever counts the bytes.

/// What is not yet a whole frame.
pub(in crate::llm) struct Frames {
    shape: Shape,
    line: Vec<u8>,
    /// The data of the event that is not over.
    data: Option<String>,
    /// Whether the last byte was a carriage return, which ends a line by itself and may be followed by a line feed.
    returned: bool,
    first: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Shape {
    Events,
    Lines,
    Whole,
}

impl Frames {
    /// Server-sent events. Only their data counts: every format says in the data what it is.
    pub(in crate::llm) fn events() -> Self {
        Self { shape: Shape::Events, line: Vec::new(), data: None, returned: false, first: true }
    }

    /// One frame a line.
    pub(in crate::llm) fn lines() -> Self {
        Self { shape: Shape::Lines, ..Self::events() }
    }

    /// All of it is one frame, which is whole at the end.
    pub(in crate::llm) fn whole() -> Self {
        Self { shape: Shape::Whole, ..Self::events() }
    }

    /// Takes bytes and gives the frames that became whole. A comment, which servers send to show that they live, gives none.
    pub(in crate::llm) fn push(&mut self, bytes: &[u8]) -> Vec<String> {
        let mut whole = Vec::new();
        let mut rest = bytes;
        if self.shape == Shape::Whole {
            self.line.extend_from_slice(bytes);
            return whole;
        }
        while let Some(at) = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            let (before, after) = rest.split_at(at);
            let ended = after.first().copied();
            rest = after.get(1..).unwrap_or_default();
            let feed_of_return = ended == Some(b'\n') && self.returned && at == 0 && self.line.is_empty();
            self.returned = ended == Some(b'\r');
            if feed_of_return {
                continue;
            }
            self.line.extend_from_slice(before);
            self.end_line(&mut whole);
        }
        if !rest.is_empty() {
            self.returned = false;
            self.line.extend_from_slice(rest);
        }
        whole
    }

    /// What stands at the end of the stream without its end. An event without its empty line was cut off and does not count;
    /// the last line of a file may lack its line feed.
    pub(in crate::llm) fn rest(&mut self) -> Option<String> {
        let line = std::mem::take(&mut self.line);
        let text = String::from_utf8_lossy(&line).trim().to_owned();
        (self.shape != Shape::Events && !text.is_empty()).then_some(text)
    }

    fn end_line(&mut self, whole: &mut Vec<String>) {
        let bytes = std::mem::take(&mut self.line);
        let text = String::from_utf8_lossy(&bytes);
        let mut line = text.as_ref();
        if std::mem::take(&mut self.first) {
            line = line.strip_prefix('\u{feff}').unwrap_or(line);
        }
        match self.shape {
            Shape::Lines if line.trim().is_empty() => {}
            Shape::Lines | Shape::Whole => whole.push(line.to_owned()),
            Shape::Events if line.is_empty() => whole.extend(self.data.take().filter(|data| !data.is_empty())),
            Shape::Events => {
                let Some(data) = line.strip_prefix("data:") else { return };
                let data = data.strip_prefix(' ').unwrap_or(data);
                match &mut self.data {
                    Some(before) => {
                        before.push('\n');
                        before.push_str(data);
                    }
                    None => self.data = Some(data.to_owned()),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(mut frames: impl FnMut() -> Frames, text: &str, expected: &[&str]) {
        for size in [1, 2, 3, 7, text.len().max(1)] {
            let mut cut = frames();
            let mut got: Vec<String> = text.as_bytes().chunks(size).flat_map(|chunk| cut.push(chunk)).collect();
            got.extend(cut.rest());
            assert_eq!(got, expected, "in chunks of {size}: {text:?}");
        }
    }

    #[test]
    fn events_are_the_same_however_they_are_chunked() {
        check(Frames::events, "data: a\n\ndata: b\n\n", &["a", "b"]);
        check(Frames::events, "data: a\r\n\r\nevent: x\r\ndata:b\r\n\r\n", &["a", "b"]);
        check(Frames::events, "data: a\r\rdata: b\r\r", &["a", "b"]);
        check(Frames::events, "\u{feff}data: é√\n\n: ping\n\nid: 3\n\n", &["é√"]);
        check(Frames::events, "data: a\ndata: b\n\n", &["a\nb"]);
        check(Frames::events, "data: a\n\ndata: {\"cut", &["a"]);
        check(Frames::events, "data: a\n\ndata: {}\n", &["a"]);
    }

    #[test]
    fn lines_need_no_line_feed_at_the_end() {
        check(Frames::lines, "{\"a\":1}\n\r\n{\"b\":2}", &["{\"a\":1}", "{\"b\":2}"]);
    }
}
