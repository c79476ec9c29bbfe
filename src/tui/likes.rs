//! Reads what the user likes: themes, keys, motion.

use std::fs;
use std::io::ErrorKind;

use super::app::Likes;
use super::error::TuiError;
use super::keys::Keymap;
use super::theme::{Depth, Theme};
use crate::model::{Diagnostic, did_you_mean};
use crate::setup::App;
use crate::store::Motion;

/// The themes in the box.
const BUNDLED: [&str; 2] = [include_str!("../../themes/dusk.toml"), include_str!("../../themes/paper.toml")];

/// What the configuration and the terminal say.
///
/// # Errors
/// When the theme that is asked for does not exist or is none.
pub(super) fn of(app: &App, env: &dyn Fn(&str) -> Option<String>) -> Result<Likes, TuiError> {
    let depth = Depth::of(env);
    let mut themes = vec![Theme::palette(depth)];
    let bad = |message: String, hint: String| TuiError::Likes { message, hint };
    for text in BUNDLED {
        themes.push(Theme::read(text, depth).map_err(|why| bad(why, "this is a fault of mop".to_owned()))?);
    }
    let wanted = app.config.theme().unwrap_or("terminal");
    // Only the one that is wanted is read, so that a broken file does not keep others out.
    if !themes.iter().any(|theme| theme.name == wanted) && !wanted.contains(['/', '\\']) {
        let path = app.paths.themes().join(format!("{wanted}.toml"));
        match fs::read_to_string(&path) {
            Ok(text) => {
                let mut theme = Theme::read(&text, depth).map_err(|why| {
                    bad(format!("{}: {why}", path.display()), "mend the file, or take another theme".to_owned())
                })?;
                wanted.clone_into(&mut theme.name);
                themes.push(theme);
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => {
                return Err(bad(
                    format!("{} cannot be read: {error}", path.display()),
                    "take another theme".to_owned(),
                ));
            }
        }
    }
    let theme = themes.iter().position(|theme| theme.name == wanted).ok_or_else(|| {
        let names: Vec<&str> = themes.iter().map(|theme| theme.name.as_str()).collect();
        let hint = did_you_mean(wanted, names.iter().copied());
        let list = format!("themes: {}; or put a file into {}", names.join(", "), app.paths.themes().display());
        bad(format!("no theme is called `{wanted}`"), hint.map_or(list.clone(), |hint| format!("{hint} {list}")))
    })?;
    Ok(Likes {
        themes,
        theme,
        ascii: app.config.ascii(),
        mouse: app.config.mouse(),
        step: app.config.step(),
        motion: app.config.motion() != Motion::None,
    })
}

/// The keys, with the user's own over them.
pub(super) fn keymap(app: &App) -> (Keymap, Vec<Diagnostic>) {
    let path = app.paths.keys_file();
    match fs::read_to_string(&path) {
        Ok(text) => Keymap::patched(&path.to_string_lossy(), &text),
        Err(error) if error.kind() == ErrorKind::NotFound => (Keymap::default(), Vec::new()),
        Err(error) => {
            let message = format!("cannot be read, so the usual keys are used: {error}");
            (Keymap::default(), vec![Diagnostic::at(&path.to_string_lossy(), "", 0, message)])
        }
    }
}
