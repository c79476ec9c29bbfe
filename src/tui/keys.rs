//! From keys to actions: the table's keys, and what the user's `keys.toml` makes of them.

use std::collections::BTreeMap;

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::action::{Action, Place, Room, TABLE};
use crate::model::{Diagnostic, Severity, did_you_mean};

/// The name of a key as the table and `keys.toml` write it (`Space`, `Ctrl+p`, `F5`, `S`); none for keys that mean nothing here,
/// and for keys that are let go.
pub(super) fn name(key: KeyEvent) -> Option<String> {
    if key.kind == KeyEventKind::Release {
        return None;
    }
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    let alt = key.modifiers.contains(KeyModifiers::ALT);
    let word = match key.code {
        KeyCode::Char(' ') => "Space".to_owned(),
        KeyCode::Char(c) if control => c.to_lowercase().to_string(),
        KeyCode::Char(c) => c.to_string(),
        KeyCode::Enter => "Enter".to_owned(),
        KeyCode::Esc => "Esc".to_owned(),
        KeyCode::Tab => "Tab".to_owned(),
        KeyCode::BackTab => "BackTab".to_owned(),
        KeyCode::Up => "Up".to_owned(),
        KeyCode::Down => "Down".to_owned(),
        KeyCode::Left => "Left".to_owned(),
        KeyCode::Right => "Right".to_owned(),
        KeyCode::PageUp => "PageUp".to_owned(),
        KeyCode::PageDown => "PageDown".to_owned(),
        KeyCode::Home => "Home".to_owned(),
        KeyCode::End => "End".to_owned(),
        KeyCode::Backspace => "Backspace".to_owned(),
        KeyCode::Delete => "Delete".to_owned(),
        KeyCode::F(n) => format!("F{n}"),
        _ => return None,
    };
    let control = if control { "Ctrl+" } else { "" };
    let alt = if alt { "Alt+" } else { "" };
    Some(format!("{control}{alt}{word}"))
}

/// Where a key is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Scope {
    Pane(Room),
    Common,
}

impl From<Place> for Scope {
    fn from(place: Place) -> Self {
        match place {
            Place::Pane(room) => Self::Pane(room),
            Place::Run | Place::Anywhere => Self::Common,
        }
    }
}

/// Which key does what.
#[derive(Clone, Debug)]
pub(super) struct Keymap {
    actions: BTreeMap<(Scope, String), Action>,
    keys: BTreeMap<Action, Vec<String>>,
}

impl Default for Keymap {
    fn default() -> Self {
        let keys = TABLE
            .iter()
            .map(|entry| (entry.action, entry.keys.iter().map(|key| (*key).to_owned()).collect()))
            .collect();
        let mut map = Self { actions: BTreeMap::new(), keys };
        map.index(&mut Vec::new());
        map
    }
}

impl Keymap {
    /// The table's keys with a `keys.toml` over them: `step = ["n", "F10"]`, one line an action. What cannot be used is
    /// reported and left out.
    pub(super) fn patched(path: &str, text: &str) -> (Self, Vec<Diagnostic>) {
        let mut map = Self::default();
        let mut problems = Vec::new();
        let mut problem = |message: String, hint: Option<String>| {
            let at = Diagnostic {
                severity: Severity::Warning,
                path: path.to_owned(),
                line: 0,
                column: 0,
                message,
                hint,
                excerpt: String::new(),
            };
            problems.push(at);
        };
        let table: BTreeMap<String, Vec<String>> = match toml::from_str(text) {
            Ok(table) => table,
            Err(error) => {
                problem(error.message().to_owned(), Some("write lines such as step = [\"n\"]".to_owned()));
                return (map, problems);
            }
        };
        for (name, keys) in table {
            match TABLE.iter().find(|entry| entry.name == name) {
                Some(entry) => {
                    map.keys.insert(entry.action, keys);
                }
                None => problem(
                    format!("no action is called `{name}`"),
                    did_you_mean(&name, TABLE.iter().map(|entry| entry.name)),
                ),
            }
        }
        let mut clashes = Vec::new();
        map.index(&mut clashes);
        for clash in clashes {
            problem(clash, Some("give one of them another key".to_owned()));
        }
        (map, problems)
    }

    fn index(&mut self, clashes: &mut Vec<String>) {
        self.actions.clear();
        for entry in TABLE {
            for key in self.keys.get(&entry.action).into_iter().flatten() {
                let place = (Scope::from(entry.place), key.clone());
                match self.actions.get(&place) {
                    Some(other) => clashes.push(format!("{key} is both {} and {}", other.entry().name, entry.name)),
                    None => {
                        self.actions.insert(place, entry.action);
                    }
                }
            }
        }
    }

    /// What a key does in a pane: the pane's own actions first, then those of everywhere.
    pub(super) fn action(&self, key: &str, room: Room) -> Option<Action> {
        let own = self.actions.get(&(Scope::Pane(room), key.to_owned()));
        own.or_else(|| self.actions.get(&(Scope::Common, key.to_owned()))).copied()
    }

    /// What a key does everywhere.
    pub(super) fn common(&self, key: &str) -> Option<Action> {
        self.actions.get(&(Scope::Common, key.to_owned())).copied()
    }

    /// The first key of an action; empty where it has none.
    pub(super) fn key(&self, action: Action) -> &str {
        self.keys.get(&action).and_then(|keys| keys.first()).map_or("", String::as_str)
    }

    /// All keys of an action.
    pub(super) fn keys(&self, action: Action) -> String {
        self.keys.get(&action).map(|keys| keys.join(" ")).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(code: KeyCode, modifiers: KeyModifiers) -> Option<String> {
        name(KeyEvent::new(code, modifiers))
    }

    #[test]
    fn keys_have_names() {
        assert_eq!(press(KeyCode::Char(' '), KeyModifiers::NONE).as_deref(), Some("Space"));
        assert_eq!(press(KeyCode::Char('S'), KeyModifiers::SHIFT).as_deref(), Some("S"));
        assert_eq!(press(KeyCode::Char('P'), KeyModifiers::CONTROL).as_deref(), Some("Ctrl+p"));
        let mut release = KeyEvent::new(KeyCode::Char('q'), KeyModifiers::NONE);
        release.kind = KeyEventKind::Release;
        assert_eq!(name(release), None);
    }

    #[test]
    fn a_pane_has_its_own_keys() {
        let map = Keymap::default();
        assert_eq!(map.action("s", Room::Graph), Some(Action::StepProgram));
        assert_eq!(map.action("s", Room::Edits), Some(Action::HunkSplit));
        assert_eq!(map.action("w", Room::Edits), Some(Action::HunkApply));
        assert_eq!(map.action("Enter", Room::Edits), Some(Action::EditOpen));
    }

    #[test]
    fn a_users_keys_win_and_mistakes_are_named() {
        let (map, problems) = Keymap::patched("keys.toml", "step = [\"n\"]\nstepp = [\"x\"]\n");
        let found: Vec<&str> = problems.iter().map(|problem| problem.message.as_str()).collect();
        assert_eq!(found, ["no action is called `stepp`", "n is both step and find-next"]);
        assert_eq!(map.action("n", Room::Graph), Some(Action::StepCycle));
        assert_eq!(map.action("Space", Room::Graph), None);
    }
}
