//! What lies on top of the panes for a moment: help, palette, lists, questions and the editor.

mod draw;
mod models;
mod palette;
mod play;

use crossterm::event::{KeyCode, KeyEvent};

use super::action::{Action, Room, TABLE};
use super::app::Interface;
use super::field::Field;
use super::pane::{Purpose, Tone};
use super::request::Request;
use crate::model::SessionId;

pub(super) use draw::draw;

use models::Hidden;

/// One session in the list.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::tui) struct SessionRow {
    /// Its id.
    pub(in crate::tui) id: SessionId,
    /// The words of its first question.
    pub(in crate::tui) query: String,
    /// How it stands.
    pub(in crate::tui) standing: String,
    /// J, where it was scored.
    pub(in crate::tui) j: Option<f64>,
}

/// What lies on top.
#[derive(Debug)]
pub(super) enum Overlay {
    /// What can be done here.
    Help {
        /// Words to look for.
        search: Field,
        /// First row shown.
        top: usize,
    },
    /// Any action by its name.
    Palette {
        /// Words to look for.
        search: Field,
        /// Which of those found.
        selected: usize,
    },
    /// The breakpoints.
    Breaks {
        /// Which.
        selected: usize,
    },
    /// One line of text.
    Ask {
        /// What for.
        purpose: Purpose,
        /// What is asked.
        title: String,
        /// The text.
        field: Field,
    },
    /// Many lines of text.
    Edit {
        /// What for.
        purpose: Purpose,
        /// What is edited.
        title: String,
        /// The text.
        field: Field,
        /// The text as it was.
        before: String,
        /// Whether Esc was pressed once on a changed text.
        leaving: bool,
    },
    /// What the user likes.
    Settings {
        /// Which line.
        selected: usize,
    },
    /// Servers, and which model serves which tier.
    Models {
        /// Which line.
        selected: usize,
    },
    /// A key of a server.
    Secret {
        /// Whose.
        vendor: String,
        /// Its name.
        key: &'static str,
        /// The key.
        field: Hidden,
    },
    /// The user plays the model.
    Play,
    /// All sessions.
    Sessions {
        /// They.
        list: Vec<SessionRow>,
        /// Words to look for.
        search: Field,
        /// Which of those found.
        selected: usize,
    },
    /// Whether to leave while something runs.
    Quit,
}

impl Overlay {
    /// The help.
    pub(super) fn help() -> Self {
        Self::Help { search: Field::line(""), top: 0 }
    }

    /// The palette.
    pub(super) fn palette() -> Self {
        Self::Palette { search: Field::line(""), selected: 0 }
    }

    /// The breakpoints.
    pub(super) fn breaks() -> Self {
        Self::Breaks { selected: 0 }
    }

    /// A question.
    pub(super) fn ask(purpose: Purpose, title: &str, text: &str) -> Self {
        Self::Ask { purpose, title: title.to_owned(), field: Field::line(text) }
    }

    /// The editor.
    pub(super) fn edit(purpose: Purpose, title: &str, text: &str) -> Self {
        let field = Field::lines(text);
        Self::Edit { purpose, title: title.to_owned(), field, before: text.to_owned(), leaving: false }
    }

    /// The settings.
    pub(super) fn settings() -> Self {
        Self::Settings { selected: 0 }
    }

    /// The list of sessions.
    pub(super) fn sessions(list: Vec<SessionRow>) -> Self {
        Self::Sessions { list, search: Field::line(""), selected: 0 }
    }

    /// The question whether to leave.
    pub(super) fn confirm_quit() -> Self {
        Self::Quit
    }

    /// Whether keys are text in it.
    pub(super) fn has_field(&self) -> bool {
        match self {
            Self::Help { .. }
            | Self::Palette { .. }
            | Self::Ask { .. }
            | Self::Edit { .. }
            | Self::Secret { .. }
            | Self::Play
            | Self::Sessions { .. } => true,
            Self::Breaks { .. } | Self::Settings { .. } | Self::Models { .. } | Self::Quit => false,
        }
    }

    /// Takes pasted text.
    pub(super) fn paste(&mut self, text: &str) {
        match self {
            Self::Help { search, .. } | Self::Palette { search, .. } | Self::Sessions { search, .. } => {
                search.paste(text);
            }
            Self::Ask { field, .. } | Self::Edit { field, .. } => field.paste(text),
            Self::Secret { field, .. } => field.0.paste(text),
            // What is written there is kept beside it.
            Self::Play => {}
            Self::Breaks { .. } | Self::Settings { .. } | Self::Models { .. } | Self::Quit => {}
        }
    }
}

