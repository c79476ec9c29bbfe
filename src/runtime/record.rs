//! What is kept of a run for the record, with bounds: calls, printed text, tracebacks.

use std::borrow::Cow;

use monty_types::{MontyException, PrintWriterCallback};
use serde_json::Value;

use super::job::Call;

/// The longest text kept of what a script prints, of a traceback, and of one recorded argument list or result.
pub(super) const MAX_TEXT: usize = 64 << 10;

/// The most bytes that all recorded arguments and results of one run take.
const MAX_RECORD: usize = 4 << 20;

/// The calls of a run with their places in it.
#[derive(Default)]
pub(super) struct Record {
    calls: Vec<(u32, Call)>,
    size: usize,
}

impl Record {
    /// Keeps a call; when the record is full, only its name and the beginnings of its texts.
    pub(super) fn push(&mut self, at: u32, call: Call) {
        let call = call.clipped(MAX_TEXT);
        self.size = self.size.saturating_add(call.weight());
        self.calls.push((at, if self.size > MAX_RECORD { call.clipped(0) } else { call }));
    }

    /// Whether no call was made.
    pub(super) fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// Returns the calls.
    pub(super) fn into_calls(self) -> Vec<(u32, Call)> {
        self.calls
    }
}

/// Cuts a text at [`MAX_TEXT`] bytes.
pub(super) fn clip(text: String) -> String {
    clip_to(text, MAX_TEXT)
}

/// Cuts a text at a character boundary and says how much is missing.
pub(super) fn clip_to(mut text: String, most: usize) -> String {
    if text.len() > most {
        let missing = text.len() - most;
        let mut end = most;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
        text.push_str(&format!("… ({missing} bytes more)"));
    }
    text
}

impl Call {
    /// Replaces arguments and result that are longer than `most` bytes of JSON by the beginning of their text.
    fn clipped(mut self, most: usize) -> Self {
        if weight(&self.args) > most {
            self.args = vec![Value::String(clip_to(Value::Array(self.args).to_string(), most))];
        }
        self.result = match self.result {
            Ok(value) if weight(std::slice::from_ref(&value)) > most => {
                Ok(Value::String(clip_to(value.to_string(), most)))
            }
            Ok(value) => Ok(value),
            Err(message) => Err(clip_to(message, most.max(200))),
        };
        self
    }

    /// Roughly the bytes of the call as JSON.
    fn weight(&self) -> usize {
        let result = match &self.result {
            Ok(value) => weight(std::slice::from_ref(value)),
            Err(message) => message.len(),
        };
        self.name.len() + weight(&self.args) + result + 40
    }
}

fn weight(values: &[Value]) -> usize {
    values
        .iter()
        .map(|value| match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => 8,
            Value::String(text) => text.len() + 3,
            Value::Array(items) => weight(items) + 2,
            Value::Object(entries) => {
                entries.iter().map(|(key, value)| key.len() + 4 + weight(std::slice::from_ref(value))).sum::<usize>()
                    + 2
            }
        })
        .sum()
}

/// Keeps the beginning of what a script prints and counts the rest.
#[derive(Default)]
pub(super) struct Printed {
    text: String,
    missing: usize,
}

impl Printed {
    fn push(&mut self, text: &str) {
        let room = MAX_TEXT.saturating_sub(self.text.len());
        if self.missing > 0 || text.len() > room {
            let mut end = if self.missing > 0 { 0 } else { room };
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            self.text.push_str(&text[..end]);
            self.missing += text.len() - end;
        } else {
            self.text.push_str(text);
        }
    }

    /// Returns the text, with a note of what is missing.
    pub(super) fn finish(mut self) -> String {
        if self.missing > 0 {
            self.text.push_str(&format!("… ({} bytes more)", self.missing));
        }
        self.text
    }
}

impl PrintWriterCallback for Printed {
    fn stdout_write(&mut self, output: Cow<'_, str>) -> Result<(), MontyException> {
        self.push(&output);
        Ok(())
    }

    fn stdout_push(&mut self, end: char) -> Result<(), MontyException> {
        self.push(end.encode_utf8(&mut [0; 4]));
        Ok(())
    }
}
