//! An entry as text that can be edited, and back.

use serde_json::Value;

use crate::model::{Contribution, PartId, Section};
use crate::tui::brief;

/// Stands between the text and the data.
pub(super) const BETWEEN: &str = "--- data (JSON), read by programs and by the scorer ---";
/// Most bytes of data that an editor is given.
const MOST: usize = 1 << 20;

/// What an edited text says.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Edited {
    /// Section.
    pub(super) section: Section,
    /// Part.
    pub(super) part: Option<PartId>,
    /// Text.
    pub(super) text: String,
    /// Data.
    pub(super) data: Value,
}

/// An entry as text; none where its data is too large for that.
pub(super) fn write(entry: &Contribution) -> Option<String> {
    if entry.data.is_null() {
        return Some(entry.text.clone());
    }
    let (data, whole) = brief::pretty(&entry.data, MOST);
    whole.then(|| format!("{}\n\n{BETWEEN}\n{data}\n", entry.text))
}

/// The text of an entry that does not exist yet.
pub(super) fn template() -> String {
    format!("section: {}\npart: 1\n\n\n{BETWEEN}\n", Section::DRAFT)
}

/// Reads an edited entry back. `old` is the entry that it replaces; a new one names its section and part itself.
///
/// # Errors
/// What is wrong, in one sentence that says where.
pub(super) fn read(text: &str, old: Option<&Contribution>) -> Result<Edited, String> {
    let lines: Vec<&str> = text.lines().collect();
    let between = lines.iter().position(|line| line.trim_end() == BETWEEN);
    let end = between.unwrap_or(lines.len());
    let (section, part, start) = match old {
        Some(entry) => (entry.section.clone(), entry.part, 0),
        None => head(&lines[..end])?,
    };
    let words = lines.get(start..end).unwrap_or_default().join("\n");
    let words = words.trim_matches('\n').trim_end();
    let below = between.map_or(String::new(), |at| lines.get(at + 1..).unwrap_or_default().join("\n"));
    let data = match below.trim() {
        "" => Value::Null,
        json => serde_json::from_str(json).map_err(|error| {
            let blank = below.lines().take_while(|line| line.trim().is_empty()).count();
            let line = between.unwrap_or(0) + 1 + blank + error.line();
            format!("the data is no JSON: line {line}, column {}: {}", error.column(), reason(&error))
        })?,
    };
    if words.is_empty() && data.is_null() {
        return Err("an entry needs a text or data; nothing was changed".to_owned());
    }
    Ok(Edited { section, part, text: words.to_owned(), data })
}

/// Section and part of a new entry, and the line after them.
fn head(lines: &[&str]) -> Result<(Section, Option<PartId>, usize), String> {
    let (mut section, mut part, mut at) = (None, None, 0);
    for line in lines {
        let Some((key, value)) = line.split_once(':') else { break };
        match key.trim() {
            "section" if section.is_none() => {
                let name = value.trim();
                let fine = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_');
                if !fine {
                    return Err(format!("line {}: a section is one word, such as {}", at + 1, Section::DRAFT));
                }
                section = Some(Section::new(name));
            }
            "part" if part.is_none() => {
                part = match value.trim() {
                    "" => Some(None),
                    number => match number.parse() {
                        Ok(number) => Some(Some(PartId(number))),
                        Err(_) => return Err(format!("line {}: a part is a number, or nothing at all", at + 1)),
                    },
                };
            }
            _ => break,
        }
        at += 1;
    }
    let section =
        section.ok_or_else(|| format!("line 1: say the section first, as in `section: {}`", Section::DRAFT))?;
    Ok((section, part.flatten(), at))
}

/// What serde says, without the place that it repeats.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or(&text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ContributionId;
    use crate::tui::testing::{IMPROVED, Stage};
    use serde_json::json;

    #[test]
    fn an_entry_survives_being_written_and_read() {
        let stage = Stage::of(IMPROVED, u64::MAX);
        for id in 0..14 {
            let entry = stage.live.now().memory.get(ContributionId(id)).unwrap();
            let read = read(&write(entry).unwrap(), Some(entry)).unwrap();
            assert_eq!((&read.text, &read.data, read.part), (&entry.text, &entry.data, entry.part), "{id}");
        }
    }

    #[test]
    fn a_new_entry_says_where_it_goes() {
        let text = format!("section: fact\npart:\n\nnote: it is prime\n\n{BETWEEN}\n");
        let edited = read(&text, None).unwrap();
        assert_eq!((edited.section.as_str(), edited.part), ("fact", None));
        assert_eq!((edited.text.as_str(), &edited.data), ("note: it is prime", &Value::Null));
        let filled = template().replace("\n\n\n", "\n\nx = 6\n") + "[1]";
        let edited = read(&filled, None).unwrap();
        assert_eq!((edited.section.as_str(), edited.part), ("draft", Some(PartId(1))));
        assert_eq!((edited.text.as_str(), edited.data), ("x = 6", json!([1])));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        let check = |text: String, expected: &str| assert_eq!(read(&text, None).unwrap_err(), expected);
        check(
            format!("section: draft\n\nx\n{BETWEEN}\n\n{{\n  \"a\": ,\n}}"),
            "the data is no JSON: line 7, column 8: expected value",
        );
        check("x = 3".to_owned(), "line 1: say the section first, as in `section: draft`");
        check("section: two words".to_owned(), "line 1: a section is one word, such as draft");
        check("section: draft\npart: x".to_owned(), "line 2: a part is a number, or nothing at all");
        check(template(), "an entry needs a text or data; nothing was changed");
    }
}