/// Sessions whose words or id hold what was typed.
fn found<'a>(list: &'a [SessionRow], search: &Field) -> Vec<&'a SessionRow> {
    let wanted = search.text().to_lowercase();
    let holds = |row: &&SessionRow| row.query.to_lowercase().contains(&wanted) || row.id.as_str().contains(&wanted);
    list.iter().filter(holds).collect()
}

/// The lines of the settings.
pub(super) const SETTINGS: [(&str, &str); 6] = [
    ("theme", "colours: the terminal's own, or one of the files in themes/"),
    ("step mode", "a new question stands still before its first program"),
    ("motion", "the seconds of a running program are counted on screen"),
    ("mouse", "click and wheel work here; hold Shift to select text as usual"),
    ("signs", "box drawing, or ASCII only"),
    ("models", "which model serves which tier; servers and keys"),
];

impl Interface {
    /// A key while something lies on top.
    pub(super) fn overlay_key(&mut self, key: KeyEvent, name: &str) {
        let Some(mut overlay) = self.overlays.pop() else { return };
        let depth = self.overlays.len();
        let stays = match &mut overlay {
            Overlay::Help { search, top } => match name {
                "Esc" => false,
                "Down" => move_by(top, 1),
                "Up" => move_by(top, -1),
                "PageDown" => move_by(top, 10),
                "PageUp" => move_by(top, -10),
                "?" | "q" if search.is_blank() => false,
                _ => {
                    search.key(key);
                    *top = 0;
                    true
                }
            },
            Overlay::Palette { search, selected } => match name {
                "Esc" => false,
                "Down" => move_by(selected, 1),
                "Up" => move_by(selected, -1),
                "Enter" => {
                    let found = palette::matches(&search.text());
                    let action = found.get((*selected).min(found.len().saturating_sub(1))).map(|entry| entry.action);
                    if let Some(action) = action {
                        self.act(action);
                    }
                    false
                }
                _ => {
                    search.key(key);
                    *selected = 0;
                    true
                }
            },
            Overlay::Breaks { selected } => self.breaks_key(selected, name),
            Overlay::Ask { purpose, field, .. } => match key.code {
                KeyCode::Esc => false,
                KeyCode::Enter => {
                    let (purpose, text) = (purpose.clone(), field.text());
                    self.told(&purpose, &text);
                    false
                }
                _ => {
                    field.key(key);
                    true
                }
            },
            Overlay::Edit { purpose, field, before, leaving, .. } => match name {
                "Esc" if field.text() == *before || *leaving => false,
                "Esc" => {
                    *leaving = true;
                    true
                }
                "Ctrl+s" => {
                    let (purpose, text) = (purpose.clone(), field.text());
                    self.told(&purpose, &text);
                    false
                }
                _ => {
                    *leaving = false;
                    field.key(key);
                    true
                }
            },
            Overlay::Settings { selected } => match name {
                "Esc" | "q" => false,
                "Down" | "j" => move_to(selected, 1, SETTINGS.len()),
                "Up" | "k" => move_to(selected, -1, SETTINGS.len()),
                "Enter" | "Space" | "Right" | "Left" => {
                    self.change_setting(*selected);
                    true
                }
                _ => true,
            },
            Overlay::Models { selected } => self.models_key(selected, name),
            Overlay::Secret { vendor, key: wanted, field } => match key.code {
                KeyCode::Esc => false,
                KeyCode::Enter => {
                    self.keep_key(vendor, wanted, field.0.text());
                    false
                }
                _ => {
                    field.0.key(key);
                    true
                }
            },
            Overlay::Play => self.play_key(key, name),
            Overlay::Sessions { list, search, selected } => match name {
                "Esc" => false,
                "Down" => move_by(selected, 1),
                "Up" => move_by(selected, -1),
                "Enter" => {
                    let rows = found(list, search);
                    if let Some(row) = rows.get((*selected).min(rows.len().saturating_sub(1))) {
                        self.requests.push(Request::Open(row.id.clone()));
                    }
                    false
                }
                _ => {
                    search.key(key);
                    *selected = 0;
                    true
                }
            },
            Overlay::Quit => match name {
                "y" => {
                    self.requests.push(Request::Quit);
                    false
                }
                "n" | "Esc" => false,
                _ => true,
            },
        };
        if stays {
            // What the key opened, if anything, lies above.
            self.overlays.insert(depth, overlay);
        }
    }

