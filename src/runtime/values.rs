//! JSON to interpreter values and back, with bounds and with the place of what does not fit.
//!
//! JSON numbers of this program are 64 bits wide. An integer beyond that becomes the text of its digits: tools take
//! numbers as text too, and no digit is lost.

use monty_types::MontyObject;
use serde_json::{Map, Number, Value};

/// The deepest nesting of a value that goes in or out; the JSON reader itself stops at 128.
pub(super) const MAX_DEPTH: usize = 96;

/// The largest value, roughly in bytes of JSON: 8 MiB.
pub(super) const MAX_SIZE: usize = 8 << 20;

/// The largest integer, in bits: writing one out as decimal takes time that grows with the square.
const MAX_BITS: u64 = 100_000;

/// Turns JSON into an interpreter value.
pub(super) fn to_script(value: Value) -> MontyObject {
    match value {
        Value::Null => MontyObject::None,
        Value::Bool(truth) => MontyObject::Bool(truth),
        Value::Number(number) => number_to_script(&number),
        Value::String(text) => MontyObject::String(text),
        Value::Array(items) => MontyObject::List(items.into_iter().map(to_script).collect()),
        Value::Object(entries) => MontyObject::dict(
            entries.into_iter().map(|(key, value)| (MontyObject::String(key), to_script(value))).collect::<Vec<_>>(),
        ),
    }
}

fn number_to_script(number: &Number) -> MontyObject {
    if let Some(small) = number.as_i64() {
        MontyObject::Int(small)
    } else if let Some(large) = number.as_u64() {
        MontyObject::BigInt(large.into())
    } else {
        MontyObject::Float(number.as_f64().unwrap_or_default())
    }
}

/// Turns an interpreter value into JSON.
///
/// # Errors
/// One clause that names the place (`result["steps"][0]`) and what is there; `root` is how the place begins.
pub(super) fn from_script(value: &MontyObject, root: &str) -> Result<Value, String> {
    let mut walk = Walk { size: 0, depth: 0 };
    walk.convert(value).map_err(|fault| {
        let place: String = fault.path.iter().rev().map(String::as_str).collect();
        format!("{root}{place} {}", fault.what)
    })
}

/// Checks that a JSON value is within the bounds of depth and size.
///
/// # Errors
/// One clause that says which bound.
pub(super) fn check(value: &Value, root: &str) -> Result<(), String> {
    let mut size = 0;
    bounded(value, 0, &mut size).map_err(|what| format!("{root} {what}"))
}

fn bounded(value: &Value, depth: usize, size: &mut usize) -> Result<(), String> {
    if depth > MAX_DEPTH {
        return Err(too_deep());
    }
    *size += match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 4,
        Value::String(text) => text.len() + 3,
        Value::Array(items) => {
            items.iter().try_for_each(|item| bounded(item, depth + 1, size))?;
            2
        }
        Value::Object(entries) => {
            for (key, item) in entries {
                *size += key.len() + 4;
                bounded(item, depth + 1, size)?;
            }
            2
        }
    };
    if *size > MAX_SIZE { Err(too_large()) } else { Ok(()) }
}

fn too_deep() -> String {
    format!("nests deeper than {MAX_DEPTH}")
}

fn too_large() -> String {
    format!("is larger than {} MiB", MAX_SIZE >> 20)
}

struct Walk {
    size: usize,
    depth: usize,
}

/// What does not fit, and the way to it from the inside out.
struct Fault {
    path: Vec<String>,
    what: String,
}

