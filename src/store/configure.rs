//! Changes the user's configuration file where the interface is told to, and leaves everything else of it as it is.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use toml_edit::{ArrayOfTables, DocumentMut, InlineTable, Item, Table, TableLike, Value, value};

use super::{StoreError, atomic};

/// A server as it is written into the configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewEndpoint {
    /// Its name, without `/`.
    pub name: String,
    /// Its format, as the configuration names it.
    pub format: String,
    /// Its address.
    pub url: String,
    /// The name of its key, where it wants one.
    pub key: Option<String>,
}

impl NewEndpoint {
    fn pairs(&self) -> Vec<(&'static str, &str)> {
        let mut pairs =
            vec![("name", self.name.as_str()), ("format", self.format.as_str()), ("url", self.url.as_str())];
        pairs.extend(self.key.as_deref().map(|key| ("key", key)));
        pairs
    }
}

/// Writes which model serves each tier, and a server that is new, into a configuration file; it is made where there is none.
/// Comments, order and everything else stay.
///
/// # Errors
/// When the file is no TOML, holds something else in the place of these tables, or cannot be written.
pub fn configure(path: &Path, tiers: &[(&str, &str)], endpoint: Option<&NewEndpoint>) -> Result<(), StoreError> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        Err(error) => return Err(StoreError::io("read", path)(error)),
    };
    let changed = edited(&text, tiers, endpoint).map_err(|why| StoreError::Unknown {
        what: "usable configuration",
        name: path.display().to_string(),
        hint: format!("{why}; mend it first (`mop config check` shows the place), nothing was changed"),
    })?;
    if let Some(folder) = path.parent() {
        atomic::make_folder(folder)?;
    }
    atomic::replace(path, changed.as_bytes())
}

fn edited(text: &str, tiers: &[(&str, &str)], endpoint: Option<&NewEndpoint>) -> Result<String, String> {
    let mut document: DocumentMut = text.parse().map_err(|_| "it is no TOML".to_owned())?;
    if let Some(endpoint) = endpoint {
        add(document.entry("endpoints").or_insert(Item::ArrayOfTables(ArrayOfTables::new())), endpoint)?;
    }
    if !tiers.is_empty() {
        let models = document.entry("models").or_insert(Item::Table(Table::new()));
        let table: &mut dyn TableLike = models.as_table_like_mut().ok_or("`models` is no table")?;
        for (tier, model) in tiers {
            match table.get_mut(tier).and_then(Item::as_value_mut) {
                // What stands around a value, such as a comment behind it, stays.
                Some(old) => {
                    let around = old.decor().clone();
                    *old = Value::from(*model);
                    *old.decor_mut() = around;
                }
                None => {
                    table.insert(tier, value(*model));
                }
            }
        }
    }
    Ok(document.to_string())
}

fn add(list: &mut Item, endpoint: &NewEndpoint) -> Result<(), String> {
    let same =
        |table: &dyn TableLike| table.get("name").and_then(Item::as_str).is_some_and(|name| name == endpoint.name);
    match list {
        Item::ArrayOfTables(tables) => {
            if !tables.iter().any(|table| same(table)) {
                tables.push(endpoint.pairs().into_iter().map(|(key, text)| (key, value(text))).collect());
            }
            Ok(())
        }
        Item::Value(Value::Array(array)) => {
            if !array.iter().any(|entry| entry.as_inline_table().is_some_and(|table| same(table))) {
                let table: InlineTable = endpoint.pairs().into_iter().collect();
                array.push(table);
            }
            Ok(())
        }
        Item::None | Item::Value(_) | Item::Table(_) => Err("`endpoints` is no list of tables".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn local() -> NewEndpoint {
        NewEndpoint {
            name: "local".to_owned(),
            format: "openai".to_owned(),
            url: "http://127.0.0.1:8080/v1".to_owned(),
            key: None,
        }
    }

    #[test]
    fn what_the_user_wrote_stays() {
        let text = "# mine\nseed = 4 # lucky\n\n[models] # of mine\nfast = \"a/b\" # small\n\n# the end\n";
        let new = edited(text, &[("fast", "local/q"), ("strong", "local/q")], Some(&local())).unwrap();
        assert!(
            new.starts_with("# mine\nseed = 4 # lucky\n\n[models] # of mine\nfast = \"local/q\" # small\n"),
            "{new}"
        );
        assert!(new.contains("strong = \"local/q\"\n") && new.contains("# the end"), "{new}");
        assert!(new.contains("[[endpoints]]\nname = \"local\"\n"), "{new}");
        assert_eq!(edited(&new, &[], Some(&local())).unwrap(), new, "an endpoint is there once");
    }

    #[test]
    fn an_empty_file_and_other_ways_of_writing_it_will_do() {
        let new = edited("", &[("fast", "m")], Some(&local())).unwrap();
        let back: toml::Table = new.parse().unwrap();
        assert_eq!(back["models"]["fast"].as_str(), Some("m"), "{new}");
        assert_eq!(back["endpoints"][0]["url"].as_str(), Some("http://127.0.0.1:8080/v1"));
        let inline = "models = { fast = \"x\" }\nendpoints = [{ name = \"a\", url = \"http://a\" }]\n";
        let back: toml::Table = edited(inline, &[("fast", "m")], Some(&local())).unwrap().parse().unwrap();
        assert_eq!(
            (back["models"]["fast"].as_str(), back["endpoints"][1]["name"].as_str()),
            (Some("m"), Some("local"))
        );
    }

    #[test]
    fn what_cannot_be_changed_is_left_and_said() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/config.toml");
        configure(&path, &[("fast", "m")], None).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "[models]\nfast = \"m\"\n");
        for bad in ["seed = \n", "models = 4\n", "endpoints = 4\n"] {
            fs::write(&path, bad).unwrap();
            assert!(configure(&path, &[("fast", "m")], Some(&local())).is_err(), "{bad}");
            assert_eq!(fs::read_to_string(&path).unwrap(), bad);
        }
    }
}