    fn breaks_key(&mut self, selected: &mut usize, name: &str) -> bool {
        let mut stops = self.breakpoints();
        let mut watches = self.live.now().watches.to_vec();
        let count = stops.len() + watches.len();
        *selected = (*selected).min(count.saturating_sub(1));
        match name {
            "Esc" | "q" | "B" => false,
            "Down" | "j" => move_to(selected, 1, count),
            "Up" | "k" => move_to(selected, -1, count),
            "a" | "Enter" | "i" => {
                self.overlays.push(Overlay::ask(Purpose::Break, "stop when", ""));
                true
            }
            "d" => {
                self.told(&Purpose::Break, "dJ < 0");
                true
            }
            "w" => {
                self.act(Action::AddWatch);
                true
            }
            "x" | "Delete" | "Backspace" => {
                if *selected < stops.len() {
                    stops.remove(*selected);
                    self.set_breakpoints(stops);
                } else if *selected < count {
                    watches.remove(*selected - stops.len());
                    self.send(crate::model::Command::Watches(watches));
                }
                true
            }
            _ => true,
        }
    }

    fn change_setting(&mut self, line: usize) {
        match line {
            0 => self.likes.theme = (self.likes.theme + 1) % self.likes.themes.len(),
            1 => self.likes.step = !self.likes.step,
            2 => self.likes.motion = !self.likes.motion,
            3 => {
                self.likes.mouse = !self.likes.mouse;
                self.requests.push(Request::Mouse(self.likes.mouse));
            }
            5 => self.act(Action::Models),
            _ => {
                self.likes.ascii = !self.likes.ascii;
                self.glyphs = if self.likes.ascii { super::scene::Glyphs::ASCII } else { super::scene::Glyphs::FULL };
            }
        }
    }

    /// A key while the prompt is being written.
    pub(super) fn prompt_key(&mut self, key: KeyEvent, name: &str) {
        match name {
            "Esc" => self.writing = false,
            "Enter" => self.send_prompt(false),
            "F10" | "F11" => self.send_prompt(true),
            "F5" => self.send_prompt(false),
            "Tab" => {
                self.writing = false;
                self.act(Action::NextPane);
            }
            "BackTab" => {
                self.writing = false;
                self.act(Action::BackPane);
            }
            "Up" => self.recall(-1),
            "Down" => self.recall(1),
            "PageUp" => self.act(Action::PageUp),
            "PageDown" => self.act(Action::PageDown),
            "Ctrl+p" | "Ctrl+o" | "Ctrl+t" | "Ctrl+l" | "Ctrl+z" | "F2" | "F3" | "F4" => {
                if let Some(action) = self.keymap.common(name) {
                    self.act(action);
                }
            }
            "?" if self.prompt.is_blank() => self.act(Action::Help),
            _ => {
                self.prompt.key(key);
            }
        }
    }

    /// Earlier questions, with the arrow keys.
    fn recall(&mut self, by: i64) {
        let count = self.asked.len();
        let at = self.recalled.unwrap_or(count);
        let next = at.saturating_add_signed(isize::try_from(by).unwrap_or(0)).min(count);
        self.recalled = Some(next).filter(|next| *next < count);
        self.prompt = Field::line(self.asked.get(next).map_or("", String::as_str));
    }

    /// What was written goes where it belongs: to a program that asks, to a run that is under way, or it is the next question.
    fn send_prompt(&mut self, step: bool) {
        if self.prompt.is_blank() {
            self.writing = false;
            return;
        }
        self.recalled = None;
        let text = self.prompt.text().trim().to_owned();
        let asked = self.live.now().questions.keys().next().copied();
        if asked.is_some() && std::mem::take(&mut self.unasked) {
            self.say(Tone::Plain, "a program has asked meanwhile: Enter again gives this line as the answer");
            return;
        }
        let command = match asked {
            Some(id) => crate::model::Command::Answer { id, text: text.clone() },
            None if self.is_under_way() => crate::model::Command::Say { text: text.clone() },
            None => {
                self.ask_question(step);
                return;
            }
        };
        self.asked.push(text);
        self.prompt.clear();
        self.send(command);
        if asked.is_none() {
            self.say(Tone::Plain, "kept; the programs see it at the next question");
        }
        self.writing = false;
    }
}

fn move_by(at: &mut usize, by: isize) -> bool {
    *at = at.saturating_add_signed(by);
    true
}

fn move_to(at: &mut usize, by: isize, len: usize) -> bool {
    *at = at.saturating_add_signed(by).min(len.saturating_sub(1));
    true
}

/// The entries of the help that hold what was typed: those of the pane first.
pub(super) fn help_entries(room: Room, search: &str) -> Vec<&'static super::action::Entry> {
    let wanted = search.trim().to_lowercase();
    let holds = |entry: &&super::action::Entry| {
        wanted.is_empty() || entry.says.to_lowercase().contains(&wanted) || entry.name.contains(&wanted)
    };
    let here = |entry: &&super::action::Entry| match entry.place {
        super::action::Place::Pane(other) => other == room,
        super::action::Place::Run | super::action::Place::Anywhere => true,
    };
    TABLE.iter().filter(here).filter(holds).collect()
}
