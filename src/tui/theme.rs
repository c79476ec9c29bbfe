//! Colours by role. A theme is a file that says what each [`Role`] looks like; views name roles and never colours.

use std::collections::BTreeMap;

use ratatui::style::{Color, Modifier, Style};
use serde::Deserialize;

use crate::model::did_you_mean;

macro_rules! roles {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)*) => {
        /// What a piece of the screen means.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub(super) enum Role {
            $($(#[$doc])* $variant,)*
        }

        impl Role {
            /// All roles.
            pub(super) const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Its name in theme files.
            pub(super) fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }
    };
}

roles! {
    /// Ordinary text.
    Text = "text",
    /// Text that matters less: labels, superseded entries, hints.
    Quiet = "quiet",
    /// Text that matters most: answers, the score.
    Strong = "strong",
    /// Titles and names that lead somewhere.
    Accent = "accent",
    /// Borders of panes without the focus.
    Border = "border",
    /// The border of the pane with the focus.
    Focus = "focus",
    /// It is well: gains, passes.
    Good = "good",
    /// It is not: losses, failures.
    Bad = "bad",
    /// It waits, or nobody knows.
    Unsure = "unsure",
    /// The selected line.
    Selected = "selected",
    /// A key that can be pressed.
    Key = "key",
    /// The program that runs, or runs next.
    Running = "running",
    /// A line that a diff adds.
    Added = "added",
    /// Words that it adds within a changed line.
    AddedWord = "added-word",
    /// A line that a diff removes.
    Removed = "removed",
    /// Words that it removes within a changed line.
    RemovedWord = "removed-word",
    /// Keywords of code.
    CodeKeyword = "code-keyword",
    /// Strings of code.
    CodeString = "code-string",
    /// Numbers and constants of code.
    CodeNumber = "code-number",
    /// Comments of code.
    CodeComment = "code-comment",
    /// Functions of code.
    CodeFunction = "code-function",
    /// Other names of code.
    CodeName = "code-name",
}

/// How many colours the terminal has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Depth {
    /// None: meaning is carried by words, signs, bold and reverse alone.
    None,
    /// The terminal's own palette of 16.
    Palette,
    /// 256 colours.
    Indexed,
    /// 16 million colours.
    True,
}

impl Depth {
    /// What the environment says; `NO_COLOR` wins.
    #[must_use]
    pub(super) fn of(env: &dyn Fn(&str) -> Option<String>) -> Self {
        let has = |name: &str| env(name).filter(|value| !value.is_empty());
        let term = env("TERM").unwrap_or_default();
        if has("NO_COLOR").is_some() || term == "dumb" {
            return Self::None;
        }
        match has("COLORTERM").as_deref() {
            Some("truecolor" | "24bit") => Self::True,
            _ if term.contains("256color") || term.contains("kitty") || term.contains("ghostty") => Self::Indexed,
            _ => Self::Palette,
        }
    }
}

