//! Keys: where they come from, and a type that never shows one.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::sync::Arc;

use crate::engine::ports::PortError;

use super::forms::forms;

/// What stands in the place of a key.
const SCRUBBED: &str = "[key]";

/// Bytes of the beginning of a key that no other text is likely to end with. Vendors' keys begin with up to nine that are the
/// same for all.
const TELLING: usize = 12;

/// The key of a server. It cannot be printed, compared or serialised; only a request carries it.
#[derive(Clone)]
pub struct ApiKey(Arc<str>);

impl ApiKey {
    /// Takes a key; none where the text cannot be one.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        let fit = !text.is_empty() && text.len() <= 8 << 10 && text.chars().all(|c| c.is_ascii_graphic());
        fit.then(|| Self(Arc::from(text)))
    }

    /// The value of the header that carries it.
    pub(super) fn header(&self, before: &str) -> String {
        format!("{before}{}", self.0)
    }

    /// A text from outside without the key in any form: servers like to quote it, and people paste it.
    #[must_use]
    pub fn scrub<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let mut clean = Cow::Borrowed(text);
        for form in forms(&self.0) {
            if clean.contains(&form) {
                clean = Cow::Owned(clean.replace(&form, SCRUBBED));
            }
        }
        clean
    }

    /// A text that may end in the middle of the key without either.
    pub(super) fn scrub_cut_off(&self, text: &str) -> String {
        let mut text = self.scrub(text).into_owned();
        let begun = self.begun(&text);
        if begun >= TELLING {
            text.truncate(text.len() - begun);
            text.push_str(SCRUBBED);
        }
        text
    }

    /// Bytes at the end of a text that could be the beginning of the key, which is not there as a whole.
    fn begun(&self, text: &str) -> usize {
        let most = text.len().min(self.0.len() - 1);
        (1..=most).rev().find(|count| text.as_bytes().ends_with(&self.0.as_bytes()[..*count])).unwrap_or(0)
    }
}

/// A text from outside without a key, where there is one.
pub(super) fn scrubbed<'a>(key: Option<&ApiKey>, text: &'a str) -> Cow<'a, str> {
    key.map_or(Cow::Borrowed(text), |key| key.scrub(text))
}

/// The end of a text that comes in pieces, held back as long as it could be the beginning of a key.
#[derive(Debug, Default)]
pub(super) struct Held(String);

impl Held {
    /// Takes a piece and gives what may be seen now.
    pub(super) fn more(&mut self, key: Option<&ApiKey>, piece: &str) -> String {
        let Some(key) = key else { return piece.to_owned() };
        self.0.push_str(piece);
        let mut clean = key.scrub(&self.0).into_owned();
        let held = clean.split_off(clean.len() - key.begun(&clean));
        self.0 = held;
        clean
    }

    /// Gives what is left at the end: what is too much like a key to be anything else is not shown.
    pub(super) fn rest(&mut self) -> String {
        let held = std::mem::take(&mut self.0);
        if held.len() >= TELLING { SCRUBBED.to_owned() } else { held }
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[key]")
    }
}

/// The keys of a user: those of the environment, then those of a file that only they can read.
#[derive(Debug, Default)]
pub struct Keys {
    file: BTreeMap<String, ApiKey>,
}

impl Keys {
    /// Reads the file: TOML of names and keys. None at all where there is no file.
    ///
    /// # Errors
    /// When others may read it, or it is something else.
    pub fn read(path: &Path) -> Result<Self, PortError> {
        let cannot = |why: String| PortError::new(format!("{}: {why}", path.display()));
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(cannot(format!("cannot be read: {error}"))),
        };
        if open_to_others(path) {
            let hint = format!("run `chmod 600 {}`", path.display());
            return Err(cannot("others may read it, so its keys are not used".into()).hint(hint));
        }
        // The message of a TOML error quotes the line, which may hold a key.
        let table: BTreeMap<String, String> = toml::from_str(&text).map_err(|error| {
            let line = error.span().map_or(1, |span| text[..span.start.min(text.len())].matches('\n').count() + 1);
            cannot(format!("line {line} is no `name = \"key\"`"))
        })?;
        let mut file = BTreeMap::new();
        for (name, key) in table {
            let key = ApiKey::new(&key).ok_or_else(|| cannot(format!("`{name}` is no key")))?;
            file.insert(name, key);
        }
        Ok(Self { file })
    }

    /// Names of the keys of the file.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.file.keys().map(String::as_str)
    }

    /// The key of this name: of the environment, else of the file.
    #[must_use]
    pub fn get(&self, name: &str, env: &dyn Fn(&str) -> Option<String>) -> Option<ApiKey> {
        env(name).as_deref().and_then(ApiKey::new).or_else(|| self.file.get(name).cloned())
    }

    /// All keys of the file.
    pub fn all(&self) -> impl Iterator<Item = &ApiKey> {
        self.file.values()
    }

    /// Adds a key to the file, which only its owner can read from the moment that it exists.
    ///
    /// # Errors
    /// When it cannot be written, or what is there cannot be read.
    pub fn store(path: &Path, name: &str, key: &ApiKey) -> Result<(), PortError> {
        let cannot = |error: std::io::Error| PortError::new(format!("{}: cannot be written: {error}", path.display()));
        let mut all = Self::read(path)?.file;
        all.insert(name.to_owned(), key.clone());
        let lines = all.iter().map(|(name, key)| format!("{} = {}\n", quoted(name), quoted(&key.0)));
        let text: String = lines.collect();
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(cannot)?;
        }
        let new = path.with_added_extension("new");
        let _ = fs::remove_file(&new);
        let mut options = fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&new).map_err(cannot)?;
        file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(cannot)?;
        fs::rename(&new, path).map_err(cannot)
    }
}

fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

#[cfg(unix)]
fn open_to_others(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).is_ok_and(|meta| meta.permissions().mode() & 0o077 != 0)
}

#[cfg(not(unix))]
fn open_to_others(_: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    const CANARY: &str = "sk-canary-0123456789";

    #[test]
    fn a_key_never_prints() {
        let key = ApiKey::new(CANARY).unwrap();
        let keys = Keys { file: BTreeMap::from([("A".to_owned(), key.clone())]) };
        assert_eq!(format!("{key:?} {keys:?}").matches("canary").count(), 0);
        assert_eq!(key.scrub(&format!("bad key {CANARY}!")), "bad key [key]!");
    }

    #[test]
    fn a_key_in_pieces_is_never_seen_wherever_it_is_split() {
        let key = ApiKey::new(CANARY).unwrap();
        let text = format!("s sk- sk-can {CANARY}{CANARY} é sk-canary-01");
        let expected = "s sk- sk-can [key][key] é [key]";
        for size in 1..=text.len() {
            let (mut held, mut seen) = (Held::default(), String::new());
            let mut rest = text.as_str();
            while !rest.is_empty() {
                let (piece, after) = rest.split_at(rest.ceil_char_boundary(size.min(rest.len())));
                let shown = held.more(Some(&key), piece);
                seen.push_str(&shown);
                assert!(!seen.contains("sk-canary"), "{size}: {seen}");
                rest = after;
            }
            seen.push_str(&held.rest());
            assert_eq!(seen, expected, "{size}");
        }
        assert_eq!(key.scrub_cut_off(&text), expected);
        let mut held = Held::default();
        assert_eq!((held.more(Some(&key), "see sk-"), held.rest()), ("see ".to_owned(), "sk-".to_owned()));
        assert_eq!(held.more(None, CANARY), CANARY);
    }

    #[test]
    fn what_cannot_be_a_header_is_no_key() {
        for text in ["", "  ", "a b", "a\r\nx-evil: 1", "é"] {
            assert!(ApiKey::new(text).is_none(), "{text:?}");
        }
    }

    #[test]
    fn keys_are_kept_in_a_file_of_their_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/secrets.toml");
        assert!(Keys::read(&path).unwrap().get("A", &|_| None).is_none());
        Keys::store(&path, "A", &ApiKey::new(CANARY).unwrap()).unwrap();
        Keys::store(&path, "B \"x\"", &ApiKey::new("other\"\\").unwrap()).unwrap();
        let keys = Keys::read(&path).unwrap();
        assert_eq!(keys.get("A", &|_| None).unwrap().header("Bearer "), format!("Bearer {CANARY}"));
        assert_eq!(keys.get("B \"x\"", &|_| None).unwrap().header(""), "other\"\\");
        let env = |_: &str| Some("from-env".to_owned());
        assert_eq!(keys.get("A", &env).unwrap().header(""), "from-env");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_others_may_read_is_not_used_and_no_error_quotes_it() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secrets.toml");
        fs::write(&path, format!("A = \"{CANARY}\"\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        let error = Keys::read(&path).unwrap_err();
        assert!(error.hint.as_deref().unwrap_or_default().contains("chmod 600"), "{error:?}");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        fs::write(&path, format!("\nA = {CANARY}\n")).unwrap();
        let error = Keys::read(&path).unwrap_err();
        assert!(error.message.contains("line 2") && !format!("{error:?}").contains("canary"), "{error:?}");
    }
}
