//! One event as one line of JSON, with large texts and deep values kept apart.
//!
//! Where a text of more than [`LARGE`] bytes stands, the line says `{"$blob": "<hash>"}`. A value nested deeper than
//! [`DEEP`] levels, which JSON readers refuse, becomes `{"$blob": {"json": <its text>}}`. An object that has a key `$blob`
//! of its own becomes `{"$blob": {"as": <the object>}}`. The bytes of an image are kept apart whatever their size.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::model::{Envelope, Event, Hash, Seq};

/// Texts longer than this, in bytes, are kept as blobs.
pub(crate) const LARGE: usize = 4 << 10;
/// Values nested deeper than this within one line are kept as text.
const DEEP: usize = 64;
/// How often a text within a text is read: values deeper than this times [`DEEP`] are refused.
const LAYERS: usize = 8;
/// A line longer than this, in bytes, is refused on both sides.
pub(crate) const LONGEST: usize = 64 << 20;
const MARK: &str = "$blob";
const QUOTED_MARK: &str = "\"$blob\"";
/// The field of the bytes of an image.
const BYTES: &str = "base64";
const QUOTED_BYTES: &str = "\"base64\"";

/// Keeps a large text, and says under which hash.
pub(crate) type Keep<'a> = &'a mut dyn FnMut(&str) -> Result<Hash, String>;
/// Finds a large text again.
pub(crate) type Find<'a> = &'a dyn Fn(&str) -> Result<String, String>;

/// Adds an event to a buffer as one line with its line break; leaves the buffer as it was where that fails.
pub(crate) fn encode(envelope: &Envelope, into: &mut Vec<u8>, keep: Keep<'_>) -> Result<(), String> {
    let start = into.len();
    let written = serde_json::to_writer(&mut *into, envelope).map_err(|error| error.to_string());
    let written = written.and_then(|()| match is_plain(&into[start..]) {
        true => Ok(()),
        false => {
            into.truncate(start);
            let value = serde_json::to_value(envelope).map_err(|error| error.to_string())?;
            serde_json::to_writer(&mut *into, &pack(value, 0, 0, keep)?).map_err(|error| error.to_string())
        }
    });
    let written = written.and_then(|()| match into.len() - start < LONGEST {
        true => Ok(()),
        false => Err(format!("it is longer than {} MiB", LONGEST >> 20)),
    });
    match &written {
        Ok(()) => into.push(b'\n'),
        Err(_) => into.truncate(start),
    }
    written
}

/// Whether nothing in a line needs to be kept apart. May say no too often, never yes.
fn is_plain(line: &[u8]) -> bool {
    let opens = line.iter().filter(|byte| matches!(**byte, b'{' | b'[')).count();
    line.len() <= LARGE && opens < DEEP && !holds(line, QUOTED_MARK) && !holds(line, QUOTED_BYTES)
}

fn holds(line: &[u8], quoted: &str) -> bool {
    std::str::from_utf8(line).is_ok_and(|text| text.contains(quoted))
}

fn marked(value: Value) -> Value {
    Value::Object(Map::from_iter([(MARK.to_owned(), value)]))
}

fn pack(value: Value, depth: usize, layer: usize, keep: Keep<'_>) -> Result<Value, String> {
    Ok(match value {
        Value::String(text) if text.len() > LARGE => marked(Value::String(keep(&text)?.as_str().to_owned())),
        Value::Array(_) | Value::Object(_) if depth >= DEEP => {
            if layer >= LAYERS {
                return Err(format!("it is nested deeper than {} levels", DEEP * LAYERS));
            }
            let text = serde_json::to_string(&pack(value, 0, layer + 1, keep)?).map_err(|error| error.to_string())?;
            let text = pack(Value::String(text), 0, 0, keep)?;
            marked(Value::Object(Map::from_iter([("json".to_owned(), text)])))
        }
        Value::Array(items) => {
            let packed: Result<Vec<Value>, String> =
                items.into_iter().map(|item| pack(item, depth + 1, layer, keep)).collect();
            Value::Array(packed?)
        }
        Value::Object(fields) => {
            let own_mark = fields.contains_key(MARK);
            let step = if own_mark { 3 } else { 1 };
            let mut packed = Map::new();
            for (key, field) in fields {
                let field = match field {
                    Value::String(bytes) if key == BYTES => marked(Value::String(keep(&bytes)?.as_str().to_owned())),
                    field => pack(field, depth + step, layer, keep)?,
                };
                packed.insert(key, field);
            }
            match own_mark {
                true => marked(Value::Object(Map::from_iter([("as".to_owned(), Value::Object(packed))]))),
                false => Value::Object(packed),
            }
        }
        small @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => small,
    })
}