impl Walk {
    fn convert(&mut self, value: &MontyObject) -> Result<Value, Fault> {
        match value {
            MontyObject::None => self.leaf(4, Value::Null),
            MontyObject::Bool(truth) => self.leaf(4, Value::Bool(*truth)),
            MontyObject::Int(number) => self.leaf(8, Value::from(*number)),
            MontyObject::BigInt(number) if number.bits() > MAX_BITS => {
                fault(format!("is an integer of {} bits, more than {MAX_BITS}", number.bits()))
            }
            MontyObject::BigInt(number) => match (i64::try_from(number), u64::try_from(number)) {
                (Ok(small), _) => self.leaf(8, Value::from(small)),
                (Err(_), Ok(large)) => self.leaf(8, Value::from(large)),
                (Err(_), Err(_)) => {
                    let digits = number.to_string();
                    self.leaf(digits.len(), Value::String(digits))
                }
            },
            MontyObject::Float(number) => match Number::from_f64(*number) {
                Some(finite) => self.leaf(8, Value::Number(finite)),
                None => fault(format!("is {}, which JSON cannot hold", number.to_string().to_lowercase())),
            },
            MontyObject::String(text) => {
                self.grow(text.len())?;
                Ok(Value::String(text.clone()))
            }
            MontyObject::List(items) | MontyObject::Tuple(items) | MontyObject::NamedTuple { values: items, .. } => {
                self.list(items)
            }
            MontyObject::Dict(entries) => self.dict(entries),
            MontyObject::Set(_) | MontyObject::FrozenSet(_) => {
                fault("is a set, which has no order: use sorted(…) or list(…)".to_owned())
            }
            MontyObject::Cycle(..) => fault("contains itself".to_owned()),
            MontyObject::Repr(text) => fault(format!("is {}, which is no JSON value", clip(text))),
            MontyObject::Ellipsis
            | MontyObject::NotImplemented
            | MontyObject::Bytes(_)
            | MontyObject::Date(_)
            | MontyObject::DateTime(_)
            | MontyObject::Time(_)
            | MontyObject::TimeDelta(_)
            | MontyObject::TimeZone(_)
            | MontyObject::Exception { .. }
            | MontyObject::Type(_)
            | MontyObject::BuiltinFunction(_)
            | MontyObject::Path(_)
            | MontyObject::FileHandle(_)
            | MontyObject::ClassInstance(_)
            | MontyObject::Function { .. } => fault(format!("is {}, which is no JSON value", kind(value))),
        }
    }

    fn list(&mut self, items: &[MontyObject]) -> Result<Value, Fault> {
        self.enter()?;
        let mut list = Vec::with_capacity(items.len());
        for (at, item) in items.iter().enumerate() {
            list.push(self.convert(item).map_err(|fault| fault.at(format!("[{at}]")))?);
        }
        self.depth -= 1;
        Ok(Value::Array(list))
    }

    fn dict(&mut self, entries: &monty_types::DictPairs) -> Result<Value, Fault> {
        self.enter()?;
        let mut map = Map::with_capacity(entries.len());
        for (key, item) in entries {
            let MontyObject::String(key) = key else {
                return fault(format!("has a key that is no string but {}: use str(…)", kind(key)));
            };
            self.grow(key.len())?;
            let item = self.convert(item).map_err(|fault| fault.at(format!("[{:?}]", clip(key))))?;
            map.insert(key.clone(), item);
        }
        self.depth -= 1;
        Ok(Value::Object(map))
    }

    fn enter(&mut self) -> Result<(), Fault> {
        self.depth += 1;
        if self.depth > MAX_DEPTH { fault(too_deep()) } else { self.grow(2) }
    }

    fn leaf(&mut self, size: usize, value: Value) -> Result<Value, Fault> {
        self.grow(size)?;
        Ok(value)
    }

    fn grow(&mut self, size: usize) -> Result<(), Fault> {
        self.size = self.size.saturating_add(size);
        if self.size > MAX_SIZE { fault(too_large()) } else { Ok(()) }
    }
}

fn fault<T>(what: String) -> Result<T, Fault> {
    Err(Fault { path: Vec::new(), what })
}

impl Fault {
    fn at(mut self, step: String) -> Self {
        // The outermost steps say enough; a path of a hundred would not be read.
        if self.path.len() >= 8 {
            self.path.remove(0);
        }
        self.path.push(step);
        self
    }
}

fn kind(value: &MontyObject) -> String {
    match value {
        MontyObject::ClassInstance(_) => "an object of a class".to_owned(),
        MontyObject::Function { name, .. } => format!("the function {}", clip(name)),
        MontyObject::Bytes(_) => "bytes".to_owned(),
        MontyObject::Tuple(_) => "a tuple".to_owned(),
        MontyObject::Int(_) | MontyObject::BigInt(_) => "an integer".to_owned(),
        MontyObject::Float(_) => "a float".to_owned(),
        other => clip(&other.to_string()),
    }
}

fn clip(text: &str) -> String {
    let mut short: String = text.chars().take(60).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