/// A style for every role, in colours that the terminal has.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Theme {
    /// Its name.
    pub(super) name: String,
    styles: Vec<Style>,
    ground: Style,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: String,
    #[serde(default)]
    ground: Option<String>,
    roles: BTreeMap<String, Look>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Look {
    Colour(String),
    Full(Full),
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Full {
    fg: Option<String>,
    bg: Option<String>,
    bold: bool,
    underline: bool,
    reverse: bool,
}

impl Theme {
    /// The style of a role.
    #[must_use]
    pub(super) fn style(&self, role: Role) -> Style {
        self.styles.get(role as usize).copied().unwrap_or_default()
    }

    /// The style of cells on which nothing is written.
    #[must_use]
    pub(super) fn ground(&self) -> Style {
        self.ground
    }

    /// The default: the terminal's own colours, so that it fits whatever the user has chosen.
    #[must_use]
    pub(super) fn palette(depth: Depth) -> Self {
        let styles =
            Role::ALL.iter().map(|role| if depth == Depth::None { plain(*role) } else { ansi(*role) }).collect();
        Self { name: "terminal".to_owned(), styles, ground: Style::new() }
    }

    /// Reads a theme file. Roles that it leaves out look as in the default.
    ///
    /// # Errors
    /// When it is no theme: what is wrong, in one clause.
    pub(super) fn read(text: &str, depth: Depth) -> Result<Self, String> {
        let file: File = toml::from_str(text).map_err(|error| error.message().to_owned())?;
        let mut theme = Self::palette(depth);
        theme.name = file.name;
        for (name, look) in &file.roles {
            let Some(role) = Role::ALL.iter().find(|role| role.name() == name) else {
                let hint = did_you_mean(name, Role::ALL.iter().map(|role| role.name()));
                return Err(format!("no role is called `{name}`; {}", hint.unwrap_or_default()));
            };
            let style = look.style(depth)?;
            // Without colours, or with the terminal's own sixteen only, the default is the better theme.
            if matches!(depth, Depth::Indexed | Depth::True)
                && let Some(place) = theme.styles.get_mut(*role as usize)
            {
                *place = style;
            }
        }
        if let (Some(ground), Depth::Indexed | Depth::True) = (&file.ground, depth) {
            theme.ground = Style::new().bg(colour(ground, depth)?);
        }
        Ok(theme)
    }
}

impl Look {
    fn style(&self, depth: Depth) -> Result<Style, String> {
        match self {
            Self::Colour(text) => Ok(Style::new().fg(colour(text, depth)?)),
            Self::Full(full) => {
                let mut style = Style::new();
                if let Some(text) = &full.fg {
                    style = style.fg(colour(text, depth)?);
                }
                if let Some(text) = &full.bg {
                    style = style.bg(colour(text, depth)?);
                }
                let marks = [
                    (full.bold, Modifier::BOLD),
                    (full.underline, Modifier::UNDERLINED),
                    (full.reverse, Modifier::REVERSED),
                ];
                Ok(marks.into_iter().filter(|(on, _)| *on).fold(style, |style, (_, mark)| style.add_modifier(mark)))
            }
        }
    }
}

fn colour(text: &str, depth: Depth) -> Result<Color, String> {
    let found: Color =
        text.parse().map_err(|_| format!("`{text}` is no colour; write #rrggbb or a name such as red"))?;
    Ok(match (found, depth) {
        (Color::Rgb(r, g, b), Depth::Indexed) => Color::Indexed(nearest(r, g, b)),
        (other, _) => other,
    })
}

/// The nearest of the 240 colours that are the same in every terminal of 256.
fn nearest(r: u8, g: u8, b: u8) -> u8 {
    const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let far = |a: (u8, u8, u8)| {
        let part = |x: u8, y: u8| (i32::from(x) - i32::from(y)).pow(2);
        part(a.0, r) + part(a.1, g) + part(a.2, b)
    };
    let cube = (0..216u8).map(|n| {
        let step = |i: u8| STEPS[usize::from(i)];
        (16 + n, (step(n / 36), step(n / 6 % 6), step(n % 6)))
    });
    let grey = (0..24u8).map(|n| (232 + n, (8 + 10 * n, 8 + 10 * n, 8 + 10 * n)));
    cube.chain(grey).min_by_key(|(_, rgb)| far(*rgb)).map_or(15, |(index, _)| index)
}

/// The look without colours.
fn plain(role: Role) -> Style {
    let style = Style::new();
    match role {
        Role::Strong | Role::Accent | Role::Focus | Role::Key | Role::AddedWord => style.add_modifier(Modifier::BOLD),
        Role::Running => style.add_modifier(Modifier::BOLD | Modifier::REVERSED),
        Role::Selected => style.add_modifier(Modifier::REVERSED),
        Role::Quiet | Role::Border | Role::CodeComment => style.add_modifier(Modifier::DIM),
        Role::RemovedWord => style.add_modifier(Modifier::UNDERLINED),
        Role::Bad | Role::CodeKeyword => style.add_modifier(Modifier::BOLD),
        Role::Text
        | Role::Good
        | Role::Unsure
        | Role::Added
        | Role::Removed
        | Role::CodeString
        | Role::CodeNumber
        | Role::CodeFunction
        | Role::CodeName => style,
    }
}

/// The look in the terminal's own sixteen colours.
fn ansi(role: Role) -> Style {
    let style = Style::new();
    match role {
        Role::Text | Role::CodeName => style,
        Role::Quiet | Role::CodeComment => style.fg(Color::DarkGray),
        Role::Strong => style.add_modifier(Modifier::BOLD),
        Role::Accent => style.fg(Color::Cyan).add_modifier(Modifier::BOLD),
        Role::Border => style.fg(Color::DarkGray),
        Role::Focus => style.fg(Color::Cyan),
        Role::Good | Role::Added | Role::CodeString => style.fg(Color::Green),
        Role::Bad | Role::Removed => style.fg(Color::Red),
        Role::Unsure | Role::CodeNumber => style.fg(Color::Yellow),
        Role::Selected => style.add_modifier(Modifier::REVERSED),
        Role::Key => style.fg(Color::Cyan),
        Role::Running => style.fg(Color::Cyan).add_modifier(Modifier::BOLD),
        Role::AddedWord => style.fg(Color::Green).add_modifier(Modifier::REVERSED),
        Role::RemovedWord => style.fg(Color::Red).add_modifier(Modifier::REVERSED),
        Role::CodeKeyword => style.fg(Color::Magenta),
        Role::CodeFunction => style.fg(Color::Blue),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const THEMES: [&str; 2] = [include_str!("../../themes/dusk.toml"), include_str!("../../themes/paper.toml")];

    /// Relative luminance, as accessibility guidelines define it.
    fn luminance(colour: Color) -> f64 {
        let Color::Rgb(r, g, b) = colour else { panic!("{colour:?} is not #rrggbb") };
        let channel = |c: u8| {
            let c = f64::from(c) / 255.0;
            if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b)
    }

    #[test]
    fn text_of_every_theme_can_be_read() {
        for text in THEMES {
            let theme = Theme::read(text, Depth::True).unwrap();
            for role in Role::ALL.iter().filter(|role| **role != Role::Border) {
                let style = theme.style(*role);
                let ground = style.bg.or(theme.ground().bg).unwrap();
                let (a, b) = (luminance(style.fg.unwrap()), luminance(ground));
                let contrast = (a.max(b) + 0.05) / (a.min(b) + 0.05);
                assert!(contrast >= 4.5, "{} of {}: {contrast:.2}", role.name(), theme.name);
            }
        }
    }

    #[test]
    fn without_colours_there_are_none_and_with_256_no_others() {
        for text in THEMES {
            let none = Theme::read(text, Depth::None).unwrap();
            let indexed = Theme::read(text, Depth::Indexed).unwrap();
            for role in Role::ALL {
                assert_eq!((none.style(*role).fg, none.style(*role).bg), (None, None), "{}", role.name());
                assert!(matches!(indexed.style(*role).fg, Some(Color::Indexed(16..))), "{}", role.name());
            }
        }
    }

    #[test]
    fn a_misspelt_role_is_named() {
        let error = Theme::read("name = \"x\"\n[roles]\nacent = \"red\"", Depth::True).unwrap_err();
        assert!(error.contains("accent"), "{error}");
    }

    #[test]
    fn the_environment_says_how_many_colours_there_are() {
        let check = |set: &[(&str, &str)], expected: Depth| {
            let env = |name: &str| set.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
            assert_eq!(Depth::of(&env), expected, "{set:?}");
        };
        check(&[("TERM", "xterm-256color"), ("COLORTERM", "truecolor")], Depth::True);
        check(&[("TERM", "xterm-256color")], Depth::Indexed);
        check(&[("TERM", "xterm")], Depth::Palette);
        check(&[("TERM", "xterm-256color"), ("NO_COLOR", "1")], Depth::None);
        check(&[("TERM", "xterm-256color"), ("NO_COLOR", "")], Depth::Indexed);
        check(&[("TERM", "dumb"), ("COLORTERM", "truecolor")], Depth::None);
    }
}