/// Reads a line. An object of unknown shape becomes [`Event::Foreign`]; `last` is the event before, after which a foreign
/// one without a number of its own is placed.
pub(crate) fn decode(line: &[u8], last: Seq, find: Find<'_>) -> Result<Envelope, String> {
    let text = std::str::from_utf8(line).map_err(|_| "not UTF-8".to_owned())?;
    let plain = !text.contains(QUOTED_MARK);
    if plain && let Ok(envelope) = serde_json::from_str(text) {
        return Ok(envelope);
    }
    let value: Value = serde_json::from_str(text).map_err(|error| format!("not JSON: {error}"))?;
    if !value.is_object() {
        return Err("not a JSON object".into());
    }
    let value = if plain { value } else { unpack(value, 0, find)? };
    match serde_json::from_value::<Envelope>(value.clone()) {
        Ok(envelope) => Ok(envelope),
        Err(_) => Ok(foreign(value, last)),
    }
}

fn foreign(value: Value, last: Seq) -> Envelope {
    let number = |key: &str| value.get(key).and_then(Value::as_u64);
    Envelope {
        v: number("v").and_then(|v| u16::try_from(v).ok()).unwrap_or(0),
        seq: number("seq").map_or_else(|| Seq(last.0.saturating_add(1)), Seq),
        at: number("at").unwrap_or(0),
        cause: number("cause").map(Seq),
        event: Event::Foreign {
            fields: match value {
                Value::Object(fields) => fields.into_iter().collect(),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
                    Default::default()
                }
            },
        },
    }
}

fn unpack(value: Value, layer: usize, find: Find<'_>) -> Result<Value, String> {
    Ok(match value {
        Value::Array(items) => {
            let unpacked: Result<Vec<Value>, String> =
                items.into_iter().map(|item| unpack(item, layer, find)).collect();
            Value::Array(unpacked?)
        }
        Value::Object(fields) => match reference(&fields) {
            Some(Reference::Text(hash)) => Value::String(find(hash)?),
            Some(Reference::Json(text)) => {
                if layer >= LAYERS {
                    return Err("a value is nested too deep".into());
                }
                let text = match text {
                    Value::String(text) => Cow::Borrowed(text.as_str()),
                    other => Cow::Owned(unpack(other.clone(), layer, find)?.as_str().unwrap_or_default().to_owned()),
                };
                let inner = serde_json::from_str(&text).map_err(|error| format!("a nested value: {error}"))?;
                unpack(inner, layer + 1, find)?
            }
            Some(Reference::As(own)) => unpack_fields(own.clone(), layer, find)?,
            None => unpack_fields(fields, layer, find)?,
        },
        small @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => small,
    })
}

fn unpack_fields(fields: Map<String, Value>, layer: usize, find: Find<'_>) -> Result<Value, String> {
    let mut unpacked = Map::new();
    for (key, field) in fields {
        unpacked.insert(key, unpack(field, layer, find)?);
    }
    Ok(Value::Object(unpacked))
}

enum Reference<'a> {
    Text(&'a str),
    Json(&'a Value),
    As(&'a Map<String, Value>),
}

fn reference(fields: &Map<String, Value>) -> Option<Reference<'_>> {
    if fields.len() != 1 {
        return None;
    }
    match fields.get(MARK)? {
        Value::String(hash) => Some(Reference::Text(hash)),
        Value::Object(inner) if inner.len() == 1 => match (inner.get("json"), inner.get("as")) {
            (Some(text), _) => Some(Reference::Json(text)),
            (None, Some(Value::Object(own))) => Some(Reference::As(own)),
            (None, _) => None,
        },
        _ => None,
    }
}

/// Hashes of the blobs that a line refers to, directly or within a text that is kept as a blob.
pub(crate) fn blobs_of(line: &[u8], find: Find<'_>) -> Result<Vec<String>, String> {
    if !holds(line, QUOTED_MARK) {
        return Ok(Vec::new());
    }
    let found = std::cell::RefCell::new(Vec::new());
    let value: Value = serde_json::from_slice(line).map_err(|error| error.to_string())?;
    unpack(value, 0, &|hash| {
        found.borrow_mut().push(hash.to_owned());
        find(hash)
    })?;
    Ok(found.into_inner())
}
