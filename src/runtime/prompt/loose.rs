//! Finds the JSON object in what a model wrote, and mends what models usually get wrong: fences and words around it, trailing
//! commas, single quotes, bare keys, comments, Python's words, line feeds in strings, and an end that was cut off.

use serde_json::{Map, Number, Value};

/// The deepest nesting.
const DEEPEST: usize = 64;

/// The longest text that is looked at.
const LONGEST: usize = 1 << 20;

/// Places in a text where an object may begin that are tried.
const BEGINNINGS: usize = 32;

/// The object in a text: the text itself, what stands in a fence, or the first that can be read.
pub(super) fn object(text: &str) -> Option<Value> {
    let text = text.trim();
    if text.len() > LONGEST {
        return None;
    }
    if let Ok(value @ Value::Object(_)) = serde_json::from_str(text) {
        return Some(value);
    }
    let fenced =
        text.split("```").skip(1).step_by(2).map(|block| block.trim_start_matches(char::is_alphanumeric).trim());
    for block in fenced {
        if let Ok(value @ Value::Object(_)) = serde_json::from_str(block) {
            return Some(value);
        }
    }
    let begins = text.match_indices('{').map(|(at, _)| at).take(BEGINNINGS);
    let read = |at: usize| {
        let mut reader = Reader { rest: text.get(at..)?.chars().collect(), at: 0, cut: false };
        let value = reader.value(0)?;
        let Value::Object(fields) = &value else { return None };
        (!fields.is_empty()).then_some((value, reader.cut))
    };
    // One that is whole is liked better than one that was cut off.
    let mut cut = None;
    for at in begins {
        match read(at) {
            Some((value, false)) => return Some(value),
            Some((value, true)) => {
                cut.get_or_insert(value);
            }
            None => {}
        }
    }
    cut
}

struct Reader {
    rest: Vec<char>,
    at: usize,
    /// Whether the text ended in the middle of something.
    cut: bool,
}

impl Reader {
    fn peek(&self) -> Option<char> {
        self.rest.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek();
        self.at += 1;
        c
    }

    fn eat(&mut self, c: char) -> bool {
        let there = self.peek() == Some(c);
        self.at += usize::from(there);
        there
    }

    /// Skips blanks and comments.
    fn blank(&mut self) {
        while let Some(c) = self.peek() {
            let after = self.rest.get(self.at + 1).copied();
            if c.is_whitespace() {
                self.at += 1;
            } else if c == '/' && after == Some('/') {
                while self.peek().is_some_and(|c| c != '\n') {
                    self.at += 1;
                }
            } else if c == '/' && after == Some('*') {
                self.at += 2;
                while self.peek().is_some() && !(self.eat('*') && self.eat('/')) {
                    self.at += usize::from(self.peek() != Some('*'));
                }
            } else {
                return;
            }
        }
    }

    fn value(&mut self, depth: usize) -> Option<Value> {
        if depth > DEEPEST {
            return None;
        }
        self.blank();
        match self.peek() {
            None => {
                self.cut = true;
                Some(Value::Null)
            }
            Some('{') => self.fields(depth),
            Some('[') => self.items(depth),
            Some(quote @ ('"' | '\'' | '“' | '‘')) => Some(Value::String(self.string(quote))),
            Some(_) => self.bare(),
        }
    }

    fn fields(&mut self, depth: usize) -> Option<Value> {
        self.at += 1;
        let mut fields = Map::new();
        loop {
            self.blank();
            match self.peek() {
                None => {
                    self.cut = true;
                    return Some(Value::Object(fields));
                }
                Some('}') => {
                    self.at += 1;
                    return Some(Value::Object(fields));
                }
                Some(',') => self.at += 1,
                Some(_) => {
                    let key = self.key()?;
                    self.blank();
                    if self.peek().is_none() {
                        self.cut = true;
                        return Some(Value::Object(fields));
                    }
                    if !self.eat(':') {
                        return None;
                    }
                    let value = self.value(depth + 1)?;
                    fields.insert(key, value);
                    self.between()?;
                }
            }
        }
    }

    fn items(&mut self, depth: usize) -> Option<Value> {
        self.at += 1;
        let mut items = Vec::new();
        loop {
            self.blank();
            match self.peek() {
                None => {
                    self.cut = true;
                    return Some(Value::Array(items));
                }
                Some(']') => {
                    self.at += 1;
                    return Some(Value::Array(items));
                }
                Some(',') => self.at += 1,
                Some(_) => {
                    items.push(self.value(depth + 1)?);
                    self.between()?;
                }
            }
        }
    }

    /// After a value stands a comma or an end; a comma that was forgotten before the next string is forgiven.
    fn between(&mut self) -> Option<()> {
        self.blank();
        matches!(self.peek(), None | Some(',' | '}' | ']' | '"' | '{')).then_some(())
    }

    fn key(&mut self) -> Option<String> {
        match self.peek()? {
            quote @ ('"' | '\'' | '“' | '‘') => Some(self.string(quote)),
            _ => {
                let from = self.at;
                while self.peek().is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '-')) {
                    self.at += 1;
                }
                (self.at > from).then(|| self.rest[from..self.at].iter().collect())
            }
        }
    }

    fn string(&mut self, quote: char) -> String {
        self.at += 1;
        let end = match quote {
            '“' => '”',
            '‘' => '’',
            other => other,
        };
        let mut text = String::new();
        while let Some(c) = self.next() {
            match c {
                c if c == end => return text,
                '\\' => match self.next() {
                    Some('n') => text.push('\n'),
                    Some('t') => text.push('\t'),
                    Some('r') => text.push('\r'),
                    Some('b') => text.push('\u{8}'),
                    Some('f') => text.push('\u{c}'),
                    Some('u') => text.push(self.unicode()),
                    Some(c @ ('"' | '\'' | '\\' | '/')) => text.push(c),
                    // What is no escape was meant as it stands: TeX is full of it.
                    Some(c) => {
                        text.push('\\');
                        text.push(c);
                    }
                    None => {}
                },
                c => text.push(c),
            }
        }
        self.cut = true;
        text
    }

    fn unicode(&mut self) -> char {
        let high = self.digits();
        let pair = (0xd800..0xdc00).contains(&high)
            && self.rest.get(self.at) == Some(&'\\')
            && self.rest.get(self.at + 1) == Some(&'u');
        if !pair {
            return char::from_u32(high).unwrap_or(char::REPLACEMENT_CHARACTER);
        }
        self.at += 2;
        let low = self.digits();
        let code = 0x10000 + ((high - 0xd800) << 10) + (low.wrapping_sub(0xdc00) & 0x3ff);
        char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
    }

    fn digits(&mut self) -> u32 {
        let mut code = 0;
        for _ in 0..4 {
            let Some(digit) = self.peek().and_then(|c| c.to_digit(16)) else { break };
            code = code * 16 + digit;
            self.at += 1;
        }
        code
    }

    /// A number or a word without quotes, up to what ends a value.
    fn bare(&mut self) -> Option<Value> {
        let from = self.at;
        while self.peek().is_some_and(|c| !matches!(c, ',' | '}' | ']' | '\n' | ':' | '{' | '[' | '"')) {
            let pair = (self.peek(), self.rest.get(self.at + 1).copied());
            if self.at > from && matches!(pair, (Some('/'), Some('/' | '*'))) {
                break;
            }
            self.at += 1;
        }
        let word: String = self.rest[from..self.at].iter().collect::<String>().trim().to_owned();
        Some(match word.as_str() {
            "" => return None,
            "true" | "True" => Value::Bool(true),
            "false" | "False" => Value::Bool(false),
            "null" | "None" | "undefined" | "NaN" => Value::Null,
            number => match serde_json::from_str::<Number>(number) {
                Ok(number) => Value::Number(number),
                Err(_) => Value::String(word),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_models_usually_get_wrong_is_mended() {
        let check = |text: &str, expected: Value| assert_eq!(object(text), Some(expected), "{text}");
        check(r#"{"a": 1}"#, json!({ "a": 1 }));
        check("Sure! Here it is:\n```json\n{\"a\": [1, 2,],}\n```\nI hope it helps.", json!({ "a": [1, 2] }));
        check("{'a': 'it', b: True, c: None}", json!({ "a": "it", "b": true, "c": null }));
        check("{\"a\": \"line\nfeed\"}", json!({ "a": "line\nfeed" }));
        check(r#"{"a": "\frac{1}{2} \sqrt 2 \u00e9"}"#, json!({ "a": "\u{c}rac{1}{2} \\sqrt 2 é" }));
        check(r#"{"a": "\ud83d\ude00"}"#, json!({ "a": "😀" }));
        check("{\"a\": 1 // one\n, /* two */ \"b\": 2}", json!({ "a": 1, "b": 2 }));
        check("{\"a\": [{\"b\": \"cut o", json!({ "a": [{ "b": "cut o" }] }));
        check("{\"a\": 1, \"b", json!({ "a": 1 }));
        check("{\"a\": 1 \"b\": 2}", json!({ "a": 1, "b": 2 }));
        check("x {not this} {\"a\": 2}", json!({ "a": 2 }));
        check("{“a”: “b”}", json!({ "a": "b" }));
        check("{\"a\": 1/2}", json!({ "a": "1/2" }));
        for text in ["", "no", "{}", "{", "[1]", "{]}"] {
            assert_eq!(object(text).filter(|value| *value != json!({})), None, "{text}");
        }
    }

    #[test]
    fn no_text_is_too_wild() {
        let deep = "{\"a\":".repeat(100_000);
        assert_eq!(object(&deep), None);
        for text in ["{\"a\": /*", "{\"a\": \"\\u12", "{a", "{\"a\": \\", "{'", "{\"a\"::1}", "{\"a\":}"] {
            let _ = object(text);
        }
    }
}
